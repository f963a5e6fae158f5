"""A server for tests, in a thread of its own, and people who speak to it."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from boxman.journal.memory import MemoryJournal
from boxman.journal.store import Journal
from boxman.pit.web.app import make_app, wall_clock
from boxman.pit.web.config import Config
from boxman.pit.web.protocols import HttpProtocol, SocketProtocol

PASSWORD = "a word nobody knows"
FREE = {"request_rate": 0.0, "command_rate": 0.0, "sign_in_rate": 0.0}


class Served:
    """A running server."""

    def __init__(self, address: str, app: Any) -> None:
        self.address, self.app = address, app
        self.url = f"http://{address}"
        self.people: list[Person] = []

    def person(self) -> Person:
        """Somebody with a browser of his own."""
        self.people.append(Person(self))
        return self.people[-1]

    @property
    def house(self) -> Any:
        return self.app.state.house


@contextmanager
def served(
    journal: Journal | None = None,
    *,
    clock: Callable[[], int] = wall_clock,
    host: str = "127.0.0.1",
    **settings: Any,
) -> Iterator[Served]:
    """Serve until the test is done."""
    config = Config(database="memory:", host=host, **{**FREE, **settings})
    app = make_app(config, journal=journal or MemoryJournal(), clock=clock)
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            host=host,
            port=0,
            http=HttpProtocol,
            ws=SocketProtocol,
            ws_max_size=config.message_size,
            ws_per_message_deflate=False,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=2,
        )
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        thread.join(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    running = Served(f"{host}:{port}", app)
    try:
        yield running
    finally:
        for person in running.people:
            person.close()
        server.should_exit = True
        thread.join(60)
        assert not thread.is_alive(), "the server did not stop"


class Person:
    """Somebody with cookies: asks over HTTP, sits at tables over a socket."""

    def __init__(self, server: Served) -> None:
        self.server = server
        # The server closes what nobody used for five seconds; nothing is sent into that.
        kept = httpx.Limits(keepalive_expiry=2)
        self.http = httpx.Client(base_url=server.url, timeout=60, verify=False, limits=kept)

    def close(self) -> None:
        self.http.close()

    def post(self, path: str, status: int | None = None, /, **body: Any) -> Any:
        answer = self.http.post(path, json=body)
        if status is not None:
            assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    def get(self, path: str, status: int = 200) -> Any:
        answer = self.http.get(path)
        assert answer.status_code == status, answer.text
        return answer.json()

    def guest(self, name: str) -> Person:
        self.post("/api/session", 200, name=name, guest=True)
        return self

    def sign_in(self, name: str) -> Person:
        self.post("/api/session", 200, name=name, password=PASSWORD)
        return self

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    def at(self, table: str, query: str = "") -> Seat:
        url = f"ws://{self.server.address}/ws/tables/{table}{query}"
        return Seat(
            connect(
                url,
                additional_headers={"Cookie": self.cookie},
                compression=None,
                max_queue=None,
                ping_interval=None,
                close_timeout=2,
            )
        )


class Seat:
    """A socket at a table, and everything it was told."""

    numbers = itertools.count(1)

    def __init__(self, opening: connect) -> None:
        self.opening = opening
        self.socket: ClientConnection = opening.__enter__()
        self.heard: list[dict[str, Any]] = []

    def __enter__(self) -> Seat:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.opening.__exit__(None, None, None)

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def next(self, *kinds: str, timeout: float = 60) -> dict[str, Any]:
        """The next message of one of these kinds; others are kept in `heard`."""
        while True:
            for index, message in enumerate(self.heard):
                if message["is"] in kinds:
                    return self.heard.pop(index)
            found = json.loads(self.socket.recv(timeout=timeout))
            self.heard += found if isinstance(found, list) else [found]

    def answer(self, call_id: str, timeout: float = 60) -> dict[str, Any]:
        """The answer to a call, or the error that it met."""
        others = []
        while (message := self.next("answer", "error", timeout=timeout)).get("id") != call_id:
            others.append(message)
        self.heard = others + self.heard
        return message

    def say(self, kind: str, station: str = "", /, **fields: Any) -> dict[str, Any]:
        """Make a call and wait for its answer."""
        call_id = f"call-{next(self.numbers)}"
        call = {"type": kind, **fields}
        self.send(do="call", id=call_id, station=station, call=call)
        return self.answer(call_id)


def set_up(server: Served) -> Person:
    """The administrator of a new house."""
    boss = server.person()
    code = server.house.door.invite()
    boss.post("/api/setup", 201, name="boss", password=PASSWORD, code=code)
    return boss
