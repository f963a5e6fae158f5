"""What a document calls a wager, and the clauses that make one: its offer, results and price."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from boxman.rules import facts
from boxman.rules.ids import family, number, under, with_number

if TYPE_CHECKING:
    from boxman.rules.book import Book, Stated

MAKES = ("offer", "result", "price", "collect", "share", "behind", "fee", "gate")
"""The facts of which a wager is made; when it works or comes down is said of many at once."""
_NUMBERS = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
_PLAIN = {"a", "against", "and", "bet", "on", "the", "wager"}
"""Words that tell no wager from another."""


def words_of(name: str) -> tuple[str, ...]:
    """What a name comes down to, in whatever order, number and spelling it is written.

    >>> words_of("Place Bets to Win on the Six") == words_of("Place Bet 6 to Win")
    True
    >>> words_of("Craps & Eleven")
    ('11', 'crap')
    """
    found = re.findall(r"\d+|[a-z]+(?:'[a-z]+)*", re.sub("[’‘]", "'", name.lower()))
    plain = (str(_NUMBERS.index(each) + 1) if each in _NUMBERS else each for each in found)
    one = (re.sub(r"(?<=..)s$", "", each) for each in plain)
    return tuple(sorted(each for each in one if each not in _PLAIN))


def wagers_called(stated: tuple[Stated, ...], name: str) -> set[str]:
    """The spots that a document means by a name: one, or those of a family."""
    asked = words_of(name)
    if not asked or not re.search("[a-z]{3}|[a-z].*[a-z]", name.lower()):
        return set()
    offers = [each.fact for each in stated if isinstance(each.fact, facts.Offer)]
    return {spot for offer in offers for spot, words in _called(offer) if words == asked}


def _called(offer: facts.Offer) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every spot of an offer with every name it has: its own, and that of its family; what is bet
    to win and to lose has one name too."""
    for n in offer.numbers or [number(offer.spot)]:
        spot = with_number(offer.spot, n)
        own = re.sub(r"[._*]", " ", family(offer.spot))
        for name in (offer.name, *offer.aliases, own):
            words = words_of(name.replace("{n}", str(n)))
            yield spot, words
            whole = tuple(each for each in words if each != str(n))
            yield spot, whole
            if "to" in whole:
                yield spot, tuple(each for each in whole if each not in ("to", "win", "lose"))


def meant(book: Book, asked: str) -> list[str]:
    """The clauses of a number, of the wagers that are called so, or of a heading."""
    spots = wagers_called(book.facts, asked)
    made = [each for each in book.facts if each.kind in MAKES]
    found = {each.clause for each in made if any(_is_of(each.fact, spot) for spot in spots)}
    found |= {*under(asked, book.clauses)}
    return [each for each in book.clauses if each in found] or [
        each.id for each in book.clauses.values() if _headed(each.chapter) == _headed(asked)
    ]


def _headed(heading: str) -> str:
    """What a heading is called, without its number, and without what we say of it."""
    return re.sub(r"^(the |[\d. ]+)|:.*", "", heading.strip().lower()) or heading


def _is_of(fact: facts.Fact, spot: str) -> bool:
    """Whether a fact says something of this spot."""
    said = getattr(fact, "spot", [])
    numbers = getattr(fact, "numbers", []) or getattr(fact, "number", [])
    return not {spot, family(spot)}.isdisjoint([said] if isinstance(said, str) else said) and (
        not numbers or not number(spot) or number(spot) in numbers
    )
