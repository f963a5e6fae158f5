"""PostgreSQL by itself: owners, fences, lost connections."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import psycopg
import pytest

from boxman.journal import postgres as room
from boxman.journal.postgres import PostgresJournal
from boxman.journal.row import Head, JournalError, head_of
from boxman.journal.store import Fenced, JournalBroken, JournalFull
from tests.journal.evening import plain_row
from tests.tools.postgres import Server

Opened = Callable[..., PostgresJournal]


@pytest.fixture
def opened(database: str) -> Iterator[Opened]:
    journals: list[PostgresJournal] = []

    def make(**options: float) -> PostgresJournal:
        journals.append(PostgresJournal(database, **options))  # type: ignore[arg-type]
        return journals[-1]

    yield make
    for journal in journals:
        journal.close()


def _cut(database: str) -> int:
    """End every other connection to the database; how many there were."""
    with psycopg.connect(database, autocommit=True) as connection:
        found = connection.execute(
            "select count(pg_terminate_backend(pid)) from pg_stat_activity "
            "where datname = current_database() and pid <> pg_backend_pid()"
        ).fetchone()
    assert found is not None
    return int(found[0])


def test_a_table_has_one_owner_over_all_processes(opened: Opened) -> None:
    one, two = opened(), opened()
    assert one.claim("table")
    assert not two.claim("table")
    assert two.claim("other")
    assert one.owns("table")
    assert not two.owns("table")
    one.release("table")
    assert two.claim("table")
    assert not one.claim("table")


def test_a_process_that_goes_leaves_its_tables_to_another(opened: Opened) -> None:
    one, two = opened(), opened()
    assert one.claim("table")
    one.close()
    until = time.monotonic() + 5
    while not two.claim("table"):
        assert time.monotonic() < until, "nobody can take the table over"


def test_of_two_who_write_one_number_one_is_fenced(opened: Opened) -> None:
    one, two = opened(), opened()
    first = plain_row(Head())
    one.append([first])
    assert two.head("one") == head_of(first)
    two.append([plain_row(head_of(first), id="two")])
    with pytest.raises(Fenced):
        one.append([plain_row(head_of(first), id="one")])
    head = one.head("one")
    assert head.number == 2
    one.append([plain_row(head, id="one")])
    assert two.head("one").number == 3


def test_a_lost_connection_is_made_again(opened: Opened, database: str) -> None:
    journal = opened()
    assert journal.claim("one")
    head = Head()
    for _ in range(5):
        row = plain_row(head)
        journal.append([row])
        head = head_of(row)
        assert _cut(database) >= 1
        assert journal.head("one") == head
    assert journal.owns("one")
    journal.records.put("a", "b", b"c")
    _cut(database)
    assert journal.records.get("a", "b") == b"c"


def test_a_commit_whose_answer_was_lost_is_not_done_twice(
    opened: Opened, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows were stored, and the connection went before the answer came."""
    journal = opened()
    journal.append([plain_row(Head())])
    known = journal._known
    sent = 0

    def lossy(connection: psycopg.Connection[object], table: str, number: int) -> Head:
        nonlocal sent
        head = known(connection, table, number)
        sent += 1
        if sent == 1:  # done by another hand, so that it is stored; then the line goes dead
            rows = [plain_row(head)]
            other = opened()
            other.append(rows)
            _cut(database)
        return head

    monkeypatch.setattr(journal, "_known", lossy)
    row = plain_row(journal.head("one"))
    journal.append([row])
    assert sent == 1
    assert [found.hash for found in journal.rows("one", 1)] == [row.hash]


def test_a_table_taken_over_while_the_connection_was_lost_is_fenced(
    opened: Opened, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "GRACE", 0.2)
    one = opened()
    assert one.claim("one")
    row = plain_row(Head())
    one.append([row])
    _cut(database)
    two = opened()
    assert two.claim("one")
    with pytest.raises(Fenced, match="one has another owner now"):
        one.append([plain_row(head_of(row), id="late")])
    assert not one.owns("one")
    two.append([plain_row(head_of(row), id="in time")])
    assert one.find("one", "late") is None


def test_a_server_that_is_gone_is_said_so(server: Server) -> None:
    dsn = server.database()
    journal = PostgresJournal(dsn, patience=0.3)
    server.drop(dsn)
    with pytest.raises(JournalBroken, match=r"does not answer .*does not exist"):
        journal.append([plain_row(Head())])
    with pytest.raises(JournalBroken, match="cannot be read"):
        journal.head("one")
    journal.close()


def test_what_is_no_database_is_refused_in_one_line(database: str) -> None:
    with pytest.raises(JournalError, match="the database cannot be opened"):
        PostgresJournal("postgresql:///nothing?host=/nowhere&password=secret")
    with pytest.raises(JournalError, match="is not a journal of Boxman"):
        PostgresJournal(database, read_only=True)
    with pytest.raises(JournalError, match="no connection string") as refused:
        PostgresJournal("postgresql://a:secret@[")
    assert "secret" not in str(refused.value)
    PostgresJournal(database).close()
    reader = PostgresJournal(database, read_only=True)
    assert reader.tables() == []
    with pytest.raises(JournalError, match="for reading only"):
        reader.append([plain_row(Head())])
    reader.close()


def test_rows_cannot_be_changed_even_by_hand(opened: Opened, database: str) -> None:
    journal = opened()
    journal.append([plain_row(Head())])
    with psycopg.connect(database, autocommit=True) as connection:
        for sql in ("update row set hash = hash", "delete from row", "truncate row"):
            with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
                connection.execute(sql)


def test_commits_wait_for_the_disk(opened: Opened) -> None:
    journal = opened()

    def ask() -> object:
        assert journal._connection is not None
        return journal._connection.execute("show synchronous_commit").fetchone()

    assert journal._thread().do(ask) == ("on",)


def test_a_full_disk_of_the_server_is_said_so_and_may_be_tried_again(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = opened()
    row = plain_row(Head())

    def no_room(*_: object) -> Head:
        raise psycopg.errors.DiskFull("could not extend file: No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(journal, "_known", no_room)
        with pytest.raises(JournalFull, match="the disk of the database is full"):
            journal.append([row])
    assert journal.head("one").number == 0
    journal.append([row])
    assert journal.head("one") == head_of(row)
