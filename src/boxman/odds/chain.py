"""A chain of states driven by two dice, solved exactly.

A chain is explored from its starting states; states that have the same future are joined into one;
what is left is eliminated state by state in fractions. Lengths are whole numbers of roll sequences
over powers of 36. This module knows the 36 rolls and nothing of wagers, houses or money: an end is
whatever its maker says it is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from boxman.dice import ROLLS

SIDES = len(ROLLS)
LISTED = 200
"""Lengths up to this one are listed; the rest is the tail."""


class End(NamedTuple):
    """How a wager can be over, in units of the stake it was made with."""

    net: Fraction
    staked: Fraction = Fraction(1)
    """All that was put down by then, without commission."""
    returned: bool = False
    """Handed back undecided, because it slept while what it stood behind was decided."""


class Row(NamedTuple):
    """What the 36 rolls do in one state: ways to each other state, ways to each end."""

    to: dict[int, int]
    ends: dict[End, int]
    at_risk: bool


Follow = Callable[[Any], Iterable[tuple[Hashable, int]]]
"""From a state to pairs of (next state or End, ways); the ways of a state sum to 36."""
Values = dict[Any, Fraction]

ROLLED, AT_RISK, NET = "rolls", "rolls at risk", "net"
"""Expectations that are solved along with the probabilities of the ends."""


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
            raise ValueError(f"only lengths up to {len(self.mass)} are listed")
        return sum(self.mass[max(n - 1, 0) :], self.tail)

    def quantile(self, share: Fraction) -> int:
        """The least n with P(L <= n) of at least this share; 0 if it lies in the tail."""
        reached = Fraction(0)
        for n, mass in enumerate(self.mass, 1):
            reached += mass
            if reached >= share:
                return n
        return 0


class Chain:
    """States from which every game ends sooner or later."""

    def __init__(
        self,
        start: Mapping[Hashable, int],
        follow: Follow,
        at_risk: Callable[[Any], bool] = lambda state: True,
    ) -> None:
        states, rows = _explore(start, follow, at_risk)
        group, self.rows = _lump(rows)
        self.size = len(states)
        """How many states were found, before those with the same future were joined."""
        self.of = {state: group[index] for index, state in enumerate(states)}
        self.start: dict[int, int] = {}
        for state, weight in start.items():
            self.start[self.of[state]] = self.start.get(self.of[state], 0) + weight

    def averaged(self, values: list[Values], start: Mapping[Hashable, int] | None = None) -> Values:
        """Values at the start, averaged over the starting states by their weights."""
        weights = {self.of[s]: 0 for s in start} if start else self.start
        for state, weight in (start or {}).items():
            weights[self.of[state]] += weight
        if len(weights) == 1:
            return values[next(iter(weights))]
        whole = sum(weights.values())
        total: Values = {}
        for index, weight in weights.items():
            for key, value in values[index].items():
                total[key] = total.get(key, Fraction(0)) + value * Fraction(weight, whole)
        return total

    @cached_property
    def values(self) -> list[Values]:
        """For every state: the probability of each end, and the expectations."""
        return self._solve(_first_moments)

    @cached_property
    def squares(self) -> list[Values]:
        """For every state: the expected square of the number of rolls."""
        # L = 1 + L', so E L^2 = 2 E L - 1 + E L'^2.
        return self._solve(lambda s, row: {ROLLED: SIDES * (2 * self.values[s][ROLLED] - 1)})

    def _solve(self, constant: Callable[[int, Row], Values]) -> list[Values]:
        """Solve h = c + P h, with c given in 36ths, by eliminating states successors first."""
        order = list(_successors_first(self.rows, self.start))
        place = {state: n for n, state in enumerate(order)}
        solved: dict[int, Values] = {}
        """Each value in terms of ends and of states that are eliminated later."""
        for state in order:
            row = self.rows[state]
            left = constant(state, row)
            pending: dict[int, Fraction | int] = dict(row.to)
            self_ways: Fraction | int = 0
            while pending:
                target = min(pending, key=place.__getitem__)
                ways = pending.pop(target)
                if target == state:
                    self_ways += ways
                elif target in solved:
                    for key, value in solved[target].items():
                        if isinstance(key, int):
                            pending[key] = pending.get(key, 0) + ways * value
                        else:
                            left[key] = left.get(key, 0) + ways * value
                else:
                    left[target] = left.get(target, Fraction(0)) + ways
            scale = 1 / Fraction(SIDES - self_ways)
            solved[state] = {key: value * scale for key, value in left.items()}
        for state in reversed(order):
            for target in [key for key in solved[state] if isinstance(key, int)]:
                ways = solved[state].pop(target)
                for key, value in solved[target].items():
                    solved[state][key] = solved[state].get(key, Fraction(0)) + ways * value
        return [solved[state] for state in range(len(self.rows))]

    def lengths(self, listed: int = LISTED) -> Lengths:
        """P(L = n) for n up to `listed`, and the exact tail, from the starting states."""
        whole = sum(self.start.values())
        mass = []
        scale = whole
        for counts, _ in self._rolled(listed):
            scale *= SIDES
            mass.append(Fraction(sum(counts.values()), scale))
        return Lengths(tuple(mass), 1 - sum(mass, Fraction(0)))

    def within(self, rolls: int) -> dict[End, Fraction]:
        """The probability of each end within so many rolls."""
        found: dict[End, Fraction] = {}
        scale = sum(self.start.values())
        for counts, _ in self._rolled(rolls):
            scale *= SIDES
            for end, ways in counts.items():
                found[end] = found.get(end, Fraction(0)) + Fraction(ways, scale)
        return found

    def _rolled(self, rolls: int) -> Iterator[tuple[dict[End, int], dict[int, int]]]:
        """Roll by roll: sequences that reach each end now, and those still under way."""
        alive = dict(self.start)
        for _ in range(rolls):
            ends: dict[End, int] = {}
            after: dict[int, int] = {}
            for state, count in alive.items():
                row = self.rows[state]
                for end, ways in row.ends.items():
                    ends[end] = ends.get(end, 0) + count * ways
                for target, ways in row.to.items():
                    after[target] = after.get(target, 0) + count * ways
            alive = after
            yield ends, alive


def _first_moments(state: int, row: Row) -> Values:
    values: Values = {end: Fraction(ways) for end, ways in row.ends.items()}
    values[ROLLED] = Fraction(SIDES)
    values[AT_RISK] = Fraction(SIDES if row.at_risk else 0)
    values[NET] = sum((ways * end.net for end, ways in row.ends.items()), Fraction(0))
    return values


def _explore(
    start: Iterable[Hashable], follow: Follow, at_risk: Callable[[Any], bool]
) -> tuple[list[Hashable], list[Row]]:
    """All states that can be reached, with their rows."""
    states = list(start)
    number = {state: index for index, state in enumerate(states)}
    rows: list[Row] = []
    for state in states:
        row = Row({}, {}, at_risk(state))
        for after, ways in follow(state):
            if isinstance(after, End):
                row.ends[after] = row.ends.get(after, 0) + ways
                continue
            index = number.get(after)
            if index is None:
                index = number[after] = len(states)
                # The list grows while it is walked: that is the exploration.
                states.append(after)
            row.to[index] = row.to.get(index, 0) + ways
        assert sum(row.to.values()) + sum(row.ends.values()) == SIDES
        rows.append(row)
    return states, rows


def _lump(rows: list[Row]) -> tuple[list[int], list[Row]]:
    """Join states with the same future: split groups until all members move alike."""
    group, groups = _numbered((frozenset(row.ends.items()), row.at_risk) for row in rows)
    while True:
        moves = []
        for row in rows:
            ways: dict[int, int] = {}
            for target, count in row.to.items():
                ways[group[target]] = ways.get(group[target], 0) + count
            moves.append(ways)
        finer, count = _numbered(
            (old, frozenset(ways.items())) for old, ways in zip(group, moves, strict=True)
        )
        if count == groups:
            break
        group, groups = finer, count
    lumped: dict[int, Row] = {}
    for old, row, ways in zip(group, rows, moves, strict=True):
        lumped.setdefault(old, Row(ways, row.ends, row.at_risk))
    return group, [lumped[index] for index in range(groups)]


def _numbered(keys: Iterable[Hashable]) -> tuple[list[int], int]:
    """Number keys in the order in which they first appear."""
    known: dict[Hashable, int] = {}
    return [known.setdefault(key, len(known)) for key in keys], len(known)


def _successors_first(rows: list[Row], start: Iterable[int]) -> Iterator[int]:
    """Depth-first, each state after those it leads to (but for loops): little is left to solve."""
    seen: set[int] = set()
    for first in start:
        if first in seen:
            continue
        seen.add(first)
        stack = [(first, iter(rows[first].to))]
        while stack:
            state, targets = stack[-1]
            target = next((t for t in targets if t not in seen), None)
            if target is None:
                stack.pop()
                yield state
            else:
                seen.add(target)
                stack.append((target, iter(rows[target].to)))
