"""Equal signatures, equal futures: for every call of the menu and all 36 rolls.

Random games are played from the menu. Each table met is disguised (other rails, bank, cage,
history, order of wagers) and has to rule alike; and whenever a game comes back to a signature it
has met by another way, everything has to come out as it did then.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from boxman.dice import ROLLS
from boxman.rules.book import houses
from boxman.rules.layout import Layout
from boxman.strategy.session import ready
from boxman.table.calls import (
    Bet,
    BuyIn,
    Call,
    CallRoll,
    CloseBets,
    DiceOut,
    Reduce,
    SetWorking,
    StayUp,
    TakeDown,
)
from boxman.table.floor.throws import needs_close
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule
from boxman.table.said.menu import menu
from boxman.table.signature import signature
from boxman.table.state import Seat, Table

ANN, BOB = "ann", "bob"
RAIL = 500_000_00
"""So deep that no limit of a house reaches it."""

SETUPS: dict[str, list[dict[str, Any]]] = {
    house: [{}, {"shooter": "players"}, {"seats": (ANN, BOB)}] for house in houses()
}
SETUPS["perth-crapless"] += [{"settings": {"layout": n}} for n in ("2", "4")]
CASES = [(house, setup) for house, setups in SETUPS.items() for setup in setups]


def table_of(house: str, setup: dict[str, Any]) -> tuple[Layout, Table]:
    options = {name: value for name, value in setup.items() if name != "seats"}
    opening = open_table(Open(house=house, minimum=500, maximum=100_000, **options))
    assert opening.layout is not None
    assert opening.table is not None
    table = opening.table
    for name in setup.get("seats", (ANN,)):
        table = rule(opening.layout, table, BuyIn(seat=name, amount=RAIL)).after
    return opening.layout, table


def calls_of(layout: Layout, table: Table, name: str = ANN) -> list[Call]:
    """Everything on the menu of a seat, at both ends of every range, and some that is not."""
    found: list[Call] = []
    for spot, choice in menu(layout, table, name).choices.items():
        for low, high, step in choice.bet:
            found += [Bet(seat=name, spot=spot, amount=each) for each in {low, min(high, low * 9)}]
            found.append(Bet(seat=name, spot=spot, amount=low + step // 2 + 1))
        for low, high, _ in choice.lower:
            found += [Reduce(seat=name, spot=spot, to=each) for each in {low, high}]
        if choice.take_down:
            found.append(TakeDown(seat=name, spot=spot))
        found += [SetWorking(seat=name, spot=spot, call=each) for each in choice.calls]
        if choice.keep is not None:
            found.append(StayUp(seat=name, spot=spot, stays=choice.keep))
    found += [SetWorking(seat=name, spot="all", call=each) for each in ("on", "off")]
    found += [TakeDown(seat=name, spot="place.6"), Bet(seat=name, spot="pass.odds", amount=1000)]
    return found


def decided(layout: Layout, table: Table, call: Call) -> Counter[str]:
    """What a call comes to for this seat and for the table, whatever the order."""
    ruling = rule(layout, table, call)
    words = Counter(
        repr(made) for made in ruling.decisions if getattr(made, "seat", ANN) in (ANN, "")
    )
    if ruling.refusal is not None:
        # Clauses about several wagers come in the order of the wagers.
        words[repr((ruling.refusal.code, sorted(ruling.refusal.cites)))] += 1
    return words + Counter(repr(notice) for notice in ruling.warnings)


def future(layout: Layout, table: Table) -> dict[str, Counter[str]]:
    """Everything that can be asked of this table, and what it says."""
    found = {repr(call): decided(layout, table, call) for call in calls_of(layout, table)}
    thrown = thrown_from(layout, table)
    for roll in ROLLS:
        found[str(roll)] = decided(layout, thrown, CallRoll(first=roll.first, second=roll.second))
    return found


def thrown_from(layout: Layout, table: Table) -> Table:
    """The table just before the dice are called."""
    if needs_close(layout) and table.phase == "open":
        return rule(layout, table, CloseBets()).after
    return table


def disguised(table: Table, source: random.Random) -> Table:
    """A table with the same signature and everything else different."""

    def other(seat: Seat) -> Seat:
        wagers = list(seat.wagers.items())
        source.shuffle(wagers)
        more = source.randrange(1, 900) * 100
        return msgspec.structs.replace(
            seat, rail=seat.rail + more, bought=seat.bought + more, wagers=dict(wagers)
        )

    return msgspec.structs.replace(
        table,
        seats={name: other(seat) for name, seat in table.seats.items()},
        bank=table.bank + 12345,
        cage=table.cage - 777,
        rolls=table.rolls + 7 if table.rolls else 0,
        before=None,
        round_start=None,
        rank=3,
        at_no_roll=table,
    )


def game(
    layout: Layout, table: Table, source: random.Random, rolls: int, spots: tuple[str, ...]
) -> list[Table]:
    """Tables met in a game played from the menu, on some spots or on all."""
    met = []
    for _ in range(rolls):
        for name in table.seats:
            for _ in range(source.randrange(4)):
                calls = [
                    call
                    for call in calls_of(layout, table, name)
                    if not spots or getattr(call, "spot", "") in spots
                ]
                if calls:
                    table = rule(layout, table, source.choice(calls)).after
        met.append(table)
        if source.randrange(4) == 0:
            met.append(rule(layout, thrown_from(layout, table), DiceOut()).after)
        held = [table]

        def say(call: Call, held: list[Table] = held) -> Table:
            held[0] = rule(layout, held[0], call).after
            return held[0]

        if ready(layout, table, say):
            roll = source.choice(ROLLS)
            table = thrown_from(layout, held[0])
            table = rule(layout, table, CallRoll(first=roll.first, second=roll.second)).after
    return met


@pytest.mark.parametrize(("house", "setup"), CASES, ids=lambda value: str(value))
def test_equal_signatures_have_equal_futures(house: str, setup: dict[str, Any]) -> None:
    source = random.Random(f"{house} {setup}")
    layout, table = table_of(house, setup)
    line = ("pass", "come", "pass.odds")
    again = 0
    futures: dict[Any, dict[str, Counter[str]]] = {}
    tables = game(layout, table, source, 12, ()) + game(layout, table, source, 40, line)
    for met in tables[:: 1 if setup == {} else 2]:
        sign = signature(met, ANN)
        other = disguised(met, source)
        assert signature(other, ANN) == sign
        now = future(layout, met)
        assert future(layout, other) == now
        if sign in futures:
            again += 1
            assert now == futures[sign]
        futures[sign] = now
    assert len(futures) > 15
    assert again or "seats" in setup  # with what others have up, few tables come back


def test_a_signature_tells_apart_what_matters() -> None:
    """Everything DESIGN names: puck, stakes, marker, fee, split, latches, warnings, limits."""
    layout, table = table_of("perth-crapless", {})
    for spot, amount in (("pass", 1000), ("small", 1000), ("place.6", 1200)):
        ruling = rule(layout, table, Bet(seat=ANN, spot=spot, amount=amount))
        assert ruling.accepted
        table = ruling.after
    table = rule(layout, table, CallRoll(first=2, second=3)).after
    seat = table.seats[ANN]

    def with_wager(**changes: Any) -> Table:
        wagers = {**seat.wagers, "pass": msgspec.structs.replace(seat.wagers["pass"], **changes)}
        changed = msgspec.structs.replace(seat, wagers=wagers)
        return msgspec.structs.replace(table, seats={ANN: changed})

    replace = msgspec.structs.replace
    others = [
        replace(table, puck=6),
        replace(table, phase="closed"),
        replace(table, collected={"small": 1}),
        replace(table, latched=frozenset()),
        replace(table, posted=replace(table.posted, minimum=1000)),
        replace(table, seats={ANN: replace(seat, warned=True)}),
        replace(table, hand=replace(table.hand, shooter=ANN)),
        replace(table, floor=replace(table.floor, barred={ANN: ("x",)})),
        with_wager(stake=1100),
        with_wager(fee=100),
        with_wager(marker="off"),
        with_wager(split=(500, 500)),
        with_wager(found="under minimum"),
        with_wager(stays=True),
        with_wager(voucher=100),
    ]
    assert table.latched
    assert table.collected != {"small": 1}
    signs = {signature(each, ANN) for each in [table, *others]}
    assert len(signs) == len(others) + 1
    noted = replace(table, floor=replace(table.floor, records=(("touching", ANN),)))
    assert signature(noted, ANN) == signature(table, ANN)
