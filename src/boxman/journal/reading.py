"""What the stores that speak SQL read and pack alike."""

from __future__ import annotations

import zlib

from boxman.journal.codec import UNREADABLE, keep_order, read_table
from boxman.journal.store import Checkpoint

CHUNK = 500
"""Rows read at a time: nobody holds a reader while thinking about what it read."""

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
        found = read_table(zlib.decompress(state))
    except (zlib.error, *UNREADABLE):
        return None
    return Checkpoint(table=table, number=number, hash=hashed, schema=schema, state=found)
