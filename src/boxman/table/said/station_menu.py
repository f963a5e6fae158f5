"""What a station may do now, so that a screen for the crew needs to know no rules.

Each move is written as the notation writes it behind the station's name; FACES, AMOUNT and LIMITS
stand for what the person fills in. Every call the crew has is tried on the table as it is, which
costs nothing but time: a ruling changes no table.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from boxman.rules.layout import Layout
from boxman.table.call import DECLARED, Call
from boxman.table.floor.powers import station_name
from boxman.table.ruling import rule
from boxman.table.state import Cites, Table


class StationMenu(msgspec.Struct, frozen=True, kw_only=True):
    """Everything one station may do now, each move with the clauses it would rest on."""

    station: str
    name: str
    moves: dict[str, Cites]


def station_menu(layout: Layout, table: Table, station: str, at: int = 0) -> StationMenu:
    """What this station may do at this time."""
    moves: dict[str, Cites] = {}
    for declared in DECLARED.values():
        if not declared.lines or station not in declared.stations:
            continue
        for call in candidates(layout, table, station, declared.kind, at):
            move = move_of(call)
            if move in moves:
                continue
            ruling = rule(layout, table, call)
            if ruling.accepted:
                moves[move] = ruling.cites
    return StationMenu(station=station, name=station_name(layout, station), moves=moves)


def move_of(call: Call) -> str:
    """A call without the station's name, and without what is left to the person to fill in."""
    declared = DECLARED[type(call)]
    chosen = declared.console.choices if declared.console is not None else ()
    return declared.line(call).blank(call, chosen)


def candidates(
    layout: Layout, table: Table, by: str, kind: type[Call], at: int = 0
) -> Iterator[Call]:
    """Every call of a kind that a station might make, with people and reasons filled in."""
    for call in kind.tries(layout, table, by):
        yield msgspec.structs.replace(call, at=at) if at else call
