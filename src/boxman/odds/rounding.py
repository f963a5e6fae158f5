"""What rounding does to a price: the stakes at which it turns a wager in the player's favour.

A win is rounded by less than one chip, so a wager with an edge can be turned only at small stakes:
the list is finite. A wager without an edge (odds) is turned at every stake that chips cannot pay.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm

import msgspec

from boxman.chips import payable_step
from boxman.odds.chain import End
from boxman.odds.pay import in_chips, uncharged
from boxman.rules.layout import Layout, Spot

MOST_STAKES = 10_000
"""Stakes tried at most: more than any price of our houses needs, and an end for any other."""


class Favoured(msgspec.Struct, frozen=True, kw_only=True):
    """The stakes, in minor units, whose edge is below zero once wins are rounded."""

    stakes: tuple[int, ...]
    period: int
    """Where not 0, the list is the first period and goes on like that for ever."""


def favoured(layout: Layout, spot: Spot, puck: int, ends: Mapping[End, Fraction]) -> Favoured:
    """All stakes at which rounding, and nothing else, makes this wager the player's.

    `ends` are its exact ends with their chances, commission included.
    """
    edge = -sum((end.net * chance for end, chance in ends.items()), Fraction(0))
    rounds = {layout.round_win.value, layout.round_fee.value} != {"exact"}
    if edge < 0 or not rounds:
        # What favours the player anyway is not rounding's doing.
        return Favoured(stakes=(), period=0)
    step, chip = layout.step(spot, puck), layout.chip

    def wins(end: End) -> list[Fraction]:
        last = end.net - sum(end.steps)
        return [uncharged(spot, net) for net in (*end.steps, last) if net > 0]

    if edge > 0:
        # Rounding moves a win, and the commission, by less than one chip each.
        moved = sum(chance * len(wins(end)) for end, chance in ends.items())
        period, last = 0, int(chip * (moved + (spot.fee is not None)) / edge)
    else:
        won = {net for end in ends for net in wins(end)}
        period = last = lcm(step, *(payable_step(net, chip) for net in won))
    stakes = []
    for stake in range(step, min(last, step * MOST_STAKES) + 1, step):
        worth = in_chips(layout, spot, puck, stake)
        if sum(worth(end) * chance for end, chance in ends.items()) > 0:
            stakes.append(stake)
    return Favoured(stakes=tuple(stakes), period=period if stakes else 0)
