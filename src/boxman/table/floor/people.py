"""People, dice and signs as values: the part of a table's state that is not money."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from boxman.rules.cites import Cites
from boxman.rules.duties import Awaited

GUEST = "guest"
"""The shooter of a table nobody runs: always there, always eligible, never paid."""
STICK = "stick"
PLACES_USUAL = 16
"""How many places a table has where nobody said."""
PLAYER = "player"
"""Who a player's call is by, where the crew works by hand."""
AUTOMATIC = ("", "automatic crew")
"""Stations whose calls need no power and cite none."""


class Hand(msgspec.Struct, frozen=True):
    """Who has the dice, who is offered them, who has declined."""

    shooter: str = GUEST
    offered: str = ""
    declined: tuple[str, ...] = ()
    former: str = ""
    """The last shooter, from whom the dice go on clockwise."""
    no_rolls: int = 0
    """How often this shooter's throw was no roll."""
    left: int = 0
    """The place of a last shooter who has left it."""
    at: int = 0
    """The place at which somebody was asked last, where nobody who declined sits there."""


class Pending(msgspec.Struct, frozen=True):
    """Something that waits for confirmation."""

    what: Awaited | Literal["found"]
    seat: str
    spot: str
    amount: int = 0
    voucher: int = 0
    only: bool = False
    by: tuple[str, ...] = ()
    """Stations that have confirmed so far."""
    split: tuple[int, ...] = ()
    """The parts of a wager, where the player named them."""
    but: tuple[str, ...] = ()
    """Wagers for which a call on would count too, and of which the player has said otherwise."""


class DiceSet(msgspec.Struct, frozen=True):
    """The dice at the table: where each of them is."""

    play: int = 2
    bowl: int = 3
    off: int = 0
    found: int = 0
    held: int = 0
    lost: int = 0
    inspected: tuple[str, ...] = ()
    asked: bool = False
    """The shooter asked for the original die back."""
    due: bool = False
    """A new set is due."""
    deferred: bool = False
    """The shooter goes on with the old dice for now."""
    beside: bool = False
    """A new set lies at the table meanwhile; inspections are of that one."""
    stated: int = 0
    """Dice out of play because a throw was no roll for them, and not reported yet."""
    left: int = 0
    """1: the last throw was no roll for a die that left the table; 2: and since then that die was
    found, replaced or given up."""
    thrown_off: bool = False
    """A die left the table in the throw under way, which is no roll for another ground."""
    checked: int = 0
    """Dice that were found, checked and put with the others, while none was chosen for them."""


class Kept(msgspec.Struct, frozen=True):
    """The old minimum a player may keep, and since when."""

    minimum: int
    unit: int
    since: int
    classes: tuple[tuple[str, int, int], ...] = ()
    """Limits of side wagers and other classes, as they were."""


class KeptLimits(Kept, frozen=True):
    """What a player keeps of the last change, and of those before it: each has its own time."""

    earlier: tuple[Kept, ...] = ()
    over: Literal["", "stick"] = ""
    """Why nothing is kept any more: another stickperson has come."""

    @property
    def each(self) -> tuple[Kept, ...]:
        return () if self.over else (self, *self.earlier)

    @staticmethod
    def of(kept: Sequence[Kept]) -> KeptLimits:
        """All of these together, the last change first."""
        last = kept[0]
        own = (last.minimum, last.unit, last.since, last.classes)
        return KeptLimits(
            *own, tuple(Kept(k.minimum, k.unit, k.since, k.classes) for k in kept[1:])
        )

    def at_stick_change(self, since: int) -> KeptLimits:
        """What is left of these, of changes newer than this."""
        left = [each for each in self.each if each.since > since]
        return KeptLimits.of(left) if left else msgspec.structs.replace(self, over="stick")


class Offered(Kept, frozen=True, array_like=True):
    """The minimum and unit before a change, and when it was."""

    over: Literal["", "stick", "empty"] = ""
    """Why nobody may keep them: another stickperson has come since, or nobody was here."""
    wagering: tuple[str, ...] | None = None
    """Who was wagering then and is here still; None in rows from before that was written down."""


class OldLimits(Offered, frozen=True, array_like=True):
    """Those before the last change."""

    earlier: tuple[Offered, ...] = ()
    """Those before changes whose time was not over at this one, the last first."""

    @property
    def each(self) -> tuple[Offered, ...]:
        return self, *self.earlier

    def at_stick_change(self, since: int) -> OldLimits:
        """These, which nobody may begin to keep any more if they are not newer than this."""
        return msgspec.structs.replace(
            self,
            over=self.over or ("stick" if self.since <= since else ""),
            earlier=tuple(each for each in self.earlier if each.since > since),
        )

    def without(self, name: str) -> OldLimits:
        """These, of which somebody who leaves has no part any more."""
        return msgspec.structs.replace(
            self,
            wagering=_without(self, name),
            earlier=tuple(
                msgspec.structs.replace(each, wagering=_without(each, name))
                for each in self.earlier
            ),
        )


def _without(offered: Offered, name: str) -> tuple[str, ...] | None:
    """Who was wagering, but this player."""
    were = offered.wagering
    return None if were is None else tuple(each for each in were if each != name)


class PlacedFor(msgspec.Struct, frozen=True, array_like=True, order=True):
    """Chips that staff placed for a seat."""

    seat: str
    spot: str
    amount: int = 0
    """How much; 0, as it was written once, where that is all that is new there."""
    split: tuple[int, ...] = ()
    """The parts of that, of a wager whose parts are named."""
    above: int = 0
    """On how many other chips that are new there they lie."""


class Recorded(msgspec.Struct, frozen=True, array_like=True):
    """Something staff noted, and about whom."""

    what: str
    person: str


class Announced(msgspec.Struct, frozen=True, array_like=True):
    """A sign that hangs: what it says, since when, and the limits it announces."""

    what: str
    since: int
    minimum: int
    maximum: int
    unit: int
    when: int = 0
    """The time it proposes for the change, in seconds like `since`; 0 where it names none."""
    group: str = ""
    """The spot, family or odds whose limits they are; empty for the table's."""

    @property
    def limits(self) -> tuple[int, int, int]:
        return self.minimum, self.maximum, self.unit

    @property
    def about(self) -> tuple[str, str]:
        """What it is about; a new sign about the same takes the place of the old one."""
        return self.what, self.group

    def due(self, minutes: int) -> int:
        """From when what it announces may be done."""
        return max(self.since + minutes * 60, self.when)


class Granted(msgspec.Struct, frozen=True, array_like=True):
    """Limits granted to one player; a figure that is 0 was left out, and the posted one binds."""

    minimum: int
    maximum: int


class Partners(msgspec.Struct, frozen=True, array_like=True):
    """Two players held to act together."""

    first: str
    second: str

    @property
    def both(self) -> tuple[str, str]:
        return self.first, self.second


class Complaint(msgspec.Struct, frozen=True, array_like=True):
    """A dispute: whose, about what, how far it has come, who took the last step, what is asked."""

    seat: str
    about: str
    step: str = "open"
    judge: str = ""
    asked: tuple[str, ...] = ()
    """The steps that the one whose dispute it is has asked for."""


Matter = Pending | Complaint | Announced | Hand | DiceSet
"""What may wait at a table for somebody: a call, a dispute, a sign, dice nobody has, the set."""


class Floor(msgspec.Struct, frozen=True):
    """Everything about people and signs: what waits, what was noted, who may not play."""

    pending: tuple[Pending, ...] = ()
    placed_for: frozenset[PlacedFor] = frozenset()
    """Wagers staff placed since the last throw."""
    records: tuple[Recorded, ...] = ()
    told: frozenset[str] = frozenset()
    notice: Announced | None = None
    """The sign that was put up last, of those that hang."""
    agreed: frozenset[str] = frozenset()
    grants: dict[str, Granted] = {}
    kept: dict[str, KeptLimits] = {}
    old: OldLimits | None = None
    barred: dict[str, Cites] = {}
    """Seats whose wagers are refused."""
    partners: tuple[Partners, ...] = ()
    disputes: tuple[Complaint, ...] = ()
    stand_ins: dict[str, str] = {}
    vouchers: dict[str, tuple[int, ...]] = {}
    idle: dict[str, int] = {}
    wagered: frozenset[str] = frozenset()
    """Seats that made a wager in this round, where the house counts idle rounds."""
    staked: frozenset[str] = frozenset()
    """Seats with a stake up, or that made one, since new limits were shown."""
    dice: DiceSet = DiceSet()
    places: int = 0
    """How many places the table has; 0 if nobody said."""
    closed: bool = False
    sides: int = 2
    """How many sides of the table are open."""
    vacating: frozenset[str] = frozenset()
    """Players asked to give up their places; barred until they have left."""
    excluded: frozenset[str] = frozenset()
    """Players who take no further part: they are only settled with and cashed out."""
    contested: str = ""
    """Who disputes the faces of the last roll, which was called and settled."""
    ground: str = ""
    """A ground for a no roll stated of the throw under way, or that stood against its release."""
    ground_by: str = ""
    """Who was named for that ground, if anybody was."""
    hung: tuple[Announced, ...] = ()
    """Signs that hang beside the last one, about something else."""
    away: frozenset[str] = frozenset()
    """Players who have left with wagers up, which stand: they are not at the table."""
    sets: int = 0
    """How many new sets of dice have come."""
    small: frozenset[str] = frozenset()
    """Players of whom a wager under the minimum was found, which they are to be advised of."""

    @property
    def notices(self) -> tuple[Announced, ...]:
        """Every sign that hangs, the last one at the end."""
        return (*self.hung, self.notice) if self.notice is not None else ()

    def keeps_out(self, seat: str) -> bool:
        """Whether somebody may not take a place: excluded, or asked to give it up."""
        return seat in self.excluded or seat in self.vacating

    def placed(self, seat: str, spot: str) -> list[PlacedFor]:
        """What staff placed there since the last throw."""
        return [each for each in self.placed_for if (each.seat, each.spot) == (seat, spot)]

    def sign(self, what: str, group: str = "") -> Announced | None:
        """The sign about this, if it hangs."""
        return next((each for each in self.notices if each.about == (what, group)), None)

    def without(self, what: str, group: str = "") -> tuple[Announced, ...]:
        """The signs that hang once this one is down."""
        return tuple(each for each in self.notices if each.about != (what, group))


QUIET = Floor()
"""A floor on which nothing has happened, as at most tables."""


class FloorChange(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The fields of a floor that are new; what is not set stays as it was.

    A record and not a loose mapping, so that a decision read back from JSON is the one written.
    """

    def on(self, floor: Floor) -> Floor:
        """The floor with this change."""
        new = {name: value for name in FLOOR_FIELDS if (value := getattr(self, name)) is not UNSET}
        return msgspec.structs.replace(floor, **new)


FLOOR_FIELDS = Floor.__struct_fields__
if not TYPE_CHECKING:  # the fields are those of Floor, each of which may be left out
    FloorChange = msgspec.defstruct(
        "FloorChange",
        [(name, hint | UnsetType, UNSET) for name, hint in get_type_hints(Floor).items()],
        bases=(FloorChange,),
        module=__name__,
    )
