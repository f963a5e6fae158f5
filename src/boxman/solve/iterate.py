"""Best play over a model: without a limit of rolls, with one, and for the hour.

For ever: values grow from nothing by looking at all acts and following the best of them on; then
acts are chosen outward from the goal, followed from nothing, and the value they have of their own
is the answer. With a limit: one roll back at a time. For the hour: policies are bettered until none
is better. Each comes with a certificate: by how much any single act could better the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import TypeVar

import numpy as np

from boxman.dice import ROLLS
from boxman.sim.lanes import Ints
from boxman.solve import kernels
from boxman.solve.goals import NotSolvable
from boxman.solve.kernels import Game, Places, Reals, fast
from boxman.solve.model import Model
from boxman.words import phrase

TIE = 1e-12
SMALL = 1e-15
FOLLOWED = 400
"""Sweeps along the best acts so far between two looks at all of them."""
SECONDS = 300.0
"""Processor time after which a question is given up."""
CELLS = 60_000_000
"""Values held at once: half a gigabyte."""

Number = TypeVar("Number", int, Ints)
Told = Callable[[str], None]


class RailGrid:
    """Rails in steps from what the bankroll leaves over; goals as the first column that has one."""

    def __init__(self, model: Model, bankroll: int, target: int) -> None:
        self.step, self.rest = model.step, bankroll % model.step
        self.target = target
        self.need = np.maximum(0, -(-(model.need - self.rest) // self.step))
        self.change = model.change // self.step
        self.tops = np.array([self.place(target - back) for back in model.back], np.int64)
        self.tops = np.maximum(self.tops, 0)
        """By position, the first column from which on the goal is reached."""
        seen = [self.place(rail) + 1 for rail in model.rails]
        self.seen = np.minimum(self.tops, np.array(seen, np.int64))
        """By position, how many columns can be come to before that."""
        self.width = max(1, int(self.tops.max()))
        if len(model.positions) * self.width > CELLS:
            raise NotSolvable(
                phrase(
                    "solve.not.too-many-amounts",
                    positions=f"{len(model.positions):,}",
                    amounts=f"{self.width:,}",
                    step=int(self.step),
                )
            )

        self.game: Game = (
            *(model.first, self.need, model.out, model.next, self.change, model.chance),
            self.seen,
        )
        """As the kernels take it."""

    def place(self, rail: int) -> int:
        """The first column with at least this much."""
        return -(-(rail - self.rest) // self.step)

    def rail(self, place: Number) -> Number:
        """What is on the rail in a column."""
        return self.rest + self.step * place

    def values(self) -> Reals:
        """Nothing but what has reached the goal."""
        return (np.arange(self.width)[None, :] >= self.tops[:, None]).astype(float)


class SolvedValues:
    """A solved question: the value and the act of every position and rail."""

    def __init__(
        self, model: Model, grid: RailGrid, value: Reals, best: Places, gap: float
    ) -> None:
        self.model, self.grid = model, grid
        self.value, self.best = value, best
        self.gap = gap
        """How much any single act could still better the policy's own value."""
        self.layers: list[Places] = []
        """With a limit of rolls: the acts with 1, 2, 3 ... rolls left."""
        self.follows = value
        """What positions are worth after the next roll: the same without a limit."""
        self.then: SolvedValues | None = self
        """The same one roll later: itself without a limit, nothing where no roll follows."""
        self.rolls = 0
        self.end: Reals | None = None
        """With a limit of rolls: what positions are worth when they are over."""
        self.broke = 0.0
        """The chance to be left without a bet, from the bankroll."""

    def at(self, rail: int, position: int = 0) -> float:
        """What a rail is worth, 1 from the goal on."""
        column = (rail - self.grid.rest) // self.grid.step
        if column < 0:
            return 0.0
        if column >= self.grid.width:
            return 1.0
        return float(self.value[position, column])

    def act(self, rail: int, position: int = 0) -> int:
        """The act chosen; -1 where there is none."""
        column = (rail - self.grid.rest) // self.grid.step
        if not 0 <= column < self.grid.seen[position]:
            return -1
        return int(self.best[position, column])

    def worth(self, act: int, rail: int) -> float:
        """What one act is worth here if best play follows."""
        model, grid = self.model, self.grid
        column = (rail - grid.rest) // grid.step
        span = slice(model.out[act], model.out[act + 1])
        to = column + grid.change[span]
        inside = np.minimum(to, grid.width - 1)
        value = np.where(to >= grid.width, 1.0, self.follows[model.next[span], inside])
        return float((model.chance[span] * value).sum())

    def acts(self, rail: int, position: int = 0) -> list[tuple[float, int]]:
        """All acts that can be paid here with what they are worth, best first."""
        model = self.model
        found = [
            (self.worth(act, rail), act)
            for act in range(model.first[position], model.first[position + 1])
            if model.need[act] <= rail
        ]
        return sorted(found, key=lambda each: (-each[0], model.need[each[1]]))


def for_ever(model: Model, bankroll: int, target: int, told: Told | None = None) -> SolvedValues:
    """The best chance to reach a target, however long it takes."""
    grid = RailGrid(model, bankroll, target)
    value = grid.values()
    best = np.full(value.shape, -1, np.int32)
    game = grid.game
    look, follow = fast(kernels.look), fast(kernels.follow)
    until = process_time() + SECONDS
    looks = 0
    while True:
        looks += 1
        gain = look(value, best, game)
        if told is not None:
            told(
                phrase(
                    "solve.progress.look",
                    number=looks,
                    gain=f"{gain:.1e}",
                    value=f"{at_start(value, grid, bankroll):.6f}",
                )
            )
        if gain < SMALL:
            break
        for _ in range(FOLLOWED):
            if follow(value, value, best, game, 1.0) < gain * 1e-3:
                break
        if process_time() > until:
            raise NotSolvable(
                phrase("solve.not.unsettled", seconds=f"{SECONDS:g}", gain=f"{gain:.1e}")
            )
    found = np.zeros(value.shape)
    fast(kernels.most)(value, found, game)
    best[:] = -1
    rank, number = np.full(value.shape, -1, np.int32), 1
    choose = fast(kernels.choose)
    while choose(value, found, best, rank, number, game, TIE):
        number += 1
    del rank
    # What the chosen acts promise they keep: their own value, from nothing.
    own = grid.values()
    while follow(own, own, best, game, 1.0) > 1e-16:
        if process_time() > until:
            raise NotSolvable(phrase("solve.not.unsettled-policy", seconds=f"{SECONDS:g}"))
    gap = fast(kernels.most)(own, np.zeros(value.shape), game)
    solved = SolvedValues(model, grid, own, best, float(gap))
    solved.broke = 1.0 - solved.at(bankroll)
    return solved


def at_start(value: Reals, grid: RailGrid, bankroll: int) -> float:
    """What the bankroll is worth on an empty felt."""
    column = grid.place(bankroll)
    return 1.0 if column >= grid.width else float(value[0, column])


def within(
    model: Model,
    bankroll: int,
    target: int,
    rolls: int,
    *,
    lasting: bool = False,
    keep: bool = True,
    told: Told | None = None,
) -> SolvedValues:
    """The best chance to reach a target within so many rolls; `lasting`, to see the last of them.

    Whoever lasts has reached nothing until the rolls are over: then everybody has. With
    `least_risk` of the model somebody who cannot pay an act is out. The certificate: what is chosen
    is followed on its own, and held against the best that all acts promised at every roll.
    """
    grid = RailGrid(model, bankroll, target)
    game = grid.game
    old = grid.values()
    if lasting:
        old[:] = 1.0
    best = np.full(old.shape, -1, np.int32)
    back, follow = fast(kernels.back), fast(kernels.follow)
    poor = _without_a_bet(model, grid)
    layers: list[Places] = []
    over, own = old.copy(), old.copy()
    here = np.arange(grid.width)[None, :] < grid.seen[:, None]
    gap = apart = 0.0
    later: SolvedValues | None = None
    for left in range(1, rolls + 1):
        new = old.copy()
        back(old, new, best, game)
        broke, kept = poor.copy(), np.where(here, 0.0, own)
        follow(poor, broke, best, game, 0.0)
        follow(own, kept, best, game, 1.0)
        # An act promises at most `new`, and by no more than what they were apart before it less.
        gap = max(gap, float((new - kept).max()) + apart)
        apart = float(np.abs(new - kept).max())
        poor, own = broke, kept
        if keep:
            layers.append(best.copy())
        if left < rolls:
            if left == rolls - 1:
                later = SolvedValues(model, grid, new, best.copy(), gap)
                later.follows = old
            old = new
        if told is not None and left % 10 == 0:
            told(phrase("solve.progress.rolls", done=f"{left:,}", rolls=f"{rolls:,}"))
    solved = SolvedValues(model, grid, own, best, gap)
    solved.layers, solved.follows = layers, old
    solved.rolls, solved.end, solved.then = rolls, over, later
    solved.broke = at_start(poor, grid, bankroll) if bankroll < target else 0.0
    return solved


def _without_a_bet(model: Model, grid: RailGrid) -> Reals:
    """1 where what is left, all taken down, pays for no bet; contracts still up count as lost."""
    spots = [act for act in range(model.first[0], model.first[1]) if model.need[act] > 0]
    least = min((int(model.need[act]) for act in spots), default=0)
    rails = grid.rail(np.arange(grid.width))[None, :] + np.array(model.back)[:, None]
    short = (rails < least) & (np.arange(grid.width)[None, :] < grid.tops[:, None])
    return np.where(short, 1.0, 0.0)


class Hour:
    """The least loss a roll, and the act of every position."""

    def __init__(
        self, model: Model, gain: float, best: Ints, promised: Reals, bounds: tuple[float, float]
    ) -> None:
        self.model, self.gain, self.best = model, gain, best
        self.promised = promised
        """By act, what it brings at once and by where it leads; best acts promise most."""
        self.bounds = bounds
        """No policy gains more a roll than the higher, and this one no less than the lower."""


def for_the_hour(model: Model) -> Hour:
    """The acts that lose least a roll in the long run, by policy iteration."""
    count = len(model.positions)
    if count > 3_000:
        raise NotSolvable(phrase("solve.not.too-many-for-the-hour", positions=f"{count:,}"))
    if not model.acts or np.any(np.diff(model.first) == 0):
        empty = model.positions[int(np.argmin(np.diff(model.first)))]
        raise NotSolvable(nothing_at_risk(empty.puck))
    reward = np.add.reduceat(model.ways * model.change, model.out[:-1]) / len(ROLLS)
    weight = model.ways / len(ROLLS)
    best = model.first[:-1].copy()
    while True:
        gain, bias = _followed(model, best, reward, weight)
        promised = reward + np.add.reduceat(weight * bias[model.next], model.out[:-1])
        better = np.array(
            [
                first + int(np.argmax(promised[first:last]))
                for first, last in zip(model.first[:-1], model.first[1:], strict=True)
            ]
        )
        gained = promised[better] - promised[best]
        if gained.max() <= 1e-10:
            rest = promised[better] - bias
            return Hour(model, gain, best, promised, (float(rest.min()), float(rest.max())))
        best = np.where(gained > 1e-10, better, best)


def _followed(model: Model, best: Ints, reward: Reals, weight: Reals) -> tuple[float, Reals]:
    """The gain a roll of a policy, and how much better each position is than the empty felt."""
    count = len(model.positions)
    # Unknowns: the gain in the place of the empty felt's own bias, which is 0.
    matrix = np.zeros((count, count))
    for position, act in enumerate(best):
        span = slice(model.out[act], model.out[act + 1])
        matrix[position, position] += 1.0
        np.subtract.at(matrix[position], model.next[span], weight[span])
    matrix[:, 0] = 1.0
    found = np.asarray(np.linalg.solve(matrix, reward[best]), np.float64)
    bias = found.copy()
    bias[0] = 0.0
    return float(found[0]), bias


def nothing_at_risk(puck: int) -> str:
    """What to say where a menu has nothing that can be at risk at every roll."""
    if puck:
        return phrase("solve.not.no-risk-on-a-point", puck=puck)
    return phrase("solve.not.no-risk-on-the-come-out")
