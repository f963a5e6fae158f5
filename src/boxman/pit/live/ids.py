"""Ids of calls: those the desk makes, and whether one that comes again is for the same call."""

from __future__ import annotations

from boxman.journal.codec import EveryCall, plain
from boxman.journal.row import Row
from boxman.pit.live.stations import PLAYER
from boxman.words import phrase

ADDED = ("id", "by", "at", "stand_in")
"""What the server writes into a call, whoever says it."""
OF_THE_DESK = {"throw": ("hand", "index", "first", "second"), "takedice": ("seat",)}
"""What it writes into calls of a kind besides."""


class SaidBefore(ValueError):
    """An id that was said before with another call: nothing is ruled, nothing is written."""

    def __init__(self) -> None:
        super().__init__(phrase("pit.wrong.id-used"))


def of_desk(step: str, call_id: str) -> str:
    """The id of a call that the desk makes because of another.

    Whoever speaks stands first in the ids of clients, and nobody has a name with a colon in it: so
    none of them can be this one, whatever a client writes; and no two of these are alike.

    >>> of_desk("call", "ann/7")
    'desk:call:ann/7'
    """
    return f"desk:{step}:{call_id}"


def check_same(role: str, call: EveryCall, row: Row) -> None:
    """Raise SaidBefore unless this is the call that was ruled on under its id."""
    if row.station.role != role or _said(call, role) != _said(row.call, role):
        raise SaidBefore


def _said(call: object, role: str) -> dict[str, object]:
    """What somebody said, without what the server adds to it."""
    said: dict[str, object] = plain(call)
    if isinstance(waits := said.get("call"), dict):  # it waits for a second person
        said = waits
    added = (*ADDED, *OF_THE_DESK.get(str(said["type"]), ()))
    if role == PLAYER:
        added += ("seat",)
    return {name: value for name, value in said.items() if name not in added}
