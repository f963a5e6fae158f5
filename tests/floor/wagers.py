"""Wagers at the naive floor, as far as people are concerned."""

from __future__ import annotations

from tests.floor.houses import LEAST, MOST
from tests.floor.state import No, Waits
from tests.floor.vouchers import Vouchers


class Wagers(Vouchers):
    """What is bet, said, confirmed, called on and taken down."""

    def _bettable(self, seat: str, spot: str, amount: int, voucher: int = 0) -> None:
        self._offered(seat, spot, amount, voucher)
        stake = self.up[seat].get(spot, 0) + amount
        if stake > MOST or self._payable(spot, stake) < stake:
            raise No("too much, or not to be paid exactly")

    def _offered(
        self, seat: str, spot: str, amount: int, voucher: int = 0, found: bool = False
    ) -> None:
        if seat in self.barred:
            raise No("barred")
        if seat not in self.chips and amount > voucher:
            raise No("no chips")
        if voucher:
            self.voucher_may_lie(seat, spot, amount, voucher)
        if spot not in ("pass", "dont_pass", "field", "place.6") or (
            spot == "dont_pass" and self.house.crapless
        ):
            raise No("no such wager")
        house, up = self.house, self.up[seat]
        if self.puck and spot in ("pass", "dont_pass"):
            raised = house.contract and spot in up
            remedy = house.lacking == "asked" and seat == self.shooter and amount <= LEAST
            remedy = remedy and not found  # Perth 6.9 asks the shooter to place one
            open_still = not self.thrown and not (self.bets_closed and house.closing)
            remedy = remedy and open_still and not self.has_line(seat)
            if spot == "dont_pass" or not (house.put or raised or remedy):
                raise No("there is a point")

    def _down(self, seat: str, spot: str, amount: int, voucher: int = 0) -> None:
        # Who was advised has further wagers under the minimum returned (Adelaide 14(g), Perth 5.6):
        # those put down after the advice.
        stake = self.up[seat].get(spot, 0) + amount
        self.goes_back.discard((seat, spot))
        if stake < LEAST and seat in self.told_least:
            self.goes_back.add((seat, spot))
        self.up[seat][spot] = stake
        if voucher:
            self.voucher_down(seat, spot, voucher)

    def bets(self, seat: str, amount: str, spot: str, voucher: str | None) -> None:
        self._seated(seat)
        face = int(voucher.removeprefix(" with voucher") or amount) if voucher else 0
        if self.thrown == "out" and self.house.late:
            self._bettable(seat, spot, int(amount), face)
            if face:
                self.voucher_waits(seat, face)
            self.waits.append(Waits("late", seat, spot, int(amount), face))
            return
        if self.thrown or (self.bets_closed and self.house.closing):
            raise No("bets are closed")
        self._bettable(seat, spot, int(amount), face)
        self._down(seat, spot, int(amount), face)

    def says(self, seat: str, amount: str, spot: str) -> None:
        self._seated(seat)
        in_the_air = self.thrown == "out" and self.house.late
        if not in_the_air and (self.thrown or not self.house.spoken):
            raise No("no spoken wagers now")
        self._bettable(seat, spot, int(amount))
        self.waits.append(Waits("spoken", seat, spot, int(amount)))

    def confirms(self, by: str, seat: str, spot: str) -> None:
        if seat in self.excluded:
            raise No("excluded")
        mine = [w for w in self.waits if (w.seat, w.spot) == (seat, spot)]
        if not mine:
            raise No("nothing waits")
        why: No | None = None
        for wait in sorted(mine, key=lambda w: by in w.by):  # the word is for one it can be for
            try:
                return self._word(by, wait)
            except No as no:
                why = why or no
        assert why is not None
        raise why

    def _word(self, by: str, wait: Waits) -> None:
        seat, spot, house = wait.seat, wait.spot, self.house
        air = self.thrown == "out" and wait.what != "on"
        who = house.on if wait.what == "on" else house.late if air else house.spoken
        if by not in who:
            raise No("not theirs to confirm")
        if self.thrown and not air:
            raise No("too late")
        if wait.what != "on":
            self._bettable(seat, spot, wait.amount, wait.voucher)
        if air and house.late_both and wait.by | {by} < set(who):
            wait.by.add(by)
            return
        self.waits.remove(wait)
        if wait.what == "on":
            self._mark(seat, spot)
        else:
            self._down(seat, spot, wait.amount, wait.voucher)

    def _mark(self, seat: str, spot: str) -> None:
        """On: where taking an Off marker away does it, that is all."""
        if self.puck:
            del self.marks[seat, spot]
        else:
            self.marks[seat, spot] = "on"

    def calls_on(self, seat: str, spot: str, on: str) -> None:
        self._seated(seat)
        if spot not in self.up[seat]:
            raise No("no such wager")
        if self.thrown or (self.bets_closed and self.house.closing):
            raise No("too late")
        if self.puck and self.house.on_only_when_off:
            raise No("only while there is no point")
        if on == "off":
            called = [w for w in self.waits if (w.what, w.seat, w.spot) == ("on", seat, spot)]
            self.waits = [w for w in self.waits if w not in called]  # it was the player's to call
            sleeps = self.house.on_only_when_off or self.marks.get((seat, spot)) == "off"
            if called and sleeps:
                return
            if not called and not self._works(seat, spot):
                self._money()  # whether an Off marker would outlast the roll
            lifted = not self.puck and (seat, spot) in self.marks
            self.marks[seat, spot] = "off"
            if lifted:
                del self.marks[seat, spot]
            return
        if self._works(seat, spot):
            raise No("already so")
        if not self.house.on:
            self._mark(seat, spot)
        else:
            self.waits = [w for w in self.waits if (w.what, w.seat, w.spot) != ("on", seat, spot)]
            self.waits.append(Waits("on", seat, spot))

    def takes_down(self, seat: str, spot: str) -> None:
        self._seated(seat)
        if spot not in self.up[seat]:
            raise No("no such wager")
        if self.thrown == "rest" or (self.thrown and self.house.down_until == "throw"):
            raise No("too late")
        if spot == "pass" and (self.puck or self.house.contract):
            raise No("a pass stays")
        self.voucher_back(seat, spot)
        del self.up[seat][spot]
        self.marks.pop((seat, spot), None)
        self.waits = [w for w in self.waits if w.what != "on" or (w.seat, w.spot) != (seat, spot)]
