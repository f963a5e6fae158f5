"""Well-known strategies, ready to run: `named("molly(unit=25, odds=3)")`.

    >>> named("molly(unit=25)").name
    'molly(unit=25, odds=2, comes=2)'

Each stands on a page of its kind (lines, numbers, progressions, hedges, bonus, crapless); this
module reads the pages, so that the catalogue is full, and finds strategies.
"""

from __future__ import annotations

from boxman.strategy.library import (
    bonus,
    crapless,
    hedges,
    lines,
    numbers,
    progressions,
)
from boxman.strategy.library.catalogue import ENTRIES, Entry
from boxman.strategy.library.finding import find, load_file, named, names

PAGES = (lines, numbers, progressions, hedges, bonus, crapless)

__all__ = ["ENTRIES", "PAGES", "Entry", "find", "load_file", "named", "names"]
