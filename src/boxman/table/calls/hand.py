"""Calls of the dice in hand: places, and to whom the dice go."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Self

from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.call import CREW, Call, ConsoleEntry, call
from boxman.table.floor.dice_set import after_seven_out, check_set, two_of
from boxman.table.floor.machine import check_decided, refuse_place
from boxman.table.floor.people import AUTOMATIC, GUEST, PLAYER, STICK, Hand, Matter
from boxman.table.floor.personal import MINUTE
from boxman.table.floor.powers import check_power, given_with, role_cites, station_name
from boxman.table.floor.shooters import (
    eligible,
    eligible_cites,
    full_cites,
    gives_up,
    going_round,
    keeps,
    let_by,
    may_be_asked,
    may_pass,
    may_take,
    may_throw_on,
    nobody_cites,
    nobody_will,
    offer_ends,
    order_cites,
    places_cites,
    refuse_has_shooter,
    remedy,
    stick_throws,
    takes,
    turn,
    without_a_shooter,
)
from boxman.table.floor.speakers import check_player
from boxman.table.floor.standing import check_needs, check_place
from boxman.table.floor.throw import where
from boxman.table.floor.throws import check_uncontested
from boxman.table.lines.fields import Note, PlaceNumber, Reason, SeatName
from boxman.table.lines.pattern import Line
from boxman.table.rulings import Followed, change, refuse
from boxman.table.said.saying import saying
from boxman.table.state import AnyDecision, Cites, Handed, PuckOff, Seated, Table, apply
from boxman.table.wagers import give_back, left_over, seat_at

OPENING, NEXT = "opening", "next"
"""The reasons of a power to offer the dice as the game opens, first and then to the next, where
clauses of their own give it."""


@call("{seat} sits at {place}", stations=(PLAYER,), left=True, returns=True, braked="playing")
class Sit(Call, frozen=True, kw_only=True):
    """A player takes a place, counted clockwise from the left of the box."""

    seat: SeatName
    place: PlaceNumber

    def rule(self, layout: Layout, table: Table) -> Followed:
        taken = next((s.name for s in table.placed if s.place == self.place), "")
        cites = places_cites(layout)
        floor = table.floor
        check_place(layout, table, self.seat)
        check_player(layout, table, self.seat)
        if self.place < 1:
            refuse("no-such-place", cites, "counted")
        if floor.places and self.place > floor.places:
            refuse("no-such-place", full_cites(layout, table), places=floor.places)
        if taken and taken != self.seat:
            refuse("place-taken", cites, taken=taken, place=self.place)
        return [Seated(self.seat, self.place, cites)], []


@call(
    "{by} offers dice to {seat}",
    stations=CREW,
    speaks="stick",
    powers=("offer dice",),
    console=ConsoleEntry(10, ("seat",)),
    moves=dict.fromkeys(("with the stick", "offered", "in hand"), ("offered",)),
)
class OfferDice(Call, frozen=True, kw_only=True):
    """The dice are offered to the player whose turn it is."""

    seat: SeatName

    def given(self, layout: Layout, table: Table) -> Cites:
        return _offers(layout, _offering(layout, table))

    def rule(self, layout: Layout, table: Table) -> Followed:
        hand = table.hand
        power = _may_offer(layout, table, self.by)
        shooter = table.seats.get(hand.shooter)
        if hand.shooter == GUEST:
            refuse("guest-shoots", layout.silence)
        if shooter is not None and may_throw_on(layout, table, shooter):
            still = () if eligible(layout, shooter) else remedy(layout)
            refuse_has_shooter(table, join(keeps(layout, table.puck), still))
        # Whoever had the dice has them no more, nor what was allowed with them.
        ends: list[AnyDecision] = []
        if shooter is not None:
            lacks = eligible_cites(layout, table.puck)
            ends = gives_up(layout, table, shooter.name, lacks)
        elif hand.shooter:
            ends = after_seven_out(layout, table)
        elif hand.offered:
            self._check_open(layout, table)
            seat = table.seats[hand.offered]
            ends = [offer_ends(table, eligible_cites(layout, table.puck), seat.place)]
        table = reduce(apply, ends, table)
        cites = given_with(power, going_round(layout, table))
        check_decided(layout, table)
        self._check_turn(layout, table, hand.offered, shooter is None)
        check_set(layout, table, self.by)
        hand = table.hand
        offered = Hand("", self.seat, hand.declined, hand.former, 0, hand.left)
        return [*ends, Handed(offered, "offered", cites, {"seat": self.seat})], []

    @classmethod
    def answers(cls, layout: Layout, table: Table, matter: Matter) -> Iterator[Self]:
        if isinstance(matter, Hand) and not matter.offered:
            for seat in table.seats:
                yield cls(seat=seat)

    def _check_open(self, layout: Layout, table: Table) -> None:
        """An offer stands until it is answered, or nothing can be made of it any more."""
        asked = table.hand.offered
        if any(seat.name == asked for seat in may_be_asked(layout, table)):
            if asked == self.seat:
                refuse("already-so", takes(layout, table), "offered", seat=asked)
            refuse_place(layout, table, where(table))

    def _check_turn(self, layout: Layout, table: Table, asked: str, free: bool) -> None:
        """Refuse to ask out of turn; once all were asked, whoever is willing may be asked again.

        The point is cancelled only while nobody has the dice, `free`, or was `asked` last and gave
        no answer.
        """
        line, cites = turn(layout, table), going_round(layout, table)
        if line and line[0].name != self.seat:
            refuse("not-next", cites, seat=line[0].name)
        if not line:
            names = [seat.name for seat in may_be_asked(layout, table)]
            if not names:
                may_bet = {seat.name for seat in table.present} - table.floor.barred.keys()
                why = "line" if may_bet and not table.puck else ""
                if asked:
                    refuse("nobody-left", cites, why, do="answer the offer", seat=asked)
                do = without_a_shooter(layout, table)
                do = do if free or do != "cancel the point" else ""
                after = nobody_cites(layout) if do or not stick_throws(layout) else ()
                refuse("nobody-left", join(cites, after), why, do=do)
            if self.seat not in names:
                refuse("not-next", cites, seat=names[0])


@call(
    Line("{seat} takes dice", side="station"),
    "{seat} takes~dice",
    stations=(PLAYER, "stick"),
    console=ConsoleEntry(180),
    moves=dict.fromkeys(("offered", "with the stick", "in hand"), ("in hand",)),
)
class TakeDice(Call, frozen=True, kw_only=True):
    """A player takes the dice offered; the stick takes them where the house says so."""

    seat: SeatName

    def rule(self, layout: Layout, table: Table) -> Followed:
        hand = table.hand
        if self.seat == STICK:
            return _stick_takes(layout, table)
        seat = seat_at(layout, table, self.seat)
        cites = takes(layout, table)
        if hand.shooter == GUEST:
            refuse("guest-shoots", cites)
        if hand.shooter == seat.name:
            refuse("not-offered-dice", cites, "shooter", seat=seat.name)
        if hand.offered != seat.name:
            do = "offered" if hand.offered else "wait for the offer"
            refuse("not-offered-dice", cites, do=do, seat=seat.name, offered=hand.offered)
        rules = layout.procedure.eligible
        if rules.spots and not may_take(layout, table, seat):
            open_ = seat.name not in table.floor.barred
            spots = [
                s for s in rules.spots.value if open_ and layout.spots[s].may("make", table.puck)
            ]
            refuse(
                "not-eligible",
                rules.taking or order_cites(layout, layout.procedure.order.later),
                "take",
                do="" if spots else "pass",
                seat=seat.name,
                value=tuple(spots),
            )
        check_set(layout, table, self.by)
        two = two_of(layout, table, cites)
        if hand.former and table.puck:
            cites = join(cites, layout.procedure.shooter.next_finishes_the_round)
        return [Handed(Hand(shooter=seat.name), "shooter", cites, {"seat": seat.name}), *two], []

    @classmethod
    def answers(cls, layout: Layout, table: Table, matter: Matter) -> Iterator[Self]:
        if isinstance(matter, Hand):
            yield cls(seat=STICK)


@call(
    "{seat} declines dice",
    stations=(PLAYER,),
    moves={"offered": ("with the stick",)},
)
class DeclineDice(Call, frozen=True, kw_only=True):
    """A player declines the dice offered."""

    seat: SeatName

    def rule(self, layout: Layout, table: Table) -> Followed:
        seat = seat_at(layout, table, self.seat)
        cites = _onward(layout, table)
        if table.hand.offered != seat.name:
            refuse("not-offered-dice", cites, seat=seat.name)
        return [let_by(table, "declines", cites)], []


@call(
    "{by} passes~over {seat}",
    stations=CREW,
    speaks="stick",
    powers=("offer dice",),
    console=ConsoleEntry(15, ("seat",)),
    moves={"offered": ("with the stick",)},
)
class PassOver(Call, frozen=True, kw_only=True):
    """Somebody who is offered the dice gives no answer: they have not accepted."""

    seat: SeatName

    def given(self, layout: Layout, table: Table) -> Cites:
        return _offers(layout, _offering(layout, table, onward=True))

    def rule(self, layout: Layout, table: Table) -> Followed:
        power = _may_offer(layout, table, self.by, onward=True)
        cites = _onward(layout, table)
        offered = table.hand.offered
        if offered != self.seat:
            do = "offered" if offered else ""
            refuse("not-offered-dice", cites, do=do, seat=self.seat, offered=offered)
        return [let_by(table, "passed over", given_with(power, cites))], []

    @classmethod
    def answers(cls, layout: Layout, table: Table, matter: Matter) -> Iterator[Self]:
        if isinstance(matter, Hand) and matter.offered:
            yield cls(seat=matter.offered)


@call(
    "{seat} passes dice",
    stations=(PLAYER,),
    moves={"in hand": ("with the stick",)},
)
class PassDice(Call, frozen=True, kw_only=True):
    """The shooter gives up the dice."""

    seat: SeatName

    def rule(self, layout: Layout, table: Table) -> Followed:
        seat = seat_at(layout, table, self.seat)
        cites = may_pass(layout, table.puck) or layout.silence
        if table.hand.shooter != seat.name:
            refuse("not-shooter", cites, seat=seat.name)
        if table.puck:
            cites = join(cites, layout.procedure.shooter.next_finishes_the_round)
        return gives_up(layout, table, seat.name, cites, declined=True), []


@call(
    "{by} orders {seat} to~pass [for {reason}] [because {note}]",
    stations=CREW,
    powers=("order to pass",),
    console=ConsoleEntry(190, ("seat", "reason"), ("note",)),
    moves={"in hand": ("with the stick",)},
)
class OrderPass(Call, frozen=True, kw_only=True):
    """Staff order the shooter to give up the dice."""

    seat: SeatName
    reason: Reason = ""
    note: Note = ""

    def rule(self, layout: Layout, table: Table) -> Followed:
        cites = check_power(layout, "order to pass", self.by, self.reason)
        if table.hand.shooter != self.seat:
            refuse("not-shooter", cites or layout.silence, seat=self.seat)
        if self.seat == STICK:
            refuse("no-such-power", nobody_cites(layout), "stick throws")
        if self.by not in AUTOMATIC:
            check_needs(layout, table, "order to pass", self.reason, {"note": self.note})
        return gives_up(layout, table, self.seat, cites or layout.silence), []

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        for seat in table.seats:
            for reason in layout.procedure.powers["order to pass"]:
                yield cls(by=by, seat=seat, reason=reason, note="note")


@call(
    "{by} cancels the point",
    stations=CREW,
    powers=("cancel point",),
    console=ConsoleEntry(200),
    moves={"with the stick": ("with the stick",)},
)
class CancelPoint(Call, frozen=True, kw_only=True):
    """Nobody will finish the round: the point is cancelled."""

    def rule(self, layout: Layout, table: Table) -> Followed:
        no_shooter = layout.procedure.no_shooter
        cites = nobody_cites(layout)
        if no_shooter.returns is None:
            refuse("no-such-power", cites, "cancel")
        check_power(layout, "cancel point", self.by)
        if not table.puck:
            refuse("not-now", cites, "no point")
        if table.hand.shooter:
            refuse_has_shooter(table, cites)
        _check_nobody_asked(layout, table, cites)
        if not nobody_will(layout, table):
            refuse("not-now", cites, "taker")
        check_uncontested(layout, table)
        made: list[AnyDecision] = [PuckOff(cites)]
        returns = no_shooter.returns
        for seat in table.seats.values():
            for name in seat.wagers:
                if name in returns.value:
                    spot = layout.spots[name]
                    made.append(give_back(layout, seat, spot, 0, "point cancelled", returns.cites))
        made += left_over(layout, table, made)
        anew = Hand(shooter="", former=table.hand.former, left=table.hand.left)
        return [*made, Handed(anew, "offered anew", cites)], []

    @classmethod
    def answers(cls, layout: Layout, table: Table, matter: Matter) -> Iterator[Self]:
        if isinstance(matter, Hand):
            yield cls()


@call(
    "{by} changes",
    stations=("stick", "box", "supervisor", "senior", "manager"),
    console=ConsoleEntry(320),
)
class ChangeStick(Call, frozen=True, kw_only=True):
    """Another stickperson takes over."""

    def rule(self, layout: Layout, table: Table) -> Followed:
        rule = layout.procedure.favour.stick_change_after
        cites = rule.cites if rule else layout.silence
        if self.by not in AUTOMATIC and self.by != "stick":
            who, stick = (station_name(layout, each) for each in (self.by, "stick"))
            whose = join(cites, role_cites(layout, self.by))
            refuse("not-your-call", whose, "at the stick", who=who, stick=stick)
        kept, old = table.floor.kept, table.floor.old
        over: list[AnyDecision] = []
        if rule is not None:
            since = self.at - rule.value * MINUTE
            kept = {name: own.at_stick_change(since) for name, own in kept.items()}
            if old is not None and (ends := old.at_stick_change(since)) != old:
                over.append(change(table, "", cites, old=ends))
        was = table.floor.kept
        ended = [saying("kept no longer", seat=n) for n in was if kept[n].over and not was[n].over]
        told = [change(table, words, cites, kept=kept) for words in ended]
        return [change(table, "stick changes", cites, kept=kept), *told, *over], []


def _may_offer(layout: Layout, table: Table, by: str, *, onward: bool = False) -> Cites:
    """The clauses by which somebody offers the dice: as the game opens, or later."""
    return check_power(layout, "offer dice", by, _offering(layout, table, onward=onward))


def _offers(layout: Layout, reason: str) -> Cites:
    """The clauses that give this power to somebody."""
    power = layout.procedure.power("offer dice", reason)
    return power.cites if power else ()


def _offering(layout: Layout, table: Table, *, onward: bool = False) -> str:
    """The reason of the power by which the dice are offered now, or go on."""
    hand, known = table.hand, layout.procedure.powers["offer dice"]
    if hand.former or hand.shooter:
        return ""
    wanted = (NEXT, OPENING) if onward or hand.declined or hand.at else (OPENING,)
    return next((reason for reason in wanted if reason in known), "")


def _onward(layout: Layout, table: Table) -> Cites:
    """The clauses by which dice that were not accepted are offered to the next."""
    order = layout.procedure.order
    return order_cites(layout, (order.onward if table.hand.former else None) or order.then)


def _check_nobody_asked(layout: Layout, table: Table, cites: Cites) -> None:
    """Refuse what is done without a shooter while somebody is asked, or has still to be."""
    if asked := table.hand.offered:
        refuse("not-now", cites, "taker", do="answer the offer", seat=asked)
    if turn(layout, table):
        refuse("not-now", cites, "taker")


def _stick_takes(layout: Layout, table: Table) -> Followed:
    """Where nobody will throw and a wager is undecided, the stickperson may have to."""
    cites = nobody_cites(layout)
    if not stick_throws(layout):
        refuse("stick-never-throws", cites)
    shooter = table.seats.get(table.hand.shooter)
    if table.hand.shooter and (shooter is None or may_throw_on(layout, table, shooter)):
        refuse_has_shooter(table, cites)
    check_decided(layout, table, cites)
    ends: list[AnyDecision] = []
    if shooter is not None:  # without a line wager and no way to make one
        ends = gives_up(layout, table, shooter.name, eligible_cites(layout, table.puck))
        table = reduce(apply, ends, table)
    _check_nobody_asked(layout, table, cites)
    if not any(seat.wagers for seat in table.seats.values()):
        refuse("not-now", cites, "decided")
    # The stickperson throws as a shooter: play has begun, and who is asked next has a line wager.
    asked = tuple(seat.name for seat in may_be_asked(layout, table))
    former = table.hand.former or STICK
    hand = Hand(shooter=STICK, declined=asked, former=former, left=table.hand.left)
    return [*ends, Handed(hand, "stick throws", cites)], []
