"""The house of one process: pit, door, cage and brakes, and what each must know of the others."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from boxman.journal.row import HOUSE_JOURNAL, Head, JournalError, Station
from boxman.journal.store import Change, Journal, takes_rows
from boxman.pit.actors import Actor, man
from boxman.pit.around import Live
from boxman.pit.backroom.archive import Archive
from boxman.pit.backroom.seals import sealer_of
from boxman.pit.boss import Pit
from boxman.pit.live.desk import Command, Desk, Heard
from boxman.pit.live.ids import of_desk
from boxman.pit.live.notebook import DAY
from boxman.pit.live.stations import PLAYER
from boxman.pit.logs import log
from boxman.pit.people.acts import MACHINE
from boxman.pit.people.brakes import MINUTE_MILLISECONDS, BrakeBook
from boxman.pit.people.cage import Cage
from boxman.pit.people.daybook import DayBook, Page, Standing
from boxman.pit.people.door import Door, DoorError, Visit
from boxman.pit.people.quotas import Quotas
from boxman.pit.people.readers import doors
from boxman.pit.people.seats import seat_in_play, seat_of
from boxman.pit.web.config import Config
from boxman.rules.duties import STATIONS
from boxman.table.calls import BuyIn, Leave
from boxman.table.rulings import Refusal
from boxman.words import phrase

if TYPE_CHECKING:
    from boxman.pit.web.sockets import Socket

AUTOMATIC = "auto:"
HOUR = 60 * 60 * 1000
LONGEST = 60
"""Letters of a table's name, at most."""
REST = 10_000
"""Milliseconds for which somebody is not heard who was cut off."""
GUESTS = 5
"""New guests of an address for each sign-in that it may try."""
QUOTAS = (
    "guests_open_tables",
    "tables",
    "tables_each",
    "command_rate",
    "request_rate",
    "sign_in_rate",
)
"""Settings that say how much of the house somebody may have."""
CLOSE_WHO = 4401
"""How a socket is closed whose person is not in the house any more."""


class Casino:
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
        self._sealed = 0
        self._acted = Head()
        """The last act that was sealed here."""
        self._asked: tuple[int, int, asyncio.Future[str] | None] = (0, 0, None)
        """When the journal was last asked whether it takes rows, after how many failures, and what
        it said."""
        if self.sealer is not None:
            self.pit.seal = self.sealer.keep
            self.pit.barred = self.sealer.check(journal)
        self.door = Door(journal, clock)
        self.day = DayBook(journal.records, clock)
        self.brakes = BrakeBook(journal.records, clock, self.day.spells)
        self.acts = self.door.acts
        self.cage = Cage(self.acts)
        self.quotas = Quotas(config.tables, config.tables_each, GUESTS * config.sign_in_rate)
        self.archive = Archive(journal.records, clock, config.idle_table)
        self.pit.put_away = self.archive.names
        self.actors: list[Actor] = []
        self._chores: asyncio.Task[None] | None = None
        self._purged = 0
        self._loud: dict[str, int] = {}
        """Who was cut off for a flood, and when."""
        self._away: dict[tuple[str, str], int] = {}
        self._stood: dict[str, tuple[tuple[int, int], dict[str, Standing]]] = {}

    async def start(self) -> None:
        """Open the doors."""
        await self.pit.start()
        await asyncio.to_thread(self._note_settings)
        await asyncio.to_thread(self.cage.begin, self._brought)
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
        with contextlib.suppress(JournalError):
            await self._seal_outside(0)
        await self.pit.stop()
        with contextlib.suppress(JournalError):
            await asyncio.to_thread(self._seal_acts)
            await asyncio.to_thread(self._exchange, page)

    def _note_settings(self) -> None:
        """Quotas and key of the house: others than at the last start are an act."""
        quotas = {name: str(getattr(self.config, name)) for name in QUOTAS}
        found = {"quotas": quotas}
        if self.sealer is not None:
            found["key"] = {"public": self.sealer.key.public}
        for what, details in found.items():
            kept, new = self.journal.records.get("house", what), msgspec.json.encode(details)
            if kept != new:
                # Whoever starts with the same at the same moment has written it down.
                change = Change("house", what, kept, new)
                self.acts.write(what, by=MACHINE, changes=[change], details=details)

    def _seal_acts(self) -> None:
        """A seal whenever something was done to the house. None once acts are gone: a newer seal of
        an older row would hide it from the next start."""
        head = self.acts.last()
        if self.sealer is not None and head != self._acted and not self.acts.gone:
            self.sealer.keep(HOUSE_JOURNAL, head)
        self._acted = head

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
        if self.clock() >= self._purged + HOUR:
            self._purged = self.clock()
            self.door.purge()

    def _brought(self, person: str) -> int:
        """Chips that somebody has brought to live tables, as houses of earlier versions kept it."""
        here = 0
        for live in self.pit.tables.values():
            if not live.desk.book.setup.practice:
                here += live.desk.book.bought.get(person, 0)
        for key, value in self.journal.records.list("bought"):
            who, _, table = key.partition("\x1f")
            if who == person and table not in self.pit.tables:
                here += int(value)
        return here

    def clock_of(self, session: Visit, live: Live) -> dict[str, object]:
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
        """Once a second: reality checks, people who have gone, the day book."""
        trouble = log.trouble("chores left undone", "chores are done again")
        while True:
            await asyncio.sleep(1)
            try:
                await self._do_chores()
                trouble.saw()
            except JournalError as error:
                trouble.saw(str(error))
            except Exception as error:  # the next second may be better: nobody else does them
                trouble.saw(repr(error), error)

    async def _do_chores(self) -> None:
        self._remind()
        self._send_away()
        self._send_off_the_ended()
        await self._put_away()
        await asyncio.to_thread(self._exchange, self._page())
        await asyncio.to_thread(self._seal_acts)
        await self._seal_outside()
        if self.sealer is not None and await asyncio.to_thread(self.sealer.renew):
            await asyncio.to_thread(self._note_settings)

    async def not_ready(self) -> str:
        """Why no table can be served now; empty if they can. The journal is tried, once a second
        at most: whoever asks together hears the same. A yes from before something was not stored
        counts no more."""
        while not self.pit.stopping:
            failures = self.pit.failures
            asked, before, answer = self._asked
            if answer is None or before != failures or self.clock() - asked >= 1000:
                answer = asyncio.ensure_future(asyncio.to_thread(takes_rows, self.journal))
                self._asked = (self.clock(), failures, answer)
            why = self.acts.gone or await asyncio.shield(answer)
            if why or failures == self.pit.failures:
                return why
        return phrase("pit.house.the-house-is-closing")

    async def _seal_outside(self, every: int | None = None) -> None:
        """Seals to the folder outside the house, when it is time."""
        now, every = self.clock(), self.config.seals_every if every is None else every
        if self.sealer is None or self.sealer.outside is None or now - self._sealed < every * 1000:
            return
        self._sealed = now
        heads = {live.name: live.desk.shown[2] for live in self.pit.tables.values()}
        await asyncio.to_thread(self._seal_acts)
        heads |= {HOUSE_JOURNAL: self._acted} if self._acted.number and not self.acts.gone else {}
        await asyncio.to_thread(self.sealer.publish, heads)

    def _remind(self) -> None:
        """Reality checks to those whose time has come."""
        from boxman.pit.web.sockets import Socket

        now = self.clock()
        for live in self.pit.tables.values():
            for listener in tuple(live.listeners):
                if not isinstance(listener, Socket):
                    continue
                person = listener.session.person
                brakes, played = self.brakes.of(person), self.brakes.played(person)
                due = played.reminded + brakes.remind * MINUTE_MILLISECONDS
                if (
                    brakes.remind
                    and played.since
                    and now - played.seen < MINUTE_MILLISECONDS
                    and now >= due
                ):
                    played.reminded = now
                    told = {"is": "clock", "check": True, **self.clock_of(listener.session, live)}
                    listener.say(told)

    def _send_away(self) -> None:
        """Somebody at a practice table whose sockets have long been closed leaves it."""
        if not self.config.idle_seat:
            return
        from boxman.pit.web.sockets import Socket

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
                        id=of_desk(f"away-{now}", person),
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

    def stations(self, session: Visit, live: Live) -> tuple[str, ...]:
        """The stations somebody works: those he was appointed to, and at a practice table of his
        own all that the automatic crew does not work."""
        own = self.door.stations(session, live.name)
        book = live.desk.shown[1]
        if book.setup.practice and session.person == book.opener:
            own += tuple(s for s in STATIONS if s not in book.setup.automatic and s not in own)
        return own

    def reads(self, session: Visit | None, live: Live) -> tuple[str, ...]:
        """The doors to a table's journal that are open to somebody."""
        table, book, _ = live.desk.shown
        stations = self.stations(session, live) if session is not None else ()
        return doors(session, stations, table, book)

    def open_tables(self) -> list[tuple[str, str]]:
        """The tables that are not closed, with those who opened them."""
        return [
            (live.name, live.desk.shown[1].opener)
            for live in self.pit.tables.values()
            if not live.desk.shown[0].floor.closed
        ]

    async def _put_away(self) -> None:
        """Tables that are closed, or where nobody has been for long, make room for others."""
        for live in self.archive.due(tuple(self.pit.tables.values())):
            await asyncio.to_thread(self.archive.put, live)
            self.pit.drop(live, "elsewhere", phrase("pit.house.this-table-was-put"))
            self.actors = [each for each in self.actors if each.live is not live]

    def absent(self, table: str) -> DoorError:
        """Why a table is not run here; it belongs in a thread."""
        if table in self.pit.damaged:
            return DoorError(503, "table-stopped", self.pit.damaged[table])
        if len(table) <= LONGEST and table.isprintable() and table != HOUSE_JOURNAL:
            if self.archive.holds(table):
                return DoorError(410, "put-away", phrase("pit.house.this-table-was-put"))
            other = self.pit.owner(table)
            if other or self.journal.head(table).number:
                words = phrase("pit.web.this-table-is-run", other=other).strip()
                return DoorError(503, "elsewhere", words)
        return DoorError(404, "no-such-table", phrase("pit.web.there-is-no-such"))

    def has_flooded(self, person: str) -> None:
        """Somebody was cut off who would not stop: for a while no new socket is opened to him."""
        now = self.clock()
        self._loud = {who: at for who, at in self._loud.items() if now - at < REST}
        self._loud[person] = now

    def loud(self, person: str, came: int) -> bool:
        """Whether somebody who came at this time was cut off shortly before it; whoever was on the
        way in already does not notice."""
        return person in self._loud and 0 < came - self._loud[person] < REST

    def send_off(self, person: str) -> None:
        """Somebody is shut out: his sockets hear so, and nothing more."""
        for socket in self.sockets():
            if socket.session.person == person:
                socket.end(CLOSE_WHO, "signed-out", phrase("pit.house.your-session-is-over"))

    def _send_off_the_ended(self) -> None:
        """Sockets whose sessions are over, here or by another process, are told nothing more."""
        for socket in self.sockets():
            if not socket.valid():
                socket.end(CLOSE_WHO, "signed-out", phrase("pit.house.your-session-is-over"))

    def sockets(self) -> list[Socket]:
        """Everybody's sockets."""
        from boxman.pit.web.sockets import Socket

        found = (each for live in self.pit.tables.values() for each in live.listeners)
        return [each for each in found if isinstance(each, Socket)]

    def stations_changed(self, person: str) -> None:
        """Somebody was appointed: his sockets learn it at once."""
        for socket in self.sockets():
            if socket.session.person == person:
                socket.appoint(self.stations(socket.session, socket.live))

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
