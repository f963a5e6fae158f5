"""One socket at one table: what its person says goes to the desk, what is stored comes back.

Every socket has a bounded queue. One that reads too slowly is given a snapshot instead of the rows
it missed. Rows are encoded once for everybody; a menu is worked out when the queue is empty, and
only if something it depends on has changed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect

from boxman.journal.row import Row, Station
from boxman.pit.boss import Live, Pit
from boxman.pit.desk import Command, Heard
from boxman.pit.door import Session, shown_name
from boxman.pit.guard import Bucket
from boxman.pit.hearing import Said, Unheard, read_said, read_spoken
from boxman.pit.metrics import METRICS
from boxman.pit.notebook import Notebook
from boxman.pit.reading import doors
from boxman.pit.seats import seat_for, seat_in_play, seat_of
from boxman.pit.stations import KINDS, MAY_SAY, PLAYER, SPECTATOR, tag_of
from boxman.pit.told import encode, refusal_of
from boxman.pit.view import menu_changes, menu_of, menu_view
from boxman.table.menu import Menu
from boxman.table.state import Table

QUEUE = 256
"""Messages that wait for a slow reader before it is given a snapshot instead."""
AWHILE = 60
"""Rows that somebody who may not read the journal is told again after a short absence."""
BURST = 80.0
"""Messages at once, whatever the rate."""
TOGETHER = 100
"""Calls in one message."""
CLOSE_AWAY, CLOSE_AGAIN, CLOSE_WHO = 4404, 1013, 4401


class Socket:
    """A person at a table, by one connection."""

    def __init__(
        self,
        socket: WebSocket,
        pit: Pit,
        live: Live,
        session: Session,
        stations: tuple[str, ...],
        *,
        rate: float,
        after: int = -1,
        valid: Callable[[], bool],
        clocks: Callable[[Session, Live], dict[str, Any] | None] | None = None,
    ) -> None:
        self.socket, self.pit, self.live = socket, pit, live
        self.session, self.stations = session, stations
        self.bucket = Bucket(rate, max(BURST, rate * 4)) if rate else None
        self.valid, self.clocks = valid, clocks
        self.queue: list[str] = []
        self.behind = True
        self.wake = asyncio.Event()
        self.close: tuple[int, str] | None = None
        self._seen: Any = None
        self._menu: Menu | None = None
        if after >= 0:
            self._resume(after)

    # -- telling -------------------------------------------------------------------------------

    def told(self, live: Live, messages: list[str]) -> None:
        """Rows were stored."""
        if self.behind:
            return
        if len(self.queue) + len(messages) > QUEUE:
            self.queue.clear()
            self.behind = True
            METRICS.behind.inc()
        else:
            self.queue += messages
        self.wake.set()

    def stopped(self, live: Live, code: str, message: str) -> None:
        """The table stands still, or is not run here any more."""
        self.say({"is": "error", "code": code, "message": message})
        if code in ("elsewhere", "stopping"):
            self.close = (CLOSE_AGAIN, message)

    def appoint(self, stations: tuple[str, ...]) -> None:
        """This person works other stations from now on."""
        self.stations = stations
        self._seen = None
        self.wake.set()

    def say(self, message: dict[str, Any]) -> None:
        """Tell this person something that is no row."""
        self.queue.append(encode(message).decode())
        self.wake.set()

    async def run(self) -> None:
        """Until the socket closes: send what is stored, hear what is said."""
        self.live.listeners.add(self)
        self.live.here[self.session.person] += 1
        METRICS.sockets.inc()
        sender = asyncio.create_task(self._send())
        self.wake.set()
        try:
            while True:
                message = await self.socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                text = message.get("text") or message.get("bytes") or b""
                self.hear(text)
                if self.close is not None:
                    break
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            self.live.listeners.discard(self)
            self._gone()
            METRICS.sockets.dec()
            if self.close is not None:
                self.wake.set()
                await asyncio.wait([sender], timeout=1)
            sender.cancel()

    async def _send(self) -> None:
        try:
            while True:
                await self.wake.wait()
                self.wake.clear()
                parts = self.queue
                self.queue = []
                if self.behind:
                    parts = [
                        self._snapshot(),
                        *(p for p in parts if not p.startswith('{"is":"row"')),
                    ]
                    self.behind = False
                own = self._own()
                if own:
                    number = self.live.desk.shown[2].number
                    message = {"is": "view", "number": number, "view": own}
                    parts.append(encode(message).decode())
                if parts:
                    text = parts[0] if len(parts) == 1 else f"[{','.join(parts)}]"
                    await self.socket.send({"type": "websocket.send", "text": text})
                if self.close is not None and not self.queue:
                    code, reason = self.close
                    await self.socket.close(code, reason[:100])
                    return
        except (WebSocketDisconnect, RuntimeError):
            pass

    def _snapshot(self) -> str:
        self._seen = self._menu = None
        number = self.live.desk.shown[2].number
        message = {"is": "snapshot", "number": number, "view": self.live.snapshot()}
        return encode(message).decode()

    def _own(self) -> dict[str, Any]:
        """What this person alone sees, if it is different from what he was told last."""
        table, book, _ = self.live.desk.shown
        made: dict[str, Any] = {}
        seat = seat_in_play(table, book, self.session.person)
        own = table.seats.get(seat)
        seen = (own, table.puck, table.phase, table.posted, table.latched, table.hand, table.floor)
        if self._seen is None or any(a is not b for a, b in zip(seen, self._seen, strict=True)):
            if self._seen is None or (seen[0] is None) != (self._seen[0] is None):
                made["me"] = self.me(table, book)
            self._seen = seen
            new = menu_of(self.live.desk.layout, table, book, seat, self._at(book))
            if self._menu is None or new is None:
                made["menu"] = menu_view(new)
            else:
                made["menu_changes"] = menu_changes(self._menu, new)
            self._menu = new
        return made

    def _at(self, book: Notebook) -> int:
        return book.seconds(self.pit.clock())

    def me(self, table: Table, book: Notebook) -> dict[str, Any]:
        """Who the viewer is at this table."""
        seat = seat_in_play(table, book, self.session.person)
        seated, had = bool(seat), seat_of(table, book, self.session.person)
        return {
            "person": self.session.person,
            "name": shown_name(self.session.person),
            "seat": seat or None,
            "left": had if had in book.leaving else None,
            "stations": [PLAYER, *self.stations] if seated else [*self.stations],
            "guest": self.session.guest,
            "administrator": self.session.administrator,
            "reads": doors(self.session, self.stations, table, book),
        }

    # -- hearing -------------------------------------------------------------------------------

    def hear(self, text: str | bytes) -> None:
        """One message from the client: answered in every case, with one message."""
        said = None
        try:
            if not self.valid():
                self.close = (CLOSE_WHO, "the session is over")
                raise Unheard("signed-out", "your session is over; sign in again")
            said = read_said(text)
            if not self._may_go_on(said):
                raise Unheard("too-fast", "too many messages; wait a moment")
            self._do(said)
        except Unheard as unheard:
            METRICS.commands.labels("unheard").inc()
            message = {"is": "error", "code": unheard.code, "message": unheard.message}
            if said is not None and said.id:
                message["id"] = said.id
            self.say(message)

    def _may_go_on(self, said: Said) -> bool:
        """Whether this person is within his rate; several calls in one message count as fewer."""
        if self.bucket is None:
            return True
        now = time.monotonic()
        return all(self.bucket.take(now) for _ in range(1 + len(said.calls) // 8))

    def _several(self, calls: list[Said]) -> None:
        """Calls said in one breath: each is ruled on, and answered, by itself and in order."""
        if len(calls) > TOGETHER:
            raise Unheard("not-understood", f"at most {TOGETHER} calls are said together")
        for each in calls:
            try:
                self._call(each)
            except Unheard as unheard:
                METRICS.commands.labels("unheard").inc()
                self.say(
                    {
                        "is": "error",
                        "code": unheard.code,
                        "message": unheard.message,
                        "id": each.id,
                    }
                )

    def _do(self, said: Said) -> None:
        match said.do:
            case "call":
                self._call(said)
            case "calls":
                self._several(said.calls)
            case "entropy":
                said.call = {"type": "addentropy", "text": said.text}
                self._call(said)
            case "ready" | "throw":
                self._ready()
            case "undo":
                self._undo(said)
            case "resume":
                self._resume(said.after)
            case "ping":
                self.say({"is": "pong", "number": self.live.desk.shown[2].number})
            case "clock":
                told = self.clocks(self.session, self.live) if self.clocks else None
                self.say({"is": "clock", **(told or {})})
            case _:
                raise Unheard(
                    "not-understood",
                    "a message does one of: call, calls, entropy, ready, undo, resume, ping, clock",
                )

    def _undo(self, said: Said) -> None:
        """A wager put down by mistake: the automatic box gives it back, on record."""
        desk = self.live.desk
        if "box" not in desk.book.setup.automatic:
            raise Unheard("not-your-station", "ask the boxperson to give it back")
        if not said.id:
            raise Unheard("no-id", "an undo has an id, chosen by you, that you use only once")
        seat = seat_of(desk.table, desk.book, self.session.person)
        wish = {"type": "giveback", "seat": seat or "nobody", "spot": said.spot}
        call = read_spoken(Said(do="call", call=wish), "box", "")
        command = Command(
            id=f"{self.session.person}/{said.id}",
            station=Station("box", person="auto:box"),
            call=call,
        )
        self._take(said.id, command)

    def _ready(self) -> None:
        table, book, _ = self.live.desk.shown
        if not seat_in_play(table, book, self.session.person):
            raise Unheard("not-seated", "only somebody seated asks for the throw")
        self.live.ready.setdefault(self.session.person, self.pit.clock())
        self.live.tell_readiness()

    def _gone(self) -> None:
        """One window fewer; with the last one gone nobody waits for this person any more."""
        self.live.here[self.session.person] -= 1
        if not self.live.here[self.session.person]:
            del self.live.here[self.session.person]
            self.live.ready.pop(self.session.person, None)
            if self.live.ready:
                self.live.tell_readiness()

    def _resume(self, after: int) -> None:
        missed = self.live.since(after) if after >= 0 else None
        table, book, _ = self.live.desk.shown
        reads = "rows" in doors(self.session, self.stations, table, book)
        if missed is None or len(missed) > (QUEUE if reads else AWHILE):
            self.behind = True
        else:
            number = self.live.desk.shown[2].number
            # Rows that wait in the queue are among those missed.
            self.queue = [p for p in self.queue if not p.startswith('{"is":"row"')]
            self.queue = [*missed, *self.queue]
            self.behind = False
            self.say({"is": "resumed", "number": number})
        self.wake.set()

    def _call(self, said: Said) -> None:
        if not said.id:
            raise Unheard("no-id", "a call has an id, chosen by you, that you use only once")
        # As the desk has it now: a name that somebody just took is taken.
        table, book = self.live.desk.table, self.live.desk.book
        role = self._role(said, book)
        seat = seat_for(table, book, self.session.person) if role == PLAYER else ""
        if said.call is not None:
            self._may_say(role, str(said.call.get("type", "")))
        call = read_spoken(said, role, seat)
        self._may_say(role, tag_of(call))
        person = self.session.person
        command = Command(
            id=f"{person}/{said.id}",
            station=Station(role, seat, person),
            call=call,
            stand_in=self._stand_in(role),
        )
        self._take(said.id, command)

    def _take(self, call_id: str, command: Command) -> None:
        began = time.perf_counter()

        def answer(heard: Heard | None, code: str = "", message: str = "") -> None:
            METRICS.acknowledged.observe(time.perf_counter() - began)
            self._answer(call_id, heard.row if heard else None, code, message)

        self.pit.take(self.live, command, answer)

    def _may_say(self, role: str, tag: str) -> None:
        if tag in MAY_SAY[role] or tag not in KINDS:
            return
        METRICS.turned_away.labels("station").inc()
        others = [name for name, may in MAY_SAY.items() if tag in may]
        raise Unheard(
            "not-your-station",
            f"the {role} does not say {tag}"
            + (f"; it is for: {', '.join(others)}" if others else ""),
        )

    def _role(self, said: Said, book: Notebook) -> str:
        if said.station and said.station not in (PLAYER, SPECTATOR):
            if said.station not in self.stations and not self._named_for(said.station):
                METRICS.turned_away.labels("station").inc()
                raise Unheard("not-your-station", f"you do not work as {said.station} here")
            return said.station
        if said.station == SPECTATOR:
            return SPECTATOR
        if self.session.guest and not book.setup.practice:
            raise Unheard("not-your-station", "guests watch here; they play at practice tables")
        return PLAYER

    def _named_for(self, station: str) -> bool:
        """Whether this person was named at the table to stand in for a station."""
        named = self.live.desk.table.floor.stand_ins
        return not self.session.guest and named.get(self.session.person) == station

    def _stand_in(self, role: str) -> str:
        if role in (PLAYER, SPECTATOR) or role in self.stations:
            return ""
        return self.session.person

    def _answer(self, call_id: str, row: Row | None, code: str, message: str) -> None:
        if row is None:
            METRICS.commands.labels("lost").inc()
            self.say({"is": "error", "code": code, "message": message, "id": call_id})
            return
        refused = refusal_of(row)
        METRICS.commands.labels("refused" if refused else "accepted").inc()
        self.say({"is": "answer", "id": call_id, "number": row.number, "refused": refused})
