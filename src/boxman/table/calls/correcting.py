"""Calls that correct a throw: faces disputed and decided, miscalls overruled, rolls voided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Self

import msgspec

from boxman.dice import Roll
from boxman.rules.duties import RANKS, STATIONS, Need, PowerName
from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.call import CREW, ENTERED, Call, ConsoleEntry, call
from boxman.table.calls.throw import settled
from boxman.table.floor.confirming import lapse
from boxman.table.floor.dice_set import before_the_roll, not_off
from boxman.table.floor.machine import check_decided
from boxman.table.floor.people import AUTOMATIC, PLAYER, STICK
from boxman.table.floor.powers import check_power, station_name
from boxman.table.floor.shooters import check_shooter, eligible_cites
from boxman.table.floor.standing import last_dispute
from boxman.table.floor.throw import DECIDED, SETTLED, UNDECIDED, thrown
from boxman.table.floor.throws import (
    OFF_TABLE,
    check_faces,
    check_ground,
    decide_cites,
    no_roll,
    suspect,
    voided,
)
from boxman.table.fresh import place_of
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
from boxman.table.settle import settle
from boxman.table.state import (
    AnyDecision,
    Cites,
    Floored,
    Handed,
    Moved,
    Phased,
    Ranked,
    Returned,
    Reversed,
    Settled,
    Table,
    apply,
)
from boxman.table.wagers import hand_over, left_over, seat_at

Scope = Annotated[bool, OneOf((False, True), "void")]
Forfeit = Annotated[
    bool,
    OneOf((False, True), "what-that-person-had-on-it"),
]
IN_DISPUTE = ("disputed", "call it")
THROWN = ("out", "landed", "rest")


@call(
    "{seat} disputes~the~faces",
    stations=(PLAYER,),
    phases=("open", "closed", *THROWN),
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
        if table.phase in IN_DISPUTE:
            refuse("already-so", cites, "disputed")
        if table.phase in THROWN:
            return [Phased("disputed", cites)], []
        if table.floor.contested:
            refuse("already-so", cites, "disputed")
        if layout.procedure.power("decide faces") is None or not _called(table):
            refuse("not-now", cites, "no throw to dispute")
        if table.rank:
            refuse("face-final", cites)
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
    moves={**dict.fromkeys(SETTLED, DECIDED), "at rest": DECIDED},
)
class DecideFaces(Call, frozen=True, kw_only=True):
    """Staff decide disputed faces; 0 and 0 voids the throw."""

    first: FirstFace = 0
    second: SecondFace = 0

    def half_of(self, table: Table) -> str:
        return ENTERED

    def rule(self, layout: Layout, table: Table) -> Followed:
        void = not self.first
        reason = "void" if void else "call it" if table.phase == "call it" else ""
        power = check_power(layout, "decide faces", self.by, reason)
        if table.phase not in IN_DISPUTE:
            if not table.floor.contested or not _called(table):
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
        back, restored = _take_back(layout, table, "overruled", cites)
        if not self.first:
            why = join(cites, layout.principles["no roll"])
            void = no_roll(layout, restored, why, "faces", counts=False, by=self.by)
            return [*back, *void, ranked], []
        roll, thrown_as = Roll(self.first, self.second), _as_thrown(table, restored)
        decisions, warnings = settled(layout, thrown_as, roll, cites, self, restored)
        return [*back, *decisions, ranked], warnings

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        for first in (0, 1):
            yield cls(by=by, first=first, second=first)


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
        cites = check_power(layout, "overrule", self.by)
        judged = _for_dispute(layout, table, self.by)
        if self.first or self.second:
            check_faces(layout, self.first, self.second)
        rank = RANKS.get(self.by, len(RANKS))
        if rank <= table.rank:
            # Not one clause but all of them together say who stands above whom.
            chain = layout.procedure.power("overrule")
            above = [who for who in chain.who if RANKS[who] > table.rank] if chain else []
            names = tuple(station_name(layout, who) for who in above)
            every = (each.cites for each in layout.procedure.powers["overrule"].values())
            all_of_them = join(cites, *every) or layout.silence
            refuse("outranked", all_of_them, "" if above else "final", names=names)
        # A clause may say who corrects the one that decided last.
        whose = layout.procedure.power("overrule", STATIONS[table.rank])
        cites = whose.given.get(self.by, cites) if whose else cites
        ranked = Ranked(rank, cites or layout.silence)
        check_decided(layout, table)
        if table.missed and not table.no_roll:
            refuse("no-roll-to-take-back", cites or layout.silence, "later throw")
        if table.no_roll and not self.first:
            refuse("already-so", cites or layout.silence, "no roll")
        if _called(table) and _as_settled(table, self.first, self.second):
            faces = f"{self.first}-{self.second}"
            refuse("already-so", cites or layout.silence, "roll", faces=faces)
        if table.no_roll and self.first:
            if check_shooter(layout, table) == "no roll":
                refuse(
                    "false-ground",
                    eligible_cites(layout, table.puck),
                    "no line",
                    seat=table.hand.shooter,
                )
            if table.floor.dice.left == 2:
                refuse("false-ground", layout.procedure.causes[OFF_TABLE].cites, "die left")
            dice: list[AnyDecision] = not_off(table, cites or layout.silence)
            if table.counted:  # and not against the shooter any more
                hand = msgspec.structs.replace(table.hand, no_rolls=table.hand.no_rolls - 1)
                dice.append(Handed(hand, "", cites or layout.silence))
            for decision in dice:
                table = apply(table, decision)
            decisions, warnings = settled(layout, table, Roll(self.first, self.second), cites, self)
            return [*dice, *decisions, ranked, *judged], warnings
        back, restored = _take_back(layout, table, "overruled", cites or layout.silence)
        if not self.first:
            why = join(cites, layout.principles["no roll"])
            void = no_roll(layout, restored, why, "overruled", counts=False)
            return [*back, *void, ranked, *judged], []
        roll, thrown_as = Roll(self.first, self.second), _as_thrown(table, restored)
        decisions, warnings = settled(layout, thrown_as, roll, cites, self, restored)
        return [*back, *decisions, ranked, *judged], warnings

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
        cites, hands_back = self._grounds(layout, table)
        cites = cites or layout.silence
        forfeit = check_power(layout, "forfeit", self.by, self.reason) if self.forfeit else ()
        if self.forfeit and not self.person:
            refuse("person-missing", forfeit or cites, "forfeit")
        cause = layout.procedure.causes.get(self.reason)
        of = table.before if table.before is not None and not thrown(table) else table
        own = cause is not None and check_ground(layout, of, cause, self.person)
        back: list[AnyDecision] = []
        if thrown(table) and not (self.whole_round and table.puck):
            # An order concerns the throw it is given for.
            restored = table
            if self.forfeit:
                check_decided(layout, table)
            back = no_roll(layout, table, cites, self.reason, counts=own, by=self.by)
            back.append(Ranked(RANKS.get(self.by, 0), cites))
            hands_back = self.whole_round
        else:
            if cause is not None and cause.whose == "no line":
                refuse("false-ground", cause.cites, "settled", seat=table.hand.shooter)
            back, restored = _take_back(layout, table, self.reason, cites, self.whole_round)
            if cause is not None and not self.whole_round:  # it was no roll, as is known now
                back += no_roll(layout, restored, cites, self.reason, counts=own, by=self.by)
                back.append(Ranked(RANKS.get(self.by, 0), cites))
        handed: list[AnyDecision] = []
        if hands_back:
            decided = None if self.whole_round else _decided(layout, table)
            handed = [*self._handed_back(restored, decided, cites, forfeit or cites)]
            handed += left_over(layout, restored, handed)
        return [*back, *handed], []

    def _grounds(self, layout: Layout, table: Table) -> tuple[Cites, bool]:
        """The clauses it rests on, and whether wagers are handed back instead of restored."""
        cause = layout.procedure.causes.get(self.reason)
        if not self.whole_round and cause is not None and cause.effect == "must":
            known = tuple(layout.procedure.powers["void roll"])
            do = "void otherwise" if known else ""
            refuse(
                "goes-to-dispute", cause.cites, "settled", do=do, reason=self.reason, known=known
            )
        if not self.whole_round and cause is not None and cause.effect == "void":
            if cause.whose == "judged" and not thrown(table):
                refuse("goes-to-dispute", cause.cites, "settled", reason=self.reason)
            power = check_power(layout, "void roll", self.by, "cause")
            return join(cause.cites, power), False
        name: PowerName = "void round" if self.whole_round else "void roll"
        cites = check_power(layout, name, self.by, self.reason)
        given = layout.procedure.power(name, self.reason)
        if given is not None:
            self._check_needs(table, given.needs, given.cites)
        reversal = layout.procedure.reversals.get(self.reason)
        if reversal is None:
            return cites, self.whole_round
        return join(cites, reversal.cites), self.whole_round or reversal.value == "return"

    def _handed_back(
        self, restored: Table, decided: set[tuple[str, str]] | None, cites: Cites, forfeit: Cites
    ) -> Iterator[AnyDecision]:
        """The wagers that the roll decided, or all of the round: back, or kept by the house."""
        for seat in restored.seats.values():
            for wager in seat.wagers.values():
                stake = wager.stake
                if decided is not None and (seat.name, wager.spot) not in decided:
                    continue
                if self.forfeit and seat.name == self.person:
                    yield Settled(seat.name, wager.spot, "lose", stake, 0, stake, 0, forfeit)
                else:
                    yield Returned(
                        *(seat.name, wager.spot, stake, wager.fee, "roll void", cites),
                        voucher=wager.voucher,
                    )

    def _check_needs(self, table: Table, needs: tuple[Need, ...], cites: Cites) -> None:
        given = {"person": self.person, "player or dealer": self.person, "note": self.note}
        for need in needs:
            if not given[need]:
                refuse(f"{'note' if need == 'note' else 'person'}-missing", cites, "on record")
            if need == "player or dealer" and self.person not in _people(table):
                refuse("not-seated", cites, name=self.person)

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        powers = layout.procedure.powers
        rolls = dict.fromkeys((*powers["void roll"], *layout.procedure.causes))
        for whole, reasons in ((False, rolls), (True, powers["void round"])):
            for reason in reasons:
                for forfeit in (False, True):
                    yield cls(
                        by=by,
                        reason=reason,
                        person=suspect(table, layout.procedure.causes.get(reason)),
                        note="note",
                        forfeit=forfeit,
                        whole_round=whole,
                    )


def _people(table: Table) -> set[str]:
    """The players of this roll and of the round, and everybody who works the table."""
    known = (table, table.before, table.round_start)
    players = {name for each in known if each is not None for name in each.seats}
    return players | set(STATIONS) | set(table.floor.stand_ins)


def _called(table: Table) -> bool:
    """Whether the last throw was called and settled, and no other has been made since."""
    return table.before is not None and not table.missed and not table.no_roll


def _as_settled(table: Table, first: int, second: int) -> bool:
    """Whether the last roll was settled as these faces."""
    return sorted(table.faces) == sorted((first, second))


def _take_back(
    layout: Layout, table: Table, why: str, cites: Cites, whole_round: bool = False
) -> tuple[list[AnyDecision], Table]:
    """The roll taken back, who has the dice again, and the table as it was before.

    Refused when somebody no longer has the chips for it.
    """
    if (table.round_start if whole_round else table.before) is None:
        refuse("no-roll-to-take-back", cites)
    made = Reversed(why, cites, whole_round)
    after = apply(table, made)
    short = [seat.name for seat in after.seats.values() if seat.rail < 0]
    if short:
        refuse("goes-to-dispute", cites, "chips", short=tuple(short))
    back: list[AnyDecision] = [made]
    name = after.hand.shooter
    if name != table.hand.shooter and name == STICK:
        back.append(Handed(after.hand, "stick throws", cites))
    elif name != table.hand.shooter and name in after.seats:
        back.append(Handed(after.hand, "shooter", cites, {"seat": name}))
    if table.floor.ground or table.floor.contested:
        back.append(change(table, "", cites, ground="", contested=""))
    for decision in back[1:]:
        after = apply(after, decision)
    for decision in (*_floor_too(layout, table, made), *_vouchers_too(layout, table, after)):
        back.append(decision)
        after = apply(after, decision)
    return back, after


def _floor_too(layout: Layout, table: Table, back: Reversed) -> Iterator[AnyDecision]:
    """What the roll did to the floor: rounds counted at its end, dice that were its shooter's.

    And what waits since then, or was placed by staff, does so for a wager that is undone.
    """
    if table.floor.pending:
        yield from lapse(layout, table)
    elif table.floor.placed_for:
        yield change(table, "", back.cites, placed_for=frozenset())
    old = table.round_start if back.whole_round else table.before
    assert old is not None
    was, now = old.floor, table.floor
    if (was.idle, was.wagered) != (now.idle, now.wagered):
        yield change(table, "", back.cites, idle=was.idle, wagered=was.wagered)
    dice = before_the_roll(table)
    if dice != now.dice:
        yield change(table, "", back.cites, dice=dice)


def _vouchers_too(layout: Layout, table: Table, restored: Table) -> Iterator[Floored]:
    """Vouchers as before the roll: bet since, in hand again; come back since, down again."""
    for back, vouchers in (
        (True, _bet_since(table)),
        (False, _back_since(layout, table, restored)),
    ):
        for name, voucher in vouchers:
            yield (made := hand_over(layout, restored, name, voucher, back=back))
            restored = apply(restored, made)


def _bet_since(table: Table) -> Iterator[tuple[str, int]]:
    """Whose vouchers were put down since the roll."""
    for seat in table.seats.values():
        for spot in seat.wagers:
            new = table.fresh.get(place_of(seat.name, spot))
            if new is not None and new.voucher:
                yield seat.name, new.voucher


def _decided(layout: Layout, table: Table) -> set[tuple[str, str]]:
    """Whose wagers the last roll decided; what it moved, or left standing, it did not."""
    assert table.before is not None
    rolled = settle(layout, table.before, Roll(*table.faces))
    over = (each for each in rolled if isinstance(each, Settled | Returned))
    return {(each.seat, each.spot) for each in over if isinstance(each, Returned) or not each.up}


def _as_thrown(table: Table, restored: Table) -> Table:
    """The restored table under the limits its roll was thrown under, by which it is settled."""
    old = table.before
    assert old is not None
    was, replace = old.floor, msgspec.structs.replace
    own = {"old": was.old, "grants": was.grants, "kept": was.kept, "partners": was.partners}
    return replace(restored, posted=old.posted, floor=replace(restored.floor, **own))


def _back_since(layout: Layout, table: Table, restored: Table) -> Iterator[tuple[str, int]]:
    """Whose vouchers lay at the roll, were not decided by it, and lie there no more."""
    old = table.before
    if old is None or not any(w.voucher for s in old.seats.values() for w in s.wagers.values()):
        return
    rolled = settle(layout, old, Roll(*table.faces))
    gone = {(d.seat, d.spot) for d in rolled if isinstance(d, Settled) and not d.up}
    moved = {(d.seat, d.spot): d.to for d in rolled if isinstance(d, Moved)}
    for seat in restored.seats.values():
        for wager in seat.wagers.values():
            spot = moved.get((seat.name, wager.spot), wager.spot)
            up = table.seats[seat.name].wagers.get(spot)
            new = table.fresh.get(place_of(seat.name, spot))
            lies = up is not None and up.voucher > (new.voucher if new else 0)
            if wager.voucher and not lies and (seat.name, wager.spot) not in gone:
                yield seat.name, wager.voucher


def _for_dispute(layout: Layout, table: Table, by: str) -> list[AnyDecision]:
    """Where a miscall is corrected only by deciding a dispute: that dispute, decided."""
    power = layout.procedure.power("overrule")
    if by in AUTOMATIC or power is None or "dispute" not in power.needs:
        return []
    if 0 < table.rank < RANKS.get(by, 0):  # decided below, and what was decided so is final
        refuse("face-final", decide_cites(layout))
    at = last_dispute(table)
    if at < 0:
        refuse("not-met", power.cites, do="dispute", need="dispute")
    disputes = list(table.floor.disputes)
    disputes[at] = msgspec.structs.replace(disputes[at], step="decide", judge=by)
    words = saying("dispute decided", seat=disputes[at].seat)
    return [change(table, words, power.cites, disputes=tuple(disputes))]
