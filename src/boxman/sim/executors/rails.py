"""Sessions of a policy at the speed of a lookup: each felt with each rail is played only once.

A policy reads its chips and has no automaton, but it comes to few (felt, rail): they are followed
once on the reference's felts (sim/followed.py), then many sessions are looked up side by side.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import repeat
from typing import Any

import numpy as np

from boxman.sim import dice
from boxman.sim.exact import NotSolved
from boxman.sim.executors.player import Pace
from boxman.sim.executors.reference import ReferencePlayer
from boxman.sim.followed import Turns, turns_of
from boxman.sim.lanes import ROWS, Lanes
from boxman.strategy.api import Strategy
from boxman.strategy.ends import BY_ROLLS, ENDS
from boxman.strategy.session import RUN_OUT, Session

SECONDS = 20


class RailsPlayer(ReferencePlayer):
    """Looks turns up that were followed before; what it samples it plays on felts."""

    name = "felts and rails, NumPy"
    pace = Pace(3_000_000, 64, True, 40, 2_000, 4_000_000, 100_000)
    slow = False

    def __init__(self, strategy: Strategy, session: Session, turns: Turns | None = None) -> None:
        super().__init__(strategy, session)
        self.turns = turns or turns_of(strategy, session, SECONDS)

    def play(self, seed: int, first: int, count: int) -> Lanes:
        return self.some(seed, first + np.arange(count))

    def some(self, seed: int, sessions: Any) -> Lanes:
        rows = np.zeros((ROWS, len(sessions)), np.int64)
        rows[-1] = -1
        net, rolls, sevens, ending, drawdown, staked, _ = rows
        turns, bankroll = self.turns, self.session.bankroll
        ends = np.array([ENDS.index(each.end) if each.end else -1 for each in turns.ending])
        finals = np.array([each.worth for each in turns.ending])
        at = np.zeros(len(sessions), np.int64)
        highest = np.full(len(sessions), bankroll)
        live = np.arange(len(sessions))
        numbers = sessions.astype(np.uint64)
        left: Counter[tuple[int, bool]] = Counter()
        """The turns at which sessions ended, and whether for want of rolls."""
        thrown: Any = None
        kind_of = np.array(turns.rolls.number)
        for roll in range(self.session.rolls + 1):
            here = at[live]
            worth = turns.worths[here]
            highest[live] = np.maximum(highest[live], worth)
            drawdown[live] = np.maximum(drawdown[live], highest[live] - worth)
            last = roll == self.session.rolls
            over = np.full(len(live), True) if last else ends[here] >= 0
            done, final = live[over], worth[over] if last else finals[here[over]]
            ending[done] = BY_ROLLS if last else ends[here[over]]
            net[done], rolls[done] = final - bankroll, roll
            left.update(zip(here[over].tolist(), repeat(last)))
            highest[done] = np.maximum(highest[done], final)
            drawdown[done] = np.maximum(drawdown[done], highest[done] - final)
            live, here = live[~over], here[~over]
            if not len(live):
                break
            if roll % dice.BLOCK == 0:
                thrown = dice.lanes(seed, numbers, roll // dice.BLOCK)
            kinds = kind_of[thrown[roll % dice.BLOCK][live]]
            staked[live] += turns.staked[here, kinds]
            sevens[live] += turns.sevens[here, kinds]
            at[live] = turns.table[here, kinds]
        value = sum(
            count * (turns.beyond[place] if last else turns.ending[place].beyond)
            for (place, last), count in left.items()
        )
        return Lanes.of(rows, Fraction(value))


def rails_player(strategy: Strategy, session: Session) -> RailsPlayer | None:
    """The player of a policy, where its turns can be followed."""
    if session.shooters or session.end == RUN_OUT:
        return None
    try:
        return RailsPlayer(strategy, session)
    except NotSolved:
        return None
