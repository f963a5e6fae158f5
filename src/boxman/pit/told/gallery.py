"""Houses as a lobby shows them: a small felt of each, and what is special about it.

The felt is drawn from the geometry of the cloth and the spots of the compiled house; what is
special is found by holding a house against all others. No house is named here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from boxman.chips import format_times
from boxman.odds.felt import heading
from boxman.odds.text import percent
from boxman.pit.told.cloth import CLOTH_PROPS, CLOTH_ROWS, barred
from boxman.pit.told.dress import dress_of
from boxman.report.page import escape
from boxman.rules.layout import Layout, Spot
from boxman.words import phrase

W, H = 360, 210
PAD, GAP, BAND, BLOCK = 16, 3, 14, 84
"""The wood, the space between boxes, the width of a line that comes down the side, of the block."""
CLOTHS = {
    "green": ("#126f51", "#073524"),
    "blue": ("#265ca6", "#0a2148"),
    "teal": ("#0f6c78", "#05353d"),
    "red": ("#a92a41", "#470b18"),
    "purple": ("#5d3a82", "#24123a"),
    "black": ("#33313a", "#0d0d0f"),
}
"""The lit and the deep colour of each cloth."""
RANKS = 9
"""Ranks of propositions that are drawn, at most."""
MOST = 3
"""Special things that are told, at most."""


class Box(NamedTuple):
    """A place on the small felt."""

    x: float
    y: float
    w: float
    h: float
    kind: str
    text: str = ""


def small_felt(layout: Layout, puck: int = 0) -> str:
    """The cloth of a house as a picture, with the puck where it stands."""
    lit, deep = CLOTHS[dress_of(layout).cloth]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {W} {H}" font-weight="700" '
        'font-family="Avenir Next Condensed, Roboto Condensed, DejaVu Sans Condensed, sans-serif" '
        'text-anchor="middle"><defs><radialGradient id="light" cx=".45" cy=".3" r=".9">'
        f'<stop stop-color="{lit}"/><stop offset="1" stop-color="{deep}"/></radialGradient>'
        '<linearGradient id="wood" x2="0" y2="1"><stop stop-color="#7a4d2b"/>'
        '<stop offset="1" stop-color="#2b180c"/></linearGradient></defs>'
        f'<rect width="{W}" height="{H}" rx="18" fill="url(#wood)"/>'
        f'<rect x="8" y="8" width="{W - 16}" height="{H - 16}" rx="12" fill="url(#light)"/>'
    ]
    for box in boxes(layout):
        fill = {"prop": "#0006", "red": "#a3212b", "number": "#0003"}.get(box.kind, "none")
        parts.append(
            f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.w:.1f}" height="{box.h:.1f}" '
            f'rx="2" fill="{fill}" stroke="#f8f4e6" stroke-opacity=".6"/>'
        )
        if box.text:
            size = min(box.h * 0.62, box.w / max(1, len(box.text)) * 1.6, 26)
            ink = "#fbe09a" if box.kind == "number" else "#f8f4e6"
            parts.append(
                f'<text x="{box.x + box.w / 2:.1f}" y="{box.y + box.h / 2 + size * 0.36:.1f}" '
                f'font-size="{size:.1f}" fill="{ink}">{escape(box.text)}</text>'
            )
        if puck and box.kind == "number" and box.text == str(puck):
            parts.append(
                f'<circle cx="{box.x + box.w - 6:.1f}" cy="{box.y + 5:.1f}" r="9" fill="#fff" '
                f'stroke="#111"/><text x="{box.x + box.w - 6:.1f}" y="{box.y + 8:.1f}" '
                'font-size="8" fill="#111">ON</text>'
            )
    return "".join([*parts, "</svg>"])


def boxes(layout: Layout) -> Iterator[Box]:
    """Every row and every proposition of the house, where it lies."""
    at: dict[str, list[Spot]] = {}
    for spot in layout.spots.values():
        at.setdefault(spot.kind.place, []).append(spot)
    rows = [row for row in CLOTH_ROWS if any(place in at for place in row["at"])]
    lines = [row for row in rows if row["kind"] == "line"]
    right = W - PAD - BLOCK - 2 * GAP
    shares = sum(row["share"] for row in rows)
    tall = H - 2 * PAD - GAP * (len(rows) - 1)
    y = float(PAD)
    left = PAD + (BAND + GAP) * len(lines)
    for row in rows:
        high = tall * row["share"] / shares
        if row.get("numbers"):
            wide = (right - left - GAP * (len(layout.points) - 1)) / len(layout.points)
            for n, point in enumerate(layout.points):
                if any(spot.number == point for place in row["at"] for spot in at.get(place, [])):
                    kind = row["kind"]
                    text = str(point) if kind == "number" else ""
                    yield Box(left + n * (wide + GAP), y, wide, high, kind, text)
        elif row["kind"] == "line":
            # The outermost comes down the side first; each begins where the one before it ends.
            inner = len(lines) - 1 - lines.index(row)
            x = PAD + (BAND + GAP) * inner
            yield Box(x, PAD, BAND, y - PAD - GAP, "line")
            yield Box(x, y, right - x, high, "line", at[row["at"][0]][0].name.upper())
        else:
            spots = [spot for place in row["at"] for spot in at.get(place, [])]
            inside = PAD if row["kind"] == "behind" else left
            wide = (right - inside - GAP * (len(spots) - 1)) / len(spots)
            for n, spot in enumerate(spots):
                yield Box(inside + n * (wide + GAP), y, wide, high, row["kind"], spot.name.upper())
        y += high + GAP
    yield from _block(at)


def _block(at: Mapping[str, list[Spot]]) -> Iterator[Box]:
    """The propositions beside the rows."""
    left = W - PAD - BLOCK
    found = [(block, at[block["at"]]) for block in CLOTH_PROPS if block["at"] in at]
    ranks = [
        (block, spots[n : n + block["across"]])
        for block, spots in found
        for n in range(0, len(spots), block["across"])
    ]
    if not ranks:
        return
    ranks = ranks[:RANKS]
    high = (H - 2 * PAD - GAP * (len(ranks) - 1)) / len(ranks)
    for n, (block, spots) in enumerate(ranks):
        wide = (BLOCK - GAP * (len(spots) - 1)) / len(spots)
        kind = "red" if block.get("tone") == "red" else "prop"
        for k in range(len(spots)):
            text = spots[k].name.upper() if len(spots) == 1 else ""
            yield Box(left + k * (wide + GAP), PAD + n * (high + GAP), wide, high, kind, text)


def special(
    layouts: Mapping[str, Layout], edges: Mapping[str, Mapping[str, Fraction]]
) -> dict[str, list[str]]:
    """Of every house what it alone has, in sentences: its numbers, its bars, its wagers, the best
    prices, the rarest first; and its odds."""
    common = {
        name: Counter(test(layout) for layout in layouts.values()).most_common(1)[0][0]
        for name, test in (("points", _points), ("bar", _barred))
    }
    found: dict[str, list[str]] = {}
    for house, layout in layouts.items():
        said = []
        if _points(layout) != common["points"]:
            said.append(phrase("pit.gallery.points", n=len(layout.points)))
        if _barred(layout) not in (common["bar"], ()):
            said.append(phrase("pit.gallery.bar", totals=[str(n) for n in _barred(layout)]))
        elif not _barred(layout):
            said.append(phrase("pit.gallery.no-dont"))
        others = {spot.family for o in layouts if o != house for spot in layouts[o].spots.values()}
        alone = dict.fromkeys(
            heading(spot.kind) if spot.number else spot.name
            for spot in layout.spots.values()
            if spot.family not in others and spot.windows["make"].value != "never"
        )
        if alone:
            said.append(phrase("pit.gallery.only-here", wagers=list(alone)[:MOST]))
        if best := _best(edges, house):
            wager, key = layout.spots[best[0]].name, "best" if best[1] else "none-better"
            edge = percent(edges[house][best[0]], 2)
            said.append(phrase(f"pit.gallery.{key}", wager=wager, edge=edge))
        if times := _odds(layout):
            said[MOST - 1 :] = [phrase("pit.gallery.odds", times=times)]
        found[house] = said or [phrase("pit.gallery.as-others")]
    return found


def _best(edges: Mapping[str, Mapping[str, Fraction]], house: str) -> tuple[str, bool] | None:
    """The wager by whose price it stands out most, and whether no other house has that price."""
    found = []
    for name, own in edges[house].items():
        others = [edges[o][name] for o in edges if o != house and name in edges[o]]
        same = others.count(own)
        # What half of the houses have is nothing special.
        if others and own <= min(others) and 2 * same < len(others):
            found.append((-same, max(others) - own, name))
    if not found:
        return None
    same, _, name = max(found)
    return name, not same


def _odds(layout: Layout) -> str:
    """How many times the line its odds may be: 2, or 3-4-5 where that hangs on the number."""
    lines = (spot.behind for spot in layout.spots.values() if spot.kind.place == "pass odds")
    rule = next(lines, None)
    times = {limit.lifted for limit in rule.limits.values()} if rule else ()
    return "-".join(format_times(each) for each in sorted(times))


def _points(layout: Layout) -> tuple[int, ...]:
    return tuple(layout.points)


def _barred(layout: Layout) -> tuple[int, ...]:
    """Totals on which the don't side neither wins nor loses at a come-out."""
    lines = [spot for spot in layout.spots.values() if spot.kind.place == "don't pass"]
    return tuple(total for spot in lines for total in barred(spot))
