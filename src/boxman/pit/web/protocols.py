"""Connections as the server keeps them: who says half a request and no more is not waited for.

uvicorn's own protocols, with what they leave open: a time for a whole request, line ends that two
readers could take for two things, and a way to cut a socket off that will not read. It knows no
table and no person.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from boxman.pit.people.bucket import Bucket

CUT = "boxman.cut"
"""The extension by which a socket's connection is ended at once, whatever waits to be read."""
PIECE = 2_048
"""Bytes of a socket that are looked at before anybody else has a turn."""
AFTER = 16 * 1024
"""Bytes of a socket that are looked at after the house has closed it: calls on their way, and the
answer to the closing. Who goes on shouting is not read any more, and waits."""
EXTRA = (10.0, 200.0)
"""Pings, pongs and pieces of messages that a socket may send, a second and at once: no rate of
messages counts them."""
LATE = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n"
    b'{"code":"too-slow","message":"half a request is not waited for"}'
)


class HttpProtocol(H11Protocol):
    """HTTP/1.1 with a time for every request."""

    patience = 15.0
    """Seconds in which a request is said, from its first byte (or the connection's) on; something
    of its answer is taken in four times as many."""
    late: asyncio.TimerHandle | None = None
    unread: asyncio.TimerHandle | None = None
    """When an answer that nobody takes is given up."""
    upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        if self.conn.their_state is h11.IDLE:
            self._wait()
            head = (self.conn.trailing_data[0] + data).partition(b"\r\n\r\n")[0]
            if b"\n" in head.replace(b"\r\n", b""):
                # What one reader takes for the end of a line another may not: nobody means it well.
                self.send_400_response("Invalid HTTP request received.")
                self._stop_waiting()
                return
        super().data_received(data)
        if not self._half():
            self._stop_waiting()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.unread = self.loop.call_later(4 * self.patience, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._give_up_no_more()

    def _give_up_no_more(self) -> None:
        if self.unread is not None:
            self.unread.cancel()
            self.unread = None

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.upgraded = True
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._give_up_no_more()
        super().connection_lost(exc)

    def _half(self) -> bool:
        """Whether a request has begun and is not all here."""
        if self.upgraded:
            return False
        state = self.conn.their_state
        return state is h11.SEND_BODY or (state is h11.IDLE and bool(self.conn.trailing_data[0]))

    def _wait(self) -> None:
        if self.late is None:
            self.late = self.loop.call_later(self.patience, self._too_late)

    def _stop_waiting(self) -> None:
        if self.late is not None:
            self.late.cancel()
            self.late = None

    def _too_late(self) -> None:
        self.late = None
        if self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]:
            self.transport.write(LATE)
            self.transport.close()
        else:
            self.transport.abort()


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket whose connection can be cut, and that is read a little at a time: what one of
    them shouts does not keep the others waiting."""

    rest = b""
    """What has come and is not looked at yet."""
    after = AFTER
    """Bytes that are still looked at once the house has closed it."""
    extra: Bucket | None = None

    def data_received(self, data: bytes) -> None:
        if self.close_sent:
            self.after -= len(data)
            if self.after < 0:
                self.rest = b""
                self.transport.pause_reading()
                return
        self.rest += data
        self._look_on()

    def handle_ping(self) -> None:
        if self._may():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._may():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._may():
            super().handle_cont(event)

    def _may(self) -> bool:
        """Whether what no rate of messages counts may come; else the connection is ended."""
        self.extra = self.extra or Bucket(*EXTRA)
        if self.extra.take(self.loop.time()):
            return True
        self.transport.abort()
        return False

    def _look_on(self) -> None:
        while self.rest and not self.read_paused and not self.transport.is_closing():
            piece, self.rest = self.rest[:PIECE], self.rest[PIECE:]
            super().data_received(piece)

    async def receive(self) -> Any:
        message = await super().receive()
        if self.rest:
            self.loop.call_soon(self._look_on)
        return message

    async def run_asgi(self) -> None:
        extensions: dict[Any, Any] = self.scope["extensions"]
        extensions[CUT] = self.transport.abort
        await super().run_asgi()
