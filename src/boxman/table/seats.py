"""Players and their wagers as values, and what becomes of a player's account. It knows no rule."""

from __future__ import annotations

import msgspec

from boxman.rules.layout import Posted
from boxman.table.fresh import IN_FULL


class Wager(msgspec.Struct, frozen=True):
    """Chips of one seat on one spot."""

    spot: str
    stake: int
    fee: int = 0
    marker: str = ""
    split: tuple[int, ...] = ()
    found: str = ""
    """How it lies outside what the spot takes, if staff found it so: one reason or several."""
    stays: bool = False
    voucher: int = 0
    """How much of the stake is a promotional voucher."""
    alone: bool = False
    """Its marker speaks for it alone, not for others like it."""
    counts: int = IN_FULL
    """How much of a stake that was found counts; the rest goes back whatever the dice say."""
    under: Posted | None = None
    """The limits it was made under, where others are posted since and a wager that is up is judged
    by those of its making."""


class Seat(msgspec.Struct, frozen=True):
    """A player at the table, with the chips on the rail and the wagers on the layout."""

    name: str
    rail: int
    wagers: dict[str, Wager]
    warned: bool = False
    """Told that further stakes below the minimum will be handed back."""
    bought: int = 0
    """Chips bought less chips cashed, ever."""
    place: int = 0
    """Its place, clockwise from the left of the box."""


def holding(seat: Seat, rail: int, wagers: dict[str, Wager]) -> Seat:
    """A seat with other chips on its rail and other wagers."""
    return Seat(seat.name, rail, wagers, seat.warned, seat.bought, seat.place)


def without_wagers(seat: Seat) -> Seat:
    """A seat whose wagers had no part in anything: their chips and fees on the rail."""
    back = sum(each.stake - each.voucher + each.fee for each in seat.wagers.values())
    return holding(seat, seat.rail + back, {})
