"""The fan of bankrolls: percentiles of the worth as a session goes on.

A session cut off after r rolls ends with the worth it has then; so the fan is made of shorter
sessions on the same dice, by whichever executor plays the strategy.
"""

from __future__ import annotations

import msgspec

from boxman.chips import MINOR
from boxman.sim.players import AutomatonPlayer, KernelPlayer, ReferencePlayer
from boxman.sim.tally import Counts, shares
from boxman.strategy.session import FACE

SHARES = {"5%": 0.05, "25%": 0.25, "median": 0.5, "75%": 0.75, "95%": 0.95}
AUTOMATON, KERNEL, REFERENCE = (50, 4_000), (12, 2_000), (8, 60)
"""For each executor: how many points in time, how many sessions."""

Player = AutomatonPlayer | KernelPlayer | ReferencePlayer


def fan(player: Player, seed: int) -> dict[str, list[float]]:
    """The worth in currency units, by roll from 0 to the last, at each share of sessions."""
    session = player.session
    points, sessions = _effort(player)
    step = max(1, session.rolls // points)
    lines: dict[str, list[float]] = {name: [session.bankroll / MINOR] for name in SHARES}
    rolls = 0
    while rolls < session.rolls:
        before, rolls = rolls, min(session.rolls, rolls + step)
        nets = _cut(player, rolls).play(seed, 0, sessions).in_minor_units().net
        worths = shares(Counts.of(nets + session.bankroll, 0), tuple(SHARES.values()))
        for line, worth in zip(lines.values(), worths, strict=True):
            last, gap = line[-1], rolls - before
            line += [last + (worth / MINOR - last) * n / gap for n in range(1, gap + 1)]
    return lines


def _effort(player: Player) -> tuple[int, int]:
    if isinstance(player, AutomatonPlayer):
        return AUTOMATON
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
