"""The journal of one table as a file: a header, then one row a line, byte for byte as stored.

The header says how many rows follow and where the chain ends, so that a file that was cut short
shows it. `read_rows` gives the rows back; whether they are the rows that were written is for
verify.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from boxman.journal.codec import UNREADABLE, canonical
from boxman.journal.row import (
    Head,
    JournalError,
    Row,
    UnreadableRow,
    line_of,
    read_row,
    split_line,
)
from boxman.journal.store import Journal

FORMAT = 1
MARK = "journal"


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line of an exported journal."""

    boxman: str = MARK
    format: int = FORMAT
    table: str
    rows: int
    head: str
    """The hash of the last row."""


_HEADER: msgspec.json.Decoder[Header] = msgspec.json.Decoder(Header)


def export(journal: Journal, table: str) -> Iterator[bytes]:
    """The lines of an export. What is appended meanwhile is left for the next one."""
    head = journal.head(table)
    if head == Head():
        names = journal.tables()
        known = f"; there are {', '.join(names)}" if names else "; there are none at all"
        raise JournalError(f"there is no table {table} in this journal{known}")
    yield canonical(Header(table=table, rows=head.number, head=head.hash)) + b"\n"
    for entry in journal.entries(table, 0, head.number):
        yield line_of(entry.body, entry.hash) + b"\n"


def is_export(start: bytes) -> bool:
    """Whether a file that begins so is an export."""
    return start.startswith(b'{"boxman":"journal"')


def read_header(line: bytes) -> Header:
    """The header from the first line of a file."""
    try:
        header = _HEADER.decode(line)
    except UNREADABLE:
        raise JournalError("line 1 is not the header of an exported journal") from None
    if header.boxman != MARK or header.format != FORMAT:
        raise JournalError(
            f"line 1: this is format {header.format} of {header.boxman}; this Boxman reads "
            f"format {FORMAT} of {MARK}"
        )
    return header


def read_rows(lines: Iterable[bytes]) -> Iterator[Row]:
    """The rows of an export, taken on trust."""
    every = iter(lines)
    read_header(next(every, b""))
    for number, line in enumerate(every, 2):
        try:
            yield read_row(*split_line(line.removesuffix(b"\n")))
        except UnreadableRow as error:
            raise JournalError(f"line {number}: {error}") from None
