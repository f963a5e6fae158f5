"""`boxman serve`: the server. It imports what it needs when it runs."""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boxman.cli.errors import UserError
from boxman.rules.book import add_houses
from boxman.rules.compile import load
from boxman.words import phrase

if TYPE_CHECKING:
    import socket

    from boxman.pit.house import Casino
    from boxman.pit.web.config import Config


def serve(
    host: Annotated[str | None, typer.Option()] = None,
    port: Annotated[int | None, typer.Option()] = None,
    database: Annotated[
        str | None,
        typer.Option(),
    ] = None,
    config: Annotated[Path | None, typer.Option()] = None,
    house: Annotated[list[str] | None, typer.Option("--house")] = None,
    share: Annotated[bool, typer.Option("--share")] = False,
    log: Annotated[str | None, typer.Option()] = None,
) -> None:
    """Serve live tables to browsers, with lobby, crew and journals."""
    given: dict[str, object] = {"host": host, "port": port, "database": database, "log": log}
    if share:
        given.update(shared(host))
    settings = read(config, given)
    for added in add_houses([*settings.houses, *(house or ())]):
        load(added)  # one that is not in order is told before anybody comes

    async def begin(house: Casino) -> None:
        from boxman.pit.people.invitation import invite

        if settings.token:
            typer.echo(
                phrase(
                    "cli.play.share-this-link-token",
                    settings=address(settings),
                    token=settings.token,
                )
            )
        else:
            typer.echo(phrase("cli.play.the-house-is-at", settings=address(settings)))
        query = f"?token={settings.token}" if settings.token else ""
        page = f"{address(settings)}/setup{query}"
        told = invite(house.door, settings, page, sys.stdout.isatty())
        if told:
            typer.echo(told)
        sys.stdout.flush()

    run(settings, begin)


def shared(host: str | None) -> dict[str, object]:
    """Settings that let the network in, to those who have the link."""
    import secrets

    return {"host": host or "0.0.0.0", "token": secrets.token_urlsafe(12)}


def read(config: Path | None, given: dict[str, object]) -> Config:
    """The settings of this run, or one clear message."""
    from boxman.pit.web.config import ConfigError, settings_of_this_machine

    try:
        found = settings_of_this_machine(config, given)
    except ConfigError as error:
        raise UserError(str(error)) from None
    if found.port:
        return found
    import msgspec

    return msgspec.structs.replace(found, port=free_port())


def free_port() -> int:
    """A port nobody listens on."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def address(settings: Config) -> str:
    """Where a browser on this machine, or on the network, finds the house."""
    from boxman.pit.web.config import ANY, own_address

    host = own_address() if settings.host in ANY else settings.host
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"


def listen(settings: Config) -> socket.socket:
    """The door to the network, held open before anything else is: what cannot be listened on is
    said at once."""
    import socket

    try:
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        found = socket.socket(family)
        try:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind((settings.host, settings.port))
        except OSError:
            found.close()
            raise
    except OSError as error:
        raise UserError(
            phrase(
                "cli.play.cannot-be-listened-on",
                host=settings.host,
                port=settings.port,
                strerror=error.strerror,
            )
        ) from None
    return found


def run(settings: Config, begin: Callable[[Casino], Awaitable[None]]) -> None:
    """Run the server until it is told to stop; what was heard is stored first.

    `begin` is given the house as soon as the server listens.
    """
    try:
        import boxman.pit.web.app
        import boxman.pit.web.protocols  # noqa: F401
    except ImportError as error:
        raise UserError(phrase("cli.play.is-missing", error=error.name)) from None
    with contextlib.closing(listen(settings)) as door:
        _serve(settings, begin, door)


def _serve(
    settings: Config, begin: Callable[[Casino], Awaitable[None]], door: socket.socket
) -> None:
    import uvicorn

    from boxman.journal.row import JournalError
    from boxman.pit.backroom.seals import sealer_of
    from boxman.pit.logs import set_up_logs
    from boxman.pit.web.api.houses import get_ready
    from boxman.pit.web.app import journal_of, make_app, wall_clock
    from boxman.pit.web.protocols import HttpProtocol, SocketProtocol

    try:
        journal = journal_of(settings)
        try:
            sealer = sealer_of(settings, wall_clock)
            if sealer is not None:
                sealer.check(journal)
        except JournalError:
            journal.close()
            raise
    except JournalError as error:
        raise UserError(str(error)) from None
    except ImportError as error:
        raise UserError(phrase("cli.play.this-database-needs-a", error=error)) from None
    set_up_logs(settings.log)
    app = make_app(settings, journal=journal)
    # What is loaded stays for good, and rows and tables are frozen structures without cycles:
    # looking through them again and again costs a tenth of the time and finds nothing.
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)

    HttpProtocol.patience = settings.request_seconds

    class Server(uvicorn.Server):
        problem = ""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            if not self.started:
                return
            try:
                await begin(app.state.house)
            except Exception as error:
                self.problem = phrase("cli.play.the-house-cannot-open-2", error=error)
                self.should_exit = True
                return
            threading.Thread(target=get_ready, daemon=True).start()

    server = Server(
        uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            http=HttpProtocol,
            ws=SocketProtocol,
            ws_max_size=settings.message_size,
            ws_per_message_deflate=False,
            ws_ping_interval=20,
            ws_ping_timeout=20,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=5,
            server_header=False,
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=",".join(settings.proxies) or None,
            h11_max_incomplete_event_size=32 * 1024,
        )
    )
    # The server hands the signal that stopped it on when it is done: by then it has been obeyed.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    try:
        server.run(sockets=[door])
    finally:
        journal.close()
    if server.problem:
        raise UserError(server.problem)
    if not server.started:
        raise UserError(phrase("cli.play.the-house-cannot-open"))
