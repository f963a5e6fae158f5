"""Tables over HTTP: the lobby, opening, sitting, leaving, signs, the felt, what a roll would do."""

from __future__ import annotations

import asyncio
import re
import secrets
import unicodedata
from io import BytesIO

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from boxman.journal.export import export
from boxman.journal.row import Station
from boxman.pit.around import Live
from boxman.pit.house import Casino
from boxman.pit.live.desk import Command
from boxman.pit.live.leaving import up
from boxman.pit.live.notebook import Setup
from boxman.pit.live.stations import PLAYER
from boxman.pit.people.door import DoorError, Visit
from boxman.pit.people.links import table_token
from boxman.pit.people.quotas import address_of
from boxman.pit.people.seats import seat_for
from boxman.pit.told.book import book_data, difference_data
from boxman.pit.told.clauses import clause_told
from boxman.pit.told.house import felt_data
from boxman.pit.told.rows import refusal_of
from boxman.pit.told.view import advises, sign_list
from boxman.pit.web.api.houses import Puck, book_of, drawn
from boxman.pit.web.api.people import give_cookie
from boxman.pit.web.costs import READING, REQUEST, WORKING
from boxman.pit.web.requests import (
    AtTable,
    ErrorBody,
    InHouse,
    MaybeVisit,
    NewTable,
    Sitting,
    Who,
)
from boxman.rules.book import BookError, all_houses
from boxman.rules.duties import STATIONS
from boxman.rules.settings import SettingError
from boxman.table.call import CREW
from boxman.table.calls import BuyIn, Call, Leave, Sit
from boxman.table.floor.people import GUEST
from boxman.table.opening import PLAYERS, Open
from boxman.table.state import CashedOut
from boxman.words import phrase

tables = APIRouter(prefix="/api/tables", tags=["tables"], responses=ErrorBody)
AUTOMATIC_PLAYERS = ("pass-odds", "molly", "pass", "mix")
LONGEST = 32
"""Letters of a table's own name in its address."""


@tables.get("", openapi_extra=REQUEST)
async def lobby(request: Request, house: InHouse) -> dict[str, object]:
    """All tables that are run here; for somebody whose link is for one table, that one."""
    only = getattr(request.state, "only", "")
    shown = [live for live in house.pit.tables.values() if only in ("", live.name)]
    return {"tables": [listed(live) for live in shown]}


def listed(live: Live) -> dict[str, object]:
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


@tables.post("", openapi_extra=READING, status_code=201)
async def open_one(
    body: NewTable, request: Request, response: Response, house: InHouse, session: MaybeVisit
) -> dict[str, object]:
    """Open a table. Practice tables are anybody's, live ones the administrator's."""
    session = session or await _guest(request, response, house, "host")
    if not session.administrator and (
        not body.practice or not house.config.guests_open_tables or body.dice == "scripted"
    ):
        raise DoorError(403, "not-yours", phrase("pit.web.that-is-for-the"))
    address = address_of(request.client)
    if session.administrator:
        if len(house.open_tables()) >= house.config.tables:
            raise DoorError(
                409,
                "house-full",
                phrase("pit.web.there-are-tables-already", tables=house.config.tables),
            )
    else:
        house.quotas.may_open(house.open_tables(), session.person, address)
    if body.house not in all_houses():
        known = ", ".join(all_houses())
        raise DoorError(422, "no-such-house", phrase("pit.web.there-is-no-such-house", known=known))
    call, setup = _wanted(body, house)
    name = await asyncio.to_thread(_name, body.name, house)
    try:
        opening = await house.pit.open(name, call, setup, session.person)
    except (BookError, SettingError) as error:
        raise DoorError(422, "house", str(error)) from None
    if opening.refusal is not None:
        refusal = opening.refusal
        words = f"{refusal.sentence}; {refusal.remedy}".rstrip("; ")
        raise DoorError(422, refusal.code, words)
    house.quotas.opened(name, address)
    return {
        "table": name,
        "warnings": [{"code": n.code, "sentence": n.sentence} for n in opening.warnings],
    }


def _wanted(body: NewTable, house: Casino) -> tuple[Open, Setup]:
    automatic: tuple[str, ...] = CREW if body.crew == "automatic" else ()
    if body.automatic is not None:
        unknown = [station for station in body.automatic if station not in STATIONS]
        if unknown:
            raise DoorError(
                422,
                "no-such-station",
                phrase("pit.web.there-is-no-station", unknown=f"{unknown[0][:40]!r}"),
            )
        automatic = tuple(body.automatic)
    if body.dice == "scripted" and not body.script:
        raise DoorError(422, "no-script", phrase("pit.web.scripted-dice-need-their"))
    players = body.players
    if isinstance(players, int):
        if not 0 <= players <= 8:
            raise DoorError(422, "too-many", phrase("pit.web.there-are-at-most"))
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
        patience=body.patience * 1000,
        step=int(body.pace * 1000),
        second_person=body.second_person,
        usual=min(body.usual, body.buy_in),
        buy_in=body.buy_in,
    )
    if not setup.title.isprintable():
        raise DoorError(422, "bad-name", phrase("pit.web.the-name-of-a"))
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


async def open_practice(house: Casino, wanted: dict[str, object]) -> str:
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


def _name(wanted: str, house: Casino) -> str:
    """An id for a table, from its name if that is free."""
    plain = unicodedata.normalize("NFKD", wanted.lower())
    words = re.sub(r"[^a-z0-9]+", "-", re.sub(r"['’\u0300-\u036f]", "", plain)).strip("-")
    # Whole words, as many as an address bears.
    base = (words if len(words) <= LONGEST else words[: LONGEST + 1].rpartition("-")[0]) or "table"
    base = base[:LONGEST]
    for name in (base, *(f"{base}-{n}" for n in range(2, 20))):
        if name not in house.pit.tables and not house.journal.head(name).number:
            return name
    return f"{base}-{secrets.token_hex(4)}"


async def _guest(request: Request, response: Response, house: Casino, name: str) -> Visit:
    house.quotas.may_enter(address_of(request.client))
    token, session = await asyncio.to_thread(house.door.guest, name)
    give_cookie(request, response, token)
    return session


@tables.get("/archive", openapi_extra=REQUEST)
def archive(house: InHouse, session: MaybeVisit) -> dict[str, object]:
    """Tables that were put away: practice tables to everybody, live ones to the administrator.
    Their journals are where they were; `boxman export` writes them out."""
    boss = session is not None and session.administrator
    found = house.archive.listed()
    return {"tables": [each for each in found if boss or each["kind"] == "practice"]}


@tables.get("/archive/{table}/export", openapi_extra=READING)
def export_archived(table: str, house: InHouse, session: MaybeVisit) -> StreamingResponse:
    """The whole journal of a table that was put away, as lines that can be verified."""
    boss = session is not None and session.administrator
    found = [each for each in house.archive.listed() if each["table"] == table]
    if not found or not (boss or found[0]["kind"] == "practice"):
        raise DoorError(404, "no-such-table", phrase("pit.web.no-such-table-was"))
    headers = {"Content-Disposition": f'attachment; filename="{table}.jsonl"'}
    lines = export(house.journal, table)
    return StreamingResponse(lines, media_type="application/jsonl", headers=headers)


@tables.get("/{table}", openapi_extra=REQUEST)
async def one(request: Request, live: AtTable, house: InHouse) -> dict[str, object]:
    """A table as everybody sees it, with the address that lets a friend in."""
    return {**listed(live), "link": _link(request, live, house), "view": live.snapshot()}


def _link(request: Request, live: Live, house: Casino) -> str:
    token = house.config.token
    query = f"?token={table_token(token, live.name)}" if token else ""
    return f"{request.base_url}table/{live.name}{query}"


@tables.get("/{table}/link.svg", openapi_extra=REQUEST)
async def link_code(request: Request, live: AtTable, house: InHouse) -> Response:
    """The same address as a code that a friend's camera reads: dark on white, with its margin."""
    import segno

    drawn = BytesIO()
    made = segno.make(_link(request, live, house), micro=False)
    made.save(drawn, kind="svg", border=4, light="#fff", omitsize=True, xmldecl=False)
    return Response(
        drawn.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "no-store"}
    )


@tables.get("/{table}/signs", openapi_extra=REQUEST)
async def signs(live: AtTable) -> dict[str, object]:
    """What players must be shown."""
    return {"signs": sign_list(live.desk.layout, live.desk.shown[0])}


@tables.post("/{table}/sit", openapi_extra=REQUEST)
async def sit(
    body: Sitting,
    request: Request,
    response: Response,
    live: AtTable,
    house: InHouse,
    session: MaybeVisit,
) -> dict[str, object]:
    """Take a seat with chips; a guest gets a name for the day."""
    book = live.desk.book
    if session is None:
        if not book.setup.practice:
            raise DoorError(401, "signed-out", phrase("pit.web.this-is-no-practice"))
        session = await _guest(request, response, house, body.name or "you")
    if session.guest and not book.setup.practice:
        raise DoorError(403, "not-yours", phrase("pit.web.guests-watch-here-they"))
    seat = seat_for(live.desk.table, live.desk.book, session.person)
    station = Station(PLAYER, seat, session.person)
    made = secrets.token_hex(8)
    calls: list[Call] = []
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


@tables.post("/{table}/watch", openapi_extra=REQUEST)
async def watch(
    request: Request, response: Response, live: AtTable, house: InHouse, session: MaybeVisit
) -> dict[str, object]:
    """Watch a table; somebody who is not in the house yet comes in as a guest."""
    session = session or await _guest(request, response, house, "visitor")
    return {"person": session.person, "guest": session.guest}


@tables.post("/{table}/leave", openapi_extra=REQUEST)
async def leave(live: AtTable, house: InHouse, session: Who) -> dict[str, object]:
    """Leave a table: chips on the rail go back at once, wagers stand until they are decided."""
    seat = house.seat(live, session.person)
    if not seat:
        raise DoorError(409, "not-seated", phrase("pit.web.you-have-no-seat"))
    command = Command(
        id=f"{session.person}/{secrets.token_hex(8)}",
        station=Station(PLAYER, seat, session.person),
        call=Leave(seat=seat),
    )
    heard = await house.say(live, command)
    decisions = [each for step in heard.steps for each in step.row.ruling.decisions]
    wagers = up(heard.steps[-1].after, seat)
    return {
        "number": heard.row.number,
        "refused": refusal_of(heard.row),
        "returned": sum(each.amount for each in decisions if isinstance(each, CashedOut)),
        "up": sum(stake for _, stake in wagers),
        "wagers": [{"spot": spot, "stake": stake} for spot, stake in wagers],
    }


@tables.get("/{table}/felt", openapi_extra=READING)
def felt(live: AtTable) -> dict[str, object]:
    """The cloth of this table, to be drawn: its house under its own settings."""
    return felt_data(live.desk.layout)


@tables.get("/{table}/felt.svg", openapi_extra=REQUEST)
def picture(live: AtTable, puck: Puck = 0) -> Response:
    """The same as a small picture, by the rulebook the table was opened with."""
    return drawn(live.desk.layout, puck)


@tables.get("/{table}/rulebook", openapi_extra=READING)
def rulebook(live: AtTable) -> dict[str, object]:
    """The rulebook this table runs by, in full: the house may have another by now, or none."""
    return book_data(live.desk.rulebook)


@tables.get("/{table}/diff", openapi_extra=WORKING)
def diff(live: AtTable) -> dict[str, object]:
    """What the house's rulebook of today sees otherwise than the one this table runs by."""
    rules = live.desk.rulebook
    return difference_data(rules, book_of(rules.house.id))


@tables.get("/{table}/clauses/{clause:path}", openapi_extra=REQUEST)
def clause(live: AtTable, clause: str) -> dict[str, object]:
    """A clause of the rulebook this table runs by, or a term of the house."""
    told = clause_told(live.desk.rulebook, clause)
    if told["sort"] == "unknown":
        raise DoorError(404, "no-such-clause", phrase("pit.web.there-is-no-such-clause"))
    return {"clause": told["id"], **told}


@tables.get("/{table}/if-it-rolls", openapi_extra=READING)
def if_it_rolls(live: AtTable, house: InHouse, session: Who) -> dict[str, object] | None:
    """At a practice table: what every roll would do to my wagers.

    Nothing for whoever only watches, or has just left and was about to be told."""
    from boxman.pit.told.aids import if_it_rolls as work_out

    if not advises(live.desk.layout, live.desk.book.setup):
        raise DoorError(403, "no-advice", phrase("pit.web.this-house-gives-no"))
    seat = house.seat(live, session.person)
    return work_out(live.desk.layout, live.desk.shown[0], seat) if seat else None
