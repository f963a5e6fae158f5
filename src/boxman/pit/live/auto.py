"""Rolls asked for in advance: a player says once how many, how fast and until when.

The table's own crew throws them; the player is ready for each by himself. It knows no clock and no
socket: time is an argument.
"""

from __future__ import annotations

from typing import NamedTuple

from boxman.table.state import Rolled, Table

MOST = 500
"""Rolls that can be asked for at once."""
FASTEST = 100
"""Milliseconds between two of them."""
MADE_GOOD = 500
"""Milliseconds that are made good after the crew was held up."""
UNTIL = ("thrown", "hand", "bets")
"""When it ends: all are thrown, a seven-out came, or nothing of the player's is up."""


class AutoRoll(NamedTuple):
    """What is left of what one player asked for."""

    left: int
    every: int
    until: str = "thrown"
    due: int = 0
    """When the next is thrown, in milliseconds."""

    def after(self, rolled: Rolled, table: Table, seat: str, now: int) -> AutoRoll | None:
        """What is left after a roll; None where it is over.

        The next is due from when this one was, not from when the crew was done with it: the pace
        is the one asked for. A crew that was held up makes good for a moment, not for more.
        """
        left = self.left - 1
        out = self.until == "hand" and rolled.event == "seven-out"
        own = table.seats.get(seat)
        bare = self.until == "bets" and (own is None or not own.wagers)
        due = max(self.due + self.every, now - MADE_GOOD)
        return None if left < 1 or out or bare else self._replace(left=left, due=due)

    def told(self) -> dict[str, int]:
        """As its player is told of it."""
        return {"left": self.left, "every": self.every}
