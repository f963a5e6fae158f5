"""Calls of disputes: opened, decided, reviewed, inspected, closed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple, Self

import msgspec

from boxman.rules.duties import RANKS, STATIONS, PowerName
from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.rules.procedure import Power
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


def _power(layout: Layout, step: StepName, about: str) -> Power | None:
    """Who takes a step in a dispute about this: who is named for it, else for any dispute."""
    power = STEPS[step].power
    return layout.procedure.power(power, about) or layout.procedure.power(power)


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
        dispute, power = layout.procedure.dispute, _power(layout, "decide", self.about)
        referred = dispute.goes_to_a_supervisor or (power.cites if power else ())
        inspector = dispute.told_of_the_inspector
        cites = join(inspector, dispute.kept_on_record, referred) or layout.silence
        disputes = (*table.floor.disputes, Complaint(self.seat, self.about))
        what = "dispute with inspector" if inspector else "dispute"
        return [change(table, saying(what, seat=self.seat), cites, disputes=disputes)], []


def _judged(layout: Layout, dispute: Complaint) -> Cites:
    """The clauses by which somebody took the last step: who decided is done with it too."""
    last = "inspect" if dispute.step == CONSULT else dispute.step
    taken: StepName = next((step for step in STEPS if step == last), "decide")
    power = _power(layout, taken, dispute.about)
    return (power.given.get(dispute.judge, ()) if power else ()) or layout.silence


def _check_owed(layout: Layout, dispute: Complaint) -> None:
    """Refuse to close what its owner asked to have looked at, while somebody may still do so."""
    for step, taken in STEPS.items():
        power = _power(layout, step, dispute.about)
        if step not in dispute.asked or dispute.step not in taken.due or power is None:
            continue
        ranked = step == "review" and dispute.step != CONSULT
        above = RANKS.get(dispute.judge, -1) if ranked else -1
        if any(RANKS.get(station, 99) > above for station in power.given):
            refuse("not-now", power.cites, f"owed {step}", seat=dispute.seat)


def _check_due(dispute: Complaint, step: StepName, by: str, cites: Cites) -> None:
    """Refuse a step the dispute is not ripe for, or a review by nobody above who decided it; what
    an inspector said to whoever consulted one, that house's reviewers may still review."""
    if dispute.step not in STEPS[step].due:
        refuse("not-now", cites, "dispute", seat=dispute.seat, step=dispute.step)
    lower = RANKS.get(by, 99) <= RANKS.get(dispute.judge, -1)
    if step == "review" and lower and dispute.step != CONSULT:
        refuse("outranked", cites, "review")


def _told_cites(layout: Layout, table: Table, dispute: Complaint) -> Cites:
    """The clauses by which a dispute is closed only once its owner knows of the inspector, having
    been told or asked for one."""
    told = layout.procedure.dispute.told_of_the_inspector
    knows = dispute.seat in table.floor.told or {"inspect", CONSULT} & {*dispute.asked}
    if told and not knows:
        refuse("not-told", told, seat=dispute.seat)
    return told


def _taken(layout: Layout, dispute: Complaint, step: StepName, by: str) -> Complaint:
    """The dispute after a step. An inspector whose own house reviews disputes was consulted: what
    was asked of one is met then, and the review may still be asked for."""
    reviewers = layout.procedure.powers["review dispute"].values()
    consulted = (step, dispute.step) == ("inspect", "decide") and any(
        "inspector" in power.given for power in reviewers
    )
    if not consulted:
        return msgspec.structs.replace(dispute, step=step, judge=by)
    asked = tuple(CONSULT if each == "inspect" else each for each in dispute.asked)
    return msgspec.structs.replace(dispute, step=CONSULT, judge=by, asked=asked)


def _to_ask(table: Table, name: str, step: StepName) -> int:
    """Of which dispute a player asks for a step: of several, one of which it was not asked yet."""
    disputes, at = table.floor.disputes, dispute_at(table, name, step)
    due = [n for n, d in enumerate(disputes) if d.seat == name and d.step in STEPS[step].due]
    new = [n for n in due if step not in disputes[n].asked]
    return new[0] if new and step in disputes[at].asked else at


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
        at = _to_ask(table, self.seat, self.step)
        given = _power(layout, self.step, disputes[at].about if at >= 0 else "")
        if given is None:
            refuse("no-such-power", layout.silence, power=STEPS[self.step].power)
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
                power = _power(layout, step, matter.about)
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
        cites, reason = self._entitled(layout, disputes[at] if at >= 0 else None)
        if at < 0:
            refuse("no-dispute", cites)
        dispute = disputes[at]
        _check_due(dispute, self.step, self.by, cites)
        asked = self.step if self.step in dispute.asked else ""
        given = {"asked": asked, "person": dispute.seat, "ask": f"ask for {self.step}"}
        check_needs(layout, table, STEPS[self.step].power, reason, given)
        if self.step == "close":
            cites = join(cites, _told_cites(layout, table, dispute))
            _check_owed(layout, dispute)
        disputes[at] = _taken(layout, dispute, self.step, self.by)
        words = saying("dispute step", step=self.step)
        return [change(table, words, cites, disputes=tuple(disputes))], []

    def _entitled(self, layout: Layout, dispute: Complaint | None) -> tuple[Cites, str]:
        """The clauses by which somebody takes this step, and the reason they state it for; who took
        the last step closes the dispute too, also without a power to decide it."""
        power, reason = STEPS[self.step].power, dispute.about if dispute is not None else ""
        if layout.procedure.power(power, reason) is None:
            reason = ""
        if dispute is not None and self.step == "close" and dispute.judge == self.by:
            return _judged(layout, dispute), reason
        return check_power(layout, power, self.by, reason) or layout.silence, reason

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
