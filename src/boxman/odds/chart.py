"""Two pictures as SVG text: bars of edges, curves of lengths.

They are drawn for a page that may be printed in black and white and read aloud: every bar and
curve has its words beside it, and each picture a title and a description. Nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

BAR, GAP = 18, 6
LABELS, VALUES, WIDTH = 300, 150, 900
PLOT_WIDTH, PLOT_HEIGHT = 900, 380
LEFT, RIGHT, TOP, BOTTOM = 60, 20, 20, 50
DASHES = ("", "7 4", "2 3", "9 3 2 3", "1 4")


def escape(text: str) -> str:
    """Text that cannot be taken for markup.

    >>> escape("Don't <b> & {c}")
    'Don&#39;t &lt;b&gt; &amp; {c}'
    """
    for sign, name in (("&", "amp"), ("<", "lt"), (">", "gt"), ('"', "quot"), ("'", "#39")):
        text = text.replace(sign, f"&{name};")
    return text


class Bar(NamedTuple):
    """One bar: its words, its length, what stands at its end, a remark for the pointer, a link."""

    label: str
    value: float
    text: str
    remark: str = ""
    link: str = ""


class Curve(NamedTuple):
    """One curve: its words and its height at 1, 2, 3, ..."""

    label: str
    heights: Sequence[float]


def picture(width: float, height: float, title: str, words: str, parts: Sequence[str]) -> str:
    """One picture with its title and its words, for eyes and ears."""
    name = "".join(letter for letter in title.lower() if letter.isalnum())
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-labelledby="{name}-title {name}-words" xmlns="http://www.w3.org/2000/svg">'
        f'<title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-words">{escape(words)}</desc>{"".join(parts)}</svg>'
    )


def bars(title: str, words: str, rows: Sequence[Bar]) -> str:
    """Horizontal bars; those below zero go left of the line."""
    most = max([0.0, *(bar.value for bar in rows)])
    least = min([0.0, *(bar.value for bar in rows)])
    span = (most - least) or 1.0
    scale = (WIDTH - LABELS - VALUES) / span
    zero = LABELS - least * scale
    parts = []
    for n, bar in enumerate(rows):
        top = n * (BAR + GAP)
        width = abs(bar.value) * scale
        left = zero if bar.value >= 0 else zero - width
        kind = "bar" if bar.value >= 0 else "bar below"
        middle, after = top + BAR * 0.75, max(left + width, zero) + 6
        opened, closed = (f'<a href="{escape(bar.link)}">', "</a>") if bar.link else ("<g>", "</g>")
        parts.append(
            f"{opened}<title>{escape(bar.remark or f'{bar.label}: {bar.text}')}</title>"
            f'<text x="{LABELS - 8}" y="{middle:.1f}" text-anchor="end">{escape(bar.label)}</text>'
            f'<rect class="{kind}" x="{left:.1f}" y="{top}" width="{width:.1f}" height="{BAR}"/>'
            f'<text x="{after:.1f}" y="{middle:.1f}">{escape(bar.text)}</text>{closed}'
        )
    height = len(rows) * (BAR + GAP)
    parts.append(f'<line class="axis" x1="{zero:.1f}" y1="0" x2="{zero:.1f}" y2="{height}"/>')
    return picture(WIDTH, height, title, words, parts)


def curves(title: str, words: str, lines: Sequence[Curve], across: str, up: str) -> str:
    """Falling curves over 1, 2, 3, ..., from 1 to 0, with their names."""
    longest = max(len(curve.heights) for curve in lines)
    width = PLOT_WIDTH - LEFT - RIGHT
    height = PLOT_HEIGHT - TOP - BOTTOM
    floor = TOP + height

    def x(n: float) -> float:
        return LEFT + (n - 1) / max(longest - 1, 1) * width

    def y(share: float) -> float:
        return TOP + (1 - share) * height

    parts = []
    for tenth in range(0, 11, 2):
        level, end = y(tenth / 10), LEFT + width
        parts.append(
            f'<line class="grid" x1="{LEFT}" y1="{level:.1f}" x2="{end}" y2="{level:.1f}"/>'
            f'<text x="{LEFT - 8}" y="{level + 4:.1f}" text-anchor="end">{tenth * 10}%</text>'
        )
    for n in [1, *range(10, longest + 1, 10)]:
        parts.append(
            f'<line class="grid" x1="{x(n):.1f}" y1="{TOP}" x2="{x(n):.1f}" y2="{floor}"/>'
            f'<text x="{x(n):.1f}" y="{floor + 18}" text-anchor="middle">{n}</text>'
        )
    middle = LEFT + width / 2
    parts.append(
        f'<text x="{middle:.0f}" y="{PLOT_HEIGHT - 8}" text-anchor="middle">{escape(across)}</text>'
        f'<text transform="translate(14 {TOP + height / 2:.0f}) rotate(-90)" '
        f'text-anchor="middle">{escape(up)}</text>'
    )
    for n, curve in enumerate(lines):
        points = " ".join(
            f"{x(place):.1f},{y(share):.1f}" for place, share in enumerate(curve.heights, 1)
        )
        dash = DASHES[n % len(DASHES)]
        level = TOP + 16 + n * 22
        # What lasts long is rare: the upper right is free for the names.
        key = LEFT + width * 0.4
        parts.append(
            f"<g><title>{escape(curve.label)}</title>"
            f'<polyline class="curve curve{n}" stroke-dasharray="{dash}" points="{points}"/>'
            f'<line class="curve curve{n}" stroke-dasharray="{dash}" '
            f'x1="{key:.0f}" y1="{level - 4}" x2="{key + 30:.0f}" y2="{level - 4}"/>'
            f'<text x="{key + 36:.0f}" y="{level}">{escape(curve.label)}</text></g>'
        )
    return picture(PLOT_WIDTH, PLOT_HEIGHT, title, words, parts)
