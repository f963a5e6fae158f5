"""The library: at every house, explored, held to published figures, found by name."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from boxman.cli import app
from boxman.dice import KINDS, ROLLS, parse_roll
from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.sim.run import simulate
from boxman.strategy.api import StrategyError
from boxman.strategy.automaton import explore
from boxman.strategy.explore import Explorer, TooLarge, Unbounded
from boxman.strategy.felt import Felts
from boxman.strategy.library import ENTRIES, PAGES, find, load_file, named, names
from boxman.strategy.library.taking import why_not
from boxman.strategy.quick import play_quick
from boxman.strategy.reference import play
from boxman.strategy.session import session
from boxman.strategy.text import read
from tests.limits import FIVES
from tests.strategy.deep import Deep

READS_BANKROLL = {"percent"}
LARGE = {"make-em-all", "bonus", "hot-hand", "repeaters"}
"""A thousand sets of numbers collected, times the points."""


@pytest.fixture(autouse=True)
def deep_rails_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the poor do takes long to explore; test_explore.py is about them."""
    monkeypatch.setattr(Explorer, "_poor", lambda explorer: None)


def rolls(seed: int) -> Iterator[int]:
    source = random.Random(seed)
    while True:
        yield source.randrange(36)


def dice(text: str) -> Iterator[int]:
    return iter([ROLLS.index(parse_roll(each)) for each in text.split()])


def said(name: str, house: str, throws: str, bankroll: int = 5000) -> list[list[str]]:
    """What a strategy said before each of these rolls, in the notation without the name."""
    played = play(
        find(name),
        session(house, **FIVES, bankroll=bankroll, rolls=len(throws.split())),
        dice(throws),
        keep_lines=True,
    )
    turns: list[list[str]] = [[]]
    for line in played.transcript().splitlines()[2:]:
        if line.startswith("stick calls"):
            turns.append([])
        elif line.startswith("ann "):
            turns[-1].append(line.removeprefix("ann "))
    return turns[:-1]


def bets(name: str, house: str, throws: str, spot: str) -> list[int]:
    """The stakes a strategy put on one spot, turn by turn; 0 where it made no wager."""
    found = []
    for turn in said(name, house, throws):
        made = [line.split() for line in turn if line.startswith("bets") and line.endswith(spot)]
        found.append(int(made[0][1]) if made and made[0][2] == spot else 0)
    return found


# -- every house -------------------------------------------------------------------------------


@pytest.mark.parametrize("house", houses())
def test_no_strategy_is_refused_anything_it_can_afford(house: str) -> None:
    layout = load(house)
    played = session(house, **FIVES, bankroll=100_000, rolls=120)
    felts = Felts(played, by_faces=True)
    for name, entry in ENTRIES.items():
        staked = 0
        for seed in range(3):
            result = play_quick(entry.make(), played, rolls(seed), felts=felts)
            assert not result.refusals, f"{name}: {result.refusals}"
            staked += result.staked
        assert bool(staked) or why_not(name, entry.groups, layout), f"{name} is silent at {house}"


def test_a_house_says_which_it_cannot_take() -> None:
    """For want of wagers it does not offer, or that its settings leave out, with the clauses."""
    for house in houses():
        layout = load(house)
        result = CliRunner().invoke(app, ["strategies", "--house", house, "--json"])
        told = {row["name"]: row.get("why_not", "") for row in json.loads(result.stdout)}
        for name, entry in ENTRIES.items():
            assert bool(told[name]) == (not set(entry.needs) <= layout.spots.keys())
            assert all(f"{{{clause}}}" in told[name] for clause in layout.listed) or not told[name]
    refused = CliRunner().invoke(app, ["simulate", "bonus", "--house", "nsw", "--sessions", "5"])
    assert refused.exit_code == 2
    assert "bonus(unit=5) needs small, tall, all, which New South Wales" in refused.stderr
    with pytest.raises(StrategyError, match="bets on small or tall and on nothing else"):
        simulate(read("bet about 5 small and tall"), session("nsw", **FIVES, rolls=2), 5)
    simulate(
        read("bet about 5 small and field"),
        session("nsw", **FIVES, rolls=2),
        5,
        executor="reference",
    )


@pytest.mark.parametrize("house", houses())
@pytest.mark.parametrize("chip", ["0.50", "5"])
def test_other_chips_and_limits_refuse_nothing_either(house: str, chip: str) -> None:
    played = session(house, bankroll=100_000, rolls=60, chip=chip, minimum=15, maximum=300)
    felts = Felts(played, by_faces=True)
    for name, entry in ENTRIES.items():
        result = play_quick(entry.make(), played, rolls(11), felts=felts)
        assert not result.refusals, f"{name}: {result.refusals}"


@pytest.mark.parametrize("house", houses())
def test_a_short_rail_is_all_that_is_ever_refused(house: str) -> None:
    played = session(house, **FIVES, bankroll=83, rolls=80)
    felts = Felts(played, by_faces=True)
    for name, entry in ENTRIES.items():
        for seed in range(3):
            result = play_quick(entry.make(), played, rolls(seed), felts=felts)
            assert {each.code for each in result.refusals} <= {"rail-short"}, name
            assert result.rail >= 0


@pytest.mark.parametrize("house", houses())
def test_all_but_those_named_explore(house: str) -> None:
    played = session(house, **FIVES, bankroll=1000)
    felts = Felts(played)
    for name, entry in ENTRIES.items():
        if why_not(name, entry.groups, load(house)):
            continue
        if name in READS_BANKROLL:
            with pytest.raises(Unbounded, match=r"t\.cash"):
                explore(entry.make(), played, felts=felts)
        elif name in LARGE:
            with pytest.raises(TooLarge):
                explore(entry.make(), played, states=1500, felts=felts)
        else:
            assert len(explore(entry.make(), played, states=1500, felts=felts).felt)


def test_the_quick_executor_and_the_reference_agree_on_the_library() -> None:
    for house in houses():
        played = session(house, **FIVES, bankroll=300, rolls=60)
        for name, entry in ENTRIES.items():
            slow = play(entry.make(), played, rolls(5))
            quick = play_quick(entry.make(), played, rolls(5), felts=Felts(played, by_faces=True))
            assert (slow.worth, slow.rail, slow.rolls, slow.staked, slow.end) == (
                quick.worth,
                quick.rail,
                quick.rolls,
                quick.staked,
                quick.end,
            ), f"{name} at {house}"


# -- published figures -------------------------------------------------------------------------

COME_OUTS = Fraction(165, 557)
"""Come-outs a roll: a pass decision takes 557/165 = 3.376 rolls."""
CRAPLESS_COME_OUTS = Fraction(2310, 9613)
WEIGHTS = np.array([kind.ways for kind in KINDS]) / 36


def per_roll(made: Deep) -> tuple[float, float]:
    """What a roll is expected to bring in the long run, and what is staked for it."""
    count = made.states
    moves = np.zeros((count, count))
    for kind, weight in enumerate(WEIGHTS):
        np.add.at(moves, (np.arange(count), made.next[:, kind]), weight)
    system = np.vstack([moves.T - np.eye(count), np.ones(count)])
    share = np.linalg.lstsq(system, np.append(np.zeros(count), 1), rcond=None)[0]
    return share @ (made.change @ WEIGHTS) / 100, share @ (made.staked @ WEIGHTS) / 100


def expected(name: str, house: str, **options: int) -> tuple[float, float]:
    return per_roll(
        Deep(explore(named(name), session(house, bankroll=1000, **{**FIVES, **options})))
    )


EVEN = 1 - COME_OUTS
"""Rolls with a point on."""
PUBLISHED = [
    # Casino Dealer's Website: pass 1.414 % of 244 against 251 in 495, 0.42 % a roll.
    ("pass", "rws", -10 * Fraction(7, 495) * COME_OUTS),
    # True odds: what is put behind the line changes nothing.
    ("pass-odds(odds=3)", "rws", -10 * Fraction(7, 495) * COME_OUTS),
    ("pass-max-odds", "rws", -10 * Fraction(7, 495) * COME_OUTS),
    # Don't pass, a bar counted: 1.3636 %, 0.40 % a roll.
    ("dont", "rws", -10 * Fraction(3, 220) * COME_OUTS),
    ("dont", "nsw", -10 * Fraction(3, 220) * COME_OUTS),
    ("dont-lay", "rws", -10 * Fraction(3, 220) * COME_OUTS),
    # Scoblete: the doey-don't loses one come-out in 36, 2.78 %.
    ("doey-dont(odds=0)", "rws", -10 * Fraction(1, 36) * COME_OUTS),
    ("doey-dont(odds=2)", "rws", -10 * Fraction(1, 36) * COME_OUTS),
    # Scoblete: 64 across wins 360 and loses 384 in 36 rolls.
    ("across", "rws", Fraction(360 - 384, 36) * EVEN),
    # Place 6 and 8: 1.52 % a decision, 0.46 % a roll of each 12.
    ("place-6-8", "rws", -24 * Fraction(1, 216) * EVEN),
    # Grochowski: 1.136 % of the 22 (here 44) a roll where the field pays 12 at 3 to 1.
    (
        "iron-cross",
        "perth-crapless",
        -44 * Fraction(1, 88) * (1 - CRAPLESS_COME_OUTS),
    ),
    # With 2 to 1 on both ends the field costs 5.56 % instead of 2.78 %.
    ("iron-cross", "rws", -(44 * Fraction(1, 88) + 10 * Fraction(1, 36)) * EVEN),
    # Crapless pass: 5.382 %.
    ("pass", "perth-crapless", -10 * Fraction(373, 6930) * CRAPLESS_COME_OUTS),
    ("crapless-molly(odds=0)", "perth-crapless", None),
    # Hardways 2.78 % a roll each (11.11 % and 9.09 % a decision), off before a point.
    ("mix(hard=5)", "rws", -(Fraction(24, 216) + 20 * Fraction(1, 36)) * EVEN - Fraction(5, 18)),
    # Buy at 5 % of the stake: a decision costs the fee, 1 on 20; 4 is decided in 9 rolls of 36.
    ("buy-4-10", "rws", -2 * Fraction(9, 36) * EVEN),
]


@pytest.mark.parametrize(("name", "house", "value"), PUBLISHED)
def test_expectations_a_roll_are_the_published_ones(
    name: str, house: str, value: Fraction | None
) -> None:
    result, staked = expected(name, house)
    if value is None:
        value = Fraction(-373, 6930) * Fraction(staked)
    assert result == pytest.approx(float(value), rel=1e-9)


@pytest.mark.parametrize(
    ("name", "edge"),
    [
        # No order of stakes changes what a wager costs: the edge times all that is staked.
        *((name, Fraction(7, 495)) for name in ("martingale", "fibonacci", "paroli", "dalembert")),
        ("molly(odds=0)", Fraction(7, 495)),
        ("molly(odds=0, comes=4)", Fraction(7, 495)),
        ("field-parlay", Fraction(1, 18)),
        ("dice-doctor", Fraction(1, 18)),
    ],
)
def test_no_progression_changes_the_edge(name: str, edge: Fraction) -> None:
    result, staked = expected(name, "rws")
    assert staked > 0
    assert result == pytest.approx(float(-edge) * staked, rel=1e-9)


def test_odds_change_nothing_of_what_molly_costs() -> None:
    assert expected("molly(odds=2)", "rws")[0] == pytest.approx(
        expected("molly(odds=0)", "rws")[0], rel=1e-9
    )
    assert expected("dolly(odds=2)", "rws")[0] == pytest.approx(
        expected("dolly(odds=0)", "rws")[0], rel=1e-9
    )


@pytest.mark.parametrize("name", ["small", "tall"])
def test_small_and_tall_lose_what_the_wizard_says(name: str) -> None:
    # Wizard of Odds: five low (or high) numbers before a seven 0.026354; at 30 to 1 18.30 %.
    result, staked = expected(name, "perth-crapless")
    assert result / staked == pytest.approx(float(31 * Fraction(20049, 760760) - 1), rel=1e-9)


# -- what they do, turn by turn ----------------------------------------------------------------


def test_martingale_doubles_and_begins_again() -> None:
    throws = "1-1 1-2 6-6 1-1 1-2 1-1 5-6"
    assert bets("martingale", "rws", throws, "pass") == [10, 20, 40, 80, 160, 10, 20]
    assert bets("martingale(doublings=1)", "rws", throws, "pass")[:4] == [10, 20, 10, 20]


def test_fibonacci_goes_one_on_and_two_back() -> None:
    throws = "1-1 1-1 1-1 1-1 5-6 5-6 5-6 1-1"
    assert bets("fibonacci", "rws", throws, "pass") == [10, 10, 20, 30, 50, 20, 10, 10]
    assert bets("fibonacci(steps=3)", "rws", "1-1 1-1 1-1 1-1", "pass") == [10, 10, 20, 10]


def test_paroli_and_dalembert() -> None:
    assert bets("paroli", "rws", "5-6 5-6 5-6 5-6 1-1 5-6", "pass") == [10, 20, 40, 10, 20, 10]
    assert bets("dalembert(most=3)", "rws", "1-1 1-1 1-1 5-6 5-6 5-6", "pass") == (
        [10, 20, 30, 30, 20, 10]
    )


def test_a_field_parlay_rides_with_its_winnings() -> None:
    # 10 wins 10; 20 at 2 to 1 on the twelve makes 60; then it begins again; a loss as well.
    assert bets("field-parlay", "rws", "1-2 6-6 4-5 3-3 1-2", "field") == [10, 20, 60, 10, 10]


def test_molly_covers_three_numbers_with_odds() -> None:
    assert said("molly", "rws", "2-2 3-3 4-4 3-2 1-3") == [
        ["bets 10 pass"],
        ["bets 10 come", "bets 20 pass.odds"],
        ["bets 10 come", "bets 20 come.odds.6"],
        ["bets 20 come.odds.8"],
        [],
    ]


def test_molly_takes_what_odds_the_house_allows() -> None:
    # New Zealand by default: once the flat, 15 behind a 10 where that is paid exactly.
    assert said("molly(odds=2, comes=1)", "newzealand", "2-2 3-3 3-2") == [
        ["bets 10 pass"],
        ["bets 10 come", "bets 10 pass.odds"],
        ["bets 10 come.odds.6"],
    ]


def test_dolly_lays_more_where_it_must_be_paid_exactly() -> None:
    # Six is laid 6 for 5: 20 is no multiple of 6, 24 is.
    assert said("dolly", "rws", "2-2 3-3 4-5") == [
        ["bets 10 dont_pass"],
        ["bets 10 dont_come", "bets 20 dont_pass.odds"],
        ["bets 10 dont_come", "bets 24 dont_come.odds.6"],
    ]


def test_inside_press_goes_up_twice_and_starts_over_after_the_seven() -> None:
    assert (
        bets("inside-press", "rws", "2-2 3-3 3-3 3-3 3-4 2-2 1-1", "place.6")
        == ([0, 12, 24, 36, 36, 0, 12])[:7]
    )


def test_inside_regress_lowers_the_others_after_the_first_hit() -> None:
    turns = said("inside-regress", "rws", "2-2 3-3 1-1")
    assert turns[1] == ["bets 30 place.5", "bets 36 place.6", "bets 36 place.8", "bets 30 place.9"]
    assert turns[2] == [
        "lowers place.5 to 10",
        "bets 12 place.6",
        "lowers place.8 to 12",
        "lowers place.9 to 10",
    ]


def test_press_regress_doubles_and_goes_back() -> None:
    assert bets("press-regress", "rws", "2-2 3-3 3-3 3-3 1-1", "place.6") == [0, 12, 24, 12, 24]


def test_hammerlock_shifts_inside_and_comes_down() -> None:
    turns = said("hammerlock", "rws", "3-1 4-2 4-2 3-2")
    assert turns[1] == ["bets 24 place.6", "bets 24 place.8", "bets 60 dont_pass.odds"]
    assert turns[2] == [
        "takes down place.8",
        "bets 10 place.5",
        "bets 12 place.6",
        "bets 12 place.8",
        "bets 10 place.9",
    ]
    assert turns[3] == ["takes down place.5", "takes down place.8", "takes down place.9"]


def test_risk_12_spends_what_this_shooter_won() -> None:
    # The purse: 12, then pass -5 and field +5, then field +5: 17 less 5 on the line buys both.
    assert said("risk-12", "rws", "2-1 5-5 3-1")[2] == ["bets 6 place.6", "bets 6 place.8"]
    # 12 less 5 for the field: 7 less 5 on the line buys nothing.
    assert said("risk-12", "rws", "4-4 3-1")[1] == []


def test_hedges_cover_what_they_say() -> None:
    assert said("pass-any-craps", "rws", "2-2")[0] == ["bets 10 pass", "bets 5 any_craps"]
    assert said("dont-place", "rws", "3-3 1-1")[1] == ["bets 12 place.6"]
    assert said("dont-place", "rws", "2-2 1-1")[1] == []
    assert said("knockout", "rws", "3-3 1-1")[1] == ["bets 50 pass.odds"]


def test_bonus_bets_are_made_once_and_again_after_they_are_lost() -> None:
    turns = said("bonus", "perth-crapless", "3-4 1-1 1-2 3-4 1-1")
    every = ["bets 5 small", "bets 5 tall", "bets 5 all"]
    assert turns == [every, every, [], [], every]


# -- finding -----------------------------------------------------------------------------------


def test_every_entry_is_complete() -> None:
    for name, entry in ENTRIES.items():
        assert name == name.lower()
        assert len(entry.summary) > 20
        assert entry.needs
        made = entry.make()
        assert made.name == entry.call
        assert named(made.name).name == made.name
    assert sorted(names()) == sorted(ENTRIES)
    assert {entry.maker.__module__ for entry in ENTRIES.values()} == {p.__name__ for p in PAGES}


def test_every_spot_needed_is_offered_somewhere() -> None:
    offered = {spot for house in houses() for spot in load(house).spots}
    for entry in ENTRIES.values():
        assert set(entry.needs) <= offered, entry.name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("moly", "no strategy is called moly; did you mean molly?"),
        ("qqq", "no strategy is called qqq; the library has: "),
        ("molly(uint=25)", "molly has no parameter uint; did you mean unit?"),
        ("molly(zzz=25)", "molly has no parameter zzz; it has unit, odds, comes"),
        ("molly(25)", "molly: 25 is not a parameter; write name=whole number, like molly(unit=25)"),
        ("molly(unit=2.5)", "molly: unit=2.5 is not a parameter; "),
        ("molly(unit=5, unit=6)", "molly: unit is given twice"),
        ("molly(unit=-5)", "molly: unit is -5; it may be 0 to 1000000"),
        ("molly(", "molly( is not a strategy; write a name, like molly(unit=25, odds=3)"),
        ("nowhere/x.py", "there is no file nowhere/x.py"),
    ],
)
def test_what_is_not_found_is_explained(text: str, message: str) -> None:
    with pytest.raises(StrategyError) as error:
        find(text)
    assert str(error.value).startswith(message)


def test_parameters_may_be_chosen_apart() -> None:
    assert find("molly(unit=25)", {"odds": 3}).name == "molly(unit=25, odds=3, comes=2)"
    assert find("PASS_ODDS").name == "pass-odds(unit=10, odds=2)"


GOOD = """
from boxman.strategy.api import strategy
from boxman.strategy.spots import FIELD

@strategy(level=0)
def mine(t):
    t.bet(FIELD, 10 + t.level)
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n", "{path} has no strategy; write @strategy above a function of t"),
        (GOOD + GOOD.replace("mine", "other"), "{path} has 2 strategies: mine, other; call the "),
        ("def f(:\n", "{path}:1:7: invalid syntax"),
        ("\n1 / 0\n", "{path}:2: ZeroDivisionError: division by zero"),
        (
            "import nothing_there\n",
            "{path}:1: ModuleNotFoundError: No module named 'nothing_there'",
        ),
    ],
)
def test_files_that_will_not_do(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(StrategyError) as error:
        load_file(path)
    assert str(error.value).startswith(message.format(path=path))


def test_a_file_gives_its_strategy(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(GOOD)
    assert load_file(path).name == "mine"
    assert find(str(path)).variables == {"level": 0}
    assert find(f"{path}(level=5)").variables == {"level": 5}
    with pytest.raises(StrategyError, match="has no variable unit; it has level"):
        find(str(path), {"unit": 1})
    path.write_text(GOOD + GOOD.replace("mine", "play"))
    assert load_file(path).name == "play"
    path.write_text(GOOD + "\nfrom boxman.strategy.library import named\n_molly = named('molly')\n")
    assert load_file(path).name == "mine"
    other = tmp_path / "mine.txt"
    other.write_text(GOOD)
    with pytest.raises(StrategyError, match=r"a \.py file, a \.strategy file or a \.policy file"):
        load_file(other)


def test_a_file_that_ends_the_program_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "leaving.py"
    path.write_text("import sys\n\nsys.exit(3)\n")
    with pytest.raises(StrategyError, match=r"leaving.py:3: SystemExit: 3"):
        load_file(path)


def strategies(*words: str) -> Result:
    return CliRunner().invoke(app, ["strategies", *words])


def test_the_command_lists_every_strategy_under_its_page() -> None:
    shown = strategies().output.splitlines()
    listed = [line.partition("  ")[0] for line in shown if line.partition("  ")[0].endswith(")")]
    assert sorted(listed) == sorted(entry.call for entry in ENTRIES.values())
    heads = [
        line.partition(":")[0]
        for n, line in enumerate(shown)
        if shown[n + 1 : n + 2] and shown[n + 1].startswith("strategy ")
    ]
    assert heads == [page.__name__.rpartition(".")[2] for page in PAGES]
    rows = json.loads(strategies("--json").output)
    assert {row["name"] for row in rows} == set(ENTRIES)
    assert len({row["page"] for row in rows}) == len(PAGES)


def test_the_command_tells_one_strategy() -> None:
    shown = strategies("Iron_Cross(unit=5)").output
    assert shown.startswith("iron-cross(unit=10, line=0)\n\n  what it does  Field, five, six")
    assert "Grochowski" in shown
    assert json.loads(strategies("molly", "--json").output)["parameters"]["odds"] == 2
    wrong = strategies("mollly")
    assert wrong.exit_code == 2
    assert "did you mean molly" in wrong.output
