"""Stakes that staff find at the naive floor: chips that lay in play and that nobody checked.

What nobody rejected before the dice lay still stands (New South Wales 7.2 and its brothers), so it
can be found until its throw is settled: once no wagers are taken any more only with the word that
it lay there before, and once the dice lie only by two who have seen it, for by one it would be a
late wager.
"""

from __future__ import annotations

from tests.floor.houses import LEAST, STATIONS
from tests.floor.state import No, Waits
from tests.floor.wagers import Wagers


class Found(Wagers):
    """What is found, and the word of the second who has seen it."""

    def finds(self, by: str, amount: str, spot: str, seat: str, before: str | None) -> None:
        if by not in STATIONS[:-1]:
            raise No("staff find, not a player or an inspector")
        self._seated(seat)
        late = bool(self.thrown) or (self.bets_closed and bool(self.house.closing))
        if late != bool(before):
            raise No("only what lay there before counts" if late else "there is no throw yet")
        self._as_found(seat, spot, int(amount))
        if self.thrown == "rest":
            self.waits.append(Waits("found", seat, spot, int(amount), by={by}))
        else:
            self._lay_there(seat, spot, int(amount))

    def advises(self, by: str, seat: str) -> None:
        """The owner is advised that further ones under the minimum go back (Perth 5.6)."""
        if by not in self.house.advise:
            raise No("no such word here, or not theirs")
        if seat not in self.seats or seat in self.told_least:
            raise No("not there, or told already")
        if all(who != seat for who, _ in self.small):
            raise No("had no wager under the minimum")
        self.told_least.add(seat)

    def _as_found(self, seat: str, spot: str, amount: int) -> None:
        """What would have kept it out at the door, but for limits that the text treats itself, and
        for what cannot be paid: that goes back (Perth 8.5, with 5.6 and 5.7)."""
        self._offered(seat, spot, amount, found=True)
        if self.house.outside == "refused" and not self.within(seat, spot, amount):
            raise No("outside the limits, for which the text has no treatment")

    def _lay_there(self, seat: str, spot: str, amount: int) -> None:
        self._down(seat, spot, amount)
        if self.up[seat][spot] < LEAST:
            self.small.add((seat, spot))
        lacked = self.house.ineligible and self.ground == self.house.ineligible
        if lacked and self.has_line(self.shooter):
            # the shooter had placed one (Resorts World Sentosa 3.10(iii)); other grounds stand
            self.ground = "off-table" if self.die_counted else ""

    def _word(self, by: str, wait: Waits) -> None:
        if wait.what != "found":
            return super()._word(by, wait)
        if by not in STATIONS[:-1] or by in wait.by:
            raise No("a second person of the crew has to have seen it")
        self._seated(wait.seat)
        self._as_found(wait.seat, wait.spot, wait.amount)
        self.waits.remove(wait)
        return self._lay_there(wait.seat, wait.spot, wait.amount)
