"""The automatic crew: what it says where nobody works a station."""

from __future__ import annotations

from boxman.dice import Roll
from boxman.rules.layout import Layout
from boxman.table.calls import Call, CallRoll, CloseBets
from boxman.table.floor.throws import needs_close
from boxman.table.ruling import rule
from boxman.table.rulings import Ruling
from boxman.table.state import Table

CLOSING = CloseBets(by="automatic crew")
"""No more bets: said before a roll where the house closes them."""


def calling(roll: Roll) -> Call:
    """The call of a roll; nobody is asked whether the dice were inspected."""
    return CallRoll(first=roll.first, second=roll.second)


def closed(layout: Layout, table: Table) -> Table:
    """The table with its bets closed, if this house closes them before a roll."""
    return rule(layout, table, CLOSING).after if needs_close(layout) else table


def rolled(layout: Layout, table: Table, roll: Roll) -> Ruling:
    """What follows from a roll at a table that waits for it."""
    return rule(layout, table, calling(roll))
