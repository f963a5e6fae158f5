"""What a roll left alone, and why: wagers that sleep, are barred, or expressly stand.

Nothing here changes a table, so it is not among the decisions; it is worked out from the table
before the roll when somebody wants to know.
"""

from __future__ import annotations

from typing import NamedTuple

from boxman.dice import Roll
from boxman.rules.layout import Layout
from boxman.table.markers import works
from boxman.table.state import Cites, Table


class Remark(NamedTuple):
    """One wager that the roll did not decide: it sleeps, is barred, or stays."""

    seat: str
    spot: str
    what: str
    cites: Cites


def remarks(layout: Layout, before: Table, roll: Roll) -> list[Remark]:
    """Why wagers that the roll might concern were left alone."""
    found = []
    puck, kind = before.puck, layout.rolls.index(roll)
    side = 1 if puck else 0
    for seat in before.seats.values():
        for wager in seat.wagers.values():
            spot = layout.spots[wager.spot]
            if works(spot, wager, puck):
                stands = spot.stays[puck][kind]
                if stands is not None:
                    what = "barred" if stands.verdict == "bar" else "stays"
                    found.append(Remark(seat.name, spot.id, what, stands.cites))
            elif spot.rows[puck][kind] is not None:
                cites = spot.markers["off"].cites if wager.marker else spot.works_cites[side]
                found.append(Remark(seat.name, spot.id, "sleeps", cites))
    return found
