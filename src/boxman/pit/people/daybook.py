"""The day book: what several processes of one house have to know of each other about a day.

Each process writes one page beside the journal, again and again: who played when, and who stands
how at which table. Pages of others, and of processes that have ended, are read back; so a player's
own limits count everywhere, and after a restart. It knows no rule and decides nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable

import msgspec

from boxman.journal.store import Records
from boxman.pit.live.notebook import DAY

Spell = tuple[int, int]
"""A time of play: from, until, in milliseconds since 1970."""
Standing = tuple[int, int]
"""How somebody stands at a table: his result of the day, and what he has up."""
APART = 5 * 60_000
"""A player who says nothing for longer is taken to be away: the rest is not counted as play."""
KEPT = 3
"""Days after which pages are thrown away."""


class Page(msgspec.Struct, frozen=True):
    """What one process has to say of a day."""

    at: int = 0
    spells: dict[str, tuple[Spell, ...]] = {}
    tables: dict[str, dict[str, Standing]] = {}
    """By table and person."""


def merged(spells: Iterable[Spell]) -> list[Spell]:
    """Times of play in order, those that overlap or almost touch joined into one."""
    made: list[Spell] = []
    for start, end in sorted(spells):
        if made and start - made[-1][1] <= APART:
            made[-1] = (made[-1][0], max(made[-1][1], end))
        else:
            made.append((start, end))
    return made


class DayBook:
    """The pages of a day. `exchange` reads and writes the store: it belongs in a thread."""

    def __init__(self, records: Records, clock: Callable[[], int], process: str = "") -> None:
        self.records, self.clock = records, clock
        self.process = process or secrets.token_hex(8)
        self._read: tuple[int, dict[str, Page]] = (0, {})
        """A day, and the pages that other processes wrote of it."""
        self._written: tuple[str, Page] | None = None
        self._swept = 0

    @property
    def today(self) -> int:
        """The day that it is."""
        return self.clock() // DAY

    def exchange(self, page: Page) -> None:
        """Write one's own page if it says something new, and read those of the others."""
        today = self.today
        kind = f"day-{today}"
        said = (kind, msgspec.structs.replace(page, at=0))
        if said != self._written and (page.spells or page.tables or self._written):
            self.records.put(kind, self.process, msgspec.json.encode(page))
            self._written = said
        others = {
            process: msgspec.json.decode(value, type=Page)
            for process, value in self.records.list(kind)
            if process != self.process
        }
        self._read = (today, others)
        if self._swept != today:
            self._swept = today
            for day in range(today - 2 * KEPT, today - KEPT):
                for process, _ in self.records.list(f"day-{day}"):
                    self.records.delete(f"day-{day}", process)

    @property
    def others(self) -> dict[str, Page]:
        """The pages of others about today; those of yesterday say nothing of it."""
        day, pages = self._read
        return pages if day == self.today else {}

    def spells(self, person: str) -> list[Spell]:
        """When somebody played today, as others saw it."""
        return [spell for page in self.others.values() for spell in page.spells.get(person, ())]

    def standing(self, person: str, here: Iterable[str]) -> Standing:
        """How somebody stands at tables that are not run here; of two pages the newer counts."""
        found: dict[str, tuple[int, Standing]] = {}
        for page in self.others.values():
            for table, people in page.tables.items():
                if table not in found or found[table][0] < page.at:
                    found[table] = (page.at, people.get(person, (0, 0)))
        own = set(here)
        rest = [standing for table, (_, standing) in found.items() if table not in own]
        return sum(net for net, _ in rest), sum(up for _, up in rest)
