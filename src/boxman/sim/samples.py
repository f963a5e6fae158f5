"""Figures by wager, refusals, and what is expected: from where sessions go on an automaton.

On an automaton refusals and wagers are not counted as sessions are played: that would slow every
roll for the sake of a table. The sessions below `SAMPLE`, always the same ones, are played once
more and counted place by place; what a place means for each wager is asked of the automaton. The
mean of a strategy with unlimited money needs no sessions at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np

from boxman.sim.executors.numpy_lanes import Visits
from boxman.sim.executors.run_out import RunOut, run_out
from boxman.sim.executors.tables import (
    ACT,
    AGAIN,
    FIRST,
    LANDED,
    LEAST,
    NEXT,
    PRE,
    STAKED,
    UP,
    WORTH,
    Tables,
)
from boxman.sim.results import Expectation
from boxman.strategy.automaton import Automaton
from boxman.strategy.ends import RefusedHere
from boxman.strategy.felt import Felts, SettledHere
from boxman.strategy.reference import WagerFigures
from boxman.strategy.session import VALUE, Session
from boxman.strategy.spots import INDEX
from boxman.strategy.worth import values_by_spot

SAMPLE = 4096
SAMPLE_ROLLS = 20_000_000
"""So many rolls are enough, where sessions are long."""
Worth = Callable[[int], Fraction]
SETTLED = 1e-16
"""Chances that change by less than this do not change."""


class Sample(msgspec.Struct, frozen=True):
    """What was counted in the sessions from 0 on."""

    sessions: int
    refusals: tuple[RefusedHere, ...]
    wagers: tuple[WagerFigures, ...]
    refused_in: int = 0
    """The sessions that refusals were counted in, where those were more."""
    possible: tuple[RefusedHere, ...] = ()
    """Refusals that did not come in them but can."""

    @property
    def counted(self) -> int:
        return max(self.sessions, self.refused_in)


class Books:
    """Figures by wager and refusals, added up."""

    def __init__(self) -> None:
        self.figures: dict[str, Counter[str]] = {}
        self.beyond: dict[str, Fraction] = {}
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

    def settled(self, wagers: Iterable[SettledHere], times: int) -> None:
        for spot, _, won, lost, _ in wagers:
            decided = "wins" if won else "losses" if lost else "pushes"
            self.wager(spot, times, won=won, lost=lost, **{decided: 1})

    def put(self, noted: Any, times: int) -> None:
        for spot, bets, staked, fees in noted:
            self.wager(spot, times, bets=bets, staked=staked, fees=fees)

    def left(self, felts: Felts, felt: int, times: int) -> None:
        """Sessions that left this felt behind: what is up on it is worth more or less than it."""
        for spot, value in values_by_spot(felts, felts.all[felt]).items():
            self.wager(spot, 0)
            self.beyond[spot] = self.beyond.get(spot, Fraction(0)) + value * times

    def sample(self, sessions: int) -> Sample:
        counted = [RefusedHere(*key, self.said[key], count) for key, count in self.refused.items()]
        counted.sort(key=lambda each: each.order)
        told = (
            [each for each in counted if each.count],
            [each for each in counted if not each.count],
        )
        return Sample(
            sessions=sessions,
            refusals=tuple(told[0]),
            possible=tuple(told[1]),
            wagers=tuple(
                WagerFigures(
                    spot=spot, beyond=float(self.beyond.get(spot, 0)), **self.figures[spot]
                )
                for spot in sorted(self.figures, key=INDEX.__getitem__)
            ),
        )


def sample_of(
    explored: Automaton,
    tables: Tables,
    session: Session,
    seed: int,
    seen: Visits,
    after: RunOut | None = None,
) -> Sample:
    """Refusals and wagers of the sessions seen, and of the rolls `after` them if there are any."""
    assert seen.lanes is not None, "where sessions went is known after they were played"
    counted = len(seen.lanes.net)
    books = Books()
    books.refusals(explored.start_refusals[tables.start_band], counted)
    books.put(explored.start_put[tables.start_band], counted)
    for place in np.flatnonzero(seen.places).tolist():
        row, kind = divmod(place, tables.exact.kinds)
        times = int(seen.places[place])
        books.settled(explored.settled(row, kind), times)
        books.put(explored.made_again(row, kind), times)
    for left in np.flatnonzero(seen.down).tolist():
        books.put(explored.put_by_leaving(left), int(seen.down[left]))
    felts = explored.explorer.felts
    if session.end == VALUE:
        for felt, times in Counter(seen.lanes.landed.tolist()).items():
            if felt >= 0:
                books.left(felts, felt, times)
    if after is not None:
        rolled = np.zeros(len(after.cash), np.int64)
        run_out(after, seen.lanes, seed, 0, rolled)
        for place in np.flatnonzero(rolled).tolist():
            row, kind = divmod(place, after.kinds)
            felt = felts.all[int(after.felts[row])]
            books.settled(felts.roll(felt, kind).settled, int(rolled[place]))
    # Bands stand in the tables in the automaton's own order: both are sorted alike.
    for band in reachable(tables)[: len(explored.edge_refusals)].tolist():
        times = int(seen.bands[band])
        books.refusals(explored.edge_refusals[band], times)
        if times:
            books.put(explored.edge_put[band], times)
    return books.sample(counted)


def reachable(tables: Tables) -> Any:
    """The bands that a session may act in: those for little cash only if it can fall so low."""
    places = tables.exact.places
    first = np.unique(places[:, FIRST])
    top = tables.exact.bands[places[:, FIRST]].astype(np.int64)
    most = max(0, -int((places[:, PRE] + top[:, ACT]).min(initial=0)))
    if tables.cash - tables.rolls * most >= int(top[:, LEAST].max(initial=0)):
        return first
    return np.arange(len(tables.exact.bands))


def expected(tables: Tables, worth: Worth | None = None) -> Expectation | None:
    """The mean net and stakes of a session without end by money, by pushing probability.

    `worth` says what the wagers on a felt are worth beyond their face, where that counts.
    """
    if tables.stops or tables.ended >= 0:
        return None
    rows = len(tables.exact.felt)
    places = tables.exact.places.astype(np.int64).reshape(rows, tables.exact.kinds, -1)
    ways = tables.exact.ways / 36
    top = tables.exact.bands.astype(np.int64)[places[:, :, FIRST]]
    following = top[:, :, NEXT]
    ends = following < 0
    if bool(ends.any()):
        return None
    felt = tables.exact.felt[:, None]
    by_roll = (places[:, :, PRE] + places[:, :, WORTH] - felt).astype(float) @ ways
    by_both = (places[:, :, PRE] + top[:, :, ACT] + top[:, :, UP] - felt).astype(float) @ ways
    stakes = top[:, :, STAKED].astype(float) @ ways
    again = places[:, :, AGAIN].astype(float) @ ways
    chance: Any = np.zeros(rows)
    chance[tables.start] = 1.0
    net = float(tables.cash + tables.exact.felt[tables.start] - tables.bankroll)
    staked = float(tables.staked)
    flow = np.broadcast_to(ways, following.shape)
    acts = tables.rolls - 1
    while acts > 0:
        moved = (chance[:, None] * flow).ravel()
        after: Any = np.bincount(following.ravel(), weights=moved, minlength=rows)
        # Once nothing changes any more, one roll is like all that are left.
        times = acts if np.abs(after - chance).max() < SETTLED else 1
        net += times * float(chance @ by_both)
        staked += times * float(chance @ (again + stakes))
        chance = after
        acts -= times
    # Nobody bets after the last roll.
    net += float(chance @ by_roll)
    staked += float(chance @ again)
    if worth is not None:
        left = np.bincount(places[:, :, LANDED].ravel(), weights=(chance[:, None] * ways).ravel())
        more = sum(float(worth(felt)) * left[felt] for felt in np.flatnonzero(left).tolist())
        net += more / tables.unit
    return Expectation(net=float(net * tables.unit), staked=float(staked * tables.unit))
