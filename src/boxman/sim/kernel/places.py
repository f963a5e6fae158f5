"""Where the wagers of a house lie in the kernel's rows, for one strategy.

Wagers of every house lie at their number in `strategy.spots`. Those of a rulebook's own that the
strategy names come behind them; nobody can bet on the others. What finds no room is said plainly:
another executor plays it.
"""

from __future__ import annotations

from collections.abc import Iterable

from boxman.rules.layout import Layout, Spot
from boxman.sim.kernel import words as w
from boxman.sim.kernel.check import NotCompiled, in_a_word, numbers_in
from boxman.strategy.api import Strategy
from boxman.strategy.spots import INDEX, SPOTS
from boxman.words import phrase

MEMORY_BITS = 62


class NoRoomError(NotCompiled):
    """A rulebook that does not fit the arrays; the message says what of it."""


class SpotPlaces(dict[str, int]):
    """The places of wagers by their ids."""

    def __init__(self, layout: Layout, strategy: Strategy) -> None:
        self.names = list(SPOTS)
        """What lies at each place, offered or not."""
        self.numbers: dict[int, int] = {}
        """By place of a rulebook's own wager: the number that compiled strategies name it by."""
        own = [name for name in list(INDEX) if INDEX[name] >= len(SPOTS)]
        named = numbers_in(strategy) if own else set()
        for name in own:
            if INDEX[name] in named:
                self.numbers[len(self.names)] = in_a_word(INDEX[name])
                self.names.append(name)
        if len(self.numbers) > w.OWN:
            named_own = len(self.numbers)
            raise NoRoomError(
                phrase("sim.wrong.too-many-own", name=strategy.name, own=named_own, room=w.OWN)
            )
        for place, name in enumerate(self.names):
            if name in layout.spots:
                _check(layout, layout.spots[name])
                self[name] = place

    def of(self, spots: Iterable[str]) -> list[int]:
        """The places of those of these that have one."""
        return [self[spot] for spot in spots if spot in self]


def _check(layout: Layout, spot: Spot) -> None:
    """Refuse a wager that the arrays cannot hold."""
    cells = (cell for row in spot.rows.values() for cell in row if cell is not None)
    eligible = layout.procedure.eligible.spots
    lets_throw = eligible is not None and spot.id in eligible.value
    memory = spot.collection.complete if spot.collection is not None else 0
    if (
        not spot.shape.by_cells
        or memory.bit_length() > MEMORY_BITS
        or (INDEX[spot.id] >= len(SPOTS) and (spot.is_odds or lets_throw))
        or (spot.shape.travels and any(INDEX[c.to] >= len(SPOTS) for c in cells if c.to))
    ):
        raise NoRoomError(phrase("sim.wrong.no-place", spot=spot.id))
