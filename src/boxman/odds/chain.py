"""A chain of states driven by two dice, solved exactly.

A chain is explored from its starting states; states that have the same future are joined into one;
what is left is eliminated state by state in fractions. Lengths are whole numbers of roll sequences
over powers of 36. This module knows the 36 rolls and nothing of wagers, houses or money: an end is
whatever its maker says it is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Generic, NamedTuple, TypeVar

from boxman.dice import ROLLS
from boxman.words import phrase

SIDES = len(ROLLS)
LISTED = 200
"""Lengths up to this one are listed; the rest is the tail."""
ZERO = Fraction(0)
S = TypeVar("S", bound=Hashable)
"""A state."""


class NeverDecidedError(ValueError):
    """A state from which no roll leads to an end."""

    def __init__(self) -> None:
        super().__init__(phrase("odds.wrong.never-decided"))


class End(NamedTuple):
    """How a wager can be over, in units of the stake it was made with."""

    net: Fraction
    staked: Fraction = Fraction(1)
    """All that was put down by then, without commission."""
    returned: bool = False
    """Handed back undecided, because it slept while what it stood behind was decided."""
    steps: tuple[Fraction, ...] = ()
    """What of the net was paid before, each payment by itself."""


class Transitions(NamedTuple):
    """What the 36 rolls do in one state: (state, ways) and (end, ways), both by number."""

    to: tuple[tuple[int, int], ...]
    ends: tuple[tuple[int, int], ...]
    at_risk: bool


class Outlook(NamedTuple):
    """What is to be expected from a state."""

    ends: dict[End, Fraction]
    rolls: Fraction
    rolls_at_risk: Fraction


Successors = Callable[[S], Iterable[tuple[S | End, int]]]
"""From a state to pairs of (next state or End, ways); the ways of a state sum to 36."""
Values = dict[int, Fraction]
"""By key: a state's number; below zero an expectation, and below those the ends."""
ROLLS_MADE, AT_RISK, FIRST_END = -1, -2, -3


class Lengths(NamedTuple):
    """How long it takes: P(L = n) for n = 1, 2, ... and the exact rest."""

    mass: tuple[Fraction, ...]
    tail: Fraction
    """P(L > the last n listed)."""

    def at_least(self, n: int) -> Fraction:
        """P(L >= n), for n up to one more than the lengths listed.

        >>> Lengths((Fraction(1, 2), Fraction(1, 4)), Fraction(1, 4)).at_least(2)
        Fraction(1, 2)
        """
        if n > len(self.mass) + 1:
            raise ValueError(phrase("odds.wrong.lengths", last=len(self.mass)))
        return 1 - sum(self.mass[: max(n - 1, 0)], ZERO)

    def quantile(self, share: Fraction) -> int:
        """The least n with P(L <= n) of at least this share; 0 if it lies in the tail."""
        reached = ZERO
        for n, mass in enumerate(self.mass, 1):
            reached += mass
            if reached >= share:
                return n
        return 0


class Chain(Generic[S]):
    """States from which every game ends sooner or later."""

    def __init__(
        self,
        start: Mapping[S, int],
        follow: Successors[S],
        at_risk: Callable[[S], bool] = lambda state: True,
    ) -> None:
        states, rows, self.ends = _explore(start, follow, at_risk)
        group, self.rows = _lump(rows)
        self.size = len(states)
        """How many states were found, before those with the same future were joined."""
        self.of = {state: group[index] for index, state in enumerate(states)}
        self.start = self._weights(start)

    def _weights(self, start: Mapping[S, int]) -> tuple[tuple[int, int], ...]:
        weights: dict[int, int] = {}
        for state, weight in start.items():
            weights[self.of[state]] = weights.get(self.of[state], 0) + weight
        return tuple(weights.items())

    def outlook(self, start: Mapping[S, int] | None = None) -> Outlook:
        """What to expect at the start, or from other states, averaged by their weights."""
        values = self._averaged(_solved(self.rows), self._weights(start) if start else self.start)
        keys = {end: FIRST_END - n for n, end in enumerate(self.ends)}
        return Outlook(
            {end: values[key] for end, key in keys.items() if key in values},
            values[ROLLS_MADE],
            values[AT_RISK],
        )

    @cached_property
    def square(self) -> Fraction:
        """The expected square of the number of rolls."""
        rolls = _solved(self.rows)
        # L = 1 + L', so E L^2 = 2 E L - 1 + E L'^2.
        constants = [{ROLLS_MADE: SIDES * (2 * values[ROLLS_MADE] - 1)} for values in rolls]
        return self._averaged(_solve(self.rows, constants), self.start)[ROLLS_MADE]

    @cached_property
    def expectation(self) -> Fraction:
        """The expected net, solved by itself, without the distribution."""
        constants = [
            {ROLLS_MADE: sum((ways * self.ends[end].net for end, ways in row.ends), ZERO)}
            for row in self.rows
        ]
        return self._averaged(_solve(self.rows, constants), self.start)[ROLLS_MADE]

    @staticmethod
    def _averaged(values: list[Values], weights: tuple[tuple[int, int], ...]) -> Values:
        if len(weights) == 1:
            return values[weights[0][0]]
        whole = sum(weight for _, weight in weights)
        total: Values = {}
        for state, weight in weights:
            for key, value in values[state].items():
                total[key] = total.get(key, ZERO) + value * Fraction(weight, whole)
        return total

    def lengths(self, listed: int = LISTED) -> Lengths:
        """P(L = n) for n up to `listed`, and the exact tail, from the starting states."""
        rows = tuple((row.to, sum(ways for _, ways in row.ends)) for row in self.rows)
        return _lengths(rows, self.start, listed)

    def within(self, rolls: int) -> dict[End, Fraction]:
        """The probability of each end within so many rolls."""
        found = dict.fromkeys(self.ends, ZERO)
        alive = dict(self.start)
        scale = sum(alive.values())
        for _ in range(rolls):
            scale *= SIDES
            after: dict[int, int] = {}
            for state, count in alive.items():
                for end, ways in self.rows[state].ends:
                    found[self.ends[end]] += Fraction(count * ways, scale)
                for target, ways in self.rows[state].to:
                    after[target] = after.get(target, 0) + count * ways
            alive = after
        return found


@lru_cache(maxsize=1024)
def _solved(rows: tuple[Transitions, ...]) -> list[Values]:
    """For every state the chance of each end and the rolls; many wagers share one chain."""
    constants = []
    for row in rows:
        values: Values = {FIRST_END - end: Fraction(ways) for end, ways in row.ends}
        values[ROLLS_MADE] = Fraction(SIDES)
        values[AT_RISK] = Fraction(SIDES if row.at_risk else 0)
        constants.append(values)
    return _solve(rows, constants)


def _solve(rows: tuple[Transitions, ...], constants: list[Values]) -> list[Values]:
    """Solve h = c + P h, with c in 36ths, by eliminating states, successors first."""
    order = list(_successors_first(rows))
    place = {state: n for n, state in enumerate(order)}
    # Each value in terms of constants and of states that are eliminated later.
    solved: list[Values] = [{}] * len(rows)
    for turn, state in enumerate(order):
        left = dict(constants[state])
        pending: dict[int, Fraction | int] = dict(rows[state].to)
        own = pending.pop(state, 0)
        while pending:
            target = min(pending, key=place.__getitem__)
            ways = pending.pop(target)
            if place[target] > turn:
                left[target] = left.get(target, ZERO) + ways
                continue
            for key, value in solved[target].items():
                if key < 0:
                    left[key] = left.get(key, ZERO) + ways * value
                elif key == state:
                    own += ways * value
                else:
                    pending[key] = pending.get(key, 0) + ways * value
        if own == SIDES:
            raise NeverDecidedError
        scale = 1 / Fraction(SIDES - own)
        solved[state] = {key: value * scale for key, value in left.items()}
    for state in reversed(order):
        for target in [key for key in solved[state] if key >= 0]:
            share = solved[state].pop(target)
            for key, value in solved[target].items():
                solved[state][key] = solved[state].get(key, ZERO) + share * value
    return solved


@lru_cache(maxsize=256)
def _lengths(
    rows: tuple[tuple[tuple[tuple[int, int], ...], int], ...],
    start: tuple[tuple[int, int], ...],
    listed: int,
) -> Lengths:
    """Count the sequences of rolls that are over after n; only the fractions are divided."""
    alive = dict(start)
    scale = sum(alive.values())
    mass = []
    for _ in range(listed):
        scale *= SIDES
        after: dict[int, int] = {}
        over = 0
        for state, count in alive.items():
            moves, ends = rows[state]
            over += count * ends
            for target, ways in moves:
                after[target] = after.get(target, 0) + count * ways
        alive = after
        mass.append(Fraction(over, scale))
    return Lengths(tuple(mass), Fraction(sum(alive.values()), scale))


def _explore(
    start: Iterable[S], follow: Successors[S], at_risk: Callable[[S], bool]
) -> tuple[list[S], list[Transitions], list[End]]:
    """All states that can be reached, with their rows, and the ends."""
    states = list(start)
    number = {state: index for index, state in enumerate(states)}
    ends: dict[End, int] = {}
    # Hashing fractions is slow: an end that is handed over again is known by its identity.
    same: dict[int, int] = {}
    kept: list[End] = []
    rows: list[Transitions] = []
    for state in states:
        to: dict[int, int] = {}
        over: dict[int, int] = {}
        for after, ways in follow(state):
            if isinstance(after, End):
                index = same.get(id(after))
                if index is None:
                    kept.append(after)
                    index = same[id(after)] = ends.setdefault(after, len(ends))
                over[index] = over.get(index, 0) + ways
                continue
            index = number.get(after)
            if index is None:
                index = number[after] = len(states)
                # The list grows while it is walked: that is the exploration.
                states.append(after)
            to[index] = to.get(index, 0) + ways
        assert sum(to.values()) + sum(over.values()) == SIDES
        rows.append(Transitions(tuple(to.items()), tuple(sorted(over.items())), at_risk(state)))
    return states, rows, list(ends)


def _lump(rows: list[Transitions]) -> tuple[list[int], tuple[Transitions, ...]]:
    """Join states with the same future: split groups until all members move alike."""
    group, groups = _numbered((row.ends, row.at_risk) for row in rows)
    while True:
        moves = []
        for row in rows:
            ways: dict[int, int] = {}
            for target, count in row.to:
                ways[group[target]] = ways.get(group[target], 0) + count
            moves.append(tuple(sorted(ways.items())))
        finer, found = _numbered(zip(group, moves, strict=True))
        if found == groups:
            break
        group, groups = finer, found
    lumped: dict[int, Transitions] = {}
    for old, row, to in zip(group, rows, moves, strict=True):
        lumped.setdefault(old, Transitions(to, row.ends, row.at_risk))
    return group, tuple(lumped[index] for index in range(groups))


def _numbered(keys: Iterable[Hashable]) -> tuple[list[int], int]:
    """Number keys in the order in which they first appear."""
    known: dict[Hashable, int] = {}
    return [known.setdefault(key, len(known)) for key in keys], len(known)


def _successors_first(rows: tuple[Transitions, ...]) -> Iterator[int]:
    """Depth-first, each state after those it leads to (but for loops): little is left to solve."""
    seen: set[int] = set()
    for first in range(len(rows)):
        if first in seen:
            continue
        seen.add(first)
        stack = [(first, iter(rows[first].to))]
        while stack:
            state, targets = stack[-1]
            target = next((t for t, _ in targets if t not in seen), None)
            if target is None:
                stack.pop()
                yield state
            else:
                seen.add(target)
                stack.append((target, iter(rows[target].to)))
