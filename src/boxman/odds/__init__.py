"""Exact odds: every machine of a compiled house read as a chain and solved in fractions."""
