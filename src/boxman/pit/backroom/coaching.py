"""The coach of a practice table: best play for a goal, solved in the backroom and looked up here.

A book (solve/coach.py) is solved once for a house, its limits and a goal; tables that play alike
share it. Whether a table may have a coach is for whoever asks to know.
"""

from __future__ import annotations

import tempfile
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import msgspec

from boxman.pit.backroom.simulations import Backroom, Job
from boxman.pit.backroom.solving import BUDGET, SECONDS
from boxman.rules.book import Book
from boxman.rules.layout import Layout, Posted
from boxman.solve.goals import Reach
from boxman.strategy.session import Session

if TYPE_CHECKING:
    from boxman.solve.coach import TableCoach

KEPT = 6
"""Books that are kept: some ten megabytes each."""
Key = tuple[object, ...]


class Coaches:
    """Books that are known, and those that are being solved."""

    def __init__(self, backroom: Backroom) -> None:
        self.backroom = backroom
        self.folder = tempfile.TemporaryDirectory(prefix="boxman-coach-")
        self.books: OrderedDict[Key, TableCoach] = OrderedDict()
        self.jobs: dict[Key, Job] = {}
        self.lock = Lock()

    def ask(
        self,
        rulebook: Book,
        layout: Layout,
        posted: Posted,
        target: int,
        who: tuple[str, str, bool],
    ) -> TableCoach | Job:
        """The book for a goal at such a table, or the job that is working on it."""
        settings = {name: str(value) for name, value in layout.settings.items()}
        key = (layout.digest, tuple(settings.items()), layout.chip, posted, target)
        with self.lock:
            if key in self.books:
                self.books.move_to_end(key)
                return self.books[key]
            job = self.jobs.get(key)
            path = Path(self.folder.name) / f"{abs(hash(key)):x}"
            if job is not None and job.state == "done":
                return self._read(key, path)
            if job is None or job.state == "stopped":
                house = path.with_suffix(".md")
                house.write_text(rulebook.text, "utf-8")
                session = Session(
                    house=str(house),
                    settings=settings,
                    chip=layout.chip,
                    minimum=posted.minimum,
                    maximum=posted.maximum,
                    unit=posted.unit,
                    classes=posted.classes,
                    bankroll=posted.minimum,
                )
                question = {
                    "session": msgspec.to_builtins(session),
                    "goal": msgspec.to_builtins(Reach(target)),
                    "budget": BUDGET,
                    "coach": str(path),
                }
                job = self.jobs[key] = self.backroom.take(question, *who, seconds=SECONDS)
            return job

    def _read(self, key: Key, path: Path) -> TableCoach:
        from boxman.solve.coach import TableCoach

        book = self.books[key] = TableCoach(path)
        del self.jobs[key]
        path.unlink()
        path.with_suffix(".md").unlink(missing_ok=True)
        while len(self.books) > KEPT:
            self.books.popitem(last=False)
        return book
