"""Which wagers a house has, and what a person may call them.

A wager is named by its spot; odds behind a line wager by their point too (`pass.odds.6`), and so
may a line wager that takes money on a point (`pass.6`).
"""

from __future__ import annotations

from boxman.odds.felt import place_of
from boxman.rules.book import houses, read_book
from boxman.rules.cites import Cites, braced
from boxman.rules.ids import near
from boxman.rules.layout import PUCK_OFF, Layout, Spot
from boxman.rules.named import wagers_called
from boxman.words import phrase


class WagerError(ValueError):
    """A wager this house does not have; the message says what it has instead."""


def names(layout: Layout) -> list[str]:
    """Every wager of a house, as on the felt, odds behind the line by point."""
    found: list[str] = []
    for spot in layout.spots.values():
        if spot.is_odds and spot.shape.by_point:
            found += [f"{spot.id}.{point}" for point in layout.points]
        else:
            found.append(spot.id)
    return found


def find(layout: Layout, name: str) -> tuple[Spot, int]:
    """The spot and the puck a wager's name stands for."""
    spot = layout.spots.get(name)
    if spot is not None and not (spot.is_odds and spot.shape.by_point):
        return spot, PUCK_OFF
    if spot is not None:
        listed = [f"{name}.{point}" for point in layout.points]
        raise WagerError(phrase("odds.wrong.by-point", name=name, listed=listed))
    base, _, number = name.rpartition(".")
    spot = layout.spots.get(base)
    if spot is not None and spot.shape.by_point and number.isdigit():
        if number in map(str, layout.points):
            return spot, int(number)
        raise WagerError(phrase("odds.wrong.no-point", number=number, points=layout.points))
    if name in layout.withheld:
        cites = braced(layout.withheld[name])
        raise WagerError(phrase("odds.wrong.withheld", name=name, cites=cites))
    closed = closing(layout, name)
    meant = "" if closed else near(name, names(layout))
    if meant:
        raise WagerError(phrase("odds.wrong.not-offered-near", name=name, near=meant))
    cites = braced(closed or layout.listed)
    raise WagerError(phrase("odds.wrong.not-offered", name=name, cites=cites))


def closing(layout: Layout, name: str) -> Cites:
    """The clauses that keep a wager of other houses, by its spot or what they call it, off this
    felt; none of a name that no house has."""
    if closed := layout.not_offered(name):
        return closed
    spots = set().union(*(wagers_called(read_book(house).facts, name) for house in houses()))
    return layout.listed if spots and spots.isdisjoint(layout.spots) else ()


def select(layout: Layout, words: list[str]) -> list[str]:
    """The wagers that words stand for, as on the felt: names, families (`place`), house names."""
    every = names(layout)
    chosen: list[str] = []
    for word in words:
        known = layout.names.get(word.lower(), word)
        family = f"{known.removesuffix('.*')}."
        members = [n for n in every if n.startswith(family) and n[len(family) :].isdigit()]
        if known in every:
            chosen.append(known)
        elif members:
            chosen += members
        else:
            find(layout, known)
            chosen.append(known)
    return sorted(dict.fromkeys(chosen), key=place_of)
