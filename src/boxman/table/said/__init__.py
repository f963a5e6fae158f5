"""A table in words and lines: what may be done, what followed, what was said of it."""
