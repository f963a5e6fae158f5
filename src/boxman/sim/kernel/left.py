"""What sessions of the kernel leave on the felt: wagers that are decided together, counted.

It reads seats as they are when their sessions end. What the wagers are worth it does not know:
that is asked of `strategy.worth`, once for each that is different.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from boxman.sim.kernel import words as w
from boxman.sim.lanes import Ints

SEAT_WORDS = w.FEE
"""The words of a seat that say what is up: all before the fees."""
MARKERS = ("", "on", "off")


class LeftUp(NamedTuple):
    """A wager and the odds behind it; markers by number, stakes in minor units."""

    puck: int
    spot: str
    stake: int
    marker: int
    odds: str
    """The spot of the odds, or nothing where none are up."""
    odds_stake: int
    odds_marker: int
    collected: int


def left_up(seats: Ints, house: Ints, names: list[str]) -> Counter[LeftUp]:
    """What lies before these seats, and how often."""
    places = house[w.PLACES : w.ROW_OF].reshape(w.STRIDE, w.PLACE_WORDS)
    stakes = np.ascontiguousarray(seats[:, w.STAKE : w.STAKE + w.STRIDE])
    # In one row: NumPy looks through several at a third of the speed.
    seat, spot = np.divmod(np.flatnonzero(stakes != 0), w.STRIDE)
    alone = places[spot, w.FLAT] < 0
    seat, spot = seat[alone], spot[alone]
    behind = places[spot, w.BEHIND]
    backing = np.where(behind >= 0, stakes[seat, behind], 0)
    odds = np.where(backing > 0, behind, -1)
    gated = places[spot, w.GROUP] >= 0
    collected = seats[seat, w.COLLECTED + spot]
    found = np.stack(
        (
            (seats[seat, w.STATE] >> w.PUCK_AT) & w.BYTE,
            spot,
            stakes[seat, spot],
            _marker(seats, seat, spot),
            odds,
            backing,
            np.where(odds >= 0, _marker(seats, seat, odds), 0),
            np.where(gated, collected, 0),
        )
    )
    # What numpy.unique would do with rows, several times sooner.
    found = found[:, np.lexsort(found)]
    new = np.ones(found.shape[1], bool)
    new[1:] = (found[:, 1:] != found[:, :-1]).any(axis=0)
    (starts,) = np.nonzero(new)
    counts = np.diff(starts, append=found.shape[1])
    pairs = zip(found[:, starts].T.tolist(), counts.tolist(), strict=True)
    return Counter(
        {
            LeftUp(puck, names[spot], stake, marker, names[odds] if odds >= 0 else "", *rest): count
            for (puck, spot, stake, marker, odds, *rest), count in pairs
        }
    )


def _marker(seats: Ints, seat: Ints, spot: Ints) -> Ints:
    """What is called on these spots, as a place in MARKERS."""
    bit = spot & 63
    on: Ints = (seats[seat, w.ON + (spot >> 6)] >> bit) & 1
    off: Ints = (seats[seat, w.OFF + (spot >> 6)] >> bit) & 1
    return on + 2 * off
