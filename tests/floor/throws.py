"""A throw at the naive floor: from bets closed to what a roll does."""

from __future__ import annotations

from tests.floor.back import TakenBack
from tests.floor.houses import LEAST, STATIONS, STICK, UNREAD
from tests.floor.state import No


class Throws(TakenBack):
    """What is said of a throw, and what comes of it."""

    def closes(self, by: str) -> None:
        if by not in self.house.may_close:
            raise No("not theirs to say")
        if self.thrown or self.bets_closed or not self.shooter:
            raise No("not now")
        self.bets_closed = True

    def out(self) -> None:
        if self.thrown:
            raise No("out already")
        self._release()
        self.thrown = "out"

    def land(self) -> None:
        if not self.house.landing or self.thrown != "out":
            raise No("not now")
        self.thrown = "landed"

    def rest(self) -> None:
        if self.thrown not in ("out", "landed"):
            raise No("not now")
        self.thrown = "rest"

    def calls(self, by: str, faces: str, cause: str | None, person: str | None) -> None:
        if by != STICK:
            raise No("the stick calls")
        house = self.house
        facts = {*house.due, *house.void} - {*house.judges}
        facts -= {*UNREAD} if house.void_faces else set()
        if self.asked and cause not in facts:
            raise No("staff decide the faces")
        if cause and cause not in (*house.void, *house.due, *house.may, *house.never):
            raise No("no such ground")
        if not self.thrown:
            self._release(own=cause not in {*house.others} & {*house.due, *house.void})
        if self.ground == house.ineligible != "" and cause not in house.void:
            return self._no_roll(self.ground, own=True)
        if cause:
            own = self._true(cause, person)
            if cause in house.due:
                if self.ground:
                    raise No("no roll is due already")
                self.ground, self.thrown = cause, "rest"
                self._die_off(cause)
                return None
            if cause in house.void:
                return self._no_roll(cause, own)
        return self._decided(faces)

    def _decided(self, faces: str) -> None:
        """Faces are called or decided; a ground that was stated binds the throw."""
        if self.ground in self.house.due:
            raise No("no roll is due")
        if self.ground:
            return self._no_roll(self.ground, own=True)
        self._settle(faces)
        return None

    def _true(self, cause: str, person: str | None) -> bool:
        """Refuse a ground that is none here or known to be false; whether it is the shooter's."""
        house = self.house
        if cause not in (*house.void, *house.due, *house.may, *house.never):
            raise No("no such ground")
        if cause in house.named and not person:
            raise No("nobody named")
        if cause == house.ineligible:
            lacks = self.shooter in self.seats and not self.has_line(self.shooter)
            if self.ground != cause if self.thrown else not lacks:
                raise No("the shooter has a line wager")
        if cause in house.others:
            if person and person == self.shooter:
                raise No("the shooter is the one who should throw")
            return False
        of_player = cause in house.named or (cause in house.of_players and person)
        if of_player and person not in {*self.seats, *self.sat}:
            raise No("no such player")
        return person in (None, "", self.shooter) and cause not in UNREAD

    def no_roll(self, by: str, cause: str | None, person: str | None) -> None:
        if not cause:
            if not self.house.bare:
                raise No("no ground")
            if by not in self.house.calls_no_roll:
                raise No("not theirs to call")
            if self.asked and not self.ground:
                raise No("staff decide the faces")
            if not self.thrown:
                self._release()
            nobodys = (*self.house.others, *UNREAD)
            return self._no_roll(self.ground, own=self.ground not in nobodys)
        if cause in self.house.never:
            raise No("no ground")
        allowed = (*self.house.calls_no_roll, *(("box",) if cause in self.house.judges else ()))
        if cause in self.house.void:
            allowed += self.house.announces_void
        if cause in self.house.of_the_box:
            allowed = ("box",)
        own = self._true(cause, person)
        if by not in allowed:
            raise No("not theirs to call")
        self._left_open(cause, by)
        decides = bool(self.asked) and cause in UNREAD
        if not self.thrown:
            closing, self.bets_closed = self.bets_closed, True
            known = self.void and self.off_table and not self.die_known
            gone = 0 if known or cause != "off-table" else 2 - self.play
            gone *= gone <= self.off  # reported before anything else was said of this throw
            self.play += gone
            try:
                self._release(own=cause not in self.house.others)
            finally:
                self.bets_closed, self.play = closing, self.play - gone
            self.die_counted |= bool(gone)
        self._no_roll(cause, own)
        self.judge = STATIONS.index(by) if decides else self.judge
        return None

    def _left_open(self, cause: str, by: str) -> None:
        """While faces are in dispute no ground at discretion is called; that nobody could read them
        is for the one who decides them."""
        unread = cause in UNREAD and self.house.void_faces
        if unread and by == "box":
            return
        if self.asked and (unread or cause in (*self.house.may, *self.house.judges)):
            raise No("staff decide the faces")

    def _no_roll(self, cause: str, own: bool, again: bool = False) -> None:
        """The throw does not count: the dice are the shooter's again, nothing waits."""
        handled = self.play == 2 or self.play + self.off < 2
        then, replaced = self.as_it_is(), self.die_counted and handled
        roll = self.void or self
        then.die_gone, then.judge = roll.die_gone, roll.judge
        self.die_gone &= again
        self._die_off(cause)
        self.void, self.judge = then, 0
        self.off_table = self.die_counted or cause == "off-table"
        self.die_known = self.off_table and replaced
        self.no_rolls += own
        self.invalid += [self.shooter] * own
        self._over()

    def _die_off(self, cause: str) -> None:
        """A die left the table: it is not thrown again before it was checked."""
        if cause == "off-table" and not self.die_counted and self.play:
            self.play, self.off = self.play - 1, self.off + 1
            self.unreported += 1
            self.die_counted = True

    def _over(self) -> None:
        self.thrown = self.asked = self.ground = ""
        self.contested = ""
        self.bets_closed = self.die_counted = False
        self.waits = []

    def disputes(self, seat: str) -> None:
        if seat not in self.seats:
            raise No("not seated")
        if not self.thrown:
            if self.contested or self.roll is None or self.void or self._face_decided():
                raise No("disputed already, no roll there, or decided for good")
            self.contested = seat
            return
        if self.asked:
            raise No("disputed already")
        self.thrown, self.asked = "rest", "disputed"

    def _face_decided(self) -> bool:
        """The box's word is final; New South Wales and Perth correct a call by deciding a complaint
        about it, and the face is the box's all the same (4.4.3, 7.1(e))."""
        return self.judge > 0 and not (self.house.by_dispute and STATIONS[self.judge] != "box")

    def call_it(self, by: str) -> None:
        if by != STICK or not self.house.call_it:
            raise No("no such power")
        if not self.thrown or self.asked:
            raise No("not now")
        self.thrown, self.asked = "rest", "call it"

    def decides(self, by: str, faces: str) -> None:
        if not self.asked and (self.thrown or not self.contested):
            raise No("nothing to decide")
        void = faces == "no roll"
        who = self.house.call_it if self.asked == "call it" and not void else ("box",)
        if by not in who or (void and not self.house.void_faces):
            raise No("no such power")
        final = self.asked != "call it" or by == "box" or void
        if not self.asked:
            self._called_otherwise("" if void else faces)
        elif void:
            self._no_roll(self.ground, own=bool(self.ground))
        else:
            final = final and not self.ground
            self._decided(faces)
        if final:
            self.judge = STATIONS.index(by)

    def _called_otherwise(self, faces: str) -> None:
        """Faces of the last roll are decided: the same stand, others are settled instead."""
        if sorted(faces) == sorted(self.faces):
            self.contested = ""
            return
        assert self.roll is not None
        self._take_back(self.roll)
        if faces:
            self._settle(faces, again=True)
        else:
            self._no_roll("faces", own=False, again=True)

    def _settle(self, faces: str, again: bool = False) -> None:
        """What a roll does with the puck, the four wagers, and the shooter, also settled again."""
        point, house, total = self.puck, self.house, sum(map(int, faces.split("-")))
        self.roll = then = self.as_it_is()
        self.die_gone &= again
        self.begun = self.begun if point else then
        self.faces, self.void, self.judge, self.fared = faces, None, 0, {}
        seven_out = bool(point) and total == 7
        line_over = total in (7, point) if point else total == 7
        if not point and not house.crapless:
            line_over = total in (2, 3, 7, 11, 12)
        for seat in self.up:
            working = self._works(seat, "place.6")
            # a winner that stays up is a new wager, with the limits of one
            again = house.stays_up and seat not in self.barred
            again = again and self.within(seat, "place.6", 0)
            natural = total == point if point else total in ((7,) if house.crapless else (7, 11))
            if working and total in (6, 7):
                self._fares(seat, "place.6", total == 6, up=total == 6 and again)
            self._fares(seat, "field", total not in (5, 6, 7, 8))
            if line_over:
                self._fares(seat, "pass", natural)
                if point or total != house.bars:
                    self._fares(seat, "dont_pass", not natural)
        if line_over:
            self.puck = 0
        elif not point:
            self.puck = total
        self._over()
        if seven_out and self.shooter not in (STICK, *self.seats):
            self._let_go(self.shooter)
        elif seven_out and self.shooter == STICK:
            self._stick_stops()
        elif seven_out:
            self._let_go(self.shooter)

    def _fares(self, seat: str, spot: str, won: bool, up: bool = False) -> None:
        """A wager is decided, and over unless it stays up."""
        if spot in self.up[seat]:
            stake, counts = self.up[seat][spot], self.counts(seat, spot)
            how = "stays" if up else "won" if won else "lost"
            how = "in part" if how == "lost" and counts < stake else how
            self.fared[seat, spot] = how if counts else "returned"
            if won or counts < stake:
                self.chips.add(seat)
            if stake < LEAST and self.house.outside == "in part" and not self.house.advise:
                self.told_least.add(seat)  # after the result (Adelaide 14(g), Perth 5.6)
            if not up:
                self.lying.pop((seat, spot), None)  # forfeited, whether it wins or loses
                del self.up[seat][spot]
