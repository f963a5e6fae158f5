"""Who may say what at a live table: station by call, as data.

This says only from where a call may come at all. Whether this house gives the power, and for which
reason, is the rulebook's and is ruled with its clause. What the engine asks no power for (the dice
going out, a new stickperson) is held to its station here.
"""

from __future__ import annotations

import msgspec

from boxman.journal.codec import EveryCall
from boxman.rules.duties import STATIONS
from boxman.table.people import STICK

PLAYER = "player"
SPECTATOR = "spectator"
HOUSE = "house"
"""The desk itself: it commits to dice, shows them, and writes down what waits."""

ALL_STATIONS = (PLAYER, *STATIONS, SPECTATOR)

_SEAT = (
    "buyin cashout bet takedown reduce setworking stayup disputefaces sit takedice declinedice "
    "passdice say object agree leave opendispute handledice addentropy"
)
_CREW = (
    "callnoroll decidefaces orderpass overrule voidroll confirm placefor record tell shownotice "
    "postlimits grantlimits keeplimits sanction linkpartners judgedispute handledice standin "
    "closetable cancelpoint find offerdice callroll choose giveback"
)
_ABOVE = f"{_CREW} attest second givevoucher changestick closebets opendispute"

MAY_SAY: dict[str, frozenset[str]] = {
    PLAYER: frozenset(_SEAT.split()),
    "stick": frozenset(
        f"{_CREW} closebets diceout dicerest throw enter callit takedice changestick".split()
    ),
    "dealer": frozenset(f"{_CREW} givevoucher second closebets".split()),
    "box": frozenset(_ABOVE.split()),
    "supervisor": frozenset(_ABOVE.split()),
    "senior": frozenset(_ABOVE.split()),
    "manager": frozenset(_ABOVE.split()),
    "inspector": frozenset(["judgedispute", "record", "tell", "handledice"]),
    SPECTATOR: frozenset(),
}
"""For every station the calls it may make."""

NOBODY = frozenset(["open", "commit", "reveal", "propose"])
"""What only the desk itself writes."""


def tag_of(call: EveryCall) -> str:
    """The kind of a call, as its JSON names it."""
    return str(call.__struct_config__.tag)


KINDS: dict[str, type[msgspec.Struct]] = {
    str(kind.__struct_config__.tag): kind for kind in EveryCall.__args__
}
"""Every kind of call by its tag."""


def spoken(
    call: EveryCall, role: str, seat: str, call_id: str, at: int, stand_in: str = ""
) -> EveryCall:
    """The call as the server writes it down: who makes it is never taken from the wire."""
    tag = tag_of(call)
    fixed: dict[str, object] = {"id": call_id, "at": at, "by": role, "stand_in": stand_in}
    if role == PLAYER:
        if "seat" in call.__struct_fields__:
            fixed["seat"] = seat
        if tag == "handledice":
            fixed["by"] = seat
    elif tag == "takedice":
        fixed["seat"] = STICK
    return msgspec.structs.replace(call, **fixed)
