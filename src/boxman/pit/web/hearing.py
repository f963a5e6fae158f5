"""What comes over the wire, read with suspicion: a call is only taken if it could be said aloud.

Names, words and amounts are bounded here, so that everything behind this point can be written in
the notation and worked with in whole chips. It knows no table.
"""

from __future__ import annotations

import msgspec

from boxman.journal.codec import EveryCall
from boxman.pit.live.stations import CALL_KINDS, PLAYER
from boxman.pit.web.wording import of_message
from boxman.table.call import DECLARED, Call
from boxman.table.lines.words import NotationError
from boxman.table.said.notation import read_call, split_line
from boxman.words import phrase

MOST = 10**12
"""No sum of chips at any table is larger, in minor units."""
LONGEST = 80
NOTE = 300
ID = 80
SERVERS = ("id", "by", "at", "stand_in")
"""Who makes a call and when is the server's to say."""


class Said(msgspec.Struct, kw_only=True):
    """One message of a client; `calls` are several calls said in one breath."""

    do: str = "call"
    id: str = ""
    call: dict[str, object] | None = None
    line: str = ""
    station: str = ""
    after: int = -1
    text: str = ""
    spot: str = ""
    rolls: int = 0
    every: int = 1000
    until: str = "thrown"
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
        raise Unheard(
            "not-understood", phrase("pit.web.that-is-no-message", error=of_message(error))
        ) from None
    for each in (said, *said.calls):
        if len(each.id) > ID or not each.id.isprintable():
            raise Unheard("bad-id", phrase("pit.web.an-id-has-at", id=ID))
    return said


def read_spoken(said: Said, role: str, seat: str) -> Call:
    """The call that a message makes, by this station."""
    if said.call is None:
        call = _line(said.line, role, seat)
    else:
        plain = {name: each for name, each in said.call.items() if name not in SERVERS}
        # By its own kind: a union of all kinds is put together anew at every conversion.
        kind = CALL_KINDS.get(str(plain.get("type")))
        if role == PLAYER:
            plain["seat"] = seat
        elif kind is not None and DECLARED[kind].seated:
            plain["seat"] = role
        if kind is not None:
            _known(kind, plain)
        try:
            call = msgspec.convert(plain, kind or EveryCall)
        except (msgspec.ValidationError, RecursionError) as error:
            raise Unheard(
                "not-understood", phrase("pit.web.that-is-no-call", error=of_message(error))
            ) from None
    _fits(call)
    return call


def _line(line: str, role: str, seat: str) -> Call:
    """A line of the notation; who speaks is not in it."""
    if not line or len(line) > NOTE:
        raise Unheard("not-understood", phrase("pit.web.a-message-has-a"))
    speaker = seat if role == PLAYER else role
    try:
        words = split_line(f"{speaker} {line}").words
        call = read_call(words, len(line))
    except NotationError as error:
        raise Unheard("not-understood", error.problem) from None
    return call


def _fits(call: Call) -> None:
    """Refuse what nobody could say: sums beyond all chips, words beyond a line."""
    fields = {name: getattr(call, name) for name in call.__struct_fields__}
    for name, value in fields.items():
        if value:
            _fit(name, value)
    _known(type(call), fields)


def _known(kind: type[Call], given: dict[str, object]) -> None:
    """Refuse a word where all words that may stand there are known."""
    for name, each in DECLARED[kind].fields.items():
        value = given.get(name)
        if each.known and isinstance(value, str) and value not in each.known:
            words = ", ".join(each.known)
            raise Unheard(
                "not-understood",
                phrase("pit.web.is-one-of-not", name=name, words=words, value=f"{value!r}"),
            )


def _fit(name: str, value: object) -> None:
    if isinstance(value, bool):
        return
    if isinstance(value, int) and not -MOST <= value <= MOST:
        raise Unheard("not-understood", phrase("pit.web.is-beyond-all-chips", name=name))
    if isinstance(value, int) and value < 0:
        raise Unheard("not-understood", phrase("pit.web.is-below-nothing", name=name))
    if isinstance(value, tuple):
        if len(value) > 12:
            raise Unheard("not-understood", phrase("pit.web.has-too-many-parts", name=name))
        for part in value:
            _fit(name, part)
    if isinstance(value, str):
        most = NOTE if name in ("note", "text") else LONGEST
        if len(value) > most or not value.isprintable() or any(c in value for c in '"{}'):
            raise Unheard(
                "not-understood", phrase("pit.web.is-at-most-printable", name=name, most=most)
            )
