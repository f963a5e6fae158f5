"""Tables that were put away: closed ones, and practice tables where nobody has been for long.

Nothing of them is lost: their journals stay as they are, and a list says which there are. They are
run by nobody and count for nothing. It knows records and the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from boxman.journal.store import Records
from boxman.pit.around import Live
from boxman.pit.live.crew import people_at

KIND = "archive"


class Archive:
    """What was put away. `idle` is in seconds; 0 puts nothing away."""

    def __init__(self, records: Records, clock: Callable[[], int], idle: int) -> None:
        self.records, self.clock, self.idle = records, clock, idle
        self._quiet: dict[str, int] = {}

    def names(self) -> set[str]:
        """The tables that were put away, here or by another process; it belongs in a thread."""
        return {name for name, _ in self.records.list(KIND)}

    def holds(self, name: str) -> bool:
        """Whether a table was put away; it belongs in a thread."""
        return self.records.get(KIND, name) is not None

    def due(self, tables: Iterable[Live]) -> list[Live]:
        """The tables whose time has come."""
        now, found = self.clock(), []
        for live in tables:
            table, book, _ = live.desk.shown
            deserted = book.setup.practice and not people_at(table, book)
            if not self.idle or live.here or not (table.floor.closed or deserted):
                self._quiet.pop(live.name, None)
            elif now - self._quiet.setdefault(live.name, now) >= self.idle * 1000:
                found.append(live)
        return found

    def put(self, live: Live) -> None:
        """Put a table away; it belongs in a thread."""
        table, book, head = live.desk.shown
        said = {
            "table": live.name,
            "name": book.setup.title or live.name,
            "house": live.desk.layout.house,
            "kind": "practice" if book.setup.practice else "live",
            "opened": book.opened,
            "put_away": self.clock(),
            "rolls": table.rolls,
            "number": head.number,
            "head": head.hash,
        }
        self.records.put(KIND, live.name, msgspec.json.encode(said))
        self._quiet.pop(live.name, None)

    def listed(self) -> list[dict[str, object]]:
        """Every table that was put away."""
        return [msgspec.json.decode(value) for _, value in self.records.list(KIND)]
