"""Disputes at the naive floor, and the closing of the table."""

from __future__ import annotations

from tests.floor.houses import STATIONS
from tests.floor.state import Dispute, No
from tests.floor.vouchers import Vouchers

DUE = {
    "decide": ("open",),
    "review": ("decide", "consult"),
    "inspect": ("decide", "review"),
    "close": ("decide", "review", "inspect", "consult"),
}


class Complaints(Vouchers):
    """Who complains, who decides it, and when a table closes."""

    def complains(self, seat: str) -> None:
        if seat not in self.seats:
            raise No("not seated")
        self.disputes.append(Dispute(seat))

    def opens_dispute(self, by: str, seat: str) -> None:
        if by not in ("box", "supervisor", "senior", "manager") and seat not in self.seats:
            raise No("of players only")  # those above write it down for anybody
        self.disputes.append(Dispute(seat))

    def _dispute(self, seat: str, step: str) -> Dispute:
        """The last dispute of somebody, or of anybody, that this step is due for."""
        found = [d for d in self.disputes if seat in ("", d.seat) and d.step in DUE[step]]
        if not found:
            raise No("no dispute is so far")
        return found[-1]

    def asks_review(self, seat: str) -> None:
        self._asks(seat, "review", self.house.reviews)

    def asks_inspector(self, seat: str) -> None:
        self._asks(seat, "inspect", self.house.inspects)

    def _asks(self, seat: str, step: str, who: tuple[str, ...]) -> None:
        dispute = self._dispute(seat, step)
        if step in dispute.asked:  # another one, of which it was not asked yet
            mine = [d for d in self.disputes if seat == d.seat and d.step in DUE[step]]
            dispute = ([d for d in mine if step not in d.asked] or [dispute])[0]
        if not who or step in dispute.asked:
            raise No("nobody does that here, or asked for")
        dispute.asked.add(step)

    def judges(self, by: str, step: str, seat: str | None) -> None:
        step, house = step.rstrip("s"), self.house
        dispute = self._dispute(seat or "", step)
        who = {"review": house.reviews, "inspect": house.inspects}.get(step, house.settles)
        done = step == "close" and dispute.judge == by
        if by not in who and not done:
            raise No("not theirs to decide")
        if step in ("review", "inspect") and house.asked and step not in dispute.asked:
            raise No("not asked for")
        consulted = dispute.step == "consult"  # an inspector looked at it, whose house reviews it
        reviews = step == "review" and not consulted
        if reviews and STATIONS.index(by) <= STATIONS.index(dispute.judge):
            raise No("somebody more senior reviews it")
        if step == "close":
            higher = any(STATIONS.index(s) > STATIONS.index(dispute.judge) for s in house.reviews)
            owed = consulted or (higher and dispute.step == "decide")
            review = "review" in dispute.asked and owed
            inspected = dispute.step not in DUE["inspect"] or not house.inspects
            if review or ("inspect" in dispute.asked and not inspected):
                raise No("what was asked for is still to come")
        told = dispute.seat in self.advised or bool({"inspect", "consult"} & dispute.asked)
        if step == "close" and house.advised and not told:
            raise No("not told of the inspector")
        if (step, dispute.step) == ("inspect", "decide") and "inspector" in house.reviews:
            step = "consult"
            dispute.asked = {step if each == "inspect" else each for each in dispute.asked}
        dispute.step, dispute.judge = step, by

    def tells(self, by: str, seat: str) -> None:
        if by not in STATIONS or seat in self.advised:
            raise No("nobody's to tell, or told")
        if seat == "inspector":
            if all(wants != "inspector told" for _, wants in self.house.shuts.values()):
                raise No("nobody has to be told")
        elif not self.house.advised or all(d.seat != seat for d in self.disputes):
            raise No("nobody has to be told")
        self.advised.add(seat)

    def announces(self, by: str) -> None:
        if all(by not in who for who, _ in self.house.shuts.values()):
            raise No("not theirs to announce")
        if self.sign is None:  # the same sign once more has hung since the first time
            self.sign = self.clock

    def shuts(self, by: str, reason: str | None) -> None:
        who, wants = self.house.shuts.get(reason or "", ((), ""))
        present = any(self.here(seat) for seat in self.seats.keys() - self.excluded)
        if by not in who or self.thrown or self.contested:
            raise No("not theirs to close, or not before the throw is decided")
        if wants == "nobody" and present:
            raise No("players are there")
        if wants == "inspector told" and "inspector" not in self.advised:
            raise No("the inspector was not told")
        late = self.sign is None or self.clock < self.sign + self.house.sign
        if wants == "sign" and present and late:
            raise No("it was not announced for long enough")
        self.closed = True
        self.chips |= {seat for seat, spots in self.up.items() if spots}
        for seat, spot in list(self.lying):
            self.voucher_back(seat, spot)
        self.up = {seat: {} for seat in self.seats}
        self.marks, self.waits = {}, []
