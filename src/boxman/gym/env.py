"""One craps table as a Gymnasium environment, over the reference table.

A step is one action: a bet, a wager taken down, or the roll. The table rules on every action; what
it refuses changes nothing and is explained in `info` with its clauses. The reward is the change of
what the player has (rail and stakes), in currency units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from boxman.chips import MINOR
from boxman.chips import format_amount as money
from boxman.dice import ROLLS
from boxman.gym.actions import (
    DICE,
    ROLL,
    ROLLS_DRAWN,
    Action,
    TableShape,
    added,
    look,
    observation_space,
    shape,
)
from boxman.rules.book import houses
from boxman.rules.ids import nearest
from boxman.rules.ledger import join
from boxman.strategy.proposals import call_for
from boxman.strategy.session import SEAT, Session, SessionOptions, opened, session
from boxman.strategy.spots import INDEX
from boxman.strategy.view import BET, open_ranges
from boxman.table.automatic import CLOSING, rolled
from boxman.table.calls import Call
from boxman.table.floor.throws import needs_close
from boxman.table.ruling import rule
from boxman.table.said.menu import menu
from boxman.table.state import Table
from boxman.words import phrase

Observation = dict[str, Any]
OPTIONS = ("bankroll", "rolls", "chip", "minimum", "maximum", "unit", "classes", "settings")
"""What an environment takes of a session; an agent stops and shoots as it likes."""
NO_MORE_ACTS = "no-more-acts"
"""The environment's own refusal: so many acts without a roll are enough."""


def make_shape(
    house: str,
    spots: Sequence[str],
    units: Sequence[int],
    calls: bool,
    acts: int,
    options: SessionOptions,
) -> tuple[Session, TableShape]:
    """The session and the actions an environment was asked for."""
    if not house:
        raise ValueError(phrase("gym.wrong.name-the-house", houses=houses()))
    for name in options:
        if name not in OPTIONS:
            hint = nearest(name, OPTIONS) or phrase("gym.wrong.one-of", options=tuple(OPTIONS))
            raise ValueError(phrase("gym.wrong.no-option", name=name, hint=hint))
    played = session(house, **options)
    layout, table = opened(played)
    return played, shape(layout, table.posted, spots, units, calls, acts)


class CrapsEnv(gymnasium.Env[Observation, np.int64]):
    """A seat at a craps table run by the book.

    house: a name or the path of a rulebook. spots: where it may bet (all, if none are named).
    units: amounts a bet may add. calls: whether wagers may be called on and off. acts: how many
    acts may come before a roll. bankroll, rolls, chip, minimum, maximum, unit, classes, settings:
    as in a session. A guest throws the dice.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self,
        house: str = "",
        *,
        spots: Sequence[str] = (),
        units: Sequence[int] = (10,),
        calls: bool = False,
        acts: int = 20,
        render_mode: str | None = None,
        **options: Unpack[SessionOptions],
    ) -> None:
        self.session, self.shape = make_shape(house, spots, units, calls, acts, options)
        self.layout, self.start = opened(self.session)
        self.actions = self.shape.actions
        self.action_space = spaces.Discrete(len(self.actions))
        self.observation_space = observation_space(self.shape)
        self.render_mode = render_mode
        self.close_bets = needs_close(self.layout)
        self._dice = np.zeros(0, np.int64)
        self._next = 0
        self._begin()

    def _begin(self) -> None:
        self.table: Table = self.start
        self.last = self.rolls = 0
        self.left = self.shape.acts

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Observation, dict[str, object]]:
        """A new session. Without a seed the dice go on where they were."""
        super().reset(seed=seed)
        if seed is not None:
            self._dice, self._next = np.zeros(0, np.int64), 0
        self._begin()
        return self._observation(), self._info("", ())

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, object]]:
        """One action."""
        if not self.action_space.contains(action):
            last = len(self.actions) - 1
            raise ValueError(phrase("gym.wrong.no-action", action=action, last=last))
        before = self._worth()
        code, clauses = self._do(self.actions[int(action)])
        seat = self.table.seats[SEAT]
        broke = not seat.wagers and seat.rail < self.shape.least
        over = self.rolls >= self.session.rolls
        reward = (self._worth() - before) / MINOR
        return self._observation(), reward, broke, over and not broke, self._info(code, clauses)

    def _do(self, action: Action) -> tuple[str, tuple[str, ...]]:
        if action.verb == "roll":
            return self._roll()
        if not self.left:
            return NO_MORE_ACTS, ()
        self.left -= 1
        ruling = rule(self.layout, self.table, self._call(action))
        if ruling.refusal is not None:
            return ruling.refusal.code, ruling.refusal.cites
        self.table = ruling.after
        return "", join(*(made.cites for made in ruling.decisions))

    def _call(self, action: Action) -> Call:
        amount = 0
        if action.what == BET:
            seat = self.table.seats[SEAT]
            ranges = open_ranges(self.layout, self.table, seat, action.spot)
            amount = added(self.shape, action, seat, ranges)
        return call_for(action.what, INDEX[action.spot], amount)

    def _roll(self) -> tuple[str, tuple[str, ...]]:
        if self._next >= len(self._dice):
            self._dice, self._next = self.np_random.integers(DICE, size=ROLLS_DRAWN), 0
        dice = ROLLS[self._dice[self._next]]
        self._next += 1
        table = self.table
        if self.close_bets:
            table = rule(self.layout, table, CLOSING).after
        ruling = rolled(self.layout, table, dice)
        assert ruling.refusal is None, ruling.refusal
        self.table = ruling.after
        self.last, self.rolls, self.left = dice.total, self.rolls + 1, self.shape.acts
        return "", join(*(made.cites for made in ruling.decisions))

    def _worth(self) -> int:
        seat = self.table.seats[SEAT]
        return seat.rail + sum(wager.stake for wager in seat.wagers.values())

    def action_mask(self) -> NDArray[np.int8]:
        """1 for every action the table would allow now."""
        mask = np.zeros(len(self.actions), np.int8)
        mask[ROLL] = 1
        if not self.left:
            return mask
        offered = menu(self.layout, self.table, SEAT).choices
        seat = self.table.seats[SEAT]
        for number, action in enumerate(self.actions):
            choice = offered.get(action.spot)
            if choice is None:
                continue
            if action.verb == "take down":
                mask[number] = choice.take_down
            elif action.verb == "bet" and choice.bet:
                ranges = open_ranges(self.layout, self.table, seat, action.spot)
                more = added(self.shape, action, seat, ranges)
                mask[number] = any(
                    low <= more <= high and not (more - low) % step
                    for low, high, step in choice.bet
                )
            elif action.verb in choice.calls:
                mask[number] = 1
        return mask

    def _observation(self) -> Observation:
        seen = look(self.shape, self.table)
        rail = np.array([self.table.seats[SEAT].rail], np.int64)
        counted = {"last": np.int64(self.last), "left": np.int64(self.left), "rail": rail}
        return {**seen, "puck": np.int64(seen["puck"]), **counted}

    def _info(self, code: str, clauses: tuple[str, ...]) -> dict[str, object]:
        return {"action_mask": self.action_mask(), "refused": code, "clauses": clauses}

    def render(self) -> str | None:
        """The table in a few words."""
        if self.render_mode != "ansi":
            return None
        seat = self.table.seats[SEAT]
        wagers = ", ".join(f"{w.spot} {money(w.stake)}" for w in seat.wagers.values())
        puck = self.table.puck or "off"
        return (
            f"roll {self.rolls}, last {self.last or 'none'}, puck {puck}, "
            f"rail {money(seat.rail)}, up: {wagers or 'nothing'}"
        )
