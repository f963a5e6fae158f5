"""What works: markers on wagers, what may be called now, what a call changes."""

from __future__ import annotations

from typing import Literal

from boxman.rules.layout import Layout, Spot
from boxman.rules.ledger import join
from boxman.table.floor.people import Pending
from boxman.table.rulings import Followed, refuse
from boxman.table.state import AnyDecision, Cites, Marked, Seat, Table, Wager

OnOff = Literal["on", "off"]


def works(spot: Spot, wager: Wager, puck: int) -> bool:
    """Whether a wager takes part in the next roll."""
    if wager.marker:
        return wager.marker == "on"
    return spot.works[1 if puck else 0]


def changes(spot: Spot, wager: Wager, call: str, puck: int) -> bool:
    """Whether a call does anything: it changes what works, or holds longer than the roll."""
    if works(spot, wager, puck) != (call == "on"):
        return True
    return call == "off" and not wager.marker and spot.markers["off"].lasts == "wager"


def wakes(layout: Layout, waits: Pending, name: str) -> bool:
    """Whether a call on that waits would count for this wager too."""
    spot, like = layout.spots.get(name), layout.spots[waits.spot]
    reaches = like.markers["on"].scope == "similar" and not waits.only
    same = spot is not None and spot.family == like.family
    return reaches and same and name not in waits.but


def off_by_name(spot: Spot, wager: Wager) -> bool:
    """Whether a wager was called off by itself: of that one the player has said otherwise."""
    return wager.marker == "off" and (wager.alone or spot.markers["off"].scope != "similar")


def callable_now(spot: Spot, wager: Wager, puck: int) -> tuple[OnOff, ...]:
    """The calls a player may make on this wager with this puck."""
    side = "on" if puck else "off"
    both: tuple[OnOff, OnOff] = ("on", "off")
    return tuple(
        call
        for call in both
        if spot.markers[call].allow
        and spot.markers[call].puck in ("any", side)
        and changes(spot, wager, call, puck)
    )


def mark(seat: Seat, spot: Spot, call: str, puck: int, alone: bool = False) -> Marked:
    """The marker goes on; it comes off where that alone makes the wager as called."""
    rule = spot.markers[call]
    default = spot.works[1 if puck else 0] == (call == "on")
    lifted = default and seat.wagers[spot.id].marker
    return Marked(seat.name, spot.id, "" if lifted else call, rule.cites, alone)


def joined(layout: Layout, seat: Seat, spot: Spot, puck: int) -> list[AnyDecision]:
    """A new wager comes under a marker that lies on one like it, where a marker speaks for all."""
    rule = spot.markers["on"]
    if (
        rule.scope != "similar"
        or not rule.allow
        or rule.puck not in ("any", "on" if puck else "off")
    ):
        return []
    for wager in seat.wagers.values():
        like = layout.spots[wager.spot].family == spot.family
        if like and wager.marker == "on" and not wager.alone:
            return [Marked(seat.name, spot.id, "on", rule.cites)]
    return []


def mark_all(layout: Layout, table: Table, seat: Seat, call: str) -> Followed:
    """Every wager that can be called so."""
    side = "on" if table.puck else "off"
    made: list[AnyDecision] = []
    refused: Cites = ()
    for name, wager in seat.wagers.items():
        spot = layout.spots[name]
        rule = spot.markers[call]
        open_now = rule.allow and rule.puck in ("any", side)
        if open_now and changes(spot, wager, call, table.puck):
            made.append(mark(seat, spot, call, table.puck))
        refused = join(refused, rule.cites)
    if not made:
        refuse("nothing-to-switch", refused or layout.principles["area"], seat=seat.name, call=call)
    return made, []
