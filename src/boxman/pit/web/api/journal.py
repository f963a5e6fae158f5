"""A table's journal over HTTP: rows, one row explained, the table as it was, export, verify, seal.

Who may come through which door is in `readers`. Everything that reads the store does it in a
thread: the tables never wait for a reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import BoundedSemaphore
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Depends, Path, Query
from fastapi.responses import StreamingResponse

from boxman.journal.export import export
from boxman.journal.fold import after, restore
from boxman.journal.row import JournalError, Row
from boxman.journal.scribe import Scribe, beside
from boxman.journal.verify import verify_stored
from boxman.pit.around import Live
from boxman.pit.house import Casino
from boxman.pit.live.notebook import begin, note
from boxman.pit.people.door import DoorError
from boxman.pit.people.readers import concerns
from boxman.pit.people.seats import seat_of
from boxman.pit.told.clauses import explained
from boxman.pit.told.rows import row_view
from boxman.pit.told.view import whole
from boxman.pit.web.costs import READING, REQUEST
from boxman.pit.web.requests import ErrorBody, InHouse, MaybeVisit, through
from boxman.table.state import Table
from boxman.words import phrase

journals = APIRouter(prefix="/api/tables", tags=["journals"], responses=ErrorBody)
PAGE = 200
_VERIFYING = BoundedSemaphore(2)
"""A whole journal is much work: a few at a time, so that tables do not notice."""
Number = Annotated[int, Query(ge=0, le=10**12)]


@journals.get("/{table}/rows", openapi_extra=READING)
def rows(
    live: Annotated[Live, Depends(through("rows"))],
    house: InHouse,
    after: Number = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = PAGE,
) -> dict[str, object]:
    """The journal, from a number on, as a page shows it."""
    return {"rows": _rows(house, live, after, limit), "head": live.desk.shown[2].number}


def _rows(house: Casino, live: Live, start: int, limit: int) -> list[dict[str, object]]:
    head = live.desk.shown[2].number
    start = min(start, head)
    if start == head:
        return []
    made = []
    folded = restore(house.journal, live.name, start) if start else None
    table = folded.table if folded is not None else None
    for row in house.journal.rows(live.name, start, limit):
        if row.number > head:
            break
        before = table
        table = row.ruling.opened if table is None else after(table, row)
        assert table is not None
        made.append(journal_row(live, row, before or table, table))
    return made


def journal_row(live: Live, row: Row, before: Table, now: Table) -> dict[str, object]:
    """A row with its place in the chain."""
    view: dict[str, object] = msgspec.to_builtins(row_view(live.desk.layout, row, before, now))
    return {
        **view,
        "person": row.station.person,
        "house": row.house,
        "edition": row.edition,
        "engine": row.engine,
        "previous": row.previous,
        "hash": row.hash,
    }


@journals.get("/{table}/export", openapi_extra=READING)
def export_journal(
    live: Annotated[Live, Depends(through("export"))],
    house: InHouse,
    format: Literal["jsonl", "craps"] = "jsonl",
) -> StreamingResponse:
    """The whole journal: JSON lines that can be verified, or a transcript that replays."""
    name = f"{live.name}.{format}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    if format == "jsonl":
        lines: Iterator[bytes] = export(house.journal, live.name)
        return StreamingResponse(lines, media_type="application/jsonl", headers=headers)
    scribe = Scribe(house.journal.edition)
    needed = beside(house.journal, live.name)
    if needed is not None:
        scribe.house = needed[0]
    text = (f"{line}\n".encode() for line in scribe.write(house.journal.rows(live.name)))
    return StreamingResponse(text, media_type="text/plain; charset=utf-8", headers=headers)


@journals.get("/{table}/verify", openapi_extra=READING)
def verify_journal(
    live: Annotated[Live, Depends(through("verify"))], house: InHouse
) -> dict[str, object]:
    """Verify the chain and the dice of a table's journal as it is stored."""
    if not _VERIFYING.acquire(blocking=False):
        raise DoorError(503, "busy", phrase("pit.web.other-journals-are-being"))
    try:
        found = verify_stored(house.journal, live.name)
    finally:
        _VERIFYING.release()
    return {
        "sound": found.sound,
        "rows": found.rows,
        "head": {"number": found.head.number, "hash": found.head.hash},
        "throws": found.throws,
        "rolls": found.rolls,
        "proved": found.proved,
        "for_inspector": found.for_inspector,
        "problems": [problem.text for problem in found.problems],
    }


@journals.get("/{table}/seal", openapi_extra=REQUEST)
def seal_journal(
    live: Annotated[Live, Depends(through("seal"))], house: InHouse
) -> dict[str, object]:
    """Where the table's chain stands now, signed by the house, for an inspector to keep."""
    if house.sealer is None:
        raise DoorError(404, "no-key", phrase("pit.web.this-house-has-no"))
    found: dict[str, object] = msgspec.to_builtins(house.sealer.sign(live.name, live.desk.shown[2]))
    return found


@journals.get("/{table}/explain", openapi_extra=READING)
def explain(
    live: Annotated[Live, Depends(through("explain"))],
    house: InHouse,
    session: MaybeVisit,
    number: Annotated[int, Query(ge=1, le=10**12)],
) -> dict[str, object]:
    """One row told in sentences, with the text of every clause it rests on."""
    _is_there(live, number)
    row = next(iter(house.journal.rows(live.name, number - 1, 1)))
    if "rows" not in house.reads(session, live):
        table, book, _ = live.desk.shown
        if session is None or not concerns(row, seat_of(table, book, session.person)):
            raise DoorError(403, "not-yours", phrase("pit.web.row-is-not-about", number=number))
    folded = restore(house.journal, live.name, number - 1) if number > 1 else None
    return explained(live.desk.rulebook, live.desk.layout, row, folded.table if folded else None)


@journals.get("/{table}/at/{number}", openapi_extra=READING)
def at_row(
    live: Annotated[Live, Depends(through("at"))],
    house: InHouse,
    number: Annotated[int, Path(ge=1, le=10**12)],
) -> dict[str, object]:
    """The table as it stood after a row."""
    _is_there(live, number)
    folded = restore(house.journal, live.name, number)
    if folded is None:
        raise JournalError(phrase("pit.web.there-is-no-table-2", live=live.name))
    book = begin(folded.opening)
    first = max(1, number - PAGE)
    for row in house.journal.rows(live.name, first, number - first):
        # Only dice and last rolls are wanted of these rows, so the table need not be theirs.
        book = note(book, row, folded.table, folded.table)
    view = whole(live.name, live.desk.layout, folded.table, book)
    return {"number": number, "hash": folded.head.hash, "view": view}


def _is_there(live: Live, number: int) -> None:
    head = live.desk.shown[2].number
    if number > head:
        raise DoorError(
            404, "no-such-row", phrase("pit.web.there-is-no-row", number=number, head=head)
        )
