"""What comes over the wire, read with suspicion: a call is only taken if it could be said aloud.

Names, words and amounts are bounded here, so that everything behind this point can be written in
the notation and worked with in whole chips. It knows no table.
"""

from __future__ import annotations

from typing import Any

import msgspec

from boxman.journal.codec import EveryCall
from boxman.pit.stations import KINDS, PLAYER
from boxman.pit.wording import of_message
from boxman.rules.duties import STATIONS
from boxman.table.calls import SetWorking
from boxman.table.floor_calls import HandleDice, JudgeDispute, Sanction, ShowNotice
from boxman.table.floor_notation import DICE_WORDS, SANCTION_WORDS, STEP_WORDS
from boxman.table.notation import read_call, split_line
from boxman.table.words import NotationError

MOST = 10**12
"""No sum of chips at any table is larger, in minor units."""
LONGEST = 80
NOTE = 300
ID = 80


class Said(msgspec.Struct, kw_only=True):
    """One message of a client; `calls` are several calls said in one breath."""

    do: str = "call"
    id: str = ""
    call: dict[str, Any] | None = None
    line: str = ""
    station: str = ""
    after: int = -1
    text: str = ""
    spot: str = ""
    calls: list[Said] = []


class Unheard(Exception):
    """Why a message is not taken: a code and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        self.code, self.message = code, message
        super().__init__(message)


_SAID: msgspec.json.Decoder[Said] = msgspec.json.Decoder(Said)


def read_said(text: str | bytes) -> Said:
    """A message, or Unheard."""
    try:
        said = _SAID.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Unheard("not-understood", f"that is no message: {of_message(error)}") from None
    for each in (said, *said.calls):
        if len(each.id) > ID or not each.id.isprintable():
            raise Unheard("bad-id", f"an id has at most {ID} printable characters")
    return said


def read_spoken(said: Said, role: str, seat: str) -> EveryCall:
    """The call that a message makes, by this station."""
    if said.call is not None:
        plain = dict(said.call)
        if role == PLAYER:
            plain["seat"] = seat
        elif plain.get("type") == "takedice":
            plain["seat"] = "stick"
        for own in ("id", "by", "at", "stand_in"):
            plain.pop(own, None)
        if plain.get("type") in ("buyin", "cashout") and role != PLAYER:
            plain.setdefault("seat", "")
        if plain.get("type") == "handledice":
            plain.pop("seat", None)
        try:
            # By its own kind: a union of all kinds is put together anew at every conversion.
            kind: Any = KINDS.get(str(plain.get("type")), EveryCall)
            call: EveryCall = msgspec.convert(plain, kind)
        except (msgspec.ValidationError, RecursionError) as error:
            raise Unheard("not-understood", f"that is no call: {of_message(error)}") from None
    else:
        call = _line(said.line, role, seat)
    _fits(call)
    return call


def _line(line: str, role: str, seat: str) -> EveryCall:
    """A line of the notation; who speaks is not in it."""
    if not line or len(line) > NOTE:
        raise Unheard("not-understood", "a message has a call, or a line of the notation")
    speaker = seat if role == PLAYER else role
    try:
        words = split_line(f"{speaker} {line}").words
        call = read_call(words, len(line))
    except NotationError as error:
        raise Unheard("not-understood", error.problem) from None
    return call  # type: ignore[return-value]


def _fits(call: EveryCall) -> None:
    """Refuse what nobody could say: sums beyond all chips, words beyond a line."""
    for name in call.__struct_fields__:
        value = getattr(call, name)
        if value:
            _fit(name, value)
    if isinstance(call, Sanction) and call.what not in SANCTION_WORDS:
        raise _unknown("what", call.what, SANCTION_WORDS)
    if isinstance(call, JudgeDispute) and call.step not in STEP_WORDS:
        raise _unknown("step", call.step, STEP_WORDS)
    if isinstance(call, HandleDice) and call.event not in (*DICE_WORDS, "asked"):
        raise _unknown("event", call.event, (*DICE_WORDS, "asked"))
    if isinstance(call, SetWorking) and call.call not in ("on", "off"):
        raise _unknown("call", call.call, ("on", "off"))
    if isinstance(call, ShowNotice) and call.what not in ("limits", "closing"):
        raise _unknown("what", call.what, ("limits", "closing"))
    station = getattr(call, "station", None)
    if station is not None and station not in STATIONS:
        raise _unknown("station", station, STATIONS)


def _fit(name: str, value: object) -> None:
    if isinstance(value, bool):
        return
    if isinstance(value, int) and not -MOST <= value <= MOST:
        raise Unheard("not-understood", f"{name} is beyond all chips of the house")
    if isinstance(value, int) and value < 0:
        raise Unheard("not-understood", f"{name} is below nothing")
    if isinstance(value, tuple):
        if len(value) > 12:
            raise Unheard("not-understood", f"{name} has too many parts")
        for part in value:
            _fit(name, part)
    if isinstance(value, str):
        most = NOTE if name in ("note", "text") else LONGEST
        if len(value) > most or not value.isprintable() or any(c in value for c in '"{}'):
            raise Unheard(
                "not-understood", f"{name} is at most {most} printable characters without quotes"
            )


def _unknown(field: str, value: str, known: Any) -> Unheard:
    return Unheard("not-understood", f"{field} is one of {', '.join(known)}, not {value!r}")
