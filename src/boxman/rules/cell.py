"""What one roll does to a working wager, and the clauses that say so.

A machine is a row of cells, one for each roll a wager can tell apart, for every puck. No cell
(None) means the wager stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby

import msgspec

from boxman.dice import BY_FACES, KINDS, Kind
from boxman.rules.ledger import Cites
from boxman.words import phrase

ZERO, WHOLE = Fraction(0), Fraction(1)


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """One roll's verdict on one wager.

    What the stake earns, or loses (below 0), is `num` over `den`: whole numbers, as every roll of
    every table reads them.
    """

    verdict: str
    cites: Cites
    """For a wager nobody called on or off."""
    said: Cites
    """For one that was called: the call's clauses join these."""
    num: int = 0
    den: int = 1
    lost: Fraction = ZERO
    """What part of the stake is gone; of a composite some parts win while others lose."""
    to: str = ""
    """Where a wager that moves comes to lie."""
    part: str = ""
    """The part of a composite that won."""
    item: int = 0
    """Which of the things a wager collects this roll is."""
    stays_up: bool = False
    """It is paid for a part, and its stake stays up for the rest."""

    @property
    def goes_on(self) -> bool:
        """Whether no chips move and only the wager's memory changes."""
        return self.verdict in ("collect", "clear")

    @property
    def net(self) -> Fraction:
        """What the stake earns, or loses."""
        return Fraction(self.num, self.den)

    @property
    def win(self) -> Fraction:
        """What is paid before anything lost is taken off."""
        return self.net + self.lost if self.lost else self.net


Cells = tuple[Cell | None, ...]


def kinds_of(row: Cells) -> tuple[Kind, ...]:
    """The kinds of roll a row is made of."""
    return KINDS if len(row) == len(KINDS) else BY_FACES.kinds


def runs(numbers: Iterable[int]) -> list[str]:
    """Numbers in ascending order; three or more in a row by the first and the last.

    >>> runs([2, 3, 7, 8, 9, 12])
    ['2', '3', '7 to 9', '12']
    """
    found: list[str] = []
    for _, row in groupby(enumerate(sorted(numbers)), lambda each: each[1] - each[0]):
        these = [number for _, number in row]
        if len(these) > 2:
            found.append(phrase("joined.run", first=these[0], last=these[-1]))
        else:
            found += map(str, these)
    return found
