"""Wagers that pay when others lose. None lowers what the house expects; several raise it."""

from __future__ import annotations

from boxman.strategy.api import Strategy, strategy
from boxman.strategy.library.catalogue import CRAPSSIM, SCOBLETE_HEDGES, entry
from boxman.strategy.library.felt import (
    ACROSS,
    back,
    back_pass,
    down_places,
    lay_dont,
    put,
    put_places,
    share,
)
from boxman.strategy.spots import (
    ANY_CRAPS,
    DONT_PASS,
    FIELD,
    PASS,
    PASS_ODDS,
    PLACE,
)
from boxman.strategy.view import Turn

THREE_FOUR_FIVE = (0, 0, 0, 0, 3, 4, 5, 0, 5, 4, 3, 0, 0)


@entry("pass-any-craps", needs="pass any_craps")
def pass_any_craps(unit: int = 10, hedge: int = 1) -> Strategy:
    """The pass line, and any craps on the come-out against 2, 3 and 12."""

    @strategy
    def play(t: Turn) -> None:
        if t.coming_out:
            put(t, PASS, unit)
            put(t, ANY_CRAPS, hedge)

    return play


@entry("dont-place", needs="dont_pass place.6 place.8")
def dont_place(unit: int = 10) -> Strategy:
    """Don't pass; when the point is six or eight it is placed too, and something is won."""

    @strategy
    def play(t: Turn) -> None:
        if t.coming_out:
            down_places(t, (6, 8))
            put(t, DONT_PASS, unit)
        elif t.on(DONT_PASS) > 0 and (t.puck == 6 or t.puck == 8):
            put(t, PLACE[t.puck], share(t.puck, unit))

    return play


@entry("doey-dont", source=SCOBLETE_HEDGES, needs="pass dont_pass")
def doey_dont(unit: int = 10, odds: int = 2) -> Strategy:
    """Pass and don't pass together; odds on the pass line are all that is in play."""

    @strategy
    def play(t: Turn) -> None:
        if t.coming_out:
            put(t, PASS, unit)
            put(t, DONT_PASS, unit)
        else:
            back_pass(t, odds)

    return play


@entry("knockout", source=CRAPSSIM, needs="pass dont_pass")
def knockout(unit: int = 10) -> Strategy:
    """Pass and don't pass together, with 3, 4 or 5 times odds on the pass line by the point."""

    @strategy
    def play(t: Turn) -> None:
        if t.coming_out:
            put(t, PASS, unit)
            put(t, DONT_PASS, unit)
        else:
            multiple = THREE_FOUR_FIVE[t.puck]
            if multiple > 0:
                back(t, PASS, PASS_ODDS, multiple)

    return play


@entry("hammerlock", source=CRAPSSIM, needs="pass dont_pass place.6 place.8")
def hammerlock(unit: int = 10, odds: int = 6) -> Strategy:
    """Pass and don't pass, odds laid; six and eight at two units; after a hit inside at one.

    After a second hit the numbers come down until the next shooter. They come down as well when
    the point is made.
    """

    @strategy(hits=0)
    def play(t: Turn) -> None:
        if t.new_shooter:
            t.hits = 0
        for number in ACROSS:
            if t.won(PLACE[number]) > 0 and t.hits < 2:
                t.hits += 1
                down_places(t, ACROSS)
        if t.coming_out:
            down_places(t, ACROSS)
            put(t, PASS, unit)
            put(t, DONT_PASS, unit)
        else:
            if t.hits == 0:
                put_places(t, (6, 8), unit * 2)
            elif t.hits == 1:
                put_places(t, (5, 6, 8, 9), unit)
            lay_dont(t, odds)

    return play


@entry("risk-12", source=CRAPSSIM, needs="pass field place.6 place.8")
def risk_12(unit: int = 5) -> Strategy:
    """Pass and field before the point; then six and eight as far as this shooter's purse goes.

    The purse begins with a place wager on each (12 for a unit of 5) and takes all that the shooter
    wins or loses; it counts up to ten units, so that the strategy can be explored.
    """

    @strategy(purse=0)
    def play(t: Turn) -> None:
        base = max(unit, t.minimum)
        each = share(6, base)
        if t.new_shooter:
            t.purse = 2 * each
        else:
            t.purse = min(max(t.purse + t.won_total - t.lost_total, 0), 10 * base)
        if t.coming_out:
            down_places(t, (6, 8))
            if t.purse >= base:
                put(t, PASS, base)
            if t.purse >= 2 * base:
                put(t, FIELD, base)
        else:
            free = t.purse - t.on(PASS) - t.on(PLACE[6]) - t.on(PLACE[8])
            for number in (6, 8):
                if number != t.puck and free >= each and t.on(PLACE[number]) == 0:
                    put(t, PLACE[number], each)
                    free -= each

    return play
