"""The strategy API: what a turn answers, what an act does, how strategies compose.

Expected values are worked out by hand from the clauses' numbers, never read off the program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from boxman.dice import ROLLS, parse_roll
from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.rules.favours import favouring
from boxman.rules.layout import Posted
from boxman.strategy.api import Strategy, StrategyError, strategy, together
from boxman.strategy.reference import Played, TableChair, play
from boxman.strategy.session import Session, SessionError, session
from boxman.strategy.spots import (
    ALL,
    ANY_SEVEN,
    BIG,
    COME,
    COME_ON,
    DONT_PASS,
    FIELD,
    HARD,
    INDEX,
    NOWHERE,
    PASS,
    PASS_ODDS,
    PLACE,
    SMALL,
    SPOTS,
)
from boxman.strategy.view import Turn
from tests.limits import FIVES


def numbers(text: str) -> list[int]:
    return [ROLLS.index(parse_roll(each)) for each in text.split()]


def asked(
    throws: str, question: Callable[[Any], Any], act: Callable[[Any], Any], **options: Any
) -> list[Any]:
    """What a turn answers before it acts, at the first turn and after each of these rolls."""
    answers: list[Any] = []

    def asking(t: Any) -> None:
        answers.append(question(t))
        act(t)

    dice = numbers(throws)
    options = {"house": "rws", "rolls": len(dice) + 1, "bankroll": 1000, **FIVES, **options}
    play(Strategy(asking), session(**options), [*dice, numbers("1-2")[0]])
    return answers


def chair(house: str = "rws", **options: Any) -> TableChair:
    return TableChair(session(house, bankroll=1000, **{**FIVES, **options}))


# -- spots ---------------------------------------------------------------------------------------


def test_spots_are_numbers_and_families_are_indexed_by_their_number() -> None:
    assert SPOTS[PLACE[6]] == "place.6"
    assert SPOTS[HARD[8]] == "hard.8"
    assert (PLACE[7], BIG[4]) == (NOWHERE, NOWHERE)
    assert len(set(SPOTS)) == len(SPOTS)
    assert [INDEX[spot] for spot in SPOTS] == list(range(len(SPOTS)))


# -- reads ---------------------------------------------------------------------------------------


def test_puck_and_last_roll() -> None:
    def question(t: Any) -> Any:
        return t.puck, t.coming_out, t.last, t.last_hard, t.new_shooter

    assert asked("4-2 3-3 1-1 6-1", question, lambda t: t.bet(PASS, 10)) == [
        (0, True, 0, False, True),
        (6, False, 6, False, False),
        (0, True, 6, True, False),
        (0, True, 2, False, False),
        (0, True, 7, False, False),
    ]
    assert asked("4-2 6-1", question, lambda t: t.bet(PASS, 10))[-1] == (0, True, 7, False, True)


def test_what_spots_won_and_lost_at_the_last_roll() -> None:
    def question(t: Any) -> Any:
        return t.won(PASS), t.lost(PASS), t.won(FIELD), t.lost(FIELD), t.won_total, t.lost_total

    def act(t: Any) -> None:
        t.bet(PASS, 10)
        t.bet(FIELD, 20)

    # 4: the field wins even money; 7 then takes the line and the field.
    assert asked("3-1 6-1", question, act) == [
        (0, 0, 0, 0, 0, 0),
        (0, 0, 20, 0, 20, 0),
        (0, 10, 0, 20, 0, 30),
    ]


def test_stakes_counts_and_working() -> None:
    def question(t: Any) -> Any:
        return t.on(PASS), t.count(COME), t.on(COME), t.on(COME_ON[5]), t.working(PLACE[6])

    def act(t: Any) -> None:
        t.bet(PASS, 10)
        if t.puck:
            t.bet(COME, 15)
            t.bet(PLACE[6], 12)

    # A place wager sleeps on the come-out.
    assert asked("3-1 4-1 6-4 2-2", question, act) == [
        (0, 0, 0, 0, False),
        (10, 0, 0, 0, False),
        (10, 1, 0, 15, True),
        (10, 2, 0, 15, True),
        (0, 3, 0, 15, False),
    ]


def test_limits_units_and_fitting_stakes() -> None:
    def question(t: Any) -> Any:
        return (
            (t.minimum, t.maximum),
            (t.low(PLACE[6]), t.high(PLACE[6]), t.unit(PLACE[6])),
            (t.fit(PLACE[6], 1), t.fit(PLACE[6], 13), t.fit(PLACE[6], 5000)),
            (t.low(PASS_ODDS), t.high(PASS_ODDS), t.fit(PASS_ODDS, 1)),
            t.offers(PLACE[6]),
            t.offers(NOWHERE),
        )

    # 7 to 6 is paid exactly: place 6 goes in sixes between the limits; odds on 6 at 6 to 5 in
    # fives, up to five times the flat.
    first, second = asked("4-2", question, lambda t: t.bet(PASS, 10), minimum=10, maximum=500)
    assert first == ((10, 500), (12, 498, 6), (12, 18, 498), (0, 0, 0), True, False)
    assert second == ((10, 500), (12, 498, 6), (12, 18, 498), (5, 50, 5), True, False)


def test_whole_stakes_where_chips_are_not_whole() -> None:
    played = chair(chip="2.50", minimum=5, maximum="102.50")
    turn = Turn(played, {})
    # Chips of 2.50: every second step is a whole unit, 5, 10, ... 100.
    assert (turn.low(FIELD), turn.high(FIELD), turn.unit(FIELD)) == (5, 100, 5)
    assert (turn.fit(FIELD, 6), turn.fit(FIELD, 101)) == (10, 100)


def test_a_wager_the_house_does_not_have_reads_as_nothing_and_is_refused() -> None:
    played = chair("rws")
    turn = Turn(played, {})
    assert not turn.offers(SMALL)
    assert (turn.on(SMALL), turn.low(SMALL), turn.high(SMALL), turn.fit(SMALL, 10)) == (0, 0, 0, 0)
    assert not turn.bet(SMALL, 10)
    assert [(code, spot) for code, spot, _ in played.refusals] == [("not-offered", "small")]


def test_accounts() -> None:
    def question(t: Any) -> Any:
        return t.cash, t.net, t.rolls, t.shooters, t.shooter_rolls

    assert asked("4-2 6-1 2-1", question, lambda t: t.bet(PASS, 10)) == [
        (1000, 0, 0, 0, 0),
        (990, 0, 1, 0, 1),
        (990, -10, 2, 1, 0),
        (980, -20, 3, 1, 1),
    ]


def test_amounts_are_rounded_down() -> None:
    # New South Wales pays 7 to 6 rounded up to the chip: 5 on place 6 wins 6, in chips of 0.50
    # it wins 6 (5.83 up to the half), and 5.50 wins 6.50.
    def question(t: Any) -> Any:
        return t.cash, t.net, t.won(PLACE[6])

    options = {"house": "nsw", "chip": "0.50", "bankroll": "100.50", "minimum": 5}
    answers = asked("3-1 4-2", question, lambda t: t.puck and t.bet(PLACE[6], 5), **options)
    assert answers == [(100, 0, 0), (100, 0, 0), (106, 6, 6)]


# -- acts ----------------------------------------------------------------------------------------


def test_a_bet_is_made_once_and_pressed_or_lowered() -> None:
    played = chair()
    turn = Turn(played, {})
    assert not turn.press(FIELD, 10)
    assert turn.bet(FIELD, 10)
    assert not turn.bet(FIELD, 10)
    assert turn.press(FIELD, 15)
    assert turn.on(FIELD) == 25
    assert not turn.regress(FIELD, 25)
    assert turn.regress(FIELD, 5)
    assert turn.on(FIELD) == 5
    assert turn.down(FIELD)
    assert not turn.down(FIELD)
    assert not turn.bet(FIELD, 0)
    assert not turn.press(FIELD, 0)
    assert played.refusals == {}
    assert played.seat.rail == 1000_00


def test_a_refusal_is_counted_with_its_clause() -> None:
    played = chair()
    turn = Turn(played, {})
    for _ in range(3):
        assert not turn.bet(PLACE[6], 7)
    assert not turn.bet(FIELD, -1)
    assert not turn.bet(PASS_ODDS, 10)
    found = {(each.code, each.spot): (each.count, each.cites) for each in played.refusals.values()}
    assert found["not-payable", "place.6"][0] == 3
    assert found["not-an-amount", "field"][0] == 1
    assert found["no-point", "pass.odds"][0] == 1
    assert all(cites for _, cites in found.values())


def test_odds_by_multiple_and_to_the_limit() -> None:
    def made(throws: str, act: Callable[[Any], Any], house: str) -> dict[str, int]:
        def whole(t: Any) -> None:
            if t.coming_out:
                t.bet(PASS, 10)
            else:
                t.bet(COME, 10)
            act(t)

        dice = numbers(throws)
        options = session(house, **FIVES, rolls=len(dice), bankroll=1000)
        steps = TableChair(options)
        turn = Turn(steps, {})
        for number in dice:
            whole(turn)
            steps.roll(number)
        whole(turn)
        return {name: wager.stake // 100 for name, wager in steps.seat.wagers.items()}

    # 5, then a come on 9: two times the flat behind both.
    assert made("4-1 6-3", lambda t: t.odds(2), "rws") == {
        "pass": 10,
        "pass.odds": 20,
        "come.9": 10,
        "come.odds.9": 20,
        "come": 10,
    }
    assert made("4-1 6-3", lambda t: t.odds_on(COME_ON[9], 1), "rws")["come.odds.9"] == 10
    assert "pass.odds" not in made("4-1 6-3", lambda t: t.odds_on(COME_ON[9], 1), "rws")
    # New South Wales: at most twice the flat, here what 20 and 20 make.
    most = made("4-1 6-3", lambda t: t.odds_max(), "nsw")
    assert (most["pass.odds"], most["come.odds.9"]) == (20, 20)


def test_odds_where_there_is_nothing_to_stand_behind() -> None:
    played = chair()
    turn = Turn(played, {})
    turn.bet(PASS, 10)
    assert not turn.odds(2)
    assert not turn.odds_max()
    assert not turn.odds_on(PASS, 1)
    assert not turn.odds_on(DONT_PASS, 1)
    assert played.refusals == {}
    turn.bet(FIELD, 10)
    with pytest.raises(StrategyError, match="there are no odds behind field"):
        turn.odds_on(FIELD, 1)


def test_on_off_and_staying_up() -> None:
    played = chair("nsw")
    turn = Turn(played, {})
    turn.bet(PASS, 10)
    played.roll(numbers("3-1")[0])
    assert turn.bet(PLACE[6], 12)
    assert not turn.turn_on(PLACE[6])  # it works already, which is no refusal worth counting
    assert turn.turn_off(PLACE[6])
    assert not turn.working(PLACE[6])
    assert turn.turn_on(PLACE[6])
    assert turn.working(PLACE[6])
    assert not turn.turn_off(PLACE[8])
    assert played.refusals == {}
    assert not turn.turn_off(PASS)
    assert [code for code, _, _ in played.refusals] == ["not-switchable"]


def test_the_wager_called_all_is_one_wager() -> None:
    """In the notation "all" means every wager; a strategy that names the spot means that one."""
    played = chair("perth-crapless")
    turn = Turn(played, {})
    assert turn.bet(ALL, 10)
    assert turn.bet(PLACE[6], 12)
    assert not turn.turn_off(ALL)
    assert [(code, spot) for code, spot, _ in played.refusals] == [("not-switchable", "all")]
    assert played.seat.wagers["place.6"].marker == ""


@pytest.mark.parametrize("spot", [NOWHERE, len(SPOTS), True, 1.0, "pass"])
def test_what_is_no_spot_is_an_error_everywhere(spot: Any) -> None:
    turn = Turn(chair(), {})
    acts: list[Callable[[], Any]] = [
        lambda: turn.on(spot),
        lambda: turn.won(spot),
        lambda: turn.lost(spot),
        lambda: turn.count(spot),
        lambda: turn.low(spot),
        lambda: turn.high(spot),
        lambda: turn.unit(spot),
        lambda: turn.fit(spot, 1),
        lambda: turn.working(spot),
        lambda: turn.bet(spot, 10),
        lambda: turn.press(spot, 10),
        lambda: turn.regress(spot, 10),
        lambda: turn.down(spot),
        lambda: turn.turn_on(spot),
        lambda: turn.turn_off(spot),
        lambda: turn.stay_up(spot),
        lambda: turn.odds_on(spot, 1),
    ]
    for act in acts:
        with pytest.raises(StrategyError, match="is no spot"):
            act()


# -- variables and composition -------------------------------------------------------------------


def test_variables_are_declared_whole_numbers() -> None:
    with pytest.raises(StrategyError, match=r"variable level is a whole number, not 1.5"):
        strategy(level=1.5)(lambda t: None)  # type: ignore[arg-type]
    with pytest.raises(StrategyError, match="a variable may not be called puck"):
        strategy(puck=0)(lambda t: None)
    turn = Turn(chair(), {"level": 3})
    turn.level = turn.level + 1
    assert turn.level == 4
    turn.level = True
    assert turn.level == 1
    with pytest.raises(StrategyError, match=r"t.level is a whole number, not 2.0"):
        turn.level = 2.0  # type: ignore[assignment]
    with pytest.raises(StrategyError, match=r"there is no t.levle; did you mean level\?"):
        turn.levle = 1
    with pytest.raises(StrategyError, match=r"t.puck can be read, not written"):
        turn.puck = 6  # type: ignore[misc]
    with pytest.raises(StrategyError, match=r"there is no t.bett; did you mean bet\?"):
        turn.bett(PASS, 10)  # type: ignore[operator]


@strategy(level=0)
def doubling(t: Any) -> None:
    if t.lost(FIELD):
        t.level = min(t.level + 1, 3)
    elif t.won(FIELD):
        t.level = 0
    t.bet(FIELD, 10 << t.level)


@strategy(level=2)
def counting(t: Any) -> None:
    t.level = (t.level + 1) % 5
    t.bet(ANY_SEVEN, 5 + t.level)


def bets_of(made: Strategy, throws: str, spot: str) -> list[str]:
    dice = numbers(throws)
    played = play(made, session("rws", rolls=len(dice), bankroll=1000), dice, keep_lines=True)
    return [line.split()[2] for line in played.lines if line.split()[-1:] == [spot]]


def test_a_strategy_calls_another_and_has_its_variables() -> None:
    @strategy
    def outer(t: Any) -> None:
        doubling(t)
        t.bet(PASS, 10)

    assert outer.variables == {"level": 0}
    throws = "3-2 3-2 3-2 3-1 3-2"
    assert bets_of(outer, throws, "field") == ["10", "20", "40", "80", "10"]
    # 5 is the point, made at once, and the point again.
    assert bets_of(outer, throws, "pass") == ["10", "10"]


def test_two_strategies_with_a_variable_of_one_name_stay_apart_together() -> None:
    both = together(doubling, counting)
    assert both.name == "doubling + counting"
    assert both.variables == {"level": 0, "level_2": 2}
    throws = "3-2 3-2 3-2"
    assert bets_of(both, throws, "field") == ["10", "20", "40"]
    assert bets_of(both, throws, "any_seven") == ["8", "9", "5"]
    with pytest.raises(StrategyError, match="doubling and counting both have a variable level"):

        @strategy
        def mixed(t: Any) -> None:
            doubling(t)
            counting(t)


def test_what_is_no_strategy() -> None:
    with pytest.raises(StrategyError, match="a plain function, not 3"):
        Strategy(3)  # type: ignore[arg-type]
    with pytest.raises(StrategyError, match="takes the turn and nothing else"):
        Strategy(lambda t, u: None)  # type: ignore[arg-type, misc]
    with pytest.raises(StrategyError, match="at least one"):
        together()
    with pytest.raises(StrategyError, match="has no variable size"):
        doubling.renamed(size="other")


def test_a_place_of_generated_code_is_the_place_in_its_text() -> None:
    made = Strategy(lambda t: None, places={2: (7, 3), 5: (9, 1)}, file="night.strategy")
    assert [made.place(line) for line in (2, 4, 5, 1)] == [
        "night.strategy:7:3",
        "night.strategy:7:3",
        "night.strategy:9:1",
        "night.strategy:7:3",
    ]


# -- sessions as values --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shooter": "me"}, "the shooter is guest or self, not me"),
        ({"end": "later"}, "face, run-out or value"),
        ({"rolls": 0}, "at least 1 roll"),
        ({"bankroll": 12, "chip": 5}, "a bankroll of 12 cannot be bought in chips of 5"),
        ({"shooters": -1}, "shooters is 0"),
        ({"rolls_per_hour": 0}, "rolls per hour"),
    ],
)
def test_a_session_that_cannot_be_played_says_why(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SessionError, match=message):
        session("rws", **options)


def test_a_session_takes_amounts_as_people_write_them() -> None:
    made = session("rws", bankroll="302.50", chip="2.50", minimum=5, stop_win=40)
    assert (made.bankroll, made.chip, made.minimum, made.stop_win) == (302_50, 2_50, 5_00, 40_00)
    assert isinstance(made, Session)


def test_limits_that_are_left_out_favour_nobody() -> None:
    for house in houses():
        made = session(house)
        assert not favouring(load(house), Posted(minimum=made.minimum, maximum=made.maximum))
        assert made == Session(house=house)
        assert session(house, minimum=5) == replace(made, minimum=500)
    with pytest.raises(SessionError, match="field_12"):
        session("rws", settings={"field_12": "many"})


def test_a_table_that_cannot_be_opened_says_why() -> None:
    with pytest.raises(SessionError, match="the maximum 5 is below the minimum 10"):
        play(Strategy(lambda t: None), session("rws", minimum=10, maximum=5), [0])


def test_results_and_tables_show_in_a_notebook() -> None:
    @strategy
    def bets(t: Any) -> None:
        t.bet(FIELD, 10)
        t.bet(PLACE[6], 7)

    bets.name = "<b>"
    played: Played = play(bets, session("rws", rolls=2, bankroll=100), numbers("3-2 3-1"))
    page = played._repr_html_()
    assert "&lt;b&gt; at rws" in page
    figures = "".join(f'<td class="figure">{each}</td>' for each in (2, 20, 1, 1, 0, 0))
    assert f'<th scope="row">field</th>{figures}' in page
    refused = '<th scope="row">not-payable</th><td class="short">place.6</td>'
    assert f'{refused}<td class="figure">2</td>' in page
    seat = TableChair(session("rws", bankroll=100))
    Turn(seat, {}).bet(PASS, 10)
    row = '<th scope="row">ann</th><td class="figure">90</td><td class="short">pass 10</td>'
    assert row in seat.table._repr_html_()
