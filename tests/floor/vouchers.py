"""Vouchers at the naive floor: who has them, which wagers they lie on, and when they are gone.

A voucher is one free wager of the amount it states, forfeited once that wager is determined (New
South Wales 1.1). Until then nothing has become of it: it is its owner's again, and a voucher, where
the wager comes back or the throw does (gap-26). It is never chips.
"""

from __future__ import annotations

from tests.floor.houses import STATIONS
from tests.floor.state import No, State


class Vouchers(State):
    """What becomes of vouchers."""

    def issues(self, by: str, seat: str, amount: str) -> None:
        if not self.house.vouchers or by not in STATIONS:
            raise No("none here, or not the operator's")
        self._seated(seat)
        self.issued.append((seat, int(amount)))
        self.in_hand.setdefault(seat, []).append(int(amount))

    def voucher_may_lie(self, seat: str, spot: str, amount: int, face: int) -> None:
        """Refuse a voucher that is not theirs, not whole, or a second one: each is one wager."""
        if face not in self.in_hand.get(seat, ()) or face > amount:
            raise No("no such voucher")
        if (seat, spot) in self.lying:
            raise No("one lies there already")

    def voucher_waits(self, seat: str, face: int) -> None:
        """Refuse one that lies with another wager which waits: each is accompanied by its own."""
        theirs = [wait.voucher for wait in self.waits if wait.seat == seat]
        if theirs.count(face) >= self.in_hand.get(seat, []).count(face):
            raise No("it waits with another")

    def voucher_down(self, seat: str, spot: str, face: int) -> None:
        self.in_hand[seat].remove(face)
        self.lying[seat, spot] = face

    def voucher_back(self, seat: str, spot: str) -> None:
        """The wager comes back, and its voucher with it."""
        if face := self.lying.pop((seat, spot), 0):
            self.in_hand[seat].append(face)

    def in_chips(self, seat: str, spot: str) -> int:
        """How much of a wager is chips."""
        return self.up[seat][spot] - self.lying.get((seat, spot), 0)

    def vouchers_as_at(self, then: State) -> None:
        """A throw taken back: vouchers as they were at it, with those that were given since. Who
        has left and has nothing lying here again keeps what they have."""
        since = self.issued[len(then.issued) :]
        again = {
            (seat, spot): face
            for (seat, spot), face in then.lying.items()
            if spot in self.up.get(seat, {})
        }
        for seat in self.seats:
            given = [amount for name, amount in since if name == seat]
            back = [face for (name, spot), face in then.lying.items() if name == seat]
            for (name, _), face in again.items():
                if name == seat:
                    back.remove(face)
            self.in_hand[seat] = then.in_hand.get(seat, []) + given + back
        self.lying = again
