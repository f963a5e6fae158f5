"""Stakes that follow the last results: martingale, Fibonacci, parlay and their like.

Each level is a declared variable with a bound, so that the strategy can be explored.
"""

from __future__ import annotations

from boxman.strategy.api import Strategy, strategy
from boxman.strategy.library.catalogue import CRAPSSIM, SETTHINGS, entry
from boxman.strategy.library.felt import put
from boxman.strategy.spots import FIELD, PASS
from boxman.strategy.view import Turn

FIBONACCI = (1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144)
DOCTOR = (10, 20, 15, 30, 25, 50, 35, 70, 50, 100, 75, 150)


@entry("martingale", source=SETTHINGS, needs="pass")
def martingale(unit: int = 10, doublings: int = 4) -> Strategy:
    """The pass line; doubled after every loss, so many times, then from the start again."""

    @strategy(level=0)
    def play(t: Turn) -> None:
        if t.lost(PASS) > 0:
            t.level = t.level + 1 if t.level < doublings else 0
        elif t.won(PASS) > 0:
            t.level = 0
        if t.coming_out:
            put(t, PASS, unit << t.level)

    return play


@entry("fibonacci", needs="pass")
def fibonacci(unit: int = 10, steps: int = 8) -> Strategy:
    """The pass line by 1, 1, 2, 3, 5 ...: a loss goes one step on, a win two back.

    After a loss on the last step it begins again. At most 12 steps.
    """
    last = min(max(steps, 1), len(FIBONACCI)) - 1

    @strategy(step=0)
    def play(t: Turn) -> None:
        if t.lost(PASS) > 0:
            t.step = t.step + 1 if t.step < last else 0
        elif t.won(PASS) > 0:
            t.step = t.step - 2 if t.step > 2 else 0
        if t.coming_out:
            put(t, PASS, unit * FIBONACCI[t.step])

    return play


@entry("paroli", needs="pass")
def paroli(unit: int = 10, wins: int = 3) -> Strategy:
    """The pass line; doubled after every win until so many in a row, then from the start again."""

    @strategy(level=0)
    def play(t: Turn) -> None:
        if t.lost(PASS) > 0:
            t.level = 0
        elif t.won(PASS) > 0:
            t.level = t.level + 1 if t.level + 1 < wins else 0
        if t.coming_out:
            put(t, PASS, unit << t.level)

    return play


@entry("dalembert", needs="pass")
def dalembert(unit: int = 10, most: int = 10) -> Strategy:
    """The pass line; a unit more after every loss, a unit less after every win, within bounds."""

    @strategy(level=0)
    def play(t: Turn) -> None:
        if t.lost(PASS) > 0 and t.level + 1 < most:
            t.level += 1
        elif t.won(PASS) > 0 and t.level > 0:
            t.level -= 1
        if t.coming_out:
            put(t, PASS, unit * (t.level + 1))

    return play


@entry("field-parlay", needs="field")
def field_parlay(unit: int = 10, parlays: int = 2) -> Strategy:
    """The field on every roll; a win rides with its winnings, so many times."""

    @strategy(run=0, riding=0)
    def play(t: Turn) -> None:
        if t.won(FIELD) > 0 and t.run < parlays:
            t.run += 1
            t.riding += t.won(FIELD)
        else:
            t.run = 0
            t.riding = unit
        t.riding = t.fit(FIELD, t.riding)
        put(t, FIELD, t.riding)

    return play


@entry("dice-doctor", source=CRAPSSIM, needs="field")
def dice_doctor(unit: int = 10) -> Strategy:
    """The field; each win goes a step on in 10, 20, 15, 30, 25, 50 ... 75, 150; a loss back.

    The last step is kept until it loses. The steps are for a unit of 10.
    """

    @strategy(step=0)
    def play(t: Turn) -> None:
        if t.lost(FIELD) > 0:
            t.step = 0
        elif t.won(FIELD) > 0 and t.step < len(DOCTOR) - 1:
            t.step += 1
        put(t, FIELD, unit * DOCTOR[t.step] // 10)

    return play


@entry("percent", needs="pass")
def percent(percent: int = 2) -> Strategy:
    """A percentage of the chips on the rail on the pass line. It reads the bankroll."""

    @strategy
    def play(t: Turn) -> None:
        if t.coming_out:
            put(t, PASS, t.cash * percent // 100)

    return play
