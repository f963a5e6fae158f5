"""The crew's console over HTTP: what somebody's stations may say now, and the form of one call.

A page asks anew whenever a row is told. Everything is tried on the desk as it is stored, in a
thread: the tables never wait for a console.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path

from boxman.pit.around import Live
from boxman.pit.house import Casino
from boxman.pit.live.desk import Desk
from boxman.pit.live.stations import MAY_SAY, tag_of
from boxman.pit.people.door import DoorError, Visit
from boxman.pit.told.console import CONSOLE_ENTRIES, Speaker, console
from boxman.pit.told.forms import form
from boxman.pit.told.matters import waiting
from boxman.pit.told.phrases import titled
from boxman.pit.told.preview import preview
from boxman.pit.web.costs import READING
from boxman.pit.web.hearing import Said, Unheard, read_spoken
from boxman.pit.web.requests import AtTable, ErrorBody, InHouse, Previewed, Who
from boxman.rules.duties import STATIONS
from boxman.words import phrase

crew = APIRouter(prefix="/api/tables", tags=["crew"], responses=ErrorBody)
Word = Annotated[str, Path(max_length=20)]


def speakers_of(house: Casino, session: Visit, live: Live) -> list[Speaker]:
    """The stations somebody speaks from here: those he works, and one he was named for."""
    held = house.stations(session, live)
    found = [Speaker(station, session.person) for station in STATIONS if station in held]
    named = live.desk.shown[0].floor.stand_ins.get(session.person, "")
    if named and named not in held and not session.guest:
        found.append(Speaker(named, session.person, session.person))
    return found


@crew.get("/{table}/console", openapi_extra=READING)
async def one_console(live: AtTable, session: Who, house: InHouse) -> dict[str, object]:
    """What the viewer's stations may say now, what they may not and why, and what waits."""
    desk, at = live.desk.glance(), live.desk.book.seconds(house.pit.clock())
    speakers = speakers_of(house, session, live)
    return await asyncio.to_thread(_whole, desk, speakers, at)


def _whole(desk: Desk, speakers: list[Speaker], at: int) -> dict[str, object]:
    """All stations that the house has; one it does not have is told, not shown."""
    roles = desk.layout.procedure.roles
    here = [speaker for speaker in speakers if speaker.role in roles]
    return {
        "number": desk.head.number,
        "stations": [
            {
                "station": speaker.role,
                "name": titled(desk.layout, speaker.role),
                "calls": console(desk, speaker, at),
            }
            for speaker in here
        ],
        "without": [speaker.role for speaker in speakers if speaker.role not in roles],
        "waiting": waiting(desk, here, at),
    }


@crew.get("/{table}/console/{station}/{call}", openapi_extra=READING)
async def one_form(
    station: Word, call: Word, live: AtTable, session: Who, house: InHouse
) -> dict[str, object]:
    """The form of one call from one station: what to choose and to type, as things stand now."""
    speaker = _speaker(house, session, live, station)
    if call not in CONSOLE_ENTRIES or call not in MAY_SAY[station]:
        raise DoorError(404, "no-such-call", phrase("pit.web.that-is-no-call-of"))
    desk, at = live.desk.glance(), live.desk.book.seconds(house.pit.clock())
    return await asyncio.to_thread(form, desk, speaker, call, at)


def _speaker(house: Casino, session: Visit, live: Live, station: str) -> Speaker:
    for each in speakers_of(house, session, live):
        if each.role == station:
            return each
    raise DoorError(403, "not-yours", phrase("pit.web.you-do-not-work-that"))


@crew.post("/{table}/console/{station}/preview", openapi_extra=READING)
async def one_preview(
    station: Word, body: Previewed, live: AtTable, session: Who, house: InHouse
) -> dict[str, object]:
    """What a call would do if it were said now, whose chips would move; nothing is written."""
    speaker = _speaker(house, session, live, station)
    try:
        call = read_spoken(Said(do="say", call=body.call), station, "")
    except Unheard as error:
        raise DoorError(422, error.code, error.message) from None
    if tag_of(call) not in MAY_SAY[station]:
        raise DoorError(404, "no-such-call", phrase("pit.web.that-is-no-call-of"))
    desk, at = live.desk.glance(), live.desk.book.seconds(house.pit.clock())
    return {**await asyncio.to_thread(preview, desk, speaker, call, at)}
