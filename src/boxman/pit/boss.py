"""The pit boss: which tables this process runs, and that nothing is told before it is stored.

Rulings of all desks go to the store in batches: while one batch is being stored the next gathers,
so a slow disk makes batches larger and not the queue longer. When a batch cannot be stored nothing
of it is told, and the desk is read again from the journal. Everything here runs on one event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, deque
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from boxman.journal.fold import KEPT
from boxman.journal.row import HOUSE_JOURNAL, Head, JournalError, Row
from boxman.journal.store import Fenced, Journal, JournalFull
from boxman.pit.live.auto import AutoRoll
from boxman.pit.live.crew import asking
from boxman.pit.live.desk import Check, Command, Desk, DeskStep, Heard
from boxman.pit.live.ids import SaidBefore, check_same
from boxman.pit.live.loading import live_tables
from boxman.pit.live.notebook import Setup
from boxman.pit.logs import log
from boxman.pit.people.bucket import Bucket, Buckets
from boxman.pit.told.rows import encode, row_message
from boxman.pit.told.view import hanging_of, sign_list, whole
from boxman.pit.web.metrics import METRICS
from boxman.rules.book import Book, BookError
from boxman.rules.settings import SettingError
from boxman.table.opening import Open, Opening
from boxman.table.state import Rolled
from boxman.words import ENGLISH, phrase, speaking, spoken

TAKE_OVER = 1.0
"""Seconds between two looks for tables that nobody runs."""
AUTOMATIC_CALLS = (5.0, 1_000.0)
"""Calls a second of everybody automatic at a practice table, and at once."""
RECENT = 512
"""Messages of the last rows of a table, at hand for somebody who was away for a moment."""


Aside = Callable[..., Coroutine[Any, Any, Any]]
"""How slow work is done beside the loop: in a thread, or as a test will have it."""


class Listener(Protocol):
    """Somebody who is told of rows: a socket, the automatic crew."""

    language: str
    """In which language."""

    def told(self, live: Live, messages: list[str]) -> None:
        """These rows are stored."""

    def stopped(self, live: Live, code: str, message: str) -> None:
        """The table is not run here any more, or not now."""


class Reply(Protocol):
    """How the maker of a command hears what became of it."""

    def __call__(self, heard: Heard | None, code: str = "", message: str = "") -> None:
        """Its row, which is stored; or, without one, why there is none."""


class Unsaved(NamedTuple):
    """A command that was ruled on and is not stored yet."""

    live: Live
    command: Command
    heard: Heard
    answer: Reply | None
    again: bool = False
    """Whether it was ruled on before, and could not be stored: there is no third time."""


class Live:
    """A table with the people around it."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.name = desk.name
        self.listeners: set[Listener] = set()
        self.ready: dict[str, int] = {}
        """Persons who want the dice thrown, and since when."""
        self.autos: dict[str, AutoRoll] = {}
        """Persons who asked for several rolls at once, and what is left of them."""
        self.hails = Buckets(0.4, 3.0)
        """The brakes on each person's quick calls."""
        self.here: Counter[str] = Counter()
        """Persons with an open connection, and how many."""
        self.recent: list[tuple[int, dict[str, str]]] = []
        """Rows as they were told, in every language somebody here spoke then."""
        self.waiting: list[tuple[int, Heard, Reply]] = []
        """Answers to repeated commands whose first row is not stored yet."""
        self.held: list[tuple[Command, Reply | None]] | None = None
        """Commands that came while the table is read again, if it is."""
        self.automatic = Bucket(*AUTOMATIC_CALLS)
        """What automatic people may say at a practice table."""
        self._signs: tuple[object, list[dict[str, object]]] | None = None

    def snapshot(self) -> dict[str, object]:
        """Everything everybody sees, as stored."""
        table, book, _ = self.desk.shown
        key = (spoken(), hanging_of(table))
        if self._signs is None or self._signs[0] != key:
            self._signs = (key, sign_list(self.desk.layout, table))
        made = whole(self.name, self.desk.layout, table, book, self._signs[1])
        return {**made, **self.readiness()}

    def away(self) -> set[str]:
        """Persons with a seat who have no connection open: nobody waits for them."""
        return {person for person in self.desk.shown[1].people.values() if not self.here[person]}

    def readiness(self) -> dict[str, object]:
        """The seats of those who are ready, who asked for the throw, and how long others have."""
        table, book, _ = self.desk.shown
        seats = {person: seat for seat, person in book.people.items() if seat in table.seats}
        found = asking(table, book, self.ready, self.away()) if self.ready else None
        asked = None
        if found is not None and table.phase == "open":
            left = max(0, found[1] - self.desk.clock())
            asked = {"by": seats.get(found[0], ""), "left": left}
        return {"ready": sorted(seats[p] for p in self.ready if p in seats), "asked": asked}

    def after_rolls(self, steps: tuple[DeskStep, ...]) -> None:
        """What is left of the rolls that were asked for in advance."""
        rolls = [
            (step, each)
            for step in steps
            for each in step.row.ruling.decisions
            if isinstance(each, Rolled)
        ]
        seats = {person: seat for seat, person in self.desk.shown[1].people.items()}
        for step, rolled in rolls:
            for person, auto in tuple(self.autos.items()):
                now = self.desk.clock()
                left = auto.after(rolled, step.after, seats.get(person, ""), now)
                if left is None:
                    del self.autos[person]
                else:
                    self.autos[person] = left

    def make_ready(self, now: int) -> int:
        """Those whose next roll is due are ready; milliseconds until the next is, or -1."""
        wait = -1
        for person, auto in self.autos.items():
            if auto.due <= now:
                self.ready.setdefault(person, now)
            elif person not in self.ready:
                wait = auto.due - now if wait < 0 else min(wait, auto.due - now)
        return wait

    def tell_readiness(self) -> None:
        """Everybody at the table hears who is ready; it is no row."""
        number = self.desk.shown[2].number
        self.tell_all({"is": "view", "number": number, "view": self.readiness()})

    def tell_all(self, message: dict[str, object]) -> None:
        """Everybody here hears what is no row; nobody is told it later."""
        text = encode(message).decode()
        for listener in tuple(self.listeners):
            listener.told(self, [text])

    def tell(self, steps: Sequence[DeskStep]) -> list[dict[str, str]]:
        """These rows in every language somebody here speaks; the last ones are kept at hand."""
        was = self.desk.shown[1]
        messages = []
        for step in steps:
            told = {}
            for language in {ENGLISH, *(each.language for each in self.listeners)}:
                with speaking(language):
                    told[language] = encode(row_message(self.desk.layout, was, step)).decode()
            was = step.book
            messages.append(told)
            self.recent.append((step.row.number, told))
        if len(self.recent) > RECENT * 2:
            del self.recent[:-RECENT]
        return messages

    def answer_waiting(self) -> None:
        """Whoever repeated a command hears its first ruling once that is stored."""
        if self.waiting:
            number = self.desk.shown[2].number
            now = [each for each in self.waiting if each[0] <= number]
            self.waiting = [each for each in self.waiting if each[0] > number]
            for _, heard, answer in now:
                answer(heard)

    def since(self, number: int, language: str) -> list[str] | None:
        """The messages after a number; None if they are not all at hand in this language."""
        if number == self.desk.shown[2].number:
            return []
        if not self.recent or not self.recent[0][0] <= number + 1 <= self.recent[-1][0]:
            return None
        missed = [told for at, told in self.recent if at > number]
        return [told[language] for told in missed] if all(language in t for t in missed) else None


class Pit:
    """All tables of this process."""

    def __init__(
        self,
        journal: Journal,
        *,
        clock: Callable[[], int],
        entropy: Callable[[int], bytes],
        check: Check | None = None,
        url: str = "",
        aside: Aside = asyncio.to_thread,
    ) -> None:
        self.aside = aside
        self.journal, self.clock, self.entropy = journal, clock, entropy
        self.check, self.url = check, url
        self.tables: dict[str, Live] = {}
        self.damaged: dict[str, str] = {}
        """Tables that cannot be opened, and why; they are tried again at the next start."""
        self.put_away: Callable[[], Collection[str]] = tuple
        """The tables that are not run any more, by anybody."""
        self.on_table: Callable[[Live], None] | None = None
        """Called for every table that this process begins to run."""
        self.seal: Callable[[str, Head], None] | None = None
        """Called at every checkpoint, and for every table at the end."""
        self._unsaved: list[Unsaved] = []
        self._again: deque[Unsaved] = deque()
        """Commands that somebody else's row was in the way of, to be heard once more."""
        self._storing: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._opening = asyncio.Lock()
        self._closing = asyncio.Event()
        self._later: set[asyncio.Task[None]] = set()
        self.barred: Mapping[str, str] = {}
        """Tables that nobody deals at, and why: the house's own seals contradict their rows."""
        self._closed: dict[str, str] = {}
        """Tables that cannot be opened, and why."""
        self.failures = 0
        """How often something was not stored: what the store said before is out of date."""
        self.stopping = False

    # -- tables --------------------------------------------------------------------------------

    async def start(self) -> None:
        """Run every table that nobody else runs, and look for others from time to time."""
        await self.look()
        self._looking = asyncio.create_task(self._look_on())

    async def _look_on(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), TAKE_OVER)
                return
            try:
                await self.look()
            except JournalError as error:
                log.warning("tables not looked for", problem=str(error))

    async def look(self) -> None:
        """Take the tables that nobody runs; and anew those that could not be read again when
        something was not stored: the journal answers now."""
        names = await self.aside(self.journal.tables)
        away = await self.aside(self.put_away)
        for live in tuple(self.tables.values()):
            if live.desk.broken and live.held is None and not self.stopping:
                self.drop(live, "elsewhere", phrase("pit.house.the-table-is-read-again"))
        for name in names:
            known = name in self.tables or name in self.damaged or name in away
            if not known and name != HOUSE_JOURNAL and not self.stopping:
                await self._take(name)

    async def _take(self, name: str) -> Live | None:
        if not await self.aside(self.journal.claim, name):
            return None
        try:
            desk = await self.aside(self._load, name)
            if desk is not None:
                await self.aside(desk.restart)
        except (JournalError, BookError, SettingError) as error:
            if self._closed.get(name) != str(error):  # said once, not at every look
                log.error("table not opened", table=name, problem=str(error))
            self._closed[name] = str(error)
            if not isinstance(error, JournalFull):  # which passes
                self.damaged[name] = phrase("pit.house.the-table-is-closed", name=name, error=error)
            self.journal.release(name)
            return None
        self._closed.pop(name, None)
        if desk is None or self.stopping:
            self.journal.release(name)
            return None
        return self._run(desk)

    def _load(self, name: str) -> Desk | None:
        if name in self.barred:
            raise JournalError(self.barred[name])
        try:
            return Desk.load(
                name,
                journal=self.journal,
                clock=self.clock,
                entropy=self.entropy,
                check=self.check,
            )
        except (JournalError, BookError, SettingError):
            raise
        except Exception as error:
            # Rows that no desk could have written: this table is closed by them, and no other.
            raise JournalError(
                phrase("pit.house.the-journal-of-cannot", name=name, error=f"{error!r}")
            ) from error

    def _run(self, desk: Desk) -> Live:
        live = Live(desk)
        self.tables[desk.name] = live
        METRICS.tables.set(len(self.tables))
        log.info("table runs here", table=desk.name, number=desk.head.number)
        if self.url:
            self._soon(self.aside(self._own, desk.name))
        if self.on_table is not None:
            self.on_table(live)
        return live

    def _own(self, name: str) -> None:
        with contextlib.suppress(JournalError):
            self.journal.records.put("owner", name, self.url.encode())

    def owner(self, name: str) -> str:
        """Where a table is run that is not run here, if anybody said."""
        kept = self.journal.records.get("owner", name)
        return kept.decode() if kept else ""

    async def open(
        self, name: str, call: Open, setup: Setup, person: str, rulebook: Book | None = None
    ) -> Opening:
        """Open a table and run it here, by the rulebook given or that of its house."""
        claimed = await self.aside(self.journal.claim, name)
        if not claimed or name in self.tables:
            raise JournalError(phrase("pit.house.there-is-a-table", name=name))
        try:
            if self.journal.head(name).number:
                raise JournalError(phrase("pit.house.there-is-a-table", name=name))
            async with self._opening:  # each is held against those that are open
                made: tuple[Desk | None, Opening] = await self.aside(
                    lambda: Desk.open(
                        name,
                        call,
                        setup,
                        person,
                        journal=self.journal,
                        clock=self.clock,
                        entropy=self.entropy,
                        check=self.check,
                        rulebook=rulebook,
                        others=lambda at: live_tables(self.journal, at, self.put_away()),
                    )
                )
        except BaseException:
            self.journal.release(name)
            raise
        if made[0] is None:
            self.journal.release(name)
        else:
            self._run(made[0])
        return made[1]

    # -- commands ------------------------------------------------------------------------------

    def take(
        self, live: Live, command: Command, answer: Reply | None = None, again: bool = False
    ) -> None:
        """Hear a command; the answer comes when its row is stored."""
        if self.stopping:
            if answer:
                answer(None, "stopping", phrase("pit.house.the-house-is-closing-your"))
            return
        if live.held is not None:
            live.held.append((command, answer))
            return
        try:
            heard = live.desk.hear(command)
        except JournalError as error:
            if answer:
                answer(None, "table-stopped", str(error))
            return
        except SaidBefore as error:
            if answer:
                answer(None, "id-taken", str(error))
            return
        except Exception as error:
            log.error(
                "a fault of ours", call=repr(command.call), problem=repr(error), exc_info=error
            )
            if answer:
                answer(None, "fault", phrase("pit.house.that-is-a-fault"))
            return
        if heard.steps:
            self._unsaved.append(Unsaved(live, command, heard, answer, again))
            if self._storing is None:
                self._storing = asyncio.create_task(self._store())
        elif answer is not None:
            if heard.row.number <= live.desk.shown[2].number:
                answer(heard)
            else:
                live.waiting.append((heard.row.number, heard, answer))

    async def _store(self) -> None:
        try:
            while self._unsaved or self._again:
                if self._again:
                    # One at a time, and only when the one before it is stored.
                    each = self._again.popleft()
                    self.take(each.live, each.command, each.answer, again=True)
                batch, self._unsaved = self._unsaved, []
                if not batch:
                    continue
                rows, moves = _to_store(batch)
                try:
                    await asyncio.wrap_future(self.journal.submit(rows, moves))
                except JournalError as error:
                    await self._not_stored(batch, error)
                except Exception as error:  # a store that fails in a way it never said
                    log.error("the journal failed", problem=repr(error))
                    await self._not_stored(batch, JournalError(str(error)))
                else:
                    METRICS.batch.observe(len(rows))
                    METRICS.rows.inc(len(rows))
                    self._stored(batch)
        finally:
            self._storing = None

    def _stored(self, batch: list[Unsaved]) -> None:
        touched: dict[str, tuple[Live, list[dict[str, str]]]] = {}
        for live, _, heard, _, _ in batch:
            _, messages = touched.setdefault(live.name, (live, []))
            messages += live.tell(heard.steps)
            live.desk.saved(heard.steps)
            if any(KEPT in step.row.notes for step in heard.steps):
                self._soon(self.aside(live.desk.keep, heard.steps, self.seal))
            if live.ready and any(
                step.row.call.__class__.__name__ == "Throw" for step in heard.steps
            ):
                live.ready.clear()
            if live.autos:
                live.after_rolls(heard.steps)
        for live, messages in touched.values():
            for listener in tuple(live.listeners):
                listener.told(live, [told[listener.language] for told in messages])
        for each in batch:
            if each.answer is not None:
                each.answer(each.heard)
        for live, _ in touched.values():
            live.answer_waiting()

    async def _not_stored(self, batch: list[Unsaved], error: JournalError) -> None:
        """Nothing of the batch is told. Tables are tried one by one, then read again."""
        METRICS.failures.inc()
        groups: dict[str, list[Unsaved]] = {}
        for each in batch:
            groups.setdefault(each.live.name, []).append(each)
        for group in groups.values():
            live = group[0].live
            problem: JournalError | None = error
            if isinstance(error, Fenced) and len(groups) > 1:
                try:
                    await asyncio.wrap_future(self.journal.submit(*_to_store(group)))
                    problem = None
                except JournalError as own:
                    problem = own
            if problem is None:
                self._stored(group)
            else:
                await self._read_again(live, group, problem)

    async def _read_again(self, live: Live, group: list[Unsaved], error: JournalError) -> None:
        """The desk ruled on what was never stored: read the table again, answer everybody."""
        if not isinstance(error, Fenced):
            self.failures += 1
        failed = [*group, *(each for each in self._unsaved if each.live is live)]
        self._unsaved = [each for each in self._unsaved if each.live is not live]
        waiting, live.waiting = live.waiting, []
        stored: Head = live.desk.shown[2]
        log.error("not stored", table=live.name, problem=str(error), commands=len(failed))
        live.desk.broken = phrase("pit.house.the-table-stands-still", error=error)
        live.held = []
        try:
            head = await self.aside(self.journal.head, live.name)
            moved = head != stored
            desk = None if moved else await self.aside(self._load, live.name)
        except JournalError:
            self.failures += 1
            desk, moved = None, False
        if desk is not None:
            live.desk = desk
        if isinstance(error, Fenced) and desk is not None:
            await self._hear_again(live, failed, waiting)
        else:
            self._give_up(live, [each.answer for each in failed], waiting, error, moved)
        held, live.held = live.held, None
        for command, answer in held:
            self.take(live, command, answer)

    def _give_up(
        self,
        live: Live,
        failed: list[Reply | None],
        waiting: list[tuple[int, Heard, Reply]],
        error: JournalError,
        moved: bool,
    ) -> None:
        """What was ruled does not count, and everybody hears it."""
        code = "journal-full" if isinstance(error, JournalFull) else "not-stored"
        for answer in (*failed, *(each for _, _, each in waiting)):
            if answer is not None:
                answer(None, code, phrase("pit.house.your-call-was-not-stored", error=error))
        if moved:
            self.drop(live, "elsewhere", phrase("pit.house.this-table-is-run"))
        else:
            for listener in tuple(live.listeners):
                listener.stopped(
                    live, code, phrase("pit.house.the-table-stands-still", error=error)
                )

    async def _hear_again(
        self, live: Live, failed: list[Unsaved], waiting: list[tuple[int, Heard, Reply]]
    ) -> None:
        """Among these is an id that was ruled on long ago: it gets its first ruling again, and the
        others are ruled on anew, in the same order, once. Who is in the way twice is told so."""
        for each in failed:
            found = await self.aside(self.journal.find, live.name, each.command.id)
            answer = each.answer or _nobody
            if found is not None:
                try:
                    check_same(each.command.station.role, each.command.call, found)
                except SaidBefore as error:
                    answer(None, "id-taken", str(error))
                else:
                    answer(Heard(found, ()))
            elif each.again:
                answer(None, "not-stored", phrase("pit.house.your-call-was-not-stored-and"))
            else:
                self._again.append(each)
        for _, _, answer in waiting:
            answer(None, "say-again", phrase("pit.house.your-call-was-not"))

    def drop(self, live: Live, code: str, message: str) -> None:
        """Run a table no longer."""
        self.tables.pop(live.name, None)
        METRICS.tables.set(len(self.tables))
        with contextlib.suppress(JournalError):
            self.journal.release(live.name)
        log.warning("table given up", table=live.name, why=message)
        for listener in tuple(live.listeners):
            listener.stopped(live, code, message)

    def _soon(self, work: Any) -> None:
        task = asyncio.ensure_future(_quietly(work))
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    # -- stopping ------------------------------------------------------------------------------

    async def stop(self) -> None:
        """Store what was heard, keep checkpoints, let the tables go. Nothing is lost."""
        self.stopping = True
        self._closing.set()
        if self._looking is not None:
            # Not cancelled: a table that is just being taken has been claimed, and is let go.
            await self._looking
        while self._storing is not None:
            await asyncio.sleep(0.01)
        if self._later:
            await asyncio.gather(*self._later, return_exceptions=True)
        for live in tuple(self.tables.values()):
            for listener in tuple(live.listeners):
                listener.stopped(live, "stopping", phrase("pit.house.the-house-is-closing"))
            if self.seal is not None:
                with contextlib.suppress(OSError, JournalError):
                    await self.aside(self.seal, live.name, live.desk.shown[2])
            with contextlib.suppress(JournalError):
                self.journal.release(live.name)
        self.tables.clear()


def _to_store(batch: list[Unsaved]) -> tuple[list[Row], list[tuple[str, int]]]:
    """The rows of these commands, and the chips they move."""
    rows = [step.row for each in batch for step in each.heard.steps]
    return rows, [move for each in batch for move in each.heard.moves]


def _nobody(heard: Heard | None, code: str = "", message: str = "") -> None:
    """Nobody waits for this answer."""


async def _quietly(work: Any) -> None:
    """Work that nobody waits for: what goes wrong with it is logged."""
    try:
        await work
    except Exception as error:
        log.error("work beside the tables failed", problem=repr(error))
