"""Exact sessions: the whole distribution of a session, without sampling.

A strategy that does not look at its bankroll is a banded automaton: what it does depends on the
felt, on its variables and, near ruin, on which of its bets it can still afford. Probability is
pushed over (configuration, cash) roll by roll, under the true rule that a wager the player cannot
afford is not made. This module knows sessions; the rules are in the automaton.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import gcd, log, sqrt
from typing import Any

import msgspec
import numpy as np

from boxman.dice import KINDS
from boxman.sim.forward import Flow, Ints, Moves
from boxman.strategy.api import Strategy
from boxman.strategy.bands import Banded, explore_bands
from boxman.strategy.explore import NotExplored
from boxman.strategy.session import ENDS, RUN_OUT, Session

WAYS = tuple(kind.ways for kind in KINDS)
FOREVER = 1_000_000
GIVEN_UP = 1e-13
"""A game without a limit of rolls is followed until so little, or for so many rolls, is left."""


class NotSolved(ValueError):
    """Why a session has no exact answer; the message is for people."""


def explored(strategy: Strategy, session: Session) -> Banded:
    """The banded automaton of a strategy, or why it cannot be solved."""
    if session.end == RUN_OUT:
        raise NotSolved("wagers that run out have no last roll; --end value has the same mean")
    try:
        return explore_bands(strategy, session)
    except NotExplored as error:
        raise NotSolved(str(error)) from error


class Solved(msgspec.Struct, frozen=True):
    """Everything about a session's end. Money in minor units, probabilities as floats."""

    nets: dict[int, float]
    """The probability of every final result."""
    ends: dict[str, float]
    """The probability of every way to end."""
    rolls: float
    """How many rolls a session has on average."""
    broke_by: list[float]
    """The probability of being broke before roll 1, 2, 3 and so on."""
    mass: float
    """What all probabilities add up to; its distance from one is the error."""
    configurations: int
    value: float = 0.0
    """What wagers still up are worth on average, above or below their face."""

    @property
    def mean(self) -> float:
        return sum(net * p for net, p in self.nets.items()) + self.value

    @property
    def deviation(self) -> float:
        mean = sum(net * p for net, p in self.nets.items())
        return sqrt(max(0.0, sum((net - mean) ** 2 * p for net, p in self.nets.items())))

    def at_least(self, net: int) -> float:
        """The probability of ending with at least this result."""
        return sum(p for value, p in self.nets.items() if value >= net)

    def percentile(self, share: float) -> int:
        """The least result that this share of sessions does not exceed."""
        total = 0.0
        for net in sorted(self.nets):
            total += self.nets[net]
            if total >= share:
                return net
        return max(self.nets)

    def loss_an_hour(self, rolls_per_hour: int) -> float:
        """What a session costs for each hour it lasts, on average."""
        return -self.mean / self.rolls * rolls_per_hour if self.rolls else 0.0


class _Grid(msgspec.Struct, frozen=True):
    """Cash in steps: cash = rest + step * place."""

    step: int
    rest: int

    def place(self, cash: int) -> int:
        """The first place at or above this cash."""
        return -(-(cash - self.rest) // self.step)

    def cash(self, place: int) -> int:
        return self.rest + self.step * place


class _Exits:
    """Where sessions end: moves into the row of the end, and the felt each leaves behind."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, ...]] = []
        self._landed: list[int] = []

    def add(self, span: tuple[int, int, int], end: str, change: int, ways: int, felt: int) -> None:
        self._rows.append((*span, ENDS.index(end), change, ways))
        self._landed.append(felt)

    def moves(self) -> Moves:
        return _moves(self._rows)

    def landed(self) -> Ints:
        """The felt left behind by each exit, -1 for an empty one."""
        return np.array(self._landed, np.int64)


class _Built(msgspec.Struct, frozen=True):
    """A session on the grid: its moves, its exits before and at the last roll."""

    moves: Moves
    during: _Exits
    last: _Exits
    rows: int


_NEVER = 2**60


def _moves(rows: list[tuple[int, ...]]) -> Moves:
    return Moves(*np.ascontiguousarray(np.array(rows, np.int64).reshape(-1, 6).T))


def _grid(banded: Banded, session: Session) -> _Grid:
    step = 0
    for amounts in (
        banded.pre,
        banded.edge_act,
        banded.landed_felt,
        banded.felt,
        banded.start_act,
    ):
        for amount in np.unique(amounts).tolist():
            step = gcd(step, int(amount))
    step = step or 1
    return _Grid(step, session.bankroll % step)


def _build(banded: Banded, session: Session, grid: _Grid) -> _Built:
    """Moves and exits on the grid; with a limit of shooters one layer of rows for each."""
    layers = max(1, session.shooters)
    states = len(banded.felt)
    merged: dict[tuple[int, ...], int] = {}
    during, last = _Exits(), _Exits()
    pres, felts, sevens = banded.pre.tolist(), banded.landed.tolist(), banded.seven.tolist()
    worths = (banded.pre + banded.landed_felt[banded.landed]) // grid.step
    bands = list(
        zip(
            banded.edge_least.tolist(),
            banded.edge_next.tolist(),
            banded.edge_act.tolist(),
            banded.edge_end.tolist(),
            strict=True,
        )
    )
    for state, kind, layer in product(range(states), range(len(WAYS)), range(layers)):
        ways, row = WAYS[kind], layer * states + state
        pre, felt, worth = pres[state][kind], felts[state][kind], int(worths[state, kind])
        last.add((row, 0, _NEVER), "rolls", worth, ways, felt)
        after = layer + int(session.shooters > 0 and sevens[state][kind])
        if after >= layers:
            during.add((row, 0, _NEVER), "shooters", worth, ways, felt)
            continue
        least, most = _stops(session, grid, worth)
        if most < _NEVER:
            during.add((row, most + 1, _NEVER), "win", worth, ways, felt)
        if least > 0:
            during.add((row, 0, min(least - 1, most)), "loss", worth, ways, felt)
        above = most
        begins = banded.edge_first[state, kind]
        for least_cash, target, act, ending in bands[
            begins : begins + banded.edge_many[state, kind]
        ]:
            begin = max(0, grid.place(least_cash - pre))
            first, end = max(begin, least), above
            above = min(above, begin - 1)
            if first > end:
                continue
            change = (pre + act) // grid.step
            if ending >= 0:
                up = int(banded.felt[target]) // grid.step if target >= 0 else 0
                during.add((row, first, end), ENDS[ending], change + up, ways, -1)
                continue
            move = (row, first, end, after * states + target, change)
            merged[move] = merged.get(move, 0) + ways
    moves = _moves([(*move, ways) for move, ways in merged.items()])
    return _Built(moves, during, last, layers * states)


def _stops(session: Session, grid: _Grid, worth: int) -> tuple[int, int]:
    """The first and the last place from which a session goes on, by its stops."""
    least, most = 0, _NEVER
    if session.stop_win:
        most = grid.place(session.bankroll + session.stop_win) - worth - 1
    if session.stop_loss:
        least = max(0, grid.place(session.bankroll - session.stop_loss + 1) - worth)
    return least, most


class Course(msgspec.Struct, frozen=True):
    """A session pushed to its end."""

    ended: Any
    """Probability by end and place of the final worth."""
    grid: _Grid
    rolls: Any
    broke_by: list[Any]
    left: Any
    """Probability still in play when it was given up."""
    felts: dict[int, float]
    """How likely each felt is left behind with wagers up."""


def _course(banded: Banded, session: Session, *, exact: bool, ever: bool) -> Course:
    grid = _grid(banded, session)
    built = _build(banded, session, grid)
    limit = FOREVER if ever else session.rolls
    flow = Flow(built.rows, built.moves, rolls=min(limit, 10_000), exact=exact)
    during, last = flow.ready(built.during.moves()), flow.ready(built.last.moves())
    ended: Any = np.zeros((len(ENDS), 1), object if exact else np.float64)
    broke, one = ENDS.index("broke"), Fraction(1) if exact else 1.0
    edge = next(e for e, least in enumerate(banded.start_least) if session.bankroll >= least)
    place = grid.place(session.bankroll + int(banded.start_act[edge]))
    if banded.start_end[edge] >= 0:
        ended = np.zeros((len(ENDS), place + 1), ended.dtype)
        ended[banded.start_end[edge], place] = one
    else:
        flow.put(int(banded.start_next[edge]), place, one)
    rolls: Any = 0
    felts: dict[int, float] = {}
    broke_by = [ended[broke].sum()]
    for number in range(1, limit + 1):
        live = flow.mass
        if not live or (ever and live < GIVEN_UP):
            break
        rolls += live
        exits, felt = (last, built.last) if number == limit else (during, built.during)
        ended = flow.leave(exits, ended)
        if session.end == "value":
            for index, mass in zip(felt.landed(), flow.through(exits), strict=True):
                if mass and index >= 0:
                    felts[int(index)] = felts.get(int(index), 0.0) + float(mass)
        if number == limit:
            return Course(ended, grid, rolls, broke_by, 0, felts)
        flow.step()
        broke_by.append(ended[broke].sum())
    return Course(ended, grid, rolls, broke_by, flow.mass, felts)


def solve(banded: Banded, session: Session, *, ever: bool = False) -> Solved:
    """The session's distribution. `ever` leaves out the limit of rolls.

    Without that limit something else must end it: a stop-win, or a number of shooters; a game with
    an edge against the player also ends when he is broke.
    """
    course = _course(banded, session, exact=False, ever=ever)
    sums = course.ended.sum(axis=0)
    nets = {
        course.grid.cash(place) - session.bankroll: float(sums[place])
        for place in np.flatnonzero(sums).tolist()
    }
    return Solved(
        nets=nets,
        ends={end: float(course.ended[row].sum()) for row, end in enumerate(ENDS)},
        rolls=float(course.rolls),
        broke_by=[float(chance) for chance in course.broke_by],
        mass=float(sums.sum()) + float(course.left),
        configurations=len(banded.felt),
        value=sum(float(banded.value(felt)) * mass for felt, mass in course.felts.items()),
    )


def solve_in_fractions(banded: Banded, session: Session) -> dict[int, Fraction]:
    """The probability of every net as a fraction; for short sessions, it is slow."""
    course = _course(banded, session, exact=True, ever=False)
    sums = course.ended.sum(axis=0)
    places = [place for place in range(len(sums)) if sums[place]]
    return {course.grid.cash(p) - session.bankroll: Fraction(sums[p]) for p in places}


def bankroll_for(
    banded: Banded, session: Session, survival: float = 0.95, most: int = 10**8
) -> int | None:
    """The least bankroll, in whole chips of the table, that lasts with this probability."""
    aim = log(1 - survival)

    def fate(chips: int) -> float:
        """The logarithm of the chance to go broke, less the one aimed at; falls with chips."""
        given = msgspec.structs.replace(session, bankroll=chips * session.chip)
        broke = solve(banded, given).ends["broke"]
        return log(max(broke, 1e-300)) - aim

    low, high = 0, max(1, session.bankroll // session.chip)
    above, below = -aim, fate(high)
    while below > 0:
        if high * session.chip > most:
            return None
        low, above, high = high, below, high * 2
        below = fate(high)
    bisect = False
    while high - low > 1:
        # The logarithm is nearly straight: a line hits close, a half now and then makes it sure.
        reach = above / (above - below) if above > below else 0.5
        guess = (low + high) // 2 if bisect else low + round((high - low) * reach)
        guess = min(max(guess, low + 1), high - 1)
        chance = fate(guess)
        shrunk = high - low
        if chance > 0:
            low, above = guess, chance
        else:
            high, below = guess, chance
        bisect = 2 * (high - low) > shrunk
    return high * session.chip
