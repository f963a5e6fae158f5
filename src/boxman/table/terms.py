"""The limits that bind a throw, as a value. It knows no rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from boxman.rules.layout import Posted
from boxman.table.floor.people import Granted, KeptLimits, OldLimits, Partners

if TYPE_CHECKING:
    from boxman.table.state import Table


class Terms(msgspec.Struct, frozen=True, omit_defaults=True):
    """The table's limits, those of single players, and of two together."""

    posted: Posted
    old: OldLimits | None = None
    grants: dict[str, Granted] = {}
    kept: dict[str, KeptLimits] = {}
    partners: tuple[Partners, ...] = ()

    @classmethod
    def of(cls, table: Table) -> Terms:
        """Those of a table."""
        floor = table.floor
        return cls(table.posted, floor.old, floor.grants, floor.kept, floor.partners)

    def without(self, name: str) -> Terms:
        """These, once somebody is gone whose own limits are over with that."""
        grants, kept = (
            {n: own for n, own in of.items() if n != name} for of in (self.grants, self.kept)
        )
        return replace(self, grants=grants, kept=kept)

    def on(self, table: Table) -> Table:
        """A table under these."""
        own = {"old": self.old, "grants": self.grants, "kept": self.kept}
        floor = replace(table.floor, **own, partners=self.partners)
        return replace(table, posted=self.posted, floor=floor)


def binding(table: Table) -> Table:
    """A table under the limits that bind now: those of its throw, while one is under way."""
    return table if table.terms is None else table.terms.on(table)


def remembered(table: Table, after: Table) -> Table:
    """A table after a change, which while the dice are out binds from the next throw on: the limits
    under which they left the hand are remembered."""
    if table.phase in ("open", "closed") or table.terms is not None:
        return after
    terms = Terms.of(table)
    return after if terms == Terms.of(after) else replace(after, terms=terms)


def post(table: Table, posted: Posted, stand: bool) -> Table:
    """A table under other limits. Where those of now `stand` for what is up they are written to
    each wager, also of a table to which a roll would be taken back."""
    if stand:
        past = {which: getattr(table, which) for which in ("before", "round_start", "at_no_roll")}
        changed = {which: _made_till_now(then) for which, then in past.items() if then is not None}
        table = replace(_made_till_now(table), **changed)
    return replace(table, posted=posted)


def _made_till_now(table: Table) -> Table:
    """A table with its limits written to the wagers that were made under them."""
    seats = {}
    for name, seat in table.seats.items():
        under = {
            spot: replace(wager, under=wager.under or table.posted)
            for spot, wager in seat.wagers.items()
        }
        seats[name] = replace(seat, wagers=under)
    return replace(table, seats=seats)
