"""`boxman replay`: run a transcript, check what it states, write what followed.

With a journal instead of a transcript: what its rows say, or the table after one of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from boxman.cli.errors import UserError

if TYPE_CHECKING:
    from boxman.journal.row import Row
    from boxman.table.state import Table


def replay(
    file: Annotated[
        str | None,
        typer.Argument(help="A transcript or an exported journal; - for standard input."),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON object per call, a line each.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Print nothing unless a line differs.")
    ] = False,
    table: Annotated[str, typer.Option(help="A table of a journal, with --database.")] = "",
    at: Annotated[
        int | None, typer.Option(help="With a journal: the table after this row.", min=1)
    ] = None,
    database: Annotated[
        str,
        typer.Option(
            help="The journal: a file (boxman.db), or postgresql://...",
            envvar="BOXMAN_DATABASE",
            metavar="WHERE",
        ),
    ] = "",
) -> None:
    """Run a transcript; exit 1 at the first line that differs from what it states.

    With --table and --database, or an exported journal: its rows, or the table after row --at.
    """
    if file is None or _is_export(file):
        _journal(file, database, table, at, json)
        return
    if table or at is not None:
        raise UserError(
            "--table and --at are for a journal: give --database WHERE or an exported file"
        )
    _transcript(file, json, quiet)


def _transcript(file: str, json: bool, quiet: bool) -> None:
    from boxman.rules.book import BookError
    from boxman.table.record import as_json
    from boxman.table.transcript import Transcript, write_result
    from boxman.table.words import NotationError

    transcript = Transcript()
    write = sys.stdout.write
    for text in _lines(file):
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
            write(write_result(result) + "\n")
        if result.difference is not None:
            difference = result.difference
            sys.stdout.flush()
            typer.echo(
                f"{file}:{difference.number}: {difference.problem}\n"
                f"  line:     {difference.text.strip()}\n  followed: {difference.followed}",
                err=True,
            )
            raise typer.Exit(1)
    if transcript.number == 0:
        raise UserError(f"{file} is empty; the first line opens a table: house NAME")


def _lines(file: str) -> Iterator[str]:
    """The lines of a file, read as they are needed."""
    try:
        if file == "-" and sys.stdin is None:
            raise UserError("- cannot be read: standard input is closed")
        if file == "-":
            for line in sys.stdin.buffer:
                yield line.decode("utf-8-sig").rstrip("\r\n")
            return
        with open(file, encoding="utf-8-sig") as lines:
            for line in lines:
                yield line.rstrip("\r\n")
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{file} cannot be read: it is not UTF-8 text") from None


# -- journals ----------------------------------------------------------------------------------


def _is_export(file: str) -> bool:
    """Whether a file is an exported journal and not a transcript."""
    from boxman.journal.export import is_export

    if file == "-":
        return False
    try:
        with open(file, "rb") as start:
            return is_export(start.read(64))
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}") from None


def _journal(file: str | None, database: str, table: str, at: int | None, json: bool) -> None:
    from boxman.cli.journal import exported, found, opened, told
    from boxman.journal.export import export, read_rows
    from boxman.journal.fold import restore

    if file is not None:
        with told(), exported(file) as lines:
            _write_rows(read_rows(lines), at, json)
        return
    if not table:
        raise UserError("what is to be replayed? give a FILE, or --table T of a journal")
    with opened(found(database)) as journal:
        if at is None:
            next(export(journal, table))  # says so if there is no such table
            _write_rows(journal.rows(table), at, json)
            return
        before = restore(journal, table, max(1, at - 1))
        if before is None:
            next(export(journal, table))
            return
        rows = list(journal.rows(table, at - 1, 1))
        if not rows:
            raise UserError(f"{table} has {before.head.number} rows; there is no row {at}")
        _write_one(before.opening, before.table, rows[0], json)


def _write_rows(rows: Iterator[Row], at: int | None, json: bool) -> None:
    from boxman.journal.codec import canonical
    from boxman.journal.fold import after, opened
    from boxman.journal.scribe import Scribe

    if at is not None:
        opening, table, last = None, None, 0
        for row in rows:
            if opening is None or table is None:
                opening, table = row, opened(row)
            elif row.number < at:
                table = after(table, row.ruling)
            if row.number == at:
                _write_one(opening, table, row, json)
                return
            last = row.number
        raise UserError(f"there are {last} rows; there is no row {at}")
    scribe = Scribe()
    for row in rows:
        sys.stdout.write((canonical(row).decode() if json else scribe.line(row)) + "\n")
    if scribe.unwritten:
        numbers = ", ".join(map(str, scribe.unwritten[:10]))
        typer.echo(f"rows that do not replay by the present rules: {numbers}", err=True)
        raise typer.Exit(1)


def _write_one(opening: Row, before: Table, row: Row, json: bool) -> None:
    """One row, and the table after it."""
    from boxman.chips import format_amount as money
    from boxman.journal.codec import canonical
    from boxman.journal.fold import after
    from boxman.journal.scribe import told

    table = before if row.number == 1 else after(before, row.ruling)
    if json:
        typer.echo(canonical({"row": row, "table": table}).decode())
        return
    typer.echo(f"row {row.number}: {told(opening, before, row)}")
    typer.echo(f"  puck {f'ON {table.puck}' if table.puck else 'OFF'}, {table.phase}")
    typer.echo(f"  rolls {table.rolls}, shooter {table.hand.shooter or 'nobody'}")
    for seat in table.seats.values():
        up = ", ".join(
            f"{wager.spot} {money(wager.stake)}{f' ({wager.marker})' if wager.marker else ''}"
            for wager in seat.wagers.values()
        )
        typer.echo(f"  {seat.name}: rail {money(seat.rail)}; {up or 'nothing up'}")
    typer.echo(f"  bank {money(table.bank)}, hash {row.hash}")
