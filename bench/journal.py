"""The journal's figures: appending in batches, and a restart with a million rows behind it.

`rows()` gives (what, measured, wanted) for the table of bench.py. PostgreSQL is the server the
tests start by themselves.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

import apsw

from boxman.dice import ROLLS
from boxman.journal.codec import table_digest
from boxman.journal.fold import KEPT, NOTEBOOK, checkpoint_of, due
from boxman.journal.open import open_journal
from boxman.journal.row import Head, Row, Station, entry_of, head_of, next_row
from boxman.journal.sqlite import SqliteJournal
from boxman.journal.store import Checkpoint
from boxman.pit.live.loading import notebook_bytes
from boxman.pit.live.notebook import Notebook, begin, note
from boxman.rules.book import houses
from boxman.table.calls import Bet, BuyIn, Call, CallRoll, CloseBets
from boxman.table.floor.throws import needs_close
from boxman.table.opening import Open, Opening, open_table
from boxman.table.ruling import rule
from boxman.table.rulings import Ruling
from boxman.table.state import Table

ROOT = Path(__file__).parents[1]
MILLION = 1_000_000
TABLES = 10
Figure = tuple[str, str, str]


def evening(name: str, house: str, count: int) -> tuple[list[Row], list[tuple[Checkpoint, bytes]]]:
    """Rows of a table with eight players, and what is kept of it after some."""
    opening = open_table(Open(house=house, minimum=500, maximum=50_000))
    assert opening.layout is not None
    assert opening.table is not None
    layout, table, head = opening.layout, opening.table, Head()
    rows: list[Row] = []
    kept: list[tuple[Checkpoint, bytes]] = []
    book: Notebook | None = None

    def put(ruling: Ruling | Opening, role: str, before: Table) -> None:
        nonlocal head, book

        def made(notes: dict[str, str]) -> Row:
            return next_row(
                head,
                table=name,
                id=f"{name}-{head.number + 1}",
                at=1_700_000_000_000 + head.number,
                station=Station(role),
                ruling=ruling,
                house=layout.house,
                edition=layout.digest,
                notes=notes,
            )

        row = made({})
        book = begin(row) if book is None else note(book, row, before, table)
        if due(head_of(row)):
            # As a desk does it: the row names what is kept after it.
            value = notebook_bytes(row.number, book)
            row = made({KEPT: f"{table_digest(table)} {sha256(value).hexdigest()}"})
            kept.append((checkpoint_of(name, head_of(row), table), value))
        head = head_of(row)
        rows.append(row)

    put(opening, "supervisor", table)
    seats = [f"player{number}" for number in range(8)]
    turn = 0
    calls: list[Call] = [BuyIn(seat=seat, amount=1_000_000_000) for seat in seats]
    while len(rows) < count:
        if not calls:
            turn += 1
            for seat in seats:
                calls.append(Bet(seat=seat, spot="field", amount=500))
                calls.append(Bet(seat=seat, spot="place.6", amount=600))
            if needs_close(layout):
                calls.append(CloseBets(by="automatic crew"))
            roll = ROLLS[turn * 7 % 36]
            calls.append(CallRoll(first=roll.first, second=roll.second))
        ruling, before = rule(layout, table, calls.pop(0)), table
        table = ruling.after
        put(ruling, "player", before)
    return rows[:count], kept


def fill(path: str, house: str) -> None:
    """A million rows: ten tables of a hundred thousand, as if they had been played."""
    SqliteJournal(path).close()
    connection = apsw.Connection(path)
    connection.execute("pragma synchronous = off")
    for number in range(TABLES):
        rows, kept = evening(f"table-{number}", house, MILLION // TABLES)
        with connection:
            connection.executemany(
                "insert into row values (?, ?, ?, ?, ?)",
                ((e.table, e.number, e.id, e.hash, e.body) for e in map(entry_of, rows)),
            )
        journal = SqliteJournal(path)
        # Without the last one: a restart at the worst moment, with as many rows to fold as can be.
        for checkpoint, value in kept[-3:-1]:
            journal.keep(checkpoint)
            journal.records.put(NOTEBOOK, checkpoint.table, value)
        journal.close()
    connection.close()


RESTART = """
import sys, time
start = time.perf_counter()
from boxman.journal.open import open_journal
from boxman.pit.live.loading import read_table
from boxman.table.calls import Bet
from boxman.table.opening import open_table
from boxman.table.ruling import rule
journal = open_journal(sys.argv[1])
folded = 0
for name in journal.tables():
    assert journal.claim(name)
    read = read_table(journal, name)
    folded += len(read.rows)
    layout = open_table(read.opening.call).layout
    assert rule(layout, read.table, Bet(seat="player1", spot="field", amount=500)).refusal is None
print(time.perf_counter() - start, time.process_time(), folded)
"""


def restart(path: str) -> tuple[float, int]:
    """Seconds until a new process has every table, each row that it folded proved by its hash, and
    has ruled on a call at each; how many rows that were."""
    made = subprocess.run(
        [sys.executable, "-c", RESTART, path], check=True, capture_output=True, text=True
    )
    took, _, folded = made.stdout.split()
    return float(took), int(folded)


def forget_schema(path: str) -> None:
    """As an upgrade leaves a journal whose schema is another now: no checkpoint counts."""
    connection = apsw.Connection(path)
    connection.execute("update checkpoint set schema = schema - 1")
    connection.close()


def append(where: str, rows: Sequence[Row], size: int) -> float:
    """Rows a second, so many to a commit."""
    journal = open_journal(where)
    start = time.perf_counter()
    for first in range(0, len(rows), size):
        journal.append(rows[first : first + size])
    took = time.perf_counter() - start
    journal.close()
    return len(rows) / took


def best(work: Callable[[], float], times: int = 3) -> float:
    return max(work() for _ in range(times))


def rows() -> list[Figure]:
    """The figures of the journal."""
    sys.path.insert(0, str(ROOT))
    from tests.tools import postgres

    from boxman.journal.export import export
    from boxman.journal.verify import verify

    house = houses()[0]
    found: list[Figure] = []
    made, _ = evening("one", house, 20_000)
    with tempfile.TemporaryDirectory() as folder, postgres.server(synced=True) as server:
        count = 0

        def somewhere() -> str:
            nonlocal count
            count += 1
            return str(Path(folder) / f"{count}.db")

        for size in (1, 50, 200):
            some = made[: min(len(made), 400 * size)]
            rate = best(lambda some=some, size=size: append(somewhere(), some, size))
            wanted = "at least 10,000" if size == 200 else ""
            found.append((f"append to SQLite, {size} rows a commit", f"{rate:,.0f}/s", wanted))
            rate = best(lambda some=some, size=size: append(server.database(), some, size))
            found.append((f"append to PostgreSQL, {size} rows a commit", f"{rate:,.0f}/s", wanted))
        path = somewhere()
        fill(path, house)
        took, folded = min(restart(path) for _ in range(3))
        what = (
            f"restart with {MILLION:,} rows at {TABLES} tables, {folded:,} folded, hashes checked"
        )
        found.append((what, f"{took:.2f} s", "under 0.6 s"))
        forget_schema(path)
        took, folded = restart(path)
        what = f"the first start after a change of schema, {folded:,} rows folded, hashes checked"
        found.append((what, f"{took:.1f} s", ""))
        journal = open_journal(path, read_only=True)
        start = time.thread_time()
        for name in journal.tables():
            assert verify(export(journal, name)).sound
        took = time.thread_time() - start
        journal.close()
        found.append((f"verify {MILLION:,} rows", f"{took:.1f} s", "under 10 s"))
    return found


if __name__ == "__main__":
    for line in rows():
        print(" | ".join(line))
