"""Somebody who shouts without end, or never listens, is sent off; nobody else notices."""

from __future__ import annotations

import json
import socket
import time
from contextlib import suppress
from select import select

import pytest

from tests.attack.client import MORE, PING, PONG, TEXT, Line, frame, request
from tests.attack.server import Server

TAKEN = 2 << 20
"""Bytes that a socket which is not read does not take: the system keeps less than half a million
for it. One that is read takes them all, on a slow machine too."""
TURNS = 200
"""So many others are answered meanwhile: who reads at all would have read."""
BET = {"do": "call", "call": {"type": "bet", "spot": "field", "amount": 500}}


@pytest.mark.parametrize(
    "said",
    [
        frame(b'{"do":"ping"}'),
        frame(b"["),
        frame(json.dumps(BET | {"id": "same"}).encode()),
        frame(b'{"do":"resume"}'),
        frame(b"", PING),
        frame(b"", PONG),
    ],
    ids=["pings", "nonsense", "bets", "resumes", "pings of the line", "pongs of the line"],
)
def test_a_socket_that_floods_and_never_reads_is_cut_off(strict: Server, said: bytes) -> None:
    guest, other = strict.visitor(), strict.visitor()
    table = strict.practice_table(guest)
    for visitor in (guest, other):
        visitor.post(f"/api/tables/{table}/sit", 200, name="somebody", buy_in=50_000)
    flood = guest.at(table)
    # The other window of the same visitor has just been let in: it has heard nothing yet.
    with other.at(table) as somebody, guest.at(table) as window:
        block = said * 500
        with suppress(ConnectionError):
            flood.line.shout(block, 400)
        flood.line.ended()
        for honest in (somebody, window):
            assert honest.say("bet", spot="field", amount=500)["refused"] is None
    flood.close()


def test_who_is_closed_and_shouts_on_is_not_read_any_more(strict: Server) -> None:
    """What is said after the end is not even looked at: others would wait for it."""
    guest, other = strict.visitor(), strict.visitor()
    table = strict.practice_table(guest)
    block = frame(b'{"do":"ping"}') * 500
    for _ in range(3):  # after the first time the house closes at once
        taken = turns = 0
        with guest.at(table) as flood, suppress(ConnectionError):
            flood.line.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
            flood.line.socket.setblocking(False)
            while taken < TAKEN and turns < TURNS:
                if select([], [flood.line.socket], [], 0)[1]:
                    taken += flood.line.socket.send(block)
                    turns = 0
                else:  # nobody reads: the next piece finds no room
                    other.get("/healthz")
                    turns += 1
        assert taken < TAKEN


def test_pieces_of_a_message_without_end_are_cut_off(strict: Server) -> None:
    guest = strict.visitor()
    table = strict.practice_table(guest)
    with guest.at(table) as flood:
        flood.line.send(frame(b"", first=TEXT))  # the first of several
        with suppress(ConnectionError):
            flood.line.shout(frame(b"", first=MORE) * 500, 400)
        flood.line.ended()


def test_who_was_cut_off_for_a_flood_does_not_come_back_at_once(strict: Server) -> None:
    guest = strict.visitor()
    table = strict.practice_table(guest)
    for _ in range(3):  # ten seconds may be over on a slow machine
        with guest.at(table) as flood, suppress(ConnectionError):
            flood.line.shout(b"".join(frame(b"[") for _ in range(500)), 10)
            flood.line.ended()
        with guest.at(table) as again:
            if (heard := again.next("error", "snapshot"))["is"] == "error":
                assert heard["code"] == "too-fast"
                assert again.closing().code == 4429
                return
    raise AssertionError("let in again each time")


def test_a_socket_over_its_rate_hears_why_before_it_is_closed(strict: Server) -> None:
    guest = strict.visitor()
    table = strict.practice_table(guest)
    with guest.at(table) as seat:
        seat.next("snapshot")
        with suppress(ConnectionError):
            seat.line.send(b"".join(frame(b'{"do":"ping"}') for _ in range(600)))
        closed = seat.closing()
        assert closed.code in (4429, 1006)


def test_a_burst_within_the_rate_is_answered_whole(strict: Server) -> None:
    guest = strict.visitor()
    table = strict.practice_table(guest)
    with guest.at(table) as seat:
        for number in range(60):
            seat.send(do="ping", id=str(number))
        for _ in range(60):
            assert seat.next("pong", "error")["is"] == "pong"


def test_half_a_request_is_not_waited_for(strict: Server) -> None:
    lines = []
    for half in (b"", b"GET / HTTP/1.1\r\nHost: x", b"POST /api/session HTTP/1.1\r\n"):
        lines.append(Line(strict.port))
        lines[-1].send(half)
    body = Line(strict.port)
    body.send(request("POST", "/api/session", {**strict.visitor().usual(), "Content-Length": "50"}))
    for line in (*lines, body):
        assert b"200" not in line.ended()
        line.close()


@pytest.mark.parametrize(
    ("asks", "other"),
    [
        ("/api/hands", "/api/houses/rws/odds?chip=100"),
        ("/api/strategies/check", "/api/strategies?house=rws"),
    ],
)
def test_half_a_question_keeps_nobody_from_asking(house: Server, asks: str, other: str) -> None:
    """What has to be worked out is worked out in turn: it was somebody's before all was said."""
    halves = [house.visitor(f"127.0.0.{number}").line() for number in range(90, 93)]
    headers = {"Host": f"127.0.0.1:{house.port}", "Content-Length": "50"}
    for line in halves:
        line.send(request("POST", asks, {**headers, "Content-Type": "application/json"}, b"{"))
    time.sleep(0.2)  # they are read
    assert house.visitor().ask("GET", other).status == 200
    for line in halves:
        line.socket.settimeout(0.05)
        with pytest.raises(TimeoutError):  # nobody has given up waiting for them yet
            line.socket.recv(1)


def test_answers_that_nobody_takes_are_given_up(strict: Server) -> None:
    line = strict.visitor().line()
    line.send(request("GET", "/static/pages/table.js", strict.visitor().usual()) * 1_000)
    until = time.monotonic() + 120
    with suppress(ConnectionError):
        while True:
            assert time.monotonic() < until, "the house still waits"
            line.send(b"G")  # it fails once the house has ended the connection
            time.sleep(0.2)
    line.close()


def test_a_socket_outlives_the_time_of_a_request(strict: Server) -> None:
    guest = strict.visitor()
    table = strict.practice_table(guest)
    with guest.at(table) as seat:
        half = Line(strict.port)
        half.send(b"GET / HTTP/1.1\r\nHost: x")
        half.ended()  # begun after the socket's own request, and over
        seat.send(do="ping")
        assert seat.next("pong")["is"] == "pong"
        half.close()


@pytest.mark.parametrize(
    "lines",
    [
        b"POST /api/session HTTP/1.1\r\n%s\r\nContent-Length: 4\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /healthz HTTP/1.1\n%s\n\n",
        b"GET /healthz HTTP/1.1\r\nX: 1\n%s\r\n\r\n",
    ],
    ids=["two lengths", "bare line feeds", "one bare line feed"],
)
def test_requests_that_two_readers_take_for_two_things_are_refused(
    house: Server, lines: bytes
) -> None:
    line = house.visitor().line()
    line.send(lines % f"Host: 127.0.0.1:{house.port}".encode())
    assert line.head()[0] == 400
    line.close()


def test_what_strangers_send_is_not_written_down(house: Server) -> None:
    """Nobody fills the disk of a house with what is said of nonsense."""
    guest = house.visitor()
    table = house.practice_table(guest)
    told = house.told()
    for nonsense in (
        b"\0\0\r\n\r\n",
        b"GET / HTTP/1.1\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
    ):
        line = house.visitor().line()
        line.send(nonsense)
        assert line.head()[0] == 400
        line.close()
    with guest.at(table) as seat:
        seat.line.send(frame(b"\xff\xfe"))
        assert seat.closing().code == 1007
    assert house.told() == told


def test_names_that_no_table_has_are_refused_in_one_sentence(house: Server) -> None:
    guest = house.visitor()
    table = house.practice_table(guest)
    for name in (f"{table}%00", "a%00b", "%2e%2e", "x" * 300):
        with guest.at(name) as seat:
            assert seat.next("error")["code"] == "no-such-table"
            assert seat.closing().code == 4404
    # What Python calls a digit and cannot read, or would read for ever.
    for odd in ("%C2%B2", "9" * 5_000):
        with guest.at(table, f"?after={odd}") as seat:
            for number, line in enumerate(("sits at \u00b2", f"sits at {'9' * 5_000}")):
                seat.send(do="call", id=f"odd-{odd[:3]}-{number}", line=line)
                assert seat.next("answer", "error")["code"] == "not-understood"
