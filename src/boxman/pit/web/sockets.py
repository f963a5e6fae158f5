"""One socket at one table: what its person says goes to the desk, what is stored comes back.

Every socket has a bounded queue. One that reads too slowly is given a snapshot instead of the rows
it missed; while too many answers wait it is not heard; one that goes on over its rate, or reads
nothing for long, is cut off, and nobody else notices. Rows are encoded once for everybody; a menu
is worked out when the queue is empty, and only if something it depends on has changed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from fastapi import WebSocket, WebSocketDisconnect

from boxman.journal.row import Row, Station
from boxman.pit.around import Live
from boxman.pit.boss import Pit
from boxman.pit.house import CLOSE_WHO
from boxman.pit.live.auto import FASTEST, MOST, UNTIL, AutoRoll
from boxman.pit.live.desk import Command, Heard
from boxman.pit.live.notebook import Notebook
from boxman.pit.live.stations import CALL_KINDS, MAY_SAY, PLAYER, SPECTATOR, tag_of
from boxman.pit.people.bucket import Bucket
from boxman.pit.people.door import Visit, shown_name
from boxman.pit.people.readers import doors
from boxman.pit.people.seats import seat_for, seat_in_play, seat_of
from boxman.pit.told.rows import encode, refusal_of
from boxman.pit.told.view import menu_changes, menu_of, menu_view
from boxman.pit.web.hearing import Said, Unheard, read_said, read_spoken
from boxman.pit.web.metrics import METRICS
from boxman.table.said.menu import Menu
from boxman.table.state import Table
from boxman.words import phrase, speaking, spoken, under

QUEUE = 256
"""Messages that wait for a slow reader before it is given a snapshot instead."""
AWHILE = 60
"""Rows that somebody who may not read the journal is told again after a short absence."""
BURST = 80.0
"""Messages at once, whatever the rate."""
TOGETHER = 100
"""Calls in one message."""
HAILS = under("pages.hails")
"""What may be called to a table: words of the phrase book, and no others."""
CLOSE_AWAY, CLOSE_AGAIN, CLOSE_FLOOD = 4404, 1013, 4429
OVER = 60.0
"""Messages over the rate that are still answered; who goes on is cut off."""
UNREAD = 2 * QUEUE
"""Answers that wait, or are still to come, before nothing more is heard from this person."""
WINDOWS = 8
"""Sockets of one person at one table."""
SLOW = 30.0
"""Seconds in which a client takes what it is sent, or is cut off."""


class Socket:
    """A person at a table, by one connection."""

    def __init__(
        self,
        socket: WebSocket,
        pit: Pit,
        live: Live,
        session: Visit,
        stations: tuple[str, ...],
        *,
        rate: float,
        after: int = -1,
        valid: Callable[[], bool],
        cut: Callable[[], None] | None = None,
        flooding: Callable[[str], None] | None = None,
        clocks: Callable[[Visit, Live], dict[str, object] | None] | None = None,
    ) -> None:
        self.socket, self.pit, self.live = socket, pit, live
        self.session, self.stations = session, stations
        self.bucket = Bucket(rate, max(BURST, rate * 4)) if rate else None
        self.over = Bucket(rate / 10, OVER) if rate else None
        self.valid, self.clocks, self.cut, self.flooding = valid, clocks, cut, flooding
        self.language = spoken()
        self.unanswered = 0
        """Calls that were taken and whose answers are still to come."""
        self.drained = asyncio.Event()
        self.queue: list[str] = []
        self.behind = True
        self.wake = asyncio.Event()
        self.close: tuple[int, str] | None = None
        self._seen: tuple[object, ...] | None = None
        self._menu: Menu | None = None
        self._auto_told: AutoRoll | None = None
        if after >= 0:
            self._resume(after)

    # -- telling -------------------------------------------------------------------------------

    def told(self, live: Live, messages: list[str]) -> None:
        """Rows were stored."""
        if self.behind:
            return
        if len(self.queue) + len(messages) > QUEUE:
            self.queue = [p for p in self.queue if not p.startswith('{"is":"row"')]
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

    def end(self, code: int, word: str, message: str) -> None:
        """This person hears one more word and then nothing."""
        if self.close is None:
            self.queue.clear()
            self.say({"is": "error", "code": word, "message": message})
            self.close = (code, message)

    def appoint(self, stations: tuple[str, ...]) -> None:
        """This person works other stations from now on."""
        self.stations = stations
        self._seen = None
        self.wake.set()

    def say(self, message: dict[str, object]) -> None:
        """Tell this person something that is no row."""
        self.queue.append(encode(message).decode())
        self.wake.set()

    async def run(self) -> None:
        """Until the socket closes: send what is stored, hear what is said."""
        self.live.listeners.add(self)
        self.live.here[self.session.person] += 1
        METRICS.sockets.inc()
        sender = asyncio.create_task(self._send())
        hearer = asyncio.create_task(self._hear_on())
        self.wake.set()
        try:
            # Who has closed, and who takes nothing any more, is not waited for.
            done, _ = await asyncio.wait([sender, hearer], return_when=asyncio.FIRST_COMPLETED)
            for each in done:
                each.result()  # a fault of ours is not passed over in silence
        finally:
            self.live.listeners.discard(self)
            self._gone()
            METRICS.sockets.dec()
            hearer.cancel()
            if self.close is not None:
                self.wake.set()
                await asyncio.wait([sender], timeout=1)
            sender.cancel()
            flooding = self.close is not None and self.close[0] == CLOSE_FLOOD
            if self.cut is not None and flooding:
                self.cut()

    async def _hear_on(self) -> None:
        """Hear what is said, one message after the other, as fast as answers are taken."""
        try:
            while self.close is None:
                while len(self.queue) + self.unanswered >= UNREAD:
                    self.drained.clear()
                    await self.drained.wait()
                message = await self.socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                text = message.get("text") or message.get("bytes") or b""
                self.hear(text)
        except (WebSocketDisconnect, RuntimeError):
            pass

    async def _send(self) -> None:
        try:
            while True:
                await self.wake.wait()
                self.wake.clear()
                parts = self.queue
                self.queue = []
                self.drained.set()
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
                    async with asyncio.timeout(SLOW):
                        await self.socket.send({"type": "websocket.send", "text": text})
                if self.close is not None and not self.queue:
                    code, reason = self.close
                    await self.socket.close(code, reason[:100])
                    return
        except TimeoutError:
            self.close = (CLOSE_FLOOD, phrase("pit.web.nothing-is-read"))
        except (WebSocketDisconnect, RuntimeError):
            pass

    def _snapshot(self) -> str:
        self._seen = self._menu = self._auto_told = None
        number = self.live.desk.shown[2].number
        message = {"is": "snapshot", "number": number, "view": self.live.snapshot()}
        return encode(message).decode()

    def _own(self) -> dict[str, object]:
        """What this person alone sees, if it is different from what he was told last."""
        table, book, _ = self.live.desk.shown
        made: dict[str, object] = {}
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
        auto = self.live.autos.get(self.session.person)
        if auto != self._auto_told:
            self._auto_told = auto
            made["auto"] = auto.told() if auto is not None else None
        return made

    def _at(self, book: Notebook) -> int:
        return book.seconds(self.pit.clock())

    def me(self, table: Table, book: Notebook) -> dict[str, object]:
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
                self.close = (CLOSE_WHO, phrase("pit.web.the-session-is-over"))
                raise Unheard("signed-out", phrase("pit.web.your-session-is-over"))
            within = self._within(1)
            if not within and self.over is not None and not self.over.take(time.monotonic()):
                METRICS.turned_away.labels("flood").inc()
                if self.flooding is not None:
                    self.flooding(self.session.person)
                self.end(CLOSE_FLOOD, "too-fast", phrase("pit.web.too-many-messages-the"))
                return
            said = read_said(text)
            # Several calls in one message count as fewer.
            if not (within and self._within(len(said.calls) // 8)):
                raise Unheard("too-fast", phrase("pit.web.too-many-messages-wait"))
            self._do(said)
        except Unheard as unheard:
            METRICS.commands.labels("unheard").inc()
            message: dict[str, object] = {
                "is": "error",
                "code": unheard.code,
                "message": unheard.message,
            }
            if said is not None and said.id:
                message["id"] = said.id
            self.say(message)

    def _within(self, messages: int) -> bool:
        """Whether this person is within his rate with so many messages more."""
        if self.bucket is None:
            return True
        now = time.monotonic()
        return all(self.bucket.take(now) for _ in range(messages))

    def _several(self, calls: list[Said]) -> None:
        """Calls said in one breath: each is ruled on, and answered, by itself and in order."""
        if len(calls) > TOGETHER:
            raise Unheard("not-understood", phrase("pit.web.at-most-calls-are", together=TOGETHER))
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
            case "auto":
                self._auto(said)
            case "hail":
                self._hail(said.text)
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
                    phrase("pit.web.a-message-does-one-of"),
                )

    def _undo(self, said: Said) -> None:
        """A wager put down by mistake: the automatic box gives it back, on record."""
        desk = self.live.desk
        if "box" not in desk.book.setup.automatic:
            raise Unheard("not-your-station", phrase("pit.web.ask-the-boxperson-to"))
        if not said.id:
            raise Unheard("no-id", phrase("pit.web.an-undo-has-an"))
        seat = seat_of(desk.table, desk.book, self.session.person)
        wish: dict[str, object] = {"type": "giveback", "seat": seat or "nobody", "spot": said.spot}
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
            raise Unheard("not-seated", phrase("pit.web.only-somebody-seated-asks"))
        self.live.ready.setdefault(self.session.person, self.pit.clock())
        self.live.tell_readiness()

    def _hail(self, word: str) -> None:
        """A friendly word to the table: one of a few, not too often, and not on record."""
        table, book, _ = self.live.desk.shown
        person = self.session.person
        seat = seat_in_play(table, book, person)
        if not seat:
            raise Unheard("not-seated", phrase("pit.web.only-somebody-seated-hails"))
        if word not in HAILS:
            raise Unheard("not-understood", phrase("pit.web.a-hail-is-one-of", words=HAILS))
        if not self.live.hails.take(person, time.monotonic()):
            raise Unheard("wait", phrase("pit.web.too-many-hails"))
        self.live.tell_all({"is": "hail", "seat": seat, "word": word})

    def _auto(self, said: Said) -> None:
        """Several rolls asked for at once; none ends what was asked for."""
        table, book, _ = self.live.desk.shown
        person = self.session.person
        if not seat_in_play(table, book, person):
            raise Unheard("not-seated", phrase("pit.web.only-somebody-seated-asks"))
        if not 0 <= said.rolls <= MOST or said.every < FASTEST or said.until not in UNTIL:
            words = phrase(
                "pit.web.at-most-rolls-ms", most=MOST, fastest=FASTEST, until=", ".join(UNTIL)
            )
            raise Unheard("not-understood", words)
        self.live.autos.pop(person, None)
        if said.rolls:
            now = self.pit.clock()
            self.live.autos[person] = AutoRoll(said.rolls, said.every, said.until, now)
        else:
            self.live.ready.pop(person, None)
        self.live.tell_readiness()

    def _gone(self) -> None:
        """One window fewer; with the last one gone nobody waits for this person any more."""
        self.live.here[self.session.person] -= 1
        if not self.live.here[self.session.person]:
            del self.live.here[self.session.person]
            self.live.ready.pop(self.session.person, None)
            self.live.autos.pop(self.session.person, None)
            if self.live.ready:
                self.live.tell_readiness()

    def _resume(self, after: int) -> None:
        missed = self.live.since(after, self.language) if after >= 0 else None
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
            raise Unheard("no-id", phrase("pit.web.a-call-has-an"))
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
        self.unanswered += 1

        def answer(heard: Heard | None, code: str = "", message: str = "") -> None:
            METRICS.acknowledged.observe(time.perf_counter() - began)
            self.unanswered -= 1
            self._answer(call_id, heard.row if heard else None, code, message)

        self.pit.take(self.live, command, answer)

    def _may_say(self, role: str, tag: str) -> None:
        if tag in MAY_SAY[role] or tag not in CALL_KINDS:
            return
        METRICS.turned_away.labels("station").inc()
        others = [name for name, may in MAY_SAY.items() if tag in may]
        raise Unheard(
            "not-your-station",
            phrase("pit.web.the-does-not-say", role=role, tag=tag)
            + (phrase("pit.web.it-is-for", others=", ".join(others)) if others else ""),
        )

    def _role(self, said: Said, book: Notebook) -> str:
        if said.station and said.station not in (PLAYER, SPECTATOR):
            if said.station not in self.stations and not self._named_for(said.station):
                METRICS.turned_away.labels("station").inc()
                raise Unheard(
                    "not-your-station", phrase("pit.web.you-do-not-work", station=said.station)
                )
            return said.station
        if said.station == SPECTATOR:
            return SPECTATOR
        if self.session.guest and not book.setup.practice:
            raise Unheard("not-your-station", phrase("pit.web.guests-watch-here-they"))
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
        with speaking(self.language):
            refused = refusal_of(row)
        METRICS.commands.labels("refused" if refused else "accepted").inc()
        self.say({"is": "answer", "id": call_id, "number": row.number, "refused": refused})
