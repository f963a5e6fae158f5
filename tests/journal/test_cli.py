"""`boxman export`, `verify`, `audit`, `seal` and `replay --table`, as an inspector uses them."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner, Result

from boxman.cli import app
from boxman.journal.codec import read_table
from boxman.journal.fold import checkpoint_of
from boxman.journal.open import open_journal
from boxman.journal.row import Head, digest, line_of
from boxman.journal.sqlite import SqliteJournal
from boxman.rules import book
from tests.journal.evening import Evening

COUNT = 60


def run(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def evening() -> Evening:
    return Evening(seed=5)


@pytest.fixture
def database(tmp_path: Path, evening: Evening) -> str:
    """A journal with two tables, the first with a checkpoint."""
    path = str(tmp_path / "journal.db")
    journal = SqliteJournal(path)
    journal.append(evening.rows(COUNT))
    stored = list(journal.entries("one"))[29]
    journal.keep(checkpoint_of("one", Head(30, stored.hash), evening.tables[29]))
    journal.append(Evening("two", "adelaide", 6).rows(20))
    journal.close()
    return path


@pytest.fixture
def exported(tmp_path: Path, database: str) -> Path:
    path = tmp_path / "one.jsonl"
    run("export", "one", "--database", database, "-o", str(path))
    return path


def test_an_export_verifies_and_audits(exported: Path, evening: Evening) -> None:
    rolls = evening.table.rolls
    assert rolls
    assert run("verify", str(exported)).output == (
        f"one: sound ({COUNT} rows, 0 rolls proved, {rolls} not), head {evening.head.hash}\n"
    )
    assert run("audit", str(exported)).output == (
        f"one: {COUNT} of {COUNT} rows ruled again, 0 disagreements\n"
    )
    told = json.loads(run("verify", str(exported), "--json").output)
    assert (told["rows"], told["problems"], told["head"]["number"]) == (COUNT, [], COUNT)


def test_the_present_rulebook_of_a_served_file_is_named_to_an_audit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book, "_FILES", [])
    mine, where = tmp_path / "mine.md", str(tmp_path / "journal.db")
    mine.write_text(book.read_book("nsw").text.replace('id = "nsw"', 'id = "mine"', 1))
    book.add_houses([str(mine)])
    journal = SqliteJournal(where)
    journal.keep_edition(mine.read_text())
    journal.append(Evening("own", "mine", 5).rows(COUNT))
    journal.close()
    monkeypatch.setattr(book, "_FILES", [])  # another process, which does not serve it
    assert "0 disagreements" in run("audit", "--database", where).output
    run("audit", "--database", where, "--now", code=2)
    assert "0 dis" in run("audit", "--database", where, "--now", "--house", str(mine)).output
    mine.write_text(mine.read_text().replace('"7 to 6"', '"8 to 6"'))  # Place 6 and 8
    told = run("audit", "--database", where, "--now", "--house", str(mine), code=1)
    assert "money or table" in told.output


def test_a_database_is_verified_and_audited_whole(database: str) -> None:
    output = run("verify", "--database", database).output
    assert output.startswith("one: sound (60 rows, ")
    assert "\ntwo: sound (20 rows, " in output
    assert run("verify", "--database", database, "--table", "two").output.startswith("two: sound")
    assert "two: 20 of 20 rows ruled again" in run("audit", "--database", database).output


def test_the_same_in_postgres(
    request: pytest.FixtureRequest, evening: Evening, tmp_path: Path
) -> None:
    from tests.tools.postgres import Server

    server: Server = request.getfixturevalue("server")
    dsn = server.database()
    journal = open_journal(dsn)
    journal.append(evening.rows(COUNT))
    journal.close()
    assert "one: sound" in run("verify", "--database", dsn).output
    path = tmp_path / "one.jsonl"
    run("export", "one", "--database", dsn, "--output", str(path))
    assert f"head {evening.head.hash}" in run("verify", str(path)).output
    assert "row 7: " in run("replay", "--database", dsn, "--table", "one", "--at", "7").output
    server.give_back(dsn)


def test_a_changed_row_is_found_and_named(exported: Path) -> None:
    lines = exported.read_bytes().splitlines(keepends=True)
    lines[8] = lines[8].replace(b'"at":17', b'"at":16')
    exported.write_bytes(b"".join(lines))
    output = run("verify", str(exported), code=1).output
    assert "one: line 9, row 8: the row was changed" in output
    assert "NOT SOUND" in output


def test_a_ruling_that_would_differ_is_found_and_named(exported: Path) -> None:
    lines = exported.read_bytes().splitlines()
    number, plain = next(
        (number, plain)
        for number, line in enumerate(lines[1:], 1)
        for plain in [json.loads(line)]
        if plain["ruling"].get("refusal")
    )
    plain["ruling"]["refusal"]["code"] = "because"
    del plain["hash"]
    body = json.dumps(plain, separators=(",", ":")).encode()
    lines[number] = line_of(body, digest(body))
    exported.write_bytes(b"\n".join(lines) + b"\n")
    output = run("audit", str(exported), code=1).output
    assert f"one: row {number}: code: " in output
    assert "then: refused because {" in output
    assert f"{COUNT} rows ruled again, 1 disagreements (1 reason)" in output
    told = [
        json.loads(line)
        for line in run("audit", str(exported), "--json", code=1).output.splitlines()
    ]
    assert told[0]["number"] == number
    assert told[0]["clauses_then"] == told[0]["clauses_now"] != []
    assert told[1]["disagreements"] == {"code": 1}


def test_seals_are_made_kept_and_checked(
    database: str, exported: Path, tmp_path: Path, evening: Evening
) -> None:
    key, public, seals = (str(tmp_path / name) for name in ("house.key", "house.pub", "seals"))
    run("seal", "--create", "--key", key, "-o", public)
    run("seal", "--database", database, "--key", key, "-o", seals)
    assert len(Path(seals).read_text().splitlines()) == 2
    check = ("--seals", seals, "--key", public)
    assert "(60 rows, 1 seals, " in run("verify", str(exported), *check).output
    assert "two: sound (20 rows, 1 seals, " in run("verify", "--database", database, *check).output
    forged = Evening(seed=99)
    path = str(tmp_path / "forged.db")
    journal = SqliteJournal(path)
    journal.append(forged.rows(COUNT))
    journal.close()
    assert "one: sound" in run("verify", "--database", path).output
    output = run("verify", "--database", path, *check, code=1).output
    assert "row 60: the row is not the one that was sealed" in output
    assert run("seal", "--public", "--key", key).output == Path(public).read_text()
    assert (
        "--seals FILE and --key FILE together"
        in run("verify", str(exported), "--seals", seals, code=2).output
    )
    assert "is there already" in run("seal", "--create", "--key", key, code=2).output
    assert (
        "no table three"
        in run("seal", "three", "--database", database, "--key", key, code=2).output
    )


def test_the_notation_of_a_table_replays(database: str, tmp_path: Path) -> None:
    for table in ("one", "two"):
        path = tmp_path / f"{table}.craps"
        run("export", table, "--database", database, "--format", "craps", "-o", str(path))
        text = path.read_text()
        assert text.startswith("house ")
        assert run("replay", str(path)).output.count("\n") == text.count("\n")


@pytest.mark.parametrize("number", [1, 2, 29, 30, 31, 45, COUNT])
def test_a_table_after_any_row(
    number: int, database: str, exported: Path, evening: Evening
) -> None:
    where = ("--database", database, "--table", "one")
    from_database = run("replay", *where, "--at", str(number), "--json").output
    from_file = run("replay", str(exported), "--at", str(number), "--json").output
    assert from_database == from_file
    told = msgspec.json.decode(from_file)
    expected = evening.tables[number - 1]
    assert read_table(msgspec.json.encode(told["table"])) == expected
    text = run("replay", *where, "--at", str(number)).output
    assert text == run("replay", str(exported), "--at", str(number)).output
    assert text.startswith(f"row {number}: ")
    puck = f"ON {expected.puck}" if expected.puck else "OFF"
    assert f"  puck     {puck}, {expected.phase}\n" in text


def test_all_rows_of_a_table(database: str, exported: Path) -> None:
    where = ("--database", database, "--table", "one")
    text = run("replay", *where).output
    assert text == run("replay", str(exported)).output
    assert text.count("\n") == COUNT
    lines = exported.read_text().splitlines()[1:]
    assert run("replay", *where, "--json").output.splitlines() == lines


def test_the_usual_journal_is_taken_where_none_is_named(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(database).rename(Path(database).with_name("boxman.db"))
    monkeypatch.chdir(Path(database).parent)
    assert "two: sound" in run("verify").output
    assert "row 3: " in run("replay", "--table", "one", "--at", "3").output


def test_what_a_user_can_get_wrong(
    database: str, exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    transcript = tmp_path / "night.craps"
    transcript.write_text("house nsw\n")
    for arguments, message in (
        (("verify",), "which journal?"),
        (("audit",), "which journal?"),
        (("export", "one"), "which journal? give --database WHERE"),
        (("replay", "--table", "one"), "which journal?"),
        (("replay",), "what is to be replayed?"),
        (("replay", "--database", database), "what is to be replayed?"),
        (("export", "none", "--database", database), "there is no table none in this journal"),
        (("export", "one", "--database", database, "--format", "pdf"), "jsonl or craps, not pdf"),
        (("export", "one", "--database", "nowhere.db"), "there is no journal nowhere.db"),
        (("verify", str(tmp_path / "no")), "cannot be read: No such file"),
        (("verify", str(transcript)), "line 1 is not the header of an exported journal"),
        (("audit", str(transcript)), "line 1 is not the header of an exported journal"),
        (("replay", str(transcript), "--at", "3"), "--table and --at are for a journal"),
        (("replay", str(exported), "--at", "61"), "there are 60 rows; there is no row 61"),
        (
            ("replay", "--database", database, "--table", "one", "--at", "61"),
            "one has 60 rows; there is no row 61",
        ),
        (
            ("replay", "--database", database, "--table", "x", "--at", "1"),
            "there is no table x in this journal",
        ),
        (("verify", "--database", "postgresql:///x?host=/nowhere"), "cannot be opened"),
        (("seal", "--key", str(tmp_path / "none")), "cannot be read"),
    ):
        output = run(*arguments, code=2).output
        assert message in output, arguments
        assert "Traceback" not in output
        assert output.count("\n") == 1, output
