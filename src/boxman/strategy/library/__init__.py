"""Well-known strategies, ready to run: `named("molly(unit=25, odds=3)")`.

    >>> named("molly(unit=25)").name
    'molly(unit=25, odds=2, comes=2)'

Each stands on a page of its kind (lines, numbers, progressions, hedges, hops, bonus, crapless);
this module reads the pages, so that the catalogue is full, and finds strategies.
"""

from __future__ import annotations

from typing import NamedTuple

from boxman.strategy.library import (
    bonus,
    crapless,
    hedges,
    hops,
    lines,
    numbers,
    progressions,
)
from boxman.strategy.library.catalogue import ENTRIES, CatalogueEntry
from boxman.strategy.library.finding import find, load_file, named, names
from boxman.words import phrase

PAGES = (lines, numbers, progressions, hedges, hops, bonus, crapless)

__all__ = [
    "ENTRIES",
    "PAGES",
    "CatalogueEntry",
    "CataloguePage",
    "find",
    "load_file",
    "named",
    "names",
    "pages",
]


class CataloguePage(NamedTuple):
    """Strategies of one kind."""

    title: str
    about: str
    entries: tuple[CatalogueEntry, ...]


def pages() -> list[CataloguePage]:
    """The library from its first page to its last."""
    return [
        CataloguePage(
            page.__name__.rpartition(".")[2],
            phrase(f"strategies.pages.{page.__name__.rpartition('.')[2]}"),
            tuple(each for each in ENTRIES.values() if each.maker.__module__ == page.__name__),
        )
        for page in PAGES
    ]
