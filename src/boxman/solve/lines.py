"""The lines of a card: what one says, and which act that is in a position with every rail."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from boxman.sim.lanes import Ints
from boxman.solve.budget import Flags
from boxman.solve.iterate import SolvedValues
from boxman.solve.kernels import Reals
from boxman.solve.pieces import Done, called, words_of
from boxman.strategy.view import BET
from boxman.words import phrase, say

NONE, BELOW, TO_GOAL, ALL = "none", "below", "to-goal", "all"
ODDS_RULES = (NONE, BELOW, TO_GOAL, ALL)
"""Behind what takes odds: nothing, the most that does not pass the goal, the least that brings it
or all one can, all one can."""
NO_ACTS = np.zeros(0, np.int64)


class CardLine(NamedTuple):
    """What a line says: wagers, or at most a share of the rail on one; then odds."""

    flats: tuple[Done, ...] = ()
    spot: str = ""
    share: Fraction = Fraction(0)
    odds: str = NONE


class ActsHere:
    """The acts of one position by the wagers they make, whatever is put behind them."""

    def __init__(self, values: SolvedValues, wins: Ints, position: int) -> None:
        model, grid = values.model, values.grid
        span = slice(model.first[position], model.first[position + 1])
        self.first = int(model.first[position])
        self.stuck = bool(model.positions[position].wagers)
        self.need, self.wins = grid.need[span], wins[span]
        self.columns = np.arange(int(grid.seen[position]))
        self.of: dict[tuple[Done, ...], Ints] = {}
        """By wagers made: these acts, the cheapest first."""
        self.flats: list[tuple[Done, ...]] = [()] * len(self.need)
        for numbers, flats in model.by_flats(position):
            known = self.of.get(flats)
            numbers = numbers if known is None else np.sort(np.concatenate([known, numbers]))
            self.of[flats] = numbers
            for number in numbers.tolist():
                self.flats[number] = flats

    def row(self, line: CardLine, target: int) -> Ints:
        """The act of a line for every column, -1 for none."""
        missing = target - self.columns
        if line.spot:
            alone = [
                numbers[:1]
                for flats, numbers in self.of.items()
                if len(flats) == 1 and flats[0].what == BET and flats[0].spot == line.spot
            ]
            acts = np.sort(np.concatenate(alone)) if alone else NO_ACTS
            return self._within(acts, np.floor(float(line.share) * self.columns), missing)
        # Where a wager cannot be made beside what is stuck, odds still can.
        instead = self.of.get((), NO_ACTS) if self.stuck else NO_ACTS
        acts = self.of.get(line.flats, instead)
        if line.odds == NONE:
            acts = acts[:1]
        if line.odds in (NONE, ALL):
            return self._last(acts, self.need[acts][:, None] <= self.columns)
        paid = self.need[acts][:, None] <= self.columns
        if line.odds == BELOW:
            below = paid & (self.wins[acts][:, None] <= missing)
            return np.where(
                below.any(axis=0), self._last(acts, below), self._last(acts[:1], paid[:1])
            )
        return self._to_goal(acts, paid, missing)

    def _within(self, acts: Ints, most: Reals, missing: Ints) -> Ints:
        """The least that may bring the goal, else the most within a share, or the least of all."""
        affordable = self.need[acts][:, None] <= self.columns
        share = affordable & (self.need[acts][:, None] <= most)
        found = self._to_goal(acts, share, missing)
        least = self._last(acts[:1], affordable[:1])
        return np.where(found >= 0, found, least)

    def _to_goal(self, acts: Ints, may: Flags, missing: Ints) -> Ints:
        """Of acts that may be done, the cheapest that can bring what is missing, or the last."""
        brings = may & (self.wins[acts][:, None] >= missing)
        if not len(acts):
            return np.full(len(self.columns), -1)
        cheapest = self.first + acts[brings.argmax(axis=0)]
        return np.where(brings.any(axis=0), cheapest, self._last(acts, may))

    def _last(self, acts: Ints, may: Flags) -> Ints:
        """The dearest of acts that may be done; -1 where none may."""
        if not len(acts):
            return np.full(len(self.columns), -1)
        last = len(acts) - 1 - may[::-1].argmax(axis=0)
        return np.where(may.any(axis=0), self.first + acts[last], -1)


def line_words(line: CardLine) -> str:
    """What a line says."""
    if line.spot:
        kind = "least" if not line.share else "all" if line.share == 1 else "share"
        return say(f"solve.card.{kind}", {"spot": called(line.spot), "share": str(line.share)})
    parts: Iterable[str] = (
        words_of(line.flats) if line.flats or line.odds == NONE else "",
        phrase(f"solve.card.odds-{line.odds}") if line.odds != NONE else "",
    )
    return "; ".join(each for each in parts if each)
