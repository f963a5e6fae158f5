"""The numbered actions of an environment, and what an observation looks like.

Action 0 rolls the dice. The others bet a unit on a spot (the next stake the house takes), take a
wager down, or call it on and off. Whether an action may be made now is the table's to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from gymnasium import spaces

from boxman.chips import MINOR
from boxman.dice import ROLLS
from boxman.rules.ids import nearest
from boxman.rules.layout import Layout, Posted
from boxman.strategy.session import SEAT
from boxman.strategy.view import BET, DOWN, OFF, ON, fit
from boxman.table.markers import works
from boxman.table.stakes import Range
from boxman.table.state import Seat, Table
from boxman.words import phrase, say

ROLL = 0
ROLLS_DRAWN = 256
"""So many rolls are drawn from the generator at once."""
DICE = len(ROLLS)
BONUS = ("small", "tall", "all")
MOST_CHIPS = 10**15
_WHAT = {"bet": BET, "take down": DOWN, "on": ON, "off": OFF}


class Action(msgspec.Struct, frozen=True):
    """One numbered action."""

    verb: str
    spot: str = ""
    amount: int = 0
    """For a bet: the chips wished for, in minor units."""

    @property
    def what(self) -> int:
        """The proposal a strategy would make."""
        return _WHAT[self.verb]


class TableShape(msgspec.Struct, frozen=True):
    """What all environments of one table have in common."""

    layout: Layout
    posted: Posted
    actions: tuple[Action, ...]
    spots: tuple[str, ...]
    """Where chips may lie, in the order of the observation."""
    acts: int
    least: int
    """The least chips with which something can be bet."""


def _no_spot(layout: Layout, name: str) -> str:
    """That there is no such spot; one that is misspelt is asked for."""
    hint = "" if layout.not_offered(name) else nearest(name, layout.spots)
    key = "gym.wrong.no-spot-but" if hint else "gym.wrong.no-spot"
    return say(key, {"house": layout.house, "spot": name, "hint": hint})


def shape(
    layout: Layout,
    posted: Posted,
    spots: Sequence[str],
    units: Sequence[int],
    calls: bool,
    acts: int,
) -> TableShape:
    """The actions of a table: which spots (all if none are named), units, calls on and off."""
    for name in spots:
        if name not in layout.spots:
            raise ValueError(_no_spot(layout, name))
    if not units or any(type(unit) is not int or unit < 1 for unit in units):
        raise ValueError(phrase("gym.wrong.units", units=str(units)))
    if acts < 1:
        raise ValueError(phrase("gym.wrong.acts", acts=acts))
    found = [Action("roll")]
    for name in spots or layout.spots:
        spot = layout.spots[name]
        if spot.windows["make"].value != "never":
            found += [Action("bet", name, unit * MINOR) for unit in units]
        if spot.windows["remove"].value != "never":
            found.append(Action("take down", name))
        if calls:
            found += [Action(way, name) for way in ("on", "off") if spot.markers[way].allow]
    least = MOST_CHIPS
    for action in found:
        if action.verb == "bet":
            spot = layout.spots[action.spot]
            for puck in (0, *layout.points):
                bounds = layout.bounds(posted, spot, puck)
                least = min(least, max(bounds.minimum, bounds.step))
    return TableShape(layout, posted, tuple(found), tuple(layout.spots), acts, least)


def added(shape: TableShape, action: Action, seat: Seat, ranges: tuple[Range, ...]) -> int:
    """The chips a bet adds: up to the next whole stake the house takes, in minor units.

    Where it takes none, the chips wished for: the table will say why not.
    """
    wager = seat.wagers.get(action.spot)
    up = wager.stake if wager else 0
    more = fit(ranges, -(-(up + action.amount) // MINOR), True) * MINOR - up
    if more <= 0:
        return action.amount
    share = shape.layout.spots[action.spot].share
    if share is not None and share.named:
        more += -more % (len(share.parts) * shape.layout.chip)
    return more


def observation_space(shape: TableShape) -> spaces.Dict:
    """Money in minor units; `left` is how many acts may still come before the roll."""
    count = len(shape.spots)
    return spaces.Dict(
        {
            "puck": spaces.Discrete(13),
            "last": spaces.Discrete(13),
            "left": spaces.Discrete(shape.acts + 1),
            "rail": spaces.Box(0, MOST_CHIPS, (1,), np.int64),
            "stakes": spaces.Box(0, MOST_CHIPS, (count,), np.int64),
            "working": spaces.MultiBinary(count),
            "collected": spaces.Box(0, 1023, (len(BONUS),), np.int64),
        }
    )


def look(shape: TableShape, table: Table) -> dict[str, Any]:
    """The part of an observation that lies on the felt."""
    wagers = table.seats[SEAT].wagers
    layout = shape.layout
    stakes = np.zeros(len(shape.spots), np.int64)
    working = np.zeros(len(shape.spots), np.int8)
    for number, name in enumerate(shape.spots):
        wager = wagers.get(name)
        if wager is not None:
            stakes[number] = wager.stake
            working[number] = works(layout.spots[name], wager, table.puck)
    collected = np.array([table.collected.get(name, 0) for name in BONUS], np.int64)
    return {"puck": table.puck, "stakes": stakes, "working": working, "collected": collected}
