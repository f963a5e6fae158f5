"""Leaving with wagers up: the rail goes home at once, the wagers when they are decided."""

from __future__ import annotations

from typing import Any

import pytest

from boxman.journal.audit import Audit
from boxman.journal.pit_calls import Throw
from boxman.rules.book import houses
from boxman.table.accounts import imbalance
from boxman.table.calls import (
    Bet,
    BuyIn,
    CloseBets,
    DiceOut,
    HandleDice,
    Leave,
    OfferDice,
    StayUp,
    TakeDice,
)
from tests.pit.serving import PASSWORD, Person, Served
from tests.pit.test_desk import Evening

POINT_SIX, SEVEN = (4, 2), (3, 4)


def evening(house: str, *script: tuple[int, int], **more: Any) -> Evening:
    made = Evening(house, dice="scripted", script=script, **more)
    for name in ("ann", "bob"):
        made.say("player", BuyIn(seat=name, amount=30_000))
    return made


@pytest.mark.parametrize("house", houses())
def test_wagers_stand_until_they_are_decided_in_every_house(house: str) -> None:
    made = evening(house, SEVEN)
    desk = made.desk
    made.say("player", Bet(seat="ann", spot="field", amount=1_000))
    made.say("player", Bet(seat="bob", spot="field", amount=1_000))
    assert made.code(made.say("player", Leave(seat="ann"))) == "ok"
    assert desk.book.leaving == ("ann",)
    assert desk.table.seats["ann"].rail == 0
    assert desk.table.seats["ann"].wagers["field"].stake == 1_000
    assert desk.book.bought == {"ann": 1_000, "bob": 30_000}
    row = made.say("player", Bet(seat="ann", spot="field", amount=500))
    assert made.code(row) == "has-left"
    assert row.cites == ("pit-leaving",)
    assert made.code(made.say("player", Leave(seat="ann"))) == "has-left"
    _throw(made)
    assert "ann" not in desk.table.seats
    assert desk.book.leaving == ()
    assert desk.table.seats["bob"].rail == 29_000
    # A seven loses the field: she brought 300, took 290 and lost 10.
    assert desk.book.bought["ann"] == 1_000
    assert sum(desk.book.results["ann"].values()) == -1_000
    assert imbalance(desk.table) == 0
    audit = Audit()
    assert [told for row in made.rows() if (told := audit.look(row))] == []
    again = made.restart()
    assert (again.table, again.book) == (desk.table, desk.book)


def _throw(made: Evening) -> None:
    for role in ("stick", "dealer", "box"):
        made.say(role, HandleDice(event="inspected"))
    for role, call in (("stick", CloseBets()), ("dealer", CloseBets()), ("stick", DiceOut())):
        made.say(role, call)
    assert made.code(made.say("stick", Throw())) == "ok"


def test_a_winner_goes_home_and_does_not_stay_up() -> None:
    made = evening("nsw", POINT_SIX, POINT_SIX)
    _throw(made)
    made.say("player", Bet(seat="ann", spot="place.6", amount=600))
    assert made.code(made.say("player", StayUp(seat="ann", spot="place.6"))) == "ok"
    made.say("player", Leave(seat="ann"))
    assert made.desk.table.seats["ann"].wagers["place.6"].stays is False
    _throw(made)
    assert "ann" not in made.desk.table.seats
    # 6 wins 7 for 6: she took 294 when she left and 13 when it was decided.
    assert made.desk.book.bought["ann"] == 30_000 - 29_400 - 1_300
    assert sum(made.desk.book.results["ann"].values()) == 700


def test_dice_offered_to_somebody_who_has_left_go_on() -> None:
    made = evening("nsw", POINT_SIX, shooter="players")
    for name in ("ann", "bob"):
        made.say("player", Bet(seat=name, spot="pass", amount=1_000))
    made.say("stick", OfferDice(seat="ann"))
    made.say("player", Leave(seat="ann"))
    assert made.desk.table.hand.offered == ""
    assert made.code(made.say("stick", OfferDice(seat="bob"))) == "ok"
    assert made.code(made.say("player", TakeDice(seat="bob"))) == "ok"


def test_buying_in_brings_somebody_back() -> None:
    made = evening("nsw", SEVEN)
    made.say("player", Bet(seat="ann", spot="pass", amount=1_000))
    made.say("player", Leave(seat="ann"))
    assert made.code(made.say("player", BuyIn(seat="ann", amount=5_000))) == "ok"
    assert made.desk.book.leaving == ()
    assert made.desk.table.seats["ann"].rail == 5_000
    assert made.code(made.say("player", Bet(seat="ann", spot="field", amount=500))) == "ok"


def test_leaving_over_the_wire(server: Served, boss: Person) -> None:
    boss.post("/api/people", 201, name="lea", password=PASSWORD)
    boss.post("/api/cage", 200, person="lea", amount=50_000)
    table = boss.post(
        "/api/tables",
        201,
        house="nsw",
        practice=False,
        automatic=[],
        dice="scripted",
        script=[[3, 4]],
    )["table"]
    boss.post("/api/people/boss/stations", 200, table=table, stations=["stick"])
    lea = server.person().sign_in("lea")
    lea.post(f"/api/tables/{table}/sit", 200, buy_in=30_000)
    with lea.at(table) as seat, boss.at(table) as crew:
        assert seat.say("bet", spot="field", amount=1_000)["refused"] is None
        assert seat.say("bet", spot="pass", amount=2_000)["refused"] is None
        told = lea.post(f"/api/tables/{table}/leave", 200)
        assert told["refused"] is None
        assert (told["returned"], told["up"]) == (27_000, 3_000)
        assert told["wagers"] == [
            {"spot": "field", "stake": 1_000},
            {"spot": "pass", "stake": 2_000},
        ]
        assert lea.get("/api/cage")["balance"] == 47_000
        assert lea.get("/api/me")["tables"] == []
        seen = lea.get(f"/api/tables/{table}")["view"]["seats"][0]
        assert (seen["leaving"], seen["rail"]) == (True, 0)
        while True:
            own = seat.next("view")["view"]
            if own.get("menu", 1) is None and own["me"]["left"]:
                break
        assert (own["me"]["seat"], own["me"]["left"]) == (None, "lea")
        assert seat.say("takedown", spot="field")["refused"]["code"] == "has-left"
        assert seat.say("bet", spot="field", amount=500)["refused"]["code"] == "has-left"
        seat.send(do="ready", id="now")
        assert seat.answer("now")["code"] == "not-seated"
        assert lea.post(f"/api/tables/{table}/leave", 409)["code"] == "not-seated"
        crew.say("closebets", "stick")
        crew.say("diceout", "stick")
        assert crew.say("throw", "stick")["refused"] is None
        # A come-out seven: the pass of 20 wins 20, the field of 10 is lost.
        assert lea.get("/api/cage")["balance"] == 47_000 + 4_000
        assert lea.get(f"/api/tables/{table}")["view"]["seats"] == []


def test_the_automatic_crew_plays_out_what_nobody_sits_at(server: Served, boss: Person) -> None:
    made = boss.post(
        "/api/tables", 201, house="nsw", pace=0.0, dice="scripted", script=[[4, 2], [3, 4]]
    )
    person = server.person()
    person.post(f"/api/tables/{made['table']}/sit", 200, name="hasty", buy_in=10_000)
    with person.at(made["table"]) as seat:
        assert seat.say("bet", spot="pass", amount=1_000)["refused"] is None
        assert person.post(f"/api/tables/{made['table']}/leave", 200)["up"] == 1_000
        while "hasty" not in seat.next("row")["view"].get("gone", ()):
            pass


def test_a_page_asks_once_more_before_it_hears_that_its_player_has_left(server: Served) -> None:
    guest = server.person().guest("una")
    table = guest.post("/api/tables", 201, house="nsw", automatic=[])["table"]
    guest.post(f"/api/tables/{table}/sit", 200, buy_in=30_000)
    with guest.at(table) as seat:
        assert seat.say("bet", spot="pass", amount=1_000)["refused"] is None
    ways = [each["ways"] for each in guest.get(f"/api/tables/{table}/if-it-rolls")["rolls"]]
    assert sum(ways) == 36
    assert guest.post(f"/api/tables/{table}/leave", 200)["up"] == 1_000
    assert guest.get(f"/api/tables/{table}/if-it-rolls") is None
