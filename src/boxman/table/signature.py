"""What a seat's future depends on, and nothing else: no rail, bank, clock or ids.

Two tables with equal signatures for a seat give it the same decisions for every call it may make
and for all 36 rolls, as far as its rail reaches. The order in which wagers were made does not
count: it orders the decisions of a roll and changes none. What only staff act on (records, who was
told, open disputes) is left out, and so is what was put down since the last throw: no roll asks for
it and only the box can hand it back, save where staff placed a wager its owner may object to. A
property test holds this to be so.
"""

from __future__ import annotations

import msgspec

from boxman.table.floor.people import GUEST, QUIET, Floor
from boxman.table.fresh import place_of
from boxman.table.state import Seat, Table, Wager

Signature = tuple[object, ...]

_STAFF_ONLY = ("records", "told", "disputes", "stand_ins", "sets")


def _wager(wager: Wager) -> tuple[object, ...]:
    return (
        wager.spot,
        wager.stake,
        wager.fee,
        wager.marker,
        wager.split,
        wager.found,
        wager.stays,
        wager.voucher,
        wager.alone,
        wager.counts,
        wager.under,
    )


def _wagers(seat: Seat) -> tuple[tuple[object, ...], ...]:
    return tuple(sorted(_wager(wager) for wager in seat.wagers.values()))


def _floor(floor: Floor) -> bytes:
    """People and signs as far as they bind a player."""
    if floor == QUIET:
        return b""
    parts = {
        field: sorted(value) if isinstance(value, frozenset) else value
        for field in floor.__struct_fields__
        if field not in _STAFF_ONLY and (value := getattr(floor, field)) != getattr(QUIET, field)
    }
    return msgspec.json.encode(parts, order="sorted") if parts else b""


def signature(table: Table, name: str) -> Signature:
    """Everything the decisions for this seat can depend on from here."""
    seat = table.seats[name]
    others: tuple[object, ...] = ()
    hand: tuple[object, ...] = ()
    if len(table.seats) > 1:
        # Others matter where a gate, a shooter or a shared maximum is common to the table.
        others = tuple(
            (other.name, other.place, _wagers(other))
            for other in sorted(table.seats.values(), key=lambda each: each.place)
            if other.name != name
        )
    if table.hand.shooter != GUEST:
        held = table.hand
        hand = (
            held.shooter,
            held.offered,
            held.declined,
            held.former,
            held.left,
            held.at,
            seat.place,
        )
    # How much an objection would hand back.
    placed = tuple(
        (each, table.fresh.get(place_of(each.seat, each.spot)))
        for each in sorted(table.floor.placed_for)
    )
    return (
        table.house,
        table.posted,
        table.puck,
        table.phase,
        not table.rolls,
        _wagers(seat),
        seat.warned,
        tuple(sorted(table.collected.items())),
        tuple(sorted(table.latched)),
        others,
        hand,
        _floor(table.floor),
        placed,
        msgspec.json.encode(table.terms, order="sorted") if table.terms is not None else b"",
    )
