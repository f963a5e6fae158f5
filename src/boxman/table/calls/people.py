"""Calls about people: notes, sanctions, partners, stand-ins, somebody told, somebody leaving."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self, get_args

from boxman.rules.duties import Need
from boxman.rules.ids import near
from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.call import CREW, Call, ConsoleEntry, call
from boxman.table.floor.confirming import wait_in_vain
from boxman.table.floor.people import (
    AUTOMATIC,
    GUEST,
    PLAYER,
    Complaint,
    Matter,
    Partners,
    Recorded,
)
from boxman.table.floor.personal import personal, together
from boxman.table.floor.powers import check_power, refuse_station
from boxman.table.floor.shooters import gives_up, offer_ends
from boxman.table.floor.standing import ADVICE, all_but, check_here, check_needs, is_full
from boxman.table.floor.throw import PLACES
from boxman.table.lines.fields import (
    Employee,
    Note,
    Noted,
    Offence,
    OneOf,
    OnePlayer,
    PersonName,
    SeatName,
    StationName,
    TheOther,
    Whom,
)
from boxman.table.lines.pattern import Line
from boxman.table.rulings import Followed, Notice, change, refuse
from boxman.table.said.saying import Told, saying
from boxman.table.stakes import cut, lying, over_together
from boxman.table.state import (
    VOID,
    AnyDecision,
    Asked,
    CashedOut,
    Cites,
    Floored,
    Seat,
    Table,
    Unseated,
    Warned,
    apply,
)
from boxman.table.terms import binding
from boxman.table.wagers import REMEDY, give_back, left_over, seat_at

SanctionName = Literal["exclude", "refuse wagers", "void wagers", "vacate"]


SANCTIONS: dict[SanctionName, str] = {
    "exclude": "excludes",
    "refuse wagers": "refuses~wagers~of",
    "void wagers": "voids~wagers~of",
    "vacate": "asks~to~leave",
}
"""Sanctions, and how each is said."""


@call(
    *(
        Line(f"{{by}} {line} {{seat}} [for {{reason}}]", what=what)
        for what, line in SANCTIONS.items()
    ),
    stations=CREW,
    powers=("exclude", "refuse wagers", "void wagers", "vacate"),
    excluded=True,
    console=ConsoleEntry(230, ("what", "seat", "reason")),
)
class Sanction(Call, frozen=True, kw_only=True):
    """Staff exclude a player, refuse or void the player's wagers, or ask for the place."""

    what: Annotated[SanctionName, OneOf(SANCTIONS, "what")]
    seat: SeatName
    reason: Offence = ""

    @property
    def grave(self) -> bool:
        return self.what == "void wagers"

    def rule(self, layout: Layout, table: Table) -> Followed:
        # Somebody who only looks on, or has left, can be excluded too.
        apart = self.what == "exclude" and self.seat not in table.seats
        seat = Seat(self.seat, 0, {}) if apart else seat_at(layout, table, self.seat)
        cites = check_power(layout, self.what, self.by, self.reason) or layout.silence
        idle = layout.procedure.idle
        if self.by not in AUTOMATIC:
            self._check_met(layout, table, seat)
        words = saying(self.what, seat=seat.name)
        if self.what == "void wagers":
            made: list[AnyDecision] = [
                give_back(layout, seat, layout.spots[name], 0, VOID, cites, ended=True)
                for name in seat.wagers
            ]
            voided = [*made, *left_over(layout, table, made), change(table, words, cites)]
            waits = [each for each in table.floor.pending if each.seat == seat.name]
            return [*voided, *wait_in_vain(table, waits, cites)], []
        if idle:
            cites = join(cites, idle.cites) if self.what == "vacate" else cites
        return self._kept_out(table, seat, words, cites), []

    def _kept_out(self, table: Table, seat: Seat, words: Told, cites: Cites) -> list[AnyDecision]:
        """Somebody may not play here: until the place is given up, wager, or at all."""
        floor = table.floor
        # What is graver stands: who gives up a place is let in again, but not who was excluded.
        asked = seat.name in floor.vacating
        graver = floor.barred if self.what == "vacate" and not asked else floor.excluded
        stands = self.what != "exclude" and seat.name in graver
        barred = floor.barred if stands else {**floor.barred, seat.name: cites}
        out = floor.excluded | {seat.name} if self.what == "exclude" else floor.excluded
        leaving = floor.vacating - {seat.name}
        if self.what == "vacate":
            leaving = floor.vacating if stands else floor.vacating | {seat.name}
        same = (barred, out, leaving) == (floor.barred, floor.excluded, floor.vacating)
        if same and not stands:
            refuse("already-so", cites, self.what, seat=seat.name)
        if self.what == "vacate":
            return [change(table, words, cites, barred=barred, vacating=leaving)]
        done: list[AnyDecision] = []
        if asked:
            done.append(change(table, "", cites, vacating=leaving))
        if self.what != "exclude":
            return [change(table, words, cites, barred=barred), *done]
        # Nothing waits for somebody excluded or is made again.
        excluded = change(table, words, cites, barred=barred, excluded=out)
        waits = [each for each in floor.pending if each.seat == seat.name]
        stay = [name for name, wager in seat.wagers.items() if wager.stays]
        no_more = (Asked(seat.name, name, False, cites) for name in stay)
        return [excluded, *done, *wait_in_vain(table, waits, cites), *no_more]

    def _check_met(self, layout: Layout, table: Table, seat: Seat) -> None:
        """Refuse what is not met: a place is asked for at a full table, of somebody idle."""
        idle, power = layout.procedure.idle, layout.procedure.power(self.what, self.reason)
        if power is not None and "idle" in power.needs and table.hand.shooter == GUEST:
            refuse("not-met", power.needed["idle"], "no rounds", need="idle")
        wagers = seat.wagers or seat.name in table.floor.wagered
        rounds = 0 if wagers else table.floor.idle.get(seat.name, 0)
        given = {"idle": "yes" if idle and rounds >= idle.value else "", "person": seat.name}
        given["full table"] = "yes" if is_full(table) else ""
        check_needs(layout, table, self.what, self.reason, given)

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        for name in table.seats:
            for what in SANCTIONS:
                for reason in layout.procedure.powers[what]:
                    yield cls(by=by, what=what, seat=name, reason=reason)


@call(
    "{by} links {first} and {second}",
    stations=CREW,
    powers=("link partners",),
    console=ConsoleEntry(240, ("first", "second")),
)
class LinkPartners(Call, frozen=True, kw_only=True):
    """Two players are held to act together: one maximum for both."""

    first: OnePlayer
    second: TheOther

    def rule(self, layout: Layout, table: Table) -> Followed:
        cites = check_power(layout, "link partners", self.by) or layout.silence
        seat_at(layout, table, self.first)
        seat_at(layout, table, self.second)
        if self.first == self.second:
            refuse("one-player", cites)
        if self.second in together(table, self.first):
            refuse("already-so", cites, "partners", first=self.first, second=self.second)
        pairs = (*table.floor.partners, Partners(self.first, self.second))
        words = saying("partners", first=self.first, second=self.second)
        linked = change(table, words, cites, partners=pairs)
        after = apply(table, linked)
        if "maximum when settled" in layout.principles:
            return [linked], cut(layout, after, table)
        over = tuple(over_together(layout, after, self.first))
        told = Notice(
            *("partners-over", cites), values={"pair": together(after, self.first), "wagers": over}
        )
        return [linked], [told] if over else []

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        for name in table.seats:
            for other in table.seats:
                if other != name:
                    yield cls(by=by, first=name, second=other)


@call(
    "{by} records {what} [by {person}] [because {note}]",
    stations=(*CREW, "inspector"),
    closed=True,
    console=ConsoleEntry(340, ("what", "person"), ("note",)),
)
class Record(Call, frozen=True, kw_only=True):
    """Staff note something about a person or the table."""

    what: Noted
    person: PersonName = ""
    note: Note = ""

    def given(self, layout: Layout, table: Table) -> Cites:
        rule = layout.procedure.records.get(self.what)
        return rule.cites if rule else ()

    def rule(self, layout: Layout, table: Table) -> Followed:
        known = layout.procedure.records
        if not known:
            refuse("no-such-power", layout.silence, "record")
        rule = known.get(self.what)
        if rule is None:
            refuse(
                "no-such-record",
                layout.silence,
                do="did you mean" if near(self.what, known) else "they note",
                what=self.what,
                meant=near(self.what, known),
                known=tuple(known),
            )
        if self.by not in AUTOMATIC and self.by not in rule.who:
            refuse_station(layout, rule.cites, "note", self.by, rule.who, what=self.what)
        if rule.person and not self.person:
            refuse("person-missing", rule.cites, what=self.what)
        cites = rule.cites
        noted = (*table.floor.records, Recorded(self.what, self.person))
        noted_of = saying("noted of", what=self.what, person=self.person)
        words = noted_of if self.person else saying("noted", what=self.what)
        made: list[AnyDecision] = [change(table, words, cites, records=noted)]
        if self.what == ADVICE:
            seat = seat_at(layout, table, self.person)
            if seat.warned:
                refuse("already-so", cites, "advised", seat=seat.name)
            if seat.name not in table.floor.small and not self._small(layout, table, seat):
                refuse("not-now", cites, "nothing small", seat=seat.name)
            made.append(Warned(seat.name, self.what, cites))
        return made, []

    def _small(self, layout: Layout, table: Table, seat: Seat) -> bool:
        """Whether somebody has a wager up that is under the minimum."""
        posted = personal(layout, binding(table), seat.name, self.at).posted
        wagers = (wager for wager in seat.wagers.values() if wager.found != REMEDY)
        up = ((wager.under or posted, layout.spots[wager.spot], wager.stake) for wager in wagers)
        return any(
            stake < layout.bounds(limits, spot, table.puck).minimum for limits, spot, stake in up
        )

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        for what in layout.procedure.records:
            for person in (*table.seats, "somebody", ""):
                yield cls(by=by, what=what, person=person)


@call(
    "{by} tells {whom}",
    stations=(*CREW, "inspector"),
    closed=True,
    console=ConsoleEntry(350, ("whom",)),
)
class Tell(Call, frozen=True, kw_only=True):
    """Somebody outside the table is told: the inspector, surveillance."""

    whom: Whom

    def rule(self, layout: Layout, table: Table) -> Followed:
        if self.whom in (*table.seats, *(each.seat for each in table.floor.disputes)):
            return self._complainant(layout, table)
        needs = [need for power in layout.procedure.granted for need in power.needed.items()]
        cites = join(*(why for need, why in needs if need == f"{self.whom} told"))
        if not cites:
            known = f"{self.whom} told" in get_args(Need)
            refuse("nobody-to-tell", layout.silence, "" if known else "player", whom=self.whom)
        if self.whom in table.floor.told:
            refuse("already-so", cites, "staff told", whom=self.whom)
        told = table.floor.told | {self.whom}
        return [change(table, saying("staff told", whom=self.whom), cites, told=told)], []

    def _complainant(self, layout: Layout, table: Table) -> Followed:
        """He is told that an inspector is there and may be consulted."""
        cites = layout.procedure.dispute.told_of_the_inspector
        if not cites:
            refuse("nobody-to-tell", layout.silence, "player", whom=self.whom)
        if not any(each.seat == self.whom for each in table.floor.disputes):
            refuse("no-dispute", cites, "of player", whom=self.whom)
        if self.whom in table.floor.told:
            refuse("already-so", cites, "player told", whom=self.whom)
        told = table.floor.told | {self.whom}
        words = saying("player told", whom=self.whom)
        return [change(table, words, cites, told=told)], []

    @classmethod
    def answers(cls, layout: Layout, table: Table, matter: Matter) -> Iterator[Self]:
        if isinstance(matter, Complaint) and layout.procedure.dispute.told_of_the_inspector:
            yield cls(whom=matter.seat)

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        disputes = (each.seat for each in table.floor.disputes)
        for whom in dict.fromkeys((*table.seats, *disputes, "inspector", "surveillance")):
            yield cls(by=by, whom=whom)


@call(
    "{by} names {person} for {station}",
    stations=CREW,
    powers=("stand in",),
    console=ConsoleEntry(310, ("station",), ("person",)),
)
class StandIn(Call, frozen=True, kw_only=True):
    """Somebody else does the work of a station."""

    person: Employee
    station: StationName

    def rule(self, layout: Layout, table: Table) -> Followed:
        cites = check_power(layout, "stand in", self.by) or layout.silence
        if self.person in table.seats:
            refuse("not-qualified", cites, person=self.person)
        if self.station == "inspector" or self.station not in layout.procedure.roles:
            refuse("no-such-station", cites, station=self.station)
        names = {**table.floor.stand_ins, self.person: self.station}
        return [
            change(
                table,
                saying("stands in", person=self.person, station=self.station),
                cites,
                stand_ins=names,
            )
        ], []


@call(
    "{seat} leaves",
    stations=(PLAYER,),
    closed=True,
    excluded=True,
    left=True,
    moves={place: (place,) for place in PLACES}
    | {"offered": ("offered", "with the stick"), "in hand": ("in hand", "with the stick")},
)
class Leave(Call, frozen=True, kw_only=True):
    """A player leaves the table; wagers stand until decided."""

    seat: SeatName

    def rule(self, layout: Layout, table: Table) -> Followed:
        seat = seat_at(layout, table, self.seat)
        up = bool(seat.wagers) or lying(layout, table, seat) > 0
        if up:
            check_here(layout, table, seat.name)
        kept = table.floor.kept.get(seat.name)
        favour = layout.procedure.favour.leaving if kept is not None and kept.each else ()
        stands = layout.procedure.conduct.wagers_of_a_leaver_stand
        cites = join(stands, favour) or layout.principles["chips"]
        made: list[AnyDecision] = [_leaves(table, seat, up, cites)]
        # Nothing that was said and not confirmed waits for somebody who has gone.
        said = [p for p in table.floor.pending if p.seat == seat.name and p.what != "found"]
        made += wait_in_vain(table, said, cites)
        hand = table.hand
        if hand.shooter == seat.name:
            gone_from = 0 if up else seat.place
            made += gives_up(layout, table, seat.name, cites, gone_from)
        elif hand.offered == seat.name:
            made.append(offer_ends(table, cites, seat.place))
        if not up:
            if seat.rail:
                made.append(CashedOut(seat.name, seat.rail, layout.principles["chips"]))
            made.append(Unseated(seat.name, cites))
        return made, []


def _leaves(table: Table, seat: Seat, up: bool, cites: Cites) -> Floored:
    """Who leaves keeps no old limits and has agreed to none; who was asked for the place has given
    it up, and no more was asked; rounds are counted of whoever keeps a place."""
    floor, name = table.floor, seat.name
    lies = any("under minimum" in wager.found for wager in seat.wagers.values())
    ends: dict[str, Any] = {
        "small": floor.small if lies else floor.small - {name},
        "agreed": floor.agreed - {name},
        "staked": floor.staked - {name},
        "old": floor.old.without(name) if floor.old is not None else None,
        "idle": all_but(floor.idle, name) if floor.idle.get(name) else floor.idle,
        "away": floor.away | {name} if up else floor.away - {name},
    }
    if not up:
        ends["grants"] = all_but(floor.grants, name)
    if name in floor.vacating:
        ends |= {"barred": all_but(floor.barred, name), "vacating": floor.vacating - {name}}
    ended = {field: value for field, value in ends.items() if value != getattr(floor, field)}
    return change(
        table, saying("leaves", seat=name), cites, kept=all_but(floor.kept, name), **ended
    )
