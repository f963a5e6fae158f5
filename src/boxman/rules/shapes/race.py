"""A race of rolls: one comes before another, and what is neither leaves it standing."""

from __future__ import annotations

from collections.abc import Iterable

from boxman.rules.shapes.shape import ANY_POINT, Shape


class Race(Shape):
    """Place, buy, lay, hardways, big 6 and 8, and comes that have travelled."""

    def must(self, pucks: Iterable[int]) -> list[tuple[int, str]]:
        return [(ANY_POINT, "win"), (ANY_POINT, "lose")]


RACE = Race("number race")
