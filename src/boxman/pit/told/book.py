"""A rulebook as a page tells it: clauses with their facts in words, and two houses side by side.

It reads rulebooks and compiled houses and knows no table. Spots are told by the house's own names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from boxman.rules.book import Book, Clause, Stated
from boxman.rules.diff import HouseDifference, differences
from boxman.rules.facts import Offer
from boxman.rules.ids import family, number
from boxman.rules.layout import Layout
from boxman.rules.ledger import show
from boxman.rules.told import listed
from boxman.words.say import has, phrase

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


def difference_data(one: Layout, two: Layout) -> Data:
    """What two rulebooks see differently, with the clauses on both sides."""
    groups = difference_groups(one, two, differences(one, two))
    return {
        "first": {"house": one.house, "title": one.title},
        "second": {"house": two.house, "title": two.title},
        "count": sum(len(group["rows"]) for group in groups),
        "groups": groups,
    }


def difference_groups(one: Layout, two: Layout, rows: Iterable[HouseDifference]) -> list[Data]:
    """Differences under the names of the wagers; numbers that differ alike are told once."""
    by_spot: dict[str, list[HouseDifference]] = {}
    for row in rows:
        by_spot.setdefault(row.spot, []).append(row)
    alike: dict[object, list[str]] = {}
    for spot, found in by_spot.items():
        key = (family(spot), tuple(_numberless(spot, row) for row in found))
        alike.setdefault(key, []).append(spot)
    return [
        {"head": _head(one, two, spots), "spots": spots, "rows": _told(by_spot[spots[0]], spots)}
        for spots in alike.values()
    ]


def _numberless(spot: str, row: HouseDifference) -> tuple[str, ...]:
    return tuple(_without(spot, text) for text in (row.what, row.first, row.second))


def _without(spot: str, text: str, instead: str = "…") -> str:
    """A text without the number of its spot."""
    own = number(spot)
    return re.sub(rf"(?<!\d){own}(?!\d)", instead, text) if own else text


def _head(one: Layout, two: Layout, spots: list[str]) -> str:
    """What both houses call these wagers."""
    if has(f"pit.heads.{spots[0]}"):
        return phrase(f"pit.heads.{spots[0]}")
    numbers = listed(number(spot) for spot in spots)
    names = [
        _without(spots[0], layout.spots[spots[0]].name, numbers)
        for layout in (one, two)
        if spots[0] in layout.spots
    ]
    return " / ".join(dict.fromkeys(names))


def _told(rows: list[HouseDifference], spots: list[str]) -> list[Data]:
    """The rows of the first of several wagers, said for all of them."""
    told = []
    for row in rows:
        data = row._asdict()
        if len(spots) > 1:
            for key in ("what", "first", "second"):
                instead = phrase("pit.view.its-number") if key == "what" else "…"
                data[key] = _without(spots[0], data[key], instead)
        told.append(data)
    return told
