"""Calls of the crew with players' chips: found, given back, placed for a player; and objections."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Self

import msgspec

from boxman.rules.layout import Layout, Spot
from boxman.rules.ledger import join
from boxman.table.call import BEFORE_REST, CREW, Call, ConsoleEntry, call, confirmed
from boxman.table.calls.betting import Bet, by_own_limits, wait
from boxman.table.floor.people import AUTOMATIC, PLAYER, Pending, PlacedFor
from boxman.table.floor.personal import own_cites, personal
from boxman.table.floor.powers import check_power, station_name, station_names
from boxman.table.floor.shooters import lacks_line
from boxman.table.floor.standing import (
    ADVICE,
    advised,
    check_here,
    check_open,
    note_wager,
)
from boxman.table.floor.throws import LACKING, had_line
from boxman.table.fresh import IN_FULL, Fresh, place_of
from boxman.table.lines.fields import Money, OneOf, SeatName, SplitParts, SpotName
from boxman.table.markers import joined
from boxman.table.rulings import Followed, Notice, Refused, change, refuse
from boxman.table.said.menu import menu
from boxman.table.said.saying import saying
from boxman.table.stakes import (
    check_stake,
    fee_cites,
    fee_on,
    found_cites,
    in_part,
    lying,
    measured,
    partners_stake,
)
from boxman.table.state import (
    AnyDecision,
    Asked,
    Cites,
    Placed,
    Returned,
    Seat,
    Table,
    Wager,
    apply,
)
from boxman.table.terms import binding
from boxman.table.wagers import (
    check_amount,
    check_flat,
    check_gate,
    check_split,
    check_window,
    comes_down,
    in_time,
    is_closed,
    left_over,
    odds_too,
    refuse_chips,
    refuse_short,
    seat_at,
    spot_on,
    still_cut,
    too_much_fee,
    undone,
    wager_of,
)
from boxman.words.say import Value

Lay = Annotated[bool, OneOf((False, True), "it-lay-there")]
MISTAKE = "put down by mistake"


@call(
    "{by} finds {amount} {spot} for {seat} [split {split}] [{before=before the throw}]",
    stations=CREW,
    speaks="box",
    console=ConsoleEntry(130, ("seat", "spot", "before"), ("amount", "split")),
)
class Find(Call, frozen=True, kw_only=True):
    """Staff find a stake in play that nobody checked when it went down."""

    seat: SeatName
    spot: SpotName
    amount: Money
    split: SplitParts = ()
    before: Lay = False
    """It lay there before bets were closed or the dice left the hand; said of one found later."""

    def half_of(self, table: Table) -> str:
        late = self.before and table.phase not in BEFORE_REST
        return confirmed(self.seat, self.spot) if late else ""

    def rule(self, layout: Layout, table: Table) -> Followed:
        made, warnings = self.found(layout, table)
        if not self.before:
            return made, warnings
        closed = "closed" * (table.phase == "closed")
        late = Notice("found-late", layout.betting["make"].cites, closed, self._who(layout))
        if table.phase in BEFORE_REST or self.by in AUTOMATIC:
            return made, [*warnings, late]
        seat = table.seats[self.seat]
        if (laid := lying(layout, table, seat)) and laid + self.amount > seat.rail:
            chips, rail = layout.principles["chips"], seat.rail - laid
            refuse("rail-short", chips, "found", seat=seat.name, rail=rail, laid=laid)
        waits = Pending("found", self.seat, self.spot, self.amount, by=(self.by,), split=self.split)
        words = saying("found waits", seat=self.seat, spot=self.spot)
        pending = (*table.floor.pending, waits)
        return [change(table, words, late.cites, pending=pending)], [*warnings, late]

    def _who(self, layout: Layout) -> dict[str, Value]:
        return {"station": station_name(layout, self.by or "box")}

    def found(self, layout: Layout, table: Table) -> Followed:
        """What counts of it and what goes back, measured as at the door."""
        table = binding(table)
        seat = seat_at(layout, table, self.seat)
        check_open(layout, table, seat.name)
        spot = spot_on(layout, self.spot)
        old = seat.wagers.get(spot.id)
        self._check_time(layout, table)
        check_window(spot, "raise" if old else "make", table.puck)
        check_amount(layout, self.amount)
        check_flat(layout, table, seat, spot)
        check_gate(layout, table, spot)
        stake = self.amount + (old.stake if old else 0)
        if self.amount % layout.chip:
            refuse_chips(layout, self.amount)
        split = check_split(layout, spot, self.amount, self.split, old)
        counts, why, own = self._measured(layout, table, seat, spot, stake)
        lies = Wager(spot.id, stake, found=why, counts=counts)
        again = seat.warned and "under minimum" in why  # what is more than lay there goes back
        cites = found_cites(layout, spot, lies, table.puck, 0 if again else counts)
        cites = join(cites or (spot.windows["raise"].cites if old else spot.make_cites), own)
        fee = max(0, fee_on(layout, spot, counts) - (old.fee if old else 0))
        if fee:
            cites = join(cites, fee_cites(layout, spot, counts))
        if self.amount + fee > seat.rail:
            refuse_short(layout, seat, spot, self.amount, fee)
        placed = Placed(
            *(seat.name, spot.id, self.amount, fee, cites, split, why),
            counts=counts if why else IN_FULL,
        )
        warnings = [in_part(spot, stake, counts, why, cites)] if counts < stake else []
        made: list[AnyDecision] = [placed]
        if old is None and not spot.works[1 if table.puck else 0]:
            made += joined(layout, seat, spot, table.puck)
        if spot.unasked and old is None:
            made.append(Asked(seat.name, spot.id, True, spot.again_cites))
        if table.floor.ground == LACKING and not lacks_line(layout, apply(table, placed)):
            made.append(had_line(table, cites))
        small, name = table.floor.small, seat.name
        if "under minimum" in why and advised(layout, ADVICE) and name not in small:
            made.append(change(table, "", cites, small=small | {name}))
        return [*made, *note_wager(layout, table, seat.name, cites)], warnings

    def _check_time(self, layout: Layout, table: Table) -> None:
        """Refuse what is said to have lain there before a throw, and of no throw; or not before."""
        late, cites = is_closed(layout, table, "make"), layout.betting["make"].cites
        if self.before and not late:
            refuse("not-now", cites, "nothing thrown")
        if not self.before and late:
            closed = " closed" * (table.phase == "closed")
            refuse("bets-closed", cites, f"find{closed}")

    def _measured(
        self, layout: Layout, table: Table, seat: Seat, spot: Spot, stake: int
    ) -> tuple[int, str, Cites]:
        """What of a stake counts, why not all of it, and the clauses of limits of the player's own
        where the posted ones would leave another part."""
        limits = personal(layout, table, seat.name, self.at)
        both = partners_stake(layout, table, seat.name, spot)
        counts, why = measured(layout, limits, seat, spot, stake, both)
        own: Cites = ()
        if limits is not table:
            posted = measured(layout, table, seat, spot, stake, both)
            most = "over maximum" in why + posted.why
            if posted != (counts, why):
                own = own_cites(layout, table, seat.name, self.at, most)
        return counts, why, own

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        before = is_closed(layout, table, "make")
        for name in table.seats:
            for spot in layout.spots:
                for amount in (table.posted.minimum, layout.chip):
                    yield cls(by=by, seat=name, spot=spot, amount=amount, before=before)
        # A spot may take other amounts only, and other ones than its owner may bet now.
        replace = msgspec.structs.replace
        deep = {name: replace(seat, rail=10**12) for name, seat in table.seats.items()}
        floor = replace(table.floor, barred={}, partners=())
        opened = replace(table, phase="open", seats=deep, floor=floor)
        for name in table.seats:
            for spot, choice in menu(layout, opened, name).choices.items():
                if choice.bet:
                    low, _, step = choice.bet[0]
                    for amount in (low, low + step, 2 * low):
                        yield cls(by=by, seat=name, spot=spot, amount=amount, before=before)


@call(
    "{by} gives~back {seat} {spot} [{amount}]",
    stations=CREW,
    speaks="box",
    powers=("give back",),
    phases=("open", "closed"),
    excluded=True,
    shared=True,
    console=ConsoleEntry(140, ("seat", "spot"), ("amount",)),
)
class GiveBack(Call, frozen=True, kw_only=True):
    """Staff hand back what was put down by mistake since the last throw; amount 0 means all."""

    seat: SeatName
    spot: SpotName
    amount: Money = 0

    def rule(self, layout: Layout, table: Table) -> Followed:
        power = layout.procedure.power("give back")
        if power is None:
            refuse("no-such-power", layout.silence, "give back")
        cites = join(power.cites, check_power(layout, "give back", self.by))
        seat = seat_at(layout, table, self.seat)
        spot = spot_on(layout, self.spot)
        wager = wager_of(layout, seat, spot)
        if not in_time(layout, table):
            refuse("bets-closed", join(cites, layout.betting["make"].cites), "give back")
        new = table.fresh.get(place_of(seat.name, spot.id))
        if new is None:
            refuse("not-fresh", cites, wager=spot.name)
        if "removable" in power.needs:
            check_window(spot, "remove", table.puck)
        amount = self.amount or new.amount
        check_amount(layout, amount)
        if amount > new.amount:
            refuse("not-fresh", cites, "part", amount=new.amount, wager=spot.name)
        stood = next((each for each in new.stood if each.amount == new.amount - amount), None)
        back, warnings = undone(wager, new, MISTAKE, cites, stood), list[Notice]()
        if amount < new.amount and stood is None:
            back, warnings = self._some(layout, table, seat, spot, wager, new, cites)
        left = wager.stake - amount
        made: list[AnyDecision] = [back, *odds_too(layout, table, seat, spot, left)]
        return made + left_over(layout, table, made), warnings

    def _some(
        self,
        layout: Layout,
        table: Table,
        seat: Seat,
        spot: Spot,
        wager: Wager,
        new: Fresh,
        cites: Cites,
    ) -> tuple[Returned, list[Notice]]:
        """A part of what is new goes: what is left has to be a stake the spot takes."""
        if new.amount - self.amount < new.voucher:
            rules = layout.procedure.voucher
            cites = join(rules.one_wager, rules.whole)
            refuse("voucher-stands", cites, "give back", wager=spot.name)
        if wager.split:
            refuse(
                "split-stands",
                spot.share.cites if spot.share else spot.offer_cites,
                "give back",
                wager=spot.name,
            )
        left = wager.stake - self.amount
        warnings, own = by_own_limits(
            *(layout, table, seat.name, self.at),
            lambda limits: check_stake(layout, limits, seat, spot, left),
        )
        fee = min(new.fee, too_much_fee(layout, spot, wager, left))
        back = Returned(seat.name, spot.id, self.amount, fee, MISTAKE, join(cites, own))
        return still_cut(back, wager, left), warnings

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        for seat in table.seats.values():
            for spot in seat.wagers:
                yield cls(by=by, seat=seat.name, spot=spot)


@call(
    "{by} bets {amount} {spot} for {seat} [split {split}]",
    stations=CREW,
    powers=("place for player",),
    phases=BEFORE_REST,
    console=ConsoleEntry(120, ("seat", "spot"), ("amount", "split"), as_menu=True),
)
class PlaceFor(Call, frozen=True, kw_only=True):
    """Staff put a player's chips on a spot, on the player's instruction."""

    seat: SeatName
    spot: SpotName
    amount: Money
    split: SplitParts = ()

    def rule(self, layout: Layout, table: Table) -> Followed:
        inside = layout.procedure.centre.get(self.spot, ())
        self._check_part(layout, inside)
        power = check_power(layout, "place for player", self.by, "centre" if inside else "")
        power = join(power, inside) if power else power
        check_here(layout, table, self.seat)
        late = layout.procedure.confirm.late  # and it waits for a word as the player's own does
        if table.phase == "out" and late is not None and self.by not in AUTOMATIC:
            waits = Pending("late", self.seat, self.spot, self.amount, split=self.split)
            return wait(layout, table, waits, join(power, late.cites), self.at)
        bet = Bet(seat=self.seat, spot=self.spot, amount=self.amount, split=self.split, at=self.at)
        made, warnings = bet.checked(layout, table)
        answers = layout.procedure.conduct.player_answers_for_placing
        cites = join(power, answers) or layout.silence
        new = table.fresh.get(place_of(self.seat, self.spot))
        split = made[0].split if isinstance(made[0], Placed) else ()
        above = new.chips if new else 0
        placed = table.floor.placed_for | {
            PlacedFor(self.seat, self.spot, self.amount, split, above)
        }
        by = station_name(layout, self.by or "dealer")
        words = saying("placed for", station=by, seat=self.seat)
        return [*made, change(table, words, cites, placed_for=placed)], warnings

    def _check_part(self, layout: Layout, inside: Cites) -> None:
        """Refuse one of the crew who places wagers, but those of another part of the table."""
        powers = layout.procedure.powers["place for player"]
        here = powers.get("centre" if inside else "")
        there = [each for each in powers.values() if each is not here and self.by in each.who]
        if here is None or not layout.procedure.centre or self.by in here.who or not there:
            return
        names = station_names(layout, here.who)
        refuse(
            "not-your-call",
            join(here.cites, inside),
            "spots",
            who=station_name(layout, self.by),
            names=names,
        )

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        for name in table.seats:
            for spot, choice in menu(layout, table, name).choices.items():
                for low, high, step in choice.bet[:1]:
                    # The least may not divide into the parts of a spot that has parts.
                    for amount in (low, low + step)[: 1 + (low < high)]:
                        yield cls(by=by, seat=name, spot=spot, amount=amount)


@call("{seat} objects to {spot}", stations=(PLAYER,), phases=("open", "closed"))
class Object(Call, frozen=True, kw_only=True):
    """A player objects to a wager that staff placed for that player."""

    seat: SeatName
    spot: SpotName

    def rule(self, layout: Layout, table: Table) -> Followed:
        seat = seat_at(layout, table, self.seat)
        spot = spot_on(layout, self.spot)
        wager = wager_of(layout, seat, spot)
        cites = layout.procedure.conduct.player_answers_for_placing
        do = "take it down" if comes_down(layout, table, spot) else ""
        if not cites:
            refuse("no-such-power", layout.silence, "object", do=do)
        if not in_time(layout, table):
            refuse("too-late", cites)
        new = table.fresh.get(place_of(seat.name, spot.id))
        theirs = table.floor.placed(seat.name, spot.id)
        if new is None or not theirs:
            refuse("own-wager", cites, do=do, wager=spot.name, seat=seat.name)
        # What was there at the last throw, or was put there by himself since, is his own and stays.
        first = min(each.above for each in theirs)
        amount = sum(each.amount for each in theirs) or new.amount
        stood = next((each for each in reversed(new.stood) if each.chips <= first), None)
        back = undone(wager, new, "objected", cites, stood)
        if amount < back.amount:
            back = self._theirs(layout, table, seat, spot, theirs, back)
        made: list[AnyDecision] = [back]
        made += odds_too(layout, table, seat, spot, wager.stake - back.amount)
        made += left_over(layout, table, made)
        left = table.floor.placed_for.difference(theirs)
        return [*made, change(table, "objection upheld", cites, placed_for=left)], []

    def _theirs(
        self,
        layout: Layout,
        table: Table,
        seat: Seat,
        spot: Spot,
        theirs: list[PlacedFor],
        whole: Returned,
    ) -> Returned:
        """What staff placed of a wager, if the rest of it can stand without; else the whole."""
        wager, cites = seat.wagers[spot.id], whole.cites
        amount = sum(each.amount for each in theirs)
        left = wager.stake - amount
        try:
            check_stake(layout, personal(layout, table, seat.name, self.at), seat, spot, left)
        except Refused as alone:  # the rest goes back too, for what asks more of a wager
            return msgspec.structs.replace(whole, cites=join(cites, alone.refusal.cites))
        fee = min(whole.fee, too_much_fee(layout, spot, wager, left))
        found = wager.found if wager.counts == IN_FULL else ""
        split = tuple(map(sum, zip(*(each.split for each in theirs), strict=True)))
        back = Returned(
            seat.name, spot.id, amount, fee, "objected", cites, split=split, found=found
        )  # fmt: skip
        return still_cut(back, wager, left)

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        for spot in sorted({each.spot for each in table.floor.placed_for if each.seat == by}):
            yield cls(seat=by, spot=spot)
