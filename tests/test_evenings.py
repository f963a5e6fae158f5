"""Random evenings: whatever is said at a table of any house, what must hold holds."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from boxman.rules.book import houses, read_book
from boxman.rules.duties import STATIONS
from boxman.table.call import DECLARED
from boxman.table.calls import Bet, Call, CallRoll, GiveBack, Reduce, SetWorking, TakeDown
from boxman.table.rulings import Ruling
from boxman.table.said.explain import explain
from boxman.table.said.menu import menu
from boxman.table.said.record import as_json
from boxman.table.said.station_menu import station_menu
from boxman.table.said.transcript import Transcript
from boxman.table.stakes import Range
from tests.cases import FOLDER, played
from tests.evening import KINDS, play


@pytest.mark.parametrize("house", houses())
def test_an_evening(house: str) -> None:
    """Every kind of call is ruled on, and those of every hour are among the accepted."""
    drawn: Counter[tuple[type[Call], bool]] = Counter()
    for seed in range(6):
        drawn += play(house, seed, 200).kinds
    assert {kind for kind, _ in drawn} == set(KINDS)
    for kind in (Bet, CallRoll, GiveBack, Reduce, SetWorking, TakeDown):
        assert drawn[kind, True] > 0, kind


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 140))
@pytest.mark.parametrize("house", houses())
def test_long_evenings(house: str, seed: int) -> None:
    play(house, seed, 3000)


@pytest.mark.parametrize("name", ["evening", "authority"])
@pytest.mark.parametrize("house", houses())
def test_every_staff_call_has_its_json_and_its_explanation(house: str, name: str) -> None:
    """One object for each call, with who spoke, the words, the clauses and what followed."""
    book = read_book(house)
    play = Transcript(words=True)
    said = 0
    for text in (FOLDER / house / f"{name}.craps").read_text().splitlines():
        result = play.play(text)
        if result.ruling is None:
            continue
        rows = [msgspec.json.decode(row) for row in as_json(play.layout, play.table, result)]
        row = rows[-1]
        assert row["clauses"], text
        assert row["accepted"] == (result.ruling.refusal is None)
        assert row["call"]["type"] == type(result.call).__name__.lower()
        if isinstance(result.ruling, Ruling):
            assert play.layout is not None
            assert explain(book, play.layout, result.ruling).startswith(row["text"])
        if DECLARED[type(result.call)].staff:
            said += 1
            assert row["call"]["by"] in STATIONS
            assert row["text"].startswith(row["call"]["by"])
    assert said > 15


def test_a_player_lowers_within_limits_of_their_own() -> None:
    """A wager above the table's maximum, as the house granted it, is lowered in the same range."""
    table = played(
        "house nsw   limits 10-500   crew by hand   shooter players",
        "ann buys in 2000",
        "supervisor grants ann 10-2000",
        "ann bets 1000 field",
    )
    assert table.table is not None
    assert table.table.seats["ann"].wagers["field"].stake == 100_000
    result = table.play("ann lowers field to 900 : ok")
    assert result.difference is None, result.difference


def test_a_roll_taken_back_forgets_the_chips_of_somebody_who_left() -> None:
    """They cashed in what they had won on it: nothing of theirs lies there again."""
    table = played(
        "house adelaide   limits 10-500",
        "ann buys in 100",
        "bob buys in 100",
        "bob bets 10 field",
        "stick calls 3-1",
        "bob leaves",
        "box overrules to no roll",
        "bob buys in 100",
        "bob bets 10 field",
    )
    assert table.table is not None
    assert table.table.fresh["bob field"].amount == 1000


def test_a_call_on_that_waits_is_taken_back_from_the_menu() -> None:
    table = played(
        "house adelaide   limits 10-500   crew by hand   shooter players",
        "ann buys in 200",
        "ann bets 12 place.6",
    )

    def offered() -> tuple[str, ...]:
        assert table.layout is not None
        assert table.table is not None
        return menu(table.layout, table.table, "ann").choices["place.6"].calls

    assert offered() == ("on",)
    assert table.play("ann calls place.6 on : ann place.6 waits").difference is None
    assert offered() == ("on", "off")
    assert table.play("ann calls place.6 off : ann place.6 waits no longer").difference is None
    assert offered() == ("on",)


def test_who_has_no_room_beside_a_partner_is_not_told_to_bet_the_minimum() -> None:
    table = played(
        "house perth-crapless   limits 20-100   crew by hand   stick 1   dealer 2   box 1",
        "ann buys in 200",
        "bob buys in 200",
        "box links ann and bob",
        "bob bets 90 field",
    )
    refused = table.play("ann bets 5 field").ruling
    assert isinstance(refused, Ruling)
    assert refused.refusal is not None
    assert (refused.refusal.code, refused.refusal.do) == ("under-minimum", "")
    assert table.play("bob lowers field to 80").difference is None
    refused = table.play("ann bets 5 field").ruling
    assert isinstance(refused, Ruling)
    assert refused.refusal is not None
    assert refused.refusal.do == "bet or more"


def test_faces_that_can_only_stand_are_offered_to_whoever_decides_them() -> None:
    """The winner has gone with the chips: no other roll can be settled, and this one stands."""
    table = played(
        "house rws   limits 10-500   crew by hand   shooter ann",
        "ann buys in 200",
        "bob buys in 200",
        "ann bets 10 pass",
        "bob bets 10 field",
        "dealer closes bets",
        "stick calls 3-1 : bob field +10",
        "bob cashes out",
        "ann disputes the faces",
        "box decides 5-1 : refused goes-to-dispute",
    )
    assert table.layout is not None
    assert table.table is not None
    assert "decides" in " ".join(station_menu(table.layout, table.table, "box").moves)
    assert table.play("box decides 3-1 : ok").difference is None


def test_faces_of_the_last_roll_are_offered_for_dispute_until_the_next_throw() -> None:
    """Also to whoever is excluded, and not once the box has decided them."""
    table = played(
        "house nsw   limits 10-500   crew by hand   shooter ann",
        "ann buys in 200",
        "bob buys in 200",
        "ann bets 10 pass",
    )

    def offered(*lines: str) -> list[bool]:
        for line in lines:
            assert table.play(line).difference is None
        assert table.layout is not None
        assert table.table is not None
        shown = [menu(table.layout, table.table, name).moves for name in ("ann", "bob")]
        return ["disputes the faces" in moves for moves in shown]

    assert offered() == [False, False]
    assert offered("stick calls 4-2 : puck 6") == [True, True]
    assert offered("senior excludes bob for device : ok") == [True, True]
    assert offered("bob disputes the faces : ok") == [False, False]
    assert offered("box decides 4-2 : ok") == [False, False]
    assert offered("dice out") == [True, True]
    assert offered("stick calls no roll : ok") == [False, False]


def test_a_shooter_who_is_asked_for_a_line_wager_is_offered_one() -> None:
    """Perth 6.9: no greater than the table minimum, and of chips that are there."""
    table = played(
        "house perth-crapless   limits 10-500   crew by hand stick 1 dealer 2 box 1   shooter ann",
        "ann buys in 16",
        "bob buys in 200",
        "box inspects the dice",
        "ann bets 10 pass",
        "bob bets 10 pass",
        "stick calls 4-4 : puck 8",
    )

    def offered(name: str) -> tuple[Range, ...]:
        assert table.layout is not None
        assert table.table is not None
        choice = menu(table.layout, table.table, name).choices.get("pass")
        return choice.bet if choice is not None else ()

    assert offered("ann") == ()
    assert table.play("manager voids wagers of ann for breach").difference is None
    assert table.play("manager voids wagers of bob for breach").difference is None
    assert (offered("ann"), offered("bob")) == (((100, 1000, 100),), ())
    assert table.play("ann cashes out 9").difference is None
    assert offered("ann") == ((100, 700, 100),)
    assert table.play("manager tells surveillance").difference is None
    assert table.play("manager grants ann up to 5").difference is None
    assert offered("ann") == ((100, 500, 100),)  # within her own maximum (5.8)
    table = played(
        "house perth-crapless   limits 10-500   crew by hand stick 1 dealer 2 box 1   shooter ann",
        "ann buys in 100",
        "bob buys in 900",
        "box inspects the dice",
        "ann bets 10 pass",
        "bob bets 493 pass",
        "stick calls 4-4 : puck 8",
        "manager voids wagers of ann for breach",
        "box links bob and ann",
    )
    assert offered("ann") == ((100, 700, 100),)  # and that of partners (5.5)


def test_nobody_is_told_to_bet_the_line_who_may_not_bet() -> None:
    table = played(
        "house adelaide   limits 10-500   crew by hand   shooter players",
        "ann buys in 100",
        "box records touching by ann",
        "box records touching by ann",
        "stick offers dice to ann : ok",
    )

    def told(*lines: str) -> str:
        *before, last = (table.play(line).ruling for line in lines)
        assert all(isinstance(each, Ruling) and each.accepted for each in before)
        assert isinstance(last, Ruling)
        assert last.refusal is not None
        return last.refusal.remedy

    assert told("box refuses wagers of ann for touching", "ann takes dice") == "the dice go on"
    assert told("ann declines dice", "stick offers dice to ann") == "wait"


def test_who_has_left_is_offered_what_is_heard_from_anywhere() -> None:
    table = played(
        "house nsw   limits 10-500   crew by hand   shooter players",
        "ann buys in 200",
        "ann bets 12 place.6",
        "ann keeps place.6 up",
        "ann leaves : ok",
        "ann keeps place.6 up : refused has-left",
    )
    assert table.layout is not None
    assert table.table is not None
    shown = menu(table.layout, table.table, "ann")
    six = shown.choices["place.6"]
    assert (six.take_down, six.lower, six.calls, six.keep) == (False, (), (), False)
    assert shown.moves == ("cashes out",)
    assert table.play("ann lets place.6 go : ok").difference is None
    assert "agrees" not in menu(table.layout, table.table, "ann").moves
