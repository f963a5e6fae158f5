"""Mutation of facts: change one fact and see whether anybody notices.

The mutants are those of `boxman book coverage`. One is caught if the compiler refuses the rulebook
or a case of the fact's own clause fails, or a whole list of citations. Those nobody notices are
survivors.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from boxman.rules.book import BookError, read_book
from boxman.rules.settings import SettingError
from boxman.rules.wanted import as_toml
from boxman.workshop import mutants as made
from boxman.workshop.again import ANY_CHIP, WholeBook
from boxman.workshop.mutants import Mutant
from tests.cases import cases, run
from tests.citations import problems

CITATIONS = Path(__file__).parent / "golden" / "citations"


@cache
def whole(house: str) -> WholeBook:
    return WholeBook(read_book(house))


def mutants(house: str) -> Iterator[Mutant]:
    return made.mutants(whole(house).book)


EVERY_ROLL = (
    *("total", "valid roll", "settle at once", "settle before next roll", "play starts"),
    "stand-off",
)


def excused(mutant: Mutant) -> str:
    """Why no transcript can catch a mutant, if none can; docs/survivors.md lists these."""
    kind, what = mutant.stated.kind, mutant.what
    if kind == "equipment":
        return "told by `boxman diff`, not in transcripts: proved by tests/test_diff.py"
    if kind in ("advice", "sign") or '"units shown"' in what:
        return "shown on screens, not in transcripts: proved by tests/test_signs.py"
    if kind == "principle" and any(f"-> {as_toml(each)}" in what for each in EVERY_ROLL):
        return "both principles are cited by every roll, so a roll reads the same"
    if kind == "role" and what.endswith(" dropped") and _named_again(mutant):
        return "another clause defines the station by the same name, and that one is cited"
    return ""


def _named_again(mutant: Mutant) -> bool:
    """Whether a fact that is left gives a station the same name, as its definition."""
    fact: Any = mutant.stated.fact
    others = [each.fact for each in mutant.facts if each.kind == "role"]
    same = [each for each in others if (each.station, each.name) == (fact.station, fact.name)]
    return not fact.defines and any(each.defines for each in same)


def survives(mutant: Mutant) -> bool:
    """Whether neither the compiler nor any case of the clause notices."""
    of = whole(mutant.house)
    book = msgspec.structs.replace(of.book, facts=mutant.facts)
    compiler = made.compiler(book, of)
    try:
        compiler(book, {}, ANY_CHIP)
    except (BookError, SettingError):
        return False
    own = [case for case in cases(mutant.house) if mutant.stated.clause in case.clauses]
    return not any(_fails(case, compiler) for case in own) and not _cited(mutant.house, compiler)


def _cited(house: str, compiler: Any) -> bool:
    """Whether the whole lists of citations notice: a clause too many fails no case."""
    lists = CITATIONS / f"{house}.craps"
    return lists.exists() and bool(problems(lists.read_text().splitlines(), compiler))


def _fails(case: Any, compiler: Any) -> bool:
    try:
        return run(case, compiler=compiler) != ""
    except (BookError, AssertionError, KeyError):
        return True
