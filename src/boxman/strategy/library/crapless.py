"""Where 2, 3, 11 and 12 are points as well: the counterparts with ten numbers.

Pass, pass-odds and molly need none: they back whatever number they have.
"""

from __future__ import annotations

from boxman.strategy.api import Strategy, strategy
from boxman.strategy.library.catalogue import CRAPSFEST, entry
from boxman.strategy.library.felt import TEN, back_comes, back_pass, put, put_places
from boxman.strategy.spots import BUY, COME, PASS, PLACE
from boxman.strategy.view import Turn

EXTREMES = (2, 3, 11, 12)


@entry("crapless-across", needs="place.2 place.3 place.11 place.12")
def crapless_across(unit: int = 10) -> Strategy:
    """All ten numbers placed while a point is on."""

    @strategy
    def play(t: Turn) -> None:
        if not t.coming_out:
            put_places(t, TEN, unit)

    return play


@entry("crapless-extremes", needs="place.2 place.3 place.11 place.12")
def crapless_extremes(unit: int = 10) -> Strategy:
    """Two, three, eleven and twelve placed while a point is on."""

    @strategy
    def play(t: Turn) -> None:
        if not t.coming_out:
            put_places(t, EXTREMES, unit)

    return play


@entry("crapless-molly", source=CRAPSFEST, needs="pass place.2")
def crapless_molly(unit: int = 10, odds: int = 5) -> Strategy:
    """The pass line and one come with as much odds, up to five times, as the house takes."""

    @strategy
    def play(t: Turn) -> None:
        if t.coming_out:
            put(t, PASS, unit)
        elif t.count(COME) < 1:
            put(t, COME, unit)
        back_pass(t, odds)
        back_comes(t, odds)

    return play


@entry("crapless-best", source=CRAPSFEST, needs="place.2 place.6 place.8 buy.4 buy.10")
def crapless_best(unit: int = 20) -> Strategy:
    """Six and eight placed, four and ten bought: the cheapest numbers of a crapless layout."""

    @strategy
    def play(t: Turn) -> None:
        if not t.coming_out and t.offers(PLACE[2]):
            put_places(t, (6, 8), unit)
            put(t, BUY[4], unit)
            put(t, BUY[10], unit)

    return play
