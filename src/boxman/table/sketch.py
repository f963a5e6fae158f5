"""A table as a small piece of HTML, for a notebook."""

from __future__ import annotations

from boxman.chips import format_amount as money
from boxman.table.state import Table, Wager

_SAFE = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def _wager(wager: Wager) -> str:
    words = f"{wager.spot} {money(wager.stake)}"
    if wager.marker:
        words += f" ({wager.marker})"
    return words.translate(_SAFE)


def table_html(table: Table) -> str:
    """Puck, rails and wagers."""
    rows = "".join(
        f"<tr><th>{seat.name.translate(_SAFE)}</th><td>{money(seat.rail)}</td>"
        f"<td>{', '.join(map(_wager, seat.wagers.values())) or 'nothing up'}</td></tr>"
        for seat in table.seats.values()
    )
    puck = f"ON {table.puck}" if table.puck else "OFF"
    limits = f"{money(table.posted.minimum)}-{money(table.posted.maximum)}"
    return (
        f"<table><caption>{table.house.translate(_SAFE)}, limits {limits}: puck {puck}, "
        f"{table.rolls} rolls</caption><thead><tr><th>player</th><th>rail</th><th>wagers</th></tr>"
        f"</thead><tbody>{rows}</tbody></table>"
    )
