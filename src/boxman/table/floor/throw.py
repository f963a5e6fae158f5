"""The throw as a machine: where the dice are, as one value.

Each call declares which of these places it may find the dice in and where it leaves them
(`moves`); machine.py keeps every ruling to that. The place is read from the phase and the hand of
the table; custody.py tries a house's calls and shows what becomes of the dice.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from boxman.table.state import Table

Place = Literal["with the stick", "offered", "in hand", "out", "landed", "at rest", "called"]
"""In the order of a throw. No table stops at "called": a roll is settled with its call. "landed"
may be left out, and only a house whose text names it asks for it."""
PLACES: tuple[Place, ...] = get_args(Place)
DiceMoves = dict[Place, tuple[Place, ...]]
"""Where a call may find the dice, and where it may leave them from there."""
UNDECIDED: tuple[Place, ...] = ("out", "landed", "at rest")
"""The dice have left the hand, and nothing is decided yet."""
SETTLED: tuple[Place, ...] = ("with the stick", "offered", "in hand")
"""No throw is under way."""
DECIDED: tuple[Place, ...] = ("in hand", "with the stick")
"""Where the dice are after a decision: with the shooter again, or nobody's."""
THROWN = ("out", "landed", "rest")
"""The phases of a throw that is yet to be called."""
IN_DISPUTE = ("disputed", "call it")
"""The phases in which staff have to decide the faces."""
AT_REST = ("rest", *IN_DISPUTE)
"""The phases in which the dice lie."""


class Whereabouts(NamedTuple):
    """Where the dice are, and who has them, is offered them or threw them."""

    place: Place
    seat: str = ""
    asked: Literal["", "disputed", "call it"] = ""
    """Whether staff have to decide the faces, and why."""


def where(table: Table) -> Whereabouts:
    """Where the dice of a table are."""
    hand, phase = table.hand, table.phase
    if phase == "out":
        return Whereabouts("out", hand.shooter)
    if phase == "landed":
        return Whereabouts("landed", hand.shooter)
    if phase == "rest":
        return Whereabouts("at rest", hand.shooter)
    if phase in IN_DISPUTE:
        return Whereabouts(
            "at rest", hand.shooter, "disputed" if phase == "disputed" else "call it"
        )
    if hand.shooter:
        return Whereabouts("in hand", hand.shooter)
    if hand.offered:
        return Whereabouts("offered", hand.offered)
    return Whereabouts("with the stick")


def thrown(table: Table) -> bool:
    """Whether the dice have left the hand and nothing is decided yet."""
    return table.phase not in ("open", "closed")
