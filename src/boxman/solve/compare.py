"""The library's strategies for the same goal, each explored and solved, beside best play.

A strategy of the library is an automaton (strategy/automaton.py); the chance that it brings a
bankroll to the goal is followed over all its states and rails, with the goal counted as best play's
is: on the rail, everything down that may be taken down; or with so much at risk at every roll. Its
unit is raised to what the table and the goal ask for.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from boxman.chips import MINOR
from boxman.sim.executors.tables import build
from boxman.sim.lanes import Ints
from boxman.sim.samples import expected
from boxman.solve.goals import Goal, Hourly, Last, NotSolvable, Reach
from boxman.solve.kernels import Places, Reals, fast
from boxman.strategy.api import Strategy, StrategyError
from boxman.strategy.automaton import Automaton, explore
from boxman.strategy.felt import Felts
from boxman.strategy.library.catalogue import ENTRIES, CatalogueEntry
from boxman.strategy.session import Session
from boxman.strategy.spots import INDEX, SPOTS
from boxman.table.markers import works
from boxman.words import phrase

if TYPE_CHECKING:
    from boxman.solve.answer import Answer

STATES, RULINGS, SWEPT = 500, 20_000, 60_000_000
"""What is spent on one strategy, at most: states, rulings, and states with rails that are swept."""
SETTLED = 1e-12
NEVER = 2**62
LONG = 10_000
"""Rolls after which one hour is like any other."""


class LibraryChance(NamedTuple):
    """A strategy of the library, and its chance of the same goal; for the hour, its loss."""

    name: str
    value: float
    beyond: tuple[str, ...]
    """Wagers it makes that are not on the menu."""


def along(
    value: Reals,
    new: Reals,
    pre: Ints,
    won: Ints,
    first: Places,
    many: Places,
    least: Ints,
    following: Places,
    act: Ints,
    ends: NDArray[np.int8],
    ways: Reals,
    rest: int,
    step: int,
) -> float:
    """One sweep over all states and rails of an automaton; the largest change. Compiled."""
    moved = 0.0
    width = value.shape[1]
    for state in range(value.shape[0]):
        for place in range(width):
            got = 0.0
            for kind in range(len(ways)):
                cash = rest + step * place + pre[state, kind]
                if cash >= won[state, kind]:
                    got += ways[kind]
                    continue
                begin = first[state, kind]
                for edge in range(begin, begin + many[state, kind]):
                    if cash >= least[edge]:
                        if ends[edge] < 0:
                            to = min((cash + act[edge] - rest) // step, width - 1)
                            got += ways[kind] * value[following[edge], to]
                        break
            moved = max(moved, abs(got - new[state, place]))
            new[state, place] = got
    return moved


def chance_of(
    strategy: Strategy,
    session: Session,
    goal: Goal,
    states: int = STATES,
    swept: int = SWEPT,
    felts: Felts | None = None,
) -> tuple[float, Automaton]:
    """The chance that a strategy meets the goal; NotSolvable where that is too much."""
    automaton = explore(strategy, session, states, RULINGS, felts)
    if automaton.unknown:
        raise NotSolvable(automaton.unknown)
    return _chance(automaton, session, goal, swept), automaton


def _chance(automaton: Automaton, session: Session, goal: Goal, swept: int) -> float:
    idle = _short_of(automaton, getattr(goal, "risk", 0))
    if isinstance(goal, Hourly):
        return _hourly(automaton, session, goal, idle)
    assert isinstance(goal, Reach | Last)
    backs = automaton.down()[:, 0]
    amounts = {
        int(each)
        for array in (automaton.pre, automaton.edge_act, automaton.start_act)
        for each in np.unique(array)
    }
    step = gcd(*amounts) or session.chip
    rest = session.bankroll % step
    if isinstance(goal, Reach):
        won = goal.target - backs[automaton.landed]
        # A rail that has not reached the goal, with nothing up, is below it.
        highest = goal.target + int(max(0, automaton.felt.max(initial=0)))
    else:
        won = np.full(automaton.landed.shape, NEVER)
        # With this much for every roll all last, so that more is the same.
        highest = (goal.rolls + 1) * -int(automaton.edge_act.min(initial=0))
        highest = max(highest, session.bankroll) + int(automaton.edge_least.max(initial=0))
    value = np.zeros((automaton.states, -(-highest // step) + 1))
    if isinstance(goal, Last):
        value[~idle] = 1.0
    if value.size > 20_000_000:
        raise NotSolvable(phrase("solve.wrong.too-many", number=f"{value.size:,}"))
    sweep = fast(along)
    ways = np.array([kind.ways for kind in automaton.rolls.kinds]) / 36
    arrays = (
        *(automaton.pre, won, automaton.edge_first, automaton.edge_many),
        *(automaton.edge_least, automaton.edge_next, automaton.edge_act, automaton.edge_end),
        *(ways, rest, step),
    )
    # Nobody bets after the last roll, so that whoever comes to it with enough at risk has lasted.
    sweeps = 1 if isinstance(goal, Last) else 0
    while sweeps < (goal.rolls or 1_000_000):
        new = value.copy() if goal.rolls else value
        moved = sweep(value, new, *arrays)
        new[idle] = 0.0
        value = new
        sweeps += 1
        if not goal.rolls and moved < SETTLED:
            break
        if sweeps * value.size > swept:
            raise NotSolvable(phrase("solve.wrong.too-slow", number=f"{value.size:,}"))
    return _at_start(automaton, session.bankroll, value, step)


def _at_start(automaton: Automaton, bankroll: int, value: NDArray[np.float64], step: int) -> float:
    """The value of what is done first with this much."""
    for edge, least in enumerate(automaton.start_least.tolist()):
        if bankroll >= least:
            if automaton.start_end[edge] >= 0:
                return 0.0
            place = (bankroll + int(automaton.start_act[edge]) - bankroll % step) // step
            return float(value[int(automaton.start_next[edge]), place])
    return 0.0


def _short_of(automaton: Automaton, risk: int) -> NDArray[np.bool_]:
    """By state, whether less than this is at risk at its roll."""
    spots = automaton.explorer.felts.layout.spots
    felts = [felt for felt, _ in automaton.explorer.states]
    at_risk = [
        sum(w.stake for w in felt.wagers.values() if works(spots[w.spot], w, felt.puck))
        for felt in felts
    ]
    return np.array(at_risk) < risk


def _hourly(automaton: Automaton, session: Session, goal: Hourly, idle: NDArray[np.bool_]) -> float:
    """The loss an hour of a strategy whose money never ends."""
    if idle[: automaton.deep].any():
        raise NotSolvable(phrase("solve.wrong.less-at-risk"))
    tables = build(automaton, session)
    nets = []
    for rolls in (LONG, 2 * LONG):
        mean = expected(msgspec.structs.replace(tables, rolls=rolls))
        if mean is None:
            raise NotSolvable(phrase("solve.wrong.ends"))
        nets.append(mean.net)
    return -(nets[1] - nets[0]) / LONG * goal.rolls_per_hour / MINOR


def _sized(entry: CatalogueEntry, answer: Answer) -> Strategy:
    """A strategy with the least unit that this table and this goal allow."""
    if "unit" not in entry.parameters:
        return entry.make()
    least = max(answer.session.minimum, getattr(answer.goal, "risk", 0))
    return entry.make(unit=max(entry.parameters["unit"], -(-least // MINOR)))


def compared(answer: Answer) -> list[LibraryChance]:
    """The strategies of the library whose wagers are on the menu, best first."""
    menu = answer.model.pieces.menu.spots
    felts = Felts(answer.session)
    found = []
    for entry in ENTRIES.values():
        if not entry.needs or not set(entry.needs) <= set(menu):
            continue
        try:
            made = _sized(entry, answer)
            value, automaton = chance_of(made, answer.session, answer.goal, felts=felts)
        except (NotSolvable, StrategyError):
            continue
        spots = {SPOTS[spot] for felt, _ in automaton.explorer.states for spot in felt.wagers}
        travelled = {
            spot
            for spot in spots
            if spot.rpartition(".")[0] in menu and not answer.model.pieces.flat_of(spot)
        }
        beyond = tuple(sorted(spots - set(menu) - travelled, key=INDEX.__getitem__))
        found.append(LibraryChance(made.name, value, beyond))
    least_first = isinstance(answer.goal, Hourly)
    return sorted(found, key=lambda each: each.value if least_first else -each.value)
