"""Best play against closed forms: gambler's ruin, bold play, the price of a wager a roll."""

from __future__ import annotations

from fractions import Fraction

import pytest

from boxman.library import house
from boxman.rules.book import houses
from boxman.solve import solve

PASS = Fraction(244, 495)
"""The chance of the pass line where 2, 3 and 12 lose at once."""


def usual() -> str:
    """A house with the usual pass line."""
    return next(name for name in houses() if house(name).odds("pass").win == PASS)


def test_one_stake_is_gamblers_ruin() -> None:
    answer = solve(usual(), "pass", "5", bankroll=100, reach=200, minimum=5)
    ratio = (1 - PASS) / PASS
    for units in range(1, 40):
        known = (1 - ratio**units) / (1 - ratio**40)
        assert answer.at(500 * units) == pytest.approx(float(known), abs=1e-12)


def bold(units: int, of: int) -> Fraction:
    """The chance of bold play: all of it, or what is missing."""
    if units in (0, of):
        return Fraction(units // of)
    if 2 * units <= of:
        return PASS * bold(2 * units, of)
    return PASS + (1 - PASS) * bold(2 * units - of, of)


def test_any_stake_on_an_even_wager_is_bold_play() -> None:
    answer = solve(usual(), "pass", "5..320:5", bankroll=100, reach=320, minimum=5)
    for units in range(1, 64):
        assert answer.at(500 * units) == pytest.approx(float(bold(units, 64)), abs=1e-12)
    assert answer.loses == pytest.approx(1 - float(bold(20, 64)), abs=1e-12)


def test_the_hour_of_one_wager_is_its_price_a_roll() -> None:
    """Flat on the line all the time: its edge over its rolls, whatever the bankroll."""
    for name in houses():
        figures = house(name).odds("pass")
        answer = solve(name, "pass", "25", bankroll=300, hourly=True, at_least=25)
        known = 25 * figures.edge / figures.rolls * 100
        assert answer.value == pytest.approx(float(known), abs=1e-9)
        assert answer.gap < 1e-9


def test_the_hour_takes_the_cheapest_wager() -> None:
    """Of two, the cheaper a roll; both at once is never needed."""
    name = next(n for n in houses() if "dont_pass" in house(n).layout.spots)
    line, dont = house(name).odds("pass"), house(name).odds("dont_pass")
    answer = solve(name, "pass,dont_pass", "25", bankroll=300, hourly=True, at_least=25)
    known = min(line.edge / line.rolls, dont.edge / dont.rolls) * 25 * 100
    assert answer.value == pytest.approx(float(known), abs=1e-9)
