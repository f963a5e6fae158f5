"""Whole copies of a journal while its tables play, and putting one back.

SQLite is copied by its own online backup, PostgreSQL by its own tools (`pg_dump`, `pg_restore`). A
plain copy of a SQLite file lacks what still stands in its log, and shows no sign of it.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from boxman.journal.open import DATABASES, MEMORY, open_existing
from boxman.journal.row import JournalError
from boxman.words import phrase


def back_up(where: str, to: str | Path) -> None:
    """Copy the journal at `where` into a new file, for its owner alone; whole, or not at all."""
    if where == MEMORY:
        raise JournalError(phrase("journal.backup.in-memory"))
    taken = phrase("journal.backup.taken", to=to)
    if os.path.lexists(to):
        raise JournalError(taken)
    # Under a name that nobody could have prepared: in a shared folder it might lead elsewhere.
    part = Path(f"{to}.{secrets.token_hex(8)}.part")
    try:
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        if where.startswith(DATABASES):
            _dump(where, part)
        else:
            _copy(where, part)
        with part.open("rb") as made:
            os.fsync(made.fileno())
        _name(part, to)
    except FileExistsError:
        raise JournalError(taken) from None
    except OSError as error:
        raise JournalError(
            phrase("journal.wrong.cannot-be-written", path=to, strerror=error.strerror)
        ) from None
    finally:
        with suppress(OSError):
            part.unlink()


def _name(part: Path, to: str | Path) -> None:
    """Give a copy its name, unless somebody else was quicker; some disks have no second names."""
    try:
        os.link(part, to)
    except FileExistsError:
        raise
    except OSError:
        os.rename(part, to)


def put_back(copy: str | Path, where: str) -> None:
    """Make a journal from a backup, where there is none yet."""
    if where == MEMORY:
        raise JournalError(phrase("journal.backup.into-memory"))
    if where.startswith(DATABASES):
        _undump(copy, where)
    else:
        for end in ("", *LOGS):
            if os.path.lexists(where + end):
                raise JournalError(phrase("journal.backup.there-already", where=where + end))
        back_up(str(copy), where)


def forget_sessions(where: str) -> None:
    """Nobody is signed in to a journal that was put back: sessions that were ended since the copy
    was made would be good again."""
    journal = open_existing(where)
    try:
        for key, _ in journal.records.list("session"):
            journal.records.delete("session", key)
    finally:
        journal.close()


LOGS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database: left from the last one, it would be played into the next."""

# -- SQLite ------------------------------------------------------------------------------------


def _copy(where: str, to: Path) -> None:
    """One read of the whole file as it stood at one commit; writers do not wait for it."""
    import apsw

    if not Path(where).is_file():
        raise JournalError(phrase("journal.wrong.there-is-no-journal", path=where))
    try:
        source = apsw.Connection(where, flags=apsw.SQLITE_OPEN_READONLY)
        target = apsw.Connection(str(to))
        try:
            source.set_busy_timeout(5_000)
            source.execute("select number from row limit 1").fetchall()
            with target.backup("main", source, "main") as copying:
                copying.step(-1)
            target.execute("pragma journal_mode = delete")
        finally:
            target.close()
            source.close()
    except apsw.SQLError:
        raise JournalError(phrase("journal.wrong.is-not-a-journal-of", path=where)) from None
    except apsw.Error as error:
        raise JournalError(phrase("journal.backup.not-copied", where=where, why=error)) from None


# -- PostgreSQL --------------------------------------------------------------------------------


def _dump(where: str, to: Path) -> None:
    _run("pg_dump", ["--format=custom", "--no-owner", f"--file={to}"], where)


def _undump(copy: str | Path, where: str) -> None:
    from boxman.journal.postgres import PostgresJournal

    try:
        PostgresJournal(where, read_only=True).close()
    except JournalError as error:
        if str(error) != phrase("journal.wrong.this-database-is-not-a"):
            raise
    else:
        raise JournalError(phrase("journal.backup.not-empty"))
    options = ["--no-owner", "--exit-on-error", "--single-transaction", "--dbname="]
    _run("pg_restore", [*options, str(copy)], where)


def _run(tool: str, options: Sequence[str], where: str) -> None:
    """Run one of PostgreSQL's own tools; the address goes by the environment, for it may hold a
    password and everybody sees the arguments of a process."""
    from psycopg import ProgrammingError, conninfo

    try:
        asked = conninfo.conninfo_to_dict(where)
    except ProgrammingError:
        raise JournalError(phrase("journal.wrong.this-is-no-connection-string")) from None
    found = shutil.which(tool)
    if found is None:
        raise JournalError(phrase("journal.backup.no-tool", tool=tool))
    names = {
        "host": "PGHOST",
        "hostaddr": "PGHOSTADDR",
        "port": "PGPORT",
        "user": "PGUSER",
        "password": "PGPASSWORD",
        "dbname": "PGDATABASE",
        "sslmode": "PGSSLMODE",
    }
    address = {names[key]: str(value) for key, value in asked.items() if key in names}
    options = [
        f"--dbname={asked.get('dbname', '')}" if option == "--dbname=" else option
        for option in options
    ]
    done = subprocess.run(
        [found, "--no-password", *options],
        env={**os.environ, **address},
        capture_output=True,
        check=False,
    )
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines() or [
            phrase("journal.backup.no-reason")
        ]
        raise JournalError(phrase("journal.backup.tool-failed", tool=tool, why=said[-1]))
