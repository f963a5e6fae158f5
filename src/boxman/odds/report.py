"""Gathers what the report of a house shows: its own prices, and those of the houses beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boxman.odds.compare import compare, side_by_side
from boxman.odds.hand import Hand
from boxman.odds.page import Page
from boxman.odds.quote import MOST, WithOdds, price_list
from boxman.rules.book import read_book
from boxman.rules.shapes import LINE, TRAVELLING


def report_page(house: str, given: Mapping[str, Any], chip: int) -> str:
    """The page of one house, compared with all that come with Boxman."""
    layouts = side_by_side(house, given, chip)
    first, layout = next(iter(layouts.items()))
    lists = {name: price_list(each) for name, each in layouts.items()}
    flats = [spot for spot in layout.spots.values() if spot.shape in (LINE, TRAVELLING)]
    behind = {spot.behind.flat for spot in layout.spots.values() if spot.behind is not None}
    taking = [spot.id for spot in flats if any(f.startswith(spot.id) for f in behind)]
    return Page(layout, read_book(house)).render(
        list(lists[first].values()),
        [WithOdds(layout, flat, MOST) for flat in taking],
        compare(lists),
        {name: Hand(each) for name, each in layouts.items()},
    )
