"""How a session ends: what is checked before a turn, in its order, and the record of the end.

Whole numbers, and nothing of the table: the compiled loops are made of this very function.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec

ENDS = ("rolls", "shooters", "win", "loss", "broke", "no shooter")
"""How a session may end, in the order of the checks; kernels use the index."""
BY_ROLLS, BY_SHOOTERS, BY_WIN, BY_LOSS, BROKE, NO_SHOOTER = range(len(ENDS))
GOES_ON = -1
RUN_OUT_ROLLS = 1_000
"""How many rolls wagers still up are given to be decided."""
RefusedKey = tuple[str, str, tuple[str, ...]]
"""Code, spot, clauses."""


def stopped(
    rolls: int, seven_outs: int, net: int, won: int, most: int, shooters: int, win: int, loss: int
) -> int:
    """What ends a session before the next turn; a limit of 0 is none.

    `net` is counted at face, `won` as a stop-win is.
    """
    if rolls >= most:
        return BY_ROLLS
    if shooters > 0 and seven_outs >= shooters:
        return BY_SHOOTERS
    if win > 0 and won >= win:
        return BY_WIN
    if loss > 0 and -net >= loss:
        return BY_LOSS
    return GOES_ON


class RefusedHere(msgspec.Struct, frozen=True):
    """Proposals the table refused for one reason."""

    code: str
    spot: str
    cites: tuple[str, ...]
    sentence: str
    """As it was said the first time."""
    count: int

    @property
    def key(self) -> RefusedKey:
        return self.code, self.spot, self.cites

    @property
    def order(self) -> tuple[int, str, str, tuple[str, ...]]:
        """Where it stands among others: the most frequent first."""
        return -self.count, *self.key


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """How a session ended; amounts in minor units."""

    bankroll: int
    worth: int
    """Rail and wagers at face, in the end."""
    rail: int
    felt: int
    rolls: int
    run_out: int
    """Rolls after the end until wagers still up were decided."""
    seven_outs: int
    end: str
    highest: int
    """Of the worth at the start, after each roll, and in the end before any run-out."""
    lowest: int
    drawdown: int
    """The deepest fall of the worth from its highest until then."""
    staked: int
    refusals: tuple[RefusedHere, ...]
    value: Fraction | None = None
    """What the wagers still up are worth beyond their face, where the session asks for it."""

    @property
    def net(self) -> int:
        return self.worth - self.bankroll
