"""`boxman serve`: the server. It imports what it needs when it runs."""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boxman.cli.errors import UserError

if TYPE_CHECKING:
    from boxman.pit.config import Config

NEEDS = "the server needs its libraries: pip install 'boxman[web]'"


def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port.")] = None,
    database: Annotated[
        str | None, typer.Option(help="A file, memory:, or postgresql://... (boxman.db).")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file of settings.")] = None,
    share: Annotated[
        bool, typer.Option("--share", help="Let the network in, with a link that has a token.")
    ] = False,
    log: Annotated[str | None, typer.Option(help="debug, info, warning or error.")] = None,
) -> None:
    """Serve tables to browsers: lobby, tables, crew consoles, journals."""
    given: dict[str, Any] = {"host": host, "port": port, "database": database, "log": log}
    if share:
        given.update(shared(host))
    settings = read(config, given)

    async def begin(house: Any) -> None:
        from boxman.pit.invitation import invite

        if settings.token:
            typer.echo(f"share this link: {address(settings)}/?token={settings.token}")
        else:
            typer.echo(f"the house is at {address(settings)}/")
        query = f"?token={settings.token}" if settings.token else ""
        page = f"{address(settings)}/setup{query}"
        told = invite(house.door, settings, page, sys.stdout.isatty())
        if told:
            typer.echo(told)
        sys.stdout.flush()

    run(settings, begin)


def shared(host: str | None) -> dict[str, Any]:
    """Settings that let the network in, to those who have the link."""
    import secrets

    return {"host": host or "0.0.0.0", "token": secrets.token_urlsafe(12)}


def read(config: Path | None, given: dict[str, Any]) -> Config:
    """The settings of this run, or one clear message."""
    from boxman.pit.config import ConfigError, settings_of_this_machine

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
    import socket

    host = settings.host
    if host in ("0.0.0.0", "::"):
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                probe.connect(("192.0.2.1", 9))  # nothing is sent: it only picks an interface
                host = str(probe.getsockname()[0])
        except OSError:
            host = "127.0.0.1"
    return f"http://{host}:{settings.port}"


def run(settings: Config, begin: Callable[[Any], Awaitable[None]]) -> None:
    """Run the server until it is told to stop; what was heard is stored first.

    `begin` is given the house as soon as the server listens.
    """
    from boxman.journal.row import JournalError

    try:
        import uvicorn

        from boxman.pit.app import make_app
        from boxman.pit.logs import set_up_logs
    except ImportError as error:
        raise UserError(f"{NEEDS} ({error.name} is missing)") from None
    from boxman.journal.open import open_journal

    try:
        journal = open_journal(settings.database)
    except JournalError as error:
        raise UserError(str(error)) from None
    except ImportError as error:
        raise UserError(f"this database needs a library: {error}") from None
    set_up_logs(settings.log)
    app = make_app(settings, journal=journal)
    # What is loaded stays for good, and rows and tables are frozen structures without cycles:
    # looking through them again and again costs a tenth of the time and finds nothing.
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)

    class Server(uvicorn.Server):
        problem = ""

        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets=sockets)
            if not self.started:
                return
            try:
                await begin(app.state.house)
            except Exception as error:
                self.problem = f"the house cannot open: {error}"
                self.should_exit = True

    server = Server(
        uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            ws="websockets-sansio",
            ws_max_size=settings.message_size,
            ws_per_message_deflate=False,
            ws_ping_interval=20,
            ws_ping_timeout=20,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=5,
            server_header=False,
            h11_max_incomplete_event_size=32 * 1024,
        )
    )
    # The server hands the signal that stopped it on when it is done: by then it has been obeyed.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    try:
        server.run()
    finally:
        journal.close()
    if server.problem:
        raise UserError(server.problem)
    if not server.started:
        raise UserError(
            f"{settings.host}:{settings.port} cannot be listened on; is something there already?"
        )
