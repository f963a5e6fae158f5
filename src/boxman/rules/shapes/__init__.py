"""The few shapes a wager can have, a module each: the only behaviour of wagers that is code."""

from boxman.rules.shapes.behind import BEHIND, BEHIND_LINE
from boxman.rules.shapes.collector import COLLECTOR, POINT_COLLECTOR, Collection, Priced
from boxman.rules.shapes.composite import COMPOSITE
from boxman.rules.shapes.line import LINE
from boxman.rules.shapes.one_roll import ONE_ROLL
from boxman.rules.shapes.race import RACE
from boxman.rules.shapes.shape import ANY_POINT, SHAPES, Shape
from boxman.rules.shapes.travelling import TRAVELLING

__all__ = [
    "ANY_POINT",
    "BEHIND",
    "BEHIND_LINE",
    "COLLECTOR",
    "COMPOSITE",
    "LINE",
    "ONE_ROLL",
    "POINT_COLLECTOR",
    "RACE",
    "SHAPES",
    "TRAVELLING",
    "Collection",
    "Priced",
    "Shape",
]
