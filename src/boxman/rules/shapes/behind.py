"""Odds: money behind a flat wager that has its number."""

from __future__ import annotations

from collections.abc import Iterable

from boxman.rules.shapes.shape import Shape


class Behind(Shape):
    """Behind a wager that has travelled: the number is the spot's own."""

    odds = True

    def must(self, pucks: Iterable[int]) -> list[tuple[int, str]]:
        return [(puck, verdict) for puck in pucks if puck for verdict in ("win", "lose")]


class BehindLine(Behind):
    """Behind a line wager: the number is the puck's."""

    by_point = True


BEHIND, BEHIND_LINE = Behind("behind"), BehindLine("behind")
