"""The limits that bind a throw, as a value. It knows no rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from boxman.rules.layout import Posted
from boxman.table.floor.people import Granted, Kept, OldLimits, Partners

if TYPE_CHECKING:
    from boxman.table.state import Table


class Terms(msgspec.Struct, frozen=True, omit_defaults=True):
    """The table's limits, those of single players, and of two together."""

    posted: Posted
    old: OldLimits | None = None
    grants: dict[str, Granted] = {}
    kept: dict[str, Kept] = {}
    partners: tuple[Partners, ...] = ()

    @classmethod
    def of(cls, table: Table) -> Terms:
        """Those of a table."""
        floor = table.floor
        return cls(table.posted, floor.old, floor.grants, floor.kept, floor.partners)

    def on(self, table: Table) -> Table:
        """A table under these."""
        own = {"old": self.old, "grants": self.grants, "kept": self.kept}
        floor = replace(table.floor, **own, partners=self.partners)
        return replace(table, posted=self.posted, floor=floor)
