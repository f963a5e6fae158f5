"""What a player wants of a session, in minor units and rolls.

Goals are counted on the rail once everything that may be taken down is down. To be ahead after so
many rolls is to have reached a chip more than the bankroll within them: whoever has may take down
what can be and bet no more, and a contract left on the felt can only bring something.
"""

from __future__ import annotations

import msgspec

from boxman.chips import format_amount as money

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
        limit = f" within {self.rolls:,} rolls" if self.rolls else ""
        if self.ahead:
            return f"be ahead after {self.rolls:,} rolls, with {money(self.target)} or more"
        return f"reach {money(self.target)}{limit}"


class Last(Goal, frozen=True):
    """To have so much at risk at every one of so many rolls."""

    rolls: int
    risk: int

    def words(self) -> str:
        return f"last {self.rolls:,} rolls with at least {money(self.risk)} at risk at each"


class Hourly(Goal, frozen=True):
    """To lose least an hour with so much at risk at every roll, however deep the pocket."""

    risk: int
    rolls_per_hour: int = 100

    def words(self) -> str:
        return (
            f"lose least an hour ({self.rolls_per_hour:,} rolls) with at least "
            f"{money(self.risk)} at risk at every roll"
        )


def sensible(goal: Goal, bankroll: int) -> Goal:
    """A goal that can be wanted with this bankroll."""
    limit = getattr(goal, "rolls", 0)
    if not 0 <= limit <= MOST_ROLLS:
        raise NotSolvable(f"a limit of rolls is 1 to {MOST_ROLLS:,}, not {limit:,}; leave it out")
    if isinstance(goal, Reach) and goal.target <= bankroll:
        raise NotSolvable("the bankroll has reached that already; want more")
    return goal
