"""`boxman replay`: run a transcript, check what it states, write what followed.

With a journal instead of a transcript: what its rows say, or the table after one of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from boxman.cli.errors import UserError, on_one_line, shown
from boxman.words import phrase

if TYPE_CHECKING:
    from boxman.journal.editions import Texts
    from boxman.journal.row import Row
    from boxman.table.state import Table


def replay(
    file: Annotated[
        str | None,
        typer.Argument(),
    ] = None,
    json: Annotated[bool, typer.Option("--json")] = False,
    quiet: Annotated[bool, typer.Option("--quiet")] = False,
    words: Annotated[bool, typer.Option("--words")] = False,
    every: Annotated[bool, typer.Option("--all")] = False,
    table: Annotated[str, typer.Option()] = "",
    at: Annotated[int | None, typer.Option(min=1)] = None,
    database: Annotated[
        str,
        typer.Option(
            envvar="BOXMAN_DATABASE",
            metavar="WHERE",
        ),
    ] = "",
) -> None:
    """Run a transcript and stop at the first line that differs.

    The exit code is 1 if a line does not say what followed: codes, clauses, chips. A sentence that
    is quoted and reads otherwise now is a warning, and a difference with --words. With --table and
    --database, or an exported journal: show its rows, or the table as it was after row --at.
    """
    if file is None:
        _journal(database, table, at, json)
        return
    if every:
        if table or at is not None:
            raise UserError(phrase("cli.replay.table-and-at-are"))
        _folder(file, json, words)
        return
    from boxman.cli.journal import exported, told
    from boxman.journal.export import is_export, read_rows

    with exported(file) as lines:
        first = next(lines, b"")  # looked at once and read once: it may be a pipe
        whole = chain([first] if first else [], lines)
        if is_export(first):
            with told():
                texts: dict[str, str] = {}
                _write_rows(read_rows(whole, texts), at, json, texts.get)
            return
        if table or at is not None:
            raise UserError(phrase("cli.replay.table-and-at-are"))
        _transcript(file, whole, json, quiet, words)


def _folder(folder: str, json: bool, words: bool) -> None:
    """Every transcript of a folder, each to its end or its first difference."""
    from pathlib import Path

    from boxman.cli.journal import exported

    files = [str(path) for path in sorted(Path(folder).glob("*.craps"))]
    if not files:
        raise UserError(phrase("check.none", folder=folder))
    differ = 0
    for file in files:
        try:
            with exported(file) as lines:
                _transcript(file, lines, json, quiet=True, words=words)
        except UserError as error:
            typer.echo(str(error), err=True)
            differ += 1
        except typer.Exit:  # the difference has been told
            differ += 1
    if differ:
        typer.echo(phrase("check.differ", differ=differ, files=len(files)), err=True)
        raise typer.Exit(1)
    typer.echo(phrase("check.all", files=len(files)), err=json)


def _transcript(file: str, lines: Iterator[bytes], json: bool, quiet: bool, words: bool) -> None:
    from boxman.rules.book import BookError
    from boxman.table.lines.words import NotationError
    from boxman.table.said.record import as_json
    from boxman.table.said.transcript import Transcript, write_result

    transcript = Transcript(words)
    transcript.folder = "" if file == "-" else os.path.dirname(os.path.abspath(file))
    write = sys.stdout.write
    for text in _decoded(file, lines):
        try:
            result = transcript.play(text)
        except NotationError as error:
            raise UserError(f"{file}:{transcript.number}:{error.column}: {error.problem}") from None
        except BookError as error:
            raise UserError(f"{file}:{transcript.number}: {error}") from None
        if json:
            for row in as_json(transcript.layout, transcript.table, result):
                write(row.decode() + "\n")
        elif not quiet:
            write(shown(write_result(result)) + "\n")
        if result.reworded:
            sys.stdout.flush()
            typer.echo(
                phrase("cli.replay.warning", place=f"{file}:{result.number}", what=result.reworded),
                err=True,
            )
        if result.difference is not None:
            difference = result.difference
            sys.stdout.flush()
            typer.echo(
                phrase(
                    "cli.replay.difference",
                    place=f"{file}:{difference.number}",
                    problem=difference.problem,
                    line=difference.text.strip(),
                    followed=difference.followed,
                ),
                err=True,
            )
            raise typer.Exit(1)
    if transcript.number == 0:
        raise UserError(phrase("cli.replay.is-empty-the-first", file=file))


def _decoded(file: str, lines: Iterator[bytes]) -> Iterator[str]:
    """The lines of a transcript as text."""
    encoding = "utf-8-sig"
    for line in lines:
        # The first lines of a picture or a program may be UTF-8 by chance.
        together = line + next(lines, b"") if b"\0" in line else line
        try:
            text = together.decode(encoding)
        except UnicodeDecodeError:
            raise UserError(phrase("cli.replay.cannot-be-read-it", file=file)) from None
        for each in text.split("\n")[: together.count(b"\n") or 1]:
            yield each.rstrip("\r\n")
        encoding = "utf-8"


# -- journals ----------------------------------------------------------------------------------


def _journal(database: str, table: str, at: int | None, json: bool) -> None:
    from boxman.cli.journal import found, opened
    from boxman.journal.export import export
    from boxman.journal.fold import restore

    if not table:
        raise UserError(phrase("cli.replay.what-is-to-be"))
    with opened(found(database)) as journal:
        if at is None:
            next(export(journal, table))  # says so if there is no such table
            _write_rows(journal.rows(table), at, json, journal.edition)
            return
        before = restore(journal, table, max(1, at - 1))
        if before is None:
            next(export(journal, table))
            return
        rows = list(journal.rows(table, at - 1, 1))
        if not rows:
            raise UserError(
                phrase(
                    "cli.replay.has-rows-there-is", table=table, number=before.head.number, at=at
                )
            )
        _write_one(before.opening, before.table, rows[0], json, journal.edition)


def _write_rows(rows: Iterator[Row], at: int | None, json: bool, texts: Texts) -> None:
    from boxman.journal.codec import canonical
    from boxman.journal.fold import after, opened
    from boxman.journal.scribe import Scribe

    if at is not None:
        opening, table, last = None, None, 0
        for row in rows:
            if opening is None or table is None:
                opening, table = row, opened(row)
            elif row.number < at:
                table = after(table, row)
            if row.number == at:
                _write_one(opening, table, row, json, texts)
                return
            last = row.number
        raise UserError(phrase("cli.replay.there-are-rows-there", last=last, at=at))
    scribe = Scribe(texts)
    for row in rows:
        text = canonical(row).decode() if json else on_one_line(scribe.line(row))
        sys.stdout.write(text + "\n")
    if scribe.unwritten:
        numbers = ", ".join(map(str, scribe.unwritten[:10]))
        typer.echo(phrase("cli.replay.rows-that-do-not", numbers=numbers), err=True)
        raise typer.Exit(1)


def _write_one(opening: Row, before: Table, row: Row, json: bool, texts: Texts) -> None:
    """One row, and the table after it."""
    from boxman.chips import format_amount as money
    from boxman.journal.codec import canonical
    from boxman.journal.fold import after
    from boxman.journal.scribe import told
    from boxman.report.parts import Facts, Part, Sentence
    from boxman.report.terminal import text
    from boxman.table.said.sketch import puck_words, seats_up

    table = before if row.number == 1 else after(before, row)
    if json:
        typer.echo(canonical({"row": row, "table": table}).decode())
        return
    facts = [
        ("puck", f"{puck_words(table)}, {table.phase}"),
        ("rolls", f"{table.rolls}"),
        ("shooter", table.hand.shooter or "nobody"),
        ("bank", money(table.bank)),
        ("hash", row.hash),
    ]
    what = on_one_line(told(opening, before, row, texts))
    parts: list[Part] = [
        Sentence(phrase("cli.replay.row", number=row.number, texts=what)),
        Facts(facts),
    ]
    typer.echo(shown(text([*parts, seats_up(table)] if table.seats else parts, plain=True)))
