"""The rulebook a table goes by: the edition it was opened with, from the text the journal keeps.

A rulebook that is changed later, or gone, changes nothing at a table that is open. Rows of before
texts were kept name an edition nobody has any more: they go by what their house says now.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

from boxman.journal.row import JournalError, Row
from boxman.rules.book import Book, BookError, read_book, read_text
from boxman.rules.compile import compiled
from boxman.rules.layout import Layout
from boxman.rules.settings import SettingError
from boxman.table.rulings import change
from boxman.table.said.saying import saying
from boxman.table.state import AnyDecision, CashedOut, Returned, Table
from boxman.words import phrase

Texts = Callable[[str], str | None]
"""Where texts of rulebooks are found by their digest: `Journal.edition`, or those of an export."""

ENGINE_FILES = "engine"
"""The note of a first row with the digest of the engine's files. The edition of a row that has it
is kept in the journal and goes with every export."""


TERM = "pit-edition"
"""The term of the house that a last settlement cites."""


class NoRules(JournalError):
    """This engine cannot rule at a table: its edition cannot be compiled, or nobody has it."""


class Edition(NamedTuple):
    """A rulebook, and what it is under the settings of a table."""

    book: Book
    layout: Layout
    kept: bool = True
    """Whether it is the text that was kept; else it is what the house says now."""


def no_texts(digest: str) -> str | None:
    """Nothing was kept."""


def edition_of(texts: Texts, opening: Row, digest: str) -> Edition:
    """The edition of a table that this row opened; NoRules if nothing can be ruled."""
    text, call = texts(digest), opening.opens
    try:
        own = call.house.endswith(".md") or "/" in call.house
        path = call.house if own else f"{call.house}.md"
        book = read_book(call.house) if text is None else read_text(path, text)
        return Edition(book, compiled(book, call.settings, call.chip), text is not None)
    except (BookError, SettingError) as error:
        why, verb = (
            str(error).splitlines()[0],
            phrase("journal.wrong.does-not-have")
            if text is None
            else phrase("journal.wrong.cannot-compile"),
        )
        raise NoRules(
            phrase(
                "journal.wrong.this-engine-the-rulebook-of",
                verb=verb,
                table=opening.table,
                digest=digest[:12],
                house=call.house,
                why=why,
            )
        ) from None


def settlement(table: Table) -> tuple[AnyDecision, ...]:
    """What needs no rule: every wager back with its fee, every rail paid out, the table closed."""
    made: list[AnyDecision] = []
    for seat in table.seats.values():
        vouchers, rail = table.floor.vouchers, seat.rail
        for wager in seat.wagers.values():
            back = wager.stake + wager.fee - wager.voucher
            made.append(
                Returned(
                    *(seat.name, wager.spot, wager.stake, wager.fee),
                    *("table closed", (TERM,), wager.voucher),
                )
            )
            rail += back
            if wager.voucher:
                held = (*vouchers.get(seat.name, ()), wager.voucher)
                vouchers = {**vouchers, seat.name: held}
                words = saying("voucher back", seat=seat.name, amount=wager.voucher)
                made.append(change(table, words, (TERM,), vouchers=vouchers))
        if rail:
            made.append(CashedOut(seat.name, rail, (TERM,)))
    if not table.floor.closed:
        made.append(change(table, "closed", (TERM,), closed=True))
    return tuple(made)


@lru_cache(maxsize=1)
def engine_digest() -> str:
    """The digest of the engine's files: all Python of this package, by name. Computed once."""
    found = sha256()
    for name, file in sorted(_sources(resources.files("boxman"), "")):
        found.update(f"{name}\0".encode() + sha256(file.read_bytes()).digest())
    return found.hexdigest()


def _sources(folder: Traversable, under: str) -> list[tuple[str, Traversable]]:
    found = []
    for entry in folder.iterdir():
        name = f"{under}{entry.name}"
        if entry.is_dir():
            found += _sources(entry, f"{name}/")
        elif name.endswith(".py"):
            found.append((name, entry))
    return found
