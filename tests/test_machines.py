"""Every cell of every machine, in every house and under many settings, is there and is sane.

A machine answers, for each puck and each of the fifteen rolls a wager can tell apart, what becomes
of a working wager: a verdict with its clauses, or nothing, and then the wager stands. Here all of
these answers are looked at, none is sampled, and each is compared with the naive second model of
`tests/auditor.py`, which was written from the readings and not from the rulebook files.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec
import pytest

from boxman.dice import ROLLS, TOTALS, Roll
from boxman.rules.book import houses, read_book
from boxman.rules.compile import load
from boxman.rules.ids import family, number
from boxman.rules.layout import ACTS, Cell, Layout, Spot
from tests.auditor import COLLECT, Auditor

"""One roll of each kind."""


class Made(NamedTuple):
    """A house as compiled for a test."""

    house: str
    settings: dict[str, Any]
    chip: int = 100

    @property
    def layout(self) -> Layout:
        return load(self.house, self.settings, self.chip)

    def __str__(self) -> str:
        words = [self.house, *(f"{name}={value}" for name, value in self.settings.items())]
        return " ".join(words if self.chip == 100 else [*words, f"chip={self.chip}"])


SETTINGS: dict[str, list[dict[str, Any]]] = {
    "adelaide": [
        {"big": False},
        {"multiples": True, "fee_rounding": "down"},
        {"odds_pass": 1, "odds_dont_pass": 2, "odds_come": 3, "odds_dont_come": 4},
        {"price.two": "34 to 1", "price.field": "3 to 1", "price.hard.4": "8 to 1"},
    ],
    "newzealand": [
        {"odds_pass": 2, "odds_dont_pass": 2, "odds_come": 2, "odds_dont_come": 2},
        {"rounding": "exact"},
        {"rounding": "down", "fee_rounding": "down"},
    ],
    "nsw": [{"multiples": True}, {"fee_rounding": "down"}, {"fee_refund": False}],
    "rws": [
        {"call_lasts": "throw", "removal_closes": "call"},
        {"rounding": "up", "fee_rounding": "up"},
        {"rounding": "down", "fee_refund": False},
    ],
    "american": [
        {"odds": "100", "bar": 2, "field_12": "triple", "bonus": "34-175"},
        {"commission": 4, "commission_taken": "placement", "commission_rounding": "up"},
        {"stay_up": False, "place_works": True, "hard_works": True},
    ],
    "perth-crapless": [
        *({"layout": n, "bonus_list": n} for n in range(1, 6)),
        {"layout": 2, "established": "roll", "bonus_list": 5},
        {"buy": False, "off_calls": False, "come_lock": "round"},
        {"odds_pass": 3, "odds_come": 5, "fee_rounding": "down"},
    ],
}

ALL = [
    *(Made(house, {}, chip) for house in houses() for chip in (100, 50, 500)),
    *(Made(house, given) for house in houses() for given in SETTINGS[house]),
]

every_house = pytest.mark.parametrize("made", ALL, ids=str)


def cells(layout: Layout) -> Iterator[tuple[str, Spot, int, int, Cell | None, Cell | None]]:
    """All answers of all machines: (where, spot, puck, kind, what happens, what stands)."""
    for spot in layout.spots.values():
        for puck in (0, *layout.points):
            for index, kind in enumerate(layout.rolls.kinds):
                where = f"{spot.id} puck {puck or 'off'} roll {kind}"
                yield where, spot, puck, index, spot.rows[puck][index], spot.stays[puck][index]


def _faces(layout: Layout, index: int) -> Roll:
    """A roll of this kind."""
    return next(roll for roll in ROLLS if layout.rolls.index(roll) == index)


def priced(made: Made) -> bool:
    """Whether the house pays other prices than its list, which the auditor does not know."""
    return any(name.startswith("price.") for name in made.settings)


def test_every_house_has_settings_here() -> None:
    assert sorted(SETTINGS) == sorted(houses())


@every_house
def test_machines_are_whole(made: Made) -> None:
    """A row for the puck off and for each point, a place for each roll it tells apart in each."""
    layout = made.layout
    pucks = {0, *layout.points}
    assert layout.spots
    for spot in layout.spots.values():
        assert set(spot.rows) == set(spot.stays) == pucks, spot.id
        for rows in (spot.rows, spot.stays):
            assert {len(row) for row in rows.values()} == {len(layout.rolls.kinds)}, spot.id
        assert spot.family == family(spot.id)
        assert spot.number == number(spot.id)
        assert spot.shape is layout.families[spot.family].shape


@every_house
def test_cells_are_sane(made: Made) -> None:
    for where, spot, puck, index, cell, stands in cells(made.layout):
        assert cell is None or stands is None, f"{where}: it happens and stands as well"
        if stands is not None:
            assert stands.verdict in ("bar", "stay"), where
            assert stands.net == 0, where
        if cell is None:
            continue
        kind = made.layout.rolls.kinds[index]
        match cell.verdict:
            case "win":
                assert cell.net > 0, where
                assert cell.win > 0, where
                assert 0 <= cell.lost < 1, where
            case "push":
                assert cell.net == 0, where
                assert cell.part, f"{where}: only a wager of parts can come out even"
            case "lose":
                assert (cell.win, cell.lost, cell.net) == (0, 1, -1), where
            case "move":
                assert cell.to == f"{spot.id}.{kind.total}", where
                assert cell.to in made.layout.spots, where
                assert cell.net == 0, where
            case "collect":
                assert spot.collection is not None, where
                assert spot.collection.items[cell.item] == kind.total, where
            case other:
                raise AssertionError(f"{where}: verdict {other}")
        if cell.part:
            assert spot.share is not None, where
            assert cell.part in spot.share.parts, where
            part = made.layout.spots[cell.part].rows[puck][index]
            assert part is not None, where
            assert part.verdict == "win", where
        if cell.lost not in (0, 1):
            assert cell.part, f"{where}: a part is lost, but none won"


@every_house
def test_cells_cite_clauses_of_the_book(made: Made) -> None:
    clauses = read_book(made.house).clauses
    for where, spot, _, _, cell, stands in cells(made.layout):
        for found in (cell, stands):
            if found is None:
                continue
            assert found.cites, f"{where}: nobody says so"
            assert found.said, f"{where}: nobody says so when it was called"
            assert len(set(found.cites)) == len(found.cites), f"{where}: cites twice"
            # A number collected does not rest on the price yet; only the last one does.
            assert found.verdict == "collect" or set(found.said) <= set(found.cites), where
            unknown = [cite for cite in (*found.cites, *found.said) if cite not in clauses]
            assert not unknown, f"{where} of {spot.name}: no clause {unknown}"


@every_house
def test_one_roll_decides(made: Made) -> None:
    """A wager of one roll is decided by every roll; a come in the area is decided or moves."""
    for where, spot, _, _, cell, stands in cells(made.layout):
        if not spot.shape.total:
            continue
        if spot.family in ("come", "dont_come"):
            barred = stands is not None and stands.verdict == "bar"
            assert cell is not None or (spot.family == "dont_come" and barred), where
        else:
            assert cell is not None, f"{where}: one roll does not decide it"
            assert cell.verdict in ("win", "lose", "push"), where


@every_house
def test_what_stands_may_stand(made: Made) -> None:
    """No cell means the wager stands: exactly where no total of its own was thrown."""
    for where, spot, puck, index, cell, stands in cells(made.layout):
        total = made.layout.rolls.kinds[index].total
        match spot.shape.name:
            case "line" if not puck:
                open_still = total in made.layout.points or stands is not None
            case "line":
                open_still = total not in (puck, 7)
            case "behind":
                # Odds on the line cannot lie there with the puck off: there is no such cell.
                own = spot.number or puck
                open_still = not own or total not in (own, 7)
            case "point collector":
                open_still = not puck or total not in (puck, 7)
            case "number race" if spot.id == "any_hard":
                open_still = total not in (4, 6, 7, 8, 10)
            case "number race":
                open_still = total not in (spot.number, 7)
            case "collector":
                assert spot.collection is not None
                open_still = total not in (*spot.collection.items, 7)
            case _:
                open_still = stands is not None
        assert (cell is None) == open_still, where


@every_house
def test_every_wager_can_be_won_and_lost(made: Made) -> None:
    for spot in made.layout.spots.values():
        seen = {cell.verdict for row in spot.rows.values() for cell in row if cell is not None}
        if spot.shape.remembers:
            assert seen == {"collect", "lose"}, spot.id
        elif spot.id == "come" and 2 in made.layout.points:
            assert seen == {"win", "move"}, "with every total but 7 a point, no first roll loses"
        else:
            assert {"win", "lose"} <= seen, spot.id


@every_house
def test_the_puck_is_told_by_every_roll(made: Made) -> None:
    layout = made.layout
    clauses = read_book(made.house).clauses
    auditor = Auditor(made.house)
    assert set(layout.points) == auditor.points
    assert set(layout.puck) == {0, *layout.points}
    for puck, row in layout.puck.items():
        assert len(row) == len(TOTALS)
        for total, move in zip(TOTALS, row, strict=True):
            where = f"puck {puck or 'off'}, total {total}"
            assert move is not None, where
            roll = next(roll for roll in ROLLS if roll.total == total)
            auditor.puck = puck
            auditor.roll(roll.first, roll.second)
            assert move.to == auditor.puck, where
            event = ("point" if move.to else "no point") if not puck else "roll"
            if puck and total in (puck, 7):
                event = "seven-out" if total == 7 else "made"
            assert move.event == event, where
            assert move.cites, where
            assert set(move.cites) <= set(clauses), where


@every_house
def test_cells_agree_with_the_auditor(made: Made) -> None:
    """What a roll is worth, per unit of stake, in both models; and where it stands in both."""
    layout = made.layout
    auditor = Auditor(made.house, settings=made.settings)
    for spot in layout.spots:
        assert auditor.offered(spot), f"the auditor does not know {spot}"
    for where, spot, puck, index, cell, _ in cells(layout):
        if priced(made) and f"price.{spot.id}" in made.settings:
            continue
        if spot.is_odds and not spot.number and not puck:
            continue  # line odds need a point
        auditor.puck = puck
        total = made.layout.rolls.kinds[index].total
        if spot.shape.remembers:
            if spot.id in COLLECT:  # the others are followed roll by roll in test_auditor.py
                _collector_agrees(where, spot, cell, total, auditor)
            continue
        if cell is not None and cell.verdict == "move":
            assert total in auditor.points, where
            continue
        expected = auditor.result(spot.id, Fraction(1), None, *_faces(layout, index))
        if priced(made) and spot.share is not None:
            # A better price of a part is a better price of the whole.
            assert cell is not None, where
            assert expected is not None, where
            assert cell.net >= expected, where
            continue
        assert (cell.net if cell is not None else None) == expected, where


def _collector_agrees(
    where: str, spot: Spot, cell: Cell | None, total: int, auditor: Auditor
) -> None:
    needed = COLLECT[spot.id]
    assert spot.collection is not None, where
    assert set(spot.collection.items) == needed, where
    if total == 7:
        assert cell is not None, where
        assert cell.verdict == "lose", where
    elif total in needed:
        assert cell is not None, where
        assert cell.verdict == "collect", where
        auditor.collected[spot.id] = set(needed)
        roll = next(roll for roll in ROLLS if roll.total == total)
        assert auditor.result(spot.id, Fraction(1), None, *roll) == cell.win, where
        auditor.collected[spot.id] = set()
    else:
        assert cell is None, where


@every_house
def test_what_bonus_wagers_remember(made: Made) -> None:
    for spot in made.layout.spots.values():
        assert (spot.gate is None) == (spot.collection is None) == (not spot.shape.remembers)
        if spot.collection is None or spot.id not in COLLECT:
            continue
        collection = spot.collection
        assert not collection.ends
        masks = [collection.memory([total]) for total in collection.items]
        assert masks == [1 << place for place in range(len(masks))]
        assert collection.complete == sum(masks) == collection.memory(collection.items)
        assert spot.shown(collection.complete) == list(collection.items)
        assert spot.shown(0) == []
        shared = {s.gate.group for s in made.layout.spots.values() if s.gate and s.id in COLLECT}
        assert len(shared) == (3 if made.layout.settings.get("layout") in (1, 3) else 1)


@every_house
def test_prices_and_bounds_are_positive(made: Made) -> None:
    layout = made.layout
    for spot in layout.spots.values():
        for puck in (0, *layout.points):
            assert all(ratio > 0 for ratio in spot.ratios(puck)), spot.id
            step = layout.step(spot, puck)
            assert step > 0, spot.id
            assert step % layout.chip == 0, spot.id
            if layout.round_win.value == "exact":
                for ratio in spot.ratios(puck):
                    assert step * ratio % layout.chip == 0, f"{spot.id} at {ratio}"
        if spot.fee is not None:
            assert spot.fee.rate == Fraction(made.settings.get("commission", 5), 100), spot.id
            assert spot.fee.base == ("win" if spot.family == "lay.*" else "stake"), spot.id
        if spot.share is not None:
            assert all(part in layout.spots for part in spot.share.parts), spot.id
            assert all(unit > 0 for unit in spot.share.units), spot.id
            assert len(spot.share.units) == len(spot.share.parts), spot.id
        if spot.behind is not None:
            assert layout.spots[spot.behind.flat].number == spot.number, spot.id
            numbers = {spot.number} if spot.number else set(layout.points)
            assert set(spot.behind.limits) == numbers, spot.id
            for n, limit in spot.behind.limits.items():
                assert limit.measure in ("stake", "win"), spot.id
                assert limit.lifted >= limit.times >= 1, spot.id
                assert limit.ratio > 0, f"{spot.id} on {n}"


@every_house
def test_acts_and_calls_are_ruled(made: Made) -> None:
    layout = made.layout
    for spot in layout.spots.values():
        assert set(spot.windows) == set(ACTS), spot.id
        for act, rule in spot.windows.items():
            assert rule.value in ("off", "on", "any", "never"), f"{spot.id} {act}"
            assert rule.cites, f"{spot.id} {act}"
        assert set(spot.markers) == {"on", "off"}, spot.id
        for call, marker in spot.markers.items():
            assert marker.cites, f"{spot.id} called {call}"
            assert not marker.allow or marker.scope in ("wager", "similar"), spot.id
        if not all(spot.works):
            assert spot.works[1], f"{spot.id} sleeps with a point on"
            assert spot.works_cites[0], f"nobody says that {spot.id} sleeps"
            assert spot.markers["on"].allow, f"{spot.id} can never be woken"
    assert set(layout.betting) == {*ACTS, "mark"}


def _cites(value: Any, where: str) -> Iterator[tuple[str, str]]:
    """Every citation anywhere inside a layout."""
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            inside = getattr(value, name)
            if name.endswith("cites") or name in ("said", "listed", "fee_only"):
                groups = inside if name == "works_cites" else (inside,)
                yield from ((f"{where}.{name}", cite) for group in groups for cite in group)
            elif name in ("principles", "withheld"):
                for key, group in inside.items():
                    yield from ((f"{where}.{name}.{key}", cite) for cite in group)
            else:
                yield from _cites(inside, f"{where}.{name}")
    elif isinstance(value, dict):
        for key, inside in value.items():
            yield from _cites(inside, f"{where}[{key}]")
    elif isinstance(value, tuple):
        for index, inside in enumerate(value):
            yield from _cites(inside, f"{where}[{index}]")


@every_house
def test_every_citation_of_a_layout_exists(made: Made) -> None:
    clauses = read_book(made.house).clauses
    found = list(_cites(made.layout, made.house))
    assert len(found) > 1000
    assert [(where, cite) for where, cite in found if cite not in clauses] == []


@every_house
def test_what_settings_leave_out_is_not_there(made: Made) -> None:
    layout = made.layout
    assert not set(layout.withheld) & set(layout.spots)
    assert all(layout.withheld.values())
    if made.settings.get("buy") is False:
        assert "buy.4" in layout.withheld
    if made.settings.get("big") is False:
        assert "big.6" in layout.withheld
    if made.settings.get("layout") == 5:
        assert {"small", "tall", "all"} <= set(layout.withheld)


def test_better_prices_are_in_the_cells() -> None:
    """Adelaide may pay more than its list, and then every cell of that spot does."""
    spots = load("adelaide", {"price.two": "34 to 1", "price.hard.4": "8 to 1"}).spots
    aces, hard_four = FACES_OF[1, 1], FACES_OF[2, 2]
    for puck in spots["two"].rows:
        two, hard, horn = (spots[s].rows[puck] for s in ("two", "hard.4", "horn"))
        cell = two[aces]
        assert cell is not None
        assert cell.win == 34
        assert {"6(b)#1", "6(b)#2"} & set(cell.cites)
        cell = hard[hard_four]
        assert cell is not None
        assert cell.win == 8
        assert horn[aces] is not None


FACES_OF = {(roll.first, roll.second): roll.kind for roll in ROLLS}


def test_a_setting_may_be_written_as_it_is_told() -> None:
    """33-to-1 as the notation has it, and yes or no as `boxman diff` asks it."""
    written = load("adelaide", {"price.two": "34-to-1", "multiples": "yes", "big": "no"})
    cell = written.spots["two"].rows[0][FACES_OF[1, 1]]
    assert cell is not None
    assert cell.win == 34
    assert "multiple" in written.limits
    assert "big.6" not in written.spots
