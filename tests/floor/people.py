"""People at the naive floor: they come, go and are sent away; the dice go round."""

from __future__ import annotations

from tests.floor.houses import LEAST, STICK
from tests.floor.state import No, State


class People(State):
    """Who comes, who goes, who has the dice."""

    def buys(self, seat: str) -> None:
        if seat in self.excluded:  # only wagers are refused of who is barred
            raise No("excluded")
        if seat not in self.seats:
            self.seats[seat] = self.free_place()
            self.up[seat] = {}
        self.chips.add(seat)
        self.bought[seat] += 1

    def sits(self, seat: str, place: str) -> None:
        if seat in self.excluded:
            raise No("excluded")
        at = int(place)
        if any(where == at and name != seat for name, where in self.taken().items()):
            raise No("taken")
        if at > self.places:
            raise No("no such place")
        if seat == self.former and seat in self.seats and at != self.seats[seat]:
            self.from_place = self.from_place or self.seats[seat]  # the dice go on from there
        self.seats[seat] = at
        self.up.setdefault(seat, {})

    def leaves(self, seat: str) -> None:
        if seat not in self.seats:
            raise No("not seated")
        if self.thrown and seat == self.shooter:
            raise No("a throw is under way")
        if seat == self.shooter:
            self._let_go(seat)
        if seat == self.offered:
            self._offer_ends()
        self.away.add(seat)
        up = self.up[seat]
        self.small = {w for w in self.small if w[0] != seat or up.get(w[1], LEAST) < LEAST}
        # What was found lay there before: a leaver's wagers stand until they are decided.
        self.waits = [w for w in self.waits if w.seat != seat or w.what == "found"]
        if not self.up[seat] and all(w.seat != seat for w in self.waits):
            self.away.remove(seat)
            if seat == self.former and not self.from_place:
                self.from_place = self.seats[seat]
            self.sat[seat] = self.seats[seat]
            self.visits[seat] += 1
            self.told_least.discard(seat)
            del self.seats[seat], self.up[seat]
            self.chips.discard(seat)

    def _returns(self, seat: str) -> None:
        """Whoever plays is at the table, on a free place if the old one was taken, and a new
        player before the sign of the minimum."""
        if seat in self.away:
            self.away.remove(seat)
            self.told_least.discard(seat)
            if any(at == self.seats[seat] for s, at in self.taken().items() if s != seat):
                if seat == self.former:
                    self.from_place = self.from_place or self.seats[seat]
                self.seats[seat] = self.free_place()

    def excludes(self, by: str, seat: str, reason: str | None) -> None:
        """Also somebody who only looks on, or has left."""
        if by not in self.house.excludes.get(reason or "", ()):
            raise No("no such power")
        self._banned(seat, f"excluded for {reason}")
        self.barred.add(seat)
        self.excluded.add(seat)
        self.waits = [w for w in self.waits if w.seat != seat]

    def refuses(self, by: str, seat: str, reason: str | None) -> None:
        if seat not in self.seats:
            raise No("not seated")
        if by not in self.house.refuses.get(reason or "", ()):
            raise No("no such power")
        if seat not in self.excluded:
            self._banned(seat, f"refused for {reason}")
        self.barred.add(seat)

    def _banned(self, seat: str, how: str) -> None:
        """The same order once more changes nothing, and is not given."""
        if self.banned.get(seat) == how:
            raise No("already so")
        self.banned[seat] = how

    # -- the dice go round -----------------------------------------------------

    def offers(self, by: str, seat: str) -> None:
        if by != STICK:
            raise No("the stick offers")
        if seat in self.excluded:
            raise No("excluded")
        if self.thrown:
            raise No("a throw is under way")
        has = self.shooter if self.shooter != STICK else ""
        if has and (self.has_line(has) or self._may_bet(has)):
            raise No("somebody has the dice")
        if self.offered in self.in_order():
            raise No("somebody is asked")
        before = (self.shooter, self.former, self.from_place, set(self.let_by), self.asked_at)
        if has:  # who cannot throw any more has lost them
            self.shooter, self.former, self.from_place, self.let_by = "", has, 0, set()
            self.asked_at = 0
        if self.offered:
            self.asked_at = self.offered_at
        try:
            self._offer(seat)
        except No:
            self.shooter, self.former, self.from_place, self.let_by, self.asked_at = before
            raise
        if self.shooter or has:
            self._hand_over()
        self.shooter, self.no_rolls = "", 0
        self.offered, self.offered_at = seat, self.seats[seat]

    def _may_bet(self, seat: str) -> bool:
        """Whether a shooter without a line wager can still make one."""
        now = not self.puck or self.house.lacking == "asked"
        return now and seat in self.chips and seat not in self.barred

    def _offer(self, seat: str) -> None:
        left = self.still_to_ask()
        if left and left[0] != seat:
            raise No(f"{left[0]} comes first")
        if not left and seat not in self.in_order():
            raise No("not to be asked")
        self._set_is_ready()

    def _set_is_ready(self) -> None:
        """The set is as it has to be offered, and taken."""
        if self.set_due:  # only the shooter who lost them goes on with old dice
            raise No("a new set is due")
        whole = self.house.whole if self.former else self.house.begins_whole
        if whole and not self.beside and self.play + self.bowl + self.held < 5:
            raise No("the set is not complete")
        if self.house.inspected_first:
            self._looked_at()

    def takes(self, seat: str) -> None:
        if seat == STICK:
            return self._stick_takes()
        self._seated(seat)
        if self.offered != seat:
            raise No("not offered")
        if seat not in self.in_order():
            raise No("may not be asked any more")
        if self.house.line_to_take and not self.has_line(seat):
            raise No("no line wager")
        self._set_is_ready()
        while self.bowl and self.play < 2:
            self.gives_another(STICK)
        self.shooter, self.offered, self.former, self.from_place = seat, "", "", 0
        self.hands += 1
        self.let_by, self.asked_at, self.no_rolls = set(), 0, 0
        return None

    def _stick_takes(self) -> None:
        if self.house.nobody != "stick throws":
            raise No("the stick never throws here")
        has = self.shooter
        if has == STICK or (has and (self.has_line(has) or self._may_bet(has))):
            raise No("somebody has the dice")
        before = (self.shooter, self.former, self.from_place, set(self.let_by))
        if has:  # who cannot throw any more has lost them
            self.shooter, self.former, self.from_place, self.let_by = "", has, 0, set()
        if self.thrown or self.offered or self.still_to_ask() or not any(self.up.values()):
            self.shooter, self.former, self.from_place, self.let_by = before
            raise No("somebody may yet throw, or there is nothing to throw for")
        if has:
            self._let_go(has)
        self.asked_at = ([0] + [self.seats[s] for s in self.in_order()])[-1]
        self.shooter, self.let_by = STICK, set(self.in_order())
        self.hands += 1
        self.former = self.former or STICK  # the stick throws as a shooter: play has begun

    def declines(self, seat: str) -> None:
        self._seated(seat)
        if self.offered != seat:
            raise No("not offered")
        self._not_accepted()

    def passes_over(self, by: str, seat: str) -> None:
        if by != STICK:
            raise No("the stick offers")
        if self.offered != seat:
            raise No("not offered")
        self._not_accepted()

    def passes(self, seat: str) -> None:
        self._seated(seat)
        if self.shooter != seat or self.thrown:
            raise No("no dice in that hand")
        self._let_go(seat)
        self.let_by = {seat}  # nobody made them: they will not have the dice

    def orders(self, by: str, seat: str, reason: str, note: str | None) -> None:
        wants = self.house.orders.get(reason)
        if by != "box" or wants is None:
            raise No("no such power")
        if self.shooter != seat or seat == STICK or self.thrown:
            raise No("no dice in that hand, or it is the stick's")
        if "repeated" in wants and self.no_rolls < 2:
            raise No("not repeatedly")
        if "note" in wants and not note:
            raise No("nothing on record")
        self._let_go(seat)

    def cancels(self, by: str) -> None:
        # No text names anybody: who has the game or the house in charge; the stick offers (Perth).
        heard = by == STICK and self.house.nobody == "cancel"
        if not (heard or by in ("box", "manager")) or not self.house.cancels:
            raise No("no such power")
        if self.contested:
            raise No("the faces of the last roll are in dispute")
        if not self.puck or self.shooter or self.offered or self.thrown or self.still_to_ask():
            raise No("somebody may finish the round")
        if self.house.nobody == "wait" and self.in_order():
            raise No("somebody may become willing")
        self.puck = 0
        for seat, spots in self.up.items():
            for line in ("pass", "dont_pass"):
                if spots.pop(line, 0):
                    self.chips.add(seat)
        self.let_by, self.asked_at = set(), 0
