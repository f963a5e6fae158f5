"""A strategy as a baseline in an environment: what an agent is to be measured against.

`Baseline(strategy)(env)` gives the next action. A turn of the strategy is played on the table the
environment is at; its acts are handed out one by one, then the roll. A policy of `boxman solve`
gives the best there is for its goal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boxman.gym.actions import ROLL
from boxman.gym.env import CrapsEnv
from boxman.strategy.api import Strategy
from boxman.strategy.library.taking import check_taken
from boxman.strategy.reference import TableChair
from boxman.strategy.session import Session
from boxman.strategy.spots import SPOTS
from boxman.strategy.view import BET, Turn
from boxman.words import phrase


class _Noted(TableChair):
    """A chair that keeps what the table allowed."""

    def propose(self, what: int, spot: int, amount: int) -> bool:
        allowed = super().propose(what, spot, amount)
        if allowed:
            self.allowed.append((what, SPOTS[spot], amount))
        return allowed

    allowed: list[tuple[int, str, int]]


class Baseline:
    """The actions of a strategy in an environment, one at a time."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.variables = dict(strategy.variables)
        self._waiting: list[int] = []
        self._checked: Session | None = None

    def reset(self) -> None:
        """A new session begins."""
        self.variables = dict(self.strategy.variables)
        self._waiting = []

    def __call__(self, env: Any) -> np.int64:
        """The next action; ValueError where the environment has none for what is wanted."""
        table: CrapsEnv = env.unwrapped
        if self._checked != table.session:
            check_taken(self.strategy, table.session)
            self._checked = table.session
        if not self._waiting:
            chair = _Noted(table.session)
            chair.table, chair.rolls, chair.allowed = table.table, table.rolls, []
            chair.rail = chair.seat.rail
            self.strategy.function(Turn(chair, self.variables))
            self._waiting = [*(_number(table, *each) for each in chair.allowed), ROLL]
        return np.int64(self._waiting.pop(0))


def _number(env: CrapsEnv, what: int, spot: str, amount: int) -> int:
    for number, action in enumerate(env.actions):
        same = number != ROLL and (action.what, action.spot) == (what, spot)
        if same and (what != BET or action.amount == amount):
            return number
    if what == BET:
        raise ValueError(phrase("gym.wrong.no-bet", spot=spot, amount=amount))
    raise ValueError(phrase("gym.wrong.no-call", spot=spot))
