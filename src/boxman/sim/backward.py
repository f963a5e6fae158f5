"""Chances flowing backward over (row, cash): how likely something is from everywhere at once.

Forward, one bankroll is followed to all its ends (forward.py). Backward, one end is followed to all
the places it may have come from, so one pass answers for every bankroll. Nothing is known here of
craps; rows, places and moves are those of the forward flow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boxman.sim.compiled import compiled
from boxman.sim.forward import Edges, use_compiler
from boxman.sim.lanes import Ints

NEGLIGIBLE = 1e-14
"""A chance below which nothing is followed any further; in all, less than this a roll is lost."""


def _pull(
    old: Any, high: Ints, moves: tuple[Ints, Ints, Ints, Ints, Ints], weight: Any, new: Any
) -> None:
    """Add to each row what its moves lead to; `high` ends what the rows of `old` hold."""
    source, least, most, target, change = moves
    for move in range(len(source)):
        row, to, by = source[move], target[move], change[move]
        part = weight[move]
        first = max(least[move], -by)
        for cash in range(first, min(most[move] + 1, high[to] - by)):
            new[row, cash] += part * old[to, cash + by]


def _pull_sliced(
    old: Any, high: Ints, moves: tuple[Ints, Ints, Ints, Ints, Ints], weight: Any, new: Any
) -> None:
    """The same in whole slices."""
    source, least, most, target, change = moves
    first, last = np.maximum(least, -change), np.minimum(most + 1, high[target] - change)
    for move in np.flatnonzero(first < last).tolist():
        begin, end, by = int(first[move]), int(last[move]), int(change[move])
        new[source[move], begin:end] += weight[move] * old[target[move], begin + by : end + by]


def _ends(rows: Any, high: Ints) -> None:
    """Where each row ends: above there is next to nothing."""
    for row in range(len(high)):
        last = rows.shape[1]
        while last > 0 and rows[row, last - 1] <= NEGLIGIBLE:
            last -= 1
        high[row] = last


def chances(rows: int, moves: Edges, exits: Edges, steps: int) -> Any:
    """How likely one of the exits is taken within so many steps, by row and cash.

    The exits are for cash up to some bound. Beyond the columns given back it is as good as never.
    """
    width = int(exits.most.max(initial=-1)) + 1
    weight, leaving = moves.weight / 36.0, np.zeros((rows, width))
    for row, least, most, ways in zip(
        *(each.tolist() for each in (exits.source, exits.least, exits.most, exits.weight)),
        strict=True,
    ):
        leaving[row, max(0, least) : most + 1] += ways / 36.0
    arrays = (moves.source, moves.least, moves.most, moves.target, moves.change)
    # What is possible after a step reaches no further up than the deepest fall.
    fall = max(0, -int(moves.change.min(initial=0)))
    pull, ends = _pull_sliced, _ends
    if use_compiler(len(moves) * steps * max(1, width // 100)):
        pull, ends = compiled(_pull) or pull, compiled(_ends) or ends
    now: Any = np.zeros((rows, 0))
    high = np.zeros(rows, np.int64)
    for _ in range(steps):
        new = np.zeros((rows, max(width, int(high.max(initial=0)) + fall)))
        new[:, :width] = leaving
        pull(now, high, arrays, weight, new)
        ends(new, high)
        now = new[:, : int(high.max(initial=0))]
    return now
