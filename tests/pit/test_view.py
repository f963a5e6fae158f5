"""What people see: menus the quick way and the slow way, consoles, and what a row changes."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from boxman.dice import ROLLS
from boxman.journal.row import Station
from boxman.pit.live.desk import Command
from boxman.pit.told.rows import encode, row_message
from boxman.pit.told.stick import paid_of
from boxman.pit.told.view import menu_changes, whole
from boxman.rules.book import houses
from boxman.table.calls import Bet, BuyIn, CallRoll, CloseBets, TakeDown
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule
from boxman.table.said.menu import KnownMenus, menu
from boxman.table.said.transcript import Transcript
from boxman.table.state import Rolled, Settled
from tests.pit.test_desk import Evening


@pytest.mark.parametrize("house", houses())
def test_a_menu_from_memory_is_the_menu_worked_out(house: str) -> None:
    opening = open_table(Open(house=house, minimum=500, maximum=50_000))
    layout, table = opening.layout, opening.table
    assert layout is not None
    assert table is not None
    chance = random.Random(house)
    known = KnownMenus(layout)
    table = rule(layout, table, BuyIn(seat="ann", amount=30_000)).after
    for _ in range(150):
        own = menu(layout, table, "ann")
        assert menu(layout, table, "ann", 0, known) == own
        choices = list(own.choices.values())
        choice = chance.choice(choices) if choices else None
        if choice is not None and choice.bet and chance.random() < 0.6:
            low, high, _ = chance.choice(choice.bet)
            amount = low if chance.random() < 0.8 else high
            table = rule(layout, table, Bet(seat="ann", spot=choice.spot, amount=amount)).after
        elif choice is not None and choice.take_down and chance.random() < 0.3:
            table = rule(layout, table, TakeDown(seat="ann", spot=choice.spot)).after
        elif chance.random() < 0.3:
            table = rule(layout, table, CloseBets()).after
        else:
            roll = chance.choice(ROLLS)
            table = rule(layout, table, CloseBets()).after
            table = rule(layout, table, CallRoll(first=roll.first, second=roll.second)).after
        if table.seats["ann"].rail < 2_000:
            table = rule(layout, table, BuyIn(seat="ann", amount=20_000)).after


def test_changes_of_a_menu_make_the_new_menu_of_the_old() -> None:
    evening = Evening("nsw")
    evening.say("player", BuyIn(seat="ann", amount=30_000))
    old = menu(evening.desk.layout, evening.desk.table, "ann")
    evening.say("player", Bet(seat="ann", spot="pass", amount=29_500))
    new = menu(evening.desk.layout, evening.desk.table, "ann")
    changes = menu_changes(old, new)
    merged = {**old.choices, **changes["choices"]}
    assert {spot: choice for spot, choice in merged.items() if choice} == new.choices
    assert changes["rail"] == new.rail
    assert menu_changes(new, new)["choices"] == {}


@pytest.mark.parametrize("house", houses())
def test_rows_carry_a_view_from_one_snapshot_to_the_next(house: str) -> None:
    evening = Evening(house)
    desk = evening.desk
    chance = random.Random(house)
    seen = json.loads(encode(whole("t", desk.layout, desk.table, desk.book)))
    evening.say("player", BuyIn(seat="ann", amount=500_000))
    seen = json.loads(encode(whole("t", desk.layout, desk.table, desk.book)))
    from boxman.journal.pit_calls import Throw

    for number in range(80):
        call: Any = Bet(seat="ann", spot=chance.choice(list(desk.layout.spots)), amount=1_200)
        role = "player"
        if number % 4 == 3:
            role, call = "stick", Throw()
            evening.say("dealer" if house == "rws" else "stick", CloseBets())
            seen = json.loads(encode(whole("t", desk.layout, desk.table, desk.book)))
        station = Station(role, "ann" if role == "player" else "", "ann")
        was = desk.shown[1]
        heard = desk.hear(Command(id=f"v{number}", station=station, call=call))
        evening.journal.append([step.row for step in heard.steps])
        for step in heard.steps:
            message = json.loads(encode(row_message(desk.layout, was, step)))
            was = step.book
            for key, value in message["view"].items():
                if key == "seats":
                    seats = {seat["name"]: seat for seat in seen["seats"]}
                    seats.update((seat["name"], seat) for seat in value)
                    seen["seats"] = list(seats.values())
                else:
                    seen[key] = value
        desk.saved(heard.steps)
        truth = json.loads(encode(whole("t", desk.layout, desk.table, desk.book)))
        assert {
            key: (seen.get(key), truth[key]) for key in truth if seen.get(key) != truth[key]
        } == {}


def test_a_bonus_is_paid_with_its_arithmetic() -> None:
    """Small pays 30 to 1 at the number that completes it; Hot Hand 20 to 1 with nine at the 7."""
    night = Transcript()
    for line in ("house american chip 1 limits 5-500", "ann buys in 100", "ann bets 5 small"):
        night.play(line)
    night.play("ann bets 5 hot_hand")
    paid: list[str] = []
    for roll in ("1-1", "2-1", "2-2", "3-2", "4-2", "6-2", "6-3", "6-4", "6-5", "4-3"):
        before, layout = night.table, night.layout
        played = night.play(f"stick calls {roll}")
        assert before is not None
        assert layout is not None
        assert played.ruling is not None
        made = played.ruling.decisions
        rolled = next(each for each in made if isinstance(each, Rolled))
        settled = (each for each in made if isinstance(each, Settled))
        paid += (paid_of(layout, before, rolled, each) for each in settled)
    assert paid == ["$5 at 30 to 1 pays $150", "$5 at 20 to 1 pays $100"]
