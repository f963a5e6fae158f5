"""Strategies: plain functions of the table they see, played on the reference or explored once."""
