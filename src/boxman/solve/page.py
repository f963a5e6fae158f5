"""An answer as one HTML page that holds everything it shows: curve, map, card, costs, library."""

from __future__ import annotations

from boxman.chips import MINOR
from boxman.report.charts import Frame, curves
from boxman.report.page import Markup, Section, escape, html, notebook, page, paragraph
from boxman.solve.answer import Answer
from boxman.solve.pieces import Done, house_names, words_of
from boxman.solve.words import (
    card_parts,
    certificate,
    cost_parts,
    favour_parts,
    headline,
    library_parts,
    question,
    summary,
)
from boxman.strategy.view import BET
from boxman.words import phrase, say

MAP_COLUMNS = 60
"""Amounts across the map."""


def answer_page(answer: Answer) -> str:
    """The whole page, with wagers by the house's names."""
    with house_names(answer.model.pieces.layout):
        return _drawn(answer)


def _drawn(answer: Answer) -> str:
    words = [question(answer), *(f"{name}: {figure}" for name, figure in headline(answer))]
    parts = {
        "rounding": html(favour_parts(answer)),
        "card": html(card_parts(answer)),
        "chances": Markup("".join(pictures(answer))),
        "costs": html(cost_parts(answer)),
        "library": html(library_parts(answer.library, hourly=answer.hour is not None)),
        "certificate": Markup("".join(paragraph(line) for line in certificate(answer))),
        "menu": paragraph(answer.menu),
    }
    sections = [
        Section(phrase(f"solve.sections.{name}"), body) for name, body in parts.items() if body
    ]
    return page(phrase("solve.answer.title", house=answer.session.house), words, sections)


def answer_html(answer: Answer) -> str:
    """For a notebook."""
    return notebook(phrase("solve.answer.short"), *summary(answer), *pictures(answer))


def pictures(answer: Answer) -> list[Markup]:
    """The curve over bankrolls, and the map of cash against situation."""
    if answer.values is None:
        return []
    curve = [(rail / MINOR, chance) for rail, chance in answer.curve()]
    drawn = curves(
        phrase("solve.chart.curve"),
        phrase("solve.chart.curve-words"),
        {phrase("solve.chart.best"): curve},
        phrase("solve.chart.across"),
        phrase("solve.chart.chance"),
    )
    return [drawn, chart(answer)]


def chart(answer: Answer) -> Markup:
    """Cash against situation: how much of the rail is put down, darker for more."""
    rows, top, words = situations(answer)
    frame = Frame((0, top / MINOR), (0, len(rows)))
    parts = frame.axes(phrase("solve.chart.rail"), "", rows=False)
    tall, wide = 100 / len(rows), 100 / MAP_COLUMNS
    for number, (puck, cells) in enumerate(rows):
        level = f"{tall * (number + 0.5):.2f}%"
        parts.append(
            f'<text x="0" dx="-8" y="{level}" dy="4" text-anchor="end">'
            f"{puck or escape(phrase('solve.chart.off'))}</text>"
        )
        for column, share, told in cells:
            parts.append(
                f'<rect class="bar" x="{wide * column:.2f}%" y="{tall * number:.2f}%" '
                f'width="{wide:.2f}%" height="{tall:.2f}%" '
                f'fill-opacity="{0.05 + 0.95 * share:.2f}"><title>{escape(told)}</title></rect>'
            )
    return frame.drawn(phrase("solve.chart.map"), words, parts)


MapRow = tuple[int, list[tuple[int, float, str]]]
"""The puck, and for each column that has an act the share of the rail it puts down, in words."""


def situations(answer: Answer) -> tuple[list[MapRow], int, str]:
    """The map of cash against situation: its rows, the last amount across, and what it shows."""
    values, model = answer.values, answer.model
    assert values is not None
    places = [0, *(answer.then() if answer.first_act >= 0 else [])]
    top = answer.curve()[-1][0] if answer.curve() else model.step
    rows: list[MapRow] = []
    for position in places:
        puck = model.positions[position].puck
        label = "solve.chart.point" if puck else "solve.chart.come-out"
        cells = []
        for column in range(MAP_COLUMNS):
            rail = top * (2 * column + 1) // (2 * MAP_COLUMNS) // model.step * model.step
            rail += values.grid.rest
            act = values.act(rail, position)
            if act >= 0 and rail:
                done = words_of(model.done(act))
                told = say(label, {"puck": puck, "rail": f"{rail / MINOR:,g}", "act": done})
                cells.append((column, min(1.0, float(model.need[act]) / rail), told))
        rows.append((puck, cells))
    stuck = model.positions[places[-1]].wagers
    if not stuck:
        return rows, top, phrase("solve.chart.map-words")
    up = words_of(tuple(Done(BET, wager.spot, wager.stake) for wager in stuck))
    return rows, top, phrase("solve.chart.map-up", up=up)
