"""A second, deliberately naive model of the floor: who has the dice, who is asked next, what may be
said when, what waits for a word of the crew, who takes no further part.

It reads the lines of a transcript as a person at the table would and imports nothing of the table
or its rules. `hear` answers whether a line is followed, and the model's attributes are then the
floor as it should be. What the houses do differently is a small table, written from their
documents; it raises rather than guess. Of money it knows four wagers (pass, don't pass, field,
place 6), because people throw, wait and are asked with them. What a marker is worth from roll to
roll is the auditor's, so `marks` is told to it after a roll. A settled roll that is taken back, a
table that closes, limits and vouchers are not in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

STICK = "stick"
STATIONS = ("stick", "dealer", "box", "supervisor", "senior", "manager", "inspector")
LEAST, MOST = 10, 500
"""The limits of every table here."""


@dataclass(frozen=True)
class House:
    """What a document says of its floor; the defaults are what most of them say."""

    # -- the dice in people's hands
    lines: tuple[str, ...] = ("pass", "dont_pass")
    """The wagers with which a player may throw."""
    begins: str = "box"
    """From whose left the dice go round at the commencement of play."""
    everybody_between_rounds: bool = False
    """Later, while there is no point, everybody is asked and not only holders of a line wager."""
    line_to_take: bool = False
    """Who takes the dice has the line wager already; elsewhere it is asked for at the throw."""
    lacking: str = "refused"
    """A throw without the line wager: refused, void, or the shooter is asked for a small one."""
    nobody: str = "wait"
    """When nobody will throw: wait, the stick throws, or the point is cancelled."""
    point_lives_by: str = "line"
    """A point ends when there is no line wager, or no wager at all, or only by a call."""
    orders: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For what the box orders a shooter to pass, and what else that wants."""
    # -- the throw
    closing: str = ""
    """Who calls no more bets before a throw, where the text has such a call."""
    may_close: tuple[str, ...] = STATIONS[:-1]
    """Who may say it at all; where no text speaks of it, nobody is kept from saying it."""
    landing: bool = False
    """Whether the moment the dice land is named."""
    down_until: str = "throw"
    """Until when wagers come down: the throw, or the dice at rest."""
    void: tuple[str, ...] = ()
    """Grounds for which a throw is no roll, whatever is called."""
    due: tuple[str, ...] = ()
    """Grounds for which no roll has to be called: until then nothing is decided."""
    may: tuple[str, ...] = ()
    """Grounds for which it may be called."""
    never: tuple[str, ...] = ()
    """What is no ground."""
    others: tuple[str, ...] = ()
    """Of these, those that somebody else than the shooter gives."""
    named: tuple[str, ...] = ()
    """Of these, those for which somebody has to be named."""
    ineligible: str = ""
    """The ground that the shooter has no line wager."""
    calls_no_roll: tuple[str, ...] = ("stick", "box")
    announces_void: tuple[str, ...] = ()
    """Who else says that a throw is invalid of itself, where the text names nobody."""
    judges: tuple[str, ...] = ()
    """Grounds left to the judgement of stick or box, whoever else may call no roll."""
    bare: bool = False
    """No roll may be called without a ground."""
    void_faces: bool = True
    """Disputed faces may be decided as no throw."""
    call_it: tuple[str, ...] = ()
    """Who confirms faces the stick cannot read, where the text says so."""
    disaster: str = ""
    """An order to void for a fire or the like, as it is said."""
    # -- confirmations
    late: tuple[str, ...] = ()
    """Who confirms a wager made while the dice are in the air; nobody: it cannot be made."""
    late_both: bool = False
    """All of them have to."""
    spoken: tuple[str, ...] = ()
    """Who confirms a wager called out (not one in the centre, which is not modelled)."""
    on: tuple[str, ...] = ()
    """Who confirms a call on; nobody: it counts at once."""
    on_only_when_off: bool = False
    """A wager is called on or off only while there is no point."""
    # -- people
    excludes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Who excludes, and for what."""
    refuses: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Who refuses further wagers, and for what."""
    # -- the set of dice
    inspectors: tuple[str, ...] = ()
    """Who has to have looked at the dice before they are thrown."""
    may_inspect: tuple[str, ...] = ("box",)
    inspected_first: bool = False
    """They are looked at before they are offered, too."""
    whole: bool = False
    """The complete set is offered to the next shooter."""
    lost: int = 0
    """How many lost dice make a new set due."""
    goes_on: str = ""
    """The shooter goes on with the old dice: of right, if allowed, or has to."""
    original: str = ""
    """The shooter may have the old die back: at once (before another is chosen), or any time."""
    keeps_found: bool = False
    """A die that was found stays out until the shooter is out."""
    # -- what little it knows of wagers
    bars: int = 12
    contract: bool = False
    """A pass never comes down, and may be raised at any time."""
    exact: bool = False
    """Only what can be paid exactly in whole chips is taken."""
    put: bool = False
    """A pass may be made behind a point."""
    crapless: bool = False
    stays_up: bool = False
    """A place bet that wins stays up."""

    @property
    def cancels(self) -> bool:
        """Whether a point can be cancelled: when all decline, or, where the table waits and no
        line wager can be made on a point, when nobody is there who has one."""
        return self.nobody == "cancel" or (self.nobody, self.point_lives_by) == ("wait", "line")


PASS_ORDERS = {"delay": (), "invalid-rolls": ("repeated",), "rule-breach": ()}
TWO = ("box", "dealer")

HOUSES = {
    # 9(b), 13(b): five dice; 10: the line wager at the throw, and kept; 11(a) invalid whenever;
    # 5(a): verbal wagers confirmed by Dealer or Boxman; 5(e), Note: On likewise; 9(d)(ii), (iv).
    "adelaide": House(
        orders=PASS_ORDERS,
        void=(
            *("off-table", "die-on-die", "on-bank", "in-cup", "on-rail", "cheating"),
            *("unapproved-dice",),
        ),
        may=("not-together", "end-missed", "improper", "out-of-sight"),
        never=("touched-chips", "on-players-chips", "touched-bank"),
        disaster="manager voids the roll for fire",
        spoken=TWO,
        on=TWO,
        on_only_when_off=True,
        whole=True,
        lost=1,
        goes_on="if allowed",
        original="at once",
    ),
    # 5.2 dealer and supervisor inspect; 5.9, 5.11; 6.1(d) of right; 6.4 void whether or not called;
    # 4.4, 4.5, 4.10 a dealer, and the stickperson is one (1.0), or the game supervisor.
    "newzealand": House(
        nobody="stick throws",
        point_lives_by="wager",
        orders=PASS_ORDERS,
        void=(
            *("off-table", "die-on-die", "on-bank", "bowl-or-rail", "wedged", "cheating"),
            *(
                "wrong-die",
                "no-fall",
                "wrong-thrower",
            ),
        ),
        may=("not-together", "short", "improper", "two-hands", "irregular", "touched-bank"),
        never=("touched-chips", "on-players-chips"),
        others=("wrong-thrower",),
        disaster="supervisor voids the roll for fire because smoke",
        late=(*TWO, "stick"),
        spoken=(*TWO, "stick"),
        on=(*TWO, "stick"),
        excludes={"device": ("supervisor", "senior")},
        inspectors=("dealer", "box"),
        may_inspect=("dealer", "stick", "box"),
        inspected_first=True,
        whole=True,
        lost=1,
        goes_on="of right",
        original="any time",
    ),
    # 3.8, 3.9; 5.1, 5.2 may, 5.3 shall be called; 6.3 dealer and boxperson both; 4.4.3 the
    # boxperson's decision on the face, no void; 3.6 two dice lost; 9.3.2 with 9.1.
    "nsw": House(
        nobody="stick throws",
        point_lives_by="wager",
        orders={"delay": (), "invalid-rolls": ("repeated",), "breach": ()},
        due=(
            *("off-table", "die-on-die", "on-float", "bowl-or-rail", "unreadable"),
            *(
                "wrong-thrower",
                "cheating",
                "unapproved-dice",
            ),
        ),
        may=("not-together", "end-missed", "irregular-throw", "irregularity"),
        never=("touched-chips",),
        others=("wrong-thrower",),
        bare=True,
        void_faces=False,
        disaster="supervisor voids the roll for fire",
        late=TWO,
        late_both=True,
        on=TWO,
        excludes={
            "device": ("supervisor", "senior"),
            "section-79": ("supervisor", "senior"),
            "own-wish": ("supervisor", "senior"),
        },
        lost=2,
        goes_on="of right",
        original="any time",
        bars=2,
    ),
    # 3.2 the Dealer closes bets; 3.6, 3.10(iii); 3.9 the Stickperson calls, 3.10(ii) box or stick;
    # 5.2 withdrawn until the dice rest; Contract Wager; App. D On and Off at once.
    "rws": House(
        line_to_take=True,
        lacking="void",
        closing="dealer",
        may_close=("dealer",),
        down_until="rest",
        void=(
            *("not-together", "no-attempt", "no-line-stake", "off-table", "die-on-die", "on-float"),
            *(
                "in-bowl",
                "on-rail",
                "on-chips",
                "unclear-face",
                "wrong-hand",
                "meddling",
            ),
        ),
        others=("wrong-hand",),
        named=("meddling",),
        ineligible="no-line-stake",
        calls_no_roll=("stick",),
        judges=("no-attempt",),
        disaster="manager voids the roll for disorder because smoke",
        excludes={"": ("manager",)},
        contract=True,
        exact=True,
    ),
    # 6.4 to 6.12 with Y2; 4.1 until the dice land; 4.6; 7.1(b), (e), (f); 6.13(a); 9.6(b); 6.1.
    "perth-crapless": House(
        lines=("pass",),
        begins="stick",
        everybody_between_rounds=True,
        lacking="asked",
        nobody="cancel",
        point_lives_by="",
        orders={"delay": (), "invalid-throws": ("repeated",), "breach": ("note",)},
        landing=True,
        void=(
            *("off-table", "stacked", "on-float", "in-bowl", "on-rail", "cheating"),
            *("unapproved-dice",),
        ),
        may=("not-together", "no-end-struck", "improper", "touched-bank"),
        never=("touched-chips",),
        announces_void=("dealer", "manager"),
        call_it=("dealer", "box", "manager"),
        disaster="manager voids the roll for fire",
        late=TWO,
        spoken=TWO,
        on=TWO,
        excludes={"breach": ("manager",), "own-wish": ("manager",)},
        inspectors=("box",),
        whole=True,
        lost=1,
        goes_on="has to",
        keeps_found=True,
        crapless=True,
        exact=True,
    ),
    # 7.2, 7.5, 7.6, 2.4, 2.8, 2.11, 3.1.
    "american": House(
        line_to_take=True,
        point_lives_by="",
        may_close=("stick",),
        void=("off-table", "on-rail", "die-on-die"),
        may=("two-hands",),
        void_faces=False,
        excludes={"": ("manager",)},
        put=True,
        stays_up=True,
    ),
}


class No(Exception):
    """The line is refused, and why."""


@dataclass
class Waits:
    """Something that waits to be confirmed."""

    what: str
    seat: str
    spot: str
    amount: int = 0
    by: set[str] = field(default_factory=set)


class Floor:
    """A table of a house with nobody at it."""

    def __init__(self, house: str, places: int) -> None:
        self.house, self.places = HOUSES[house], places
        self.seats: dict[str, int] = {}
        self.chips: set[str] = set()
        self.up: dict[str, dict[str, int]] = {}
        self.marks: dict[tuple[str, str], str] = {}
        self.barred: set[str] = set()
        self.excluded: set[str] = set()
        self.away: set[str] = set()
        """Who has left while wagers of theirs are up."""
        self.waits: list[Waits] = []
        self.puck = 0
        # The dice: thrown is "", "out", "landed" or "rest".
        self.thrown = self.asked = self.shooter = self.offered = ""
        self.bets_closed = False
        self.former = ""
        self.from_place = 0
        self.let_by: set[str] = set()
        self.no_rolls = 0
        self.ground = ""
        self.play, self.bowl, self.off, self.found, self.held, self.gone = 2, 3, 0, 0, 0, 0
        self.unreported = 0
        self.wants_old = self.set_due = self.goes_on = self.die_counted = False
        self.inspected: set[str] = set()
        self.leaned = False

    # -- hearing ---------------------------------------------------------------

    def hear(self, line: str, followed: bool) -> tuple[bool, str]:
        """Whether a line should be followed, and why not. `followed` is what the table did: it is
        looked at only where money decides, and `leaned` then says so."""
        self.followed, self.leaned = followed, False
        for pattern, act in LINES:
            if said := re.fullmatch(pattern, line):
                try:
                    act(self, **said.groupdict())
                except No as no:
                    return False, str(no)
                if act in (Floor.buys, Floor.sits, Floor.bets, Floor.says):
                    self.away.discard(said["seat"])  # whoever plays is at the table
                self._follows()
                return True, ""
        raise ValueError(f"this model does not know: {line}")

    def _money(self) -> None:
        """Amounts and windows of a wager decide here, which this model does not know."""
        self.leaned = True
        if not self.followed:
            raise No("the money says so")

    # -- who may ---------------------------------------------------------------

    def _seated(self, seat: str) -> None:
        if seat not in self.seats:
            raise No("not seated")
        if seat in self.excluded:
            raise No("excluded")

    def has_line(self, seat: str) -> bool:
        return any(spot in self.up.get(seat, ()) for spot in self.house.lines)

    def in_order(self) -> list[str]:
        """Everybody who may be asked, in the order in which the dice go round."""
        start = 0
        if self.former:
            start = self.from_place or self.seats.get(self.former, 0)
        elif self.house.begins == "stick":
            start = self.places // 2
        ring = sorted(self.seats, key=lambda seat: self.seats[seat])
        ring = [s for s in ring if self.seats[s] > start] + [
            s for s in ring if self.seats[s] <= start
        ]
        anybody = not self.former or (self.house.everybody_between_rounds and not self.puck)
        return [
            seat
            for seat in ring
            if seat not in self.excluded | self.away
            and (self.has_line(seat) or (anybody and seat not in self.barred))
        ]

    def still_to_ask(self) -> list[str]:
        return [seat for seat in self.in_order() if seat not in self.let_by]

    def _looked_at(self) -> None:
        seen = self.inspected | ({"dealer"} if STICK in self.inspected else set())  # a dealer too
        if not set(self.house.inspectors) <= seen:
            raise No("the dice were not inspected")

    def _release(self) -> None:
        """What is asked when the dice leave the hand, and never again."""
        if self.house.closing and not self.bets_closed:
            raise No("bets are open")
        if self.set_due and not self.goes_on:
            raise No("a new set is due")
        if self.play < 2:
            raise No("a die is missing")
        self._looked_at()
        if not self.shooter:
            raise No("nobody has the dice")
        if self.shooter == STICK:
            if not any(self.up.values()):
                raise No("nothing is left to throw for")
            if self.still_to_ask():
                raise No("somebody can throw who was not asked")
        elif not self.has_line(self.shooter):
            if self.house.lacking != "void":
                raise No("the shooter has no line wager")
            self.ground = self.house.ineligible

    def _let_go(self, name: str, asked_last: bool) -> None:
        """The shooter has no dice any more."""
        self.shooter, self.former, self.from_place = "", name, 0
        self.let_by = {name} if asked_last else set()
        self.no_rolls = 0
        self._hand_over()

    def _hand_over(self) -> None:
        """The hand is over: dice kept out come back, and the old dice end with their shooter."""
        self.bowl, self.held = self.bowl + self.held, 0
        self.goes_on = False

    def _follows(self) -> None:
        """What no call says: the excluded have no dice, and a point dies that nobody can play."""
        if self.thrown:
            return
        if self.shooter in self.excluded:
            self._let_go(self.shooter, asked_last=True)
        if self.offered in self.excluded:
            self.let_by.add(self.offered)
            self.offered = ""
        lives = self.house.point_lives_by
        alive = any(self.has_line(s) if lives == "line" else self.up[s] for s in self.seats)
        if self.puck and lives and not alive:
            self.puck = 0
        if not self.shooter:
            self.bets_closed = False  # they were closed for a throw that nobody makes
        self.waits = [w for w in self.waits if w.seat in self.seats and w.seat not in self.excluded]
        self.waits = [w for w in self.waits if w.what != "on" or self._sleeps(w.seat, w.spot)]

    def _sleeps(self, seat: str, spot: str) -> bool:
        """Whether a place bet is there and off, so that it can be called on."""
        return spot in self.up.get(seat, ()) and not self._works(seat, spot)

    def _works(self, seat: str, spot: str) -> bool:
        """Whether it takes part in the next roll: as marked, else while there is a point."""
        marked = self.marks.get((seat, spot))
        return marked == "on" if marked else bool(self.puck)

    # -- people ----------------------------------------------------------------

    def buys(self, seat: str) -> None:
        if seat in self.barred:
            raise No("barred")
        if seat not in self.seats:
            # Beside the last one; at the end of the table on the first free place.
            taken = self.seats.values()
            last = max(taken, default=0)
            free = [n for n in range(1, self.places + 1) if n not in taken]
            self.seats[seat] = last + 1 if last < self.places else free[0]
            self.up[seat] = {}
        self.chips.add(seat)

    def sits(self, seat: str, place: str) -> None:
        if seat in self.barred:
            raise No("barred")
        at = int(place)
        if any(where == at and name != seat for name, where in self.seats.items()):
            raise No("taken")
        if at > self.places:
            raise No("no such place")
        self.seats[seat] = at
        self.up.setdefault(seat, {})

    def leaves(self, seat: str) -> None:
        if seat not in self.seats:
            raise No("not seated")
        if self.thrown and seat == self.shooter:
            raise No("a throw is under way")
        if seat == self.shooter:
            self._let_go(seat, asked_last=True)
        if seat == self.offered:
            self.offered = ""
            self.let_by.add(seat)
        self.away.add(seat)
        self.waits = [w for w in self.waits if w.seat != seat]
        if not self.up[seat]:
            self.away.remove(seat)
            if seat == self.former and not self.from_place:
                self.from_place = self.seats[seat]
            del self.seats[seat], self.up[seat]
            self.chips.discard(seat)

    def excludes(self, by: str, seat: str, reason: str | None) -> None:
        if seat not in self.seats:
            raise No("not seated")
        if by not in self.house.excludes.get(reason or "", ()):
            raise No("no such power")
        self.barred.add(seat)
        self.excluded.add(seat)
        self.waits = [w for w in self.waits if w.seat != seat]

    def refuses(self, by: str, seat: str, reason: str | None) -> None:
        if seat not in self.seats:
            raise No("not seated")
        if by not in self.house.refuses.get(reason or "", ()):
            raise No("no such power")
        self.barred.add(seat)

    # -- the dice go round -----------------------------------------------------

    def offers(self, by: str, seat: str) -> None:
        if by != STICK:
            raise No("the stick offers")
        if seat in self.excluded:
            raise No("excluded")
        if self.thrown:
            raise No("a throw is under way")
        has = self.shooter if self.shooter != STICK else ""
        may_bet = not self.puck or self.house.lacking == "asked"
        if has and (self.has_line(has) or (may_bet and has in self.chips)):
            raise No("somebody has the dice")
        before = (self.shooter, self.former, self.from_place, set(self.let_by))
        if has:  # who cannot throw any more has lost them
            self.shooter, self.former, self.from_place, self.let_by = "", has, 0, set()
        try:
            self._offer(seat)
        except No:
            self.shooter, self.former, self.from_place, self.let_by = before
            raise
        if has:
            self._hand_over()
        self.shooter, self.no_rolls = "", 0
        self.offered = seat

    def _offer(self, seat: str) -> None:
        left = self.still_to_ask()
        if left and left[0] != seat:
            raise No(f"{left[0]} comes first")
        if not left and seat not in self.in_order():
            raise No("not to be asked")
        if self.set_due:  # only the shooter who lost them goes on with old dice
            raise No("a new set is due")
        if self.house.whole and self.former and self.play + self.bowl + self.held < 5:
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
        self.shooter, self.offered, self.former, self.from_place = seat, "", "", 0
        self.let_by, self.no_rolls = set(), 0
        return None

    def _stick_takes(self) -> None:
        if self.house.nobody != "stick throws":
            raise No("the stick never throws here")
        has = self.shooter
        if has == STICK or (has and (self.has_line(has) or (not self.puck and has in self.chips))):
            raise No("somebody has the dice")
        before = (self.shooter, self.former, self.from_place, set(self.let_by))
        if has:  # who cannot throw any more has lost them
            self.shooter, self.former, self.from_place, self.let_by = "", has, 0, {has}
        if self.thrown or self.offered or self.still_to_ask() or not any(self.up.values()):
            self.shooter, self.former, self.from_place, self.let_by = before
            raise No("somebody may yet throw, or there is nothing to throw for")
        if has:
            self._let_go(has, asked_last=True)
        self.shooter, self.let_by = STICK, set(self.in_order())
        self.former = self.former or STICK  # the stick throws as a shooter: play has begun

    def declines(self, seat: str) -> None:
        self._seated(seat)
        if self.offered != seat:
            raise No("not offered")
        self.offered = ""
        self.let_by.add(seat)

    def passes_over(self, by: str, seat: str) -> None:
        if by != STICK:
            raise No("the stick offers")
        if self.offered != seat:
            raise No("not offered")
        self.offered = ""
        self.let_by.add(seat)

    def passes(self, seat: str) -> None:
        self._seated(seat)
        if self.shooter != seat or self.thrown:
            raise No("no dice in that hand")
        self._let_go(seat, asked_last=True)

    def orders(self, by: str, seat: str, reason: str, note: str | None) -> None:
        wants = self.house.orders.get(reason)
        if by != "box" or wants is None:
            raise No("no such power")
        if self.shooter != seat or self.thrown:
            raise No("no dice in that hand")
        if "repeated" in wants and self.no_rolls < 2:
            raise No("not repeatedly")
        if "note" in wants and not note:
            raise No("nothing on record")
        self._let_go(seat, asked_last=True)

    def cancels(self, by: str) -> None:
        if by not in STATIONS or not self.house.cancels:  # Perth 6.12 names nobody
            raise No("no such power")
        if not self.puck or self.shooter or self.offered or self.thrown or self.still_to_ask():
            raise No("somebody may finish the round")
        if self.house.nobody == "wait" and self.in_order():
            raise No("somebody may become willing")
        self.puck = 0
        for spots in self.up.values():
            for line in ("pass", "dont_pass"):
                spots.pop(line, None)
        self.let_by = set()

    # -- the throw -------------------------------------------------------------

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
        if self.asked:
            raise No("staff decide the faces")
        if not self.thrown:
            self._release()
        house = self.house
        if self.ground == house.ineligible != "":
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
        return self._decided(sum(map(int, faces.split("-"))))

    def _decided(self, total: int) -> None:
        """Faces are called or decided; a ground that was stated binds the throw."""
        if self.ground in self.house.due:
            raise No("no roll is due")
        if self.ground:
            return self._no_roll(self.ground, own=True)
        self._settle(total)
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
        if cause in house.named:
            if person not in self.seats:
                raise No("no such player")
            return person == self.shooter
        return True

    def no_roll(self, by: str, cause: str | None, person: str | None) -> None:
        if not cause:
            if not self.house.bare:
                raise No("no ground")
            if by not in self.house.calls_no_roll:
                raise No("not theirs to call")
            if not self.thrown:
                self._release()
            return self._no_roll(self.ground, own=True)
        if cause in self.house.never:
            raise No("no ground")
        allowed = (*self.house.calls_no_roll, *(("box",) if cause in self.house.judges else ()))
        if cause in self.house.void:
            allowed += self.house.announces_void
        own = self._true(cause, person)
        if by not in allowed:
            raise No("not theirs to call")
        if not self.thrown:
            closing, self.bets_closed = self.bets_closed, True
            try:
                self._release()
            finally:
                self.bets_closed = closing
        return self._no_roll(cause, own)

    def _no_roll(self, cause: str, own: bool) -> None:
        """The throw does not count: the dice are the shooter's again, nothing waits."""
        self._die_off(cause)
        self.no_rolls += own
        self._over()

    def _die_off(self, cause: str) -> None:
        """A die left the table: it is not thrown again before it was checked."""
        if cause == "off-table" and not self.die_counted and self.play:
            self.play, self.off = self.play - 1, self.off + 1
            self.unreported += 1
            self.die_counted = True

    def _over(self) -> None:
        self.thrown = self.asked = self.ground = ""
        self.bets_closed = self.die_counted = False
        self.waits = []

    def disputes(self, seat: str) -> None:
        self._seated(seat)
        if not self.thrown:
            raise ValueError("this model takes nothing back that is settled")
        if self.asked:
            raise No("disputed already")
        self.thrown, self.asked = "rest", "disputed"

    def call_it(self, by: str) -> None:
        if by != STICK or not self.house.call_it:
            raise No("no such power")
        if not self.thrown or self.asked:
            raise No("not now")
        self.thrown, self.asked = "rest", "call it"

    def decides(self, by: str, faces: str) -> None:
        if not self.asked:
            raise No("nothing to decide")
        void = faces == "no roll"
        who = self.house.call_it if self.asked == "call it" and not void else ("box",)
        if by not in who or (void and not self.house.void_faces):
            raise No("no such power")
        if void:
            return self._no_roll(self.ground, own=bool(self.ground))
        return self._decided(sum(map(int, faces.split("-"))))

    def voids(self) -> None:
        """An order to void, given while a throw is under way, concerns that throw."""
        if not self.thrown:
            raise ValueError("this model takes nothing back that is settled")
        self._no_roll("", own=False)

    def _settle(self, total: int) -> None:
        """What a roll does with the puck, the four wagers, and the shooter."""
        point, house = self.puck, self.house
        seven_out = bool(point) and total == 7
        line_over = total in (7, point) if point else total == 7
        if not point and not house.crapless:
            line_over = total in (2, 3, 7, 11, 12)
        for seat, spots in self.up.items():
            working = self._works(seat, "place.6")
            again = house.stays_up and seat not in self.barred
            if working and (total == 7 or (total == 6 and not again)):
                spots.pop("place.6", None)
            spots.pop("field", None)
            if line_over:
                spots.pop("pass", None)
                if point or total != house.bars:
                    spots.pop("dont_pass", None)
        if line_over:
            self.puck = 0
        elif not point:
            self.puck = total
        self._over()
        if seven_out and self.shooter == STICK:
            self.shooter, self.let_by = "", set()
            self._hand_over()
        elif seven_out:
            self._let_go(self.shooter, asked_last=False)

    # -- wagers, as far as people are concerned --------------------------------

    def _bettable(self, seat: str, spot: str, amount: int) -> None:
        if seat in self.barred:
            raise No("barred")
        if seat not in self.chips:
            raise No("no chips")
        if spot not in ("pass", "dont_pass", "field", "place.6") or (
            spot == "dont_pass" and self.house.crapless
        ):
            raise No("no such wager")
        house, up = self.house, self.up[seat]
        if self.puck and spot in ("pass", "dont_pass"):
            raised = house.contract and spot in up
            remedy = house.lacking == "asked" and seat == self.shooter and amount <= LEAST
            remedy = remedy and not self.thrown and not self.bets_closed and not self.has_line(seat)
            if spot == "dont_pass" or not (house.put or raised or remedy):
                raise No("there is a point")
        stake = up.get(spot, 0) + amount
        if stake > MOST or (house.exact and spot == "place.6" and stake % 6):
            raise No("too much, or not to be paid exactly")

    def _down(self, seat: str, spot: str, amount: int) -> None:
        self.up[seat][spot] = self.up[seat].get(spot, 0) + amount

    def bets(self, seat: str, amount: str, spot: str) -> None:
        self._seated(seat)
        if self.thrown == "out" and self.house.late:
            self._bettable(seat, spot, int(amount))
            self.waits.append(Waits("late", seat, spot, int(amount)))
            return
        if self.thrown or (self.bets_closed and self.house.closing):
            raise No("bets are closed")
        self._bettable(seat, spot, int(amount))
        self._down(seat, spot, int(amount))

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
        wait, house = next((w for w in mine if by not in w.by), mine[0]), self.house
        air = self.thrown == "out" and wait.what != "on"
        who = house.on if wait.what == "on" else house.late if air else house.spoken
        if by not in who:
            raise No("not theirs to confirm")
        if self.thrown and not air:
            raise No("too late")
        if wait.what != "on":
            self._bettable(seat, spot, wait.amount)
        if air and house.late_both and wait.by | {by} < set(who):
            wait.by.add(by)
            return
        self.waits.remove(wait)
        if wait.what == "on":
            self._mark(seat, spot)
        else:
            self._down(seat, spot, wait.amount)

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
            if not self._works(seat, spot):
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
        del self.up[seat][spot]
        self.marks.pop((seat, spot), None)
        self.waits = [w for w in self.waits if w.what != "on" or (w.seat, w.spot) != (seat, spot)]

    # -- the set of dice -------------------------------------------------------

    def inspects(self, by: str) -> None:
        if by not in self.house.may_inspect or by in self.inspected:
            raise No("not theirs, or done")
        self.inspected.add(by)

    def _handles(self, by: str, who: str = STICK) -> None:
        if by != who:
            raise No("not theirs to do")

    def reports_off(self, by: str) -> None:
        self._handles(by)
        if self.unreported:
            self.unreported -= 1
        elif self.play:
            self.play, self.off = self.play - 1, self.off + 1
        else:
            raise No("no die in play")
        if self.thrown and not self.ground:
            self.ground, self.die_counted = "off-table", True
        elif self.ground == "off-table":
            self.die_counted = True

    def gives_another(self, by: str) -> None:
        self._handles(by)
        if not self.bowl or self.play >= 2:
            raise No("no choice")
        self.play, self.bowl, self.unreported = (
            self.play + 1,
            self.bowl - 1,
            max(0, self.unreported - 1),
        )

    def asks_old(self, by: str) -> None:
        if by in self.excluded:
            raise No("excluded")
        if by != self.shooter or not self.house.original or not self.off + self.found:
            raise No("not theirs to ask")
        if self.house.original == "at once" and self.play >= 2:
            raise No("another was chosen")
        self.wants_old = True

    def finds_die(self, by: str) -> None:
        self._handles(by)
        if not self.off:
            raise No("none is off")
        self.off, self.found = self.off - 1, self.found + 1
        self.unreported = min(self.unreported, self.off)

    def checks(self, by: str) -> None:
        self._handles(by, "box")
        if not self.found:
            raise No("none was found")
        self.found -= 1
        if self.wants_old:
            self.wants_old = False
            if self.play >= 2:
                self.bowl += 1
            else:
                self.play += 1
                self.unreported = max(0, self.unreported - 1)
        elif self.house.keeps_found and self.shooter:
            self.held += 1
        else:
            self.bowl += 1

    def rejects(self, by: str) -> None:
        self._handles(by, "box")
        if not self.found:
            raise No("none was found")
        self.found, self.off = self.found - 1, self.off + 1
        self._lose()

    def gives_up(self, by: str) -> None:
        self._handles(by)
        if not self.off:
            raise No("none is off")
        self._lose()

    def _lose(self) -> None:
        self.off, self.gone = self.off - 1, self.gone + 1
        self.unreported = min(self.unreported, self.off)
        if self.house.lost and self.gone >= self.house.lost:
            self.set_due = True
            self.goes_on = bool(self.shooter) and self.house.goes_on in ("of right", "has to")

    def new_set(self, by: str) -> None:
        self._handles(by)
        if self.thrown:
            raise No("a throw is under way")
        if self.house.goes_on == "has to" and self.goes_on and self.play + self.bowl >= 2:
            raise No("not before the shooter is out")
        self.play, self.bowl, self.off, self.found, self.held, self.gone = 2, 3, 0, 0, 0, 0
        self.unreported = 0
        self.wants_old = self.set_due = self.goes_on = False
        self.inspected = set()

    def allows_old(self, by: str) -> None:
        self._handles(by, "box")
        if self.house.goes_on != "if allowed" or not self.set_due or not self.shooter:
            raise No("not here, or none is due, or nobody to allow it")
        self.goes_on = True


_BY = f"(?P<by>{'|'.join(STATIONS)}|[a-z]+)"
_SEAT, _SPOT = "(?P<seat>[a-z]+)", r"(?P<spot>[a-z_]+(\.\d+)?)"
_FOR, _WHO = "( for (?P<reason>[a-z0-9-]+))?", "( by (?P<person>[a-z]+))?"
_FACES = r"(?P<faces>[1-6]-[1-6])"


LINES = [
    (rf"{_SEAT} buys in \d+", Floor.buys),
    (rf"{_SEAT} sits at (?P<place>\d+)", Floor.sits),
    (rf"{_SEAT} leaves", Floor.leaves),
    (rf"{_BY} excludes {_SEAT}{_FOR}", Floor.excludes),
    (rf"{_BY} refuses wagers of {_SEAT}{_FOR}", Floor.refuses),
    (rf"{_BY} offers dice to {_SEAT}", Floor.offers),
    (rf"{_SEAT} takes dice", Floor.takes),
    (rf"{_SEAT} declines dice", Floor.declines),
    (rf"{_BY} passes over {_SEAT}", Floor.passes_over),
    (rf"{_SEAT} passes dice", Floor.passes),
    (
        rf"{_BY} orders {_SEAT} to pass for (?P<reason>[a-z-]+)( because (?P<note>[a-z]+))?",
        Floor.orders,
    ),
    (rf"{_BY} cancels the point", Floor.cancels),
    (rf"{_BY} closes bets", Floor.closes),
    ("dice out", Floor.out),
    ("dice land", Floor.land),
    ("dice at rest", Floor.rest),
    (rf"{_BY} calls {_FACES}( with (?P<cause>[a-z-]+))?{_WHO}", Floor.calls),
    (rf"{_BY} calls no roll( (?!by)(?P<cause>[a-z-]+))?{_WHO}", Floor.no_roll),
    (rf"{_SEAT} disputes the faces", Floor.disputes),
    (rf"{_BY} says call it", Floor.call_it),
    (rf"{_BY} decides (?P<faces>no roll|[1-6]-[1-6])", Floor.decides),
    (r"[a-z]+ voids the roll for [a-z-]+( because [a-z]+)?", Floor.voids),
    (rf"{_SEAT} bets (?P<amount>\d+) {_SPOT}", Floor.bets),
    (rf"{_SEAT} says (?P<amount>\d+) {_SPOT}", Floor.says),
    (rf"{_BY} confirms {_SEAT} {_SPOT}", Floor.confirms),
    (rf"{_SEAT} calls {_SPOT} (?P<on>on|off)", Floor.calls_on),
    (rf"{_SEAT} takes down {_SPOT}", Floor.takes_down),
    (rf"{_BY} inspects the dice", Floor.inspects),
    (rf"{_BY} reports a die off", Floor.reports_off),
    (rf"{_BY} gives another die", Floor.gives_another),
    (rf"{_BY} asks for the old die", Floor.asks_old),
    (rf"{_BY} finds the die", Floor.finds_die),
    (rf"{_BY} checks the die", Floor.checks),
    (rf"{_BY} rejects the die", Floor.rejects),
    (rf"{_BY} gives up the die", Floor.gives_up),
    (rf"{_BY} brings a new set", Floor.new_set),
    (rf"{_BY} allows the old dice", Floor.allows_old),
]
"""How each line reads, and what it does."""
