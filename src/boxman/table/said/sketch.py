"""A table in figures, for a notebook or a terminal: its puck, rails and the wagers up."""

from __future__ import annotations

from boxman.chips import format_amount as money
from boxman.report.page import notebook
from boxman.report.parts import Column, Grid
from boxman.table.state import Seat, Table


def table_html(table: Table) -> str:
    """Puck, rails and wagers, for a notebook."""
    limits = f"{money(table.posted.minimum)}-{money(table.posted.maximum)}"
    title = f"{table.house}, limits {limits}: puck {puck_words(table)}, {table.rolls} rolls"
    return notebook(title, seats_up(table))


def puck_words(table: Table) -> str:
    """ON with its number, or OFF."""
    return f"ON {table.puck}" if table.puck else "OFF"


def seats_up(table: Table) -> Grid:
    """Who is at the table, with what on the rail and what on the layout."""
    rows = [(seat.name, money(seat.rail), wagers_up(seat)) for seat in table.seats.values()]
    columns = (Column("player"), Column("rail", right=True), Column("wagers", width=100))
    return Grid("", columns, {"": rows})


def wagers_up(seat: Seat) -> str:
    """The wagers of a seat, each with its stake and its marker."""
    wagers = [
        f"{wager.spot} {money(wager.stake)}{f' ({wager.marker})' if wager.marker else ''}"
        for wager in seat.wagers.values()
    ]
    return ", ".join(wagers) or "nothing up"
