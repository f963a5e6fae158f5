"""The reference as an executor: sessions over felts the table rules on once, in Python.

Everything can be played here, and everything is counted: refusals in every session.
"""

from __future__ import annotations

import threading
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np

from boxman.sim import dice
from boxman.sim.executors.player import Pace, Player
from boxman.sim.felt_samples import SESSIONS, FeltSample
from boxman.sim.lanes import ROWS, Lanes, RefusedCounts
from boxman.sim.samples import Sample
from boxman.strategy.api import Strategy, StrategyError
from boxman.strategy.ends import ENDS
from boxman.strategy.felt import Felts
from boxman.strategy.library.policy import policy_of
from boxman.strategy.quick import play_quick
from boxman.strategy.reference import play
from boxman.strategy.session import FACE, Session
from boxman.words import phrase


class ReferencePlayer(Player):
    """Plays on felts ruled on by the reference table, in Python."""

    name = "reference"
    pace = Pace(20_000, 1, False, 8, 60, 400_000, 400_000)
    slow = True
    sampled = SESSIONS

    def __init__(self, strategy: Strategy, session: Session) -> None:
        self.strategy, self.session = strategy, session
        self._felts = threading.local()
        self._sample: FeltSample | None = None

    def __reduce__(self) -> Any:
        return type(self), (self.strategy, self.session)

    def cut(self, rolls: int) -> Player:
        session = msgspec.structs.replace(self.session, rolls=rolls, end=FACE)
        return type(self)(self.strategy, session)

    def _shared(self) -> Any:
        if not hasattr(self._felts, "felts"):
            self._felts.felts = Felts(self.session, by_faces=True)
        return self._felts.felts

    def one(self, seed: int, number: int) -> Any:
        """One session; what goes wrong in it names it."""
        felts = self._shared()
        try:
            return play_quick(self.strategy, self.session, dice.stream(seed, number), felts)
        except StrategyError as error:
            wrong = error
        # The reference says it with the true traceback at the true roll.
        try:
            play(self.strategy, self.session, dice.stream(seed, number))
        except StrategyError as error:
            raise StrategyError(
                phrase("sim.wrong.in-session", number=f"{number:,}", error=error), error.trace
            ) from None
        raise wrong

    def play(self, seed: int, first: int, count: int) -> Lanes:
        return self.some(seed, first + np.arange(count))

    def some(self, seed: int, sessions: Any) -> Lanes:
        """These sessions."""
        rows = np.zeros((ROWS, len(sessions)), np.int64)
        value = Fraction(0)
        refused: RefusedCounts = {}
        for place, number in enumerate(sessions.tolist()):
            played = self.one(seed, number)
            for each in played.refusals:
                before, earliest = refused.get(each.key, (0, number))
                refused[each.key] = before + each.count, earliest
            rows[:, place] = (
                *(played.net, played.rolls, played.seven_outs),
                *(ENDS.index(played.end), played.drawdown, played.staked, -1),
            )
            value += played.value or 0
        return Lanes.of(rows, value, refused=refused)

    def sample(self, seed: int, sessions: int) -> Sample:
        """Played once more, wager by wager; asked for more it goes on where it was."""
        if self._sample is None or self._sample.seed != seed or self._sample.counted > sessions:
            self._sample = FeltSample(self.strategy, self.session, seed)
        return self._sample.of(sessions)


def made(strategy: Strategy, session: Session, asked: str, reasons: list[str]) -> Player:
    """The player for a strategy, whatever it is; a policy has one that looks its turns up."""
    if asked != "reference" and policy_of(strategy) is not None:
        from boxman.sim.executors.rails import rails_player

        found = rails_player(strategy, session)
        if found is not None:
            return found
    return ReferencePlayer(strategy, session)
