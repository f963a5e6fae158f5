"""Tables over HTTP: the lobby, opening, sitting, signs, history, export, and a row explained."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import StreamingResponse

from boxman.journal.export import export
from boxman.journal.fold import after, restore
from boxman.journal.row import JournalError, Row, Station
from boxman.journal.scribe import Scribe
from boxman.journal.verify import verify
from boxman.pit.boss import Live
from boxman.pit.desk import Command
from boxman.pit.door import DoorError, Session
from boxman.pit.explained import clause_told, explained
from boxman.pit.house import House
from boxman.pit.houses import felt_data
from boxman.pit.notebook import Setup, begin, note
from boxman.pit.people_api import give_cookie
from boxman.pit.requests import (
    AtTable,
    ErrorBody,
    InHouse,
    Maybe,
    NewTable,
    Sitting,
    Who,
)
from boxman.pit.seats import seat_for
from boxman.pit.stations import PLAYER
from boxman.pit.told import refusal_of, row_view
from boxman.pit.view import sign_list, whole
from boxman.rules.book import BookError, houses, read_book
from boxman.rules.duties import STATIONS
from boxman.rules.settings import SettingError
from boxman.table.calls import BuyIn, Sit
from boxman.table.floor_calls import Leave
from boxman.table.opening import PLAYERS, Open
from boxman.table.people import GUEST

tables = APIRouter(prefix="/api/tables", tags=["tables"], responses=ErrorBody)
PAGE = 200
Number = Annotated[int, Query(ge=0, le=10**12)]
AUTOMATIC_PLAYERS = ("pass-odds", "molly", "pass", "mix")


@tables.get("")
async def lobby(house: InHouse) -> dict[str, Any]:
    """All tables that are run here."""
    return {"tables": [listed(live) for live in house.pit.tables.values()]}


def listed(live: Live) -> dict[str, Any]:
    """A table as the lobby shows it."""
    table, book, head = live.desk.shown
    layout, setup = live.desk.layout, book.setup
    return {
        "table": live.name,
        "name": setup.title or live.name,
        "house": layout.house,
        "title": layout.title,
        "currency": layout.currency,
        "kind": "practice" if setup.practice else "live",
        "crew": "automatic" if set(setup.automatic) >= {"stick", "box"} else "by hand",
        "dice": setup.dice,
        "minimum": table.posted.minimum,
        "maximum": table.posted.maximum,
        "chip": layout.chip,
        "seats": len(table.seats),
        "places": table.floor.places,
        "puck": table.puck,
        "rolls": table.rolls,
        "closed": table.floor.closed,
        "number": head.number,
    }


@tables.post("", status_code=201)
async def open_one(
    body: NewTable, request: Request, response: Response, house: InHouse, session: Maybe
) -> dict[str, Any]:
    """Open a table. Practice tables are anybody's, live ones the administrator's."""
    session = session or _guest(request, response, house, "host")
    if not session.administrator and (
        not body.practice or not house.config.guests_open_tables or body.dice == "scripted"
    ):
        raise DoorError(403, "not-yours", "that is for the administrator of the house")
    if len(house.pit.tables) >= house.config.tables:
        raise DoorError(409, "house-full", f"there are {house.config.tables} tables already")
    if body.house not in houses():
        known = ", ".join(houses())
        raise DoorError(422, "no-such-house", f"there is no such house; there are: {known}")
    call, setup = _wanted(body, house)
    name = _name(body.name, house)
    try:
        opening = await house.pit.open(name, call, setup, session.person)
    except (BookError, SettingError) as error:
        raise DoorError(422, "house", str(error)) from None
    if opening.refusal is not None:
        refusal = opening.refusal
        words = f"{refusal.sentence}; {refusal.remedy}".rstrip("; ")
        raise DoorError(422, refusal.code, words)
    return {
        "table": name,
        "warnings": [{"code": n.code, "sentence": n.sentence} for n in opening.warnings],
    }


def _wanted(body: NewTable, house: House) -> tuple[Open, Setup]:
    everybody = ("stick", "dealer", "box", "supervisor", "senior", "manager")
    automatic: tuple[str, ...] = everybody if body.crew == "automatic" else ()
    if body.automatic is not None:
        unknown = [station for station in body.automatic if station not in STATIONS]
        if unknown:
            raise DoorError(422, "no-such-station", f"there is no station {unknown[0][:40]!r}")
        automatic = tuple(body.automatic)
    if body.dice == "scripted" and not body.script:
        raise DoorError(422, "no-script", "scripted dice need their script")
    players = body.players
    if isinstance(players, int):
        if not 0 <= players <= 8:
            raise DoorError(422, "too-many", "there are at most 8 automatic players")
        players = [AUTOMATIC_PLAYERS[n % len(AUTOMATIC_PLAYERS)] for n in range(players)]
    else:
        _check_strategies(players)
    setup = Setup(
        title=body.name.strip(),
        practice=body.practice,
        dice=body.dice,
        script=tuple((pair[0], pair[1]) for pair in body.script),
        automatic=automatic,
        players=tuple(players),
        window=body.window * 1000,
        step=int(body.pace * 1000),
        second_person=body.second_person,
        usual=min(body.usual, body.buy_in),
        buy_in=body.buy_in,
    )
    if not setup.title.isprintable():
        raise DoorError(422, "bad-name", "the name of a table is printable text")
    call = Open(
        house=body.house,
        chip=body.chip,
        minimum=body.minimum,
        maximum=body.maximum,
        unit=body.unit,
        settings=dict(body.settings),
        by_hand=True,
        crew=(body.sticks, body.dealers, body.boxes),
        sides=body.sides,
        places=body.places,
        shooter=PLAYERS if body.shooter == "players" else GUEST,
        at=house.evening(),
        by="manager",
    )
    return call, setup


async def open_practice(house: House, wanted: dict[str, Any]) -> str:
    """Open the practice table of `boxman play`; its house may be a file."""
    body = NewTable.model_validate(wanted)
    call, setup = _wanted(body, house)
    name = _name(body.name, house)
    opening = await house.pit.open(name, call, setup, "house")
    if opening.refusal is not None:
        raise DoorError(422, opening.refusal.code, opening.refusal.sentence)
    return name


def _check_strategies(names: list[str]) -> None:
    from boxman.strategy.api import StrategyError
    from boxman.strategy.library import named

    for name in names:
        try:
            named(name[:80])
        except StrategyError as error:
            raise DoorError(422, "no-such-strategy", str(error)) from None


def _name(wanted: str, house: House) -> str:
    """An id for a table, from its name if that is free."""
    base = re.sub(r"[^a-z0-9]+", "-", wanted.lower()).strip("-")[:24] or "table"
    for name in (base, *(f"{base}-{n}" for n in range(2, 20))):
        if name not in house.pit.tables and not house.journal.head(name).number:
            return name
    return f"{base}-{secrets.token_hex(4)}"


def _guest(request: Request, response: Response, house: House, name: str) -> Session:
    token, session = house.door.guest(name)
    give_cookie(request, response, token)
    return session


@tables.get("/{table}")
async def one(live: AtTable) -> dict[str, Any]:
    """A table as everybody sees it."""
    return {**listed(live), "view": live.snapshot()}


@tables.get("/{table}/signs")
async def signs(live: AtTable) -> dict[str, Any]:
    """What players must be shown."""
    return {"signs": sign_list(live.desk.layout, live.desk.shown[0])}


@tables.post("/{table}/sit")
async def sit(
    body: Sitting,
    request: Request,
    response: Response,
    live: AtTable,
    house: InHouse,
    session: Maybe,
) -> dict[str, Any]:
    """Take a seat with chips; a guest gets a name for the day."""
    book = live.desk.book
    if session is None:
        if not book.setup.practice:
            raise DoorError(401, "signed-out", "this is no practice table: sign in first")
        session = _guest(request, response, house, body.name or "you")
    if session.guest and not book.setup.practice:
        raise DoorError(403, "not-yours", "guests watch here; they play at practice tables")
    seat = seat_for(live.desk.table, live.desk.book, session.person)
    station = Station(PLAYER, seat, session.person)
    made = secrets.token_hex(8)
    calls: list[Any] = []
    if body.place:
        calls.append(Sit(seat=seat, place=body.place))
    calls.append(BuyIn(seat=seat, amount=body.buy_in or book.setup.usual))
    number = 0
    for index, call in enumerate(calls):
        command = Command(id=f"{session.person}/{made}-{index}", station=station, call=call)
        heard = await house.say(live, command)
        refused = refusal_of(heard.row)
        number = heard.row.number
        if refused is not None:
            raise DoorError(409, str(refused["code"]), str(refused["sentence"]))
    return {"seat": seat, "person": session.person, "number": number}


@tables.post("/{table}/watch")
async def watch(
    request: Request, response: Response, live: AtTable, house: InHouse, session: Maybe
) -> dict[str, Any]:
    """Watch a table; somebody who is not in the house yet comes in as a guest."""
    session = session or _guest(request, response, house, "visitor")
    return {"person": session.person, "guest": session.guest}


@tables.post("/{table}/leave")
async def leave(live: AtTable, house: InHouse, session: Who) -> dict[str, Any]:
    """Leave a table: chips on the rail go back to the cage, wagers are played out."""
    seat = house.seat(live, session.person)
    if not seat:
        raise DoorError(409, "not-seated", "you have no seat here")
    command = Command(
        id=f"{session.person}/{secrets.token_hex(8)}",
        station=Station(PLAYER, seat, session.person),
        call=Leave(seat=seat),
    )
    heard = await house.say(live, command)
    return {"number": heard.row.number, "refused": refusal_of(heard.row)}


@tables.get("/{table}/rows")
async def rows(
    live: AtTable,
    house: InHouse,
    after: Number = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = PAGE,
) -> dict[str, Any]:
    """The journal, from a number on, as a page shows it."""
    found = await asyncio.to_thread(_rows, house, live, after, limit)
    return {"rows": found, "head": live.desk.shown[2].number}


def _rows(house: House, live: Live, start: int, limit: int) -> list[dict[str, Any]]:
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
        table = row.ruling.opened if table is None else after(table, row.ruling)
        assert table is not None
        made.append(journal_row(live, row, before or table, table))
    return made


def journal_row(live: Live, row: Row, before: Any, now: Any) -> dict[str, Any]:
    """A row with its place in the chain."""
    view: dict[str, Any] = msgspec.to_builtins(row_view(live.desk.layout, row, before, now))
    return {
        **view,
        "person": row.station.person,
        "house": row.house,
        "edition": row.edition,
        "engine": row.engine,
        "previous": row.previous,
        "hash": row.hash,
    }


@tables.get("/{table}/export")
async def export_journal(
    live: AtTable, house: InHouse, format: Literal["jsonl", "craps"] = "jsonl"
) -> StreamingResponse:
    """The whole journal: JSON lines that can be verified, or a transcript that replays."""
    name = f"{live.name}.{format}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    if format == "jsonl":
        lines: Iterator[bytes] = export(house.journal, live.name)
        return StreamingResponse(lines, media_type="application/jsonl", headers=headers)
    text = (f"{line}\n".encode() for line in Scribe().write(house.journal.rows(live.name)))
    return StreamingResponse(text, media_type="text/plain; charset=utf-8", headers=headers)


@tables.get("/{table}/verify")
async def verify_journal(live: AtTable, house: InHouse) -> dict[str, Any]:
    """Verify the chain and the dice of a table's journal as it is stored."""
    found = await asyncio.to_thread(lambda: verify(export(house.journal, live.name)))
    return {
        "sound": found.sound,
        "rows": found.rows,
        "head": {"number": found.head.number, "hash": found.head.hash},
        "throws": found.throws,
        "problems": [problem.text for problem in found.problems],
    }


@tables.get("/{table}/seal")
async def seal_journal(live: AtTable, house: InHouse) -> dict[str, Any]:
    """Where the table's chain stands now, signed by the house, for an inspector to keep."""
    if house.sealer is None:
        raise DoorError(404, "no-key", "this house has no key; name one with the setting `key`")
    signed = await asyncio.to_thread(house.sealer.sign, live.name, live.desk.shown[2])
    found: dict[str, Any] = msgspec.to_builtins(signed)
    return found


@tables.get("/{table}/explain")
async def explain(
    live: AtTable, house: InHouse, number: Annotated[int, Query(ge=1, le=10**12)]
) -> dict[str, Any]:
    """One row told in sentences, with the text of every clause it rests on."""
    head = live.desk.shown[2].number
    if number > head:
        raise DoorError(404, "no-such-row", f"there is no row {number}; the last is {head}")
    return await asyncio.to_thread(_explained, house, live, number)


def _explained(house: House, live: Live, number: int) -> dict[str, Any]:
    row = next(iter(house.journal.rows(live.name, number - 1, 1)))
    folded = restore(house.journal, live.name, number - 1) if number > 1 else None
    return explained(live.desk.source, live.desk.layout, row, folded.table if folded else None)


@tables.get("/{table}/felt")
async def felt(live: AtTable) -> dict[str, Any]:
    """The cloth of this table, to be drawn: its house under its own settings."""
    return felt_data(live.desk.layout)


@tables.get("/{table}/clauses/{clause:path}")
async def clause(live: AtTable, clause: str) -> dict[str, Any]:
    """A clause of the rulebook this table runs by, or a term of the house."""
    told = clause_told(read_book(live.desk.source), clause)
    if told["sort"] == "unknown":
        raise DoorError(404, "no-such-clause", "there is no such clause in this rulebook")
    return {"clause": told["id"], **told}


@tables.get("/{table}/if-it-rolls")
async def if_it_rolls(live: AtTable, house: InHouse, session: Who) -> dict[str, Any]:
    """At a practice table: what every roll would do to my wagers."""
    from boxman.pit.aids import if_it_rolls as work_out

    setup, rule = live.desk.book.setup, live.desk.layout.procedure.rules.get(("advice", "allowed"))
    if not setup.practice and rule is not None and not rule.value:
        raise DoorError(403, "no-advice", "this house gives no hints at live tables")
    seat = house.seat(live, session.person)
    if not seat:
        raise DoorError(409, "not-seated", "you have no seat here")
    table = live.desk.shown[0]
    return await asyncio.to_thread(work_out, live.desk.layout, table, seat)


@tables.get("/{table}/at/{number}")
async def at_row(
    live: AtTable, house: InHouse, number: Annotated[int, Path(ge=1, le=10**12)]
) -> dict[str, Any]:
    """The table as it stood after a row."""
    head = live.desk.shown[2].number
    if number > head:
        raise DoorError(404, "no-such-row", f"there is no row {number}; the last is {head}")
    return await asyncio.to_thread(_at, house, live, number)


def _at(house: House, live: Live, number: int) -> dict[str, Any]:
    folded = restore(house.journal, live.name, number)
    if folded is None:
        raise JournalError(f"there is no table {live.name}")
    book = begin(folded.opening)
    first = max(1, number - PAGE)
    for row in house.journal.rows(live.name, first, number - first):
        # Only dice and last rolls are wanted of these rows, so the table need not be theirs.
        book = note(book, row, folded.table, folded.table)
    view = whole(live.name, live.desk.layout, folded.table, book)
    return {"number": number, "hash": folded.head.hash, "view": view}
