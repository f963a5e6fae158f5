"""What the stores that speak SQL have alike; each runs a query in its own way."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from boxman.journal.codec import UNREADABLE, keep_order, read_table, table_digest
from boxman.journal.row import Head, Row, StoredRow, read_row
from boxman.journal.store import Change, Checkpoint, ChipMoves, genuine_text, netted
from boxman.rules.book import text_digest

LARGEST = 1 << 26
"""Bytes of the largest checkpoint that is read."""
CHUNK = 500
"""Rows read at a time: nobody holds a reader while thinking about what it read."""

EDITIONS = 3
"""The migration since which rulebooks are kept."""

SELECT_TABLES = """
with recursive name (one) as (
    select min(table_name) from row
    union all
    select (select min(table_name) from row where table_name > one) from name where one is not null
)
select one from name where one is not null
"""
"""All names by one look into the index for each, however many rows there are."""


def pack(checkpoint: Checkpoint) -> bytes:
    """The table of a checkpoint as bytes."""
    return zlib.compress(keep_order(checkpoint.state), 1)


def unpack(table: str, number: int, hashed: str, schema: int, state: bytes) -> Checkpoint | None:
    """A checkpoint from its bytes; None if they are damaged or of another time."""
    try:
        # A table is some tens of kilobytes: what swells to more is no checkpoint of ours.
        found = read_table(zlib.decompressobj().decompress(state, LARGEST))
    except (zlib.error, *UNREADABLE):
        return None
    return Checkpoint(
        table=table,
        number=number,
        hash=hashed,
        schema=schema,
        state=found,
        digest=table_digest(found),
    )


LAST = "select number, hash from row where table_name = {0} order by number desc limit 1"


ADD = "insert into record values ({0}, {0}, {0}) on conflict do nothing"
SWAP = "update record set value = {0} where kind = {0} and key = {0} and value = {0}"


class SqlReading(ABC):
    """What a journal in SQL reads, and the statements of its records."""

    mark: str
    """What stands for an argument in a query of this database."""

    @abstractmethod
    def _read(self, sql: str, arguments: Sequence[object] = ()) -> list[Any]:
        """Run a query that only reads."""

    @abstractmethod
    def _write(self, sql: str, arguments: Sequence[object]) -> int:
        """One statement, one commit; how many records it changed."""

    @abstractmethod
    def _change(self, changes: Sequence[Change], moves: ChipMoves, rows: Sequence[Row]) -> bool:
        """All changes in one transaction, or none; whether all was as said."""

    def _ask(self, sql: str, *arguments: object) -> list[Any]:
        return self._read(sql.format(self.mark), arguments)

    def _do(self, sql: str, *arguments: object) -> int:
        return self._write(sql.format(self.mark), arguments)

    def _changed(self, one: Change) -> tuple[str, tuple[object, ...]]:
        """The statement that changes a record, and changes none if it is not as said."""
        if one.old is None:
            return ADD.format(self.mark), (one.kind, one.key, one.new)
        if one.new is None:
            sql = "delete from record where kind = {0} and key = {0} and value = {0}"
            return sql.format(self.mark), (one.kind, one.key, one.old)
        return SWAP.format(self.mark), (one.new, one.kind, one.key, one.old)

    def rows(self, table: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        for entry in self.entries(table, after, limit):
            yield read_row(entry.body, entry.hash)

    def entries(self, table: str, after: int = 0, limit: int | None = None) -> Iterator[StoredRow]:
        while limit is None or limit > 0:
            size = CHUNK if limit is None else min(CHUNK, limit)
            found = self._ask(
                "select number, call_id, hash, body from row "
                "where table_name = {0} and number > {0} order by number limit {0}",
                table,
                after,
                size,
            )
            for number, call_id, hashed, body in found:
                yield StoredRow(table, number, call_id, hashed, body)
            if len(found) < size:
                return
            after = found[-1][0]
            limit = None if limit is None else limit - size

    def edition(self, digest: str) -> str | None:
        if not self._read(f"select 1 from migration where number = {EDITIONS}"):
            return None  # a file of before there were any, opened for reading only
        found = self._ask("select body from edition where digest = {0}", digest)
        return genuine_text(digest, found[0][0]) if found else None

    def keep_edition(self, text: str) -> str:
        digest = text_digest(text)
        if self.edition(digest) is None:
            sql = "insert into edition values ({0}, {0}) on conflict do nothing"
            self._do(sql, digest, text.encode())
        return digest

    def find(self, table: str, call_id: str) -> Row | None:
        found = self._ask(
            "select body, hash from row where table_name = {0} and call_id = {0}", table, call_id
        )
        return read_row(*found[0]) if found else None

    def head(self, table: str) -> Head:
        found = self._ask(LAST, table)
        return Head(*found[0]) if found else Head()

    def tables(self) -> list[str]:
        return [name for (name,) in self._read(SELECT_TABLES)]

    def checkpoint(self, table: str, at: int | None = None) -> Checkpoint | None:
        before = 2**62 if at is None else at
        while True:
            found = self._ask(
                "select number, hash, schema, state from checkpoint "
                "where table_name = {0} and number <= {0} order by number desc limit 1",
                table,
                before,
            )
            if not found:
                return None
            checkpoint = unpack(table, *found[0])
            if checkpoint is not None:
                return checkpoint
            before = found[0][0] - 1


class SqlRecords:
    """Small things by kind and key, in the same database."""

    def __init__(self, journal: SqlReading) -> None:
        self._journal = journal

    def change(
        self, changes: Sequence[Change], moves: ChipMoves = (), rows: Sequence[Row] = ()
    ) -> bool:
        return self._journal._change(changes, netted(moves), rows)

    def put(self, kind: str, key: str, value: bytes) -> None:
        sql = (
            "insert into record values ({0}, {0}, {0}) "
            "on conflict (kind, key) do update set value = excluded.value"
        )
        self._journal._do(sql, kind, key, value)

    def add(self, kind: str, key: str, value: bytes) -> bool:
        return self._journal._do(ADD, kind, key, value) == 1

    def swap(self, kind: str, key: str, old: bytes, new: bytes) -> bool:
        return self._journal._do(SWAP, new, kind, key, old) == 1

    def get(self, kind: str, key: str) -> bytes | None:
        sql = "select value from record where kind = {0} and key = {0}"
        found = self._journal._ask(sql, kind, key)
        return found[0][0] if found else None

    def list(self, kind: str) -> list[tuple[str, bytes]]:
        sql = "select key, value from record where kind = {0} order by key"
        return [(key, value) for key, value in self._journal._ask(sql, kind)]

    def delete(self, kind: str, key: str) -> bool:
        sql = "delete from record where kind = {0} and key = {0}"
        return self._journal._do(sql, kind, key) == 1


class SqlChips:
    """What the cage holds, in the same database."""

    def __init__(self, journal: SqlReading) -> None:
        self._journal = journal

    def held(self, person: str) -> int:
        found = self._journal._ask("select held from chips where person = {0}", person)
        return int(found[0][0]) if found else 0

    def begin(self, person: str, amount: int) -> bool:
        sql = "insert into chips values ({0}, {0}) on conflict do nothing"
        return self._journal._do(sql, person, amount) == 1
