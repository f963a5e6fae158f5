"""The wire: whatever comes over it is answered with one clear message, and nobody is misled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from boxman.journal.memory import MemoryJournal
from boxman.journal.store import JournalFull
from tests.pit.serving import Person, Seat, Served, served, set_up


@pytest.fixture(scope="module")
def table(boss: Person) -> str:
    made = boss.post("/api/tables", 201, house="nsw", automatic=[], name="wire")
    return str(made["table"])


@pytest.fixture(scope="module")
def ann(server: Served, table: str) -> Iterator[Seat]:
    person = server.person()
    person.post(f"/api/tables/{table}/sit", 200, name="ann", buy_in=100_000)
    with person.at(table) as seat:
        yield seat


MALFORMED: list[Any] = [
    "",
    "{",
    "[]",
    "null",
    "7",
    '"call"',
    "{}",
    '{"do": 7}',
    '{"do": "dance"}',
    '{"do": "call"}',
    '{"do": "call", "id": "m1"}',
    '{"do": "call", "id": "m2", "call": []}',
    '{"do": "call", "id": "m3", "call": {}}',
    '{"do": "call", "id": "m4", "call": {"type": "dance"}}',
    '{"do": "call", "id": "m5", "call": {"type": "bet"}}',
    '{"do": "call", "id": "m6", "call": {"type": "bet", "spot": 7, "amount": 5}}',
    '{"do": "call", "id": "m7", "call": {"type": "bet", "spot": "pass", "amount": "ten"}}',
    '{"do": "call", "id": "m8", "call": {"type": "bet", "spot": "pass", "amount": -5}}',
    '{"do": "call", "id": "m9", "call": {"type": "bet", "spot": "pass", "amount": 1e400}}',
    '{"do": "call", "id": "m10", "call": {"type": "bet", "spot": "pass", "amount": 10.5}}',
    '{"do": "call", "id": "m11", "call": {"type": "bet", "spot": "p\\u0000", "amount": 500}}',
    '{"do": "call", "id": "m12", "call": {"type": "bet", "spot": "\\"}{", "amount": 500}}',
    '{"do": "call", "id": "m13", "call": {"type": "setworking", "spot": "pass", "call": "up"}}',
    '{"do": "call", "id": "m14", "line": "bets ten pass"}',
    '{"do": "call", "id": "m15", "line": "dances"}',
    '{"do": "call", "id": "' + "x" * 300 + '", "line": "bets 10 pass"}',
    '{"do": "call", "id": "m16", "call": {"type": "bet", "spot": "pass", "amount": 500},'
    ' "station": "king"}',
    '{"do": "resume", "after": "x"}',
    '{"do": "hail", "text": "you are an idiot"}',
    '{"do": "hail", "text": "pages.hails.luck"}',
    "[" * 3000,
    '{"a":' * 2000,
    b"\xff\xfe\x00",
    b"\x80abc",
]


@pytest.mark.parametrize("text", MALFORMED, ids=range(len(MALFORMED)))
def test_what_cannot_be_understood_is_answered_once(ann: Seat, text: Any) -> None:
    ann.send(do="ping")
    ann.next("pong")
    ann.heard.clear()
    ann.socket.send(text)
    ann.send(do="ping")
    ann.next("pong")
    errors = [message for message in ann.heard if message["is"] == "error"]
    assert len(errors) == 1
    assert errors[0]["code"] in ("not-understood", "bad-id", "no-id", "not-your-station")
    assert errors[0]["message"]


def test_a_message_that_is_too_large_ends_the_connection(server: Served, table: str) -> None:
    person = server.person().guest("large")
    with person.at(table) as seat:
        seat.next("snapshot")
        seat.socket.send(json.dumps({"do": "ping", "text": "x" * 100_000}))
        assert closing(seat) == 1009


def closing(seat: Seat) -> int:
    """Read until the server closes; its code."""
    with suppress(ConnectionClosed):
        while True:
            seat.socket.recv(timeout=60)
    code = seat.socket.close_code
    assert code is not None
    return code


def _turned_away(url: str, headers: dict[str, str]) -> tuple[int, str]:
    from websockets.exceptions import InvalidStatus

    try:
        with connect(url, additional_headers=headers, close_timeout=2) as socket:
            message = json.loads(socket.recv(timeout=60))
            assert message["is"] == "error"
            assert message["message"]
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv(timeout=60)
            assert closed.value.rcvd is not None
            return closed.value.rcvd.code, str(message["code"])
    except InvalidStatus as refused:
        return refused.response.status_code, ""


def test_nobody_without_a_session(server: Served, table: str) -> None:
    url = f"ws://{server.address}/ws/tables/{table}"
    assert _turned_away(url, {}) == (4401, "signed-out")
    assert _turned_away(url, {"Cookie": "boxman_session=made-up"}) == (4401, "signed-out")
    assert _turned_away(url, {"Cookie": f"boxman_session={'x' * 5000}"}) == (4401, "signed-out")


def test_no_such_table(server: Served) -> None:
    person = server.person().guest("lost")
    url = f"ws://{server.address}/ws/tables/nowhere"
    assert _turned_away(url, {"Cookie": person.cookie}) == (4404, "no-such-table")


def test_a_page_of_somebody_else_is_not_let_in(server: Served, table: str) -> None:
    person = server.person().guest("victim")
    url = f"ws://{server.address}/ws/tables/{table}"
    headers = {"Cookie": person.cookie, "Origin": "https://evil.example"}
    assert _turned_away(url, headers)[0] == 403
    answer = person.http.post(
        "/api/tables", json={"house": "nsw"}, headers={"Origin": "https://evil.example"}
    )
    assert answer.status_code == 403
    same = person.http.post(
        "/api/me/brakes", json={"remind": 30}, headers={"Origin": f"http://{server.address}"}
    )
    assert same.status_code == 200


def test_a_session_that_ends_ends_its_socket(server: Served, table: str) -> None:
    person = server.person().guest("brief")
    with person.at(table) as seat:
        seat.next("snapshot")
        token = person.http.cookies["boxman_session"]
        assert person.http.delete("/api/session").status_code == 204
        server.house.door._known.clear()
        seat.send(do="ping")
        assert seat.next("error")["code"] == "signed-out"
        assert closing(seat) == 4401
    url = f"ws://{server.address}/ws/tables/{table}"
    assert _turned_away(url, {"Cookie": f"boxman_session={token}"}) == (4401, "signed-out")


def test_a_repeated_call_gets_the_first_ruling_again(ann: Seat) -> None:
    call = {"type": "bet", "spot": "field", "amount": 500}
    ann.send(do="call", id="twice", call=call)
    first = ann.answer("twice")
    ann.send(do="call", id="twice", call=call)
    assert ann.answer("twice") == first
    ann.send(do="call", id="twice", call={"type": "takedown", "spot": "field"})
    assert ann.answer("twice")["code"] == "id-taken"
    refused = {"type": "bet", "spot": "field", "amount": 1}
    ann.send(do="call", id="refused twice", call=refused)
    first = ann.answer("refused twice")
    assert first["refused"]["code"] == "not-in-chips"
    ann.send(do="call", id="refused twice", call=refused)
    assert ann.answer("refused twice") == first


def test_resume_gives_exactly_what_was_missed(server: Served, table: str, ann: Seat) -> None:
    person = server.person().guest("returning")
    with person.at(table) as seat:
        last = seat.next("snapshot")["number"]
    numbers = [ann.say("bet", spot="field", amount=500)["number"] for _ in range(3)]
    with person.at(table, f"?after={last}") as seat:
        got = [seat.next("row")["number"] for _ in range(numbers[-1] - last)]
        assert got == list(range(last + 1, numbers[-1] + 1))
        seat.send(do="ping")
        seat.next("pong")
        assert not [m for m in seat.heard if m["is"] == "snapshot"]
    with person.at(table, "?after=0") as seat:  # long ago: a snapshot instead
        assert seat.next("snapshot")["number"] == numbers[-1]


def test_a_quick_call_is_heard_by_all_and_is_on_no_record(
    server: Served, table: str, ann: Seat
) -> None:
    rows = server.house.pit.tables[table].desk.head.number
    watches = server.person()
    watches.post(f"/api/tables/{table}/watch", 200)
    with watches.at(table) as other:
        other.next("snapshot")
        ann.send(do="hail", text="luck")
        assert other.next("hail") == {"is": "hail", "seat": "ann", "word": "luck"}
        other.send(do="hail", text="luck")
        assert other.next("error")["code"] == "not-seated"
        ann.heard.clear()
        for _ in range(4):
            ann.send(do="hail", text="nice")
        assert ann.next("error")["code"] == "wait"
    assert server.house.pit.tables[table].desk.head.number == rows


def test_a_spectator_sees_and_does_not_speak(server: Served, table: str, ann: Seat) -> None:
    person = server.person()
    person.post(f"/api/tables/{table}/watch", 200)
    with person.at(table) as seat:
        view = seat.next("snapshot")["view"]
        assert [each["name"] for each in view["seats"]] == ["ann"]
        own = seat.next("view")["view"]
        assert own["menu"] is None
        assert own["me"]["seat"] is None
        number = ann.say("bet", spot="field", amount=500)["number"]
        assert seat.next("row")["number"] == number
        answer = seat.say("record", "box", what="touching")
        assert answer["code"] == "not-your-station"
        assert seat.say("bet", spot="field", amount=500)["refused"]["code"] == "not-seated"


def test_guests_only_watch_at_live_tables(server: Served, boss: Person) -> None:
    live = boss.post("/api/tables", 201, house="nsw", practice=False)["table"]
    person = server.person().guest("visitor2")
    person.post(f"/api/tables/{live}/sit", 403)
    with person.at(live) as seat:
        assert seat.say("buyin", amount=1000)["code"] == "not-your-station"
    nobody = server.person()
    nobody.post(f"/api/tables/{live}/sit", 401)
    nobody.post("/api/tables", 403, house="nsw", practice=False)


def test_too_many_messages_are_refused_and_the_table_goes_on() -> None:
    with served(command_rate=5.0) as server:
        person = server.person()
        table = person.post("/api/tables", 201, house="nsw", automatic=[])["table"]
        with person.at(table) as seat:
            for number in range(130):
                seat.send(do="ping", id=str(number))
            told = [seat.next("pong", "error") for _ in range(130)]
            codes = [message.get("code", "pong") for message in told]
            assert codes[:80] == ["pong"] * 80
            assert codes.count("too-fast") >= 20
            # Each says which message it was.
            assert [m["id"] for m in told if m["is"] == "error"][-1] == "129"


def test_a_slow_reader_is_given_a_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    from boxman.pit.web import sockets

    monkeypatch.setattr(sockets, "QUEUE", 5)
    with served() as server:
        person = server.person()
        table = person.post("/api/tables", 201, house="nsw", automatic=[])["table"]
        person.post(f"/api/tables/{table}/sit", 200, buy_in=100_000)
        with person.at(table) as seat:
            seat.next("snapshot")
            # Everything at once: the rows of one batch are more than its queue holds.
            for number in range(40):
                call = {"type": "bet", "spot": "field", "amount": 500}
                seat.send(do="call", id=str(number), call=call)
            answers = [seat.next("answer")["number"] for _ in range(40)]
            assert answers == list(range(answers[0], answers[0] + 40))
            seat.send(do="resume", after=0)
            assert seat.next("snapshot")["number"] >= answers[0]


class _FullDisk(MemoryJournal):
    """A journal that can be full."""

    full = False

    def __init__(self) -> None:
        super().__init__()
        put = self.records.put

        def tried(kind: str, key: str, value: bytes) -> None:
            if self.full:
                raise JournalFull("the disk is full")
            put(kind, key, value)

        self.records.put = tried  # type: ignore[method-assign]

    def submit(self, rows: Any, moves: Any = ()) -> Any:
        from concurrent.futures import Future

        if self.full:
            failed: Future[None] = Future()
            failed.set_exception(JournalFull("the disk is full"))
            return failed
        return super().submit(rows, moves)


def test_nothing_is_told_that_was_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    disk = _FullDisk()
    with served(journal=disk) as server:
        boss = set_up(server)
        table = boss.post("/api/tables", 201, house="nsw", automatic=[])["table"]
        boss.post(f"/api/tables/{table}/sit", 200, buy_in=100_000)
        with boss.at(table) as seat, boss.at(table) as other:
            before = seat.next("snapshot")["number"]
            other.next("snapshot")
            # Within one second by the house's clock, for which a yes is remembered.
            now = server.house.clock()
            monkeypatch.setattr(server.house, "clock", lambda: now)
            assert boss.get("/readyz")["status"] == "ready"
            disk.full = True
            assert boss.get("/readyz")["status"] == "ready"  # nothing has failed yet
            call = {"type": "bet", "spot": "field", "amount": 500}
            seat.send(do="call", id="full", call=call)
            answer = seat.answer("full")
            assert boss.get("/readyz", 503)["why"] == "the disk is full"
            assert answer["is"] == "error"
            assert answer["code"] == "journal-full"
            assert "does not count" in answer["message"]
            assert other.next("error")["code"] == "journal-full"
            disk.full = False
            now += 1_000
            assert boss.get("/readyz")["status"] == "ready"
            seat.send(do="call", id="full", call=call)
            assert seat.answer("full")["number"] == before + 1
            assert other.next("row")["number"] == before + 1
            assert not [m for m in other.heard if m["is"] == "row"]


class _Fence(MemoryJournal):
    """A journal that never takes some ids, as if somebody else had written them."""

    poison = "poison"
    tried = 0

    def submit(self, rows: Any, moves: Any = ()) -> Any:
        from concurrent.futures import Future

        from boxman.journal.store import Fenced

        if any(row.id.endswith(self.poison) for row in rows):
            self.tried += 1
            failed: Future[None] = Future()
            failed.set_exception(Fenced("written by somebody else"))
            return failed
        return super().submit(rows, moves)


def test_what_cannot_be_stored_is_heard_once_more_and_then_closed_with_a_word() -> None:
    fence = _Fence()
    with served(journal=fence) as server:
        boss = set_up(server)
        table = boss.post("/api/tables", 201, house="nsw", automatic=[])["table"]
        boss.post(f"/api/tables/{table}/sit", 200, buy_in=100_000)
        with boss.at(table) as seat, boss.at(table) as other:
            call = {"type": "bet", "spot": "field", "amount": 500}
            for number in range(3):
                seat.send(do="call", id=f"before {number}", call=call)
                other.send(do="call", id=f"beside {number}", call=call)
            seat.send(do="call", id="poison", call=call)
            for number in range(3):
                seat.send(do="call", id=f"after {number}", call=call)
            assert seat.answer("poison")["code"] == "not-stored"
            for number in range(3):
                assert seat.answer(f"before {number}")["refused"] is None
                assert seat.answer(f"after {number}")["is"] == "answer"
                assert other.answer(f"beside {number}")["refused"] is None
            assert fence.tried == 2
            assert seat.say("bet", spot="field", amount=500)["is"] == "answer"


@pytest.mark.parametrize("house", ["nsw", "perth-crapless"])
def test_a_wager_put_down_by_mistake_is_given_back_by_the_automatic_box(
    server: Served, boss: Person, house: str
) -> None:
    made = boss.post("/api/tables", 201, house=house, automatic=["box"], name=f"undo {house}")
    table = made["table"]
    person = server.person()
    person.post(f"/api/tables/{table}/sit", 200, name="clumsy")
    with person.at(table) as seat:
        assert seat.say("bet", spot="pass", amount=1_000)["refused"] is None
        row = seat.next("row")
        while row["text"] != "clumsy bets 10 pass":
            row = seat.next("row")
        assert row["view"]["seats"][0]["wagers"][0]["fresh"] == 1_000
        seat.send(do="undo", id="oops", spot="pass")
        answer = seat.answer("oops")
        assert answer["refused"] is None
        while (given := seat.next("row"))["number"] != answer["number"]:
            pass  # the automatic box looked over the dice in between
        assert given["by"] == "box"
        assert given["view"]["seats"][0]["rail"] == 30_000
        seat.send(do="undo", id="again", spot="pass")
        assert seat.answer("again")["refused"]["code"] == "no-wager"
    by_hand = boss.post("/api/tables", 201, house=house, automatic=[])["table"]
    person.post(f"/api/tables/{by_hand}/sit", 200)
    with person.at(by_hand) as seat:
        seat.say("bet", spot="pass", amount=1_000)
        seat.send(do="undo", id="no box", spot="pass")
        assert seat.answer("no box")["code"] == "not-your-station"


def test_calls_said_in_one_breath_are_each_answered(ann: Seat) -> None:
    spots = ("field", "two", "nowhere.9", "twelve")
    calls = [
        {"id": f"b-{spot}", "call": {"type": "bet", "spot": spot, "amount": 500}} for spot in spots
    ]
    ann.send(do="calls", calls=[*calls, {"id": "b-staff", "call": {"type": "throw"}}])
    answers = [ann.answer(each["id"]) for each in calls]  # type: ignore[arg-type]
    numbers = [answer["number"] for answer in answers]
    assert numbers == list(range(numbers[0], numbers[0] + 4))
    assert [bool(answer["refused"]) for answer in answers] == [False, False, True, False]
    assert ann.answer("b-staff")["code"] == "not-your-station"
    ann.send(do="calls", id="many", calls=[{"id": str(n), "line": "x"} for n in range(101)])
    assert ann.answer("many")["code"] == "not-understood"
