"""What a player can do: play sessions of one strategy, and say how best to use it.

A player can be pickled and sent to another process; what cannot travel (compiled code, felts) is
made again there. The defaults are those of a player that needs no compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from boxman.sim.lanes import ROWS, Lanes
from boxman.sim.results import Expectation
from boxman.sim.samples import Sample
from boxman.strategy.api import Strategy
from boxman.strategy.session import Session

FIGURES = Lanes.__struct_fields__[:ROWS]


class Pace(NamedTuple):
    """How fast a player is: how much it is given at a time, and asked for at most."""

    piece: int
    """Rolls in a piece, about a tenth of a second."""
    sessions: int
    """Sessions are given in multiples of this."""
    together: bool
    """Whether many sessions take hardly longer than one, so that it can begin with many."""
    points: int
    """For a fan: points in time and sessions at most, and about how many rolls for all of them."""
    fan_sessions: int
    fan_rolls: int
    steps: int
    """Rolls of one session in all its points: side by side few take as long as many."""


class Player:
    """Plays sessions of one strategy."""

    strategy: Strategy
    session: Session
    name: str
    """What a result says of it."""
    pace: Pace
    slow = False
    """Whether it is worth a warning."""
    sampled: int
    """In how many sessions, from 0 on, refusals and wagers are counted."""
    spare: Player | None = None
    """Who plays a session that this one cannot."""

    def play(self, seed: int, first: int, count: int) -> Lanes:
        """Sessions `first` to `first + count - 1`."""
        raise NotImplementedError

    def some(self, seed: int, sessions: Any) -> Lanes:
        """These sessions; for whoever may be a spare."""
        raise NotImplementedError

    def sample(self, seed: int, sessions: int) -> Sample:
        """Refusals and wagers, counted in these sessions."""
        raise NotImplementedError

    def cut(self, rolls: int) -> Player:
        """The same in a session of so many rolls that ends at face."""
        raise NotImplementedError

    def value(self, landed: dict[int, int]) -> Fraction:
        """What felts that were left behind are worth beyond face, where it knows them."""
        return Fraction(0)

    def expected(self) -> Expectation | None:
        """What theory says of the mean, where it does."""
        return None

    def fastest(self) -> Player:
        """Who plays the same in a long run."""
        return self

    def at_once(self) -> Player:
        """Who can begin while this one is compiled."""
        return self

    def compile(self) -> Any:
        """Compile the strategy, if that is needed; raises CannotPlay."""

    def kernels(self) -> dict[str, Callable[[], Any]]:
        """The kernels it wants in the cache, by name, and how each is loaded from there."""
        return {}


def replaced(lanes: Lanes, places: Any, by: Lanes) -> None:
    """Put other figures in these places."""
    for name in FIGURES:
        getattr(lanes, name)[places] = getattr(by, name)
