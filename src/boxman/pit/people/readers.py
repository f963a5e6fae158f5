"""Who may read a table's journal: station by door, as data.

A journal has every player's buy-ins and every past roll. At a practice table it is anybody's. At a
live table it is for the crew, for those above it and for the inspector; a player may have a row
explained that concerns him: one of his own seat, or a roll.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from boxman.journal.row import Row
from boxman.pit.live.notebook import Notebook
from boxman.pit.live.stations import ALL_STATIONS, PLAYER, SPECTATOR
from boxman.pit.people.door import Visit
from boxman.pit.people.seats import seat_of
from boxman.table.state import NoRolled, Rolled, Table

ADMINISTRATOR = "administrator"
INSPECTOR = "inspector"

DOORS = ("rows", "explain", "at", "verify", "export", "seal")
"""The journal as a page shows it, one row explained, the table as it was, and for an inspector:
the chain verified, the journal to take away, the newest seal."""

READERS = (*ALL_STATIONS, ADMINISTRATOR)
_CREW = frozenset(("rows", "explain", "at"))
_ALL = frozenset(DOORS)

MAY_READ: dict[str, frozenset[str]] = {
    SPECTATOR: frozenset(),
    PLAYER: frozenset(("explain",)),
    "stick": _CREW,
    "dealer": _CREW,
    "box": _CREW,
    "supervisor": _ALL,
    "senior": _ALL,
    "manager": _ALL,
    INSPECTOR: _ALL,
    ADMINISTRATOR: _ALL,
}
"""For everybody at a live table the doors to its journal."""


def doors(
    session: Visit | None, stations: tuple[str, ...], table: Table, book: Notebook
) -> tuple[str, ...]:
    """The doors that are open to somebody who works these stations at a table."""
    if book.setup.practice:
        return DOORS
    readers = set(stations)
    if session is not None:
        person = session.person
        readers |= {PLAYER} if seat_of(table, book, person) else set()
        readers |= {ADMINISTRATOR} if session.administrator else set()
        named = table.floor.stand_ins.get(person)
        readers |= {named} if named and not session.guest else set()
    found = frozenset[str]().union(*(MAY_READ[reader] for reader in readers))
    return tuple(door for door in DOORS if door in found)


def reads_acts(session: Visit, stations: Mapping[str, Collection[str]]) -> bool:
    """Whether the acts of the house are for somebody appointed to these stations, by table: for
    those who run it and for its inspectors."""
    inspects = any(INSPECTOR in held for held in stations.values())
    return not session.guest and (session.administrator or inspects)


def concerns(row: Row, seat: str) -> bool:
    """Whether a row is about this seat, or a roll, which is about everybody."""
    if seat and seat in (row.station.seat, getattr(row.call, "seat", "")):
        return True
    return any(
        isinstance(decision, Rolled | NoRolled) or (seat and getattr(decision, "seat", "") == seat)
        for decision in row.ruling.decisions
    )
