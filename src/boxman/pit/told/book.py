"""A rulebook as a page tells it: clauses with their facts in words, and two houses side by side.

It reads rulebooks and compiled houses and knows no table. Spots are told by the house's own names.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from boxman.rules.book import Book, Clause, Stated
from boxman.rules.diff import as_compared, differences, grouped
from boxman.rules.diff.told import listed
from boxman.rules.facts import Offer
from boxman.rules.ids import family, number
from boxman.rules.ledger import show
from boxman.words.say import phrase

Data = dict[str, Any]
SPOTS = {"spot", "spots", "flat", "parts", "to", "only", "returns"}
"""Keys of facts whose values name spots."""
WRAPPED = re.compile(r"(?<!\n)\n(?![\n*|-])")
"""The end of a line that is no end of a paragraph, an item or a row."""


def clause_data(book: Book, clause: Clause) -> Data:
    """One clause as a page shows it."""
    names = spot_names(book)
    facts = [fact_data(each, names) for each in book.facts if each.clause == clause.id]
    return _clause(clause, facts)


def book_data(book: Book) -> Data:
    """The rulebook in full, in the document's order."""
    names = spot_names(book)
    facts: dict[str, list[Data]] = {}
    for stated in book.facts:
        facts.setdefault(stated.clause, []).append(fact_data(stated, names))
    return {
        "house": book.house.id,
        "title": book.title,
        "edition": book.house.edition,
        "digest": book.digest,
        "clauses": [_clause(each, facts.get(each.id, [])) for each in book.clauses.values()],
    }


def _clause(clause: Clause, facts: list[Data]) -> Data:
    return {
        "clause": clause.id,
        "sort": clause.sort,
        "chapter": clause.chapter,
        "title": clause.title,
        "text": WRAPPED.sub(" ", clause.text),
        "reason": _reason(clause.reason),
        "facts": facts,
    }


def _reason(reason: str) -> str:
    """Why a clause states no fact, as a sentence."""
    sort, _, why = reason.partition(": ")
    return f"{phrase(f'pit.reasons.{sort}')}: {why}." if reason else ""


def spot_names(book: Book) -> dict[str, str]:
    """What the house calls each spot, or each family of spots."""
    names: dict[str, str] = {}
    for stated in book.facts:
        if isinstance(stated.fact, Offer):
            names.setdefault(stated.fact.spot, stated.fact.name.replace("{n}", "…"))
    return names


def fact_data(stated: Stated, names: dict[str, str]) -> Data:
    """A fact in words: its kind, and what it says, without what it leaves unsaid."""
    said = []
    fields = msgspec.structs.fields(stated.fact)
    given = msgspec.to_builtins(stated.fact)
    for each in fields:
        value = given[each.name]
        if each.required or value != _default(each):
            key = "" if each.name == stated.kind else f"{each.name.replace('_', ' ')} "
            said.append(f"{key}{_words(each.name, value, names)}")
    return {"kind": stated.kind.replace("_", " "), "said": " · ".join(said)}


def _default(field: msgspec.structs.FieldInfo) -> object:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


def _words(key: str, value: object, names: dict[str, str]) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{name} is {_words(name, each, names)}" for name, each in value.items())
    if isinstance(value, list):
        return listed(_words(key, each, names) for each in value)
    if key in SPOTS and isinstance(value, str):
        return names.get(value) or names.get(family(value), value).replace("…", str(number(value)))
    return show(value)


# -- two houses --------------------------------------------------------------------------------


def difference_data(first: Book, second: Book) -> Data:
    """What two rulebooks see differently, with the clauses on both sides."""
    one, two = as_compared(first), as_compared(second)
    groups = [
        {"head": head, "spots": spots, "rows": [row._asdict() for row in rows]}
        for head, spots, rows in grouped(one, two, differences(one, two))
    ]
    return {
        "first": {"house": one.house, "title": one.title},
        "second": {"house": two.house, "title": two.title},
        "count": sum(len(group["rows"]) for group in groups),
        "groups": groups,
    }
