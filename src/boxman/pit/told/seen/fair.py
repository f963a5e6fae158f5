"""Whether dice look fair: what they have shown, against what fair dice would show.

Two tests of Pearson's, over the six faces and over the eleven totals; the smaller chance is taken
twice, since two were looked at. Both have closed forms, so nothing is looked up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import erfc, exp, pi, sqrt

from boxman.dice import ROLLS

FEWEST = 36
"""Rolls before anything is said: below them the tests are too coarse."""
WAYS_OF = dict(sorted(Counter(roll.total for roll in ROLLS).items()))


def fair_chance(rolls: Iterable[tuple[int, int]]) -> float | None:
    """The chance that fair dice look at least so uneven; None while the rolls are too few.

    >>> fair_chance([(1, 1)] * 35) is None, fair_chance([(1, 1)] * 36) < 1e-9
    (True, True)
    >>> fair_chance([(a, b) for a in range(1, 7) for b in range(1, 7)])
    1.0
    """
    pairs = list(rolls)
    if len(pairs) < FEWEST:
        return None
    faces = Counter(face for pair in pairs for face in pair)
    totals = Counter(sum(pair) for pair in pairs)
    n = len(pairs)
    by_face = sum((faces[face] - n / 3) ** 2 / (n / 3) for face in range(1, 7))
    by_total = sum((totals[t] - n * w / 36) ** 2 / (n * w / 36) for t, w in WAYS_OF.items())
    return min(1.0, 2 * min(_five(by_face), _ten(by_total)))


def _five(x: float) -> float:
    """The tail of chi-square with five degrees of freedom."""
    return erfc(sqrt(x / 2)) + sqrt(2 * x / pi) * exp(-x / 2) * (1 + x / 3)


def _ten(x: float) -> float:
    """The tail with ten."""
    half, term, total = x / 2, 1.0, 1.0
    for k in range(1, 5):
        term *= half / k
        total += term
    return exp(-half) * total
