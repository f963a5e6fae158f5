"""A strategy played out: one row a state, one column a kind of roll, whole numbers throughout.

Row s says what the felt holds after the strategy has acted; `next[s, k]` is the state after a roll
of kind k and the acts that follow it. `cash` is the change of the rail over both, `low` the lowest
change on the way: a lane whose rail plus `low` is below zero is about to have a bet refused for
want of chips, and must go on in an executor that knows the rail (bands.py, quick.py). NumPy is
needed for the arrays and imported only when they are made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from boxman.dice import KINDS
from boxman.strategy.api import Strategy
from boxman.strategy.explore import SECONDS, STATES, Explorer, RefusedKey
from boxman.strategy.felt import Felt, Felts
from boxman.strategy.session import Session

if TYPE_CHECKING:
    from numpy.typing import NDArray


class MissingLibraryError(ImportError):
    """A library that an extra brings is not installed."""


def numpy() -> Any:
    """NumPy, or one clear message."""
    try:
        import numpy as found
    except ImportError:
        raise MissingLibraryError("an automaton needs NumPy: pip install 'boxman[sim]'") from None
    return found


class Automaton(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The arrays of an explored strategy, and the explorer they came from."""

    explorer: Explorer
    start: int
    start_cash: int
    start_low: int
    start_staked: int
    next: NDArray[Any]
    """int32 [states, 15]"""
    cash: NDArray[Any]
    """int64 [states, 15]: change of the rail by the roll and the acts after it."""
    low: NDArray[Any]
    """int64 [states, 15]: the lowest change of the rail on the way."""
    pre: NDArray[Any]
    """int64 [states, 15]: change of the rail by the roll alone."""
    staked: NDArray[Any]
    """int64 [states, 15]: chips put down by roll (made again) and acts."""
    seven: NDArray[Any]
    """uint8 [states, 15]: the roll is a seven-out."""
    landed: NDArray[Any]
    """int32 [states, 15]: which felt the roll left behind."""
    landed_felt: NDArray[Any]
    """int64 [felts]: stakes on each felt."""
    felt: NDArray[Any]
    """int64 [states]: stakes up in each state."""
    halts: NDArray[Any]
    """uint8 [states]: nobody will throw, the session ends here."""
    need: NDArray[Any]
    """int64 [states]: with this much on the rail no roll leads to a bet refused for want of it."""
    refused: NDArray[Any]
    """int32 [states, 15]: how many proposals the table refused after that roll."""

    @property
    def strategy(self) -> Strategy:
        return self.explorer.strategy

    @property
    def session(self) -> Session:
        return self.explorer.session

    @property
    def states(self) -> int:
        return len(self.felt)

    def state(self, number: int) -> tuple[Felt, dict[str, int]]:
        """What a state is: the felt (with its table) and the variables."""
        felt, values = self.explorer.states[number]
        return felt, dict(zip(self.explorer.names, values, strict=True))

    def refusals(self, number: int, kind: int) -> tuple[tuple[RefusedKey, int], ...]:
        """What was refused after that roll: (code, spot, clauses) and how often."""
        return self.explorer.expand(number)[kind].refused

    @property
    def start_refusals(self) -> tuple[tuple[RefusedKey, int], ...]:
        return self.explorer.start.refused


def explore(
    strategy: Strategy,
    session: Session,
    states: int = STATES,
    seconds: float = SECONDS,
    felts: Felts | None = None,
) -> Automaton:
    """Explore a strategy; raises Unbounded or TooLarge (both NotExplored) where it cannot be."""
    explorer = Explorer(strategy, session, states, seconds, felts)
    explorer.run()
    return arrays(explorer)


def arrays(explorer: Explorer) -> Automaton:
    """The states found so far as arrays; all of them must be expanded."""
    np = numpy()
    count, kinds = len(explorer.states), len(KINDS)
    columns: dict[str, Any] = {
        name: np.zeros((count, kinds), np.int64)
        for name in ("next", "cash", "low", "pre", "staked", "seven", "landed", "refused")
    }
    for state in range(count):
        steps = explorer.expand(state)
        if not steps:
            columns["next"][state] = state
            columns["landed"][state] = explorer.states[state][0].index
            continue
        columns["next"][state] = [step.next for step in steps]
        columns["cash"][state] = [step.cash for step in steps]
        columns["low"][state] = [step.low for step in steps]
        columns["pre"][state] = [step.pre for step in steps]
        columns["staked"][state] = [step.staked for step in steps]
        columns["seven"][state] = [step.seven for step in steps]
        columns["landed"][state] = [step.landed for step in steps]
        columns["refused"][state] = [sum(n for _, n in step.refused) for step in steps]
    start = explorer.start
    return Automaton(
        explorer=explorer,
        start=start.state,
        start_cash=start.cash,
        start_low=start.low,
        start_staked=start.staked,
        next=columns["next"].astype(np.int32),
        cash=columns["cash"],
        low=columns["low"],
        pre=columns["pre"],
        staked=columns["staked"],
        seven=columns["seven"].astype(np.uint8),
        landed=columns["landed"].astype(np.int32),
        landed_felt=np.array([felt.stake for felt in explorer.felts.all], np.int64),
        felt=np.array([felt.stake for felt, _ in explorer.states], np.int64),
        halts=np.array(explorer.halts, np.uint8),
        need=np.maximum(0, -columns["low"].min(axis=1)),
        refused=columns["refused"].astype(np.int32),
    )
