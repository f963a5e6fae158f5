"""The registry of calls: all that is known of each is declared where the call stands.

A call is a request; the ruling says what becomes of it. Every call carries an id its maker chose,
who makes it and when; time is an argument here, never read from a clock. What reads, writes, rules
on, offers or shows calls goes through `DECLARED` and names none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, TypeVar

import msgspec

from boxman.rules.duties import STATIONS, PowerName
from boxman.rules.layout import Layout
from boxman.table.floor.people import AUTOMATIC, Matter
from boxman.table.floor.throw import DiceMoves, Place
from boxman.table.lines.fields import FieldKind, Made, SeatedField, kind_of
from boxman.table.lines.pattern import Line
from boxman.table.state import PHASES, Cites, Table

if TYPE_CHECKING:
    from boxman.table.rulings import Followed

ABOVE = ("box", "supervisor", "senior", "manager")
BESIDE = ("dealer", *ABOVE)
CREW = ("stick", *BESIDE)
"""The stations of a table: with everybody, without the stick, from the box upwards."""
BEFORE_REST = ("open", "closed", "out", "landed")
"""Until the dice lie still."""
FacesName = Literal["", "called", "disputed", "overruled"]
BrakedName = Literal["", "playing", "staking"]

INSPECTED, ENTERED = "inspected the dice", "entered these faces"
CONFIRMED = "confirmed "
"""What two people do, each a half of it."""


def confirmed(seat: str, spot: str) -> str:
    """The act of those who confirm one wager of a seat."""
    return f"{CONFIRMED}{seat}'s {spot}"


class Call(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=str.lower):
    """The common part of every call."""

    id: str = ""
    by: str = ""
    """The station that makes it; empty means the seat itself, or the stickperson for the dice."""
    at: int = 0
    """Seconds since the evening began."""
    stand_in: str = ""
    """Who does the work of the station `by`, if somebody else was named for it."""

    def rule(self, layout: Layout, table: Table) -> Followed:
        """What follows from it at this table; Refused, if nothing does."""
        raise NotImplementedError(f"no table rules on {self!r}")

    def given(self, layout: Layout, table: Table) -> Cites:
        """The clauses that make it staff's, where its powers alone do not say."""
        return ()

    @property
    def grave(self) -> bool:
        """Whether it undoes what was decided, so that a table may want a second person for it."""
        return False

    def half_of(self, table: Table) -> str:
        """The act of two people that this is a half of, as one says what was done; else nothing."""
        return ""

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        """Those of these calls that a station or a seat might make, worth trying on a table.

        Whatever is accepted of this kind is accepted with one of these reasons for one of these
        people. Where a kind says nothing else: every value of each field there are values of.
        """
        yield from _every(DECLARED[cls], layout, table, by)

    @classmethod
    def wanted(cls, layout: Layout, table: Table) -> Iterator[Self]:
        """What people often want and may not do at once, so that a form can say why not."""
        yield from ()

    @classmethod
    def answers(cls, layout: Layout, table: Table, matter: Matter) -> Iterator[Self]:
        """Those of these calls that answer something that waits; who may say them is ruled on."""
        yield from ()


class ConsoleEntry(NamedTuple):
    """A kind of call as a console shows it."""

    rank: int
    """Its place on the console; its label is the phrase `calls.<tag>`."""
    choices: tuple[str, ...] = ()
    """What is chosen, each from what the choices before it leave."""
    fills: tuple[str, ...] = ()
    """What is typed, or tapped."""
    only: Literal["", "dice by hand", "dice of the house", "second person"] = ""
    """At which tables it is there."""
    as_menu: bool = False
    """Whether the amounts are those of the player's own menu."""


class Declared(NamedTuple):
    """What is declared of one kind of call."""

    kind: type[Call]
    fields: dict[str, FieldKind]
    """What each field holds."""
    needed: tuple[str, ...]
    """The fields that have to be given or chosen."""
    lines: tuple[Line, ...]
    """How the notation says it; none where it has no words for it."""
    stations: tuple[str, ...]
    """From where it may come at a live table; whether this house gives the power is ruled on."""
    speaks: str
    """Who says it where nobody is named."""
    powers: tuple[PowerName, ...]
    """The powers whose clauses say whose it is."""
    also: tuple[PowerName, ...]
    """Powers that some of these calls need, besides those that every one rests on."""
    phases: tuple[str, ...]
    """When in a throw it may be said, in one house or another."""
    moves: DiceMoves
    """Where it may find the dice, and where it leaves them; empty where they are none of its."""
    closed: bool
    """Whether it may be said at a table that is closed."""
    excluded: bool
    """Whether it may be said in the name of somebody excluded."""
    left: bool
    """Whether somebody may say it who has left with wagers up."""
    returns: bool
    """Whether somebody who has left with wagers up is at the table again by saying it."""
    faces: FacesName
    """What it does with the faces of the dice; the house's own dice leave them nothing to do."""
    braked: BrakedName
    """What of a player's own limits it has to keep: those of playing, or of staking too."""
    shared: bool
    """Whether it moves or marks chips of the player who says it, so that a shared hand needs it."""
    console: ConsoleEntry | None

    def ends(self, start: Place) -> tuple[Place, ...]:
        """Where it may leave dice that it finds there."""
        return self.moves.get(start, ())

    @property
    def seated(self) -> bool:
        """Whether the seat speaks; a station that says it takes the seat's part."""
        return bool(self.lines) and all(line.lead == "seat" for line in self.lines)

    @property
    def staff(self) -> bool:
        """Whether only staff make it, players' lines apart."""
        return any(line.side == "crew" for line in self.lines)

    @property
    def tag(self) -> str:
        """Its name in JSON."""
        return str(self.kind.__struct_config__.tag)

    def line(self, call: Call) -> Line:
        """The line that says this call."""
        for line in self.lines:
            if line.fits(call):
                return line
        raise AssertionError(f"no notation for {call!r}")


DECLARED: dict[type[Call], Declared] = {}
"""Every kind of call, in the order of their modules."""

C = TypeVar("C", bound=Call)


def call(
    *lines: str | Line,
    stations: tuple[str, ...] = (),
    speaks: str = "",
    powers: tuple[PowerName, ...] = (),
    also: tuple[PowerName, ...] = (),
    phases: tuple[str, ...] = PHASES,
    moves: DiceMoves | None = None,
    closed: bool = False,
    excluded: bool = False,
    left: bool = False,
    returns: bool = False,
    faces: FacesName = "",
    braked: BrakedName = "",
    shared: bool = False,
    console: ConsoleEntry | None = None,
) -> Callable[[type[C]], type[C]]:
    """Declare a kind of call."""
    made = tuple(Line(line) if isinstance(line, str) else line for line in lines)

    def declare(kind: type[C]) -> type[C]:
        known = {each.name: each for each in msgspec.structs.fields(kind)}
        kinds = {name: kind_of(each.type) for name, each in known.items()}
        fields = {name: each for name, each in kinds.items() if each is not None}
        chosen = console.choices if console is not None else ()
        needed = tuple(name for name in fields if known[name].required or name in chosen)
        for line in made:
            line.typed(fields)
        DECLARED[kind] = Declared(
            *(kind, fields, needed, made, stations, speaks, powers, also, phases),
            *(moves or {}, closed, excluded, left, returns, faces, braked, shared, console),
        )
        return kind

    return declare


def _every(declared: Declared, layout: Layout, table: Table, by: str) -> Iterator[Any]:
    """Every value of each field that has to be given, said by a station or a seat."""
    station = by in STATIONS
    lead = "seat" if declared.seated or (not station and "seat" in declared.fields) else "by"
    names = [name for name in declared.needed if name != lead]
    for values in product(*(declared.fields[name].values(layout, table) for name in names)):
        given: Made = {lead: by, **dict(zip(names, values, strict=True))}
        call = declared.kind(**given)
        if (declared.line(call).side == "player") != station:
            yield call


def least(declared: Declared, layout: Layout, table: Table) -> Iterator[Call]:
    """A call to learn a reason from, where the house has nothing to fill one in with."""
    given: Made = {}
    for name in declared.needed:
        kind = declared.fields[name]
        found = next(iter(kind.values(layout, table)), None)
        if found is None and isinstance(kind, SeatedField):
            return
        given[name] = "" if found is None else found
    yield declared.kind(**given)


def answers(layout: Layout, table: Table, matter: Matter) -> Iterator[Call]:
    """Every call that answers something that waits at a table."""
    for kind in DECLARED:
        yield from kind.answers(layout, table, matter)


def is_staffs(call: Call) -> bool:
    """Whether only staff make this call."""
    declared = DECLARED[type(call)]
    return declared.staff and declared.line(call).side == "crew"


def spoken_lines() -> Iterator[tuple[Declared, Line]]:
    """Every line of the notation and the call it says."""
    for declared in DECLARED.values():
        for line in declared.lines:
            yield declared, line


def speaker_of(declared: Declared, line: Line, call: Call) -> str:
    """Who speaks, as a line names it."""
    if line.side == "crew" and call.by in AUTOMATIC:
        return declared.speaks or "dealer"
    return str(getattr(call, line.lead)) if line.lead else ""
