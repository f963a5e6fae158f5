"""A strategy played out: states, kinds of roll and bands of cash as arrays of whole numbers.

A state says what the felt holds after the strategy has acted, and its variables. A roll changes the
cash and leaves a felt behind; then the bands of that state and kind say, by how much cash there is,
what the acts lead to. NumPy is needed for the arrays and imported only when they are made.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from boxman.dice import Rolls
from boxman.strategy.api import Strategy
from boxman.strategy.explore import RULINGS, STATES, Band, Explorer, RefusedSaid
from boxman.strategy.felt import Felt, Felts, Put, SettledHere, TellsFaces
from boxman.strategy.session import Session
from boxman.strategy.worth import value_of_felt
from boxman.words import phrase

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class MissingLibraryError(ImportError):
    """A library that an extra brings is not installed."""


def numpy() -> Any:
    """NumPy, or one clear message."""
    try:
        import numpy as found
    except ImportError:
        raise MissingLibraryError(phrase("sim.wrong.needs-numpy")) from None
    return found


class Automaton(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Edges of all bands in flat arrays, those of one state and kind together, highest first."""

    explorer: Explorer
    edge_first: NDArray[np.int32]
    """int32 [states, kinds]: where the bands of a state and kind begin."""
    edge_many: NDArray[np.int32]
    """int32 [states, kinds]: how many there are; 0 in a state where nobody throws."""
    edge_from: NDArray[np.int32]
    edge_kind: NDArray[np.int8]
    edge_least: NDArray[np.int64]
    """int64: the band holds for this much cash after the roll, before the acts, or more."""
    edge_next: NDArray[np.int32]
    """int32: the state after the acts; -1 where the player is broke or it is not known."""
    edge_act: NDArray[np.int64]
    """int64: the change of the cash by the acts."""
    edge_end: NDArray[np.int8]
    """int8: -1 goes on; else the index in ENDS of how the session ends there, before the roll;
    NOT_KNOWN (explore.py) below the bands that were explored."""
    edge_staked: NDArray[np.int64]
    """int64: put down by the acts."""
    edge_refusals: tuple[tuple[RefusedSaid, ...], ...]
    edge_put: tuple[tuple[Put, ...], ...]
    """What the acts put down and take up, spot by spot."""
    start_least: NDArray[np.int64]
    start_next: NDArray[np.int32]
    start_act: NDArray[np.int64]
    start_end: NDArray[np.int8]
    start_staked: NDArray[np.int64]
    start_refusals: tuple[tuple[RefusedSaid, ...], ...]
    start_put: tuple[tuple[Put, ...], ...]
    pre: NDArray[np.int64]
    """int64 [states, kinds]: the change of the cash by the roll."""
    pre_staked: NDArray[np.int64]
    """int64 [states, kinds]: made again by the roll, because it was to stay up."""
    landed: NDArray[np.int32]
    """int32 [states, kinds]: the felt the roll left behind."""
    seven: NDArray[np.uint8]
    """uint8 [states, kinds]: the roll is a seven-out."""
    felt: NDArray[np.int64]
    """int64 [states]: stakes up."""
    landed_felt: NDArray[np.int64]
    """int64 [felts]: stakes on each felt."""

    @property
    def strategy(self) -> Strategy:
        return self.explorer.strategy

    @property
    def session(self) -> Session:
        return self.explorer.session

    @property
    def rolls(self) -> Rolls:
        """The kinds of roll it tells apart: fifteen, or all 21 where a wager looks at the faces."""
        return self.explorer.felts.rolls

    @property
    def states(self) -> int:
        return len(self.felt)

    @property
    def deep(self) -> int:
        """How many states a rail that is never short comes to; they are the first."""
        return self.explorer.deep

    @property
    def unknown(self) -> str:
        """Why some bands are not known; nothing where all are."""
        return self.explorer.unknown

    def state(self, number: int) -> tuple[Felt, dict[str, int]]:
        """What a state is: the felt (with its table) and the variables."""
        felt, values = self.explorer.states[number]
        return felt, dict(zip(self.explorer.names, values, strict=True))

    def value(self, landed: int) -> Fraction:
        """What the wagers on a felt are worth beyond their face, in minor units."""
        felts = self.explorer.felts
        return value_of_felt(felts, felts.all[landed])

    def down(self) -> NDArray[np.int64]:
        """int64 [felts, 3]: what the rail gains when everything that may be is taken down, what is
        still up then, and the felt of that."""
        felts = self.explorer.felts
        taken = [felts.down(felt) for felt in felts.all[: len(self.landed_felt)]]
        rows = [(each.cash, each.felt.stake, each.felt.index) for each in taken]
        found: NDArray[np.int64] = numpy().array(rows, "int64").reshape(-1, 3)
        return found

    def put_by_leaving(self, landed: int) -> tuple[Put, ...]:
        """What taking down everything that may be puts back, spot by spot."""
        felts = self.explorer.felts
        return felts.down(felts.all[landed]).put

    def made_again(self, state: int, kind: int) -> tuple[Put, ...]:
        """What a roll itself puts down, because it was to stay up."""
        return self.explorer.landed[state][kind].put

    def settled(self, state: int, kind: int) -> tuple[SettledHere, ...]:
        """What a roll decides in a state, wager by wager."""
        return self.explorer.landed[state][kind].settled


def explore(
    strategy: Strategy,
    session: Session,
    states: int = STATES,
    rulings: int = RULINGS,
    felts: Felts | None = None,
) -> Automaton:
    """Explore a strategy; raises Unbounded or TooLarge (both NotExplored) where it cannot be.

    Where the budget ends after deep rails were followed, the rest of the bands is not known; then
    `unknown` says why.
    """
    explorer = Explorer(strategy, session, states, rulings, felts)
    try:
        explorer.run()
    except TellsFaces:
        by_faces = Felts(session, by_faces=True)
        explorer = Explorer(strategy, session, states, rulings, by_faces)
        explorer.run()
    return arrays(explorer)


def arrays(explorer: Explorer) -> Automaton:
    """What an explorer found, as arrays."""
    np = numpy()
    shape = (len(explorer.states), len(explorer.felts.rolls.kinds))
    by_roll = {
        name: np.zeros(shape, np.int64)
        for name in ("first", "many", "pre", "pre_staked", "landed", "seven")
    }
    edges: list[tuple[int, int, Band]] = []
    for number, row in enumerate(explorer.bands):
        for kind, bands in enumerate(row):
            at, landed = (number, kind), explorer.landed[number][kind]
            by_roll["first"][at] = len(edges)
            by_roll["many"][at] = len(bands)
            by_roll["pre"][at] = landed.cash
            by_roll["pre_staked"][at] = landed.staked
            by_roll["landed"][at] = landed.felt.index
            by_roll["seven"][at] = landed.seven_out
            edges += [(number, kind, band) for band in bands]
    listed = [band for _, _, band in edges]
    return Automaton(
        explorer=explorer,
        edge_first=by_roll["first"].astype(np.int32),
        edge_many=by_roll["many"].astype(np.int32),
        edge_from=np.array([number for number, _, _ in edges], np.int32),
        edge_kind=np.array([kind for _, kind, _ in edges], np.int8),
        **{f"edge_{name}": column for name, column in _columns(listed).items()},
        edge_refusals=tuple(band.refused for band in listed),
        edge_put=tuple(band.put for band in listed),
        **{f"start_{name}": column for name, column in _columns(explorer.start).items()},
        start_refusals=tuple(band.refused for band in explorer.start),
        start_put=tuple(band.put for band in explorer.start),
        pre=by_roll["pre"],
        pre_staked=by_roll["pre_staked"],
        landed=by_roll["landed"].astype(np.int32),
        seven=by_roll["seven"].astype(np.uint8),
        felt=np.array([felt.stake for felt, _ in explorer.states], np.int64),
        landed_felt=np.array([felt.stake for felt in explorer.felts.all], np.int64),
    )


def _columns(bands: list[Band] | tuple[Band, ...]) -> dict[str, Any]:
    np = numpy()
    return {
        "least": np.array([band.least for band in bands], np.int64),
        "next": np.array([band.next for band in bands], np.int32),
        "act": np.array([band.act for band in bands], np.int64),
        "end": np.array([band.end for band in bands], np.int8),
        "staked": np.array([band.staked for band in bands], np.int64),
    }
