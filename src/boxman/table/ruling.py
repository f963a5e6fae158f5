"""`rule`: the one door through which a table is asked anything.

It never raises for anything a person can do. A refused ruling leaves the table as it was; an
accepted one holds the decisions and the table they make. What follows from a call is the call's to
say; here is only who may speak at all, and when.
"""

from __future__ import annotations

import msgspec

from boxman.rules.duties import STATIONS
from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.call import DECLARED, Call
from boxman.table.floor.confirming import waits_no_more
from boxman.table.floor.machine import check_moves, follow
from boxman.table.floor.people import AUTOMATIC, PLAYER
from boxman.table.floor.speakers import (
    check_excluded,
    check_speaker,
    check_stand_in,
    stood_in,
)
from boxman.table.floor.standing import check_open
from boxman.table.rulings import Refusal, Refused, Ruling
from boxman.table.state import Table, apply

SPEAKERS = frozenset((*AUTOMATIC, PLAYER, *STATIONS))


def rule(layout: Layout, table: Table, call: Call) -> Ruling:
    """Rule on one call."""
    try:
        if table.floor.closed and not DECLARED[type(call)].closed:
            check_open(layout, table, "")
        if call.by not in SPEAKERS:
            check_speaker(layout, call)
        if call.stand_in:
            check_stand_in(layout, table, call)
        if table.floor.excluded:
            check_excluded(table, call)
        decisions, warnings = call.rule(layout, table)
        after = table
        for decision in decisions:
            after = apply(after, decision)
        check_moves(layout, DECLARED[type(call)], table, after)
    except Refused as refused:
        return Ruling(call, table, refusal=_hands_off(layout, table, call, refused.refusal))
    for decision in follow(layout, table, after):
        decisions = [*decisions, decision]
        after = apply(after, decision)
    if after.floor.pending or after.floor.placed_for:
        for decision in (ended := waits_no_more(layout, table, after, decisions)):
            after = apply(after, decision)
        decisions = [*decisions, *ended]
    if call.stand_in:
        acted = stood_in(layout, after, call)
        decisions = [*decisions, acted]
        after = apply(after, acted)
    return Ruling(call, after, tuple(decisions), tuple(warnings))


def _hands_off(layout: Layout, table: Table, call: Call, refusal: Refusal) -> Refusal:
    """A player who reaches for chips before all is settled is told the rule of conduct."""
    rule = layout.procedure.conduct.hands_off_until_settled
    settling = table.phase in ("landed", "rest", "disputed", "call it")
    if not rule or call.by != PLAYER or not settling or refusal.code != "bets-closed":
        return refusal
    return msgspec.structs.replace(refusal, cites=join(refusal.cites, rule))
