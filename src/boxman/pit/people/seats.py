"""Which seat is whose at a live table."""

from __future__ import annotations

from boxman.pit.live.notebook import Notebook
from boxman.pit.people.door import shown_name
from boxman.table.state import Table


def seat_of(table: Table, book: Notebook, person: str) -> str:
    """The seat a person has or had at this table; empty if none."""
    own = [seat for seat, who in book.people.items() if who == person]
    seated = [seat for seat in own if seat in table.seats]
    return (seated or own or [""])[0]


def seat_in_play(table: Table, book: Notebook, person: str) -> str:
    """The seat a person plays from now; empty if he has none, or has left it."""
    found = seat_of(table, book, person)
    return found if found in table.seats and found not in book.leaving else ""


def seat_for(table: Table, book: Notebook, person: str) -> str:
    """The seat a person has, or the name under which he would sit down."""
    own = seat_of(table, book, person)
    if own:
        return own
    name = shown_name(person)
    taken = {*table.seats, *book.people}
    if name not in taken:
        return name
    number = 2
    while f"{name}-{number}" in taken:
        number += 1
    return f"{name}-{number}"
