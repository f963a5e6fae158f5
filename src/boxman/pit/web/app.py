"""The server: everything put together behind HTTP and WebSocket.

`make_app` takes its settings, store, clock and entropy as arguments, so that a test owns them all.
"""

from __future__ import annotations

import asyncio
import hmac
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute

import boxman
from boxman.journal.open import open_journal
from boxman.journal.row import JournalError
from boxman.journal.store import Journal
from boxman.pit.backroom.coaching import sweep
from boxman.pit.backroom.simulations import simulations
from boxman.pit.backroom.solving import solving
from boxman.pit.house import CLOSE_WHO, Casino
from boxman.pit.logs import log
from boxman.pit.people.door import DoorError
from boxman.pit.told.drills import drills
from boxman.pit.web.api.acts import acts
from boxman.pit.web.api.coach import coach
from boxman.pit.web.api.console import crew
from boxman.pit.web.api.eyes import eyes
from boxman.pit.web.api.hands import hands
from boxman.pit.web.api.houses import comparison, houses
from boxman.pit.web.api.journal import journals
from boxman.pit.web.api.people import people
from boxman.pit.web.api.tables import tables
from boxman.pit.web.config import Config, hosts_of
from boxman.pit.web.costs import FREE, REQUEST, Costs
from boxman.pit.web.guard import Guard, wants_page
from boxman.pit.web.metrics import METRICS
from boxman.pit.web.pages import nowhere, pages
from boxman.pit.web.protocols import CUT
from boxman.pit.web.requests import COOKIE
from boxman.pit.web.sockets import CLOSE_AGAIN, CLOSE_AWAY, CLOSE_FLOOD, WINDOWS, Socket
from boxman.pit.web.wording import first_mistake
from boxman.rules.book import BookError
from boxman.table.lines.words import is_number
from boxman.words import phrase

ROUTERS = (
    *(people, tables, journals, crew, acts),
    *(houses, comparison, drills, simulations, solving, coach, eyes, hands, pages),
)


def wall_clock() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def journal_of(config: Config) -> Journal:
    """The journal that the settings name, opened as they say."""
    return open_journal(config.database, patience=config.database_seconds)


def make_app(
    config: Config,
    *,
    journal: Journal | None = None,
    clock: Callable[[], int] = wall_clock,
    entropy: Callable[[int], bytes] = os.urandom,
) -> FastAPI:
    """The whole house as one application."""

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        await asyncio.to_thread(sweep)
        store = journal or journal_of(config)
        house = app.state.house = Casino(config, store, clock, entropy)
        await house.start()
        log.info("the house is open", database=_told(config.database), tables=len(house.pit.tables))
        try:
            yield
        finally:
            await house.stop()
            if journal is None:
                await asyncio.to_thread(store.close)
            log.info("the house is closed")

    app = FastAPI(
        title="Boxman",
        version=boxman.__version__,
        description="Craps by the book: tables, rulings with their clauses, journals.",
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    for router in ROUTERS:
        app.include_router(router)
    _errors(app)
    _health(app)

    @app.websocket("/ws/tables/{table}")
    async def at_table(socket: WebSocket, table: str) -> None:
        await serve_socket(socket, app.state.house, table)

    app.add_middleware(
        Guard,
        origins=config.origins,
        token=config.token,
        rate=config.request_rate,
        sign_ins=config.sign_in_rate,
        secure=config.secure_cookies,
        hosts=hosts_of(config),
        costs=Costs(routes_of(app)),
    )
    return app


def routes_of(app: FastAPI) -> list[BaseRoute]:
    """Every address of the house, in the order in which it is looked for."""
    return [route for each in (*ROUTERS, app) for route in each.routes]


def _told(database: str) -> str:
    """A database without the password that may stand in its address."""
    return database.split("@")[-1] if "@" in database else database


def _errors(app: FastAPI) -> None:
    @app.exception_handler(DoorError)
    async def at_the_door(request: Request, error: DoorError) -> JSONResponse:
        return _problem(error.status, error.code, error.message)

    @app.exception_handler(JournalError)
    async def journal(request: Request, error: JournalError) -> JSONResponse:
        return _problem(503, "journal", str(error))

    @app.exception_handler(BookError)
    async def book(request: Request, error: BookError) -> JSONResponse:
        where = phrase("pit.web.book-line", line=error.line) if error.line else ""
        words = phrase("pit.web.book", where=where, problem=error.problem, remedy=error.remedy)
        return _problem(422, "rulebook", words)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404 and wants_page(request.method, dict(request.headers)):
            return nowhere()
        detail: object = error.detail
        if isinstance(detail, dict):
            return JSONResponse(detail, error.status_code, headers=error.headers)
        return _problem(error.status_code, "http", str(error.detail), error.headers)

    @app.exception_handler(RequestValidationError)
    async def validation(request: Request, error: RequestValidationError) -> JSONResponse:
        return _problem(422, "not-understood", first_mistake(error.errors()))

    @app.exception_handler(Exception)
    async def fault(request: Request, error: Exception) -> JSONResponse:
        log.error("a fault of ours", path=request.url.path, problem=repr(error), exc_info=error)
        return _problem(500, "fault", phrase("pit.web.that-is-a-fault"))


def _problem(status: int, code: str, message: str, headers: object = None) -> JSONResponse:
    message = message.encode(errors="replace").decode()  # half a character that somebody sent
    return JSONResponse({"code": code, "message": message}, status, headers=headers)  # type: ignore[arg-type]


def _health(app: FastAPI) -> None:
    @app.get("/healthz", openapi_extra=FREE, tags=["health"])
    async def healthz() -> dict[str, str]:
        """Whether the process is alive."""
        return {"status": "ok", "version": boxman.__version__}

    @app.get(
        "/readyz",
        openapi_extra=REQUEST,
        tags=["health"],
        responses={503: {"description": "not ready"}},
    )
    async def readyz() -> JSONResponse:
        """Whether tables can be served: the journal takes rows and the house is not closing."""
        house: Casino = app.state.house
        why = await house.not_ready()
        body = {"status": "ready" if not why else "not ready", "why": why}
        return JSONResponse(body, 503 if why else 200)

    @app.get("/metrics", openapi_extra=REQUEST, tags=["health"], response_class=PlainTextResponse)
    async def metrics(request: Request) -> PlainTextResponse:
        """Counters in the form Prometheus reads, for those with the word of the settings."""
        wanted = app.state.house.config.metrics_token
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not wanted or not hmac.compare_digest(given.encode(), wanted.encode()):
            raise DoorError(403, "not-yours", phrase("pit.web.metrics-are-for-those"))
        told = METRICS.told()
        if told is None:
            words = phrase("pit.web.nothing-is-counted-here")
            raise DoorError(501, "no-metrics", words)
        return PlainTextResponse(told[0], media_type=told[1])


async def serve_socket(socket: WebSocket, house: Casino, table: str) -> None:
    """One WebSocket, from the door to the table."""
    came = house.clock()
    await socket.accept()
    token = socket.cookies.get(COOKIE)
    session = await asyncio.to_thread(house.door.session, token)
    if session is None:
        await _away(socket, CLOSE_WHO, "signed-out", phrase("pit.web.sign-in-or-enter"))
        return
    live = house.pit.tables.get(table)
    if live is None:
        why = await asyncio.to_thread(house.absent, table)
        close = CLOSE_AGAIN if why.code == "elsewhere" else CLOSE_AWAY
        await _away(socket, close, why.code, why.message)
        return
    if house.loud(session.person, came) or live.here[session.person] >= WINDOWS:
        await _away(socket, CLOSE_FLOOD, "too-fast", phrase("pit.web.too-much-at-once"))
        return
    after = socket.query_params.get("after", "")
    stations = await asyncio.to_thread(house.stations, session, live)
    try:
        await Socket(
            socket,
            house.pit,
            live,
            session,
            stations,
            rate=house.config.command_rate,
            after=int(after) if is_number(after) else -1,
            valid=lambda: house.door.session(token) is not None,
            flooding=house.has_flooded,
            cut=socket.scope.get("extensions", {}).get(CUT),
            clocks=house.clock_of,
        ).run()
    except Exception as error:
        log.error("a fault of ours at a socket", problem=repr(error), exc_info=error)
        with suppress(Exception):
            await socket.close(1011, phrase("pit.web.that-is-a-fault-of"))


async def _away(socket: WebSocket, close: int, code: str, message: str) -> None:
    with suppress(RuntimeError):
        await socket.send_json({"is": "error", "code": code, "message": message})
        await socket.close(close, message[:100])
