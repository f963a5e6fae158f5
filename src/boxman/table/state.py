"""The table as a value, the decisions that change it, and `apply`: the only way it changes.

A table is the fold of its decisions, never of calls, so that a later change of a rule cannot
rewrite last night's payouts. Chips move between rail, wager, bank and cage; the sum over all of
them is zero after every decision. This module knows no rule of any house.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from boxman.rules.layout import Posted

Cites = tuple[str, ...]

PHASES = ("open", "closed", "out", "rest")
"""Betting is open; no more bets; the dice are out; the dice rest and await the call."""


class Wager(msgspec.Struct, frozen=True):
    """Chips of one seat on one spot."""

    spot: str
    stake: int
    fee: int = 0
    marker: str = ""
    split: tuple[int, ...] = ()
    found: str = ""
    """How it lies outside the limits, if staff found it so: "under minimum" or "over maximum"."""
    stays: bool = False


class Seat(msgspec.Struct, frozen=True):
    """A player at the table, with the chips on the rail and the wagers on the layout."""

    name: str
    rail: int
    wagers: dict[str, Wager]
    warned: bool = False
    """Told that further stakes below the minimum will be handed back."""


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


# -- decisions ---------------------------------------------------------------------------------


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


class Returned(Decision, frozen=True):
    """Chips came back from a wager to the rail, with the fee given back."""

    seat: str
    spot: str
    amount: int
    fee: int
    why: str
    cites: Cites


class Marked(Decision, frozen=True):
    seat: str
    spot: str
    marker: str
    cites: Cites


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


class Settled(Decision, frozen=True):
    """A wager is over. paid: winnings; taken: kept by the house; returned: stake handed back."""

    seat: str
    spot: str
    verdict: str
    stake: int
    paid: int
    taken: int
    returned: int
    cites: Cites
    part: str = ""

    @property
    def net(self) -> int:
        return self.paid - self.taken


class Moved(Decision, frozen=True):
    seat: str
    spot: str
    to: str
    cites: Cites


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
    code: str
    cites: Cites


class NoRolled(Decision, frozen=True):
    cites: Cites


# -- apply -------------------------------------------------------------------------------------


def _with_seat(table: Table, seat: Seat, bank: int, cage: int) -> Table:
    seats = table.seats.copy()
    seats[seat.name] = seat
    return Table(
        table.house,
        table.posted,
        table.puck,
        table.phase,
        seats,
        table.bank + bank,
        table.cage + cage,
        table.rolls,
        table.collected,
        table.latched,
    )


def _bought_in(table: Table, made: BoughtIn) -> Table:
    seat = table.seats.get(made.seat)
    if seat is None:
        seat = Seat(made.seat, 0, {})
    seat = Seat(seat.name, seat.rail + made.amount, seat.wagers, seat.warned)
    return _with_seat(table, seat, 0, -made.amount)


def _cashed_out(table: Table, made: CashedOut) -> Table:
    seat = table.seats[made.seat]
    seat = Seat(seat.name, seat.rail - made.amount, seat.wagers, seat.warned)
    return _with_seat(table, seat, 0, made.amount)


def _placed(table: Table, made: Placed) -> Table:
    seat = table.seats[made.seat]
    wagers = seat.wagers.copy()
    old = wagers.get(made.spot)
    if old is None:
        wagers[made.spot] = Wager(made.spot, made.amount, made.fee, "", made.split, made.found)
    else:
        split = tuple(a + b for a, b in zip(old.split, made.split, strict=True))
        wagers[made.spot] = Wager(
            made.spot,
            old.stake + made.amount,
            old.fee + made.fee,
            old.marker,
            split,
            made.found,
            old.stays,
        )
    rail = seat.rail - made.amount - made.fee
    return _with_seat(table, Seat(seat.name, rail, wagers, seat.warned), made.fee, 0)


def _returned(table: Table, made: Returned) -> Table:
    seat = table.seats[made.seat]
    wagers = seat.wagers.copy()
    old = wagers[made.spot]
    if made.amount == old.stake:
        del wagers[made.spot]
    else:
        wagers[made.spot] = msgspec.structs.replace(
            old, stake=old.stake - made.amount, fee=old.fee - made.fee, found=""
        )
    rail = seat.rail + made.amount + made.fee
    return _with_seat(table, Seat(seat.name, rail, wagers, seat.warned), -made.fee, 0)


def _change(table: Table, name: str, spot: str, **changes: Any) -> Table:
    seat = table.seats[name]
    wagers = seat.wagers.copy()
    wagers[spot] = msgspec.structs.replace(wagers[spot], **changes)
    return _with_seat(table, Seat(name, seat.rail, wagers, seat.warned), 0, 0)


def _marked(table: Table, made: Marked) -> Table:
    return _change(table, made.seat, made.spot, marker=made.marker)


def _asked(table: Table, made: Asked) -> Table:
    return _change(table, made.seat, made.spot, stays=made.stays)


def _phased(table: Table, made: Phased) -> Table:
    return _with_phase(table, made.phase)


def _with_phase(table: Table, phase: str) -> Table:
    return Table(
        table.house,
        table.posted,
        table.puck,
        phase,
        table.seats,
        table.bank,
        table.cage,
        table.rolls,
        table.collected,
        table.latched,
    )


def _rolled(table: Table, made: Rolled) -> Table:
    return Table(
        table.house,
        table.posted,
        made.puck,
        "open",
        table.seats,
        table.bank,
        table.cage,
        table.rolls + 1,
        table.collected,
        table.latched,
    )


def _settled(table: Table, made: Settled) -> Table:
    seat = table.seats[made.seat]
    wagers = seat.wagers.copy()
    del wagers[made.spot]
    rail = seat.rail + made.paid + made.returned
    return _with_seat(table, Seat(seat.name, rail, wagers, seat.warned), made.taken - made.paid, 0)


def _moved(table: Table, made: Moved) -> Table:
    seat = table.seats[made.seat]
    wagers = seat.wagers.copy()
    old = wagers.pop(made.spot)
    wagers[made.to] = Wager(
        made.to, old.stake, old.fee, old.marker, old.split, old.found, old.stays
    )
    return _with_seat(table, Seat(seat.name, seat.rail, wagers, seat.warned), 0, 0)


def _collected(table: Table, made: Collected) -> Table:
    collected = {**table.collected, made.spot: made.mask}
    if not made.mask:
        del collected[made.spot]
    return msgspec.structs.replace(table, collected=collected)


def _latched(table: Table, made: Latched) -> Table:
    change = {made.group}
    latched = table.latched | change if made.shut else table.latched - change
    return msgspec.structs.replace(table, latched=latched)


def _warned(table: Table, made: Warned) -> Table:
    seat = table.seats[made.seat]
    return _with_seat(table, Seat(seat.name, seat.rail, seat.wagers, True), 0, 0)


def _no_rolled(table: Table, made: NoRolled) -> Table:
    return _with_phase(table, "open")


_APPLY: dict[type[Decision], Callable[[Table, Any], Table]] = {
    BoughtIn: _bought_in,
    CashedOut: _cashed_out,
    Placed: _placed,
    Returned: _returned,
    Marked: _marked,
    Asked: _asked,
    Phased: _phased,
    Rolled: _rolled,
    Settled: _settled,
    Moved: _moved,
    Collected: _collected,
    Latched: _latched,
    Warned: _warned,
    NoRolled: _no_rolled,
}

AnyDecision = (
    BoughtIn
    | CashedOut
    | Placed
    | Returned
    | Marked
    | Asked
    | Phased
    | Rolled
    | Settled
    | Moved
    | Collected
    | Latched
    | Warned
    | NoRolled
)


def apply(table: Table, decision: AnyDecision) -> Table:
    """The table after one decision."""
    return _APPLY[type(decision)](table, decision)


def transfers(decision: AnyDecision) -> list[tuple[str, str, int]]:
    """The chips a decision moves, as (from, to, amount) between cage, bank, rail and wager."""
    match decision:
        case BoughtIn(seat, amount):
            moves = [("cage", f"rail {seat}", amount)]
        case CashedOut(seat, amount):
            moves = [(f"rail {seat}", "cage", amount)]
        case Placed(seat, spot, amount, fee):
            moves = [
                (f"rail {seat}", f"wager {seat} {spot}", amount),
                (f"rail {seat}", "bank", fee),
            ]
        case Returned(seat, spot, amount, fee):
            moves = [
                (f"wager {seat} {spot}", f"rail {seat}", amount),
                ("bank", f"rail {seat}", fee),
            ]
        case Settled(seat, spot, _, _, paid, taken, returned):
            moves = [
                ("bank", f"rail {seat}", paid),
                (f"wager {seat} {spot}", "bank", taken),
                (f"wager {seat} {spot}", f"rail {seat}", returned),
            ]
        case Moved(seat, spot, to):
            moves = [(f"wager {seat} {spot}", f"wager {seat} {to}", -1)]
        case _:
            moves = []
    return [move for move in moves if move[2]]


def imbalance(table: Table) -> int:
    """The sum of all chips over all accounts; anything but zero is a fault of ours."""
    chips = sum(
        seat.rail + sum(wager.stake for wager in seat.wagers.values())
        for seat in table.seats.values()
    )
    return chips + table.bank + table.cage
