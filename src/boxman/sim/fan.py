"""The fan of bankrolls: percentiles of the worth as a session goes on.

A session cut off after r rolls ends with the worth it has then; so the fan is made of shorter
sessions on the same dice, by whichever executor plays the strategy.
"""

from __future__ import annotations

from boxman.chips import MINOR
from boxman.sim.compiled import have_numba
from boxman.sim.executors.player import Pace, Player
from boxman.sim.run import LONG_SESSION
from boxman.sim.tally import Counts, shares

SHARES = {"5%": 0.05, "25%": 0.25, "median": 0.5, "75%": 0.75, "95%": 0.95}


FEWEST_POINTS, FEWEST_SESSIONS = 4, 20


def fan(player: Player, seed: int) -> dict[str, list[tuple[float, float]]]:
    """Rolls and the worth in currency units then, at each share of sessions."""
    session = player.session
    if session.rolls >= LONG_SESSION and have_numba():
        player = player.fastest()
    points, sessions = _cut_down(player.pace, session.rolls)
    step = max(1, session.rolls // points)
    lines = {name: [(0.0, session.bankroll / MINOR)] for name in SHARES}
    rolls = 0
    while rolls < session.rolls:
        rolls = min(session.rolls, rolls + step)
        nets = player.cut(rolls).play(seed, 0, sessions).in_minor_units().net
        worths = shares(Counts.of(nets + session.bankroll, 0), tuple(SHARES.values()))
        for line, worth in zip(lines.values(), worths, strict=True):
            line.append((rolls, worth / MINOR))
    return lines


def _cut_down(pace: Pace, rolls: int) -> tuple[int, int]:
    """Points and sessions for sessions this long, which are played half on average."""
    points = max(FEWEST_POINTS, min(pace.points, 2 * pace.steps // rolls))
    affordable = 2 * pace.fan_rolls // rolls
    sessions = max(FEWEST_SESSIONS, min(pace.fan_sessions, affordable // points))
    return max(FEWEST_POINTS, min(points, affordable // sessions)), sessions
