"""Actors at a live table: the automatic crew and automatic players, each in its own time.

They hear of stored rows like everybody, and what they say goes to the desk like everybody's.
"""

from __future__ import annotations

import asyncio
import itertools

from boxman.journal.row import Station
from boxman.pit.around import Live
from boxman.pit.boss import Pit
from boxman.pit.live.crew import next_call, people_at
from boxman.pit.live.desk import Command, Heard
from boxman.pit.live.players import AutoPlayer
from boxman.pit.live.stations import PLAYER, tag_of
from boxman.pit.logs import log
from boxman.strategy.api import StrategyError
from boxman.table.call import Call
from boxman.words import ENGLISH

AGAIN = 0.5
"""Seconds until somebody automatic asks again whether there is time to speak."""
IDLE = 5.0
"""Seconds after which an actor looks up even if nothing happened."""
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hope")


class Actor:
    """Something that listens at a table and speaks."""

    language = ENGLISH

    def __init__(self, pit: Pit, live: Live, name: str) -> None:
        self.pit, self.live, self.name = pit, live, name
        self.wake = asyncio.Event()
        self.wake.set()
        self.task: asyncio.Task[None] | None = None
        start = pit.clock()
        self._ids = (f"{name}/{start}-{n}" for n in itertools.count(1))

    def start(self) -> None:
        """Begin to listen and speak."""
        self.live.listeners.add(self)
        self.task = asyncio.create_task(self.run())

    def told(self, live: Live, messages: list[str]) -> None:
        """Rows were stored, or somebody is ready."""
        self.wake.set()

    def stopped(self, live: Live, code: str, message: str) -> None:
        """The table is not run here any more; one that only stands still may go on."""
        if code in ("elsewhere", "stopping") and self.task is not None:
            self.task.cancel()
            self.live.listeners.discard(self)

    async def run(self) -> None:
        """Until the table is given up."""
        raise NotImplementedError

    async def say(self, station: Station, call: Call) -> Heard | None:
        """Say something and wait until it is stored."""
        done: asyncio.Future[Heard | None] = asyncio.get_running_loop().create_future()

        def answer(heard: Heard | None, code: str = "", message: str = "") -> None:
            if not done.done():
                done.set_result(heard)

        command = Command(id=next(self._ids), station=station, call=call)
        if self.live.desk.book.setup.practice:
            # Nobody fills the journal with tables that play by themselves.
            while not self.live.automatic.take(asyncio.get_running_loop().time()):
                await asyncio.sleep(AGAIN)
        self.pit.take(self.live, command, answer)
        return await done


class CrewActor(Actor):
    """The automatic crew of one table."""

    async def run(self) -> None:
        due: tuple[object, float] | None = None
        loop = asyncio.get_running_loop()
        while True:
            self.wake.clear()
            desk = self.live.desk
            found, rest = None, -1
            if not desk.broken and not self._deserted():
                now = self.pit.clock()
                rest = self.live.make_ready(now)
                ready, away = self.live.ready, self.live.away()
                found = next_call(desk.layout, desk.table, desk.book, now, ready, away)
            if found is None:
                due = None
                await _until(self.wake, IDLE if rest < 0 else rest / 1000)
                continue
            key = (found.station, tag_of(found.call), desk.table.rolls)
            at = loop.time() + self._pace(found.wait) / 1000
            if due is None or due[0] != key or at < due[1]:
                due = (key, at)
            left = due[1] - loop.time()
            if left > 0 and await _until(self.wake, left):
                continue
            due = None
            station = Station(found.station, person=f"auto:{found.station}")
            heard = await self.say(station, found.call)
            if heard is None or heard.row.refused:
                await asyncio.sleep(1)

    def _pace(self, wait: int) -> int:
        """How long a call is waited for: less where rolls were asked for at a faster pace."""
        every = min((auto.every for auto in self.live.autos.values()), default=0)
        return min(wait, every // 10) if every and wait <= self.live.desk.book.setup.step else wait

    def _deserted(self) -> bool:
        """Nobody plays or looks on: automatic players alone would fill the journal for ever. A
        throw that is under way is still played to its end."""
        desk = self.live.desk
        if self.live.here or desk.table.phase != "open" or desk.book.leaving:
            return False
        return not people_at(desk.table, desk.book)


class PlayerActor(Actor):
    """An automatic player at one table."""

    def __init__(self, pit: Pit, live: Live, name: str, strategy: str) -> None:
        super().__init__(pit, live, f"auto:{name}")
        from boxman.strategy.library import named

        desk = live.desk
        bankroll = max(20 * desk.table.posted.minimum, 100 * desk.layout.chip)
        bankroll = -(-bankroll // desk.layout.chip) * desk.layout.chip
        self.player = AutoPlayer(name, named(strategy), desk.layout, bankroll)
        self.number = desk.head.number

    async def run(self) -> None:
        while True:
            await _until(self.wake, IDLE)
            self.wake.clear()
            await asyncio.sleep(self.live.desk.book.setup.step / 2000)
            shown = self.live.desk.shown[2].number
            if shown > self.number:
                rows = await asyncio.to_thread(
                    lambda last: list(self.pit.journal.rows(self.live.name, last, 200)),
                    self.number,
                )
                for row in rows:
                    self.player.see(row.ruling.decisions)
                    self.number = row.number
            for call in self.player.next_calls(self.live.desk.table):
                station = Station(PLAYER, self.player.seat, self.name)
                await self.say(station, call)
            if self.player.problem:
                log.warning("automatic player stops", why=self.player.problem)
                return


async def _until(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event, but not longer; whether it came."""
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return False
    return True


def man(pit: Pit, live: Live) -> list[Actor]:
    """Put the automatic crew and players of a table to work."""
    setup = live.desk.book.setup
    actors: list[Actor] = []
    if setup.automatic:
        actors.append(CrewActor(pit, live, "auto:crew"))
    for number, strategy in enumerate(setup.players):
        name = NAMES[number % len(NAMES)] + (str(number // len(NAMES) + 1) if number >= 8 else "")
        try:
            actors.append(PlayerActor(pit, live, name, strategy))
        except StrategyError as error:
            log.warning("no automatic player", strategy=strategy, why=str(error))
    for actor in actors:
        actor.start()
    return actors
