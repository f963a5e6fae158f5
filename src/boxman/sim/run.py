"""Simulate: sessions cut into pieces, played by the fastest executor, counted up as they come.

The first ten thousand sessions are played at once, in NumPy where that is possible, so that there
is something to show; for long runs the compiled kernel is made ready meanwhile and takes over.
Nothing about the result depends on that: not on the pieces, the threads, the executor or the
cluster.
"""

from __future__ import annotations

import os
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from fractions import Fraction
from itertools import combinations
from types import NoneType
from typing import Any, TypedDict

import msgspec

from boxman.sim import dice
from boxman.sim.compiled import have_numba
from boxman.sim.executors import AUTO, CannotPlay, choose, warm
from boxman.sim.executors.player import Player
from boxman.sim.lanes import RefusedCounts, RefusedKind
from boxman.sim.refusals import why
from boxman.sim.results import Comparison, Paired, Result, added, counted
from boxman.sim.samples import Sample
from boxman.sim.tally import Counts, Tally, differences
from boxman.strategy.api import Strategy
from boxman.strategy.ends import RefusedHere
from boxman.strategy.reference import Played, play
from boxman.strategy.session import VALUE, Session
from boxman.words import phrase
from boxman.words.given import expect

FIRST = 10_240
"""Sessions before the first interim summary."""
LEAST_PIECE = 4_096
"""Sessions below which a piece is not cut smaller so that all hands finish together."""
LONG_RUN = 60_000_000
"""Rolls from which compiled code is worth loading."""
GENERIC_RUN = 200_000
"""Rolls from which the generic kernel is worth compiling."""
LONG_SESSION = 20_000
"""Rolls from which a session is too long for NumPy: each of its steps costs the same for few
sessions as for thousands."""
INTERVAL = 0.25
"""Seconds between calls of `progress`."""


class SlowExecutorWarning(UserWarning):
    """The sessions are played on the reference; the message names the line that is the cause."""


class Progress(msgspec.Struct, frozen=True):
    """How far a simulation is. `results` are as of now and marked partial."""

    done: int
    total: int
    seconds: float
    executor: str
    summary: Callable[[], tuple[Result, ...]]

    @property
    def rate(self) -> float:
        """Sessions a second."""
        return self.done / self.seconds if self.seconds else 0.0

    @property
    def left(self) -> float:
        """Seconds to go."""
        return (self.total - self.done) / self.rate if self.rate else 0.0


Watcher = Callable[[Progress], Any]


def play_piece(
    players: Sequence[Any], seed: int, first: int, count: int
) -> tuple[list[Tally], list[Counts]]:
    """Play a piece with each of the players: tallies, and differences of each pair."""
    lanes = [player.play(seed, first, count) for player in players]
    tallies = [
        Tally.of(each, first, landed=player.session.end == VALUE)
        for player, each in zip(players, lanes, strict=True)
    ]
    return tallies, [differences(one, other, first) for one, other in combinations(lanes, 2)]


def _check_numbers(sessions: int, seed: int, first: int) -> None:
    for name, number in {"sessions": sessions, "seed": seed, "first": first}.items():
        expect(name, number, int)
    if sessions < 1:
        raise ValueError(phrase("sim.wrong.at-least-one-session-is"))
    if first < 0 or first + sessions > dice.SESSIONS:
        raise ValueError(
            phrase(
                "sim.wrong.sessions-have-numbers-from-0",
                sessions=f"{dice.SESSIONS - 1:,}",
                sessions_2=f"{sessions:,}",
                first=f"{first:,}",
            )
        )
    if not 0 <= seed < dice.SEEDS:
        raise ValueError(phrase("sim.wrong.a-seed-is-a-whole", seed=seed))


class Simulation:
    """One run: players on the same dice, and what was counted so far."""

    def __init__(
        self,
        strategies: Sequence[Strategy],
        session: Session,
        sessions: int,
        seed: int,
        executor: str = AUTO,
        first: int = 0,
    ) -> None:
        _check_numbers(sessions, seed, first)
        if not strategies:
            raise ValueError(phrase("sim.wrong.no-strategies"))
        self.sessions, self.seed, self.first = sessions, seed, first
        self.began = time.perf_counter()
        chosen = [choose(strategy, session, executor) for strategy in strategies]
        self.rolls = session.rolls
        self.players: list[Player] = [player for player, _ in chosen]
        if executor == AUTO and self.rolls >= LONG_SESSION and have_numba():
            self.players = [player.fastest() for player in self.players]
        self.wanted = list(self.players)
        """Who is to play in the end; until it is compiled somebody slower begins."""
        if executor == AUTO and self.rolls < LONG_SESSION:
            self.players = [player.at_once() for player in self.players]
        self.reasons = [reasons for _, reasons in chosen]
        self.named = [strategy.name for strategy in strategies]
        self.engine_asked = executor
        self.tallies = [Tally.none() for _ in self.players]
        self.pairs = [Counts.none() for _ in combinations(self.players, 2)]
        self.played_by: list[dict[str, None]] = [{} for _ in self.players]
        self._samples: dict[int, tuple[int, Sample]] = {}
        self._refused: list[dict[RefusedKind, tuple[int, RefusedHere]]] = [{} for _ in chosen]
        self.playing = 0.0

    def warn(self) -> None:
        """Name what has to be played slowly, and the line that is the cause."""
        for player, reasons in zip(self.wanted, self.reasons, strict=True):
            if player.slow and reasons:
                _say_slow(player, reasons)

    def stays(self, number: int, reason: str) -> None:
        """A player that was to be compiled cannot be."""
        self.wanted[number] = player = self.players[number]
        self.reasons[number] += (reason,)
        if player.slow:
            _say_slow(player, self.reasons[number])

    @property
    def done(self) -> int:
        return self.tallies[0].sessions

    @property
    def end(self) -> int:
        """The number after the last session."""
        return self.first + self.sessions

    def ready(self) -> list[Player]:
        """The players compiled, where that gains something; made ready before they are used."""
        rolls = self.sessions * self.rolls
        if self.engine_asked != AUTO or not have_numba() or rolls < GENERIC_RUN:
            return self.players
        if rolls < LONG_RUN:
            return self.wanted
        return [player.fastest() for player in self.wanted]

    def first_piece(self) -> int:
        """How many sessions are played before there is something to show."""
        return min(FIRST, *(self._piece(player) for player in self.players))

    def piece(self, players: Sequence[Any], left: int, workers: int) -> int:
        """How many of the sessions left the next piece has, sized for these players.

        Towards the end pieces become smaller, so that no worker waits long for the last one.
        """
        share = max(LEAST_PIECE, left // (4 * workers) // 64 * 64)
        return min(left, share, *(self._piece(player) for player in players))

    def _piece(self, player: Player) -> int:
        least = player.pace.sessions
        return max(least, player.pace.piece // self.rolls // least * least)

    def add(self, players: Sequence[Any], played: tuple[list[Tally], list[Counts]]) -> None:
        """Count a piece."""
        tallies, pairs = played
        self.tallies = [a.merged(b) for a, b in zip(self.tallies, tallies, strict=True)]
        self.pairs = [a.merged(b) for a, b in zip(self.pairs, pairs, strict=True)]
        for names, player in zip(self.played_by, players, strict=True):
            names[player.name] = None

    def results(self, *, partial: bool) -> tuple[Result, ...]:
        """What is known now."""
        seconds = time.perf_counter() - self.began
        return tuple(self._result(n, partial, seconds) for n in range(len(self.players)))

    def _result(self, number: int, partial: bool, seconds: float) -> Result:
        player, tally = self.players[number], self.tallies[number]
        sample = self._sample(number)
        refused_in, refusals = sample.counted, sample.refusals
        if tally.refused is not None:
            refused_in, refusals = tally.sessions, self._why(number, tally.refused)
        value = tally.value + (player.value(tally.landed) if tally.landed else Fraction(0))
        return Result(
            strategy=self.named[number],
            session=player.session,
            seed=self.seed,
            executor=" + ".join(self.played_by[number]),
            reasons=self.reasons[number],
            partial=partial,
            asked=self.sessions,
            value=str(value),
            sampled=sample.sessions,
            refused_in=refused_in,
            refusals=refusals,
            possible=sample.possible,
            wagers=sample.wagers,
            expected=player.expected(),
            seconds=seconds,
            playing=self.playing,
            **counted(tally),
        )

    def _sample(self, number: int) -> Sample:
        """Counted once there is something to count in; the same sessions however it is cut."""
        player = self.players[number]
        wanted = min(self.first + self.done, player.sampled)
        if number not in self._samples or self._samples[number][0] < wanted:
            self._samples[number] = wanted, player.sample(self.seed, wanted)
        return self._samples[number][1]

    def _why(self, number: int, refused: RefusedCounts) -> tuple[RefusedHere, ...]:
        """What was refused, in words; asked once for each kind and its first session."""
        known = self._refused[number]
        new = {
            kind: (count, first)
            for kind, (count, first) in refused.items()
            if kind not in known or known[kind][0] != first
        }
        player = self.players[number]
        for kind, said in why(player.strategy, player.session, self.seed, new).items():
            known[kind] = refused[kind][1], said
        return added(
            msgspec.structs.replace(known[kind][1], count=count)
            for kind, (count, _) in refused.items()
        )

    def comparison(self, *, partial: bool) -> Comparison:
        """All of them, and each pair on the same dice."""
        results = self.results(partial=partial)
        values = combinations((Fraction(each.value) for each in results), 2)
        told = zip(combinations(self.named, 2), self.pairs, values, strict=True)
        return Comparison(
            results,
            tuple(
                Paired(
                    *(one, other, tuple(c.values.tolist()), tuple(c.counts.tolist())),
                    beyond=float(first - second),
                )
                for (one, other), c, (first, second) in told
            ),
        )


def _say_slow(player: Any, reasons: Sequence[str]) -> None:
    warnings.warn(
        phrase(
            "sim.wrong.is-played-on-the-reference",
            name=player.strategy.name,
            reasons="; ".join(reasons),
        ),
        SlowExecutorWarning,
        stacklevel=5,
    )


class ThreadCrew:
    """Threads of this process that play pieces; kernels run free of the interpreter's lock."""

    compiles_here = True
    """Whether compiled code must be ready in this process."""

    def __init__(self, threads: int) -> None:
        self.workers = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="boxman-sim")

    def hand_out(self, players: Sequence[Any]) -> Any:
        """Make players known to whoever plays."""
        return players

    def submit(self, players: Any, seed: int, first: int, count: int) -> Future[Any]:
        return self._pool.submit(play_piece, players, seed, first, count)

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def crew_for(threads: int | None, cluster: Any) -> Iterator[Any]:
    """Who plays: threads, or the workers of a cluster."""
    crew: Any
    if cluster is None:
        crew = ThreadCrew(threads or os.cpu_count() or 1)
    else:
        from boxman.sim.cluster import DaskCrew

        crew = DaskCrew(cluster, threads)
    try:
        yield crew
    finally:
        crew.close()


def run(
    simulation: Simulation,
    threads: int | None = None,
    progress: Watcher | None = None,
    cluster: Any = None,
    cancel: threading.Event | None = None,
) -> bool:
    """Play it; True if all sessions were played, False if it was cancelled or interrupted."""
    expect("threads", threads, int, NoneType)
    stop = cancel or threading.Event()
    told = 0.0
    started = time.perf_counter()

    def tell(*, now: bool = False) -> None:
        nonlocal told
        passed = time.perf_counter() - simulation.began
        if progress is not None and (now or passed - told >= INTERVAL):
            told = passed
            progress(
                Progress(
                    done=simulation.done,
                    total=simulation.sessions,
                    seconds=passed,
                    executor=" + ".join(simulation.played_by[0]),
                    summary=lambda: simulation.results(partial=True),
                )
            )

    players, begin = simulation.players, simulation.first
    try:
        with crew_for(threads, cluster) as crew:
            # Alone and in NumPy: there is something to show before anything is compiled.
            slow = any(not each.pace.together for each in players)
            count = min(simulation.sessions, 1 if slow else simulation.first_piece())
            simulation.add(players, play_piece(players, simulation.seed, begin, count))
            begin += count
            tell(now=not slow)
            # Not before: a strategy that fails at once needs no advice on its speed.
            simulation.warn()
            if begin < simulation.end:
                _play_rest(simulation, crew, begin, tell, stop)
    except KeyboardInterrupt:
        # What was played until then is the result; it may be all.
        stop.set()
    finally:
        simulation.playing = time.perf_counter() - started
    return simulation.done == simulation.sessions


def _play_rest(
    simulation: Simulation,
    crew: Any,
    begin: int,
    tell: Callable[[], None],
    stop: threading.Event,
) -> None:
    """Hand out pieces, never many more than there are hands, and count what comes back."""
    hands = _Hands(simulation, crew)
    out: dict[Future[Any], tuple[Sequence[Any], int, int]] = {}
    again: list[tuple[int, int]] = []
    try:
        while not stop.is_set():
            while len(out) < 2 * crew.workers and (again or begin < simulation.end):
                players, given = hands.now()
                if again:
                    first, count = again.pop()
                else:
                    first = begin
                    count = simulation.piece(players, simulation.end - begin, crew.workers)
                    begin += count
                out[crew.submit(given, simulation.seed, first, count)] = (players, first, count)
            if not out:
                return
            finished, _ = wait(out, timeout=INTERVAL, return_when=FIRST_COMPLETED)
            for each in finished:
                players, first, count = out.pop(each)
                try:
                    simulation.add(players, each.result())
                except CancelledError:
                    # The players went down with the only worker that had them: hand them out anew.
                    hands.given.clear()
                    again.append((first, count))
            tell()
    finally:
        for each in out:
            each.cancel()


class _Hands:
    """The players as they are best now: in NumPy or on the reference until kernels are ready."""

    def __init__(self, simulation: Simulation, crew: Any) -> None:
        self.simulation, self.crew = simulation, crew
        self.first = simulation.players
        self.best = list(simulation.ready())
        self.given: dict[int, Any] = {}
        self.wanted: dict[str, list[tuple[int, Callable[[], Any]]]] = {}
        for number, player in enumerate(list(self.best)):
            if crew.compiles_here:
                for name, load in player.kernels().items():
                    self.wanted.setdefault(name, []).append((number, load))
            else:
                # Every worker compiles for itself; only whether it can be done is found out here.
                self._try(number, player.compile)
        for name in self.wanted:
            if not warm.is_ready(name):
                warm.start(name)

    def _try(self, number: int, load: Callable[[], Any]) -> None:
        """Have compiled what a player needs; one that cannot be stays where it is."""
        try:
            load()
        except CannotPlay as error:
            self.best[number] = self.first[number]
            self.simulation.stays(number, str(error))

    def _ready(self) -> bool:
        """Whether all compiled kernels can be used; one that is in the cache is loaded."""
        for name, loads in list(self.wanted.items()):
            failed = not warm.is_ready(name) and warm.start(name).poll() is not None
            # Failed: the cache cannot be written. Compile here, everybody waits.
            if warm.is_ready(name) or failed:
                for number, load in loads:
                    self._try(number, load)
                del self.wanted[name]
        return not self.wanted

    def now(self) -> tuple[Sequence[Any], Any]:
        players = self.best if self._ready() else self.first
        if id(players) not in self.given:
            self.given[id(players)] = self.crew.hand_out(players)
        return players, self.given[id(players)]


class CompareOptions(TypedDict, total=False):
    """How several strategies are played, besides how often and on which dice."""

    executor: str
    threads: int | None
    progress: Watcher | None
    cluster: Any
    cancel: threading.Event | None


class RunOptions(CompareOptions, total=False):
    """How one strategy is played."""

    first: int


def simulate(
    strategy: Strategy,
    session: Session,
    sessions: int = 10_000,
    seed: int = 0,
    executor: str = AUTO,
    threads: int | None = None,
    progress: Watcher | None = None,
    cluster: Any = None,
    cancel: threading.Event | None = None,
    first: int = 0,
) -> Result:
    """Play many sessions of a strategy, from session `first` on.

    Interrupted or cancelled it gives what was played until then, marked partial. Parts of one run,
    played anywhere, merge to what the run would have been (`Result.merged`).
    """
    simulation = Simulation([strategy], session, sessions, seed, executor, first)
    whole = run(simulation, threads, progress, cluster, cancel)
    return simulation.results(partial=not whole)[0]


def compare(
    strategies: Sequence[Strategy],
    session: Session,
    sessions: int = 10_000,
    seed: int = 0,
    executor: str = AUTO,
    threads: int | None = None,
    progress: Watcher | None = None,
    cluster: Any = None,
    cancel: threading.Event | None = None,
) -> Comparison:
    """Play several strategies on the same dice."""
    simulation = Simulation(strategies, session, sessions, seed, executor)
    whole = run(simulation, threads, progress, cluster, cancel)
    return simulation.comparison(partial=not whole)


def replay(strategy: Strategy, session: Session, seed: int, number: int) -> Played:
    """One session of a simulation on the reference table, with its transcript."""
    return play(strategy, session, dice.stream(seed, number), keep_lines=True)
