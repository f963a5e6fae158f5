"""The bench of simulations: automaton, kernel, NumPy, threads and exact sessions as ratios.

House rws, chip 1, guest shooter, bankroll 500, at most 200 rolls a session; the figures that
`simulate` prints are counted in what is timed. Single-core rates are rolls per second of thread CPU
time; variants are interleaved and the median of the ratios within a round is reported. The C
programs beside this file are built when a compiler is there; the plain one must agree with the
automaton session by session before it is timed.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from boxman.sim.exact import solve
from boxman.sim.executors import choose
from boxman.sim.executors.automaton import AutomatonPlayer
from boxman.sim.executors.generic import KernelPlayer
from boxman.sim.run import simulate
from boxman.sim.tally import Tally
from boxman.strategy.api import Strategy
from boxman.strategy.automaton import explore
from boxman.strategy.library import named
from boxman.strategy.session import session

HERE = Path(__file__).parent
ROUNDS = 7
SEED = 7
SESSION = session("rws", chip=1, bankroll=500, rolls=200, end="face")
STRATEGIES = {
    "pass": ("pass", "pass_line"),
    "pass + 2x odds": ("pass-odds(odds=2)", "pass_odds"),
    "molly + 2x odds": ("molly(odds=2)", "molly"),
    "place 6 and 8, hardways, field": ("mix", "mix"),
}
Rows = list[tuple[str, str, str]]
Timed = Callable[[], int]
"""Something that plays and says how many rolls it played."""


def rate(work: Timed) -> float:
    """Rolls a second of thread CPU time."""
    start = time.thread_time()
    rolls = work()
    return rolls / (time.thread_time() - start)


def reads_bankroll(inner: Strategy) -> Strategy:
    """The same bets by a strategy that looks at its money, which no automaton can."""

    def play(t: Any) -> None:
        if t.cash > 50:  # a test that the compiler cannot decide beforehand
            inner(t)

    return Strategy(play, name=f"{inner.name} with an eye on its cash")


def crapssim(name: str, sessions: int) -> Timed:
    from crapssim.strategy import BetPassLine, BetPlace, PassLineOddsMultiplier
    from crapssim.strategy.examples import ThreePointMolly
    from crapssim.strategy.single_bet import BetField, BetHardWay
    from crapssim.table import Table

    makers: dict[str, Callable[[], Any]] = {
        "pass": lambda: BetPassLine(10),
        "pass + 2x odds": lambda: BetPassLine(10) + PassLineOddsMultiplier(2),
        "molly + 2x odds": lambda: ThreePointMolly(10, 2),
        "place 6 and 8, hardways, field": lambda: (
            BetPlace({6: 12, 8: 12}, skip_point=False)
            + BetHardWay(4, 5)
            + BetHardWay(6, 5)
            + BetHardWay(8, 5)
            + BetHardWay(10, 5)
            + BetField(5)
        ),
    }

    def work() -> int:
        rolls = 0
        for seed in range(sessions):
            table = Table(seed=seed)
            table.add_player(500, makers[name]())
            table.run(max_rolls=200, verbose=False)
            rolls += table.dice.n_rolls
        return rolls

    return work


def counted(player: Any, sessions: int) -> Timed:
    """Play and count up."""

    def work() -> int:
        lanes = player.play(SEED, 0, sessions)
        Tally.of(lanes, 0)
        return int(lanes.rolls.sum())

    return work


def built(folder: Path) -> tuple[Any, Any] | None:
    """The C programs as libraries, or None without a compiler."""
    compiler = shutil.which(os.environ.get("CC", "cc")) or shutil.which("gcc")
    if compiler is None:
        return None
    found = []
    for name in ("plain", "lookups"):
        library = folder / f"{name}.so"
        subprocess.run(
            [
                *(compiler, "-O3", "-march=native", "-Wno-psabi", "-shared", "-fPIC"),
                *("-o", str(library), str(HERE / f"{name}.c")),
            ],
            check=True,
        )
        found.append(ctypes.CDLL(str(library)))
    found[0].prepare()
    return found[0], found[1]


def plain_c(library: Any, function: str, sessions: int, out: Any) -> Timed:
    run = getattr(library, function)
    run.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int64, ctypes.c_int, ctypes.c_int]
    run.argtypes += [ctypes.c_void_p]

    def work() -> int:
        run(SEED, 0, sessions, 200, 500, out.ctypes.data)
        return int(out[1].sum())

    return work


def lookups_c(library: Any, player: AutomatonPlayer, sessions: int) -> Timed:
    quick, tables = player.tables.quick, player.tables
    assert quick is not None
    out = np.empty(sessions, np.int64)
    run = library.lookups
    run.restype = ctypes.c_int64
    run.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_int]
    run.argtypes += [
        ctypes.c_uint64,
        ctypes.c_uint64,
        ctypes.c_int64,
        ctypes.c_int,
        ctypes.c_void_p,
    ]

    def work() -> int:
        return int(
            run(
                *(quick.move.ctypes.data, quick.effect.ctypes.data, quick.shift),
                *(tables.start, tables.cash, SEED, 0, sessions, 200, out.ctypes.data),
            )
        )

    return work


def agree(player: Any, library: Any, function: str) -> None:
    """The plain C loop plays the same sessions to the same cent."""
    out = np.zeros((6, 20_000), np.int64)
    plain_c(library, function, 20_000, out)()
    lanes = player.play(SEED, 0, 20_000).in_minor_units()
    for row, (name, unit) in enumerate(
        (
            ("net", 100),
            ("rolls", 1),
            ("sevens", 1),
            ("ending", 1),
            ("drawdown", 100),
            ("staked", 100),
        )
    ):
        assert (getattr(lanes, name) == out[row] * unit).all(), f"{function}: {name} differs"


def single_core(folder: Path) -> Rows:
    rows: Rows = []
    libraries = built(folder)
    if libraries is None:
        rows.append(("plain C", "no compiler here", "at least 3"))
    for shown, (name, function) in STRATEGIES.items():
        strategy = named(name)
        chosen, _ = choose(strategy, SESSION)
        assert isinstance(chosen, AutomatonPlayer)
        compiled, kernel = chosen.using("numba"), KernelPlayer(reads_bankroll(strategy), SESSION)
        sessions = 32_768
        players: dict[str, Timed] = {
            "crapssim": crapssim(shown, 8),
            "numba": counted(compiled, sessions),
            "numpy": counted(chosen, 16_384),
            "kernel": counted(kernel, 16_384),
        }
        if libraries is not None:
            agree(compiled, libraries[0], function)
            out = np.empty((6, sessions), np.int64)
            players["plain"] = plain_c(libraries[0], function, sessions, out)
            players["lookups"] = lookups_c(libraries[1], compiled, sessions)
        rates: dict[str, list[float]] = {each: [] for each in players}
        for work in players.values():
            work()
        for _ in range(ROUNDS):
            for each, work in players.items():
                rates[each].append(rate(work))

        def ratio(one: str, other: str, rates: dict[str, list[float]] = rates) -> float:
            return median(a / b for a, b in zip(rates[one], rates[other], strict=True))

        speed = median(rates["numba"]) / 1e6
        rows.append((f"automaton (Numba), {shown}", f"{speed:.0f} million rolls/s", ""))
        rows.append(
            (
                f"... against crapssim, {shown}",
                f"{ratio('numba', 'crapssim'):,.0f} times",
                "at least 10,000",
            )
        )
        if libraries is not None:
            rows.append(
                (
                    f"... against plain C, {shown}",
                    f"{ratio('numba', 'plain'):.1f} times",
                    "at least 3",
                )
            )
            rows.append(
                (
                    f"... with hand-over, against its lookups in SIMD C, {shown}",
                    f"{ratio('numba', 'lookups'):.2f}",
                    "reported",
                )
            )
        rows.append(
            (
                f"NumPy only against crapssim, {shown}",
                f"{ratio('numpy', 'crapssim'):,.0f} times",
                "at least 2,500",
            )
        )
        rows.append(
            (
                f"reads its bankroll, compiled, against crapssim, {shown}",
                f"{ratio('kernel', 'crapssim'):,.0f} times",
                "at least 1,500",
            )
        )
    return rows


def threads() -> Rows:
    """Two threads against one, wall time, best of five."""
    strategy, best = named("molly(odds=2)"), {1: 1e9, 2: 1e9}
    for _ in range(5):
        for count in best:
            found = simulate(strategy, SESSION, 1 << 20, SEED, executor="numba", threads=count)
            # Exploring and counting the sample are not shared out.
            best[count] = min(best[count], found.playing)
    return [("two threads against one, wall", f"{best[1] / best[2]:.2f} times", "at least 1.8")]


def exact_sessions() -> Rows:
    rows: Rows = []
    for shown, name, wanted in (
        ("pass + odds", "pass-odds(odds=2)", 0.1),
        ("molly + odds", "molly(odds=2)", 2.0),
    ):
        banded = explore(named(name), SESSION)
        solve(banded, SESSION)
        times = []
        for _ in range(5):
            start = time.perf_counter()
            solved = solve(banded, SESSION)
            times.append(time.perf_counter() - start)
        rows.append(
            (
                f"exact: {shown}, 200 rolls",
                f"{min(times):.3f} s, mass error {abs(solved.mass - 1):.0e}",
                f"under {wanted:g} s, 1e-12",
            )
        )
    return rows


FIRST_SUMMARY = """
import sys
from boxman.sim.run import simulate
from boxman.strategy.library import named
from boxman.strategy.session import session

def show(progress):
    (so_far,) = progress.summary()
    assert so_far.sessions >= 10_000, so_far.sessions
    print(so_far.figures(), flush=True)
    sys.stdout.close()
    import os
    os._exit(0)

simulate(named("molly"), session("rws"), 1_000_000, 7, progress=show)
"""


def first_summary(folder: Path) -> Rows:
    """From the start of a process to a summary of at least 10,000 sessions."""

    def seconds(cache: Path) -> float:
        start = time.perf_counter()
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
        subprocess.run(
            [sys.executable, "-c", FIRST_SUMMARY],
            check=True,
            stdout=subprocess.DEVNULL,
            env=environment,
        )
        return time.perf_counter() - start

    cold = min(seconds(folder / f"empty-{number}") for number in range(5))
    warm = min(seconds(folder / "empty-0") for _ in range(5))
    return [
        ("first summary of molly, new process, no cache", f"{cold:.2f} s", "under 3 s"),
        ("first summary of molly, new process, warm", f"{warm:.2f} s", "under 2 s"),
    ]


MANY_SESSIONS = """
import sys
import strategies
from boxman.sim.run import simulate
from boxman.strategy.library import named

executor, sessions = sys.argv[1], int(sys.argv[2])
strategy = named("pass-odds(odds=2)")
if executor == "kernel":
    strategy = strategies.reads_bankroll(strategy)
simulate(strategy, strategies.SESSION, sessions, 7, executor=executor)
# Not the peak that the system reports when a process ends: that holds its parent's too.
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def memory() -> Rows:
    """How much more memory ten times the sessions take, each number in a process of its own."""

    def peak(executor: str, sessions: int) -> float:
        ended = subprocess.run(
            [sys.executable, "-c", MANY_SESSIONS, executor, str(sessions)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])},
            capture_output=True,
            check=True,
            text=True,
        )
        return int(ended.stdout) / 1024

    rows: Rows = []
    shown = {
        "numba": "automaton, Numba",
        "numpy": "automaton, NumPy",
        "kernel": "reads its bankroll, compiled",
    }
    for executor, name in shown.items():
        peak(executor, 100_000)  # whatever is compiled is in the cache after this
        few, many = (peak(executor, number) for number in (1_000_000, 10_000_000))
        what = f"memory of 10,000,000 sessions over 1,000,000, {name}"
        rows.append((what, f"{max(0.0, many - few):.1f} MB of {many:.0f}", "under 5 MB"))
    return rows


def rows() -> Rows:
    """Every row, for docs/performance.md."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return [
            *(*single_core(folder), *threads(), *exact_sessions()),
            *(*first_summary(folder), *memory()),
        ]


if __name__ == "__main__":
    for row in rows():
        print(" | ".join(row), flush=True)
