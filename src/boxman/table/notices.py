"""Rules of limits, signs and closing. Time is the `at` of each call, in seconds."""

from __future__ import annotations

from boxman.chips import format_amount as money
from boxman.rules.layout import Layout, Posted
from boxman.rules.ledger import join
from boxman.rules.nearest import nearest
from boxman.table.floor import change, check_needs, rule_of, told_after
from boxman.table.floor_calls import (
    Agree,
    ChangeStick,
    Choose,
    CloseTable,
    GrantLimits,
    KeepLimits,
    Leave,
    PostLimits,
    ShowNotice,
)
from boxman.table.opening import limits_problem
from boxman.table.people import Hand, Kept
from boxman.table.personal import MINUTE
from boxman.table.powers import check_power
from boxman.table.rulings import refuse
from boxman.table.state import (
    AnyDecision,
    CashedOut,
    Cites,
    Handed,
    Posting,
    Table,
    Unseated,
)
from boxman.table.wagers import Followed, give_back, left_over, seat_at


def rule_show_notice(layout: Layout, table: Table, call: ShowNotice) -> Followed:
    """A sign goes up; its time runs from now."""
    power = "close table" if call.what == "closing" else "post limits"
    cites = _any_power(layout, power, call.by)
    keys = ("closing",) if call.what == "closing" else ("minimum up", "limits")
    rules = [r for key in keys if (r := rule_of(layout, "notice", key))]
    cites = join(cites, *(r.cites for r in rules)) or layout.listed
    if call.what == "limits":
        shown = Posted(minimum=call.minimum, maximum=call.maximum, unit=call.unit)
        problem = limits_problem(layout, shown)
        if problem:
            refuse("bad-limits", problem, cites, "show other limits")
    notice = (call.what, call.at, call.minimum, call.maximum, call.unit)
    words = "closing is announced" if call.what == "closing" else "new limits are announced"
    return [change(table, words, cites, notice=notice, agreed=frozenset())], []


def _any_power(layout: Layout, power: str, by: str) -> Cites:
    """Whoever may do this for one reason may announce it."""
    reasons = [r for p, r in layout.procedure.powers if p == power]
    for reason in reasons:
        if by in layout.procedure.powers[power, reason].who:
            return layout.procedure.powers[power, reason].cites
    return check_power(layout, power, by, reasons[0] if reasons else "")


def rule_agree(layout: Layout, table: Table, call: Agree) -> Followed:
    """A player agrees to what is shown."""
    seat_at(layout, table, call.seat)
    found = [p for p in layout.procedure.powers.values() if "all agree" in p.needs]
    cites = join(*(p.cites for p in found)) or layout.listed
    if table.floor.notice is None:
        refuse("nothing-shown", "no change is shown to agree to", cites)
    return [
        change(table, f"{call.seat} agrees", cites, agreed=table.floor.agreed | {call.seat})
    ], []


def _shown_for(table: Table, what: str, minutes: int, at: int) -> bool:
    notice = table.floor.notice
    return notice is not None and notice[0] == what and at - notice[1] >= minutes * MINUTE


def rule_post(layout: Layout, table: Table, call: PostLimits) -> Followed:
    """New limits bind, if their notice has run or nothing asks for one."""
    cites = check_power(layout, "post limits", call.by, call.reason)
    check_needs(layout, table, "post limits", call.reason, {})
    power = layout.procedure.powers.get(("post limits", call.reason))
    general = rule_of(layout, "notice", "limits")
    up = rule_of(layout, "notice", "minimum up")
    due = None
    if general is not None and power is not None and "notice" in power.needs:
        due = general
    dearer = call.minimum > table.posted.minimum or call.unit > max(table.posted.unit, layout.chip)
    if up is not None and dearer and table.seats:
        due = up
    shown = table.floor.notice
    asked = power is not None and "all agree" in power.needs
    if asked and (shown is None or shown[2:] != (call.minimum, call.maximum, call.unit)):
        refuse("nothing-shown", "these are not the limits that were shown", cites)
    if due is not None:
        cites = join(cites, due.cites)
        same = shown is not None and shown[2:] == (call.minimum, call.maximum, call.unit)
        if not same or not _shown_for(table, "limits", due.value, call.at):
            refuse(
                "notice-due",
                f"this needs a sign of the new limits for {due.value} minutes",
                cites,
                "show the notice, then wait",
            )
    cites = cites or layout.listed
    posted = Posted(
        minimum=call.minimum,
        maximum=call.maximum,
        unit=call.unit,
        classes=table.posted.classes,
    )
    problem = limits_problem(layout, posted)
    if problem:
        refuse("bad-limits", problem, cites, "post other limits")
    old = (table.posted.minimum, table.posted.unit, call.at) if table.seats else None
    return [
        Posting(posted, cites),
        change(table, "limits changed", cites, old=old, notice=None, agreed=frozenset()),
    ], []


def rule_grant(layout: Layout, table: Table, call: GrantLimits) -> Followed:
    """One player gets limits of his own."""
    seat_at(layout, table, call.seat)
    cites = check_power(layout, "grant limits", call.by)
    if not call.minimum and not call.maximum:
        refuse(
            "nothing-granted",
            "limits of his own are a minimum, a maximum or both",
            cites or layout.listed,
            "name one of them",
        )
    both = "yes" if call.minimum and call.maximum else ""
    check_needs(layout, table, "grant limits", "", {"both figures": both})
    low, high = call.minimum or table.posted.minimum, call.maximum or table.posted.maximum
    grants = {**table.floor.grants, call.seat: (low, high)}
    words = f"{call.seat} may bet {money(low)} to {money(high)}"
    told = told_after(layout, table, "grant limits")
    return [change(table, words, cites or layout.listed, grants=grants, told=told)], []


def rule_keep(layout: Layout, table: Table, call: KeepLimits) -> Followed:
    """A player keeps the old minimum after a change, or no longer."""
    seat = seat_at(layout, table, call.seat)
    power = "keep limits" if call.keep else "end kept limits"
    cites = check_power(layout, power, call.by) or layout.listed
    if not call.keep:
        if seat.name not in table.floor.kept:
            refuse("not-now", f"{seat.name} keeps no old limits", cites)
        kept = {name: each for name, each in table.floor.kept.items() if name != seat.name}
        return [change(table, f"{seat.name} keeps the old limits no longer", cites, kept=kept)], []
    if table.floor.old is None:
        refuse("not-now", "no limits have changed", cites)
    wagering = rule_of(layout, "favour", "wagering")
    if wagering is not None and not seat.wagers:
        refuse("not-wagering", f"{seat.name} has no wager here", join(cites, wagering.cites))
    minimum, unit, since = table.floor.old
    kept = {**table.floor.kept, seat.name: Kept(minimum, unit, since)}
    return [change(table, f"{seat.name} keeps the old minimum", cites, kept=kept)], []


def rule_change_stick(layout: Layout, table: Table, call: ChangeStick) -> Followed:
    """Another stickperson; after long enough that ends what players kept."""
    rule = rule_of(layout, "favour", "stick_change_after")
    cites = rule.cites if rule else layout.listed
    kept = table.floor.kept
    if rule is not None:
        kept = {n: k for n, k in kept.items() if call.at - k.since < rule.value * MINUTE}
    return [change(table, "another stickperson", cites, kept=kept)], []


def rule_leave(layout: Layout, table: Table, call: Leave) -> Followed:
    """A player leaves: what he kept ends; his wagers stand until decided."""
    seat = seat_at(layout, table, call.seat)
    rule = rule_of(layout, "favour", "leaving")
    cites = rule.cites if rule else layout.principles["chips"]
    kept = {name: each for name, each in table.floor.kept.items() if name != seat.name}
    made: list[AnyDecision] = [change(table, f"{seat.name} leaves", cites, kept=kept)]
    if seat.name in table.floor.vacating:
        # He has given up the place, which is all that was asked of him.
        barred = {name: why for name, why in table.floor.barred.items() if name != seat.name}
        left = table.floor.vacating - {seat.name}
        gone = change(table, f"{seat.name} leaves", cites, kept=kept, barred=barred, vacating=left)
        made = [gone]
    if table.hand.shooter == seat.name:
        hand = Hand(shooter="", declined=(seat.name,), former=seat.name)
        made.append(Handed(hand, f"{seat.name} gives up the dice", cites))
    if not seat.wagers:
        if seat.rail:
            made.append(CashedOut(seat.name, seat.rail, layout.principles["chips"]))
        made.append(Unseated(seat.name, cites))
    return made, []


def rule_close(layout: Layout, table: Table, call: CloseTable) -> Followed:
    """The table closes; wagers still up are handed back with their fees."""
    cites = check_power(layout, "close table", call.by, call.reason)
    check_needs(layout, table, "close table", call.reason, {})
    power = layout.procedure.powers.get(("close table", call.reason))
    notice = rule_of(layout, "notice", "closing")
    wants = notice is not None and (power is None or not call.reason or "notice" in power.needs)
    if wants and table.seats:
        assert notice is not None
        cites = join(cites, notice.cites)
        if not _shown_for(table, "closing", notice.value, call.at):
            refuse(
                "notice-due",
                f"closing needs a sign for {notice.value} minutes",
                cites,
                "announce closing, then wait",
            )
    rule = rule_of(layout, "closing", "wagers")
    cites = cites or layout.listed
    why = join(cites, rule.cites) if rule else cites
    made: list[AnyDecision] = [
        give_back(layout, seat, layout.spots[name], 0, "table closed", why)
        for seat in table.seats.values()
        for name in seat.wagers
    ]
    made += left_over(layout, table, made)
    return [*made, change(table, "the table is closed", cites, closed=True)], []


def rule_choose(layout: Layout, table: Table, call: Choose) -> Followed:
    """Settings are chosen when a table opens; what is up was bet under them."""
    rule = rule_of(layout, "fixed", call.setting)
    cites = rule.cites if rule else layout.listed
    if call.setting not in layout.settings:
        known = nearest(call.setting, layout.settings)
        refuse("no-such-setting", f"there is no setting {call.setting} here", cites, known)
    refuse(
        "settings-hold",
        f"{call.setting} is {layout.settings[call.setting]} until this table closes",
        cites,
        f"close the table and open it with {call.setting}={call.value}",
    )
