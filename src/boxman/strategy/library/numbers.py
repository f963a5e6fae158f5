"""Place, buy and lay: the numbers, flat, pressed and regressed.

A place wager that wins is paid and handed back, so a strategy that wants it up makes it again; to
press is to make it again for more.
"""

from __future__ import annotations

from boxman.strategy.api import Strategy, strategy
from boxman.strategy.library.catalogue import CRAPSSIM, GROCHOWSKI, SCOBLETE_RATED, entry
from boxman.strategy.library.felt import (
    ACROSS,
    INSIDE,
    put,
    put_places,
    regress_to,
    share,
)
from boxman.strategy.spots import BUY, FIELD, HARD, LAY, PASS, PLACE
from boxman.strategy.view import Turn


@entry("place-6-8", needs="place.6 place.8")
def place_6_8(unit: int = 10) -> Strategy:
    """Six and eight placed while a point is on; 12 on each for a unit of 10."""

    @strategy
    def play(t: Turn) -> None:
        if not t.coming_out:
            put_places(t, (6, 8), unit)

    return play


@entry("inside", source=CRAPSSIM, needs="place.5 place.6 place.8 place.9")
def inside(unit: int = 10) -> Strategy:
    """Five, six, eight and nine placed while a point is on."""

    @strategy
    def play(t: Turn) -> None:
        if not t.coming_out:
            put_places(t, INSIDE, unit)

    return play


@entry("across", source=SCOBLETE_RATED, needs="place.4 place.5 place.6 place.8 place.9 place.10")
def across(unit: int = 10) -> Strategy:
    """All six box numbers placed while a point is on: 64 across for a unit of 10."""

    @strategy
    def play(t: Turn) -> None:
        if not t.coming_out:
            put_places(t, ACROSS, unit)

    return play


def pressing(t: Turn, levels: int, numbers: tuple[int, ...], unit: int, presses: int) -> int:
    """Place numbers, each at its own level, and give the levels after the last roll.

    The levels of all numbers are digits, base presses + 1, of one integer.
    """
    base = presses + 1
    digit = 1
    for number in numbers:
        spot = PLACE[number]
        level = levels // digit % base
        if t.lost(spot) > 0:
            levels -= level * digit
            level = 0
        elif t.won(spot) > 0 and level < presses:
            levels += digit
            level += 1
        if not t.coming_out:
            put(t, spot, share(number, unit) * (level + 1))
        digit *= base
    return levels


@entry("inside-press", needs="place.5 place.6 place.8 place.9")
def inside_press(unit: int = 10, presses: int = 2) -> Strategy:
    """Inside; a number that wins goes up again with one more unit, so many times."""

    @strategy(levels=0)
    def play(t: Turn) -> None:
        t.levels = pressing(t, t.levels, INSIDE, unit, presses)

    return play


@entry("across-press", needs="place.4 place.5 place.6 place.8 place.9 place.10")
def across_press(unit: int = 10, presses: int = 1) -> Strategy:
    """Across; a number that wins goes up again with one more unit, so many times."""

    @strategy(levels=0)
    def play(t: Turn) -> None:
        t.levels = pressing(t, t.levels, ACROSS, unit, presses)

    return play


def regressing(
    t: Turn, hits: int, numbers: tuple[int, ...], unit: int, times: int, after: int
) -> int:
    """Place numbers high until so many have won, then low; give the number of hits."""
    for number in numbers:
        spot = PLACE[number]
        if t.lost(spot) > 0:
            hits = 0
        elif t.won(spot) > 0 and hits < after:
            hits += 1
    if not t.coming_out:
        for number in numbers:
            low = share(number, unit)
            if hits < after:
                put(t, PLACE[number], low * times)
            else:
                regress_to(t, PLACE[number], low)
                put(t, PLACE[number], low)
    return hits


@entry("inside-regress", needs="place.5 place.6 place.8 place.9")
def inside_regress(unit: int = 10, times: int = 3, after: int = 1) -> Strategy:
    """Inside at several units; after the first hit all come down to one until the seven."""

    @strategy(hits=0)
    def play(t: Turn) -> None:
        t.hits = regressing(t, t.hits, INSIDE, unit, times, after)

    return play


@entry("across-regress", needs="place.4 place.5 place.6 place.8 place.9 place.10")
def across_regress(unit: int = 10, times: int = 2, after: int = 2) -> Strategy:
    """Across at several units; after so many hits all come down to one until the seven."""

    @strategy(hits=0)
    def play(t: Turn) -> None:
        t.hits = regressing(t, t.hits, ACROSS, unit, times, after)

    return play


@entry("press-regress", source=CRAPSSIM, needs="place.6 place.8")
def press_regress(unit: int = 10) -> Strategy:
    """Six and eight: a first hit doubles that number, a second takes it back to the start."""

    @strategy(levels=0)
    def play(t: Turn) -> None:
        digit = 1
        for number in (6, 8):
            spot = PLACE[number]
            level = t.levels // digit % 2
            if t.lost(spot) > 0:
                t.levels -= level * digit
                level = 0
            elif t.won(spot) > 0:
                t.levels += digit if level == 0 else -digit
                level = 1 - level
            if not t.coming_out:
                put(t, spot, share(number, unit) * (level + 1))
            digit *= 2

    return play


@entry("iron-cross", source=GROCHOWSKI, needs="field place.5 place.6 place.8")
def iron_cross(unit: int = 10, line: int = 0) -> Strategy:
    """Field, five, six and eight while a point is on: every roll but seven wins.

    With line=1 a pass line wager as well.
    """

    @strategy
    def play(t: Turn) -> None:
        if t.coming_out:
            if line > 0:
                put(t, PASS, unit)
        else:
            put_places(t, (5, 6, 8), unit)
            put(t, FIELD, unit)

    return play


@entry("mix", needs="place.6 place.8 hard.4 field")
def mix(unit: int = 10, hard: int = 1, field: int = 5) -> Strategy:
    """Six and eight placed while a point is on, four hardways and the field on every roll."""

    @strategy
    def play(t: Turn) -> None:
        if not t.coming_out:
            put_places(t, (6, 8), unit)
        for number in (4, 6, 8, 10):
            put(t, HARD[number], hard)
        put(t, FIELD, field)

    return play


@entry("buy-4-10", needs="buy.4 buy.10")
def buy_4_10(unit: int = 20) -> Strategy:
    """Four and ten bought while a point is on, with the commission the house takes."""

    @strategy
    def play(t: Turn) -> None:
        if not t.coming_out:
            put(t, BUY[4], unit)
            put(t, BUY[10], unit)

    return play


@entry("lay-4-10", needs="lay.4 lay.10")
def lay_4_10(unit: int = 40) -> Strategy:
    """Four and ten laid, with the commission the house takes: a seven wins both."""

    @strategy
    def play(t: Turn) -> None:
        put(t, LAY[4], unit)
        put(t, LAY[10], unit)

    return play
