"""The shooter's hand: how many rolls from the first come-out to the seven-out, exactly.

Only the puck matters, so a house is its row of puck moves here; standard and crapless differ by
which totals set a point.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from math import sqrt

from boxman.dice import KINDS
from boxman.odds.chain import LISTED, Chain, End, Lengths
from boxman.rules.layout import PUCK_OFF, Layout
from boxman.rules.ledger import Cites, join

OVER = End(Fraction(0))


class HandLength:
    """The length of a hand in one house."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._chain = Chain({PUCK_OFF: 1}, self._follow)

    def _follow(self, puck: int) -> Iterator[tuple[int | End, int]]:
        for kind in KINDS:
            move = self._layout.puck[puck][kind.total - 2]
            yield (OVER if move.event == "seven-out" else move.to), kind.ways

    @property
    def mean(self) -> Fraction:
        """The expected number of rolls."""
        return self._chain.outlook().rolls

    @property
    def variance(self) -> Fraction:
        return self._chain.square - self.mean**2

    @property
    def deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def median(self) -> int:
        return self.lengths.quantile(Fraction(1, 2))

    @cached_property
    def lengths(self) -> Lengths:
        """P(L = n) for n up to 200, and the tail."""
        return self._chain.lengths(LISTED)

    def at_least(self, rolls: int) -> Fraction:
        """The chance of a hand of so many rolls or more, however many."""
        if rolls <= LISTED:
            return self.lengths.at_least(rolls)
        return self._chain.lengths(rolls - 1).tail

    @property
    def cites(self) -> Cites:
        """The clauses that move the puck."""
        moves = [move for row in self._layout.puck.values() for move in row if move is not None]
        return join((), *(move.cites for move in moves if move.event != "roll"))
