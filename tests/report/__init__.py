"""The report kit."""
