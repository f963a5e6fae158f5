"""Pictures of sessions as SVG text: a histogram, a fan of bankrolls, falling curves, differences.

Like the pictures of the odds report they need no script and fetch nothing, carry their words with
them, and are told apart by dashes as well as by colour. They take plain numbers in currency units.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from boxman.odds.chart import DASHES, escape, picture

WIDTH, HEIGHT = 900, 360
LEFT, RIGHT, TOP, BOTTOM = 80, 20, 24, 52


class Frame:
    """A plot with its two axes."""

    def __init__(self, across: tuple[float, float], up: tuple[float, float]) -> None:
        self.across = across if across[1] > across[0] else (across[0] - 1, across[0] + 1)
        self.up = up if up[1] > up[0] else (up[0], up[0] + 1)

    def x(self, value: float) -> float:
        low, high = self.across
        return LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        low, high = self.up
        return TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM)

    def axes(self, across: str, up: str, *, percent: bool = False) -> list[str]:
        """Grid, figures and the words along both axes."""
        parts = []
        bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
        for tick in ticks(*self.up):
            text = f"{tick * 100:g}%" if percent else f"{tick:,g}"
            parts.append(
                f'<line class="grid" x1="{LEFT}" y1="{self.y(tick):.1f}" x2="{right}" '
                f'y2="{self.y(tick):.1f}"/>'
                f'<text x="{LEFT - 8}" y="{self.y(tick) + 4:.1f}" text-anchor="end">{text}</text>'
            )
        for tick in ticks(*self.across):
            parts.append(
                f'<line class="grid" x1="{self.x(tick):.1f}" y1="{TOP}" x2="{self.x(tick):.1f}" '
                f'y2="{bottom}"/><text x="{self.x(tick):.1f}" y="{bottom + 18}" '
                f'text-anchor="middle">{tick:,g}</text>'
            )
        middle = (LEFT + right) / 2
        parts.append(
            f'<text x="{middle:.0f}" y="{HEIGHT - 8}" text-anchor="middle">{escape(across)}</text>'
            f'<text transform="translate(16 {(TOP + bottom) / 2:.0f}) rotate(-90)" '
            f'text-anchor="middle">{escape(up)}</text>'
        )
        return parts

    def path(self, points: Iterable[tuple[float, float]]) -> str:
        """Points as text; of those closer together than can be seen only the first and last."""
        kept: list[tuple[float, float]] = []
        point = (0.0, 0.0)
        for a, b in points:
            point = self.x(a), self.y(b)
            if not kept or abs(point[0] - kept[-1][0]) >= 1 or abs(point[1] - kept[-1][1]) >= 1:
                kept.append(point)
        if kept and kept[-1] != point:
            kept.append(point)
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in kept)

    def line(self, number: int, points: Iterable[tuple[float, float]]) -> str:
        text = self.path(points)
        dash = DASHES[number % len(DASHES)]
        return f'<polyline class="curve curve{number}" stroke-dasharray="{dash}" points="{text}"/>'


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


class Bin(NamedTuple):
    """Results from `low` up to below `high`, and their share of all."""

    low: float
    high: float
    share: float


def bins(shares: dict[int, float], minor: int, about: int = 40) -> list[Bin]:
    """The shares of integer results (minor units) in bins of a round width in currency units."""
    low, high = min(shares) / minor, max(shares) / minor
    marks = ticks(low, high, about) if high > low else []
    width = marks[1] - marks[0] if len(marks) > 1 else 1
    first = floor(low / width)
    count = floor(high / width) - first + 1
    heights = [0.0] * count
    for net, share in shares.items():
        heights[floor(net / minor / width) - first] += share
    return [
        Bin((first + n) * width, (first + n + 1) * width, height)
        for n, height in enumerate(heights)
    ]


def histogram(title: str, words: str, rows: Sequence[Bin], across: str) -> str:
    """How often a result came, in bins; losses and wins look different."""
    most = max(row.share for row in rows)
    frame = Frame((rows[0].low, rows[-1].high), (0, most))
    parts = frame.axes(across, "share of sessions", percent=True)
    for row in rows:
        left, right = frame.x(row.low), frame.x(row.high)
        top = frame.y(row.share)
        kind = "bar" if row.low >= 0 else "bar below"
        parts.append(
            f"<g><title>{row.low:,g} to {row.high:,g}: {row.share:.3%}</title>"
            f'<rect class="{kind}" x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" '
            f'height="{frame.y(0) - top:.1f}"/></g>'
        )
    return picture(WIDTH, HEIGHT, title, words, parts)


Line = Sequence[tuple[float, float]]
"""Points of a curve from left to right."""


def fan(title: str, words: str, lines: Mapping[str, Line], across: str, up: str) -> str:
    """Percentiles over time: outer pairs as bands, the middle as a line."""
    names = list(lines)
    values = [value for line in lines.values() for _, value in line]
    frame = Frame((0, lines[names[0]][-1][0]), (min(values), max(values)))
    parts = frame.axes(across, up)
    for n in range(len(names) // 2):
        low, high = lines[names[n]], lines[names[-1 - n]]
        text = frame.path([*high, *reversed(low)])
        parts.append(
            f"<g><title>{escape(f'{names[n]} to {names[-1 - n]}')}</title>"
            f'<polygon class="fan" points="{text}"/></g>'
        )
    middle = names[len(names) // 2]
    parts.append(f"<g><title>{escape(middle)}</title>{frame.line(0, lines[middle])}</g>")
    return picture(WIDTH, HEIGHT, title, words, parts)


def curves(title: str, words: str, lines: Mapping[str, Line], across: str, up: str) -> str:
    """Shares between 0 and 1 over time, one curve for each name, with a key."""
    longest = max(line[-1][0] for line in lines.values())
    least = min(share for line in lines.values() for _, share in line)
    lowest = 0 if least < 0.5 else min(0.95, floor(least * 20) / 20)
    frame = Frame((0, max(1, longest)), (lowest, 1))
    parts = frame.axes(across, up, percent=True)
    for n, (name, line) in enumerate(lines.items()):
        level = HEIGHT - BOTTOM - 14 - 20 * (len(lines) - 1 - n)
        dash = DASHES[n % len(DASHES)]
        parts.append(
            f"<g><title>{escape(name)}</title>{frame.line(n, line)}"
            f'<line class="curve curve{n}" stroke-dasharray="{dash}" x1="{LEFT + 14}" '
            f'y1="{level - 4}" x2="{LEFT + 44}" y2="{level - 4}"/>'
            f'<text x="{LEFT + 50}" y="{level}">{escape(name)}</text></g>'
        )
    return picture(WIDTH, HEIGHT, title, words, parts)


class Interval(NamedTuple):
    """A figure with its uncertainty."""

    label: str
    value: float
    low: float
    high: float


def intervals(title: str, words: str, rows: Sequence[Interval], across: str) -> str:
    """Figures with their confidence intervals, one below the other."""
    low = min([0.0, *(row.low for row in rows)])
    high = max([0.0, *(row.high for row in rows)])
    frame = Frame((low, high), (0, len(rows)))
    parts = []
    bottom = HEIGHT - BOTTOM
    for tick in ticks(*frame.across):
        parts.append(
            f'<line class="grid" x1="{frame.x(tick):.1f}" y1="{TOP}" x2="{frame.x(tick):.1f}" '
            f'y2="{bottom}"/><text x="{frame.x(tick):.1f}" y="{bottom + 18}" '
            f'text-anchor="middle">{tick:,g}</text>'
        )
    zero = frame.x(0)
    parts.append(f'<line class="axis" x1="{zero:.1f}" y1="{TOP}" x2="{zero:.1f}" y2="{bottom}"/>')
    for n, row in enumerate(rows):
        level = frame.y(len(rows) - n - 0.5)
        parts.append(
            f"<g><title>{escape(row.label)}: {row.value:,.2f} "
            f"({row.low:,.2f} to {row.high:,.2f})</title>"
            f'<line class="axis" x1="{frame.x(row.low):.1f}" y1="{level:.1f}" '
            f'x2="{frame.x(row.high):.1f}" y2="{level:.1f}"/>'
            f'<circle class="bar" cx="{frame.x(row.value):.1f}" cy="{level:.1f}" r="5"/>'
            f'<text x="{LEFT + 4}" y="{level - 10:.1f}">{escape(row.label)}</text></g>'
        )
    parts.append(
        f'<text x="{WIDTH / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">{escape(across)}</text>'
    )
    return picture(WIDTH, HEIGHT, title, words, parts)
