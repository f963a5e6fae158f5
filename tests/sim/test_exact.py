"""Exact sessions against enumeration on the reference table, arithmetic, and simulation."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, prod

import msgspec
import pytest

from boxman.dice import ROLLS
from boxman.sim.exact import bankroll_for, ruin_by_bankroll, solve, solve_in_fractions
from boxman.sim.run import simulate
from boxman.strategy.api import Strategy, strategy
from boxman.strategy.automaton import Automaton, explore
from boxman.strategy.library import named
from boxman.strategy.reference import play
from boxman.strategy.session import Session, session
from boxman.strategy.spots import ANY_SEVEN, FIELD
from tests.limits import FIVES

ONE_OF_A_TOTAL = {roll.total: number for number, roll in enumerate(ROLLS)}
WAYS = Counter(roll.total for roll in ROLLS)


@strategy
def field(t):  # type: ignore[no-untyped-def]
    t.bet(FIELD, 10)


def enumerated(chosen: Strategy, played: Session) -> dict[int, Fraction]:
    """Every sequence of totals, played on the reference table: no hardway is up, so that one roll
    of a total is as good as another."""
    nets: dict[int, Fraction] = {}
    for totals in product(WAYS, repeat=played.rolls):
        weight = Fraction(prod(WAYS[total] for total in totals), 36**played.rolls)
        result = play(chosen, played, iter([ONE_OF_A_TOTAL[total] for total in totals]))
        net = result.worth - played.bankroll
        nets[net] = nets.get(net, Fraction(0)) + weight
    return nets


SHORT = [
    # What the next bet cannot be afforded with, at every depth.
    ("pass-odds(unit=10, odds=2)", {"house": "nsw", "bankroll": 25, "rolls": 3}),
    ("molly(unit=10, odds=1)", {"house": "rws", "bankroll": 40, "rolls": 3}),
    ("martingale", {"house": "adelaide", "bankroll": 30, "rolls": 3}),
    ("iron-cross", {"house": "newzealand", "bankroll": 40, "rolls": 2}),
    ("pass-odds(unit=10, odds=1)", {"house": "perth-crapless", "bankroll": 35, "rolls": 3}),
    ("pass-odds(unit=10, odds=1)", {"house": "rws", "bankroll": 60, "rolls": 3, "stop_win": 15}),
    ("pass-odds(unit=10, odds=1)", {"house": "rws", "bankroll": 60, "rolls": 3, "stop_loss": 15}),
    ("pass-odds(unit=10, odds=1)", {"house": "rws", "bankroll": 60, "rolls": 3, "shooters": 1}),
]


@pytest.mark.parametrize(("name", "options"), SHORT, ids=lambda value: str(value))
def test_a_short_session_equals_its_enumeration(name: str, options: dict[str, object]) -> None:
    chosen, played = named(name), session(**options)  # type: ignore[arg-type]
    exact = solve_in_fractions(explore(chosen, played), played)
    assert sum(exact.values()) == 1
    assert exact == enumerated(chosen, played)


def test_the_field_is_a_walk_one_can_write_down() -> None:
    """RWS pays the field 2:1 on 2 and 12 (see its rulebook): three results a roll."""
    played = session("rws", bankroll=100, rolls=4, minimum=5)
    exact = solve_in_fractions(explore(field, played), played)
    lose, even, double = Fraction(20, 36), Fraction(14, 36), Fraction(2, 36)
    nets: dict[int, Fraction] = {}
    for wins, doubles in product(range(5), repeat=2):
        losses = 4 - wins - doubles
        if losses >= 0:
            ways = comb(4, wins) * comb(4 - wins, doubles)
            net = 1000 * (wins + 2 * doubles - losses)
            nets[net] = nets.get(net, 0) + ways * even**wins * double**doubles * lose**losses
    assert exact == nets


def test_the_mean_of_a_session_of_passes_is_the_edge() -> None:
    """With wagers at their exact value, each pass bet costs exactly 7/495 of its stake."""
    played = session("rws", bankroll=100_000, rolls=100, end="value")
    solved = solve(explore(named("pass(unit=10)"), played), played)
    assert abs(solved.mass - 1) < 1e-12
    # Bets made in 100 rolls: one at the start and one after every decision but at the end.
    made, coming_out = 0.0, {0: 1.0}
    on: dict[int, float] = {}
    ways = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
    for _ in range(100):
        made += coming_out[0]
        out = coming_out[0]
        coming_out = {0: out * 12 / 36 + sum(p * (ways[n] + 6) / 36 for n, p in on.items())}
        on = {n: on.get(n, 0) * (30 - w) / 36 + out * w / 36 for n, w in ways.items()}
    assert solved.mean == pytest.approx(-1000 * 7 / 495 * made, abs=1e-6)


def test_one_shooter_costs_what_the_books_say() -> None:
    """A hand has 1 + 67/98 ... decisions: E[net] of pass line bets until the seven-out.

    The pass line loses 7/495 a bet; a shooter makes 495/196 line bets on average (the chance that a
    bet ends by a seven-out is 196/495), so a shooter costs 7/196 = 1/28 of the unit.
    """
    played = session("rws", bankroll=100_000, rolls=5_000, shooters=1)
    solved = solve(explore(named("pass(unit=10)"), played), played)
    assert solved.mean == pytest.approx(-1000 / 28, abs=1e-6)
    # 1671/196 rolls a hand.
    assert solved.rolls == pytest.approx(1671 / 196, abs=1e-9)


def test_ruin_before_a_target_without_a_limit_of_rolls() -> None:
    """The field at even money and double: solved by hand as a small linear system."""
    played = session("rws", bankroll=30, rolls=1, stop_win=20, minimum=5)
    solved = solve(explore(field, played), played, ever=True)
    # Units: ruin at 0, target at 5 or more; p(1..4) = chance to reach the target.
    lose, even, double = Fraction(20, 36), Fraction(14, 36), Fraction(2, 36)
    unknowns = {n: Fraction(0) for n in range(1, 5)}
    matrix = []
    for n in unknowns:
        row = [Fraction(int(m == n)) for m in unknowns]
        right = Fraction(0)
        for step, chance in ((-1, lose), (1, even), (2, double)):
            if n + step >= 5:
                right += chance
            elif n + step > 0:
                row[n + step - 1] -= chance
        matrix.append([*row, right])
    for i in range(4):
        matrix[i] = [value / matrix[i][i] for value in matrix[i]]
        for j in range(4):
            if j != i:
                matrix[j] = [
                    a - matrix[j][i] * b for a, b in zip(matrix[j], matrix[i], strict=True)
                ]
    assert solved.ends["win"] == pytest.approx(float(matrix[2][4]), abs=1e-12)
    assert solved.ends["broke"] == pytest.approx(1 - float(matrix[2][4]), abs=1e-12)


def broke_with(automaton: Automaton, played: Session, chips: int) -> float:
    given = msgspec.structs.replace(played, bankroll=chips * played.chip)
    return solve(automaton, given).ends["broke"]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("pass-odds(unit=10, odds=2)", {"house": "rws", "rolls": 12}),
        ("dont-lay", {"house": "newzealand", "rolls": 12, "shooters": 2}),
        ("buy-4-10", {"house": "nsw", "rolls": 12, "chip": "0.50"}),
        ("martingale", {"house": "adelaide", "rolls": 12, "chip": 5, "shooter": "self"}),
        ("pass", {"house": "perth-crapless", "rolls": 1}),
    ],
    ids=lambda value: str(value),
)
def test_one_pass_backward_is_a_pass_forward_with_every_bankroll(
    name: str, options: dict[str, object]
) -> None:
    played = session(**options)  # type: ignore[arg-type]
    automaton = explore(named(name), played)
    ruin = ruin_by_bankroll(automaton, played)
    assert len(ruin) * played.chip >= 1_000
    for chips in range(1, len(ruin) + 3):
        found = ruin[chips - 1] if chips <= len(ruin) else 0
        assert found == pytest.approx(broke_with(automaton, played, chips), abs=1e-12), chips


def test_more_money_may_be_ruined_sooner() -> None:
    """He who has 20 cannot lay his odds behind the line, loses 10 and goes on; 30 is gone."""
    played = session("rws", rolls=2)
    automaton = explore(named("pass-odds(unit=10, odds=2)"), played)
    ruin = ruin_by_bankroll(automaton, played)
    # Broke before the second roll of two: only by a craps, with nothing left but the line.
    assert ruin[9] == pytest.approx(4 / 36)
    assert not ruin[19:].any()
    played = session("rws", rolls=3)
    ruin = ruin_by_bankroll(automaton, played)
    seven_out = sum(Fraction(ways, 36) for ways in (3, 4, 5, 5, 4, 3)) * Fraction(6, 36)
    assert ruin[19] == pytest.approx(float(Fraction(4, 36) ** 2))
    assert ruin[29] == pytest.approx(float(seven_out))
    assert ruin[29] > ruin[19]


@strategy
def greedy(t):  # type: ignore[no-untyped-def]
    t.bet(FIELD, 5)
    t.bet(ANY_SEVEN, 100)


def test_the_bankroll_that_lasts_is_enough_and_so_is_every_larger_one() -> None:
    for chosen, options in (
        (named("pass-odds(unit=10, odds=2)"), {"bankroll": 100, "rolls": 60}),
        (named("dont-lay"), {"bankroll": 500, "rolls": 15}),
        (greedy, {"bankroll": 30, "rolls": 4}),
    ):
        played = session("rws", **options)
        automaton = explore(chosen, played)
        needed = bankroll_for(automaton, played, 0.95)
        assert needed is not None
        chips = needed // played.chip
        assert (
            broke_with(automaton, played, chips) <= 0.05 < broke_with(automaton, played, chips - 1)
        )
        for more in range(chips, chips + 120, 7):
            assert broke_with(automaton, played, more) <= 0.05
    # With 60 only the field is bet, and no four rolls lose it all; 105 is in danger.
    assert broke_with(automaton, played, 60) == 0 < 0.05 < broke_with(automaton, played, 105)
    assert needed > 105_00


def test_the_bankroll_that_lasts_with_a_stop() -> None:
    played = session("rws", bankroll=100, rolls=30, stop_win=60)
    automaton = explore(named("pass"), played)
    needed = bankroll_for(automaton, played, 0.9)
    assert needed is not None
    chips = needed // played.chip
    assert broke_with(automaton, played, chips) <= 0.1 < broke_with(automaton, played, chips - 1)


def test_a_fortune_is_played_like_anything_that_lasts() -> None:
    """No row is as long as the bankroll; what nobody can lose changes no figure but the stops."""
    rich, enough = (
        session("rws", bankroll=money, rolls=20, stop_loss=150, stop_win=90)
        for money in (10**12, 20 * 60)
    )
    automaton = explore(named("molly(unit=10, odds=1)"), enough)
    for end in ("face", "run-out", "value"):
        expected, found = (
            solve(automaton, msgspec.structs.replace(played, end=end)) for played in (enough, rich)
        )
        assert expected.ends["broke"] == 0 < expected.ends["loss"]
        assert found.nets == pytest.approx(expected.nets, abs=1e-15)
        assert found.ends == pytest.approx(expected.ends, abs=1e-15)
        assert found.mean == pytest.approx(expected.mean, abs=1e-9)


def test_broke_by_never_falls() -> None:
    played = session("nsw", **FIVES, bankroll=60, rolls=40)
    solved = solve(explore(named("molly(unit=10, odds=2)"), played), played)
    assert solved.broke_by == sorted(solved.broke_by)
    assert 0 < solved.broke_by[-1] <= solved.ends["broke"] < 1
    assert abs(solved.mass - 1) < 1e-12


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("pass-odds", {"house": "nsw", "bankroll": 150}),
        ("molly", {"house": "rws", "bankroll": 200}),
        ("martingale", {"house": "adelaide", "bankroll": 300}),
        ("iron-cross", {"house": "newzealand", "bankroll": 200, "stop_win": 150}),
        ("crapless-molly", {"house": "perth-crapless", "bankroll": 200, "shooters": 3}),
    ],
    ids=lambda value: str(value),
)
def test_long_sessions_agree_with_simulation(name: str, options: dict[str, object]) -> None:
    """Mean and ruin within 4.5 standard errors: one run in 150,000 would fail by chance."""
    played = session(**options)  # type: ignore[arg-type]
    solved = solve(explore(named(name), played), played)
    assert abs(solved.mass - 1) < 1e-12
    result = simulate(named(name), played, sessions=5_000, seed=11, executor="numpy")
    assert abs(result.mean - solved.mean) < 4.5 * result.error
    chance = solved.ends["broke"]
    spread = (chance * (1 - chance) / result.sessions) ** 0.5
    assert abs(result.ruin - chance) < 4.5 * spread + 1e-9
    rolls = result.rolls / result.sessions
    assert rolls == pytest.approx(solved.rolls, rel=0.04)
