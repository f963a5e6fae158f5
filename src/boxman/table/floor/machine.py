"""The throw's machine, kept in one place: what a call may do with the dice, what follows of itself.

A call that the rules would take and that moves the dice as it does not declare is refused here.
What no call says and the laws ask for is added here: an excluded shooter gives up the dice once the
throw is decided, an offer ends with its player, a point nobody can play out is cancelled.
"""

from __future__ import annotations

from typing import NoReturn

from msgspec.structs import replace

from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.call import Declared
from boxman.table.floor.people import GUEST, STICK, Hand
from boxman.table.floor.shooters import eligible, gives_up, order_cites, refuse_no_shooter
from boxman.table.floor.throw import UNDECIDED, Whereabouts, thrown, where
from boxman.table.rulings import refuse
from boxman.table.state import AnyDecision, Handed, PuckOff, Table


def check_moves(layout: Layout, declared: Declared, before: Table, after: Table) -> None:
    """Refuse what does with the dice as its call does not declare."""
    if before.hand.shooter == GUEST:
        return
    start = where(before)
    same = before.hand is after.hand and before.phase == after.phase
    if same and not declared.moves:
        return
    end = start if same else where(after)
    stolen = start.place in UNDECIDED and end.place in UNDECIDED and end.seat != start.seat
    kept = end[:2] == start[:2] if not declared.moves else end.place in declared.ends(start.place)
    if stolen or not kept:
        refuse_place(layout, before, start)


def refuse_place(layout: Layout, table: Table, start: Whereabouts) -> NoReturn:
    """The dice are where this cannot be done."""
    shooter = layout.procedure.shooter
    if start.place in UNDECIDED:
        call = layout.procedure.power("call roll")
        cites = call.cites if call else layout.silence
        refuse("not-now", cites, "disputed" if start.asked else "thrown", seat=start.seat)
    if start.place == "offered":
        refuse(
            "not-now",
            order_cites(layout, layout.procedure.order.first, layout.procedure.order.then),
            "offered",
            seat=start.seat,
        )
    if start.place == "in hand":
        cites = join(shooter.one_at_a_time, shooter.takes_the_dice) or layout.silence
        refuse("has-shooter", cites, shooter=start.seat)
    refuse_no_shooter(layout, table)


def check_decided(layout: Layout, table: Table) -> None:
    """Refuse what has to wait until the throw under way is decided."""
    if thrown(table):
        refuse_place(layout, table, where(table))


def follow(layout: Layout, before: Table, after: Table) -> list[AnyDecision]:
    """What follows of itself from what a ruling made of the table."""
    hand = after.hand
    if hand.shooter == GUEST or thrown(after) or after.floor.closed:
        return []
    made = [*_hand(layout, before, after)]
    lasts = layout.procedure.no_shooter.point_lasts
    if after.puck and lasts is not None:
        line = lasts.value == "line"
        seats = after.seats.values()
        if not any(eligible(layout, seat) if line else seat.wagers for seat in seats):
            made.append(PuckOff(lasts.cites))
    return made


def _hand(layout: Layout, before: Table, after: Table) -> list[AnyDecision]:
    """Somebody who is gone or excluded has no dice and is offered none."""
    hand, seats, excluded = after.hand, after.seats, after.floor.excluded
    cites = order_cites(layout, layout.procedure.order.then)
    name = hand.shooter
    if name and name != STICK and (name not in seats or name in excluded):
        why = after.floor.barred.get(name, cites)
        return gives_up(layout, after, name, why, _place(before, after, name))
    if hand.offered and (hand.offered not in seats or hand.offered in excluded):
        why = after.floor.barred.get(hand.offered, cites)
        gone = Hand("", "", (*hand.declined, hand.offered), hand.former, 0, hand.left)
        return [Handed(gone, "offer ends", why, {"seat": hand.offered})]
    place = _place(before, after, hand.former) if hand.former and not hand.left else 0
    return [Handed(replace(hand, left=place), "", cites)] if place else []


def _place(before: Table, after: Table, name: str) -> int:
    """Where somebody sat who is gone: the dice go on from there; 0 for one who still sits."""
    for table in (before, before.before, before.round_start):
        if name not in after.seats and table is not None and name in table.seats:
            return table.seats[name].place
    return 0
