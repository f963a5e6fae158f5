"""A table that is run here, with the people around it: who listens, who is ready, what they heard.

It tells what was stored and knows no store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from boxman.pit.live.auto import AutoRoll
from boxman.pit.live.crew import asking
from boxman.pit.live.desk import Command, Desk, DeskStep, Heard
from boxman.pit.people.bucket import Bucket, Buckets
from boxman.pit.told.rows import encode, row_message
from boxman.pit.told.view import hanging_of, sign_list, whole
from boxman.table.state import Rolled
from boxman.words import ENGLISH, speaking, spoken

AUTOMATIC_CALLS = (5.0, 1_000.0)
"""Calls a second of everybody automatic at a practice table, and at once."""
RECENT = 512
"""Messages of the last rows of a table, at hand for somebody who was away for a moment."""


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
