"""The 36 rolls of two dice, and nothing random.

A roll is two faces. Wagers can tell only fifteen kinds of roll apart: the eleven totals, and for 4,
6, 8 and 10 whether it came the hard way (a pair).
"""

from __future__ import annotations

import re
from typing import NamedTuple

FACES = range(1, 7)
TOTALS = tuple(range(2, 13))
HARD_TOTALS = (4, 6, 8, 10)


class Roll(NamedTuple):
    """Two dice at rest.

    >>> Roll(4, 2).total, Roll(3, 3).hard, str(Roll(4, 2))
    (6, True, '4-2')
    """

    first: int
    second: int

    @property
    def total(self) -> int:
        return self.first + self.second

    @property
    def hard(self) -> bool:
        """A pair, the hard way; 2 and 12 come no other way and are not called hard."""
        return self.first == self.second and self.total in HARD_TOTALS

    @property
    def kind(self) -> int:
        """The index of this roll among the distinguishable kinds in KINDS."""
        return KIND_OF[self.first - 1][self.second - 1]

    def __str__(self) -> str:
        return f"{self.first}-{self.second}"


class Kind(NamedTuple):
    """One of the fifteen rolls a wager can tell apart, and how many of the 36 give it."""

    total: int
    hard: bool
    ways: int

    def __str__(self) -> str:
        if self.total in HARD_TOTALS:
            return f"{'hard' if self.hard else 'easy'} {self.total}"
        return str(self.total)


ROLLS = tuple(Roll(first, second) for first in FACES for second in FACES)


def _kinds() -> tuple[Kind, ...]:
    pairs = sorted({(roll.total, roll.hard) for roll in ROLLS}, key=lambda pair: (pair[1], pair[0]))
    return tuple(
        Kind(total, hard, sum(1 for roll in ROLLS if (roll.total, roll.hard) == (total, hard)))
        for total, hard in pairs
    )


KINDS = _kinds()
KIND_OF = tuple(
    tuple(
        next(
            index
            for index, kind in enumerate(KINDS)
            if (kind.total, kind.hard) == (Roll(first, second).total, Roll(first, second).hard)
        )
        for second in FACES
    )
    for first in FACES
)


class DiceError(ValueError):
    """A text that is not a roll; the message says why."""


def parse_roll(text: str) -> Roll:
    """Read a roll written as two faces.

    >>> parse_roll("4-2")
    Roll(first=4, second=2)
    """
    match = re.fullmatch(r"(\d{1,9})[-+,](\d{1,9})", text)
    if match is None:
        raise DiceError(f"not a roll: {text}; write both faces, like 4-2")
    faces = int(match.group(1)), int(match.group(2))
    for face in faces:
        if face not in FACES:
            raise DiceError(f"a die shows 1 to 6, not {face}")
    return Roll(*faces)
