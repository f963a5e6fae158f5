"""What waits for a word of the crew: who may say it, until when, and what waits no longer.

The one place for confirmations. Whatever form a wish had (one wager, all of them, through somebody
else), it waits here and has no effect; it ends with its throw, and with the wager it was about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.rules.procedure import ConfirmRule
from boxman.table.floor.people import AUTOMATIC, Pending, PlacedFor
from boxman.table.floor.powers import refuse_station
from boxman.table.floor.throw import AT_REST
from boxman.table.fresh import place_of
from boxman.table.markers import works
from boxman.table.rulings import Followed, change, refuse
from boxman.table.said.saying import saying
from boxman.table.state import AnyDecision, Cites, NoRolled, Rolled, Table


def pend(table: Table, waits: list[Pending], cites: Cites) -> Followed:
    """These wait for confirmation; the same wish said again waits once."""
    pending = table.floor.pending
    made: list[AnyDecision] = []
    for each in waits:
        pending = (*(old for old in pending if not _same(old, each)), each)
        words = saying("waits", seat=each.seat, spot=each.spot)
        made.append(change(table, words, cites, pending=pending))
    return made, []


def _same(old: Pending, new: Pending) -> bool:
    """A call on said twice is one call; a wager said twice is two wagers."""
    return old.what == "on" and (old.what, old.seat, old.spot) == (new.what, new.seat, new.spot)


def asks(layout: Layout, table: Table, name: str, spot: str) -> Cites:
    """The clauses for which something of this player could wait for a word now."""
    confirm, seat = layout.procedure.confirm, table.seats.get(name)
    up = seat is not None and spot in seat.wagers and layout.spots[spot].markers["on"].allow
    called = confirm.on if up or (seat is not None and spot == "all") else confirm.spoken
    best = confirm.late if table.phase in ("out", "landed") else called
    rule = best or confirm.late or confirm.on or confirm.spoken
    return rule.cites if rule is not None else layout.principles["area"]


def wanted(layout: Layout, waits: Pending) -> Cites:
    """The clauses for which something waits; a stake found late waits since bets were closed."""
    if waits.what == "found":
        return layout.betting["make"].cites
    rule = layout.procedure.confirm.of(waits.what) or layout.procedure.confirm.late
    return rule.cites if rule is not None else layout.principles["chips"]


def timely(layout: Layout, table: Table, waits: Pending, by: str) -> tuple[ConfirmRule, Cites]:
    """The rule that asks for this word, if it is this person's to say and not too late; and the
    clauses that make this person's word count."""
    confirm, phase = layout.procedure.confirm, table.phase
    assert waits.what != "found"
    out = phase in ("out", "landed")
    # What was spoken before the throw and is not confirmed when the dice go is late from then on.
    late = confirm.late if waits.what == "spoken" and out else None
    rule = late or confirm.of(waits.what) or confirm.late
    assert rule is not None
    _check_who(layout, rule, waits, by)
    landed = phase == "landed" and rule.until == "landing"
    if landed or phase in AT_REST:
        why = "landed" if landed else "at rest"
        refuse("too-late", join(rule.cites, rule.until_cites), why)
    closes = layout.betting["mark" if waits.what == "on" else "make"]
    shut = closes.value != "rest" if waits.what == "on" else waits.what == "spoken" and late is None
    if out and (rule.until == "throw" or shut):
        refuse("too-late", join(rule.cites, rule.until_cites, closes.cites), "out")
    asked = confirm.of(waits.what)  # what is spoken late is asked for twice over
    return rule, join(rule.cites, asked.cites if asked else (), rule.given.get(by, ()))


def _check_who(layout: Layout, rule: ConfirmRule, waits: Pending, by: str) -> None:
    """Refuse somebody whose word is not asked for, on this part of the layout."""
    if by in AUTOMATIC:
        return
    who, cites, centre = rule.who, rule.cites, layout.procedure.centre
    if waits.what == "spoken" and centre:
        place = layout.procedure.power("place for player", "centre" * (waits.spot in centre))
        others = layout.procedure.powers["place for player"].values()
        if place is not None:
            apart = {each for power in others for each in power.who} - set(place.who)
            who = tuple(each for each in who if each not in apart)
            cites = join(cites, place.cites, centre.get(waits.spot, ()))
    if by not in who:
        refuse_station(layout, cites, "confirm", by, who)


def lapse(layout: Layout, table: Table) -> list[AnyDecision]:
    """What still waits when a throw is decided: no wager, no call; staff bets now stand."""
    floor = table.floor
    if not floor.pending and not floor.placed_for:
        return []
    cites = layout.principles["chips"]
    words, why = "staff bets stand", layout.procedure.conduct.player_answers_for_placing or cites
    if floor.pending:
        words = _not_confirmed(floor.pending)
        why = join(*(wanted(layout, each) for each in floor.pending)) or cites
    return [change(table, words, why, pending=(), placed_for=frozenset())]


def wait_in_vain(table: Table, over: Sequence[Pending], cites: Cites) -> list[AnyDecision]:
    """These wait no longer, for whose they are has gone or may not play."""
    left = tuple(each for each in table.floor.pending if each not in over)
    return [change(table, _not_confirmed(over), cites, pending=left)] if over else []


def _not_confirmed(over: Sequence[Pending]) -> str:
    """How it is said that these wait no longer: a wager is none, a call does not count."""
    return "call not confirmed" if all(each.what == "on" for each in over) else "not confirmed"


def waits_no_more(
    layout: Layout, before: Table, table: Table, made: list[AnyDecision]
) -> list[AnyDecision]:
    """What a call leaves waiting in vain: its throw is decided, its wager gone, or it is done."""
    floor = table.floor
    waited = before.floor.pending or before.floor.placed_for
    if waited and any(type(each) in (Rolled, NoRolled) for each in made):
        return lapse(layout, table)
    ended: list[AnyDecision] = []
    own = made[0].cites if made else ()  # what ends it carries that too
    placed = frozenset(_still_there(table)) if floor.placed_for else floor.placed_for
    if placed != floor.placed_for:
        ended.append(change(table, "", own or layout.silence, placed_for=placed))
    if not floor.pending:
        return ended
    left = tuple(each for each in floor.pending if _matters(layout, table, each))
    kept = tuple(_of_those_up(table, each) for each in left)
    if kept != floor.pending:
        about = next((each for each in floor.pending if each not in left), floor.pending[0])
        ended.append(change(table, "", own or wanted(layout, about), pending=kept))
    return ended


def _of_those_up(table: Table, waits: Pending) -> Pending:
    """A call that waits, of which only wagers that still lie there are excepted."""
    if not waits.but:
        return waits
    but = tuple(spot for spot in waits.but if spot in table.seats[waits.seat].wagers)
    return msgspec.structs.replace(waits, but=but)


def _still_there(table: Table) -> Iterator[PlacedFor]:
    """What staff placed and has not come back; what was put down last comes back first."""
    for each in table.floor.placed_for:
        new = table.fresh.get(place_of(each.seat, each.spot))
        if new is None or new.chips <= each.above:
            continue
        amount = min(each.amount, new.chips - each.above)
        yield each if amount == each.amount else msgspec.structs.replace(each, amount=amount)


def _matters(layout: Layout, table: Table, waits: Pending) -> bool:
    """Whether there is still somebody, and for a call a wager, that it could be about."""
    seat = table.seats.get(waits.seat)
    if seat is None or waits.what != "on":
        return seat is not None
    wager = seat.wagers.get(waits.spot)
    return wager is not None and not works(layout.spots[waits.spot], wager, table.puck)
