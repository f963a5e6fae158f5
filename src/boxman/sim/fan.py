"""The fan of bankrolls: percentiles of the worth as a session goes on.

A session cut off after r rolls ends with the worth it has then; so the fan is made of shorter
sessions on the same dice, by whichever executor plays the strategy.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from boxman.chips import MINOR
from boxman.sim.compiled import have_numba
from boxman.sim.players import AutomatonPlayer, KernelPlayer, ReferencePlayer
from boxman.sim.run import LONG_SESSION
from boxman.sim.tally import Counts, shares
from boxman.strategy.session import FACE

SHARES = {"5%": 0.05, "25%": 0.25, "median": 0.5, "75%": 0.75, "95%": 0.95}


class Effort(NamedTuple):
    """Points in time and sessions at most, and about how many rolls for all of them."""

    points: int
    sessions: int
    rolls: int
    steps: int
    """Rolls of one session in all its points: NumPy takes as long for few sessions as for many."""


NUMBA = Effort(50, 4_000, 400_000_000, 400_000_000)
NUMPY = Effort(50, 4_000, 40_000_000, 100_000)
KERNEL = Effort(12, 2_000, 40_000_000, 40_000_000)
REFERENCE = Effort(8, 60, 400_000, 400_000)
FEWEST_POINTS, FEWEST_SESSIONS = 4, 20

Player = AutomatonPlayer | KernelPlayer | ReferencePlayer


def fan(player: Player, seed: int) -> dict[str, list[tuple[float, float]]]:
    """Rolls and the worth in currency units then, at each share of sessions."""
    session = player.session
    if isinstance(player, AutomatonPlayer) and session.rolls >= LONG_SESSION and have_numba():
        player = player.using("numba")
    points, sessions = _cut_down(_effort(player), session.rolls)
    step = max(1, session.rolls // points)
    lines = {name: [(0.0, session.bankroll / MINOR)] for name in SHARES}
    rolls = 0
    while rolls < session.rolls:
        rolls = min(session.rolls, rolls + step)
        nets = _cut(player, rolls).play(seed, 0, sessions).in_minor_units().net
        worths = shares(Counts.of(nets + session.bankroll, 0), tuple(SHARES.values()))
        for line, worth in zip(lines.values(), worths, strict=True):
            line.append((rolls, worth / MINOR))
    return lines


def _cut_down(effort: Effort, rolls: int) -> tuple[int, int]:
    """Points and sessions for sessions this long, which are played half on average."""
    points = max(FEWEST_POINTS, min(effort.points, 2 * effort.steps // rolls))
    affordable = 2 * effort.rolls // rolls
    sessions = max(FEWEST_SESSIONS, min(effort.sessions, affordable // points))
    return max(FEWEST_POINTS, min(points, affordable // sessions)), sessions


def _effort(player: Player) -> Effort:
    if isinstance(player, AutomatonPlayer):
        return NUMBA if player.engine == "numba" else NUMPY
    return KERNEL if isinstance(player, KernelPlayer) else REFERENCE


def _cut(player: Player, rolls: int) -> Player:
    """The same player in a session of so many rolls."""
    session = msgspec.structs.replace(player.session, rolls=rolls, end=FACE)
    if isinstance(player, AutomatonPlayer):
        tables = msgspec.structs.replace(player.tables, rolls=rolls)
        return AutomatonPlayer(
            player.strategy, session, tables, player.engine, None, player.spare, player.explored
        )
    return type(player)(player.strategy, session)
