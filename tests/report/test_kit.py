"""The report kit: nothing is taken for markup, nothing is cut off, everything fits the width."""

from __future__ import annotations

import re
from math import inf
from pathlib import Path

import pytest

import boxman
from boxman.report.charts import (
    Bar,
    Dots,
    Frame,
    Interval,
    bars,
    curves,
    dots,
    extent,
    fan,
    histogram,
    intervals,
)
from boxman.report.page import Section, html, notebook, page, sheet
from boxman.report.parts import (
    TAIL,
    Bin,
    Column,
    Facts,
    Grid,
    Sentence,
    Spread,
    bins,
    grid,
    spread,
)
from boxman.report.terminal import text

NASTY = '<script>alert("1 & 2")</script>'


def test_no_words_are_taken_for_markup() -> None:
    parts = [
        Sentence(NASTY),
        Facts([(NASTY, NASTY)]),
        grid(NASTY, (NASTY, NASTY), [(NASTY, NASTY)]),
    ]
    pictures = [
        bars(NASTY, NASTY, [Bar(NASTY, 1, NASTY, NASTY, NASTY)], (0, 1)),
        curves(NASTY, NASTY, {NASTY: [(0, 1), (1, 0)], "other": [(0, 1), (1, 1)]}, NASTY, NASTY),
        fan(NASTY, NASTY, {NASTY: [(0, 1), (1, 0)]}, NASTY, NASTY),
        dots(NASTY, NASTY, [NASTY], [Dots(NASTY, [1.0], NASTY)]),
        histogram(NASTY, NASTY, [Bin(0, 1, 1)], NASTY),
        intervals(NASTY, NASTY, [Interval(NASTY, 1, 0, 2)], NASTY),
    ]
    shown = page(NASTY, [NASTY], [Section(NASTY, html(parts) + "".join(pictures))])
    shown += notebook(NASTY, *parts)
    assert "<script" not in shown
    assert '"1 &' not in shown
    assert shown.count("&lt;script&gt;") >= 25


def test_pictures_have_no_width_of_their_own() -> None:
    """Across everything is a share of the width there is, so a phone shows all of a picture."""
    drawn = [
        bars("a", "b", [Bar("c", -1, "-1"), Bar("d", 3, "3")], extent([-1, 3])),
        curves("a", "b", {"x": [(0, 1), (9, 0)], "y": [(0, 1), (9, 1)]}, "c", "d"),
        fan("a", "b", {"5%": [(0, 5), (9, 0)], "95%": [(0, 5), (9, 9)]}, "c", "d"),
        dots("a", "b", ["x", "y"], [Dots("c", [1, None], "d"), Dots("e", [-2, 7])]),
        histogram("a", "b", spread({-100: 1, 0: 5000, 900: 1}, 100), "c"),
        intervals("a", "b", [Interval("x", 1, -1, 2)], "c"),
    ]
    for picture in drawn:
        shown = re.sub(r'<ul class="key">.*?</ul>', "", picture)
        places = re.findall(r' (?:x|x1|x2|cx|width)="([^"]+)"', shown)
        assert places
        assert [place for place in places if place != "0" and not place.endswith("%")] == []
        for place in places:
            assert 0 <= float(place.rstrip("%")) <= 100


def test_bars_begin_at_the_zero_of_their_scale() -> None:
    drawn = bars("a", "b", [Bar("c", -1, "-1"), Bar("d", 3, "3")], extent([-1, 3]))
    found = re.findall(r'<rect class="bar([^"]*)" x="([\d.]+)%" y="\d+" width="([\d.]+)%"', drawn)
    assert found == [(" below", "0.00", "25.00"), ("", "25.00", "75.00")]


def test_a_path_keeps_its_ends_and_what_can_be_seen() -> None:
    frame = Frame((0, 1_000_000), (0, 1))
    path = frame.path((n, n % 2_000 == 0) for n in range(1_000_001)).split()
    assert path[0] == "0.0,0.0"
    assert path[-1] == "900.0,0.0"
    assert len(path) < 2_000
    assert sum(point.endswith(",0.0") for point in path) == 501, "no peak is lost"


def test_a_large_figure_at_an_axis_is_written_out() -> None:
    drawn = curves("a", "b", {"x": [(0, 1), (5_000_000, 0)]}, "rolls", "d")
    assert ">1,000,000<" in drawn
    assert "e+0" not in drawn


@pytest.mark.parametrize("columns", [20, 60, 400])
def test_a_terminal_loses_no_figure(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    heads = [Column("wager"), Column("words", width=20), Column("net", right=True)]
    rows = [("come.odds.10", "many small words that may be folded", "1,234,567.89")]
    shown = text([Grid("Title", heads, {"Group": rows}), Facts([("house keeps", "0.5086% [b]")])])
    assert "come.odds.10" in shown
    assert "1,234,567.89" in shown
    assert "…" not in shown
    for word in ("many", "folded", "Group", "Title", "house", "0.5086%", "[b]"):
        assert word in shown
    assert not any(line.endswith(" ") for line in shown.splitlines())
    assert "\x1b" not in shown


def test_what_is_next_to_never_is_told_in_a_line() -> None:
    shown = text([Spread([Bin(-1, 0, 0.6), Bin(0, 1, 0.39998), Bin(1, 2, 0.00002)])])
    assert shown.splitlines()[0].endswith("60.00% " + "█" * 40)
    assert shown.splitlines()[-1].split() == ["beyond", "0.0020%"]


def test_bins_hold_every_result_once() -> None:
    found = bins({-250: 0.25, 0: 0.5, 1000: 0.25}, 100, 10)
    assert sum(row.share for row in found) == 1
    assert [row.share for row in found if row.low <= -2.5 < row.high] == [0.25]
    assert [row.share for row in found if row.low <= 0 < row.high] == [0.5]


def test_a_spread_loses_nothing_and_sets_the_rarest_apart() -> None:
    made = spread({-12_345: 2.0, -1: 1.0, 0: 3.0, 99_999: 4.0}, 100)
    assert sum(row.share for row in made) == pytest.approx(1)
    assert not any(row.open for row in made)
    # One in a million won a fortune: it stands apart, and the others have the width.
    many = dict.fromkeys(range(-30_000, 30_000, 60), 1000.0) | {5_000_000: 1.0}
    *inner, last = spread(many, 100)
    assert (last.low, last.high) == (inner[-1].high, inf)
    assert inner[-1].high < 400
    assert 0 < last.share <= TAIL
    assert sum(row.share for row in [*inner, last]) == pytest.approx(1)
    assert all(row.low < row.high for row in inner)
    drawn = histogram("a", "b", [*inner, last], "c")
    assert drawn.count('class="bar outside"') == 1
    assert f"<title>{inner[-1].high:g} and beyond: 0.000%" in drawn
    # A spike at an end, such as being broke, is no tail.
    assert not any(row.open for row in spread({-30_000: 400.0, 0: 600.0}, 100))
    assert [tuple(row) for row in spread({700: 5}, 100)] == [(7, 8, 1.0)]


def test_marks_lie_on_one_scale_and_have_shapes_of_their_own() -> None:
    drawn = dots("a", "b", ["x", "y"], [Dots("w", [0.0, 4.0], "0 to 4"), Dots("v", [None, 1.0])])
    at = re.findall(r'<svg x="([\d.]+)%" y="(\d+)" class="mark"><path class="mark(\d)"', drawn)
    assert at == [("2.00", "23", "0"), ("98.00", "23", "1"), ("26.00", "57", "1")]
    shapes = set(re.findall(r' d="([^"]+)"', drawn))
    assert len(shapes) == 2


def test_reports_have_the_colours_of_the_pages() -> None:
    """The room of the pages on a screen, their light colours on paper."""
    own = sheet("report.css")
    pages = Path(boxman.__file__).parent / "pit" / "static" / "style" / "base.css"
    base = pages.read_text()

    def colours(text: str) -> dict[str, str]:
        return dict(re.findall(r"--([\w-]+): (#[0-9a-f]+|var\(--gold\));", text))

    dark, light = own.split("@media print, (prefers-color-scheme: light)")
    of_pages = colours(base.split("}")[0])
    for name, colour in colours(dark).items():
        assert of_pages[name] == colour, name
    of_light = colours(base.split('[data-theme="light"]')[1].split("}")[0])
    for name, colour in colours(light.split("@media")[0]).items():
        assert of_light[name] == colour, name
