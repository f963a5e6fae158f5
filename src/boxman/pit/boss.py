"""The pit boss: which tables this process runs, and that nothing is told before it is stored.

Rulings of all desks go to the store in batches: while one batch is being stored the next gathers,
so a slow disk makes batches larger and not the queue longer. When a batch cannot be stored nothing
of it is told, and the desk is read again from the journal. Everything here runs on one event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from typing import NamedTuple, ParamSpec, Protocol, TypeVar

from boxman.journal.fold import KEPT
from boxman.journal.row import HOUSE_JOURNAL, Head, JournalError, Row
from boxman.journal.store import Fenced, Journal, JournalFull
from boxman.pit.around import Live, Reply
from boxman.pit.live.desk import Check, Command, Desk, Heard
from boxman.pit.live.ids import SaidBefore, check_same
from boxman.pit.live.loading import live_tables
from boxman.pit.live.notebook import Setup
from boxman.pit.logs import log
from boxman.pit.web.metrics import METRICS
from boxman.rules.book import Book, BookError
from boxman.rules.settings import SettingError
from boxman.table.opening import Open, Opening
from boxman.words import phrase

TAKE_OVER = 1.0
"""Seconds between two looks for tables that nobody runs."""
P = ParamSpec("P")
T = TypeVar("T")


class Aside(Protocol):
    """How slow work is done beside the loop: in a thread, or as a test will have it."""

    def __call__(
        self, work: Callable[P, T], /, *words: P.args, **named: P.kwargs
    ) -> Coroutine[object, None, T]: ...


class Unsaved(NamedTuple):
    """A command that was ruled on and is not stored yet."""

    live: Live
    command: Command
    heard: Heard
    answer: Reply | None
    again: bool = False
    """Whether it was ruled on before, and could not be stored: there is no third time."""


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
        self._closing = asyncio.Event()
        self._later: set[asyncio.Task[None]] = set()
        self.barred: Mapping[str, str] = {}
        """Tables that nobody deals at, and why: the house's own seals contradict their rows."""
        self._told: dict[str, Head] = {}
        """The last row that was told here of tables that are not run here now."""
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
        trouble = log.trouble("tables not looked for", "tables are looked for again")
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), TAKE_OVER)
                return
            try:
                await self.look()
                trouble.saw()
            except JournalError as error:
                trouble.saw(str(error))

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
        head, told = self.journal.head(name), self._told.get(name, Head())
        if head.number < told.number:
            raise self._gone(name, head, told)
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

    def _gone(self, name: str, head: Head, told: Head) -> JournalError:
        """Why nobody deals on at a row before one that everybody heard of; sealed, so that the next
        start knows it too."""
        if self.seal is not None:
            with contextlib.suppress(OSError, JournalError):
                self.seal(name, told)
        words = phrase("pit.house.rows-are-gone", number=head.number, told=told.number)
        self.damaged[name] = phrase("pit.house.the-table-is-closed", name=name, error=words)
        return JournalError(words)

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
            made = await self.aside(
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
            if head.number < stored.number:
                error = await self.aside(self._gone, live.name, head, stored)
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
            why = self.damaged.get(live.name) or phrase("pit.house.this-table-is-run")
            self.drop(live, "elsewhere", why)
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
        self._told[live.name] = live.desk.shown[2]
        METRICS.tables.set(len(self.tables))
        with contextlib.suppress(JournalError):
            self.journal.release(live.name)
        log.warning("table given up", table=live.name, why=message)
        for listener in tuple(live.listeners):
            listener.stopped(live, code, message)

    def _soon(self, work: Awaitable[object]) -> None:
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


async def _quietly(work: Awaitable[object]) -> None:
    """Work that nobody waits for: what goes wrong with it is logged."""
    try:
        await work
    except Exception as error:
        log.error("work beside the tables failed", problem=repr(error))
