"""Calls of limits and signs: shown, agreed to, posted, granted, kept; and settings that hold.

Time is the `at` of each call, in seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, Self

from boxman.rules.duties import PowerName
from boxman.rules.layout import Layout, Posted
from boxman.rules.ledger import Cited, join
from boxman.rules.nearest import near
from boxman.rules.procedure import Power
from boxman.table.call import CREW, Call, ConsoleEntry, call
from boxman.table.floor.people import PLAYER, Announced, Granted, Kept, OldLimits
from boxman.table.floor.personal import MINUTE
from boxman.table.floor.powers import check_power
from boxman.table.floor.standing import check_needs, told_after
from boxman.table.lines.fields import (
    Maximum,
    Minimum,
    OneOf,
    OwnMaximum,
    OwnMinimum,
    Reason,
    SeatName,
    SettingName,
    SettingValue,
    Unit,
)
from boxman.table.lines.pattern import Line
from boxman.table.opening import limits_problem
from boxman.table.rulings import Followed, change, refuse, refuse_with
from boxman.table.said.saying import saying
from boxman.table.state import AnyDecision, Cites, Posting, Table
from boxman.table.wagers import seat_at

NoticeName = Literal["limits", "closing"]
Keep = Annotated[bool, OneOf((True, False), "the-player")]


def _any_power(layout: Layout, power: PowerName, by: str) -> Cites:
    """Whoever may do this for one reason may announce it."""
    powers = layout.procedure.powers[power]
    for given in powers.values():
        if by in given.who:
            return given.cites
    return check_power(layout, power, by, next(iter(powers), ""))


def staking(layout: Layout, table: Table, before: frozenset[str]) -> list[AnyDecision]:
    """Who has a stake up is noted, where a favour goes to those who were wagering."""
    cites = layout.procedure.favour.wagering
    now = before | {seat.name for seat in table.seats.values() if seat.wagers}
    return [change(table, "", cites, staked=now)] if cites else []


def shown_for(table: Table, what: str, minutes: int, at: int) -> bool:
    """Whether this has been announced for so many minutes."""
    notice = table.floor.notice
    return notice is not None and notice.what == what and at - notice.since >= minutes * MINUTE


@call(
    Line("{by} shows limits {minimum}-{maximum} [unit {unit}]", what="limits"),
    Line("{by} announces closing", what="closing"),
    stations=CREW,
    powers=("post limits",),
    also=("close table",),
    console=ConsoleEntry(250, ("what",), ("minimum", "maximum", "unit")),
)
class ShowNotice(Call, frozen=True, kw_only=True):
    """A sign goes up: new limits, or closing."""

    what: Annotated[NoticeName, OneOf(("limits", "closing"), "what")]
    minimum: Minimum = 0
    maximum: Maximum = 0
    unit: Unit = 0

    def rule(self, layout: Layout, table: Table) -> Followed:
        power: PowerName = "close table" if self.what == "closing" else "post limits"
        cites = _any_power(layout, power, self.by)
        rules = layout.procedure.notice.of(self.what)
        cites = join(cites, *(rule.cites for rule in rules)) or layout.silence
        if self.what == "limits":
            shown = Posted(minimum=self.minimum, maximum=self.maximum, unit=self.unit)
            problem = limits_problem(layout, shown)
            if problem is not None:
                refuse_with("bad-limits", cites, problem.why, "show other limits", problem.values)
        notice = Announced(self.what, self.at, self.minimum, self.maximum, self.unit)
        words = f"{self.what} announced"
        made: list[AnyDecision] = [change(table, words, cites, notice=notice, agreed=frozenset())]
        if self.what == "limits":
            made += staking(layout, table, frozenset())
        return made, []

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        low, high, unit = table.posted.minimum, table.posted.maximum, table.posted.unit
        yield cls(by=by, what="limits", minimum=low, maximum=high, unit=unit)
        yield cls(by=by, what="closing")


@call("{seat} agrees", stations=(PLAYER,))
class Agree(Call, frozen=True, kw_only=True):
    """A player agrees to the change shown."""

    seat: SeatName

    def rule(self, layout: Layout, table: Table) -> Followed:
        seat_at(layout, table, self.seat)
        found = [p for p in layout.procedure.granted if "all agree" in p.needs]
        cites = join(*(p.cites for p in found)) or layout.silence
        if table.floor.notice is None:
            refuse("nothing-shown", cites)
        return [
            change(
                table,
                saying("agrees", seat=self.seat),
                cites,
                agreed=table.floor.agreed | {self.seat},
            )
        ], []


@call(
    "{by} posts limits {minimum}-{maximum} [unit {unit}] [for {reason}]",
    stations=CREW,
    powers=("post limits",),
    console=ConsoleEntry(260, ("reason",), ("minimum", "maximum", "unit")),
)
class PostLimits(Call, frozen=True, kw_only=True):
    """New limits bind."""

    minimum: Minimum
    maximum: Maximum
    unit: Unit = 0
    reason: Reason = ""

    def rule(self, layout: Layout, table: Table) -> Followed:
        cites = check_power(layout, "post limits", self.by, self.reason)
        check_needs(layout, table, "post limits", self.reason, {})
        power = layout.procedure.power("post limits", self.reason)
        due = self._notice_due(layout, table, power)
        shown = table.floor.notice
        asked = power is not None and "all agree" in power.needs
        if asked and (shown is None or shown.limits != (self.minimum, self.maximum, self.unit)):
            refuse("nothing-shown", cites, "other")
        if due is not None:
            cites = join(cites, due.cites)
            same = shown is not None and shown.limits == (self.minimum, self.maximum, self.unit)
            if not same or not shown_for(table, "limits", due.value, self.at):
                refuse("notice-due", cites, "limits", value=due.value)
        cites = cites or layout.silence
        posted = Posted(
            minimum=self.minimum,
            maximum=self.maximum,
            unit=self.unit,
            classes=table.posted.classes,
        )
        problem = limits_problem(layout, posted)
        if problem is not None:
            refuse_with("bad-limits", cites, problem.why, "", problem.values)
        now = table.posted
        old = OldLimits(now.minimum, now.unit, self.at) if table.seats else None
        return [
            Posting(posted, cites),
            change(table, "limits changed", cites, old=old, notice=None, agreed=frozenset()),
            *staking(layout, table, table.floor.staked),
        ], []

    def _notice_due(self, layout: Layout, table: Table, power: Power | None) -> Cited[int] | None:
        """The notice that these limits want before they bind."""
        general, up = layout.procedure.notice.limits, layout.procedure.notice.minimum_up
        unit = max(table.posted.unit, layout.chip)
        if up and table.seats and (self.minimum > table.posted.minimum or self.unit > unit):
            return up
        return general if power is not None and "notice" in power.needs else None

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        shown = table.floor.notice
        limits = [(table.posted.minimum, table.posted.maximum, table.posted.unit)]
        if shown is not None and shown.what == "limits":
            limits.insert(0, shown.limits)
        for reason in dict.fromkeys(("", *layout.procedure.powers["post limits"])):
            for low, high, unit in limits:
                yield cls(by=by, minimum=low, maximum=high, unit=unit, reason=reason)

    @classmethod
    def wanted(cls, layout: Layout, table: Table) -> Iterator[Self]:
        posted = table.posted
        for reason in layout.procedure.powers["post limits"]:
            yield cls(
                minimum=posted.minimum + layout.chip,
                maximum=posted.maximum,
                unit=posted.unit,
                reason=reason,
            )


@call(
    "{by} grants {seat} {minimum}-{maximum}",
    stations=CREW,
    powers=("grant limits",),
    console=ConsoleEntry(270, ("seat",), ("minimum", "maximum")),
)
class GrantLimits(Call, frozen=True, kw_only=True):
    """One player gets limits of their own; 0 leaves a figure out."""

    seat: SeatName
    minimum: OwnMinimum = 0
    maximum: OwnMaximum = 0

    def rule(self, layout: Layout, table: Table) -> Followed:
        seat_at(layout, table, self.seat)
        cites = check_power(layout, "grant limits", self.by)
        if not self.minimum and not self.maximum:
            refuse("nothing-granted", cites or layout.silence)
        both = "yes" if self.minimum and self.maximum else ""
        above = "yes" if self.maximum > table.posted.maximum else ""
        given = {"both figures": both, "above maximum": above}
        check_needs(layout, table, "grant limits", "", given)
        low, high = self.minimum or table.posted.minimum, self.maximum or table.posted.maximum
        own = Posted(minimum=low, maximum=high)
        problem = limits_problem(layout, own)
        if problem is not None:
            do = "show other limits"
            refuse_with("bad-limits", cites or layout.silence, problem.why, do, problem.values)
        grants = {**table.floor.grants, self.seat: Granted(low, high)}
        words = saying("granted", seat=self.seat, low=low, high=high)
        told = told_after(layout, table, "grant limits")
        return [change(table, words, cites or layout.silence, grants=grants, told=told)], []

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        low, high = table.posted.minimum, table.posted.maximum
        for name in table.seats:
            yield cls(by=by, seat=name, minimum=low, maximum=high + layout.chip)
            yield cls(by=by, seat=name, maximum=high)


@call(
    Line("{by} keeps limits for {seat}", keep=True),
    Line("{by} ends limits for {seat}", keep=False),
    stations=CREW,
    powers=("keep limits",),
    also=("end kept limits",),
    console=ConsoleEntry(280, ("seat", "keep")),
)
class KeepLimits(Call, frozen=True, kw_only=True):
    """One player keeps the old minimum and unit after a change, or no longer."""

    seat: SeatName
    keep: Keep = True

    def rule(self, layout: Layout, table: Table) -> Followed:
        seat = seat_at(layout, table, self.seat)
        power: PowerName = "keep limits" if self.keep else "end kept limits"
        cites = check_power(layout, power, self.by) or layout.silence
        if not self.keep:
            if seat.name not in table.floor.kept:
                refuse("not-now", cites, "kept", seat=seat.name)
            kept = {name: each for name, each in table.floor.kept.items() if name != seat.name}
            return [change(table, saying("kept no longer", seat=seat.name), cites, kept=kept)], []
        old = table.floor.old
        if old is None:
            refuse("not-now", cites, "limits")
        wagering = layout.procedure.favour.wagering
        if wagering and seat.name not in table.floor.staked:
            refuse("not-wagering", join(cites, wagering), seat=seat.name)
        kept = {**table.floor.kept, seat.name: Kept(old.minimum, old.unit, old.since)}
        return [change(table, saying("kept", seat=seat.name), cites, kept=kept)], []


@call(
    "{by} sets {setting}={value}",
    stations=CREW,
    console=ConsoleEntry(330, ("setting",)),
)
class Choose(Call, frozen=True, kw_only=True):
    """Staff want another value of a setting at a table that is open."""

    setting: SettingName
    value: SettingValue

    def rule(self, layout: Layout, table: Table) -> Followed:
        cites = layout.procedure.fixed.get(self.setting, layout.silence)
        if self.setting not in layout.settings:
            meant = near(self.setting, layout.settings)
            do = "did you mean" if meant else ""
            refuse("no-such-setting", cites, do=do, setting=self.setting, meant=meant)
        refuse(
            "settings-hold",
            cites,
            setting=self.setting,
            now=str(layout.settings[self.setting]),
            value=self.value,
        )

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        for setting, value in layout.settings.items():
            yield cls(by=by, setting=setting, value=str(value))
