"""What a player wants of a session, in minor units and rolls.

Goals are counted on the rail once everything that may be taken down is down. To be ahead after so
many rolls is to have reached a chip more than the bankroll within them: whoever has may take down
what can be and bet no more, and a contract left on the felt can only bring something.
"""

from __future__ import annotations

import msgspec

from boxman.words import phrase, say

MOST_ROLLS = 2_000
"""A limit of rolls beyond which there is no use in one."""


class NotSolvable(ValueError):
    """Why a question has no exact answer here; the message says what would do."""


class Goal(msgspec.Struct, frozen=True, tag_field="goal", tag=str.lower):
    """What is wanted."""

    def words(self) -> str:
        """The goal as it is told."""
        raise NotImplementedError


class Reach(Goal, frozen=True):
    """To have so much on the rail, at last or within so many rolls."""

    target: int
    rolls: int = 0
    """A limit of rolls; 0 for none."""
    ahead: bool = False
    """It was asked for as being ahead."""

    def words(self) -> str:
        if not self.rolls:
            return phrase("solve.goals.reach", target=self.target)
        key = "solve.goals.ahead" if self.ahead else "solve.goals.reach-within"
        return say(key, {"target": self.target, "rolls": f"{self.rolls:,}"})


class Last(Goal, frozen=True):
    """To have so much at risk at every one of so many rolls."""

    rolls: int
    risk: int

    def words(self) -> str:
        return phrase("solve.goals.last", rolls=f"{self.rolls:,}", risk=self.risk)


class Hourly(Goal, frozen=True):
    """To lose least an hour with so much at risk at every roll, however deep the pocket."""

    risk: int
    rolls_per_hour: int = 100

    def words(self) -> str:
        rolls = f"{self.rolls_per_hour:,}"
        return phrase("solve.goals.hourly", rolls=rolls, risk=self.risk)


def sensible(goal: Goal, bankroll: int) -> Goal:
    """A goal that can be wanted with this bankroll."""
    limit = getattr(goal, "rolls", 0)
    if not 0 <= limit <= MOST_ROLLS:
        raise NotSolvable(
            phrase("solve.goals.too-many-rolls", most=f"{MOST_ROLLS:,}", limit=f"{limit:,}")
        )
    if isinstance(goal, Reach) and goal.target <= bankroll:
        raise NotSolvable(phrase("solve.goals.reached"))
    return goal
