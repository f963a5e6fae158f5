"""Brute enumeration: every sequence of the 36 rolls to a depth, settled by the naive auditor.

The auditor (tests/auditor.py) is a second model of the five houses that never reads a rulebook.
Here it is handed one wager and every sequence of rolls; what it pays, weighed one by one, must be
exactly what the chain says: the chance of each net within so many rolls, and of none yet.
"""

from __future__ import annotations

import copy
from fractions import Fraction as F

import pytest

from boxman.odds.machine import Machine, State
from boxman.odds.quote import Odds, Split, WithOdds, price_list
from boxman.rules.book import houses
from boxman.rules.compile import load
from tests.auditor import Auditor, parse

STAKE = 55_440 * 100
"""Divides into the parts and pays the prices of every wager without rounding."""
SEAT = "ann"
FACES = range(1, 7)
Found = dict[F | None, F]
"""The chance of each net; None for a wager that is still up."""


def fork(auditor: Auditor) -> Auditor:
    other = copy.copy(auditor)
    other.wagers = {key: copy.copy(wager) for key, wager in auditor.wagers.items()}
    other.collected = {kind: set(totals) for kind, totals in auditor.collected.items()}
    return other


def enumerate_rolls(auditor: Auditor, depth: int, always_working: bool) -> Found:
    """Follow every sequence of rolls; the auditor holds exactly one wager."""
    found: Found = {}
    _follow(auditor, depth, always_working, F(1), found)
    return found


def _follow(auditor: Auditor, depth: int, always: bool, chance: F, found: Found) -> None:
    if not depth:
        found[None] = found.get(None, F(0)) + chance
        return
    for first in FACES:
        for second in FACES:
            table = fork(auditor)
            if always:
                for wager in table.wagers.values():
                    wager.call = "on"
            ((_, outcome),) = table.roll(first, second).items() or [(None, None)]
            if outcome is None or outcome.verdict == "move":
                _follow(table, depth - 1, always, chance / 36, found)
            else:
                net = F(outcome.paid - outcome.taken, STAKE)
                found[net] = found.get(net, F(0)) + chance / 36


def seated(house: str, odds: Odds, name: str) -> Auditor:
    auditor = Auditor(house, chip=1, maximum=10**12)
    auditor.puck = odds.puck
    auditor.bet(SEAT, name, STAKE)
    return auditor


def charged(auditor: Auditor, name: str, found: Found) -> Found:
    """The commission is paid at placement: it belongs to every net."""
    fee = F(auditor.fee(name, STAKE), STAKE)
    return {net if net is None else net - fee: chance for net, chance in found.items()}


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
    for name, odds in price_list(load(house)).items():
        auditor = seated(house, odds, odds.spot.id)
        brute = enumerate_rolls(auditor, 2, always_working=True)
        expected = charged(auditor, odds.spot.id, brute)
        assert from_chain(odds, 2, odds._start) == expected, name
        assert sum(expected.values()) == 1


@pytest.mark.parametrize("house", houses())
def test_every_sleeping_wager_two_rolls_deep_by_the_houses_rule(house: str) -> None:
    tried = 0
    for name, odds in price_list(load(house)).items():
        if all(odds.spot.works):
            continue
        tried += 1
        for puck in (0, 6 if parse(name)[1] != 6 else 8):
            auditor = seated(house, odds, name)
            auditor.puck = puck
            brute = enumerate_rolls(auditor, 2, always_working=False)
            start = odds._start._replace(puck=puck)
            expected = charged(auditor, name, brute)
            assert from_chain(odds, 2, start, sleeps=True) == expected, (name, puck)
        auditor = seated(house, odds, name)
        auditor.mark(SEAT, name, "on")
        brute = enumerate_rolls(auditor, 2, always_working=False)
        start = odds._start._replace(called=True)
        assert from_chain(odds, 2, start, sleeps=True) == charged(auditor, name, brute), name
    assert tried > 15


@pytest.mark.parametrize(
    ("house", "name"),
    [("nsw", "pass"), ("nsw", "dont_come"), ("perth-crapless", "pass"), ("perth-crapless", "come")],
)
def test_three_rolls_deep(house: str, name: str) -> None:
    odds = Odds(load(house), name)
    brute = enumerate_rolls(seated(house, odds, name), 3, always_working=True)
    assert from_chain(odds, 3, odds._start) == brute


def test_come_odds_over_a_come_out_three_rolls_deep() -> None:
    odds = Odds(load("nsw"), "come.odds.5")
    auditor = seated("nsw", odds, "come.odds.5")
    auditor.puck = 4
    brute = enumerate_rolls(auditor, 3, always_working=False)
    start = odds._start._replace(puck=4)
    assert from_chain(odds, 3, start, sleeps=True) == brute


@pytest.mark.parametrize("split", [(1, 1), (3, 1), (1, 5)])
def test_a_split_by_name(split: tuple[int, int]) -> None:
    odds = Split(load("newzealand"), "c_and_e", split)
    auditor = Auditor("newzealand", chip=1, maximum=10**12)
    part = STAKE // sum(split)
    auditor.bet(SEAT, "c_and_e", STAKE, (part * split[0], part * split[1]))
    assert from_chain(odds, 1, odds._start) == enumerate_rolls(auditor, 1, always_working=True)


@pytest.mark.parametrize(("house", "flat", "times"), [("nsw", "pass", 2), ("rws", "dont_pass", 3)])
def test_a_flat_with_odds_three_rolls_deep(house: str, flat: str, times: int) -> None:
    """Both wagers on the auditor's table; the odds go down when the point comes."""
    odds = WithOdds(load(house), flat, F(times))
    ratios = {4: 2, 10: 2, 5: F(3, 2), 9: F(3, 2), 6: F(6, 5), 8: F(6, 5)}
    found: Found = {}

    def follow(auditor: Auditor, depth: int, chance: F) -> None:
        if not depth:
            found[None] = found.get(None, F(0)) + chance
            return
        for first in FACES:
            for second in FACES:
                table = fork(auditor)
                outcomes = table.roll(first, second)
                if outcomes:
                    won = sum(outcome.paid - outcome.taken for outcome in outcomes.values())
                    found[F(won, STAKE)] = found.get(F(won, STAKE), F(0)) + chance / 36
                    continue
                if table.puck and not auditor.puck:
                    most = STAKE * times * (ratios[table.puck] if flat == "dont_pass" else 1)
                    table.bet(SEAT, f"{flat}.odds", int(most))
                follow(table, depth - 1, chance / 36)

    auditor = Auditor(house, chip=1, maximum=10**12)
    auditor.bet(SEAT, flat, STAKE)
    follow(auditor, 3, F(1))
    assert from_chain(odds, 3, odds._start) == found
