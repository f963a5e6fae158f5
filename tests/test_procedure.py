"""Random evenings with a crew by hand: every call, every station, every house.

Whatever is said, money is conserved, a refusal changes nothing and gives its clause, decisions cite
clauses that exist, calls survive being written and read, and every ruling can be explained.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxman.dice import ROLLS
from boxman.rules.book import houses, read_book
from boxman.rules.duties import STATIONS
from boxman.rules.layout import Layout
from boxman.table import calls, floor_calls
from boxman.table.accounts import imbalance
from boxman.table.explain import explain
from boxman.table.floor_notation import SANCTION_WORDS, STEP_WORDS
from boxman.table.menu import menu
from boxman.table.notation import read_call, split_line, write_call
from boxman.table.opening import PLAYERS, Open, open_table
from boxman.table.ruling import rule
from boxman.table.signs import signs
from boxman.table.state import Table, apply

PEOPLE = ("ann", "bob", "cat")
DICE = ("inspected", "off", "chosen", "found", "checked", "lost", "new set", "old dice")


class Evening:
    """Draws calls at random, mostly sensible ones."""

    def __init__(self, layout: Layout, chance: random.Random) -> None:
        self.layout, self.random = layout, chance
        self.at = 0
        procedure = layout.procedure
        self.reasons = sorted({reason for _, reason in procedure.powers} | {""})
        self.causes = [*procedure.causes, ""]
        self.records = [key for kind, key in procedure.rules if kind == "record"] or ["nothing"]

    def draw(self, table: Table) -> calls.Call:
        pick = self.random.choice
        self.at += self.random.choice((0, 1, 60, 700))
        seat, station = pick(PEOPLE), pick(STATIONS)
        spot = pick([*self.layout.spots, "pass", "dont_pass", "field"])
        amount = pick((500, 1000, 1200, 2000, 60_000))
        roll = pick(ROLLS)
        reason = pick(self.reasons)
        low, high = pick(((500, 50_000), (1000, 40_000), (2500, 60_000)))
        faces = {"first": roll.first, "second": roll.second}
        makers: list[Callable[[], calls.Call]] = [
            *[lambda: calls.Bet(by="player", seat=seat, spot=spot, amount=amount)] * 8,
            *[lambda: calls.CallRoll(by=pick(("stick", "stick", station)), **faces)] * 6,
            lambda: calls.CallRoll(by="stick", cause=pick(self.causes), **faces),
            lambda: calls.CallRoll(by="stick", total=pick((0, 7)), cocked=True, **faces),
            lambda: calls.CallNoRoll(by=station, cause=pick(self.causes), person=pick(("", seat))),
            lambda: calls.BuyIn(by="player", seat=seat, amount=amount),
            lambda: calls.CashOut(by="player", seat=seat, amount=pick((0, 500))),
            lambda: calls.TakeDown(by="player", seat=seat, spot=spot),
            lambda: calls.Reduce(by="player", seat=seat, spot=spot, to=500),
            lambda: calls.SetWorking(by="player", seat=seat, spot=spot, call=pick(("on", "off"))),
            lambda: calls.StayUp(by="player", seat=seat, spot=spot),
            lambda: calls.Find(by=station, seat=seat, spot=spot, amount=amount),
            *[lambda: calls.CloseBets(by=pick(("dealer", "stick")))] * 3,
            lambda: calls.DiceOut(),
            lambda: calls.DiceRest(),
            lambda: calls.DisputeFaces(seat=seat),
            lambda: calls.CallIt(),
            lambda: calls.DecideFaces(by=station, **pick((faces, {}))),
            lambda: calls.Overrule(by=station, **pick((faces, {}))),
            lambda: calls.VoidRoll(
                by=station, reason=reason or "x", person=seat, note="n", whole_round=True
            ),
            lambda: calls.VoidRoll(by=station, reason=reason or "x", person=seat, note="n"),
            lambda: calls.Sit(by="player", seat=seat, place=pick((1, 2, 3, 4))),
            *[lambda: calls.OfferDice(by="stick", seat=seat)] * 4,
            *[lambda: calls.TakeDice(seat=pick((*PEOPLE, "stick")))] * 4,
            lambda: calls.DeclineDice(seat=seat),
            lambda: calls.PassDice(seat=seat),
            lambda: calls.OrderPass(by=station, seat=seat, reason=reason or "x"),
            lambda: calls.CancelPoint(by=station),
            lambda: floor_calls.Say(seat=seat, spot=spot, amount=amount),
            lambda: floor_calls.Confirm(by=station, seat=seat, spot=spot),
            lambda: floor_calls.PlaceFor(by=station, seat=seat, spot=spot, amount=amount),
            lambda: floor_calls.Object(seat=seat, spot=spot),
            lambda: floor_calls.Record(by=station, what=pick(self.records), person=seat),
            lambda: floor_calls.Tell(by=station, whom=pick(("inspector", "surveillance"))),
            lambda: floor_calls.ShowNotice(by=station, what="limits", minimum=low, maximum=high),
            lambda: floor_calls.ShowNotice(by=station, what="closing"),
            lambda: floor_calls.Agree(seat=seat),
            lambda: floor_calls.PostLimits(by=station, minimum=low, maximum=high, reason=reason),
            lambda: floor_calls.GrantLimits(by=station, seat=seat, minimum=low, maximum=high),
            lambda: floor_calls.KeepLimits(by=station, seat=seat, keep=pick((True, False))),
            lambda: floor_calls.ChangeStick(by="stick"),
            lambda: floor_calls.Leave(seat=seat),
            lambda: floor_calls.LinkPartners(by=station, first="ann", second="bob"),
            lambda: floor_calls.OpenDispute(seat=seat, about=reason or "payout"),
            lambda: floor_calls.JudgeDispute(by=station, step=pick(tuple(STEP_WORDS))),
            lambda: floor_calls.StandIn(by=station, person="kim", station="box"),
            lambda: floor_calls.GiveVoucher(by=station, seat=seat, amount=1000),
        ]
        if self.random.random() < 0.02:
            what = pick(tuple(SANCTION_WORDS))
            makers = [lambda: floor_calls.Sanction(by=station, what=what, seat=seat, reason=reason)]
        if self.random.random() < 0.02:
            makers = [lambda: floor_calls.HandleDice(by=station, event=pick(DICE))]
        if self.random.random() < 0.002:
            makers = [lambda: floor_calls.CloseTable(by=station, reason=reason)]
        return msgspec.structs.replace(pick(makers)(), at=self.at)


def check_menu(layout: Layout, table: Table, at: int) -> None:
    """Grants, kept limits, partners, sanctions and closing show in the menu as they rule."""
    for name in table.seats:
        choice = menu(layout, table, name, at).choices.get("field")
        for move in menu(layout, table, name, at).moves:
            said = read_call(split_line(f"{name} {move}").words, 99)
            if "agrees" not in move:
                assert rule(layout, table, said).accepted, f"{name} {move}"
        for amount in (100, 500, 900, 1000, 2500, 30_000, 50_000, 60_000):
            bet = calls.Bet(seat=name, spot="field", amount=amount, at=at)
            shown = choice is not None and any(
                low <= amount <= high and (amount - low) % step == 0
                for low, high, step in choice.bet
            )
            assert rule(layout, table, bet).accepted == shown, f"{name} {amount} {choice}"


def prelude() -> list[calls.Call]:
    """What lets a first throw happen: chips, line wagers, inspected dice, a shooter."""
    said: list[calls.Call] = []
    for place, name in enumerate(PEOPLE, 1):
        said.append(calls.Sit(seat=name, place=place))
        said.append(calls.BuyIn(seat=name, amount=200_000))
        said.append(calls.Bet(seat=name, spot="pass", amount=1000))
    said += [floor_calls.HandleDice(by=who, event="inspected") for who in ("dealer", "box")]
    for name in PEOPLE:
        said += [calls.OfferDice(by="stick", seat=name), calls.TakeDice(seat=name)]
    return said


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("house", houses())
def test_a_random_evening(house: str, seed: int) -> None:
    kinds = play(house, random.Random(seed), 700)
    assert kinds["CallRoll", True] > 0
    assert kinds["Bet", True] > 0


@pytest.mark.parametrize("house", houses())
def test_hypothesis_draws_from_every_call_and_station(house: str) -> None:
    @settings(max_examples=12, derandomize=True, database=None, deadline=None)
    @given(st.randoms(use_true_random=False))
    def evening(chance: random.Random) -> None:
        play(house, chance, 60)

    evening()


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 30))
@pytest.mark.parametrize("house", houses())
def test_many_long_evenings(house: str, seed: int) -> None:
    play(house, random.Random(seed), 5000)


def play(house: str, chance: random.Random, steps: int) -> Counter[tuple[str, bool]]:
    """An evening of so many calls, every property checked; which calls were ruled, and how."""
    book = read_book(house)
    opened = open_table(Open(house=house, minimum=500, maximum=50_000, shooter=PLAYERS))
    layout, table = opened.layout, opened.table
    assert layout is not None
    assert table is not None
    evening = Evening(layout, chance)
    for call in prelude():
        table = rule(layout, table, call).after
    kinds: Counter[tuple[str, bool]] = Counter()
    for step in range(steps):
        call = evening.draw(table)
        text = write_call(call)
        again = read_call(split_line(text).words, len(text) + 1)
        assert write_call(again) == text
        ruling = rule(layout, table, call)
        kinds[type(call).__name__, ruling.accepted] += 1
        assert ruling.cites
        assert set(ruling.cites) <= set(book.clauses), text
        if ruling.refusal is not None:
            assert ruling.after is table
            assert ruling.refusal.sentence
        after = table
        for decision in ruling.decisions:
            assert decision.cites, decision
            after = apply(after, decision)
            assert imbalance(after) == 0, f"{text}: {decision}"
        assert after == ruling.after
        assert all(seat.rail >= 0 for seat in after.seats.values()), text
        assert explain(book, layout, ruling)
        if step % 20 == 0:
            assert signs(layout, after)
            check_menu(layout, after, evening.at)
        table = after
        if table.floor.closed:
            break
    return kinds
