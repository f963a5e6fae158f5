"""From rows to a table: the fold of their decisions, never a second ruling.

A restart takes the last checkpoint that agrees with the chain and folds what came after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from boxman.journal.codec import table_digest
from boxman.journal.row import SCHEMA, Head, JournalError, Row, StoredRow, digest, head_of, read_row
from boxman.journal.store import Checkpoint, Journal
from boxman.rules.book import BookError
from boxman.rules.settings import SettingError
from boxman.table.state import Table, apply
from boxman.words import phrase

EVERY = 500
"""Rows between two checkpoints."""
NOTEBOOK = "notebook"
"""The kind of the records in which desks keep what they remember at a checkpoint."""
KEPT = "checkpoint"
"""The note of a row after which a checkpoint is kept: the digests of the table as it then stands
and of what the desk remembers, so that a checkpoint is as hard to change as a row."""


class Folded(msgspec.Struct, frozen=True, kw_only=True):
    """A table as its journal leaves it."""

    opening: Row
    """The first row: its call has the house, the settings, the smallest chip."""
    table: Table
    head: Head
    edition: str
    """The digest of the rulebook of the last row."""
    since: int = 0
    """How many rows were folded; the rest was in a checkpoint."""


class sense:  # noqa: N801  (it reads as a word: `with sense(row)`)
    """Whatever is wrong with a row that somebody else wrote, as one sentence.

    A row may be well chained and decide what cannot be (a seat that is not there, a roll of no
    table): it comes from outside, and what that breaks is not known beforehand.
    """

    def __init__(self, row: Row) -> None:
        self.row = row

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if not isinstance(error, Exception):
            return
        if isinstance(error, JournalError | BookError | SettingError):
            return
        what = f"{type(error).__name__}: {error}".splitlines()[0][:120].rstrip(": ")
        raise JournalError(
            phrase(
                "journal.wrong.row-of-makes-no-sense",
                number=self.row.number,
                table=self.row.table,
                what=what,
            )
        ) from None


def after(table: Table, row: Row) -> Table:
    """The table after one row; what was refused changes nothing."""
    if row.refused and row.ruling.decisions:
        raise JournalError(
            phrase("journal.wrong.row-of-is-refused-and", number=row.number, table=row.table)
        )
    try:
        for decision in row.ruling.decisions:
            table = apply(table, decision)
    except Exception:
        with sense(row):
            raise
    return table


def proved(entry: StoredRow) -> Row:
    """A stored row, if it is what was hashed and stands in its place."""
    if digest(entry.body) != entry.hash:
        raise JournalError(
            phrase("journal.wrong.row-of-was-changed-its", number=entry.number, table=entry.table)
        )
    row = read_row(entry.body, entry.hash)
    if (row.table, row.number, row.id) != (entry.table, entry.number, entry.id):
        raise JournalError(
            phrase("journal.wrong.row-of-is-stored-where", number=entry.number, table=entry.table)
        )
    return row


def following(journal: Journal, name: str, head: Head, limit: int | None = None) -> Iterator[Row]:
    """The rows after `head`, each proved by its hash and by the one before it."""
    for entry in journal.entries(name, head.number, limit):
        row = proved(entry)
        if row.number != head.number + 1 or row.previous != head.hash:
            raise JournalError(
                phrase(
                    "journal.wrong.the-journal-of-is-broken",
                    name=name,
                    number=row.number,
                    number_2=head.number,
                )
            )
        head = head_of(row)
        yield row


def first_row(journal: Journal, name: str) -> Row | None:
    """The row that opened a table, proved; None if there is no such table."""
    return next(following(journal, name, Head(), 1), None)


def opened(row: Row) -> Table:
    """The table that the first row opened."""
    table = row.ruling.opened if row.opens else None
    assert table is not None
    return table


def fold(rows: Iterable[Row]) -> Table:
    """The table after all of these rows, the first of which opened it."""
    table: Table | None = None
    for row in rows:
        table = opened(row) if table is None else after(table, row)
    if table is None:
        raise JournalError(phrase("journal.wrong.there-are-no-rows-to"))
    return table


def restore(journal: Journal, name: str, at: int | None = None) -> Folded | None:
    """A table as it stands now, or as it stood after row `at`; None if there is none of the name.

    Between two checkpoints at most `EVERY` rows are read.
    """
    opening = first_row(journal, name)
    if opening is None:
        return None
    table, head, edition = opened(opening), head_of(opening), opening.edition
    found = last_checkpoint(journal, name, at)
    if found is not None:
        checkpoint, row = found
        table, head, edition = checkpoint.state, head_of(row), row.edition
    start = head.number
    limit = None if at is None else max(0, at - start)
    for row in following(journal, name, head, limit):
        table, head, edition = after(table, row), head_of(row), row.edition
    if at is not None and head.number < at:
        raise JournalError(
            phrase("journal.wrong.has-rows-there-is-no", name=name, number=head.number, at=at)
        )
    return Folded(
        opening=opening, table=table, head=head, edition=edition, since=head.number - start
    )


def last_checkpoint(
    journal: Journal, name: str, at: int | None = None
) -> tuple[Checkpoint, Row] | None:
    """The last checkpoint (not after row `at`) that the chain vouches for, and its row.

    One that is of another time, or not what the row it stands on says, is passed over.
    """
    found = journal.checkpoint(name, at)
    while found is not None:
        row = vouched(journal, found)
        if row is not None:
            return found, row
        found = journal.checkpoint(name, found.number - 1) if found.number > 1 else None
    return None


def vouched(journal: Journal, checkpoint: Checkpoint) -> Row | None:
    """The row a checkpoint stands on, if it is proved and names the checkpoint's own digest."""
    entry = next(iter(journal.entries(checkpoint.table, checkpoint.number - 1, 1)), None)
    if checkpoint.schema != SCHEMA or entry is None or entry.hash != checkpoint.hash:
        return None
    try:
        row = proved(entry)
    except JournalError:
        return None
    return row if digests_of(row)[0] == checkpoint.digest else None


def digests_of(row: Row) -> tuple[str, str]:
    """The digests that a row names: of the table after it, and of what the desk remembers."""
    table, _, notebook = row.notes.get(KEPT, "").partition(" ")
    return table, notebook


def checkpoint_of(name: str, head: Head, table: Table) -> Checkpoint:
    """A checkpoint of a table that stands at `head`."""
    return Checkpoint(
        table=name,
        number=head.number,
        hash=head.hash,
        schema=SCHEMA,
        state=table,
        digest=table_digest(table),
    )


def due(head: Head) -> bool:
    """Whether a checkpoint is due after this row."""
    return head.number % EVERY == 0
