"""`boxman replay`: run a transcript, check what it states, write what followed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from boxman.cli.errors import UserError


def replay(
    file: Annotated[str, typer.Argument(help="A transcript, or - for standard input.")],
    json: Annotated[
        bool, typer.Option("--json", help="One JSON object per call, a line each.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Print nothing unless a line differs.")
    ] = False,
) -> None:
    """Run a transcript; exit 1 at the first line that differs from what it states."""
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
