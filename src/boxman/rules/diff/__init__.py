"""What differs between two houses, in words; `boxman diff`."""

from collections.abc import Mapping

from boxman.rules import facts
from boxman.rules.book import Book
from boxman.rules.compile import compiled
from boxman.rules.diff.alike import grouped
from boxman.rules.diff.houses import differences
from boxman.rules.diff.row import HouseDifference
from boxman.rules.diff.spots import rules_of, verdict_words
from boxman.rules.layout import Layout

__all__ = [
    "HouseDifference",
    "as_compared",
    "differences",
    "grouped",
    "rules_of",
    "verdict_words",
]


def as_compared(book: Book, given: Mapping[str, object] | None = None) -> Layout:
    """A house as it is compared: its sign asks for multiples where it may, unless `given` says."""
    asks = {
        setting: values[0]
        for stated in book.facts
        if isinstance(stated.fact, facts.Limit) and stated.fact.bound == "multiple"
        for setting, values in stated.fact.when.items()
    }
    return compiled(book, asks | dict(given or {}))
