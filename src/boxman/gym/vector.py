"""Many craps tables at once: every step is a few lookups in arrays.

What a felt (table without rail) does under an action or a kind of roll was ruled on by the
reference table the first time somebody came there, and is only looked up afterwards; so each table
runs exactly as it would alone in CrapsEnv on the same dice. Rails are kept apart, one a table.
Finished tables begin anew at the next step (Gymnasium's NEXT_STEP).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from boxman.chips import MINOR
from boxman.dice import ROLLS
from boxman.gym.actions import DICE, ROLL, ROLLS_DRAWN, TableShape, added, look, observation_space
from boxman.gym.env import NO_MORE_ACTS, make_shape
from boxman.strategy.felt import Felt, FeltChair, Felts
from boxman.strategy.session import SEAT, SessionOptions
from boxman.strategy.spots import INDEX
from boxman.table.said.menu import menu
from boxman.table.stakes import fee_on
from boxman.words import phrase

Array = NDArray[Any]
TOTAL_OF = np.array([roll.total for roll in ROLLS], np.int64)
UNKNOWN = -1


class SeenFelts:
    """All felts seen so far, as arrays with one row a felt."""

    def __init__(self, felts: Felts, shape: TableShape) -> None:
        self.felts, self.shape = felts, shape
        self.held: list[Felt] = []
        self.row_of: dict[int, int] = {}
        actions, spots = len(shape.actions), len(shape.spots)
        self.legal = np.zeros((0, actions), bool)
        self.cash = np.zeros((0, actions), np.int64)
        self.next = np.zeros((0, actions), np.int64)
        self.amount = np.zeros((0, actions), np.int64)
        self.roll_next = np.zeros((0, len(felts.rolls.kinds)), np.int64)
        self.roll_cash = np.zeros((0, len(felts.rolls.kinds)), np.int64)
        self.stake = np.zeros(0, np.int64)
        self.puck = np.zeros(0, np.int64)
        self.stakes = np.zeros((0, spots), np.int64)
        self.working = np.zeros((0, spots), np.int8)
        self.collected = np.zeros((0, 3), np.int64)

    _ARRAYS = (
        *("legal", "cash", "next", "amount", "roll_next", "roll_cash"),
        *("stake", "puck", "stakes", "working", "collected"),
    )

    def row(self, felt: Felt) -> int:
        """The row of a felt, made if it is new."""
        known = self.row_of.get(felt.index)
        if known is not None:
            return known
        row = self.row_of[felt.index] = len(self.held)
        self.held.append(felt)
        if row >= len(self.stake):
            for name in self._ARRAYS:
                old = getattr(self, name)
                grown = np.zeros((max(64, 2 * len(old)), *old.shape[1:]), old.dtype)
                grown[: len(old)] = old
                setattr(self, name, grown)
        self._fill(row, felt)
        return row

    def _fill(self, row: int, felt: Felt) -> None:
        """What is allowed on a felt, from the menu of a deep rail; it is ruled on when chosen."""
        layout, table = self.shape.layout, felt.table
        seat = table.seats[SEAT]
        offered = menu(layout, table, SEAT).choices
        self.next[row] = UNKNOWN
        self.roll_next[row] = UNKNOWN
        for number, action in enumerate(self.shape.actions):
            if action.verb == "bet":
                self.amount[row, number] = action.amount
            choice = offered.get(action.spot)
            if choice is None:
                continue
            if action.verb == "take down":
                self.legal[row, number] = choice.take_down
            elif action.verb != "bet":
                self.legal[row, number] = action.verb in choice.calls
            elif choice.bet:
                spot, wager = layout.spots[action.spot], seat.wagers.get(action.spot)
                up, paid = (wager.stake, wager.fee) if wager else (0, 0)
                ranges = tuple((low + up, high + up, step) for low, high, step in choice.bet)
                more = added(self.shape, action, seat, ranges)
                fee = max(0, fee_on(layout, spot, up + more) - paid) if spot.fee else 0
                self.amount[row, number] = more
                self.cash[row, number] = -more - fee
                self.legal[row, number] = any(
                    low <= more <= high and not (more - low) % step
                    for low, high, step in choice.bet
                )
        self.stake[row] = felt.stake
        for name, value in look(self.shape, table).items():
            getattr(self, name)[row] = value

    def after(self, row: int, number: int) -> int:
        """The row an allowed action leads to."""
        found = int(self.next[row, number])
        if found == UNKNOWN:
            action = self.shape.actions[number]
            amount = int(self.amount[row, number])
            made = self.felts.act(self.held[row], action.what, INDEX[action.spot], amount)
            assert made.refusal is None, f"the menu allowed what the table refuses: {made.refusal}"
            found = self.row(made.felt)
            self.next[row, number] = found
            self.cash[row, number] = made.cash
        return found

    def rolled(self, row: int, kind: int) -> int:
        """The row a kind of roll leads to."""
        found = int(self.roll_next[row, kind])
        if found == UNKNOWN:
            landed = self.felts.roll(self.held[row], kind)
            found = self.row(landed.felt)
            self.roll_next[row, kind] = found
            self.roll_cash[row, kind] = landed.cash
        return found


class CrapsVectorEnv(VectorEnv[dict[str, Array], Array, Array]):
    """Seats at many tables of one house; the parameters are those of CrapsEnv.

    felts: how many felts are remembered before all but those in use are forgotten.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        house: str = "",
        *,
        spots: Sequence[str] = (),
        units: Sequence[int] = (10,),
        calls: bool = False,
        acts: int = 20,
        felts: int = 20_000,
        render_mode: str | None = None,
        **options: Unpack[SessionOptions],
    ) -> None:
        if num_envs < 1:
            raise ValueError(phrase("gym.wrong.tables", tables=num_envs))
        self.num_envs = num_envs
        self.session, self.shape = make_shape(house, spots, units, calls, acts, options)
        told_apart = self.shape.layout.rolls
        self._kind_of = np.array([told_apart.index(roll) for roll in ROLLS], np.int64)
        self.actions = self.shape.actions
        self.single_action_space = spaces.Discrete(len(self.actions))
        self.single_observation_space = observation_space(self.shape)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.render_mode = render_mode
        self.most_felts = felts
        self.known = SeenFelts(Felts(self.session, by_faces=True), self.shape)
        self.row = np.zeros(num_envs, np.int64)
        self.rail = np.zeros(num_envs, np.int64)
        self.last = np.zeros(num_envs, np.int64)
        self.left = np.zeros(num_envs, np.int64)
        self.rolls = np.zeros(num_envs, np.int64)
        self.done = np.zeros(num_envs, bool)
        self._generators: list[np.random.Generator] = []
        self._dice = np.zeros((num_envs, ROLLS_DRAWN), np.int64)
        self._next = np.full(num_envs, ROLLS_DRAWN, np.int64)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, object] | None = None,
    ) -> tuple[dict[str, Array], dict[str, object]]:
        """New sessions everywhere; a seed is that of the first table, the next gets seed + 1."""
        if isinstance(seed, int | np.integer):
            seeds: list[int | None] = [int(seed) + number for number in range(self.num_envs)]
        else:
            seeds = list(seed) if seed is not None else [None] * self.num_envs
        if len(seeds) != self.num_envs:
            raise ValueError(phrase("gym.wrong.seeds", seeds=len(seeds), tables=self.num_envs))
        fresh = not self._generators
        for number, one in enumerate(seeds):
            if fresh:
                self._generators.append(seeding.np_random(one)[0])
            elif one is not None:
                self._generators[number] = seeding.np_random(one)[0]
            if one is not None:
                self._next[number] = ROLLS_DRAWN
        self._begin(np.ones(self.num_envs, bool))
        return self._observation(), self._info({})

    def _begin(self, which: Array) -> None:
        self.row[which] = self.known.row(self.known.felts.start)
        self.rail[which] = self.session.bankroll
        self.last[which] = self.rolls[which] = 0
        self.left[which] = self.shape.acts
        self.done[which] = False

    def step(
        self, actions: Array
    ) -> tuple[dict[str, Array], Array, Array, Array, dict[str, object]]:
        """One action at every table; a finished table begins anew instead."""
        if not self._generators:
            raise ResetNeeded(phrase("gym.wrong.reset"))
        actions = np.asarray(actions)
        whole = np.issubdtype(actions.dtype, np.integer)
        if actions.shape != (self.num_envs,) or not whole or not self._in_range(actions):
            last = len(self.actions) - 1
            raise ValueError(phrase("gym.wrong.one-each", last=last, actions=actions))
        self._forget()
        known = self.known
        anew = self.done.copy()
        self._begin(anew)
        worth = self.rail + known.stake[self.row]
        roll = (actions == ROLL) & ~anew
        acting = ~roll & ~anew
        good = acting & (self.left > 0) & known.legal[self.row, actions]
        good &= self.rail + known.cash[self.row, actions] >= 0
        refused = self._refusals(actions, acting & ~good)
        self.left[acting & (self.left > 0)] -= 1
        self._move(good, actions)
        self._roll(roll)
        known = self.known
        stake = known.stake[self.row]
        broke = (stake == 0) & (self.rail < self.shape.least) & ~anew
        over = (self.rolls >= self.session.rolls) & ~broke & ~anew
        self.done = broke | over
        rewards = (self.rail + stake - worth) / MINOR
        return self._observation(), rewards, broke, over, self._info(refused)

    def _in_range(self, actions: Array) -> bool:
        return bool(((actions >= 0) & (actions < len(self.actions))).all())

    def _move(self, which: Array, actions: Array) -> None:
        next_row = self.known.next[self.row, actions]
        for number in np.flatnonzero(which & (next_row == UNKNOWN)):
            next_row[number] = self.known.after(int(self.row[number]), int(actions[number]))
        self.rail[which] += self.known.cash[self.row, actions][which]
        self.row[which] = next_row[which]

    def _roll(self, which: Array) -> None:
        if not which.any():
            return
        for number in np.flatnonzero(which & (self._next >= ROLLS_DRAWN)):
            self._dice[number] = self._generators[number].integers(DICE, size=ROLLS_DRAWN)
            self._next[number] = 0
        at = np.flatnonzero(which)
        dice = self._dice[at, self._next[at]]
        self._next[at] += 1
        kinds = self._kind_of[dice]
        rows = self.row[at]
        known = self.known
        for number in np.flatnonzero(known.roll_next[rows, kinds] == UNKNOWN):
            known.rolled(int(rows[number]), int(kinds[number]))
        self.rail[at] += known.roll_cash[rows, kinds]
        self.row[at] = known.roll_next[rows, kinds]
        self.last[at] = TOTAL_OF[dice]
        self.rolls[at] += 1
        self.left[at] = self.shape.acts

    def _refusals(self, actions: Array, which: Array) -> dict[int, tuple[str, tuple[str, ...]]]:
        """Why the table refused, for those it refused."""
        found: dict[int, tuple[str, tuple[str, ...]]] = {}
        for number in np.flatnonzero(which):
            if not self.left[number]:
                found[int(number)] = (NO_MORE_ACTS, ())
                continue
            row, action = int(self.row[number]), self.actions[actions[number]]
            chair = FeltChair(self.known.felts, int(self.rail[number]))
            chair.sit(self.known.held[row], None)
            amount = int(self.known.amount[row, actions[number]])
            made = self.known.felts.act(chair.felt, action.what, INDEX[action.spot], amount)
            if made.refusal is None:
                chair.propose(action.what, INDEX[action.spot], amount)
                made = made._replace(refusal=chair.refused[0][0])
            assert made.refusal is not None
            found[int(number)] = (made.refusal.code, made.refusal.cites)
        return found

    def _forget(self) -> None:
        """Begin a new memory with the felts in use, when the old one is full."""
        if len(self.known.held) <= self.most_felts:
            return
        old = self.known
        self.known = SeenFelts(Felts(self.session, by_faces=True), self.shape)
        for number, row in enumerate(self.row):
            felt, _ = self.known.felts.of(old.held[row].table)
            self.row[number] = self.known.row(felt)

    def action_masks(self) -> Array:
        """1 for every action each table would allow now."""
        known = self.known
        mask = known.legal[self.row] & (self.rail[:, None] + known.cash[self.row] >= 0)
        mask &= (self.left > 0)[:, None]
        mask[:, ROLL] = True
        return mask.astype(np.int8)

    def _observation(self) -> dict[str, Array]:
        known, row = self.known, self.row
        return {
            "puck": known.puck[row],
            "last": self.last.copy(),
            "left": self.left.copy(),
            "rail": self.rail[:, None].copy(),
            "stakes": known.stakes[row],
            "working": known.working[row],
            "collected": known.collected[row],
        }

    def _info(self, refused: dict[int, tuple[str, tuple[str, ...]]]) -> dict[str, object]:
        codes = np.full(self.num_envs, "", dtype=object)
        clauses = np.full(self.num_envs, None, dtype=object)
        there = np.zeros(self.num_envs, bool)
        for number, (code, cites) in refused.items():
            codes[number], clauses[number], there[number] = code, cites, True
        every = np.ones(self.num_envs, bool)
        return {
            "action_mask": self.action_masks(),
            "_action_mask": every,
            "refused": codes,
            "_refused": there,
            "clauses": clauses,
            "_clauses": there.copy(),
        }
