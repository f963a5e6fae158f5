"""The journal: every ruling of every table, numbered, chained, durable, and never changed."""
