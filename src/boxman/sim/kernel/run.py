"""Run sessions of a compiled strategy in a house: the kernel's face to Python.

It gives figures by session as arrays; what they mean together is for `sim.results`. A session that
went wrong in compiled code is marked, for the reference to play. Needs NumPy and Numba.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from boxman.rules.compile import load as load_layout
from boxman.rules.layout import Posted
from boxman.sim.kernel import desk, engine
from boxman.sim.kernel import words as w
from boxman.sim.kernel.arrays import house_words
from boxman.sim.kernel.compile import compiled_strategy
from boxman.strategy.api import Strategy
from boxman.strategy.spots import INDEX, SPOTS

Ints = NDArray[np.int64]
FIGURES = (
    *("cash", "felt", "rolls", "sevens", "ending"),
    *("drawdown", "staked", "lowest", "highest", "error"),
)
"""What is known of each session, in the order of the engine's columns."""
RUN_OUT_ROLLS = 1_000
"""How many rolls wagers still up are given to be decided."""


def _word(number: int) -> int:
    """An unsigned word as the signed one with the same bits."""
    return number - 2**64 if number >= 2**63 else number


class Lanes(msgspec.Struct, frozen=True, eq=False):
    """Figures of many sessions, an array each, and the refusals of all of them together."""

    cash: Ints
    felt: Ints
    rolls: Ints
    sevens: Ints
    ending: Ints
    """As in `strategy.session.ENDS`, or one more where the session went wrong."""
    drawdown: Ints
    staked: Ints
    lowest: Ints
    highest: Ints
    error: Ints
    """Not 0 where the session went wrong: the reference has to play it."""
    net: Ints
    refusals: dict[tuple[str, str], int]
    """How often the table refused, by code and spot."""
    first_refused: dict[tuple[str, str], int]
    """The first of these sessions with a refusal of that kind."""


class Midway(msgspec.Struct, frozen=True, kw_only=True):
    """Where a session stands after its player has acted, before the roll; amounts in minor units.

    `table` is a table of the reference with this player at it; `cash` is what he has on the rail,
    whatever that table says.
    """

    table: Any
    name: str
    variables: Mapping[str, int]
    cash: int
    rolls: int
    sevens: int = 0
    shooter_rolls: int = 0
    highest: int = 0
    lowest: int = 0
    drawdown: int = 0
    staked: int = 0


class Kernel:
    """A strategy in a house, ready to run sessions. One kernel may run in many threads."""

    def __init__(self, strategy: Strategy, session: Any) -> None:
        self.strategy = strategy
        self.session = session
        self.compiled = compiled_strategy(strategy)
        self.layout = load_layout(session.house, session.settings, session.chip)
        posted = Posted(
            minimum=session.minimum,
            maximum=session.maximum,
            unit=session.unit,
            classes=session.classes,
        )
        self.house = house_words(self.layout, posted)
        options = np.zeros(engine.OPTIONS, np.int64)
        options[engine.MOST_ROLLS] = session.rolls
        options[engine.MOST_SHOOTERS] = session.shooters
        options[engine.STOP_WIN] = session.stop_win
        options[engine.STOP_LOSS] = session.stop_loss
        options[engine.SELF_SHOOTS] = session.shooter == "self"
        options[engine.RUN_OUT] = RUN_OUT_ROLLS if session.end == "run-out" else 0
        self.options = options
        start = np.zeros(w.VARIABLES + len(self.compiled.start), np.int64)
        start[w.CASH] = start[w.WORTH] = start[w.BANKROLL] = session.bankroll
        start[w.PEAK] = start[w.LOWEST] = session.bankroll
        start[w.STATE] = w.NEW_SHOOTER
        start[w.DECIDED_AT] = -1
        start[w.VARIABLES :] = self.compiled.start
        self.start = start

    def run(self, seed: int, first: int, count: int) -> Lanes:
        """Sessions first, first + 1, ... of these dice. The interpreter is free meanwhile."""
        sessions = np.arange(first, first + count, dtype=np.uint64)
        return self._run(seed, sessions, self.start[None, :])

    def resume(self, seed: int, sessions: Sequence[int], seats: Sequence[Midway]) -> Lanes:
        """Sessions that were played elsewhere so far, each from where its seat stands."""
        if not len(sessions):
            return self.run(seed, 0, 0)
        starts = np.stack([self.words_of(seat) for seat in seats])
        if len(starts) == 1:
            starts = np.repeat(starts, 2, axis=0)  # one row alone would be the start of all
        return self._run(seed, np.array(sessions, np.uint64), starts)

    def words_of(self, seat: Midway) -> Ints:
        """A seat at a table of the reference in the kernel's words."""
        words = self.start.copy()
        table = seat.table
        words[w.STATE] = table.puck << w.PUCK_AT | seat.rolls << w.ROLLS_AT
        since = seat.rolls - seat.shooter_rolls
        words[w.SHOOTERS] = seat.sevens | since << w.SHOOTER_ROLLS_AT
        words[w.CASH] = words[w.WORTH] = seat.cash
        words[w.STAKED] = seat.staked
        words[w.PEAK] = seat.highest or words[w.PEAK]
        words[w.LOWEST] = seat.lowest or words[w.LOWEST]
        words[w.DRAWDOWN], words[w.ACTED] = seat.drawdown, 1
        words[w.SHOOTING] = table.hand.shooter == seat.name
        for name, wager in table.seats[seat.name].wagers.items():
            spot = INDEX[name]
            words[w.STAKE + spot], words[w.FEE + spot] = wager.stake, wager.fee
            words[w.WORTH] += wager.stake
            _add(words, w.UP, spot)
            if wager.marker:
                _add(words, w.ON if wager.marker == "on" else w.OFF, spot)
            if wager.stays:
                _add(words, w.STAYS, spot)
            if wager.found:
                _add(words, w.REMEDIED, spot)
        for name, mask in table.collected.items():
            place = w.PLACES + INDEX[name] * w.PLACE_WORDS + w.COLLECTOR
            words[w.COLLECTED + self.house[place]] = mask
        for bonus in self.layout.spots.values():
            if bonus.gate is not None and bonus.gate.group in table.latched:
                group = self.house[w.PLACES + INDEX[bonus.id] * w.PLACE_WORDS + w.GROUP]
                words[w.LATCHED] |= 1 << int(group)
        words[w.UNUSUAL] = 1  # the first roll is settled with care, which looks again
        for place, name in enumerate(self.compiled.variables):
            words[w.VARIABLES + place] = seat.variables[name]
        return words

    def _run(self, seed: int, sessions: NDArray[np.uint64], starts: Ints) -> Lanes:
        figures = np.zeros((len(FIGURES), len(sessions)), np.int64)
        counts = np.zeros((len(w.CODES), w.STRIDE, 2), np.int64)
        engine.run_sessions(
            self.start.copy(),
            self.house,
            counts,
            starts,
            self.compiled.address,
            desk.ADDRESSES,
            self.options,
            _word(seed),
            sessions,
            figures,
        )
        found = np.argwhere(counts[:, :, 0])
        kinds = {(int(code), int(spot)): (w.CODES[code], SPOTS[spot]) for code, spot in found}
        return Lanes(
            **dict(zip(FIGURES, figures, strict=True)),
            net=figures[0] + figures[1] - self.session.bankroll,
            refusals={kind: int(counts[at][0]) for at, kind in kinds.items()},
            first_refused={kind: int(counts[at][1]) for at, kind in kinds.items()},
        )


def _add(words: Ints, sets: int, spot: int) -> None:
    at = sets + (spot >> 6)
    words[at] = _word((int(words[at]) & (2**64 - 1)) | 1 << (spot & 63))
