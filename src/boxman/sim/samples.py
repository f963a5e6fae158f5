"""Figures by wager, refusals, and what is expected: from where sessions go on an automaton.

The kernels do not count refusals or wagers: that would slow every roll for the sake of a table. The
sessions below `SAMPLE`, always the same ones, are played once more and counted place by place; what
a place means for each wager is asked of the automaton. The mean of a strategy with unlimited money
needs no sessions at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np

from boxman.dice import KINDS
from boxman.sim.lanes import visits
from boxman.sim.results import Expected
from boxman.sim.tables import ACT, AGAIN, FIRST, LANDED, NEXT, PRE, STAKED, UP, WORTH, Tables
from boxman.strategy.automaton import Automaton
from boxman.strategy.reference import RefusedHere, WagerFigures
from boxman.strategy.spots import INDEX

SAMPLE = 4096
Worth = Callable[[int], Fraction]
WAYS = np.array([kind.ways for kind in KINDS], float) / 36


class Sample(msgspec.Struct, frozen=True):
    """What was counted in the sessions from 0 on."""

    sessions: int
    refusals: tuple[RefusedHere, ...]
    wagers: tuple[WagerFigures, ...]
    refused_in: int = 0
    """The sessions that refusals were counted in, where those were more."""

    @property
    def counted(self) -> int:
        return max(self.sessions, self.refused_in)


class _Books:
    """Figures by wager and refusals, added up."""

    def __init__(self) -> None:
        self.figures: dict[str, Counter[str]] = {}
        self.refused: Counter[tuple[str, str, tuple[str, ...]]] = Counter()
        self.said: dict[tuple[str, str, tuple[str, ...]], str] = {}

    def wager(self, spot: str, times: int, **more: int) -> None:
        figures = self.figures.setdefault(spot, Counter())
        for name, amount in more.items():
            figures[name] += amount * times

    def refusals(self, refused: Any, times: int) -> None:
        for code, spot, cites, sentence in refused:
            key = (code, spot, tuple(cites))
            self.refused[key] += times
            self.said.setdefault(key, sentence)

    def put(self, noted: Any, times: int) -> None:
        for spot, bets, staked, fees in noted:
            self.wager(spot, times, bets=bets, staked=staked, fees=fees)

    def sample(self, sessions: int) -> Sample:
        return Sample(
            sessions=sessions,
            refusals=tuple(
                RefusedHere(*key, self.said[key], count)
                for key, count in sorted(self.refused.items(), key=lambda each: (-each[1], each[0]))
            ),
            wagers=tuple(
                WagerFigures(spot=spot, **self.figures[spot])
                for spot in sorted(self.figures, key=INDEX.__getitem__)
            ),
        )


def sample_of(explored: Automaton, tables: Tables, seed: int, sessions: int) -> Sample:
    """Refusals and wagers of the first sessions."""
    counted = min(sessions, SAMPLE)
    seen = visits(tables, seed, counted)
    books = _Books()
    books.refusals(explored.start_refusals[tables.start_band], counted)
    books.put(explored.start_put[tables.start_band], counted)
    for place in np.flatnonzero(seen.places).tolist():
        row, kind = divmod(place, len(KINDS))
        times = int(seen.places[place])
        for spot, _, won, lost, _ in explored.settled(row, kind):
            decided = "wins" if won else "losses" if lost else "pushes"
            books.wager(spot, times, won=won, lost=lost, **{decided: 1})
        books.put(explored.made_again(row, kind), times)
    # Bands stand in the tables in the automaton's own order: both are sorted alike.
    for band in np.flatnonzero(seen.bands).tolist():
        times = int(seen.bands[band])
        books.refusals(explored.edge_refusals[band], times)
        books.put(explored.edge_put[band], times)
    return books.sample(counted)


def expected(tables: Tables, worth: Worth | None = None) -> Expected | None:
    """The mean net and stakes of a session without end by money, by pushing probability.

    `worth` says what the wagers on a felt are worth beyond their face, where that counts.
    """
    if tables.stops or tables.ended >= 0:
        return None
    rows = len(tables.exact.felt)
    places = tables.exact.places.astype(np.int64).reshape(rows, len(KINDS), -1)
    top = tables.exact.bands.astype(np.int64)[places[:, :, FIRST]]
    following = top[:, :, NEXT]
    ends = following < 0
    if bool(ends.any()):
        return None
    felt = tables.exact.felt[:, None]
    by_roll = (places[:, :, PRE] + places[:, :, WORTH] - felt).astype(float) @ WAYS
    by_both = (places[:, :, PRE] + top[:, :, ACT] + top[:, :, UP] - felt).astype(float) @ WAYS
    stakes = top[:, :, STAKED].astype(float) @ WAYS
    again = places[:, :, AGAIN].astype(float) @ WAYS
    chance: Any = np.zeros(rows)
    chance[tables.start] = 1.0
    net = float(tables.cash + tables.exact.felt[tables.start] - tables.bankroll)
    staked = float(tables.staked)
    flow = np.broadcast_to(WAYS, following.shape)
    for number in range(tables.rolls):
        last = number == tables.rolls - 1
        net += float(chance @ (by_roll if last else by_both))
        staked += float(chance @ again)
        if last and worth is not None:
            left = np.bincount(
                places[:, :, LANDED].ravel(), weights=(chance[:, None] * WAYS).ravel()
            )
            more = sum(float(worth(felt)) * left[felt] for felt in np.flatnonzero(left).tolist())
            net += more / tables.unit
        if not last:
            staked += float(chance @ stakes)
            moved = (chance[:, None] * flow).ravel()
            chance = np.bincount(following.ravel(), weights=moved, minlength=rows).astype(float)
    return Expected(net=net * tables.unit, staked=staked * tables.unit)
