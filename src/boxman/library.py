"""Boxman as a library: a house by name, and what its wagers are worth.

>>> from boxman.rules.book import houses
>>> first = house(houses()[0])
>>> first.odds("place.6").edge
Fraction(1, 66)
>>> print(first.odds("place.4").price)
pays 9 to 5, true odds 2 to 1

Amounts are in units of the currency, as people write them: 7, "2.50". A wager the house does not
have, or a stake it would not take, raises a ValueError whose message says what would be right.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from boxman.chips import parse_amount
from boxman.odds.hand import Hand
from boxman.odds.measures import Figures
from boxman.odds.names import names
from boxman.odds.quote import MOST, Odds, Split, WithOdds, partly_collected, price_list
from boxman.rules.compile import load
from boxman.rules.layout import Layout

Amount = int | str | Decimal


class House:
    """One house under its settings, at a table with one smallest chip."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        """The compiled rulebook."""

    def __repr__(self) -> str:
        return f"<House {self.layout.house}>"

    @property
    def name(self) -> str:
        """The id of the house."""
        return self.layout.house

    @property
    def title(self) -> str:
        """Its name in full."""
        return self.layout.title

    @property
    def wagers(self) -> list[str]:
        """The names of all wagers, as on the felt; odds behind the line by point.

        >>> from boxman.rules.book import houses
        >>> house(houses()[0]).wagers[:3]
        ['pass', 'pass.odds.4', 'pass.odds.5']
        """
        return names(self.layout)

    def odds(
        self, wager: str, *, split: tuple[int, ...] = (), collected: tuple[int, ...] = ()
    ) -> Odds:
        """Everything about one wager.

        `split` names the parts of a wager that may be split unevenly, in any unit; `collected`
        the totals that a bonus wager has already.

        >>> from boxman.rules.book import houses
        >>> first = house(houses()[0])
        >>> six = first.odds("place.6")
        >>> six.win, six.lose, six.push, six.rolls
        (Fraction(5, 11), Fraction(6, 11), Fraction(0, 1), Fraction(36, 11))
        >>> first.odds("dont_pass").edge, first.odds("dont_pass").edge_resolved
        (Fraction(3, 220), Fraction(27, 1925))
        >>> first.odds("palce.6")
        Traceback (most recent call last):
            ...
        boxman.odds.names.WagerError: palce.6 is not offered here; did you mean place.6?
        """
        if split:
            return Split(self.layout, wager, split)
        if collected:
            return partly_collected(self.layout, wager, collected)
        return Odds(self.layout, wager)

    def with_odds(
        self, flat: str, times: int | Fraction | str = MOST, *, added: int | Fraction = 0
    ) -> WithOdds:
        """A flat wager with odds behind it: a multiple in the house's own measure, or "most".

        `added` is money that joins the flat wager once it has its number, as a multiple of it.

        >>> from boxman.rules.book import houses
        >>> house(houses()[0]).with_odds("pass", 1).edge
        Fraction(7, 825)
        """
        amount = MOST if times == MOST else Fraction(times)
        return WithOdds(self.layout, flat, amount, Fraction(added))

    def at_stake(self, wager: str, stake: Amount) -> Figures:
        """The figures of one stake, paid in this table's chips by the house's rounding.

        >>> from boxman.rules.book import houses
        >>> house(houses()[0], chip=1).at_stake("place.6", 7).edge
        Fraction(-3, 77)
        """
        return self.odds(wager).at(parse_amount(str(stake)))

    def price_list(self) -> dict[str, Odds]:
        """Every wager by its name, as on the felt."""
        return price_list(self.layout)

    @property
    def hand(self) -> Hand:
        """The length of a shooter's hand.

        >>> from boxman.rules.book import houses
        >>> house(houses()[0]).hand.mean
        Fraction(1671, 196)
        """
        return Hand(self.layout)


def house(name: str, chip: Amount = 1, **settings: Any) -> House:
    """A house by its name or by the path of its rulebook, under settings of its own.

    >>> from boxman.rules.book import houses
    >>> house(houses()[0], chip="2.50").layout.chip
    250
    """
    return House(load(name, settings, parse_amount(str(chip))))
