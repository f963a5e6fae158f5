"""The acts of a house over HTTP: people, cage, quotas and keys, a chain of their own.

For those who run the house and for its inspectors.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from boxman.journal.export import export
from boxman.journal.pit_calls import Act
from boxman.journal.row import HOUSE_JOURNAL
from boxman.journal.verify import verify_stored
from boxman.pit.house import Casino
from boxman.pit.people.door import DoorError, Visit
from boxman.pit.people.readers import reads_acts
from boxman.pit.web.costs import READING
from boxman.pit.web.requests import ErrorBody, InHouse, Who
from boxman.words import phrase

acts = APIRouter(prefix="/api/acts", tags=["acts"], responses=ErrorBody)


def _may_read(house: Casino, session: Visit) -> None:
    if not reads_acts(session, house.door.roles(session.person).stations):
        raise DoorError(403, "not-yours", phrase("pit.web.acts-are-for"))


@acts.get("", openapi_extra=READING)
def told(
    house: InHouse,
    session: Who,
    before: Annotated[int, Query(ge=0, le=10**12)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> dict[str, object]:
    """Acts, the newest first, from before a number on."""
    _may_read(house, session)
    head = house.journal.head(HOUSE_JOURNAL)
    last = min(before - 1, head.number) if before else head.number
    start = max(0, last - limit)
    rows = house.journal.rows(HOUSE_JOURNAL, start, last - start)
    found = [
        {
            "number": row.number,
            "at": row.at,
            "by": row.station.person,
            "what": row.call.what,
            "about": row.call.about,
            "details": row.call.details,
        }
        for row in rows
        if isinstance(row.call, Act)
    ]
    return {"acts": found[::-1], "head": {"number": head.number, "hash": head.hash}}


@acts.get("/verify", openapi_extra=READING)
def verified(house: InHouse, session: Who) -> dict[str, object]:
    """Whether the chain of the acts is whole."""
    _may_read(house, session)
    found = verify_stored(house.journal, HOUSE_JOURNAL)
    problems = [problem.text for problem in found.problems]
    return {"sound": found.sound, "rows": found.rows, "problems": problems}


@acts.get("/export", openapi_extra=READING)
def exported(house: InHouse, session: Who) -> StreamingResponse:
    """All acts as lines that can be verified."""
    _may_read(house, session)
    headers = {"Content-Disposition": 'attachment; filename="acts.jsonl"'}
    lines = export(house.journal, HOUSE_JOURNAL)
    return StreamingResponse(lines, media_type="application/jsonl", headers=headers)
