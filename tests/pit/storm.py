"""A whole pit in one thread under one seed: the clock, the disk and the network are the test's.

Clients speak through the code of real sockets (pit/web) over lines that are cut, that repeat and
that lag; the disk takes its time, is full now and then, and the process dies between any two steps.
What must hold is checked against the journal afterwards, and along the way.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter, deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import msgspec

from boxman.journal.audit import Audit
from boxman.journal.export import export
from boxman.journal.memory import MemoryJournal
from boxman.journal.row import Row
from boxman.journal.store import JournalFull
from boxman.journal.verify import verify
from boxman.pit.around import Live
from boxman.pit.boss import Pit
from boxman.pit.live.crew import next_call
from boxman.pit.live.desk import Desk
from boxman.pit.live.notebook import Setup
from boxman.pit.people.door import Visit
from boxman.pit.told.rows import refusal_of
from boxman.pit.web.sockets import Socket
from boxman.rules.duties import STATIONS
from boxman.table.accounts import imbalance
from boxman.table.opening import Open

SPOTS = ("pass", "dont_pass", "come", "dont_come", "field", "place.6", "place.8", "pass.odds")
SPOTS += ("any_seven", "hard.8", "come.odds.6", "place.5", "twelve", "nowhere.7")


class SlowDisk(MemoryJournal):
    """A journal whose rows are stored when the test says so, or not at all."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: deque[tuple[list[Row], Any, Future[None]]] = deque()

    def submit(self, rows: Any, moves: Any = ()) -> Future[None]:
        future: Future[None] = Future()
        self.waiting.append((list(rows), moves, future))
        return future

    def turn(self, full: bool = False) -> bool:
        """Store the next batch, or say that the disk is full; whether there was one."""
        if not self.waiting:
            return False
        rows, moves, future = self.waiting.popleft()
        if future.cancelled():
            self.append(rows, moves)  # nobody waits any more: the process died after it was stored
            return True
        if full:
            future.set_exception(JournalFull("the disk is full (a test)"))
            return True
        try:
            self.append(rows, moves)
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(None)
        return True


class Line:
    """A WebSocket as the server sees it, whose other end is a client of the storm."""

    def __init__(self) -> None:
        self.inbound: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.outbound: deque[str] = deque()
        self.cut = False

    async def receive(self) -> dict[str, Any]:
        return await self.inbound.get()

    async def send(self, message: dict[str, Any]) -> None:
        if self.cut:
            raise RuntimeError("the line is cut")
        self.outbound.append(message["text"])

    async def close(self, code: int = 1000, reason: str = "") -> None:
        self.hang_up()

    def hang_up(self) -> None:
        self.cut = True
        self.outbound.clear()
        self.inbound.put_nowait({"type": "websocket.disconnect"})


class Client:
    """A person: says things, keeps what was never acknowledged, comes back after a cut."""

    def __init__(self, storm: Storm, name: str, stations: tuple[str, ...], looks: bool) -> None:
        self.storm, self.name, self.stations, self.looks = storm, name, stations, looks
        self.line: Line | None = None
        self.task: asyncio.Task[None] | None = None
        self.lag: deque[str] = deque()
        self.unanswered: dict[str, str] = {}
        self.answers: dict[str, tuple[int, Any]] = {}
        self.lost: set[str] = set()
        self.old: list[tuple[str, str]] = []
        self.number = -1
        self.view: dict[str, Any] = {}
        self.rows: dict[int, str] = {}
        self.count = 0

    def connect(self) -> None:
        live = self.storm.pit.tables[self.storm.table]
        self.line = Line()
        session = Visit(person=self.name, guest=False, since=0, until=10**15)
        socket = Socket(
            self.line,  # type: ignore[arg-type]
            self.storm.pit,
            live,
            session,
            self.stations,
            rate=0,
            after=self.number,
            valid=lambda: True,
        )
        self.task = asyncio.create_task(socket.run())
        self.lag = deque(self.unanswered.values())  # say again what was never answered

    def cut(self) -> None:
        if self.line is not None:
            self.line.hang_up()
        self.line = None
        self.lag.clear()

    def say(self, call: dict[str, Any], station: str = "player") -> None:
        self.count += 1
        call_id = f"{self.name}-{self.count}"
        text = json.dumps({"do": "call", "id": call_id, "station": station, "call": call})
        self.unanswered[call_id] = text
        self.lag.append(text)
        self.storm.commands += 1

    def send_one(self) -> bool:
        if self.line is None or not self.lag:
            return False
        self.line.inbound.put_nowait({"type": "websocket.receive", "text": self.lag.popleft()})
        return True

    def read_one(self) -> bool:
        if self.line is None or not self.line.outbound:
            return False
        text = self.line.outbound.popleft()
        if not self.looks and '"is":"answer"' not in text and '"is":"error"' not in text:
            if '"is":"snapshot"' in text or '"is":"row"' in text:
                self.number = self.storm.pit.tables[self.storm.table].desk.shown[2].number
            return True
        messages = json.loads(text)
        for message in messages if isinstance(messages, list) else [messages]:
            self.hear(message)
        return True

    def hear(self, message: dict[str, Any]) -> None:
        match message["is"]:
            case "answer":
                self._answered(message)
            case "error":
                call_id = message.get("id", "")
                if call_id in self.unanswered:
                    # It was not stored and does not count; it may be said again.
                    self.storm.errors[message["code"]] += 1
                    if message["code"] in ("not-stored", "journal-full", "say-again"):
                        if self.storm.random.random() < 0.5:
                            self.lag.append(self.unanswered[call_id])
                        else:
                            self.lost.add(call_id)
                            del self.unanswered[call_id]
                    else:
                        del self.unanswered[call_id]
            case "snapshot":
                self.number, self.view = message["number"], message["view"]
            case "row":
                if self.looks:
                    assert message["number"] == self.number + 1, (self.number, message["number"])
                self.number = message["number"]
                self.rows[self.number] = message["id"]
                self._merge(message["view"])
            case "view":
                self._merge(message["view"])

    def _merge(self, changes: dict[str, Any]) -> None:
        if not self.looks:
            return
        for key, value in changes.items():
            if key == "seats":
                seats = {seat["name"]: seat for seat in self.view["seats"]}
                seats.update((seat["name"], seat) for seat in value)
                self.view["seats"] = list(seats.values())
            elif key == "gone":
                self.view["seats"] = [s for s in self.view["seats"] if s["name"] not in value]
            elif key not in ("me", "menu", "menu_changes", "staff"):
                self.view[key] = value

    def _answered(self, message: dict[str, Any]) -> None:
        call_id = message["id"]
        said = (message["number"], message["refused"])
        first = self.answers.setdefault(call_id, said)
        assert first == said, f"{call_id} was answered twice, differently: {first} and {said}"
        text = self.unanswered.pop(call_id, None)
        if text is not None:
            self.old.append((call_id, text))
            del self.old[:-20]


class Storm:
    """One evening under one seed."""

    table = "storm"

    def __init__(self, seed: int, house: str, commands: int, faults: int) -> None:
        self.seed, self.random = seed, random.Random(seed)
        self.house, self.wanted, self.faults_wanted = house, commands, faults
        self.now = 1_700_000_000_000
        self.commands = 0
        self.faults: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.disk = SlowDisk()
        self.entropy = random.Random(seed + 1)
        self.clients: list[Client] = []
        self.pit = self._process()

    def _process(self) -> Pit:
        return Pit(
            self.disk,
            clock=lambda: self.now,
            entropy=lambda size: self.entropy.randbytes(size),
            aside=_at_once,
        )

    @property
    def live(self) -> Live:
        return self.pit.tables[self.table]

    async def run(self) -> dict[str, Any]:
        """The evening, and everything that must hold after it."""
        self.disk.waiting.clear()
        call = Open(
            house=self.house,
            minimum=500,
            maximum=50_000,
            by_hand=True,
            crew=(1, 2, 1),
            by="manager",
            shooter=self.random.choice(["guest", "players"]),
        )
        setup = Setup(automatic=tuple(s for s in STATIONS if s != "inspector"), step=1)
        await self.pit.open(self.table, call, setup, "manager")
        for number in range(20):
            self.clients.append(Client(self, f"p{number}", (), looks=number < 3))
        for station in STATIONS:
            self.clients.append(Client(self, f"the-{station}", (station,), looks=station == "box"))
        every = max(1, self.wanted // max(1, self.faults_wanted))
        while self.commands < self.wanted:
            await self._step()
            if self.random.random() < 0.25 / every:
                await self._fault()
        while sum(self.faults.values()) < self.faults_wanted:
            await self._fault()
            for _ in range(20):
                await self._step()
        await self._calm()
        self._judge()
        return {
            "commands": self.commands,
            "rows": self.live.desk.head.number,
            "faults": sum(self.faults.values()),
            "kinds": dict(self.faults),
            "rolls": self.live.desk.table.rolls,
        }

    async def _settle(self) -> None:
        for _ in range(6):
            await asyncio.sleep(0)

    async def _step(self) -> None:
        """Something happens somewhere."""
        pick = self.random.random()
        client = self.random.choice(self.clients)
        self.now += self.random.randrange(40)
        if client.line is None:
            client.connect()
        if pick < 0.22:
            self._act(client)
        elif pick < 0.33:
            self._crew()
        elif pick < 0.55:
            for _ in range(self.random.randrange(1, 4)):
                client.send_one()
        elif pick < 0.80:
            while client.read_one():
                pass
        elif pick < 0.81 and client.unanswered:
            client.lag.append(self.random.choice(list(client.unanswered.values())))  # twice
        elif pick < 0.815 and client.old:
            client.lag.append(self.random.choice(client.old)[1])  # long after it was answered
        else:
            self.disk.turn()
        await self._settle()

    def _act(self, client: Client) -> None:
        chance = self.random.random
        if client.stations:
            client.say(self._staff_call(), client.stations[0])
            return
        table = self.live.desk.shown[0]
        seat = table.seats.get(client.name)
        if seat is None or (seat.rail < 500 and chance() < 0.5):
            client.say({"type": "buyin", "amount": self.random.choice([10_000, 50_000, 777])})
        elif table.hand.offered == client.name and chance() < 0.6:
            client.say({"type": self.random.choice(["takedice", "takedice", "declinedice"])})
        elif chance() < 0.7:
            amount = self.random.choice([500, 600, 1000, 1200, 2500, 0, 10**9])
            client.say({"type": "bet", "spot": self.random.choice(SPOTS), "amount": amount})
        elif seat.wagers and chance() < 0.8:
            spot = self.random.choice(list(seat.wagers))
            kind = self.random.choice(["takedown", "stayup", "setworking", "reduce"])
            extra: dict[str, Any] = {"call": "on"} if kind == "setworking" else {}
            if kind == "reduce":
                extra = {"to": 500}
            client.say({"type": kind, "spot": spot, **extra})
        else:
            kind = self.random.choice(["agree", "passdice", "leave", "cashout", "addentropy"])
            client.say({"type": kind, **({"text": "luck"} if kind == "addentropy" else {})})

    def _staff_call(self) -> dict[str, Any]:
        seats = list(self.live.desk.shown[0].seats) or ["nobody"]
        seat = self.random.choice(seats)
        kinds: list[dict[str, Any]] = [
            {"type": "closebets"},
            {"type": "throw"},
            {"type": "overrule", "first": 3, "second": 4},
            {"type": "voidroll", "reason": "fraud", "note": "a test"},
            {"type": "confirm", "seat": seat, "spot": "place.6"},
            {"type": "record", "what": "touching", "person": seat},
            {"type": "find", "seat": seat, "spot": "field", "amount": 300},
            {"type": "callnoroll", "cause": "off-table"},
            {"type": "grantlimits", "seat": seat, "minimum": 500, "maximum": 90_000},
            {"type": "judgedispute", "step": "decide"},
        ]
        return self.random.choice(kinds)

    def _crew(self) -> None:
        """The crew keeps the game going: what its stations would say next is said by a client."""
        desk = self.live.desk
        ready = dict.fromkeys(desk.book.people.values(), 0)
        found = next_call(desk.layout, desk.table, desk.book, self.now, ready)
        if found is None:
            return
        plain = msgspec.to_builtins(found.call)
        for own in ("id", "by", "at", "stand_in"):
            plain.pop(own, None)
        client = next(each for each in self.clients if each.stations == (found.station,))
        if client.line is None:
            return
        while client.send_one():
            pass
        while client.read_one():
            pass
        if not client.unanswered:
            client.say(plain, found.station)
            client.send_one()

    # -- what goes wrong -----------------------------------------------------------------------

    async def _fault(self) -> None:
        kind = self.random.choice(["cut", "cut", "cut", "crash", "crash stored", "full", "slow"])
        self.faults[kind] += 1
        if kind == "cut":
            self.random.choice(self.clients).cut()
        elif kind == "full":
            self.disk.turn(full=True)
        elif kind == "slow":
            client = self.random.choice(self.clients)
            for _ in range(200):  # everybody but this one goes on
                await self._step()
            client.read_one()
        else:
            await self._crash(stored=kind == "crash stored")
        await self._settle()

    async def _crash(self, stored: bool) -> None:
        """The process is gone, before its last batch was stored or just after; another begins."""
        for client in self.clients:
            client.cut()
        if self.pit._storing is not None:
            self.pit._storing.cancel()
        self.pit._unsaved.clear()
        await self._settle()
        if stored:
            self.disk.turn()
        self.disk.waiting.clear()
        self.disk.release(self.table)
        old = self.live.desk
        self.pit.tables.clear()
        self.pit.stopping = True
        await self._settle()
        self.pit = self._process()
        await self.pit.look()
        assert self.table in self.pit.tables, self._told("the table did not come back")
        new = self.live.desk
        if old.shown[2] == new.head:
            assert new.table == old.shown[0], self._told("another table after a restart")
            assert new.book == old.shown[1], self._told("another notebook after a restart")

    async def _calm(self) -> None:
        """The storm is over: everybody comes back, everything is said, stored and told."""
        for _ in range(200):
            for client in self.clients:
                if client.line is None:
                    client.connect()
            await self._settle()
            moved = False
            for client in self.clients:
                while client.send_one() or client.read_one():
                    moved = True
                    await self._settle()
            while self.disk.turn():
                moved = True
                await self._settle()
            if not moved and not any(client.unanswered for client in self.clients):
                break
        left = {c.name: list(c.unanswered) for c in self.clients if c.unanswered}
        assert not left, self._told(f"never answered: {left}")

    # -- what must hold ------------------------------------------------------------------------

    def _told(self, problem: str) -> str:
        return f"seed {self.seed} at {self.house}: {problem}"

    def _judge(self) -> None:
        rows = list(self.disk.rows(self.table))
        by_id = {row.id: row for row in rows}
        assert len(by_id) == len(rows), self._told("a call id is ruled on twice")
        for client in self.clients:
            for call_id, (number, refused) in client.answers.items():
                row = by_id.get(f"{client.name}/{call_id}")
                assert row is not None, self._told(f"{call_id} was acknowledged and is lost")
                assert row.number == number, self._told(f"{call_id} moved")
                assert json.loads(json.dumps(refusal_of(row))) == refused, self._told(call_id)
            for number, row_id in client.rows.items():
                assert rows[number - 1].id == row_id, self._told(f"row {number} was never stored")
        self._judge_views()
        audit = Audit()
        for row in rows:
            found = audit.look(row)
            assert found is None, self._told(f"row {row.number}: {found}")
        assert audit.table == self.live.desk.table, self._told("the fold is another table")
        assert imbalance(self.live.desk.table) == 0
        sound = verify(export(self.disk, self.table))
        assert sound.sound, self._told(str(sound.problems[:3]))
        loaded = Desk.load(
            self.table,
            journal=self.disk,
            clock=lambda: self.now,
            entropy=lambda size: self.entropy.randbytes(size),
        )
        assert loaded is not None
        assert loaded.table == self.live.desk.table, self._told("a restart gives another table")
        assert loaded.book == self.live.desk.book, self._told("a restart gives another notebook")

    def _judge_views(self) -> None:
        truth = json.loads(_json(self.live.snapshot()))
        for client in self.clients:
            if not client.looks:
                continue
            assert client.number == self.live.desk.head.number, self._told(f"{client.name} is late")
            seen = dict(client.view)
            seen["seats"] = sorted(seen["seats"], key=lambda seat: str(seat["name"]))
            want = dict(truth)
            want["seats"] = sorted(want["seats"], key=lambda seat: str(seat["name"]))
            different = [key for key in want if seen.get(key) != want[key]]
            assert not different, self._told(
                f"{client.name} sees other {[(k, seen.get(k), want[k]) for k in different]}"
            )


def _json(value: Any) -> bytes:
    from boxman.pit.told.rows import encode

    return encode(value)


async def _at_once(work: Any, *arguments: Any) -> Any:
    return work(*arguments)


def storm(seed: int, house: str, commands: int, faults: int) -> dict[str, Any]:
    """Run one evening; a failure names its seed.

    In a thread of its own: a browser test before it may have left a loop in this one.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(
            lambda: asyncio.run(Storm(seed, house, commands, faults).run())
        ).result()
