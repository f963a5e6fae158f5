"""Which clauses of a rulebook have a case, and which facts no case would miss.

Cases are transcripts of a folder; a case proves the clauses that it states in braces. Every fact is
then changed in turn (mutants.py): if neither the compiler nor any case notices, nothing proves it.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from boxman.rules.book import Book, BookError
from boxman.rules.compile import compiled
from boxman.rules.settings import SettingError
from boxman.table.lines.words import NotationError
from boxman.table.opening import BookCompiler
from boxman.table.said.transcript import Transcript
from boxman.words import phrase
from boxman.workshop.again import ANY_CHIP, WholeBook
from boxman.workshop.mutants import Mutant, compiler, mutants

COLLECTED = 100
"""Changes after which garbage is looked for."""
SHOWN = ("advice", "sign", "equipment")
"""Kinds of facts that screens show and transcripts do not."""


class CaseError(ValueError):
    """Cases that cannot be measured: none, or one that is not as written."""


class CraftedCase(msgspec.Struct, frozen=True):
    """One transcript, and the clauses that it states."""

    path: str
    lines: tuple[str, ...]
    clauses: frozenset[str]


class Coverage(msgspec.Struct, frozen=True):
    """What was found."""

    cases: tuple[CraftedCase, ...]
    proved: tuple[str, ...]
    """Clauses with facts that some case states, in the document's order."""
    bare: tuple[str, ...]
    """Clauses with facts that no case states."""
    tried: int
    missed: tuple[Mutant, ...]
    """Changes that nobody notices."""
    whole: bool
    """Whether every change was tried."""


def coverage(
    book: Book, folder: str, progress: Callable[[int, int], bool] = lambda done, all: True
) -> Coverage:
    """Measure the cases of a folder; `progress` gives False to stop early."""
    cases = read_cases(folder)
    stated = frozenset[str]().union(*(case.clauses for case in cases))
    with_facts = dict.fromkeys(fact.clause for fact in book.facts if fact.kind not in SHOWN)
    every = [mutant for mutant in mutants(book) if mutant.stated.kind not in SHOWN]
    whole, missed = WholeBook(book), list[Mutant]()
    tried = 0
    with _seldom_collecting():
        for mutant in every:
            if not progress(tried, len(every)):
                break
            tried += 1
            if not noticed(whole, mutant, cases):
                missed.append(mutant)
            if tried % COLLECTED == 0:
                gc.collect()
    return Coverage(
        cases,
        tuple(clause for clause in with_facts if clause in stated),
        tuple(clause for clause in with_facts if clause not in stated),
        tried,
        tuple(missed),
        tried == len(every),
    )


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Rulebooks are made and dropped by the hundred: looking for garbage among what lives for as
    long as one of them is made took as long as making it."""
    on = gc.isenabled()
    gc.disable()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        if on:
            gc.enable()


def read_cases(folder: str) -> tuple[CraftedCase, ...]:
    """Every transcript of a folder; each must be as written under the rulebook as it is."""
    found = []
    for path in sorted(Path(folder).glob("**/*.craps")):
        lines = tuple(path.read_text(encoding="utf-8-sig").splitlines())
        clauses: set[str] = set()
        problem = _played(str(path), lines, compiled, clauses)
        if problem:
            raise CaseError(phrase("check.not-as-written", path=str(path), problem=problem))
        found.append(CraftedCase(str(path), lines, frozenset(clauses)))
    if not found:
        raise CaseError(phrase("check.none", folder=folder))
    return tuple(found)


def noticed(whole: WholeBook, mutant: Mutant, cases: Iterable[CraftedCase]) -> bool:
    """Whether the compiler or a case notices; those that state the clause are asked first."""
    changed = msgspec.structs.replace(whole.book, facts=mutant.facts)
    make = compiler(changed, whole)
    first = sorted(cases, key=lambda case: mutant.stated.clause not in case.clauses)
    # A case opens its table with settings of its own: what cannot be compiled shows there too.
    if any(_played(case.path, case.lines, make, set()) for case in first):
        return True
    try:
        make(changed, {}, ANY_CHIP)
    except (BookError, SettingError):
        return True
    return False


def _played(path: str, lines: Iterable[str], make: BookCompiler, stated: set[str]) -> str:
    """Play a transcript to its first difference, which it gives; what it states is noted."""
    transcript = Transcript()
    transcript.folder = str(Path(path).parent)
    transcript.compiler = make
    try:
        for result in transcript.run(lines):
            if result.difference is not None:
                return f"{result.number}: {result.difference.problem}"
            for expected in result.line.expected or []:
                stated.update(expected.cites)
    except (NotationError, BookError, SettingError, KeyError) as error:
        return f"{transcript.number}: {error}"
    return ""
