"""A session on the reference table: how it ends, what it counts, and that it can be replayed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from boxman.dice import ROLLS, parse_roll
from boxman.library import house as house_of
from boxman.rules.book import houses
from boxman.strategy.api import Strategy, StrategyError, strategy
from boxman.strategy.debug import Proposed, Thrown, steps
from boxman.strategy.ends import Ended
from boxman.strategy.felt import Felts
from boxman.strategy.library import named
from boxman.strategy.quick import play_quick
from boxman.strategy.reference import Played, TableChair, play
from boxman.strategy.session import SEAT, Session, opened, session
from boxman.strategy.spots import (
    BUY,
    C_AND_E,
    COME,
    DONT_PASS,
    FIELD,
    INDEX,
    PASS,
    PASS_ODDS,
    PLACE,
    SPOTS,
)
from boxman.strategy.view import Turn
from boxman.strategy.worth import value_of_felt
from boxman.table.said.transcript import Transcript
from tests.limits import FIVES


def numbers(text: str) -> list[int]:
    return [ROLLS.index(parse_roll(each)) for each in text.split()]


def thrown(seed: int) -> Iterator[int]:
    source = random.Random(seed)
    while True:
        yield source.randrange(36)


@strategy
def line(t: Any) -> None:
    t.bet(PASS, 10)


@strategy
def field(t: Any) -> None:
    t.bet(FIELD, 10)


def on(made: Strategy, throws: str, **options: Any) -> Played:
    return play(
        made, session(**{"house": "rws", "bankroll": 100, **FIVES, **options}), numbers(throws)
    )


# -- how it ends ---------------------------------------------------------------------------------


def test_it_ends_with_its_rolls_and_does_not_act_after_the_last() -> None:
    played = on(field, "3-2 3-2 3-2", rolls=3)
    assert (played.end, played.rolls, played.worth, played.staked) == ("rolls", 3, 70_00, 30_00)
    assert played.felt == 0


def test_it_ends_with_its_shooters() -> None:
    played = on(line, "3-3 6-1 4-4 3-4 1-1", shooters=2)
    assert (played.end, played.rolls, played.seven_outs, played.net) == ("shooters", 4, 2, -20_00)


def test_a_seven_on_the_come_out_is_no_seven_out() -> None:
    played = on(line, "6-1 6-1 6-1", rolls=3)
    assert (played.seven_outs, played.net) == (0, 30_00)


def test_stops_are_counted_at_face_where_that_is_asked_for() -> None:
    @strategy
    def both(t: Any) -> None:
        t.bet(PASS, 30)
        t.bet(FIELD, 10)

    # 4 puts 30 on the point and wins 10 in the field: worth 110.
    won = on(both, "3-1", stop_win=10, count="face")
    assert (won.end, won.rolls, won.rail, won.felt) == ("win", 1, 80_00, 30_00)
    # 5 loses the field: worth 90, with the line still up.
    lost = on(both, "3-2", stop_loss=10)
    assert (lost.end, lost.rolls, lost.rail, lost.felt) == ("loss", 1, 60_00, 30_00)
    # One short of either goes on.
    assert on(both, "3-2 3-2", stop_loss=11, rolls=2).end == "rolls"


def test_a_stop_win_is_counted_on_the_rail_once_what_may_be_is_down() -> None:
    @strategy
    def both(t: Any) -> None:
        t.bet(PASS, 30)
        t.bet(FIELD, 10)

    # 4 puts 30 on the point, a contract, and wins 10 in the field: 110 at face, 80 on the rail.
    # Another 10 in the field makes 90; then the point is made: 30 and 30, 10 and 10.
    won = on(both, "3-1 5-5 2-2", stop_win=10)
    assert (won.end, won.rolls, won.rail, won.felt) == ("win", 3, 160_00, 0)


def test_fees_come_back_with_what_is_taken_down() -> None:
    @strategy
    def buys(t: Any) -> None:
        t.bet(FIELD, 10)
        t.bet(BUY[4], 20)

    # The buy costs 20 and 1; the field wins 10 on a 3: with the buy down there are 110 again.
    won = on(buys, "2-1", stop_win=10, minimum=5)
    assert (won.end, won.rolls, won.rail, won.felt) == ("win", 1, 110_00, 0)
    # At face the fee is gone: 109.
    assert on(buys, "2-1", stop_win=10, count="face", rolls=1).worth == 109_00


def test_the_stop_checks_have_an_order() -> None:
    played = on(line, "3-3 6-1", rolls=2, shooters=1, stop_loss=10)
    assert played.end == "rolls"
    played = on(line, "3-3 6-1", rolls=3, shooters=1, stop_loss=10)
    assert played.end == "shooters"


def test_broke_is_a_wager_he_cannot_afford_with_nothing_up() -> None:
    played = on(line, "1-1 1-2", bankroll=25)
    assert (played.end, played.rolls, played.rail, played.felt) == ("broke", 2, 5_00, 0)
    assert [(r.code, r.spot, r.count) for r in played.refusals] == [("rail-short", "pass", 1)]


def test_a_wager_he_cannot_afford_is_not_made_while_others_are_up() -> None:
    @strategy
    def backed(t: Any) -> None:
        t.bet(PASS, 10)
        t.odds(2)

    # 25: the line takes 10, odds of 20 are out of reach at both turns; the 6 is made for 10.
    played = on(backed, "3-3 1-1 4-2", bankroll=25, rolls=3)
    assert (played.end, played.worth) == ("rolls", 35_00)
    assert [(r.code, r.spot, r.count) for r in played.refusals] == [("rail-short", "pass.odds", 2)]


def test_a_player_who_makes_no_wager_is_not_broke() -> None:
    @strategy
    def careful(t: Any) -> None:
        if t.cash >= 10:
            t.bet(PASS, 10)

    played = on(careful, "1-1 1-1 3-3", bankroll=25, rolls=3)
    assert (played.end, played.worth, played.rolls) == ("rolls", 5_00, 3)


def test_a_refusal_for_another_reason_is_not_broke() -> None:
    @strategy
    def clumsy(t: Any) -> None:
        t.bet(PLACE[6], 7)

    assert on(clumsy, "1-1 1-1", rolls=2).end == "rolls"


def test_dice_that_run_out_are_an_error() -> None:
    with pytest.raises(StrategyError, match="the dice ended after 2 rolls"):
        on(line, "1-1 1-1", rolls=3)


# -- what it counts ------------------------------------------------------------------------------


def test_worth_is_followed_from_check_to_check() -> None:
    # 100, 90, 100, 110, 90: the highest is 110, the deepest fall 20.
    @strategy
    def raising(t: Any) -> None:
        t.bet(FIELD, 20 if t.rolls == 3 else 10)

    played = on(raising, "3-2 3-1 3-1 3-2", rolls=4)
    assert (played.highest, played.lowest, played.drawdown) == (110_00, 90_00, 20_00)


def test_figures_by_wager() -> None:
    @strategy
    def two(t: Any) -> None:
        t.bet(PASS, 10)
        t.bet(FIELD, 10)

    # 2 pays double in the field and loses the line; 4 wins; 5 loses; 4 wins and makes the point.
    played = on(two, "1-1 3-1 3-2 2-2", rolls=4, bankroll=200)
    figures = played.wagers["field"]
    assert (figures.bets, figures.staked, figures.wins, figures.losses) == (4, 40_00, 3, 1)
    assert (figures.won, figures.lost, figures.net) == (40_00, 10_00, 30_00)
    figures = played.wagers["pass"]
    assert (figures.bets, figures.wins, figures.losses, figures.net) == (2, 1, 1, 0)
    assert played.net == sum(each.net for each in played.wagers.values()) == 30_00
    assert played.staked == 60_00


@pytest.mark.parametrize("name", ["molly", "iron-cross", "buy-4-10", "lay-4-10", "mix", "dolly"])
@pytest.mark.parametrize("house", houses())
def test_figures_by_wager_add_up_to_the_net_of_the_session(house: str, name: str) -> None:
    options = session(house, **FIVES, bankroll=700, rolls=80, end="run-out")
    for seed in range(3):
        played = play(named(name), options, thrown(seed))
        up = played.felt
        assert up == 0 or played.run_out == 1000
        assert played.net == sum(each.net for each in played.wagers.values())


def test_refusals_come_with_their_clauses_and_first_sentence() -> None:
    @strategy
    def clumsy(t: Any) -> None:
        t.bet(PLACE[6], 7 + t.rolls)

    played = on(clumsy, "1-1 1-1 1-1", rolls=3)
    (refused,) = played.refusals
    assert (refused.code, refused.spot, refused.count) == ("not-payable", "place.6", 3)
    assert refused.cites
    assert refused.sentence.startswith("7 on ")


# -- wagers still up -----------------------------------------------------------------------------


def test_run_out_goes_on_with_the_same_dice_and_without_the_strategy() -> None:
    played = on(line, "3-3 1-1 5-1 1-1", rolls=1, end="run-out")
    assert (played.rolls, played.run_out, played.worth, played.felt) == (1, 2, 110_00, 0)
    assert (played.end, played.staked, played.highest) == ("rolls", 10_00, 100_00)


def test_run_out_lets_go_of_what_was_to_stay_up() -> None:
    @strategy
    def stays(t: Any) -> None:
        t.bet(PASS, 10)
        if t.puck:
            t.bet(PLACE[6], 12)
            t.stay_up(PLACE[6])

    # 4 is the point; 6 wins 14 and the wager is made again; the session ends; 6 wins again and
    # comes down; 4 makes the point.
    played = on(stays, "3-1 5-1 5-1 2-2", rolls=2, end="run-out", house="nsw")
    assert played.wagers["place.6"].bets == 2
    assert (played.run_out, played.net) == (2, 14_00 + 14_00 + 10_00)


@pytest.mark.parametrize(
    ("point", "edge"),
    [("3-1", Fraction(-1, 3)), ("4-1", Fraction(-1, 5)), ("4-2", Fraction(-1, 11))],
)
def test_value_of_a_line_on_its_point(point: str, edge: Fraction) -> None:
    # With 3, 4 or 5 ways to make it and 6 to lose it.
    played = on(line, point, rolls=1, end="value")
    assert (played.worth, played.felt) == (100_00, 10_00)
    assert played.value == 10_00 * edge


def test_value_of_odds_is_their_face() -> None:
    @strategy
    def backed(t: Any) -> None:
        t.bet(PASS, 10)
        t.odds(2)

    played = on(backed, "4-2 1-1", rolls=2, end="value")
    assert (played.felt, played.value) == (30_00, 10_00 * Fraction(-1, 11))


@pytest.mark.parametrize("house", houses())
def test_value_of_a_fresh_wager_is_what_odds_says(house: str) -> None:
    """Every spot that may be bet on the come-out, against the exact expectation of `odds`."""
    played = session(house, **FIVES, bankroll=5000)
    prices = house_of(house)
    felts = Felts(played)
    valued = 0
    for number, spot in enumerate(SPOTS):
        seat = TableChair(played)
        turn = Turn(seat, {})
        stake = turn.fit(number, 60)
        if not stake or not turn.bet(number, stake):
            continue
        valued += 1
        felt, _ = felts.of(seat.table)
        quoted = prices.at_stake(spot, 100 * stake)
        worth = -quoted.edge
        if any(cell and cell.verdict == "bar" for cell in seat.layout.spots[spot].stays[0]):
            worth /= 1 - quoted.push  # quoted as over, but a barred wager stands and goes on
        # A commission paid with the bet is gone already and is no part of what the wager is worth.
        fee = seat.seat.wagers[spot].fee
        assert value_of_felt(felts, felt) == worth * stake * 100 + fee, spot
    assert valued > 15


def test_a_wager_called_off_for_good_is_worth_its_face() -> None:
    played = session("nsw", **FIVES, bankroll=500)
    seat = TableChair(played)
    turn = Turn(seat, {})
    turn.bet(PASS, 10)
    seat.roll(numbers("3-1")[0])
    turn.bet(PLACE[6], 12)
    felts = Felts(played)
    before = value_of_felt(felts, felts.of(seat.table)[0])
    assert turn.turn_off(PLACE[6])
    after = value_of_felt(felts, felts.of(seat.table)[0])
    assert before < after


# -- who shoots ----------------------------------------------------------------------------------


def test_the_guest_throws_for_everybody() -> None:
    assert on(field, "3-2 3-2", rolls=2).rolls == 2


@pytest.mark.parametrize("house", ["adelaide", "rws", "perth-crapless"])
def test_without_a_line_wager_nobody_throws_where_the_house_waits(house: str) -> None:
    played = on(field, "3-2 3-2", rolls=2, shooter="self", house=house)
    assert (played.end, played.rolls, played.felt, played.net) == ("no shooter", 0, 10_00, 0)


@pytest.mark.parametrize("house", ["nsw", "newzealand"])
def test_the_stick_throws_where_a_wager_is_undecided(house: str) -> None:
    played = on(field, "3-2 3-2", rolls=2, shooter="self", house=house)
    assert (played.end, played.rolls, played.net) == ("rolls", 2, -20_00)


@pytest.mark.parametrize("house", houses())
def test_a_shooter_takes_the_dice_again_after_a_seven_out(house: str) -> None:
    played = play(
        line,
        session(house, **FIVES, bankroll=100, rolls=5, shooter="self"),
        numbers("3-3 6-1 2-2 3-4 3-3"),
        keep_lines=True,
    )
    assert (played.end, played.rolls, played.seven_outs) == ("rolls", 5, 2)
    takes = sum(text == "ann takes dice" for text in played.lines)
    assert takes == 3
    assert played.net == on(line, "3-3 6-1 2-2 3-4 3-3", rolls=5, house=house).net


def test_a_shooter_without_chips_for_the_line_gives_up_the_dice() -> None:
    @strategy
    def comes(t: Any) -> None:
        t.bet(PASS, 30)
        if t.puck:
            t.bet(COME, 20)

    # 55: the line takes 30, a come of 20 goes to 5; the point is made, so 65 are on the rail; two
    # lines of 30 are lost to craps. 5 are left, the come is still up, and nobody may throw.
    played = on(comes, "3-3 4-1 4-2 1-2 1-2 1-1", bankroll=55, rolls=6, shooter="self")
    assert (played.end, played.rolls) == ("no shooter", 5)
    assert (played.rail, played.felt) == (5_00, 20_00)


# -- replay --------------------------------------------------------------------------------------


def replayed(text: str) -> Transcript:
    transcript = Transcript()
    for result in transcript.run(text.splitlines()):
        assert result.difference is None, result.difference
    return transcript


@pytest.mark.parametrize("shooter", ["guest", "self"])
@pytest.mark.parametrize("house", houses())
@pytest.mark.parametrize("name", ["molly", "mix", "martingale", "bonus", "buy-4-10"])
def test_a_session_is_a_transcript_that_runs_to_the_same_cent(
    house: str, name: str, shooter: str
) -> None:
    for end, bankroll in (("run-out", 300), ("face", 60)):
        options = session(house, **FIVES, bankroll=bankroll, rolls=60, shooter=shooter, end=end)
        played = play(named(name), options, thrown(hash_of(house, name)), keep_lines=True)
        table = replayed(played.transcript()).table
        assert table is not None
        assert table.seats[SEAT].rail == played.rail
        assert sum(w.stake for w in table.seats[SEAT].wagers.values()) == played.felt
        assert played.lines[-1].endswith(f" : ann rail {money(played.rail)}")


def hash_of(*words: str) -> int:
    return sum(ord(letter) for word in words for letter in word)


def money(amount: int) -> str:
    return f"{amount // 100}" if amount % 100 == 0 else f"{amount // 100}.{amount % 100:02}"


def test_a_transcript_says_how_the_table_was_opened() -> None:
    options = Session(
        house="perth-crapless",
        settings={"layout": "2"},
        chip=50,
        minimum=500,
        maximum=20_000,
        classes=(("place", 1200, 12_000),),
        bankroll=100_00,
        rolls=2,
        shooter="self",
    )
    played = play(line, options, numbers("3-3 4-2"), keep_lines=True)
    assert played.lines[0] == (
        "house perth-crapless chip 0.50 limits 5-200 limits 12-120 place set layout=2 "
        "shooter players"
    )
    transcript = replayed(played.transcript())
    assert transcript.layout is not None
    assert str(transcript.layout.settings["layout"]) == "2"


# -- the quick executor and the debugger ---------------------------------------------------------

FIGURES = (
    *("worth", "rail", "felt", "rolls", "run_out", "seven_outs", "end", "highest", "lowest"),
    *("drawdown", "staked", "value"),
)


def agree(made: Strategy, options: Session, seed: int, felts: Felts) -> Played:
    slow = play(made, options, thrown(seed))
    fast = play_quick(made, options, thrown(seed), felts)
    for figure in FIGURES:
        assert getattr(slow, figure) == getattr(fast, figure), (figure, seed)
    counted = [[(each.key, each.count) for each in one.refusals] for one in (slow, fast)]
    assert counted[0] == counted[1]
    return slow


COUNT = len(SPOTS)


@strategy(seed=1)
def wild(t: Any) -> None:
    """Anything at all: chosen by a small generator of its own, the same wherever it is played."""
    t.seed = (t.seed * 1103515245 + 12345 + t.last + t.won_total) % 2147483648
    choice = t.seed >> 8
    if choice % 8:
        t.bet(PASS, 10)
    for step in range(3):
        spot = (choice // 7 + step * 37) % COUNT
        act = (choice >> 3) % 11
        if act < 4:
            t.bet(spot, t.fit(spot, 5 + choice % 40))
        elif act == 4:
            t.bet(spot, choice % 50)
        elif act == 5:
            t.press(spot, t.unit(spot) * (choice % 3))
        elif act == 6:
            t.regress(spot, t.low(spot))
        elif act == 7:
            t.down(spot)
        elif act == 8:
            t.turn_on(spot) or t.turn_off(spot)
        elif act == 9:
            t.odds_max()
            t.stay_up(spot)
        else:
            t.odds(1 + choice % 2)
        choice = choice * 31 + 7


@pytest.mark.parametrize("shooter", ["guest", "self"])
@pytest.mark.parametrize("house", houses())
def test_felts_ruled_on_before_give_the_same_session(house: str, shooter: str) -> None:
    """Every act on every spot, with much and with little on the rail, and cash read."""
    ends = set()
    for bankroll, end in ((900, "run-out"), (80, "face"), (200, "face")):
        options = session(house, **FIVES, bankroll=bankroll, rolls=120, shooter=shooter, end=end)
        felts = Felts(options)
        for seed in range(4):
            ends.add(agree(wild, options, seed, felts).end)
            agree(named("molly"), options, seed, felts)
            agree(named("percent"), options, seed, felts)
    assert len(ends) > 1 or shooter == "guest"


@pytest.mark.parametrize("house", houses())
def test_the_stops_are_the_same_on_felts_ruled_on_before(house: str) -> None:
    for option in ({"stop_win": 60}, {"stop_loss": 60}, {"shooters": 3}, {"end": "value"}):
        options = session(house, **FIVES, bankroll=300, rolls=100, **option)
        felts = Felts(options)
        for seed in range(3):
            agree(named("molly"), options, seed, felts)


@pytest.mark.parametrize("house", houses())
def test_the_debugger_walks_the_very_session(house: str) -> None:
    options = session(house, **FIVES, bankroll=120, rolls=60, end="run-out")
    played = play(named("molly"), options, thrown(3), keep_lines=True)
    walked = list(steps(named("molly"), options, thrown(3)))
    over = walked[-1]
    assert isinstance(over, Ended)
    assert (over.end, over.worth, over.rolls, over.net) == (
        *(played.end, played.worth, played.rolls),
        played.net,
    )
    proposed = [step for step in walked if isinstance(step, Proposed)]
    bets = [text.split(" : ")[0] for text in played.lines if text.startswith("ann bets")]
    assert [step.call for step in proposed if step.call.startswith("ann bets")] == bets
    assert sum(isinstance(step, Thrown) for step in walked) == played.rolls + played.run_out
    refused = [step for step in proposed if not step.accepted]
    assert len(refused) == sum(each.count for each in played.refusals)
    assert all(step.code and step.cites and step.sentence for step in refused)


def test_the_debugger_names_the_line_of_each_proposal() -> None:
    @strategy
    def lines(t: Any) -> None:
        t.bet(PASS, 10)
        t.bet(DONT_PASS, 10)
        t.bet(PASS_ODDS, 10)

    walked = list(steps(lines, session("rws", rolls=1), numbers("3-3")))
    told = [
        (int(step.place.rsplit(":", 1)[1]) - lines.line, step.source, step.accepted)
        for step in walked
        if isinstance(step, Proposed)
    ]
    assert told == [
        (2, "t.bet(PASS, 10)", True),
        (3, "t.bet(DONT_PASS, 10)", True),
        (4, "t.bet(PASS_ODDS, 10)", False),
    ]


def test_the_debugger_tells_what_came_before_an_exception() -> None:
    @strategy
    def fails(t: Any) -> None:
        t.bet(PASS, 10)
        t.bet(FIELD, 10 // t.puck)

    told: list[Any] = []
    with pytest.raises(StrategyError, match="ZeroDivisionError"):
        told.extend(steps(fails, session("rws", rolls=1), numbers("3-3")))
    walk = steps(fails, session("rws", rolls=1), numbers("3-3"))
    first = next(walk)
    assert isinstance(first, Proposed)
    assert first.call == "ann bets 10 pass"
    with pytest.raises(StrategyError):
        next(walk)


def test_index_and_names_match() -> None:
    assert [INDEX[name] for name in SPOTS] == list(range(len(SPOTS)))


def test_what_fits_a_wager_with_parts_to_name_divides_evenly() -> None:
    """A strategy names no parts; New Zealand lets a player name those of C and E."""
    for chip in (1, 5):
        for amount in range(1, 60):
            chair = TableChair(session("newzealand", **FIVES, chip=chip))
            turn = Turn(chair, {})
            stake = turn.fit(C_AND_E, amount)
            assert stake % (2 * chip) == 0
            assert stake >= amount
            assert turn.bet(C_AND_E, stake), chair.ruling
    assert turn.unit(C_AND_E) == turn.low(C_AND_E) == 10


def test_a_rulebook_that_was_edited_is_read_again(tmp_path: Path) -> None:
    text = resources.files("boxman").joinpath("rulebooks/rws.md").read_text(encoding="utf-8")
    mine = tmp_path / "mine.md"
    mine.write_text(text, encoding="utf-8")
    played = session(str(mine))
    first, again = opened(played)[0], opened(played)[0]
    assert first is again
    name = first.spots["pass"].name
    changed = text.replace(f'"{name}"', '"The Line of Mine"')
    assert changed != text
    mine.write_text(changed, encoding="utf-8")
    assert opened(played)[0].spots["pass"].name == "The Line of Mine"
