"""Somebody who leaves with wagers up: they stand until they are decided, and nothing else does.

The rulebooks let such wagers stand and be settled for him. So the desk makes, one after the other
and on record, the calls that are left to make in his name: winners do not stay up, dice offered to
him go on, chips that come back to his rail go to the cage, and when nothing of his is up any more
his seat is free. It knows no clause of its own and decides nothing: every call is ruled on.
"""

from __future__ import annotations

from collections.abc import Iterator

from boxman.journal.codec import EveryCall
from boxman.pit.live import terms
from boxman.pit.live.notebook import Notebook
from boxman.rules.layout import Layout
from boxman.table.call import DECLARED
from boxman.table.calls import CashOut, DeclineDice, Leave, StayUp
from boxman.table.rulings import Refusal
from boxman.table.state import Table


def refusal(book: Notebook, seat: str, call: EveryCall) -> Refusal | None:
    """Why somebody who has left is not heard, unless it is to come back or to dispute a payment."""
    if seat not in book.leaving or DECLARED[type(call)].left:
        return None
    return Refusal("has-left", (terms.LEAVING,), values={"seat": seat})


def still_to_say(layout: Layout, table: Table, book: Notebook) -> Iterator[tuple[str, EveryCall]]:
    """The calls that are to be made now for those who have left, by seat."""
    for name in book.leaving:
        seat = table.seats.get(name)
        if seat is None:
            continue
        if table.hand.offered == name:
            yield name, DeclineDice(seat=name)
        for wager in seat.wagers.values():
            if wager.stays:
                yield name, StayUp(seat=name, spot=wager.spot, stays=False)
        if chips := seat.rail - seat.rail % layout.chip:
            yield name, CashOut(seat=name, amount=chips)
        if not seat.wagers:
            yield name, Leave(seat=name)


def up(table: Table, seat: str) -> list[tuple[str, int]]:
    """What somebody has up: spots and stakes."""
    found = table.seats.get(seat)
    return [(wager.spot, wager.stake) for wager in found.wagers.values()] if found else []
