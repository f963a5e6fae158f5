"""What people at a table do in several attacks."""

from __future__ import annotations

from tests.attack.client import Seat, Visitor
from tests.attack.server import Server

SHOWN = "the dice show "


def own_table(server: Server) -> tuple[Visitor, str]:
    """Somebody at a practice table of their own, who works all its stations."""
    guest = server.visitor()
    table = server.practice_table(guest, "rws")
    guest.post(f"/api/tables/{table}/sit", 200, name="ann", buy_in=100_000)
    return guest, table


def throws(seat: Seat, count: int) -> list[tuple[int, int]]:
    """Throw so often; the faces that came."""
    found = []
    for _ in range(count):
        seat.say("closebets", "dealer")
        assert seat.say("throw", "stick")["refused"] is None
        found.append(_last_throw(seat))
    return found


def _last_throw(seat: Seat) -> tuple[int, int]:
    told = [each.get("text", "") for each in seat.heard if each["is"] == "row"]
    shown = [text.removeprefix(SHOWN) for text in told if text.startswith(SHOWN)]
    first, second = shown[-1].split("-")
    return int(first), int(second)
