"""What people say beyond wagers and dice: limits, notices, conduct, disputes, closing."""

from __future__ import annotations

from boxman.table.calls import Call


class Say(Call, frozen=True, kw_only=True):
    """A player calls a wager out; it waits for chips and confirmation."""

    seat: str
    spot: str
    amount: int


class Confirm(Call, frozen=True, kw_only=True):
    """Staff confirm aloud what waits for it: a late or spoken wager, a call on, faces."""

    seat: str
    spot: str


class PlaceFor(Call, frozen=True, kw_only=True):
    """Staff put a player's chips on a spot, on his instruction."""

    seat: str
    spot: str
    amount: int


class Object(Call, frozen=True, kw_only=True):
    """A player objects to a wager that staff placed for him."""

    seat: str
    spot: str


class Record(Call, frozen=True, kw_only=True):
    """Staff note something about a person or the table."""

    what: str
    person: str = ""
    note: str = ""


class Tell(Call, frozen=True, kw_only=True):
    """Somebody outside the table is told: the inspector, surveillance."""

    whom: str


class ShowNotice(Call, frozen=True, kw_only=True):
    """A sign goes up: new limits, or closing."""

    what: str
    minimum: int = 0
    maximum: int = 0
    unit: int = 0


class Agree(Call, frozen=True, kw_only=True):
    """A player agrees to the change shown."""

    seat: str


class PostLimits(Call, frozen=True, kw_only=True):
    """New limits bind."""

    minimum: int
    maximum: int
    unit: int = 0
    reason: str = ""


class GrantLimits(Call, frozen=True, kw_only=True):
    """One player gets limits of his own; 0 leaves a figure out."""

    seat: str
    minimum: int = 0
    maximum: int = 0


class KeepLimits(Call, frozen=True, kw_only=True):
    """One player keeps the old minimum and unit after a change, or no longer."""

    seat: str
    keep: bool = True


class ChangeStick(Call, frozen=True, kw_only=True):
    """Another stickperson takes over."""


class Leave(Call, frozen=True, kw_only=True):
    """A player leaves the table; wagers stand until decided."""

    seat: str


class Sanction(Call, frozen=True, kw_only=True):
    """Staff exclude somebody, refuse his wagers, void them, or ask him to give up his place."""

    what: str
    seat: str
    reason: str = ""


class LinkPartners(Call, frozen=True, kw_only=True):
    """Two players are held to act together: one maximum for both."""

    first: str
    second: str


class OpenDispute(Call, frozen=True, kw_only=True):
    """A player disputes something."""

    seat: str
    about: str


class JudgeDispute(Call, frozen=True, kw_only=True):
    """The dispute is decided, reviewed on request, or inspected."""

    step: str
    seat: str = ""
    """Whose dispute; empty means the last one."""
    note: str = ""


class HandleDice(Call, frozen=True, kw_only=True):
    """Something happens to the set of dice."""

    event: str


class StandIn(Call, frozen=True, kw_only=True):
    """Somebody else does the work of a station."""

    person: str
    station: str


class GiveVoucher(Call, frozen=True, kw_only=True):
    """The house gives a player a promotional voucher."""

    seat: str
    amount: int


class CloseTable(Call, frozen=True, kw_only=True):
    """The table closes."""

    reason: str = ""


class Choose(Call, frozen=True, kw_only=True):
    """Staff want another value of a setting at a table that is open."""

    setting: str
    value: str


AnyFloorCall = (
    Say
    | Confirm
    | PlaceFor
    | Object
    | Record
    | Tell
    | ShowNotice
    | Agree
    | PostLimits
    | GrantLimits
    | KeepLimits
    | ChangeStick
    | Leave
    | Sanction
    | LinkPartners
    | OpenDispute
    | JudgeDispute
    | HandleDice
    | StandIn
    | GiveVoucher
    | CloseTable
    | Choose
)
