"""How many acts there are, counted and not made: what is too large is known early.

An act takes one choice of every spot. Here they are only counted, by what they leave of the rail
and how many wagers are up; it knows no rolls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import gcd
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxman.sim.lanes import Ints
from boxman.solve.goals import NotSolvable
from boxman.solve.menu import HOWEVER_MANY
from boxman.words import phrase

SURELY = 20
"""So many times the budget, by the stakes alone, is too many before anything is ruled on."""
FINE = 1_000
"""Steps of money in which acts are counted, at most."""
Flags = NDArray[np.bool_]


class TooManyActs(NotSolvable):
    """The menu leads to more than the budget holds."""

    def __init__(self, why: str, fits: FittingMenu | None = None) -> None:
        self.why, self.fits = why, fits
        super().__init__(f"{why}. {fits.words if fits else phrase('solve.not.nothing-fits')}")


class FittingMenu(NamedTuple):
    """A menu that fits, as it is written."""

    menu: str
    stakes: str
    words: str


class Choices(NamedTuple):
    """What may be made of one spot, as far as it takes to count."""

    spot: str
    cash: Ints
    up: Flags
    among: Ints


def levels(among: Iterable[Ints]) -> Iterable[tuple[int, int]]:
    """How many flats are up at once: more than the first number, at most the second."""
    counts = {HOWEVER_MANY}.union(*(each.tolist() for each in among))
    return pairwise([-1, *sorted(counts)])


def counted(found: Sequence[Choices], rail: int) -> int:
    """How many ways there are to choose one of each within a rail, as `model.py` does it.

    Counted by what is left and how many are up. Over a long rail money goes in wider steps, and
    what is spent is rounded up: never too many.
    """
    if len(found) == 1:
        return int((-found[0].cash <= rail).sum())
    total = 0.0
    for more, most in levels(each.among for each in found):
        kinds = [_kinds(each, most) for each in found]
        step = max(gcd(*(cash for each in kinds for cash, _ in each)), -(-rail // FINE), 1)
        free = sum(max(0, *(cash for cash, _ in each), 0) // step for each in kinds)
        ways = np.zeros((min(len(found), most) + 1, rail // step + 2 * free + 1))
        ways[0, rail // step + free] = 1
        for each in kinds:
            then = np.zeros_like(ways)
            for (cash, up), count in each.items():
                by = cash // step
                if abs(by) >= ways.shape[1]:
                    continue
                left = ways[: len(ways) - up, max(0, -by) : ways.shape[1] - max(0, by)]
                then[up:, max(0, by) : ways.shape[1] + min(0, by)] += count * left
            ways = then
        total += float(ways[more + 1 :, free:].sum())
    return int(min(total, 1e15))


def _kinds(each: Choices, most: int) -> Counter[tuple[int, int]]:
    """By what they bring and whether something is up, the choices among so many wagers."""
    which = each.among >= most
    return Counter(zip(each.cash[which].tolist(), each.up[which].astype(int).tolist(), strict=True))


def too_many(budget: int, done: int, known: int, found: Iterable[Choices]) -> TooManyActs:
    """What makes a question too large."""
    spots = sorted(((len(e.cash), e.spot) for e in found if len(e.cash) > 1), reverse=True)
    return TooManyActs(
        phrase(
            "solve.not.too-many-acts",
            budget=f"{budget:,}",
            done=f"{done:,}",
            known=f"{known:,}",
            worst=", ".join(f"{spot} {count:,}" for count, spot in spots[:4]),
        )
    )
