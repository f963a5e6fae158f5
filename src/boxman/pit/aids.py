"""Aids for practice tables: what each roll would bring, and a table that is not live as a felt.

Pure functions of a house and a table. They ask the same `rule` as the table itself, so that what
they say is what would happen. Whether a table may show them is the desk's business.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from boxman.chips import format_amount as money
from boxman.dice import KINDS, ROLLS
from boxman.rules.layout import Layout
from boxman.table.calls import CallRoll, CloseBets
from boxman.table.markers import works
from boxman.table.ruling import rule
from boxman.table.state import Seat, Table
from boxman.table.throws import needs_close

Data = dict[str, Any]
STICK = ""
"""The automatic crew: it is not asked whether it inspected the dice."""


def if_it_rolls(layout: Layout, table: Table, seat: str) -> Data:
    """The net of every roll for one seat, hard ways apart, and the average over the 36."""
    ready = thrown(layout, table)
    held = worth(ready.seats[seat]) if seat in ready.seats else 0
    rows, total = [], Fraction(0)
    for kind in sorted(KINDS, key=lambda each: (each.total, each.hard)):
        after = rule(layout, ready, call_of(kind.total, kind.hard)).after
        net = worth(after.seats[seat]) - held if seat in after.seats else 0
        total += Fraction(net * kind.ways, len(ROLLS))
        rows.append({"label": str(kind), "total": kind.total, "ways": kind.ways, "net": net})
    mean = round(total)
    text = f"{'−' if mean < 0 else ''}{layout.currency}{money(abs(mean))}"
    return {"seat": seat, "rolls": rows, "mean": str(total / 100), "mean_text": text}


def thrown(layout: Layout, table: Table) -> Table:
    """The table as it stands when the next roll is called: nobody waits, bets closed if need be."""
    table = msgspec.structs.replace(table, phase="open")
    if needs_close(layout):
        table = rule(layout, table, CloseBets(by=STICK)).after
    return table


def call_of(total: int, hard: bool) -> CallRoll:
    """A call of some roll of this kind."""
    roll = next(each for each in ROLLS if each.total == total and each.hard == hard)
    return CallRoll(by=STICK, first=roll.first, second=roll.second)


def worth(seat: Seat) -> int:
    """Rail and stakes at face, fees paid apart."""
    return seat.rail + sum(wager.stake for wager in seat.wagers.values())


def felt_view(layout: Layout, table: Table, name: str) -> Data:
    """A table that is not live, as a felt draws it for one seat."""
    posted = table.posted
    seat = table.seats[name]
    return {
        "house": layout.house,
        "title": layout.title,
        "currency": layout.currency,
        "chip": layout.chip,
        "settings": {key: str(value) for key, value in layout.settings.items()},
        "points": list(layout.points),
        "puck": table.puck,
        "phase": table.phase,
        "rolls": table.rolls,
        "hand": {"shooter": table.hand.shooter, "offered": table.hand.offered},
        "posted": {"minimum": posted.minimum, "maximum": posted.maximum, "unit": posted.unit},
        "collected": {
            spot: [total for total, bit in layout.spots[spot].bits.items() if mask & bit]
            for spot, mask in table.collected.items()
        },
        "menu": None,
        "me": {"seat": name},
        "seats": [
            {
                "name": name,
                "you": True,
                "colour": 0,
                "place": 1,
                "rail": seat.rail,
                "wagers": [
                    {
                        "spot": wager.spot,
                        "stake": wager.stake,
                        "marker": wager.marker,
                        "working": works(layout.spots[wager.spot], wager, table.puck),
                        "stays": wager.stays,
                    }
                    for wager in seat.wagers.values()
                ],
            }
        ],
    }
