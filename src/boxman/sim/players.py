"""The executors: who plays a range of sessions, and how the fastest that can is chosen.

All of them give the same figures session by session. `choose` tries them in turn: the strategy
explored into an automaton, the strategy compiled for the generic kernel, the reference. Each reason
why a faster one could not be used is kept and names the line. A player can be pickled and sent to
another process; what cannot travel (compiled code, felts) is made again there.
"""

from __future__ import annotations

import threading
from fractions import Fraction
from typing import Any, Protocol

import msgspec
import numpy as np

from boxman.sim import dice, warm
from boxman.sim.compiled import have_numba
from boxman.sim.felt_samples import SESSIONS, FeltSample
from boxman.sim.lanes import ROWS, Lanes, NumpyAutomaton, Refused
from boxman.sim.refusals import why
from boxman.sim.results import Expected, added
from boxman.sim.run_out import RunOut, explore_run_out, run_out
from boxman.sim.samples import SAMPLE, SAMPLE_ROLLS, Sample, expected, sample_of
from boxman.sim.tables import END, LEFT, Tables, build
from boxman.strategy.api import Strategy, StrategyError
from boxman.strategy.automaton import Automaton, explore
from boxman.strategy.explore import NOT_KNOWN, NotExplored
from boxman.strategy.felt import Felts
from boxman.strategy.quick import play_quick
from boxman.strategy.reference import play
from boxman.strategy.session import ENDS, FACE, RUN_OUT, VALUE, Session

EXECUTORS = ("auto", "numpy", "numba", "kernel", "reference")
FIGURES = Lanes.__struct_fields__[:ROWS]


class Player(Protocol):
    """Plays sessions of one strategy."""

    strategy: Strategy
    session: Session

    @property
    def sampled(self) -> int:
        """In how many sessions, from 0 on, refusals and wagers are counted."""
        ...

    @property
    def name(self) -> str: ...

    def play(self, seed: int, first: int, count: int) -> Lanes: ...

    def sample(self, seed: int, sessions: int) -> Sample: ...

    def value(self, landed: dict[int, int]) -> Fraction: ...

    def expected(self) -> Expected | None: ...


class ReferencePlayer:
    """Plays on felts ruled on by the reference table, in Python."""

    sampled = SESSIONS

    def __init__(self, strategy: Strategy, session: Session) -> None:
        self.strategy, self.session = strategy, session
        self._felts = threading.local()
        self._sample: FeltSample | None = None

    def __reduce__(self) -> Any:
        return ReferencePlayer, (self.strategy, self.session)

    @property
    def name(self) -> str:
        return "reference"

    def _shared(self) -> Any:
        if not hasattr(self._felts, "felts"):
            self._felts.felts = Felts(self.session)
        return self._felts.felts

    def one(self, seed: int, number: int) -> Any:
        """One session; what goes wrong in it names it."""
        felts = self._shared()
        try:
            return play_quick(self.strategy, self.session, dice.stream(seed, number), felts)
        except StrategyError as error:
            wrong = error
        # The reference says it with the true traceback at the true roll.
        try:
            play(self.strategy, self.session, dice.stream(seed, number))
        except StrategyError as error:
            raise StrategyError(f"session {number:,}: {error}", error.trace) from None
        raise wrong

    def play(self, seed: int, first: int, count: int) -> Lanes:
        return self.some(seed, first + np.arange(count))

    def some(self, seed: int, sessions: Any) -> Lanes:
        """These sessions."""
        rows = np.zeros((ROWS, len(sessions)), np.int64)
        value = Fraction(0)
        refused: Refused = {}
        for place, number in enumerate(sessions.tolist()):
            played = self.one(seed, number)
            for kind, count in played.refusals.items():
                before, earliest = refused.get(kind, (0, number))
                refused[kind] = before + count, earliest
            rows[:, place] = (
                *(played.worth - self.session.bankroll, played.rolls, played.seven_outs),
                *(ENDS.index(played.end), played.drawdown, played.staked, -1),
            )
            value += played.value or 0
        return Lanes.of(rows, value, refused=refused)

    def sample(self, seed: int, sessions: int) -> Sample:
        """Played once more, wager by wager; asked for more it goes on where it was."""
        if self._sample is None or self._sample.seed != seed or self._sample.counted > sessions:
            self._sample = FeltSample(self.strategy, self.session, seed)
        return self._sample.of(sessions)

    def value(self, landed: dict[int, int]) -> Fraction:
        return Fraction(0)

    def expected(self) -> Expected | None:
        return None


class KernelPlayer(ReferencePlayer):
    """Plays the compiled strategy in the generic kernel."""

    sampled = SAMPLE

    def __init__(self, strategy: Strategy, session: Session) -> None:
        super().__init__(strategy, session)
        self._kernel: Any = None
        self._still_up: Any = None
        self._in_mind = False
        self._compiling = threading.Lock()

    def __reduce__(self) -> Any:
        return KernelPlayer, (self.strategy, self.session)

    @property
    def name(self) -> str:
        return "generic kernel"

    def compile(self) -> Any:
        """The kernel, compiled when first wanted; raises NotCompiled."""
        from boxman.sim.kernel.run import Kernel

        with self._compiling:
            if self._kernel is None:
                self._kernel = Kernel(self.strategy, self.session)
        return self._kernel

    @property
    def cold(self) -> bool:
        """Whether it takes many seconds to compile."""
        return self._kernel is None and not warm.is_ready(warm.GENERIC)

    def play(self, seed: int, first: int, count: int) -> Lanes:
        kernel = self.compile()
        played = kernel.run(seed, first, count)
        if not self._in_mind:
            warm.keep_in_mind(warm.GENERIC)
            self._in_mind = True
        return self._checked(played, seed, first + np.arange(count))

    def some(self, seed: int, sessions: Any) -> Lanes:
        played = self.compile().some(seed, sessions.astype(np.uint64))
        return self._checked(played, seed, sessions)

    def _checked(self, played: Any, seed: int, sessions: Any) -> Lanes:
        """As lanes; a session that went wrong in compiled code is played on the reference."""
        rows = np.full((ROWS, len(played.net)), -1, np.int64)
        rows[:6] = (
            *(played.net, played.rolls, played.sevens),
            *(played.ending, played.drawdown, played.staked),
        )
        wrong = np.flatnonzero(played.error)
        # Some of what was refused in a session that went wrong is in the counts.
        lanes = Lanes.of(
            rows, self._worth(played.left), refused=None if len(wrong) else played.refusals
        )
        if len(wrong):
            right = ReferencePlayer.some(self, seed, sessions[wrong])
            lanes = msgspec.structs.replace(lanes, value=lanes.value + right.value)
            _replaced(lanes, wrong, right)
        return lanes

    def _worth(self, left: Any) -> Fraction:
        """What wagers that were left up are worth beyond their face."""
        if not left:
            return Fraction(0)
        from boxman.sim.still_up import StillUp

        with self._compiling:
            if self._still_up is None:
                self._still_up = StillUp(self.session)
        worth: Fraction = self._still_up.value(left)
        return worth


class AutomatonPlayer:
    """Plays on an explored automaton, in NumPy or compiled by Numba."""

    def __init__(
        self,
        strategy: Strategy,
        session: Session,
        tables: Tables,
        engine: str,
        table: RunOut | None,
        spare: ReferencePlayer | None = None,
        explored: Automaton | None = None,
    ) -> None:
        self.strategy, self.session, self.tables = strategy, session, tables
        self.engine, self.table = engine, table
        self.spare = spare
        """Who plays a session that the tables hand over."""
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
    def sampled(self) -> int:
        if self.spare is not None:
            return self.spare.sampled
        return max(1, min(SAMPLE, SAMPLE_ROLLS // self.session.rolls))

    @property
    def name(self) -> str:
        shown = {"numpy": "automaton, NumPy", "numba": "automaton, Numba"}[self.engine]
        return shown if self.spare is None else f"{shown}, hand-over to {self.spare.name}"

    def using(self, engine: str, spare: ReferencePlayer | None = None) -> AutomatonPlayer:
        """The same with the other engine, or with somebody else to hand over to."""
        return AutomatonPlayer(
            *(self.strategy, self.session, self.tables, engine),
            *(self.table, spare or self.spare, self.explored),
        )

    def _engine(self) -> Any:
        if self._playing is None:
            if self.engine == "numba":
                from boxman.sim.numba_lanes import NumbaAutomaton

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
                _replaced(lanes, handed, played)
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
        return sample_of(self.explored, self.tables, seed, seen, self.table)

    def value(self, landed: dict[int, int]) -> Fraction:
        if self.session.end != VALUE:
            return Fraction(0)
        assert self.explored is not None, "values are asked for where it was explored"
        known = [(felt, count) for felt, count in landed.items() if felt >= 0]
        return sum((self.explored.value(felt) * count for felt, count in known), Fraction(0))

    def expected(self) -> Expected | None:
        assert self.explored is not None, "it is asked for where it was explored"
        return expected(self.tables, None if self.session.end == FACE else self.explored.value)


def _replaced(lanes: Lanes, places: Any, by: Lanes) -> None:
    """Put other figures in these places."""
    for name in FIGURES:
        getattr(lanes, name)[places] = getattr(by, name)


def choose(
    strategy: Strategy, session: Session, executor: str = "auto", seconds: float = 5
) -> tuple[Any, tuple[str, ...]]:
    """The fastest player that can play this, and why none faster could.

    An automaton comes with the NumPy engine; `using` gives it the other.
    """
    if executor not in EXECUTORS:
        raise ValueError(f"no executor {executor}; there are {', '.join(EXECUTORS)}")
    reasons: list[str] = []
    if executor in ("auto", "numpy", "numba"):
        found = _explored(strategy, session, seconds, reasons)
        if found is not None:
            return (found.using("numba") if executor == "numba" else found), tuple(reasons)
        if executor != "auto":
            raise StrategyError(f"{strategy.name} has no automaton: {reasons[-1]}")
    if executor in ("auto", "kernel"):
        kernel = _kernel(strategy, session, reasons, at_once=executor == "kernel")
        if kernel is not None:
            return kernel, tuple(reasons)
        if executor != "auto":
            raise StrategyError(f"{strategy.name} was not compiled: {reasons[-1]}")
    return ReferencePlayer(strategy, session), tuple(reasons)


def _kernel(
    strategy: Strategy, session: Session, reasons: list[str], *, at_once: bool = False
) -> KernelPlayer | None:
    """The kernel for a strategy; where it is cold it is only looked at, and compiled later."""
    if not have_numba():
        reasons.append("the generic kernel needs Numba: pip install 'boxman[sim]'")
        return None
    from boxman.sim.kernel.check import NotCompiled, check

    player = KernelPlayer(strategy, session)
    try:
        if player.cold and not at_once:
            check(strategy)
        else:
            player.compile()
    except NotCompiled as error:
        reasons.append(str(error))
        return None
    return player


def _explored(
    strategy: Strategy, session: Session, seconds: float, reasons: list[str]
) -> AutomatonPlayer | None:
    try:
        explored = explore(strategy, session, seconds=seconds)
    except NotExplored as error:
        reasons.append(str(error))
        return None
    except StrategyError as error:
        if error.fatal:
            raise
        # A state that no session may ever come to: only a session that does is an error.
        reasons.append(str(error))
        return None
    tables = build(explored, session)
    table = None
    if session.end == RUN_OUT:
        left = tables.exact.bands[tables.exact.bands[:, END] >= 0, LEFT]
        left = np.append(left[left >= 0], max(tables.start_left, 0))
        wanted = np.concatenate([np.asarray(explored.landed).ravel(), left])
        table = explore_run_out(explored.explorer.felts, wanted)
    spare = None
    if explored.unknown:
        reasons.append(explored.unknown)
        spare = _kernel(strategy, session, reasons) or ReferencePlayer(strategy, session)
    return AutomatonPlayer(strategy, session, tables, "numpy", table, spare, explored)
