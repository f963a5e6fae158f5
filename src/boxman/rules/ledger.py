"""Facts joined into one answer per question.

A question is a tuple such as ("window", "pass", "make"). Facts that give the same answer are merged
and all of them are cited; facts that give different answers stop the build, both places shown. The
ledger remembers which facts were asked for: one that nobody asked for is a mistake too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

import msgspec

from boxman.rules.book import SILENT, Book, BookError, Stated, raise_all
from boxman.rules.cites import Cited, Cites, join
from boxman.rules.wanted import as_toml
from boxman.words import phrase, say
from boxman.words.say import has

__all__ = ["Cited", "Cites", "Ledger", "LedgerAnswer", "Question", "describe", "join", "show"]
__all__ += ["wrong_in"]

Question = tuple[Any, ...]
S = TypeVar("S", bound=msgspec.Struct)
T = TypeVar("T")


class LedgerAnswer(NamedTuple):
    """What the facts say, and who says so."""

    value: Any
    stated: tuple[Stated, ...]

    @property
    def cites(self) -> Cites:
        """The clauses that say so; one that only forbids gives no leave."""
        if len(self.stated) == 1:
            return (self.stated[0].clause,)
        leave = [each for each in self.stated if not getattr(each.fact, "bars", False)]
        return tuple(dict.fromkeys(stated.clause for stated in leave or self.stated))

    def whole(self, of: type[S], **more: object) -> S:
        """The fact that is answered with, made this record, with all its clauses."""
        fact = msgspec.structs.asdict(self.stated[0].fact) | {"when": {}, "despite": ""}
        return of(**fact | {"cites": self.cites} | more)


class Ledger:
    """All answers of one rulebook under one choice of settings."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.answers: dict[Question, LedgerAnswer] = {}
        self.used: set[int] = set()
        self.despite: set[int] = set()

    def enter(self, question: Question, value: object, stated: Stated) -> None:
        """Write one answer down; a different one already there is a conflict."""
        known = self.answers.get(question)
        if known is None:
            self.answers[question] = LedgerAnswer(value, (stated,))
        elif known.value == value:
            if any(each.fact.despite == stated.fact.despite for each in known.stated):
                self.despite.add(id(stated.fact))
            self.answers[question] = LedgerAnswer(value, (*known.stated, stated))
        elif stated.fact.despite and stated.fact.despite in known.cites:
            self.despite.add(id(stated.fact))
            self.used.update(id(each.fact) for each in known.stated)
            self.answers[question] = LedgerAnswer(value, (stated,))
        else:
            first = known.stated[0]
            itself = first.fact is stated.fact
            said = {
                "question": describe(question),
                "value": show(value),
                "value_2": show(known.value),
                "line": first.line,
                "clause": first.clause,
            }
            raise BookError(
                self.book.path,
                stated.line,
                stated.clause,
                say(f"books.{'fact-disagrees' if itself else 'two-facts-disagree'}.says", said),
                say(f"books.{'fact-disagrees' if itself else 'two-facts-disagree'}.do", said),
                f"disagree {question[0]}",
            )

    def has(self, question: Question) -> bool:
        return question in self.answers

    def ask(self, question: Question) -> LedgerAnswer | None:
        """The answer, if there is one; its facts count as used."""
        answer = self.answers.get(question)
        if answer is not None:
            for stated in answer.stated:
                self.used.add(id(stated.fact))
        return answer

    def use(self, answer: LedgerAnswer) -> None:
        self.used.update(id(stated.fact) for stated in answer.stated)

    def need(
        self, question: Question, spot_stated: Stated | None, remedy: str, **values: object
    ) -> LedgerAnswer:
        """The answer; a rulebook without one is not whole, and the remedy is a phrase with its
        values."""
        answer = self.ask(question)
        if answer is None:
            line, clause = (spot_stated.line, spot_stated.clause) if spot_stated else (0, "")
            raise BookError(
                self.book.path,
                line,
                clause,
                phrase("books.nothing-says", question=describe(question)),
                say(remedy, values),
                SILENT,
            )
        return answer

    def check_used(self, active: list[Stated]) -> None:
        """Every fact in force must have been asked for."""
        errors: list[BookError] = []
        for stated in active:
            if stated.fact.despite and id(stated.fact) not in self.despite:
                known = stated.fact.despite in self.book.clauses
                said = {"kind": stated.kind, "despite": as_toml(stated.fact.despite)}
                wrong = "books.nothing-to-despite" if known else "books.no-such-despite"
                problem = say(wrong, said)
                remedy, code = phrase("books.leave-despite-out-or-correct"), ""
            elif id(stated.fact) not in self.used:
                problem = phrase("books.the-fact-is-used-by", kind=stated.kind)
                remedy, code = phrase("books.remove-it-or-add-the"), "unused"
            else:
                continue
            at = (self.book.path, stated.line, stated.clause)
            errors.append(BookError(*at, problem, remedy, code))
        raise_all(errors)


def wrong_in(things: Iterable[T], do: Callable[[T], object]) -> list[BookError]:
    """What is wrong with some things of which each is done: one does not hide another."""
    errors: list[BookError] = []
    for thing in things:
        try:
            do(thing)
        except BookError as error:
            errors.append(error)
    return errors


def describe(question: Question) -> str:
    """A question in words."""
    kind, *parts = map(str, question)
    kind, _, call = kind.partition(" ")
    values = {**dict(zip("abc", parts, strict=False)), "call": call}
    if kind == "result":
        on = parts[1] if parts[1] in ("0", "1") else "point"
        values["puck"] = phrase(f"books.puck.{on}", point=parts[1])
    name = f"{kind} {parts[1]}" if len(parts) > 1 else str(question[0])
    if kind == "may" and not parts[1]:
        name = "may at all"  # a power that needs no reason
    return say(f"books.asked.{name if has(f'books.asked.{name}') else kind}", values)


def show(value: object) -> str:
    """An answer in words."""
    if isinstance(value, bool):
        return phrase("books.yes" if value else "books.no")
    if isinstance(value, tuple):
        return " ".join(show(part) for part in value if part != 0)
    return phrase("books.push") if value == "bar" else str(value)
