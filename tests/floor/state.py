"""The naive floor as a value: who is there, where the dice are, what waits; whose turn it is."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Self

from tests.floor.houses import HOUSES, LEAST, MOST, STICK


class No(Exception):
    """The line is refused, and why."""


@dataclass
class Waits:
    """Something that waits to be confirmed."""

    what: str
    seat: str
    spot: str
    amount: int = 0
    voucher: int = 0
    by: set[str] = field(default_factory=set)


@dataclass
class Dispute:
    """A dispute: whose, how far it is, who took the last step, what is asked for."""

    seat: str
    step: str = "open"
    judge: str = ""
    asked: set[str] = field(default_factory=set)


class State:
    """A table of a house with nobody at it."""

    def __init__(self, house: str, places: int) -> None:
        self.house, self.places = HOUSES[house], places
        self.seats: dict[str, int] = {}
        self.visits: Counter[str] = Counter()
        self.bought: Counter[str] = Counter()
        """How often somebody has gone for good."""
        self.sat: dict[str, int] = {}
        """Where people sat who have gone: the dice go on from there."""
        self.chips: set[str] = set()
        self.up: dict[str, dict[str, int]] = {}
        self.marks: dict[tuple[str, str], str] = {}
        self.in_hand: dict[str, list[int]] = {}
        self.lying: dict[tuple[str, str], int] = {}
        self.issued: list[tuple[str, int]] = []
        """Vouchers: whose they are, on which wagers they lie, and all that were given."""
        self.barred: set[str] = set()
        self.banned: dict[str, str] = {}
        self.excluded: set[str] = set()
        self.away: set[str] = set()
        """Who has left while wagers of theirs are up."""
        self.waits: list[Waits] = []
        self.told_least: set[str] = set()
        self.small: set[tuple[str, str]] = set()  # wagers found under the minimum
        self.goes_back: set[tuple[str, str]] = set()
        """Who was advised of the minimum, and wagers that are returned regardless of the result."""
        self.puck = 0
        # The dice: thrown is "", "out", "landed" or "rest".
        self.thrown = self.asked = self.shooter = self.offered = ""
        self.bets_closed = False
        self.former = ""
        self.from_place = 0
        self.let_by: set[str] = set()
        self.asked_at = self.offered_at = 0
        self.no_rolls = 0
        self.ground = ""
        self.invalid: list[str] = []
        """Whose throws were invalid rolls of theirs, one after the other."""
        self.hands = self.sets = 0
        """How often somebody has taken the dice, and how many new sets have come."""
        self.play, self.bowl, self.off, self.found, self.held, self.gone = 2, 3, 0, 0, 0, 0
        self.unreported = self.checked = 0
        self.wants_old = self.set_due = self.goes_on = self.die_counted = False
        self.beside = False
        """A new set lies at the table while the shooter goes on with the old dice."""
        self.inspected: set[str] = set()
        self.leaned = False
        # What can be taken back: the floor as it was before the last roll, before the round of it,
        # and before a no roll that has come since; how each wager fared on that roll.
        self.roll: Self | None = None
        self.begun: Self | None = None
        self.void: Self | None = None
        self.faces = self.contested = ""
        self.fared: dict[tuple[str, str], str] = {}
        self.judge = 0
        """How high the station stands that has decided the last throw."""
        self.die_gone = False
        """Since the last throw was decided a die was off the table: that one was in it."""
        self.off_table = self.die_known = False
        """A die that the last throw was no roll for has been found, replaced or given up since."""
        self.disputes: list[Dispute] = []
        self.advised: set[str] = set()
        self.closed = False
        self.clock = 0
        self.sign: int | None = None
        self.owed: dict[str, list[str]] = {}
        self.sits_again: set[str] = set()
        """Who has wagers at the table again that they had left: told where that is money."""

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
        """A valid one (Perth 6.9): not a stake that goes back whatever the dice say."""
        return any(self.counts(seat, spot) for spot in self.house.lines)

    def counts(self, seat: str, spot: str) -> int:
        """How much of a wager is paid or collected; the rest goes back in either result."""
        stake = self.up.get(seat, {}).get(spot, 0)
        if (seat, spot) in self.goes_back:
            return 0
        return self._payable(spot, min(stake, MOST) if self.house.outside == "in part" else stake)

    def _payable(self, spot: str, stake: int) -> int:
        """The greatest part that is paid exactly, where that is asked for (Perth 8.5)."""
        return stake - stake % 6 if self.house.exact and spot == "place.6" else stake

    def within(self, seat: str, spot: str, amount: int) -> bool:
        """Whether a wager with this much more is within the limits."""
        return LEAST <= self.up[seat].get(spot, 0) + amount <= MOST

    def as_it_is(self) -> Self:
        """A copy, for taking back what follows; it can take nothing back itself."""
        past = self.roll, self.begun, self.void
        self.roll = self.begun = self.void = None
        copied = deepcopy(self)
        self.roll, self.begun, self.void = past
        return copied

    def here(self, seat: str) -> bool:
        return seat in self.seats and seat not in self.away

    def taken(self) -> dict[str, int]:
        """The places that are somebody's: of who is here, and of wagers of those who left."""
        return {s: at for s, at in self.seats.items() if s not in self.away or self.up[s]}

    def free_place(self) -> int:
        """Beside the last one; at the end of the table the first free place."""
        last, taken = max(self.seats.values(), default=0), self.taken().values()
        free = [n for n in range(1, self.places + 1) if n not in taken]
        return last + 1 if last < self.places else free[0]

    def in_order(self) -> list[str]:
        """Everybody who may be asked, in the order in which the dice go round."""
        start = 0
        if self.former:
            start = self.from_place or self.seats.get(self.former, 0)
        elif self.house.begins == "stick":
            start = self.places // 2
        start = self.asked_at or start  # the next clockwise from whoever did not accept
        ring = sorted(self.seats, key=lambda seat: self.seats[seat])
        ring.sort(key=lambda seat: (seat == self.former, self.seats[seat] <= start))
        anybody = not self.former or (self.house.everybody_between_rounds and not self.puck)
        return [
            seat
            for seat in ring
            if seat not in self.excluded | self.away
            and (self.has_line(seat) or (anybody and seat not in self.barred))
        ]

    def still_to_ask(self) -> list[str]:
        return [seat for seat in self.in_order() if seat not in self.let_by]

    def _not_accepted(self) -> None:
        """Whoever was asked has not taken the dice."""
        self.let_by.add(self.offered)
        self._offer_ends()

    def _offer_ends(self) -> None:
        """The dice go on from the place at which they were offered."""
        self.offered, self.asked_at = "", self.offered_at

    def looked_at(self) -> bool:
        seen = self.inspected | ({"dealer"} if STICK in self.inspected else set())  # a dealer too
        return set(self.house.inspectors) <= seen

    def _looked_at(self) -> None:
        if not self.looked_at():
            raise No("the dice were not inspected")

    def _release(self, own: bool = True) -> None:
        """What is asked when the dice leave the hand, and never again; of whoever is to throw only
        where nobody else did."""
        if self.contested:
            raise No("the faces of the last roll are in dispute")
        if self.house.closing and not self.bets_closed:
            raise No("bets are open")
        if self.set_due and not self.goes_on:
            raise No("a new set is due")
        if self.play < 2:
            raise No("a die is missing")
        if not self.beside:
            self._looked_at()
        if not self.shooter:
            raise No("nobody has the dice")
        if self.shooter == STICK:
            if own and self.still_to_ask():
                raise No("somebody can throw who was not asked")
        elif not self.has_line(self.shooter):
            if own and self.house.lacking != "void":
                raise No("the shooter has no line wager")
            self.ground = self.house.ineligible

    def _let_go(self, name: str) -> None:
        """The shooter has no dice any more."""
        self.shooter, self.former = "", name
        self.from_place = 0 if name in self.seats else self.sat[name]
        self.let_by = set()
        self.asked_at = 0
        self.no_rolls = 0
        self._hand_over()

    def _other_set(self) -> None:
        """A whole set in the place of the old one."""
        self.play, self.bowl, self.off, self.found, self.held, self.gone = 2, 3, 0, 0, 0, 0
        self.unreported = self.checked = 0
        self.die_known = self.off_table
        self.wants_old = self.set_due = self.goes_on = self.beside = False

    def _hand_over(self) -> None:
        """The hand is over: dice kept out come back, and the old dice end with their shooter. The
        new set that was put on the table beside them is in use."""
        self._set_beside()
        self.bowl, self.held, self.checked = self.bowl + self.held, 0, 0
        self.goes_on = self.wants_old = False

    def _set_beside(self) -> None:
        """A new set that lies beside the old dice of a hand takes their place when it is over."""
        if self.beside:
            seen = self.inspected
            self._other_set()
            self.inspected = seen

    def _stick_stops(self) -> None:
        """A 7 Out, or nothing is left to throw for: everybody is asked again."""
        self.shooter, self.let_by, self.asked_at = "", set(), 0
        self.no_rolls = 0
        self._hand_over()

    def _follows(self) -> None:
        """What no call says: the excluded have no dice, and a point dies that nobody can play."""
        if self.thrown or self.closed:
            return
        gone = self.shooter and self.shooter != STICK and not self.here(self.shooter)
        if gone or self.shooter in self.excluded:
            self._let_go(self.shooter)
        if self.offered and (self.offered in self.excluded or not self.here(self.offered)):
            self._offer_ends()
        if self.shooter == STICK and not any(self.up.values()):
            self._stick_stops()
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
