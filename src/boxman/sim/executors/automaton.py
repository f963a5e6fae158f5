"""The automaton as an executor: a strategy explored once, then looked up, in NumPy or compiled.

Refusals and wagers are counted in a sample of the sessions. Sessions that come nearer to ruin than
was explored are handed over to the spare.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import msgspec
import numpy as np

from boxman.dice import BY_TOTAL, KINDS
from boxman.sim.executors import CannotPlay, choose_after, warm
from boxman.sim.executors.numpy_lanes import NumpyAutomaton
from boxman.sim.executors.player import Pace, Player, replaced
from boxman.sim.executors.run_out import RunOut, explore_run_out, run_out
from boxman.sim.executors.tables import (
    COLUMNS,
    END,
    LEFT,
    LEFT_AT,
    RECORD,
    Exact,
    Quick,
    Tables,
    build,
)
from boxman.sim.lanes import Lanes
from boxman.sim.refusals import why
from boxman.sim.results import Expectation, added
from boxman.sim.samples import SAMPLE, SAMPLE_ROLLS, Sample, expected, sample_of
from boxman.strategy.api import Strategy, StrategyError
from boxman.strategy.automaton import Automaton, explore
from boxman.strategy.explore import NOT_KNOWN
from boxman.strategy.felt import NotExplored
from boxman.strategy.session import FACE, RUN_OUT, VALUE, Session

ENGINES = {
    "numpy": (
        "automaton, NumPy",
        Pace(3_000_000, 64, True, 50, 4_000, 40_000_000, 100_000),
    ),
    "numba": (
        "automaton, Numba",
        Pace(10_000_000, 64, True, 50, 4_000, 400_000_000, 400_000_000),
    ),
}
"""What each is called, and its pace."""
WIDE, FEES, STOPS, PLAIN = "wide", "fees", "stops", "plain"


class AutomatonPlayer(Player):
    """Plays on an explored automaton, in NumPy or compiled by Numba."""

    def __init__(
        self,
        strategy: Strategy,
        session: Session,
        tables: Tables,
        engine: str,
        table: RunOut | None,
        spare: Player | None = None,
        explored: Automaton | None = None,
    ) -> None:
        self.strategy, self.session, self.tables = strategy, session, tables
        self.engine, self.table = engine, table
        self.spare = spare
        self.explored = explored
        """The automaton itself; it stays in the process that explored it."""
        self._playing: Any = None

    def __getstate__(self) -> dict[str, Any]:
        state = {**self.__dict__, "explored": None, "_playing": None}
        if self.spare is None:
            # A strategy need not travel with its tables.
            state["strategy"] = None
        return state

    @property
    def pace(self) -> Pace:  # type: ignore[override]
        return ENGINES[self.engine][1]

    @property
    def sampled(self) -> int:  # type: ignore[override]
        if self.spare is not None:
            return self.spare.sampled
        return max(1, min(SAMPLE, SAMPLE_ROLLS // self.session.rolls))

    @property
    def name(self) -> str:  # type: ignore[override]
        shown = ENGINES[self.engine][0]
        return shown if self.spare is None else f"{shown}, hand-over to {self.spare.name}"

    def using(self, engine: str) -> AutomatonPlayer:
        """The same with the other engine."""
        return self._but(engine=engine)

    def _but(self, **changed: Any) -> AutomatonPlayer:
        names = ("strategy", "session", "tables", "engine", "table", "spare", "explored")
        return AutomatonPlayer(**{**{name: getattr(self, name) for name in names}, **changed})

    def fastest(self) -> Player:
        return self.using("numba")

    def at_once(self) -> Player:
        spare = self.spare and self.spare.at_once()
        return self if spare is self.spare else self._but(spare=spare)

    def compile(self) -> None:
        if self.spare is not None:
            self.spare.compile()

    def kernels(self) -> dict[str, Callable[[], Any]]:
        wanted = {} if self.spare is None else self.spare.kernels()
        if self.engine == "numba":
            wanted[variant(self.tables)] = partial(load, self.tables)
        return wanted

    def cut(self, rolls: int) -> Player:
        session = msgspec.structs.replace(self.session, rolls=rolls, end=FACE)
        tables = msgspec.structs.replace(self.tables, rolls=rolls)
        return self._but(session=session, tables=tables, table=None)

    def _engine(self) -> Any:
        if self._playing is None:
            if self.engine == "numba":
                from boxman.sim.executors.numba_lanes import NumbaAutomaton

                self._playing = NumbaAutomaton(self.tables)
            else:
                self._playing = NumpyAutomaton(self.tables)
        return self._playing

    def play(self, seed: int, first: int, count: int) -> Lanes:
        lanes: Lanes = self._engine().play(seed, first, count)
        if self.table is not None:
            lanes = run_out(self.table, lanes, seed, first)
        if self.spare is not None:
            handed = np.flatnonzero(lanes.ending == NOT_KNOWN)
            if len(handed):
                played = self.spare.some(seed, handed + first)
                lanes = msgspec.structs.replace(lanes.in_minor_units(), value=played.value)
                replaced(lanes, handed, played)
        return lanes

    def sample(self, seed: int, sessions: int) -> Sample:
        if self.spare is not None:
            # Whoever can play every session says it of all of them.
            found = self.spare.sample(seed, sessions)
            played = self.spare.play(seed, 0, min(sessions, self.sampled))
            if played.refused is None:
                return found
            told = why(self.strategy, self.session, seed, played.refused).values()
            return msgspec.structs.replace(found, refusals=added(told), refused_in=len(played.net))
        assert self.explored is not None, "samples are drawn where it was explored"
        seen = self._engine().visits(seed, min(sessions, self.sampled))
        return sample_of(self.explored, self.tables, self.session, seed, seen, self.table)

    def value(self, landed: dict[int, int]) -> Fraction:
        if self.session.end != VALUE:
            return Fraction(0)
        assert self.explored is not None, "values are asked for where it was explored"
        known = [(felt, count) for felt, count in landed.items() if felt >= 0]
        return sum((self.explored.value(felt) * count for felt, count in known), Fraction(0))

    def expected(self) -> Expectation | None:
        assert self.explored is not None, "it is asked for where it was explored"
        return expected(self.tables, None if self.session.end == FACE else self.explored.value)


def made(strategy: Strategy, session: Session, asked: str, reasons: list[str]) -> Player:
    """The player for a strategy that can be explored, in NumPy unless the other is asked for."""
    try:
        explored = explore(strategy, session)
    except NotExplored as error:
        raise CannotPlay(str(error)) from None
    except StrategyError as error:
        if error.fatal:
            raise
        # A state that no session may ever come to: only a session that does is an error.
        raise CannotPlay(str(error)) from None
    tables = build(explored, session)
    table = None
    if session.end == RUN_OUT:
        left = tables.exact.bands[tables.exact.bands[:, END] >= 0, LEFT]
        left = np.append(left[left >= 0], max(tables.start_left, 0))
        left = np.append(left, tables.exact.down[:, LEFT_AT])
        wanted = np.concatenate([np.asarray(explored.landed).ravel(), left])
        table = explore_run_out(explored.explorer.felts, wanted)
    spare: Player | None = None
    if explored.unknown:
        reasons.append(explored.unknown)
        spare = choose_after("automaton", strategy, session, reasons)
    engine = "numba" if asked == "numba" else "numpy"
    return AutomatonPlayer(strategy, session, tables, engine, table, spare, explored)


def variant(tables: Tables) -> str:
    """Which of the kernel's variants these tables need."""
    words = []
    if tables.exact.places.dtype != np.int32 or tables.exact.bands.dtype != np.int32:
        words.append(WIDE)
    if tables.quick is None:
        words.append(PLAIN)
    else:
        words += [FEES] if len(tables.quick.fee) else []
        words += [STOPS] if tables.stop_win or tables.stop_loss else []
    return "-".join(["lanes", *words])


def load(tables: Tables) -> None:
    """Have the kernel for these tables ready in this process."""
    from boxman.sim.executors.numba_lanes import NumbaAutomaton

    NumbaAutomaton(tables).play(0, 0, 0)
    warm.keep_in_mind(variant(tables))


def load_kernel(name: str) -> None:
    """Have one of the kernel's variants ready."""
    load(smallest(name))


def smallest(name: str) -> Tables:
    """Tables of a variant with one configuration in which nothing ever happens."""
    words = name.split("-")
    kind = np.int64 if WIDE in words else np.int32
    kinds = np.array(BY_TOTAL.number, np.int64)
    records = np.zeros((len(KINDS), RECORD), kind)
    rows = np.zeros(2 * COLUMNS, np.int32)
    fee = rows if FEES in words else rows[:0]
    quick = None if PLAIN in words else Quick(rows, rows, fee, 8, 0)
    stop = 1 if STOPS in words else 0
    return Tables(
        unit=1,
        exact=Exact(records, records, np.zeros(1, np.int64), np.zeros((0, 3), np.int64), kinds),
        quick=quick,
        bankroll=1,
        rolls=1,
        shooters=0,
        stop_win=stop,
        stop_loss=0,
        start=0,
        cash=1,
        staked=0,
        ended=-1,
        start_band=0,
        start_up=0,
        start_left=-1,
    )
