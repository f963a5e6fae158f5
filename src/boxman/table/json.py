"""A table as JSON: one form for the command line, the wire and the library.

Amounts are whole minor units of the currency that stands beside them; `version` counts the forms
there have been. What only some screens know of a table (people, clocks, commitments) they add.
"""

from __future__ import annotations

import msgspec

from boxman.rules.layout import Layout
from boxman.table.floor.people import QUIET, Floor
from boxman.table.markers import works
from boxman.table.said.menu import fresh_of
from boxman.table.state import Seat, Table, Wager

VERSION = 2
"""1 was the command line's alone, in units of the currency."""

Data = dict[str, object]


def house_json(layout: Layout) -> Data:
    """What does not change while the table is open."""
    return {
        "house": layout.house,
        "title": layout.title,
        "currency": layout.currency,
        "chip": layout.chip,
        "settings": {key: str(value) for key, value in layout.settings.items()},
        "points": list(layout.points),
    }


def state_json(layout: Layout, table: Table) -> Data:
    """What every roll may change, the seats apart; a puck of 0 is off."""
    hand, posted = table.hand, table.posted
    return {
        "phase": table.phase,
        "puck": table.puck,
        "rolls": table.rolls,
        "hand": {
            "shooter": hand.shooter,
            "offered": hand.offered,
            "former": hand.former,
            "declined": list(hand.declined),
            "no_rolls": hand.no_rolls,
        },
        "collected": {
            spot: layout.spots[spot].shown(memory) for spot, memory in table.collected.items()
        },
        "latched": sorted(table.latched),
        "posted": {
            "minimum": posted.minimum,
            "maximum": posted.maximum,
            "unit": posted.unit,
            "classes": [list(each) for each in posted.classes],
        },
        "closed": table.floor.closed,
        "places": table.floor.places,
    }


def seat_json(layout: Layout, table: Table, seat: Seat) -> Data:
    """One seat: chips on the rail and wagers on the felt."""
    puck, fresh = table.puck, fresh_of(layout, table, seat.name)
    return {
        "name": seat.name,
        "place": seat.place,
        "rail": seat.rail,
        "barred": seat.name in table.floor.barred,
        "wagers": [
            _wager(layout, wager, puck, fresh.get(wager.spot, 0)) for wager in seat.wagers.values()
        ],
    }


def _wager(layout: Layout, wager: Wager, puck: int, fresh: int) -> Data:
    spot = layout.spots[wager.spot]
    return {
        "spot": wager.spot,
        "stake": wager.stake,
        "fee": wager.fee,
        "marker": wager.marker,
        "working": works(spot, wager, puck),
        "stays": wager.stays,
        "locked": not spot.may("remove", puck),
        "voucher": wager.voucher,
        "fresh": fresh,
        "split": wager.split,
    }


def table_json(layout: Layout, table: Table) -> Data:
    """The whole of a table."""
    return {
        "version": VERSION,
        **house_json(layout),
        **state_json(layout, table),
        "bank": table.bank,
        "seats": [seat_json(layout, table, seat) for seat in table.seats.values()],
        "floor": _floor(table.floor),
    }


def _floor(floor: Floor) -> Data:
    """What is new on the floor."""
    plain: Data = {}
    for field in floor.__struct_fields__:
        value = getattr(floor, field)
        if value != getattr(QUIET, field):
            plain[field] = sorted(value) if isinstance(value, frozenset) else value
    return dict(msgspec.to_builtins(plain))
