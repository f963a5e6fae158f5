"""Facts joined into one answer per question.

A question is a tuple such as ("window", "pass", "make"). Facts that give the same answer are merged
and all of them are cited; facts that give different answers stop the build, both places shown. The
ledger remembers which facts were asked for: one that nobody asked for is a mistake too.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import msgspec

from boxman.rules.book import Book, BookError, Stated
from boxman.rules.cites import Cited, Cites, join

__all__ = ["Cited", "Cites", "Ledger", "LedgerAnswer", "Question", "describe", "join", "show"]

Question = tuple[Any, ...]
S = TypeVar("S", bound=msgspec.Struct)


class LedgerAnswer(NamedTuple):
    """What the facts say, and who says so."""

    value: Any
    stated: tuple[Stated, ...]

    @property
    def cites(self) -> Cites:
        return tuple(dict.fromkeys(stated.clause for stated in self.stated))

    def whole(self, of: type[S], **more: Any) -> S:
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
            raise BookError(
                self.book.path,
                stated.line,
                stated.clause,
                f"two facts disagree about {describe(question)}: {show(value)} here, "
                f"{show(known.value)} in line {first.line} under {{{first.clause}}}",
                f'correct one of them, or write despite = "{first.clause}" in this one',
            )

    def has(self, question: Question) -> bool:
        return question in self.answers

    def ask(self, question: Question) -> LedgerAnswer | None:
        """The answer, if there is one; its facts count as used."""
        answer = self.answers.get(question)
        if answer is not None:
            self.use(answer)
        return answer

    def use(self, answer: LedgerAnswer) -> None:
        self.used.update(id(stated.fact) for stated in answer.stated)

    def need(self, question: Question, spot_stated: Stated | None, remedy: str) -> LedgerAnswer:
        """The answer; a rulebook without one is not whole."""
        answer = self.ask(question)
        if answer is None:
            line, clause = (spot_stated.line, spot_stated.clause) if spot_stated else (0, "")
            raise BookError(
                self.book.path, line, clause, f"nothing says {describe(question)}", remedy
            )
        return answer

    def check_used(self, active: list[Stated]) -> None:
        """Every fact in force must have been asked for."""
        for stated in active:
            if stated.fact.despite and id(stated.fact) not in self.despite:
                known = stated.fact.despite in self.book.clauses
                raise BookError(
                    self.book.path,
                    stated.line,
                    stated.clause,
                    f"the {stated.kind} fact says despite = {stated.fact.despite!r}, but "
                    + ("nothing there says otherwise" if known else "there is no such clause"),
                    "leave despite out, or correct the clause it names",
                )
            if id(stated.fact) not in self.used:
                raise BookError(
                    self.book.path,
                    stated.line,
                    stated.clause,
                    f"the {stated.kind} fact is used by nothing",
                    "remove it, or add the fact it belongs to (is the spot offered?)",
                )


_WORDS = {
    "window make": "when {0} may be made",
    "window raise": "when {0} may be raised",
    "window reduce": "when {0} may be reduced",
    "window remove": "when {0} may be removed",
    "result": "what happens to {0} on {2} with the puck {puck}",
    "price": "what {0} pays on {1}",
    "share": "how {0} divides",
    "working": "whether {0} works with the puck {1}",
    "marker allow": "whether {0} may be called {call}",
    "marker puck": "with which puck {0} may be called {call}",
    "marker scope": "which wagers count when {0} is called {call}",
    "marker lasts": "how long it lasts when {0} is called {call}",
    "betting": "when players may no longer {0}",
    "limit": "what the posted {0} does",
    "recognise": "what counts of a stake {0} ({1} time)",
    "round": "how a {0} that chips cannot pay is rounded",
    "fee rate": "how large the fee on {0} is",
    "fee charged": "when the fee on {0} is charged",
    "fee refund": "whether the fee on {0} is given back",
    "collect times": "how often {0} wants each of its numbers",
    "collect together": "whether {0} counts whatever comes",
    "gate group": "which gate {0} shares",
    "gate until": "until when {0} may be joined",
    "behind flat wager": "which wager {0} stands behind",
    "behind limit": "how large {0} may be on {2}",
    "behind lift": "what raises the limit of {0}",
    "puck": "what a total of {1} does to the puck",
    "puck point": "what the point does to the puck when it is rolled again",
    "principle": "the principle '{0}'",
    "offer": "what {0} is called",
    "family": "what kind of wager {0} is",
    "area": "which spot the area '{0}' is",
    "setting": "what the setting {0} is",
    "role": "who the {0} is",
    "may": "who may {0} (for {1})",
    "cause": "what {0} does to a throw",
    "cause whose": "whose doing {0} is",
    "timing": "when to call {0}",
    "face": "how a {0} die is read",
    "reversal": "what becomes of wagers when a roll is taken back for {0}",
    "order": "to whom the dice go ({0})",
    "eligible": "who may throw ({0})",
    "shooter": "that a shooter {0}",
    "no_shooter": "what follows when nobody throws ({0})",
    "confirm": "who confirms what is {0}",
    "confirm until": "until when what is {0} may be confirmed",
    "record": "who notes {0}",
    "notice": "how long a sign is shown for {0}",
    "favour": "how long an old minimum is kept ({0})",
    "closing": "what closing does to {0}",
    "dice": "the {0} of the dice",
    "crew": "the crew for {0} sides",
    "crew by": "who may open a table with {0} sides",
    "centre": "which {0} are in the centre",
    "fixed": "whether the setting {0} holds while the table is open",
    "voucher": "that a voucher is {0}",
    "dispute": "that a dispute is {0}",
    "sign": "what is shown of {0}",
    "advice": "whether advice is {0}",
    "idle": "how many {0} a player may be idle",
    "conduct": "the rule of conduct '{0}'",
    "listed": "that only listed wagers may be made",
}


def describe(question: Question) -> str:
    """A question in words."""
    kind, *parts = map(str, question)
    kind, _, call = kind.partition(" ")
    puck = {"0": "off", "1": "on"}.get(parts[1], f"on {parts[1]}") if kind == "result" else ""
    words = _WORDS.get(f"{kind} {parts[1]}") if len(parts) > 1 else _WORDS.get(question[0])
    said = (words or _WORDS[kind]).format(*parts, call=call, puck=puck)
    return said.removesuffix(" (for )")  # a power that needs no reason


def show(value: Any) -> str:
    """An answer in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(show(part) for part in value if part != 0)
    return "push" if value == "bar" else str(value)
