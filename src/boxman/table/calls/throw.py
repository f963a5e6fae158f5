"""Calls of the throw: bets closed, dice out and at rest, the roll, no roll.

Powers and causes are facts of the rulebook; the automatic crew has every power, and its calls cite
none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn, Self

import msgspec

from boxman.dice import Roll
from boxman.rules.duties import RANKS
from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.rules.procedure import CauseRule
from boxman.table.call import CREW, Call, ConsoleEntry, call
from boxman.table.calls.betting import Bet
from boxman.table.floor.dice_set import as_thrown, left_table
from boxman.table.floor.people import AUTOMATIC, GUEST, QUIET, STICK
from boxman.table.floor.powers import check_power, refuse_station
from boxman.table.floor.shooters import after_roll, eligible_cites, shooter_too
from boxman.table.floor.standing import advised, check_here
from boxman.table.floor.throw import AT_REST, DECIDED, IN_DISPUTE, THROWN, UNDECIDED, thrown
from boxman.table.floor.throws import (
    LACKING,
    OFF_TABLE,
    cause_cites,
    check_closed,
    check_faces,
    check_ground,
    check_left_open,
    check_undisputed,
    due_cites,
    floor_after,
    grounds,
    known_cause,
    lacking_cites,
    leaning,
    no_roll,
    phase_to,
    release,
    strangers,
    suspect,
    voided,
)
from boxman.table.lines.fields import Cause, FirstFace, PersonName, RestingFace, SecondFace, Total
from boxman.table.rulings import Followed, Notice, Refused, change, refuse
from boxman.table.said.saying import saying
from boxman.table.settle import settle
from boxman.table.state import (
    AnyDecision,
    Asked,
    Cites,
    Phased,
    Ranked,
    Rolled,
    Settled,
    Table,
    Wager,
    Warned,
    apply,
)
from boxman.table.terms import Terms, binding


@call(
    "{by} closes~bets",
    stations=CREW,
    speaks="stick",
    powers=("close bets",),
    phases=("open",),
    console=ConsoleEntry(20),
    moves={"in hand": ("in hand",)},
)
class CloseBets(Call, frozen=True, kw_only=True):
    """No more bets."""

    def rule(self, layout: Layout, table: Table) -> Followed:
        cites: Cites = ()
        if layout.procedure.power("close bets"):
            cites = check_power(layout, "close bets", self.by)
        made, warnings = phase_to(layout, table, "closed")
        return [Phased("closed", cites or made[0].cites)], warnings


@call(
    "dice~out",
    stations=("stick",),
    phases=("open", "closed"),
    console=ConsoleEntry(30),
    moves={"in hand": ("out",)},
)
class DiceOut(Call, frozen=True, kw_only=True):
    """The dice have left the shooter's hand."""

    def rule(self, layout: Layout, table: Table) -> Followed:
        ground = release(layout, table, self.by)
        check_closed(layout, table)
        made, warnings = phase_to(layout, table, "out")
        if ground:
            made.append(change(table, "", eligible_cites(layout, table.puck), ground=ground))
        return made, warnings


@call(
    "dice~land",
    stations=("stick",),
    phases=("out",),
    console=ConsoleEntry(60, only="dice by hand"),
    moves={"out": ("landed",)},
)
class DiceLand(Call, frozen=True, kw_only=True):
    """The dice have landed and still roll; it may be left out."""

    def rule(self, layout: Layout, table: Table) -> Followed:
        late = layout.procedure.confirm.late
        if late is None or late.until != "landing":
            do = "say at rest" if table.phase == "out" else ""
            refuse("no-such-power", layout.silence, "landing", do=do)
        if not thrown(table):
            refuse("not-now", late.cites, "in hand")
        return phase_to(layout, table, "landed")


@call(
    "dice at rest",
    stations=("stick",),
    phases=("open", "closed", "out", "landed"),
    console=ConsoleEntry(70),
    moves=dict.fromkeys(("in hand", "out", "landed"), ("at rest",)),
)
class DiceRest(Call, frozen=True, kw_only=True):
    """The dice lie still; the total is not yet called."""

    def rule(self, layout: Layout, table: Table) -> Followed:
        check_closed(layout, table)
        made = phase_to(layout, table, "rest")
        if not thrown(table):
            if self.by not in AUTOMATIC:
                refuse("not-now", layout.betting["make"].cites, "in hand")
            if ground := release(layout, table, self.by):
                made[0].append(change(table, "", eligible_cites(layout, table.puck), ground=ground))
        return made


@call(
    "{by} calls {first}-{second} [total {total}] [{cocked=cocked} [on {resting}]] [with {cause}] "
    "[by {person}]",
    stations=CREW,
    speaks="stick",
    powers=("call roll",),
    phases=("open", "closed", *THROWN, *IN_DISPUTE),
    moves={
        "in hand": (*DECIDED, "at rest"),
        "out": (*DECIDED, "at rest"),
        "landed": DECIDED,
        "at rest": (*DECIDED, "at rest"),
    },
    faces="called",
)
class CallRoll(Call, frozen=True, kw_only=True):
    """The stickperson calls the two faces."""

    first: FirstFace
    second: SecondFace
    total: Total = 0
    """The total as called, if it was; it has to be the sum of the faces."""
    cause: Cause = ""
    """Something that befell the throw."""
    person: PersonName = ""
    """The offender, where the cause has one."""
    cocked: bool = False
    """A die did not lie flat and was read as the house reads it."""
    resting: RestingFace = 0
    """The face on which the leaning die rests, where the house reads the opposite one."""

    def rule(self, layout: Layout, table: Table) -> Followed:
        power = () if self.by in AUTOMATIC else check_power(layout, "call roll", self.by)
        check_faces(layout, self.first, self.second)
        roll = Roll(self.first, self.second)
        if self.total and self.total != roll.total:
            self._refuse_total(layout, roll, power)
        cause = self._befell(layout) if self.cause or self.person else None
        own = True
        if cause is not None and cause.effect in ("must", "void"):
            check_left_open(layout, table, cause, self.by)
            own = not strangers(cause)
        else:
            check_undisputed(layout, table)
        before = as_thrown(table) if cause is not None and self.cause == OFF_TABLE else table
        ground = release(layout, before, self.by, own)
        if table.phase == "open":
            check_closed(layout, table)
        if ground == LACKING and (cause is None or cause.effect != "void"):
            void = join(lacking_cites(layout, table), layout.principles["no roll"])
            return no_roll(layout, table, void, LACKING, by=self.by), []
        extra = power
        if cause is not None:
            counts = self._check_named(layout, table, cause)
            if cause.effect in ("must", "void"):
                seen = before is not table
                return self._not_settled(layout, table, cause, counts=counts, seen=seen)
            extra = join(extra, cause.cites)
        if table.floor.ground and (void_roll := voided(layout, table, self.by)):
            return void_roll, []
        if self.cocked:
            extra = join(extra, leaning(layout, roll, self.resting))
        return settled(layout, table, roll, extra, self)

    def _refuse_total(self, layout: Layout, roll: Roll, power: Cites) -> NoReturn:
        """The total as it was called is not that of the faces."""
        cites = join(layout.principles["total"], layout.principles.get("one face", ()), power)
        refuse("miscounted", cites, roll=str(roll), total=roll.total, called=self.total)

    def _befell(self, layout: Layout) -> CauseRule:
        """What befell the throw; who is named did something."""
        if not self.cause:
            known = tuple(layout.procedure.causes)
            refuse("cause-missing", cause_cites(layout), "named", person=self.person, causes=known)
        return known_cause(layout, self.cause)

    def _check_named(self, layout: Layout, table: Table, cause: CauseRule) -> bool:
        """Refuse a cause without its offender, or with one it cannot be of; whether it counts
        against the shooter."""
        if cause.person and not self.person:
            refuse("name-missing", cause.cites, "call", cause=self.cause)
        return check_ground(layout, table, cause, self.person)

    def _not_settled(
        self, layout: Layout, table: Table, cause: CauseRule, *, counts: bool, seen: bool
    ) -> Followed:
        """A throw that this cause makes no roll, at once or once that is called; the die that it is
        for may have been `seen` before."""
        if cause.effect == "must":
            return self._due(layout, table, due_cites(layout, cause), seen)
        cites = join(cause.cites, layout.principles["no roll"])
        by, name = self.by, self.cause
        return no_roll(layout, table, cites, name, counts=counts, by=by, reported=seen), []

    def _due(self, layout: Layout, table: Table, cites: Cites, seen: bool) -> Followed:
        """No total is taken: the ground that was stated binds the throw, which has to be called."""
        if table.floor.ground:
            refuse("no-roll-due", cites, cause=self.cause)
        words = saying("no roll due", cause=self.cause)
        stated = change(table, words, cites, ground=self.cause, ground_by=self.person)
        made: list[AnyDecision] = [stated]
        if self.cause == OFF_TABLE and self.by not in AUTOMATIC:
            made += left_table(table, cites, reported=seen)
        if table.phase not in AT_REST:
            made.insert(0, Phased("rest", cites))
        return made, []

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        yield cls(by=by, first=1, second=1)
        causes = layout.procedure.causes.values()
        for cause in [each.cause for each in causes if each.effect == "must"][:1]:
            yield cls(by=by, first=1, second=1, cause=cause)


@call(
    "{by} calls~no~roll [{cause}] [by {person}]",
    stations=CREW,
    speaks="stick",
    powers=("no roll",),
    console=ConsoleEntry(80, ("cause",), ("person",)),
    moves=dict.fromkeys(("in hand", *UNDECIDED), ("in hand",)),
)
class CallNoRoll(Call, frozen=True, kw_only=True):
    """The throw does not count, for this cause."""

    cause: Cause = ""
    person: PersonName = ""

    def rule(self, layout: Layout, table: Table) -> Followed:
        if not self.cause:
            return self._bare(layout, table), []
        cause = known_cause(layout, self.cause, no_roll=True)
        if cause.effect == "never":
            refuse("no-cause", cause.cites, cause=self.cause)
        check_left_open(layout, table, cause, self.by)
        power: Cites = ()
        if cause.who and self.by not in AUTOMATIC:
            if self.by not in cause.who:
                refuse_station(layout, cause.cites, "no roll", self.by, cause.who, cause=self.cause)
        else:
            power = check_power(layout, "no roll", self.by)
        if cause.person and not self.person:
            refuse("name-missing", cause.cites, cause=self.cause)
        own = check_ground(layout, table, cause, self._named(table))
        before = as_thrown(table) if self.cause == OFF_TABLE else table
        release(layout, before, self.by, not strangers(cause))
        # A ground of somebody else's is not of the list whose calls are to come in time.
        callers = layout.procedure.power("no roll")
        others = callers is not None and cause.who and {*cause.who} != {*callers.who}
        listed = cause.effect == "may" and not others
        rule = layout.procedure.late if listed else layout.procedure.late_void
        faces = table.phase in IN_DISPUTE and "unreadable" in cause.kind  # that decides them
        late = table.phase in AT_REST and bool(rule) and not faces
        cites = join(cause.cites, power, layout.principles["no roll"])
        warnings = []
        if late:
            warnings.append(Notice("late-call", rule))
        seen = before is not table
        void = no_roll(
            layout, table, cites, self.cause, late=late, counts=own, by=self.by, reported=seen
        )
        if faces:
            void.append(Ranked(RANKS.get(self.by, 0), cites))
        return void, warnings

    def _named(self, table: Table) -> str:
        """Whose doing it is: who is named now, or was when that ground was stated."""
        same = self.cause in ("", table.floor.ground)
        return self.person or (table.floor.ground_by if same else "")

    def _may_call(self, layout: Layout, name: str) -> bool:
        """Whether this ground is for whoever speaks to call."""
        power = layout.procedure.power("no roll")
        return self.by in (
            layout.procedure.causes[name].who or (power.who if power else (self.by,))
        )

    def _bare(self, layout: Layout, table: Table) -> list[AnyDecision]:
        """No roll without a word of why: a ruling where the text asks for none."""
        cites: Cites = ()
        if self.by not in AUTOMATIC:
            if layout.procedure.power("no roll", UNSTATED) is None:
                if not any(self.by in cause.who for cause in layout.procedure.causes.values()):
                    check_power(layout, "no roll", self.by)
                mine = tuple(name for name in grounds(layout) if self._may_call(layout, name))
                refuse("cause-missing", cause_cites(layout), causes=mine)
            cites = check_power(layout, "no roll", self.by, UNSTATED)
        release(layout, table, self.by)
        ground, counts = table.floor.ground, self._named(table) in ("", table.hand.shooter)
        if ground in layout.procedure.causes:
            cause = layout.procedure.causes[ground]
            cites = join(cause.cites, cites)
            counts = check_ground(layout, table, cause, self._named(table))
        elif ground == LACKING:
            cites = join(lacking_cites(layout, table), cites)
        else:
            check_undisputed(layout, table)
        cites = join(cites, layout.principles["no roll"])
        return no_roll(layout, table, cites, ground, counts=counts, by=self.by)

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        yield cls(by=by)
        for name, cause in layout.procedure.causes.items():
            yield cls(by=by, cause=name, person=suspect(table, cause))


UNSTATED = "unstated"
"""The reason of a power to call no roll without one."""


def settled(
    layout: Layout, table: Table, roll: Roll, extra: Cites, called: Call, now: Table | None = None
) -> Followed:
    """A valid roll: everything it decides, and winners that were to stay up made again.

    A roll is settled on a table with its own limits; what is made again is made `now`.
    """
    if now is None and table.terms is not None:
        table, now = binding(table), table
    if table.hand.shooter == STICK:
        extra = join(extra, shooter_too(layout))
    decisions = settle(layout, table, roll, extra)
    if called.by not in AUTOMATIC:
        decisions = [d for d in decisions if type(d) is not Warned or not advised(layout, d.code)]
    rolled = decisions[0]
    assert type(rolled) is Rolled
    if now is not None and (under := Terms.of(table)) != Terms.of(now):
        decisions[0] = msgspec.structs.replace(rolled, under=under)
    if table.hand.shooter != GUEST or table.floor is not QUIET:
        decisions += _people_after(layout, table, rolled.event)
    again = [
        (decision, wager)
        for decision in decisions
        if type(decision) is Settled
        and decision.paid
        and not decision.up
        and (wager := table.seats[decision.seat].wagers[decision.spot]).stays
    ]
    if not again:
        return decisions, []
    return _up_again(layout, now or table, decisions, again, called.at)


def _people_after(layout: Layout, table: Table, event: str) -> list[AnyDecision]:
    """What a roll does to the hand and the floor, at a table that has people."""
    if table.hand.shooter == GUEST and table.floor == QUIET:
        return []
    return [*after_roll(layout, table, event), *floor_after(layout, table, event)]


def _up_again(
    layout: Layout,
    table: Table,
    decisions: list[AnyDecision],
    again: list[tuple[Settled, Wager]],
    at: int,
) -> Followed:
    """Winners that were to stay up are made again, where the rules of a bet allow it."""
    warnings = [
        Notice(
            "not-up-again",
            join(layout.spots[won.spot].again_cites, layout.procedure.voucher.one_wager),
            values={"seat": won.seat, "spot": won.spot},
        )
        for won, _ in again
        if won.voucher
    ]
    again = [(won, wager) for won, wager in again if not won.voucher]
    after = table
    for decision in decisions:
        after = apply(after, decision)
    for won, wager in again:
        bet = Bet(seat=won.seat, spot=won.spot, amount=wager.stake, split=wager.split, at=at)
        cites = layout.spots[won.spot].again_cites
        try:
            if not layout.spots[won.spot].unasked:
                check_here(layout, after, won.seat)
            made, notices = bet.checked(layout, after)
        except Refused as refused:
            reason = refused.refusal
            values = {**reason.values, "seat": won.seat, "spot": won.spot, "reason": reason.key}
            warnings.append(Notice("not-up-again", join(cites, reason.cites), "refused", values))
            continue
        placed = msgspec.structs.replace(made[0], cites=join(cites, made[0].cites))
        made = [placed, Asked(won.seat, won.spot, True, cites)]
        decisions += made
        warnings += notices
        for decision in made:
            after = apply(after, decision)
    return decisions, warnings
