"""A row of the journal: one ruling, everything needed to fold and to answer again, and its hash.

A row is hashed over its own bytes, the hash of the row before it among them, so that no row can be
changed, dropped, moved or put in without every later hash being wrong. The bytes are the JSON of
the row without its hash, and they are stored as they were hashed: a row is never written again by
a later engine, it is read by it (see `UPCASTS`).
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import msgspec

import boxman
from boxman.journal.codec import UNREADABLE, EveryCall, canonical
from boxman.table.opening import Open, Opening
from boxman.table.rulings import AS_TOLD, Notice, Refusal, Ruling
from boxman.table.state import AnyDecision, Cites, Floored, Handed, Table
from boxman.words import phrase
from boxman.words.say import spoken

SCHEMA = 2
"""How rows are written now. Raise it when an old row no longer reads by itself."""

ENGINE = boxman.__version__

GENESIS = "0" * 64
"""What stands before the first row of a table."""

HOUSE_JOURNAL = "*house"
"""The chain of what is done to a house besides playing; no table can have the name."""

DESK = "desk"
"""The note of a row that the desk decided itself (a player's own brake, a second person wanted):
the rules of the table had no part in it, so an audit does not ask them again."""


TOLD, LANGUAGE = "told", "language"
"""The notes of what was said of a refusal or a warning, and in which language."""


class Station(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who made the call: in which role, at which seat, as which person."""

    role: str
    seat: str = ""
    person: str = ""


class Ruled(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of the call."""

    decisions: tuple[AnyDecision, ...] = ()
    warnings: tuple[Notice, ...] = ()
    refusal: Refusal | None = None
    cites: Cites = ()
    """What an opening rests on; other rulings cite in their decisions."""
    opened: Table | None = None
    """The table as opened, in the first row only: later openings may be ruled differently."""


class Head(msgspec.Struct, frozen=True):
    """The last row of a table: where its chain stands."""

    number: int = 0
    hash: str = GENESIS


class StoredRow(msgspec.Struct, frozen=True):
    """A row as it is stored: the bytes that were hashed, and the hash."""

    table: str
    number: int
    id: str
    hash: str
    body: bytes


class Row(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, dict=True):
    """One ruling in the journal of a table. The order of the fields is the order of the bytes.

    Beside its fields a row that was made here keeps the bytes that were hashed until it is stored.
    """

    table: str
    number: int
    id: str
    """The call's id, chosen by its maker, unique at the table."""
    at: int
    """Milliseconds since 1970 (UTC), by the clock of the desk."""
    station: Station
    call: EveryCall
    ruling: Ruled
    notes: dict[str, str] = {}
    """What else the desk wants kept with the row, such as the commitment of the dice."""
    house: str
    edition: str
    """The digest of the rulebook that ruled."""
    engine: str
    schema: int
    previous: str
    hash: str
    """Last, so that the bytes before it are the bytes that were hashed."""

    @property
    def opens(self) -> Open:
        """The call that opened the table: that of its first row."""
        opened = self.number == 1 and self.ruling.opened is not None
        if not opened or not isinstance(self.call, Open):
            raise JournalError(
                phrase("journal.wrong.row-of-does-not-open", number=self.number, table=self.table)
            )
        return self.call

    @property
    def refused(self) -> bool:
        return self.ruling.refusal is not None

    @property
    def cites(self) -> Cites:
        """Every clause this row rests on, in order, each once."""
        ruling = self.ruling
        found = list(ruling.refusal.cites) if ruling.refusal else list(ruling.cites)
        for part in (*ruling.decisions, *ruling.warnings):
            found += part.cites
        return tuple(dict.fromkeys(found))


class JournalError(Exception):
    """Something about a journal, in one clear message."""


class UnreadableRow(JournalError):
    """Bytes that are no row this engine can read."""


_BODY = "body"
_NO_HASH = b',"hash":""}'
_HASH = b',"hash":"'
_TAIL = len(_HASH) + 64 + len(b'"}')
_ROW: msgspec.json.Decoder[Row] = msgspec.json.Decoder(Row)


def _with_values(row: dict[str, Any]) -> dict[str, Any]:
    """Schema 1 held sentences where 2 holds codes and values: what was told then is told again."""
    ruling = row["ruling"]
    refusal = ruling.get("refusal")
    if refusal:
        told = {"told": refusal.pop("sentence"), "remedy": refusal.pop("remedy", "")}
        refusal |= {"why": AS_TOLD, "values": told}
    for notice in ruling.get("warnings", ()):
        notice |= {"why": AS_TOLD, "values": {"told": notice.pop("sentence")}}
    for decision in ruling.get("decisions", ()):
        if decision["type"] in SPOKEN and decision["what"]:
            decision |= {"what": AS_TOLD, "values": {"told": decision["what"]}}
    return row


SPOKEN = tuple(str(kind.__struct_config__.tag) for kind in (Handed, Floored))
"""Decisions that say what they are."""

UPCASTS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _with_values}
"""For each past schema, how its JSON becomes the JSON of the next one."""


def digest(body: bytes) -> str:
    """The hash of a row's bytes."""
    return sha256(body).hexdigest()


def body_of(row: Row) -> bytes:
    """The bytes of a row that are hashed: everything but the hash."""
    return canonical(row)[:-_TAIL] + b"}"


def line_of(body: bytes, hashed: str) -> bytes:
    """A row as one line of JSON, the hash last."""
    return body[:-1] + _HASH + hashed.encode() + b'"}'


def split_line(line: bytes) -> tuple[bytes, str]:
    """The bytes that were hashed, and the hash that stands behind them."""
    tail = line[-_TAIL:]
    if not tail.startswith(_HASH) or not tail.endswith(b'"}'):
        raise UnreadableRow(phrase("journal.wrong.a-row-ends-with-its"))
    return line[:-_TAIL] + b"}", tail[len(_HASH) : -2].decode("ascii", "replace")


def next_row(
    head: Head,
    *,
    table: str,
    id: str,
    at: int,
    station: Station,
    ruling: Ruling | Opening | Ruled,
    call: EveryCall | None = None,
    house: str,
    edition: str,
    notes: dict[str, str] | None = None,
) -> Row:
    """The row that follows `head`: a ruling with its number and hash.

    A `Ruled` needs its call beside it; rulings and openings carry theirs.
    """
    if not isinstance(ruling, Ruled):
        call, ruling = _taken(ruling)
    assert call is not None, "a ruling without its call"
    row = Row(
        table=table,
        number=head.number + 1,
        id=id,
        at=at,
        station=station,
        call=call,
        ruling=ruling,
        notes={**(notes or {}), **_told(ruling)},
        house=house,
        edition=edition,
        engine=ENGINE,
        schema=SCHEMA,
        previous=head.hash,
        hash="",
    )
    body = canonical(row).removesuffix(_NO_HASH) + b"}"
    hashed = msgspec.structs.replace(row, hash=digest(body))
    hashed.__dict__[_BODY] = body
    return hashed


def _told(ruling: Ruled) -> dict[str, str]:
    """What was said of a refusal or a warning, and in which language: kept, never compared."""
    reasons = (*((ruling.refusal,) if ruling.refusal else ()), *ruling.warnings)
    if not reasons:
        return {}
    return {TOLD: "; ".join(reason.sentence for reason in reasons), LANGUAGE: spoken()}


def _taken(ruling: Ruling | Opening) -> tuple[EveryCall, Ruled]:
    if isinstance(ruling, Opening):
        return ruling.call, Ruled(
            warnings=ruling.warnings,
            refusal=ruling.refusal,
            cites=ruling.cites,
            opened=ruling.table,
        )
    return ruling.call, Ruled(
        decisions=ruling.decisions, warnings=ruling.warnings, refusal=ruling.refusal
    )


def head_of(row: Row) -> Head:
    """Where the chain stands after a row."""
    return Head(row.number, row.hash)


def entry_of(row: Row) -> StoredRow:
    """A row as it goes into a store: with the very bytes that were hashed, if it was made here."""
    body = row.__dict__.pop(_BODY, None)
    return StoredRow(row.table, row.number, row.id, row.hash, body or body_of(row))


def read_row(body: bytes, hashed: str) -> Row:
    """A row from its stored bytes, brought up to the present schema."""
    line = line_of(body, hashed)
    try:
        row = _ROW.decode(line)
        if row.schema == SCHEMA:
            return row
    except UNREADABLE as error:
        problem = str(error)
    else:
        problem = ""
    return _upcast(line, problem)


def _upcast(line: bytes, problem: str) -> Row:
    try:
        plain = msgspec.json.decode(line)
        written = plain["schema"]
        place = phrase("journal.wrong.row-of", plain=plain["number"], plain_2=plain["table"])
    except (*UNREADABLE, KeyError, TypeError):
        raise UnreadableRow(
            phrase("journal.wrong.this-is-no-row-of", value=f"{problem or line[:60]!r}")
        ) from None
    if not isinstance(written, int) or written > SCHEMA:
        raise UnreadableRow(
            phrase(
                "journal.wrong.was-written-with-schema-this",
                place=place,
                written=written,
                schema=SCHEMA,
            )
        )
    if written == SCHEMA or any(step not in UPCASTS for step in range(written, SCHEMA)):
        raise UnreadableRow(
            phrase(
                "journal.wrong.cannot-be-read",
                place=place,
                value=problem or phrase("journal.wrong.schema-is-unknown", written=written),
            )
        )
    try:
        for step in range(written, SCHEMA):
            plain = UPCASTS[step](plain)
        return msgspec.convert(plain, Row)
    except (msgspec.ValidationError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableRow(
            phrase("journal.wrong.cannot-be-read-2", place=place, error=error)
        ) from None
