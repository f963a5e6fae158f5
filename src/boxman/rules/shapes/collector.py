"""Bonus wagers: they collect numbers, points or counts for the whole table.

A collection wins when it has everything; at the roll that ends it, it may still be paid by how much
it has. What has come so far is the wager's memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from boxman.rules.cell import Cell
from boxman.rules.ledger import Cites, join
from boxman.rules.shapes.shape import ANY_POINT, Shape, lost, won

if TYPE_CHECKING:
    from boxman.rules.layout import Spot
    from boxman.rules.machines import Machines


class Collection(msgspec.Struct, frozen=True, kw_only=True):
    """What a wager collects, and how that is written in its memory.

    Each item has a count of so many bits; one that has to come once is a bit.
    """

    items: tuple[int, ...]
    """The totals or points, in ascending order; where all count together, one item without name."""
    times: int = 1
    """How often each has to come."""
    together: bool = False
    """Whatever comes is counted, and not what it was."""
    ends: dict[int, tuple[Fraction, Cites]] = {}
    """What it pays when it is ended, by how much it has."""

    width: int = 0
    """The bits of one item."""
    complete: int = 0
    """The memory of a wager that has everything."""

    def __post_init__(self) -> None:
        # Worked out once: every roll asks.
        width = self.times.bit_length()
        whole = sum(self.times << place * width for place in range(len(self.items)))
        msgspec.structs.force_setattr(self, "width", width)
        msgspec.structs.force_setattr(self, "complete", whole)

    @property
    def plain(self) -> bool:
        """Whether it is a set of numbers that wins when it is whole, and nothing else."""
        return self.times == 1 and not self.together and not self.ends

    def marked(self, memory: int, item: int) -> int:
        """The memory once an item has come; one that has come often enough counts no more."""
        place = item * self.width
        has = memory >> place & (1 << self.width) - 1
        return memory + (1 << place) if has < self.times else memory

    def counts(self, memory: int) -> list[int]:
        """How often each item has come."""
        mask = (1 << self.width) - 1
        return [memory >> place * self.width & mask for place in range(len(self.items))]

    def size(self, memory: int) -> int:
        """How much it has: items that came often enough, or how often anything came.

        >>> points = Collection(items=(0,), times=9, together=True)
        >>> Collection(items=(2, 3, 4)).size(5), points.size(7)
        (2, 7)
        """
        counts = self.counts(memory)
        return counts[0] if self.together else sum(count == self.times for count in counts)

    def shown(self, memory: int) -> list[int]:
        """What has come, for people: numbers as often as they came, or just how many.

        >>> Collection(items=(2, 3, 4)).shown(5), Collection(items=(2,), times=3).shown(2)
        ([2, 4], [2, 2])
        """
        counts = self.counts(memory)
        if self.together:
            return counts if memory else []
        return [n for n, count in zip(self.items, counts, strict=True) for _ in range(count)]

    def memory(self, numbers: Iterable[int]) -> int:
        """The memory of a wager to which these have come."""
        memory = 0
        for number in numbers:
            memory = self.marked(memory, 0 if self.together else self.items.index(number))
        return memory


class Collector(Shape):
    """Decided by totals, whatever the puck's number."""

    remembers = True

    @property
    def by_cells(self) -> bool:
        return type(self).step is Collector.step

    def must(self, pucks: Iterable[int]) -> list[tuple[int, str]]:
        return [(ANY_POINT, "collect"), (ANY_POINT, "lose")]

    def cell(
        self,
        made: Machines,
        spot: str,
        puck: int,
        index: int,
        verdict: str,
        said: Cites,
        after: Cites,
    ) -> Cell:
        if verdict == "lose":
            return lost(said, after)
        ratio, priced = made.completed(spot, puck, index)
        num, den = ratio.as_integer_ratio()
        # A number collected is not yet paid: only the last one rests on the price.
        return Cell(
            verdict=verdict,
            cites=join(said, after) if verdict == "collect" else join(said, priced, after),
            said=join(said, priced),
            num=num,
            den=den,
            item=made.item_of(spot, index) if verdict == "collect" else 0,
        )

    def step(self, spot: Spot, puck: int, memory: int, kind: int) -> tuple[int, Cell | None]:
        cell = spot.rows[puck][kind]
        collection = spot.collection
        if cell is None or collection is None:
            return memory, cell
        if cell.verdict == "collect":
            memory = collection.marked(memory, cell.item)
            if memory == collection.complete and cell.num:
                return 0, won(cell, cell.net)
            return memory, cell
        if cell.verdict == "lose" and collection.ends:
            paid = collection.ends.get(collection.size(memory))
            if paid is not None:
                return 0, won(cell, *paid)
        return 0, cell


class PointCollector(Collector):
    """Decided by points made: its cells differ from point to point."""

    by_point = True

    def must(self, pucks: Iterable[int]) -> list[tuple[int, str]]:
        return [(puck, verdict) for puck in pucks if puck for verdict in ("collect", "lose")]


COLLECTOR, POINT_COLLECTOR = Collector("collector"), PointCollector("point collector")
