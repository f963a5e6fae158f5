"""The families of wagers: all there is to know of one before a house says anything about it.

A row has the public spot id (`*` for a number), the shape of its machine, the numbers strategies
know, the heading of a price list, the constant a strategy names it by, the area of the cloth it
lies in and its short print there. The order is the one in which a felt is read. Everything that
lists wagers is made from these rows; a rulebook adds rows of its own with `[[family]]` facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from boxman.rules.ids import with_number
from boxman.rules.shapes import (
    BEHIND,
    BEHIND_LINE,
    COLLECTOR,
    COMPOSITE,
    LINE,
    ONE_ROLL,
    RACE,
    TRAVELLING,
    Shape,
)

NUMBERS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
INNER = (4, 5, 6, 8, 9, 10)
MORE = "more"
"""The area of the cloth for whatever has no place of its own."""
OWN_HEADING = "Wagers of the house"
OWN_ID = re.compile(r"[a-z][a-z0-9_]{1,23}(\.\*)?")
"""What a rulebook may call a family of its own."""


class Family(NamedTuple):
    """One kind of wager."""

    id: str
    shape: Shape
    heading: str
    place: str = MORE
    """The area of the cloth; the areas are in `pit/told/cloth.py`."""
    numbers: tuple[int, ...] = ()
    constant: str = ""
    """What a strategy calls it; made from the id where nothing is said."""
    short: str = ""
    """Print for a box that is too narrow for the house's name."""
    by_faces: bool = False
    """Its numbers are two faces, the higher first: hop.43."""

    @property
    def name(self) -> str:
        """The constant of strategies.

        >>> FAMILIES["place.*"].name, FAMILIES["come.*"].name, FAMILIES["pass.odds"].name
        ('PLACE', 'COME_ON', 'PASS_ODDS')
        """
        return self.constant or self.id.removesuffix(".*").replace(".", "_").upper()

    @property
    def spots(self) -> tuple[str, ...]:
        """The spots of the family that strategies know."""
        if "*" not in self.id:
            return (self.id,)
        return tuple(with_number(self.id, n) for n in self.numbers)


_ROWS = (
    Family("pass", LINE, "Line", "pass"),
    Family("pass.odds", BEHIND_LINE, "Line", "pass odds"),
    Family("dont_pass", LINE, "Line", "don't pass"),
    Family("dont_pass.odds", BEHIND_LINE, "Line", "don't pass odds"),
    Family("come", TRAVELLING, "Come", "come"),
    Family("come.*", RACE, "Come", "box come", NUMBERS, "COME_ON", "Come"),
    Family("come.odds.*", BEHIND, "Come", "box come odds", NUMBERS, short="Odds"),
    Family("dont_come", TRAVELLING, "Don't come", "don't come"),
    Family("dont_come.*", RACE, "Don't come", "box don't", INNER, "DONT_COME_ON", "Don't"),
    Family("dont_come.odds.*", BEHIND, "Don't come", "box don't odds", INNER, short="Odds"),
    Family("place.*", RACE, "Place", "box place", NUMBERS, short="Place"),
    Family("lose.*", RACE, "Place", "box lose", INNER, short="To lose"),
    Family("buy.*", RACE, "Buy and lay", "box buy", NUMBERS, short="Buy"),
    Family("lay.*", RACE, "Buy and lay", "box lay", INNER, short="Lay"),
    Family("big.*", RACE, "Field, Big 6 and 8", "big", (6, 8)),
    Family("field", ONE_ROLL, "Field, Big 6 and 8", "field"),
    Family("hard.*", RACE, "Hardways", "hardways", (4, 6, 8, 10), short="Hard"),
    Family("any_hard", RACE, "Hardways", "any hard"),
    Family("any_seven", ONE_ROLL, "One roll", "any seven"),
    Family("any_craps", ONE_ROLL, "One roll", "any craps"),
    Family("two", ONE_ROLL, "One roll", "one roll"),
    Family("three", ONE_ROLL, "One roll", "one roll"),
    Family("eleven", ONE_ROLL, "One roll", "one roll", short="Eleven"),
    Family("twelve", ONE_ROLL, "One roll", "one roll"),
    Family("horn", COMPOSITE, "Several at once", "several"),
    Family("horn_high.*", COMPOSITE, "Several at once", "high", (2, 3, 11, 12)),
    Family("world", COMPOSITE, "Several at once", "several"),
    Family("c_and_e", COMPOSITE, "Several at once", "several"),
    Family("small", COLLECTOR, "Bonus", "bonus"),
    Family("tall", COLLECTOR, "Bonus", "bonus"),
    Family("all", COLLECTOR, "Bonus", "bonus"),
)

FAMILIES: dict[str, Family] = {row.id: row for row in _ROWS}


def with_own(own: Iterable[Family]) -> dict[str, Family]:
    """The families a house may offer: those of every house, then its own."""
    return FAMILIES | {each.id: each for each in own}


def numbered_and_not(id: str) -> tuple[str, str]:
    """A family's id without a number, and with one."""
    stem = id.removesuffix(".*")
    return stem, f"{stem}.*"
