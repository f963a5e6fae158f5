"""`make bench`: speeds as ratios measured in one run, and a few absolute limits (best of five).

Single-core rates are rolls per second of thread CPU time; variants are interleaved and the median
of the ratios is reported. Writes docs/performance.md.
"""

from __future__ import annotations

import os
import platform
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from importlib.metadata import version
from pathlib import Path
from statistics import median

import felt
import journal
import pit
import solve
import strategies
from boxman.dice import ROLLS
from boxman.rules.book import houses, read_book
from boxman.rules.compile import compile_layout
from boxman.table.accounts import imbalance
from boxman.table.calls import Bet, BuyIn, CallRoll, CloseBets
from boxman.table.floor.throws import needs_close
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule

ROOT = Path(__file__).parents[1]
REPEATS = 9
BANKROLL = 10_000_000


def thread_seconds(work: Callable[[], None]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start


def crapssim_molly(rolls: int, seed: int) -> Callable[[], None]:
    from crapssim.strategy.examples import ThreePointMolly
    from crapssim.table import Table

    def work() -> None:
        table = Table(seed=seed)
        table.add_player(BANKROLL // 100, ThreePointMolly(10, 2))
        table.run(max_rolls=rolls, verbose=False)

    return work


def boxman_molly(house: str, rolls: int, seed: int) -> Callable[[], None]:
    """Pass and two comes with double odds: each bet and each roll is a call that is ruled on."""

    def work() -> None:
        opening = open_table(Open(house=house, minimum=1000, maximum=50_000))
        layout, table = opening.layout, opening.table
        assert layout is not None
        assert table is not None
        table = rule(layout, table, BuyIn(seat="ann", amount=BANKROLL)).after
        generator = random.Random(seed)
        closes = needs_close(layout)
        close = CloseBets()
        calls = [CallRoll(first=roll.first, second=roll.second) for roll in ROLLS]
        bet_pass = Bet(seat="ann", spot="pass", amount=1000)
        bet_come = Bet(seat="ann", spot="come", amount=1000)
        bet_odds = Bet(seat="ann", spot="pass.odds", amount=2000)
        come_odds = {
            f"come.{n}": Bet(seat="ann", spot=f"come.odds.{n}", amount=2000) for n in layout.points
        }
        for _ in range(rolls):
            wagers = table.seats["ann"].wagers
            bets = []
            if not table.puck:
                if "pass" not in wagers:
                    bets.append(bet_pass)
            else:
                if "pass.odds" not in wagers:
                    bets.append(bet_odds)
                if sum(1 for spot in come_odds if spot in wagers) + ("come" in wagers) < 2:
                    bets.append(bet_come)
            for spot, bet in come_odds.items():
                if spot in wagers and bet.spot not in wagers:
                    bets.append(bet)
            for bet in bets:
                ruling = rule(layout, table, bet)
                assert ruling.refusal is None, ruling.refusal
                table = ruling.after
            if closes:
                table = rule(layout, table, close).after
            table = rule(layout, table, generator.choice(calls)).after
        assert imbalance(table) == 0

    return work


def best_of_five(work: Callable[[], None]) -> float:
    times = []
    for _ in range(5):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def compile_all(house: str) -> Callable[[], None]:
    text = read_book(house)
    return lambda: void(compile_layout(text))


def void(_: object) -> None:
    """Forget a value."""


def run_help() -> None:
    subprocess.run(
        [sys.executable, "-m", "boxman", "--help"], check=True, stdout=subprocess.DEVNULL
    )


def solve_all() -> None:
    """Every wager of every house, in a process that has solved none."""
    code = (
        "from boxman.library import house; from boxman.rules.book import houses\n"
        "for name in houses():\n    table = house(name)\n"
        "    [table.odds(spot).edge for spot in table.layout.spots if not spot.endswith('.odds')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def run_odds() -> None:
    subprocess.run(
        [sys.executable, "-m", "boxman", "odds", "rws"], check=True, stdout=subprocess.DEVNULL
    )


def solve_largest() -> None:
    code = "from boxman.library import house; house('perth-crapless').odds('all').edge"
    subprocess.run([sys.executable, "-c", code], check=True)


def write_transcript(path: Path, lines: int) -> None:
    """A long evening: bets on many spots, a roll every third line."""
    generator = random.Random(1)
    spots = ["field", "place.6", "hard.8", "any_craps", "place.5"]
    with path.open("w") as out:
        out.write("house nsw chip 1 limits 1-1000\nann buys in 1000000000\n")
        for number in range(lines - 2):
            if number % 3 == 2:
                roll = generator.choice(ROLLS)
                out.write(f"stick calls {roll.first}-{roll.second}\n")
            else:
                out.write(f"ann bets 1 {generator.choice(spots)}\n")


def replay(path: Path) -> tuple[float, int]:
    """Seconds and peak memory (kB) of one replay in a process of its own."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "boxman", "replay", str(path)], stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, status
    return time.perf_counter() - start, usage.ru_maxrss


def main() -> None:
    rows: list[tuple[str, str, str]] = []
    rolls = 2_000
    for house in ("rws", "nsw"):
        ratios = []
        for seed in range(REPEATS):
            theirs = thread_seconds(crapssim_molly(rolls, seed)) / rolls
            ours = thread_seconds(boxman_molly(house, 5 * rolls, seed)) / (5 * rolls)
            ratios.append(theirs / ours)
        what = f"reference table against crapssim {version('crapssim')}, molly + 2x odds, {house}"
        rows.append((what, f"{median(ratios):.1f} times", "at least 3"))
    for house in houses():
        took = best_of_five(compile_all(house))
        rows.append((f"compile {house}", f"{took * 1000:.0f} ms", "under 300 ms"))
    rows.append(("boxman --help", f"{best_of_five(run_help):.2f} s", "under 0.5 s"))
    rows.append(("boxman odds, cold process", f"{best_of_five(run_odds):.2f} s", "under 1 s"))
    rows.append(("every wager of five houses", f"{best_of_five(solve_all):.2f} s", "under 2 s"))
    rows.append(("the largest machine, all", f"{best_of_five(solve_largest):.2f} s", "under 1 s"))
    with tempfile.TemporaryDirectory() as folder:
        short, long = Path(folder) / "short.craps", Path(folder) / "long.craps"
        write_transcript(short, 10_000)
        write_transcript(long, 100_000)
        took = min(replay(long)[0] for _ in range(5))
        grown = replay(long)[1] - replay(short)[1]
    rows.append(("replay of 100,000 lines", f"{took:.1f} s", "under 30 s"))
    rows.append(("memory of 100,000 lines over 10,000", f"{grown / 1024:.1f} MB", "none"))
    rows += journal.rows()
    rows += pit.rows()
    rows += felt.rows()
    rows += strategies.rows()
    rows += solve.rows()
    write(rows)


def write(rows: list[tuple[str, str, str]]) -> None:
    lines = [
        "# Performance",
        "",
        f"Measured by `make bench` on {date.today()}: {platform.machine()}, "
        f"{os.cpu_count()} cores, Python {platform.python_version()}. Ratios are medians of "
        f"{REPEATS} (simulations: {strategies.ROUNDS}) interleaved rounds in one run, thread CPU "
        "time; absolute figures are the best of five. Simulations: house rws, chip 1, guest "
        "shooter, bankroll 500, at most 200 rolls a session, with all figures that "
        "`boxman simulate` prints; "
        f"{', '.join(f'{name} {version(name)}' for name in ('numpy', 'numba', 'crapssim'))}.",
        "",
        "| what | measured | wanted |",
        "|---|---|---|",
    ]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    text = "\n".join(lines) + "\n"
    print(text)
    (ROOT / "docs" / "performance.md").write_text(text)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory of this process: {peak / 1024:.0f} MB")


if __name__ == "__main__":
    main()
