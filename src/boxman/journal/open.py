"""A journal by where it is: a file, a database, or nowhere but in memory."""

from __future__ import annotations

from boxman.journal.store import Journal

MEMORY = "memory:"
DATABASES = ("postgresql://", "postgres://")


def open_journal(where: str, *, read_only: bool = False) -> Journal:
    """Open the journal at a path or a connection string; `memory:` lasts as long as the process.

    The libraries a store needs are imported here, when they are needed.
    """
    if where == MEMORY:
        from boxman.journal.memory import MemoryJournal

        return MemoryJournal()
    if where.startswith(DATABASES):
        from boxman.journal.postgres import PostgresJournal

        return PostgresJournal(where, read_only=read_only)
    from boxman.journal.sqlite import SqliteJournal

    return SqliteJournal(where, read_only=read_only)
