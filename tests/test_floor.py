"""The table against a second, naive model of the floor, in random evenings of every house.

Lines are drawn at random, most of them so that something happens. After each, the table has to
have followed where the model says so and refused where it says so, and the floor has to look alike:
where the dice are, who sits, who waits, who is out, what is asked of the dice. A difference is told
with its evening, as notation.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest

from boxman.rules.book import houses
from boxman.table.call import Call
from boxman.table.floor.people import Pending
from boxman.table.floor.throw import where
from boxman.table.ruling import rule
from boxman.table.rulings import Ruling, change
from boxman.table.said.notation import read_call, split_line
from boxman.table.said.transcript import Transcript
from boxman.table.state import Floored, Table
from tests.floor import HOUSES, STICK, Floor, House
from tests.tools.reliability import record

NAMES = ("ann", "bob", "cid")
PLACES = 8
KNOWN = ("pass", "dont_pass", "field", "place.6")
CREW = ("stick", "stick", "stick", "dealer", "box", "box", "supervisor", "manager", "senior")
SHOWN = {"with the stick": "", "offered": "", "in hand": "", "at rest": "rest"}
ON = (
    *("stick offers dice to {seat}", "{seat} takes dice", "{shooter} bets 10 pass", "dice out"),
    *("dealer inspects the dice", "box inspects the dice", "stick brings a new set"),
    *("stick gives another die", "dealer closes bets", "stick takes dice", "box decides {faces}"),
    *("dice at rest", "stick calls {faces}", "stick calls {faces}", "stick calls no roll"),
)
"""What gets a throw going, and decided."""
ALWAYS = (
    *ON,
    *("{seat} bets 12 pass", "{seat} bets 10 dont_pass"),
    *(
        "{seat} buys in 1000000",
        "{seat} sits at {place}",
        "{seat} leaves",
        "{by} offers dice to {seat}",
    ),
    *("{by} passes over {seat}", "stick passes over {seat}"),
    *("{seat} declines dice", "{seat} passes dice", "stick takes dice", "{by} cancels the point"),
    *("{by} closes bets", "dice land", "{by} calls {faces}", "stick calls {faces} with {cause}"),
    *("{by} calls no roll {cause}", "{by} calls no roll {cause} by {seat}", "{by} calls no roll"),
    *("{seat} disputes the faces", "{by} says call it", "{by} decides {faces}"),
    *("{by} decides no roll", "{seat} bets {amount} {spot}", "{seat} bets {amount} {spot}"),
    *("{seat} says 12 {spot}", "{by} confirms {seat} {spot}", "{by} confirms {seat} {spot}"),
    *("{by} finds {stake} {spot} for {seat}", "{by} finds {stake} {spot} for {seat}"),
    *(
        "{by} finds {stake} {spot} for {seat} before the throw",
        "{by} records under-minimum by {seat}",
    ),
    *("{by} gives {seat} a voucher of {amount}", "{seat} bets {amount} {spot} with voucher"),
    *("{seat} bets 12 {spot} with voucher 10", "{seat} bets {amount} {spot} with voucher 12"),
    *("{seat} calls place.6 on", "{seat} calls place.6 off", "{seat} takes down {spot}"),
    *("{by} inspects the dice", "{by} reports a die off", "{by} gives another die"),
    *("{seat} asks for the old die", "{by} finds the die", "{by} checks the die"),
    *("{by} rejects the die", "{by} gives up the die", "{by} brings a new set"),
    *("{by} allows the old dice", "{by} orders {seat} to pass for {order}"),
    "{by} orders {seat} to pass for {order} because talk",
    *("{by} overrules to {faces}", "{by} overrules to no roll", "box overrules to {faces}"),
    *("{by} voids the roll for {why}", "{by} voids the roll for {why} by {seat} because talk"),
    *("{by} voids the round for {why}", "{by} voids the roll for {cause}"),
    "{by} voids the roll for {why} by {seat} because talk and forfeits",
    *("{seat} disputes payout", "{by} opens dispute of {seat} about payout"),
    *("{seat} requests a review", "{seat} requests the inspector", "{by} tells {seat}"),
    *("{by} decides dispute", "{by} reviews dispute", "inspector inspects dispute"),
    *("{by} closes dispute of {seat}", "{by} announces closing", "{by} tells inspector"),
    *("{by} closes the table", "{by} closes the table for {closing}"),
)
CORRECT = (
    *(
        "box overrules to {faces}",
        "supervisor overrules to {faces}",
        "manager overrules to {faces}",
    ),
    *("box overrules to no roll", "manager overrules to no roll", "senior overrules to {faces}"),
    *("{seat} disputes the faces", "box decides {faces}", "box decides no roll"),
    *("{seat} disputes payout", "supervisor voids the roll for {why} because talk"),
    *("manager voids the roll for {why}", "manager voids the round for {why}"),
    *("supervisor voids the roll for {why} by {seat} because talk and forfeits",),
    *("box voids the roll for {cause}", "manager voids the roll for {cause}"),
)
"""What takes a throw back, or is needed for it."""
FOUND = "{by} finds {stake} {spot} for {seat} before the throw"
FINDS, BETS = re.compile(r"finds \d"), ("bets", "says", "finds")
ODD = (
    *("{seat} leaves", "{seat} leaves", "{seat} sits at {place}", "{shooter} passes dice"),
    *("{seat} bets {amount} {spot}", "{seat} takes down {spot}", "stick reports a die off"),
    *("stick brings a new set", "{seat} calls place.6 off", "{seat} buys in 1000000"),
    *("stick calls no roll {cause}", "stick finds the die", "{exclude}", "{seat} sits at {place}"),
)
"""What happens between a throw and its correction."""


class Evening:
    """A table and its model, told the same lines."""

    def __init__(self, house: str, seed: int) -> None:
        self.house, self.random = house, random.Random(f"{house} {seed}")
        self.script, self.floor = Transcript(), Floor(house, PLACES)
        self.lines: list[str] = []
        self.after = 0
        """How many lines were said at the closed table."""
        self.kinds: Counter[tuple[str, bool]] = Counter()
        by = "   opened by manager" if house == "perth-crapless" else ""
        crew = "crew by hand stick 1 dealer 2 box 1"
        self.script.play(f"house {house} limits 10-500 {crew} places {PLACES} shooter players{by}")
        for name in NAMES:
            self.say(f"{name} buys in 1000000", "")

    @property
    def table(self) -> Table:
        assert self.script.table is not None
        return self.script.table

    def draw(self) -> tuple[str, str]:
        """A line, and the pattern that it is of; most are ones the table would follow."""
        pick, house = self.random.choice, HOUSES[self.house]
        grounds = (*house.void, *house.due, *house.may, *house.never, "no-such-ground")
        rare = []
        for verb, powers in (("excludes", house.excludes), ("refuses wagers of", house.refuses)):
            for reason, who in powers.items():
                told = f" for {reason}" if reason else ""
                rare += [f"{each} {verb} {{seat}}{told}" for each in (*who, "dealer")]
        patterns = [*ALWAYS, *([pick(rare)] if rare and self.random.random() < 0.1 else [])]
        patterns += [f"{{by}} confirms {w.seat} {w.spot}" for w in self.floor.waits] * 6
        if self.floor.asked or self.floor.ground:
            patterns += ["box decides no roll", "box decides {faces}", "stick calls {faces}"] * 3
        late = self.floor.thrown or (self.floor.bets_closed and house.closing)
        patterns += [FOUND if late else FOUND.removesuffix(" before the throw")] * 6
        if self.floor.thrown:
            patterns += [FOUND, "dice at rest"] * 8
        if self.floor.ground == house.ineligible != "":
            patterns += [FOUND.replace("{seat}", "{shooter}")] * 12
        if self.floor.thrown and house.disaster:
            patterns.append(house.disaster)
        closing = [
            f"{who[0]} closes the table{f' for {why}' * bool(why)}"
            for why, (who, _) in house.shuts.items()
        ]
        if self.floor.sign is not None and self.random.random() < 0.02:
            patterns += closing * 10
        mood = self.random.random()
        if mood < 0.4:
            patterns = list(ON)
        elif mood < 0.6 and (self.floor.roll or self.floor.void) and not self.floor.thrown:
            patterns = [*CORRECT, *ODD]
        if self.floor.closed:
            patterns, mood = list(ALWAYS), self.random.random()
        tries = 0
        while True:
            tries += 1
            pattern = pick(patterns if tries < 60 else ALWAYS)
            line = pattern.format(
                seat=pick((*NAMES, *NAMES, *NAMES, "zed")),
                by=pick(CREW),
                shooter=self.floor.shooter if self.floor.shooter in NAMES else pick(NAMES),
                faces=f"{self.random.randint(1, 6)}-{self.random.randint(1, 6)}",
                cause=pick(grounds),
                amount=pick((10, 12)),
                stake=pick((5, 10, 12, 600)),
                spot=pick(KNOWN if not house.crapless else ("pass", "field", "place.6")),
                place=self.random.randint(1, PLACES + 1),
                order=pick((*house.orders, "delay", "looks")),
                why=pick((*house.voids, "looks")),
                closing=pick((*house.shuts, "looks")) or "looks",
                exclude=pick(rare) if rare else "{seat} leaves",
            )
            if "buys" in line and ("zed" in line or len(self.floor.seats) == len(NAMES)):
                continue
            if self._idle(line) and self.random.random() < 0.9:
                continue
            if "{seat}" in line:
                line = line.format(seat=pick(NAMES))
            whose = line.split()[5 if FINDS.search(line) else 0]
            if whose in self.poor() and any(f" {word} " in line for word in BETS):
                continue
            if "closes the table" in line and self.random.random() < 0.98:
                continue
            if "announces" in line:
                minute = self.floor.clock + self.random.randint(0, 12)
                line = f"{minute // 60}:{minute % 60:02} {line}"
            if mood > 0.85 or self._would(line):
                return line, pattern

    def _idle(self, line: str) -> bool:
        """What can always be said and gets nobody anywhere."""
        floor = self.floor
        if "brings" in line:
            return not floor.set_due and floor.play == 2
        bets = " bets " in line and floor.has_line(line.split()[0]) and "pass" in line
        if self.house == "rws" and "closes" in line:
            return False
        return bets or any(word in line for word in ("sits", "leaves", "closes bets"))

    def poor(self) -> set[str]:
        """Who has come to a few chips without buying in: what they can bet would be money."""
        if self.floor.closed:
            return set()
        left = self.floor.away & self.floor.chips
        few = {name for name, seat in self.table.seats.items() if seat.rail < 100_000}
        few = {name for name in few if self.table.seats[name].rail or name in left}
        return few - self.table.floor.barred.keys()

    def _would(self, line: str) -> bool:
        """Whether the table would follow: asked of it only to get somewhere."""
        if line[0].isdigit():
            return True  # a time is said first
        call = self.script._resolved(_read(line))
        assert self.script.layout is not None
        return rule(self.script.layout, self.table, call).accepted

    def say(self, line: str, pattern: str) -> None:
        result = self.script.play(line)
        assert isinstance(result.ruling, Ruling)
        self.floor.sits_again = set(self.table.seats) - set(self.floor.seats)
        followed = result.ruling.accepted
        self.lines.append(f"{line:<40} : {'ok' if followed else result.ruling.refusal}")
        told = "\n".join(self.lines)
        expected, why = self.floor.hear(line, followed)
        assert followed == expected, f"{told}\nthe model: {why or 'ok'}"
        self.kinds[pattern, followed] += 1
        self.kinds["leaned", True] += self.floor.leaned
        if any(type(each).__name__ == "Rolled" for each in result.ruling.decisions):
            self.floor.marks = marks(self.table)
        seen, meant = of_table(self.table), of_model(self.floor)
        unlike = {key: (seen[key], meant[key]) for key in seen if seen[key] != meant[key]}
        assert not unlike, f"{told}\nthe table, the model: {unlike}"

    def play(self, lines: int) -> Evening:
        for _ in range(lines):
            self.say(*self.draw())
            for name in self.poor() - self.table.floor.away:
                self.say(f"{name} buys in 1000000", "")
            self.after += self.floor.closed
            if self.after > 12 or set(self.table.seats) <= self.table.floor.excluded:
                break
        return self


def _read(line: str) -> Call:
    return read_call(split_line(line).words, len(line) + 1)


def marks(table: Table) -> dict[tuple[str, str], str]:
    return {
        (seat.name, wager.spot): wager.marker
        for seat in table.seats.values()
        for wager in seat.wagers.values()
        if wager.marker
    }


def of_table(table: Table) -> dict[str, Any]:
    """What the table says of its floor."""
    at, floor, dice = where(table), table.floor, table.floor.dice
    lies = dice.play, dice.bowl, dice.off, dice.found, dice.held, dice.lost
    return {
        "thrown": SHOWN.get(at.place, at.place),
        "asked": at.asked,
        "shooter": table.hand.shooter,
        "offered": table.hand.offered,
        "bets closed": table.phase == "closed" if not SHOWN.get(at.place, at.place) else None,
        "puck": table.puck,
        "seats": {name: seat.place for name, seat in table.seats.items()},
        "up": {
            seat.name: {spot: wager.stake // 100 for spot, wager in seat.wagers.items()}
            for seat in table.seats.values()
        },
        "marks": marks(table),
        "vouchers": {
            name: sorted(each // 100 for each in held)
            for name, held in floor.vouchers.items()
            if held
        },
        "lying": {
            (seat.name, spot): wager.voucher // 100
            for seat in table.seats.values()
            for spot, wager in seat.wagers.items()
            if wager.voucher
        },
        "waits": [(w.what, w.seat, w.spot, w.voucher // 100, set(w.by)) for w in floor.pending],
        "contested": floor.contested,
        "closed": floor.closed,
        "disputes": [(d.seat, d.step, d.judge, set(d.asked)) for d in floor.disputes],
        "told": set(floor.told),
        "barred": set(floor.barred),
        "excluded": set(floor.excluded),
        "away": set(floor.away),
        "ground": bool(floor.ground),
        "dice": lies,
        "set due": (dice.due, dice.deferred, dice.beside),
        "inspected": set(dice.inspected),
        "no rolls": min(2, table.hand.no_rolls) if table.hand.shooter not in ("", STICK) else 0,
    }


def of_model(floor: Floor) -> dict[str, Any]:
    """The same of the model."""
    return {
        "thrown": floor.thrown,
        "asked": floor.asked,
        "shooter": floor.shooter,
        "offered": floor.offered,
        "bets closed": floor.bets_closed if not floor.thrown else None,
        "puck": floor.puck,
        "seats": floor.seats,
        "up": floor.up,
        "marks": floor.marks,
        "vouchers": {name: sorted(held) for name, held in floor.in_hand.items() if held},
        "lying": floor.lying,
        "waits": [(w.what, w.seat, w.spot, w.voucher, w.by) for w in floor.waits],
        "contested": floor.contested,
        "closed": floor.closed,
        "disputes": [(d.seat, d.step, d.judge, d.asked) for d in floor.disputes],
        "told": floor.advised,
        "barred": floor.barred,
        "excluded": floor.excluded,
        "away": floor.away,
        "ground": bool(floor.ground),
        "dice": (floor.play, floor.bowl, floor.off, floor.found, floor.held, floor.gone),
        "set due": (floor.set_due, floor.goes_on, floor.beside),
        "inspected": floor.inspected,
        "no rolls": min(2, floor.no_rolls) if floor.shooter not in ("", STICK) else 0,
    }


@pytest.mark.parametrize("house", HOUSES)
def test_the_floor_is_as_the_model_says(house: str) -> None:
    kinds: Counter[tuple[str, bool]] = Counter()
    for seed in range(3):
        kinds += Evening(house, seed).play(150).kinds
    assert kinds["leaned", True] < sum(kinds.values()) / 20
    assert house in houses()


@pytest.mark.soak
def test_long_evenings_of_the_floor() -> None:
    """Every kind of line is refused somewhere and followed somewhere, and none of it where the
    house has no such thing."""
    seeds, every, told = range(100, 200), Counter[tuple[str, bool]](), []
    for house in HOUSES:
        kinds: Counter[tuple[str, bool]] = Counter()
        for seed in seeds:
            kinds += Evening(house, seed).play(1000).kinds
        assert {line for line in unknown(HOUSES[house]) if kinds[line, True]} == set()
        lines, leaned = sum(kinds.values()), kinds["leaned", True]
        assert leaned < lines / 20
        back = sum(many for (line, done), many in kinds.items() if done and BACK.search(line))
        told.append(f"{house}: {lines:,} lines, {back:,} of them took a throw back")
        every += kinds
    assert {line for line in ALWAYS if not every[line, False]} == set()
    assert {line for line in ALWAYS if not every[line, True]} == set()
    head = (
        f"{len(seeds)} evenings a house, seeds {seeds[0]} to {seeds[-1]}, no line ruled otherwise"
    )
    record("The floor against its second model", [head, *told])


BACK = re.compile("overrules|voids the")
"""Lines that take a throw back, or end one that is under way."""


def unknown(house: House) -> set[str]:
    """Lines that are never followed in a house."""
    known = {
        "stick takes dice": house.nobody == "stick throws",
        "{by} cancels the point": house.cancels,
        "{by} orders {seat} to pass for {order}": house.orders,
        "{by} orders {seat} to pass for {order} because talk": house.orders,
        "dealer closes bets": "dealer" in house.may_close,
        "dealer inspects the dice": "dealer" in house.may_inspect,
        "{by} voids the round for {why}": house.rounds,
        "{by} voids the roll for {why} by {seat} because talk and forfeits": house.forfeits,
        "{seat} requests the inspector": house.inspects,
        "inspector inspects dispute": house.inspects,
        "{by} announces closing": house.shuts,
        "dice land": house.landing,
        "{by} says call it": house.call_it,
        "{by} calls no roll": house.bare,
        "stick calls no roll": house.bare,
        "{by} decides no roll": house.void_faces,
        "{seat} says 12 {spot}": house.spoken or house.late,
        "{by} confirms {seat} {spot}": house.late or house.spoken or house.on,
        "{seat} asks for the old die": house.original,
        "{by} records under-minimum by {seat}": house.advise,
        "{by} allows the old dice": house.goes_on == "if allowed",
        "{seat} bets 10 dont_pass": not house.crapless,
        "{by} gives {seat} a voucher of {amount}": house.vouchers,
        "{seat} bets {amount} {spot} with voucher": house.vouchers,
        "{seat} bets 12 {spot} with voucher 10": house.vouchers,
        "{seat} bets {amount} {spot} with voucher 12": house.vouchers,
    }
    return {line for line, there in known.items() if not there}


def evenings(house: str, count: int) -> None:
    for seed in range(count):
        Evening(house, seed).play(300)


def nothing(*_: Any, **__: Any) -> None:
    """A check that lets everything pass."""


def nothing_changes(_: Any, table: Table, *__: Any, **___: Any) -> Floored:
    """A change of the floor that changes nothing."""
    return change(table, "", ())


FAULTS = {
    "the stick's throw is anybody's": ("nsw", {"floor.throws.check_shooter": lambda *_: ""}),
    "asked out of turn": ("adelaide", {"calls.hand.turn": lambda *_: []}),
    "everybody is asked": (
        "rws",
        {"floor.shooters.may_be_asked": lambda _, t: [*t.seats.values()]},
    ),
    "a throw is stolen": ("newzealand", {"ruling.check_moves": nothing}),
    "the excluded play on": ("perth-crapless", {"ruling.check_excluded": nothing}),
    "the excluded keep the dice": ("nsw", {"ruling.follow": lambda *_: []}),
    "confirmed too late": ("newzealand", {"floor.confirming.AT_REST": ()}),
    "anybody confirms": ("newzealand", {"floor.confirming._check_who": nothing}),
    "what waits outlives its throw": (
        "nsw",
        {"floor.throws.lapse": lambda *_: [], "ruling.waits_no_more": lambda *_: []},
    ),
    "a die is thrown unchecked": ("adelaide", {"floor.throws.check_dice": nothing}),
    "half a set is offered": ("perth-crapless", {"calls.hand.check_set": nothing}),
    "bets stay open": ("rws", {"calls.throw.check_closed": nothing}),
    "who is back is away": (
        "american",
        {"back._leavers": lambda _, now, was, __: {n: () for n in now.gone if n in was.seats}},
    ),
    "a throw taken back leaves the dice": ("adelaide", {"back.not_off": lambda dice: dice}),
    "the same faces are decided anew": (
        "rws",
        {"calls.correcting._as_settled": lambda *_: False},
    ),
    "nothing goes back": ("nsw", {"calls.correcting.decided_by": lambda *_: set()}),
    "a closed table plays on": ("newzealand", {"ruling.check_open": nothing}),
    "nobody has to have complained": (
        "nsw",
        {"calls.correcting._for_dispute": lambda *_: []},
    ),
    "what waits outlives a roll taken back": (
        "newzealand",
        {"back.lapse": lambda *_: [], "back.FLOOR": {}},
    ),
    "a ground is forgotten": ("newzealand", {"calls.throw.voided": lambda *_: []}),
    "found late, and nothing said": ("nsw", {"calls.handling.Find._check_time": nothing}),
    "found by one": (
        "adelaide",
        {"calls.handling.BEFORE_REST": ("open", "closed", "out", "landed", "rest")},
    ),
    "the finder is the second": (
        "perth-crapless",
        {"calls.handling.Pending": lambda *a, **k: Pending(*a, **{**k, "by": ()})},
    ),
    "the line was found for nothing": ("rws", {"calls.handling.lacks_line": lambda *_: True}),
    "a voucher is in two places": ("nsw", {"calls.betting.hand_over": nothing_changes}),
    "a voucher taken down is gone": ("nsw", {"wagers.hand_over": nothing_changes}),
    "a voucher is forfeited with a void roll": ("nsw", {"back._vouchers": lambda *_: []}),
    "a voucher nobody has is bet": (
        "nsw",
        {"calls.betting.check_voucher": lambda *_: (), "calls.betting.hand_over": nothing_changes},
    ),
    "every die is the last throw's": ("american", {"state.Table.undone": True}),
    "what was kept out is in the bowl": (
        "perth-crapless",
        {"back.in_hand_again": lambda _, __, ___, dice: dice},
    ),
}
"""What is broken of the table, and where the model has to see it."""


@pytest.mark.parametrize("fault", FAULTS)
def test_the_model_bites(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    house, broken = FAULTS[fault]
    for where_, instead in broken.items():
        monkeypatch.setattr(f"boxman.table.{where_}", instead)
    with pytest.raises(AssertionError, match="the model"):
        evenings(house, 60)
