"""One throw, told in several ways, leaves one table: moments left out or named, faces disputed, a
no roll before it; miscalled and put right, or void and thrown again, whatever was bet since."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from copy import copy

import pytest

from boxman.rules.compile import load
from boxman.rules.layout import Layout
from boxman.table.said.transcript import Transcript

NAMES = ("ann", "bob", "cat")
ABOVE = ("box", "supervisor", "senior", "manager")
HOUSES = ("adelaide", "newzealand", "nsw", "rws", "perth-crapless")
CREW = "crew by hand stick 1 dealer 2 box 1 shooter players"
RAIL = {"on-rail", "bowl-or-rail"}


class Evening:
    """Three players who bet what they like and take the dice as these go round."""

    def __init__(self, house: str, seed: int) -> None:
        self.script, self.random = Transcript(), random.Random(seed)
        self.says(f"house {house} chip 1 limits 1-10000 {CREW}")
        layout = self.script.layout
        assert layout is not None
        self.layout: Layout = layout
        self.rail = min(RAIL & layout.procedure.causes.keys())
        for name in NAMES:
            self.says(f"{name} buys in 5000")
        for who in ("box", "dealer"):
            self.says(f"{who} inspects the dice")

    def says(self, line: str) -> bool:
        result = self.script.play(line)
        return result.ruling is not None and result.ruling.refusal is None

    def now(self) -> Evening:
        """This evening, to go on in another way."""
        other = copy(self)
        other.script = copy(self.script)
        return other

    def one_of(self, *lines: str) -> bool:
        return any(self.says(line) for line in lines)

    def closes(self) -> bool:
        table = self.script.table
        assert table is not None
        wants = self.layout.betting["make"].value == "call" and table.phase == "open"
        return not wants or self.says("dealer closes bets")

    def throws(self, faces: str) -> bool:
        return self.closes() and self.says(f"stick calls {faces}")

    def bets(self, many: int) -> None:
        pick = self.random.choice
        for _ in range(many):
            name, spot = pick(NAMES), pick(list(self.layout.spots))
            ways = [f"bets {pick((6, 10, 12, 20, 40, 60))} {spot}"] * 3 + [f"takes down {spot}"]
            ways += [f"calls {spot} {pick(('on', 'off'))}", f"keeps {spot} up"]
            self.says(f"{name} {pick([*ways, f'lowers {spot} to 6'])}")

    def sees_to_the_dice(self) -> bool:
        line = [spot for spot in ("pass", "dont_pass") if spot in self.layout.spots]
        for name in NAMES:
            self.says(f"{name} bets 10 {self.random.choice(line)}")
        for name in self.random.sample(NAMES, 3) * 2:
            if self.says(f"stick offers dice to {name}") and not self.says(f"{name} takes dice"):
                self.says(f"{name} declines dice")
        table = self.script.table
        return table is not None and bool(table.hand.shooter)

    @property
    def table(self) -> object:
        """What the next throw depends on."""
        table = self.script.table
        assert table is not None
        money = {name: (seat.rail, seat.wagers) for name, seat in table.seats.items()}
        return money, table.puck, table.phase, table.hand.shooter, table.bank


def told(evening: Evening, faces: str) -> Iterator[tuple[str, Evening, bool]]:
    """The same throw, told in other ways."""
    for way, lines in {
        "moments": ("dice out", "dice at rest", f"stick calls {faces}"),
        "out": ("dice out", f"stick calls {faces}"),
        "disputed": ("dice out", "cat disputes the faces", f"box decides {faces}"),
        "no roll": (f"stick calls no roll {evening.rail}", "", f"stick calls {faces}"),
    }.items():
        other = evening.now()
        took = way == "no roll" or other.closes()
        yield way, other, took and all(other.says(x) if x else other.closes() for x in lines)


def put_right(evening: Evening, called: str, faces: str) -> Iterator[tuple[str, Evening, bool]]:
    """Called otherwise at first, and bets made since."""
    wrong = evening.now()
    assert wrong.throws(called)
    wrong.bets(6)
    wrong.says("ann disputes payout")
    over = [f"{by} overrules to {faces}" for by in ABOVE]
    other = wrong.now()
    yield "overruled", other, other.one_of(*over)
    other = wrong.now()
    if other.says("bob disputes the faces"):
        yield "decided", other, other.says(f"box decides {faces}")
    other = wrong.now()
    if other.one_of(*(f"{by} voids the roll for {evening.rail}" for by in ABOVE)):
        yield "void", other, other.throws(faces)
    other = evening.now()
    assert other.closes()
    assert other.says(f"stick calls no roll {evening.rail}")
    other.bets(6)
    other.says("ann disputes payout")
    yield "counted after all", other, other.one_of(*over)


@pytest.mark.parametrize("house", HOUSES)
def test_one_throw_told_in_several_ways(house: str) -> None:
    assert load(house).house == house
    compared: Counter[str] = Counter()
    for seed in range(5):
        evening = Evening(house, seed)
        for _ in range(12):
            if not evening.sees_to_the_dice():
                continue
            evening.bets(12)
            first, second, called = (evening.random.randint(1, 6) for _ in range(3))
            faces, once = f"{first}-{second}", evening.now()
            if not once.throws(faces):
                continue
            ways = [*told(evening, faces)]
            table = once.script.table
            if called not in (first, second) and table is not None and table.at_no_roll is None:
                ways += put_right(evening, f"{called}-{second}", faces)
            for way, other, taken in ways:
                assert (taken, other.table) == (True, once.table), (house, seed, way, faces)
                compared[way] += 1
            evening = once
    assert min(compared.values()) > 10
    assert len(compared) >= 7
