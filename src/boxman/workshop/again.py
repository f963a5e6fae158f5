"""A rulebook compiled again after one of its facts was changed: quickly, and as if anew.

Of most spots nothing was changed. What each was made from is noted when the whole book is compiled
(every answer of the ledger it asked for, its prices, other spots it looked at); where all of that
is the same, the spot is taken over, together with what making it has marked as used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

from boxman.rules.book import Book, BookError
from boxman.rules.compile import Compilation
from boxman.rules.layout import Layout
from boxman.rules.settings import SettingError

ANY_CHIP = 100
"""Whichever: nothing a rulebook says depends on the chips."""


K = TypeVar("K")
V = TypeVar("V")


class _Read(dict[K, V]):
    """A dictionary that notes what is read of it."""

    def __init__(self, held: Mapping[K, V]) -> None:
        super().__init__(held)
        self.read: set[K] = set()

    def __getitem__(self, key: K) -> V:
        self.read.add(key)
        return super().__getitem__(key)

    def get(self, key: K, default: V | None = None) -> V | None:  # type: ignore[override]
        self.read.add(key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self.read.add(key)  # type: ignore[arg-type]
        return super().__contains__(key)


class _Marks(NamedTuple):
    """What making a spot marks beside it."""

    used: set[int]
    despite: set[int]
    paid_by: set[tuple[int, str, object]]
    priced: set[str]


class _Note(NamedTuple):
    """What was read to make one spot, or its verdicts."""

    asked: set[object]
    spots: set[str]
    marks: _Marks


class NotedBook(Compilation):
    """The whole book, with a note for every spot."""

    def __init__(self, book: Book, given: Mapping[str, object], chip: int) -> None:
        super().__init__(book, given, chip)
        self.notes: dict[tuple[str, str], _Note] = {}
        self.layout = self.compile()

    def enter_all(self) -> None:
        super().enter_all()
        self.ledger.answers = _Read(self.ledger.answers)
        self.results, self.spots = _Read(self.results), _Read(self.spots)

    def decide_rows(self, spot: str) -> None:
        with self._noting("rows", spot):
            super().decide_rows(spot)

    def build(self, spot: str) -> None:
        with self._noting("spot", spot):
            super().build(spot)

    @contextmanager
    def _noting(self, what: str, spot: str) -> Iterator[None]:
        answers, results, spots = self.ledger.answers, self.results, self.spots
        assert isinstance(answers, _Read)
        assert isinstance(results, _Read)
        assert isinstance(spots, _Read)
        answers.read, results.read, spots.read = set(), set(), set()
        before, marks = self._marks(), _Marks(set(), set(), set(), set())
        self._take(marks)
        yield
        self._take(before)
        _join(before, marks)
        others = (results.read | spots.read) - {spot}
        self.notes[what, spot] = _Note(answers.read, others, marks)

    def _marks(self) -> _Marks:
        return _Marks(self.ledger.used, self.ledger.despite, self.paid_by, self.priced)

    def _take(self, marks: _Marks) -> None:
        self.ledger.used, self.ledger.despite, self.paid_by, self.priced = marks


def _join(into: _Marks, marks: _Marks) -> None:
    into.used.update(marks.used)
    into.despite.update(marks.despite)
    into.paid_by.update(marks.paid_by)
    into.priced.update(marks.priced)


class WholeBook:
    """A rulebook as it is, noted under whatever settings it was asked for with. Facts are known by
    what they are, not by what they say: a changed book has to hold the others themselves."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._noted: dict[object, NotedBook | None] = {}

    def noted(self, given: Mapping[str, object]) -> NotedBook | None:
        """None where it cannot be compiled with these settings."""
        key = tuple(sorted(given.items()))
        if key not in self._noted:
            try:
                self._noted[key] = NotedBook(self.book, given, ANY_CHIP)
            except (BookError, SettingError):
                self._noted[key] = None
        return self._noted[key]

    def compiled(self, changed: Book, given: Mapping[str, object]) -> Layout:
        """The book with a fact changed."""
        before = self.noted(given)
        made = (
            ChangedBook(changed, given, ANY_CHIP, before)
            if before
            else Compilation(changed, given, ANY_CHIP)
        )
        return made.compile()


class ChangedBook(Compilation):
    """The book with a fact changed, beside the one it was made of."""

    def __init__(
        self, book: Book, given: Mapping[str, object], chip: int, before: NotedBook
    ) -> None:
        super().__init__(book, given, chip)
        self.before = before
        self.same: set[str] = set()
        """Spots whose verdicts, and then all of which, were taken over."""

    def decide_rows(self, spot: str) -> None:
        if not self._taken("rows", spot, self.results, self.before.results):
            super().decide_rows(spot)

    def build(self, spot: str) -> None:
        if not self._taken("spot", spot, self.spots, self.before.spots):
            self.same.discard(spot)
            super().build(spot)

    def _taken(self, what: str, spot: str, into: dict[str, V], known: dict[str, V]) -> bool:
        note = self.before.notes.get((what, spot))
        if note is None or not self._all_the_same:
            return False
        if what == "spot" and spot not in self.same:
            return False
        if not (
            note.spots <= self.same
            and self.offered[spot] == self.before.offered[spot]
            and self.prices.get(spot) == self.before.prices.get(spot)
            and note.asked.isdisjoint(self.answered_otherwise)
        ):
            return False
        into[spot] = dict.__getitem__(known, spot)
        self.same.add(spot)
        marks = _Marks(self.ledger.used, self.ledger.despite, self.paid_by, self.priced)
        _join(marks, note.marks)
        return True

    def enter_all(self) -> None:
        super().enter_all()
        known: list[Callable[[Compilation], object]] = [
            lambda made: made.points,
            lambda made: made.rolls.names,
            lambda made: made.families,
            lambda made: list(made.offered),
            lambda made: made.values,
            lambda made: made.setting_rules,
            lambda made: [q for q in made.ledger.answers if q[0] == "fee" and q[2] == "only"],
        ]
        self._all_the_same = all(each(self) == each(self.before) for each in known)
        here, there = self.ledger.answers, dict(self.before.ledger.answers)
        self.answered_otherwise = {
            question
            for question in here.keys() | there.keys()
            if here.get(question) != there.get(question)
        }
