"""Facts joined into one answer per question.

A question is a tuple such as ("window", "pass", "make"). Facts that give the same answer are merged
and all of them are cited; facts that give different answers stop the build, both places shown. The
ledger remembers which facts were asked for: one that nobody asked for is a mistake too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from boxman.rules.book import Book, BookError, Stated

Question = tuple[Any, ...]
Cites = tuple[str, ...]


class Answer(NamedTuple):
    """What the facts say, and who says so."""

    value: Any
    stated: tuple[Stated, ...]

    @property
    def cites(self) -> Cites:
        return tuple(dict.fromkeys(stated.clause for stated in self.stated))


@lru_cache(maxsize=1 << 14)
def join(*cites: Cites) -> Cites:
    """Citations in order, each once. The same few lists meet again and again."""
    return tuple(dict.fromkeys(cite for group in cites for cite in group))


class Ledger:
    """All answers of one rulebook under one choice of settings."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.answers: dict[Question, Answer] = {}
        self.used: set[int] = set()
        self.despite: set[int] = set()

    def enter(self, question: Question, value: Any, stated: Stated) -> None:
        """Write one answer down; a different one already there is a conflict."""
        known = self.answers.get(question)
        if known is None:
            self.answers[question] = Answer(value, (stated,))
        elif known.value == value:
            self.answers[question] = Answer(value, (*known.stated, stated))
        elif stated.fact.despite and stated.fact.despite in known.cites:
            self.despite.add(id(stated.fact))
            self.used.update(id(each.fact) for each in known.stated)
            self.answers[question] = Answer(value, (stated,))
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

    def ask(self, question: Question) -> Answer | None:
        """The answer, if there is one; its facts count as used."""
        answer = self.answers.get(question)
        if answer is not None:
            self.use(answer)
        return answer

    def use(self, answer: Answer) -> None:
        self.used.update(id(stated.fact) for stated in answer.stated)

    def need(self, question: Question, spot_stated: Stated | None, remedy: str) -> Answer:
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
                raise BookError(
                    self.book.path,
                    stated.line,
                    stated.clause,
                    f"the {stated.kind} fact says despite = {stated.fact.despite!r}, "
                    "but nothing there says otherwise",
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
    "window": "when {1} may be {2}",
    "result": "what happens to {1} on {3}",
    "price": "what {1} pays",
    "share": "how {1} divides",
    "working": "whether {1} works with the puck {2}",
    "marker on": "the {2} of calling {1} on",
    "marker off": "the {2} of calling {1} off",
    "betting": "when players may no longer {1}",
    "limit": "what the posted {1} does",
    "recognise": "what counts of a stake {1}",
    "round": "how a {1} that chips cannot pay is rounded",
    "fee": "the fee on {1} ({2})",
    "gate": "until when {1} may be joined ({2})",
    "behind": "the {2} of {1}",
    "puck": "what a total of {2} does to the puck",
    "principle": "the principle '{1}'",
    "offer": "the name of {1}",
    "area": "which spot the area {1} is",
    "setting": "the setting {1}",
    "again": "whether {1} may stay up",
    "listed": "that only listed wagers may be made",
}
_ACTS = {"make": "made", "raise": "raised", "reduce": "reduced", "remove": "removed"}


def describe(question: Question) -> str:
    """A question in words."""
    words = [_ACTS.get(str(part), str(part)) for part in question]
    words += [""] * (4 - len(words))
    return _WORDS[words[0]].format(*words)


def show(value: Any) -> str:
    """An answer in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(show(part) for part in value)
    return str(value)
