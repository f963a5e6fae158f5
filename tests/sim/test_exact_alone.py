"""Exact sessions against a game written down here once more, with nothing of the engine in it.

Pass line and odds are what every book says they are: so the whole distribution of a session can be
followed with a dictionary of (point, what is up, cash), and a run-out can be worked out by hand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from boxman.sim.exact import Solved, bankroll_for, explored, solve
from boxman.sim.run import simulate
from boxman.strategy.api import strategy
from boxman.strategy.library import named
from boxman.strategy.session import session
from boxman.strategy.spots import FIELD
from tests.limits import FIVES

WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}
POINTS = (4, 5, 6, 8, 9, 10)
ODDS = {4: (2, 1), 5: (3, 2), 6: (6, 5), 8: (6, 5), 9: (3, 2), 10: (2, 1)}
"""What a unit of odds wins."""
Spread = dict[int, float]


class Alone:
    """Sessions of the pass line, its stake a function of a level that follows the results."""

    def __init__(self, bankroll: int, rolls: int, odds: int, levels: int = 1) -> None:
        self.bankroll, self.rolls, self.odds, self.levels = bankroll, rolls, odds, levels
        self.nets: Spread = defaultdict(float)
        self.up: dict[tuple[int, int, int], Spread] = defaultdict(lambda: defaultdict(float))
        """Left at the end, by point, line and odds: probability by cash."""
        self.broke = self.thrown = 0.0
        self.broke_by: list[float] = []
        self.play()

    def act(self, point: int, line: int, odds: int, cash: int, level: int) -> Any:
        """The line where there is none, then odds; what cannot be paid for is not made."""
        short = False
        if not line and not point:
            stake = 10 * 2**level
            short = cash < stake
            if not short:
                line, cash = stake, cash - stake
        if point and line and not odds and self.odds and cash >= self.odds * line:
            odds, cash = self.odds * line, cash - self.odds * line
        return None if short and not line else (point, line, odds, cash, level)

    def play(self) -> None:
        live = {(0, 0, 0, self.bankroll, 0): 1.0}
        for _ in range(self.rolls):
            acted: dict[Any, float] = defaultdict(float)
            for (*felt, cash, level), chance in live.items():
                after = self.act(*felt, cash, level)
                if after is None:
                    self.broke += chance
                    self.nets[cash - self.bankroll] += chance
                else:
                    acted[after] += chance
            self.broke_by.append(self.broke)
            self.thrown += sum(acted.values())
            live = defaultdict(float)
            for (point, line, odds, cash, level), chance in acted.items():
                for total, ways in WAYS.items():
                    part = chance * ways / 36
                    live[self.roll(point, line, odds, cash, level, total)] += part
        for (point, line, odds, cash, _), chance in live.items():
            self.nets[cash + line + odds - self.bankroll] += chance
            self.up[point, line, odds][cash] += chance

    def roll(self, point: int, line: int, odds: int, cash: int, level: int, total: int) -> Any:
        won, lost = (0, 0, 0, cash + 2 * line, 0), (0, 0, 0, cash, (level + 1) % self.levels)
        if not point:
            if total in (7, 11):
                return won
            return lost if total in (2, 3, 12) else (total, line, odds, cash, level)
        if total == point:
            by, for_ = ODDS[point]
            return (0, 0, 0, cash + 2 * line + odds + odds * by // for_, 0)
        return lost if total == 7 else (point, line, odds, cash, level)

    def run_out(self) -> Spread:
        """The nets when everything still up was decided by the dice."""
        found: Spread = defaultdict(float)
        for net, chance in self.nets.items():
            found[net] += chance
        for (point, line, odds), spread in self.up.items():
            wins = WAYS[point] / (WAYS[point] + 6) if point else 0.0
            by, for_ = ODDS.get(point, (0, 1))
            for cash, chance in spread.items():
                if line:
                    found[cash + line + odds - self.bankroll] -= chance
                    paid = 2 * line + odds + odds * by // for_
                    found[cash + paid - self.bankroll] += chance * wins
                    found[cash - self.bankroll] += chance * (1 - wins)
        return found


def same(solved: Solved, wanted: Spread) -> None:
    """Every probability, in minor units on one side and whole units on the other."""
    expected = {net * 100: chance for net, chance in wanted.items() if chance > 1e-15}
    found = {net: chance for net, chance in solved.nets.items() if chance > 1e-15}
    assert found.keys() == expected.keys()
    for net, chance in expected.items():
        assert found[net] == pytest.approx(chance, abs=1e-12)
    assert abs(solved.mass - 1) < 1e-12


CASES = [
    ("pass-odds(unit=10, odds=2)", 300, 80, lambda b, n: Alone(b, n, odds=2)),
    ("pass-odds(unit=10, odds=2)", 45, 40, lambda b, n: Alone(b, n, odds=2)),
    ("martingale(unit=10, doublings=2)", 90, 60, lambda b, n: Alone(b, n, odds=0, levels=3)),
]


@pytest.mark.parametrize(("name", "bankroll", "rolls", "alone"), CASES)
def test_the_whole_distribution(
    name: str, bankroll: int, rolls: int, alone: Callable[[int, int], Alone]
) -> None:
    played = session("rws", bankroll=bankroll, rolls=rolls, end="face")
    solved, other = solve(explored(named(name), played), played), alone(bankroll, rolls)
    same(solved, other.nets)
    assert solved.ends["broke"] == pytest.approx(other.broke, abs=1e-12)
    assert solved.rolls == pytest.approx(other.thrown, abs=1e-9)
    assert solved.broke_by == pytest.approx(other.broke_by, abs=1e-12)
    mean = sum(net * chance for net, chance in other.nets.items())
    assert solved.mean / 100 == pytest.approx(mean, abs=1e-9)
    hourly = -mean / other.thrown * played.rolls_per_hour
    assert solved.loss_an_hour(played.rolls_per_hour) / 100 == pytest.approx(hourly, abs=1e-9)
    run_out = msgspec.structs.replace(played, end="run-out")
    spread = other.run_out()
    same(solve(explored(named(name), run_out), run_out), spread)
    # What is still up is worth what it comes to.
    valued = session("rws", bankroll=bankroll, rolls=rolls)
    mean = solve(explored(named(name), valued), valued).mean
    assert mean / 100 == pytest.approx(sum(net * p for net, p in spread.items()), abs=1e-9)


def test_the_bankroll_for_survival_is_the_least_here_too() -> None:
    played = session("rws", bankroll=100, rolls=60)
    needed = bankroll_for(explored(named("pass-odds(unit=10, odds=2)"), played), played, 0.95)
    assert needed is not None
    units = needed // 100
    assert Alone(units, 60, odds=2).broke <= 0.05 < Alone(units - 1, 60, odds=2).broke


def test_a_line_run_out_after_one_roll_is_the_line() -> None:
    """244 of 495: the oldest sum in craps."""
    played = session("rws", rolls=1, end="run-out")
    solved = solve(explored(named("pass(unit=10)"), played), played)
    assert solved.nets == pytest.approx({10_00: 244 / 495, -10_00: 251 / 495}, abs=1e-14)


OPTIONS: list[tuple[str, str, dict[str, Any]]] = [
    ("molly", "rws", {"bankroll": 80, "rolls": 30}),
    ("mix", "adelaide", {"rolls": 50, "stop_win": 100, "stop_loss": 100}),
    ("iron-cross", "perth-crapless", {"rolls": 30, "shooters": 2}),
    ("small", "perth-crapless", {"rolls": 12}),
    ("lay-4-10", "newzealand", {"rolls": 30}),
    ("pass-odds", "nsw", {"rolls": 30, "shooter": "self"}),
]


@pytest.mark.parametrize(("name", "house", "options"), OPTIONS)
def test_a_run_out_has_the_mean_that_the_odds_give_it(
    name: str, house: str, options: dict[str, Any]
) -> None:
    """What wagers are worth comes from `odds`, their run-out from the table: one mean."""
    played = session(house, end="run-out", **{**FIVES, **options})
    automaton = explored(named(name), played)
    solved = solve(automaton, played)
    assert abs(solved.mass - 1) < 1e-11
    valued = solve(automaton, msgspec.structs.replace(played, end="value"))
    assert solved.mean == pytest.approx(valued.mean, abs=1e-6)
    assert solved.ends == pytest.approx(valued.ends, abs=1e-12)
    result = simulate(named(name), played, sessions=4_000, seed=11, executor="numpy")
    assert abs(result.mean - solved.mean) < 4.5 * result.error
    assert result.deviation == pytest.approx(solved.deviation, rel=0.1)


@strategy
def field(t: Any) -> None:
    t.bet(FIELD, 10)


@pytest.mark.parametrize("end", ["face", "value", "run-out"])
def test_a_session_nobody_throws_in_ends_with_what_was_put_down(end: str) -> None:
    """A field bet makes nobody the shooter at Resorts World: it lies there, at face."""
    played = session("rws", shooter="self", end=end)
    solved = solve(explored(field, played), played)
    assert (solved.nets, solved.rolls, solved.ends["no shooter"]) == ({0: 1.0}, 0, 1)
    # The field costs 2/36 of the stake there.
    assert solved.mean == pytest.approx(-1000 * 2 / 36 if end == "value" else 0)
    for executor in ("numpy", "numba", "reference"):
        result = simulate(field, played, sessions=5, seed=1, executor=executor)
        assert (result.nets, result.ended("no shooter")) == ((0,), 5), executor
        assert result.mean == pytest.approx(solved.mean), executor


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "house"),
    [
        ("make-em-all", "perth-crapless"),
        ("crapless-across", "perth-crapless"),
        ("across-press", "perth-crapless"),
        ("across-press", "nsw"),
    ],
)
def test_what_takes_long_to_explore_is_solved_all_the_same(name: str, house: str) -> None:
    played = session(house, **FIVES, rolls=100)
    solved = solve(explored(named(name), played), played)
    assert abs(solved.mass - 1) < 1e-12
    result = simulate(named(name), played, sessions=200_000, seed=11)
    assert abs(result.mean - solved.mean) < 4.5 * result.error
    chance = solved.ends["broke"]
    spread = (chance * (1 - chance) / result.sessions) ** 0.5
    assert abs(result.ruin - chance) < 4.5 * spread + 1e-9
