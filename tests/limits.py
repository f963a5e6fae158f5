"""Posted limits that tests mean where the house proposes higher ones."""

from __future__ import annotations

from boxman.strategy.session import TableOptions

FIVES: TableOptions = {"minimum": 5, "maximum": 1000}
UNITS = ("nsw", "perth-crapless")
"""Houses whose texts have units on the sign (7.1, 5.1)."""
