"""Differences under the names of the wagers; numbers that differ alike are told once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from boxman.rules.diff.row import HouseDifference
from boxman.rules.diff.told import listed
from boxman.rules.ids import family, number
from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.words import phrase
from boxman.words.say import has


class Alike(NamedTuple):
    """Wagers that differ alike, or a part of the procedure, under what both houses call them."""

    head: str
    spots: list[str]
    rows: list[HouseDifference]


def grouped(one: Layout, two: Layout, rows: Iterable[HouseDifference]) -> list[Alike]:
    """Differences under the names of the wagers; numbers that differ alike are told once."""
    by_spot: dict[str, list[HouseDifference]] = {}
    for row in rows:
        by_spot.setdefault(row.spot, []).append(row)
    alike: dict[object, list[str]] = {}
    for spot, found in by_spot.items():
        key = (family(spot), tuple(_told(spot, row) for row in found))
        alike.setdefault(key, []).append(spot)
    return [
        Alike(_head(one, two, spots), spots, _for_all([by_spot[spot] for spot in spots]))
        for spots in alike.values()
    ]


def _for_all(found: list[list[HouseDifference]]) -> list[HouseDifference]:
    """The rows of wagers that differ alike, said for all of them, with the clauses of each."""
    if len(found) == 1:
        return found[0]
    return [
        HouseDifference(
            *(same[0].spot, *_told(same[0].spot, same[0])),
            join(*(row.first_cites for row in same)),
            join(*(row.second_cites for row in same)),
        )
        for same in zip(*found, strict=True)
    ]


def _told(spot: str, row: HouseDifference) -> tuple[str, str, str]:
    """What a row says, without the number of its wager: in names, and in what is told."""
    if row.what in (phrase("diff.name"), phrase("diff.offer")):
        return row.what, _without(spot, row.first, "…"), _without(spot, row.second, "…")
    return _without(spot, row.what, phrase("diff.its-number")), row.first, row.second


def _without(spot: str, text: str, instead: str) -> str:
    """A text with something instead of a wager's number; of a hop it is the two faces."""
    own = str(number(spot) or "")
    return re.sub(_pattern(own), instead, text) if own else text


def _pattern(own: str) -> str:
    return rf"(?<!\d)({own}|{'-'.join(own)})(?!\d)"


def _head(one: Layout, two: Layout, spots: list[str]) -> str:
    """What both houses call these wagers, the first with all of their numbers."""
    if has(f"diff.heads.{spots[0]}"):
        return phrase(f"diff.heads.{spots[0]}")
    heads: list[str] = []
    for layout in (one, two):
        names = {spot: layout.spots[spot].name for spot in spots if spot in layout.spots}
        found = (re.search(_pattern(str(number(spot))), name) for spot, name in names.items())
        numbers = listed(each[0] for each in found if each)
        alike = {_without(spot, name, numbers) for spot, name in names.items()}
        # Four the Hardway and Six the Hardway are one name with no number in it.
        heads += alike if len(alike) == 1 else [listed(names.values())] if names else []
    return " / ".join(dict.fromkeys(heads))
