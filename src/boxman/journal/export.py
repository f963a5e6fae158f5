"""The journal of one table as a file: a header, then one row a line, byte for byte as stored.

Before the first row that names an edition stands a line with the text of that rulebook, if it was
kept. The header says how many rows follow and where the chain ends, so that a file that was cut
short shows it. `read_rows` gives the rows back; whether they are the rows that were written is for
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
    line_of,
    read_row,
    split_line,
)
from boxman.journal.store import Journal, genuine_text
from boxman.words import phrase

FORMAT = 2
"""Since 2 the texts of rulebooks go with the rows."""
MARK = "journal"


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line of an exported journal."""

    boxman: str = MARK
    format: int = FORMAT
    table: str
    rows: int
    head: str
    """The hash of the last row."""


class EditionLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line with the text of a rulebook."""

    boxman: str = "edition"
    digest: str
    text: str


class _Names(msgspec.Struct, frozen=True):
    """Of a row, the edition it names."""

    edition: str = ""


_EDITION: msgspec.json.Decoder[EditionLine] = msgspec.json.Decoder(EditionLine)
_NAMES: msgspec.json.Decoder[_Names] = msgspec.json.Decoder(_Names)
_HEADER: msgspec.json.Decoder[Header] = msgspec.json.Decoder(Header)


def export(journal: Journal, table: str) -> Iterator[bytes]:
    """The lines of an export. What is appended meanwhile is left for the next one."""
    head = journal.head(table)
    if head == Head():
        names = journal.tables()
        known = (
            phrase("journal.wrong.there-are", names=", ".join(names))
            if names
            else phrase("journal.wrong.there-are-none-at-all")
        )
        raise JournalError(phrase("journal.wrong.there-is-no-table-in", table=table, known=known))
    yield canonical(Header(table=table, rows=head.number, head=head.hash)) + b"\n"
    told: set[str] = set()
    for entry in journal.entries(table, 0, head.number):
        named = _named(entry.body)
        if named not in told:
            told.add(named)
            text = journal.edition(named)
            if text is not None:
                yield canonical(EditionLine(digest=named, text=text)) + b"\n"
        yield line_of(entry.body, entry.hash) + b"\n"


def _named(body: bytes) -> str:
    try:
        return _NAMES.decode(body).edition
    except UNREADABLE:
        return ""


def is_edition(line: bytes) -> bool:
    """Whether a line of an export is the text of a rulebook."""
    return line.startswith(b'{"boxman":"edition"')


def read_edition(line: bytes) -> EditionLine:
    """The text of a rulebook, if it is the one its digest was taken of."""
    try:
        found = _EDITION.decode(line)
    except UNREADABLE as error:
        raise JournalError(phrase("journal.wrong.this-is-no-rulebook", error=error)) from None
    genuine_text(found.digest, found.text.encode())
    return found


def is_export(start: bytes) -> bool:
    """Whether a file that begins so is an export."""
    return start.startswith(b'{"boxman":"journal"')


def read_header(line: bytes) -> Header:
    """The header from the first line of a file."""
    try:
        header = _HEADER.decode(line)
    except UNREADABLE:
        raise JournalError(phrase("journal.wrong.line-1-is-not-the")) from None
    if header.boxman != MARK or not 1 <= header.format <= FORMAT:
        raise JournalError(
            phrase(
                "journal.wrong.line-1-this-is-format",
                format=header.format,
                boxman=header.boxman,
                format_2=FORMAT,
                mark=MARK,
            )
        )
    return header


def read_rows(lines: Iterable[bytes], texts: dict[str, str] | None = None) -> Iterator[Row]:
    """The rows of an export, taken on trust; texts of rulebooks are put into `texts`, each before
    the first row that names it."""
    every = iter(lines)
    read_header(next(every, b""))
    for number, line in enumerate(every, 2):
        try:
            if is_edition(line):
                edition = read_edition(line)
                if texts is not None:
                    texts[edition.digest] = edition.text
                continue
            yield read_row(*split_line(line.removesuffix(b"\n")))
        except JournalError as error:
            raise JournalError(phrase("journal.wrong.line", number=number, error=error)) from None
