"""`rule`: the one door through which a table is asked anything.

It never raises for anything a person can do. A refused ruling leaves the table as it was; an
accepted one holds the decisions and the table they make. What follows from a call is the call's to
say; here is only who may speak at all, and when.
"""

from __future__ import annotations

from boxman.rules.duties import STATIONS
from boxman.rules.layout import Layout
from boxman.table.call import DECLARED, Call
from boxman.table.floor.confirming import waits_no_more
from boxman.table.floor.machine import check_moves, follow
from boxman.table.floor.people import AUTOMATIC, GUEST, PLAYER
from boxman.table.floor.speakers import (
    check_excluded,
    check_left,
    check_speaker,
    check_stand_in,
    comes_back,
    stood_in,
)
from boxman.table.floor.standing import check_open
from boxman.table.rulings import Refused, Ruling
from boxman.table.state import APPLY, Table, apply

SPEAKERS = frozenset((*AUTOMATIC, PLAYER, *STATIONS))


def rule(layout: Layout, table: Table, call: Call) -> Ruling:
    """Rule on one call."""
    floor = table.floor
    try:
        if floor.closed and not DECLARED[type(call)].closed:
            check_open(layout, table, "")
        if call.by not in SPEAKERS:
            check_speaker(layout, table, call)
        if call.stand_in:
            check_stand_in(layout, table, call)
        if floor.excluded:
            check_excluded(table, call)
        if floor.away:
            check_left(layout, table, call)
        decisions, warnings = call.rule(layout, table)
        after = table
        for decision in decisions:
            after = APPLY[type(decision)](after, decision)
        if floor.away:
            for decision in (back := comes_back(layout, table, call, after)):
                after = apply(after, decision)
            decisions = [*decisions, *back]
        if table.hand.shooter != GUEST:
            check_moves(layout, DECLARED[type(call)], table, after)
    except Refused as refused:
        return Ruling(call, table, refusal=refused.refusal)
    if after.hand.shooter != GUEST:
        said = decisions[0].cites if decisions else layout.silence
        for decision in follow(layout, table, after, said):
            decisions = [*decisions, decision]
            after = apply(after, decision)
    floor = after.floor
    if floor.pending or floor.placed_for:
        for decision in (ended := waits_no_more(layout, table, after, decisions)):
            after = apply(after, decision)
        decisions = [*decisions, *ended]
    if call.stand_in:
        acted = stood_in(layout, after, call)
        decisions = [*decisions, acted]
        after = apply(after, acted)
    return Ruling(call, after, tuple(decisions), tuple(warnings))
