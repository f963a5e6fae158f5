"""Random evenings over the registry of calls: every call, every station, every house.

Calls are drawn sensible (what a menu would try) and senseless (fields of the right kind), by those
who may say them, by others, by players and by the automatic crew; what is said is said as a line.
After each call everything holds that must hold of every table; now and then one looks around. The
evening, as it was written, plays again to the same text: that text reproduces a failure.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from boxman.dice import ROLLS
from boxman.journal.codec import canonical
from boxman.journal.codec import read_call as call_of
from boxman.rules.book import read_book
from boxman.rules.duties import STATIONS
from boxman.rules.layout import Layout
from boxman.table.accounts import imbalance, transfers
from boxman.table.call import DECLARED, Declared
from boxman.table.calls import (
    Bet,
    BuyIn,
    Call,
    CallRoll,
    CashOut,
    CloseBets,
    CloseTable,
    DecideFaces,
    GiveBack,
    HandleDice,
    Leave,
    OfferDice,
    OpenDispute,
    Overrule,
    Reduce,
    Sanction,
    SetWorking,
    Sit,
    StayUp,
    TakeDice,
    TakeDown,
    VoidRoll,
)
from boxman.table.floor.people import PLAYER, QUIET
from boxman.table.floor.signs import signs
from boxman.table.lines.fields import (
    AtWork,
    ChipsField,
    Count,
    Face,
    FieldKind,
    OneOf,
    OnLayout,
    Parts,
    Rail,
    SeatedField,
    Sum,
    TimeOfDay,
)
from boxman.table.lines.words import NotationError
from boxman.table.opening import PLAYERS, Open
from boxman.table.ruling import rule
from boxman.table.rulings import Ruling
from boxman.table.said.explain import explain
from boxman.table.said.menu import Charge, Choice, fresh_of, menu
from boxman.table.said.notation import read_call, split_line, write_call
from boxman.table.said.station_menu import candidates, move_of
from boxman.table.said.transcript import Transcript, write_result
from boxman.table.stakes import Range
from boxman.table.state import PHASES, AnyDecision, Moved, Table, apply
from tests.limits import UNITS
from tests.remedies import followed

PEOPLE = ("ann", "bob", "cat")
STRANGER = "zed"
KINDS = tuple(each.kind for each in DECLARED.values() if each.lines)
FIELDS = {kind: msgspec.structs.fields(kind) for kind in KINDS}
WEIGHTS: dict[type[Call], float] = {
    **{Bet: 9, CallRoll: 7, OfferDice: 4, TakeDice: 4, CloseBets: 3, BuyIn: 2, GiveBack: 2},
    **{TakeDown: 2, SetWorking: 2, StayUp: 2, Reduce: 2},
    **{HandleDice: 0.5, Overrule: 0.5, VoidRoll: 0.4, Sanction: 0.2, Leave: 0.2, CloseTable: 0.03},
}
"""What is said often, and what would end an evening; the others are drawn once each."""
SOUGHT = tuple(kind for kind in KINDS if kind not in (CloseTable, Leave, Sanction))
NO_WAGER = ("pas", "fire")
"""Words that are no wager anywhere."""
UNKNOWN = ("place.7", "hard.5", "horn_high", "place", "come.odds", "big", "lose.2", *NO_WAGER)
"""Spots that some or all houses do not have."""
# Sevens end most things; two of three are left out so that an evening gets somewhere.
DICE = [roll for roll in ROLLS if roll.total != 7] * 3 + [roll for roll in ROLLS if roll.total == 7]
CODES = set(
    re.findall(
        r"`([a-z-]+)`",
        (Path(__file__).parent.parent / "docs" / "refusals.md").read_text(encoding="utf-8"),
    )
)
"""Every code of a refusal or a warning is documented."""
SETTINGS: dict[str, dict[str, list[str]]] = {
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
        "odds_pass": ["1", "3", "1.5", "3-4-5", "$40"],
        "fee_rounding": ["exact", "down"],
    },
}


# -- drawing a call --------------------------------------------------------------------------------


class Drawing:
    """Draws calls of every kind at random: what a menu would try, or anything."""

    def __init__(self, layout: Layout, chance: random.Random, by_hand: bool = True) -> None:
        self.layout, self.random, self.by_hand = layout, chance, by_hand
        self.taken: Counter[type[Call]] = Counter()

    def draw(self, table: Table, at: int = 0) -> Call:
        """Any call; what nobody says often is drawn seldom, what can be seldom said sought."""
        if self.random.random() < 0.3:
            for kind in sorted(self.random.sample(SOUGHT, 12), key=lambda kind: self.taken[kind]):
                call = self.sensible(table, kind, at)
                if call is not None:
                    self.taken[kind] += 1
                    return call
        [kind] = self.random.choices(KINDS, [WEIGHTS.get(kind, 1) for kind in KINDS])
        sensible = self.sensible(table, kind, at) if self.random.random() < 0.7 else None
        return sensible or self.make(table, kind)

    def sensible(self, table: Table, kind: type[Call], at: int = 0) -> Call | None:
        """One that would be taken, of those that are worth trying by those who may say it."""
        declared = DECLARED[kind]
        speakers = [who for who in declared.stations if who in STATIONS]
        if PLAYER in declared.stations:
            speakers += list(table.seats)
        self.random.shuffle(speakers)
        for by in speakers[:3]:
            found = list(islice(kind.tries(self.layout, table, by), 400))
            self.random.shuffle(found)
            if self.random.random() < 0.5:
                found.sort(key=lambda each: ".odds" not in getattr(each, "spot", ""))
            for call in found[:12]:
                if by not in STATIONS and DECLARED[kind].line(call).lead == "seat":
                    call = msgspec.structs.replace(call, by=PLAYER if self.by_hand else "")
                if rule(self.layout, table, msgspec.structs.replace(call, at=at)).accepted:
                    return call
        return None

    def make(self, table: Table, kind: type[Call]) -> Call:
        """One call of a kind, its fields drawn, by whoever it may be."""
        pick, declared = self.random.choice, DECLARED[kind]
        roll = pick(ROLLS)
        low, high = pick(((500, 50_000), (1000, 40_000), (2500, 60_000)))
        values: dict[str, Any] = {"minimum": low, "maximum": high, "value": "1"}
        values |= {"first": roll.first, "second": roll.second}
        fields = FIELDS[kind]
        given = {
            each.name: self.value(table, declared, declared.fields[each.name])
            if each.name not in values or isinstance(declared.fields[each.name], SeatedField)
            else values[each.name]
            for each in fields
            if each.name in declared.fields
            and (each.required or each.name in ("minimum", "maximum") or pick((True, False)))
        }
        if not {"first", "second"} <= set(given):
            given.pop("first", None), given.pop("second", None)
        made = kind(**given)
        switches = {
            each.name: pick((True, False))
            for each in fields
            if isinstance(each.default, bool) and each.name not in declared.fields
        }
        return self.by_somebody(declared, msgspec.structs.replace(made, **switches))

    def by_somebody(self, declared: Declared, call: Call) -> Call:
        """The usual speakers mostly; sometimes another station, a player, or nobody in person."""
        pick = self.random.choice
        line = declared.line(call)
        if line.lead == "by" and line.side == "player":
            return msgspec.structs.replace(call, by=pick(PEOPLE))
        if line.side != "crew" and not (line.side == "player" and "box" in declared.stations):
            return call
        usual = [who for who in declared.stations if who in STATIONS] or ["box"]
        by = pick((*[pick(usual)] * 4, pick(STATIONS), pick(PEOPLE), ""))
        stand_in = pick((*[""] * 9, "kim")) if by in STATIONS else ""
        if line.side == "player" and by not in STATIONS:
            return call
        return msgspec.structs.replace(call, by=by, stand_in=stand_in)

    def value(self, table: Table, declared: Declared, kind: FieldKind) -> Any:
        """A value for a field of this kind."""
        pick, layout = self.random.choice, self.layout
        if isinstance(kind, SeatedField):
            return pick((*PEOPLE, *PEOPLE, *PEOPLE, STRANGER))
        if isinstance(kind, OnLayout):
            up = sorted({spot for seat in table.seats.values() for spot in seat.wagers})
            return pick(up) if up and pick((True, False)) else pick([*layout.spots, *UNKNOWN])
        if isinstance(kind, OneOf):
            return pick(list(kind.words))
        if isinstance(kind, ChipsField):
            return self.amount(table)
        if isinstance(kind, AtWork):
            return pick(STATIONS)
        if isinstance(kind, Parts):
            return pick(((), (), (100, 200), (500, 500)))
        if isinstance(kind, Count | Face | Sum | Rail):
            return pick((1, 2, 3, 4, 6))
        if isinstance(kind, TimeOfDay):
            return pick(("", "14:30", "0:05"))
        match kind.told_by:
            case "power":
                reasons = {p.reason for p in layout.procedure.granted if p.call in declared.powers}
                return pick([*sorted(reasons), *layout.procedure.causes, "", "x"])
            case "reason":
                return pick(["x", "", *sorted({p.reason for p in layout.procedure.granted})])
            case "record":
                return pick([*layout.procedure.records, "nothing-known"])
            case "setting":
                return pick([*layout.settings, "colour"])
            case "whom":
                return pick(("inspector", "surveillance", *PEOPLE))
        return pick(("kim", "seen", "payout", *PEOPLE))

    def amount(self, table: Table) -> int:
        """Chips, odd sums, the limits and their neighbours."""
        chip, posted = self.layout.chip, table.posted
        near = (posted.minimum, posted.minimum - chip, posted.maximum, posted.maximum + chip)
        whole, odd = chip * self.random.randint(1, 60), self.random.randint(1, 10**6)
        return max(1, self.random.choice((whole, whole, whole, odd, *near)))


# -- what is looked at after every ruling ----------------------------------------------------------


def accounts(table: Table) -> Counter[str]:
    """Where the chips of a table are."""
    found = Counter({"bank": table.bank, "cage": table.cage})
    for seat in table.seats.values():
        found[f"rail {seat.name}"] += seat.rail
        for wager in seat.wagers.values():
            found[f"wager {seat.name} {wager.spot}"] += wager.stake
    return found


def check_transfers(before: Table, decision: AnyDecision, after: Table) -> None:
    """The transfers of a decision are what happened to every account, and nothing else did."""
    old, new = accounts(before), accounts(after)
    found = {name: new[name] - old[name] for name in {*old, *new} if new[name] != old[name]}
    said: Counter[str] = Counter()
    if isinstance(decision, Moved):
        stake = before.seats[decision.seat].wagers[decision.spot].stake
        said[f"wager {decision.seat} {decision.to}"] += stake
        said[f"wager {decision.seat} {decision.spot}"] -= stake
    elif type(decision).__name__ == "Reversed":
        return  # what it takes back is checked by the fold
    else:
        for source, target, amount in transfers(decision):
            assert amount > 0 or "fee" in decision.__struct_fields__
            said[source] -= amount
            said[target] += amount
    assert found == {name: amount for name, amount in said.items() if amount}


def check_ruling(layout: Layout, before: Table, ruling: Ruling) -> None:
    """Money, citations, that a refusal changes nothing, and that it can be told and kept."""
    book = read_book(layout.house)
    assert ruling.cites
    assert set(ruling.cites) <= set(book.clauses)
    assert explain(book, layout, ruling)
    assert call_of(canonical(ruling.call)) == ruling.call
    for notice in (*ruling.warnings, *([ruling.refusal] if ruling.refusal else [])):
        assert notice.code in CODES
        assert notice.sentence.strip()
        assert notice.cites
    if ruling.refusal is not None:
        assert ruling.after is before
        assert ruling.decisions == ()
        return
    assert ruling.decisions
    table = before
    for decision in ruling.decisions:
        assert decision.cites, f"nobody says {decision}"
        assert msgspec.json.decode(canonical(decision), type=AnyDecision) == decision
        after = apply(table, decision)
        assert imbalance(after) == 0
        check_transfers(table, decision, after)
        table = after
    assert table == ruling.after, "the table is not the fold of its decisions"
    assert before.phase in DECLARED[type(ruling.call)].phases, f"{ruling.call} in {before.phase}"
    assert not before.floor.closed or DECLARED[type(ruling.call)].closed


def check_sound(layout: Layout, table: Table) -> None:
    """What must be so between any two calls."""
    assert imbalance(table) == 0
    assert table.phase in PHASES
    assert table.puck in (0, *layout.points)
    for seat in table.seats.values():
        assert seat.rail >= 0
        for name, wager in seat.wagers.items():
            spot = layout.spots[name]
            assert wager.spot == name
            assert wager.stake > 0
            assert wager.fee >= 0
            assert wager.marker in ("", "on", "off")
            assert not wager.split or sum(wager.split) == wager.stake
            if spot.behind is not None:
                assert spot.behind.flat in seat.wagers, "odds stand alone"
                assert spot.number or table.puck, "odds stand on no number"
    for new in table.fresh.values():
        wager = table.seats[new.seat].wagers[new.spot]
        assert 0 < new.amount <= wager.stake
        assert new.fee <= wager.fee
        assert new.voucher <= wager.voucher
        parts = zip(new.split, wager.split, strict=True)
        assert all(0 <= part <= whole for part, whole in parts)


# -- the menu --------------------------------------------------------------------------------------


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


def bet_on(layout: Layout, table: Table, seat: str, spot: str, amount: int, at: int = 0) -> Bet:
    """A bet, with the parts named where they are to be: as uneven as the house allows."""
    share = layout.spots[spot].share if spot in layout.spots else None
    split: tuple[int, ...] = ()
    if share is not None and share.named:
        least = 0 if spot in table.seats[seat].wagers else layout.chip
        if amount > least:
            split = (amount - least, *[least] * (len(share.parts) - 1))
    return Bet(seat=seat, spot=spot, amount=amount, split=split, at=at)


def charged(fees: tuple[Charge, ...], amount: int) -> int:
    """The fee as whoever reads the menu finds it."""
    found = [fee for fee in fees if inside((fee[:3],), amount)]
    assert len(found) == bool(fees), f"{amount} has one fee, not {found}"
    return sum(fee.fee + fee.more * ((amount - fee.low) // fee.step) for fee in found)


MOVES = (
    *("cashes out", "leaves", "takes dice", "declines dice", "passes dice"),
    *("disputes the faces", "agrees", "asks for the old die"),
)
"""Calls of procedure that a menu may offer, besides objecting to a wager."""


def check_menu(
    layout: Layout, table: Table, name: str, at: int = 0, spots: Iterable[str] = ()
) -> None:
    """For every spot, or for these: what the menu lists is accepted, and all else is refused."""
    seat = table.seats[name]
    shown = menu(layout, table, name, at)
    assert shown.rail == seat.rail

    def allowed(call: Call) -> bool:
        ruling = rule(layout, table, call)
        assert ruling.accepted or ruling.after is table
        return ruling.accepted

    moves = (*MOVES, *(f"objects to {spot}" for spot in seat.wagers))
    assert {*shown.moves} <= {*moves}
    for move in moves:
        said = read_call(split_line(f"{name} {move}").words, 99)
        by = said.by or PLAYER  # where the crew works by hand a word is somebody's
        taken = allowed(msgspec.structs.replace(said, at=at, by=by))
        assert taken == (move in shown.moves), f"{name} {move}"
    for spot in spots or layout.spots:
        choice = shown.choices.get(spot, Choice(spot=spot, name=""))
        for amount in around(choice.bet, layout, table, seat.rail):
            bet = bet_on(layout, table, name, spot, amount, at)
            assert allowed(bet) == inside(choice.bet, amount), f"{bet}, {choice}"
            if inside(choice.bet, amount):
                after = rule(layout, table, bet).after.seats[name]
                cost = amount + charged(choice.fees, amount)
                assert seat.rail - after.rail == cost, f"{bet}, menu {choice}"
        if table.floor.closed:
            continue
        down = TakeDown(seat=name, spot=spot, at=at)
        assert allowed(down) == choice.take_down, f"{down}, menu {choice}"
        for call in ("on", "off"):
            if spot == "all":
                continue  # with "only" it is the bonus wager, without it everything
            mark = SetWorking(seat=name, spot=spot, call=call, only=True, at=at)
            assert allowed(mark) == (call in choice.calls), f"{mark}, menu {choice}"
        for stays in (True, False):
            keep = StayUp(seat=name, spot=spot, stays=stays, at=at)
            assert allowed(keep) == (choice.keep is stays), f"{keep}, menu {choice}"
        tried = around(choice.lower, layout, table, seat.rail) if spot in seat.wagers else {100}
        for to in tried:
            lower = Reduce(seat=name, spot=spot, to=to, at=at)
            assert allowed(lower) == inside(choice.lower, to), f"{lower}, menu {choice}"


# -- an evening ------------------------------------------------------------------------------------


def prelude() -> list[Call]:
    """What lets a first throw happen: chips, line wagers, inspected dice, a shooter."""
    said: list[Call] = []
    for place, name in enumerate(PEOPLE, 1):
        said.append(Sit(seat=name, place=place))
        said.append(BuyIn(seat=name, amount=200_000))
        said.append(Bet(seat=name, spot="pass", amount=1000))
    said += [HandleDice(by=who, event="inspected") for who in ("dealer", "box")]
    for name in PEOPLE:
        said += [OfferDice(by="stick", seat=name), TakeDice(seat=name)]
    return said


class Night:
    """A table played line by line, and everything that must hold after each of them."""

    def __init__(self, house: str, chance: random.Random, by_hand: bool) -> None:
        self.random, self.by_hand, self.at = chance, by_hand, 0
        self.script = Transcript(words=True)
        self.written: list[str] = []
        self.kinds: Counter[tuple[type[Call], bool]] = Counter()
        chip, low, high, unit = 100, 500, 50_000, 0
        classes: tuple[tuple[str, int, int], ...] = ()
        if not by_hand:
            chip = chance.choice((100, 100, 50, 250, 500))
            low = chip * chance.choice((1, 5, 10, 12))
            high, unit = low * chance.choice((3, 10, 100)), chance.choice((0, 0, chip, 5 * chip))
            unit = unit if house in UNITS else 0
            name = chance.choice(("place", "hard", "odds", "come", "field", "two"))
            classes = chance.choice(((), ((name, chip * 2, chip * 200),)))
        chosen = {
            name: chance.choice(values)
            for name, values in SETTINGS.get(house, {}).items()
            if not by_hand and chance.random() < 0.5
        }
        opening = Open(
            house=house,
            chip=chip,
            minimum=low,
            maximum=high,
            unit=unit,
            classes=classes,
            settings=chosen,
            by_hand=by_hand,
            crew=(1, 2, 1) if by_hand else (),
            shooter=PLAYERS if by_hand else "guest",
        )
        text = write_call(opening)
        assert read_call(split_line(text).words, len(text) + 1) == opening
        result = self.script.play(text)
        assert result.ruling is not None
        assert result.ruling.refusal is None, result.ruling.refusal
        self.written.append(write_result(result))
        if by_hand:
            for call in prelude():
                self.say(call)
        else:
            for seat, bankroll in zip(PEOPLE, (10**7, 10**5, 3 * 10**4), strict=True):
                assert self.say(BuyIn(seat=seat, amount=bankroll)).accepted

    @property
    def layout(self) -> Layout:
        assert self.script.layout is not None
        return self.script.layout

    @property
    def table(self) -> Table:
        assert self.script.table is not None
        return self.script.table

    def say(self, call: Call) -> Ruling:
        """Make a call through the notation, look at what follows, and keep the line."""
        text = write_call(call)
        line = split_line(text)
        assert line.expected is None
        again = read_call(line.words, len(text) + 1)
        assert write_call(again) == text
        before, layout = self.table, self.layout
        clock = f"{self.at // 3600 % 24:02d}:{self.at // 60 % 60:02d}:{self.at % 60:02d}"
        try:
            result = self.script.play(f"{clock} {text}")
        except NotationError:
            # A line that names no wager at all is one that cannot be read; nobody played it.
            ruling = rule(layout, before, again)
            assert ruling.refusal is not None
            assert ruling.refusal.code == "no-such-spot", text
            assert self.table is before
            return ruling
        assert isinstance(result.ruling, Ruling)
        assert result.difference is None
        for ruling in (*result.crew, result.ruling):
            check_ruling(layout, before, ruling)
            self.kinds[type(ruling.call), ruling.accepted] += 1
            was, before = before, ruling.after
        assert before is self.table
        check_sound(layout, before)
        self.expect(was, result.ruling)
        self.written.append(write_result(result))
        return result.ruling

    def expect(self, before: Table, ruling: Ruling) -> None:
        """What is known of some calls without asking the rules."""
        layout, call, accepted = self.layout, ruling.call, ruling.accepted
        if ruling.refusal is not None and not before.floor.closed:
            told = f"{write_call(call)}: {ruling.refusal.code}, {ruling.refusal.remedy}"
            assert followed(layout, before, call, ruling.refusal), told
        declared = DECLARED[type(call)]
        # A complaint of somebody who does not sit here is put on record by its name.
        typed = isinstance(call, OpenDispute) and call.seat not in before.seats
        menus = accepted and not typed and not call.stand_in
        if menus and call.by in set(declared.stations) & set(STATIONS):
            move = move_of(call)
            found = candidates(layout, before, call.by, declared.kind, call.at)
            tried = (each for each in found if move_of(each) == move)
            assert any(rule(layout, before, each).accepted for each in tried), f"{call}: no menu"
        for name in {"amount", "to"} & set(declared.fields):
            worse = msgspec.structs.replace(call, **{name: self.random.choice((-1, -100))})
            assert not rule(layout, before, worse).accepted, worse
        if before.floor != QUIET or self.by_hand:
            return
        match call:
            case BuyIn(amount=amount):
                assert accepted == (amount % layout.chip == 0)
            case CashOut(seat=seat, amount=amount) if seat in before.seats and amount:
                fits = amount <= before.seats[seat].rail and amount % layout.chip == 0
                assert accepted == fits
            case CallRoll(by="", total=0, cause="", cocked=False):
                assert accepted or before.phase in ("disputed", "call it")
            case GiveBack(by="", seat=seat, spot=spot, amount=0):
                assert accepted == (spot in fresh_of(layout, before, seat))
                assert spot not in fresh_of(layout, ruling.after, seat)
            case Bet(seat=seat, spot=spot) if spot not in layout.spots:
                assert not accepted

    # -- looking around ---------------------------------------------------------------------------

    def look(self) -> None:
        """Properties of the table as it stands."""
        assert signs(self.layout, self.table)
        seats = list(self.table.seats)
        if seats:
            check_menu(self.layout, self.table, self.random.choice(seats), self.at)
        if self.table.floor == QUIET and len(seats) > 1:
            one, other = self.random.sample(seats, 2)
            self.seats_commute(one, other)
            self.taking_down_restores(one)
            self.everything_comes_down_whole(other)

    def some_call(self, seat: str) -> Call | None:
        kind = self.random.choice((Bet, Bet, TakeDown, SetWorking, StayUp, Reduce))
        return next(self.of_seat(kind, seat), None)

    def of_seat(self, kind: type[Call], seat: str) -> Any:
        found = list(kind.tries(self.layout, self.table, seat))
        return iter(self.random.sample(found, min(1, len(found))))

    def seats_commute(self, first: str, second: str) -> None:
        """Two players act in either order: each gets the same ruling, and the table is the same."""
        one, other = self.some_call(first), self.some_call(second)
        if one is None or other is None:
            return
        layout, table = self.layout, self.table
        one_first = rule(layout, table, one)
        one_then_other = rule(layout, one_first.after, other)
        other_first = rule(layout, table, other)
        other_then_one = rule(layout, other_first.after, one)
        assert one_then_other.after == other_then_one.after
        assert one_first.decisions == other_then_one.decisions
        assert one_first.refusal == other_then_one.refusal
        assert other_first.decisions == one_then_other.decisions
        assert other_first.refusal == one_then_other.refusal

    def refunds(self, spot: str) -> bool:
        fee = self.layout.spots[spot].fee
        return fee is None or fee.refund

    def taking_down_restores(self, seat: str) -> None:
        """A bet that may be taken back leaves no trace, fee included; nor does a raise."""
        table, layout = self.table, self.layout
        for call in self.of_seat(Bet, seat):
            call = bet_on(layout, table, seat, call.spot, call.amount)
            if not self.refunds(call.spot):
                continue
            old = table.seats[seat].wagers.get(call.spot)
            made = rule(layout, table, call)
            assert made.accepted, f"{call} is in the menu, but refused: {made.refusal}"
            choice = menu(layout, made.after, seat).choices.get(call.spot)
            if choice is None:
                continue
            back: Call | None = None
            if old is None and choice.take_down:
                back = TakeDown(seat=seat, spot=call.spot)
            elif old and inside(choice.lower, old.stake) and not (old.found or old.split):
                back = Reduce(seat=seat, spot=call.spot, to=old.stake)
            if back is not None:
                assert rule(layout, made.after, back).after == table

    def everything_comes_down_whole(self, seat: str) -> None:
        """Taking down all that may come down gives back every stake and fee of it."""
        table = self.table
        for name in list(table.seats[seat].wagers):
            choice = menu(self.layout, table, seat).choices.get(name)
            if choice is not None and choice.take_down:
                table = rule(self.layout, table, TakeDown(seat=seat, spot=name)).after
        before, after = self.table.seats[seat], table.seats[seat]
        gone = [wager for name, wager in before.wagers.items() if name not in after.wagers]
        fees = sum(wager.fee for wager in gone if self.refunds(wager.spot))
        assert after.rail == before.rail + sum(wager.stake for wager in gone) + fees

    def again(self) -> None:
        """The written evening plays again: no difference, the same text, the same table."""
        replayed = Transcript(words=True)
        for text in self.written:
            result = replayed.play(text)
            assert result.difference is None, f"{text}\n{result.difference}"
            assert write_result(result) == text
        assert replayed.table == self.table


def play(house: str, seed: int, calls: int) -> Night:
    """An evening of so many calls, every property checked; by turns with a crew by hand."""
    chance = random.Random(f"{house} {seed}")
    night = Night(house, chance, by_hand=seed % 2 == 0)
    drawing = Drawing(night.layout, chance, night.by_hand)
    try:
        for number in range(calls):
            night.at += chance.choice((0, 0, 1, 60, 700))
            night.say(drawing.draw(night.table, night.at))
            if number % 5 == 0:
                _crew(night, drawing)
            if number % 25 == 0:
                night.look()
            if night.table.floor.closed:
                break
        for kind in KINDS:
            if not night.kinds[kind, True] + night.kinds[kind, False]:
                night.say(
                    drawing.sensible(night.table, kind, night.at) or drawing.make(night.table, kind)
                )
        closing = drawing.sensible(night.table, CloseTable, night.at)
        if closing is not None:
            night.say(closing)
        night.again()
    except Exception:
        print("\n".join(night.written))
        raise
    return night


def _crew(night: Night, drawing: Drawing) -> None:
    """What a crew does all evening, so that something gets settled in between."""
    shooter = night.table.hand.shooter
    if shooter in PEOPLE:
        night.say(Bet(seat=shooter, spot="pass", amount=1000))
    dice = night.table.floor.dice
    if night.by_hand and (dice.play < 2 or dice.due):
        night.say(HandleDice(by="stick", event=drawing.random.choice(("chosen", "new set"))))
    if night.by_hand and not dice.inspected:
        night.say(HandleDice(by="dealer", event="inspected"))
        night.say(HandleDice(by="box", event="inspected"))
    for kind in (DecideFaces, OfferDice, TakeDice) if night.by_hand else ():
        call = drawing.sensible(night.table, kind, night.at)
        if call is not None and drawing.random.random() < 0.7:
            night.say(call)
    if drawing.random.random() < 0.7:
        night.say(CloseBets(by="dealer"))
    roll = drawing.random.choice(DICE)
    night.say(CallRoll(first=roll.first, second=roll.second))
