"""One-roll wagers on any set of the 21 kinds of roll, as facts of a rulebook."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boxman.cli import app
from boxman.dice import BY_FACES, BY_TOTAL, KINDS, ROLLS, Roll
from boxman.odds.quote import Odds, price_list
from boxman.pit.told.aids import if_it_rolls
from boxman.pit.told.house import felt_data
from boxman.rules.book import houses, is_example
from boxman.rules.compile import load
from boxman.rules.diff import differences
from boxman.sim.run import simulate
from boxman.strategy.reference import play
from boxman.strategy.session import learn_house, opened, session
from boxman.strategy.text import read
from boxman.table.calls import Bet, CallRoll
from boxman.table.ruling import rule
from boxman.table.said.transcript import Transcript, write_result
from tests.limits import FIVES

HOUSE = str(Path(__file__).parent / "houses" / "hops.md")
PAIRS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


# -- kinds of roll -------------------------------------------------------------------------------


def test_the_rolls_that_can_be_told_apart() -> None:
    assert BY_TOTAL.kinds is KINDS
    assert len(KINDS) == 15
    assert len(BY_FACES.kinds) == len(set(map(str, BY_FACES.kinds))) == 21
    for told in (BY_TOTAL, BY_FACES):
        assert sum(kind.ways for kind in told.kinds) == 36
        for index, kind in enumerate(told.kinds):
            same = [roll for roll in ROLLS if told.index(roll) == index]
            assert len(same) == kind.ways
            assert {(roll.total, roll.hard) for roll in same} == {(kind.total, kind.hard)}
            assert told.rolls[index] in same
    assert {tuple(sorted(BY_FACES.rolls[n])) for n in range(21)} == {
        tuple(sorted(pair)) for pair in PAIRS
    }
    assert [str(BY_FACES.kinds[BY_FACES.index(Roll(*faces))]) for faces in ((3, 4), (2, 2))] == [
        "4-3",
        "hard 4",
    ]


def test_a_house_tells_apart_only_what_its_facts_do() -> None:
    for house in houses():
        if is_example(house):
            continue
        layout = load(house)
        assert layout.rolls is BY_TOTAL
        assert not any(spot.by_faces for spot in layout.spots.values())
    layout = load(HOUSE)
    assert layout.rolls is BY_FACES
    told = {spot.id for spot in layout.spots.values() if spot.by_faces}
    # 2, 3, 11, 12, a hard way, and 3-1 and 6-4 have no other faces of their total and way.
    alone = {11, 21, 31, 22, 33, 44, 55, 64, 65, 66}
    assert told == {f"hop.{10 * a + b}" for a, b in PAIRS if 10 * a + b not in alone} | {"lights"}


# -- value ---------------------------------------------------------------------------------------


def _lights(a: int, b: int) -> float:
    """Two sixes 8, a six with a five 3, with a one 2, with anything else 1."""
    other = min(a, b) if 6 in (a, b) else 0
    return {0: 0, 6: 8, 5: 3, 1: 2}.get(other, 1)


def _evens(a: int, b: int) -> float:
    if (a + b) % 2:
        return 0
    return 3 if a + b in (2, 12) else 1 if a == b else 0.8


WINS: dict[str, Callable[[int, int], float]] = {
    "any_pair": lambda a, b: 4 * (a == b),
    "hi_lo": lambda a, b: 15 * (a + b in (2, 12)),
    "over_7": lambda a, b: a + b > 7,
    "under_7": lambda a, b: a + b < 7,
    "any_seven": lambda a, b: 4 * (a + b == 7),
    "sevens": lambda a, b: 4 * (a + b == 7),
    "lights": _lights,
    "evens": _evens,
} | {
    f"hop.{10 * a + b}": lambda first, second, pair=(a, b): (
        (30 if pair[0] == pair[1] else 15) * ((max(first, second), min(first, second)) == pair)
    )
    for a, b in PAIRS
}
"""What each roll wins for one staked, 0 where it loses, by hand."""


@pytest.mark.parametrize("spot", WINS)
def test_every_wager_against_all_36_rolls(spot: str) -> None:
    pays = [Fraction(str(float(WINS[spot](*roll)))) for roll in ROLLS]
    assert Odds(load(HOUSE), spot).edge == -sum(each or -1 for each in pays) / 36


def test_prices_by_faces_and_ways_are_told_so() -> None:
    prices = price_list(load(HOUSE))
    # 8 + 2 * 3 + 2 * 2 + 6 * 1 won against 25 lost
    assert prices["lights"].edge == Fraction(25 - 24, 36)
    told = "8 to 1 on 12; 3 to 1 on 11; 2 to 1 on 6-1; 1 to 1 on 6-2, 6-3, easy 10"
    assert prices["lights"].price.pays_text == told
    told = "3 to 1 on 2, 12; 1 to 1 on hard 4, hard 6, hard 8, hard 10; 4 to 5 on easy 4, "
    assert prices["evens"].price.pays_text == told + "4-2, 5-1, 5-3, 6-2, easy 10"
    assert prices["any_pair"].price.pays_text == "4 to 1"


def test_published_edges_of_hops() -> None:
    assert f"{float(Odds(load(HOUSE), 'hop.43').edge):.2%}" == "11.11%"
    assert f"{float(Odds(load(HOUSE), 'hop.33').edge):.2%}" == "13.89%"
    assert Odds(load(HOUSE), "pass").edge == Fraction(7, 495)


@pytest.mark.parametrize("spot", WINS)
def test_the_table_pays_what_the_faces_say(spot: str) -> None:
    layout, table = opened(session(HOUSE))
    made = rule(layout, table, Bet(seat="ann", spot=spot, amount=1000))
    assert made.refusal is None
    for roll in ROLLS:
        after = rule(layout, made.after, CallRoll(first=roll.first, second=roll.second)).after
        net = after.seats["ann"].rail - table.seats["ann"].rail
        assert net == (1000 * WINS[spot](*roll) or -1000), roll


def test_a_transcript_with_hops() -> None:
    transcript = Transcript()
    lines = (
        f'house "{HOUSE}"   chip 1   limits 5-500',
        "ann buys in 100",
        "ann bets 5 hop.43     : ok {2.2}",
        "ann bets 5 hop.52     : ok {2.2}",
        "stick calls 3-4       : ann hop.43 +75 {2.2}, ann hop.52 -5 {2.2}",
        "ann bets 5 hop.34     : refused not-offered {2.2}",
        'ann bets 5 "Hop 6-1"',
        "stick calls 1-6       : ann hop.61 +75 {2.2}",
    )
    for line in lines:
        assert transcript.play(line).difference is None, line


# -- everything else that reads rows -------------------------------------------------------------


def test_pages_and_commands_read_it() -> None:
    layout = load(HOUSE)
    assert {odds.heading for odds in price_list(layout).values()} == {"Line", "One roll", "Hops"}
    drawn = {spot["id"]: spot for spot in felt_data(layout)["spots"]}
    assert sorted(drawn["hop.43"]["dice"]) == [3, 4]
    assert drawn["hop.43"]["price"] == "15 to 1"
    told = if_it_rolls(layout, opened(session(HOUSE))[1], "ann")
    assert len(told["rolls"]) == 21
    assert differences(load("nsw"), layout)
    assert not differences(layout, layout)
    shown = CliRunner().invoke(app, ["show", HOUSE, "hop.43"])
    assert shown.exit_code == 0
    assert "4-3" in shown.stdout


def test_strategies_with_hops_and_without() -> None:
    pytest.importorskip("numpy")
    from boxman.sim.exact import explored, solve

    learn_house(HOUSE, {})
    played = session(HOUSE, rolls=3)
    hops = read("bet 5 hop.43 and hop.61", "hops")
    rolls = [ROLLS.index(Roll(*faces)) for faces in ((4, 3), (5, 2), (1, 6))]
    # 75 - 5, then -5 - 5, then 75 - 5.
    assert play(hops, played, rolls).net == 130_00
    # The automaton tells 21 kinds of roll apart then. A hop keeps a ninth; 10 are staked a roll.
    answer = solve(explored(hops, played), played)
    assert answer.mean == pytest.approx(3 * 1000 * -1 / 9)
    results = [simulate(hops, played, 200, 7, who) for who in ("reference", "numpy", "numba")]
    assert len({result.digest() for result in results}) == 1
    line = read("bet 10 pass", "line")
    # Whoever leaves hops alone has an automaton as in any house, with the same figures.
    answer = solve(explored(line, played), played)
    usual = session("nsw", **FIVES, rolls=3)
    assert answer.mean == pytest.approx(solve(explored(line, usual), usual).mean)


# -- houses without hops -------------------------------------------------------------------------

CLOSES = {
    "adelaide": ("4[intro]", "4[closing]", "gap-31"),
    "newzealand": ("4.1[intro]",),
    "nsw": ("6.1[intro]",),
    "rws": ("2.1.1", "3.3 #1", "App.D intro"),
    "perth-crapless": ("4.8 (line before)",),
}
"""The clauses that close the list of wagers, by the documents."""


@pytest.mark.parametrize("house", CLOSES)
def test_a_wager_no_house_offers_is_refused_by_the_clause_that_closes_the_list(house: str) -> None:
    layout, table = opened(session(house=house, bankroll=300))
    told = " ".join(f"{{{cite}}}" for cite in CLOSES[house])
    for name in ("hop.6-5", "hop.65"):
        bet = Bet(seat=next(iter(table.seats)), spot=name, amount=1000)
        refused = rule(layout, table, bet).refusal
        assert refused is not None
        assert (refused.code, refused.cites) == ("not-offered", CLOSES[house])
        lines = (f"house {house}   limits 5-500", "ann buys in 100", f"ann bets 5 {name}")
        *_, line = Transcript().run(lines)
        assert f"refused not-offered {told}" in write_result(line)
        for command in ("odds", "show"):
            ran = CliRunner().invoke(app, [command, house, name])
            assert told in ran.stderr, command
