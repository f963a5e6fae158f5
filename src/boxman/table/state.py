"""The table as a value, the decisions that change it, and `apply`: the only way it changes.

A table is the fold of its decisions, never of calls, so that a later change of a rule cannot
rewrite last night's payouts. Chips move between rail, wager, bank and cage; the sum over all of
them is zero after every decision. This module knows no rule of any house.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from boxman.rules.cites import Cites as Cites
from boxman.rules.layout import Posted
from boxman.table.floor.people import GUEST, Floor, FloorChange, Hand
from boxman.table.fresh import IN_FULL, Fresh, Freshly, put_down, taken_back
from boxman.table.seats import Seat as Seat
from boxman.table.seats import Wager as Wager
from boxman.table.seats import holding, without_wagers
from boxman.table.terms import Terms, post, remembered
from boxman.words.say import Value

PHASES = ("open", "closed", "out", "landed", "rest", "disputed", "call it")
"""Bets open; no more bets; dice out; landed and rolling on; at rest, to be called; in dispute."""

VOID = "void"
"""Why chips come back of wagers that were declared void: they had no part in any roll."""


class Table(msgspec.Struct, frozen=True):
    """Everything a table is between two calls."""

    house: str
    posted: Posted
    puck: int
    phase: str
    seats: dict[str, Seat]
    bank: int
    cage: int
    rolls: int
    collected: dict[str, int]
    latched: frozenset[str]
    rank: int = 0
    """How high the station stands that decided the last throw; in `at_no_roll`, the last roll."""
    before: Table | None = None
    """The table as it stood before the last roll, for taking it back."""
    hand: Hand = Hand()
    floor: Floor = Floor()
    round_start: Table | None = None
    """The table as it stood before the come-out roll of this round, or of the last one."""
    fresh: Freshly = {}
    """What was put down since the last throw that counted, by seat and spot."""
    at_no_roll: Table | None = None
    """The table as it stood at the last throw, where that was no roll, which may be corrected."""
    faces: tuple[int, int] = (0, 0)
    """The faces of the last roll, as it was settled."""
    gone: dict[str, int] = {}
    """Chips bought less chips cashed, ever, of those who have left with nothing up."""
    die_off: bool = False
    """A die was off the table since the last throw: if that was no roll for a die, it was this."""
    hands: int = 0
    """How often somebody has taken the dice; as it was where a throw is taken back."""
    no_rolls: dict[str, int] = {}
    """How often each player's throw was no roll."""
    spent: dict[str, tuple[int, ...]] = {}
    """The vouchers of each player that are gone with their wagers."""
    terms: Terms | None = None
    """The limits of the throw under way, where others have come since the dice left the hand."""

    @property
    def undone(self) -> bool:
        """The last throw was taken back, or there was none: what is called now is not another."""
        return self.before is None and self.at_no_roll is None

    @property
    def called(self) -> bool:
        """The last throw was called and settled, and no other has been made since."""
        return self.before is not None and self.at_no_roll is None

    @property
    def present(self) -> list[Seat]:
        """Who is at the table: everybody with a place who has not left it, wagers up or not."""
        return [seat for name, seat in self.seats.items() if name not in self.floor.away]

    @property
    def placed(self) -> list[Seat]:
        """Whose places are taken: of those at the table, and of those who left wagers there."""
        away = self.floor.away
        return [seat for name, seat in self.seats.items() if seat.wagers or name not in away]

    def _repr_html_(self) -> str:
        from boxman.table.said.sketch import table_html

        return table_html(self)


class Decision(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower):
    """One thing that follows from a call, with the clauses that say so."""


class BoughtIn(Decision, frozen=True):
    seat: str
    amount: int
    cites: Cites


class CashedOut(Decision, frozen=True):
    seat: str
    amount: int
    cites: Cites


class Placed(Decision, frozen=True):
    """Chips went from the rail to a spot, and the fee to the bank."""

    seat: str
    spot: str
    amount: int
    fee: int
    cites: Cites
    split: tuple[int, ...] = ()
    found: str = ""
    voucher: int = 0
    counts: int = IN_FULL


class Returned(Decision, frozen=True):
    """Chips came back from a wager to the rail, with the fee given back."""

    seat: str
    spot: str
    amount: int
    fee: int
    why: str
    cites: Cites
    voucher: int = 0
    """How much of the amount goes back as a voucher and not as chips."""
    split: tuple[int, ...] = ()
    """Which parts it came from, where that is known; else from all of them in proportion."""
    found: str = ""
    """How what is left is marked."""
    counts: int = IN_FULL


class Marked(Decision, frozen=True):
    seat: str
    spot: str
    marker: str
    cites: Cites
    alone: bool = False


class Asked(Decision, frozen=True):
    """The wager is to stay up when it wins, or no longer."""

    seat: str
    spot: str
    stays: bool
    cites: Cites


class Phased(Decision, frozen=True):
    phase: str
    cites: Cites


class Rolled(Decision, frozen=True):
    """A valid roll, and where the puck is now."""

    first: int
    second: int
    puck: int
    event: str
    cites: Cites
    under: Terms | None = None
    """The limits it was thrown under, where other limits bind by the time it is settled again."""


class Settled(Decision, frozen=True):
    """A wager is over. paid: winnings; taken: kept by the house; returned: stake handed back; what
    is neither taken nor returned stays up: the wager is paid for a part and goes on."""

    seat: str
    spot: str
    verdict: str
    stake: int
    paid: int
    taken: int
    returned: int
    cites: Cites
    part: str = ""
    voucher: int = 0
    """A voucher that was part of the stake and is gone."""
    split: tuple[int, ...] = ()

    @property
    def net(self) -> int:
        return self.paid - self.taken

    @property
    def up(self) -> int:
        return self.stake - self.taken - self.returned - self.voucher


class Moved(Decision, frozen=True):
    seat: str
    spot: str
    to: str
    cites: Cites
    stake: int = 0


class Collected(Decision, frozen=True):
    """What the table's bonus wagers of one kind have collected."""

    spot: str
    mask: int
    cites: Cites


class Latched(Decision, frozen=True):
    """A gate of bonus wagers shut or opened."""

    group: str
    shut: bool
    cites: Cites


class Warned(Decision, frozen=True):
    seat: str
    code: str  # without one, what was told before counts no longer
    cites: Cites


class NoRolled(Decision, frozen=True):
    cites: Cites
    cause: str = ""
    late: bool = False
    counts: bool = True
    """Whether it counts against the shooter."""
    under: Terms | None = None
    """The limits it was thrown under, where other limits bind by the time it is no roll."""


class Seated(Decision, frozen=True):
    seat: str
    place: int
    cites: Cites


class Unseated(Decision, frozen=True):
    """A player with nothing left at the table is gone."""

    seat: str
    cites: Cites


class Handed(Decision, frozen=True):
    """The dice: who has them, who is offered them, who has declined."""

    hand: Hand
    what: str
    """Which phrase of the floor says it."""
    cites: Cites
    values: dict[str, Value] = {}


class Floored(Decision, frozen=True):
    """Something about people or signs changed: the fields of the floor that are new."""

    changes: FloorChange
    what: str
    """Which phrase of the floor says it; empty where nothing is said."""
    cites: Cites
    values: dict[str, Value] = {}


class Posting(Decision, frozen=True):
    """Other limits bind; those that bound till now may `stand` for what is up."""

    posted: Posted
    cites: Cites
    stand: bool = False


class PuckOff(Decision, frozen=True):
    """The point is cancelled."""

    cites: Cites


class Reversed(Decision, frozen=True):
    """The last throw is taken back: chips, wagers and puck stand as before it."""

    why: str
    cites: Cites
    whole_round: bool = False
    """Not only the last roll, but all since the come-out."""
    no_roll: bool = False
    """Not the last roll, but the no roll that came after it."""
    leavers: tuple[str, ...] = ()
    """Who have left since with nothing up, and whose wagers stand again."""

    def past(self, table: Table) -> Table | None:
        """The table that it goes back to."""
        roll = table.round_start if self.whole_round else table.before
        return table.at_no_roll if self.no_roll else roll


class Ranked(Decision, frozen=True):
    """Somebody of this rank has spoken on the last roll."""

    rank: int
    cites: Cites


def _with_seat(
    table: Table, seat: Seat, bank: int, cage: int, fresh: Freshly | None = None
) -> Table:
    seats = table.seats.copy()  # quicker than a display, and every chip that moves is one
    seats[seat.name] = seat
    if fresh is None:
        fresh = table.fresh
    return replace(table, seats=seats, bank=table.bank + bank, cage=table.cage + cage, fresh=fresh)


def free_place(table: Table) -> int:
    """The place after the last that is taken; at the end of the table, the first that is free."""
    last, places = max((s.place for s in table.seats.values()), default=0), table.floor.places
    if not places or last < places:
        return last + 1
    taken = {seat.place for seat in table.placed}
    return next((place for place in range(1, places + 1) if place not in taken), last + 1)


def _exchanged(table: Table, seat: Seat, amount: int) -> Table:
    """Chips bought, or cashed if the amount is negative."""
    rail, bought = seat.rail + amount, seat.bought + amount
    return _with_seat(table, replace(seat, rail=rail, bought=bought), 0, -amount)


def _empty(table: Table, name: str, place: int) -> Seat:
    """The seat of somebody who brings no chips yet, and may have been here before."""
    return Seat(name, 0, {}, bought=table.gone.get(name, 0), place=place)


def _bought_in(table: Table, made: BoughtIn) -> Table:
    seat = table.seats.get(made.seat) or _empty(table, made.seat, free_place(table))
    return _exchanged(table, seat, made.amount)


def _placed(table: Table, made: Placed) -> Table:
    seat = table.seats[made.seat]
    wagers = seat.wagers.copy()
    old = wagers.get(made.spot)
    if old is None:
        wagers[made.spot] = Wager(
            made.spot, made.amount, made.fee, "", made.split, made.found, False, made.voucher,
            False, made.counts,
        )  # fmt: skip
    else:
        wagers[made.spot] = Wager(
            made.spot, old.stake + made.amount, old.fee + made.fee, old.marker,
            tuple(a + b for a, b in zip(old.split, made.split, strict=True)),
            made.found, old.stays, old.voucher + made.voucher, old.alone, made.counts,
        )  # fmt: skip
    rail = seat.rail - made.amount - made.fee + made.voucher
    new = Fresh(
        made.seat, made.spot, made.amount, made.fee, made.split, made.voucher,
        old.found if old else "", old.counts if old else IN_FULL,
    )  # fmt: skip
    fresh = put_down(table.fresh, new)
    return _with_seat(table, holding(seat, rail, wagers), made.fee - made.voucher, 0, fresh)


def _returned(table: Table, made: Returned) -> Table:
    seat = table.seats[made.seat]
    wagers = seat.wagers.copy()
    old = wagers[made.spot]
    if made.amount == old.stake:
        del wagers[made.spot]
    else:
        left = old.stake - made.amount
        split = tuple(part * left // old.stake for part in old.split)
        if made.split:
            split = tuple(a - b for a, b in zip(old.split, made.split, strict=True))
        wagers[made.spot] = replace(
            old,
            stake=left,
            fee=old.fee - made.fee,
            found=made.found,
            counts=made.counts,
            split=split,
            voucher=old.voucher - made.voucher,
        )
    rail = seat.rail + made.amount + made.fee - made.voucher
    came = (made.amount, made.fee, made.split, made.voucher)
    fresh = taken_back(table.fresh, made.seat, made.spot, *came)
    if made.why == VOID:
        table = _never_wagered(table, seat.name)
    return _with_seat(table, holding(seat, rail, wagers), made.voucher - made.fee, 0, fresh)


def _never_wagered(table: Table, name: str) -> Table:
    """With no wagers of somebody in the tables from which a roll would be taken back."""
    past = {}
    for which in ("before", "round_start", "at_no_roll"):
        then = getattr(table, which)
        if then is not None and name in then.seats:
            seats = {**then.seats, name: without_wagers(then.seats[name])}
            fresh = {place: new for place, new in then.fresh.items() if new.seat != name}
            past[which] = replace(then, seats=seats, fresh=fresh)
    return replace(table, **past)


def _change(table: Table, name: str, spot: str, **changes: object) -> Table:
    seat = table.seats[name]
    wagers = {**seat.wagers, spot: replace(seat.wagers[spot], **changes)}
    return _with_seat(table, holding(seat, seat.rail, wagers), 0, 0)


def _marked(table: Table, made: Marked) -> Table:
    return _change(table, made.seat, made.spot, marker=made.marker, alone=made.alone)


def _rolled(table: Table, made: Rolled) -> Table:
    before = replace(table, rank=0, before=None, round_start=None, at_no_roll=None, terms=None)
    return replace(
        before,
        puck=made.puck,
        phase="open",
        rolls=table.rolls + 1,
        before=before if made.under is None else made.under.on(before),
        round_start=table.round_start if table.puck else before,
        fresh={},
        faces=(made.first, made.second),
        die_off=table.die_off and table.undone,
    )


def _settled(table: Table, made: Settled) -> Table:
    seat = table.seats[made.seat]
    wagers = seat.wagers.copy()
    if not made.up:
        del wagers[made.spot]
    rail = seat.rail + made.paid + made.returned
    bank = made.taken - made.paid + made.voucher
    fresh = taken_back(table.fresh, made.seat, made.spot, made.stake, 0, (), made.voucher)
    if made.voucher:
        spent = {**table.spent, made.seat: (*table.spent.get(made.seat, ()), made.voucher)}
        table = replace(table, spent=spent)
    return _with_seat(table, holding(seat, rail, wagers), bank, 0, fresh)


def _moved(table: Table, made: Moved) -> Table:
    seat = table.seats[made.seat]
    wagers = seat.wagers.copy()
    old = wagers.pop(made.spot)
    wagers[made.to] = replace(old, spot=made.to)
    return _with_seat(table, holding(seat, seat.rail, wagers), 0, 0)


def _collected(table: Table, made: Collected) -> Table:
    collected = {**table.collected, made.spot: made.mask}
    if not made.mask:
        del collected[made.spot]
    return replace(table, collected=collected)


def _latched(table: Table, made: Latched) -> Table:
    latched = table.latched | {made.group} if made.shut else table.latched - {made.group}
    return replace(table, latched=latched)


def _warned(table: Table, made: Warned) -> Table:
    seat = table.seats[made.seat]
    return _with_seat(table, replace(seat, warned=made.code != ""), 0, 0)


def _no_rolled(table: Table, made: NoRolled) -> Table:
    hand, no_rolls = table.hand, table.no_rolls
    if made.counts and hand.shooter != GUEST:
        no_rolls = {**no_rolls, hand.shooter: no_rolls.get(hand.shooter, 0) + 1}
        hand = replace(hand, no_rolls=hand.no_rolls + 1)
    roll = table.at_no_roll or table  # what is known of the last settled roll stays known
    past = replace(table, before=None, round_start=None, at_no_roll=None, terms=None)
    past = replace(past, rank=roll.rank, die_off=roll.die_off)
    past = past if made.under is None else made.under.on(past)
    anew = {"phase": "open", "rank": 0, "die_off": table.die_off and table.undone, "terms": None}
    return replace(table, hand=hand, no_rolls=no_rolls, at_no_roll=past, **anew)


def _seated(table: Table, made: Seated) -> Table:
    seat = table.seats.get(made.seat) or _empty(table, made.seat, made.place)
    return _with_seat(table, replace(seat, place=made.place), 0, 0)


def _unseated(table: Table, made: Unseated) -> Table:
    seats = {name: seat for name, seat in table.seats.items() if name != made.seat}
    gone = table.gone | {made.seat: table.seats[made.seat].bought}
    terms = table.terms.without(made.seat) if table.terms is not None else None
    return replace(table, seats=seats, gone=gone, terms=terms)


def _handed(table: Table, made: Handed) -> Table:
    taken = made.hand.shooter not in ("", table.hand.shooter)
    return replace(table, hand=made.hand, hands=table.hands + taken)


def _floored(table: Table, made: Floored) -> Table:
    floor, held = made.changes.on(table.floor), table.phase in ("open", "closed")
    off = table.die_off or (held and floor.dice.off > table.floor.dice.off and not table.undone)
    return remembered(table, replace(table, floor=floor, die_off=off))


def _once_here(table: Table, was: Seat) -> Seat:
    """The seat of somebody who has left since, with what was cashed in."""
    return replace(was, bought=table.gone[was.name])


def _reversed(table: Table, made: Reversed) -> Table:
    """Wagers and rails as before the throw; chips bought or cashed since then stay so."""
    old = made.past(table)
    assert old is not None, "there is no throw to take back"
    seats = {}
    for name in (*table.seats, *made.leavers):
        seat = table.seats.get(name) or _once_here(table, old.seats[name])
        was = old.seats.get(name) or _empty(old, name, seat.place)
        rail = was.rail + seat.bought - was.bought
        # What somebody was told has been said, whatever becomes of the throw.
        seats[name] = Seat(name, rail, was.wagers, seat.warned, seat.bought, seat.place)
    held = sum(s.rail + sum(w.stake for w in s.wagers.values()) for s in seats.values())
    # No rolls that the shooter has made since the roll were made all the same.
    no_rolls, name = old.no_rolls if made.no_roll else table.no_rolls, old.hand.shooter
    count = old.hand.no_rolls + no_rolls.get(name, 0) - old.no_rolls.get(name, 0)
    same = table.hand.shooter == name and not made.no_roll
    hand = replace(table.hand if same else old.hand, no_rolls=count)
    on = made.no_roll and table.floor.dice.left  # the die it was no roll for
    return replace(
        table,
        puck=old.puck,
        phase="open",
        seats=seats,
        bank=-held - table.cage,
        rolls=old.rolls,
        collected=old.collected,
        latched=old.latched,
        hand=hand,
        hands=old.hands,
        no_rolls=no_rolls,
        spent=old.spent,
        at_no_roll=None,
        fresh={place: new for place, new in old.fresh.items() if new.seat in seats},
        gone={name: left for name, left in table.gone.items() if name not in made.leavers},
        before=None,
        round_start=table.round_start if old.puck and not made.whole_round else None,
        faces=(0, 0),
        die_off=table.die_off and made.why == "overruled" and not on,
        terms=None,
    )


APPLY: dict[type[Decision], Callable[[Table, Any], Table]] = {
    BoughtIn: _bought_in,
    CashedOut: lambda table, made: _exchanged(table, table.seats[made.seat], -made.amount),
    Placed: _placed,
    Returned: _returned,
    Marked: _marked,
    Asked: lambda table, made: _change(table, made.seat, made.spot, stays=made.stays),
    Phased: lambda table, made: replace(table, phase=made.phase),
    Rolled: _rolled,
    Settled: _settled,
    Moved: _moved,
    Collected: _collected,
    Latched: _latched,
    Warned: _warned,
    NoRolled: _no_rolled,
    Reversed: _reversed,
    Ranked: lambda table, made: replace(table, rank=made.rank),
    Seated: _seated,
    Unseated: _unseated,
    Handed: _handed,
    PuckOff: lambda table, _: replace(table, puck=0),
    Floored: _floored,
    Posting: lambda table, made: remembered(table, post(table, made.posted, made.stand)),
}

AnyDecision = (
    BoughtIn | CashedOut | Placed | Returned | Marked | Asked | Phased | Rolled | Settled | Moved
    | Collected | Latched | Warned | NoRolled | Reversed | Ranked | Seated | Unseated | Handed
    | Floored | Posting | PuckOff
)  # fmt: skip


def apply(table: Table, decision: AnyDecision) -> Table:
    """The table after one decision."""
    return APPLY[type(decision)](table, decision)
