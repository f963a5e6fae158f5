"""Properties of every table, whatever people say and do at it.

A state machine per house makes random calls, sensible and senseless ones, by several players, and
holds after each: money is conserved and moves as the transfers say; a refusal changes nothing and
names a clause; the table is the fold of its decisions; the menu is exactly what is allowed; seats
do not disturb each other; what may come down comes down whole; and the evening, written in the
notation, plays again to the same text.

The examples are the same in every run; `make soak` looks at many more.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from boxman.dice import ROLLS
from boxman.rules.book import houses, read_book
from boxman.rules.layout import Layout
from boxman.rules.shapes import FAMILIES
from boxman.table.accounts import imbalance, transfers
from boxman.table.calls import (
    Bet,
    BuyIn,
    Call,
    CallNoRoll,
    CallRoll,
    CashOut,
    CloseBets,
    DiceOut,
    DiceRest,
    Find,
    GiveBack,
    Reduce,
    SetWorking,
    StayUp,
    TakeDown,
)
from boxman.table.menu import Choice, Fee, menu
from boxman.table.mistakes import fresh_of
from boxman.table.notation import NotationError, read_call, split_line, write_call
from boxman.table.opening import Open
from boxman.table.ruling import rule as ruled
from boxman.table.rulings import Ruling
from boxman.table.stakes import Range
from boxman.table.state import PHASES, Moved, Table, apply
from boxman.table.transcript import Transcript, write_result
from tests.test_auditor import TABLES, Game, Setup

SEATS = ("ann", "bob", "cy")
STRANGER = "zed"

COMMON: dict[str, Any] = {
    "derandomize": True,
    "database": None,
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "print_blob": False,
}
# A failure shows the evening's transcript; making it smaller takes minutes and is left to the soak.
PLAIN = (Phase.explicit, Phase.generate)
QUICK = settings(max_examples=18, stateful_step_count=25, phases=PLAIN, **COMMON)
LONG = settings(**{**COMMON, "derandomize": False}, max_examples=1000, stateful_step_count=60)


def quiet(table: Table) -> Table:
    """A table on which something was said since the last no roll, if there was one."""
    return msgspec.structs.replace(table, no_roll=False)


CODES = set(
    re.findall(
        r"`([a-z-]+)`",
        (Path(__file__).parent.parent / "docs" / "refusals.md").read_text(encoding="utf-8"),
    )
)
"""Every code of a refusal or a warning is documented."""

HOUSE_SETTINGS: dict[str, dict[str, list[str]]] = {
    "adelaide": {
        "big": ["on", "off"],
        "multiples": ["on", "off"],
        "odds_pass": ["1", "3", "10"],
        "odds_dont_come": ["1", "2"],
        "fee_rounding": ["exact", "down"],
    },
    "newzealand": {
        "odds_pass": ["1", "2"],
        "odds_dont_pass": ["1", "2"],
        "odds_come": ["1", "2"],
        "rounding": ["up", "exact", "down"],
        "fee_rounding": ["exact", "down"],
    },
    "nsw": {"multiples": ["on", "off"], "fee_rounding": ["exact", "down"]},
    "rws": {
        "call_lasts": ["puck", "throw"],
        "removal_closes": ["rest", "call"],
        "rounding": ["exact", "up", "down"],
        "fee_rounding": ["exact", "up", "down"],
    },
    "perth-crapless": {
        "layout": ["1", "2", "3", "4", "5"],
        "bonus_list": ["1", "3", "5"],
        "buy": ["on", "off"],
        "off_calls": ["on", "off"],
        "come_lock": ["decided", "round"],
        "established": ["number", "roll"],
        "odds_pass": ["1", "3"],
        "fee_rounding": ["exact", "down"],
    },
}

NO_WAGER = ("pas", "fire")
"""Words that are no wager anywhere."""

UNKNOWN = ("place.7", "hard.5", "horn_high", "place", "come.odds", "big", "lose.2", *NO_WAGER)
"""Spots that some or all houses do not have."""

# Sevens end most things; two of three are left out so that an evening gets somewhere.
DICE = [roll for roll in ROLLS if roll.total != 7] * 3 + [roll for roll in ROLLS if roll.total == 7]


# -- what is looked at after every ruling --------------------------------------------------------


def accounts(table: Table) -> Counter[str]:
    """Where the chips of a table are."""
    found = Counter({"bank": table.bank, "cage": table.cage})
    for seat in table.seats.values():
        found[f"rail {seat.name}"] += seat.rail
        for wager in seat.wagers.values():
            found[f"wager {seat.name} {wager.spot}"] += wager.stake
    return found


def differences(before: Counter[str], after: Counter[str]) -> dict[str, int]:
    names = {*before, *after}
    return {name: after[name] - before[name] for name in names if after[name] != before[name]}


def check_ruling(layout: Layout, before: Table, ruling: Ruling) -> None:
    """Money, citations, and that a refusal changes nothing."""
    clauses = read_book(layout.house).clauses
    assert imbalance(ruling.after) == 0
    for notice in ruling.warnings:
        assert notice.code in CODES
        assert notice.sentence
        assert notice.cites
        assert set(notice.cites) <= set(clauses)
    if ruling.refusal is not None:
        assert ruling.after == before
        assert ruling.decisions == ()
        assert ruling.refusal.code in CODES
        assert ruling.refusal.sentence.strip()
        assert ruling.refusal.cites
        assert set(ruling.refusal.cites) <= set(clauses)
        return
    assert ruling.decisions
    table = before
    for decision in ruling.decisions:
        assert decision.cites, f"nobody says {decision}"
        assert set(decision.cites) <= set(clauses)
        after = apply(table, decision)
        assert imbalance(after) == 0
        check_transfers(table, decision, after)
        table = after
    assert table == ruling.after, "the table is not the fold of its decisions"


def check_transfers(before: Table, decision: Any, after: Table) -> None:
    """The transfers of a decision are what happened to every account, and nothing else did."""
    found = differences(accounts(before), accounts(after))
    if isinstance(decision, Moved):
        stake = before.seats[decision.seat].wagers[decision.spot].stake
        moves = [(f"wager {decision.seat} {decision.spot}", stake)]
        said = Counter({f"wager {decision.seat} {decision.to}": stake})
        for source, amount in moves:
            said[source] -= amount
    else:
        said = Counter()
        for source, target, amount in transfers(decision):
            assert amount > 0 or "fee" in decision.__struct_fields__
            said[source] -= amount
            said[target] += amount
    assert found == {name: amount for name, amount in said.items() if amount}


def inside(ranges: tuple[Range, ...], amount: int) -> bool:
    return any(low <= amount <= high and (amount - low) % step == 0 for low, high, step in ranges)


def around(ranges: tuple[Range, ...], layout: Layout, table: Table, rail: int) -> set[int]:
    """Amounts inside and just outside every range, and a few that are always worth a try."""
    chip, posted = layout.chip, table.posted
    found = {0, -chip, 1, chip, posted.minimum - chip, posted.minimum, posted.maximum}
    found |= {posted.maximum + chip, rail, rail + chip}
    for low, high, step in ranges:
        middle = low + (high - low) // step // 2 * step
        found |= {low, low + step, middle, high - step, high}
        found |= {low - step, low - chip, low - 1, low + 1, low + step // 2, low + chip}
        found |= {high + step, high + chip, high + 1, middle + step // 2, middle + 1}
    return found


def bet_on(layout: Layout, table: Table, seat: str, spot: str, amount: int) -> Bet:
    """A bet, with the parts named where they are to be: as uneven as the house allows."""
    share = layout.spots[spot].share if spot in layout.spots else None
    split: tuple[int, ...] = ()
    if share is not None and share.named:
        least = 0 if spot in table.seats[seat].wagers else layout.chip
        if amount > least:
            split = (amount - least, *[least] * (len(share.parts) - 1))
    return Bet(seat=seat, spot=spot, amount=amount, split=split)


def charged(fee: Fee | None, stake: int, paid: int) -> int:
    """The fee as whoever reads the menu works it out: in whole numbers, from its four parts."""
    if fee is None:
        return 0
    part = fee.denominator * fee.chip
    chips, rest = divmod(stake * fee.numerator, part)
    assert not (rest and fee.way == "exact")
    return max(0, (chips + (1 if rest and fee.way == "up" else 0)) * fee.chip - paid)


def check_menu(layout: Layout, table: Table, name: str) -> None:
    """For every spot: what the menu lists is accepted, what it does not list is refused."""
    seat = table.seats[name]
    shown = menu(layout, table, name)
    assert shown.rail == seat.rail

    def allowed(call: Call) -> bool:
        ruling = ruled(layout, table, call)
        assert ruling.accepted or ruling.after == table
        return ruling.accepted

    for spot in layout.spots:
        choice = shown.choices.get(spot, Choice(spot=spot, name=""))
        for amount in around(choice.bet, layout, table, seat.rail):
            bet = bet_on(layout, table, name, spot, amount)
            assert allowed(bet) == inside(choice.bet, amount), f"{bet}, menu {choice}"
            if inside(choice.bet, amount):
                after = ruled(layout, table, bet).after.seats[name]
                had = seat.wagers.get(spot)
                stake, paid = (had.stake, had.fee) if had else (0, 0)
                cost = amount + charged(choice.fee, stake + amount, paid)
                assert seat.rail - after.rail == cost, f"{bet}, menu {choice}"
        down = TakeDown(seat=name, spot=spot)
        assert allowed(down) == choice.take_down, f"{down}, menu {choice}"
        for call in ("on", "off"):
            if spot == "all":
                continue  # with "only" it is the bonus wager, without it everything
            mark = SetWorking(seat=name, spot=spot, call=call, only=True)
            assert allowed(mark) == (call in choice.calls), f"{mark}, menu {choice}"
        for stays in (True, False):
            keep = StayUp(seat=name, spot=spot, stays=stays)
            assert allowed(keep) == (choice.keep is stays), f"{keep}, menu {choice}"
        tried = around(choice.lower, layout, table, seat.rail) if spot in seat.wagers else {100}
        for to in tried:
            lower = Reduce(seat=name, spot=spot, to=to)
            assert allowed(lower) == inside(choice.lower, to), f"{lower}, menu {choice}"


# -- the machine -----------------------------------------------------------------------------------

seats = st.sampled_from(SEATS)
rolls = st.sampled_from(DICE)
seeds = st.integers(0, 10**6)
on_off = st.sampled_from(("on", "off"))
data = st.data()


class Evening(RuleBasedStateMachine):
    """A table of one house, played through its notation."""

    house = ""

    def __init__(self) -> None:
        super().__init__()
        self.script = Transcript()
        self.written: list[str] = []

    @property
    def layout(self) -> Layout:
        assert self.script.layout is not None
        return self.script.layout

    @property
    def table(self) -> Table:
        assert self.script.table is not None
        return self.script.table

    # -- saying things ---------------------------------------------------------------------------

    def say(self, call: Call) -> Ruling:
        """Make a call through the notation, look at what follows, and keep the line."""
        text = write_call(call)
        line = split_line(text)
        assert line.expected is None
        again = read_call(line.words, len(text) + 1)
        assert again == call
        assert write_call(again) == text
        before = self.table
        if getattr(call, "spot", "pass") in NO_WAGER:
            # A line that names no wager at all is one that cannot be read; nobody played it.
            ruling = ruled(self.layout, before, call)
            check_ruling(self.layout, before, ruling)
            assert not ruling.accepted
            if ruling.refusal is not None and ruling.refusal.code == "no-such-spot":
                with pytest.raises(NotationError, match=re.escape(ruling.refusal.sentence)):
                    self.script.play(text)
                assert self.table == before
                return ruling
        result = self.script.play(text)
        assert isinstance(result.ruling, Ruling)
        assert result.difference is None
        for ruling in (*result.crew, result.ruling):
            check_ruling(self.layout, before, ruling)
            before = ruling.after
        assert before == self.table
        self.written.append(write_result(result))
        return result.ruling

    def refused(self, call: Call) -> None:
        """Make a call that no line of notation can say; it must be refused."""
        ruling = ruled(self.layout, self.table, call)
        check_ruling(self.layout, self.table, ruling)
        assert not ruling.accepted

    def amount(self, draw: Any, ranges: tuple[Range, ...]) -> int:
        low, high, step = draw.draw(st.sampled_from(ranges))
        steps = (high - low) // step
        return low + step * draw.draw(st.integers(0, min(steps, 20)) | st.just(steps))

    def bet_of_menu(self, draw: Any, seat: str) -> Bet | None:
        choices = menu(self.layout, self.table, seat).choices.values()
        able = [choice for choice in choices if choice.bet]
        if not able:
            return None
        families = sorted({self.layout.spots[choice.spot].family for choice in able})
        family = draw.draw(st.sampled_from(families))
        of_family = [c for c in able if self.layout.spots[c.spot].family == family]
        choice = draw.draw(st.sampled_from(of_family))
        amount = self.amount(draw, choice.bet)
        split: tuple[int, ...] = ()
        if choice.parts:
            chips = amount // self.layout.chip
            if chips < 2:
                return None
            first = draw.draw(st.integers(1, chips - 1)) * self.layout.chip
            split = (first, amount - first)
        return Bet(seat=seat, spot=choice.spot, amount=amount, split=split)

    def any_amount(self, draw: Any) -> int:
        """Chips, odd sums, the limits and their neighbours."""
        chip, posted = self.layout.chip, self.table.posted
        near = [posted.minimum, posted.minimum - chip, posted.maximum, posted.maximum + chip]
        whole = st.integers(1, 60).map(lambda n: n * chip)
        amount = draw.draw(whole | st.sampled_from(near) | st.integers(1, 10**6))
        return max(1, amount)

    def any_spot(self, draw: Any, seat: str) -> str:
        up = sorted(self.table.seats[seat].wagers) if seat in self.table.seats else []
        names = st.sampled_from(sorted(self.layout.spots)) | st.sampled_from(UNKNOWN)
        return draw.draw(st.sampled_from(up) | names if up else names)

    # -- rules -----------------------------------------------------------------------------------

    @initialize(draw=data)
    def open(self, draw: Any) -> None:
        chip = draw.draw(st.sampled_from((100, 100, 50, 250, 500)))
        low = chip * draw.draw(st.sampled_from((1, 5, 10, 12)))
        high = low * draw.draw(st.sampled_from((3, 10, 100)))
        classes: list[tuple[str, int, int]] = []
        if draw.draw(st.booleans()):
            name = draw.draw(st.sampled_from(("place", "hard", "odds", "come", "field", "two")))
            classes.append((name, chip * 2, chip * 200))
        posted = draw.draw(st.sampled_from((0, 0, chip, 5 * chip)))
        given = {
            name: draw.draw(st.sampled_from(values))
            for name, values in HOUSE_SETTINGS[self.house].items()
            if draw.draw(st.booleans())
        }
        call = Open(
            house=self.house,
            chip=chip,
            minimum=low,
            maximum=high,
            unit=posted,
            classes=tuple(classes),
            settings=given,
        )
        text = write_call(call)
        assert read_call(split_line(text).words, len(text) + 1) == call
        result = self.script.play(text)
        assert result.ruling is not None
        assert result.ruling.refusal is None, result.ruling.refusal
        self.written.append(write_result(result))
        for seat, bankroll in zip(SEATS, (10**7, 10**5, 3 * 10**4), strict=True):
            assert self.say(BuyIn(seat=seat, amount=bankroll)).accepted
        self.play_on(draw.draw(seeds))

    @rule(seed=seeds)
    def play_on(self, seed: int) -> None:
        """Several sensible things at once, so that the table is seldom empty."""
        chance = random.Random(seed)
        for _ in range(chance.randint(8, 20)):
            seat = chance.choice(SEATS[:2])
            choices = list(menu(self.layout, self.table, seat).choices.values())
            call = self.sensible(chance, seat, choices)
            if call is None or chance.random() < 0.2:
                roll = chance.choice(DICE)
                call = CallRoll(first=roll.first, second=roll.second)
            ruling = self.say(call)
            assert ruling.accepted, f"{call} is in the menu, but refused: {ruling.refusal}"
        for call in (CloseBets(), DiceOut(), DiceRest())[: chance.choice((0, 0, 0, 0, 1, 2, 3))]:
            self.say(call)
        check_menu(self.layout, self.table, chance.choice(SEATS[:2]))

    def sensible(self, chance: random.Random, seat: str, choices: list[Choice]) -> Call | None:
        """Something of a menu: odds and what travels before the rest, and often a change."""
        if chance.random() < 0.3:
            able = [c for c in choices if c.calls or c.lower or c.keep is not None]
            if able:
                choice = chance.choice(able)
                if choice.calls and chance.random() < 0.7:
                    return SetWorking(seat=seat, spot=choice.spot, call=chance.choice(choice.calls))
                if choice.lower:
                    low, _, _ = chance.choice(choice.lower)
                    return Reduce(seat=seat, spot=choice.spot, to=low)
                if choice.keep is not None:
                    return StayUp(seat=seat, spot=choice.spot, stays=choice.keep)
        families: dict[str, list[Choice]] = {}
        for choice in choices:
            if choice.bet and not choice.parts:
                families.setdefault(self.layout.spots[choice.spot].family, []).append(choice)
        if not families:
            return None
        flats = {"pass": 4, "dont_pass": 4, "come": 4, "dont_come": 4}
        weights = [9 if ".odds" in name else flats.get(name, 1) for name in families]
        choice = chance.choice(chance.choices(list(families.values()), weights)[0])
        low, high, step = chance.choice(choice.bet)
        amount = min(high, low + step * chance.choice((0, 0, 1, 2, 3, 10)))
        return Bet(seat=seat, spot=choice.spot, amount=amount)

    @rule(draw=data, seat=seats)
    def bet(self, draw: Any, seat: str) -> None:
        call = self.bet_of_menu(draw, seat)
        if call is not None:
            ruling = self.say(call)
            assert ruling.accepted, f"{call} is in the menu, but refused: {ruling.refusal}"

    @rule(draw=data, seat=seats | st.just(STRANGER))
    def bet_anything(self, draw: Any, seat: str) -> None:
        spot, amount = self.any_spot(draw, seat), self.any_amount(draw)
        split = draw.draw(st.sampled_from(((), (), (100, 200), (amount,), (1, max(1, amount - 1)))))
        ruling = self.say(Bet(seat=seat, spot=spot, amount=amount, split=split))
        if seat == STRANGER or spot not in self.layout.spots:
            assert not ruling.accepted

    @rule(draw=data, seat=seats, amount=st.sampled_from((0, -1, -100, -(10**9))))
    def bet_nothing(self, draw: Any, seat: str, amount: int) -> None:
        spot = self.any_spot(draw, seat)
        self.refused(Bet(seat=seat, spot=spot, amount=amount))
        self.refused(Find(seat=seat, spot=spot, amount=amount))
        self.refused(Reduce(seat=seat, spot=spot, to=amount))
        self.refused(BuyIn(seat=seat, amount=amount))
        if amount:
            self.refused(CashOut(seat=seat, amount=amount))

    @rule(draw=data, seat=seats | st.just(STRANGER))
    def take_down(self, draw: Any, seat: str) -> None:
        self.say(TakeDown(seat=seat, spot=self.any_spot(draw, seat)))

    @rule(draw=data, seat=seats)
    def lower(self, draw: Any, seat: str) -> None:
        self.say(Reduce(seat=seat, spot=self.any_spot(draw, seat), to=self.any_amount(draw)))

    @rule(draw=data, seat=seats)
    def lower_by_menu(self, draw: Any, seat: str) -> None:
        choices = menu(self.layout, self.table, seat).choices.values()
        if able := [choice for choice in choices if choice.lower]:
            choice = draw.draw(st.sampled_from(able))
            to = self.amount(draw, choice.lower)
            assert self.say(Reduce(seat=seat, spot=choice.spot, to=to)).accepted

    @rule(draw=data, seat=seats, call=on_off, only=st.booleans())
    def mark(self, draw: Any, seat: str, call: str, only: bool) -> None:
        spot = draw.draw(st.booleans()) and "all"
        self.say(
            SetWorking(seat=seat, spot=spot or self.any_spot(draw, seat), call=call, only=only)
        )

    @rule(draw=data, seat=seats)
    def mark_by_menu(self, draw: Any, seat: str) -> None:
        choices = menu(self.layout, self.table, seat).choices.values()
        if able := [choice for choice in choices if choice.calls]:
            choice = draw.draw(st.sampled_from(able))
            call = draw.draw(st.sampled_from(choice.calls))
            assert self.say(SetWorking(seat=seat, spot=choice.spot, call=call)).accepted

    @rule(draw=data, seat=seats, stays=st.booleans())
    def keep(self, draw: Any, seat: str, stays: bool) -> None:
        self.say(StayUp(seat=seat, spot=self.any_spot(draw, seat), stays=stays))

    @rule(draw=data, seat=seats | st.just(STRANGER))
    def find(self, draw: Any, seat: str) -> None:
        """Staff find chips on any spot, whether or not a player could have put them there."""
        spot = self.any_spot(draw, seat)
        share = self.layout.spots[spot].share if spot in self.layout.spots else None
        if share is None or not share.named:
            self.say(Find(seat=seat, spot=spot, amount=self.any_amount(draw)))

    @rule(draw=data, seat=seats | st.just(STRANGER))
    def give_back(self, draw: Any, seat: str) -> None:
        """The box hands back chips: all that are new, or an amount; nothing else is touched."""
        before = fresh_of(self.table, seat)
        spot = draw.draw(st.sampled_from([*before, self.any_spot(draw, seat)]))
        amount = draw.draw(st.sampled_from((0, self.layout.chip, before.get(spot, 0), 10**7)))
        ruling = self.say(GiveBack(seat=seat, spot=spot, amount=amount))
        if not amount:
            assert ruling.accepted == (spot in before)
        if ruling.accepted:
            left = before[spot] - (amount or before[spot])
            assert fresh_of(ruling.after, seat).get(spot, 0) == left

    @rule(seat=seats | st.just(STRANGER), amount=st.integers(1, 10**5))
    def buy_in(self, seat: str, amount: int) -> None:
        chip = self.layout.chip
        if seat == STRANGER:
            amount += 0 if amount % chip else 1  # never accepted: the stranger stays one
        ruling = self.say(BuyIn(seat=seat, amount=amount))
        assert ruling.accepted == (amount % chip == 0)

    @rule(seat=seats, chips=st.integers(1, 100))
    def cash_out(self, seat: str, chips: int) -> None:
        amount = chips * self.layout.chip
        rail = self.table.seats[seat].rail
        assert self.say(CashOut(seat=seat, amount=amount)).accepted == (amount <= rail)

    @rule(call=st.sampled_from((CloseBets(), DiceOut(), DiceRest(), CallNoRoll())))
    def throw(self, call: Call) -> None:
        self.say(call)

    @rule(roll=rolls)
    def roll(self, roll: Any) -> None:
        assert self.say(CallRoll(first=roll.first, second=roll.second)).accepted

    @rule(first=rolls, second=rolls)
    def roll_twice(self, first: Any, second: Any) -> None:
        for roll in (first, second):
            assert self.say(CallRoll(first=roll.first, second=roll.second)).accepted

    @rule(faces=st.sampled_from(((0, 1), (7, 1), (3, -1), (1, 100))))
    def no_such_roll(self, faces: tuple[int, int]) -> None:
        self.refused(CallRoll(first=faces[0], second=faces[1]))

    # -- properties that look around ---------------------------------------------------------------

    @rule(seat=seats)
    def menu_is_what_is_allowed(self, seat: str) -> None:
        check_menu(self.layout, self.table, seat)

    @rule(draw=data)
    def seats_commute(self, draw: Any) -> None:
        """Two players act in either order: each gets the same ruling, and the table is the same."""
        first, second = draw.draw(st.permutations(SEATS))[:2]
        one, other = self.some_call(draw, first), self.some_call(draw, second)
        if one is None or other is None:
            return
        table = self.table
        one_first = ruled(self.layout, table, one)
        one_then_other = ruled(self.layout, one_first.after, other)
        other_first = ruled(self.layout, table, other)
        other_then_one = ruled(self.layout, other_first.after, one)
        assert one_then_other.after == other_then_one.after
        assert one_first.decisions == other_then_one.decisions
        assert one_first.refusal == other_then_one.refusal
        assert other_first.decisions == one_then_other.decisions
        assert other_first.refusal == one_then_other.refusal

    def some_call(self, draw: Any, seat: str) -> Call | None:
        up = sorted(self.table.seats[seat].wagers)
        what = draw.draw(st.sampled_from(("bet", "bet", "down", "mark", "keep", "anything")))
        if what == "bet" or not up:
            return self.bet_of_menu(draw, seat)
        if what == "anything":
            spot, amount = self.any_spot(draw, seat), self.any_amount(draw)
            return Bet(seat=seat, spot=spot, amount=amount)
        spot = draw.draw(st.sampled_from(up))
        if what == "mark":
            return SetWorking(seat=seat, spot=spot, call=draw.draw(on_off))
        return TakeDown(seat=seat, spot=spot) if what == "down" else StayUp(seat=seat, spot=spot)

    @rule(draw=data, seat=seats)
    def taking_down_restores(self, draw: Any, seat: str) -> None:
        """A bet that may be taken back leaves no trace, fee included; nor does a raise."""
        call = self.bet_of_menu(draw, seat)
        if call is None or not self.refunds(call.spot):
            return
        table = self.table
        old = table.seats[seat].wagers.get(call.spot)
        made = ruled(self.layout, table, call)
        assert made.accepted
        choice = menu(self.layout, made.after, seat).choices.get(call.spot)
        if choice is None:
            return
        if old is None and choice.take_down:
            back = ruled(self.layout, made.after, TakeDown(seat=seat, spot=call.spot))
            assert back.accepted
            assert back.after == quiet(table)
        elif old is not None and inside(choice.lower, old.stake) and not (old.found or old.split):
            back = ruled(self.layout, made.after, Reduce(seat=seat, spot=call.spot, to=old.stake))
            assert back.accepted
            assert back.after == quiet(table)

    @rule(seat=seats)
    def everything_comes_down_whole(self, seat: str) -> None:
        """Taking down all that may come down gives back every stake and fee of it."""
        table = self.table
        for name in list(table.seats[seat].wagers):
            choice = menu(self.layout, table, seat).choices.get(name)
            if choice is not None and choice.take_down:
                table = ruled(self.layout, table, TakeDown(seat=seat, spot=name)).after
        before, after = self.table.seats[seat], table.seats[seat]
        gone = [wager for name, wager in before.wagers.items() if name not in after.wagers]
        fees = sum(wager.fee for wager in gone if self.refunds(wager.spot))
        assert after.rail == before.rail + sum(wager.stake for wager in gone) + fees

    def refunds(self, spot: str) -> bool:
        fee = self.layout.spots[spot].fee
        return fee is None or fee.refund

    @precondition(lambda self: self.script.table is not None)
    @invariant()
    def table_is_sound(self) -> None:
        table = self.table
        assert imbalance(table) == 0
        assert table.phase in PHASES
        assert table.puck in (0, *self.layout.points)
        for seat in table.seats.values():
            assert seat.rail >= 0
            for name, wager in seat.wagers.items():
                spot = self.layout.spots[name]
                assert wager.spot == name
                assert wager.stake > 0
                assert wager.fee >= 0
                assert wager.marker in ("", "on", "off")
                assert not wager.split or sum(wager.split) == wager.stake
                if spot.behind is not None:
                    assert spot.behind.flat in seat.wagers, "odds stand alone"
                    assert spot.number or table.puck, "odds stand on no number"

    def teardown(self) -> None:
        """The written evening plays again: no difference, the same text, the same table."""
        note("\n".join(self.written))
        again = Transcript()
        for text in self.written:
            result = again.play(text)
            assert result.difference is None, f"{text}\n{result.difference}"
            assert write_result(result) == text
        assert again.table == self.script.table


MACHINES = {house: type(f"Evening_{house}", (Evening,), {"house": house}) for house in houses()}


@pytest.mark.parametrize("house", houses())
def test_evening(house: str) -> None:
    run_state_machine_as_test(MACHINES[house], settings=QUICK)


@pytest.mark.soak
@pytest.mark.parametrize("house", houses())
def test_long_evenings(house: str) -> None:
    run_state_machine_as_test(MACHINES[house], settings=LONG)


@pytest.mark.parametrize("setup", TABLES, ids=str)
def test_the_menu_of_a_full_layout(setup: Setup) -> None:
    """The menu again, on tables where a long game with few sevens has left many wagers up."""
    game = Game(setup, 77)
    game.weights = [0.1 if roll.total == 7 else 1.0 for roll in ROLLS]
    most = 0
    for number in range(1, 25):
        for seat in game.table.seats:
            game.act(seat, game.random.randint(2, 6))
        game.roll()
        if number % 6 == 0:
            for seat in game.table.seats:
                most = max(most, len(game.table.seats[seat].wagers))
                check_menu(game.layout, game.table, seat)
    assert most >= 5


# -- write, read, write ----------------------------------------------------------------------------

names = st.sampled_from((*SEATS, "Zoë", "player-7", "x_1"))
spots = st.sampled_from([f.replace("*", "6") for f in FAMILIES]) | st.from_regex(
    r"[a-z][a-z_.0-9]{0,12}", fullmatch=True
)
amounts = st.integers(1, 10**12)
calls: st.SearchStrategy[Call] = st.one_of(
    st.builds(BuyIn, seat=names, amount=amounts),
    st.builds(CashOut, seat=names, amount=st.just(0) | amounts),
    st.builds(
        Bet,
        seat=names,
        spot=spots,
        amount=amounts,
        split=st.just(()) | st.lists(amounts, min_size=1, max_size=3).map(tuple),
    ),
    st.builds(TakeDown, seat=names, spot=spots),
    st.builds(Reduce, seat=names, spot=spots, to=amounts),
    st.builds(SetWorking, seat=names, spot=spots, call=on_off, only=st.booleans()),
    st.builds(StayUp, seat=names, spot=spots, stays=st.booleans()),
    st.builds(CloseBets),
    st.builds(DiceOut),
    st.builds(DiceRest),
    st.builds(CallNoRoll),
    st.builds(CallRoll, first=st.integers(1, 6), second=st.integers(1, 6)),
    st.builds(Find, seat=names, spot=spots, amount=amounts),
    st.builds(GiveBack, seat=names, spot=spots, amount=st.just(0) | amounts),
    st.builds(
        Open,
        house=st.sampled_from((*houses(), "./my casino.md", "books/x.md")),
        chip=amounts,
        minimum=amounts,
        maximum=amounts,
        unit=st.just(0) | amounts,
        classes=st.lists(st.tuples(spots, amounts, amounts), max_size=2).map(tuple),
        settings=st.dictionaries(
            st.sampled_from(("big", "odds_pass", "price.two")),
            st.sampled_from(("on", "3", "34 to 1", "7.5 to 1")),
            max_size=3,
        ),
    ),
)


@settings(max_examples=500, **COMMON)
@given(call=calls)
def test_calls_are_written_and_read(call: Call) -> None:
    text = write_call(call)
    line = split_line(text)
    again = read_call(line.words, len(text) + 1)
    assert again == call
    assert write_call(again) == text


@settings(max_examples=200, **COMMON)
@given(call=calls, comment=st.from_regex(r"[a-zäé0-9][a-zäé0-9 :,{}'-]{0,30}", fullmatch=True))
def test_comments_and_blanks_do_not_matter(call: Call, comment: str) -> None:
    text = write_call(call)
    line = split_line(f"   {text}   -- {comment}")
    assert read_call(line.words, 200) == call
    assert line.expected is None
    assert line.comment == comment.strip()


@pytest.mark.parametrize("house", houses())
def test_the_house_s_own_names_are_written_and_read(house: str) -> None:
    """A wager named by its label or by the house's name plays again to the same text."""
    first = Transcript()
    lines = [f"house {house}", "ann buys in 100000", "stick calls 4-2"]
    layout = open_layout(house)
    assert layout is not None
    lines += [f'ann bets 60 "{name}"' for name in (*layout.areas, *layout.names)]
    written = [write_result(first.play(line)) for line in lines]
    again = Transcript()
    for text in written:
        result = again.play(text)
        assert result.difference is None, result.difference
        assert write_result(result) == text
    assert again.table == first.table


def open_layout(house: str) -> Layout | None:
    script = Transcript()
    script.play(f"house {house}")
    return script.layout
