"""How sessions ended, many side by side: what every executor gives for a range of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
ROWS = 7
"""Figures of a session, in the order of `Lanes`."""

RefusedKind = tuple[str, str, tuple[str, ...] | tuple[int, int]]
"""A refusal's code, spot and clauses; or what was proposed with the puck where, on which clauses
depend, if they were not at hand."""
RefusedCounts = dict[RefusedKind, tuple[int, int]]
"""How many refusals of each kind there were, and the first session with one."""


class Lanes(msgspec.Struct, frozen=True):
    """What became of a range of sessions, one place each; money in units of `unit`."""

    net: Ints
    rolls: Ints
    sevens: Ints
    """Seven-outs."""
    ending: Ints
    """How it ended, as an index of `boxman.strategy.session.ENDS`."""
    drawdown: Ints
    staked: Ints
    landed: Ints
    """The felt it ended with, as the automaton numbers them; -1 if none or not known."""
    value: Fraction = Fraction(0)
    """What wagers still up are worth beyond face, in minor units, all sessions together, where it
    is known."""
    unit: int = 1
    """Minor units in one unit of net, drawdown and staked."""
    refused: RefusedCounts | None = None
    """What the table refused in all of them, where the executor counts it."""

    @staticmethod
    def of(
        rows: Any,
        value: Fraction = Fraction(0),
        unit: int = 1,
        refused: RefusedCounts | None = None,
    ) -> Lanes:
        """From the figures of sessions, a row each."""
        net, rolls, sevens, ending, drawdown, staked, landed = rows
        return Lanes(net, rolls, sevens, ending, drawdown, staked, landed, value, unit, refused)

    def in_minor_units(self) -> Lanes:
        """The same with a unit of 1."""
        if self.unit == 1:
            return self
        return msgspec.structs.replace(
            self,
            net=self.net * self.unit,
            drawdown=self.drawdown * self.unit,
            staked=self.staked * self.unit,
            unit=1,
        )
