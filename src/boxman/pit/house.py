"""The house of one process: pit, door, cage and brakes, and what each must know of the others."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Any

import structlog

from boxman.journal.row import JournalError, Station
from boxman.journal.store import Journal
from boxman.pit.actors import Actor, man
from boxman.pit.boss import Live, Pit
from boxman.pit.brakes import MINUTE, BrakeBook
from boxman.pit.cage import Cage
from boxman.pit.config import Config
from boxman.pit.desk import Command, Desk, Heard
from boxman.pit.door import Door, Session
from boxman.pit.notebook import DAY
from boxman.pit.seals import sealer_of
from boxman.pit.seats import seat_of
from boxman.pit.stations import PLAYER
from boxman.rules.duties import STATIONS
from boxman.table.calls import BuyIn
from boxman.table.floor_calls import Leave
from boxman.table.rulings import Refusal

log = structlog.get_logger()
AUTOMATIC = "auto:"


class House:
    """Everything behind the doors of one process."""

    def __init__(
        self,
        config: Config,
        journal: Journal,
        clock: Callable[[], int],
        entropy: Callable[[int], bytes],
    ) -> None:
        self.config, self.journal, self.clock = config, journal, clock
        self.pit = Pit(journal, clock=clock, entropy=entropy, check=self.check, url=config.url)
        self.pit.on_table = self._man
        self.sealer = sealer_of(config, clock)
        if self.sealer is not None:
            self.pit.seal = self.sealer.keep
        self.door = Door(journal, clock)
        self.brakes = BrakeBook(journal.records, clock)
        self.cage = Cage(journal.records, clock, self.at_tables)
        self.actors: list[Actor] = []
        self._chores: asyncio.Task[None] | None = None
        self._away: dict[tuple[str, str], int] = {}

    async def start(self) -> None:
        """Open the doors."""
        await self.pit.start()
        self._chores = asyncio.create_task(self._keep_house())

    async def stop(self) -> None:
        """Close: what was heard is stored first."""
        if self._chores is not None:
            self._chores.cancel()
        for actor in self.actors:
            if actor.task is not None:
                actor.task.cancel()
        await self.pit.stop()
        with contextlib.suppress(JournalError):
            await asyncio.to_thread(self._keep, self.brakes.unkept())

    def _man(self, live: Live) -> None:
        self.actors = [a for a in self.actors if a.task is not None and not a.task.done()]
        self.actors += man(self.pit, live)

    # -- before the rules are asked ------------------------------------------------------------

    def check(self, desk: Desk, command: Command) -> Refusal | None:
        """A player's own brakes, and the cage."""
        station = command.station
        person = station.person
        if station.role != PLAYER or person.startswith(AUTOMATIC):
            return None
        call = command.call
        self.brakes.active(person)
        net = self.result(person)
        refusal = self.brakes.refusal(person, call, desk.layout, desk.table, station.seat, net)
        if refusal is None and isinstance(call, BuyIn):
            setup = desk.book.setup
            return self.cage.refusal(person, call.amount, setup.practice, setup.buy_in)
        return refusal

    def result(self, person: str) -> int:
        """What somebody has won today at the tables of this process."""
        today = str(self.clock() // DAY)
        return sum(
            live.desk.book.results.get(person, {}).get(today, 0)
            for live in self.pit.tables.values()
        )

    def at_tables(self, person: str) -> int:
        """Chips that somebody has brought to live tables, here or in another process."""
        here = 0
        for live in self.pit.tables.values():
            if not live.desk.book.setup.practice:
                here += live.desk.book.bought.get(person, 0)
        for key, value in self.journal.records.list("bought"):
            who, _, table = key.partition("\x1f")
            if who == person and table not in self.pit.tables:
                here += int(value)
        return here

    def clock_of(self, session: Session, live: Live) -> dict[str, Any]:
        """The session clock, the result, and the brakes of one person."""
        person = session.person
        played, brakes = self.brakes.played(person), self.brakes.of(person)
        return {
            "now": self.clock(),
            "since": played.since,
            "played_today": played.time,
            "result_today": self.result(person),
            "result_here": live.desk.shown[1]
            .results.get(person, {})
            .get(str(self.clock() // DAY), 0),
            "remind": brakes.remind,
        }

    # -- chores --------------------------------------------------------------------------------

    async def _keep_house(self) -> None:
        """Once a second: reality checks, people who have gone, play times kept."""
        while True:
            await asyncio.sleep(1)
            try:
                self._remind()
                self._send_away()
                kept = self.brakes.unkept()
                moved = self._bought()
                if kept or moved:
                    await asyncio.to_thread(self._keep, kept, moved)
            except JournalError as error:
                log.warning("chores left undone", problem=str(error))

    def _keep(
        self, played: list[tuple[str, bytes]], bought: list[tuple[str, bytes]] | None = None
    ) -> None:
        for person, value in played:
            if not person.startswith("guest:"):
                self.journal.records.put("played", person, value)
        for key, value in bought or ():
            self.journal.records.put("bought", key, value)

    def _bought(self) -> list[tuple[str, bytes]]:
        """Chips at live tables, for other processes to know."""
        found = []
        for live in self.pit.tables.values():
            if live.desk.book.setup.practice:
                continue
            for person, amount in live.desk.shown[1].bought.items():
                key = f"{person}\x1f{live.name}"
                if self._away.get(("bought", key)) != amount:
                    self._away["bought", key] = amount
                    found.append((key, str(amount).encode()))
        return found

    def _remind(self) -> None:
        """Reality checks to those whose time has come."""
        from boxman.pit.sockets import Socket

        now = self.clock()
        for live in self.pit.tables.values():
            for listener in tuple(live.listeners):
                if not isinstance(listener, Socket):
                    continue
                person = listener.session.person
                brakes, played = self.brakes.of(person), self.brakes.played(person)
                due = played.reminded + brakes.remind * MINUTE
                if brakes.remind and played.since and now - played.seen < MINUTE and now >= due:
                    played.reminded = now
                    told = {"is": "clock", "check": True, **self.clock_of(listener.session, live)}
                    listener.say(told)

    def _send_away(self) -> None:
        """Somebody at a practice table whose sockets have long been closed leaves it."""
        if not self.config.idle_seat:
            return
        from boxman.pit.sockets import Socket

        now = self.clock()
        for live in self.pit.tables.values():
            table, book, _ = live.desk.shown
            if not book.setup.practice:
                continue
            here = {s.session.person for s in live.listeners if isinstance(s, Socket)}
            for seat in table.seats:
                person = book.people.get(seat, "")
                key = (live.name, seat)
                if not person or person in here or person.startswith(AUTOMATIC):
                    self._away.pop(key, None)
                    continue
                gone = self._away.setdefault(key, now)
                if now - gone >= self.config.idle_seat * 1000:
                    self._away[key] = now
                    command = Command(
                        id=f"{person}/away-{now}",
                        station=Station(PLAYER, seat, person),
                        call=Leave(seat=seat),
                    )
                    self.pit.take(live, command)

    # -- calls from elsewhere than a socket ----------------------------------------------------

    async def say(self, live: Live, command: Command) -> Heard:
        """Say something at a table and wait until it is stored."""
        done: asyncio.Future[Heard] = asyncio.get_running_loop().create_future()

        def answer(heard: Heard | None, code: str = "", message: str = "") -> None:
            if done.done():
                return
            if heard is None:
                done.set_exception(JournalError(message))
            else:
                done.set_result(heard)

        self.pit.take(live, command, answer)
        return await done

    def stations(self, session: Session, live: Live) -> tuple[str, ...]:
        """The stations somebody works: those he was appointed to, and at a practice table of his
        own all that the automatic crew does not work."""
        own = self.door.stations(session, live.name)
        book = live.desk.shown[1]
        if book.setup.practice and session.person == book.opener:
            own += tuple(s for s in STATIONS if s not in book.setup.automatic and s not in own)
        return own

    def stations_changed(self, person: str) -> None:
        """Somebody was appointed: his sockets learn it at once."""
        from boxman.pit.sockets import Socket

        for live in self.pit.tables.values():
            for listener in live.listeners:
                if isinstance(listener, Socket) and listener.session.person == person:
                    listener.appoint(self.stations(listener.session, live))

    def seat(self, live: Live, person: str) -> str:
        """The seat somebody has at a table now; empty if none."""
        table, book, _ = live.desk.shown
        found = seat_of(table, book, person)
        return found if found in table.seats else ""

    def evening(self) -> int:
        """The seconds since midnight, here: signs tell the time by it."""
        here = time.localtime(self.clock() / 1000)
        return here.tm_hour * 3600 + here.tm_min * 60 + here.tm_sec
