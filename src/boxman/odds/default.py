"""The house's own rule for wagers that sleep, when nobody calls anything.

Prices are quoted as always working. A wager that sleeps with the puck off stays longer at the
table and may, as odds, be handed back. Whether the next roll is a come-out depends on the moment
it was made, so the answer is given for two moments, and for a call that wakes it.
"""

from __future__ import annotations

import msgspec

from boxman.odds.machine import Machine, State
from boxman.odds.measures import Figures, figures
from boxman.odds.pay import Pay
from boxman.rules.layout import PUCK_OFF, Layout, fee_at_placement
from boxman.rules.ledger import Cites


class ByDefault(msgspec.Struct, frozen=True, kw_only=True):
    """The house's rule by puck, and what it makes of a wager."""

    works: tuple[bool, bool]
    """With the puck off, on."""
    cites: tuple[Cites, Cites]
    returned_on: tuple[int, ...] = ()
    """Totals of a come-out roll that hand a sleeping wager back."""
    made_off: Figures | None = None
    """Made with the puck off."""
    made_on: Figures | None = None
    """Made right after a point is set, averaged over the points as often as they come."""
    called_on: Figures | None = None
    """Made with the puck off and called on at once; the call lasts as long as the house says."""


def by_default(layout: Layout, start: State, pay: Pay) -> ByDefault:
    """What the house does with a wager when nobody calls anything."""
    spot = layout.spots[start.spot]
    if all(spot.works):
        return ByDefault(works=spot.works, cites=spot.works_cites)
    machine = Machine(layout, spot, pay, sleeps=True, memory=start.memory)
    returned = {
        kind.total
        for index, kind in enumerate(layout.rolls.kinds)
        if not spot.works[0] and machine.stranded(spot, PUCK_OFF, index)
    }
    off, called = {start: 1}, {start._replace(called=True): 1}
    on: dict[State, int] = {}
    for kind in layout.rolls.kinds:
        # A travelled wager is never up while the puck is on its own number: the roll that would
        # set that point has decided it.
        if kind.total in layout.points and not (spot.is_odds and kind.total == spot.number):
            state = start._replace(puck=kind.total)
            on[state] = on.get(state, 0) + kind.ways
    chain = machine.chain({**off, **on, **called})
    fee = fee_at_placement(spot)
    makes_off = spot.may("make", PUCK_OFF)
    calls_off = spot.markers["on"].allow and spot.markers["on"].puck != "on"
    makes_on = any(spot.may("make", point) for point in layout.points)
    return ByDefault(
        works=spot.works,
        cites=spot.works_cites,
        returned_on=tuple(sorted(returned)),
        made_off=figures(chain, fee, off) if makes_off else None,
        made_on=figures(chain, fee, on) if makes_on else None,
        called_on=figures(chain, fee, called) if makes_off and calls_off else None,
    )
