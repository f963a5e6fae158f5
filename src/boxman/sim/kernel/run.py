"""Run sessions of a compiled strategy in a house: the kernel's face to Python.

It gives figures by session as arrays; what they mean together is for `sim.results`. A session that
went wrong in compiled code is marked, for the reference to play. Needs NumPy and Numba.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from boxman.rules.compile import load as load_layout
from boxman.rules.layout import Posted
from boxman.sim.kernel import codes, desk, engine
from boxman.sim.kernel import words as w
from boxman.sim.kernel.arrays import house_words
from boxman.sim.kernel.compile import compiled_strategy
from boxman.sim.kernel.left import SEAT_WORDS, LeftUp, left_up
from boxman.sim.kernel.places import SpotPlaces
from boxman.sim.lanes import Ints, Lanes, RefusedCounts
from boxman.strategy.api import Strategy
from boxman.strategy.ends import RUN_OUT_ROLLS

FIGURES = 8
FELT, ERROR = 6, 7
"""Figures of each session: the first six are those of `Lanes`."""
SEATS = 1_024
"""Sessions after which the seats they left are looked at, where that is asked for."""


def _word(number: int) -> int:
    """An unsigned word as the signed one with the same bits."""
    return number - 2**64 if number >= 2**63 else number


class Run(msgspec.Struct, frozen=True, eq=False):
    """Sessions of a compiled strategy, and what a kernel alone says of them."""

    lanes: Lanes
    """An ending beyond `strategy.ends.ENDS` where the session went wrong."""
    felt: Ints
    """What each left up, at face."""
    error: Ints
    """Not 0 where the session went wrong: the reference has to play it."""
    left: Mapping[LeftUp, int]
    """What they left up, and how often, where the session asks what it is worth; without those
    that went wrong."""


class Kernel:
    """A strategy in a house, ready to run sessions. One kernel may run in many threads."""

    def __init__(self, strategy: Strategy, session: Any) -> None:
        self.strategy = strategy
        self.session = session
        self.layout = load_layout(session.house, session.settings, session.chip)
        self.places = SpotPlaces(self.layout, strategy)
        self.compiled = compiled_strategy(strategy)
        self.posted = Posted(
            minimum=session.minimum,
            maximum=session.maximum,
            unit=session.unit,
            classes=session.classes,
        )
        self.house = house_words(self.layout, self.posted, self.places)
        options = np.zeros(engine.OPTIONS, np.int64)
        options[engine.MOST_ROLLS] = session.rolls
        options[engine.MOST_SHOOTERS] = session.shooters
        options[engine.STOP_WIN] = session.stop_win
        options[engine.STOP_LOSS] = session.stop_loss
        options[engine.TAKES_DOWN] = session.takes_down
        options[engine.SELF_SHOOTS] = session.shooter == "self"
        options[engine.RUN_OUT] = RUN_OUT_ROLLS if session.end == "run-out" else 0
        self.options = options
        start = np.zeros(w.VARIABLES + len(self.compiled.start), np.int64)
        start[w.CASH] = start[w.WORTH] = start[w.BANKROLL] = session.bankroll
        start[w.STATE] = w.NEW_SHOOTER
        start[w.UP + 1] = w.EVER | (w.SHOOTS if session.shooter == "self" else 0)
        start[w.UP + 1] |= w.COUNTED if session.takes_down else 0
        start[w.DECIDED_AT] = -1
        start[w.VARIABLES :] = self.compiled.start
        self.start = start

    def run(self, seed: int, first: int, count: int) -> Run:
        """Sessions first, first + 1, ... of these dice."""
        return self.some(seed, np.arange(first, first + count, dtype=np.uint64))

    def some(self, seed: int, sessions: Any) -> Run:
        """These sessions, in ascending order. The interpreter is free meanwhile."""
        count = len(sessions)
        counts = np.zeros((len(codes.CODES), w.WAYS, w.PUCKS, w.STRIDE, 2), np.int64)
        valued = self.session.end == "value"
        step = SEATS if valued else max(count, 1)
        seats = np.zeros((min(count, SEATS) if valued else 0, SEAT_WORDS), np.int64)
        parts = []
        left: Counter[LeftUp] = Counter()
        for begin in range(0, max(count, 1), step):
            parts.append(self._played(seed, sessions[begin : begin + step], counts, seats))
            if valued:
                (sound,) = np.nonzero(parts[-1][ERROR] == 0)
                left.update(left_up(seats[sound], self.house, self.places.names))
        figures = parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)
        found = np.argwhere(counts[..., 0]).tolist()
        refused: RefusedCounts = {
            (codes.CODES[code], self.places.names[spot], (what, puck)): (count, first)
            for (code, what, puck, spot), (count, first) in zip(
                found, counts[tuple(np.transpose(found))].tolist() if found else [], strict=True
            )
        }
        landed = np.full(count, -1)
        lanes = Lanes.of((*figures[:FELT], landed), refused=refused)
        return Run(lanes, figures[FELT], figures[ERROR], left)

    def _played(self, seed: int, sessions: Any, counts: Ints, seats: Ints) -> Ints:
        """Figures of these sessions; refusals are added to the counts."""
        figures = np.zeros((FIGURES, len(sessions)), np.int64)
        engine.run_sessions(
            self.start.copy(),
            self.house,
            counts,
            self.start,
            self.compiled.address,
            desk.ADDRESSES,
            self.options,
            _word(seed),
            sessions,
            figures,
            seats,
        )
        return figures
