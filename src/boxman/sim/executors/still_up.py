"""What wagers that the kernel left up are worth, asked of the reference's rules once each.

The kernel says what lies on the felt and how often; `strategy.worth` says in fractions what each is
worth. Threads share what is known. It knows no session and no dice.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from fractions import Fraction

from boxman.sim.kernel.left import MARKERS, LeftUp
from boxman.strategy.felt import Felts
from boxman.strategy.session import Session
from boxman.strategy.worth import value_of_group, wager_left


class StillUp:
    """Values of wagers at one table, as far as somebody asked."""

    def __init__(self, session: Session) -> None:
        self._felts = Felts(session, by_faces=True)
        self._known: dict[LeftUp, Fraction] = {}
        self._asking = threading.Lock()

    def value(self, left: Mapping[LeftUp, int]) -> Fraction:
        """What all of it is worth beyond its face, in minor units."""
        with self._asking:
            return sum((self._one(each) * count for each, count in left.items()), Fraction(0))

    def _one(self, left: LeftUp) -> Fraction:
        known = self._known.get(left)
        if known is None:
            layout = self._felts.layout
            group = [wager_left(layout, left.spot, left.stake, MARKERS[left.marker])]
            if left.odds:
                marker = MARKERS[left.odds_marker]
                group.append(wager_left(layout, left.odds, left.odds_stake, marker))
            known = value_of_group(self._felts, left.puck, tuple(group), left.collected)
            self._known[left] = known
        return known
