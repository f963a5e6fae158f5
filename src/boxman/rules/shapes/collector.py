"""Bonus wagers: they collect numbers, points or counts for the whole table.

A collection wins when it has everything, or enough; at the roll that ends it, it may still be paid
by how much it has, or by how often one of its numbers came. It may be paid on the way, as soon as
so much has come, and stay up for the rest. What has come so far is the wager's memory; a roll may
also clear it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import prod
from operator import eq, getitem
from typing import TYPE_CHECKING

import msgspec

from boxman.chips import format_ratio
from boxman.rules.cell import Cell, runs
from boxman.rules.ledger import Cites, join
from boxman.rules.shapes.shape import ANY_POINT, Shape, lost, won
from boxman.words import phrase

if TYPE_CHECKING:
    from boxman.rules.layout import Spot
    from boxman.rules.machines import Machines


Priced = tuple[Fraction, Cites]
"""What is paid, and the clauses that say so."""


class Collection(msgspec.Struct, frozen=True, kw_only=True):
    """What a wager collects, and how that is written in its memory.

    Each item has a count of so many bits; one that has to come once is a bit.
    """

    items: tuple[int, ...]
    """The totals or points, in ascending order; where all count together, one item without name."""
    times: tuple[int, ...] = ()
    """How often each has to come; once where nothing is said."""
    together: bool = False
    """Whatever comes is counted, and not what it was."""
    enough: int = 0
    """How many items it wins with: all where nothing is said, more than all where it waits."""
    in_a_row: bool = False
    """Only what comes without another between counts."""
    forgets: bool = False
    """A roll may take what it has."""
    ends: dict[int, Priced] = {}
    """What it pays when it is ended, by how far it is."""
    things: dict[tuple[int, int], Priced] = {}
    """The same by item, and how often that has come at least: the best of them is paid."""
    steps: dict[tuple[int, int], Priced] = {}
    """What it pays on the way and stays up: by item and how often that has come, or, under item 0,
    by how much it has."""

    width: int = 0
    """The bits of one item."""
    complete: int = 0
    """The memory of a wager that has everything."""
    most: int = 0
    """How much it can have."""
    waits: bool = False
    """It is up until it is ended, even with everything."""
    ladder: tuple[tuple[int, ...], ...] = ()
    """With prices by item: how far one is by how often it has come, the best price the farthest."""

    def __post_init__(self) -> None:
        # Worked out once: every roll asks.
        times = self.times or (1,) * len(self.items)
        width = max(times).bit_length()
        whole = sum(often << place * width for place, often in enumerate(times))
        most = times[0] if self.together else len(times)
        last = {(0, most)}, {*zip(self.items, times, strict=True)}
        waits = bool(self.things) or any(each <= {*self.steps} for each in last)
        worked_out = {"times": times, "width": width, "complete": whole, "most": most}
        worked_out |= {"waits": waits, "enough": self.enough or most + waits}
        if self.things:
            worked_out |= self._climbed(times)
        for name, value in worked_out.items():
            msgspec.structs.force_setattr(self, name, value)

    def _climbed(self, times: tuple[int, ...]) -> dict[str, object]:
        """Prices by item as steps of one ladder."""
        prices = sorted({ratio for ratio, _ in self.things.values()})
        cites = {
            ratio: join(*(c for r, c in self.things.values() if r == ratio)) for ratio in prices
        }

        def step(item: int, count: int) -> int:
            reached = [r for (n, c), (r, _) in self.things.items() if n == item and c <= count]
            return prices.index(max(reached)) + 1 if reached else 0

        ladder = tuple(
            tuple(step(item, count) for count in range(often + 1))
            for item, often in zip(self.items, times, strict=True)
        )
        return {
            "ladder": ladder,
            "ends": {place: (ratio, cites[ratio]) for place, ratio in enumerate(prices, 1)},
        }

    def marked(self, memory: int, item: int) -> int:
        """The memory once an item has come; one that has come often enough counts no more."""
        place = item * self.width
        mask = (1 << self.width) - 1 << place
        if self.in_a_row:
            memory &= mask
        return memory + (1 << place) if memory & mask < self.complete & mask else memory

    def counts(self, memory: int) -> list[int]:
        """How often each item has come."""
        mask = (1 << self.width) - 1
        return [memory >> place * self.width & mask for place in range(len(self.items))]

    def size(self, memory: int) -> int:
        """How much it has: items that came often enough, or how often anything came.

        >>> points = Collection(items=(0,), times=(9,), together=True)
        >>> Collection(items=(2, 3, 4)).size(5), points.size(7)
        (2, 7)
        """
        counts = self.counts(memory)
        return counts[0] if self.together else sum(map(eq, counts, self.times))

    def has_enough(self, memory: int) -> bool:
        """Whether it wins now."""
        if self.enough == self.most:
            return memory == self.complete  # asked by every roll: all is the common case
        return self.size(memory) == self.enough

    def due(self, memory: int) -> Priced | None:
        """What it is paid when it is ended, if anything.

        >>> half = Fraction(1, 2), ()
        >>> Collection(items=(4, 5), times=(2, 2), things={(5, 2): half}).due(8)[0]
        Fraction(1, 2)
        """
        if not self.ladder:
            return self.ends.get(self.size(memory))
        return self.ends.get(max(map(getitem, self.ladder, self.counts(memory))))

    def on_the_way(self, before: int, after: int, item: int) -> Priced | None:
        """What is paid when an item has just come, and the wager stays up."""
        if before == after or not self.steps:
            return None
        if (0, size := self.size(after)) in self.steps:
            return self.steps[0, size] if size != self.size(before) else None
        return self.steps.get((self.items[item], self.counts(after)[item]))

    def paid(self, memory: int, since: int = 0) -> tuple[Fraction, ...]:
        """All that was paid on the way from one memory to another.

        >>> points = Collection(items=(4, 5, 6), steps={(0, 1): (Fraction(3), ())})
        >>> points.paid(points.memory([4, 6])) == (Fraction(3),)
        True
        """
        if not self.steps:
            return ()
        had, has = (
            {0: self.size(each), **dict(zip(self.items, self.counts(each), strict=True))}
            for each in (since, memory)
        )
        return tuple(
            ratio for (item, far), (ratio, _) in self.steps.items() if had[item] < far <= has[item]
        )

    def alike(self, memory: int) -> int:
        """One memory for all from which the same may follow: what an item has counts no more once
        it can bring no better price than the wager has.

        >>> one, two = (Fraction(1), ()), (Fraction(2), ())
        >>> points = Collection(items=(4, 5), times=(1, 2), things={(4, 1): two, (5, 2): one})
        >>> points.alike(points.memory([4, 5])) == points.memory([4])
        True
        """
        if not self.ladder or self.forgets or self.steps or self.enough <= self.most:
            return memory
        counts = self.counts(memory)
        reached = max(map(getitem, self.ladder, counts))
        left = [
            c if steps[-1] > reached else 0 for c, steps in zip(counts, self.ladder, strict=True)
        ]
        if reached and max(map(getitem, self.ladder, left)) < reached:
            place = next(p for p, steps in enumerate(self.ladder) if steps[-1] == reached)
            left[place] = self.ladder[place].index(reached)
        return sum(count << place * self.width for place, count in enumerate(left))

    def shown(self, memory: int) -> list[int]:
        """What has come, for people: numbers as often as they came, or just how many.

        >>> Collection(items=(2, 3, 4)).shown(5), Collection(items=(2,), times=(3,)).shown(2)
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

    def cases(self, most: int) -> int:
        """How many memories it can have; where there are more than `most`, those not alike."""
        # In a row only one of them has come.
        whole = sum(self.times) + 1 if self.in_a_row else prod(n + 1 for n in self.times)
        if whole <= most or self.steps:
            return whole
        return _different(self.items, self.times, self.enough, self.forgets, self.ladder, most)

    def told_by(self, far: int) -> Iterable[int]:
        """The numbers a price is told by: how much it has, or the items that bring it."""
        if not self.ladder:
            return [far]
        return [item for (item, _), priced in self.things.items() if priced[0] == self.ends[far][0]]

    @property
    def priced(self) -> tuple[Cites, ...]:
        """The clauses of what it pays by how far it is."""
        return tuple(cites for _, cites in (*self.ends.values(), *self.steps.values()))

    def steps_text(self) -> str:
        """What it pays on the way, as people are told."""
        by_price: dict[Fraction, list[tuple[int, int]]] = {}
        for key, (ratio, _) in self.steps.items():
            by_price.setdefault(ratio, []).append(key)
        return "; ".join(
            phrase("signs.stays-up", price=format_ratio(ratio), size=_far(by_price[ratio]))
            for ratio in sorted(by_price, reverse=True)
        )

    def prices_text(self) -> str:
        """What it pays by how far it is, the best first, as people are told."""
        by_price: dict[Fraction, list[int]] = {}
        for far, (ratio, _) in self.ends.items():
            by_price.setdefault(ratio, []).append(far)
        return "; ".join(
            phrase(
                "signs.with" if ratio else "signs.back",
                price=format_ratio(ratio),
                size=self.far_text(by_price[ratio]),
            )
            for ratio in sorted(by_price, reverse=True)
        )

    def far_text(self, far: Iterable[int]) -> list[str]:
        """How far a wager is that is paid so: how much it has, or how often which item came."""
        if not self.ladder:
            return runs(far)
        paid = {self.ends[each][0] for each in far}
        return _far(key for key, (ratio, _) in self.things.items() if ratio in paid)


def _far(keys: Iterable[tuple[int, int]]) -> list[str]:
    """How far a wager is: how much it has (of item 0), or how often which item came."""
    by_count: dict[int, list[int]] = {}
    for item, count in sorted(keys):
        by_count.setdefault(count, []).append(item)
    if any(0 in items for items in by_count.values()):
        return runs(by_count)
    return [phrase("signs.thing", numbers=items, times=count) for count, items in by_count.items()]


@lru_cache(64)
def _different(
    items: tuple[int, ...],
    times: tuple[int, ...],
    enough: int,
    forgets: bool,
    ladder: tuple[tuple[int, ...], ...],
    most: int,
) -> int:
    """How many memories are not alike, counted to a little more than `most`."""
    some = Collection(items=items, times=times, enough=enough, forgets=forgets, ladder=ladder)
    seen, found = {0}, [0]
    for memory in found:
        for item in range(len(items)):
            after = some.alike(some.marked(memory, item))
            if after not in seen and some.size(after) < enough and len(seen) <= most:
                seen.add(after)
                found.append(after)
    return len(seen)


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
        if verdict == "clear":
            return Cell(verdict=verdict, cites=join(said, after), said=said)
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
        if cell.verdict == "clear":
            return 0, cell
        if cell.verdict == "collect":
            before, memory = memory, collection.marked(memory, cell.item)
            if collection.has_enough(memory):
                return 0, won(cell, *(collection.due(memory) or (cell.net, ())))
            if (part := collection.on_the_way(before, memory, cell.item)) is not None:
                return memory, won(cell, *part, stays_up=True)
            return memory, cell
        if cell.verdict == "lose" and collection.ends:
            paid = collection.due(memory)
            if paid is not None:
                return 0, won(cell, *paid)
        return 0, cell


class PointCollector(Collector):
    """Decided by points made: its cells differ from point to point."""

    by_point = True

    def must(self, pucks: Iterable[int]) -> list[tuple[int, str]]:
        return [(puck, verdict) for puck in pucks if puck for verdict in ("collect", "lose")]


COLLECTOR, POINT_COLLECTOR = Collector("collector"), PointCollector("point collector")
