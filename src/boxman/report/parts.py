"""What a report is made of, as values: words, figures by name, tables, how results are spread.

They say what is shown. How it looks is the business of `page` (HTML) and `terminal` (text).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, inf, log10
from typing import NamedTuple


class Sentence(NamedTuple):
    """One sentence or line."""

    text: str


class Facts(NamedTuple):
    """Figures by name, one a line."""

    rows: Sequence[tuple[str, str]]


class Column(NamedTuple):
    """A heading; figures stand at the right, and long words may be folded at a width."""

    heading: str
    right: bool = False
    width: int = 0
    """The most letters of a line in a terminal; 0: as many as there are."""
    spare: bool = False
    """Left out where a terminal is too narrow for all."""


class Grid(NamedTuple):
    """A table under its title; its rows may stand in groups, each under its own name."""

    title: str
    columns: Sequence[Column]
    groups: Mapping[str, Sequence[Sequence[str]]]


class Bin(NamedTuple):
    """Results from `low` up to below `high`, and their share of all."""

    low: float
    high: float
    share: float

    @property
    def open(self) -> bool:
        """Whether it holds all that is rarer than the others, without an end."""
        return self.low == -inf or self.high == inf


class Spread(NamedTuple):
    """How often results came, in bins from the lowest to the highest."""

    bins: Sequence[Bin]


Part = Sentence | Facts | Grid | Spread


def grid(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Grid:
    """A table of figures: the first column at the left, all others at the right."""
    columns = [Column(heading, right=n > 0) for n, heading in enumerate(headings)]
    return Grid(title, columns, {"": rows})


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Round figures along an axis.

    >>> ticks(-480, 620)
    [-400, -200, 0, 200, 400, 600]
    """
    rough = (high - low) / about
    power = 10 ** floor(log10(rough))
    step = next(power * nice for nice in (1, 2, 2.5, 5, 10) if power * nice >= rough)
    step = int(step) if step >= 1 and step == int(step) else step
    return [n * step for n in range(ceil(low / step), floor(high / step) + 1)]


def bins(shares: Mapping[int, float], minor: int, about: int = 40) -> list[Bin]:
    """The shares of integer results (minor units) in bins of a round width in currency units."""
    low, high = min(shares) / minor, max(shares) / minor
    marks = ticks(low, high, about) if high > low else []
    width = max(1, marks[1] - marks[0]) if len(marks) > 1 else 1
    first = floor(low / width)
    count = floor(high / width) - first + 1
    heights = [0.0] * count
    for net, share in shares.items():
        heights[floor(net / minor / width) - first] += share
    return [
        Bin((first + n) * width, (first + n + 1) * width, height)
        for n, height in enumerate(heights)
    ]


TAIL = 0.0005
"""What stands apart at either end: a thousandth in all. One lucky session in a million would leave
no room for the others."""


def spread(shares: Mapping[int, float], minor: int) -> list[Bin]:
    """The same with the rarest results in bins without an end.

    >>> [tuple(row) for row in spread({-100: 0.25, 0: 0.5, 100: 0.25}, 100)][:2]
    [(-1, 0, 0.25), (0, 1, 0.5)]
    """
    nets = sorted(shares)
    total = sum(shares.values())
    low, high = nets[_rare(shares, nets, total)], nets[-1 - _rare(shares, nets[::-1], total)]
    kept = bins({net: shares[net] / total for net in nets if low <= net <= high}, minor)
    first, width = kept[0].low, kept[0].high - kept[0].low
    below = beyond = 0.0
    for net in nets:
        # Beside the rarest, what lies within the first and the last bin belongs to them.
        place = floor((net / minor - first) / width)
        if low <= net <= high:
            continue
        if place < 0:
            below += shares[net] / total
        elif place >= len(kept):
            beyond += shares[net] / total
        else:
            kept[place] = kept[place]._replace(share=kept[place].share + shares[net] / total)
    return [
        *([Bin(-inf, kept[0].low, below)] if below else []),
        *kept,
        *([Bin(kept[-1].high, inf, beyond)] if beyond else []),
    ]


def _rare(shares: Mapping[int, float], nets: Sequence[int], total: float) -> int:
    """How many of these results are rarer together than a tail may be."""
    held, count = 0.0, 0
    for net in nets:
        held += shares[net]
        if held > total * TAIL:
            break
        count += 1
    return min(count, len(nets) - 1)
