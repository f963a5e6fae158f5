"""Brute enumeration: every sequence of the 36 rolls to a depth, settled by the naive auditor.

The auditor (tests/auditor.py) is a second model of the houses that never reads a rulebook.
Here it is handed wagers, each on a seat of its own, and every sequence of rolls; what it pays,
weighed one by one, must be exactly what the chain says: the chance of each net within so many
rolls, and of none yet.
"""

from __future__ import annotations

import copy
from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction

import pytest

from boxman.odds.machine import Machine, State
from boxman.odds.quote import Odds, Split, WithOdds, price_list
from boxman.rules.book import houses
from boxman.rules.compile import load
from tests.auditor import Auditor

F = Fraction

STAKE = 55_440 * 100
"""Divides into the parts and pays the prices of every wager without rounding."""
FACES = range(1, 7)
Found = dict[F | None, F]
"""The chance of each net; None for a wager that is still up."""


def fork(auditor: Auditor) -> Auditor:
    other = copy.copy(auditor)
    other.wagers = {key: copy.copy(wager) for key, wager in auditor.wagers.items()}
    other.collected = {kind: set(totals) for kind, totals in auditor.collected.items()}
    other.come = {spot: list(totals) for spot, totals in auditor.come.items()}
    return other


def enumerate_rolls(auditor: Auditor, depth: int, always_working: bool = False) -> dict[str, Found]:
    """Follow every sequence of rolls; by seat, what its one wager nets."""
    counts: dict[str, Counter[int | None]] = defaultdict(Counter)
    fees = {seat: auditor.fee(spot, STAKE) for seat, spot in auditor.wagers}

    def follow(table: Auditor, left: int) -> None:
        if not left:
            for seat, _ in table.wagers:
                counts[str(seat)][None] += 1
            return
        for first in FACES:
            for second in FACES:
                after = fork(table)
                if always_working:
                    for wager in after.wagers.values():
                        wager.call = "on"
                for (seat, _), outcome in after.roll(first, second).items():
                    if outcome.verdict != "move":
                        # The commission is paid at placement: it belongs to every net.
                        net = outcome.paid - outcome.taken - fees[seat]
                        counts[str(seat)][net] += 36 ** (left - 1)
                if after.wagers:
                    follow(after, left - 1)

    follow(auditor, depth)
    return {
        seat: {
            net if net is None else F(net, STAKE): F(count, 36**depth)
            for net, count in found.items()
        }
        for seat, found in counts.items()
    }


def seated(house: str, wagers: Iterable[Odds], puck: int) -> Auditor:
    auditor = Auditor(house, chip=1, maximum=10**12)
    auditor.puck = puck
    for odds in wagers:
        auditor.bet(odds.id, odds.spot.id, STAKE)
    return auditor


def from_chain(odds: Odds, depth: int, start: State, *, sleeps: bool = False) -> Found:
    machine = Machine(odds._layout, odds.spot, odds._pay, bars_end=False, sleeps=sleeps)
    chain = machine.chain({start: 1})
    found: Found = {}
    for end, chance in chain.within(depth).items():
        if chance:
            found[end.net] = found.get(end.net, F(0)) + chance
    waiting = chain.lengths(depth).tail
    return found | ({None: waiting} if waiting else {})


@pytest.mark.parametrize("house", houses())
def test_every_wager_two_rolls_deep(house: str) -> None:
    by_puck: dict[int, list[Odds]] = defaultdict(list)
    for odds in price_list(load(house)).values():
        by_puck[odds.puck].append(odds)
    for puck, wagers in by_puck.items():
        brute = enumerate_rolls(seated(house, wagers, puck), 2, always_working=True)
        for odds in wagers:
            assert from_chain(odds, 2, odds._start) == brute[odds.id], odds.id
            assert sum(brute[odds.id].values()) == 1


@pytest.mark.parametrize("house", houses())
def test_every_sleeping_wager_two_rolls_deep_by_the_houses_rule(house: str) -> None:
    wagers = [odds for odds in price_list(load(house)).values() if not all(odds.spot.works)]
    assert len(wagers) > 15
    for puck in (0, 6):
        # A travelled wager is never up with the puck on its own number.
        here = [odds for odds in wagers if not (odds.spot.is_odds and odds.spot.number == puck)]
        brute = enumerate_rolls(seated(house, here, puck), 2)
        for odds in here:
            start = odds._start._replace(puck=puck)
            assert from_chain(odds, 2, start, sleeps=True) == brute[odds.id], (odds.id, puck)
    auditor = seated(house, wagers, 0)
    for odds in wagers:
        auditor.mark(odds.id, odds.spot.id, "on")
    brute = enumerate_rolls(auditor, 2)
    for odds in wagers:
        start = odds._start._replace(called=True)
        assert from_chain(odds, 2, start, sleeps=True) == brute[odds.id], odds.id


@pytest.mark.parametrize("house", ["nsw", "perth-crapless"])
def test_three_rolls_deep(house: str) -> None:
    layout = load(house)
    names = [name for name in ("pass", "dont_pass", "come", "dont_come") if name in layout.spots]
    wagers = [Odds(layout, name) for name in names]
    brute = enumerate_rolls(seated(house, wagers, 0), 3, always_working=True)
    for odds in wagers:
        assert from_chain(odds, 3, odds._start) == brute[odds.id], odds.id


def test_sleepers_over_a_come_out_three_rolls_deep() -> None:
    layout = load("nsw")
    wagers = [Odds(layout, name) for name in ("come.odds.5", "place.8", "hard.4")]
    brute = enumerate_rolls(seated("nsw", wagers, 4), 3)
    for odds in wagers:
        start = odds._start._replace(puck=4)
        assert from_chain(odds, 3, start, sleeps=True) == brute[odds.id], odds.id


@pytest.mark.parametrize("house", ["adelaide", "nsw", "rws"])
def test_a_call_lasts_no_longer_than_the_house_says(house: str) -> None:
    """Three rolls: a point, the point made, and a come-out for which nobody called."""
    odds = Odds(load(house), "place.8")
    auditor = seated(house, [odds], 0)
    auditor.mark(odds.id, odds.id, "on")
    start = odds._start._replace(called=True)
    assert from_chain(odds, 3, start, sleeps=True) == enumerate_rolls(auditor, 3)[odds.id]


@pytest.mark.parametrize("split", [(1, 1), (3, 1), (1, 5)])
def test_a_split_by_name(split: tuple[int, int]) -> None:
    odds = Split(load("newzealand"), "c_and_e", split)
    auditor = Auditor("newzealand", chip=1, maximum=10**12)
    part = STAKE // sum(split)
    auditor.bet("ann", "c_and_e", STAKE, (part * split[0], part * split[1]))
    assert from_chain(odds, 1, odds._start) == enumerate_rolls(auditor, 1)["ann"]


@pytest.mark.parametrize(("house", "flat", "times"), [("nsw", "pass", 2), ("rws", "dont_pass", 3)])
def test_a_flat_with_odds_three_rolls_deep(house: str, flat: str, times: int) -> None:
    """Both wagers on the auditor's table; the odds go down when the point comes."""
    odds = WithOdds(load(house), flat, F(times))
    ratios = {4: F(2), 10: F(2), 5: F(3, 2), 9: F(3, 2), 6: F(6, 5), 8: F(6, 5)}
    counts: Counter[int | None] = Counter()

    def follow(auditor: Auditor, depth: int) -> None:
        if not depth:
            counts[None] += 1
            return
        for first in FACES:
            for second in FACES:
                table = fork(auditor)
                outcomes = table.roll(first, second)
                if outcomes:
                    won = sum(outcome.paid - outcome.taken for outcome in outcomes.values())
                    counts[won] += 36 ** (depth - 1)
                    continue
                if table.puck and not auditor.puck:
                    laid = ratios[table.puck] if flat == "dont_pass" else F(1)
                    table.bet("ann", f"{flat}.odds", int(STAKE * times * laid))
                follow(table, depth - 1)

    auditor = Auditor(house, chip=1, maximum=10**12)
    auditor.bet("ann", flat, STAKE)
    follow(auditor, 3)
    assert from_chain(odds, 3, odds._start) == {
        net if net is None else F(net, STAKE): F(count, 36**3) for net, count in counts.items()
    }
