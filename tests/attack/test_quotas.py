"""One visitor does not fill the house, and a class behind one address is not held up."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

import pytest

from tests.attack.client import Seat
from tests.attack.server import Server


def test_one_visitor_opens_a_few_tables_and_the_administrator_still_one(
    serve: Callable[..., Server],
) -> None:
    house = serve(tables=20)
    guest = house.visitor()
    for _ in range(4):
        house.practice_table(guest)
    refused = guest.ask("POST", "/api/tables", {"house": "nsw"})
    assert (refused.status, refused.code) == (409, "enough-tables")
    while (answer := house.visitor().ask("POST", "/api/tables", {"house": "nsw"})).status == 201:
        pass
    assert answer.code == "house-full"
    assert house.live_table()


def test_closed_tables_do_not_count_and_are_put_away_with_their_journals(
    serve: Callable[..., Server],
) -> None:
    house = serve(tables=4, idle_table=1)
    boss = house.boss()
    boss.post("/api/people/boss/stations", 200, stations=["supervisor"])
    tables = [house.live_table() for _ in range(4)]
    for table in tables:
        with boss.at(table) as seat:
            assert seat.say("closetable", "supervisor")["refused"] is None
    guest = house.visitor()
    empty = house.practice_table(guest)
    until = time.monotonic() + 120
    while len(found := boss.get("/api/tables/archive")["tables"]) < 5:
        assert time.monotonic() < until, found
        time.sleep(0.2)
    assert boss.get("/api/tables")["tables"] == []
    assert [each["table"] for each in guest.get("/api/tables/archive")["tables"]] == [empty]
    assert guest.ask("GET", f"/api/tables/archive/{tables[0]}/export").status == 404
    # Nobody looks for it elsewhere, or waits until it comes back.
    assert guest.ask("GET", f"/api/tables/{empty}").code == "put-away"
    with guest.at(empty) as seat:
        assert seat.next("error")["code"] == "put-away"
        assert seat.closing().code == 4404
    assert guest.ask("GET", "/api/tables/*house").status == 404
    lines = boss.ask("GET", f"/api/tables/archive/{tables[0]}/export").body.splitlines()
    assert json.loads(lines[0])["rows"] == json.loads(lines[-1])["number"]
    house.stop()
    house.start()
    boss.port = house.port
    assert boss.get("/api/tables")["tables"] == []
    assert len(boss.get("/api/tables/archive")["tables"]) == 5
    exported = house.run("export", tables[0], "--database", house.database)
    assert exported.stdout.splitlines() == lines


def test_a_class_behind_one_address_is_let_in(strict: Server) -> None:
    files = ["/", "/static/kit/api.js", "/static/kit/dom.js", "/static/style/pages.css"] * 6
    for number in range(30):
        student = strict.visitor("127.0.0.30")
        entered = student.ask("POST", "/api/session", {"name": f"student-{number}", "guest": True})
        assert entered.status == 200, (number, entered)
        assert [a.status for path in files if (a := student.ask("GET", path)).status == 429] == []


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A house that answers a visitor once a second, and four times at once."""
    with Server(tmp_path_factory.mktemp("slow"), request_rate=1) as server:
        yield server


def test_one_visitor_who_asks_without_end_is_told_to_wait(slow: Server) -> None:
    greedy, other = slow.visitor(), slow.visitor()
    greedy.post("/api/session", 200, name="greedy", guest=True)
    other.post("/api/session", 200, name="other", guest=True)
    found = {greedy.ask("GET", "/api/tables").status for _ in range(60)}
    assert found == {200, 429}
    assert other.ask("GET", "/api/tables").status == 200
    dear = [greedy.ask("GET", f"/api/houses/rws/felt?chip={n + 1}").status for n in range(10)]
    assert 429 in dear
    assert greedy.ask("GET", "/static/kit/api.js").status == 200


def test_what_is_worked_out_for_strangers_is_counted_by_itself(slow: Server) -> None:
    """Thirty requests at once of people not yet in, and four of them for something worked out."""
    for number, (method, path) in enumerate(
        (
            ("GET", "/api/houses/rws/felt?chip={}"),
            ("GET", "/api/compare"),
            ("POST", "/api/hands"),
            ("GET", "/api/houses/rws?set=x={}"),
            ("GET", "/api/houses/rws/machine/pass?set=x={}"),
        )
    ):
        stranger = slow.visitor(f"127.0.0.4{number}")
        body = {"code": "eJw"} if method == "POST" else None
        found = [stranger.ask(method, path.format(n + 1), body).status for n in range(10)]
        assert 429 in found, path
        assert stranger.ask("GET", "/api/tables").status == 200


def test_automatic_people_do_not_fill_the_disk(serve: Callable[..., Server]) -> None:
    """A practice table of somebody who only watches: a thousand calls at once, then a few. How
    fast this machine is just now, somebody's calls at another table tell: of a table that nothing
    slows down there are as many rows meanwhile."""
    house = serve()
    guest, other = house.visitor(), house.visitor()
    everybody = ["stick", "dealer", "box", "supervisor", "senior", "manager"]
    table = house.practice_table(guest, automatic=everybody, players=8, pace=0)
    beside = house.practice_table(other)
    other.post(f"/api/tables/{beside}/sit", 200, name="other", buy_in=50_000)
    with guest.at(table) as watching, other.at(beside) as seat:
        rows = made = 100
        while rows < 1_000 or made > 120:  # five calls a second; without a brake over 200
            assert rows < 4_000, "it goes on as fast as it began"
            for _ in range(100):
                seat.say("bet", spot="field", amount=500)
                seat.heard.clear()
            before, rows = rows, _newest(watching, rows)
            made = rows - before


def _newest(watching: Seat, known: int) -> int:
    """The newest row that somebody who looks on has been told of by now."""
    watching.send(do="ping", id="now")
    watching.next("pong")
    numbers = [row["number"] for row in watching.heard if row["is"] == "row"]
    watching.heard.clear()
    return max([known, *numbers])


def test_guests_are_not_made_without_end_whatever_cookies_they_send(strict: Server) -> None:
    """Each guest is something that is stored durably; a hundred at once, then one a second."""
    table = strict.practice_table(strict.visitor())
    found = []
    for number in range(180):
        stranger = strict.visitor("127.0.0.31")
        stranger.cookies = {"boxman_session": f"made-up-{number}"}
        found.append(stranger.ask("POST", f"/api/tables/{table}/watch").status)
    assert set(found) == {200, 429}
    assert strict.visitor("127.0.0.32").ask("POST", f"/api/tables/{table}/watch").status == 200


FOREVER = {
    "house": "nsw",
    "strategies": [{"name": "percent"}],
    "sessions": 1_000_000,
    "rolls": 2_000,
    "bankroll": 100_000,
}
"""It reads its bankroll: nothing exact, and more rolls than anybody waits for."""


def test_simulations_of_one_visitor_leave_room_for_others(house: Server) -> None:
    greedy, other = house.visitor(), house.visitor()
    greedy.post("/api/session", 200, name="greedy", guest=True)
    other.post("/api/session", 200, name="modest", guest=True)
    asked = [greedy.ask("POST", "/api/simulations", FOREVER) for _ in range(3)]
    asked.append(other.ask("POST", "/api/simulations", FOREVER))
    for answer in asked:
        if answer.status == 202:
            greedy.ask("DELETE", f"/api/simulations/{answer.json['id']}")
    assert [answer.status for answer in asked] == [202, 202, 429, 202]
