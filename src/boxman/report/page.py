"""Reports as HTML: one page that holds everything it shows, or a piece of one for a notebook.

No script, nothing fetched: the style is in the page. What is not `Markup` is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from boxman.report.parts import Column, Facts, Grid, Part, Sentence, Spread
from boxman.words import spoken

SHORT_CELL = 20
"""Letters of a cell that stay on one line."""


class Markup(str):
    """HTML that was made here, and is not escaped again."""

    __slots__ = ()


def escape(text: str) -> Markup:
    """Text that cannot be taken for markup.

    >>> escape("Don't <b> & {c}")
    'Don&#39;t &lt;b&gt; &amp; {c}'
    """
    if isinstance(text, Markup):
        return text
    for sign, name in (("&", "amp"), ("<", "lt"), (">", "gt"), ('"', "quot"), ("'", "#39")):
        text = text.replace(sign, f"&{name};")
    return Markup(text)


def code(text: str) -> Markup:
    """A name as the command line takes it."""
    return Markup(f"<code>{escape(text)}</code>")


def anchor(title: str) -> str:
    """The name of a place in a page.

    >>> anchor("Don't come, 6 & 8")
    'don-t-come-6-8'
    """
    words = "".join(letter if letter.isalnum() else " " for letter in title.lower()).split()
    return "-".join(words)


class Section(NamedTuple):
    """A part of a page under its heading."""

    title: str
    body: str


def paragraph(text: str) -> Markup:
    return Markup(f"<p>{escape(text)}</p>\n")


def table(shown: Grid) -> Markup:
    """A table that scrolls by itself where the page is narrow."""
    head = "".join(_head(column) for column in shown.columns)
    body = []
    for group, rows in shown.groups.items():
        if group:
            width = len(shown.columns)
            body.append(f'<tr class="group"><th colspan="{width}">{escape(group)}</th></tr>')
        body += [_row(shown.columns, row) for row in rows]
    caption = f"<caption>{escape(shown.title)}</caption>" if shown.title else ""
    return Markup(
        f'<div class="wide" tabindex="0"><table>{caption}<thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>\n"
    )


def _head(column: Column) -> str:
    kind = ' class="figure"' if column.right else ""
    return f'<th scope="col"{kind}>{escape(column.heading)}</th>'


def _row(columns: Sequence[Column], cells: Sequence[str]) -> str:
    parts = [f'<th scope="row">{escape(cells[0])}</th>']
    for column, cell in zip(columns[1:], cells[1:], strict=True):
        short = len(cell) <= SHORT_CELL and not isinstance(cell, Markup)
        kind = ' class="figure"' if column.right else ' class="short"' if short else ""
        parts.append(f"<td{kind}>{escape(cell)}</td>")
    return f"<tr>{''.join(parts)}</tr>"


def terms(rows: Iterable[tuple[str, str]], kind: str = "") -> Markup:
    """Names and what there is to say of each."""
    items = "".join(f"<div><dt>{escape(a)}</dt><dd>{escape(b)}</dd></div>" for a, b in rows)
    return Markup(f'<dl class="{kind}">{items}</dl>\n')


def html(parts: Iterable[Part]) -> Markup:
    """Parts one after another; a spread is left to the picture that shows it better."""
    found = []
    for part in parts:
        if isinstance(part, Sentence):
            found.append(paragraph(part.text))
        elif isinstance(part, Facts):
            found.append(terms(part.rows, "facts"))
        elif not isinstance(part, Spread):
            found.append(table(part))
    return Markup("".join(found))


@cache
def style() -> str:
    """The one look of all reports, for screen, phone and paper."""
    return f"<style>{sheet('charts.css')}{sheet('report.css')}</style>"


def sheet(name: str) -> str:
    """A style sheet of the kit; pages that show its pictures need the one of the charts."""
    return (resources.files("boxman.report") / name).read_text(encoding="utf-8")


def page(title: str, words: Sequence[str], sections: Sequence[Section]) -> str:
    """The whole page: what it is about, where to find what, its sections."""
    links = "".join(
        f'<a href="#{anchor(each.title)}">{escape(each.title)}</a>' for each in sections
    )
    body = "".join(
        f'<section id="{anchor(each.title)}"><h2>{escape(each.title)}</h2>\n{each.body}</section>\n'
        for each in sections
    )
    head = "".join(f"<p>{escape(each)}</p>\n" for each in words)
    return (
        f'<!DOCTYPE html>\n<html lang="{spoken()}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>{style()}</head>\n"
        '<body class="report"><header><div class="brand"><i></i>Boxman</div>'
        f"<h1>{escape(title)}</h1>\n{head}"
        f"<nav>{links}</nav></header>\n<main>\n{body}</main></body></html>\n"
    )


def notebook(title: str, *parts: Part | Markup) -> str:
    """A piece of a report for a notebook, in the look of the page."""
    body = "".join(part if isinstance(part, Markup) else html([part]) for part in parts)
    heading = f"<h3>{escape(title)}</h3>\n" if title else ""
    return f'{style()}<div class="report note">{heading}{body}</div>'
