"""A live table from its journal: every row that is folded is proved first.

A checkpoint with what the desk remembered beside it counts if the row it stands on names the
digests of both; else the table is folded from the first row on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection
from hashlib import sha256
from typing import NamedTuple

import msgspec

from boxman.journal.editions import ENGINE_FILES, Edition, NoRules, edition_of, engine_digest
from boxman.journal.fold import (
    NOTEBOOK,
    after,
    digests_of,
    first_row,
    following,
    last_checkpoint,
    opened,
    sense,
)
from boxman.journal.pit_calls import PROTOCOL, SettleUp
from boxman.journal.row import Head, JournalError, Row, head_of
from boxman.journal.store import Journal
from boxman.pit.live.notebook import Notebook, Setup, begin, note
from boxman.rules.book import BookError
from boxman.rules.layout import Layout
from boxman.rules.settings import SettingError
from boxman.table.state import Table
from boxman.words import phrase


class ReadTable(NamedTuple):
    """A table as its journal leaves it."""

    opening: Row
    table: Table
    book: Notebook
    head: Head
    edition: str
    """The digest of the rulebook of the last row."""
    rows: list[Row]
    """The rows that were folded; the rest was in a checkpoint."""

    @property
    def settled(self) -> bool:
        """Whether its last row gave all chips back for want of rules."""
        return bool(self.rows) and isinstance(self.rows[-1].call, SettleUp)

    def rules(self, journal: Journal) -> Edition:
        """The rulebook it goes by; NoRules if this engine cannot compile it."""
        if self.settled:
            raise NoRules(phrase("journal.settle.stays-closed", name=self.opening.table))
        return edition_of(journal.edition, self.opening, self.edition)


def read_table(journal: Journal, name: str) -> ReadTable | None:
    """Read a table; None if there is none of the name. No rule is needed for it."""
    first = first_row(journal, name)
    if first is None:
        return None
    with sense(first):
        table, book, last = opened(first), begin(first), first
    table, book, last = _kept(journal, name) or (table, book, last)
    rows: list[Row] = []
    for row in following(journal, name, head_of(last)):
        with sense(row):
            before, table = table, after(table, row)
            book, last = note(book, row, before, table), row
        rows.append(row)
    return ReadTable(first, table, book, head_of(last), last.edition, rows)


def live_tables(journal: Journal, house: str, away: Collection[str]) -> dict[str, Layout]:
    """The live tables of a house that are open, whoever runs them, by their names; but for those
    that were put away, and those at which nobody can deal."""
    found = {}
    for name in journal.tables():
        first = first_row(journal, name) if name not in away else None
        if first is not None and first.house == house:
            with contextlib.suppress(JournalError, BookError, SettingError):
                read = read_table(journal, name)
                if read and not (read.table.floor.closed or read.book.setup.practice):
                    found[name] = read.rules(journal).layout
    return found


def _kept(journal: Journal, name: str) -> tuple[Table, Notebook, Row] | None:
    """The last checkpoint with what the desk remembered, if the chain vouches for both."""
    value = journal.records.get(NOTEBOOK, name)
    found = last_checkpoint(journal, name)
    if value is None or found is None or digests_of(found[1])[1] != sha256(value).hexdigest():
        return None
    with sense(found[1]):
        _, book = msgspec.json.decode(value, type=tuple[int, Notebook])
    return found[0].state, book, found[1]


def notebook_bytes(number: int, book: Notebook) -> bytes:
    """What a desk remembers, as it is kept beside a checkpoint."""
    return msgspec.json.encode((number, book))


def first_notes(setup: Setup) -> dict[str, str]:
    """What the first row says of how a table is run, by which protocol its dice are thrown, and by
    which files of the engine it is ruled."""
    notes = {"setup": msgspec.json.encode(setup).decode(), ENGINE_FILES: engine_digest()}
    if setup.dice == "house":
        notes["dice"] = str(PROTOCOL)
    return notes
