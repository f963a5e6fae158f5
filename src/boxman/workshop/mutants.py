"""Rulebooks with one fact changed: whoever plays by one ought to notice.

A mutant drops a fact, or changes one number, switch or word in it. Words for people (names, texts)
are left alone. It is caught if the compiler refuses it or a case comes out differently.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, get_args, get_type_hints

import msgspec

from boxman.rules.book import FACT_KINDS, Book, Stated
from boxman.rules.compile import compile_layout, compiled
from boxman.rules.duties import STATIONS
from boxman.rules.facts import Fact, faces_of
from boxman.rules.layout import Layout
from boxman.rules.wanted import as_toml
from boxman.table.opening import BookCompiler
from boxman.workshop.again import WholeBook


class Mutant(NamedTuple):
    """A rulebook with one fact changed."""

    house: str
    stated: Stated
    what: str
    facts: tuple[Stated, ...]

    @property
    def name(self) -> str:
        """House, clause, kind of fact, and what was changed in it."""
        return f"{self.house} {{{self.stated.clause}}} {self.stated.kind}: {self.what}"


def mutants(book: Book) -> Iterator[Mutant]:
    """Every mutant of a rulebook, fact by fact."""
    house = book.house.id
    for index, stated in enumerate(book.facts):
        before, after = book.facts[:index], book.facts[index + 1 :]
        yield Mutant(house, stated, f"{_told(stated.fact)} dropped", before + after)
        for what, fact in changed(stated):
            yield Mutant(house, stated, what, (*before, stated._replace(fact=fact), *after))


def _told(fact: Fact) -> str:
    """What a fact says, so that of several in a clause one is meant."""
    fields = [(field.name, field.default) for field in msgspec.structs.fields(fact)]
    said = (
        (name, getattr(fact, name)) for name, default in fields if getattr(fact, name) != default
    )
    return ", ".join(
        f"{name} {as_toml(value)}" for name, value in said if value not in ((), [], {})
    )


SHOWN = ("name", "aliases", "text", "despite", "label", "heading", "place", "short")
"""Keys that say what people are shown and where, which no transcript tells."""


def changed(stated: Stated) -> Iterator[tuple[str, Fact]]:
    """The fact with one value changed. Words for people (names, texts) are left alone."""
    fact = stated.fact
    hints = get_type_hints(FACT_KINDS[stated.kind])
    defaults = {
        field.name: field.default for field in msgspec.structs.fields(fact) if not field.required
    }
    for field in fact.__struct_fields__:
        if field in SHOWN:
            continue
        value = getattr(fact, field)
        if value == defaults.get(field):
            continue
        for other in _others(value, hints[field], field):
            yield _difference(field, value, other), msgspec.structs.replace(fact, **{field: other})


def _difference(field: str, value: object, other: object) -> str:
    """What was changed, in words; of a list only what came or went."""
    if isinstance(value, list) and isinstance(other, list):
        gone = [as_toml(each) for each in value if each not in other]
        came = [as_toml(each) for each in other if each not in value]
        if not came:
            return f"{field} without {gone[0]}"
        return f"{field} {gone[0]} -> {came[0]}" if gone else f"{field} with {came[0]}"
    return f"{field} {as_toml(value)} -> {as_toml(other)}"


ONE_LESS = ("who", "needs", "spots", "inspected", "returns")
"""Lists that a word can be left out of, even the only one."""


def _others(value: object, hint: object, field: str) -> Iterator[object]:
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
    elif isinstance(value, list):
        yield from _other_lists(value, field)


def _other_lists(value: list[Any], field: str) -> Iterator[list[Any]]:
    """A list without one of its words, with another number in it, or with one station more."""
    numbers = bool(value) and all(isinstance(each, int) for each in value)
    named = field in ("spot", "parts", "act", "call") or all(map(faces_of, value))
    several = len(value) > 1 and named
    if not numbers and not several and field not in ONE_LESS:
        return
    for index in range(len(value)):
        yield value[:index] + value[index + 1 :]
        if numbers and value[index] + 1 not in value:
            yield [*value[:index], value[index] + 1, *value[index + 1 :]]
    if field == "who" and value and not numbers:
        yield [*value, next(station for station in STATIONS if station not in value)]


def compiler(book: Book, whole: WholeBook | None = None) -> BookCompiler:
    """Compiles this book wherever the one it was made of is asked for; quickly, beside that."""
    cache: dict[object, Layout] = {}

    def changed(asked: Book, given: Mapping[str, object], chip: int) -> Layout:
        if asked.digest != book.digest:
            return compiled(asked, given, chip)
        key = tuple(sorted(given.items()))
        if key not in cache:
            cache[key] = whole.compiled(book, given) if whole else compile_layout(book, given)
        layout = cache[key]
        # Chips change only what stakes are counted in.
        fresh: dict[str, object] = {"chip": chip, "steps": {}, "bounds_cache": {}}
        return layout if chip == layout.chip else msgspec.structs.replace(layout, **fresh)

    return changed
