"""Pictures as SVG that fit the width they get: bars, dots, a histogram, a fan, curves, intervals.

Places across are shares of the width, so that letters keep their size on a phone, a screen and on
paper. Every picture carries its title and its words with it, and what is told apart by colour is
told apart by dashes or filling too. They take plain numbers, and need no script.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import floor, inf
from typing import NamedTuple

from boxman.report.page import Markup, escape
from boxman.report.parts import Bin, ticks
from boxman.words import phrase

FINE_ACROSS, FINE_UP = 900, 300
"""The fineness of a curve: its points are whole and tenths of these."""
BAR_LINE, BAR_HEIGHT = 34, 9
DASHES = ("", "7 4", "2 3", "9 3 2 3", "1 4")
MARKS = (
    *("M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z", "M-4.5-4.5h9v9h-9z", "M0-6l6 6-6 6-6-6z"),
    *("M0-6l6 10.5h-12z", "M0 6l6-10.5h-12z", "M-2-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z"),
)
"""Shapes that are told apart without their colours."""

Points = Sequence[tuple[float, float]]
"""Points of a curve from left to right."""


class Bar(NamedTuple):
    """One bar: its words, its length, what stands at its end, a remark for the pointer, a link."""

    label: str
    value: float
    text: str
    remark: str = ""
    link: str = ""


class Dots(NamedTuple):
    """One thing as several see it: its words, a value for each or none, what stands at the end."""

    label: str
    values: Sequence[float | None]
    text: str = ""


class Interval(NamedTuple):
    """A figure with its uncertainty."""

    label: str
    value: float
    low: float
    high: float


def picture(title: str, words: str, parts: Iterable[str], size: str = "") -> str:
    """One picture with its title and its words, for eyes and ears."""
    label = escape(f"{title}. {words}")
    return f'<svg role="img" aria-label="{label}"{size}>{"".join(parts)}</svg>'


def figure(title: str, drawn: str) -> Markup:
    """A picture under its title."""
    return Markup(
        f'<figure class="drawn"><figcaption>{escape(title)}</figcaption>{drawn}</figure>\n'
    )


def extent(values: Iterable[float]) -> tuple[float, float]:
    """From the least to the most of all values and nothing."""
    every = [0.0, *values]
    return min(every), max(every)


def bars(title: str, words: str, rows: Sequence[Bar], scale: tuple[float, float], /) -> str:
    """Bars under their words, from the zero of the scale; those below zero are hollow."""
    low, high = scale if scale[1] > scale[0] else (0.0, 1.0)

    def x(value: float) -> float:
        return (value - low) / (high - low) * 100

    parts = []
    for n, bar in enumerate(rows):
        words_at, top = n * BAR_LINE + 14, n * BAR_LINE + 19
        left, width = x(min(bar.value, 0)), abs(bar.value) / (high - low) * 100
        kind = "bar" if bar.value >= 0 else "bar below"
        opened, closed = (f'<a href="{escape(bar.link)}">', "</a>") if bar.link else ("<g>", "</g>")
        parts.append(
            f"{opened}<title>{escape(bar.remark or f'{bar.label}: {bar.text}')}</title>"
            f'<text x="0" y="{words_at}">{escape(bar.label)}</text>'
            f'<text x="100%" y="{words_at}" text-anchor="end">{_narrowed(bar.text)}</text>'
            f'<rect class="track" x="0" y="{top}" width="100%" height="{BAR_HEIGHT}"/>'
            f'<rect class="{kind}" x="{left:.2f}%" y="{top}" width="{width:.2f}%" '
            f'height="{BAR_HEIGHT}"/>{closed}'
        )
    height = len(rows) * BAR_LINE
    if low < 0:
        zero = f"{x(0):.2f}%"
        parts.append(f'<line class="axis" x1="{zero}" y1="0" x2="{zero}" y2="{height}"/>')
    return picture(title, words, parts, f' width="100%" height="{height}"')


def _narrowed(text: str) -> str:
    """A fraction and its percentage: where there is little room, the percentage alone."""
    exact, equal, short = text.rpartition(" = ")
    return f'<tspan class="exact">{escape(exact + equal)}</tspan>{escape(short)}'


def dots(title: str, words: str, names: Sequence[str], rows: Sequence[Dots]) -> Markup:
    """For each thing one line, and on it a mark for each name; a key says whose mark is whose."""
    every = [value for row in rows for value in row.values if value is not None]
    low, high = extent(every)
    span = high - low or 1
    parts = []
    for n, row in enumerate(rows):
        top = n * BAR_LINE
        marks = "".join(
            f'<svg x="{2 + (value - low) / span * 96:.2f}%" y="{top + 23}" class="mark">'
            f"{_mark(k, phrase('report.mark', name=names[k], label=row.label, value=f'{value:g}'))}"
            "</svg>"
            for k, value in enumerate(row.values)
            if value is not None
        )
        parts.append(
            f'<text x="0" y="{top + 14}">{escape(row.label)}</text>'
            f'<text x="100%" y="{top + 14}" text-anchor="end">{escape(row.text)}</text>'
            f'<rect class="track" x="0" y="{top + 20}" width="100%" height="6"/>{marks}'
        )
    key = "".join(
        f'<li><svg class="mark" aria-hidden="true">{_mark(n)}</svg>{escape(name)}</li>'
        for n, name in enumerate(names)
    )
    size = f' width="100%" height="{len(rows) * BAR_LINE}"'
    return figure(title, f'{picture(title, words, parts, size)}<ul class="key">{key}</ul>')


def _mark(number: int, remark: str = "") -> str:
    told = f"<title>{escape(remark)}</title>" if remark else ""
    kind = f"mark{number % len(DASHES)}"
    return f'<path class="{kind}" d="{MARKS[number % len(MARKS)]}">{told}</path>'


class Frame:
    """A plot with its two axes."""

    def __init__(self, across: tuple[float, float], up: tuple[float, float]) -> None:
        self.across = across if across[1] > across[0] else (across[0] - 1, across[0] + 1)
        self.up = up if up[1] > up[0] else (up[0], up[0] + 1)

    def x(self, value: float) -> float:
        """How far to the right, in percent."""
        low, high = self.across
        return (value - low) / (high - low) * 100

    def y(self, value: float) -> float:
        """How far down, in percent."""
        low, high = self.up
        return (high - value) / (high - low) * 100

    def axes(self, across: str, up: str, *, percent: bool = False, rows: bool = True) -> list[str]:
        """Grid, figures and the words along both axes."""
        parts = []
        for tick in ticks(*self.up) if rows else []:
            text = f"{tick * 100:g}%" if percent else figures(tick)
            level = f"{self.y(tick):.2f}%"
            parts.append(
                f'<line class="grid" x1="0" y1="{level}" x2="100%" y2="{level}"/>'
                f'<text x="0" dx="-8" y="{level}" dy="4" text-anchor="end">{text}</text>'
            )
        for n, tick in enumerate(ticks(*self.across)):
            place, kind = f"{self.x(tick):.2f}%", ' class="second"' if n % 2 else ""
            parts.append(
                f'<line class="grid" x1="{place}" y1="0" x2="{place}" y2="100%"/>'
                f'<text{kind} x="{place}" y="100%" dy="18" text-anchor="middle">'
                f"{figures(tick)}</text>"
            )
        if self.across[0] < 0 < self.across[1]:
            zero = f"{self.x(0):.2f}%"
            parts.append(f'<line class="axis" x1="{zero}" y1="0" x2="{zero}" y2="100%"/>')
        parts.append(
            f'<text class="name" x="50%" y="100%" dy="38" text-anchor="middle">{escape(across)}'
            f'</text><text class="name" x="0" y="0" dx="-44" dy="-12">{escape(up)}</text>'
        )
        return parts

    def path(self, points: Iterable[tuple[float, float]]) -> str:
        """Points as text; of those closer together than can be seen only the first and last."""
        kept: list[tuple[float, float]] = []
        point = (0.0, 0.0)
        for a, b in points:
            point = self.x(a) * FINE_ACROSS / 100, self.y(b) * FINE_UP / 100
            if not kept or abs(point[0] - kept[-1][0]) >= 1 or abs(point[1] - kept[-1][1]) >= 1:
                kept.append(point)
        if kept and kept[-1] != point:
            kept.append(point)
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in kept)

    def line(self, number: int, points: Iterable[tuple[float, float]]) -> str:
        return f'<polyline {_stroke(number)} points="{self.path(points)}"/>'

    def drawn(
        self, title: str, words: str, parts: Sequence[str], key: Sequence[str] = ()
    ) -> Markup:
        """The whole figure, with a key where there is more than one curve."""
        names = "".join(
            f'<li><svg aria-hidden="true"><line {_stroke(n)} x1="0" y1="5" x2="30" y2="5"/></svg>'
            f"{escape(name)}</li>"
            for n, name in enumerate(key)
        )
        below = f'<ul class="key">{names}</ul>' if len(key) > 1 else ""
        return figure(title, f'<div class="plot">{picture(title, words, parts)}</div>{below}')


def figures(value: float) -> str:
    """A figure at an axis.

    >>> figures(1_500_000), figures(-0.25)
    ('1,500,000', '-0.25')
    """
    return f"{value:,.12g}"


def _stroke(number: int) -> str:
    dash = DASHES[number % len(DASHES)]
    return f'class="curve curve{number % len(DASHES)}" stroke-dasharray="{dash}"'


def _stretched(parts: Iterable[str]) -> str:
    """Curves and bands, which have no shares of the width: drawn once, stretched to fit."""
    box = f'viewBox="0 0 {FINE_ACROSS} {FINE_UP}" height="100%" preserveAspectRatio="none"'
    return f"<svg {box}>{''.join(parts)}</svg>"


def histogram(title: str, words: str, rows: Sequence[Bin], across: str) -> Markup:
    """How often a result came, in bins; losses and wins look different. What is rarer than can be
    drawn stands apart at its end, told by its share."""
    inner = [row for row in rows if not row.open]
    width = inner[0].high - inner[0].low
    ends = [2 * width if row.open else 0.0 for row in (rows[0], rows[-1])]
    first, last = inner[0].low, inner[-1].high
    frame = Frame((first - ends[0], last + ends[1]), (0, max(row.share for row in rows)))
    parts = frame.axes(across, phrase("report.share"), percent=True)
    for row in rows:
        low = row.low if row.low > -inf else first - ends[0]
        high = row.high if row.high < inf else last + ends[1]
        if row.open:
            low, high = (low, low + width) if row.low == -inf else (high - width, high)
        left, top = frame.x(low), min(99.0, frame.y(row.share))
        kind = "bar outside" if row.open else "bar" if row.low >= 0 else "bar below"
        parts.append(
            f"<g><title>{escape(_range(row))}</title>"
            f'<rect class="{kind}" x="{left:.3f}%" y="{top:.3f}%" '
            f'width="{frame.x(high) - left:.3f}%" height="{100 - top:.3f}%"/></g>'
        )
    return frame.drawn(title, words, parts)


def _range(row: Bin) -> str:
    share = f"{row.share:.3%}"
    if row.open:
        edge, key = (row.high, "below") if row.low == -inf else (row.low, "from")
        return phrase(f"report.{key}-share", edge=f"{edge:,g}", share=share)
    return phrase("report.range-share", low=f"{row.low:,g}", high=f"{row.high:,g}", share=share)


def fan(title: str, words: str, lines: Mapping[str, Points], across: str, up: str) -> Markup:
    """Percentiles over time: outer pairs as bands, the middle as a line."""
    names = list(lines)
    values = [value for line in lines.values() for _, value in line]
    frame = Frame((0, lines[names[0]][-1][0]), (min(values), max(values)))
    bands = []
    for n in range(len(names) // 2):
        low, high = lines[names[n]], lines[names[-1 - n]]
        text = frame.path([*high, *reversed(low)])
        pair = phrase("report.from-to", low=names[n], high=names[-1 - n])
        bands.append(f'<g><title>{escape(pair)}</title><polygon class="fan" points="{text}"/></g>')
    middle = names[len(names) // 2]
    bands.append(f"<g><title>{escape(middle)}</title>{frame.line(0, lines[middle])}</g>")
    return frame.drawn(title, words, [*frame.axes(across, up), _stretched(bands)])


def curves(title: str, words: str, lines: Mapping[str, Points], across: str, up: str) -> Markup:
    """Shares between 0 and 1 over time, one curve for each name, with a key."""
    first = min(line[0][0] for line in lines.values())
    longest = max(line[-1][0] for line in lines.values())
    least = min(share for line in lines.values() for _, share in line)
    lowest = 0 if least < 0.5 else min(0.95, floor(least * 20) / 20)
    frame = Frame((first, max(first + 1, longest)), (lowest, 1))
    drawn = [
        f"<g><title>{escape(name)}</title>{frame.line(n, line)}</g>"
        for n, (name, line) in enumerate(lines.items())
    ]
    parts = [*frame.axes(across, up, percent=True), _stretched(drawn)]
    return frame.drawn(title, words, parts, list(lines))


def intervals(title: str, words: str, rows: Sequence[Interval], across: str) -> Markup:
    """Figures with their confidence intervals, one below the other, named by number below."""
    frame = Frame(extent(end for row in rows for end in (row.low, row.high)), (0, len(rows)))
    parts = frame.axes(across, "", rows=False)
    for n, row in enumerate(rows):
        level = frame.y(len(rows) - n - 0.5)
        low, middle, high = (frame.x(value) for value in (row.low, row.value, row.high))
        parts.append(
            f"<g><title>{escape(phrase('report.interval', **_values(row)))}</title>"
            f'<line class="axis" x1="{low:.2f}%" y1="{level:.2f}%" '
            f'x2="{high:.2f}%" y2="{level:.2f}%"/>'
            f'<circle class="bar" cx="{middle:.2f}%" cy="{level:.2f}%" r="5"/>'
            f'<text x="0" dx="-8" y="{level:.2f}%" dy="4" text-anchor="end">{n + 1}</text></g>'
        )
    named = "".join(f"<li>{escape(row.label)}</li>" for row in rows)
    below = f'<ol class="key numbered">{named}</ol>'
    return figure(title, f'<div class="plot">{picture(title, words, parts)}</div>{below}')


def _values(row: Interval) -> dict[str, str]:
    value, low, high = (f"{each:,.2f}" for each in (row.value, row.low, row.high))
    return {"label": row.label, "value": value, "low": low, "high": high}
