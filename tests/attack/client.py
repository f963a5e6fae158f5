"""HTTP and WebSocket by hand, over plain sockets: what a browser would never send can be sent.

It imports nothing of `boxman` and no library, so that it shares no mistake with what it attacks.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

PATIENCE = 60.0
"""Seconds to wait for an answer before it counts as none; nobody waits so long where one comes."""
NUMBERS = itertools.count(1)


class Silence(AssertionError):
    """No answer came in time."""


class Answer(NamedTuple):
    """What came back over HTTP."""

    status: int
    headers: dict[str, str]
    cookies: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body) if self.body else None

    @property
    def code(self) -> str:
        """The code of a refusal."""
        return str(self.json["code"])


class Line:
    """A connection that one writes bytes to and reads bytes from."""

    def __init__(self, port: int, patience: float = PATIENCE, source: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), patience, (source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.kept = b""

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def shout(self, data: bytes, times: int) -> None:
        """Send the same again and again, and read nothing."""
        for _ in range(times):
            self.send(data)

    def until(self, mark: bytes) -> bytes:
        """Everything up to and with a mark."""
        while mark not in self.kept:
            self._more()
        found, _, self.kept = self.kept.partition(mark)
        return found + mark

    def exactly(self, size: int) -> bytes:
        while len(self.kept) < size:
            self._more()
        found, self.kept = self.kept[:size], self.kept[size:]
        return found

    def _more(self) -> None:
        try:
            data = self.socket.recv(1 << 16)
        except TimeoutError:
            raise Silence("no answer") from None
        if not data:
            raise ConnectionResetError("closed by the house")
        self.kept += data

    def close(self) -> None:
        self.socket.close()

    def __del__(self) -> None:
        if hasattr(self, "socket"):  # nobody answered
            self.socket.close()

    def ended(self) -> bytes:
        """Whatever comes until the house ends the connection; Silence if it does not."""
        with suppress(ConnectionError):
            while True:
                self._more()
        return self.kept

    def head(self) -> tuple[int, dict[str, str], dict[str, str]]:
        """The first lines of an answer: status, headers, cookies."""
        first, *lines = self.until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        headers: dict[str, str] = {}
        cookies: dict[str, str] = {}
        for line in filter(None, lines):
            name, _, value = line.partition(":")
            if name.lower() == "set-cookie":
                key, _, worth = value.strip().partition(";")[0].partition("=")
                cookies[key] = worth.strip('"')
            headers[name.lower()] = value.strip()
        return int(first.split()[1]), headers, cookies

    def answer(self, bodiless: bool = False) -> Answer:
        """A whole answer over HTTP."""
        status, headers, cookies = self.head()
        body = b""
        if headers.get("transfer-encoding") == "chunked":
            while size := int(self.until(b"\r\n"), 16):
                body += self.exactly(size)
                self.until(b"\r\n")
        elif not bodiless and status not in (204, 304):
            body = self.exactly(int(headers.get("content-length", "0")))
        return Answer(status, headers, cookies, body)


def request(method: str, path: str, headers: dict[str, str], body: bytes = b"") -> bytes:
    """The bytes of a request."""
    if body or method in ("POST", "PUT", "PATCH"):
        headers = {"Content-Length": str(len(body)), **headers}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


class Visitor:
    """Somebody with cookies of his own, at one address of the house."""

    def __init__(self, port: int, *, patience: float = PATIENCE, source: str = "127.0.0.1") -> None:
        self.port, self.patience, self.source = port, patience, source
        self.cookies: dict[str, str] = {}
        self.headers: dict[str, str] = {}
        """Headers that go with every request."""

    def line(self) -> Line:
        return Line(self.port, self.patience, self.source)

    def usual(self) -> dict[str, str]:
        made = {"Host": f"127.0.0.1:{self.port}", **self.headers}
        if self.cookies:
            made["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return made

    def ask(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """One request on a connection of its own, whatever the answer."""
        data = b"" if body is None else json.dumps(body).encode()
        named = {**self.usual(), "Connection": "close", **(headers or {})}
        if data:
            named.setdefault("Content-Type", "application/json")
        line = self.line()
        try:
            line.send(request(method, path, named, data))
            answer = line.answer(bodiless=method == "HEAD")
        finally:
            line.close()
        for name, value in answer.cookies.items():
            self.cookies[name] = value
        return answer

    def get(self, path: str, status: int = 200) -> Any:
        answer = self.ask("GET", path)
        assert answer.status == status, (path, answer)
        return answer.json

    def post(self, path: str, status: int = 200, /, **body: Any) -> Any:
        answer = self.ask("POST", path, body)
        assert answer.status == status, (path, answer)
        return answer.json

    def at(self, table: str, query: str = "") -> Seat:
        """A WebSocket at a table."""
        return Seat(self, f"/ws/tables/{table}{query}")


class Closed(ConnectionError):
    """The house closed the socket: its code and reason."""

    def __init__(self, code: int, reason: str) -> None:
        self.code, self.reason = code, reason
        super().__init__(f"{code} {reason}")


MORE, TEXT, CLOSE, PING, PONG = 0, 1, 8, 9, 10


def frame(
    payload: bytes, opcode: int = TEXT, mask: bytes | None = None, first: int | None = None
) -> bytes:
    """One frame of a client; `first` overrides the first byte."""
    mask = os.urandom(4) if mask is None else mask
    size = len(payload)
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 1 << 16:
        length = bytes([0x80 | 126]) + struct.pack(">H", size)
    else:
        length = bytes([0x80 | 127]) + struct.pack(">Q", size)
    wide = (mask * (size // 4 + 1))[:size]
    masked = (int.from_bytes(payload, "big") ^ int.from_bytes(wide, "big")).to_bytes(size, "big")
    return bytes([0x80 | opcode if first is None else first]) + length + mask + masked


class Seat:
    """A socket at a table, and everything it was told and has not looked at."""

    def __init__(self, visitor: Visitor, path: str) -> None:
        self.line = visitor.line()
        key = base64.b64encode(os.urandom(16)).decode()
        named = {
            **visitor.usual(),
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": key,
        }
        self.line.send(request("GET", path, named))
        status, _, _ = self.line.head()
        if status != 101:
            raise Closed(status, "not let in")
        self.heard: list[dict[str, Any]] = []

    def __enter__(self) -> Seat:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.line.close()

    def send(self, **message: Any) -> None:
        self.line.send(frame(json.dumps(message).encode()))

    def frames(self) -> Iterator[bytes]:
        """Texts that come in, until the house closes the socket or has nothing to say."""
        until = time.monotonic() + PATIENCE
        while True:
            if time.monotonic() > until:
                raise Silence("pings, and no word")
            try:
                first, second = self.line.exactly(2)
                size = second & 0x7F
                if size == 126:
                    size = struct.unpack(">H", self.line.exactly(2))[0]
                elif size == 127:
                    size = struct.unpack(">Q", self.line.exactly(8))[0]
                payload = self.line.exactly(size)
            except (ConnectionResetError, BrokenPipeError):
                raise Closed(1006, "cut off") from None
            opcode = first & 0x0F
            if opcode == PING:
                self.line.send(frame(payload, PONG))
            elif opcode == CLOSE:
                code = struct.unpack(">H", payload[:2])[0] if payload else 1005
                raise Closed(code, payload[2:].decode())
            elif opcode != PONG:
                yield payload
                until = time.monotonic() + PATIENCE

    def next(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds; others are kept in `heard`."""
        until = time.monotonic() + PATIENCE
        while True:
            for index, message in enumerate(self.heard):
                if message["is"] in kinds:
                    return self.heard.pop(index)
            if time.monotonic() > until:
                raise Silence(f"no {kinds}")
            found = json.loads(next(self.frames()))
            self.heard += found if isinstance(found, list) else [found]

    def answer(self, call_id: str) -> dict[str, Any]:
        """The answer to a call, or the error that it met."""
        others = []
        while (message := self.next("answer", "error")).get("id") != call_id:
            others.append(message)
        self.heard = others + self.heard
        return message

    def say(self, kind: str, station: str = "", /, id: str = "", **fields: Any) -> dict[str, Any]:
        """Make a call and wait for its answer."""
        call_id = id or f"c{next(NUMBERS)}"
        self.send(do="call", id=call_id, station=station, call={"type": kind, **fields})
        return self.answer(call_id)

    def closing(self) -> Closed:
        """Read on until the house closes the socket: how it did."""
        try:
            for _ in self.frames():
                pass
        except Closed as closed:
            return closed
        raise AssertionError("unreachable")
