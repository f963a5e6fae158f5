"""People, dice and signs as values: the part of a table's state that is not money."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

Cites = tuple[str, ...]

GUEST = "guest"
"""The shooter of a table nobody runs: always there, always eligible, never paid."""
STICK = "stick"


class Hand(msgspec.Struct, frozen=True):
    """Who has the dice, who is offered them, who has declined."""

    shooter: str = GUEST
    offered: str = ""
    declined: tuple[str, ...] = ()
    former: str = ""
    """The last shooter, from whom the dice go on clockwise."""
    no_rolls: int = 0
    """How often this shooter's throw was no roll."""


class Pending(msgspec.Struct, frozen=True):
    """Something that waits for confirmation."""

    what: str
    seat: str
    spot: str
    amount: int = 0
    voucher: int = 0
    only: bool = False
    by: tuple[str, ...] = ()
    """Stations that have confirmed so far."""


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


class Kept(msgspec.Struct, frozen=True):
    """The old minimum a player may keep, and since when."""

    minimum: int
    unit: int
    since: int


class Floor(msgspec.Struct, frozen=True):
    """Everything about people and signs: what waits, what was noted, who may not play."""

    pending: tuple[Pending, ...] = ()
    placed_for: frozenset[tuple[str, str]] = frozenset()
    """Wagers staff placed for a seat since the last throw."""
    records: tuple[tuple[str, str], ...] = ()
    told: frozenset[str] = frozenset()
    notice: tuple[str, int, int, int, int] | None = None
    """What is shown, since when, minimum, maximum, unit."""
    agreed: frozenset[str] = frozenset()
    grants: dict[str, tuple[int, int]] = {}
    kept: dict[str, Kept] = {}
    old: tuple[int, int, int] | None = None
    """The minimum and unit before the last change, and when it was."""
    barred: dict[str, Cites] = {}
    """Seats whose wagers are refused."""
    partners: tuple[tuple[str, str], ...] = ()
    disputes: tuple[tuple[str, str, str, str], ...] = ()
    """Who, about what, how far it has come, and who took the last step."""
    stand_ins: dict[str, str] = {}
    vouchers: dict[str, tuple[int, ...]] = {}
    idle: dict[str, int] = {}
    wagered: frozenset[str] = frozenset()
    """Seats that made a wager in this round, where the house counts idle rounds."""
    dice: DiceSet = DiceSet()
    places: int = 0
    """How many places the table has; 0 if nobody said."""
    closed: bool = False
    sides: int = 2
    """How many sides of the table are open."""
    vacating: frozenset[str] = frozenset()
    """Players asked to give up their places; barred until they have left."""


QUIET = Floor()
"""A floor on which nothing has happened, as at most tables."""


class FloorChange(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The fields of a floor that are new; what is not set stays as it was.

    A record and not a loose mapping, so that a decision read back from JSON is the one written.
    """

    pending: tuple[Pending, ...] | UnsetType = UNSET
    placed_for: frozenset[tuple[str, str]] | UnsetType = UNSET
    records: tuple[tuple[str, str], ...] | UnsetType = UNSET
    told: frozenset[str] | UnsetType = UNSET
    notice: tuple[str, int, int, int, int] | UnsetType | None = UNSET
    agreed: frozenset[str] | UnsetType = UNSET
    grants: dict[str, tuple[int, int]] | UnsetType = UNSET
    kept: dict[str, Kept] | UnsetType = UNSET
    old: tuple[int, int, int] | UnsetType | None = UNSET
    barred: dict[str, Cites] | UnsetType = UNSET
    partners: tuple[tuple[str, str], ...] | UnsetType = UNSET
    disputes: tuple[tuple[str, str, str, str], ...] | UnsetType = UNSET
    stand_ins: dict[str, str] | UnsetType = UNSET
    vouchers: dict[str, tuple[int, ...]] | UnsetType = UNSET
    idle: dict[str, int] | UnsetType = UNSET
    wagered: frozenset[str] | UnsetType = UNSET
    dice: DiceSet | UnsetType = UNSET
    places: int | UnsetType = UNSET
    closed: bool | UnsetType = UNSET
    sides: int | UnsetType = UNSET
    vacating: frozenset[str] | UnsetType = UNSET

    def on(self, floor: Floor) -> Floor:
        """The floor with this change."""
        new = {name: value for name in FLOOR_FIELDS if (value := getattr(self, name)) is not UNSET}
        return msgspec.structs.replace(floor, **new)


FLOOR_FIELDS = Floor.__struct_fields__
