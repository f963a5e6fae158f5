"""Rules of what works: wagers called on and off, and winners that are to stay up."""

from __future__ import annotations

from boxman.rules.layout import Layout, Spot
from boxman.rules.ledger import join
from boxman.table.calls import SetWorking, StayUp
from boxman.table.rulings import refuse
from boxman.table.state import AnyDecision, Asked, Cites, Marked, Seat, Table, Wager
from boxman.table.wagers import Followed, check_phase, seat_at, spot_on, wager_of


def works(spot: Spot, wager: Wager, puck: int) -> bool:
    """Whether a wager takes part in the next roll."""
    if wager.marker:
        return wager.marker == "on"
    return spot.works[1 if puck else 0]


def rule_set_working(layout: Layout, table: Table, call: SetWorking) -> Followed:
    """A wager is called on or off, and those the call counts for with it."""
    seat = seat_at(layout, table, call.seat)
    bonus = call.only and "all" in layout.spots  # "all only" is the bonus wager of that name
    if call.spot == "all" and not bonus:
        check_phase(layout, table, "mark")
        return _mark_all(layout, table, seat, call.call)
    spot = spot_on(layout, call.spot)
    rule = spot.markers[call.call]
    if not rule.allow:
        refuse(
            "not-switchable",
            f"{spot.name} cannot be called {call.call}",
            rule.cites,
            "take it down instead" if spot.may("remove", table.puck) else "",
        )
    wager = wager_of(layout, seat, spot)
    check_phase(layout, table, "mark")
    if rule.puck not in ("any", "on" if table.puck else "off"):
        when = "a point is on" if rule.puck == "on" else "the puck is off"
        refuse("not-now", f"{spot.name} may be called {call.call} only while {when}", rule.cites)
    if not _changes(spot, wager, call.call, table.puck):
        refuse("already-so", f"{spot.name} is {call.call} already", rule.cites)
    names = [spot.id]
    if rule.scope == "similar" and not call.only:
        names += [
            name
            for name in seat.wagers
            if name != spot.id and layout.spots[name].family == spot.family
        ]
    return [
        _mark(seat, layout.spots[name], call.call, table.puck)
        for name in names
        if _changes(layout.spots[name], seat.wagers[name], call.call, table.puck)
    ], []


def _changes(spot: Spot, wager: Wager, call: str, puck: int) -> bool:
    """Whether a call does anything: it changes what works, or holds longer than the roll."""
    if works(spot, wager, puck) != (call == "on"):
        return True
    return call == "off" and not wager.marker and spot.markers["off"].lasts == "wager"


def callable_now(spot: Spot, wager: Wager, puck: int) -> tuple[str, ...]:
    """The calls a player may make on this wager with this puck."""
    side = "on" if puck else "off"
    return tuple(
        call
        for call in ("on", "off")
        if spot.markers[call].allow
        and spot.markers[call].puck in ("any", side)
        and _changes(spot, wager, call, puck)
    )


def _mark(seat: Seat, spot: Spot, call: str, puck: int) -> Marked:
    """The marker goes on; it comes off where that alone makes the wager as called."""
    rule = spot.markers[call]
    default = spot.works[1 if puck else 0] == (call == "on")
    lifted = default and seat.wagers[spot.id].marker
    return Marked(seat.name, spot.id, "" if lifted else call, rule.cites)


def _mark_all(layout: Layout, table: Table, seat: Seat, call: str) -> Followed:
    side = "on" if table.puck else "off"
    made: list[AnyDecision] = []
    refused: Cites = ()
    for name, wager in seat.wagers.items():
        spot = layout.spots[name]
        rule = spot.markers[call]
        open_now = rule.allow and rule.puck in ("any", side)
        if open_now and _changes(spot, wager, call, table.puck):
            made.append(_mark(seat, spot, call, table.puck))
        refused = join(refused, rule.cites)
    if not made:
        refuse(
            "nothing-to-switch",
            f"{seat.name} has nothing that can be called {call} now",
            refused or layout.principles["area"],
        )
    return made, []


def rule_stay_up(layout: Layout, table: Table, call: StayUp) -> Followed:
    """A wager is to be made again at once when it wins."""
    seat = seat_at(layout, table, call.seat)
    spot = spot_on(layout, call.spot)
    wager = wager_of(layout, seat, spot)
    if not spot.again_cites:
        refuse(
            "never-stays",
            f"{spot.name} does not stay up when it wins",
            spot.windows["make"].cites,
            "bet it again",
        )
    if wager.stays == call.stays:
        refuse("already-so", f"{spot.name} is already so", spot.again_cites)
    return [Asked(seat.name, spot.id, call.stays, spot.again_cites)], []
