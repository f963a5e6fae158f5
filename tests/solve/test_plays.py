"""Every legal play on the raw table for a few rolls, at every house, against the solver."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boxman.rules.book import houses
from boxman.solve.iterate import within
from boxman.solve.menu import MENU_ACTS, PlayMenu, Stakes
from boxman.solve.model import Model
from boxman.solve.pieces import Pieces
from boxman.solve.proof import independent
from boxman.strategy.session import Session, opened, session
from tests.solve.brute import Brute

Stake = dict[str, tuple[int, ...]]


def solved(played: Session, menu: Stake, acts: tuple[str, ...], target: int, rolls: int) -> float:
    """What the solver says of the same menu."""
    spots = {spot: Stakes(stakes) for spot, stakes in menu.items()}
    pieces = Pieces(played, PlayMenu(spots, *(word in acts for word in MENU_ACTS)))
    model = Model(pieces, target - 1, forever=False)
    independent(model)
    return within(model, played.bankroll, target, rolls).at(played.bankroll)


def same(played: Session, menu: Stake, acts: tuple[str, ...], target: int, rolls: int) -> None:
    truth = Brute(played, menu, acts).reach(target, rolls)
    assert solved(played, menu, acts, target, rolls) == pytest.approx(float(truth), abs=1e-12)


LINE: Stake = {"pass": (500, 1000), "pass.odds": (500, 1000)}
DONT: Stake = {"dont_pass": (500, 1000), "dont_pass.odds": (300, 600)}
DONT_COME: Stake = {"dont_come": (500,), "dont_come.odds.4": (1000,), "pass": (500,)}
FEES: Stake = {"lay.4": (4000,), "buy.10": (2000,), "hard.8": (500,)}
ONE_ROLL: Stake = {"any_craps": (100,), "horn_high.12": (500,), "big.6": (500,)}
COME: Stake = {"come": (500,), "come.odds.6": (500,), "pass": (500,)}
CRAPLESS: Stake = {"pass": (500,), "pass.odds": (500,), "place.12": (500,)}
CASES: list[tuple[str, Stake, tuple[str, ...], int, int, int]] = [
    # house, menu, acts, bankroll, target, rolls
    ("rws", LINE, ("raise",), 1500, 2500, 3),
    ("rws", COME, (), 1500, 2500, 3),
    ("nsw", {**LINE, "field": (500,)}, (), 1500, 2500, 3),
    ("adelaide", DONT, ("lower",), 1500, 2300, 3),
    ("adelaide", {"place.6": (700,), "place.8": (700, 1400)}, ("calls",), 1500, 2400, 3),
    ("newzealand", ONE_ROLL, (), 1000, 2000, 3),
    ("perth-crapless", CRAPLESS, (), 1500, 2500, 3),
]
LONG: list[tuple[str, Stake, tuple[str, ...], int, int, int]] = [
    ("rws", LINE, ("raise", "calls"), 2000, 3500, 4),
    ("rws", COME, ("raise",), 1500, 2500, 4),
    ("nsw", FEES, ("calls",), 5000, 6500, 3),
    ("newzealand", DONT_COME, (), 1500, 2000, 4),
    ("adelaide", {**FEES, "lose.6": (600,)}, (), 5000, 6500, 3),
    ("perth-crapless", CRAPLESS, ("calls",), 1500, 2500, 4),
    ("perth-crapless", {"come": (500,), "come.odds.2": (500,)}, ("calls",), 1500, 3500, 4),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {' '.join(case[1])}")
def test_no_play_on_the_table_is_better(
    case: tuple[str, Stake, tuple[str, ...], int, int, int],
) -> None:
    house, menu, acts, bankroll, target, rolls = case
    same(session(house, bankroll=bankroll // 100), menu, acts, target, rolls)


@pytest.mark.soak
@pytest.mark.parametrize("case", LONG, ids=lambda case: f"{case[0]} {' '.join(case[1])}")
def test_no_longer_play_is_better(
    case: tuple[str, Stake, tuple[str, ...], int, int, int],
) -> None:
    house, menu, acts, bankroll, target, rolls = case
    same(session(house, bankroll=bankroll // 100), menu, acts, target, rolls)


def random_case(data: st.DataObject) -> tuple[Session, Stake, tuple[str, ...], int, int]:
    """A small menu of any wagers of any house that are solved: no collector."""
    house = data.draw(st.sampled_from(houses()))
    minimum = data.draw(st.sampled_from((1, 5)))
    played = session(house, bankroll=data.draw(st.sampled_from((12, 20, 60))), minimum=minimum)
    layout, table = opened(played)
    made = [
        name
        for name, spot in layout.spots.items()
        if spot.behind is None and spot.gate is None and spot.windows["make"].value != "never"
    ]
    menu: Stake = {}
    for name in data.draw(st.lists(st.sampled_from(made), min_size=1, max_size=2, unique=True)):
        bounds = layout.bounds(table.posted, layout.spots[name], 0)
        least = max(bounds.step, -(-bounds.minimum // bounds.step) * bounds.step)
        times = data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=2, unique=True))
        menu[name] = tuple(sorted(least * each for each in times))
    behind = [
        name
        for name, spot in layout.spots.items()
        if spot.behind and {spot.behind.flat, spot.behind.flat.rpartition(".")[0]} & set(menu)
    ]
    for name in (
        data.draw(st.lists(st.sampled_from(behind), max_size=2, unique=True)) if behind else ()
    ):
        menu[name] = (data.draw(st.sampled_from((200, 300, 500, 600, 1000))),)
    acts: Any = data.draw(st.lists(st.sampled_from(MENU_ACTS), max_size=2, unique=True))
    target = played.bankroll + data.draw(st.sampled_from((100, 300, 700, 1500)))
    return played, menu, tuple(acts), target, data.draw(st.integers(2, 3))


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_random_menus(data: st.DataObject) -> None:
    same(*random_case(data))


@pytest.mark.soak
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_many_random_menus(data: st.DataObject) -> None:
    same(*random_case(data))
