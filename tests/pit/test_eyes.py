"""Aids at the table: what wagers cost, the fair-dice test, and a visit worked out again."""

from __future__ import annotations

import base64
import random
import zlib
from collections import Counter
from fractions import Fraction
from itertools import count, pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from boxman.dice import ROLLS
from boxman.journal.editions import no_texts
from boxman.odds.quote import Odds, price_list
from boxman.pit.told.aids import thrown, worth
from boxman.pit.told.seen.eyes import eyes
from boxman.pit.told.seen.fair import fair_chance
from boxman.pit.told.seen.hands import (
    OWN,
    HandError,
    SharedHand,
    coded,
    decoded,
    last_hand,
    played,
    played_again,
)
from boxman.pit.told.seen.stay import Stay
from boxman.rules import book
from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.rules.layout import Posted
from boxman.table.automatic import CLOSING, calling
from boxman.table.call import Call
from boxman.table.calls import Bet, BuyIn, CallRoll
from boxman.table.floor.throws import needs_close
from boxman.table.opening import Open, new_table
from boxman.table.ruling import rule
from boxman.table.said.menu import menu
from boxman.table.said.notation import read_call, split_line
from boxman.table.state import Placed, Returned, Rolled, Settled

TEMPLATE = str(Path(book.__file__).parents[1] / "rulebooks" / "template.md")


@pytest.mark.parametrize("house", [*houses(), TEMPLATE], ids=[*houses(), "template"])
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


def packed(hand: SharedHand) -> str:
    return base64.urlsafe_b64encode(zlib.compress(msgspec.json.encode(hand))).decode().rstrip("=")


def test_a_hand_goes_on_when_its_seven_is_taken_back() -> None:
    layout = load("perth-crapless", {}, 100)
    opening = Open(house="perth-crapless", chip=100, minimum=500, maximum=50_000)
    lines = (
        "ann buys in 1000\nann bets 10 pass\nstick calls 3-1\nann bets 10 field\nstick calls 4-3\n"
        "ann disputes call\n{}"
    )
    overruled = lines.format("manager overrules to 4-2")
    voided = f"{overruled}\nmanager voids the round for fire"
    for said, faces in ((overruled, [(3, 1), (4, 2)]), (voided, [])):
        table = first = new_table(layout, Posted(minimum=500, maximum=50_000))
        rows = []
        for line in said.splitlines():
            ruling = rule(layout, table, read_call(split_line(line).words, len(line) + 1))
            assert ruling.accepted, (line, ruling.refusal)
            table = ruling.after
            rows.append(SimpleNamespace(call=ruling.call, ruling=ruling, refused=False))
        assert table.rolls == len(faces)
        if not faces:
            with pytest.raises(HandError, match="thrown"):
                last_hand(opening, layout.digest, rows, first, "ann")
            continue
        hand = last_hand(opening, layout.digest, rows, first, "ann")
        assert [each for each in hand.said if isinstance(each, tuple)] == faces


@pytest.mark.parametrize("house", [*houses(), TEMPLATE], ids=[*houses(), "template"])
def test_a_visit_and_a_shared_hand_are_what_the_rows_say(house: str) -> None:
    """An evening of two players at random: the figures are counted again from the decisions, and
    one's own hand replays without the other to the same cents, with nothing of the other in it."""
    opening = Open(house=house, chip=100, minimum=500, maximum=50_000)
    layout, dice = load(house, {}, 100), random.Random(f"a visit to {house}")
    table = new_table(layout, Posted(minimum=500, maximum=50_000))
    first, stay, rows, numbers = table, Stay(layout, "ann"), list[Any](), count(1)
    stay.table = table

    def say(call: Call) -> None:
        nonlocal table
        ruling = rule(layout, table, call)
        assert ruling.accepted, ruling.refusal
        table = ruling.after
        row = SimpleNamespace(number=next(numbers), call=call, ruling=ruling, refused=False)
        rows.append(row)
        stay.hear(row)

    for name in ("ann", "benedict"):
        say(BuyIn(seat=name, amount=200_000))
    for _ in range(45):
        for name in ("ann", "benedict"):
            offered = menu(layout, table, name).choices.values()
            choices = [each for each in offered if each.bet and not each.parts]
            if dice.random() < 0.6 and choices:
                choice = dice.choice(choices)
                low, high, step = choice.bet[0]
                amount = low + step * dice.randint(0, min(4, (high - low) // step))
                say(Bet(seat=name, spot=choice.spot, amount=amount))
        if needs_close(layout):
            say(CLOSING)
        say(calling(dice.choice(ROLLS)))
    told, own = stay.told(), table.seats["ann"]
    decided = [each for row in rows for each in row.ruling.decisions]
    faces = [(each.first, each.second) for each in decided if isinstance(each, Rolled)]
    assert {each["total"]: each["seen"] for each in told["totals"] if each["seen"]} == Counter(
        map(sum, faces)
    )
    assert told["dice"]["chance"] == fair_chance(faces)
    found: dict[str, Counter[str]] = {}
    for each in decided:
        if isinstance(each, Settled | Placed | Returned) and each.seat == "ann":
            kind, _, more = each.spot.partition(".")
            travelled = kind in ("come", "dont_come") and more.isdigit()
            counted = found.setdefault(kind if travelled else each.spot, Counter())
            if isinstance(each, Settled):
                net = each.paid - each.taken
                counted["won" if net > 0 else "lost" if net < 0 else "even"] += 1
                counted["staked"] += each.stake
                counted["net"] += net
            else:
                counted["net"] += -each.fee if isinstance(each, Placed) else each.fee
    assert {each["spot"] for each in told["wagers"]} == {
        spot for spot, each in found.items() if each.total() or each["staked"] or each["net"]
    }
    for each in told["wagers"]:
        counted = found[each["spot"]]
        assert all(each[key] == counted[key] for key in ("won", "lost", "even", "staked", "net"))
    assert told["net"] == worth(own) - 200_000 == sum(each["net"] for each in told["wagers"])
    # The share of hands as long as the longest, and the fan: the last column is nowhere below.
    assert told["hand"]["longest"] <= 45
    assert all(list(each[1:]) == sorted(each[1:]) for each in told["fan"])
    hand = last_hand(opening, layout.digest, rows, first, "ann")
    code = coded(hand, {layout.digest: book.read_book(house).text}.get)
    assert code.startswith(OWN) == (house not in houses())  # a rulebook of one's own goes along
    code = code.removeprefix(OWN)
    assert b"benedict" not in zlib.decompress(
        base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
    )
    if house in houses():
        # A server with another edition shows it if it comes to the same cents there, and says so.
        assert not played_again(code, no_texts)["other"]
        strange = replace(hand, edition="0" * 64)
        assert played_again(packed(strange), no_texts)["other"]
        with pytest.raises(HandError, match="does not have the rulebook of that hand"):
            played_again(packed(replace(strange, net=hand.net + 1)), no_texts)
    again = played(decoded(OWN * (house not in houses()) + code), lambda digest: None)
    assert again.net == hand.net
    assert again.rows[-1]["rail"] == own.rail
    assert again.rolls == faces[-len(again.rolls) :]
