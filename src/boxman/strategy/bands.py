"""The banded automaton: what a strategy does with any amount of chips on its rail, exactly.

After a roll, what a strategy's acts lead to depends on the cash only by thresholds: bets that pass
with some cash pass with more, bets refused for want of chips are refused with less. So each state
and kind of roll has a few bands, the highest for a rail deep enough for everything, the lowest down
to nothing. Refused bets can lead to states no deep rail ever saw; they are explored too. A strategy
that has an automaton has a banded one, unless the budget ends before.
"""

from __future__ import annotations

from fractions import Fraction
from time import thread_time
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from boxman.dice import KINDS
from boxman.strategy.api import Strategy
from boxman.strategy.automaton import numpy
from boxman.strategy.explore import SECONDS, STATES, Explorer, Values
from boxman.strategy.felt import DEEP, Answers, Felt, Felts, Landed, SettledHere, same_answers
from boxman.strategy.patience import patience
from boxman.strategy.reference import SHORT
from boxman.strategy.session import ENDS, Session
from boxman.strategy.spots import SPOTS
from boxman.strategy.worth import value_of_felt
from boxman.table.rulings import Refusal
from boxman.table.state import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

BROKE, NO_SHOOTER, GOES_ON = ENDS.index("broke"), ENDS.index("no shooter"), -1
RefusedSaid = tuple[str, str, tuple[str, ...], str]
"""Code, spot, clauses, sentence."""


class Band(NamedTuple):
    """What the acts lead to with at least so much cash, and less than the band above needs."""

    least: int
    """Cash after the roll, before the acts."""
    next: int
    """The state, or -1 where the player is broke."""
    act: int
    """The change of the cash by the acts."""
    end: int
    staked: int
    refused: tuple[RefusedSaid, ...]


class Banded(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Edges of all bands in flat arrays, those of one state and kind together, highest first."""

    explorer: BandExplorer
    edge_first: NDArray[Any]
    """int32 [states, 15]: where the bands of a state and kind begin."""
    edge_many: NDArray[Any]
    """int32 [states, 15]: how many there are; 0 in a state where nobody throws."""
    edge_from: NDArray[Any]
    edge_kind: NDArray[Any]
    edge_least: NDArray[Any]
    """int64: the band holds for this much cash after the roll, before the acts, or more."""
    edge_next: NDArray[Any]
    """int32: the state after the acts; -1 where the player is broke."""
    edge_act: NDArray[Any]
    """int64: the change of the cash by the acts."""
    edge_end: NDArray[Any]
    """int8: -1 goes on; else the index in ENDS of how the session ends there, before the roll."""
    edge_staked: NDArray[Any]
    """int64: put down by the acts."""
    edge_refusals: tuple[tuple[RefusedSaid, ...], ...]
    start_least: NDArray[Any]
    start_next: NDArray[Any]
    start_act: NDArray[Any]
    start_end: NDArray[Any]
    start_staked: NDArray[Any]
    start_refusals: tuple[tuple[RefusedSaid, ...], ...]
    pre: NDArray[Any]
    """int64 [states, 15]: the change of the cash by the roll."""
    pre_staked: NDArray[Any]
    """int64 [states, 15]: made again by the roll, because it was to stay up."""
    landed: NDArray[Any]
    """int32 [states, 15]: the felt the roll left behind."""
    seven: NDArray[Any]
    """uint8 [states, 15]"""
    felt: NDArray[Any]
    """int64 [states]: stakes up."""
    landed_felt: NDArray[Any]
    """int64 [felts]: stakes on each felt."""

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

    def landed_table(self, landed: int) -> Table:
        """The table a roll left behind, with a deep rail."""
        return self.explorer.felts.all[landed].table

    def value(self, landed: int) -> Fraction:
        """What the wagers on a felt are worth beyond their face, in minor units."""
        felts = self.explorer.felts
        return value_of_felt(felts, felts.all[landed])

    def settled(self, state: int, kind: int) -> list[SettledHere]:
        """What a roll decides in a state, wager by wager."""
        return self.explorer.felts.settled(self.explorer.states[state][0], kind)


class BandExplorer(Explorer):
    """Finds the states and bands of a strategy."""

    def __init__(
        self,
        strategy: Strategy,
        session: Session,
        states: int = STATES,
        seconds: float = SECONDS,
        felts: Felts | None = None,
    ) -> None:
        self._known: dict[tuple[int, Values], list[tuple[Answers, tuple[Band, ...]]]] = {}
        self.rows: list[list[tuple[Landed, tuple[Band, ...]]]] = []
        super().__init__(strategy, session, states, seconds, felts)
        values = tuple(strategy.variables.values())
        with patience(self.chair):
            self.start_bands = self.bands(self.felts.start, values, None)

    def bands(self, felt: Felt, values: Values, landed: Landed | None) -> tuple[Band, ...]:
        """What the strategy does after a roll, from a deep rail down to an empty one."""
        known = self._known.setdefault((felt.index, values), [])
        for answers, bands in known:
            if same_answers(landed, answers):
                return bands
        found: list[Band] = []
        asked: dict[tuple[str, int], int] = {}
        cash = DEEP
        while cash >= 0:
            band = self._band(felt, values, landed, cash)
            asked |= self.chair.reads
            found.append(band)
            cash = band.least - 1
        made = tuple(found)
        known.append((tuple(asked.items()), made))
        return made

    def _band(self, felt: Felt, values: Values, landed: Landed | None, cash: int) -> Band:
        chair = self.chair
        self.perform(felt, values, landed, cash)
        least, act = cash - chair.low, chair.rail - cash
        refused = tuple((r.code, SPOTS[spot], r.cites, _said(r)) for r, spot in chair.refused)
        after = chair.felt
        if chair.short and not after.wagers:
            return Band(least, -1, act, BROKE, chair.staked, refused)
        held = self.felts.ready(after)
        if held is not None:
            after, more = held
            act += more
        number = self.state(after, tuple(self.variables.values()), held is None)
        end = NO_SHOOTER if held is None else GOES_ON
        return Band(least, number, act, end, chair.staked, refused)

    def _run(self) -> None:
        while len(self.rows) < len(self.states):
            number = len(self.rows)
            felt, values = self.states[number]
            row = []
            if not self.halts[number]:
                for kind in range(len(KINDS)):
                    self.at = (number, kind)
                    landed = self.felts.roll(felt, kind)
                    row.append((landed, self.bands(landed.felt, values, landed)))
            self.rows.append(row)
            if thread_time() > self.until:
                raise self.out_of_time()


def _said(refusal: Refusal) -> str:
    """The sentence; a band holds for many rails, so it cannot say how much was on one."""
    return "not enough chips on the rail" if refusal.code == SHORT else refusal.sentence


def explore_bands(
    strategy: Strategy,
    session: Session,
    states: int = STATES,
    seconds: float = SECONDS,
    felts: Felts | None = None,
) -> Banded:
    """Explore a strategy with every rail; raises Unbounded or TooLarge where it cannot be."""
    np = numpy()
    explorer = BandExplorer(strategy, session, states, seconds, felts)
    explorer.run()
    shape = (len(explorer.states), len(KINDS))
    by_roll = {
        name: np.zeros(shape, np.int64)
        for name in ("first", "many", "pre", "pre_staked", "landed", "seven")
    }
    edges: list[tuple[int, int, Band]] = []
    for number, row in enumerate(explorer.rows):
        for kind, (landed, bands) in enumerate(row):
            at = (number, kind)
            by_roll["first"][at] = len(edges)
            by_roll["many"][at] = len(bands)
            by_roll["pre"][at] = landed.cash
            by_roll["pre_staked"][at] = landed.staked
            by_roll["landed"][at] = landed.felt.index
            by_roll["seven"][at] = landed.seven_out
            edges += [(number, kind, band) for band in bands]
    listed = [band for _, _, band in edges]
    return Banded(
        explorer=explorer,
        edge_first=by_roll["first"].astype(np.int32),
        edge_many=by_roll["many"].astype(np.int32),
        edge_from=np.array([number for number, _, _ in edges], np.int32),
        edge_kind=np.array([kind for _, kind, _ in edges], np.int8),
        **{f"edge_{name}": column for name, column in _columns(listed).items()},
        edge_refusals=tuple(band.refused for band in listed),
        **{f"start_{name}": column for name, column in _columns(explorer.start_bands).items()},
        start_refusals=tuple(band.refused for band in explorer.start_bands),
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
