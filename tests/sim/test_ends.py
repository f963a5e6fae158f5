"""What ends a session is asked in one order: in Python, side by side in NumPy, and compiled."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from boxman.sim.executors.numpy_lanes import stopped_lanes
from boxman.strategy.ends import BROKE, ENDS, GOES_ON, stopped

pytest.importorskip("numba")

LIMITS = list(product((3, 5), (0, 2), (0, 4), (0, 4)))
"""Rolls, shooters, win and loss; 0 is no limit."""
STANDINGS = list(product(range(2, 6), range(4), (-5, -4, -3, 0, 5), (-5, 0, 3, 4, 5)))
"""Rolls, seven-outs, net at face and as a win is counted, around every limit."""


def wanted(standing: tuple[int, ...], limits: tuple[int, ...]) -> int:
    """As the document says it: the first of rolls, shooters, win, loss that is reached."""
    rolls, seven_outs, net, won = standing
    most, shooters, win, loss = limits
    reached = {
        "rolls": rolls >= most,
        "shooters": bool(shooters) and seven_outs >= shooters,
        "win": bool(win) and won >= win,
        "loss": bool(loss) and net <= -loss,
    }
    return next((ENDS.index(end) for end, met in reached.items() if met), GOES_ON)


def in_numpy(standings: list[Any], limits: Any) -> list[int]:
    return list(stopped_lanes(*np.array(standings).T, *limits))


def in_lanes(standings: list[Any], limits: Any) -> list[int]:
    from boxman.sim.executors.numba_lanes import stopped as compiled

    return [compiled(*standing, *limits) for standing in standings]


def in_the_kernel(standings: list[Any], limits: Any) -> list[int]:
    from boxman.sim.kernel import engine
    from boxman.sim.kernel import words as w

    options, seat = np.zeros(engine.OPTIONS, np.int64), np.zeros(w.VARIABLES, np.int64)
    places = [engine.MOST_ROLLS, engine.MOST_SHOOTERS, engine.STOP_WIN, engine.STOP_LOSS]
    options[places] = limits
    seat[w.BANKROLL] = 100
    found = []
    options[engine.TAKES_DOWN] = 1
    for rolls, seven_outs, net, won in standings:
        seat[[w.SHOOTERS, w.WORTH, w.CASH]] = seven_outs, 100 + net, 100 + won
        found.append(engine.stopped(seat.ctypes.data, 0, options.ctypes.data, rolls))
    return found


@pytest.mark.parametrize("many", [in_numpy, in_lanes, in_the_kernel])
def test_the_checks_before_a_turn_are_the_same_everywhere(many: Any) -> None:
    for limits in LIMITS:
        expected = [wanted(standing, limits) for standing in STANDINGS]
        assert [stopped(*standing, *limits) for standing in STANDINGS] == expected
        assert many(STANDINGS, limits) == expected, limits
    assert {wanted(*pair) for pair in product(STANDINGS, LIMITS)} == {GOES_ON, *range(BROKE)}
