"""What every store of a journal does, whatever it stores in; and what can go wrong with one.

The promise: when `append` returns, the rows are durable. When it raises, nothing of them may be
told to anybody. Rows of one call go in together or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from hashlib import sha256
from secrets import token_bytes
from typing import NamedTuple, Protocol

import msgspec

from boxman.journal.row import Head, JournalError, Row, StoredRow
from boxman.table.state import Table
from boxman.words import phrase

PATIENCE = 10.0
"""Seconds for which a database that is away is tried to be reached again."""


class Fenced(JournalError):
    """Somebody else has written this number or this call id, or has taken these chips: read the
    table again."""


class JournalFull(JournalError):
    """The disk is full: nothing was stored; it may be tried again when there is room."""


class JournalBroken(JournalError):
    """The store failed: nothing more is taken until it is opened anew."""


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """A table after one of its rows, so that a restart need not begin at the beginning.

    It counts for nothing by itself: the row it stands on names its digest.
    """

    table: str
    number: int
    hash: str
    """Of the row with that number."""
    schema: int
    state: Table
    digest: str = ""
    """Of the table (`codec.table_digest`)."""


class Change(NamedTuple):
    """A record changed from one value to another; None is that there is none."""

    kind: str
    key: str
    old: bytes | None
    new: bytes | None


ChipMoves = Sequence[tuple[str, int]]
"""Chips that persons get from the cage (above nothing) or bring to a table (below)."""


def netted(moves: ChipMoves) -> list[tuple[str, int]]:
    """Moves joined by person, in one order everywhere: two who store at once never wait for each
    other in a circle."""
    found: dict[str, int] = {}
    for person, amount in moves:
        found[person] = found.get(person, 0) + amount
    return sorted((person, amount) for person, amount in found.items() if amount)


class Chips(Protocol):
    """What the cage holds for everybody. The store itself refuses to go below nothing."""

    def held(self, person: str) -> int:
        """What the cage holds for somebody."""

    def begin(self, person: str, amount: int) -> bool:
        """Hold this for somebody for whom nothing was held yet; whether that was so."""


class Records(Protocol):
    """Small things the door keeps beside the journal: accounts, sessions, brakes.

    Each is some bytes under a kind and a key. What is put is durable when the call returns.
    """

    def change(
        self, changes: Sequence[Change], moves: ChipMoves = (), rows: Sequence[Row] = ()
    ) -> bool:
        """Make several changes, move chips and store rows, all or nothing; whether everything was
        as said, and the rows followed the last ones."""

    def put(self, kind: str, key: str, value: bytes) -> None:
        """Keep a value, in place of an older one."""

    def add(self, kind: str, key: str, value: bytes) -> bool:
        """Keep a value unless there is one already; whether it was kept."""

    def swap(self, kind: str, key: str, old: bytes, new: bytes) -> bool:
        """Keep a new value in place of exactly this old one; whether it was so."""

    def get(self, kind: str, key: str) -> bytes | None:
        """The value, if there is one."""

    def list(self, kind: str) -> list[tuple[str, bytes]]:
        """All of a kind, by key."""

    def delete(self, kind: str, key: str) -> bool:
        """Forget a value; whether there was one."""


class Journal(Protocol):
    """Rows in order, by table. Every method may be called from any thread."""

    @property
    def records(self) -> Records:
        """What the door keeps beside the rows."""

    @property
    def chips(self) -> Chips:
        """What the cage holds."""

    def append(self, rows: Sequence[Row]) -> None:
        """Store rows, all or none; durable when it returns."""

    def submit(self, rows: Sequence[Row], moves: ChipMoves = ()) -> Future[None]:
        """As `append`, without waiting: rows submitted together share one commit.

        Chips that these rows move are moved in the same commit; if somebody would be left with less
        than nothing, none of it is stored (`Fenced`)."""

    def rows(self, table: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        """Rows with a number above `after`, in order, in the present schema."""

    def entries(self, table: str, after: int = 0, limit: int | None = None) -> Iterator[StoredRow]:
        """The same rows as they are stored, byte for byte."""

    def find(self, table: str, call_id: str) -> Row | None:
        """The row of a call, if it was ruled on."""

    def head(self, table: str) -> Head:
        """The last number and hash; number 0 if there is no such table."""

    def tables(self) -> list[str]:
        """All tables, by name."""

    def keep_edition(self, text: str) -> str:
        """Keep the text of a rulebook for good; its digest, under which it is found again."""

    def edition(self, digest: str) -> str | None:
        """The text of a rulebook by its digest, if it was kept; JournalError if it was changed."""

    def keep(self, checkpoint: Checkpoint) -> None:
        """Keep a checkpoint."""

    def checkpoint(self, table: str, at: int | None = None) -> Checkpoint | None:
        """The last readable checkpoint, or the last one not after row `at`."""

    def claim(self, table: str) -> bool:
        """Become the one writer of a table; False if another has it."""

    def release(self, table: str) -> None:
        """Be its writer no longer."""

    def close(self) -> None:
        """Store what was submitted, then let go of everything."""


def genuine_text(digest: str, body: bytes) -> str:
    """The text of an edition, if these bytes are what the digest was taken of."""
    if sha256(body).hexdigest() != digest:
        raise JournalError(phrase("journal.wrong.the-rulebook-kept-as-edition", digest=digest[:12]))
    return body.decode()


ROOM = 16 * 1024
"""Bytes that a journal is tried with: a disk that has room for less may still refuse a row, which
goes into several pages of the file."""


def takes_rows(journal: Journal) -> str:
    """Why a journal takes nothing now, as one sentence; empty if it does. It is tried: a record
    that needs more room than a row is stored as durably, so ask at most once a second. Its bytes
    are new each time: the same ones again, or ones that can be packed, would need no room."""
    try:
        journal.records.put("ready", "", token_bytes(ROOM))
    except JournalError as error:
        return str(error)
    return ""


def stands(journal: Journal, table: str, head: Head) -> bool:
    """Whether a row that was the last of a table once is still there."""
    entry = next(iter(journal.entries(table, head.number - 1, 1)), None) if head.number else None
    return not head.number or (entry is not None and entry.hash == head.hash)


def check_order(rows: Sequence[Row], head: Head) -> None:
    """Refuse rows of one table that do not continue its chain."""
    for row in rows:
        if row.number > head.number + 1:
            raise JournalError(
                phrase(
                    "journal.wrong.row-of-does-not-follow",
                    number=row.number,
                    table=row.table,
                    number_2=head.number,
                )
            )
        if row.number <= head.number or row.previous != head.hash:
            raise Fenced(
                phrase("journal.wrong.row-of-was-written-by", number=row.number, table=row.table)
            )
        head = Head(row.number, row.hash)


def by_table(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Rows table by table, in their order."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.table, []).append(row)
    return found
