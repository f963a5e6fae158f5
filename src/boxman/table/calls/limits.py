"""Calls of limits and signs: shown, agreed to, posted, granted, kept; and settings that hold.

Time is the `at` of each call, in seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Annotated, Literal, Self

from msgspec.structs import replace

from boxman.rules.duties import PowerName
from boxman.rules.ids import near
from boxman.rules.layout import Layout, Posted
from boxman.rules.ledger import Cited, join
from boxman.rules.procedure import Power
from boxman.rules.settings import OUT_OF_BOUNDS, PRICE, SettingError, choose
from boxman.table.call import CREW, Call, ConsoleEntry, call
from boxman.table.floor.people import (
    PLAYER,
    Announced,
    Granted,
    KeptLimits,
    Matter,
    Offered,
    OldLimits,
)
from boxman.table.floor.personal import (
    OVER,
    ended,
    favoured,
    kept_by,
    of_both,
    own_limits,
)
from boxman.table.floor.powers import check_power
from boxman.table.floor.standing import (
    all_but,
    check_needs,
    least_posted,
    notice_due,
    notice_wanted,
    playing,
    told_after,
)
from boxman.table.lines.fields import (
    WHOLE_DAY,
    Group,
    HourOnSign,
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
    clock_time,
    seconds_of,
)
from boxman.table.lines.pattern import Line
from boxman.table.opening import favours, limits_problem, units_problem
from boxman.table.rulings import Followed, change, refuse, refuse_with
from boxman.table.said.saying import Told, saying
from boxman.table.stakes import cut
from boxman.table.state import AnyDecision, Cites, Posting, Table, apply
from boxman.table.wagers import seat_at

NoticeName = Literal["limits", "closing"]
Keep = Annotated[bool, OneOf((True, False), "the-player")]


def _any_power(layout: Layout, power: PowerName, by: str) -> Cites:
    """Whoever may do this for one reason may announce it: best for one that wants it shown."""
    powers = layout.procedure.powers[power]
    best = sorted(powers, key=lambda reason: "notice" not in powers[reason].needs)
    for reason in best:
        if by in powers[reason].who:
            return powers[reason].cites
    return check_power(layout, power, by, next(iter(best), ""))


def _wagering(layout: Layout, table: Table, more: Iterable[str] = ()) -> tuple[str, ...] | None:
    """Who wagers here, where a favour goes to them: has a stake up, or has put one down since a
    notice that hangs."""
    if not layout.procedure.favour.wagering:
        return None
    return tuple(sorted({*more, *table.floor.staked, *_with_stakes(table)}))


def _live(layout: Layout, table: Table, at: int) -> list[Offered]:
    """The limits from before changes, which may be kept now; the last change first."""
    old = table.floor.old
    if old is None or layout.procedure.power("keep limits") is None:
        return []
    return [each for each in old.each if not each.over and favoured(layout, each, at)]


def _with_stakes(table: Table) -> set[str]:
    """Who has a stake up: not whoever has left it there and gone."""
    return {seat.name for seat in table.present if seat.wagers}


def staking(
    layout: Layout, table: Table, before: frozenset[str], cites: Cites
) -> list[AnyDecision]:
    """Who has a stake up is noted, where a favour goes to those who were wagering."""
    if not layout.procedure.favour.wagering:
        return []
    return [change(table, "", cites, staked=before | _with_stakes(table))]


def check_shown(shown: Announced | None, what: NoticeName, rule: Cited[int], at: int) -> None:
    """Refuse what has not been announced for long enough, or comes before the time on its sign."""
    if shown is None:
        refuse("notice-due", rule.cites, what if rule.value else "first", value=rule.value)
    if at < (due := shown.due(rule.value)):
        refuse("notice-due", rule.cites, "early", when=clock_time(due))


def beside(table: Table, hung: tuple[Announced, ...], cites: Cites) -> list[AnyDecision]:
    """The signs beside the last one, where they are others now."""
    return [change(table, "", cites, hung=hung)] if hung != table.floor.hung else []


def with_group(table: Table, group: str, low: int, high: int, unit: int) -> Posted:
    """The limits of a table with these: all of them, or those of one kind of wager."""
    now = table.posted
    if not group:
        return Posted(minimum=low, maximum=high, unit=unit, classes=now.classes)
    rest = tuple(each for each in now.classes if each[0] != group)
    classes = (*rest, (group, low, high))
    return Posted(minimum=now.minimum, maximum=now.maximum, unit=now.unit, classes=classes)


@call(
    Line(
        "{by} shows limits {minimum}-{maximum} [{group}] [unit {unit}] [from {when}]", what="limits"
    ),
    Line("{by} announces closing [at {when}]", what="closing"),
    stations=CREW,
    powers=("post limits",),
    also=("close table",),
    console=ConsoleEntry(250, ("what",), ("minimum", "maximum", "unit", "group", "when")),
)
class ShowNotice(Call, frozen=True, kw_only=True):
    """A sign goes up: new limits, or closing."""

    what: Annotated[NoticeName, OneOf(("limits", "closing"), "what")]
    minimum: Minimum = 0
    maximum: Maximum = 0
    unit: Unit = 0
    when: HourOnSign = ""
    """The time of day that the sign proposes; left out, it is when the notice has run."""
    group: Group = ""
    """The kind of wager whose limits they are; left out, they are the table's."""

    def rule(self, layout: Layout, table: Table) -> Followed:
        power: PowerName = "close table" if self.what == "closing" else "post limits"
        given, wanted = _any_power(layout, power, self.by), self._wanted(layout, table)
        cites = join(given, wanted.cites if wanted else ()) or layout.silence
        if self.what == "limits":
            check_limits(layout, table, self, cites, "show other limits")
        when = self._proposed(cites)
        figures, minutes = (self.minimum, self.maximum, self.unit), wanted.value if wanted else 0
        hung = table.floor.sign(self.what, self.group)
        if hung is not None and hung.limits == figures and when in (hung.when, hung.due(minutes)):
            # It has hung since it was put up.
            return [change(table, self._told(hung, minutes), cites)], []
        earliest = self.at + minutes * 60
        if when and wanted and when < earliest:
            soon, named = clock_time(earliest), clock_time(when)
            refuse("notice-due", wanted.cites, "short", when=named, soon=soon, value=minutes)
        notice = Announced(self.what, self.at, *figures, when, self.group)
        words = self._told(notice, minutes)
        agreed = table.floor.agreed if self.what == "closing" else frozenset()
        made: list[AnyDecision] = [change(table, words, cites, notice=notice, agreed=agreed)]
        made += beside(table, table.floor.without(self.what, self.group), cites)
        if self.what == "limits":
            others = any(
                each.what == "limits" for each in table.floor.without("limits", self.group)
            )
            still = others or (hung is not None and hung.limits == figures)
            made += staking(layout, table, table.floor.staked if still else frozenset(), cites)
        return made, []

    def _told(self, notice: Announced, minutes: int) -> Told:
        """What the sign says, with the time from when it may be done, where that is yet to come."""
        if (due := notice.due(minutes)) <= self.at:
            return saying(f"{self.what} announced")
        return saying(f"{self.what} announced for", when=clock_time(due))

    def _wanted(self, layout: Layout, table: Table) -> Cited[int] | None:
        """How long it has to hang before what it says may be done."""
        notice = layout.procedure.notice
        if self.what == "closing":
            return notice.closing
        return notice_wanted(layout, table, self.group, self.minimum, self.unit)

    def _proposed(self, cites: Cites) -> int:
        """The proposed time as seconds of this evening: the next time that it is so late."""
        if not self.when:
            return 0
        seconds = seconds_of(self.when)
        if seconds is None:
            refuse("notice-due", cites, "no time", when=self.when)
        when = self.at - self.at % WHOLE_DAY + seconds
        return when if when >= self.at else when + WHOLE_DAY

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
        cites = join(*(each.needed.get("all agree", ()) for each in layout.procedure.granted))
        if not cites:
            refuse("no-such-power", layout.silence, "agree")
        if not any(sign.what == "limits" for sign in table.floor.notices):
            refuse("nothing-shown", cites)
        return [
            change(
                table,
                saying("agrees", seat=self.seat),
                cites,
                agreed=table.floor.agreed | {self.seat},
            )
        ], []


def check_limits(
    layout: Layout, table: Table, call: ShowNotice | PostLimits, cites: Cites, do: str
) -> Posted:
    """Refuse limits that no table can have; all the limits of the table with these."""
    if call.group and call.unit:
        refuse_with("bad-limits", cites, "unit of one", do, {"name": call.group})
    posted = with_group(table, call.group, call.minimum, call.maximum, call.unit)
    problem = units_problem(layout, call.unit) or limits_problem(layout, posted)
    if problem is not None:
        refuse_with("bad-limits", problem.cites or cites, problem.why, do, problem.values)
    return posted


def _no_excess(layout: Layout, table: Table, posted: Posted) -> list[AnyDecision]:
    """Whoever was allowed to exceed the maximum, where that is an excess no more, is told so."""
    grant, left = layout.procedure.power("grant limits"), dict(table.floor.grants)
    if grant is None or "above maximum" not in grant.needs:
        return []
    made: list[AnyDecision] = []
    for name in [name for name, own in left.items() if own.maximum <= posted.maximum]:
        words = "" if left.pop(name) == OVER else saying("grant over", seat=name)
        made.append(change(table, words, grant.cites, grants=dict(left)))
    return made


@call(
    "{by} posts limits {minimum}-{maximum} [{group}] [unit {unit}] [for {reason}]",
    stations=CREW,
    powers=("post limits",),
    console=ConsoleEntry(260, ("reason",), ("minimum", "maximum", "unit", "group")),
)
class PostLimits(Call, frozen=True, kw_only=True):
    """New limits bind."""

    minimum: Minimum
    maximum: Maximum
    unit: Unit = 0
    reason: Reason = ""
    group: Group = ""
    """The kind of wager whose limits they are; left out, they are the table's."""

    def rule(self, layout: Layout, table: Table) -> Followed:
        cites = check_power(layout, "post limits", self.by, self.reason)
        check_needs(layout, table, "post limits", self.reason, {})
        posted = check_limits(layout, table, self, cites or layout.silence, "")
        power = layout.procedure.power("post limits", self.reason)
        due = notice_due(layout, table, self.group, self.minimum, self.unit, power)
        shown = table.floor.sign("limits", self.group)
        if shown is not None and not self._said_on(shown, power):
            shown = None  # it says something else
        if power is not None and "all agree" in power.needs and shown is None:
            refuse("nothing-shown", cites, "other")
        if due is not None:
            check_shown(shown, "limits", due, self.at)
            cites = join(cites, due.cites)
        cites = cites or layout.silence
        floor = table.floor
        hang = floor.without("limits", self.group) if shown is not None else floor.notices
        others = any(sign.what == "limits" for sign in hang)  # who agreed, agreed to all of them
        same = posted == table.posted
        words = "limits unchanged" if same else "limits changed"
        if table.posted.unit and not posted.unit:
            words = "limits changed, no unit"
        down = change(
            *(table, words, cites),
            old=floor.old if same else self._before(layout, table),
            notice=hang[-1] if hang else None,
            agreed=floor.agreed if others else frozenset(),
        )
        made: list[AnyDecision] = [
            Posting(posted, cites, "limits when made" in layout.principles),
            down,
            *_no_excess(layout, table, posted),
            *beside(table, hang[:-1], cites),
            *staking(layout, table, floor.staked, cites),
        ]
        low = favours(layout, posted) if self.minimum < least_posted(table, self.group) else []
        return made, [*cut(layout, reduce(apply, made, table), table), *low]

    def _said_on(self, shown: Announced, power: Power | None) -> bool:
        """Whether a sign announces these limits. Where the rule is of a higher minimum, a sign is
        one of what makes small wagers impossible; the maximum may change with it or apart."""
        limits = (self.minimum, self.maximum, self.unit)
        if power is not None and not {"notice", "all agree"}.isdisjoint(power.needs):
            return shown.limits == limits
        return (shown.minimum, shown.unit) == (self.minimum, self.unit)

    def _before(self, layout: Layout, table: Table) -> OldLimits | None:
        """The limits that may be kept, beside those from before changes whose time is not over.
        What changes at one moment is one change."""
        now, first, live = table.posted, table.floor.old, _live(layout, table, self.at)
        if first is not None and first in live and first.since == self.at:
            return replace(first, wagering=_wagering(layout, table, first.wagering or ()))
        if not table.seats:
            return None
        over: Literal["", "empty"] = "" if playing(table) else "empty"
        wagering = _wagering(layout, table)
        earlier = tuple(
            Offered(each.minimum, each.unit, each.since, each.classes, "", each.wagering)
            for each in live
        )
        return OldLimits(now.minimum, now.unit, self.at, now.classes, over, wagering, earlier)

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        shown = table.floor.sign("limits")
        limits = [(table.posted.minimum, table.posted.maximum, table.posted.unit)]
        if shown is not None:
            limits.insert(0, shown.limits)
        for reason in dict.fromkeys(("", *layout.procedure.powers["post limits"])):
            for low, high, unit in limits:
                yield cls(by=by, minimum=low, maximum=high, unit=unit, reason=reason)

    @classmethod
    def answers(cls, layout: Layout, table: Table, matter: Matter) -> Iterator[Self]:
        if isinstance(matter, Announced) and matter.what == "limits":
            low, high, unit = matter.limits
            for reason in layout.procedure.powers["post limits"]:
                yield cls(minimum=low, maximum=high, unit=unit, group=matter.group, reason=reason)

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
    Line("{by} ends~the~grant of {seat}", minimum=0, maximum=0),
    "{by} grants {seat} {minimum}-{maximum}",
    stations=CREW,
    powers=("grant limits",),
    console=ConsoleEntry(270, ("seat",), ("minimum", "maximum")),
)
class GrantLimits(Call, frozen=True, kw_only=True):
    """One player gets limits of their own, or has them no longer; 0 leaves a figure out."""

    seat: SeatName
    minimum: OwnMinimum = 0
    maximum: OwnMaximum = 0

    def rule(self, layout: Layout, table: Table) -> Followed:
        seat_at(layout, table, self.seat)
        cites = check_power(layout, "grant limits", self.by)
        if not self.minimum and not self.maximum:
            return self._end(layout, table, cites or layout.silence)
        both = "yes" if self.minimum and self.maximum else ""
        above = "yes" if self.maximum > table.posted.maximum else ""
        given = {"both figures": both, "above maximum": above}
        cites = join(cites, check_needs(layout, table, "grant limits", "", given))
        grant = Granted(self.minimum, self.maximum)
        low, high = own_limits(table.posted, grant)
        problem = limits_problem(layout, Posted(minimum=low, maximum=high))
        if problem is not None:
            do = "grant other limits"
            refuse_with("bad-limits", cites or layout.silence, problem.why, do, problem.values)
        grants = {**table.floor.grants, self.seat: grant}
        told = told_after(layout, table, "grant limits")
        kept = kept_by(layout, table, self.seat, self.at)
        low = min(low, kept.minimum) if kept is not None else low
        words = saying("granted", seat=self.seat, low=low, high=high)
        granted = change(table, words, cites or layout.silence, grants=grants, told=told)
        return [granted], cut(layout, apply(table, granted), table)

    def _end(self, layout: Layout, table: Table, cites: Cites) -> Followed:
        """The limits of the table bind again, by the word of whoever may grant others."""
        if table.floor.grants.get(self.seat, OVER) == OVER:
            refuse("nothing-granted", cites, seat=self.seat)
        grants = {**table.floor.grants, self.seat: OVER}
        over = change(table, saying("grant over", seat=self.seat), cites, grants=grants)
        return [over], cut(layout, apply(table, over), table)

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        low, high = table.posted.minimum, table.posted.maximum
        for name in table.seats:
            yield cls(by=by, seat=name, minimum=low, maximum=high + layout.chip)
            yield cls(by=by, seat=name, maximum=high)
            yield cls(by=by, seat=name)


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
            if kept_by(layout, table, seat.name, self.at) is None:
                over = ended(layout, table, seat.name, self.at)
                refuse("not-now", join(cites, over), "kept", seat=seat.name)
            kept = all_but(table.floor.kept, seat.name)
            return [change(table, saying("kept no longer", seat=seat.name), cites, kept=kept)], []
        old = table.floor.old
        if old is None or old.over == "empty":
            refuse("not-now", cites, "limits")
        live = _live(layout, table, self.at)
        if not live:
            favour = layout.procedure.favour
            ends = favour.stick_change_after if old.over else favour.minutes
            refuse("not-now", join(cites, ends.cites if ends else ()), "favour over")
        wagering, staked = layout.procedure.favour.wagering, table.floor.staked
        if wagering:
            live = [o for o in live if seat.name in (staked if o.wagering is None else o.wagering)]
        if not live:
            refuse("not-wagering", join(cites, wagering), seat=seat.name)
        mine, before = table.floor.kept.get(seat.name), kept_by(layout, table, seat.name, self.at)
        if mine is None or mine.over or mine.since != live[0].since:
            # Wagering went on at what was kept of earlier changes.
            first = of_both(live[0], before) if before is not None else live[0]
            mine = KeptLimits.of([first, *live[1:]])
        kept = {**table.floor.kept, seat.name: mine}
        cites = join(cites, wagering)
        return [change(table, saying("kept", seat=seat.name), cites, kept=kept)], []


def _written(value: object) -> str:
    """A value of a setting as a line has it."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


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
        prices = layout.setting_rules.get(PRICE)
        if prices is not None and self.setting.startswith(f"{PRICE}."):
            refuse("settings-hold", prices.cites, "price")
        if self.setting not in layout.settings:
            meant = near(self.setting, layout.settings)
            do = "did you mean" if meant else ""
            refuse("no-such-setting", cites, do=do, setting=self.setting, meant=meant)
        try:
            choose(layout.setting_rules, {self.setting: self.value})
        except SettingError as error:  # no table may be opened with it either
            refuse(OUT_OF_BOUNDS, error.cites or cites, error.why, do="", **error.values)
        known = layout.setting_rules.get(self.setting)
        if known is not None and self.value in layout.barred(known):
            refuse(OUT_OF_BOUNDS, layout.fee_only, "fee up")
        refuse(
            "settings-hold",
            cites,
            setting=self.setting,
            now=_written(layout.settings[self.setting]),
            value=self.value,
        )

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        for setting, value in layout.settings.items():
            yield cls(by=by, setting=setting, value=str(value))
