"""The throw's machine, kept in one place: what a call may do with the dice, what follows of itself.

A call that the rules would take and that moves the dice as it does not declare is refused here.
What no call says and the laws ask for is added here: an excluded shooter gives up the dice once the
throw is decided, an offer ends with its player, the stickperson stops when no wager is undecided, a
point nobody can play out is cancelled, and bets that were closed for a throw nobody will make are
open.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from msgspec.structs import replace

from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.call import Declared
from boxman.table.floor.dice_set import after_seven_out
from boxman.table.floor.people import STICK
from boxman.table.floor.shooters import (
    eligible,
    gives_up,
    going_round,
    keeps,
    last_asked,
    offer_ends,
    refuse_has_shooter,
    refuse_no_shooter,
    stick_stops,
    takes,
)
from boxman.table.floor.throw import UNDECIDED, Whereabouts, thrown, where
from boxman.table.rulings import refuse
from boxman.table.state import AnyDecision, Cites, Handed, Phased, PuckOff, Table


def check_moves(layout: Layout, declared: Declared, before: Table, after: Table) -> None:
    """Refuse what does with the dice as its call does not declare; a guest's dice are not kept."""
    start = where(before)
    same = before.hand is after.hand and before.phase == after.phase
    if same and not declared.moves:
        return
    end = start if same else where(after)
    stolen = start.place in UNDECIDED and end.place in UNDECIDED and end.seat != start.seat
    kept = end[:2] == start[:2] if not declared.moves else end.place in declared.ends(start.place)
    if stolen or not kept:
        refuse_place(layout, before, start)


def refuse_place(layout: Layout, table: Table, start: Whereabouts, cites: Cites = ()) -> NoReturn:
    """The dice are where this cannot be done, by clauses of its own besides those of the throw."""
    if start.place in UNDECIDED:
        power = layout.procedure.power("call roll")
        if start.asked:
            reason = "call it" if table.phase == "call it" else ""
            power = layout.procedure.power("decide faces", reason)
        cites = join(cites, power.cites if power else layout.silence)
        refuse("not-now", cites, start.asked or "thrown", seat=start.seat)
    if start.place == "offered":
        refuse("not-now", takes(layout, table), "offered", seat=start.seat)
    if start.place == "in hand":
        refuse_has_shooter(table, keeps(layout, table.puck))
    refuse_no_shooter(layout, table)


def check_decided(layout: Layout, table: Table, cites: Cites = ()) -> None:
    """Refuse what has to wait until the throw under way is decided."""
    if thrown(table):
        refuse_place(layout, table, where(table), cites)


def follow(layout: Layout, before: Table, after: Table, said: Cites) -> list[AnyDecision]:
    """What follows of itself from what a ruling made, by these clauses, of a table whose players
    throw."""
    if after.floor.closed:
        return []
    if thrown(after):
        return _left(before, after, said)
    made = [*_hand(layout, before, after, said)]
    lasts = layout.procedure.no_shooter.point_lasts
    if after.puck and lasts is not None:
        line = lasts.value == "line"
        seats = after.seats.values()
        if not any(eligible(layout, seat) if line else seat.wagers for seat in seats):
            made.append(PuckOff(lasts.cites))
    if after.phase == "closed":
        held = made[0].hand if made and isinstance(made[0], Handed) else after.hand
        if not held.shooter:
            power = layout.procedure.power("close bets")
            made.append(Phased("open", power.cites if power else layout.betting["make"].cites))
    return made


def _hand(layout: Layout, before: Table, after: Table, said: Cites) -> list[AnyDecision]:
    """Somebody who is gone or excluded has no dice and is offered none."""
    hand = after.hand
    here = {seat.name for seat in after.present} - after.floor.excluded
    cites = going_round(layout, after)
    name = hand.shooter
    if name and name != STICK and name not in here and _came(before, after, name):
        leaves = layout.procedure.conduct.wagers_of_a_leaver_stand or cites
        why = after.floor.barred.get(name, leaves)
        return gives_up(layout, after, name, why, hand.left or _place(before, after, name))
    if hand.offered and hand.offered not in here:
        sits, why = after.seats.get(hand.offered), after.floor.barred.get(hand.offered, cites)
        place = sits.place if sits is not None else _place(before, after, hand.offered)
        return [offer_ends(after, why, place)]
    if name == STICK and not any(seat.wagers for seat in after.seats.values()):
        return [stick_stops(layout, after), *after_seven_out(layout, after)]
    return _left(before, after, said)


def _left(before: Table, after: Table, cites: Cites) -> list[AnyDecision]:
    """Where the former shooter sat, or whoever is asked or was asked last, who is gone now or
    elsewhere: the dice go on from there."""
    hand = after.hand
    last = hand.offered or last_asked(hand)
    left = hand.left or _from(before, after, hand.former)
    at = hand.at or _from(before, after, last)
    if (left, at) == (hand.left, hand.at):
        return []
    return [Handed(replace(hand, left=left, at=at), "", cites)]


def _from(before: Table, after: Table, name: str) -> int:
    """Where somebody sat who is gone now, or elsewhere; else 0."""
    sits, sat = after.seats.get(name), before.seats.get(name)
    if sits is not None and sat is not None and sits.place != sat.place:
        return sat.place
    return _place(before, after, name)


def _came(before: Table, after: Table, name: str) -> bool:
    """Whether somebody has been here: who was named at the opening may still be on the way."""
    known = (after, *_lately(before))
    return name in after.gone or any(name in table.seats for table in known)


def _lately(table: Table) -> Iterator[Table]:
    """A table, and those that a throw may be taken back to."""
    every = (table, table.at_no_roll, table.before, table.round_start)
    yield from (each for each in every if each is not None)


def _place(before: Table, after: Table, name: str) -> int:
    """Where somebody sat who is gone: the dice go on from there; 0 for one who still sits."""
    for table in _lately(before):
        if name not in after.seats and name in table.seats:
            return table.seats[name].place
    gone = name not in after.seats and before.hand.former == name
    return before.hand.left if gone else 0
