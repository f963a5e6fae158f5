"""Wagers that rounding gives to the player: named, and gone at the limits that are proposed."""

from __future__ import annotations

from fractions import Fraction

import pytest

from boxman.library import house
from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.rules.favours import favouring, favouring_or_even, proposed, words
from boxman.rules.layout import Posted
from boxman.rules.settings import SettingError
from boxman.table.opening import Open, open_table

ROUND_UP = [name for name in houses() if load(name, {}, 100).round_win.value == "up"]


def test_the_known_ones() -> None:
    """Place to Lose 5 for 5 at 5 to 8 pays 3.13, rounded up 4: (4 x 6 - 5 x 4) / 10 = 0.40."""
    for name in ROUND_UP:
        layout = load(name, {}, 100)
        found = {each.spot: each for each in favouring(layout, Posted(minimum=500, maximum=50000))}
        # 7 on the six at 7 to 6 is paid 9 for 8.17: (9 x 5 - 7 x 6) / 11 of 7.
        assert (found["place.6"].stake, found["place.6"].edge) == (700, Fraction(3, 77))
        if "lose.5" in found:
            assert (found["lose.5"].stake, found["lose.5"].edge) == (500, Fraction(2, 25))


def test_the_chips_with_which_each_is_gone() -> None:
    """The smallest chip at which (paid x 6 - 5 x 4) of Place to Lose 5 for 5 is not above 0.

    3.125 is paid 3.50 in halves: (3.50 x 6 - 20) / 10 = +0.10, and 3.25 in quarters: -0.05. But in
    quarters 5.25 is a stake too: 3.28125 is paid 3.50, which wins 21 for 21: nothing above 0.
    """
    for name in ROUND_UP:
        layout, posted = load(name, {}, 100), Posted(minimum=500, maximum=50_000)
        for each in favouring(layout, posted):
            finer = [
                {wager.spot for wager in favouring(load(name, {}, chip), posted)}
                for chip in (1, 5, 10, 20, 25, 50)
                if chip <= each.chip
            ]
            assert finer, each
            assert all(each.spot not in found for found in finer), each
            if each.spot == "lose.5":
                assert each.chip == 25


@pytest.mark.parametrize("name", houses())
def test_every_price_list_agrees(name: str) -> None:
    """What is found is what the exact odds of each stake say; nothing is left out."""
    layout = load(name, {}, 100)
    posted = Posted(minimum=500, maximum=50_000)
    found = {each.spot: each for each in favouring(layout, posted) if not each.odds}
    for wager, odds in house(name).price_list().items():
        spot = layout.spots.get(wager)
        if spot is None or spot.is_odds or spot.gate is not None or wager in ("come", "dont_come"):
            continue
        if spot.windows["make"].value == "never" or spot.shape.by_point:
            continue
        stakes = [stake for stake in odds.favoured.stakes if stake >= 500]
        assert bool(stakes) == (wager in found), wager
        if stakes:
            assert found[wager].edge == -odds.at(found[wager].stake).edge
            assert found[wager].gone == max(stakes) + layout.step(spot, 0)


@pytest.mark.parametrize("taken", ["win", "placement"])
def test_a_commission_rounded_down_to_nothing_leaves_nobody_an_edge(taken: str) -> None:
    """5% of a stake that is bought, or of a win that is laid for, is no chip of 1 below 20.

    Paid without rounding are even stakes on the five, multiples of five on the six, and laid those
    of 2, 3 and 6: so the last that cost nothing are 19, 18 and 15 bought, 38, 27 and 18 laid.
    """
    layout = load("american", {"commission_taken": taken}, 100)
    even = favouring_or_even(layout, Posted(minimum=500, maximum=50_000))
    gone = {4: (20, 39), 5: (19, 28), 6: (16, 19)}
    expected = {
        spot: units * 100
        for number, each in gone.items()
        for other in (number, 14 - number)
        for spot, units in zip((f"buy.{other}", f"lay.{other}"), each, strict=True)
    }
    assert {each.spot: each.gone for each in even} == expected
    assert {each.edge for each in even} == {0}


@pytest.mark.parametrize("name", houses())
def test_no_setting_and_no_chip_makes_the_proposed_limits_favour_the_player(name: str) -> None:
    """Rounding is what a house may choose; for chips of 25 no usual minimum may do."""
    rules = load(name).setting_rules
    rounded = [(each, way) for each in rules if "rounding" in each for way in rules[each].choices]
    for chip in (100, 2500):
        for setting, way in rounded:
            try:
                layout = load(name, {setting: way}, chip)
            except SettingError:  # this house may not choose it
                continue
            assert favouring(layout, proposed(layout)) == (), (setting, way)


@pytest.mark.parametrize("name", houses())
def test_the_proposed_limits_favour_nobody(name: str) -> None:
    for chip in (100, 500):
        layout = load(name, {}, chip)
        posted = proposed(layout)
        assert favouring(layout, posted) == ()
        assert words(layout, posted) == ""
        lower = Posted(minimum=layout.chip, maximum=posted.maximum)
        assert bool(favouring(layout, lower)) == (layout.round_win.value == "up")


def test_the_opening_warns_with_figures() -> None:
    for name in ROUND_UP:
        opening = open_table(Open(house=name, minimum=500, maximum=50_000))
        (warning,) = opening.warnings
        assert warning.code == "favours-player"
        assert "+" in warning.sentence
        assert "gone from a minimum of 20 with chips of 1" in warning.sentence
        (rest,) = open_table(Open(house=name, minimum=2000, maximum=50_000)).warnings
        assert "no wager does" in rest.sentence
