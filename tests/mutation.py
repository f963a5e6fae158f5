"""Mutation of facts: change one fact and see whether anybody notices.

A mutant drops a fact, or changes one number, switch or word in it. It is caught if the compiler
refuses the rulebook or a case of the fact's own clause fails. Those nobody notices are survivors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, get_args, get_type_hints

import msgspec

from boxman.rules.book import FACT_KINDS, Book, BookError, Stated, read_book
from boxman.rules.compile import compile_layout
from boxman.rules.duties import STATIONS
from boxman.rules.settings import SettingError
from boxman.table import opening
from tests.cases import cases, run


class Mutant(NamedTuple):
    house: str
    stated: Stated
    what: str
    facts: tuple[Stated, ...]

    @property
    def name(self) -> str:
        return f"{self.house} {{{self.stated.clause}}} {self.stated.kind}: {self.what}"


def mutants(house: str) -> Iterator[Mutant]:
    book = read_book(house)
    for index, stated in enumerate(book.facts):
        before, after = book.facts[:index], book.facts[index + 1 :]
        yield Mutant(house, stated, f"{_told(stated.fact)} dropped", before + after)
        for what, fact in changed(stated):
            yield Mutant(house, stated, what, (*before, stated._replace(fact=fact), *after))


def _told(fact: Any) -> str:
    """What a fact says, so that of several in a clause one is meant."""
    said = msgspec.to_builtins(fact).items()
    return ", ".join(f"{name} {value!r}" for name, value in said if value not in ("", {}))


def changed(stated: Stated) -> Iterator[tuple[str, Any]]:
    """The fact with one value changed. Words for people (names, texts) are left alone."""
    fact = stated.fact
    hints = get_type_hints(FACT_KINDS[stated.kind])
    defaults = {
        field.name: field.default for field in msgspec.structs.fields(fact) if not field.required
    }
    for field in fact.__struct_fields__:
        if field in ("name", "aliases", "text", "despite", "label"):
            continue
        value = getattr(fact, field)
        if value == defaults.get(field):
            continue
        for other in _others(value, hints[field], field):
            yield f"{field} {value!r} -> {other!r}", msgspec.structs.replace(fact, **{field: other})


def _others(value: Any, hint: Any, field: str) -> Iterator[Any]:
    if isinstance(value, bool):
        if field not in ("only", "made", "seven_out", "allow"):
            yield not value
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, str) and re.fullmatch(r"[\d.]+ to \d+", value):
        first, _, second = value.partition(" to ")
        yield f"{float(first) + 1:g} to {second}"
    elif isinstance(value, str) and field != "spot":
        words = [word for word in get_args(hint) if isinstance(word, str) and word]
        yield from [word for word in words if word != value and value][:1]
    elif isinstance(value, list) and value and all(isinstance(each, int) for each in value):
        for index in range(len(value)):
            yield value[:index] + value[index + 1 :]
            if value[index] + 1 not in value:
                yield [*value[:index], value[index] + 1, *value[index + 1 :]]
    elif isinstance(value, list) and len(value) > 1 and field in ("spot", "parts", "act", "call"):
        for index in range(len(value)):
            yield value[:index] + value[index + 1 :]
    elif isinstance(value, list) and field in ("who", "needs", "spots", "inspected", "returns"):
        for index in range(len(value)):
            yield value[:index] + value[index + 1 :]
        if field == "who" and value:
            yield [*value, next(station for station in STATIONS if station not in value)]


EVERY_ROLL = (
    *("total", "valid roll", "settle at once", "settle before next roll", "play starts"),
    "stand-off",
)


def excused(mutant: Mutant) -> str:
    """Why no transcript can catch a mutant, if none can; docs/survivors.md lists these."""
    kind, what = mutant.stated.kind, mutant.what
    if kind in ("advice", "sign"):
        return "shown on screens, not in transcripts: proved by tests/test_signs.py"
    if kind == "principle" and any(f"-> {each!r}" in what for each in EVERY_ROLL):
        return "both principles are cited by every roll, so a roll reads the same"
    return ""


def survives(mutant: Mutant) -> bool:
    """Whether neither the compiler nor any case of the clause notices."""
    book = msgspec.structs.replace(read_book(mutant.house), facts=mutant.facts)
    try:
        compile_layout(book)
    except (BookError, SettingError):
        return False
    own = [case for case in cases(mutant.house) if mutant.stated.clause in case.clauses]
    compiled = opening.compiled
    opening.compiled = _compiler(book)
    try:
        return not any(_fails(case) for case in own)
    finally:
        opening.compiled = compiled


def _compiler(book: Book) -> Any:
    cache: dict[Any, Any] = {}

    def compiled(_: Book, given: dict[str, Any] | None = None, chip: int = 100) -> Any:
        key = (tuple(sorted((given or {}).items())), chip)
        if key not in cache:
            cache[key] = compile_layout(book, given, chip)
        return cache[key]

    return compiled


def _fails(case: Any) -> bool:
    try:
        return run(case) != ""
    except (BookError, AssertionError, KeyError):
        return True
