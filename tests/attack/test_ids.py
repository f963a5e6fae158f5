"""Ids that clients choose: none of them stops a table, and none stands for two calls."""

from __future__ import annotations

import pytest

from tests.attack.client import Seat
from tests.attack.server import Server

BET = {"type": "bet", "spot": "field", "amount": 500}


def bets(seat: Seat, id: str = "") -> dict[str, object]:
    return seat.say("bet", spot="field", amount=500, id=id)


def test_a_player_cannot_take_the_ids_the_desk_needs_at_a_live_table(house: Server) -> None:
    ann, mal = house.person("honest", 100_000), house.person("mal", 100_000)
    table = house.live_table()
    told = len(house.told())
    for visitor in (ann, mal):
        visitor.post(f"/api/tables/{table}/sit", 200, buy_in=50_000)
    with ann.at(table) as honest, mal.at(table) as seat:
        for step in range(3):
            for made in (f"z+gone{step}", f"desk:gone{step}:z", f"z#gone{step}", f"z/gone{step}"):
                assert bets(seat, made)["is"] == "answer"
        left = seat.say("leave", id="z")
        assert (left["is"], left["refused"]) == ("answer", None)
        assert bets(honest)["refused"] is None
    assert len(house.told()) < told + 20_000


def test_a_guest_cannot_take_the_ids_of_a_throw(house: Server) -> None:
    guest = house.visitor()
    table = house.practice_table(guest)
    guest.post(f"/api/tables/{table}/sit", 200, name="guest", buy_in=50_000)
    with guest.at(table) as seat:
        for step in ("out", "rest", "call"):
            for made in (f"th+{step}", f"desk:{step}:th", f"commit+{step}"):
                assert bets(seat, made)["is"] == "answer"
        assert seat.say("bet", spot="pass", amount=500)["refused"] is None
        for event in ("inspected", "placed"):
            seat.say("handledice", "box", event=event)
        seat.say("closebets", "stick")
        assert seat.say("throw", "stick", id="th")["is"] == "answer"
        assert bets(seat)["is"] == "answer"


@pytest.mark.parametrize(
    "another",
    [
        {"type": "cashout", "amount": 1_000},
        {"type": "bet", "spot": "field", "amount": 1_000},
        {"type": "bet", "spot": "pass", "amount": 500},
    ],
)
def test_an_id_said_again_with_another_call_is_refused(
    house: Server, another: dict[str, object]
) -> None:
    guest = house.visitor()
    table = house.practice_table(guest)
    guest.post(f"/api/tables/{table}/sit", 200, name="guest", buy_in=50_000)
    with guest.at(table) as seat:
        first = bets(seat, "once")
        assert bets(seat, "once") == first
        seat.send(do="call", id="once", line="bets 5 field")
        assert seat.answer("once") == first
        seat.send(do="call", id="once", call=another)
        again = seat.answer("once")
        assert (again["is"], again.get("code")) == ("error", "id-taken")
        seat.send(do="call", id="once", station="stick", call={"type": "closebets"})
        assert seat.answer("once")["code"] == "id-taken"


def test_ids_that_nobody_can_read_are_refused(house: Server) -> None:
    guest = house.visitor()
    table = house.practice_table(guest)
    with guest.at(table) as seat:
        for made in ("a\x00b", "a\x1fb", "a\nb", "x" * 81):
            seat.send(do="call", id=made, call=BET)
            assert seat.next("error")["code"] == "bad-id"


def test_nobody_keeps_others_from_adding_words_to_the_dice(house: Server) -> None:
    """Words that only a confederate of the house could add would prove nothing to anybody else."""
    greedy, other = house.visitor(), house.visitor()
    table = house.practice_table(greedy)
    for visitor, name in ((greedy, "greedy"), (other, "other")):
        visitor.post(f"/api/tables/{table}/sit", 200, name=name, buy_in=50_000)
    with greedy.at(table) as seat, other.at(table) as honest:
        for number in range(120):
            seat.send(do="entropy", id=f"w{number}", text=f"mine {number}")
        refused = [seat.answer(f"w{number}")["refused"] for number in range(120)]
        assert refused[:5] == [None] * 5
        assert {each["code"] for each in refused[5:]} == {"bad-words"}
        honest.send(do="entropy", id="own", text="words of my own")
        assert honest.answer("own")["refused"] is None
