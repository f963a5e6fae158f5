"""Aids at a table over HTTP: what every wager costs and which costs least, and one's own visit.

All of it is absent at live tables of houses that forbid hints.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from fastapi import APIRouter

from boxman.journal.fold import restore
from boxman.pit.around import Live
from boxman.pit.house import Casino
from boxman.pit.people.door import DoorError, Visit
from boxman.pit.told.seen.eyes import eyes as work_out
from boxman.pit.told.seen.stay import Stay
from boxman.pit.told.view import advises, menu_of
from boxman.pit.web.costs import READING
from boxman.pit.web.requests import AtTable, ErrorBody, InHouse, Who
from boxman.words import phrase

eyes = APIRouter(prefix="/api/tables", tags=["tables"], responses=ErrorBody)
MOST_ROWS = 20_000
"""Rows that are read back at most; of a longer visit only the last part is told."""
KEPT = 200
_STAYS: OrderedDict[tuple[int, str, str], Stay] = OrderedDict()
"""Visits read so far, so that a roll more is a row more."""
_READING = Lock()


def _hints(live: Live) -> None:
    if not advises(live.desk.layout, live.desk.book.setup):
        raise DoorError(403, "no-advice", phrase("pit.web.this-house-gives-no"))


def advised(live: Live, house: Casino, session: Visit) -> str:
    """The seat of somebody who may be shown hints here, or why not."""
    _hints(live)
    seat = house.seat(live, session.person)
    if not seat:
        raise DoorError(409, "not-seated", phrase("pit.web.you-have-no-seat"))
    return seat


@eyes.get("/{table}/eyes", openapi_extra=READING)
def seen(live: AtTable, house: InHouse, session: Who) -> dict[str, object]:
    """Every wager's price, exact edge and limits, and what may be bet now, cheapest first.

    Prices are the table's: whoever only watches, or has just left, is told them too."""
    _hints(live)
    seat = house.seat(live, session.person)
    table, book, _ = live.desk.shown
    own = menu_of(live.desk.layout, table, book, seat, house.evening())
    return work_out(live.desk.layout, table, own)


@eyes.get("/{table}/visit", openapi_extra=READING)
def visit(live: AtTable, house: InHouse, session: Who) -> dict[str, object]:
    """The rolls and wagers of one's visit against what was to be expected, from the journal."""
    seat = advised(live, house, session)
    head = live.desk.shown[2].number
    key = (id(live.desk.layout), live.name, seat)
    with _READING:
        stay = _STAYS.pop(key, None) or _begun(house, live, seat, max(0, head - MOST_ROWS))
        for row in house.journal.rows(live.name, stay.number, max(0, head - stay.number)):
            stay.hear(row)
        _STAYS[key] = stay
        while len(_STAYS) > KEPT:
            _STAYS.popitem(last=False)
        return stay.told()


def _begun(house: Casino, live: Live, seat: str, start: int) -> Stay:
    stay = Stay(live.desk.layout, seat)
    folded = restore(house.journal, live.name, start) if start else None
    if folded is not None:
        stay.table, stay.number = folded.table, folded.head.number
    return stay
