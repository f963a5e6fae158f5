"""How two rulings on one call differ: what was done, why it was refused, or clauses alone.

Sentences are no part of it: a better word for the same reason is the same ruling. This module knows
rulings and no journal.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from boxman.table.floor.people import PlacedFor
from boxman.table.opening import Opening
from boxman.table.rulings import Notice, Refusal, Ruling
from boxman.table.state import AnyDecision, Floored, Handed, Table

DifferenceKind = Literal["table", "code", "clauses"]
"""Chips, wagers, dice, people or limits; the reason of a refusal or a warning; only citations."""

GRAVE: tuple[DifferenceKind, ...] = ("table", "code")
"""What an audit does not pass over."""


def difference(then: Ruling | Opening, now: Ruling | Opening) -> DifferenceKind | None:
    """The gravest way in which two rulings differ, if they do."""
    if (then.refusal is None) != (now.refusal is None) or _done(then) != _done(now):
        return "table"
    if _codes(then) != _codes(now):
        return "code"
    if _cites(then) != _cites(now):
        return "clauses"
    return None


def _done(ruling: Ruling | Opening) -> list[object] | Table | None:
    """What a ruling does, without the clauses it rests on and the words it is told in."""
    if isinstance(ruling, Opening):
        return ruling.table
    return [_bare(decision) for decision in ruling.decisions]


def _bare(decision: AnyDecision) -> AnyDecision:
    if isinstance(decision, Floored):  # a new set is told by its dice; it was not always counted
        changes = msgspec.structs.replace(decision.changes, sets=msgspec.UNSET)
        placed = getattr(changes, "placed_for", ())  # how much staff placed: once in another form
        if placed:
            here = frozenset(PlacedFor(each.seat, each.spot) for each in placed)
            changes = msgspec.structs.replace(changes, placed_for=here)
        decision = msgspec.structs.replace(decision, changes=changes)
    if isinstance(decision, Handed | Floored):
        return msgspec.structs.replace(decision, cites=(), what="", values={})
    return msgspec.structs.replace(decision, cites=())


def _reasons(ruling: Ruling | Opening) -> tuple[Refusal | Notice, ...]:
    return (*((ruling.refusal,) if ruling.refusal else ()), *ruling.warnings)


def _codes(ruling: Ruling | Opening) -> list[str]:
    return [reason.code for reason in _reasons(ruling)]


def _cites(ruling: Ruling | Opening) -> list[tuple[str, ...]]:
    parts = [ruling.cites] if isinstance(ruling, Opening) else [d.cites for d in ruling.decisions]
    return [*parts, *(reason.cites for reason in _reasons(ruling))]
