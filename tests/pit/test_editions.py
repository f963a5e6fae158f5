"""A table goes by the rulebook it was opened with: after an upgrade, in exports, in an audit.

Black box: a copy of Boxman is served, its rulebook is changed between two starts, then its engine.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.pit.serving import PASSWORD, Person, Served
from tests.pit.test_kills import ROOT, Process

TWICE, THRICE = 'on = [2, 12]\npays = "2 to 1"', 'on = [2, 12]\npays = "3 to 1"'
"""What a Field of 2 or 12 pays: as shipped, and in the next edition."""
TOO_OLD = """
from boxman.rules.book import BookError
def compile_layout(book, given=None, chip=100, compile_layout=compile_layout):
    if 'on = [2, 12]\\npays = "2 to 1"' in book.text and book.house.id == "nsw":
        raise BookError(book.path, 7, "1", "this fact is no longer read", "write it anew")
    return compile_layout(book, given, chip)
"""
"""An engine that cannot compile the first edition."""


class House(NamedTuple):
    """What is left of three evenings."""

    folder: Path
    database: str
    first: str
    second: str
    paid: list[int]
    """What the first table paid on a Field of two, before and after the next edition."""
    later: int
    """What a table paid that was opened with it."""
    stopped: dict[str, Any]
    """What the pit says of the first table when its edition cannot be compiled."""
    lists: list[str]


class Evening:
    """A server on a copy of Boxman, and somebody at its tables."""

    def __init__(self, source: Path, database: str) -> None:
        self.process = Process(database, source=source).ready()
        STARTED.append(self.process)
        self.ann = Person(Served(self.process.address, None)).sign_in("ann")

    def open(self) -> str:
        body = {"house": "nsw", "pace": 0.0, "dice": "scripted", "script": [[1, 1]]}
        table = str(self.ann.post("/api/tables", 201, **body)["table"])
        self.ann.post(f"/api/tables/{table}/sit", 200, buy_in=30_000)
        return table

    def won(self, table: str) -> int:
        """What a Field of 5 wins when a two is rolled."""
        before = self._rail(table)
        with self.ann.at(table) as seat:
            assert seat.say("bet", spot="field", amount=500)["refused"] is None
            seat.send(do="ready", id="now")
            while not any("field +" in str(row) for row in [seat.next("row", timeout=60)]):
                pass
        return self._rail(table) - before

    def _rail(self, table: str) -> int:
        return int(self.ann.get(f"/api/tables/{table}")["view"]["seats"][0]["rail"])

    def over(self) -> None:
        self.ann.close()
        assert self.process.end(signal.SIGTERM) == 0


STARTED: list[Process] = []


@pytest.fixture(scope="module", autouse=True)
def stopped() -> Iterator[None]:
    """Whatever fails, no server is left behind."""
    yield
    for each in STARTED:
        if each.process.poll() is None:
            each.end(signal.SIGKILL)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    folder = tmp_path_factory.mktemp("editions")
    source, database = folder / "src", str(folder / "house.db")
    leave = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "boxman", source / "boxman", ignore=leave)
    at = {"source": source, "cwd": folder}
    boxman("people", "add", "ann", "--database", database, typed=f"{PASSWORD}\n", **at)
    boxman("people", "appoint", "ann", "administrator", "--database", database, **at)
    evening = Evening(source, database)
    first = evening.open()
    paid = [evening.won(first)]
    evening.over()

    rulebook = source / "boxman" / "rulebooks" / "nsw.md"
    text = rulebook.read_text()
    assert text.count(TWICE) == 1
    rulebook.write_text(text.replace(TWICE, THRICE))
    evening = Evening(source, database)
    paid.append(evening.won(first))
    second = evening.open()
    later = evening.won(second)
    evening.over()

    engine = source / "boxman" / "rules" / "compile.py"
    engine.write_text(
        engine.read_text().replace("import Book,", "import BookError, Book,") + TOO_OLD
    )
    evening = Evening(source, database)
    stopped = evening.ann.get(f"/api/tables/{first}", 503)
    lists = [each["table"] for each in evening.ann.get("/api/tables")["tables"]]
    evening.over()
    return House(folder, database, first, second, paid, later, stopped, lists)


def boxman(
    *words: str, source: Path = ROOT / "src", cwd: Path, typed: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run Boxman as somebody else would: from another folder, with an engine of his own."""
    return subprocess.run(
        [sys.executable, "-m", "boxman", *words],
        env={"PYTHONPATH": str(source), "PATH": "/usr/bin:/bin", "COLUMNS": "100"},
        cwd=cwd,
        input=typed,
        capture_output=True,
        text=True,
    )


def test_a_table_pays_by_the_edition_it_was_opened_with(house: House) -> None:
    assert house.paid == [1_000, 1_000]
    assert house.later == 1_500


def test_an_export_is_ruled_again_where_nobody_has_its_rulebook(
    house: House, tmp_path: Path
) -> None:
    file = tmp_path / "night.jsonl"
    done = boxman(
        "export", house.second, "--database", house.database, "-o", str(file), cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    lines = file.read_text().splitlines()
    assert json.loads(lines[1])["text"].count(THRICE) == 1
    row = json.loads(lines[2])
    assert row["edition"] == json.loads(lines[1])["digest"]
    assert len(row["notes"]["engine"]) == 64
    assert boxman("verify", str(file), cwd=tmp_path).returncode == 0
    done = boxman("audit", str(file), cwd=tmp_path)
    assert (done.returncode, "0 disagreements" in done.stdout) == (0, True), done.stdout
    # By the rulebook that this machine has, 5 on a two would have won 10.
    done = boxman("audit", "--now", str(file), cwd=tmp_path)
    assert done.returncode == 1
    assert "field +15" in done.stdout
    assert "field +10" in done.stdout
    assert "ruled by another rulebook" in done.stdout
    assert "1 money or table" in done.stdout


def test_an_export_without_its_rulebook_or_with_another_is_not_sound(
    house: House, tmp_path: Path
) -> None:
    file = tmp_path / "night.jsonl"
    boxman("export", house.second, "--database", house.database, "-o", str(file), cwd=tmp_path)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([lines[0], *lines[2:]]))
    done = boxman("verify", str(file), cwd=tmp_path)
    assert done.returncode == 1
    assert "row 1: the rulebook that ruled here" in done.stdout
    file.write_bytes(b"".join([lines[0], lines[1].replace(b"3 to 1", b"9 to 1"), *lines[2:]]))
    done = boxman("verify", str(file), cwd=tmp_path)
    assert (done.returncode, "line 2: the rulebook kept" in done.stdout) == (1, True), done.stdout


def test_a_transcript_replays_with_the_rulebook_written_beside_it(
    house: House, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    words = ["export", house.second, "--database", house.database, "--format", "craps"]
    done = boxman(*words, "-o", "out/night.craps", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "out").glob("nsw-*.md"))) == 1
    done = boxman("replay", "out/night.craps", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "ann field +15" in done.stdout


def test_a_table_without_rules_can_only_be_settled(house: House, tmp_path: Path) -> None:
    assert house.stopped["code"] == "table-stopped"
    wanted = "this fact is no longer read): the table can only be settled or closed; "
    assert wanted in house.stopped["message"]
    assert house.lists == [house.second]
    database = str(shutil.copy(house.database, tmp_path / "house.db"))
    old = {"source": house.folder / "src", "cwd": tmp_path}
    for command in ("audit", "replay"):
        done = boxman(command, "--table", house.first, "--database", database, **old)
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
        assert wanted in done.stderr
    done = boxman("settle", house.second, "--database", database, **old)
    assert (done.returncode, "has its rulebook" in done.stderr) == (2, True), done.stderr
    done = boxman("settle", house.first, "--database", database, **old)
    assert done.returncode == 0, done.stderr
    # 300 bought; 10 won twice; the Field of 5 stays up or is back on the rail: 320 in all.
    assert done.stdout.startswith("ann gets 320\n"), done.stdout
    done = boxman("settle", house.first, "--database", database, **old)
    assert (done.returncode, "was settled already" in done.stderr) == (2, True), done.stderr
    assert boxman("verify", "--database", database, cwd=tmp_path).returncode == 0
    # An engine that has the rules finds nothing wrong with it.
    done = boxman("audit", "--table", house.first, "--database", database, cwd=tmp_path)
    assert (done.returncode, "0 disagreements" in done.stdout) == (0, True), done.stdout
