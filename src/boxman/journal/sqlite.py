"""The journal in one SQLite file: for one process, and what `boxman serve` uses by default.

Written through APSW, which brings an SQLite of its own: the one of many systems has a fault that
can corrupt a file under exactly our load. Write-ahead log with a sync at every commit; one thread
writes; readers open the file for reading only.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from boxman.journal.migrate import Migration, migrate
from boxman.journal.reading import LAST, SqlChips, SqlReading, SqlRecords, pack
from boxman.journal.row import Head, JournalError, Row, StoredRow, entry_of
from boxman.journal.store import (
    Change,
    Checkpoint,
    ChipMoves,
    Fenced,
    JournalBroken,
    JournalFull,
    by_table,
    check_order,
)
from boxman.journal.writer import Writer
from boxman.words import phrase

try:
    import apsw
except ModuleNotFoundError:  # pragma: no cover
    raise JournalError(phrase("journal.wrong.needs-apsw")) from None

PATIENCE = 5_000
"""Milliseconds to wait for a lock that somebody else holds."""
PAGES = 1_000
"""Pages of the write-ahead log after which they are moved into the file."""

_INSERT = "insert into row (table_name, number, call_id, hash, body) values (?, ?, ?, ?, ?)"


class SqliteJournal(SqlReading):
    """A journal in a file.

    `vfs` names a file system of SQLite's (tests bring their own); one without shared memory needs
    `exclusive`. `read_only` changes nothing and needs no lock: for export, verify and replay.
    """

    mark = "?"

    def __init__(
        self,
        path: str | Path,
        *,
        vfs: str | None = None,
        exclusive: bool = False,
        read_only: bool = False,
        pages: int = PAGES,
    ) -> None:
        self.path = str(path)
        self.records = SqlRecords(self)
        self.chips = SqlChips(self)
        self._vfs, self._exclusive, self._pages = vfs, exclusive, pages
        self._readers: list[apsw.Connection] = []
        self._heads: dict[str, Head] = {}
        self._claimed: set[str] = set()
        self._lock = Lock()
        self._broken = ""
        self._files: tuple[tuple[int, int], ...] = ()
        """The files that were opened, by device and number."""
        self._lost = False
        """They have lost their names: what is read from them now, nobody will find again."""
        self._owner: int | None = None
        self._writer: Writer | None = None
        if read_only:
            self._check_form()
            return
        if vfs is None:
            self._own()
        self._writer = Writer(self.path, self._commit)
        try:
            self._writer.do(self._open)
        except JournalError:
            self.close()
            raise

    # -- opening -------------------------------------------------------------------------------

    def _own(self) -> None:
        """Be the only process that writes this file."""
        try:
            import fcntl
        except ModuleNotFoundError:  # pragma: no cover  (Windows: SQLite's own locks remain)
            return
        # By whatever name it is called: a link to the file is the same file.
        lock = f"{os.path.realpath(self.path)}.lock"
        try:
            with suppress(FileNotFoundError):
                if not stat.S_ISREG(os.stat(self.path).st_mode):
                    raise JournalError(phrase("pit.house.is-no-file", path=self.path))
            self._owner = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._disown()
            raise JournalError(
                phrase("journal.wrong.is-in-use-by-another", path=self.path)
            ) from None
        except OSError as error:
            raise JournalError(
                phrase("journal.wrong.cannot-be-opened", path=self.path, strerror=error.strerror)
            ) from None

    def _disown(self) -> None:
        if self._owner is not None:
            os.close(self._owner)
            self._owner = None

    def _private(self) -> None:
        """The file is for its owner alone: it holds secrets of hands under way and passwords'
        hashes. SQLite gives its log and shared memory the mode of the file."""
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            for file in (self.path, f"{self.path}-wal", f"{self.path}-shm"):
                with suppress(FileNotFoundError):
                    if os.stat(file).st_mode & 0o077:
                        os.chmod(file, 0o600)
        except OSError as error:
            raise JournalError(
                phrase("journal.wrong.cannot-be-opened", path=self.path, strerror=error.strerror)
            ) from None

    def _places(self) -> tuple[tuple[int, int], ...]:
        """Which files stand under our names now; nothing where there is none."""
        found = []
        for file in (self.path, f"{self.path}-wal"):
            try:
                status = os.stat(file)
            except OSError:
                found.append((0, 0))
            else:
                found.append((status.st_dev, status.st_ino))
        return tuple(found)

    def _still_there(self) -> None:
        """Refuse to go on in files that have lost their names: nobody would find them again."""
        if not self._files:
            return
        places = self._places()
        if not any(self._files[1]):
            self._files = (self._files[0], places[1])  # its log is made at the first commit
        if places != self._files:
            self._broken = phrase("journal.wrong.was-removed-renamed-or-replaced", path=self.path)
            self._lost = True
            raise JournalBroken(self._broken)

    def _open(self) -> None:
        if self._vfs is None:
            self._private()
        try:
            self._connection = apsw.Connection(self.path, vfs=self._vfs)
            self._connection.set_busy_timeout(PATIENCE)
            if self._exclusive:
                self._connection.execute("pragma locking_mode = exclusive")
            mode = self._connection.execute("pragma journal_mode = wal").get
            if mode != "wal":
                raise JournalError(
                    phrase("journal.wrong.cannot-have-a-write-ahead", path=self.path, mode=mode)
                )
            # FULL, never less: a ruling that was told must survive the power going out.
            self._connection.execute("pragma synchronous = full")
            self._connection.wal_autocheckpoint(self._pages)
            self._migrate()
        except apsw.Error as error:
            raise JournalError(
                phrase("journal.wrong.cannot-be-opened-2", path=self.path, error=_told(error))
            ) from None
        if self._vfs is None:
            self._files = self._places()

    def _migrate(self) -> None:
        connection = self._connection
        with connection:
            connection.execute(
                "create table if not exists migration (number integer primary key, "
                "name text not null, checksum text not null) strict"
            )
        applied = dict(connection.execute("select number, checksum from migration"))

        def run(one: Migration) -> None:
            with connection:
                connection.execute(one.text)
                connection.execute(
                    "insert into migration values (?, ?, ?)", (one.number, one.name, one.checksum)
                )

        migrate("sqlite", applied, run)

    def _check_form(self) -> None:
        if not Path(self.path).is_file():
            raise JournalError(phrase("journal.wrong.there-is-no-journal", path=self.path))
        try:
            self._read("select number from row limit 1")
        except JournalBroken:
            raise JournalError(
                phrase("journal.wrong.is-not-a-journal-of", path=self.path)
            ) from None

    # -- reading -------------------------------------------------------------------------------

    def _reader(self) -> apsw.Connection:
        with self._lock:
            if self._readers:
                return self._readers.pop()
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        try:
            connection = apsw.Connection(self.path, flags=flags, vfs=self._vfs)
            connection.set_busy_timeout(PATIENCE)
            connection.execute("select 1 from sqlite_schema").fetchall()
        except apsw.CantOpenError:
            if Path(self.path + "-wal").exists():
                raise
            # A finished file on a medium that cannot be written: nobody can change it meanwhile.
            uri = Path(self.path).absolute().as_uri() + "?immutable=1"
            connection = apsw.Connection(uri, flags=flags, vfs=self._vfs)
        return connection

    def _read(self, sql: str, arguments: Sequence[object] = ()) -> list[Any]:
        if self._lost:
            raise JournalBroken(self._broken)
        if self._exclusive:
            assert self._writer is not None
            return self._writer.do(lambda: list(self._connection.execute(sql, arguments)))
        try:
            connection = self._reader()
            try:
                return list(connection.execute(sql, arguments))
            finally:
                with self._lock:
                    self._readers.append(connection)
        except apsw.Error as error:
            raise JournalBroken(
                phrase("journal.wrong.cannot-be-read-3", path=self.path, error=_told(error))
            ) from None

    # -- writing -------------------------------------------------------------------------------

    def _writing(self) -> Writer:
        if self._writer is None:
            raise JournalError(phrase("journal.wrong.was-opened-for-reading-only", path=self.path))
        return self._writer

    def append(self, rows: Sequence[Row]) -> None:
        self.submit(rows).result()

    def submit(self, rows: Sequence[Row], moves: ChipMoves = ()) -> Future[None]:
        return self._writing().submit(rows, moves)

    def _commit(self, rows: list[Row], moves: ChipMoves) -> None:
        if self._broken:
            raise JournalBroken(self._broken)
        try:
            entries = [entry_of(row) for row in rows]
            self._connection.execute("begin immediate")
            heads = self._follow(rows)
            self._insert(entries)
            if moves:
                self._move(moves)
            self._connection.execute("commit")
        except apsw.ConstraintError:
            self._rollback()
            self._heads.clear()
            raise Fenced(phrase("journal.wrong.a-row-with-this-number")) from None
        except apsw.Error as error:
            raise self._failed(error) from None
        except JournalError:
            self._rollback()
            raise
        self._still_there()
        self._heads.update(heads)

    def _follow(self, rows: Sequence[Row]) -> dict[str, Head]:
        """Where chains stand after these rows; Fenced if they do not follow the last ones."""
        heads = {}
        for table, mine in by_table(rows).items():
            head = self._heads.get(table)
            if head is None:
                found: list[Any] = list(self._connection.execute(LAST.format(self.mark), (table,)))
                head = self._heads[table] = Head(*found[0]) if found else Head()
            elif not self._stored(table, head):
                raise JournalError(phrase("journal.wrong.the-row-before-is-gone", table=table))
            check_order(mine, head)
            heads[table] = Head(mine[-1].number, mine[-1].hash)
        return heads

    def _stored(self, table: str, head: Head) -> bool:
        """Whether the row that comes next follows one that is still there."""
        sql = "select hash from row where table_name = ? and number = ?"
        return not head.number or bool(
            list(self._connection.execute(sql, (table, head.number))) == [(head.hash,)]
        )

    def _insert(self, entries: Sequence[StoredRow]) -> None:
        found = ((e.table, e.number, e.id, e.hash, e.body) for e in entries)
        self._connection.executemany(_INSERT, found)

    def _move(self, moves: ChipMoves) -> None:
        """Move chips within a transaction; the table's own constraint keeps them above nothing."""
        for person, amount in moves:
            sql = "update chips set held = held + ? where person = ?"
            self._connection.execute(sql, (amount, person))
            if not self._connection.changes():
                self._connection.execute("insert into chips values (?, ?)", (person, amount))

    def _change(self, changes: Sequence[Change], moves: ChipMoves, rows: Sequence[Row]) -> bool:
        """All changes in one transaction, or none; whether all was as said."""

        def work() -> bool:
            if self._broken:
                raise JournalBroken(self._broken)
            try:
                heads = self._follow(rows)
                self._connection.execute("begin immediate")
                for one in changes:
                    sql, arguments = self._changed(one)
                    self._connection.execute(sql, arguments)
                    if not self._connection.changes():
                        self._connection.execute("rollback")
                        return False
                self._insert([entry_of(row) for row in rows])
                self._move(moves)
                self._connection.execute("commit")
            except Fenced:
                return False
            except apsw.ConstraintError:
                self._rollback()
                self._heads.clear()
                return False
            except apsw.Error as error:
                raise self._failed(error) from None
            self._still_there()
            self._heads.update(heads)
            return True

        return self._writing().do(work)

    def _write(self, sql: str, arguments: Sequence[object]) -> int:
        """One statement, one commit; how many records it changed."""

        def work() -> int:
            if self._broken:
                raise JournalBroken(self._broken)
            try:
                self._connection.execute(sql, arguments)
                changed = int(self._connection.changes())
            except apsw.Error as error:
                raise self._failed(error) from None
            self._still_there()
            return changed

        return self._writing().do(work)

    def _failed(self, error: apsw.Error) -> JournalError:
        self._rollback()
        self._heads.clear()
        if isinstance(error, apsw.FullError):
            return JournalFull(phrase("journal.wrong.the-disk-is-full-nothing", path=self.path))
        self._broken = phrase(
            "journal.wrong.failed-nothing-more-is-taken", path=self.path, error=_told(error)
        )
        return JournalBroken(self._broken)

    def _rollback(self) -> None:
        if not self._connection.get_autocommit():
            with suppress(apsw.Error):
                self._connection.execute("rollback")

    def keep(self, checkpoint: Checkpoint) -> None:
        self._write(
            "insert or replace into checkpoint values (?, ?, ?, ?, ?)",
            (
                checkpoint.table,
                checkpoint.number,
                checkpoint.hash,
                checkpoint.schema,
                pack(checkpoint),
            ),
        )

    def claim(self, table: str) -> bool:
        with self._lock:
            if table in self._claimed:
                return False
            self._claimed.add(table)
            return True

    def release(self, table: str) -> None:
        with self._lock:
            self._claimed.discard(table)

    def close(self) -> None:
        with self._lock:
            readers, self._readers = self._readers, []
        for connection in readers:
            connection.close()
        if self._writer is not None:
            self._writer.close(self._close)
        self._disown()

    def _close(self) -> None:
        if hasattr(self, "_connection"):
            with suppress(apsw.Error):
                self._connection.close()


def _told(error: apsw.Error) -> str:
    """What SQLite says, with its own name for it."""
    return f"{str(error) or type(error).__name__}"
