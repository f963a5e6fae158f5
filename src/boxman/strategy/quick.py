"""Sessions over felts ruled on before: exactly the reference's results, many times sooner.

The strategy itself still runs as plain Python at every turn, so it may read its cash and count what
it likes. It is what near-ruin lanes of an automaton are played with, and strategies that cannot be
compiled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from boxman.strategy.api import Strategy
from boxman.strategy.course import SessionChair, played
from boxman.strategy.ends import Ended
from boxman.strategy.felt import FeltChair, Felts, Put
from boxman.strategy.session import Session
from boxman.strategy.spots import SPOTS
from boxman.table.rulings import Refusal


class FeltNotes:
    """What was put down, decided and refused in sessions over the same felts."""

    def __init__(self) -> None:
        self.rolled: Counter[tuple[int, int]] = Counter()
        """By felt and kind of roll."""
        self.put: Counter[Put] = Counter()
        """By the strategy; what rolls put down is in what they made of a felt."""
        self.left: Counter[int] = Counter()
        """The felts that were left behind, where what is still up counts at its value."""
        self.first: dict[tuple[str, str, object], Refusal] = {}
        """The first of its code on a spot, for one way of proposing with the puck in one place."""


class FeltSeat(FeltChair, SessionChair):
    """A whole session before felts."""

    def __init__(self, felts: Felts, session: Session, noted: FeltNotes | None) -> None:
        super().__init__(felts, session.bankroll)
        self.session, self.noted = session, noted
        self.refusals = {}
        self.sit(felts.start, None)

    @property
    def stake(self) -> int:
        return self.felt.stake

    @property
    def bare(self) -> bool:
        return not self.felt.wagers

    @property
    def worth(self) -> int:
        return self.rail + self.felt.stake

    def refuse(self, what: int, spot: int, refusal: Refusal) -> None:
        self.count_refusal(refusal, spot)
        if self.noted is not None:
            # A bet on top of another is a way of its own.
            way = (what + (spot in self.felt.wagers), self.felt.puck)
            self.noted.first.setdefault((refusal.code, SPOTS[spot], way), refusal)

    def acted(self) -> None:
        if self.noted is not None:
            self.noted.put.update(self.put)

    def ready(self) -> bool:
        held = self.felts.ready(self.felt)
        self.felt, given = held or self.felts.left(self.felt)
        self.rail += given
        return held is not None

    def roll(self, number: int) -> None:
        kind = self.felts.rolls.number[number]
        landed = self.felts.roll(self.felt, kind)
        if self.noted is not None:
            self.noted.rolled[self.felt.index, kind] += 1
        self.rail += landed.cash
        self.staked += landed.staked
        self.sit(landed.felt, landed)
        self.rolled()

    @property
    def counted(self) -> int:
        return self.rail + self.felts.down(self.felt).cash

    def take_down(self) -> None:
        self.felt, cash, put = self.felts.down(self.felt)
        self.rail += cash
        if self.noted is not None:
            self.noted.put.update(put)

    def let_go(self) -> None:
        self.felt = self.felts.let_go(self.felt)

    def value(self) -> Fraction:
        from boxman.strategy.worth import value_of_felt

        if self.noted is not None:
            self.noted.left[self.felt.index] += 1
        return value_of_felt(self.felts, self.felt)


def play_quick(
    strategy: Strategy,
    session: Session,
    dice: Iterable[int],
    felts: Felts,
    noted: FeltNotes | None = None,
) -> Ended:
    """Play one session; `felts` of the same table may be shared by many."""
    return played(strategy, FeltSeat(felts, session, noted), dice)
