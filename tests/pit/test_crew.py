"""The automatic crew and automatic players keep a game going at every house, by the book."""

from __future__ import annotations

import itertools
import random
import time
from typing import Any

import pytest

from boxman.journal.audit import Audit
from boxman.journal.memory import MemoryJournal
from boxman.journal.row import Row, Station
from boxman.pit.live.auto import MADE_GOOD, AutoRoll
from boxman.pit.live.crew import PATIENCE, asking, next_call
from boxman.pit.live.desk import Command, Desk
from boxman.pit.live.notebook import Setup
from boxman.pit.live.players import AutoPlayer
from boxman.rules.book import houses
from boxman.rules.duties import STATIONS
from boxman.strategy.library import named
from boxman.table.calls import (
    Bet,
    BuyIn,
    CloseBets,
    DecideFaces,
    DeclineDice,
    DisputeFaces,
    HandleDice,
    Leave,
    OpenDispute,
    PassOver,
    SetWorking,
    TakeDice,
)
from boxman.table.opening import Open
from boxman.table.ruling import rule
from boxman.table.state import Rolled
from tests.pit.serving import served

EVERYBODY = tuple(station for station in STATIONS if station != "inspector")


class Game:
    """A desk, its automatic crew, and automatic players."""

    def __init__(self, house: str, shooter: str, players: dict[str, str], **setup: Any) -> None:
        self.journal = MemoryJournal()
        self.now, chance = 10**12, random.Random(4)
        call = Open(
            house=house,
            minimum=500,
            maximum=50_000,
            shooter=shooter,
            by_hand=True,
            crew=(1, 2, 1),
            by="manager",
        )
        desk, opening = Desk.open(
            "t",
            call,
            Setup(**{"automatic": EVERYBODY, **setup}),
            "boss",
            journal=self.journal,
            clock=lambda: self.now,
            entropy=chance.randbytes,
        )
        assert desk is not None, opening.refusal
        self.desk = desk
        self.ids = itertools.count(1)
        self.players = [
            AutoPlayer(name, named(strategy), desk.layout, 100_000)
            for name, strategy in players.items()
        ]
        self.ready: dict[str, int] = {}
        self.away: set[str] = set()

    def say(self, role: str, call: Any, person: str = "") -> Row:
        seat = getattr(call, "seat", "") if role in ("player", "house") else ""
        station = Station(role, seat, person or f"auto:{seat or role}")
        heard = self.desk.hear(Command(id=f"c{next(self.ids)}", station=station, call=call))
        self.journal.append([step.row for step in heard.steps])
        self.desk.saved(heard.steps)
        for step in heard.steps:
            for player in self.players:
                player.see(step.row.ruling.decisions)
        return heard.row

    def crew(self) -> Row | None:
        desk = self.desk
        found = next_call(desk.layout, desk.table, desk.book, self.now, self.ready, self.away)
        if found is None:
            return None
        self.now += found.wait
        return self.say(found.station, found.call)

    def play(self, steps: int) -> list[Row]:
        """So many steps; everything that was refused."""
        refused = []
        for _ in range(steps):
            self.now += 500
            for player in self.players:
                for call in player.next_calls(self.desk.table):
                    row = self.say("player", call)
                    refused += [row] if row.refused else []
            row_or_none = self.crew()
            if row_or_none is None:
                self.now += 60_000
            elif row_or_none.refused:
                refused.append(row_or_none)
        return refused


@pytest.mark.parametrize("shooter", ["guest", "players"])
@pytest.mark.parametrize("house", houses())
def test_a_game_goes_on_at_every_house(house: str, shooter: str) -> None:
    game = Game(house, shooter, {"ann": "molly", "bob": "pass-odds"})
    assert game.play(400) == []
    assert game.desk.table.rolls > 100
    assert game.desk.book.dice.hand > 5
    audit = Audit()
    assert [found for row in game.journal.rows("t") if (found := audit.look(row))] == []


@pytest.mark.parametrize("house", houses())
def test_the_crew_speaks_with_its_own_powers(house: str) -> None:
    game = Game(house, "players", {"ann": "pass-odds"})
    game.play(60)
    for row in game.journal.rows("t"):
        assert (
            row.call.by not in ("", "automatic crew")
            or row.number == 1
            or row.station.role == ("house")
        )


def test_it_waits_for_people_who_have_not_said_that_they_are_ready() -> None:
    game = Game("nsw", "guest", {})
    game.say("player", BuyIn(seat="ann", amount=10_000), person="ann")
    assert game.crew() is None  # nobody has a wager
    game.ready = {"ann": game.now}
    for _ in range(2):
        game.crew()
    assert game.desk.table.rolls == 1  # but somebody may let a roll pass
    game.ready = {}
    game.say("player", Bet(seat="ann", spot="field", amount=500), person="ann")
    assert game.crew() is None
    game.ready = {"bob": game.now}
    assert game.crew() is None
    game.ready = {"ann": game.now}
    for _ in range(3):
        game.crew()
    assert game.desk.table.rolls == 2


def test_others_get_some_seconds_when_somebody_wants_to_throw() -> None:
    game = Game("nsw", "guest", {}, patience=5_000)
    for name in ("ann", "bob"):
        game.say("player", BuyIn(seat=name, amount=10_000), person=name)
    game.say("player", Bet(seat="ann", spot="field", amount=500), person="ann")
    desk = game.desk

    def wait() -> int | None:
        found = next_call(desk.layout, desk.table, desk.book, game.now, game.ready, game.away)
        return None if found is None else found.wait

    assert wait() is None
    game.ready = {"ann": game.now}
    assert wait() == 5_000
    game.now += 2_000
    assert wait() == 3_000
    # Everybody is ready, or who is not has gone away: at once.
    game.away = {"bob"}
    assert wait() == 0
    game.away = set()
    game.ready["bob"] = game.now
    assert wait() == 0
    assert asking(desk.table, desk.book, {"ann": 7, "bob": 4}) == ("bob", 4)
    assert asking(desk.table, desk.book, {"ann": 7}) == ("ann", 5_007)
    # Alone nobody waits.
    assert asking(desk.table, desk.book, {"ann": 7}, {"bob"}) == ("ann", 7)


def test_the_dice_wait_for_the_player_who_throws_them() -> None:
    game = Game("nsw", "players", {}, patience=5_000)
    for name in ("ann", "bob"):
        game.say("player", BuyIn(seat=name, amount=10_000), person=name)
        game.say("player", Bet(seat=name, spot="pass", amount=500), person=name)
    game.crew()
    game.say("player", TakeDice(seat=game.desk.table.hand.offered), person="ann")
    table, book = game.desk.table, game.desk.book
    assert table.hand.shooter == "ann"
    assert asking(table, book, {"bob": 3}) is None
    assert asking(table, book, {"bob": 3, "ann": 9}) == ("ann", 9)
    assert asking(table, book, {"ann": 9}) == ("ann", 5_009)
    # A shooter who is gone does not hold the table up.
    assert asking(table, book, {"bob": 3}, {"ann"}) == ("bob", 3)


def test_a_window_is_kept() -> None:
    game = Game("nsw", "guest", {}, window=15_000)
    game.say("player", BuyIn(seat="ann", amount=10_000), person="ann")
    game.say("player", Bet(seat="ann", spot="field", amount=500), person="ann")
    found = next_call(game.desk.layout, game.desk.table, game.desk.book, game.now + 5_000)
    assert found is not None
    assert found.wait == 10_000
    at_once = next_call(game.desk.layout, game.desk.table, game.desk.book, game.now, {"ann": 0})
    assert at_once is not None
    assert at_once.wait == 0
    # With somebody else who is not ready, everybody has the window and no more.
    game.say("player", BuyIn(seat="bob", amount=10_000), person="bob")
    table, book = game.desk.table, game.desk.book
    assert asking(table, book, {"ann": game.now}) == ("ann", book.thrown + 15_000)


def test_the_box_answers_what_waits_for_it() -> None:
    game = Game("nsw", "guest", {})
    game.say("player", BuyIn(seat="ann", amount=100_000), person="ann")
    game.say("player", Bet(seat="ann", spot="place.6", amount=600), person="ann")
    waits = game.say("player", SetWorking(seat="ann", spot="place.6", call="on"), person="ann")
    assert not waits.refused
    assert game.desk.table.floor.pending
    game.crew()
    assert not game.desk.table.floor.pending
    assert game.desk.table.seats["ann"].wagers["place.6"].marker == "on"
    game.say("player", OpenDispute(seat="ann", about="payout"), person="ann")
    game.crew()
    assert game.desk.table.floor.disputes[0].step == "decide"


def test_the_box_decides_faces_that_are_disputed_after_the_call() -> None:
    """The dice wait for that: the crew saw them as they were called."""
    game = Game("nsw", "players", {"ann": "pass-odds"})
    while game.desk.table.before is None or game.desk.table.phase != "open":
        game.play(1)
    layout, table, book = game.desk.layout, game.desk.table, game.desk.book
    table = rule(layout, table, DisputeFaces(by="player", seat="ann")).after
    assert table.floor.contested
    found = next_call(layout, table, book, game.now, {})
    assert found is not None
    assert found.station == "box"
    assert found.call == DecideFaces(first=table.faces[0], second=table.faces[1])


def test_bets_closed_with_nobody_to_throw_do_not_stop_the_table() -> None:
    game = Game("nsw", "players", {"ann": "pass-odds"})
    game.say("stick", CloseBets())
    assert game.desk.table.phase == "open"  # nobody has the dice
    game.play(40)
    assert game.desk.table.rolls > 3


@pytest.mark.parametrize("house", ["newzealand", "nsw"])
def test_the_stickperson_throws_on_until_somebody_can_who_was_not_asked(house: str) -> None:
    game = Game(house, "players", {})
    game.say("player", BuyIn(seat="ann", amount=10_000), person="ann")
    game.say("player", Bet(seat="ann", spot="pass", amount=1000), person="ann")
    while game.desk.table.hand.offered != "ann":
        assert game.crew() is not None
    game.say("player", DeclineDice(seat="ann"), person="ann")
    while game.desk.table.hand.shooter != "stick":
        assert game.crew() is not None
    game.say("player", BuyIn(seat="bob", amount=10_000), person="bob")
    game.say("player", Bet(seat="bob", spot="pass", amount=1000), person="bob")
    game.ready = {"ann": game.now, "bob": game.now}
    while game.desk.table.hand.offered != "bob":
        assert game.crew() is not None
    assert not game.desk.table.rolls


@pytest.mark.parametrize("house", ["adelaide", "rws", "perth-crapless"])
def test_dice_that_nobody_wanted_are_offered_again(house: str) -> None:
    """To whoever wants them thrown; and nobody waits for an answer of somebody who is away."""
    game = Game(house, "players", {})
    for name in ("ann", "bob"):
        game.say("player", BuyIn(seat=name, amount=10_000), person=name)
        game.say("player", Bet(seat=name, spot="pass", amount=500), person=name)

    def dealt(steps: int) -> None:
        for _ in range(steps):
            if game.crew() is None:
                break

    for _ in range(2):
        dealt(4)
        name = game.desk.table.hand.offered
        game.say("player", DeclineDice(seat=name), person=name)
    dealt(4)
    assert (game.desk.table.hand.offered, len(game.desk.table.hand.declined)) == ("", 2)
    game.ready = {"bob": game.now}
    dealt(4)
    assert game.desk.table.hand.offered == "bob"
    game.ready, game.away = {"ann": game.now}, {"bob"}
    then = game.now
    found = game.crew()
    assert found is not None
    assert (found.station.role, type(found.call)) == ("stick", PassOver)
    assert not found.refused
    assert game.now - then >= PATIENCE
    dealt(4)
    assert game.desk.table.hand.offered == "ann"
    audit = Audit()
    assert [each for row in game.journal.rows("t") if (each := audit.look(row))] == []


@pytest.mark.parametrize("house", ["adelaide", "rws"])
def test_a_point_of_somebody_who_has_left_does_not_stop_the_table(house: str) -> None:
    game = Game(house, "players", {})
    for name in ("ann", "bob"):
        game.say("player", BuyIn(seat=name, amount=10_000), person=name)
    game.ready = {"ann": game.now, "bob": game.now}
    for _ in range(60):
        table = game.desk.table
        if table.puck and table.phase == "open":
            break
        if "pass" not in table.seats["ann"].wagers and table.phase == "open":
            game.say("player", Bet(seat="ann", spot="pass", amount=500), person="ann")
        if table.hand.offered:
            game.say("player", TakeDice(seat="ann"), person="ann")
        game.crew()
    assert game.desk.table.puck
    game.say("player", Leave(seat="ann"), person="ann")
    for _ in range(4):
        game.crew()
    assert game.desk.table.puck == 0
    assert "ann" not in game.desk.table.seats  # the wager came back, and left with her
    game.say("player", Bet(seat="bob", spot="pass", amount=500), person="bob")
    for _ in range(4):
        game.crew()
    assert game.desk.table.hand.offered == "bob"


def test_a_die_off_the_table_is_made_good() -> None:
    game = Game("nsw", "guest", {"ann": "pass-odds"})
    game.play(10)
    game.say("stick", HandleDice(event="off"))
    assert game.desk.table.floor.dice.play == 1
    before = game.desk.table.rolls
    game.play(30)
    assert game.desk.table.floor.dice.play == 2
    assert game.desk.table.rolls > before


def test_a_player_who_is_broke_buys_in_again_and_one_who_fails_stops() -> None:
    game = Game("nsw", "guest", {"ann": "pass-odds"})
    game.players[0].bankroll = 1_000
    assert game.play(300) == []
    assert game.desk.table.seats["ann"].bought > 1_000
    game.players[0].problem = "a fault of the strategy"
    assert game.players[0].next_calls(game.desk.table) == []


def test_a_deserted_table_rests_until_somebody_comes() -> None:
    """Automatic players alone would fill the journal for ever."""
    with served() as server:
        person = server.person().guest("ann")
        table = person.post("/api/tables", 201, house="nsw", players=["pass-odds"], pace=0)["table"]

        def until(ready: Any) -> None:
            end = time.monotonic() + 20
            while not ready(person.get(f"/api/tables/{table}")["view"]):
                assert time.monotonic() < end, "it did not happen"
                time.sleep(0.05)

        # The automatic player sits down and bets; then it is anybody's guess when somebody comes.
        until(lambda view: any(seat["wagers"] for seat in view["seats"]))
        rows = person.get(f"/api/tables/{table}")["number"]
        time.sleep(1)
        quiet = person.get(f"/api/tables/{table}")
        assert (quiet["number"], quiet["view"]["rolls"]) == (rows, 0)
        with person.at(table):
            until(lambda view: view["rolls"] > 2)
        until(lambda view: view["phase"] == "open")
        time.sleep(1)
        rows = person.get(f"/api/tables/{table}")["number"]
        time.sleep(1)
        assert person.get(f"/api/tables/{table}")["number"] == rows


def test_rolls_asked_for_come_at_the_pace_asked_for() -> None:
    """Each is due from when the last was, whatever the crew needs for one."""
    game = Game("nsw", "players", {})
    rolled = Rolled(first=3, second=4, puck=0, event="", cites=())
    asked: AutoRoll | None = AutoRoll(4, 100, due=1_000)
    dues = []
    for now in (1_060, 1_190, 4_000):
        assert asked is not None
        asked = asked.after(rolled, game.desk.table, "ann", now)
        dues.append(asked and asked.due)
    assert dues == [1_100, 1_200, 4_000 - MADE_GOOD]
    assert asked is not None
    assert asked.after(rolled, game.desk.table, "ann", 4_100) is None
