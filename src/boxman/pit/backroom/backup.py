"""Whole copies of a journal while its tables play, and putting one back.

SQLite is copied by its own online backup, PostgreSQL by its own tools (`pg_dump`, `pg_restore`). A
plain copy of a SQLite file lacks what still stands in its log, and shows no sign of it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from boxman.journal.open import DATABASES, MEMORY
from boxman.journal.row import JournalError


def back_up(where: str, to: str | Path) -> None:
    """Copy the journal at `where` into a new file, for its owner alone; whole, or not at all."""
    if where == MEMORY:
        raise JournalError("a journal in memory cannot be copied: it lives in its process alone")
    part = Path(f"{to}.part")
    if Path(to).exists():
        raise JournalError(f"{to} is there already: a backup never takes the place of another")
    try:
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600))
        if where.startswith(DATABASES):
            _dump(where, part)
        else:
            _copy(where, part)
        with part.open("rb") as made:
            os.fsync(made.fileno())
        os.rename(part, to)
    except OSError as error:
        raise JournalError(f"{to} cannot be written: {error.strerror}") from None
    finally:
        with suppress(OSError):
            part.unlink()


def put_back(copy: str | Path, where: str) -> None:
    """Make a journal from a backup, where there is none yet."""
    if where == MEMORY:
        raise JournalError("a backup is put back into a file or a database, not into memory")
    if where.startswith(DATABASES):
        _undump(copy, where)
    elif Path(where).exists():
        raise JournalError(f"{where} is there already: move it away first; nothing was changed")
    else:
        back_up(str(copy), where)


# -- SQLite ------------------------------------------------------------------------------------


def _copy(where: str, to: Path) -> None:
    """One read of the whole file as it stood at one commit; writers do not wait for it."""
    import apsw

    if not Path(where).is_file():
        raise JournalError(f"there is no journal {where}")
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
        raise JournalError(f"{where} is not a journal of Boxman") from None
    except apsw.Error as error:
        raise JournalError(f"{where} cannot be copied: {error}") from None


# -- PostgreSQL --------------------------------------------------------------------------------


def _dump(where: str, to: Path) -> None:
    _run("pg_dump", ["--format=custom", "--no-owner", f"--file={to}"], where)


def _undump(copy: str | Path, where: str) -> None:
    from boxman.journal.postgres import PostgresJournal

    try:
        PostgresJournal(where, read_only=True).close()
    except JournalError as error:
        if "is not a journal" not in str(error):
            raise
    else:
        raise JournalError("this database holds a journal already: give an empty one")
    options = ["--no-owner", "--exit-on-error", "--single-transaction", "--dbname="]
    _run("pg_restore", [*options, str(copy)], where)


def _run(tool: str, options: Sequence[str], where: str) -> None:
    """Run one of PostgreSQL's own tools; the address goes by the environment, for it may hold a
    password and everybody sees the arguments of a process."""
    from psycopg import conninfo

    found = shutil.which(tool)
    if found is None:
        raise JournalError(f"this needs {tool}, which comes with PostgreSQL; it is not in the PATH")
    names = {
        "host": "PGHOST",
        "hostaddr": "PGHOSTADDR",
        "port": "PGPORT",
        "user": "PGUSER",
        "password": "PGPASSWORD",
        "dbname": "PGDATABASE",
        "sslmode": "PGSSLMODE",
    }
    asked = conninfo.conninfo_to_dict(where)
    address = {names[key]: str(value) for key, value in asked.items() if key in names}
    options = [
        f"--dbname={asked['dbname']}" if option == "--dbname=" else option for option in options
    ]
    done = subprocess.run(
        [found, *options], env={**os.environ, **address}, capture_output=True, check=False
    )
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
        raise JournalError(f"{tool} did not succeed: {said[-1]}")
