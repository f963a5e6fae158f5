"""From rows to a table: the fold of their decisions, never a second ruling.

A restart takes the last checkpoint that agrees with the chain and folds what came after it.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from boxman.journal.row import SCHEMA, Head, JournalError, Row, Ruled, head_of
from boxman.journal.store import Checkpoint, Journal
from boxman.table.opening import Open
from boxman.table.state import Table, apply

EVERY = 1_000
"""Rows between two checkpoints."""


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

    @property
    def open(self) -> Open:
        """The call that opened the table."""
        assert isinstance(self.opening.call, Open)
        return self.opening.call


def after(table: Table, ruling: Ruled) -> Table:
    """The table after one row."""
    for decision in ruling.decisions:
        table = apply(table, decision)
    return table


def opened(row: Row) -> Table:
    """The table that the first row opened."""
    if row.number != 1 or row.ruling.opened is None or not isinstance(row.call, Open):
        raise JournalError(f"row {row.number} of {row.table} does not open a table")
    return row.ruling.opened


def fold(rows: Iterable[Row]) -> Table:
    """The table after all of these rows, the first of which opened it."""
    table: Table | None = None
    for row in rows:
        table = opened(row) if table is None else after(table, row.ruling)
    if table is None:
        raise JournalError("there are no rows to fold")
    return table


def restore(journal: Journal, name: str, at: int | None = None) -> Folded | None:
    """A table as it stands now, or as it stood after row `at`; None if there is none of the name.

    Between two checkpoints at most `EVERY` rows are read.
    """
    opening = next(iter(journal.rows(name, 0, 1)), None)
    if opening is None:
        return None
    table, head, edition = opened(opening), head_of(opening), opening.edition
    found = journal.checkpoint(name, at)
    while found is not None and not _agrees(journal, found):
        found = journal.checkpoint(name, found.number - 1) if found.number > 1 else None
    if found is not None:
        table, head = found.state, Head(found.number, found.hash)
        edition = next(iter(journal.rows(name, found.number - 1, 1))).edition
    start = head.number
    limit = None if at is None else max(0, at - start)
    for row in journal.rows(name, start, limit):
        if row.number != head.number + 1 or row.previous != head.hash:
            raise JournalError(
                f"the journal of {name} is broken at row {row.number}: it does not follow row "
                f"{head.number}; `boxman verify` says more"
            )
        table, head, edition = after(table, row.ruling), head_of(row), row.edition
    if at is not None and head.number < at:
        raise JournalError(f"{name} has {head.number} rows; there is no row {at}")
    return Folded(
        opening=opening, table=table, head=head, edition=edition, since=head.number - start
    )


def _agrees(journal: Journal, checkpoint: Checkpoint) -> bool:
    """Whether the row a checkpoint stands on is the row that the chain has there."""
    if checkpoint.schema != SCHEMA:
        return False
    entry = next(iter(journal.entries(checkpoint.table, checkpoint.number - 1, 1)), None)
    return entry is not None and entry.hash == checkpoint.hash


def checkpoint_of(name: str, head: Head, table: Table) -> Checkpoint:
    """A checkpoint of a table that stands at `head`."""
    return Checkpoint(table=name, number=head.number, hash=head.hash, schema=SCHEMA, state=table)


def due(head: Head) -> bool:
    """Whether a checkpoint is due after this row."""
    return head.number % EVERY == 0
