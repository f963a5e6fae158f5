"""What the stores that speak SQL read and pack alike; each runs the query in its own way."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from boxman.journal.codec import UNREADABLE, keep_order, read_table, table_digest
from boxman.journal.row import Head, Row, StoredRow, read_row
from boxman.journal.store import Checkpoint, genuine_text
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


class SqlReading(ABC):
    """The reading half of a journal in SQL."""

    mark: str
    """What stands for an argument in a query of this database."""

    @abstractmethod
    def _read(self, sql: str, arguments: Sequence[object] = ()) -> list[Any]:
        """Run a query that only reads."""

    @abstractmethod
    def _write(self, sql: str, arguments: Sequence[object]) -> int:
        """One statement, one commit; how many records it changed."""

    def _ask(self, sql: str, *arguments: object) -> list[Any]:
        return self._read(sql.format(self.mark), arguments)

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
            self._write(sql.format(self.mark), (digest, text.encode()))
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
