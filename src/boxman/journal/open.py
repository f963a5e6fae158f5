"""A journal by where it is: a file, a database, or nowhere but in memory."""

from __future__ import annotations

import os

from boxman.journal.row import JournalError
from boxman.journal.store import PATIENCE, Journal
from boxman.words import phrase

MEMORY = "memory:"
DATABASES = ("postgresql://", "postgres://")


def open_journal(where: str, *, read_only: bool = False, patience: float = PATIENCE) -> Journal:
    """Open the journal at a path or a connection string; `memory:` lasts as long as the process.

    A database that is away is waited for so many seconds (`patience`). The libraries a store needs
    are imported here, when they are needed.
    """
    if where == MEMORY:
        from boxman.journal.memory import MemoryJournal

        return MemoryJournal()
    if where.startswith(DATABASES):
        from boxman.journal.postgres import PostgresJournal

        return PostgresJournal(where, read_only=read_only, patience=patience)
    from boxman.journal.sqlite import SqliteJournal

    return SqliteJournal(where, read_only=read_only)


def open_existing(where: str) -> Journal:
    """The same for a journal that is there: a name that was mistyped makes no new one."""
    if not where.startswith(DATABASES) and not os.path.exists(where):
        raise JournalError(phrase("journal.wrong.there-is-no-journal", path=where))
    return open_journal(where)
