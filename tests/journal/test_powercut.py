"""The power goes out while rows are written: what was told is there afterwards, once."""

from __future__ import annotations

import random
from functools import lru_cache, partial

import apsw
import msgspec
import pytest

from boxman.journal.fold import checkpoint_of
from boxman.journal.row import Head, JournalError, Row, digest, head_of, next_row
from boxman.journal.sqlite import SqliteJournal
from boxman.journal.store import JournalBroken, JournalFull, takes_rows
from tests.journal.evening import Evening, plain_row
from tests.tools.disk import Disk, failing, full, power_cut
from tests.tools.reliability import record

PATH = "/journal.db"
PAGES = 12
"""The log is moved into the file often, so that cuts fall into that too."""
TABLES = ("east", "north", "south")


def opened(disk: Disk) -> SqliteJournal:
    return SqliteJournal(PATH, vfs=disk.name, exclusive=True, pages=PAGES)


@lru_cache
def empty_files() -> tuple[tuple[str, bytes], ...]:
    """A journal that was opened and closed in good order."""
    disk = Disk()
    opened(disk).close()
    return tuple(disk.contents().items())


@lru_cache
def chains() -> dict[str, list[Row]]:
    """Rows of a few tables, some of them larger than a page."""
    generator = random.Random(1)
    found: dict[str, list[Row]] = {}
    for table in TABLES:
        head, rows = Head(), []
        for _ in range(150):
            size = generator.choice((0, 40, 300, 900, 6_000))
            old = plain_row(head, table)
            row = next_row(
                head,
                table=table,
                id=old.id,
                at=old.at,
                station=old.station,
                call=old.call,
                ruling=old.ruling,
                house=old.house,
                edition=old.edition,
                notes={"pad": "x" * size},
            )
            rows.append(row)
            head = head_of(row)
        found[table] = rows
    return found


class Load(msgspec.Struct):
    """What a writer had been told when it stopped."""

    told: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(TABLES, 0))
    kept: dict[str, bytes] = {}
    tried: dict[str, bytes] = {}
    problem: JournalError | None = None


def work(journal: SqliteJournal, generator: random.Random, load: Load, most: int = 10**9) -> None:
    """Append until something fails: several callers at once, checkpoints and records between."""
    rows = chains()
    writer = journal._writing()
    try:
        for _ in range(most):
            batches, last = [], {}
            for table in generator.sample(TABLES, generator.randrange(1, 4)):
                first = load.told[table]
                batch = rows[table][first : first + generator.randrange(1, 4)]
                if not batch:
                    return
                batches.append(batch)
                last[table] = first + len(batch)
            # The commit that the writer makes of batches that wait together: which ones do is
            # drawn from the seed here, so that a seed is always the same run.
            together = [row for batch in batches for row in batch]
            writer.do(partial(journal._commit, together, ()))
            load.told |= last
            if generator.random() < 0.1:
                key = generator.choice("abc")
                load.tried[key] = generator.randbytes(8)
                journal.records.put("thing", key, load.tried[key])
                load.kept[key] = load.tried[key]
    except JournalError as error:
        load.problem = error


def check(disk: Disk, load: Load) -> str:
    """What is wrong with what is found on a disk, if anything is."""
    try:
        journal = opened(disk)
    except JournalError as error:
        return f"cannot be opened: {error}"
    try:
        (state,) = journal._read("pragma integrity_check")
        if state != ("ok",):
            return f"corrupt: {state}"
        for table, rows in chains().items():
            found = list(journal.entries(table))
            if [entry.hash for entry in found] != [row.hash for row in rows[: len(found)]]:
                return f"the chain of {table} is not the one written"
            if any(digest(entry.body) != entry.hash for entry in found):
                return f"a row of {table} is damaged"
            if len(found) < load.told[table]:
                return f"{table}: {load.told[table]} rows were told, {len(found)} are there"
        for key, value in load.kept.items():
            if journal.records.get("thing", key) not in (value, load.tried[key]):
                return f"record {key} is lost"
        last = journal.head(TABLES[0])
        more = plain_row(last, TABLES[0], id="after the cut")
        journal.append([more])
        if journal.head(TABLES[0]) != head_of(more):
            return "it does not go on"
    finally:
        journal.close()
    return ""


def one_cut(seed: int, synchronous: str = "full") -> tuple[str, int]:
    """Cut the power once: what was lost or broken, and how many rows had been told."""
    generator = random.Random(seed)
    fresh = generator.random() < 0.05
    disk = Disk() if fresh else Disk(dict(empty_files()))
    load = Load()
    disk.trouble = power_cut(disk.steps + generator.randrange(1, 60 if fresh else 500))
    try:
        try:
            journal = opened(disk)
        except JournalError:
            pass
        else:
            connection = journal._connection
            journal._writing().do(lambda: connection.execute(f"pragma synchronous={synchronous}"))
            work(journal, generator, load)
            journal.close()
    finally:
        disk.unregister()
    found = Disk(disk.after_cut(generator))
    try:
        return check(found, load), sum(load.told.values())
    finally:
        found.unregister()


CUTS = 1_000
PARTS = 8


@pytest.mark.parametrize("part", range(PARTS))
def test_a_power_cut_loses_nothing_that_was_told(part: int) -> None:
    told = 0
    for seed in range(part, CUTS, PARTS):
        problem, rows = one_cut(seed)
        assert not problem, f"seed {seed}: {problem}"
        told += rows
    assert told > CUTS // PARTS * 10


def test_the_cuts_are_hard_enough_to_lose_rows_without_a_sync() -> None:
    """The proof proves something: with less durability the same cuts do lose rows."""
    lost = sum("were told" in one_cut(seed, "normal")[0] for seed in range(80))
    assert lost > 8


@pytest.mark.soak
def test_ten_thousand_power_cuts() -> None:
    told, cuts, first = 0, 10_000, 1_000_000
    for seed in range(first, first + cuts):
        problem, rows = one_cut(seed)
        assert not problem, f"seed {seed}: {problem}"
        told += rows
    record(
        "Power cuts",
        [
            f"{cuts:,} cuts of a journal in SQLite (seeds {first} to {first + cuts - 1}): sectors "
            "written since the last sync kept, lost or torn at random",
            f"{told:,} rows told before the cuts: none lost, none doubled, no file corrupt, "
            "every chain whole, every journal went on",
        ],
    )


# -- full disks and failed syncs ---------------------------------------------------------------


def _ready() -> tuple[Disk, SqliteJournal]:
    disk = Disk(dict(empty_files()))
    return disk, opened(disk)


def test_a_full_disk_stops_the_table_until_there_is_room() -> None:
    disk, journal = _ready()
    try:
        rows = chains()["east"]
        journal.append(rows[:5])
        disk.trouble = full(disk.size())
        with pytest.raises(JournalFull, match=r"the disk is full: nothing more can be stored"):
            journal.append(rows[5:40])
        assert journal.head("east") == head_of(rows[4])
        with pytest.raises(JournalFull):
            journal.records.put("thing", "a", bytes(20_000))
        noise = random.Random(1).randbytes(20_000).hex()
        state = msgspec.structs.replace(Evening().table, house=noise)
        with pytest.raises(JournalFull):
            journal.keep(checkpoint_of("east", head_of(rows[4]), state))
        disk.trouble = lambda disk, step: None
        journal.append(rows[5:40])
        assert journal.head("east") == head_of(rows[39])
        assert [entry.hash for entry in journal.entries("east")] == [r.hash for r in rows[:40]]
    finally:
        journal.close()
        disk.unregister()


def test_a_disk_with_room_for_a_little_and_not_for_a_row_is_not_called_ready() -> None:
    rows = chains()["east"]
    largest = max(range(5, 40), key=lambda at: len(rows[at].notes["pad"]))
    refused = 0
    for left in range(0, 40_000, 2_000):
        disk = Disk(dict(empty_files()))
        # Its log only grows: nothing of it is used a second time.
        journal = SqliteJournal(PATH, vfs=disk.name, exclusive=True)
        try:
            journal.append(rows[:largest])
            assert takes_rows(journal) == ""
            disk.trouble = full(disk.size() + left)
            try:
                journal.append(rows[largest : largest + 1])
            except JournalFull:
                refused += 1
                assert "the disk is full" in takes_rows(journal), left
            disk.trouble = lambda disk, step: None
            assert takes_rows(journal) == ""
        finally:
            journal.close()
            disk.unregister()
    assert refused > 1


def test_a_failed_sync_stops_the_journal_for_good() -> None:
    disk, journal = _ready()
    rows = chains()["east"]
    try:
        journal.append(rows[:5])
        disk.trouble = failing(0, "sync", apsw.IOError, once=True)
        with pytest.raises(JournalBroken, match="nothing more is taken; check the disk"):
            journal.append(rows[5:7])
        # The disk works again, but what it holds is not certain: nothing is taken on top of it.
        with pytest.raises(JournalBroken):
            journal.append(rows[5:7])
        with pytest.raises(JournalBroken):
            journal.records.put("thing", "a", b"1")
    finally:
        journal.close()
        disk.unregister()
    again = Disk(disk.contents())
    try:
        assert check(again, Load({"east": 5, "north": 0, "south": 0})) == ""
    finally:
        again.unregister()


FAULTS = [
    ("write", apsw.FullError),
    ("write", apsw.IOError),
    ("sync", apsw.IOError),
    ("truncate", apsw.IOError),
]


@pytest.mark.parametrize("once", [True, False], ids=["once", "for good"])
@pytest.mark.parametrize(
    ("step", "error"), FAULTS, ids=lambda part: getattr(part, "__name__", part)
)
def test_whatever_fails_nothing_is_told_that_is_not_stored(
    step: str, error: type[apsw.Error], once: bool
) -> None:
    """Every moment of the same work: the step fails there, then the power goes out as well."""
    stopped = 0
    for at in range(1, 240, 3):
        generator = random.Random(at)
        disk, journal = _ready()
        load = Load()
        disk.trouble = failing(disk.steps + at, step, error, once)
        work(journal, generator, load, most=40)
        if load.problem is not None:
            stopped += 1
            assert isinstance(load.problem, (JournalFull, JournalBroken))
        found = Disk(disk.after_cut(generator))
        journal.close()
        disk.unregister()
        problem = check(found, load)
        found.unregister()
        assert not problem, f"fault at step {at}: {problem}"
    assert stopped > 0 or step == "truncate"
