"""A roll as the stick calls it, and what each wager was paid with its arithmetic.

The words are the phrase book's, the figures the engine's: a page only shows them.
"""

from __future__ import annotations

from functools import partial

from boxman.dice import Roll
from boxman.rules.layout import Layout
from boxman.table.state import Rolled, Settled, Table
from boxman.words.amounts import in_money
from boxman.words.say import Value, say

LINE = "pass"


def call_of(layout: Layout, before: Table, rolled: Rolled) -> str:
    """What is called out: the roll, and what it means for the line."""
    roll = Roll(rolled.first, rolled.second)
    name = say(f"stick.{'hard' if roll.hard else 'name'}.{roll.total}")
    after = rolled.event
    line = layout.spots.get(LINE)
    if after == "no point" and line is not None:
        cell = line.rows[before.puck][layout.rolls.index(roll)]
        verdict = cell.verdict if cell is not None else ""
        after = {"win": "winner", "lose": "craps"}.get(verdict, after)
    values: dict[str, Value] = {"name": name, "total": roll.total, "puck": rolled.puck}
    return say(f"stick.after.{after}", values)


def paid_of(layout: Layout, before: Table, rolled: Rolled | None, settled: Settled) -> str:
    """How a payment was worked out: the stake, the price and what they come to."""
    what = settled.verdict
    price = ""
    if what == "win":
        price = _price(layout, before, rolled, settled)
        what = "win" if price else "part"
        what = "stays-up" if settled.up else what
    elif what == "lose" and settled.returned:
        what = "less"
    values: dict[str, Value] = {
        "stake": settled.stake,
        "price": price,
        "paid": settled.paid,
        "taken": settled.taken,
        "returned": settled.returned,
    }
    return say(f"stick.paid.{what}", values, money=partial(in_money, layout.currency))


def _price(layout: Layout, before: Table, rolled: Rolled | None, settled: Settled) -> str:
    """The price as the cloth prints it; nothing where the parts of a wager went different ways."""
    spot = layout.spots[settled.spot]
    if rolled is None or settled.part or settled.split:
        return ""
    kind = layout.rolls.index(Roll(rolled.first, rolled.second))
    cell = spot.step(before.puck, before.collected.get(spot.id, 0), kind)[1]
    return spot.odds(cell.win) if cell is not None and cell.win > 0 else ""
