"""A settled throw that is taken back at the naive floor: by faces decided, an overruling, an order.

The floor was copied whole before each throw. What lay and stood at the throw is taken from the
copy; what people have said and done since stands: it is named here, and all else is over.
"""

from __future__ import annotations

from tests.floor.houses import STATIONS, STICK, UNREAD
from tests.floor.state import Dispute, No, State
from tests.floor.vouchers import Vouchers


class TakenBack(Vouchers):
    """What becomes of a floor when its last throw, or its round, is as if it had not been."""

    def _take_back(self, then: State, whole: bool = False) -> None:
        """As before the throw, but for what has been done since."""
        no_roll = then is self.void
        same_hand, had = (then.shooter, then.hands) == (self.shooter, self.hands), self.shooter
        self._come_again(then, whole)
        # What lay and stood at the throw.
        self.up = {seat: dict(self.up_again(then, seat)) for seat in self.seats}
        self.marks = {
            (seat, spot): mark for (seat, spot), mark in then.marks.items() if seat in self.seats
        }
        self.goes_back = {each for each in then.goes_back if each[0] in self.seats}
        self.vouchers_as_at(then)
        self.chips -= {  # what was won since is not theirs
            seat
            for seat in self.chips - then.chips
            if (self.visits[seat], self.bought[seat]) == (then.visits[seat], then.bought[seat])
        }
        self.puck, self.shooter, self.offered = then.puck, then.shooter, ""
        self._count_again(then, no_roll)
        if then.shooter != had or no_roll:
            self.former, self.from_place = then.former, then.from_place
            self.let_by, self.asked_at = set(then.let_by), then.asked_at
        if self.former not in self.seats and not self.from_place:
            self.from_place = then.seats.get(self.former, 0)
        # Dice lie where they are now, but for what the end of the hand has ended: what is kept out
        # until a seven-out is kept out still (Perth 6.13(a)iii.2), also if the same shooter has the
        # dice again, for that hand never ended; but not of a set that was taken away (6.13(a)iv,
        # Adelaide 9(d)(iv), New Zealand 6.1(d), New South Wales 3.6).
        same_set, self.hands = then.sets == self.sets, then.hands
        of_right = self.house.goes_on in ("of right", "has to")
        if not same_hand:
            self._set_beside()
            self.goes_on = self.set_due and (of_right or (same_set and then.goes_on))
        if not same_hand and same_set:
            held = min(then.held, self.bowl)
            self.bowl, self.held = self.bowl - held, self.held + held
            self.wants_old = then.wants_old and bool(self.off + self.found)
        self.die_gone &= not (no_roll and self.off_table)
        if no_roll and self.off_table:  # they never left the table
            back = min(2 - self.play, self.off)
            self.off, self.play = self.off - back, self.play + back
            self.wants_old &= bool(self.off + self.found)
            self.unreported = max(0, self.unreported - back)
        self.sat = {**self.sat, **then.seats}
        # Over with the throw.
        self.thrown = self.asked = self.ground = self.contested = ""
        self.bets_closed = self.die_counted = self.off_table = self.die_known = False
        self.waits, self.void = [], None
        if not no_roll:
            self.roll = None
            self.begun = self.begun if then.puck and not whole else None
        self._apart()

    def _count_again(self, then: State, no_roll: bool) -> None:
        """The shooter of then has made what invalid rolls were made, before the throw and since:
        "repeatedly" counts no hands (Adelaide 13(a)(ii), New Zealand 5.8(b), New South Wales 3.7.2,
        Perth 6.10(b)ii). A no roll that is a roll after all was none."""
        if no_roll:
            self.invalid = list(then.invalid)
        since = self.invalid[len(then.invalid) :].count(then.shooter)
        self.no_rolls = then.no_rolls + since

    def up_again(self, then: State, seat: str) -> dict[str, int]:
        """The wagers of somebody as they lay at the throw."""
        had = then.up.get(seat, {})
        if seat in self.owed:
            return {spot: then.counts(seat, spot) for spot in self.owed[seat]}
        return had

    def _come_again(self, then: State, whole: bool) -> None:
        """Who has left since has what was lost on the throw lying there again: what is void has no
        result for anybody's wager (Adelaide 14(a), New Zealand 6.4, New South Wales 9.5, Perth 1.1
        Void, Resorts World Sentosa term-4). Not who cashed in winnings of it, which are the
        house's to get back; and who came back without chips cannot pay back what was."""
        self.owed = {}
        for seat, had in then.up.items():
            fared = {spot: self.fared.get((seat, spot), "") for spot in had}
            if then is self.void:
                fared = dict.fromkeys(had, "")
            if not had or seat in self.chips or self.visits[seat] == then.visits[seat]:
                continue
            if whole and then is not self.roll:
                self._told(seat, had)
                continue
            lost = [spot for spot, how in fared.items() if how in ("lost", "in part")]
            free = [
                spot
                for spot in had
                if had[spot] == then.lying.get((seat, spot)) and not fared[spot]
            ]
            if seat in self.seats and {*lost, *free} != set(had):
                raise No("somebody no longer has the chips")
            if seat not in self.seats and lost and not {"won", "stays"} & set(fared.values()):
                self.owed[seat] = lost
        for seat in self.owed:
            self.seats[seat] = then.seats[seat]
            self.away.add(seat)

    def _told(self, seat: str, had: dict[str, int]) -> None:
        """Several rolls of a round: what they came to is money."""
        if seat in self.seats:
            self._money()
        elif seat in self.sits_again:
            self.leaned = True
            self.owed[seat] = list(had)

    def _apart(self) -> None:
        """Who has left has no place that somebody else has taken since."""
        for seat in sorted(self.away):
            others = [at for name, at in self.taken().items() if name != seat]
            if self.up[seat] and self.seats[seat] in others:
                self.seats[seat] = self.free_place()

    # -- who corrects ----------------------------------------------------------

    def overrules(self, by: str, faces: str) -> None:
        house, rank = self.house, STATIONS.index(by) if by in STATIONS else -1
        last, to_roll = self.void or self.roll, faces != "no roll"
        if self.thrown:
            raise No("a throw is under way")
        left = self._to_review(last, by)
        reviews = (self.judge > 0 or left is not None) and by in house.on_review
        if rank <= self.judge or not (reviews or by in house.overrules):
            raise No("not above who decided it")
        if last is None or (self.void if not to_roll else self._settled_as(faces)):
            raise No("nothing to correct")
        if self.void is not None and self._was_none(self.void):
            raise No("it was no roll")
        if house.by_dispute and self.contested and to_roll and by != "box":
            raise No("the faces are the box's to decide")
        dispute = self._about(last, by, to_roll) if house.by_dispute else None
        decided = self.judge
        self._take_back(last)
        if to_roll:
            self._settle(faces, again=True)
        else:
            self._no_roll("overruled", own=False, again=True)
        self.judge = rank
        if dispute is not None:
            dispute.step, dispute.judge = ("review" if decided or left else "decide"), by

    def _settled_as(self, faces: str) -> bool:
        return self.void is None and sorted(faces) == sorted(self.faces)

    def _to_review(self, last: State | None, by: str) -> Dispute | None:
        """What somebody below decided of the complaint about that throw, and left as it was."""
        if last is None or self.judge or not self.house.by_dispute or by not in self.house.reviews:
            return None
        since, rank = self.disputes[len(last.disputes) :], STATIONS.index(by)
        if any(d.step == "open" for d in since):
            return None
        lower = [d for d in since if d.step == "decide" and STATIONS.index(d.judge) < rank]
        wanted = [d for d in lower if "review" in d.asked]
        return wanted[-1] if wanted else None

    def _about(self, last: State, by: str, to_roll: bool) -> Dispute:
        """The open dispute about that throw: one that was put on record since. What was decided
        below is reviewed on request: whether the throw counts, and never a face."""
        since = self.disputes[len(last.disputes) :]
        if (left := self._to_review(last, by)) is not None:
            if to_roll and self.void is None:
                raise No("decided, and final")
            return left
        if not self.judge:
            found = [d for d in since if d.step == "open"]
            if not found:
                raise No("nobody has complained of it")
            return found[-1]
        if by not in self.house.reviews or (to_roll and self.void is None):
            raise No("decided, and final")
        below, old = STATIONS[self.judge], [d.step for d in last.disputes]
        old += ["open"] * len(self.disputes)  # what was decided before that throw is not about it
        found = [
            each
            for each, then in zip(self.disputes, old, strict=False)
            if (each.step, each.judge, then) == ("decide", below, "open")
        ]
        wanted = [d for d in found if not self.house.asked or "review" in d.asked]
        if not wanted:
            raise No("nobody wants it reviewed")
        return wanted[-1]

    def _was_none(self, void: State) -> bool:
        """A throw its shooter might not make, or with a die known to have left the table."""
        lacking = void.ground and void.ground == self.house.ineligible  # as the dice left the hand
        unfit = not void.thrown and void.shooter in void.seats and not void.has_line(void.shooter)
        return bool(lacking) or unfit or (self.off_table and self.die_known)

    def voids(
        self,
        by: str,
        what: str,
        reason: str,
        person: str | None,
        note: str | None,
        forfeit: str | None,
    ) -> None:
        house, whole = self.house, what == "round"
        of = self if self.thrown or self.roll is None else self.roll
        own = self._may_void(by, whole, reason, person, note, of)
        ground = reason in (*house.void, *house.may)
        if forfeit and (reason != house.forfeits or by not in house.voids[reason][0] or not person):
            raise No("nothing is forfeited for that, or nobody named")
        if self.thrown and not (whole and self.puck):
            if forfeit:
                raise No("a throw is under way")
            self._no_roll(reason, own)
            self.judge = STATIONS.index(by)
            if whole:
                self._hand_back({(s, spot) for s, spots in self.up.items() for spot in spots})
            return
        last = self.begun if whole else self.roll
        if last is None:
            raise No("nothing to take back")
        decided = {each for each, how in self.fared.items() if how != "stays"}
        gone = (self.void or self).die_gone  # between that roll and the next throw
        self._take_back(last, whole)
        self.die_counted, self.die_gone = reason == "off-table" and gone, False
        if ground:
            self._no_roll(reason, own)
            self.judge = STATIONS.index(by)
        if whole:
            decided = {(s, spot) for s, spots in self.up.items() for spot in spots}
        if house.hands_back and not ground:
            self._hand_back(decided, kept_of=person if forfeit else None)

    def _may_void(
        self, by: str, whole: bool, reason: str, person: str | None, note: str | None, of: State
    ) -> bool:
        """Refuse an order that is not this person's; whether it is a no roll of the shooter's."""
        house = self.house
        if reason in house.void and not whole:
            if by not in house.void_ground:
                raise No("not theirs to order")
            judge = ("box",) if reason in house.judges else ()
            if self.thrown and by not in (*house.calls_no_roll, *house.announces_void, *judge):
                raise No("while the throw is under way others call it no roll")
            if self.thrown:
                self._left_open(reason, by)
            elif reason in UNREAD and self._face_decided():
                raise No("the face was decided, so it was read")
            roll = self.void if self.roll and self.void else self
            if not self.thrown and STATIONS.index(by) < roll.judge:
                raise No("somebody above has decided this roll")
            if not self.thrown and (reason in house.judges or reason == house.ineligible):
                raise No("nothing that comes to light")
            return of._true(reason, person) and of.shooter != STICK
        who, wants = house.voids.get(reason, ((), ()))
        if by not in who or (whole and not house.rounds):
            raise No("no such power")
        people = {*self.seats, *STATIONS}
        for past in (self.roll, self.begun):
            people |= set(past.seats) if past else set()
        if "note" in wants and not note:
            raise No("nothing on record")
        if ("person" in wants and not person) or (
            "player or dealer" in wants and person not in people
        ):
            raise No("nobody named")
        return False

    def _hand_back(self, decided: set[tuple[str, str]], kept_of: str | None = None) -> None:
        """Chips of an order to void go back to their owners, or are kept."""
        for seat, spot in decided:
            if spot in self.up.get(seat, {}):
                if seat != kept_of and self.in_chips(seat, spot):
                    self.chips.add(seat)
                if seat == kept_of:
                    self.lying.pop((seat, spot), None)
                self.voucher_back(seat, spot)
                del self.up[seat][spot]
                self.marks.pop((seat, spot), None)
