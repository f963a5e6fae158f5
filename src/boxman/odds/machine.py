"""A spot of a layout read as a chain: the same cells that settle the live table.

A state is where the chips lie, where the puck is, the wager's memory, and whether the wager is
called on. Two readings: always working, as prices are quoted; and by the house's rule, where a
wager may sleep with the puck off. What a house does is in the layout; this module follows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from boxman.odds.chain import Chain, End
from boxman.odds.pay import Pay, exact, paid_before
from boxman.rules.cell import Cell
from boxman.rules.layout import PUCK_OFF, Layout, Spot

BARRED = End(Fraction(0))
RETURNED = End(Fraction(0), returned=True)


class State(NamedTuple):
    """A wager between two rolls."""

    spot: str
    puck: int = PUCK_OFF
    memory: int = 0
    """What the wager has come to, where it remembers."""
    called: bool = False


class Machine:
    """One wager of one house, ready to be followed roll by roll."""

    def __init__(
        self,
        layout: Layout,
        spot: Spot,
        pay: Pay = exact,
        *,
        bars_end: bool = True,
        sleeps: bool = False,
        memory: int = 0,
    ) -> None:
        """What was paid on the way to `memory` does not count."""
        self.layout, self.spot, self.pay = layout, spot, pay
        self.bars_end, self.sleeps = bars_end, sleeps
        self._paid: dict[tuple[object, ...], End] = {}
        self.memory = memory
        self.blind = not sleeps and all(_blind(layout, each) for each in _journey(layout, spot))

    def chain(self, start: Mapping[State, int]) -> Chain[State]:
        """The chain from these states; a wager that does not look at the puck leaves it off."""
        weights: dict[State, int] = {}
        for state, weight in start.items():
            seen = self.seen(state)
            weights[seen] = weights.get(seen, 0) + weight
        return Chain(weights, self.follow, self.works)

    def seen(self, state: State) -> State:
        """The state without what does not matter to it."""
        collection = self.layout.spots[state.spot].collection
        if collection is not None:
            state = state._replace(memory=collection.alike(state.memory))
        return state._replace(puck=PUCK_OFF) if self.blind else state

    def works(self, state: State) -> bool:
        """Whether the next roll counts for it."""
        spot = self.layout.spots[state.spot]
        return not self.sleeps or state.called or spot.works[1 if state.puck else 0]

    def follow(self, state: State) -> Iterator[tuple[State | End, int]]:
        """What each kind of roll makes of a state."""
        spot = self.layout.spots[state.spot]
        works = self.works(state)
        row = spot.rows[state.puck]
        moves = self.layout.puck[state.puck]
        remembers, collected = spot.shape.remembers, spot.collection
        # Without a ladder no two memories are alike.
        alike = collected.alike if collected is not None and collected.ladder else None
        for index, kind in enumerate(self.layout.rolls.kinds):
            move = moves[kind.total - 2]
            puck = state.puck if self.blind else move.to
            called = state.called and not _lapses(spot, state.puck, puck)
            after = State(state.spot, puck, state.memory, called)
            cell = row[index]
            if cell is not None and remembers:
                memory, cell = spot.step(state.puck, state.memory, index)
                if works and cell is not None and (cell.goes_on or cell.stays_up):
                    yield after._replace(memory=alike(memory) if alike else memory), kind.ways
                    continue
            if works:
                yield self._worked(spot, state, index, cell, after), kind.ways
            else:
                yield (RETURNED if self.stranded(spot, state.puck, index) else after), kind.ways

    def _worked(
        self, spot: Spot, state: State, index: int, cell: Cell | None, after: State
    ) -> State | End:
        """What a roll makes of a wager that works."""
        if cell is None:
            bar = spot.stays[state.puck][index]
            return BARRED if self.bars_end and bar is not None and bar.verdict == "bar" else after
        if cell.verdict == "move":
            return after._replace(spot=cell.to)
        collected = spot.collection
        before = collected.paid(state.memory, self.memory) if collected is not None else ()
        return self._over(spot, state.puck, index, cell, before)

    def _over(
        self, spot: Spot, puck: int, index: int, cell: Cell, before: tuple[Fraction, ...]
    ) -> End:
        """The end a cell makes after what was paid before; each is made once."""
        key = (spot.id, puck, index, cell.num, cell.den, before)
        if key not in self._paid:
            self._paid[key] = paid_before(spot, self.pay(spot, puck, index, cell), before)
        return self._paid[key]

    def stranded(self, spot: Spot, puck: int, index: int) -> bool:
        """Whether a roll decides the flat under odds that sleep: they are then handed back."""
        if spot.behind is None:
            return False
        flat = self.layout.spots[spot.behind.flat]
        return flat.works[1 if puck else 0] and flat.rows[puck][index] is not None


def _lapses(spot: Spot, before: int, after: int) -> bool:
    """Whether an "on" call ends with this roll."""
    lasts = spot.markers["on"].lasts
    turned = bool(before) != bool(after)
    if lasts in ("puck", "come-out"):
        return turned and (lasts == "puck" or bool(after))
    return lasts == "throw"


def _journey(layout: Layout, spot: Spot) -> list[Spot]:
    """The spot and those it may travel to."""
    names = {cell.to for row in spot.rows.values() for cell in row if cell is not None and cell.to}
    return [spot, *(layout.spots[name] for name in sorted(names))]


def _blind(layout: Layout, spot: Spot) -> bool:
    """Whether every puck gives the same machine."""
    off = _reading(spot, PUCK_OFF)
    # Most spots have one row for all points: compare each row once.
    rows = {id(spot.rows[point]): point for point in layout.points}
    return all(_reading(spot, point) == off for point in rows.values())


def _reading(spot: Spot, puck: int) -> list[tuple[object, ...]]:
    """What a row does, without its clauses."""
    return [
        (cell.verdict, cell.num, cell.den, cell.lost, cell.to)
        if cell is not None
        else (stays is not None and stays.verdict == "bar",)
        for cell, stays in zip(spot.rows[puck], spot.stays[puck], strict=True)
    ]
