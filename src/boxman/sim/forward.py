"""Probability flowing forward over (configuration, cash): the arithmetic under an exact session.

A `Flow` is a list of moves: from a row, for cash between two bounds, to another row with another
cash, with a weight; and of exits, where a session ends with a worth. One step of `Flow.step` is one
roll. Rows keep the span of cash that has any probability, so that a row only visited by the poor
costs little. Floats by default; with fractions (`exact=True`) nothing is rounded. This module
knows no rule of craps.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from boxman.sim.compiled import compiled
from boxman.sim.lanes import Ints

NEGLIGIBLE = 1e-25
"""Probability in a cell at the edge of a row's span that is let go; all lost is reported."""


class Edges(msgspec.Struct, frozen=True):
    """Moves sorted by source row; `least` and `most` bound the cash it is for, both included."""

    source: Ints
    least: Ints
    most: Ints
    target: Ints
    change: Ints
    weight: Ints
    """Ways out of 36."""

    def __len__(self) -> int:
        return len(self.source)


class Ready(msgspec.Struct, frozen=True):
    """Moves with their weights in the numbers a flow works in."""

    moves: Edges
    weight: Any
    reach: int


def _push(
    old: Any,
    low: Ints,
    high: Ints,
    moves: tuple[Ints, Ints, Ints, Ints, Ints],
    weight: Any,
    new: Any,
    new_low: Ints,
    new_high: Ints,
) -> None:
    """Push all probability one roll on; a row's span is [low, high)."""
    source, least, most, target, change = moves
    for move in range(len(source)):
        row, to, by = source[move], target[move], change[move]
        first, last = max(low[row], least[move]), min(high[row], most[move] + 1)
        if first >= last:
            continue
        part = weight[move]
        for cash in range(first, last):
            new[to, cash + by] += part * old[row, cash]
        new_low[to] = min(new_low[to], first + by)
        new_high[to] = max(new_high[to], last + by)


def _push_sliced(
    old: Any,
    low: Ints,
    high: Ints,
    moves: tuple[Ints, Ints, Ints, Ints, Ints],
    weight: Any,
    new: Any,
    new_low: Ints,
    new_high: Ints,
) -> None:
    """The same in whole slices, for when there is no compiler or little to do."""
    source, least, most, target, change = moves
    first = np.maximum(low[source], least)
    last = np.minimum(high[source], most + 1)
    for move in np.flatnonzero(first < last).tolist():
        begin, end = int(first[move]), int(last[move])
        to, by = int(target[move]), int(change[move])
        new[to, begin + by : end + by] += weight[move] * old[source[move], begin:end]
        new_low[to] = min(new_low[to], begin + by)
        new_high[to] = max(new_high[to], end + by)


def _tidy(new: Any, low: Ints, high: Ints, negligible: float) -> float:
    """Let spans end where there is next to nothing left; the sum of what remains."""
    total = 0.0
    for row in range(len(low)):
        first, last = low[row], high[row]
        if first >= last:
            continue
        while first < last and new[row, first] <= negligible:
            new[row, first] = 0.0
            first += 1
        while first < last and new[row, last - 1] <= negligible:
            last -= 1
            new[row, last] = 0.0
        low[row], high[row] = first, last
        total += new[row, first:last].sum()
    return total


def _clear(rows: Any, low: Ints, high: Ints) -> None:
    """Empty the spans of rows."""
    for row in range(len(low)):
        if low[row] < high[row]:
            rows[row, low[row] : high[row]] = 0


SLICES_ARE_FINE = 40_000
"""Up to so many moves in all, slices are done before a compiler is even loaded."""


def use_compiler(much: int) -> bool:
    """Whether compiled code is worth it, or Numba is here anyway."""
    return much > SLICES_ARE_FINE or "numba" in sys.modules


def _ways(much: int) -> tuple[Any, Any, Any]:
    """How to push, tidy and clear: compiled if it is worth it."""
    if use_compiler(much):
        push = compiled(_push)
        if push is not None:
            return push, compiled(_tidy), compiled(_clear)
    return _push_sliced, _tidy, _clear


class Flow:
    """Rows of probability by cash, pushed on roll by roll."""

    def __init__(self, rows: int, moves: Edges, *, rolls: int, exact: bool = False) -> None:
        self.exact = exact
        ways: tuple[Any, Any, Any] = (_push_sliced, None, _clear)
        if not exact:
            ways = _ways(len(moves) * rolls)
        self._push_moves, self._tidy, self._clear = ways
        self.mass: Any = 0
        """All probability still in play."""
        self._moves = self._ready(moves)
        self._width = 0
        self.rows = rows
        self._now, self._spare = self._zeros(0), self._zeros(0)
        self.low, self.high = self._empty()
        self._spare_low, self._spare_high = self._empty()

    def _zeros(self, width: int) -> Any:
        made: Any = np.zeros((self.rows, width), object if self.exact else np.float64)
        return made

    def _empty(self) -> tuple[Ints, Ints]:
        return np.full(self.rows, np.iinfo(np.int64).max), np.zeros(self.rows, np.int64)

    def put(self, row: int, cash: int, mass: Any) -> None:
        """Start with this much probability here."""
        assert cash >= 0, "cash is never negative"
        self._widen(cash + 1)
        self._now[row, cash] += mass
        self.mass += mass
        self.low[row] = min(self.low[row], cash)
        self.high[row] = max(self.high[row], cash + 1)

    def _widen(self, width: int) -> None:
        if width > self._width:
            width = max(width, 2 * self._width, 64)
            now = self._zeros(width)
            now[:, : self._width] = self._now
            self._now, self._spare, self._width = now, self._zeros(width), width
            self._spare_low, self._spare_high = self._empty()

    def step(self) -> None:
        """One roll."""
        self._widen(int(self.high.max(initial=0)) + self._moves.reach)
        new = self._spare
        self._clear(new, self._spare_low, self._spare_high)
        low, high = self._empty()
        self._push(self._moves, new, low, high)
        if self._tidy is not None:
            self.mass = self._tidy(new, low, high, NEGLIGIBLE)
        else:
            spans = [new[row, low[row] : high[row]] for row in np.flatnonzero(low < high)]
            self.mass = sum((span.sum() for span in spans), start=Fraction(0))
        self._spare, self._spare_low, self._spare_high = self._now, self.low, self.high
        self._now, self.low, self.high = new, low, high

    def leave(self, exits: Ready, ended: Any) -> Any:
        """Let probability out into `ended`, rows of it by worth; wide enough or made wider."""
        width = int(self.high.max(initial=0)) + exits.reach
        if width > ended.shape[1]:
            wider = np.zeros((ended.shape[0], 2 * width), ended.dtype)
            wider[:, : ended.shape[1]] = ended
            ended = wider
        spans = np.zeros(len(ended), np.int64), np.zeros(len(ended), np.int64)
        self._push(exits, ended, *spans)
        return ended

    def through(self, exits: Ready) -> npt.NDArray[np.float64]:
        """How much goes through each exit."""
        moves = exits.moves
        first = np.maximum(self.low[moves.source], moves.least)
        last = np.minimum(self.high[moves.source], moves.most + 1)
        found = np.zeros(len(moves))
        for move in np.flatnonzero(first < last).tolist():
            part = self._now[moves.source[move], first[move] : last[move]]
            found[move] = part.sum() * exits.weight[move]
        return found

    def ready(self, moves: Edges) -> Ready:
        """Moves with weights in this flow's numbers."""
        return self._ready(moves)

    def _ready(self, moves: Edges) -> Ready:
        weight: Any = moves.weight / 36.0
        if self.exact:
            weight = np.array([Fraction(int(ways), 36) for ways in moves.weight], object)
        return Ready(moves, weight, int(np.abs(moves.change).max(initial=0)))

    def _push(self, ready: Ready, new: Any, low: Ints, high: Ints) -> None:
        moves = ready.moves
        arrays = (moves.source, moves.least, moves.most, moves.target, moves.change)
        now = (self._now, self.low, self.high)
        self._push_moves(*now, arrays, ready.weight, new, low, high)
