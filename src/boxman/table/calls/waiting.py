"""Calls of what waits to be confirmed: wagers spoken or late, calls on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

import msgspec

from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.call import CREW, Call, ConsoleEntry, call, confirmed
from boxman.table.calls.betting import Bet, wait
from boxman.table.calls.handling import Find
from boxman.table.calls.working import SetWorking
from boxman.table.floor.confirming import asks, timely, waits_no_more, wanted
from boxman.table.floor.people import AUTOMATIC, PLAYER, Matter, Pending
from boxman.table.floor.powers import station_name, station_names
from boxman.table.lines.fields import Money, SeatName, SplitParts, SpotName, SpotOrAll
from boxman.table.rulings import Followed, Notice, Refused, change, refuse
from boxman.table.said.saying import saying
from boxman.table.state import AnyDecision, Cites, Marked, Table, apply
from boxman.table.wagers import check_amount, chips_only, seat_at


@call(
    "{seat} says {amount} {spot} [split {split}]",
    stations=(PLAYER,),
    phases=("open", "closed", "out"),
    returns=True,
    braked="staking",
)
class Say(Call, frozen=True, kw_only=True):
    """A player calls a wager out; it waits for chips and confirmation."""

    seat: SeatName
    spot: SpotName
    amount: Money
    split: SplitParts = ()

    def rule(self, layout: Layout, table: Table) -> Followed:
        rule = layout.procedure.confirm.spoken
        late = layout.procedure.confirm.late if table.phase == "out" else None
        if rule is None and late is None:
            refuse("nothing-spoken", chips_only(layout))
        asked = [each for each in (late, rule) if each is not None]
        cites = join(*(each.cites for each in asked))
        seat = seat_at(layout, table, self.seat)
        check_amount(layout, self.amount)
        if seat.rail < self.amount:
            refuse(
                "rail-short",
                join(cites, layout.principles["chips"]),
                "spoken",
                seat=seat.name,
                rail=seat.rail,
                amount=self.amount,
            )
        landed = table.phase not in ("open", "closed", "out")
        if landed or (table.phase == "out" and late is None):
            refuse("bets-closed", layout.betting["make"].cites, phase=table.phase)
        waits = Pending("spoken", self.seat, self.spot, self.amount, split=self.split)
        return wait(layout, table, waits, cites, self.at)


@call(
    "{by} confirms {seat} {spot}",
    stations=CREW,
    console=ConsoleEntry(
        110,
        ("seat", "spot"),
    ),
)
class Confirm(Call, frozen=True, kw_only=True):
    """Staff confirm aloud what waits for it: a late or spoken wager, a call on, faces."""

    seat: SeatName
    spot: SpotOrAll

    def given(self, layout: Layout, table: Table) -> Cites:
        confirm = layout.procedure.confirm
        waits = confirm.late or confirm.spoken or confirm.on
        return asks(layout, table, self.seat, self.spot) if waits else ()

    def half_of(self, table: Table) -> str:
        return confirmed(self.seat, self.spot)

    @classmethod
    def answers(cls, layout: Layout, table: Table, matter: Matter) -> Iterator[Self]:
        if isinstance(matter, Pending):
            yield cls(seat=matter.seat, spot=matter.spot)

    def rule(self, layout: Layout, table: Table) -> Followed:
        own = [each for each in table.floor.pending if each.seat == self.seat]
        mine = [each for each in own if each.spot == self.spot]
        if mine:
            return self._first(layout, table, sorted(mine, key=lambda each: self.by in each.by))
        found = list[Pending]()
        if self.spot == "all":
            found = [each for each in own if each.what == "on"]
        if not found:
            refuse(
                "nothing-waits",
                asks(layout, table, self.seat, self.spot),
                "" if self.spot != "all" else "all" if own else "nothing",
                seat=self.seat,
                spot=self.spot,
            )
        made: list[AnyDecision] = []
        warnings: list[Notice] = []
        for waits in found:
            if waits not in table.floor.pending:
                continue  # one marker spoke for it too
            done, told = self._one(layout, table, waits)
            for decision in done:
                table = apply(table, decision)
            for decision in waits_no_more(layout, table, table, []):
                table = apply(table, decision)
                done.append(decision)
            made, warnings = made + done, warnings + told
        return made, warnings

    def _first(self, layout: Layout, table: Table, mine: list[Pending]) -> Followed:
        """Of several things that wait there the word is for the first that it can still be for."""
        why: Refused | None = None
        for waits in mine:
            try:
                return self._one(layout, table, waits)
            except Refused as refused:
                why = why or refused
        assert why is not None
        raise why

    def _one(self, layout: Layout, table: Table, waits: Pending) -> Followed:
        """One thing that waits gets the word it waits for."""
        if waits.what == "found":
            return self._seen_too(layout, table, waits)
        rule, cites = timely(layout, table, waits, self.by)
        given = tuple(dict.fromkeys((*waits.by, self.by)))
        rest = tuple(p for p in table.floor.pending if p is not waits)
        if rule.need == "all" and set(given) < set(rule.who) and self.by not in AUTOMATIC:
            heard = msgspec.structs.replace(waits, by=given)
            waiting = tuple(heard if p is waits else p for p in table.floor.pending)
            left = station_names(layout, (w for w in rule.who if w not in given))
            return [change(table, saying("confirm too", names=left), cites, pending=waiting)], []
        made: list[AnyDecision] = [change(table, "confirmed", cites, pending=rest)]
        more, warnings = self._done(layout, table, waits)
        return [*made, *more], warnings

    def _seen_too(self, layout: Layout, table: Table, waits: Pending) -> Followed:
        """A second person saw that a stake lay there before the throw: now it is found."""
        cites = wanted(layout, waits)
        if self.by in waits.by:
            station = station_name(layout, self.by)
            refuse("not-your-call", cites, "second", station=station)
        rest = tuple(p for p in table.floor.pending if p is not waits)
        find = Find(
            seat=waits.seat,
            spot=waits.spot,
            amount=waits.amount,
            split=waits.split,
            before=True,
            at=self.at,
        )
        made, warnings = find.found(layout, table)
        return [change(table, "confirmed", cites, pending=rest), *made], warnings

    def _done(self, layout: Layout, table: Table, waits: Pending) -> Followed:
        """What waited is done now: a marker goes on, or the wager down."""
        if waits.what == "on":
            marked = SetWorking(seat=waits.seat, spot=waits.spot, call="on", only=waits.only)
            made, warnings = marked.marked(layout, table)
            but = [m for m in made if isinstance(m, Marked) and m.spot in waits.but]
            return [m for m in made if m not in but], warnings
        opened = msgspec.structs.replace(table, phase="open")
        return Bet(
            seat=waits.seat,
            spot=waits.spot,
            amount=waits.amount,
            voucher=waits.voucher,
            split=waits.split,
            at=self.at,
        ).checked(layout, opened)

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        for pending in table.floor.pending:
            yield cls(by=by, seat=pending.seat, spot=pending.spot)
