"""A journal that lives as long as its process: for practice and for tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from itertools import islice
from threading import RLock

from boxman.journal.row import Head, JournalError, Row, StoredRow, entry_of, read_row
from boxman.journal.store import (
    Change,
    Checkpoint,
    ChipMoves,
    Fenced,
    by_table,
    check_order,
    netted,
)
from boxman.rules.book import text_digest
from boxman.words import phrase


class MemoryChips:
    """What the cage holds, in a dictionary."""

    def __init__(self) -> None:
        self.lock = RLock()
        self._held: dict[str, int] = {}

    def held(self, person: str) -> int:
        return self._held.get(person, 0)

    def begin(self, person: str, amount: int) -> bool:
        with self.lock:
            if person in self._held:
                return False
            self._held[person] = amount
            return True

    def move(self, moves: ChipMoves) -> bool:
        """Move chips, all or nothing; whether nobody is left with less than nothing."""
        with self.lock:
            after = {person: self.held(person) + amount for person, amount in netted(moves)}
            if any(amount < 0 for amount in after.values()):
                return False
            self._held.update(after)
            return True


class MemoryRecords:
    """Small things by kind and key, in a dictionary."""

    def __init__(self, journal: MemoryJournal | None = None) -> None:
        self._values: dict[tuple[str, str], bytes] = {}
        journal = journal or MemoryJournal()
        self._append, self._lock = journal.append, journal.lock

    def change(
        self, changes: Sequence[Change], moves: ChipMoves = (), rows: Sequence[Row] = ()
    ) -> bool:
        with self._lock:
            if any(self._values.get((one.kind, one.key)) != one.old for one in changes):
                return False
            try:
                self._append(rows, moves)
            except Fenced:
                return False
            for one in changes:
                if one.new is None:
                    self._values.pop((one.kind, one.key), None)
                else:
                    self._values[one.kind, one.key] = one.new
            return True

    def put(self, kind: str, key: str, value: bytes) -> None:
        with self._lock:
            self._values[kind, key] = bytes(value)

    def add(self, kind: str, key: str, value: bytes) -> bool:
        with self._lock:
            if (kind, key) in self._values:
                return False
            self._values[kind, key] = bytes(value)
            return True

    def swap(self, kind: str, key: str, old: bytes, new: bytes) -> bool:
        with self._lock:
            if self._values.get((kind, key)) != old:
                return False
            self._values[kind, key] = bytes(new)
            return True

    def get(self, kind: str, key: str) -> bytes | None:
        with self._lock:
            return self._values.get((kind, key))

    def list(self, kind: str) -> list[tuple[str, bytes]]:
        with self._lock:
            return sorted((key, value) for (of, key), value in self._values.items() if of == kind)

    def delete(self, kind: str, key: str) -> bool:
        with self._lock:
            return self._values.pop((kind, key), None) is not None


class MemoryJournal:
    """Rows in lists, encoded as in any other store."""

    def __init__(self) -> None:
        self.chips = MemoryChips()
        self.lock = self._lock = self.chips.lock
        self.records = MemoryRecords(self)
        self._entries: dict[str, list[StoredRow]] = {}
        self._numbers: dict[tuple[str, str], int] = {}
        self._checkpoints: dict[str, dict[int, Checkpoint]] = {}
        self._editions: dict[str, str] = {}
        self._claimed: set[str] = set()
        self._closed = False

    def append(self, rows: Sequence[Row], moves: ChipMoves = ()) -> None:
        with self._lock:
            if self._closed:
                raise JournalError(phrase("journal.wrong.the-journal-is-closed"))
            batches = by_table(rows)
            for table, batch in batches.items():
                check_order(batch, self.head(table))
            ids = [(row.table, row.id) for row in rows]
            for table, call_id in ids:
                if (table, call_id) in self._numbers or ids.count((table, call_id)) > 1:
                    raise Fenced(
                        phrase("journal.wrong.call-at-has-been-ruled", call_id=call_id, table=table)
                    )
            if not self.chips.move(moves):
                raise Fenced(phrase("journal.wrong.somebody-has-taken-these-chips"))
            for row in rows:
                self._entries.setdefault(row.table, []).append(entry_of(row))
                self._numbers[row.table, row.id] = row.number

    def submit(self, rows: Sequence[Row], moves: ChipMoves = ()) -> Future[None]:
        future: Future[None] = Future()
        try:
            self.append(rows, moves)
        except JournalError as error:
            future.set_exception(error)
        else:
            future.set_result(None)
        return future

    def rows(self, table: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        for entry in self.entries(table, after, limit):
            yield read_row(entry.body, entry.hash)

    def entries(self, table: str, after: int = 0, limit: int | None = None) -> Iterator[StoredRow]:
        with self._lock:
            stored = self._entries.get(table, [])
            chosen = list(islice(stored, after, None if limit is None else after + limit))
        return iter(chosen)

    def keep_edition(self, text: str) -> str:
        digest = text_digest(text)
        self._editions[digest] = text
        return digest

    def edition(self, digest: str) -> str | None:
        return self._editions.get(digest)

    def find(self, table: str, call_id: str) -> Row | None:
        with self._lock:
            number = self._numbers.get((table, call_id))
        return None if number is None else next(self.rows(table, number - 1, 1))

    def head(self, table: str) -> Head:
        with self._lock:
            stored = self._entries.get(table)
            return Head(stored[-1].number, stored[-1].hash) if stored else Head()

    def tables(self) -> list[str]:
        with self._lock:
            return sorted(self._entries)

    def keep(self, checkpoint: Checkpoint) -> None:
        with self._lock:
            self._checkpoints.setdefault(checkpoint.table, {})[checkpoint.number] = checkpoint

    def checkpoint(self, table: str, at: int | None = None) -> Checkpoint | None:
        with self._lock:
            kept = self._checkpoints.get(table, {})
            numbers = [number for number in kept if at is None or number <= at]
            return kept[max(numbers)] if numbers else None

    def claim(self, table: str) -> bool:
        with self._lock:
            if table in self._claimed:
                return False
            self._claimed.add(table)
            return True

    def release(self, table: str) -> None:
        with self._lock:
            self._claimed.discard(table)

    def close(self) -> None:
        with self._lock:
            self._closed = True
