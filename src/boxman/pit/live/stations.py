"""Who may say what at a live table: station by call, as the calls are declared.

This says only from where a call may come at all. Whether this house gives the power, and for which
reason, is the rulebook's and is ruled with its clause. What the engine asks no power for (the dice
going out, a new stickperson) is held to its station here.
"""

from __future__ import annotations

import msgspec

from boxman.journal import codec  # noqa: F401  (knows every call)
from boxman.rules.duties import STATIONS
from boxman.table.call import DECLARED, Call
from boxman.table.floor.people import PLAYER as PLAYER

SPECTATOR = "spectator"
HOUSE = "house"
"""The desk itself: it commits to dice, shows them, and writes down what waits."""

ALL_STATIONS = (PLAYER, *STATIONS, SPECTATOR)

MAY_SAY: dict[str, frozenset[str]] = {
    station: frozenset(each.tag for each in DECLARED.values() if station in each.stations)
    for station in ALL_STATIONS
}
"""For every station the calls it may make."""

NOBODY = frozenset(each.tag for each in DECLARED.values() if not each.stations)
"""What only the desk itself writes."""

CALL_KINDS: dict[str, type[Call]] = {each.tag: kind for kind, each in DECLARED.items()}
"""Every kind of call by its tag."""


def tag_of(call: Call) -> str:
    """The kind of a call, as its JSON names it."""
    return str(call.__struct_config__.tag)


def spoken(call: Call, role: str, seat: str, call_id: str, at: int, stand_in: str = "") -> Call:
    """The call as the server writes it down: who makes it is never taken from the wire."""
    fixed: dict[str, object] = {"id": call_id, "at": at, "by": role, "stand_in": stand_in}
    if role == PLAYER:
        # A player without a seat in the call is named as the one who makes it.
        fixed["seat" if "seat" in call.__struct_fields__ else "by"] = seat
    elif DECLARED[type(call)].seated:
        fixed["seat"] = role
    return msgspec.structs.replace(call, **fixed)
