"""Come and don't come: decided by the first roll, or carried by it to a number."""

from __future__ import annotations

from boxman.rules.shapes.shape import Shape


class Travelling(Shape):
    """A roll that neither wins, loses nor pushes moves it."""

    total = True
    flat = True
    travels = True


TRAVELLING = Travelling("travelling")
