"""Seals of a running house: at every checkpoint, at the end, and over the wire."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from boxman.journal import fold
from boxman.journal.export import export
from boxman.journal.memory import MemoryJournal
from boxman.journal.row import HOUSE_JOURNAL, Head, JournalError
from boxman.journal.seal import (
    HouseKey,
    Seal,
    SealError,
    append_line,
    keys_of,
    read_seals,
    rotated,
    write_seal,
)
from boxman.journal.verify import verify
from boxman.pit.backroom.seals import Sealer, sealer_of
from boxman.pit.web.config import Config
from tests.journal.evening import Evening
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
    seals = read_seals(lines, "house.seals").seals
    assert sorted(one.table for one in seals) == [HOUSE_JOURNAL, table]  # acts are sealed too
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
    seals = read_seals(lines, "house.seals").seals
    numbers = [one.number for one in seals if one.table == table]
    assert numbers == [20, 40, journal.head(table).number]
    rows = list(export(journal, table))
    sealed = verify(rows, seals, key)
    assert (sealed.sound, sealed.seals) == (True, 3)
    # Each is a checkpoint too, which a restart begins from.
    kept = journal.checkpoint(table)
    assert kept is not None
    assert (kept.number, kept.hash) == (40, next(one.hash for one in seals if one.number == 40))


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
    assert [one.number for one in read_seals(lines, "x.db.seals").seals] == [1000, 2000]


# -- what a house makes of its own seals -------------------------------------------------------


def _rows(count: int) -> MemoryJournal:
    journal = MemoryJournal()
    journal.append(Evening().rows(count))
    return journal


def _sealer(tmp_path: Path) -> Sealer:
    sealer = sealer_of(Config(database=str(tmp_path / "x.db")), lambda: 7)
    assert sealer is not None
    return sealer


def test_a_journal_that_was_rolled_back_is_not_dealt_on(tmp_path: Path) -> None:
    sealer = _sealer(tmp_path)
    sealer.keep("one", _rows(40).head("one"))
    assert _sealer(tmp_path).check(_rows(40)) == {}
    assert _sealer(tmp_path).check(_rows(60)) == {}
    with pytest.raises(JournalError, match="one ends at row 30, and row 40 was sealed"):
        _sealer(tmp_path).check(_rows(30))
    with pytest.raises(JournalError, match="one is not there, and row 40 was sealed"):
        _sealer(tmp_path).check(MemoryJournal())
    # Whoever has the key may say that the house goes on from here.
    sealer.keep("one", _rows(30).head("one"))
    assert _sealer(tmp_path).check(_rows(30)) == {}


def test_a_table_written_anew_is_barred_and_no_other(tmp_path: Path) -> None:
    sealer = _sealer(tmp_path)
    journal = _rows(40)
    journal.append(Evening("two").rows(20))
    sealer.keep("one", Head(10, "a" * 64))
    sealer.keep("two", journal.head("two"))
    assert list(_sealer(tmp_path).check(journal)) == ["one"]


def test_a_seal_of_another_house_bars_nothing(tmp_path: Path) -> None:
    other = HouseKey.create(tmp_path / "other.key")
    append_line(tmp_path / "x.db.seals", write_seal(other.seal("one", Head(99, "a" * 64), 7)))
    # All of another's: the key of the house is gone, or another stands in its place.
    with pytest.raises(JournalError, match="made with another key"):
        _sealer(tmp_path)
    own = HouseKey.create(tmp_path / "x.db.key")
    with pytest.raises(JournalError, match="made with another key"):
        _sealer(tmp_path).check(_rows(10))
    append_line(tmp_path / "x.db.seals", write_seal(own.seal("two", Head(), 7)))
    assert _sealer(tmp_path).check(_rows(10)) == {}


def test_half_a_line_is_passed_over_and_what_follows_it_is_not(tmp_path: Path) -> None:
    sealer, path = _sealer(tmp_path), tmp_path / "x.db.seals"
    sealer.keep("one", Head(5, "a" * 64))
    whole = path.read_bytes()
    for cut in range(1, len(whole)):
        path.write_bytes(whole + whole[:cut])
        sealer.keep("two", Head(6, "b" * 64))
        found = read_seals(path.read_bytes().splitlines(keepends=True), "x")
        assert [one.table for one in found.seals][-1] == "two"
        assert (found.seals[0].table, found.torn) == ("one", 1 if cut < len(whole) - 1 else 0)
        # An older Boxman wrote on in the half line itself.
        glued = whole[:cut] + whole
        found = read_seals([glued], "x")
        assert [one.table for one in found.seals] == ["one"]
    for bad in (b"nothing\n", b"{}\n", b'{"table":5}\n'):
        with pytest.raises(SealError, match="x:1: this is no seal"):
            read_seals([bad], "x")


def test_a_new_key_is_signed_for_by_the_old_one(tmp_path: Path) -> None:
    key, seals = tmp_path / "x.db.key", tmp_path / "x.db.seals"
    journal = _rows(40)
    first = _sealer(tmp_path)
    first.keep("one", journal.head("one"))
    for at in (1, 2):
        said = rotated(key, seals, at)
        assert HouseKey.load(key).public in said
        _sealer(tmp_path).keep("one", journal.head("one"))
    kept = read_seals(seals.read_bytes().splitlines(keepends=True), "x")
    keys = keys_of(first.key.public, kept.successions)
    assert keys == {seal.key for seal in kept.seals}
    assert len(keys) == 3
    found = verify(list(export(journal, "one")), kept.seals, keys)
    assert (found.sound, found.seals) == (True, 3)
    # A key that nobody signed for, or that was signed for by another, is none of the house's.
    other = HouseKey.create(tmp_path / "other.key")
    assert keys_of(first.key.public, [other.succeed("f" * 64, 3)]) == {first.key.public}
    forged = msgspec.structs.replace(kept.successions[0], successor=other.public)
    assert keys_of(first.key.public, [forged]) == {first.key.public}
    # And the house itself still minds what it sealed with its first key.
    with pytest.raises(JournalError, match="rolled back"):
        _sealer(tmp_path).check(_rows(39))


def test_seals_go_outside_the_house_by_a_schedule(tmp_path: Path) -> None:
    outside = tmp_path / "inspector"
    outside.mkdir()
    where = tmp_path / "house.db"
    settings = {"seals_folder": str(outside), "seals_every": 0}
    with served(MemoryJournal(), key=f"{where}.key", seals=f"{where}.seals", **settings) as server:
        ann = server.person().guest("ann")
        table = ann.post("/api/tables", 201, house="nsw")["table"]
        number = ann.get(f"/api/tables/{table}/verify")["head"]["number"]
    (file,) = outside.iterdir()
    assert file.stat().st_mode & 0o077 == 0
    seals = read_seals(file.read_bytes().splitlines(keepends=True), "x").seals
    assert {one.table for one in seals} == {HOUSE_JOURNAL, table}
    assert max(one.number for one in seals if one.table == table) >= number
