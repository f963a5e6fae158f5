"""People and throws as compiled: who may do what, what voids a roll, every duty by its name.

A duty is an attribute: `procedure.dice.inspected` is the stations that look the dice over with the
clauses that say so, or None where the rulebook is silent. A rule that is only stated, such as
`procedure.shooter.keeps_the_dice`, is the clauses that state it; none of them means silence. A
misspelt duty is a type error. The keys that facts may have are made from the attributes.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

import msgspec

from boxman.rules import duties
from boxman.rules.cites import Cited, Cites
from boxman.rules.duties import (
    AnyStation,
    Awaited,
    CauseFact,
    ConfirmFact,
    CrewFact,
    May,
    Need,
    PowerName,
    RecordFact,
)
from boxman.rules.facts import Fact


class Power(May, frozen=True, kw_only=True):
    """Who may make a call, for one reason, and what it wants besides."""

    given: dict[str, Cites]
    """Each station with the clauses that give it the power."""
    cites: Cites
    """Every clause that gives the power to anybody."""
    needed: dict[Need, Cites] = {}
    """What it wants, each with the clauses that want it."""


class CauseRule(CauseFact, frozen=True, kw_only=True):
    """What a cause does to a throw, and who may call it where that is a choice."""

    cites: Cites


class ConfirmRule(ConfirmFact, frozen=True, kw_only=True):
    """Who confirms, and until when."""

    given: dict[str, Cites]
    """Each station with the clauses that make its word count."""
    cites: Cites
    until_cites: Cites = ()


class RecordRule(RecordFact, frozen=True, kw_only=True):
    """What staff note, and who of them."""

    cites: Cites


class CrewRule(CrewFact, frozen=True, kw_only=True):
    """The crew of a table with so many sides, and who may have it opened so."""

    cites: Cites
    who_cites: Cites = ()


class ByKey(msgspec.Struct, frozen=True):
    """Duties that a fact states by its keys; each may stand in a fact of its own."""


class ByWord(msgspec.Struct, frozen=True, rename=lambda name: name.replace("_", " ")):
    """Duties that a fact states one at a time, by their words."""


S = TypeVar("S")
Common = Annotated[S, "common"]
"""A duty that every house has, stated or not, or that a text states anew for later: a house that
states it differs in nothing from one that does not."""


class Order(ByKey, frozen=True):
    """To whom the dice are offered: first the player at the left of a station, then clockwise."""

    numbered: Common[Cited[Literal["clockwise"]] | None] = None
    """How the places are counted."""
    first: Cited[Literal["box", "stick"]] | None = None
    then: Cited[Literal["clockwise"]] | None = None
    later: Cited[Literal["line", "line on a point"]] | None = None
    """After the first shooter: only players with a wager that lets them throw, always or while a
    point is on."""
    onward: Common[Cited[Literal["clockwise"]] | None] = None
    """After the first shooter, to whom they go on; where the text says it anew."""


class Eligible(ByKey, frozen=True):
    """The wagers that let a player throw, when they are needed, and what follows without one."""

    spots: Cited[tuple[str, ...]] | None = None
    taking: Annotated[Cites, "at"] = ()
    roll: Annotated[Cites, "at"] = ()
    kept: Common[Cites] = ()
    """With a point on, where the text says anew that the wager has to be there."""
    lacking: Cited[Literal["refuse", "no roll", "ask"]] | None = None


class Shooter(ByWord, frozen=True):
    """What a shooter is, may and must."""

    one_at_a_time: Common[Cites] = ()
    takes_the_dice: Common[Cites] = ()
    next_takes_the_dice: Common[Cites] = ()
    """Whoever comes after the first shooter, where the text says it anew."""
    the_stick_too: Common[Cites] = ()
    """The stick, when throwing, is a shooter like any other."""
    may_pass_after_any_roll: Cites = ()
    may_pass_after_a_round: Cites = ()
    keeps_the_dice: Common[Cites] = ()
    passes_on_a_seven_out: Common[Cites] = msgspec.field(default=(), name="passes on a seven-out")
    next_finishes_the_round: Cites = ()


class NoShooter(ByKey, frozen=True):
    """What follows when nobody will throw."""

    then: Cited[Literal["wait", "stick throws", "cancel point"]] | None = None
    returns: Cited[tuple[str, ...]] | None = None
    """Spots whose wagers are handed back with a cancelled point."""
    point_lasts: Cited[Literal["line", "wager"]] | None = None
    """A point is cancelled once nobody has a line wager, or no wager at all."""


class Confirmed(ByWord, frozen=True):
    """What counts only when staff confirm it aloud."""

    late: ConfirmRule | None = None
    spoken: ConfirmRule | None = None
    on: ConfirmRule | None = None

    def of(self, what: Awaited) -> ConfirmRule | None:
        """The rule for what waits."""
        return self.late if what == "late" else self.spoken if what == "spoken" else self.on


class NoticeMinutes(ByWord, frozen=True):
    """How many minutes a sign has to be shown before a change binds."""

    minimum_up: Cited[int] | None = None
    minimum_up_at_an_empty_table: Cited[int] | None = None
    unit_up: Cited[int] | None = None
    """A higher unit, where a clause of its own says so; elsewhere it is as a higher minimum."""
    limits: Cited[int] | None = None
    closing: Cited[int] | None = None


class Favour(ByKey, frozen=True):
    """How long players may keep the old minimum after a change, and what ends it."""

    minutes: Cited[int] | None = None
    stick_change_after: Cited[int] | None = None
    """Minutes after which the first change of stickperson ends it."""
    leaving: Cites = ()
    wagering: Cites = ()
    """Only for somebody with a wager up at the change."""


class Dice(ByKey, frozen=True):
    """The set of dice: how many, who inspects it, what a lost die leads to."""

    set: Cited[int] | None = None
    """How many are at the table, those in play and those in the bowl."""
    throw: Cited[int] | None = None
    """How many are thrown."""
    inspected: Cited[tuple[AnyStation, ...]] | None = None
    """All of these, each a different person, before the first throw."""
    inspected_before: Cited[Literal["the offer"]] | None = None
    """What inspections come before, where a clause says more than the first throw."""
    lost: Cited[int] | None = None
    """How many dice may be lost before a new set is due."""
    renew: Cited[Literal["at once", "when the shooter ends", "only then"]] | None = None
    """When a new set comes: at once; when the shooter ends, who may go on; only then."""
    opening: Cited[Literal["complete"]] | None = None
    """What a set has to be when it is offered as play begins."""
    offered: Cited[Literal["complete"]] | None = None
    """What a set has to be when it is offered to the next shooter."""
    original: Cited[Literal["after a check", "at once"]] | None = None
    """When the shooter may have it back: after a check; only until another die was chosen."""
    returned: Common[Cited[Literal["shooter"]] | None] = None
    """Where a checked die goes that was asked for, if a clause of its own says so."""
    recovered: Cited[Literal["bowl", "held"]] | None = None
    """Where a checked die goes if nobody asked for it."""


class Vouchers(ByWord, frozen=True):
    """What a promotional voucher is good for."""

    one_wager: Cites = ()
    forfeited: Cites = ()
    paid_in_chips: Cites = ()
    any_area: Cites = ()
    with_chips: Cites = ()
    whole: Cites = ()
    comes_back: Cites = ()


class Disputes(ByWord, frozen=True):
    """What a complainant is told, and what the route is."""

    told_of_the_inspector: Cites = ()
    kept_on_record: Common[Cites] = ()
    goes_to_a_supervisor: Common[Cites] = ()


class Conduct(ByWord, frozen=True):
    """Rules of conduct the engine keeps by itself."""

    hands_off_until_settled: Cites = ()
    hands_off_losing_wagers: Cites = ()
    player_answers_for_placing: Cites = ()
    wagers_of_a_leaver_stand: Cites = ()


class Procedure(msgspec.Struct, frozen=True, kw_only=True):
    """People and throws: who is who, who may do what, what voids a roll."""

    roles: dict[str, Cited[str]]
    named: dict[str, Cites]
    """The clauses that call a station by its name, whether or not they say who that is."""
    powers: dict[PowerName, dict[str, Power]]
    """Every power by its reason ("" where it needs none); one that nobody has has no reasons."""
    granted: tuple[Power, ...]
    """The same powers in the order of the text."""
    causes: dict[str, CauseRule]
    late: Cites
    """The clauses that want a no roll called before the dice come to rest."""
    late_void: Cites
    """The same of a throw that is void by itself."""
    cocked: Cited[Literal["natural fall", "opposite face", "as decided"]] | None
    reversals: dict[str, Cited[Literal["restore", "return"]]]
    order: Order
    eligible: Eligible
    shooter: Shooter
    no_shooter: NoShooter
    confirm: Confirmed
    records: dict[str, RecordRule]
    notice: NoticeMinutes
    favour: Favour
    closing: Cited[Literal["return"]] | None
    """What becomes of wagers still up when the table closes."""
    dice: Dice
    crew: dict[int, CrewRule]
    """By how many sides are open."""
    voucher: Vouchers
    dispute: Disputes
    signs: dict[str, Cited[str]]
    equipment: dict[tuple[str, str], Cited[bool]]
    """What each thing at the table is or has; whether it only may."""
    advice: Cited[bool] | None
    """Whether screens may give players advice at a live table."""
    idle: Cited[int] | None
    """How many rounds a player at a full table may go without a wager."""
    conduct: Conduct
    centre: dict[str, Cites]
    """The spots in the middle of the layout, which players cannot reach, with their clauses."""
    fixed: dict[str, Cites]
    """Settings that hold until the table closes."""

    def power(self, call: PowerName, reason: str = "") -> Power | None:
        """Who may make this call for this reason; None where nobody may."""
        return self.powers[call].get(reason)

    @property
    def one_side(self) -> CrewRule | None:
        """The crew of one side, where the text has somebody run a table so."""
        crew = self.crew.get(1)
        return crew if crew and crew.who else None


def marked(of: type[msgspec.Struct], mark: str) -> list[str]:
    """The duties of a kind that are declared with a mark."""
    hints = get_type_hints(of, include_extras=True)
    return [name for name, hint in hints.items() if get_args(hint)[1:] == (mark,)]


def _one_of(words: list[str]) -> object:
    return Literal[tuple(words)]


def _key(name: str, hint: object) -> tuple[str, object, object]:
    """The key of a fact that states one duty; left out, it says nothing."""
    if hint == Cites:
        return name, bool, False
    said = get_args(get_args(hint)[0])[0]
    if get_origin(said) is Literal:
        return name, _one_of(["", *get_args(said)]), ""
    return name, said, 0 if said is int else ()


def _fact(kind: str, of: type[msgspec.Struct]) -> type[Fact]:
    """The fact that states duties: a key for each, or their words as the values of one key."""
    if issubclass(of, ByWord):
        words = [field.encode_name for field in msgspec.structs.fields(of)]
        keys: list[Any] = [("rule", _one_of(words))]
    else:
        at = marked(of, "at")
        keys = [_key(name, hint) for name, hint in get_type_hints(of).items() if name not in at]
        keys += [("at", tuple.__class_getitem__((_one_of(at), ...)), ())] if at else []
    made = msgspec.defstruct(kind, keys, bases=(Fact,), frozen=True, kw_only=True)
    return cast(type[Fact], made)


DUTIES: dict[str, type[Fact]] = {
    "role": duties.Role,
    "may": May,
    "cause": CauseFact,
    "timing": duties.Timing,
    "face": duties.FaceFact,
    "reversal": duties.Reversal,
    "order": _fact("order", Order),
    "eligible": _fact("eligible", Eligible),
    "shooter": _fact("shooter", Shooter),
    "no_shooter": _fact("no_shooter", NoShooter),
    "confirm": ConfirmFact,
    "record": RecordFact,
    "notice": duties.NoticeTime,
    "favour": _fact("favour", Favour),
    "closing": duties.Closing,
    "dice": _fact("dice", Dice),
    "crew": CrewFact,
    "centre": duties.Centre,
    "fixed": duties.Fixed,
    "voucher": _fact("voucher", Vouchers),
    "dispute": _fact("dispute", Disputes),
    "sign": duties.Sign,
    "equipment": duties.Equipment,
    "advice": duties.Advice,
    "idle": duties.Idle,
    "conduct": _fact("conduct", Conduct),
}
"""Every kind of fact about people and throws."""
