"""The few shapes a wager can have: the only behaviour of wagers that is code.

A shape says which rolls a wager may be asked about and what its facts must cover. It knows no
house, no clause and no amount. Families are the public spot ids with `*` for their number, in the
order in which a felt is read.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Shape(NamedTuple):
    """What a wager of this shape must and may have."""

    name: str
    by_point: bool = False
    """It reads the puck's number, so its cells differ from point to point."""
    total: bool = False
    """One roll decides it: every roll must win, lose or push."""


ONE_ROLL = Shape("one-roll", total=True)
LINE = Shape("line", by_point=True)
TRAVELLING = Shape("travelling", total=True)
RACE = Shape("number race")
BEHIND_LINE = Shape("behind", by_point=True)
BEHIND = Shape("behind")
COLLECTOR = Shape("collector")
COMPOSITE = Shape("composite", total=True)

FAMILIES: dict[str, Shape] = {
    "pass": LINE,
    "pass.odds": BEHIND_LINE,
    "dont_pass": LINE,
    "dont_pass.odds": BEHIND_LINE,
    "come": TRAVELLING,
    "come.*": RACE,
    "come.odds.*": BEHIND,
    "dont_come": TRAVELLING,
    "dont_come.*": RACE,
    "dont_come.odds.*": BEHIND,
    "place.*": RACE,
    "lose.*": RACE,
    "buy.*": RACE,
    "lay.*": RACE,
    "big.*": RACE,
    "field": ONE_ROLL,
    "hard.*": RACE,
    "any_hard": RACE,
    "any_seven": ONE_ROLL,
    "any_craps": ONE_ROLL,
    "two": ONE_ROLL,
    "three": ONE_ROLL,
    "eleven": ONE_ROLL,
    "twelve": ONE_ROLL,
    "horn": COMPOSITE,
    "horn_high.*": COMPOSITE,
    "world": COMPOSITE,
    "c_and_e": COMPOSITE,
    "small": COLLECTOR,
    "tall": COLLECTOR,
    "all": COLLECTOR,
}


def family(spot: str) -> str:
    """The family a spot id belongs to; the id itself where it has no number.

    >>> family("come.odds.6"), family("pass.odds"), family("come")
    ('come.odds.*', 'pass.odds', 'come')
    """
    return re.sub(r"\.\d+$", ".*", spot)


def number(spot: str) -> int:
    """The number of a spot, or 0.

    >>> number("place.6"), number("pass")
    (6, 0)
    """
    tail = spot.rpartition(".")[2]
    return int(tail) if tail.isdecimal() and len(tail) < 3 else 0


def with_number(pattern: str, n: int) -> str:
    """A member of a family.

    >>> with_number("come.odds.*", 6)
    'come.odds.6'
    """
    return pattern.replace("*", str(n))
