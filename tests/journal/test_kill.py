"""A writing process is killed without warning: what it said is stored, once, and it goes on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from boxman.journal.open import open_journal
from boxman.journal.row import digest
from tests.tools import postgres
from tests.tools.reliability import record

ROOT = Path(__file__).parents[2]
TABLES = ("east", "north", "south", "west")


def kill_once(where: str, generator: random.Random) -> dict[tuple[str, int], str]:
    """Start a writer, kill it while it writes; what it said before."""
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.journal.writing", where, *TABLES],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=environment,
    )
    lines = generator.randrange(20, 400)
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    assert process.stdout is not None
    assert process.stderr is not None
    told = []
    for line in process.stdout:
        told.append(line)
        if len(told) == lines:
            process.send_signal(signal.SIGKILL)
    problem = process.stderr.read()
    watchdog.cancel()
    process.stdout.close()
    process.stderr.close()
    assert process.wait() == -signal.SIGKILL, problem.decode()
    said = {}
    if not told[-1].endswith(b"\n"):
        told.pop()  # killed in the middle of a word
    for line in told:
        table, number, hashed = line.decode().split()
        said[table, int(number)] = hashed
    assert len(said) >= lines - 1
    return said


def kill_and_check(where: str, kills: int, seed: int) -> int:
    """Kill the writer again and again; how many rows it said it had stored."""
    generator = random.Random(seed)
    said: dict[tuple[str, int], str] = {}
    for _ in range(kills):
        more = kill_once(where, generator)
        assert not set(more) & set(said), "a number was said twice"
        said |= more
        journal = open_journal(where, read_only=True)
        stored = {}
        for table in TABLES:
            before = "0" * 64
            for number, entry in enumerate(journal.entries(table), 1):
                assert entry.number == number
                assert digest(entry.body) == entry.hash
                assert f'"previous":"{before}"'.encode() in entry.body
                stored[table, number] = before = entry.hash
        journal.close()
        lost = {place for place, hashed in said.items() if stored.get(place) != hashed}
        assert not lost, f"said but not stored: {sorted(lost)[:5]}"
    return len(said)


def test_killed_writers_lose_nothing_in_sqlite(tmp_path: Path) -> None:
    assert kill_and_check(str(tmp_path / "journal.db"), 3, 1) > 60


def test_killed_writers_lose_nothing_in_postgres(database: str) -> None:
    assert kill_and_check(database, 3, 2) > 60


@pytest.mark.soak
def test_two_hundred_killed_writers(tmp_path: Path, database: str) -> None:
    lines = []
    for name, where in (("SQLite", str(tmp_path / "journal.db")), ("PostgreSQL", database)):
        rows = kill_and_check(where, 100, 3)
        lines.append(
            f"{name}: 100 writing processes killed (SIGKILL, seed 3) after {rows:,} rows told: "
            "none lost, none doubled, every chain whole"
        )
    record("Killed writers", lines)


@pytest.mark.soak
def test_a_killed_postgres_server_loses_nothing(tmp_path: Path) -> None:
    """The whole server dies, not the writer: what was told is there when it is back."""
    kills, told = 15, 0
    for seed in range(kills):
        with postgres.server() as running:
            if running.process is None:
                pytest.fail("this needs a server of its own: unset BOXMAN_TEST_PG_DSN")
            told += _kill_server(running, seed)
    record(
        "Killed PostgreSQL servers",
        [
            f"{kills} servers killed (SIGKILL to every process) under load, seeds 0 to {kills - 1}",
            f"{told:,} rows told before: none lost",
        ],
    )


def _kill_server(running: postgres.Server, seed: int) -> int:
    from boxman.journal.postgres import PostgresJournal
    from boxman.journal.row import Head, JournalError, head_of
    from tests.journal.evening import plain_row

    dsn = running.database()
    journal = PostgresJournal(dsn, patience=0.5)
    stop = threading.Timer(0.3 + random.Random(seed).random() / 2, running.kill)
    stop.start()
    head, hashes = Head(), []
    try:
        while True:
            row = plain_row(head)
            journal.append([row])
            head = head_of(row)
            hashes.append(row.hash)
    except JournalError:
        pass
    stop.join()
    journal.close()
    running.start()
    again = PostgresJournal(dsn)
    stored = [entry.hash for entry in again.entries("one")]
    again.close()
    assert stored[: len(hashes)] == hashes
    assert len(stored) <= len(hashes) + 1
    return len(hashes)
