"""Aids for practice tables: what each roll would bring, and a table that is not live as a felt.

Pure functions of a house and a table. They ask the same `rule` as the table itself, so that what
they say is what would happen. Whether a table may show them is the desk's business.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from boxman.dice import ROLLS
from boxman.rules.layout import Layout
from boxman.table.automatic import closed, rolled
from boxman.table.json import seat_json, table_json
from boxman.table.state import Seat, Table
from boxman.words.amounts import in_money

Data = dict[str, object]


def if_it_rolls(layout: Layout, table: Table, seat: str) -> Data:
    """The net of every roll for one seat, hard ways apart, and the average over the 36."""
    ready = thrown(layout, table)
    held = worth(ready.seats[seat]) if seat in ready.seats else 0
    rows, total = [], Fraction(0)
    told = zip(layout.rolls.kinds, layout.rolls.rolls, strict=True)
    for kind, roll in sorted(told, key=lambda each: each[0]):
        after = rolled(layout, ready, roll).after
        net = worth(after.seats[seat]) - held if seat in after.seats else 0
        total += Fraction(net * kind.ways, len(ROLLS))
        rows.append({"label": str(kind), "total": kind.total, "ways": kind.ways, "net": net})
    mean = round(total)
    text = f"{'−' if mean < 0 else ''}{in_money(layout.currency, abs(mean))}"
    return {"seat": seat, "rolls": rows, "mean": str(total / 100), "mean_text": text}


def thrown(layout: Layout, table: Table) -> Table:
    """The table as it stands when the automatic crew calls the next roll: nobody waits, somebody
    with a wager has the dice, and bets are closed if need be."""
    staked = [name for name, seat in table.seats.items() if seat.wagers]
    shooter = table.hand.shooter or next(iter((*staked, *table.seats)), "")
    hand = replace(table.hand, shooter=shooter, offered="")
    return closed(layout, replace(table, phase="open", hand=hand))


def worth(seat: Seat) -> int:
    """Rail and stakes at face, fees paid apart."""
    return seat.rail + sum(wager.stake for wager in seat.wagers.values())


def felt_view(layout: Layout, table: Table, name: str) -> Data:
    """A table that is not live, as a felt draws it for one seat."""
    return {
        **table_json(layout, table),
        "menu": None,
        "me": {"seat": name},
        "seats": [
            {**seat_json(layout, table, table.seats[name]), "you": True, "colour": 0, "place": 1}
        ],
    }
