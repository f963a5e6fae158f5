"""Seals of a running house: at every checkpoint, at the end, and over the wire."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from boxman.journal import fold
from boxman.journal.export import export
from boxman.journal.memory import MemoryJournal
from boxman.journal.row import Head
from boxman.journal.seal import Seal, read_seals
from boxman.journal.verify import verify
from boxman.pit.config import Config
from boxman.pit.seals import sealer_of
from tests.pit.serving import served


def test_a_house_seals_its_tables_when_it_closes(tmp_path: Path) -> None:
    where = tmp_path / "house.db"
    journal = MemoryJournal()
    with served(journal, key=f"{where}.key", seals=f"{where}.seals") as server:
        ann = server.person().guest("ann")
        table = ann.post("/api/tables", 201, house="nsw")["table"]
        seal = ann.get(f"/api/tables/{table}/seal")
        number = ann.get(f"/api/tables/{table}/verify")["head"]["number"]
        assert (seal["table"], seal["number"]) == (table, number)
    lines = Path(f"{where}.seals").read_bytes().splitlines(keepends=True)
    seals = read_seals(lines, "house.seals")
    assert [one.table for one in seals] == [table]
    assert (Path(f"{where}.key").stat().st_mode & 0o077) == 0
    rows = list(export(journal, table))
    sealed = verify(rows, seals, seal["key"])
    assert sealed.sound, [problem.text for problem in sealed.problems]
    assert sealed.seals == 1
    # A seal of other rows is not a seal of these.
    wrong = msgspec.structs.replace(msgspec.convert(seal, Seal), hash="0" * 64)
    assert not verify(rows, [wrong], seal["key"]).sound


def test_a_house_seals_at_every_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fold, "EVERY", 20)
    where = tmp_path / "house.db"
    journal = MemoryJournal()
    with served(journal, key=f"{where}.key", seals=f"{where}.seals") as server:
        ann = server.person().guest("ann")
        table = ann.post("/api/tables", 201, house="nsw", automatic=[])["table"]
        ann.post(f"/api/tables/{table}/sit", 200)
        with ann.at(table) as seat:
            while seat.say("bet", spot="field", amount=500)["number"] < 45:
                pass
        key = ann.get(f"/api/tables/{table}/seal")["key"]
    lines = Path(f"{where}.seals").read_bytes().splitlines(keepends=True)
    seals = read_seals(lines, "house.seals")
    assert [one.number for one in seals] == [20, 40, journal.head(table).number]
    rows = list(export(journal, table))
    sealed = verify(rows, seals, key)
    assert (sealed.sound, sealed.seals) == (True, 3)
    # Each is a checkpoint too, which a restart begins from.
    kept = journal.checkpoint(table)
    assert kept is not None
    assert (kept.number, kept.hash) == (40, seals[1].hash)


def test_a_house_in_memory_has_no_key() -> None:
    assert sealer_of(Config(database="memory:"), lambda: 1) is None
    with served() as server:
        ann = server.person().guest("ann")
        table = ann.post("/api/tables", 201, house="nsw")["table"]
        assert ann.get(f"/api/tables/{table}/seal", 404)["code"] == "no-key"


def test_seals_are_written_one_after_the_other(tmp_path: Path) -> None:
    sealer = sealer_of(Config(database=str(tmp_path / "x.db")), lambda: 7)
    assert sealer is not None
    for number in (1000, 2000):
        sealer.keep("t", Head(number, "a" * 64))
    lines = (tmp_path / "x.db.seals").read_bytes().splitlines(keepends=True)
    assert [one.number for one in read_seals(lines, "x.db.seals")] == [1000, 2000]
