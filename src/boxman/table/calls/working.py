"""Calls of what works: wagers called on and off, and winners that are to stay up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Self

from msgspec.structs import replace

from boxman.rules.layout import Layout, Spot
from boxman.table.call import BEFORE_REST, Call, call
from boxman.table.floor.confirming import pend
from boxman.table.floor.people import AUTOMATIC, PLAYER, Pending
from boxman.table.floor.standing import check_here, check_open
from boxman.table.lines.fields import OneOf, SeatName, SpotName, SpotOrAll
from boxman.table.lines.pattern import Line
from boxman.table.markers import OnOff, callable_now, changes, mark, mark_all, off_by_name, wakes
from boxman.table.rulings import Followed, Notice, Refused, change, refuse
from boxman.table.said.saying import saying
from boxman.table.state import AnyDecision, Asked, Marked, Seat, Table
from boxman.table.wagers import check_phase, comes_down, seat_at, spot_on, wager_of


@call(
    "{seat} calls {spot} {call} [{only=only}]", stations=(PLAYER,), phases=BEFORE_REST, shared=True
)
class SetWorking(Call, frozen=True, kw_only=True):
    """A player calls a wager on or off; "all" means every wager that can be called so."""

    seat: SeatName
    spot: SpotOrAll
    call: Annotated[OnOff, OneOf(("on", "off"))]
    only: bool = False
    """This wager alone, where the house would let the call count for similar ones too."""

    def rule(self, layout: Layout, table: Table) -> Followed:
        """A call on may have to be confirmed before it counts, where the crew works by hand; until
        then its player may take it back."""
        if self.call == "off" and (taken_back := self._taken_back(layout, table)):
            return taken_back
        made = self.marked(layout, table)
        rule = layout.procedure.confirm.on
        if rule is None or self.by in AUTOMATIC or self.call != "on":
            return made
        whole = self.spot == "all"
        names = [each.spot for each in made[0] if isinstance(each, Marked)]
        asleep = {spot for each in self._waiting(table) for spot in each.but}
        but = tuple(sorted(asleep.difference(names if whole else names[:1])))
        waits = [Pending("on", self.seat, name, only=self.only, but=but) for name in names]
        return pend(table, waits if whole else waits[:1], rule.cites)

    def _taken_back(self, layout: Layout, table: Table) -> Followed | None:
        """Calls on that still wait are to be confirmed no more, or not for this wager, whatever
        else is called off."""
        rule, pending = layout.procedure.confirm.on, table.floor.pending
        own = self._waiting(table)
        gone = [each for each in own if self.spot in ("all", each.spot)]
        like = [each for each in own if each not in gone and wakes(layout, each, self.spot)]
        if rule is None or not (gone or like):
            return None
        wagers = seat_at(layout, table, self.seat).wagers
        check_phase(layout, table, "mark")
        made, warnings = list[AnyDecision](), list[Notice]()
        try:
            made, warnings = self.marked(layout, table)
        except Refused as refused:
            asleep = ("already-so", "nothing-to-switch", "not-now") if gone else ("already-so",)
            marked = self.spot in wagers and wagers[self.spot].marker  # and sleeps of itself
            if refused.refusal.code not in asleep or (marked and not gone):
                raise
        if like and not made:  # nothing lies on it that would keep it asleep
            but = {each: replace(each, but=(*each.but, self.spot)) for each in like}
            pending = tuple(but.get(each, each) for each in pending)
            cites = layout.spots[self.spot].markers["on"].cites
            words = "" if gone else saying("sleeps on", seat=self.seat, spot=self.spot)
            made.append(change(table, words, cites, pending=pending))
        for each in gone:
            pending = tuple(other for other in pending if other is not each)
            words = saying("waits no longer", seat=each.seat, spot=each.spot)
            made.append(change(table, words, rule.cites, pending=pending))
        return made, warnings

    def _waiting(self, table: Table) -> list[Pending]:
        """This player's calls on that wait for their word."""
        pending = table.floor.pending
        return [each for each in pending if each.what == "on" and each.seat == self.seat]

    def marked(self, layout: Layout, table: Table) -> Followed:
        """A wager is called on or off, and those the call counts for with it."""
        seat = seat_at(layout, table, self.seat)
        bonus = self.only and "all" in layout.spots  # "all only" is the bonus wager of that name
        if self.spot == "all" and not bonus:
            check_phase(layout, table, "mark")
            return mark_all(layout, table, seat, self.call)
        spot = spot_on(layout, self.spot)
        rule = spot.markers[self.call]
        up = self.call == "off" and spot.id in seat.wagers
        do = "take it down" if up and comes_down(layout, table, spot) else ""
        if not rule.allow:
            refuse("not-switchable", rule.cites, do=do, wager=spot.name, call=self.call)
        wager = wager_of(layout, seat, spot)
        check_phase(layout, table, "mark")
        if rule.puck not in ("any", "on" if table.puck else "off"):
            when = "a point is on" if rule.puck == "on" else "the puck is off"
            values = {"wager": spot.name, "call": self.call, "when": when}
            refuse("not-now", rule.cites, "marker", do=do, **values)
        if not changes(spot, wager, self.call, table.puck):
            refuse("already-so", rule.cites, "called", wager=spot.name, call=self.call)
        names = (spot.id, *self._similar(layout, seat, spot))
        return [
            mark(seat, layout.spots[name], self.call, table.puck, self.only)
            for name in names
            if changes(layout.spots[name], seat.wagers[name], self.call, table.puck)
        ], []

    def _similar(self, layout: Layout, seat: Seat, spot: Spot) -> Iterator[str]:
        """The other wagers that the call counts for."""
        if spot.markers[self.call].scope != "similar" or self.only:
            return
        for name, like in seat.wagers.items():
            stays_off = self.call == "on" and off_by_name(spot, like)
            if name != spot.id and layout.spots[name].family == spot.family and not stays_off:
                yield name

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        if by in table.seats:
            for name, wager in table.seats[by].wagers.items():
                for on_off in callable_now(layout.spots[name], wager, table.puck):
                    yield cls(seat=by, spot=name, call=on_off, only=True)


@call(
    Line("{seat} keeps {spot} up", stays=True),
    Line("{seat} lets {spot} go", stays=False),
    stations=(PLAYER,),
    left=True,
    shared=True,
)
class StayUp(Call, frozen=True, kw_only=True):
    """A player asks that a wager, when it wins, be made again at once; or no longer."""

    seat: SeatName
    spot: SpotName
    stays: bool = True

    def rule(self, layout: Layout, table: Table) -> Followed:
        seat = seat_at(layout, table, self.seat)
        if self.stays:
            check_here(layout, table, self.seat)
            check_open(layout, table, self.seat)  # it would be a new wager
        spot = spot_on(layout, self.spot)
        wager = wager_of(layout, seat, spot)
        if not spot.again_cites:
            refuse("never-stays", spot.windows["make"].cites, wager=spot.name)
        if wager.stays == self.stays:
            refuse("already-so", spot.again_cites, "asked", wager=spot.name)
        return [Asked(seat.name, spot.id, self.stays, spot.again_cites)], []

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        if by in table.seats:
            for name, wager in table.seats[by].wagers.items():
                yield cls(seat=by, spot=name, stays=not wager.stays)
