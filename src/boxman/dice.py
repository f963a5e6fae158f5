"""The 36 rolls of two dice, and nothing random.

A roll is two faces. Most houses tell fifteen kinds of roll apart: the eleven totals, and for 4, 6,
8 and 10 whether it came the hard way (a pair). A house with hops tells all 21 apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from boxman.words import phrase

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
    """A kind of roll that wagers can tell from others, and how many of the 36 give it."""

    total: int
    hard: bool
    ways: int
    faces: tuple[int, int] = (0, 0)
    """The higher face first, where other faces make the same total the same way."""

    def __str__(self) -> str:
        if self.faces[0]:
            return f"{self.faces[0]}-{self.faces[1]}"
        if self.total in HARD_TOTALS:
            return f"{'hard' if self.hard else 'easy'} {self.total}"
        return str(self.total)


ROLLS = tuple(Roll(first, second) for first in FACES for second in FACES)
PAIRS = tuple((high, low) for high in FACES for low in FACES if low <= high)
"""The faces of the 21 rolls that can be told apart at all, the higher first."""


def _kinds() -> tuple[Kind, ...]:
    pairs = sorted({(roll.total, roll.hard) for roll in ROLLS}, key=lambda pair: (pair[1], pair[0]))
    return tuple(
        Kind(total, hard, sum(1 for roll in ROLLS if (roll.total, roll.hard) == (total, hard)))
        for total, hard in pairs
    )


def _by_faces(kinds: tuple[Kind, ...]) -> Iterator[Kind]:
    for kind in kinds:
        pairs = [p for p in PAIRS if sum(p) == kind.total and (Roll(*p).hard) == kind.hard]
        for pair in pairs:
            ways = 1 if pair[0] == pair[1] else 2
            yield kind if len(pairs) == 1 else Kind(kind.total, kind.hard, ways, pair)


class Rolls:
    """Which kinds of roll a house tells apart: fifteen, or all 21."""

    def __init__(self, kinds: tuple[Kind, ...]) -> None:
        self.kinds = kinds
        self.names = tuple(map(str, kinds))
        self.of = tuple(tuple(self._find(Roll(a, b)) for b in FACES) for a in FACES)
        """The kind of a roll, by its two faces less one."""
        self.number = tuple(self.index(roll) for roll in ROLLS)
        """The kind of each of the 36 rolls."""
        self.rolls = tuple(ROLLS[self.number.index(index)] for index in range(len(kinds)))
        """One roll of each kind."""
        same = [[i for i, k in enumerate(kinds) if k[:2] == kind[:2]] for kind in kinds]
        self.by_faces = tuple((kinds[0], other) for kinds in same for other in kinds[1:])
        """Pairs of kinds that only their faces tell apart."""

    def _find(self, roll: Roll) -> int:
        pair = (max(roll), min(roll))
        return next(
            index
            for index, kind in enumerate(self.kinds)
            if (kind.total, kind.hard) == (roll.total, roll.hard) and kind.faces in (pair, (0, 0))
        )

    def index(self, roll: Roll) -> int:
        """The place of a roll among the kinds."""
        return self.of[roll.first - 1][roll.second - 1]


KINDS = _kinds()
BY_TOTAL = Rolls(KINDS)
"""Totals, and whether 4, 6, 8 and 10 came the hard way: all that most houses tell apart."""
BY_FACES = Rolls(tuple(_by_faces(KINDS)))
KIND_OF = BY_TOTAL.of


class DiceError(ValueError):
    """A text that is not a roll; the message says why."""


def parse_roll(text: str) -> Roll:
    """Read a roll written as two faces.

    >>> parse_roll("4-2")
    Roll(first=4, second=2)
    """
    match = re.fullmatch(r"(\d{1,9})[-+,](\d{1,9})", text)
    if match is None:
        raise DiceError(phrase("lines.not-a-roll", text=text))
    faces = int(match.group(1)), int(match.group(2))
    for face in faces:
        if face not in FACES:
            raise DiceError(phrase("lines.a-die-shows-1-to", text=face))
    return Roll(*faces)
