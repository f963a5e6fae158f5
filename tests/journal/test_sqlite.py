"""SQLite by itself: one writer, readers beside it, forms that do not fit."""

from __future__ import annotations

import os
from pathlib import Path

import apsw
import pytest

from boxman.journal import migrate as room
from boxman.journal.migrate import Migration, migrations, missing
from boxman.journal.open import open_journal
from boxman.journal.row import Head, JournalError, Row, head_of
from boxman.journal.sqlite import SqliteJournal
from boxman.journal.store import JournalBroken
from boxman.journal.writer import Writer
from tests.journal.evening import Evening, plain_row


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def _ask(journal: SqliteJournal, pragma: str) -> object:
    return journal._writing().do(lambda: journal._connection.execute(f"pragma {pragma}").get)


def test_commits_wait_for_the_disk(path: Path) -> None:
    journal = SqliteJournal(path)
    assert _ask(journal, "synchronous") == 2  # FULL
    assert _ask(journal, "journal_mode") == "wal"
    journal.close()


def test_a_second_writer_is_refused(path: Path) -> None:
    journal = SqliteJournal(path)
    with pytest.raises(JournalError, match="in use by another Boxman process"):
        SqliteJournal(path)
    journal.close()
    SqliteJournal(path).close()


def test_readers_see_what_is_stored_while_it_is_written(path: Path) -> None:
    journal = SqliteJournal(path)
    reader = open_journal(str(path), read_only=True)
    head = Head()
    for number in range(1, 30):
        row = plain_row(head)
        journal.append([row])
        head = head_of(row)
        assert reader.head("one").number == number
    with pytest.raises(JournalError, match="for reading only"):
        reader.append([plain_row(head)])
    with pytest.raises(JournalError, match="for reading only"):
        reader.records.put("a", "b", b"c")
    reader.close()
    journal.close()


def test_a_finished_file_is_read_where_nothing_can_be_written(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = SqliteJournal(path)
    rows = Evening().rows(10)
    journal.append(rows)
    journal.close()
    assert not Path(f"{path}-wal").exists()
    folder = tmp_path / "medium"
    folder.mkdir()
    copy = folder / "copy.db"
    copy.write_bytes(path.read_bytes())
    copy.chmod(0o444)
    folder.chmod(0o555)
    real, refused = apsw.Connection, []

    def connection(name: str, **options: object) -> apsw.Connection:
        # Root may write anywhere: what a reader without that right meets is put in here.
        if "immutable" not in name:
            refused.append(name)
            raise apsw.CantOpenError("no shared memory here")
        return real(name, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(apsw, "Connection", connection)
    reader = SqliteJournal(copy, read_only=True)
    assert list(reader.rows("one")) == rows
    assert refused
    reader.close()
    folder.chmod(0o755)


def test_what_is_no_journal_is_refused_in_one_line(path: Path, tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal"):
        SqliteJournal(path, read_only=True)
    assert not path.exists()
    path.write_text("a" * 2_000)
    with pytest.raises(JournalError, match=r"cannot be opened: .*not a database"):
        SqliteJournal(path)
    with pytest.raises(JournalError, match="is not a journal of Boxman"):
        SqliteJournal(path, read_only=True)
    with pytest.raises(JournalError, match="cannot be opened"):
        SqliteJournal(tmp_path / "nowhere" / "journal.db")
    other = tmp_path / "other.db"
    apsw.Connection(str(other)).execute("create table a (b)")
    with pytest.raises(JournalError, match="is not a journal of Boxman"):
        SqliteJournal(other, read_only=True)


def test_rows_cannot_be_changed_even_by_hand(path: Path) -> None:
    journal = SqliteJournal(path)
    journal.append([plain_row(Head())])
    connection = apsw.Connection(str(path))
    for sql in ("update row set hash = hash", "delete from row"):
        with pytest.raises(apsw.ConstraintError, match="append-only"):
            connection.execute(sql)
    connection.close()
    journal.close()


def test_a_damaged_checkpoint_is_passed_over(path: Path) -> None:
    journal = SqliteJournal(path)
    rows = Evening().rows(10)
    journal.append(rows)
    for number, state in ((4, b"\x00"), (8, b"")):
        journal._write(
            "insert into checkpoint values ('one', ?, ?, 1, ?)",
            (number, rows[number - 1].hash, state),
        )
    assert journal.checkpoint("one") is None
    journal.close()


def test_a_file_that_vanishes_under_a_reader_is_said_so(path: Path) -> None:
    SqliteJournal(path).close()
    reader = SqliteJournal(path, read_only=True)
    reader.close()
    os.truncate(path, 100)
    with pytest.raises(JournalBroken, match="cannot be read"):
        reader.head("one")
    reader.close()


# -- migrations --------------------------------------------------------------------------------


def test_the_files_of_both_databases_have_the_same_numbers() -> None:
    assert [one.name for one in migrations("sqlite")] == [
        one.name for one in migrations("postgres")
    ]


def test_a_database_of_a_later_boxman_is_refused(path: Path) -> None:
    SqliteJournal(path).close()
    last = migrations("sqlite")[-1].number
    connection = apsw.Connection(str(path))
    connection.execute("insert into migration values (?, 'later', 'x')", (last + 1,))
    connection.close()
    with pytest.raises(JournalError, match=f"has had migration {last + 1}.* use a later Boxman"):
        SqliteJournal(path)


def test_a_migration_that_was_changed_is_refused(path: Path) -> None:
    SqliteJournal(path).close()
    connection = apsw.Connection(str(path))
    connection.execute("update migration set checksum = 'x' where number = 1")
    connection.close()
    with pytest.raises(JournalError, match=r"0001_journal\.sql is not the file"):
        SqliteJournal(path)


def test_new_migrations_are_applied_once_and_in_order(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = SqliteJournal(path)
    rows = Evening().rows(5)
    journal.append(rows)
    journal.close()
    last = migrations("sqlite")[-1].number
    more = [
        *migrations("sqlite"),
        Migration(last + 1, "a.sql", "create table later (a integer);"),
        Migration(last + 2, "b.sql", "insert into later values (1); insert into later values (2);"),
    ]
    monkeypatch.setattr(room, "migrations", lambda kind: more)
    for _ in range(2):
        again = SqliteJournal(path)
        assert again._read("select a from later order by a") == [(1,), (2,)]
        assert list(again.rows("one")) == rows
        again.close()
    assert missing(more, {one.number: one.checksum for one in more}) == []


def test_a_migration_that_fails_leaves_nothing_behind(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SqliteJournal(path).close()
    bad = Migration(migrations("sqlite")[-1].number + 1, "bad.sql", "create table x (a); nonsense;")
    every = [*migrations("sqlite"), bad]
    with monkeypatch.context() as patched:
        patched.setattr(room, "migrations", lambda kind: every)
        with pytest.raises(JournalError, match="cannot be opened"):
            SqliteJournal(path)
    journal = SqliteJournal(path)
    assert journal._read("select name from sqlite_schema where name = 'x'") == []
    journal.close()


# -- group commit ------------------------------------------------------------------------------


def test_rows_that_wait_share_a_commit() -> None:
    from threading import Event

    sizes: list[int] = []
    started, go = Event(), Event()

    def commit(rows: list[Row], moves: object) -> None:
        sizes.append(len(rows))
        started.set()
        go.wait(10)

    writer = Writer("test", commit)
    first = writer.submit([plain_row(Head())])
    started.wait(10)
    rest = [writer.submit([plain_row(Head(), f"t{number}")]) for number in range(9)]
    go.set()
    for future in (first, *rest):
        future.result(10)
    writer.close(lambda: None)
    assert sizes == [1, 9]
