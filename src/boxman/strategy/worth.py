"""What wagers still up are worth, exactly: the dice go on and nobody touches them.

Wagers do not disturb each other, so each is followed alone (odds together with the flat they stand
behind) until it is decided, and solved in fractions as a chain of `odds`. Bonus wagers have too
many felts to follow one by one and are asked of `odds` directly. A wager that is never decided,
because it was called off for good, is worth its face.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from boxman.dice import KINDS
from boxman.odds.chain import Chain, End, NeverDecidedError
from boxman.odds.machine import Machine, State
from boxman.odds.pay import exact, in_chips
from boxman.rules.layout import Cell, Spot
from boxman.strategy.felt import Felt, Felts, with_rail
from boxman.strategy.session import SEAT
from boxman.table.people import Hand
from boxman.table.state import Table, Wager


def value_of_felt(felts: Felts, felt: Felt) -> Fraction:
    """What the wagers of a felt are worth beyond their face, in minor units."""
    felt = felts.let_go(felt)
    table = msgspec.structs.replace(felt.table, hand=Hand())
    total = Fraction(0)
    for wagers in _groups(felts, felt):
        spot = felts.layout.spots[wagers[0].spot]
        if spot.gate is not None:
            total += _bonus(felts, table, spot, wagers[0])
        else:
            total += _followed(felts, felts.of(_alone(table, wagers))[0])
    return total


def value_beyond_face(felts: Felts, table: Table) -> Fraction:
    """The same for a table of the same session."""
    return value_of_felt(felts, felts.of(table)[0])


def _groups(felts: Felts, felt: Felt) -> list[list[Wager]]:
    """Wagers that are decided together: odds with their flat."""
    groups: dict[str, list[Wager]] = {}
    for name, wager in felt.table.seats[SEAT].wagers.items():
        behind = felts.layout.spots[name].behind
        groups.setdefault(behind.flat if behind else name, []).append(wager)
    return list(groups.values())


def _alone(table: Table, wagers: list[Wager]) -> Table:
    table = with_rail(table, 0)
    seat = msgspec.structs.replace(
        table.seats[SEAT], wagers={wager.spot: wager for wager in wagers}
    )
    return msgspec.structs.replace(
        table, seats={**table.seats, SEAT: seat}, collected={}, latched=frozenset()
    )


def _followed(felts: Felts, start: Felt) -> Fraction:
    known = felts.values.get(start.index)
    if known is not None:
        return known

    def follow(felt: Felt) -> Iterator[tuple[Felt | End, int]]:
        for index, kind in enumerate(KINDS):
            landed = felts.roll(felt, index)
            if landed.felt.wagers:
                assert not landed.cash, "wagers of a group are decided together"
                yield landed.felt, kind.ways
            else:
                yield End(Fraction(landed.cash - start.stake)), kind.ways

    try:
        value = Chain({start: 1}, follow).expectation
    except NeverDecidedError:
        value = Fraction(0)
    felts.values[start.index] = value
    return value


def _bonus(felts: Felts, table: Table, spot: Spot, wager: Wager) -> Fraction:
    paid = in_chips(felts.layout, spot, table.puck, wager.stake)

    def pay(spot: Spot, puck: int, kind: int, cell: Cell) -> End:
        return End(paid(exact(spot, puck, kind, cell).net))

    machine = Machine(felts.layout, spot, pay, sleeps=True)
    state = State(spot.id, table.puck, table.collected.get(spot.id, 0), wager.marker == "on")
    return wager.stake * machine.chain({state: 1}).expectation
