"""Reports as text: tables as rich draws them, with bold headings on a terminal, plain elsewhere.

A figure is never cut off and never folded: a table too wide for the terminal folds its words, and
where that is not enough it is as wide as it must be.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from io import StringIO
from shutil import get_terminal_size

from rich.box import Box
from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from boxman.report.parts import Bin, Column, Facts, Grid, Part, Sentence, Spread
from boxman.words import phrase

PIPE_WIDTH = 160
"""Letters of a line where there is no terminal: a pipe has room."""
FREE = 10_000
READABLE = 16
"""Words are not folded narrower than this."""
UNDERLINED = Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)
EIGHTHS = " ▏▎▍▌▋▊▉█"
BAR_WIDTH = 40
RARE = 0.0001
"""Bins at either end that hold less than this are not drawn."""


def text(parts: Iterable[Part], plain: bool = False) -> str:
    """Parts one after another, for standard output as it is now, or without any style."""
    styled = not plain and sys.stdout.isatty() and "NO_COLOR" not in os.environ
    width = get_terminal_size((PIPE_WIDTH, 24)).columns
    file = StringIO()
    console = Console(
        file=file,
        width=width,
        force_terminal=styled,
        color_system="standard" if styled else None,
        markup=False,
        emoji=False,
        highlight=False,
    )
    before: Part | None = None
    for part in parts:
        if before is not None and not (isinstance(before, Sentence) and isinstance(part, Sentence)):
            console.print()
        _draw(console, part)
        before = part
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


def _draw(console: Console, part: Part) -> None:
    if isinstance(part, Sentence):
        console.print(part.text, soft_wrap=not console.is_terminal)
    elif isinstance(part, Spread):
        console.print(spread(part.bins), soft_wrap=True)
    elif isinstance(part, Facts):
        _print(console, _facts(part))
    else:
        if part.title:
            console.print(part.title, soft_wrap=not console.is_terminal)
        while _least(console, _table(part)) > console.width and (less := _without(part)):
            part = less
        _print(console, _table(part))


def _print(console: Console, drawn: Table) -> None:
    """At the width of the terminal, or wider where figures would be lost."""
    width = console.width
    console.width = max(width, _least(console, drawn))
    console.print(drawn)
    console.width = width


def _least(console: Console, drawn: Table) -> int:
    return Measurement.get(console, console.options.update(width=FREE), drawn).minimum


def _without(part: Grid) -> Grid | None:
    """The table without the last column that it can spare."""
    spare = [n for n, column in enumerate(part.columns) if column.spare]
    if not spare:
        return None
    kept = [n for n in range(len(part.columns)) if n != spare[-1]]
    groups = {
        group: [[row[n] for n in kept] for row in rows] for group, rows in part.groups.items()
    }
    return Grid(part.title, [part.columns[n] for n in kept], groups)


def _facts(part: Facts) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    names = [f"  {name}" for name, _ in part.rows]
    table.add_column(no_wrap=True, min_width=_widest(names))
    table.add_column(overflow="fold")
    for name, (_, words) in zip(names, part.rows, strict=True):
        table.add_row(name, words)
    return table


def _table(part: Grid) -> Table:
    table = Table(box=UNDERLINED, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for n, column in enumerate(part.columns):
        cells = [row[n] for rows in part.groups.values() for row in rows]
        _add_column(table, column, [column.heading, *cells])
    for n, (group, rows) in enumerate(part.groups.items()):
        if n:
            table.add_row()
        if group:
            table.add_row(group, style="bold")
        for row in rows:
            table.add_row(*row)
    return table


def _add_column(table: Table, column: Column, cells: Sequence[str]) -> None:
    table.add_column(
        column.heading,
        justify="right" if column.right else "left",
        no_wrap=not column.width,
        min_width=min(_widest(cells), READABLE) if column.width else _widest(cells),
        max_width=column.width or None,
        overflow="fold",
    )


def _widest(cells: Sequence[str]) -> int:
    return max(map(cell_len, cells))


def spread(rows: Sequence[Bin]) -> str:
    """Results down the page, one bar each; what is next to never is told in a line."""
    shown = [n for n, row in enumerate(rows) if row.share >= RARE]
    kept = rows[shown[0] : shown[-1] + 1]
    beyond = 1 - sum(row.share for row in kept)
    most = max(row.share for row in kept)
    labels = [phrase("report.from-to", low=f"{row.low:,g}", high=f"{row.high:,g}") for row in kept]
    width = max(len(label) for label in labels)
    lines = [
        f"  {label:>{width}} {row.share:7.2%} {bar(row.share / most)}"
        for label, row in zip(labels, kept, strict=True)
    ]
    if beyond > RARE / 1000:
        lines.append(f"  {phrase('report.beyond'):>{width}} {beyond:9.4%}")
    return "\n".join(lines)


def bar(share: float) -> str:
    """A bar of blocks, an eighth of a block fine."""
    eighths = round(share * BAR_WIDTH * 8)
    return EIGHTHS[8] * (eighths // 8) + (EIGHTHS[eighths % 8].strip() if eighths % 8 else "")
