"""Calls of disputes: opened, decided, reviewed, inspected, closed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple, Self

import msgspec

from boxman.rules.duties import RANKS, STATIONS, PowerName
from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.call import ABOVE, CREW, Call, ConsoleEntry, call
from boxman.table.floor.people import PLAYER, Complaint, Matter
from boxman.table.floor.powers import check_power, station_name
from boxman.table.floor.standing import check_needs
from boxman.table.lines.fields import About, Note, OneOf, SeatName
from boxman.table.lines.pattern import Line
from boxman.table.rulings import Followed, change, refuse
from boxman.table.said.saying import saying
from boxman.table.state import Cites, Table
from boxman.table.wagers import seat_at

StepName = Literal["decide", "review", "inspect", "close"]


class DisputeStep(NamedTuple):
    """A step of the route: how it is said, the power it takes, how far the dispute has to be."""

    line: str
    power: PowerName
    due: tuple[str, ...]


STEPS: dict[StepName, DisputeStep] = {
    "decide": DisputeStep("decides~dispute", "decide dispute", ("open",)),
    "review": DisputeStep("reviews~dispute", "review dispute", ("decide", "consult")),
    "inspect": DisputeStep("inspects~dispute", "inspect dispute", ("decide", "review")),
    "close": DisputeStep(
        "closes~dispute", "decide dispute", ("decide", "review", "inspect", "consult")
    ),
}
CONSULT = "consult"
"""How far a dispute is that an inspector has looked at whose own house reviews it: the review may
still be asked for."""


def dispute_at(table: Table, name: str, step: StepName) -> int:
    """Which dispute of this player, or of anybody, a step is taken on; -1 if there is none.

    A player may have several: it is the last that the step is due for, else the last of all.
    """
    mine = [n for n, each in enumerate(table.floor.disputes) if name in ("", each.seat)]
    due = [n for n in mine if table.floor.disputes[n].step in STEPS[step].due]
    return (due or mine or [-1])[-1]


@call(
    Line("{by} opens dispute of {seat} about {about}", side="station"),
    "{seat} disputes {about}",
    stations=(PLAYER, *CREW),
    closed=True,
    excluded=True,
    left=True,
    console=ConsoleEntry(210, ("seat",), ("about",)),
)
class OpenDispute(Call, frozen=True, kw_only=True):
    """A player disputes something."""

    seat: SeatName
    about: About

    def rule(self, layout: Layout, table: Table) -> Followed:
        if self.by not in ABOVE:  # who put it on record for anybody, also for one who has left
            if self.seat not in (*table.seats, *STATIONS):
                chips, box = layout.principles["chips"], station_name(layout, "box")
                refuse("not-seated", chips, "dispute", name=self.seat, station=box)
            seat_at(layout, table, self.seat)
        dispute, powers = layout.procedure.dispute, layout.procedure.powers["decide dispute"]
        power = powers.get(self.about) or powers.get("")
        referred = dispute.goes_to_a_supervisor or (power.cites if power else ())
        inspector = dispute.told_of_the_inspector
        cites = join(inspector, dispute.kept_on_record, referred) or layout.silence
        disputes = (*table.floor.disputes, Complaint(self.seat, self.about))
        what = "dispute with inspector" if inspector else "dispute"
        return [change(table, saying(what, seat=self.seat), cites, disputes=disputes)], []


def _judged(layout: Layout, dispute: Complaint) -> Cites:
    """The clauses by which somebody took the last step: who decided is done with it too."""
    last = "inspect" if dispute.step == CONSULT else dispute.step
    taken = next((each for name, each in STEPS.items() if name == last), STEPS["decide"])
    powers = layout.procedure.powers[taken.power]
    power = powers.get(dispute.about) or powers.get("")
    return (power.given.get(dispute.judge, ()) if power else ()) or layout.silence


def _check_owed(layout: Layout, dispute: Complaint) -> None:
    """Refuse to close what its owner asked to have looked at, while somebody may still do so."""
    for step, taken in STEPS.items():
        powers = layout.procedure.powers[taken.power]
        power = powers.get(dispute.about) or powers.get("")
        if step not in dispute.asked or dispute.step not in taken.due or power is None:
            continue
        ranked = step == "review" and dispute.step != CONSULT
        above = RANKS.get(dispute.judge, -1) if ranked else -1
        if any(RANKS.get(station, 99) > above for station in power.given):
            refuse("not-now", power.cites, f"owed {step}", seat=dispute.seat)


AskedName = Literal["review", "inspect"]
WANTED: dict[AskedName, str] = {"review": "a review", "inspect": "the inspector"}


@call(
    *(
        Line(f"{{by}} hears~{what.split()[1]}~requested by {{seat}}", side="station", step=step)
        for step, what in WANTED.items()
    ),
    *(Line(f"{{seat}} requests~{what}", step=step) for step, what in WANTED.items()),
    stations=(PLAYER, *CREW),
    closed=True,
    excluded=True,
    left=True,
    console=ConsoleEntry(215, ("seat", "step")),
)
class AskFor(Call, frozen=True, kw_only=True):
    """The one whose dispute it is wants it reviewed or inspected."""

    seat: SeatName
    step: Annotated[AskedName, OneOf(WANTED, "step")]

    def rule(self, layout: Layout, table: Table) -> Followed:
        disputes = list(table.floor.disputes)
        at = dispute_at(table, self.seat, self.step)
        for n, each in enumerate(disputes):  # of several, one of which it was not asked yet
            due = each.seat == self.seat and each.step in STEPS[self.step].due
            if due and self.step not in each.asked and self.step in disputes[at].asked:
                at = n
        power = STEPS[self.step].power
        powers = layout.procedure.powers[power]
        given = powers.get(disputes[at].about if at >= 0 else "") or powers.get("")
        if given is None:
            refuse("no-such-power", layout.silence, power=power)
        if at < 0:
            refuse("no-dispute", given.cites, "of player", whom=self.seat)
        dispute = disputes[at]
        if dispute.step not in STEPS[self.step].due:
            refuse("not-now", given.cites, "dispute", seat=self.seat, step=dispute.step)
        if self.step in dispute.asked:
            refuse("already-so", given.cites, "asked for", seat=self.seat)
        disputes[at] = msgspec.structs.replace(dispute, asked=(*dispute.asked, self.step))
        words = saying(f"asked for {self.step}", seat=self.seat)
        return [change(table, words, given.cites, disputes=tuple(disputes))], []

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        """For whoever has a dispute, also one who has left; a player for nobody else."""
        theirs = {each.seat for each in table.floor.disputes}
        for step in WANTED:
            if by in STATIONS:
                yield from (cls(by=by, seat=name, step=step) for name in sorted(theirs))
            else:
                yield cls(seat=by, step=step)

    @classmethod
    def answers(cls, layout: Layout, table: Table, matter: Matter) -> Iterator[Self]:
        """The steps that are taken only when the one whose dispute it is asks for them."""
        if isinstance(matter, Complaint):
            for step in WANTED:
                powers = layout.procedure.powers[STEPS[step].power]
                power = powers.get(matter.about) or powers.get("")
                if matter.step in STEPS[step].due and power is not None and "asked" in power.needs:
                    yield cls(seat=matter.seat, step=step)


@call(
    *(
        Line(f"{{by}} {each.line} [of {{seat}}] [because {{note}}]", step=step)
        for step, each in STEPS.items()
    ),
    stations=(*CREW, "inspector"),
    powers=("decide dispute",),
    also=("review dispute", "inspect dispute"),
    closed=True,
    excluded=True,
    console=ConsoleEntry(220, ("seat", "step"), ("note",)),
)
class JudgeDispute(Call, frozen=True, kw_only=True):
    """The dispute is decided, reviewed on request, or inspected."""

    step: Annotated[StepName, OneOf(STEPS, "step")]
    seat: SeatName = ""
    """Whose dispute; empty means the last one."""
    note: Note = ""

    def half_of(self, table: Table) -> str:
        at = dispute_at(table, self.seat, self.step)
        return f"judged dispute {at + 1}" if at >= 0 else ""

    def rule(self, layout: Layout, table: Table) -> Followed:
        disputes = list(table.floor.disputes)
        at = dispute_at(table, self.seat, self.step)
        reason = disputes[at].about if at >= 0 else ""
        power = STEPS[self.step].power
        if reason not in layout.procedure.powers[power]:
            reason = ""
        if self.step == "close" and at >= 0 and disputes[at].judge == self.by:
            cites = _judged(layout, disputes[at])
        else:
            cites = check_power(layout, power, self.by, reason) or layout.silence
        if at < 0:
            refuse("no-dispute", cites)
        dispute = disputes[at]
        seat, step = dispute.seat, dispute.step
        if step not in STEPS[self.step].due:
            refuse("not-now", cites, "dispute", seat=seat, step=step)
        lower = RANKS.get(self.by, 99) <= RANKS.get(dispute.judge, -1)
        if self.step == "review" and lower and step != CONSULT:
            refuse("outranked", cites, "review")
        asked = {"asked": self.step if self.step in dispute.asked else "", "person": seat}
        check_needs(layout, table, power, reason, {**asked, "ask": f"ask for {self.step}"})
        told = layout.procedure.dispute.told_of_the_inspector
        if self.step == "close" and told:
            knows = {"inspect", CONSULT} & {*dispute.asked}
            if seat not in table.floor.told and not knows:
                refuse("not-told", told, seat=seat)
            cites = join(cites, told)
        if self.step == "close":
            _check_owed(layout, dispute)
        reached, heard = str(self.step), dispute.asked
        reviewers = layout.procedure.powers["review dispute"].values()
        if (self.step, step) == ("inspect", "decide") and any(
            "inspector" in power.given for power in reviewers
        ):
            reached = CONSULT
            heard = tuple(CONSULT if each == "inspect" else each for each in heard)
        disputes[at] = msgspec.structs.replace(dispute, step=reached, judge=self.by, asked=heard)
        return [
            change(table, saying("dispute step", step=self.step), cites, disputes=tuple(disputes))
        ], []

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        for step in STEPS:
            for name in dict.fromkeys((*(each.seat for each in table.floor.disputes), "")):
                yield cls(by=by, step=step, seat=name)

    @classmethod
    def answers(cls, layout: Layout, table: Table, matter: Matter) -> Iterator[Self]:
        if isinstance(matter, Complaint):
            for step, each in STEPS.items():
                at = dispute_at(table, matter.seat, step)
                if matter.step in each.due and table.floor.disputes[at] is matter:
                    yield cls(step=step, seat=matter.seat)
