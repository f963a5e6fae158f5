"""A wager on a whole round: decided at the come-out, or by the point and the seven."""

from __future__ import annotations

from boxman.dice import Kind
from boxman.rules.shapes.shape import Shape


class LineShape(Shape):
    """Its number is the puck's."""

    by_point = True
    flat = True

    def open(self, puck: int, kind: Kind, points: tuple[int, ...]) -> bool:
        """At the come-out what sets no point; with one, the point and the seven."""
        return (not puck and kind.total not in points) or kind.total in (puck, 7)


LINE = LineShape("line")
