"""The journal in a PostgreSQL database: for many tables, many processes, many machines.

A table has one owner: the process whose writing connection holds the advisory lock of its name.
When that process dies the server lets go of the lock, and another takes the table over. Should two
believe they own one, the primary key takes the row of only one of them.

If the connection is lost in the middle of a commit nobody knows whether it was done: the rows are
looked up by their hashes after reconnecting, and stored again only if they are not there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from hashlib import sha256
from threading import Lock
from typing import Any, TypeVar

from boxman.journal.migrate import Migration, migrate
from boxman.journal.reading import LAST, SqlChips, SqlReading, SqlRecords, pack
from boxman.journal.row import Head, JournalError, Row, StoredRow, entry_of
from boxman.journal.store import (
    PATIENCE,
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
    import psycopg
    from psycopg import errors
except ModuleNotFoundError:  # pragma: no cover
    raise JournalError(phrase("journal.wrong.needs-psycopg")) from None

PAUSE = 0.1
GRACE = 2.0
"""Seconds to wait for our own lost connection to let go of our tables."""

T = TypeVar("T")
Connection = psycopg.Connection[tuple[Any, ...]]

_INSERT = """
insert into row (table_name, number, call_id, hash, body)
select * from unnest(%s::text[], %s::bigint[], %s::text[], %s::text[], %s::bytea[])
where %s = (
    select count(*) from unnest(%s::text[], %s::bigint[], %s::text[]) as last (at, number, hash)
    where last.hash = (
        select row.hash from row where row.table_name = last.at and row.number = last.number
    )
)
"""
"""Rows, if those that they follow are still there. Each is one look into the index, however the
server plans it: joined, it would read a whole table that was small when it made its plan."""


class PostgresJournal(SqlReading):
    """A journal in a database, given by its connection string; one that is away is tried to be
    reached again for so many seconds (`patience`)."""

    mark = "%s"

    def __init__(self, dsn: str, *, read_only: bool = False, patience: float = PATIENCE) -> None:
        self.dsn, self.patience = dsn, patience
        self.records = SqlRecords(self)
        self.chips = SqlChips(self)
        self._heads: dict[str, Head] = {}
        self._claimed: set[str] = set()
        self._connection: Connection | None = None
        self._reader: Connection | None = None
        self._reading = Lock()
        self._stopping = False
        self._writer: Writer | None = None
        if read_only:
            self._check_form()
            return
        self._writer = Writer("postgres", self._commit)
        try:
            self._writer.do(self._open)
        except JournalError:
            self.close()
            raise

    # -- connections ---------------------------------------------------------------------------

    def _connect(self) -> Connection:
        try:
            connection = psycopg.connect(self.dsn, autocommit=True, connect_timeout=5)
        except psycopg.ProgrammingError:
            # Without repeating it: it may hold a password.
            raise JournalError(phrase("journal.wrong.this-is-no-connection-string")) from None
        # Whatever the server's defaults are: a commit is on disk when it returns, and a machine
        # that vanished without a word is noticed within seconds. Statements are planned once:
        # every one of them goes by an index, and planning costs more than a row does.
        connection.execute(
            "set synchronous_commit = on; set client_min_messages = warning; "
            "set plan_cache_mode = force_generic_plan; "
            "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; "
            "set tcp_keepalives_count = 3"
        )
        return connection

    def _open(self) -> None:
        try:
            self._connection = self._connect()
            with self._connection.transaction():
                self._migrate(self._connection)
        except psycopg.Error as error:
            raise JournalError(
                phrase("journal.wrong.the-database-cannot-be-opened", error=_told(error))
            ) from None

    def _migrate(self, connection: Connection) -> None:
        # Two processes that start together take turns.
        connection.execute("select pg_advisory_xact_lock(%s)", (_key("\0migration"),))
        connection.execute(
            "create table if not exists migration (number integer primary key, "
            "name text not null, checksum text not null)"
        )
        applied: dict[int, str] = dict(
            connection.execute("select number, checksum from migration").fetchall()
        )

        def run(one: Migration) -> None:
            connection.execute(one.text.encode())
            connection.execute(
                "insert into migration values (%s, %s, %s)", (one.number, one.name, one.checksum)
            )

        migrate("postgres", applied, run)

    def _check_form(self) -> None:
        try:
            connection = self._connect()
        except psycopg.Error as error:
            raise JournalError(
                phrase("journal.wrong.the-database-cannot-be-opened", error=_told(error))
            ) from None
        try:
            connection.execute("select number from row limit 1")
        except psycopg.Error:
            connection.close()
            raise JournalError(phrase("journal.wrong.this-database-is-not-a")) from None
        self._reader = connection

    def _writing(self, work: Callable[[Connection], T]) -> T:
        """Do work with the writing connection, in its thread; if it is lost, with a new one."""
        until = time.monotonic() + self.patience
        while True:
            try:
                if self._connection is None or self._connection.closed:
                    self._connection = self._reconnect()
                return work(self._connection)
            except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                if isinstance(error, errors.DiskFull):
                    self._heads.clear()
                    raise JournalFull(phrase("journal.wrong.the-disk-of-the-database")) from None
                if self._connection is not None and not self._connection.closed:
                    self._connection.close()
                if self._stopping or time.monotonic() >= until:
                    raise JournalBroken(
                        phrase("journal.wrong.the-database-does-not-answer", error=_told(error))
                    ) from None
                time.sleep(PAUSE)

    def _reconnect(self) -> Connection:
        """A new connection, with the tables that are still ours."""
        connection = self._connect()
        self._heads.clear()
        until = time.monotonic() + GRACE
        for table in sorted(self._claimed):
            while not _take(connection, table):
                # The server may not have noticed yet that our old connection is gone.
                if time.monotonic() >= until:
                    self._claimed.discard(table)
                    break
                time.sleep(PAUSE)
        return connection

    # -- reading -------------------------------------------------------------------------------

    def _read(self, sql: str, arguments: Sequence[object] = ()) -> list[Any]:
        with self._reading:
            for last in (False, True):
                try:
                    if self._reader is None or self._reader.closed:
                        self._reader = self._connect()
                    return self._reader.execute(sql.encode(), arguments).fetchall()
                except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                    if self._reader is not None:
                        self._reader.close()
                    if last:
                        raise JournalBroken(
                            phrase("journal.wrong.the-database-cannot-be-read", error=_told(error))
                        ) from None
                    time.sleep(PAUSE)
        raise AssertionError

    # -- writing -------------------------------------------------------------------------------

    def _thread(self) -> Writer:
        if self._writer is None:
            raise JournalError(phrase("journal.wrong.this-database-was-opened-for"))
        return self._writer

    def append(self, rows: Sequence[Row]) -> None:
        self.submit(rows).result()

    def submit(self, rows: Sequence[Row], moves: ChipMoves = ()) -> Future[None]:
        return self._thread().submit(rows, moves)

    def _commit(self, rows: list[Row], moves: ChipMoves) -> None:
        entries = [entry_of(row) for row in rows]
        owned = {row.table for row in rows} & self._claimed
        columns = (*_columns(entries), *_followed(rows))
        tried = False

        def work(connection: Connection) -> None:
            nonlocal tried
            if not owned <= self._claimed:
                lost = ", ".join(sorted(owned - self._claimed))
                raise Fenced(phrase("journal.wrong.has-another-owner-now", lost=lost))
            if tried and _stored(connection, entries):
                return
            again, tried = tried, True
            try:
                for table, mine in by_table(rows).items():
                    check_order(mine, self._known(connection, table, mine[0].number))
                if moves:
                    with connection.transaction():
                        _insert(connection, columns)
                        _move(connection, moves)
                else:
                    _insert(connection, columns)
            except (errors.UniqueViolation, Fenced):
                # The lost connection may have stored them after we looked.
                if not (again and _stored(connection, entries)):
                    raise

        try:
            self._writing(work)
        except (errors.UniqueViolation, errors.CheckViolation):
            self._heads.clear()
            raise Fenced(phrase("journal.wrong.a-row-with-this-number")) from None
        except Fenced:
            self._heads.clear()
            raise
        except psycopg.Error as error:
            self._heads.clear()
            raise JournalBroken(
                phrase("journal.wrong.the-database-refused-the-rows", error=_told(error))
            ) from None
        for row in rows:
            self._heads[row.table] = Head(row.number, row.hash)

    def _known(self, connection: Connection, table: str, number: int) -> Head:
        """The head of a table; asked again if another process may have moved it."""
        head = self._heads.get(table)
        if head is None or head.number != number - 1:
            found = connection.execute(LAST.format(self.mark), (table,)).fetchall()
            head = self._heads[table] = Head(*found[0]) if found else Head()
        return head

    def _write(self, sql: str, arguments: Sequence[object]) -> int:
        """One statement, one commit; how many records it changed."""

        def work(connection: Connection) -> int:
            return int(connection.execute(sql.encode(), arguments).rowcount)

        def run() -> int:
            try:
                return self._writing(work)
            except psycopg.Error as error:
                raise JournalBroken(
                    phrase("journal.wrong.the-database-refused-it", error=_told(error))
                ) from None

        return self._thread().do(run)

    def _change(self, changes: Sequence[Change], moves: ChipMoves, rows: Sequence[Row]) -> bool:
        """All changes in one transaction, or none; whether all was as said."""
        tried, entries = False, [entry_of(row) for row in rows]

        def work(connection: Connection) -> bool:
            nonlocal tried
            if tried and (
                _stored(connection, entries)
                if entries
                else all(self.records.get(one.kind, one.key) == one.new for one in changes)
            ):
                return True  # the commit was done and its answer lost
            tried, done = True, False
            for table, mine in by_table(rows).items():
                # Asked anew: other processes write here too.
                self._heads.pop(table, None)
                check_order(mine, self._known(connection, table, mine[0].number))
            with connection.transaction() as transaction:
                for one in changes:
                    sql, arguments = self._changed(one)
                    if connection.execute(sql.encode(), arguments).rowcount != 1:
                        raise psycopg.Rollback(transaction)
                if entries:
                    _insert(connection, (*_columns(entries), *_followed(rows)))
                _move(connection, moves)
                done = True
            return done

        def run() -> bool:
            try:
                done = self._writing(work)
            except (errors.UniqueViolation, errors.CheckViolation, Fenced):
                return False
            except psycopg.Error as error:
                raise JournalBroken(
                    phrase("journal.wrong.the-database-refused-it", error=_told(error))
                ) from None
            finally:
                for row in rows:
                    self._heads.pop(row.table, None)
            return done

        return self._thread().do(run)

    def keep(self, checkpoint: Checkpoint) -> None:
        self._write(
            "insert into checkpoint values (%s, %s, %s, %s, %s) "
            "on conflict (table_name, number) do update "
            "set hash = excluded.hash, schema = excluded.schema, state = excluded.state",
            (
                checkpoint.table,
                checkpoint.number,
                checkpoint.hash,
                checkpoint.schema,
                pack(checkpoint),
            ),
        )

    def claim(self, table: str) -> bool:
        def work() -> bool:
            if table in self._claimed or not self._writing(lambda c: _take(c, table)):
                return False
            self._claimed.add(table)
            self._heads.pop(table, None)
            return True

        return self._thread().do(work)

    def release(self, table: str) -> None:
        def work() -> None:
            if table in self._claimed:
                self._claimed.discard(table)
                self._writing(lambda c: c.execute("select pg_advisory_unlock(%s)", (_key(table),)))

        self._thread().do(work)

    def owns(self, table: str) -> bool:
        """Whether this process still owns a table that it claimed."""
        return table in self._claimed

    def close(self) -> None:
        self._stopping = True
        if self._writer is not None:
            self._writer.close(self._close)
        with self._reading:
            if self._reader is not None:
                self._reader.close()

    def _close(self) -> None:
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.close()


def _columns(entries: Sequence[StoredRow]) -> tuple[list[object], ...]:
    """Rows as the columns that are stored together."""
    return (
        [entry.table for entry in entries],
        [entry.number for entry in entries],
        [entry.id for entry in entries],
        [entry.hash for entry in entries],
        [entry.body for entry in entries],
    )


def _followed(rows: Sequence[Row]) -> tuple[object, ...]:
    """The rows that these follow, which are not among them: how many, then as columns."""
    firsts = [mine[0] for mine in by_table(rows).values() if mine[0].number > 1]
    tables, numbers = [row.table for row in firsts], [row.number - 1 for row in firsts]
    return len(firsts), tables, numbers, [row.previous for row in firsts]


def _insert(connection: Connection, columns: tuple[object, ...]) -> None:
    """Store rows, all or none."""
    if not connection.execute(_INSERT, columns).rowcount:
        tables = columns[0]
        assert isinstance(tables, list)
        raise Fenced(phrase("journal.wrong.the-row-before-is-gone", table=", ".join(set(tables))))


def _move(connection: Connection, moves: ChipMoves) -> None:
    """Move chips within a transaction; the table's own constraint keeps them above nothing."""
    for person, amount in moves:
        sql = b"update chips set held = held + %s where person = %s"
        if connection.execute(sql, (amount, person)).rowcount == 0:
            connection.execute(b"insert into chips values (%s, %s)", (person, amount))


def _key(table: str) -> int:
    """The number of a table's advisory lock."""
    return int.from_bytes(sha256(b"boxman\0" + table.encode()).digest()[:8], "big", signed=True)


def _take(connection: Connection, table: str) -> bool:
    """Take the lock of a table, if it is free."""
    found = connection.execute("select pg_try_advisory_lock(%s)", (_key(table),)).fetchone()
    return bool(found and found[0])


def _stored(connection: Connection, entries: Sequence[StoredRow]) -> bool:
    """Whether these rows are there, by their hashes: the commit was done and its answer lost."""
    last = entries[-1]
    found = connection.execute(
        "select hash from row where table_name = %s and number = %s", (last.table, last.number)
    ).fetchone()
    return found is not None and found[0] == last.hash


def _told(error: psycopg.Error) -> str:
    """What the server or the driver says, on one line, without the connection string."""
    text = error.diag.message_primary or str(error)
    return " ".join(text.split())
