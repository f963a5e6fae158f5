"""One roll decides it: field, any seven, a horn number."""

from __future__ import annotations

from boxman.rules.shapes.shape import Shape


class OneRoll(Shape):
    """Every roll must win, lose or push."""

    total = True
    one_roll = True


ONE_ROLL = OneRoll("one-roll")
