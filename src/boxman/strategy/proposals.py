"""What a proposal is at the table: the call it makes, and two refusals that mean something here."""

from __future__ import annotations

from collections.abc import Iterable

from boxman.rules.layout import Layout
from boxman.strategy.session import SEAT
from boxman.strategy.spots import SPOTS
from boxman.strategy.view import BET, DOWN, OFF, ON, REDUCE
from boxman.table.calls import Bet, Reduce, SetWorking, StayUp, TakeDown

Proposal = Bet | Reduce | TakeDown | SetWorking | StayUp
SHORT = "rail-short"
UNCOUNTED = "already-so"
"""A proposal that would change nothing is no refusal worth showing."""


def leaving(layout: Layout, spots: Iterable[int]) -> list[int]:
    """The order in which somebody who leaves takes wagers down: odds before their flats."""
    return sorted(spots, key=lambda spot: (layout.spots[SPOTS[spot]].behind is None, spot))


def call_for(what: int, spot: int, amount: int, seat: str = SEAT) -> Proposal:
    """The call a proposal makes at the table."""
    name = SPOTS[spot]
    if what == BET:
        return Bet(seat=seat, spot=name, amount=amount)
    if what == REDUCE:
        return Reduce(seat=seat, spot=name, to=amount)
    if what == DOWN:
        return TakeDown(seat=seat, spot=name)
    if what in (ON, OFF):
        # One spot is called "all"; without `only` the word means every wager.
        only = name == "all"
        return SetWorking(seat=seat, spot=name, call="on" if what == ON else "off", only=only)
    return StayUp(seat=seat, spot=name)
