"""Who speaks: stations, players who try a station's call, and people named to stand in for one.

Which station may make which call is in powers.py; this only knows that some calls are staff's.
"""

from __future__ import annotations

from typing import NoReturn

from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.call import DECLARED, Call, is_staffs
from boxman.table.floor.people import Recorded
from boxman.table.floor.powers import role_cites
from boxman.table.floor.shooters import full_cites
from boxman.table.floor.standing import check_here
from boxman.table.rulings import change, refuse
from boxman.table.said.saying import saying
from boxman.table.state import AnyDecision, Cites, Floored, Seated, Table, Warned, free_place


def _given_by(layout: Layout, table: Table, call: Call) -> Cites:
    """The clauses that give a call to somebody."""
    wanted = DECLARED[type(call)].powers
    found = join(*(power.cites for power in layout.procedure.granted if power.call in wanted))
    stations = join(role_cites(layout, "stick"), role_cites(layout, "dealer"))
    return call.given(layout, table) or found or stations or layout.silence


def check_speaker(layout: Layout, table: Table, call: Call) -> None:
    """Refuse a player who makes a call that is staff's."""
    if is_staffs(call):
        station = table.floor.stand_ins.get(call.by, "")
        why = "stand in" if station else "player"
        refuse("not-your-call", _given_by(layout, table, call), why, by=call.by, station=station)


def check_stand_in(layout: Layout, table: Table, call: Call) -> None:
    """Refuse somebody who was not named for the station whose work they do."""
    power = layout.procedure.power("stand in")
    if power is None:
        refuse("no-such-power", layout.silence, power="stand in")
    named = table.floor.stand_ins.get(call.stand_in, "")
    if not DECLARED[type(call)].staff or named != call.by:
        why = "other" if named else ""
        refuse("no-stand-in", power.cites, why, person=call.stand_in, station=named)


def check_player(layout: Layout, table: Table, name: str) -> None:
    """Refuse a place to somebody who works this table in a station's stead."""
    power = layout.procedure.power("stand in")
    if power is not None and name in table.floor.stand_ins:
        station = table.floor.stand_ins[name]
        refuse("not-qualified", power.cites, "works", person=name, station=station)


def check_excluded(table: Table, call: Call) -> None:
    """Refuse what is done in the name of somebody excluded, but for settling and cashing out."""
    if DECLARED[type(call)].excluded:
        return
    concerned = [getattr(call, field, "") for field in ("seat", "first", "second")]
    for name in (*concerned, call.by):
        if name in table.floor.excluded:
            why = "excluded" if name in table.seats else "kept out"
            refuse("barred", table.floor.barred[name], why, seat=name)


def check_left(layout: Layout, table: Table, call: Call) -> None:
    """Refuse what a player says who has left with wagers up, but for what is heard from anywhere
    and what brings somebody back."""
    declared = DECLARED[type(call)]
    line = declared.line(call)
    if line.side == "player" and not (declared.left or declared.returns):
        check_here(layout, table, getattr(call, line.lead))


def comes_back(layout: Layout, table: Table, call: Call, after: Table) -> list[AnyDecision]:
    """Somebody who had left with wagers up is at the table again: sits, buys in or wagers.

    The place is still theirs unless nothing was left there and somebody else has taken it.
    """
    name = getattr(call, "seat", "")
    if name not in table.floor.away or not DECLARED[type(call)].returns:
        return []
    cites = layout.procedure.conduct.wagers_of_a_leaver_stand or layout.principles["chips"]
    made: list[AnyDecision] = [change(after, "", cites, away=table.floor.away - {name})]
    if after.seats[name].warned:  # a new player before the sign
        made.append(Warned(name, "", cites))
    others = {seat.place for seat in after.placed if seat.name != name}
    if after.seats[name].place in others:
        place, places = free_place(after), after.floor.places
        if places and place > places:
            refuse_full(layout, after)
        made.append(Seated(name, place, cites))
    return made


def refuse_full(layout: Layout, table: Table) -> NoReturn:
    """Nobody else finds a place."""
    refuse("table-full", full_cites(layout, table), places=table.floor.places)


def stood_in(layout: Layout, table: Table, call: Call) -> Floored:
    """The record of who acted, and in whose place."""
    power = layout.procedure.power("stand in")
    noted = (*table.floor.records, Recorded("stand-in", f"{call.stand_in} for {call.by}"))
    words = saying("acts for", person=call.stand_in, station=call.by)
    return change(table, words, power.cites if power else layout.silence, records=noted)
