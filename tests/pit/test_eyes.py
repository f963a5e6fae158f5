"""Aids at the table: what wagers cost, the fair-dice test, and a visit worked out again."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest

from boxman.odds.quote import Odds, price_list
from boxman.pit.told.aids import thrown
from boxman.pit.told.seen.eyes import eyes
from boxman.pit.told.seen.fair import fair_chance
from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.rules.layout import Posted
from boxman.table.calls import Bet, BuyIn, CallRoll
from boxman.table.opening import new_table
from boxman.table.ruling import rule
from boxman.table.said.menu import menu


@pytest.mark.parametrize("house", houses())
def test_the_coach_ranks_what_may_be_bet_by_its_exact_odds(house: str) -> None:
    layout = load(house, {}, 100)
    table = new_table(layout, Posted(minimum=500, maximum=50_000))
    for call in (BuyIn(seat="ann", amount=100_000), Bet(seat="ann", spot="pass", amount=500)):
        table = rule(layout, table, call).after
    prices = price_list(layout)
    for puck in (0, 6):
        if puck:
            table = rule(layout, thrown(layout, table), CallRoll(by="", first=4, second=2)).after
        assert table.puck == puck
        own = menu(layout, table, "ann")
        told = eyes(layout, table, own)
        may = {spot for spot, choice in own.choices.items() if choice.bet}
        assert set(told["coach"]) == may
        edges = []
        for spot in told["coach"]:
            by_point = layout.spots[spot].shape.by_point and puck  # pass.6: made on a point
            name = f"{spot}.{puck}" if by_point else spot
            odds = prices[name] if name in prices else Odds(layout, name)
            assert Fraction(told["spots"][spot]["edge"]) == odds.edge
            assert told["spots"][spot]["clauses"] == list(odds.cites)
            edges.append(odds.edge)
        assert all(one <= other for one, other in pairwise(edges))
    # With the line bet up and the point made, odds behind it cost nothing and lead the list.
    if "pass.odds" in may:
        assert Fraction(told["spots"][told["coach"][0]]["edge"]) <= 0


def test_a_card_says_what_a_stake_wins() -> None:
    layout = load("nsw", {}, 100)
    table = new_table(layout, Posted(minimum=500, maximum=50_000))
    told = eyes(layout, table, None)["spots"]
    assert told["place.6"]["example"] == "$6 wins $7"
    assert told["place.6"]["stake"] == 600
    assert told["field"]["example"] == "$5 wins $5 or $10"
    # 20 at 2 to 1 wins 40, less 5 per cent of 20.
    assert told["buy.4"]["example"] == "$20 wins $39"
    assert told["place.6"]["why"] == "pays 7 to 6 where 6 to 5 would be fair"
    assert told["place.6"]["limits"] == "$5 to $500"


def test_fair_dice_pass_and_loaded_dice_do_not() -> None:
    dice = random.Random(18)

    def thrown(weights: list[int], rolls: int) -> float:
        faces = dice.choices(range(1, 7), weights, k=2 * rolls)
        chance = fair_chance(zip(faces[::2], faces[1::2], strict=True))
        assert chance is not None
        return chance

    fair = [thrown([1] * 6, 120) for _ in range(1500)]
    # Twice the smaller of two dependent chances: at most as often below a mark as the mark says.
    for mark in (0.01, 0.05, 0.2):
        share = sum(chance < mark for chance in fair) / len(fair)
        assert mark / 3 < share < mark * 1.3 + 0.004, (mark, share)
    loaded = [thrown([2, 2, 2, 2, 2, 3], 600) for _ in range(100)]
    assert sum(chance < 0.01 for chance in loaded) > 90
    # Dice that agree too rarely with seven, each face as often as another.
    shy = [(a, b) for a in range(1, 7) for b in range(1, 7) if a + b != 7] * 10
    assert (fair_chance(shy) or 1) < 1e-6
