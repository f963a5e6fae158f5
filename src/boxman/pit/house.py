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
from boxman.pit.daybook import DayBook, Page, Standing
from boxman.pit.desk import Command, Desk, Heard
from boxman.pit.door import Door, Session
from boxman.pit.notebook import DAY
from boxman.pit.reading import doors
from boxman.pit.seals import sealer_of
from boxman.pit.seats import seat_in_play, seat_of
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
        self.day = DayBook(journal.records, clock)
        self.brakes = BrakeBook(journal.records, clock, self.day.spells)
        self.cage = Cage(journal.records, clock, self.at_tables)
        self.actors: list[Actor] = []
        self._chores: asyncio.Task[None] | None = None
        self._away: dict[tuple[str, str], int] = {}
        self._stood: dict[str, tuple[tuple[int, int], dict[str, Standing]]] = {}

    async def start(self) -> None:
        """Open the doors."""
        await self.pit.start()
        await asyncio.to_thread(self._exchange, self._page())
        self._chores = asyncio.create_task(self._keep_house())

    async def stop(self) -> None:
        """Close: what was heard is stored first."""
        if self._chores is not None:
            self._chores.cancel()
        for actor in self.actors:
            if actor.task is not None:
                actor.task.cancel()
        page = self._page()
        await self.pit.stop()
        with contextlib.suppress(JournalError):
            await asyncio.to_thread(self._exchange, page)

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
        net = self._worst(person, desk.name) if self.brakes.of(person).loss else 0
        refusal = self.brakes.refusal(person, call, desk.layout, desk.table, station.seat, net)
        if refusal is None and isinstance(call, BuyIn):
            setup = desk.book.setup
            return self.cage.refusal(person, call.amount, setup.practice, setup.buy_in)
        return refusal

    def result(self, person: str) -> int:
        """What somebody has won today, at all tables of the house."""
        here = sum(self._standing(live, person)[0] for live in tuple(self.pit.tables.values()))
        return here + self.day.standing(person, self.pit.tables)[0]

    def _standing(self, live: Live, person: str) -> Standing:
        """How somebody stands today at one table: his result, and what he has up."""
        table, book = live.desk.table, live.desk.book
        net = book.results.get(person, {}).get(str(self.day.today), 0)
        seat = table.seats.get(seat_of(table, book, person))
        up = sum(w.stake - w.voucher for w in seat.wagers.values()) if seat is not None else 0
        return net, up

    def _worst(self, person: str, table: str) -> int:
        """The result of somebody's day if all is lost that he has up, save at one table."""
        net, up = self.day.standing(person, self.pit.tables)
        for live in self.pit.tables.values():
            won, staked = self._standing(live, person)
            net += won
            up += staked if live.name != table else 0
        return net - up

    def _page(self) -> Page:
        """What other processes have to know of this one today."""
        tables = {live.name: self._standings(live) for live in self.pit.tables.values()}
        return Page(self.clock(), self.brakes.spells(), tables)

    def _standings(self, live: Live) -> dict[str, Standing]:
        """How everybody stands at a table that has a result of today, or wagers up."""
        key = (live.desk.head.number, self.day.today)
        known = self._stood.get(live.name)
        if known is None or known[0] != key:
            book = live.desk.book
            people = {who for who in book.people.values() if not who.startswith(AUTOMATIC)}
            made = {person: self._standing(live, person) for person in people}
            known = (key, {person: each for person, each in made.items() if any(each)})
            self._stood[live.name] = known
        return known[1]

    def _exchange(self, page: Page) -> None:
        """Tell other processes what they must know, and learn what they changed; in a thread."""
        self.day.exchange(page)
        self.brakes.refresh()
        self.door.refresh()

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
            "played_today": self.brakes.time(person),
            "result_today": self.result(person),
            "result_here": live.desk.shown[1]
            .results.get(person, {})
            .get(str(self.clock() // DAY), 0),
            "remind": brakes.remind,
            "pause_until": brakes.pause_until,
            "excluded_until": brakes.excluded_until,
        }

    # -- chores --------------------------------------------------------------------------------

    async def _keep_house(self) -> None:
        """Once a second: reality checks, people who have gone, the day book and the cage's."""
        while True:
            await asyncio.sleep(1)
            try:
                self._remind()
                self._send_away()
                await asyncio.to_thread(self._exchange, self._page())
                if moved := self._bought():
                    await asyncio.to_thread(self._keep, moved)
            except JournalError as error:
                log.warning("chores left undone", problem=str(error))

    def _keep(self, bought: list[tuple[str, bytes]]) -> None:
        for key, value in bought:
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
                gone = seat in book.leaving or person in here
                if not person or gone or person.startswith(AUTOMATIC):
                    self._away.pop(key, None)
                    continue
                since = self._away.setdefault(key, now)
                if now - since >= self.config.idle_seat * 1000:
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

    def reads(self, session: Session | None, live: Live) -> tuple[str, ...]:
        """The doors to a table's journal that are open to somebody."""
        table, book, _ = live.desk.shown
        stations = self.stations(session, live) if session is not None else ()
        return doors(session, stations, table, book)

    def stations_changed(self, person: str) -> None:
        """Somebody was appointed: his sockets learn it at once."""
        from boxman.pit.sockets import Socket

        for live in self.pit.tables.values():
            for listener in live.listeners:
                if isinstance(listener, Socket) and listener.session.person == person:
                    listener.appoint(self.stations(listener.session, live))

    @property
    def currency(self) -> str:
        """The currency of all tables here; empty where they differ or there is none."""
        known = {live.desk.layout.currency for live in tuple(self.pit.tables.values())}
        return known.pop() if len(known) == 1 else ""

    def seat(self, live: Live, person: str) -> str:
        """The seat somebody has at a table now; empty if none."""
        table, book, _ = live.desk.shown
        return seat_in_play(table, book, person)

    def evening(self) -> int:
        """The seconds since midnight, here: signs tell the time by it."""
        here = time.localtime(self.clock() / 1000)
        return here.tm_hour * 3600 + here.tm_min * 60 + here.tm_sec
