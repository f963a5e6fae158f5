"""A long run of the reference table against the odds: z-scores of every wager of every house.

One seat keeps every wager up that the house lets it make; the dice come from random.Random
(seed 1; the soak has three). Net and length of each wager that is decided are compared with what
the chain says; no z-score may reach 4.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from fractions import Fraction
from math import sqrt

import pytest

from boxman.odds.machine import Machine
from boxman.odds.measures import Figures
from boxman.odds.quote import Odds, price_list
from boxman.rules.book import houses
from boxman.rules.layout import Layout
from boxman.rules.shapes import TRAVELLING
from boxman.table.calls import Bet, BuyIn, CallRoll, CloseBets, StayUp
from boxman.table.floor.throws import needs_close
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule
from boxman.table.state import Moved, Placed, Settled, Table

F = Fraction

STAKE = 55_440 * 100
ROLLS = 4_000
SOAK = 60_000
ENOUGH = 25
"""Decisions below which a wager is left to the other seeds and houses."""


class Run:
    """One seat at the reference table, with everything up."""

    def __init__(self, house: str, seed: int) -> None:
        opening = open_table(Open(house=house, chip=100, minimum=100, maximum=10**12))
        assert opening.layout is not None
        assert opening.table is not None
        self.layout: Layout = opening.layout
        self.dice = random.Random(seed)
        self.table: Table = rule(self.layout, opening.table, BuyIn(seat="ann", amount=10**15)).after
        self.closes = needs_close(self.layout)
        self.made: dict[str, list[tuple[str, int, int, int]]] = {}
        """By spot: the names the wager counts for, with the roll, the puck and the fee then."""
        self.nets: dict[str, list[F]] = defaultdict(list)
        self.times: dict[tuple[str, bool], list[int]] = defaultdict(list)
        """By name and whether it was made with the puck off: the rolls until it was over."""
        self.rolls = 0

    def wanted(self) -> list[str]:
        puck, wagers = self.table.puck, self.table.seats["ann"].wagers
        return [
            spot.id
            for spot in self.layout.spots.values()
            if spot.id not in wagers
            and spot.may("make", puck)
            and (spot.behind is None or spot.behind.flat in wagers)
            and (spot.gate is None or spot.gate.group not in self.table.latched)
            # Comes that are up together share the seven that decides them: only one at a time
            # gives independent results.
            and not (spot.shape is TRAVELLING and any(n.startswith(f"{spot.id}.") for n in wagers))
        ]

    def bet(self) -> None:
        puck = self.table.puck
        for name in self.wanted():
            ruling = rule(self.layout, self.table, Bet(seat="ann", spot=name, amount=STAKE))
            assert ruling.refusal is None, (name, ruling.refusal)
            placed = next(d for d in ruling.decisions if isinstance(d, Placed))
            spot = self.layout.spots[name]
            by_point = spot.is_odds and spot.shape.by_point
            label = f"{name}.{puck}" if by_point else name
            self.made[name] = [(label, self.rolls, puck, placed.fee)]
            self.table = ruling.after
            if spot.unasked:  # one wager at a time is counted here
                let_go = StayUp(seat="ann", spot=name, stays=False)
                self.table = rule(self.layout, self.table, let_go).after

    def roll(self) -> None:
        if self.closes:
            self.table = rule(self.layout, self.table, CloseBets()).after
        call = CallRoll(first=self.dice.randint(1, 6), second=self.dice.randint(1, 6))
        ruling = rule(self.layout, self.table, call)
        assert ruling.refusal is None
        self.rolls += 1
        for decision in ruling.decisions:
            if isinstance(decision, Settled):
                for label, at, puck, fee in self.made.pop(decision.spot):
                    self.times[label, not puck].append(self.rolls - at)
                    if decision.verdict != "return":
                        self.nets[label].append(F(decision.net - fee, STAKE))
            elif isinstance(decision, Moved):
                travelled = (decision.to, self.rolls, self.table.puck, 0)
                self.made[decision.to] = [*self.made.pop(decision.spot), travelled]
        self.table = ruling.after


def z_of(values: list[F] | list[int], mean: F, variance: F) -> float:
    count = len(values)
    if not variance:
        assert all(value == mean for value in values)
        return 0.0
    total = sum(value * many for value, many in Counter(values).items())
    return float(total - count * mean) / sqrt(count * variance)


def length_of(odds: Odds, *, off: bool) -> tuple[F, F] | None:
    """Mean and variance of the rolls at the table, where the moment it was made defines them."""
    sleeps = not all(odds.spot.works)
    if sleeps and not off:
        return None
    start = odds._start._replace(puck=0) if sleeps else odds._start
    machine = Machine(odds._layout, odds.spot, bars_end=False, sleeps=sleeps)
    chain = machine.chain({start: 1})
    mean = chain.outlook().rolls
    return mean, chain.square - mean**2


@pytest.mark.parametrize("house", houses())
def test_the_table_pays_what_the_odds_say(house: str) -> None:
    check(house, 1, ROLLS)


@pytest.mark.soak
@pytest.mark.parametrize("house", houses())
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_table_pays_what_the_odds_say_for_long(house: str, seed: int) -> None:
    check(house, seed, SOAK)


def check(house: str, seed: int, rolls: int) -> None:
    run = Run(house, seed)
    for _ in range(rolls):
        run.bet()
        run.roll()
    prices = price_list(run.layout)
    assert set(run.nets) == set(prices), "every wager was decided at least once"
    compared = 0
    for name, nets in run.nets.items():
        # The table leaves a barred wager up, so it plays the wager as resolved.
        numbers: Figures = prices[name].resolved
        assert set(nets) <= set(numbers.net), name
        if len(nets) < ENOUGH:
            continue
        compared += 1
        z = z_of(nets, -numbers.edge, numbers.variance)
        assert abs(z) < 4, f"net of {name}: z = {z:.2f} over {len(nets)}"
    assert compared > 0.6 * len(prices)
    for (name, off), times in run.times.items():
        expected = length_of(prices[name], off=off)
        if expected is not None and len(times) >= ENOUGH:
            z = z_of(times, *expected)
            assert abs(z) < 4, f"length of {name}: z = {z:.2f} over {len(times)}"
