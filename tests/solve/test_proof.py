"""Why wagers may be added up: what the table reads of a player's other wagers, and a felt with
everything on it against each wager alone, at every house. `solve/proof.py` tries pairs of a model;
here the layout itself is tried, and faults that ought to be noticed are planted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from boxman.rules.book import houses
from boxman.rules.layout import Layout, Spot
from boxman.solve import NotSolvable, solve
from boxman.strategy.felt import DEEP, Felts
from boxman.strategy.proposals import call_for
from boxman.strategy.session import SEAT, session
from boxman.strategy.spots import INDEX
from boxman.strategy.view import BET, DOWN, OFF, ON, REDUCE
from boxman.table import settle
from boxman.table.calls import betting
from boxman.table.floor.people import Hand
from boxman.table.ruling import rule
from boxman.table.state import Seat, Table, Wager

READS = {
    "table/state.py": "copies the others unchanged",
    "odds_too": "looks for the odds behind the flat",
    "wager_of": "tells what is up where there is no such wager",
    "_allowed": "adds the clause by which several wagers, or opposite ones, may be made",
    "joined": "a call may count for a kind: refused where one of the kind is stuck",
    "marked": "the same",
    "_similar": "the same",
}
"""Where a ruling on one wager reads another, and why that makes no difference to either."""


class Watched(dict[str, Wager]):
    """A player's wagers; who reads those that are not the ruling's own is noted."""

    def __init__(self, up: dict[str, Wager], own: set[str]) -> None:
        super().__init__(up)
        self.own, self.readers = own, set[str]()

    def _read(self) -> None:
        frame = sys._getframe(2)
        while frame.f_code.co_name.startswith("<") and frame.f_back:  # a comprehension
            frame = frame.f_back
        code = frame.f_code
        state = "table/state.py"
        self.readers.add(state if code.co_filename.endswith(state) else code.co_name)

    def __getitem__(self, key: str) -> Wager:
        if key not in self.own:
            self._read()
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        if key not in self.own:
            self._read()
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        if key not in self.own:
            self._read()
        return super().__contains__(key)

    def __iter__(self) -> Iterator[str]:
        self._read()
        return super().__iter__()

    def keys(self) -> Any:
        self._read()
        return super().keys()

    def values(self) -> Any:
        self._read()
        return super().values()

    def items(self) -> Any:
        self._read()
        return super().items()


def alone(layout: Layout, table: Table, puck: int) -> dict[str, Wager]:
    """One wager of every spot that can stand with this puck, but bonus wagers."""
    found = {}
    for name, spot in layout.spots.items():
        if spot.gate is None and (spot.behind is None or spot.number or puck):
            bounds = layout.bounds(table.posted, spot, puck)
            stake = -(-max(bounds.minimum, 1) // bounds.step) * bounds.step
            parts = len(spot.share.parts) if spot.share is not None and spot.share.named else 0
            stake = -(-stake // (parts or 1)) * (parts or 1)
            found[name] = Wager(name, stake, split=(stake // parts,) * parts if parts else ())
    return found


def table_with(table: Table, puck: int, up: Any) -> Table:
    seat: Seat = msgspec.structs.replace(table.seats[SEAT], wagers=up, rail=DEEP)
    return msgspec.structs.replace(table, seats={SEAT: seat}, puck=puck, hand=Hand())


def linked(layout: Layout, spot: Spot) -> set[str]:
    """The spots that a ruling on one may ask about: itself, its flat, its odds."""
    behind = {spot.behind.flat} if spot.behind else set()
    odds = {n for n, each in layout.spots.items() if each.behind and each.behind.flat == spot.id}
    return {spot.id} | behind | odds


def readers(house: str) -> set[str]:
    """Who reads another wager while every act on every wager is ruled on, with everything up."""
    felts = Felts(session(house))
    layout, found = felts.layout, set()
    for puck in (0, layout.points[0]):
        up = alone(layout, felts.start.table, puck)
        for name in up:
            own = linked(layout, layout.spots[name])
            for what in (BET, DOWN, REDUCE, ON, OFF):
                for there in (up, {each: up[each] for each in up if each != name}):
                    watched = Watched(there, own)
                    call = call_for(what, INDEX[name], up[name].stake)
                    rule(layout, table_with(felts.start.table, puck, watched), call)
                    found |= watched.readers
    return found


def test_a_ruling_on_one_wager_reads_no_other() -> None:
    """Then it cannot depend on one, at whatever stakes."""
    assert set[str]().union(*map(readers, houses())) == {*READS}


def unlike(house: str) -> list[tuple[int, int]]:
    """Rolls that pay or leave a full felt otherwise than its wagers one by one."""
    felts = Felts(session(house), by_faces=True)
    layout, start = felts.layout, felts.start.table
    found = []
    for puck in (0, *layout.points):
        up = alone(layout, start, puck)
        groups = [
            {each: up[each] for each in linked(layout, layout.spots[name]) if each in up}
            for name in up
            if layout.spots[name].behind is None
        ]
        full = felts.of(table_with(start, puck, up))[0]
        apart = [felts.of(table_with(start, puck, group))[0] for group in groups]
        for kind in range(len(felts.rolls.kinds)):
            whole, each = felts.roll(full, kind), [felts.roll(felt, kind) for felt in apart]
            # A come that moves finds one on its number: those two alone are not one by one.
            moved = [felt for landed in each for felt in landed.felt.wagers]
            if len(moved) != len(set(moved)):
                continue
            left = {spot: wager for landed in each for spot, wager in landed.felt.wagers.items()}
            if whole.cash != sum(one.cash for one in each) or whole.felt.wagers != left:
                found.append((puck, kind))
    return found


@pytest.mark.parametrize("house", houses())
def test_a_full_felt_is_paid_wager_by_wager(house: str) -> None:
    assert unlike(house) == []


def test_a_table_at_which_it_is_not_so_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = settle._plain

    def linked_pay(layout: Any, table: Any, seat: Any, spot: Any, wager: Any, cell: Any) -> Any:
        paid = plain(layout, table, seat, spot, wager, cell)
        if spot.id == "field" and "pass" in seat.wagers and paid.paid:
            return msgspec.structs.replace(paid, paid=0)
        return paid

    with monkeypatch.context() as planted:
        planted.setattr(settle, "_plain", linked_pay)
        assert unlike("rws")
        with pytest.raises(NotSolvable, match="field"):
            solve("rws", "pass,field", "5", bankroll=20, reach=40)
    check = betting.check_amount

    def linked_act(layout: Layout, amount: int) -> None:
        seat = sys._getframe(1).f_locals["table"].seats[SEAT]
        check(layout, amount + len(seat.wagers.values()))

    monkeypatch.setattr(betting, "check_amount", linked_act)
    assert "linked_act" in readers("rws")
