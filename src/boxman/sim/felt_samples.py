"""Figures by wager of sessions played over felts, where there is no automaton to say them.

Sessions from 0 on are played once more in Python, on felts that the reference rules on once; what a
roll decides on a felt is known there wager by wager. How many depends on nothing but the strategy,
the session and the dice: so many rolls and no more, and fewer where hardly a felt comes twice.
"""

from __future__ import annotations

from boxman.sim import dice
from boxman.sim.samples import Books, Sample
from boxman.strategy.api import Strategy
from boxman.strategy.ends import RefusedHere
from boxman.strategy.felt import Felts
from boxman.strategy.quick import FeltNotes, play_quick
from boxman.strategy.session import Session

SESSIONS = 500
ROLLS = 200_000
"""At most so many rolls: a session that is longer is not looked at."""
FELTS = 10_000
"""Felts after which no further session is counted: each takes long to be ruled on."""


class FeltSample:
    """What was counted so far; more sessions can be added."""

    def __init__(self, strategy: Strategy, session: Session, seed: int) -> None:
        self.strategy, self.session, self.seed = strategy, session, seed
        self.counted = 0
        self._felts = Felts(session, by_faces=True)
        self._noted = FeltNotes()
        self._refused: list[RefusedHere] = []

    def of(self, sessions: int) -> Sample:
        """The sample of a run of so many sessions, at least as many as were asked for before."""
        wanted = min(sessions, SESSIONS, ROLLS // self.session.rolls)
        while self.counted < wanted and len(self._felts.all) < FELTS:
            throws = dice.stream(self.seed, self.counted)
            ended = play_quick(self.strategy, self.session, throws, self._felts, self._noted)
            self._refused += ended.refusals
            self.counted += 1
        books, noted = Books(), self._noted
        for put, times in noted.put.items():
            books.put((put,), times)
        for (felt, kind), times in noted.rolled.items():
            landed = self._felts.roll(self._felts.all[felt], kind)
            books.settled(landed.settled, times)
            books.put(landed.put, times)
        for left, times in noted.left.items():
            books.left(self._felts, left, times)
        for each in self._refused:
            books.refusals(((*each.key, each.sentence),), each.count)
        return books.sample(self.counted)
