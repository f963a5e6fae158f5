"""The generic kernel as an executor: the strategy compiled alone, called by precompiled code.

Refusals are counted in every session. A session that goes wrong in compiled code is played on the
reference. Needs Numba.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np

from boxman.rules.compile import load
from boxman.sim.compiled import have_numba
from boxman.sim.executors import CannotPlay, warm
from boxman.sim.executors.player import Pace, Player, replaced
from boxman.sim.executors.reference import ReferencePlayer
from boxman.sim.kernel.check import NotCompiled, check
from boxman.sim.kernel.places import SpotPlaces
from boxman.sim.lanes import Lanes
from boxman.sim.samples import SAMPLE
from boxman.strategy.api import Strategy
from boxman.strategy.session import Session
from boxman.words import phrase

GENERIC = "generic"
"""The kernel's name in the cache."""


class KernelPlayer(ReferencePlayer):
    """Plays the compiled strategy in the generic kernel."""

    name = "generic kernel"
    pace = Pace(10_000_000, 64, False, 12, 2_000, 40_000_000, 40_000_000)
    slow = False
    sampled = SAMPLE

    def __init__(self, strategy: Strategy, session: Session) -> None:
        super().__init__(strategy, session)
        self._kernel: Any = None
        self._still_up: Any = None
        self._in_mind = False
        self._compiling = threading.Lock()

    def compile(self) -> Any:
        """The kernel, compiled when first wanted."""
        from boxman.sim.kernel.run import Kernel

        with self._compiling:
            if self._kernel is None:
                try:
                    self._kernel = Kernel(self.strategy, self.session)
                except NotCompiled as error:
                    raise CannotPlay(str(error)) from None
        return self._kernel

    @property
    def cold(self) -> bool:
        """Whether it takes many seconds to compile."""
        return self._kernel is None and not warm.is_ready(GENERIC)

    def at_once(self) -> Player:
        return ReferencePlayer(self.strategy, self.session) if self.cold else self

    def kernels(self) -> dict[str, Callable[[], Any]]:
        return {GENERIC: self.compile} if self.cold else {}

    def play(self, seed: int, first: int, count: int) -> Lanes:
        kernel = self.compile()
        played = kernel.run(seed, first, count)
        if not self._in_mind:
            warm.keep_in_mind(GENERIC)
            self._in_mind = True
        return self._checked(played, seed, first + np.arange(count))

    def some(self, seed: int, sessions: Any) -> Lanes:
        played = self.compile().some(seed, sessions.astype(np.uint64))
        return self._checked(played, seed, sessions)

    def _checked(self, played: Any, seed: int, sessions: Any) -> Lanes:
        """As lanes; a session that went wrong in compiled code is played on the reference."""
        wrong = np.flatnonzero(played.error)
        lanes: Lanes = msgspec.structs.replace(played.lanes, value=self._worth(played.left))
        if len(wrong):
            right = ReferencePlayer.some(self, seed, sessions[wrong])
            # Some of what was refused in a session that went wrong is in the counts.
            lanes = msgspec.structs.replace(lanes, value=lanes.value + right.value, refused=None)
            replaced(lanes, wrong, right)
        return lanes

    def _worth(self, left: Any) -> Fraction:
        """What wagers that were left up are worth beyond their face."""
        if not left:
            return Fraction(0)
        from boxman.sim.executors.still_up import StillUp

        with self._compiling:
            if self._still_up is None:
                self._still_up = StillUp(self.session)
        worth: Fraction = self._still_up.value(left)
        return worth


def made(strategy: Strategy, session: Session, asked: str, reasons: list[str]) -> Player:
    """The player for a strategy; where it is cold it is only looked at, and compiled later."""
    if not have_numba():
        raise CannotPlay(phrase("sim.wrong.the-generic-kernel-needs-numba"))
    player = KernelPlayer(strategy, session)
    if player.cold and asked != "kernel":
        try:
            check(strategy)
            SpotPlaces(load(session.house, dict(session.settings), session.chip), strategy)
        except NotCompiled as error:
            raise CannotPlay(str(error)) from None
    else:
        player.compile()
    return player


def load_kernel(name: str) -> None:
    """Have the generic kernel ready, with what most strategies call."""
    from boxman.sim.kernel.run import Kernel
    from boxman.strategy.library import named
    from boxman.strategy.session import session

    Kernel(named("percent"), session(rolls=1)).run(0, 0, 1)
    warm.keep_in_mind(GENERIC)
