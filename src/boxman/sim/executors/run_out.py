"""What becomes of wagers still up when a session ends and the dice go on without the strategy.

The felts that can follow are explored with the reference table, once; then the sessions that ended
with wagers up roll on together, each with the dice that come after its last.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from boxman.sim import dice
from boxman.sim.lanes import Ints, Lanes
from boxman.strategy.ends import RUN_OUT_ROLLS
from boxman.strategy.felt import Felts


class RunOut(msgspec.Struct, frozen=True):
    """Felts without a strategy; money in minor units."""

    start: Ints
    """The row a felt begins in, by the automaton's number of it; -1 where nothing is up."""
    following: Ints
    """The row after a roll, by row * kinds + kind; -1 once everything is decided."""
    cash: Ints
    felt: Ints
    """What lies there, by row."""
    felts: Ints
    """The automaton's number of a row's felt."""
    kind: Ints
    """The kind of each of the 36 rolls."""

    @property
    def kinds(self) -> int:
        """How many kinds of roll there are."""
        return int(self.kind.max()) + 1


def explore_run_out(felts: Felts, landed: Any) -> RunOut:
    """Follow these felts until everything on them is decided."""
    rows: dict[int, int] = {}
    found: list[Any] = []

    def row_of(felt: Any) -> tuple[int, int]:
        """The row, and what getting the dice into a hand costs the rail."""
        if not felt.wagers:
            return -1, 0
        held = felts.ready(felt)
        if held is None:
            return -1, 0
        ready, cash = held
        if ready.index not in rows:
            rows[ready.index] = len(found)
            found.append(ready)
        return rows[ready.index], cash

    start = np.full(len(felts.all), -1, np.int64)
    given = np.zeros(len(felts.all), np.int64)
    for number in sorted({int(each) for each in np.asarray(landed).ravel()}):
        start[number], given[number] = row_of(felts.let_go(felts.all[number]))
    if given.any():
        raise AssertionError("the dice change hands without money")
    following, cash = [], []
    number = 0
    while number < len(found):
        for kind in range(len(felts.rolls.kinds)):
            after = felts.roll(found[number], kind)
            row, paid = row_of(after.felt)
            following.append(row)
            # A felt nobody throws at any more is left at face.
            left = after.felt.stake if row < 0 else 0
            cash.append(after.cash + paid + left)
        number += 1
    return RunOut(
        start=start,
        following=np.array(following, np.int64),
        cash=np.array(cash, np.int64),
        felt=np.array([felt.stake for felt in found], np.int64),
        felts=np.array([felt.index for felt in found], np.int64),
        kind=np.array(felts.rolls.number, np.int64),
    )


def run_out(table: RunOut, lanes: Lanes, seed: int, first: int, seen: Ints | None = None) -> Lanes:
    """The same sessions after their wagers were decided; `seen` counts where they rolled."""
    lanes = lanes.in_minor_units()
    row = np.where(lanes.landed >= 0, table.start[lanes.landed], -1)
    going = np.flatnonzero(row >= 0)
    net = lanes.net.copy()
    net[going] -= table.felt[row[going]]
    position = lanes.rolls.copy()
    left = np.full(len(row), RUN_OUT_ROLLS)
    while len(going):
        sessions = (going + first).astype(np.uint64)
        rolls = dice.lanes(seed, sessions, position[going] // dice.BLOCK)
        kinds = table.kind[rolls]
        for digit in range(dice.BLOCK):
            rolled = np.flatnonzero(
                (position[going] % dice.BLOCK == digit) & (row[going] >= 0) & (left[going] > 0)
            )
            lane = going[rolled]
            place = row[lane] * table.kinds + kinds[digit, rolled]
            net[lane] += table.cash[place]
            if seen is not None:
                seen += np.bincount(place, minlength=len(seen))
            row[lane] = table.following[place]
            position[lane] += 1
            left[lane] -= 1
        going = going[(row[going] >= 0) & (left[going] > 0)]
    still = np.flatnonzero(row >= 0)
    net[still] += table.felt[row[still]]
    # The fall of the worth is measured while the strategy plays, not after.
    return msgspec.structs.replace(lanes, net=net)
