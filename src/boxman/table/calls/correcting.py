"""Calls that correct a throw: faces disputed and decided, miscalls overruled, rolls voided."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, NoReturn, Self

import msgspec

from boxman.dice import Roll
from boxman.rules.duties import RANKS, STATIONS, Need, PowerName
from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.rules.procedure import CauseRule, Power
from boxman.table.back import TakenBack, decided_by, take_back
from boxman.table.call import CREW, ENTERED, Call, ConsoleEntry, call
from boxman.table.calls.throw import settled
from boxman.table.floor.machine import check_decided
from boxman.table.floor.people import AUTOMATIC, PLAYER
from boxman.table.floor.powers import (
    CAUSE,
    USUAL,
    check_power,
    reasons,
    role_cites,
    station_name,
    station_names,
    undoing,
)
from boxman.table.floor.shooters import eligible_cites, lacks_line
from boxman.table.floor.standing import last_dispute
from boxman.table.floor.throw import DECIDED, IN_DISPUTE, SETTLED, THROWN, UNDECIDED, thrown
from boxman.table.floor.throws import (
    FACES_VOID,
    LACKING,
    OFF_TABLE,
    cause_cites,
    check_faces,
    check_ground,
    check_left_open,
    check_uncontested,
    check_undisputed,
    decide_cites,
    face_decided,
    no_roll,
    suspect,
    voided,
)
from boxman.table.lines.fields import (
    FirstFace,
    Note,
    OneOf,
    PersonName,
    Reason,
    SeatName,
    SecondFace,
)
from boxman.table.lines.pattern import Line
from boxman.table.rulings import Followed, change, refuse
from boxman.table.said.saying import saying
from boxman.table.state import (
    AnyDecision,
    Cites,
    Phased,
    Ranked,
    Returned,
    Reversed,
    Settled,
    Table,
)
from boxman.table.wagers import left_over, seat_at

Scope = Annotated[bool, OneOf((False, True), "void")]
Forfeit = Annotated[
    bool,
    OneOf((False, True), "what-that-person-had-on-it"),
]
DEALERS = frozenset(("stick", "dealer"))
"""Stations that deal; the others watch over it."""


@call(
    "{seat} disputes~the~faces",
    stations=(PLAYER,),
    phases=("open", "closed", *THROWN),
    excluded=True,
    moves={
        **dict.fromkeys(UNDECIDED, ("at rest",)),
        **{place: (place,) for place in SETTLED},
    },
    faces="disputed",
)
class DisputeFaces(Call, frozen=True, kw_only=True):
    """A player disputes the faces: before the call, or of the last roll until the next throw."""

    seat: SeatName

    def rule(self, layout: Layout, table: Table) -> Followed:
        seat_at(layout, table, self.seat)
        cites = decide_cites(layout)
        if table.phase in THROWN:
            return [Phased("disputed", cites)], []
        if table.phase == "call it":
            check_undisputed(layout, table)
        if table.phase in IN_DISPUTE:
            refuse("already-so", cites, "disputed")
        if table.floor.contested:
            refuse("already-so", cites, "disputed")
        if layout.procedure.power("decide faces") is None or not table.called:
            refuse("not-now", cites, "no throw to dispute")
        if decided := face_decided(layout, table):
            refuse("face-final", decided, "decided")
        words = saying("faces disputed", seat=self.seat)
        return [change(table, words, cites, contested=self.seat)], []


@call(
    "{by} says call it",
    stations=("stick",),
    speaks="stick",
    powers=("call roll",),
    phases=THROWN,
    console=ConsoleEntry(90, only="dice by hand"),
    moves={"out": ("at rest",), "landed": ("at rest",), "at rest": ("at rest",)},
    faces="disputed",
)
class CallIt(Call, frozen=True, kw_only=True):
    """The stick cannot read a die: somebody else is to confirm the faces."""

    def rule(self, layout: Layout, table: Table) -> Followed:
        power = layout.procedure.power("decide faces", "call it")
        if power is None:
            refuse("no-such-power", layout.silence, "call it")
        check_power(layout, "call roll", self.by)
        check_undisputed(layout, table)
        if table.phase not in THROWN:
            refuse("not-now", power.cites, "no throw")
        return [Phased("call it", power.cites)], []


@call(
    Line("{by} decides~no~roll", first=0),
    "{by} decides {first}-{second}",
    stations=CREW,
    powers=("decide faces",),
    phases=("open", "closed", *IN_DISPUTE),
    console=ConsoleEntry(100, ("throw",), ("faces",)),
    moves={**dict.fromkeys(SETTLED, DECIDED), "offered": ("offered", *DECIDED), "at rest": DECIDED},
)
class DecideFaces(Call, frozen=True, kw_only=True):
    """Staff decide disputed faces; 0 and 0 voids the throw."""

    first: FirstFace = 0
    second: SecondFace = 0

    def half_of(self, table: Table) -> str:
        return ENTERED

    def rule(self, layout: Layout, table: Table) -> Followed:
        void = not self.first
        reason = FACES_VOID if void else "call it" if table.phase == "call it" else ""
        if void and FACES_VOID not in layout.procedure.powers["decide faces"]:
            check_power(layout, "decide faces", self.by)
            refuse("no-such-reason", decide_cites(layout), "void")
        power = check_power(layout, "decide faces", self.by, reason)
        if table.phase not in IN_DISPUTE:
            if not table.floor.contested or not table.called:
                refuse("not-now", decide_cites(layout), "no faces")
            return self._called_otherwise(layout, table, power or decide_cites(layout))
        ranked = Ranked(RANKS.get(self.by, 0), power or decide_cites(layout))
        if void:
            why = join(power, layout.principles["no roll"])
            cause = table.floor.ground or "faces"
            made = no_roll(layout, table, why, cause, counts=cause != "faces", by=self.by)
            return [*made, ranked], []
        check_faces(layout, self.first, self.second)
        if void_roll := voided(layout, table, self.by):
            return void_roll, []
        decisions, warnings = settled(layout, table, Roll(self.first, self.second), power, self)
        decides = layout.procedure.power("decide faces")
        if reason and decides is not None and self.by not in (*AUTOMATIC, *decides.who):
            return decisions, warnings  # confirmed, and not decided: it can still be disputed
        return [*decisions, ranked], warnings

    def _called_otherwise(self, layout: Layout, table: Table, cites: Cites) -> Followed:
        """The faces of the last roll as they are decided now: it is settled as that roll."""
        check_decided(layout, table)
        ranked = Ranked(RANKS.get(self.by, 0), cites)
        if self.first:
            check_faces(layout, self.first, self.second)
            if _as_settled(table, self.first, self.second):
                words = saying("faces stand", faces=f"{self.first}-{self.second}")
                return [change(table, words, cites, contested=""), ranked], []
        back = take_back(layout, table, Reversed("overruled", cites))
        decisions, warnings = _made_again(layout, back, self, "faces", cites)
        return [*decisions, ranked], warnings

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        for first in (0, 1):
            yield cls(by=by, first=first, second=first)
        if table.floor.contested:  # they may stand where the roll cannot be taken back any more
            yield cls(by=by, first=table.faces[0], second=table.faces[1])


@call(
    Line("{by} overrules~to~no~roll", first=0),
    "{by} overrules to {first}-{second}",
    stations=CREW,
    powers=("overrule",),
    console=ConsoleEntry(150, ("throw",), ("faces",)),
    moves=dict.fromkeys(SETTLED, DECIDED),
    faces="overruled",
)
class Overrule(Call, frozen=True, kw_only=True):
    """The last throw was miscalled: it is settled as this roll; 0 and 0 means no roll."""

    first: FirstFace = 0
    second: SecondFace = 0

    @property
    def grave(self) -> bool:
        return True

    def rule(self, layout: Layout, table: Table) -> Followed:
        cites = self._power(layout, table)
        if self.first or self.second:
            check_faces(layout, self.first, self.second)
        rank = RANKS.get(self.by, len(RANKS))
        if rank <= table.rank:
            _refuse_outranked(layout, table.rank, cites)
        judged = _for_dispute(layout, table, self)
        ranked = Ranked(rank, cites or layout.silence)
        check_decided(layout, table)
        void = table.at_no_roll
        if void is not None and not self.first:
            refuse("already-so", cites or layout.silence, "no roll")
        if table.called and _as_settled(table, self.first, self.second):
            faces = f"{self.first}-{self.second}"
            refuse("already-so", cites or layout.silence, "roll", faces=faces)
        if void is not None:
            _check_counts(layout, table, void)
        made = Reversed("overruled", cites or layout.silence, no_roll=void is not None)
        back = take_back(layout, table, made)
        decisions, warnings = _made_again(layout, back, self, "overruled", cites)
        return [*decisions, ranked, *judged], warnings

    def _power(self, layout: Layout, table: Table) -> Cites:
        """The clauses by which somebody overrules: a clause may say who corrects the one that
        decided last. Who has the power, but stands too low now, is told so."""
        at = _to_review(layout, table, self.by)
        judge = table.floor.disputes[at].judge if at >= 0 else STATIONS[table.rank]
        whose = layout.procedure.power("overrule", judge)
        if whose is not None and self.by in whose.who:
            return whose.given[self.by]
        too_low = RANKS.get(self.by, len(RANKS)) <= table.rank
        if too_low and any(self.by in each.who for each in _overruling(layout)):
            return ()
        return check_power(layout, "overrule", self.by)

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        for first in (0, 1, 2):
            yield cls(by=by, first=first, second=first)


@call(
    "{by} voids~the {whole_round=round|roll} for {reason} [by {person}] [because {note}] "
    "[{forfeit=and forfeits}]",
    stations=CREW,
    powers=("void roll", "void round"),
    console=ConsoleEntry(160, ("whole_round", "reason", "forfeit"), ("person", "note")),
    moves=dict.fromkeys(SETTLED, DECIDED) | dict.fromkeys(UNDECIDED, ("in hand",)),
)
class VoidRoll(Call, frozen=True, kw_only=True):
    """The throw under way does not count; where there is none, the last roll, already settled."""

    reason: Reason
    person: PersonName = ""
    note: Note = ""
    forfeit: Forfeit = False
    """The person's wagers on that roll are kept by the house."""
    whole_round: Scope = False
    """All rolls since the come-out, and every wager of the round handed back."""

    @property
    def grave(self) -> bool:
        return True

    def rule(self, layout: Layout, table: Table) -> Followed:
        """Chips and wagers stand as before it, or are handed back."""
        order, undoes, hands_back = self._grounds(layout, table)
        cites = join(order, undoes) or layout.silence
        forfeit = self._forfeit_cites(layout, cites)
        cause = layout.procedure.causes.get(self.reason)
        counts = cause is not None and self._check_cause(layout, table, cause)
        if thrown(table) and not (self.whole_round and table.puck):
            # An order concerns the throw it is given for.
            if self.forfeit:
                refuse("not-now", forfeit, "forfeit")
            none, hands_back = join(order, layout.principles["no roll"]), self.whole_round
            back = no_roll(layout, table, none, self.reason, counts=counts, by=self.by)
            back.append(Ranked(RANKS.get(self.by, 0), none))
            restored = table
        else:
            back, restored = self._of_settled(layout, table, cause, cites, counts=counts)
        handed = self._handed(layout, table, restored, hands_back, cites, forfeit)
        return [*back, *handed], []

    def _forfeit_cites(self, layout: Layout, cites: Cites) -> Cites:
        """The clauses by which the house keeps what somebody had on the roll, else the order's."""
        if not self.forfeit:
            return cites
        forfeit = check_power(layout, "forfeit", self.by, self.reason) or cites
        if not self.person:
            refuse("person-missing", forfeit, "forfeit")
        return forfeit

    def _check_cause(self, layout: Layout, table: Table, cause: CauseRule) -> bool:
        """Refuse a cause that cannot have been that throw's; whether it counts against the
        shooter."""
        if cause.person and not self.person:
            refuse("name-missing", cause.cites, cause=self.reason)
        of = table.before if table.before is not None and not thrown(table) else table
        if cause.whose == "no line" and of is not table:
            refuse("false-ground", cause.cites, "settled", seat=of.hand.shooter)
        return check_ground(layout, of, cause, self.person)

    def _of_settled(
        self, layout: Layout, table: Table, cause: CauseRule | None, cites: Cites, *, counts: bool
    ) -> tuple[list[AnyDecision], Table]:
        """The last roll, or the round, is taken back; with the table as it was before."""
        off = (table.at_no_roll or table).die_off
        taken = take_back(layout, table, Reversed(self.reason, cites, self.whole_round))
        if cause is None or self.whole_round:
            return taken.made, taken.table
        # It was no roll, as is known now.
        void = no_roll(
            *(layout, taken.table, cites, self.reason),
            counts=counts,
            by=self.by,
            under=taken.under,
            reported=self.reason == OFF_TABLE and off,
        )
        return [*taken.made, *void, Ranked(RANKS.get(self.by, 0), cites)], taken.table

    def _grounds(self, layout: Layout, table: Table) -> tuple[Cites, Cites, bool]:
        """The clauses of the order, those of what it does to a settled roll, and whether wagers
        are handed back instead of restored."""
        cause = layout.procedure.causes.get(self.reason)
        if cause is not None and cause.effect in ("must", "void") and not self.whole_round:
            return self._ordered(layout, table, cause), (), False
        name: PowerName = "void round" if self.whole_round else "void roll"
        cites = check_power(layout, name, self.by, self.reason)
        given = layout.procedure.power(name, self.reason)
        if name == "void roll" and given is not None and self.reason == CAUSE:
            refuse("cause-missing", cause_cites(layout), "void", causes=undoing(layout))
        if given is not None:
            self._check_needs(table, given.needs, given.cites)
        reversal = layout.procedure.reversals.get(self.reason)
        if reversal is None:
            return cites, (), self.whole_round
        return cites, reversal.cites, self.whole_round or reversal.value == "return"

    def _ordered(self, layout: Layout, table: Table, cause: CauseRule) -> Cites:
        """The clauses by which a cause voids a throw."""
        if cause.effect == "must":
            known = tuple(reasons(layout, "void roll"))
            do = "void otherwise" if known else ""
            refuse(
                "goes-to-dispute", cause.cites, "settled", do=do, reason=self.reason, known=known
            )
        if cause.whose == "judged" and not thrown(table):
            refuse("goes-to-dispute", cause.cites, "settled", reason=self.reason)
        power = check_power(layout, "void roll", self.by, CAUSE)
        if thrown(table):
            check_left_open(layout, table, cause, self.by)
            _check_calls(layout, cause, self.by)
            return join(cause.cites, power)
        if "unreadable" in cause.kind and (final := face_decided(layout, table)):
            refuse("face-final", final, "decided")
        # A throw since that was no roll may have been decided by somebody else.
        rank = ((table.before and table.at_no_roll) or table).rank
        if RANKS.get(self.by, len(RANKS)) < rank:
            voids = layout.procedure.power("void roll", CAUSE)
            may = {who for who in voids.who if RANKS[who] == rank} if voids else ()
            _refuse_outranked(layout, rank, join(cause.cites, power), may)
        return join(cause.cites, power)

    def _handed(
        self,
        layout: Layout,
        table: Table,
        restored: Table,
        hands_back: bool,
        cites: Cites,
        forfeit: Cites,
    ) -> list[AnyDecision]:
        """What is handed back, where that is so, and what is forfeited in any case."""
        if not hands_back and not self.forfeit:
            return []
        decided = None if self.whole_round else decided_by(layout, table)
        ends = self._ended(layout, restored, decided, cites, forfeit)
        handed = [each for each in ends if hands_back or type(each) is Settled]
        return handed + left_over(layout, restored, handed)

    def _ended(
        self,
        layout: Layout,
        restored: Table,
        decided: set[tuple[str, str]] | None,
        cites: Cites,
        forfeit: Cites,
    ) -> Iterator[AnyDecision]:
        """The wagers that the roll decided, or all of the round: back, or kept by the house."""
        gone = layout.procedure.voucher.forfeited
        for seat in restored.seats.values():
            for wager in seat.wagers.values():
                stake, voucher = wager.stake, wager.voucher
                if decided is not None and (seat.name, wager.spot) not in decided:
                    continue
                if self.forfeit and seat.name == self.person:
                    why, taken = join(forfeit, gone if voucher else ()), stake - voucher
                    yield Settled(
                        *(seat.name, wager.spot, "lose", stake, 0, taken, 0, why), voucher=voucher
                    )
                else:
                    yield Returned(
                        *(seat.name, wager.spot, stake, wager.fee, "roll void", cites),
                        voucher=voucher,
                    )

    def _check_needs(self, table: Table, needs: tuple[Need, ...], cites: Cites) -> None:
        given = {"person": self.person, "player or dealer": self.person, "note": self.note}
        for need in needs:
            if not given[need]:
                refuse(f"{'note' if need == 'note' else 'person'}-missing", cites, "on record")
            if need == "player or dealer" and self.person not in _people(table):
                refuse("not-seated", cites, "no dealer", name=self.person)

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        powers = layout.procedure.powers
        rolls = dict.fromkeys((*powers["void roll"], *layout.procedure.causes))
        for whole, named in ((False, rolls), (True, powers["void round"])):
            for reason in named:
                for forfeit in (False, True):
                    yield cls(
                        by=by,
                        reason=reason,
                        person=suspect(table, layout.procedure.causes.get(reason)),
                        note="note",
                        forfeit=forfeit,
                        whole_round=whole,
                    )


def _made_again(
    layout: Layout, back: TakenBack, called: DecideFaces | Overrule, cause: str, cites: Cites
) -> Followed:
    """A throw that was taken back, as it is decided now: settled by these faces, or no roll."""
    if called.first:
        roll = Roll(called.first, called.second)
        decisions, warnings = settled(layout, back.thrown, roll, cites, called, back.table)
        return [*back.made, *decisions], warnings
    why = join(cites, layout.principles["no roll"])
    void = no_roll(layout, back.table, why, cause, counts=False, by=called.by, under=back.under)
    return [*back.made, *void], []


def _check_calls(layout: Layout, cause: CauseRule, by: str) -> None:
    """While a throw is under way it is called no roll, by those whose call that is."""
    power = layout.procedure.power("no roll")
    who = cause.who or (power.who if power is not None else (USUAL["no roll"],))
    if by not in (*AUTOMATIC, *who):
        names = station_names(layout, who)
        cites = join(cause.cites, power.cites if power is not None and not cause.who else ())
        refuse("not-your-call", join(cites, role_cites(layout, by)), "under way", names=names)


def _overruling(layout: Layout) -> list[Power]:
    """The powers to overrule a call, whoever decided it last."""
    return list(layout.procedure.powers["overrule"].values())


def _people(table: Table) -> set[str]:
    """The players of this roll and of the round, and those who deal."""
    known = (table, table.before, table.round_start)
    players = {name for each in known if each is not None for name in each.seats}
    stand_ins = {name for name, station in table.floor.stand_ins.items() if station in DEALERS}
    return players | DEALERS | stand_ins


def _refuse_outranked(
    layout: Layout, rank: int, cites: Cites, may: Collection[str] = ()
) -> NoReturn:
    """Somebody of this rank has decided, whom only those above correct, or those who `may`."""
    # Not one clause but all of them together say who stands above whom.
    all_of_them = join(cites, *(each.cites for each in _overruling(layout)))
    able = dict.fromkeys(who for each in _overruling(layout) for who in each.who)
    above = [who for who in able if who in may or RANKS[who] > rank]
    names = station_names(layout, above)
    refuse("outranked", all_of_them or layout.silence, "" if above else "final", names=names)


def _check_counts(layout: Layout, table: Table, void: Table) -> None:
    """Refuse a total for a throw that was no roll and is known to have been none."""
    lacking = void.floor.ground == LACKING
    # Who threw and is not here any more had the wager when the dice left the hand.
    here = void.hand.shooter in void.seats
    if lacking or (here and not thrown(void) and lacks_line(layout, void)):
        cites = eligible_cites(layout, void.puck)
        refuse("false-ground", cites, "no line", seat=void.hand.shooter)
    if table.floor.dice.left == 2:
        refuse("false-ground", layout.procedure.causes[OFF_TABLE].cites, "die left")


def _as_settled(table: Table, first: int, second: int) -> bool:
    """Whether the last roll was settled as these faces."""
    return sorted(table.faces) == sorted((first, second))


def _for_dispute(layout: Layout, table: Table, called: Overrule) -> list[AnyDecision]:
    """Where a miscall is corrected only by deciding a dispute about it: that dispute, decided.

    What was decided below is reviewed where that was asked for: whether the throw counts, but not
    a face.
    """
    power, by = layout.procedure.power("overrule"), called.by
    if by in AUTOMATIC or power is None or "dispute" not in power.needs:
        return []
    disputes, left = list(table.floor.disputes), _to_review(layout, table, by)
    if left >= 0 or 0 < table.rank < RANKS.get(by, 0):
        step, (at, review) = "review", _for_review(layout, table, called, left)
        cites = join(power.cites, review.given.get(by, review.cites))
    else:
        decides = layout.procedure.power("decide faces")
        if called.first and decides is not None and by not in decides.who:
            check_uncontested(layout, table)  # nobody takes the face from those who decide it
        step, cites, past = "decide", power.cites, table.at_no_roll or table.before
        since = len(past.floor.disputes) if past is not None else 0
        at = last_dispute(table)
        if at < since:
            check_uncontested(layout, table)
            refuse("not-met", cites, do="dispute", need="dispute")
    disputes[at] = msgspec.structs.replace(disputes[at], step=step, judge=by)
    words = saying("dispute decided", seat=disputes[at].seat)
    return [change(table, words, cites, disputes=tuple(disputes))]


def _to_review(layout: Layout, table: Table, by: str) -> int:
    """The dispute about the last throw that was decided below, which left that throw as it was
    called, where its owner wants it reviewed and nothing else is open; else -1."""
    power, review = (layout.procedure.power(name) for name in ("overrule", "review dispute"))
    past, disputes = table.at_no_roll or table.before, table.floor.disputes
    if power is None or "dispute" not in power.needs or review is None or by not in review.who:
        return -1
    if table.rank or past is None or last_dispute(table) >= (since := len(past.floor.disputes)):
        return -1
    rank = RANKS.get(by, -1)
    wanted = [
        at
        for at, each in enumerate(disputes[since:], since)
        if each.step == "decide" and "review" in each.asked and RANKS.get(each.judge, rank) < rank
    ]
    return wanted[-1] if wanted else -1


def _for_review(
    layout: Layout, table: Table, called: Overrule, left: int = -1
) -> tuple[int, Power]:
    """Which dispute, decided below, is to be reviewed, and the power to review it."""
    review, disputes = layout.procedure.power("review dispute"), table.floor.disputes
    face = called.first and table.at_no_roll is None
    if face and not face_decided(layout, table):
        refuse("face-final", decide_cites(layout), "not asked")
    if review is None or called.by not in review.who or face:
        refuse("face-final", decide_cites(layout))
    if left >= 0:
        return left, review
    below, past = ("decide", STATIONS[table.rank]), table.at_no_roll or table.before
    # Those of this throw: what was decided before it was made or corrected says nothing of it.
    ended = {n for n, each in enumerate(past.floor.disputes if past else ()) if each.step != "open"}
    mine = [
        n for n, each in enumerate(disputes) if (each.step, each.judge) == below and n not in ended
    ]
    wanted = [n for n in mine if "asked" not in review.needs or "review" in disputes[n].asked]
    if not wanted:
        do = "ask for review" if mine else "decide first"
        judge = station_name(layout, STATIONS[table.rank])
        values = {"seat": disputes[mine[-1]].seat} if mine else {"judge": judge}
        refuse("not-met", review.cites, do=do, need="asked", **values)
    return wanted[-1], review
