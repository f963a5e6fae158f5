"""The limits as they bind one player: a personal grant, or an old minimum he may keep."""

from __future__ import annotations

import msgspec

from boxman.rules.layout import Layout, Posted
from boxman.table.floor.people import Kept
from boxman.table.state import Table

MINUTE = 60


def kept_by(layout: Layout, table: Table, name: str, at: int) -> Kept | None:
    """The old minimum a player still has at this time."""
    kept = table.floor.kept.get(name)
    rule = layout.procedure.favour.minutes
    if kept is None or (rule is not None and at - kept.since >= rule.value * MINUTE):
        return None
    return kept


def personal(layout: Layout, table: Table, name: str, at: int) -> Table:
    """The table as its limits bind this player now."""
    grant = table.floor.grants.get(name)
    kept = kept_by(layout, table, name, at)
    if grant is None and kept is None:
        return table
    posted = table.posted
    low = kept.minimum if kept else grant.minimum if grant else posted.minimum
    high = grant.maximum if grant else posted.maximum
    unit = kept.unit if kept else posted.unit
    own = Posted(minimum=low, maximum=high, unit=unit, classes=posted.classes)
    return msgspec.structs.replace(table, posted=own)
