"""The coach of a practice table: best play for a goal, solved in the backroom and looked up here.

A book (solve/coach.py) is solved once for a house, its limits and a goal; tables that play alike
share it. Whether a table may have a coach is for whoever asks to know.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import OrderedDict
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from fastapi import HTTPException

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
FOLDER = "boxman-coach-"
"""How the folder of a process begins, in which each question has one of its own."""
HOUSE, BOOK = "house.md", "book"
"""What is in the folder of a question: the rulebook, and what was found."""


class BookAsked(NamedTuple):
    """A book that is being solved, and the folder in which it is, until it is read."""

    job: Job
    folder: TemporaryDirectory[str]


class Coaches:
    """Books that are known, and those that are being solved."""

    def __init__(self, backroom: Backroom) -> None:
        self.backroom = backroom
        self.books: OrderedDict[bytes, TableCoach] = OrderedDict()
        self.asked: dict[bytes, BookAsked] = {}
        self.lock = Lock()
        self.folder: TemporaryDirectory[str] | None = None

    def ask(
        self,
        rulebook: Book,
        layout: Layout,
        posted: Posted,
        target: int,
        who: tuple[str, str, bool],
    ) -> TableCoach | Job:
        """The book for a goal at such a table, or the job that is working on it."""
        session = Session(
            house=layout.house,
            settings={name: str(value) for name, value in layout.settings.items()},
            chip=layout.chip,
            minimum=posted.minimum,
            maximum=posted.maximum,
            unit=posted.unit,
            classes=posted.classes,
            bankroll=posted.minimum,
        )
        key = msgspec.json.encode((layout.digest, session, target))
        with self.lock:
            for each in self.asked.values():
                if each.job.state in ("stopped", "failed"):
                    each.folder.cleanup()
            if key in self.books:
                self.books.move_to_end(key)
                return self.books[key]
            asked = self.asked.get(key)
            if asked is not None and asked.job.state == "done":
                return self._read(key)
            if asked is not None and asked.job.state == "stopped":
                # Told once, not begun anew in silence: whoever asks again has it tried again.
                return self.asked.pop(key).job
            if asked is None:
                asked = self.asked[key] = self._solve(rulebook, session, target, who)
            return asked.job

    def _solve(
        self, rulebook: Book, session: Session, target: int, who: tuple[str, str, bool]
    ) -> BookAsked:
        """Have it worked on, in a folder that is there as long as that takes."""
        while self.folder is None or not os.path.isdir(self.folder.name):
            self.folder = TemporaryDirectory(prefix=FOLDER, ignore_cleanup_errors=True)
            _hold(self.folder.name)  # if somebody sweeps at this moment, another one
        folder = TemporaryDirectory(dir=self.folder.name)
        house = Path(folder.name) / HOUSE
        house.write_text(rulebook.text, "utf-8")
        question = {
            "session": msgspec.to_builtins(msgspec.structs.replace(session, house=str(house))),
            "goal": msgspec.to_builtins(Reach(target)),
            "budget": BUDGET,
            "coach": str(Path(folder.name) / BOOK),
        }
        try:
            return BookAsked(self.backroom.take(question, *who, seconds=SECONDS), folder)
        except HTTPException:  # too many wait
            folder.cleanup()
            raise

    def _read(self, key: bytes) -> TableCoach:
        from boxman.solve.coach import TableCoach

        with self.asked.pop(key).folder as folder:
            book = self.books[key] = TableCoach(Path(folder) / BOOK)
        while len(self.books) > KEPT:
            self.books.popitem(last=False)
        return book


def _hold(folder: str) -> int | None:
    """Hold a folder as long as this process lives, and say by which file; None if another does, or
    if no folder can be held here (Windows)."""
    try:
        import fcntl
    except ModuleNotFoundError:  # pragma: no cover
        return None
    try:
        file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:  # gone, or not ours
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    return file


def sweep() -> None:
    """Remove what processes left behind that were killed: folders that nobody holds."""
    for each in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        if (held := _hold(str(each))) is not None:
            shutil.rmtree(each, ignore_errors=True)
            os.close(held)
