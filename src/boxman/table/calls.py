"""What people say and do at a table. A call is a request; the ruling says what becomes of it.

Every call carries an id its maker chose, who makes it and when; time is an argument here, never
read from a clock.
"""

from __future__ import annotations

import msgspec


class Call(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=str.lower):
    """The common part of every call."""

    id: str = ""
    by: str = ""
    """The station that makes it; empty means the seat itself, or the stickperson for the dice."""
    at: int = 0
    """Seconds since the evening began."""
    stand_in: str = ""
    """Who does the work of the station `by`, if somebody else was named for it."""


class BuyIn(Call, frozen=True, kw_only=True):
    """A player changes money for chips and so takes a seat."""

    seat: str
    amount: int


class CashOut(Call, frozen=True, kw_only=True):
    """A player takes chips off the table; amount 0 means all on the rail."""

    seat: str
    amount: int = 0


class Bet(Call, frozen=True, kw_only=True):
    """Chips on a spot: a new wager, or more on one that is up."""

    seat: str
    spot: str
    amount: int
    split: tuple[int, ...] = ()
    area: str = ""
    """The label on the cloth by which the spot was named, if it was."""
    voucher: int = 0
    """How much of the amount is a promotional voucher."""


class TakeDown(Call, frozen=True, kw_only=True):
    """A wager comes off the layout."""

    seat: str
    spot: str


class Reduce(Call, frozen=True, kw_only=True):
    """A wager is lowered to a smaller stake."""

    seat: str
    spot: str
    to: int


class SetWorking(Call, frozen=True, kw_only=True):
    """A player calls a wager on or off; "all" means every wager that can be called so."""

    seat: str
    spot: str
    call: str
    only: bool = False
    """This wager alone, where the house would let the call count for similar ones too."""


class StayUp(Call, frozen=True, kw_only=True):
    """A player asks that a wager, when it wins, be made again at once; or no longer."""

    seat: str
    spot: str
    stays: bool = True


class CloseBets(Call, frozen=True, kw_only=True):
    """No more bets."""


class DiceOut(Call, frozen=True, kw_only=True):
    """The dice have left the shooter's hand."""


class DiceRest(Call, frozen=True, kw_only=True):
    """The dice lie still; the total is not yet called."""


class CallRoll(Call, frozen=True, kw_only=True):
    """The stickperson calls the two faces."""

    first: int
    second: int
    total: int = 0
    """The total as called, if it was; it has to be the sum of the faces."""
    cause: str = ""
    """Something that befell the throw."""
    person: str = ""
    """The offender, where the cause has one."""
    cocked: bool = False
    """A die did not lie flat and was read as the house reads it."""
    resting: int = 0
    """The face on which the leaning die rests, where the house reads the opposite one."""


class CallNoRoll(Call, frozen=True, kw_only=True):
    """The throw does not count, for this cause."""

    cause: str = ""
    person: str = ""


class DisputeFaces(Call, frozen=True, kw_only=True):
    """A player disputes the faces before the roll is settled."""

    seat: str


class CallIt(Call, frozen=True, kw_only=True):
    """The stick cannot read a die: somebody else is to confirm the faces."""


class DecideFaces(Call, frozen=True, kw_only=True):
    """Staff decide disputed faces; 0 and 0 voids the throw."""

    first: int = 0
    second: int = 0


class Sit(Call, frozen=True, kw_only=True):
    """A player takes a place, counted clockwise from the left of the box."""

    seat: str
    place: int


class OfferDice(Call, frozen=True, kw_only=True):
    """The dice are offered to the player whose turn it is."""

    seat: str


class TakeDice(Call, frozen=True, kw_only=True):
    """A player takes the dice offered; the stick takes them where the house says so."""

    seat: str


class DeclineDice(Call, frozen=True, kw_only=True):
    """A player declines the dice offered."""

    seat: str


class PassDice(Call, frozen=True, kw_only=True):
    """The shooter gives up the dice."""

    seat: str


class OrderPass(Call, frozen=True, kw_only=True):
    """Staff order the shooter to give up the dice."""

    seat: str
    reason: str
    note: str = ""


class CancelPoint(Call, frozen=True, kw_only=True):
    """Nobody will finish the round: the point is cancelled."""


class Overrule(Call, frozen=True, kw_only=True):
    """The last throw was miscalled: it is settled as this roll; 0 and 0 means no roll."""

    first: int = 0
    second: int = 0


class VoidRoll(Call, frozen=True, kw_only=True):
    """The last roll, already settled, does not count."""

    reason: str
    person: str = ""
    note: str = ""
    forfeit: bool = False
    """The person's wagers on that roll are kept by the house."""
    whole_round: bool = False
    """All rolls since the come-out, and every wager of the round handed back."""


class Find(Call, frozen=True, kw_only=True):
    """Staff find a stake in play that nobody checked when it went down."""

    seat: str
    spot: str
    amount: int


class GiveBack(Call, frozen=True, kw_only=True):
    """Staff hand back what was put down by mistake since the last throw; amount 0 means all."""

    seat: str
    spot: str
    amount: int = 0


AnyCall = (
    BuyIn
    | CashOut
    | Bet
    | TakeDown
    | Reduce
    | SetWorking
    | StayUp
    | CloseBets
    | DiceOut
    | DiceRest
    | CallRoll
    | CallNoRoll
    | DisputeFaces
    | CallIt
    | DecideFaces
    | Sit
    | OfferDice
    | TakeDice
    | DeclineDice
    | PassDice
    | OrderPass
    | CancelPoint
    | Overrule
    | VoidRoll
    | Find
    | GiveBack
)
