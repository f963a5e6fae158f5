"""Houses side by side: for each wager the edge in every house, the best and the worst of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from boxman.odds.felt import place_of
from boxman.odds.quote import Odds
from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.rules.layout import Layout


class Compared(msgspec.Struct, frozen=True):
    """One wager in several houses."""

    name: str
    odds: dict[str, Odds]
    """By house; those that do not offer it are missing."""
    best: tuple[str, ...]
    """Houses with the lowest edge; nobody where all are alike."""
    worst: tuple[str, ...]

    @property
    def heading(self) -> str:
        """The heading it stands under, in the first house that has it."""
        return next(iter(self.odds.values())).heading

    def edge(self, house: str) -> Fraction | None:
        return self.odds[house].edge if house in self.odds else None


def side_by_side(house: str, given: Mapping[str, object], chip: int) -> dict[str, Layout]:
    """The houses that come with Boxman, and before them the one named, under its settings.

    A rulebook from a file stands under its path if it calls itself like one of the houses.
    """
    layouts: dict[str, Layout] = {}
    if house:
        own = load(house, given, chip)
        layouts[house if own.house in houses() else own.house] = own
    for name in houses():
        if name not in layouts:
            layouts[name] = load(name, None, chip)
    return layouts


def compare(lists: Mapping[str, Mapping[str, Odds]], names: Sequence[str] = ()) -> list[Compared]:
    """Set price lists side by side, all wagers of all of them or those named."""
    every = dict.fromkeys(name for prices in lists.values() for name in prices)
    wanted = [name for name in every if not names or name in names]
    found = []
    for name in sorted(wanted, key=place_of):
        odds = {house: prices[name] for house, prices in lists.items() if name in prices}
        edges = {house: each.edge for house, each in odds.items()}
        low, high = min(edges.values()), max(edges.values())
        differ = low != high
        found.append(
            Compared(
                name,
                odds,
                tuple(house for house, edge in edges.items() if differ and edge == low),
                tuple(house for house, edge in edges.items() if differ and edge == high),
            )
        )
    return found
