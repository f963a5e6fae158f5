"""Calls of players with chips: onto the table, onto the layout, down again, off the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Self, TypeVar

import msgspec

from boxman.rules.layout import Layout, Spot
from boxman.rules.ledger import Cites, join
from boxman.table.call import BEFORE_REST, Call, call
from boxman.table.floor.confirming import pend
from boxman.table.floor.people import AUTOMATIC, GUEST, PLAYER, QUIET, Pending
from boxman.table.floor.personal import ended, had_it_lasted, own_cites, personal
from boxman.table.floor.shooters import may_remedy, places_cites
from boxman.table.floor.speakers import check_player, refuse_full
from boxman.table.floor.standing import check_open, check_place, is_full, note_wager
from boxman.table.lines.fields import Money, SeatName, SplitParts, SpotName, SpotOrArea, Voucher
from boxman.table.markers import joined
from boxman.table.rulings import Followed, Refused, refuse
from boxman.table.said.menu import menu
from boxman.table.stakes import (
    check_partners,
    check_stake,
    fee_cites,
    fee_on,
    lying,
    made_cites,
)
from boxman.table.state import (
    AnyDecision,
    Asked,
    BoughtIn,
    CashedOut,
    Placed,
    Seat,
    Seated,
    Table,
    free_place,
)
from boxman.table.terms import binding
from boxman.table.wagers import (
    REMEDY,
    check_amount,
    check_flat,
    check_flat_first,
    check_gate,
    check_phase,
    check_split,
    check_voucher,
    check_window,
    excess_cites,
    give_back,
    hand_over,
    in_time,
    left_over,
    odds_too,
    refuse_chips,
    refuse_short,
    refuse_spot,
    seat_at,
    spot_on,
    wager_of,
)
from boxman.words.say import Value

Done = TypeVar("Done")
OF_LIMITS = {"under-minimum": "minimum", "not-a-unit": "unit", "over-maximum": "maximum"}
"""Refusals that somebody with limits of their own meets by these, or does not, and the figure that
each of them names."""


@call(
    "{seat} buys in {amount}",
    stations=(PLAYER,),
    left=True,
    returns=True,
    braked="playing",
    shared=True,
)
class BuyIn(Call, frozen=True, kw_only=True):
    """A player changes money for chips and so takes a seat."""

    seat: SeatName
    amount: Money

    def rule(self, layout: Layout, table: Table) -> Followed:
        if type(self.amount) is not int or self.amount <= 0 or self.amount % layout.chip:
            refuse(
                "not-in-chips",
                layout.principles["chips"],
                "buy in",
                amount=self.amount,
                chip=layout.chip,
            )
        check_place(layout, table, self.seat)
        check_player(layout, table, self.seat)
        new, places = self.seat not in table.seats, table.floor.places
        if new and is_full(table):
            refuse_full(layout, table)
        bought = BoughtIn(self.seat, self.amount, layout.principles["chips"])
        if new and places and len(table.seats) >= places:
            # Somebody who has left nothing up keeps no place.
            return [bought, Seated(self.seat, free_place(table), places_cites(layout))], []
        return [bought], []


@call(
    "{seat} cashes out [{amount}]",
    stations=(PLAYER,),
    closed=True,
    excluded=True,
    left=True,
    shared=True,
)
class CashOut(Call, frozen=True, kw_only=True):
    """A player takes chips off the table; amount 0 means all on the rail."""

    seat: SeatName
    amount: Money = 0

    def rule(self, layout: Layout, table: Table) -> Followed:
        seat = seat_at(layout, table, self.seat)
        laid = lying(layout, table, seat)
        rail = max(0, seat.rail - laid)
        amount = self.amount or rail
        if type(amount) is not int or amount % layout.chip:
            refuse_chips(layout, amount)
        if laid and (amount > rail or amount <= 0):
            do = "cash out less" if rail else ""
            values: dict[str, Value] = {"seat": seat.name, "rail": rail, "laid": laid}
            refuse("rail-short", layout.principles["chips"], "found", do=do, **values)
        if amount > seat.rail or amount <= 0:
            free = 0
            if table.phase == "open" and seat.name not in table.floor.excluded:
                own = [layout.spots[name] for name in seat.wagers]
                down = [seat.wagers[s.id] for s in own if s.may("remove", table.puck)]
                free = sum(wager.stake - wager.voucher for wager in down)
            less = "cash out less" if seat.rail else ""
            do = "wagers down first" if free and amount <= seat.rail + free else less
            chips = layout.principles["chips"]
            refuse("rail-short", chips, do=do, seat=seat.name, rail=seat.rail)
        return [CashedOut(seat.name, amount, layout.principles["chips"])], []


@call(
    "{seat} bets {amount} {spot} [split {split}] [with~voucher {voucher}]",
    stations=(PLAYER,),
    phases=BEFORE_REST,
    returns=True,
    braked="staking",
    shared=True,
)
class Bet(Call, frozen=True, kw_only=True):
    """Chips on a spot: a new wager, or more on one that is up."""

    seat: SeatName
    spot: SpotOrArea
    amount: Money
    split: SplitParts = ()
    area: str = ""
    """The label on the cloth by which the spot was named, if it was."""
    voucher: Voucher = 0
    """How much of the amount is a promotional voucher."""

    def rule(self, layout: Layout, table: Table) -> Followed:
        """Once the dice are out it waits for a word, where the house takes it then at all."""
        if self.by or (table.floor is not QUIET and table.floor != QUIET):
            check_open(layout, table, self.seat)
            rule = layout.procedure.confirm.late
            if table.phase == "out" and rule is not None and self.by not in AUTOMATIC:
                waits = Pending(
                    "late", self.seat, self.spot, self.amount, self.voucher, split=self.split
                )
                return wait(layout, table, waits, rule.cites, self.at)
            return self.checked(layout, table)
        if table.hand.shooter == GUEST:  # of whom no line wager is asked
            return self.placed(layout, table)
        return self._remedial(layout, table) or self.placed(layout, table)

    def _remedial(self, layout: Layout, table: Table) -> Followed | None:
        """A shooter who lacks the wager to throw with may have a way of their own to make it."""
        asked = table.puck and self.amount > 0 and in_time(layout, table)
        cites = may_remedy(layout, table, self.seat, self.spot) if asked else ()
        if not cites:
            return None
        own = personal(layout, table, self.seat, self.at)
        least, most = table.posted.minimum, own.posted.maximum or self.amount
        if self.amount > min(least, most):
            why = own_cites(layout, table, self.seat, self.at, True) if most < least else ()
            wager = layout.spots[self.spot].name
            refuse("over-remedy", join(cites, why), wager=wager, most=min(least, most))
        if self.amount % layout.chip:
            refuse_chips(layout, self.amount)
        if table.floor.partners:
            check_partners(layout, table, own, (self.seat, self.spot, self.amount))
        seat, spot, voucher = table.seats[self.seat], layout.spots[self.spot], self.voucher
        made: list[AnyDecision] = []
        if voucher:
            cites = join(cites, check_voucher(layout, table, seat, spot, self.amount, voucher))
            made.append(hand_over(layout, table, seat.name, voucher))
        if self.amount - voucher > seat.rail:
            refuse_short(layout, seat, spot, self.amount - voucher, 0)
        placed = Placed(seat.name, spot.id, self.amount, 0, cites, (), REMEDY, voucher)
        return [placed, *made], []

    def checked(self, layout: Layout, table: Table) -> Followed:
        """A bet by whatever way it came, and who has made it: that is noted."""
        made, warnings = self._checked(layout, table)
        return [*made, *note_wager(layout, table, self.seat, made[0].cites)], warnings

    def _checked(self, layout: Layout, table: Table) -> Followed:
        """Who may bet, with whom together, within which limits."""
        table = binding(table)
        check_open(layout, table, self.seat)
        if remedial := self._remedial(layout, table):
            return remedial
        together: Cites = ()
        if table.floor.partners and self.spot in layout.spots:
            own = personal(layout, table, self.seat, self.at)
            bet = (self.seat, self.spot, self.amount)
            check_partners(layout, table, own, bet)
            try:
                check_partners(layout, table, table, bet)
            except Refused:  # the table's maximum would not have taken it
                together = own_cites(layout, table, self.seat, self.at, True)
        (made, warnings), why = by_own_limits(
            layout, table, self.seat, self.at, lambda limits: self.placed(layout, limits)
        )
        if why := join(why, together):
            made[0] = msgspec.structs.replace(made[0], cites=join(made[0].cites, why))
        return made, warnings

    def placed(self, layout: Layout, table: Table) -> Followed:
        """Chips on a spot."""
        seat = table.seats.get(self.seat) or seat_at(layout, table, self.seat)
        spot = layout.spots.get(self.spot) or refuse_spot(layout, self.spot, self.area)
        old = seat.wagers.get(spot.id)
        act = "raise" if old else "make"
        if table.phase != "open":
            check_phase(layout, table, act)
        if not spot.may(act, table.puck):
            check_flat_first(layout, spot)
            check_window(spot, act, table.puck)
        amount = self.amount
        check_amount(layout, amount)
        split: tuple[int, ...] = ()
        if spot.share is not None or self.split:
            minimum = table.posted.limits_of(spot)[0]
            split = check_split(layout, spot, amount, self.split, old, minimum)
        cites = self._allowed(layout, table, seat, spot)
        stake = amount + (old.stake if old else 0)
        warnings = check_stake(layout, table, seat, spot, stake)
        fee = 0
        if spot.fee is not None:
            fee = max(0, fee_on(layout, spot, stake) - (old.fee if old else 0))
            cites = join(cites, fee_cites(layout, spot, stake))
        voucher = self.voucher
        if voucher:
            cites = join(cites, check_voucher(layout, table, seat, spot, amount, voucher))
        if amount - voucher + fee > seat.rail:
            refuse_short(layout, seat, spot, amount - voucher, fee)
        if spot.behind is not None:
            cites = join(cites, excess_cites(layout, table, seat, spot, stake))
        made: list[AnyDecision] = [
            Placed(seat.name, spot.id, amount, fee, cites, split, "", voucher)
        ]
        if voucher:
            made.append(hand_over(layout, table, seat.name, voucher))
        elif spot.unasked and old is None:
            made.append(Asked(seat.name, spot.id, True, spot.again_cites))
        if old is None and not spot.works[1 if table.puck else 0]:
            made += joined(layout, seat, spot, table.puck)
        return made, warnings

    def _allowed(self, layout: Layout, table: Table, seat: Seat, spot: Spot) -> Cites:
        """The clauses that let chips be put there now."""
        cites = spot.windows["raise"].cites if spot.id in seat.wagers else spot.make_cites
        if spot.behind is not None:
            cites = join(cites, check_flat(layout, table, seat, spot))
        if spot.gate is not None:
            cites = join(cites, check_gate(layout, table, spot))
        if self.area in layout.areas:
            cites = join(layout.areas[self.area].cites, cites)
        principles = layout.principles
        if seat.wagers and "several wagers" in principles and spot.id not in seat.wagers:
            cites = join(cites, principles["several wagers"])
        opposite = principles.get("opposite wagers", ())
        if opposite and any(spot.against(layout.spots[name]) for name in seat.wagers):
            cites = join(cites, opposite)
        return cites

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        if by in table.seats:
            for spot, choice in menu(layout, table, by).choices.items():
                for low, high, _ in choice.bet:
                    yield cls(seat=by, spot=spot, amount=low)
                    yield cls(seat=by, spot=spot, amount=high)


def by_own_limits(
    layout: Layout, table: Table, name: str, at: int, act: Callable[[Table], Done]
) -> tuple[Done, Cites]:
    """What follows for somebody who may have limits of their own, and their clauses where those
    limits decide it, also where they have it refused."""
    table = binding(table)
    own = personal(layout, table, name, at)
    if own is table and name not in table.floor.kept:
        return act(table), ()
    try:
        done = act(own)
    except Refused as refused:
        no = refused.refusal
        why: Cites = ()
        if no.code in OF_LIMITS:
            most = no.code == "over-maximum"
            why = () if most else ended(layout, table, name, at)
            met = (no.code, no.values[OF_LIMITS[no.code]])
            if why and _limit_fault(had_it_lasted(layout, table, name), act) == met:
                why = ()
            if not why and _limit_fault(table, act) != met:
                why = own_cites(layout, table, name, at, most)
        raise Refused(msgspec.structs.replace(no, cites=join(no.cites, why))) from None
    fault = _limit_fault(table, act)
    return done, own_cites(layout, table, name, at, fault[0] == "over-maximum") if fault else ()


def _limit_fault(table: Table, act: Callable[[Table], object]) -> tuple[str, Value] | None:
    """For which of the limits, and with which figure, the table as posted would not take what its
    owner does, if for one."""
    try:
        act(table)
    except Refused as refused:
        no = refused.refusal
        return (no.code, no.values[OF_LIMITS[no.code]]) if no.code in OF_LIMITS else None
    return None


def wait(layout: Layout, table: Table, pending: Pending, cites: Cites, at: int) -> Followed:
    """A wager waits for confirmation; what could never stand is refused at once, and so is what has
    no chips of its own: those that go with another wager which waits do not go with this one."""
    spot_on(layout, pending.spot)
    if pending.amount:
        seat = seat_at(layout, table, pending.seat)
        theirs = [p for p in table.floor.pending if p.seat == seat.name]
        laid = sum(p.amount - p.voucher for p in theirs)
        if laid and laid + pending.amount - pending.voucher > seat.rail:
            chips = join(cites, layout.principles["chips"])
            refuse("rail-short", chips, "waiting", seat=seat.name, rail=seat.rail, laid=laid)
        voucher, held = pending.voucher, table.floor.vouchers.get(seat.name, ())
        if voucher and 0 < held.count(voucher) <= [p.voucher for p in theirs].count(voucher):
            one = join(cites, layout.procedure.voucher.one_wager)
            refuse("no-such-voucher", one, "waiting", seat=seat.name, voucher=voucher)
        opened = msgspec.structs.replace(table, phase="open")
        Bet(
            seat=pending.seat,
            spot=pending.spot,
            amount=pending.amount,
            voucher=pending.voucher,
            split=pending.split,
            at=at,
        ).checked(layout, opened)
    return pend(table, [pending], cites)


@call("{seat} takes down {spot}", stations=(PLAYER,), phases=BEFORE_REST, shared=True)
class TakeDown(Call, frozen=True, kw_only=True):
    """A wager comes off the layout."""

    seat: SeatName
    spot: SpotName

    def rule(self, layout: Layout, table: Table) -> Followed:
        seat = seat_at(layout, table, self.seat)
        spot = spot_on(layout, self.spot)
        wager_of(layout, seat, spot)
        check_phase(layout, table, "remove")
        check_window(spot, "remove", table.puck)
        made: list[AnyDecision] = [
            give_back(layout, seat, spot, 0, "taken down", spot.windows["remove"].cites)
        ]
        made += odds_too(layout, table, seat, spot, 0)
        return made + left_over(layout, table, made), []

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        if by in table.seats:
            for spot in table.seats[by].wagers:
                yield cls(seat=by, spot=spot)


@call("{seat} lowers {spot} to {to}", stations=(PLAYER,), phases=BEFORE_REST, shared=True)
class Reduce(Call, frozen=True, kw_only=True):
    """A wager is lowered to a smaller stake."""

    seat: SeatName
    spot: SpotName
    to: Money

    def rule(self, layout: Layout, table: Table) -> Followed:
        seat = seat_at(layout, table, self.seat)
        spot = spot_on(layout, self.spot)
        wager = wager_of(layout, seat, spot)
        check_phase(layout, table, "reduce")
        check_window(spot, "reduce", table.puck)
        check_amount(layout, self.to)
        if self.to >= wager.stake:
            refuse(
                "not-lower",
                spot.windows["reduce"].cites,
                wager=spot.name,
                stake=wager.stake,
                to=self.to,
            )
        if self.to < wager.voucher:
            rules = layout.procedure.voucher
            refuse("voucher-stands", join(rules.one_wager, rules.whole), wager=spot.name)
        if any(part * self.to % (wager.stake * layout.chip) for part in wager.split):
            refuse(
                "split-stands",
                spot.share.cites if spot.share else spot.offer_cites,
                wager=spot.name,
                to=self.to,
            )
        warnings, own = by_own_limits(
            *(layout, table, seat.name, self.at),
            lambda limits: check_stake(layout, limits, seat, spot, self.to),
        )
        made_under = made_cites(layout, table, seat, spot, wager, self.to)
        cites = join(spot.windows["reduce"].cites, own, made_under)
        made: list[AnyDecision] = [give_back(layout, seat, spot, self.to, "lowered", cites)]
        made += odds_too(layout, table, seat, spot, self.to)
        return made + left_over(layout, table, made), warnings

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        if by in table.seats:
            for spot, choice in menu(layout, table, by).choices.items():
                for low, _, _ in choice.lower:
                    yield cls(seat=by, spot=spot, to=low)
