"""The calls that close the table, or one of its sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, Self

from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.call import CREW, Call, ConsoleEntry, call
from boxman.table.calls.limits import check_shown
from boxman.table.floor.confirming import lapse
from boxman.table.floor.machine import check_decided
from boxman.table.floor.people import AUTOMATIC, PLACES_USUAL, Announced, Matter
from boxman.table.floor.powers import check_power, role_cites, station_name, station_names
from boxman.table.floor.standing import check_needs, playing
from boxman.table.floor.throw import SETTLED
from boxman.table.floor.throws import check_uncontested
from boxman.table.lines.fields import HowMany, OneOf, Reason
from boxman.table.lines.pattern import Line
from boxman.table.rulings import Followed, change, refuse
from boxman.table.state import AnyDecision, Cites, Table
from boxman.table.wagers import give_back, left_over


@call(
    "{by} closes the table [for {reason}]",
    stations=CREW,
    powers=("close table",),
    moves={place: (place,) for place in SETTLED},
    console=ConsoleEntry(360, ("reason",)),
)
class CloseTable(Call, frozen=True, kw_only=True):
    """The table closes."""

    reason: Reason = ""

    def rule(self, layout: Layout, table: Table) -> Followed:
        cites = check_power(layout, "close table", self.by, self.reason)
        check_decided(layout, table)
        check_uncontested(layout, table)
        check_needs(layout, table, "close table", self.reason, {})
        power = layout.procedure.power("close table", self.reason)
        notice = layout.procedure.notice.closing
        wants = notice is not None and (power is None or not self.reason or "notice" in power.needs)
        if wants and playing(table):
            assert notice is not None
            check_shown(table.floor.sign("closing"), "closing", notice, self.at)
            cites = join(cites, notice.cites)
        rule = layout.procedure.closing
        cites = cites or layout.silence
        why = join(cites, rule.cites) if rule else cites
        made: list[AnyDecision] = [
            give_back(layout, seat, layout.spots[name], 0, "table closed", why, ended=True)
            for seat in table.seats.values()
            for name in seat.wagers
        ]
        made += [*left_over(layout, table, made), *lapse(layout, table)]
        return [*made, change(table, "closed", cites, closed=True)], []

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        for reason in dict.fromkeys(("", *layout.procedure.powers["close table"])):
            yield cls(by=by, reason=reason)

    @classmethod
    def answers(cls, layout: Layout, table: Table, matter: Matter) -> Iterator[Self]:
        if isinstance(matter, Announced) and matter.what == "closing":
            for reason in layout.procedure.powers["close table"]:
                yield cls(reason=reason)


Sides = Annotated[Literal[1, 2], OneOf((1, 2), "sides")]


@call(
    Line("{by} runs~one~side with {dealers} dealers", sides=1),
    Line("{by} runs~both~sides with {dealers} dealers", sides=2),
    stations=CREW,
    phases=("open", "closed"),
    moves={place: (place,) for place in SETTLED},
    console=ConsoleEntry(365, ("sides",), ("dealers",)),
)
class RunSides(Call, frozen=True, kw_only=True):
    """One side of the table is closed, or opened again."""

    sides: Sides
    dealers: HowMany

    def given(self, layout: Layout, table: Table) -> Cites:
        one = layout.procedure.one_side
        return one.who_cites if one else ()

    def rule(self, layout: Layout, table: Table) -> Followed:
        crew, one = layout.procedure.crew.get(self.sides), layout.procedure.one_side
        floor = table.floor
        if crew is None or one is None:
            refuse("no-such-power", layout.silence, "sides")
        check_decided(layout, table)
        cites = join(one.who_cites, crew.cites)
        if self.by not in AUTOMATIC and self.by not in one.who:
            names = station_names(layout, one.who)
            who = station_name(layout, self.by)
            whose = join(one.who_cites, role_cites(layout, self.by))
            refuse("not-your-call", whose, "sides", who=who, names=names)
        if floor.sides == self.sides:
            refuse("already-so", cites, "sides", sides=self.sides)
        if self.by not in AUTOMATIC and self.dealers < crew.dealer:
            wanted = (f"{crew.stick} stick", f"{crew.dealer} dealer", f"{crew.box} box")
            refuse("crew-short", crew.cites, sides=self.sides, wanted=wanted)
        every = floor.places or PLACES_USUAL // (3 - floor.sides)
        places = (every + 1) // 2 if self.sides == 1 else every * 2
        over = tuple(seat.name for seat in table.seats.values() if seat.place > places)
        if over:
            refuse("side-taken", one.cites, seats=over, places=places)
        words = "one side" if self.sides == 1 else "both sides"
        return [change(table, words, cites, sides=self.sides, places=places)], []

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        """With the dealers that the text asks for."""
        for sides in (1, 2):
            crew = layout.procedure.crew.get(sides)
            yield cls(by=by, sides=1 if sides == 1 else 2, dealers=crew.dealer if crew else 1)
