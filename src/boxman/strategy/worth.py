"""What wagers still up are worth, exactly: the dice go on and nobody touches them.

Wagers do not disturb each other, so each is followed alone (odds together with the flat they stand
behind) until it is decided, and solved in fractions as a chain of `odds`. Wagers with a memory have
too many felts to follow one by one and are asked of `odds` directly. A wager that is never decided,
because it was called off for good, is worth its face. Nothing is made again, and a fee that was
paid is gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from boxman.odds.chain import Chain, End, NeverDecidedError
from boxman.odds.machine import Machine, State
from boxman.odds.pay import in_chips, paid_before
from boxman.rules.layout import Layout
from boxman.strategy.felt import Felt, Felts, with_rail
from boxman.strategy.session import SEAT
from boxman.table.floor.people import Hand
from boxman.table.state import Table, Wager

Group = tuple[Wager, ...]
"""Wagers that are decided together, without what their worth does not depend on."""


def value_of_felt(felts: Felts, felt: Felt) -> Fraction:
    """What the wagers of a felt are worth beyond their face, in minor units."""
    return sum(values_by_spot(felts, felt).values(), Fraction(0))


def values_by_spot(felts: Felts, felt: Felt) -> dict[str, Fraction]:
    """The same of each; odds have no part in what the flat before them is worth."""
    table = felt.table
    groups: dict[str, list[Wager]] = {}
    for name, wager in table.seats[SEAT].wagers.items():
        behind = felts.layout.spots[name].behind
        alone = msgspec.structs.replace(wager, fee=0, stays=False)
        groups.setdefault(behind.flat if behind else name, []).append(alone)
    found = {}
    for flat, group in groups.items():
        memory = table.collected.get(flat, 0)
        found[flat] = value_of_group(felts, table.puck, tuple(group[:1]), memory)
        for odds in group[1:]:
            both = value_of_group(felts, table.puck, (group[0], odds), memory)
            found[odds.spot] = both - found[flat]
    return found


def wager_left(layout: Layout, spot: str, stake: int, marker: str = "") -> Wager:
    """A wager as a strategy leaves it: parts that may be named are equal."""
    share = layout.spots[spot].share
    parts = len(share.parts) if share is not None and share.named else 0
    return Wager(spot, stake, marker=marker, split=(stake // parts,) * parts if parts else ())


def value_of_group(felts: Felts, puck: int, group: Group, memory: int = 0) -> Fraction:
    """What wagers that are decided together are worth beyond their face, in minor units."""
    key = (puck, group, memory)
    known = felts.values.get(key)
    if known is None:
        if felts.layout.spots[group[0].spot].shape.remembers:
            known = _remembering(felts, puck, group[0], memory)
        else:
            known = _followed(felts, felts.of(_alone(felts.start.table, puck, group))[0])
        felts.values[key] = known
    return known


def _alone(table: Table, puck: int, group: Group) -> Table:
    """The table with nothing on it but these wagers, and somebody to throw."""
    table = with_rail(table, 0)
    seat = msgspec.structs.replace(table.seats[SEAT], wagers={each.spot: each for each in group})
    return msgspec.structs.replace(table, seats={SEAT: seat}, puck=puck, hand=Hand())


def _followed(felts: Felts, start: Felt) -> Fraction:
    def follow(felt: Felt) -> Iterator[tuple[Felt | End, int]]:
        for index, kind in enumerate(felts.rolls.kinds):
            landed = felts.roll(felt, index)
            if landed.felt.wagers:
                assert not landed.cash, "wagers of a group are decided together"
                yield landed.felt, kind.ways
            else:
                yield End(Fraction(landed.cash - start.stake)), kind.ways

    try:
        return Chain({start: 1}, follow).expectation
    except NeverDecidedError:
        return Fraction(0)


def _remembering(felts: Felts, puck: int, wager: Wager, memory: int) -> Fraction:
    """A wager with a memory: one chain holds whatever it can come to, for all stakes."""
    spot = felts.layout.spots[wager.spot]
    called = wager.marker == "on"
    # One that never sleeps need not look at the puck.
    machine = Machine(felts.layout, spot, sleeps=not all(spot.works))
    chain = felts.chains.get((spot.id, called))
    if chain is None:
        fresh = {State(spot.id, each, 0, called): 1 for each in (0, *felts.layout.points)}
        chain = felts.chains[spot.id, called] = machine.chain(fresh)
    paid = in_chips(felts.layout, spot, puck, wager.stake)
    now = machine.seen(State(spot.id, puck, memory, called))
    ends = chain.outlook({now: 1}).ends
    worth = sum((paid(end) * chance for end, chance in ends.items()), Fraction(0))
    assert spot.collection is not None
    # The chain counts all that was paid since the wager was made.
    nothing = End(Fraction(0))
    before = paid_before(spot, nothing, spot.collection.paid(memory))
    return wager.stake * (worth + paid(nothing) - paid(before))
