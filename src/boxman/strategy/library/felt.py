"""What every strategy of the library does with chips: make a wager, back it, press it.

The amounts asked for are wishes; `t.fit` turns each into a stake this house takes now, so that one
strategy runs at any table without a refusal. Plain integers and loops only: it compiles.
"""

from __future__ import annotations

from boxman.strategy.spots import (
    COME_ODDS,
    COME_ON,
    DONT_COME_ODDS,
    DONT_COME_ON,
    DONT_PASS,
    DONT_PASS_ODDS,
    PASS,
    PASS_ODDS,
    PLACE,
)
from boxman.strategy.view import Turn

INSIDE = (5, 6, 8, 9)
ACROSS = (4, 5, 6, 8, 9, 10)
TEN = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)


def put(t: Turn, spot: int, amount: int) -> bool:
    """Make a wager of this amount, or the next the house takes, where nothing lies."""
    if spot < 0 or t.on(spot) > 0:
        return False
    stake = t.fit(spot, amount)
    if stake <= 0:
        return False
    return bool(t.bet(spot, stake))


def regress_to(t: Turn, spot: int, amount: int) -> bool:
    """Lower a wager that is up to this amount, or the next the house takes."""
    stake = t.fit(spot, amount)
    if stake <= 0 or stake >= t.on(spot):
        return False
    return bool(t.regress(spot, stake))


def back(t: Turn, flat: int, odds: int, multiple: int) -> None:
    """Put odds of a multiple of the flat behind it, or the most the house takes."""
    stake = t.on(flat) * multiple
    if stake > 0:
        put(t, odds, stake)


def back_pass(t: Turn, multiple: int) -> None:
    """Odds behind the pass line, once there is a point."""
    if t.puck != 0:
        back(t, PASS, PASS_ODDS, multiple)


def lay_dont(t: Turn, multiple: int) -> None:
    """Odds laid behind don't pass, once there is a point."""
    if t.puck != 0:
        back(t, DONT_PASS, DONT_PASS_ODDS, multiple)


def back_comes(t: Turn, multiple: int) -> None:
    """Odds behind every come that has travelled."""
    for number in range(2, 13):
        if number != 7:
            back(t, COME_ON[number], COME_ODDS[number], multiple)


def lay_dont_comes(t: Turn, multiple: int) -> None:
    """Odds laid behind every don't come that has travelled."""
    for number in ACROSS:
        back(t, DONT_COME_ON[number], DONT_COME_ODDS[number], multiple)


def share(number: int, unit: int) -> int:
    """What a place wager gets where the others get a unit: 6 and 8 are paid in sixes."""
    if number == 6 or number == 8:
        return unit * 6 // 5
    return unit


def put_places(t: Turn, numbers: tuple[int, ...], unit: int) -> None:
    """Place each of these numbers."""
    for number in numbers:
        put(t, PLACE[number], share(number, unit))


def down_places(t: Turn, numbers: tuple[int, ...]) -> None:
    """Take down the place wagers on these numbers."""
    for number in numbers:
        if t.on(PLACE[number]) > 0:
            t.down(PLACE[number])
