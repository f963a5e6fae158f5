"""Random evenings with a crew by hand: every call, every station, every house.

Whatever is said, money is conserved, a refusal changes nothing and gives its clause, decisions cite
clauses that exist, calls survive being written and read, and every ruling can be explained.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import get_args

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test
from hypothesis.stateful import rule as step

from boxman.dice import ROLLS
from boxman.rules.book import houses, read_book
from boxman.rules.duties import STATIONS
from boxman.rules.layout import Layout
from boxman.table import calls, floor_calls
from boxman.table.accounts import imbalance
from boxman.table.explain import explain
from boxman.table.floor import PLAYER
from boxman.table.floor_notation import DICE_WORDS, SANCTION_WORDS, STEP_WORDS
from boxman.table.menu import menu
from boxman.table.notation import read_call, split_line, write_call
from boxman.table.opening import PLAYERS, Open, open_table
from boxman.table.record import as_json
from boxman.table.ruling import RULES, rule
from boxman.table.rulings import Ruling
from boxman.table.signs import signs
from boxman.table.speakers import STAFF
from boxman.table.state import AnyDecision, Table, apply
from boxman.table.station_menu import move_of, station_menu
from boxman.table.transcript import Transcript
from tests.cases import FOLDER

PEOPLE = ("ann", "bob", "cat")
DECISION = msgspec.json.Decoder(AnyDecision)
CALL = msgspec.json.Decoder(calls.AnyCall | floor_calls.AnyFloorCall)  # type: ignore[var-annotated]
KINDS: tuple[type[calls.Call], ...] = get_args(calls.AnyCall | floor_calls.AnyFloorCall)
DICE = tuple(DICE_WORDS)


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
        """Any call; what nobody says often is drawn seldom."""
        weights = {calls.Bet: 8, calls.CallRoll: 8, calls.OfferDice: 4, calls.TakeDice: 4}
        weights |= {calls.CloseBets: 3, calls.BuyIn: 2, calls.GiveBack: 2}
        weights |= {floor_calls.CloseTable: 0.05, floor_calls.Leave: 0.2}
        weights |= dict.fromkeys((floor_calls.Sanction, floor_calls.HandleDice), 0.5)
        kinds = list(KINDS)
        call = self.make(self.random.choices(kinds, [weights.get(k, 1) for k in kinds])[0])
        if isinstance(call, calls.GiveBack) and table.fresh and self.random.random() < 0.8:
            new = self.random.choice(list(table.fresh.values()))
            return msgspec.structs.replace(call, seat=new.seat, spot=new.spot)
        return call

    def make(self, kind: type[calls.Call]) -> calls.Call:
        """One call of a kind, its fields drawn: mostly sensible, by whoever it may be."""
        pick = self.random.choice
        self.at += pick((0, 1, 60, 700))
        seat, station = pick(PEOPLE), pick(STATIONS)
        spot = pick([*self.layout.spots, "pass", "dont_pass", "field"])
        amount = pick((500, 1000, 1200, 2000, 60_000))
        roll, reason = pick(ROLLS), pick(self.reasons)
        low, high = pick(((500, 50_000), (1000, 40_000), (2500, 60_000)))
        values = {
            "seat": seat,
            "spot": spot,
            "amount": amount,
            "to": 500,
            "call": pick(("on", "off")),
            "first": roll.first,
            "second": roll.second,
            "place": pick((1, 2, 3, 4)),
            "person": pick((seat, "", "kim")),
            "note": pick(("", "seen")),
            "whole_round": pick((True, False)),
            "what": "",
            "whom": pick(("inspector", "surveillance", seat)),
            "minimum": low,
            "maximum": high,
            "keep": pick((True, False)),
            "about": reason or "payout",
            "step": pick(tuple(STEP_WORDS)),
            "event": pick((*DICE, "asked")),
            "station": station,
            "setting": pick((*self.layout.settings, "colour")),
            "value": "1",
            "reason": reason or "x",
            "cause": "",
        }
        match kind:
            case calls.CallRoll:
                values["cause"] = pick(("", "", "", "", *self.causes))
                values["total"] = pick((0, 0, 0, 7))
                values["cocked"] = pick((False, False, True))
                values["resting"] = pick((0, 1, 3)) if values["cocked"] else 0
            case calls.CallNoRoll:
                values["cause"] = pick(self.causes)
            case calls.DecideFaces | calls.Overrule:
                if pick((True, False)):
                    values |= {"first": 0, "second": 0}
            case floor_calls.Record:
                values["what"] = pick(self.records)
            case floor_calls.ShowNotice:
                values["what"] = pick(("limits", "closing"))
                if values["what"] == "closing":
                    values |= {"minimum": 0, "maximum": 0}
            case floor_calls.Sanction:
                values["what"] = pick(tuple(SANCTION_WORDS))
            case floor_calls.LinkPartners:
                values |= {"first": "ann", "second": pick(("bob", "cat"))}
            case floor_calls.StandIn:
                values["person"] = pick(("kim", "ann"))
            case floor_calls.PostLimits | floor_calls.CloseTable:
                values["reason"] = reason
            case calls.GiveBack:
                values["spot"] = pick(("pass", "dont_pass", "field", spot))
                values["amount"] = pick((0, 0, 500, 1000))
            case calls.TakeDice:
                values["seat"] = pick((*PEOPLE, "stick"))
        names = {field.name for field in msgspec.structs.fields(kind)}
        given = {name: value for name, value in values.items() if name in names}
        usual = "box" if kind is calls.GiveBack else "stick"
        by = pick((*[usual] * 3, station, seat)) if kind in STAFF else PLAYER
        if kind in (calls.DiceOut, calls.DiceRest, calls.TakeDice):
            by = ""
        if kind is floor_calls.HandleDice and given["event"] == "asked":
            by = seat
        stand_in = pick((*[""] * 9, "kim")) if by in STATIONS else ""
        return kind(by=by, at=self.at, stand_in=stand_in, **given)


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


def check_fresh(table: Table) -> None:
    """Nothing is kept as new that is not there any more."""
    for new in table.fresh.values():
        wager = table.seats[new.seat].wagers[new.spot]
        assert 0 < new.amount <= wager.stake
        assert new.fee <= wager.fee
        assert new.voucher <= wager.voucher
        parts = zip(new.split, wager.split, strict=True)
        assert all(0 <= part <= whole for part, whole in parts)


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


class Night:
    """A table and everything that must hold after each call."""

    def __init__(self, house: str) -> None:
        self.book = read_book(house)
        opened = open_table(Open(house=house, minimum=500, maximum=50_000, shooter=PLAYERS))
        assert opened.layout is not None
        assert opened.table is not None
        self.layout, self.table = opened.layout, opened.table
        for call in prelude():
            self.table = rule(self.layout, self.table, call).after
        self.kinds: Counter[tuple[type[calls.Call], bool]] = Counter()

    def say(self, call: calls.Call) -> None:
        layout, table = self.layout, self.table
        text = write_call(call)
        again = read_call(split_line(text).words, len(text) + 1)
        assert write_call(again) == text
        ruling = rule(layout, table, call)
        self.kinds[type(call), ruling.accepted] += 1
        assert ruling.cites
        assert set(ruling.cites) <= set(self.book.clauses), text
        if ruling.refusal is not None:
            assert ruling.after is table
            assert ruling.refusal.sentence
        elif type(call) in STAFF and call.by in STATIONS and not call.stand_in:
            moves = station_menu(layout, table, call.by, call.at).moves
            assert move_of(call) in moves, f"{text}: not in the menu of the {call.by}"
        after = table
        for decision in ruling.decisions:
            assert decision.cites, decision
            assert DECISION.decode(msgspec.json.encode(decision)) == decision
            after = apply(after, decision)
            assert imbalance(after) == 0, f"{text}: {decision}"
        assert after == ruling.after
        assert all(seat.rail >= 0 for seat in after.seats.values()), text
        check_fresh(after)
        assert explain(self.book, layout, ruling)
        assert CALL.decode(msgspec.json.encode(call)) == call
        self.table = after

    def look(self, at: int) -> None:
        assert signs(self.layout, self.table)
        check_menu(self.layout, self.table, at)


def machine(house: str) -> type[RuleBasedStateMachine]:
    """Hypothesis draws the kind of call and the dice of chance that fill it in."""

    class EveningMachine(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.night = Night(house)
            self.evening = Evening(self.night.layout, random.Random(0))

        @step(kind=st.sampled_from(KINDS), chance=st.randoms(use_true_random=False))
        def anybody_says_anything(self, kind: type[calls.Call], chance: random.Random) -> None:
            self.evening.random = chance
            self.night.say(self.evening.make(kind))

        @step(chance=st.randoms(use_true_random=False))
        def somebody_throws(self, chance: random.Random) -> None:
            self.evening.random = chance
            self.night.say(calls.CloseBets(by="dealer"))
            roll = chance.choice(ROLLS)
            self.night.say(calls.CallRoll(by="stick", first=roll.first, second=roll.second))

        @step()
        def somebody_looks(self) -> None:
            self.night.look(self.evening.at)

    return EveningMachine


@pytest.mark.parametrize("house", houses())
def test_hypothesis_draws_from_every_call_and_station(house: str) -> None:
    run_state_machine_as_test(
        machine(house),
        settings=settings(
            max_examples=4, stateful_step_count=40, derandomize=True, database=None, deadline=None
        ),
    )


@pytest.mark.soak
@pytest.mark.parametrize("house", houses())
def test_hypothesis_draws_for_long(house: str) -> None:
    run_state_machine_as_test(
        machine(house),
        settings=settings(
            max_examples=300,
            stateful_step_count=100,
            derandomize=True,
            database=None,
            deadline=None,
        ),
    )


def play(house: str, chance: random.Random, steps: int) -> Night:
    """An evening of so many calls, every property checked."""
    night = Night(house)
    evening = Evening(night.layout, chance)
    for number in range(steps):
        night.say(evening.draw(night.table))
        if number % 7 == 0:
            # What a crew does all evening, so that something gets settled in between.
            shooter = night.table.hand.shooter
            if shooter in PEOPLE:
                night.say(calls.Bet(by=PLAYER, seat=shooter, spot="pass", amount=1000))
            night.say(calls.CloseBets(by="dealer"))
            night.say(evening.make(calls.CallRoll))
            night.say(calls.Bet(by=PLAYER, seat="cat", spot="field", amount=1000))
            if number % 2:
                night.say(calls.GiveBack(by="box", seat="cat", spot="field"))
        if number % 20 == 0:
            night.look(evening.at)
        if night.table.floor.closed:
            break
    night.say(evening.make(floor_calls.CloseTable))
    return night


@pytest.mark.parametrize("house", houses())
def test_a_random_evening(house: str) -> None:
    """Every kind of call is ruled on; rolls and bets are among those accepted."""
    drawn: Counter[tuple[type[calls.Call], bool]] = Counter()
    for seed in range(2):
        drawn += play(house, random.Random(seed), 500).kinds
    assert {kind for kind, _ in drawn} == set(KINDS)
    assert drawn[calls.CallRoll, True] > 0
    assert drawn[calls.Bet, True] > 0
    assert drawn[calls.GiveBack, True] > 0


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 30))
@pytest.mark.parametrize("house", houses())
def test_many_long_evenings(house: str, seed: int) -> None:
    play(house, random.Random(seed), 5000)


def test_every_call_has_a_rule() -> None:
    assert set(KINDS) == set(RULES)
    assert set(STAFF) <= set(KINDS)


@pytest.mark.parametrize("name", ["evening", "authority"])
@pytest.mark.parametrize("house", houses())
def test_every_staff_call_has_its_json_and_its_explanation(house: str, name: str) -> None:
    """One object for each call, with who spoke, the words, the clauses and what followed."""
    book = read_book(house)
    play = Transcript()
    said = 0
    for text in (FOLDER / house / f"{name}.craps").read_text().splitlines():
        result = play.play(text)
        if result.ruling is None:
            continue
        rows = [msgspec.json.decode(row) for row in as_json(play.layout, play.table, result)]
        row = rows[-1]
        assert row["clauses"], text
        assert row["accepted"] == (result.ruling.refusal is None)
        assert row["call"]["type"] == type(result.call).__name__.lower()
        if isinstance(result.ruling, Ruling):
            assert play.layout is not None
            assert explain(book, play.layout, result.ruling).startswith(row["text"])
        if type(result.call) in STAFF:
            said += 1
            assert row["call"]["by"] in STATIONS
            assert row["text"].startswith(row["call"]["by"])
    assert said > 15
