"""Who plays sessions: the executors, a row each, and how the fastest that can is chosen.

All of them give the same figures session by session. `auto` tries those that come forward by
themselves in the order of the rows; each reason why a faster one could not be used is kept and
names the line. An executor is one file with its player (player.py says what a player can do) and
`made`, which gives one or raises `CannotPlay`. Nothing heavy is imported before it is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from boxman.words import phrase
from boxman.words.given import expect

if TYPE_CHECKING:
    from boxman.sim.executors.player import Player
    from boxman.strategy.api import Strategy
    from boxman.strategy.session import Session

AUTO = "auto"


class CannotPlay(Exception):
    """Why an executor cannot play a strategy."""


class Executor(NamedTuple):
    """One row: what it is called, how, which file it stands in."""

    name: str
    file: str
    what: str
    """For whoever chooses one."""
    alone: bool = True
    """Whether `auto` tries it; another may become it once it is worth it."""
    kernels: str = ""
    """How the names of the kernels begin that its file can have compiled ahead."""

    def module(self) -> Any:
        return import_module(f"{__name__}.{self.file}")


EXECUTORS = (
    Executor(
        "numpy",
        "automaton",
        "acts that follow from the felt, the last roll and variables: explored on the reference "
        "table from every state they reach, then looked up, many sessions side by side",
    ),
    Executor(
        "numba",
        "automaton",
        "the same compiled; takes over in long runs",
        alone=False,
        kernels="lanes",
    ),
    Executor(
        "kernel",
        "generic",
        "strategies that read the bankroll or count without bound: compiled alone, called by one "
        "kernel for all houses",
        kernels="generic",
    ),
    Executor(
        "reference",
        "reference",
        "everything else, on felts the table rules on once; with a warning that names the line",
    ),
)
NAMES = (AUTO, *(each.name for each in EXECUTORS))


def choose(
    strategy: Strategy, session: Session, executor: str = AUTO
) -> tuple[Player, tuple[str, ...]]:
    """The fastest player that can play this, and why none faster could."""
    from boxman.strategy.api import Strategy, StrategyError
    from boxman.strategy.library.taking import check_taken
    from boxman.strategy.session import Session

    expect("strategy", strategy, Strategy)
    expect("session", session, Session)
    if executor not in NAMES:
        raise ValueError(
            phrase("sim.wrong.no-executor-there-are", executor=executor, names=", ".join(NAMES))
        )
    check_taken(strategy, session)
    reasons: list[str] = []
    rows = [row for row in EXECUTORS if row.name == executor or (executor == AUTO and row.alone)]
    player = _first(rows, strategy, session, executor, reasons)
    if player is None:
        raise StrategyError(
            phrase(
                "sim.wrong.cannot-be-played-by",
                name=strategy.name,
                executor=executor,
                reasons=reasons[-1],
            )
        )
    return player, tuple(reasons)


def choose_after(file: str, strategy: Strategy, session: Session, reasons: list[str]) -> Player:
    """Who plays what one executor hands over: the first after it that can."""
    last = max(number for number, row in enumerate(EXECUTORS) if row.file == file)
    player = _first(EXECUTORS[last + 1 :], strategy, session, AUTO, reasons)
    assert player is not None, "the last one plays everything"
    return player


def _first(
    rows: Sequence[Executor], strategy: Strategy, session: Session, asked: str, reasons: list[str]
) -> Player | None:
    for row in rows:
        try:
            made: Player = row.module().made(strategy, session, asked, reasons)
        except CannotPlay as error:
            reasons.append(str(error))
        else:
            return made
    return None


def load_kernel(name: str) -> None:
    """Have a kernel compiled and in the cache, by the executor it is of."""
    row = next(each for each in EXECUTORS if each.kernels and name.startswith(each.kernels))
    row.module().load_kernel(name)
