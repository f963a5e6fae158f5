"""A throw taken back: what is as it was before it, what stands, and what is made of both.

Chips, wagers, puck and dice in hand are the fold's (`Reversed`). Of the floor every field is named
here once, with what becomes of it, so that a new one cannot be forgotten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Literal, NamedTuple

from msgspec.structs import replace

from boxman.dice import Roll
from boxman.rules.layout import Layout
from boxman.table.floor.confirming import lapse
from boxman.table.floor.dice_set import in_hand_again, not_off
from boxman.table.floor.people import STICK, Floor
from boxman.table.rulings import change, refuse
from boxman.table.settle import settle
from boxman.table.state import (
    AnyDecision,
    Cites,
    Floored,
    Handed,
    Returned,
    Reversed,
    Seated,
    Settled,
    Table,
    apply,
    free_place,
)
from boxman.table.terms import Terms
from boxman.table.wagers import give_back, hand_over

Fate = Literal["then", "over", "both", "stands"]
"""As it was before the throw; over with it; made of both; or as it is now."""
FLOOR: dict[str, Fate] = {
    # What the end of the throw counted, it did not end.
    "wagered": "then",
    "idle": "both",  # nor does it count for who has left the place since
    # About the throw itself, or a wager that is undone.
    "ground": "over",
    "ground_by": "over",
    "contested": "over",
    "pending": "over",
    "placed_for": "over",
    # Things that lie somewhere: where they were, but for what befell them since.
    "dice": "both",
    "vouchers": "both",
    "away": "both",
    # What people said, did or were told, whatever becomes of the throw. Limits bind the next one.
    **dict.fromkeys(
        (
            *("records", "told", "notice", "hung", "agreed", "grants", "kept", "old", "staked"),
            *("barred", "excluded", "vacating", "partners", "disputes", "stand_ins"),
            *("places", "sides", "closed", "sets", "small"),
        ),
        "stands",
    ),
}


class TakenBack(NamedTuple):
    """A throw taken back: what is decided, and the table after it."""

    made: list[AnyDecision]
    table: Table
    thrown: Table
    """That table under the limits of its throw, by which it is settled again."""

    @property
    def under(self) -> Terms | None:
        """Those limits, where others bind now."""
        terms = Terms.of(self.thrown)
        return terms if terms != Terms.of(self.table) else None


def take_back(layout: Layout, table: Table, back: Reversed) -> TakenBack:
    """The throw taken back, who has the dice again, and the floor with it.

    Refused when somebody no longer has the chips for it.
    """
    past = back.past(table)
    if past is None:
        earlier = table.rolls and table.before is None and not back.whole_round
        refuse("no-roll-to-take-back", back.cites, "earlier" if earlier else "")
    leavers = _leavers(layout, table, past, back.cites)
    made = Reversed(back.why, back.cites, back.whole_round, back.no_roll, tuple(leavers))
    told: list[AnyDecision] = [made, *chain.from_iterable(leavers.values())]
    after = table
    for decision in told:
        after = apply(after, decision)
    short = [seat.name for seat in after.seats.values() if seat.rail < 0]
    if short:
        do = "bring chips" if table.floor.contested else ""
        refuse("goes-to-dispute", back.cites, "chips", do=do, short=tuple(short))
    for decision in _others(layout, table, past, made, after):
        told.append(decision)
        after = apply(after, decision)
    for seated in _apart(after, back.cites):
        told.append(seated)
        after = apply(after, seated)
    return TakenBack(told, after, Terms.of(past).on(after))


def _leavers(layout: Layout, table: Table, past: Table, cites: Cites) -> dict[str, list[Returned]]:
    """Who had wagers on the throw and has left since with nothing up, and which of them they took
    down and with them: what they lost lies there again. Not who has cashed in what they had won
    on it: that is the house's to get back."""
    found, rolled = {}, past is table.before
    for name, was in past.seats.items():
        if not was.wagers or name in table.seats:
            continue
        rail = was.rail + table.gone[name] - was.bought
        taken = []
        if rolled or past is table.at_no_roll:  # of several rolls only the sum is known
            lost = _lost_by(layout, table) if rolled else {}
            left = {spot: lost.get((name, spot), 0) for spot in was.wagers}
            if not any(left.values()):
                continue
            taken = [
                give_back(layout, was, layout.spots[spot], stays, "taken down", cites)
                for spot, stays in left.items()
                if stays < was.wagers[spot].stake
            ]
            rail += sum(each.amount + each.fee - each.voucher for each in taken)
        if rail == 0 or (rail > 0 and not taken):
            found[name] = taken
    return found


def _lost_by(layout: Layout, table: Table) -> dict[tuple[str, str], int]:
    """How much of whose wagers the last roll took, of those that were over and won nothing."""
    assert table.before is not None
    rolled = settle(layout, table.before, Roll(*table.faces))
    over = [each for each in rolled if isinstance(each, Settled)]
    return {(d.seat, d.spot): d.taken + d.voucher for d in over if not (d.paid or d.up)}


def _others(
    layout: Layout, table: Table, past: Table, back: Reversed, after: Table
) -> Iterator[AnyDecision]:
    """The dice in hand, and everything of the floor that is not as it is now."""
    name, now = after.hand.shooter, table.floor
    if name in past.seats and name not in after.seats:  # the dice go on from there, now and later
        sat = replace(after.hand, left=past.seats[name].place)
        yield Handed(sat, "", back.cites)
    if name != table.hand.shooter and name == STICK:
        yield Handed(after.hand, "stick throws", back.cites)
    elif name != table.hand.shooter and name in after.seats:
        yield Handed(after.hand, "shooter", back.cites, {"seat": name})
    if now.pending:  # which is told
        yield from lapse(layout, table)
    fates = {"then": past.floor, "over": Floor()}
    was = {
        field: getattr(fates[fate], field)
        for field, fate in FLOOR.items()
        if fate in fates and not (now.pending and field in ("pending", "placed_for"))
    }
    new = {field: value for field, value in was.items() if value != getattr(now, field)}
    idle = {each: rounds for each, rounds in past.floor.idle.items() if each in now.idle}
    if idle != now.idle:
        new["idle"] = idle
    if back.leavers:
        new["away"] = now.away | set(back.leavers)
    if new:
        yield change(table, "", back.cites, **new)
    yield from _dice(layout, table, past, back, after)
    yield from _vouchers(layout, table, past, after)


def _dice(
    layout: Layout, table: Table, past: Table, back: Reversed, after: Table
) -> Iterator[AnyDecision]:
    """The dice: none is off where a throw that was no roll is taken back, and those of another
    hand are in hand again."""
    now = table.floor
    on = dice = not_off(now.dice) if back.no_roll else now.dice
    hands = after.hand.shooter != table.hand.shooter or after.hands != table.hands
    if hands or (not back.no_roll and _seven_out(layout, table)):
        dice = in_hand_again(layout, past.floor, now.sets, dice)
    if dice != now.dice:
        yield change(table, "die on" if on != now.dice else "", back.cites, dice=dice)


def _seven_out(layout: Layout, table: Table) -> bool:
    """Whether the last roll ended its shooter's hand, who need not have taken the dice anew."""
    if table.before is None:  # it was taken back itself
        return False
    return layout.puck[table.before.puck][Roll(*table.faces).total - 2].event == "seven-out"


def _apart(table: Table, cites: Cites) -> Iterator[Seated]:
    """Chips of somebody who has left lie where nobody else has sat down since."""
    for name in sorted(table.floor.away & table.seats.keys()):
        others = {seat.place for seat in table.placed if seat.name != name}
        if table.seats[name].wagers and table.seats[name].place in others:
            yield (moved := Seated(name, free_place(table), cites))
            table = apply(table, moved)


def _vouchers(layout: Layout, table: Table, past: Table, after: Table) -> Iterator[Floored]:
    """Vouchers as before the throw: bet since, in hand again; come back since, down again; gone
    with their wagers since, down where these lie again."""
    moved = []
    for name in after.seats:
        gone = table.spent.get(name, ())[len(past.spent.get(name, ())) :]
        now, then = Counter([*_down(table, name), *gone]), Counter(_down(after, name))
        moved += [(name, each, True) for each in (now - then).elements()]
        moved += [(name, each, False) for each in (then - now).elements()]
    for name, voucher, back in sorted(moved, key=lambda each: not each[2]):
        yield (made := hand_over(layout, after, name, voucher, back=back))
        after = apply(after, made)


def _down(table: Table, name: str) -> Iterator[int]:
    """The vouchers of somebody that lie on the layout."""
    seat = table.seats.get(name)
    yield from (each.voucher for each in seat.wagers.values() if each.voucher) if seat else ()


def decided_by(layout: Layout, table: Table) -> set[tuple[str, str]]:
    """Whose wagers the last roll decided; what it moved, or left standing, it did not."""
    assert table.before is not None
    rolled = settle(layout, table.before, Roll(*table.faces))
    over = (each for each in rolled if isinstance(each, Settled | Returned))
    return {(each.seat, each.spot) for each in over if isinstance(each, Returned) or not each.up}
