"""The lines of the notation: patterns, the fields in them, calls read and written by them."""
