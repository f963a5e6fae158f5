"""Throws as somebody at the table sees them: one sentence per ground of no roll, and good throws.

Rulebooks name the grounds by short words (`off-table`); people are told what happened. It knows
words only: what a ground does to a throw is the rulebook's to say.
"""

from __future__ import annotations

from random import Random

from boxman.rules.book import Book
from boxman.rules.layout import Layout
from boxman.words.say import has, phrase

GOOD = 6
"""Throws with which nothing is wrong in any house."""


def good(dice: Random) -> str:
    """One of them."""
    return phrase(f"pit.good.{dice.randint(1, GOOD)}")


def seen(layout: Layout, book: Book, cause: str) -> str:
    """What somebody at the table sees; a word we do not know is told by its clause's title."""
    if has(f"pit.seen.{cause}"):
        return phrase(f"pit.seen.{cause}")
    title = book.clauses[layout.procedure.causes[cause].cites[0]].title
    return f"{title.rpartition(': ')[2].capitalize()}."
