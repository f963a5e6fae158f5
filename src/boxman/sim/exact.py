"""Exact sessions: the whole distribution of a session, without sampling.

A strategy that does not look at its bankroll is an automaton: what it does depends on the
felt, on its variables and, near ruin, on which of its bets it can still afford. Probability is
pushed over (configuration, cash) roll by roll, under the true rule that a wager the player cannot
afford is not made. This module knows sessions; the rules are in the automaton.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import gcd, log, sqrt
from typing import Any

import msgspec
import numpy as np

from boxman.sim.backward import chances
from boxman.sim.executors.run_out import RunOut, explore_run_out
from boxman.sim.forward import Edges, Flow
from boxman.strategy.api import Strategy
from boxman.strategy.automaton import Automaton, explore
from boxman.strategy.ends import ENDS, RUN_OUT_ROLLS
from boxman.strategy.felt import NotExplored
from boxman.strategy.library.taking import check_taken
from boxman.strategy.session import FACE, RUN_OUT, VALUE, Session
from boxman.words import phrase

STATES, RULINGS = 50_000, 2_400_000
"""Whoever asks for the exact answer waits longer for it than a simulation would."""
FOREVER = 1_000_000
GIVEN_UP = 1e-13
"""A game without a limit of rolls is followed until so little, or for so many rolls, is left."""


class NotSolved(ValueError):
    """Why a session has no exact answer; the message is for people."""


def explored(strategy: Strategy, session: Session, rulings: int = RULINGS) -> Automaton:
    """The whole automaton of a strategy, or why it cannot be solved."""
    check_taken(strategy, session)
    try:
        found = explore(strategy, session, STATES, rulings)
    except NotExplored as error:
        raise NotSolved(str(error)) from error
    if found.unknown:
        raise NotSolved(found.unknown)
    return found


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

    def _repr_html_(self) -> str:
        from boxman.chips import format_amount as money
        from boxman.report.page import notebook
        from boxman.report.parts import Facts

        low, middle, high = (money(self.percentile(share)) for share in (0.05, 0.5, 0.95))
        rows = [
            (phrase("sim.rows.mean"), f"{self.mean / 100:,.4f}"),
            (phrase("sim.rows.deviation"), f"{self.deviation / 100:,.4f}"),
            (phrase("sim.rows.spread"), f"{low} / {middle} / {high}"),
            (phrase("sim.rows.ahead"), f"{self.at_least(1):.6%}"),
            *(
                (phrase(f"sim.ended.{end}"), f"{chance:.6%}")
                for end, chance in self.ends.items()
                if chance
            ),
            (phrase("sim.rows.rolls"), f"{self.rolls:,.3f}"),
            (phrase("sim.rows.states"), f"{self.configurations:,}"),
        ]
        return notebook(phrase("sim.rows.exactly"), Facts(rows))

    def loss_an_hour(self, rolls_per_hour: int) -> float:
        """What a session costs for each hour it lasts, on average."""
        return 0.0 - self.mean / self.rolls * rolls_per_hour if self.rolls else 0.0


class _Grid(msgspec.Struct, frozen=True):
    """Cash in steps: cash = rest + step * place. Nobody comes to a place below 0."""

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
        """The felt left behind by each exit, -1 where nothing was up before the roll."""

    def add(self, span: tuple[int, int, int], end: str, change: int, ways: int, felt: int) -> None:
        self._rows.append((*span, ENDS.index(end), change, ways))
        self._landed.append(felt)

    def moves(self) -> Edges:
        return _moves(self._rows)

    def only(self, end: str) -> Edges:
        """The exits that end so."""
        return _moves([row for row in self._rows if row[3] == ENDS.index(end)])

    def with_wagers(self, felts: Any) -> tuple[Edges, list[int]]:
        """Only the exits that leave wagers up, and the felt of each."""
        kept = [n for n, felt in enumerate(self._landed) if felt >= 0 and felts[felt].wagers]
        return _moves([self._rows[n] for n in kept]), [self._landed[n] for n in kept]

    def run_out(self, table: RunOut, step: int) -> Edges:
        """The same exits into row 0 with all decided, or into the rows of what is still up."""
        rows = []
        for (*span, _, change, ways), felt in zip(self._rows, self._landed, strict=True):
            up = int(table.start[felt]) if felt >= 0 else -1
            rail = change - int(table.felt[up]) // step if up >= 0 else change
            rows.append((*span, up + 1, rail, ways))
        return _moves(rows)


class _Built(msgspec.Struct, frozen=True):
    """A session on the grid: its moves, its exits before and at the last roll."""

    moves: Edges
    during: _Exits
    last: _Exits
    rows: int


_NEVER = 2**60


def _moves(rows: Sequence[Sequence[int]]) -> Edges:
    return Edges(*np.ascontiguousarray(np.array(rows, np.int64).reshape(-1, 6).T))


def _grid(automaton: Automaton, session: Session, table: RunOut | None, rolls: int) -> _Grid:
    """Steps that hold all amounts, from an empty rail or the least this session can come to."""
    step = 0
    down = automaton.down()[:, :2] if session.takes_down else ()
    for amounts in (
        down,
        *(automaton.pre, automaton.edge_act, automaton.landed_felt),
        *(automaton.felt, automaton.start_act),
        *((table.cash, table.felt) if table else ()),
    ):
        for amount in np.unique(amounts).tolist():
            step = gcd(step, int(amount))
    step = step or 1
    first, later = (int(acts.min(initial=0)) for acts in (automaton.start_act, automaton.edge_act))
    least = session.bankroll + first + rolls * (later + int(automaton.pre.min(initial=0)))
    return _Grid(step, session.bankroll % step + max(0, least) // step * step)


def _build(automaton: Automaton, session: Session, grid: _Grid) -> _Built:
    """Moves and exits on the grid; with a limit of shooters one layer of rows for each."""
    layers = max(1, session.shooters)
    states = len(automaton.felt)
    merged: dict[tuple[int, ...], int] = {}
    during, last = _Exits(), _Exits()
    pres, felts, sevens = (
        automaton.pre.tolist(),
        automaton.landed.tolist(),
        automaton.seven.tolist(),
    )
    worths = (automaton.pre + automaton.landed_felt[automaton.landed]) // grid.step
    down = automaton.down() if session.takes_down else None
    bands = list(
        zip(
            automaton.edge_least.tolist(),
            automaton.edge_next.tolist(),
            automaton.edge_act.tolist(),
            automaton.edge_end.tolist(),
            strict=True,
        )
    )
    by_kind = [kind.ways for kind in automaton.rolls.kinds]
    for state, kind, layer in product(range(states), range(len(by_kind)), range(layers)):
        ways, row = by_kind[kind], layer * states + state
        pre, felt, worth = pres[state][kind], felts[state][kind], int(worths[state, kind])
        last.add((row, 0, _NEVER), "rolls", worth, ways, felt)
        after = layer + int(session.shooters > 0 and sevens[state][kind])
        if after >= layers:
            during.add((row, 0, _NEVER), "shooters", worth, ways, felt)
            continue
        gained, up, left = (worth, 0, felt) if down is None else down[felt].tolist()
        if down is not None:
            gained, up = (pre + gained) // grid.step, up // grid.step
        least, most = _stops(session, grid, worth, gained)
        if most < _NEVER:
            during.add((row, most + 1, _NEVER), "win", gained + up, ways, left)
        if least > 0:
            during.add((row, 0, min(least - 1, most)), "loss", worth, ways, felt)
        above = most
        begins = automaton.edge_first[state, kind]
        for least_cash, target, act, ending in bands[
            begins : begins + automaton.edge_many[state, kind]
        ]:
            begin = max(0, grid.place(least_cash - pre))
            first, end = max(begin, least), above
            above = min(above, begin - 1)
            if first > end:
                continue
            change = (pre + act) // grid.step
            if ending >= 0:
                up = int(automaton.felt[target]) // grid.step if target >= 0 else 0
                at = automaton.state(target)[0].index if target >= 0 else -1
                during.add((row, first, end), ENDS[ending], change + up, ways, at)
                continue
            move = (row, first, end, after * states + target, change)
            merged[move] = merged.get(move, 0) + ways
    moves = _moves([(*move, ways) for move, ways in merged.items()])
    return _Built(moves, during, last, layers * states)


def _stops(session: Session, grid: _Grid, worth: int, gained: int) -> tuple[int, int]:
    """The first and the last place from which a session goes on, by its stops.

    `worth` is what a roll adds to the cash at face, `gained` as a stop-win is counted.
    """
    least, most = 0, _NEVER
    if session.stop_win:
        most = grid.place(session.bankroll + session.stop_win) - gained - 1
    if session.stop_loss:
        least = max(0, grid.place(session.bankroll - session.stop_loss + 1) - worth)
    return least, most


class Course(msgspec.Struct, frozen=True):
    """A session pushed to its end."""

    ended: Any
    """Probability by end and place of the final worth, wagers still up at face."""
    decided: Any
    """Probability by place of the final worth as the session counts it."""
    grid: _Grid
    rolls: Any
    broke_by: list[Any]
    left: Any
    """Probability still in play when it was given up."""
    felts: dict[int, float]
    """How likely each felt is left behind with wagers up, where their value is wanted."""


class _Leaving:
    """What is noted of the sessions that end at one roll."""

    def __init__(self, flow: Flow, exits: _Exits, course: _Way) -> None:
        self.exits = flow.ready(exits.moves())
        self.up, self.felts = flow.ready(_moves([])), list[int]()
        if course.session.end == VALUE:
            moves, self.felts = exits.with_wagers(course.automaton.explorer.felts.all)
            self.up = flow.ready(moves)
        self.out = None
        if course.table is not None:
            self.out = flow.ready(exits.run_out(course.table, course.grid.step))


class _Way(msgspec.Struct, frozen=True):
    """What a session is pushed along."""

    automaton: Automaton
    session: Session
    grid: _Grid
    table: RunOut | None


def _left(automaton: Automaton, session: Session) -> RunOut | None:
    """What becomes of wagers still up, where they are run out."""
    if session.end != RUN_OUT:
        return None
    halted = [felt.index for felt, _ in automaton.explorer.states if felt.wagers and not felt.ready]
    landed = np.concatenate([automaton.landed.ravel(), np.array(halted, np.int64)])
    if session.takes_down:
        landed = np.append(landed, automaton.down()[:, 2])
    return explore_run_out(automaton.explorer.felts, landed)


def _course(automaton: Automaton, session: Session, *, exact: bool, ever: bool) -> Course:
    table = _left(automaton, session)
    limit = FOREVER if ever else session.rolls
    grid = _grid(automaton, session, table, limit)
    way = _Way(automaton, session, grid, table)
    built = _build(automaton, session, grid)
    flow = Flow(built.rows, built.moves, rolls=min(limit, 10_000), exact=exact)
    during, last = _Leaving(flow, built.during, way), _Leaving(flow, built.last, way)
    kind = object if exact else np.float64
    ended: Any = np.zeros((len(ENDS), 1), kind)
    out: Any = np.zeros((1 + len(table.felt) if table else 1, 1), kind)
    broke, one = ENDS.index("broke"), Fraction(1) if exact else 1.0
    felts: dict[int, float] = {}
    edge = next(e for e, least in enumerate(automaton.start_least) if session.bankroll >= least)
    place = grid.place(session.bankroll + int(automaton.start_act[edge]))
    if automaton.start_end[edge] >= 0:
        # Nobody throws, ever: what was put down lies there.
        up = int(automaton.start_next[edge])
        if up >= 0:
            place += int(automaton.felt[up]) // grid.step
            felts = {automaton.state(up)[0].index: 1.0} if session.end == VALUE else {}
        ended = np.zeros((len(ENDS), place + 1), kind)
        ended[automaton.start_end[edge], place] = one
        out = ended.sum(axis=0, keepdims=True)
    else:
        flow.put(int(automaton.start_next[edge]), place, one)
    rolls: Any = 0
    broke_by = [ended[broke].sum()]
    for number in range(1, limit + 1):
        live = flow.mass
        if not live or (ever and live < GIVEN_UP):
            break
        rolls += live
        leaving = last if number == limit else during
        ended = flow.leave(leaving.exits, ended)
        for felt, mass in zip(leaving.felts, flow.through(leaving.up), strict=True):
            felts[felt] = felts.get(felt, 0.0) + float(mass)
        if leaving.out is not None:
            out = flow.leave(leaving.out, out)
        if number < limit:
            flow.step()
            broke_by.append(ended[broke].sum())
    else:
        flow.mass = 0
    decided = _run_out(table, out, grid.step) if table else ended.sum(axis=0)
    return Course(ended, decided, grid, rolls, broke_by, flow.mass, felts)


def _run_out(table: RunOut, out: Any, step: int) -> Any:
    """Everything decided: row 0 holds what is, the others what is still up, by what is left."""
    ways: list[tuple[int, ...]] = []
    over: list[tuple[int, ...]] = []
    undecided = []
    for row in range(len(table.felt)):
        undecided.append((row, 0, _NEVER, 0, int(table.felt[row]) // step, 36))
        for kind, weight in enumerate(np.bincount(table.kind).tolist()):
            place = row * table.kinds + kind
            change, following = int(table.cash[place]) // step, int(table.following[place])
            moved = (row, 0, _NEVER, max(following, 0), change, weight)
            (ways if following >= 0 else over).append(moved)
    flow = Flow(len(table.felt), _moves(ways), rolls=RUN_OUT_ROLLS)
    for row, place in zip(*(each.tolist() for each in np.nonzero(out[1:])), strict=True):
        flow.put(row, place, out[1 + row, place])
    decided = out[:1]
    exits = flow.ready(_moves(over))
    for _ in range(RUN_OUT_ROLLS):
        if not flow.mass:
            break
        decided = flow.leave(exits, decided)
        flow.step()
    return flow.leave(flow.ready(_moves(undecided)), decided)[0]


def solve(automaton: Automaton, session: Session, *, ever: bool = False) -> Solved:
    """The session's distribution. `ever` leaves out the limit of rolls.

    Without that limit something else must end it: a stop-win, or a number of shooters; a game with
    an edge against the player also ends when he is broke.
    """
    course = _course(automaton, session, exact=False, ever=ever)
    sums = course.decided
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
        configurations=len(automaton.felt),
        value=sum(float(automaton.value(felt)) * mass for felt, mass in course.felts.items()),
    )


def solve_in_fractions(automaton: Automaton, session: Session) -> dict[int, Fraction]:
    """The probability of every net as a fraction, wagers still up at face.

    For short sessions: it is slow.
    """
    played = msgspec.structs.replace(session, end=FACE)
    course = _course(automaton, played, exact=True, ever=False)
    sums = course.decided
    places = [place for place in range(len(sums)) if sums[place]]
    return {course.grid.cash(p) - session.bankroll: Fraction(sums[p]) for p in places}


def bankroll_for(
    automaton: Automaton, session: Session, survival: float = 0.95, most: int = 10**8
) -> int | None:
    """The least bankroll, in whole chips, such that it and every larger one lasts so likely.

    Not simply the least that does: whoever cannot afford the odds may last longer than somebody
    who can. A stop-win or a stop-loss moves with the bankroll; then it is searched for, in the
    belief that more money is not ruined sooner.
    """
    if session.stop_win or session.stop_loss:
        return _searched(automaton, session, survival, most)
    ruin = ruin_by_bankroll(automaton, session)
    short = np.flatnonzero(ruin > 1 - survival)
    if not len(short):
        return session.chip
    needed = (int(short[-1]) + 2) * session.chip
    return needed if needed <= most else None


def ruin_by_bankroll(automaton: Automaton, session: Session) -> Any:
    """How likely a session goes broke with one chip, two, three and so on; with more, never.

    Without stops, which are counted from the bankroll.
    """
    poorest = msgspec.structs.replace(session, bankroll=session.chip, stop_win=0, stop_loss=0)
    grid = _grid(automaton, poorest, None, FOREVER)
    built = _build(automaton, poorest, _Grid(grid.step, 0))
    rows = chances(built.rows, built.moves, built.during.only("broke"), session.rolls - 1)
    top = grid.step * rows.shape[1] - int(automaton.start_act.min(initial=0))
    top = max(top, int(automaton.start_least.max()))
    bankrolls = np.arange(session.chip, top + session.chip, session.chip)
    edge = np.argmax(bankrolls[:, None] >= automaton.start_least, axis=1)
    target, places = automaton.start_next[edge], (bankrolls + automaton.start_act[edge])
    places = np.minimum(places // grid.step, rows.shape[1])
    padded = np.pad(rows, ((0, 0), (0, 1)))
    ended = automaton.start_end[edge]
    return np.where(ended >= 0, ended == ENDS.index("broke"), padded[target, places])


def _searched(automaton: Automaton, session: Session, survival: float, most: int) -> int | None:
    aim = log(1 - survival)

    def fate(chips: int) -> float:
        """The logarithm of the chance to go broke, less the one aimed at; falls with chips."""
        given = msgspec.structs.replace(session, bankroll=chips * session.chip, end=FACE)
        broke = solve(automaton, given).ends["broke"]
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
