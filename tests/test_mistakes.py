"""Wagers put down by mistake: what the box hands back, and that the rest is as it was."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from boxman.rules.book import houses
from boxman.table.calls import Bet, GiveBack
from boxman.table.ruling import rule
from boxman.table.rulings import Ruling
from boxman.table.said.menu import fresh_of
from boxman.table.said.station_menu import station_menu
from boxman.table.said.transcript import PlayedLine, Transcript
from boxman.table.signature import signature
from boxman.table.state import Table
from tests.cases import played

TEMPLATE = Path(__file__).parent.parent / "src" / "boxman" / "rulebooks" / "template.md"


def table_of(play: Transcript) -> Table:
    assert play.table is not None
    return play.table


@pytest.mark.parametrize("house", houses())
def test_a_wager_given_back_was_never_there(house: str) -> None:
    """Every spot that can be bet on, before the come-out and after: the table is as before."""
    play = played(f"house {house} chip 1 limits 10-500", "ann buys in 1000", "ann bets 10 pass")
    tried = 0
    for throw in ("", "stick calls 4-2", "ann bets 10 come", "stick calls 4-4"):
        if throw:
            assert play.play(throw).ruling is not None
        table = table_of(play)
        assert play.layout is not None
        menus: set[str] = set()
        for spot in play.layout.spots:
            for amount in (1000, 1200):
                bet = rule(play.layout, table, Bet(seat="ann", spot=spot, amount=amount))
                new = amount + fresh_of(play.layout, table, "ann").get(spot, 0)
                if not bet.accepted:
                    continue
                tried += 1
                if house == "perth-crapless" and spot in ("small", "tall", "all"):
                    # 4.5(b) knows no exception for bonus bets, and a term overrules no clause.
                    no = rule(play.layout, bet.after, GiveBack(seat="ann", spot=spot))
                    assert no.refusal is not None
                    assert no.refusal.cites == ("4.5(b)",)
                    assert spot not in fresh_of(play.layout, bet.after, "ann")
                    continue
                assert fresh_of(play.layout, bet.after, "ann")[spot] == new
                if spot not in menus:  # it names no amount
                    menus.add(spot)
                    moves = station_menu(play.layout, bet.after, "box").moves
                    assert f"gives back ann {spot}" in moves
                back = rule(play.layout, bet.after, GiveBack(seat="ann", spot=spot, amount=amount))
                if new != amount:
                    continue
                assert back.accepted, back.refusal
                assert back.after == table
    assert tried > 20


def test_a_raise_is_given_back_to_the_wager_as_it_was() -> None:
    """A stake found below the minimum stays marked so when what was added to it goes."""
    play = played(
        "house adelaide chip 1 limits 10-500",
        "ann buys in 100",
        "stick calls 4-2",
        "box finds 6 place.8 for ann",
        "stick calls 3-2",
    )
    was = table_of(play)
    assert was.seats["ann"].wagers["place.8"].found == "under minimum"
    play.play("ann bets 6 place.8 : ok")
    assert table_of(play).seats["ann"].wagers["place.8"].found == ""
    assert play.play("box gives back ann place.8 : ann place.8 is 6").difference is None
    assert table_of(play) == was


def test_named_parts_go_back_as_they_came() -> None:
    house = next(h for h in houses() if _names_parts(h))
    play = played(
        f"house {house} chip 1 limits 1-500",
        "ann buys in 100",
        "ann bets 4 c_and_e split 3/1",
    )
    play.play("ann bets 2 c_and_e split 0/2 : ok")
    both = table_of(play).seats["ann"].wagers["c_and_e"]
    assert both.split == (300, 300)
    refused = play.play("box gives back ann c_and_e 1 : refused split-stands")
    assert refused.difference is None
    assert play.play("box gives back ann c_and_e : ann rail 100").difference is None
    assert table_of(play).fresh == {}


def _names_parts(house: str) -> bool:
    spot = played(f"house {house} chip 1 limits 1-500").layout.spots.get("c_and_e")  # type: ignore[union-attr]
    return spot is not None and spot.share is not None and spot.share.named


def test_parts_added_since_go_and_older_parts_stay() -> None:
    """A wager of parts that outlives a throw exists in no house: the values are put together."""
    house = next(h for h in houses() if _names_parts(h))
    play = played(
        f"house {house} chip 1 limits 1-500", "ann buys in 100", "ann bets 4 c_and_e split 3/1"
    )
    assert play.layout is not None
    old = msgspec.structs.replace(table_of(play), fresh={})
    bet = Bet(seat="ann", spot="c_and_e", amount=200, split=(0, 200))
    more = rule(play.layout, old, bet).after
    back = rule(play.layout, more, GiveBack(seat="ann", spot="c_and_e"))
    assert back.after == old


def test_a_voucher_comes_back_as_a_voucher() -> None:
    play = played(
        "house nsw chip 1 limits 10-500",
        "ann buys in 100",
        "dealer gives ann a voucher of 10",
    )
    was = table_of(play)
    play.play("ann bets 15 field with voucher 10 : ann rail 95")
    assert play.play("box gives back ann field 6 : refused voucher-stands").difference is None
    assert play.play("box gives back ann field : ann field returned 15").difference is None
    assert table_of(play) == was


def test_odds_come_back_with_their_flat() -> None:
    """Where a line wager may be made after the point, odds stand behind it within one throw."""
    play = played(
        "house newzealand chip 1 limits 10-500",
        "ann buys in 300",
        "stick calls 4-4",
        "ann bets 10 come",
        "stick calls 4-2",
        "ann bets 20 pass : refused not-now",
    )
    # No house of ours lets a flat and its odds be made between two throws; the rule is general.
    assert play.layout is not None
    table = table_of(play)
    table = rule(play.layout, table, Bet(seat="ann", spot="come.odds.6", amount=1000)).after
    seat = table.seats["ann"]
    assert set(seat.wagers) == {"come.6", "come.odds.6"}
    fresh = {**table.fresh}
    fresh["ann come.6"] = msgspec.structs.replace(
        fresh["ann come.odds.6"], spot="come.6", amount=seat.wagers["come.6"].stake
    )
    table = msgspec.structs.replace(table, fresh=fresh)
    back = rule(play.layout, table, GiveBack(seat="ann", spot="come.6")).after
    assert back.seats["ann"].wagers == {}
    assert back.seats["ann"].rail == 30_000
    assert back.fresh == {}


def test_a_roll_taken_back_leaves_new_what_was_new_before_it() -> None:
    play = played(
        "house newzealand chip 1 limits 10-500 crew by hand stick 1",
        "ann buys in 300",
        "dealer inspects the dice",
        "box inspects the dice",
        "ann bets 10 pass",
        "stick calls 4-2                : puck 6",
        "box gives back ann pass        : refused not-fresh",
        "box overrules to no roll       : puck off",
        "box gives back ann pass        : ann pass returned 10, ann rail 300",
    )
    assert table_of(play).fresh == {}


def test_an_objection_hands_back_only_what_is_new() -> None:
    played(
        "house newzealand chip 1 limits 10-500 crew by hand stick 1",
        "ann buys in 300",
        "dealer inspects the dice",
        "box inspects the dice",
        "ann bets 12 place.8",
        "stick calls 4-2",
        "dealer bets 6 place.8 for ann  : ok",
        "ann objects to place.8         : ann place.8 returned 6, ann place.8 is 12, ann rail 288",
        "ann objects to place.8         : refused own-wager",
    )


def test_what_lies_there_since_is_no_part_of_a_signature() -> None:
    play = played("house nsw chip 1 limits 10-500", "ann buys in 100", "ann bets 10 pass")
    table = table_of(play)
    assert table.fresh
    old = msgspec.structs.replace(table, fresh={})
    assert signature(table, "ann") == signature(old, "ann")


def test_nobody_gives_back_where_no_term_says_so() -> None:
    """A rulebook without the power: neither the box nor the automatic crew may."""
    for crew in ("automatic", "by hand"):
        play = played(
            f"house {TEMPLATE} chip 1 limits 5-500 crew {crew}",
            "ann buys in 100",
            "ann bets 10 pass",
        )
        result = play.play("box gives back ann pass : refused no-such-power")
        assert result.difference is None


def test_nobody_is_told_to_wait_for_a_wager_that_is_decided_by_then() -> None:
    play = played("house nsw chip 1 limits 10-500", "ann buys in 300", "ann bets 10 pass")
    play.play("stick calls 4-4")
    play.play("ann bets 20 field")
    locked = play.play("ann takes down pass : refused not-now")
    assert _remedy(locked) == "it stands while the point is 8"
    assert _remedy(play.play("ann bets 10 dont_pass")).startswith("wait for the next come-out")
    play.play("dice out")
    for late in ("ann takes down field", "ann lowers field to 10", "box gives back ann field"):
        assert _remedy(play.play(late)) == "it stands for this roll", late


def _remedy(line: PlayedLine) -> str:
    assert isinstance(line.ruling, Ruling)
    assert line.ruling.refusal is not None
    return line.ruling.refusal.remedy
