"""`boxman export`, `verify`, `audit` and `seal`: the journal from outside, for an inspector.

A journal is read from a database (a file or postgresql://...) or from an exported file; nothing
here changes one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from boxman.cli.errors import UserError

if TYPE_CHECKING:
    from boxman.journal.store import Journal
    from boxman.journal.verify import Verified

Database = Annotated[
    str,
    typer.Option(
        help="The journal: a file (boxman.db), or postgresql://...",
        envvar="BOXMAN_DATABASE",
        metavar="WHERE",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="JSON, one object a line.")]
Output = Annotated[
    str, typer.Option("--output", "-o", help="The file to write; - for standard output.")
]


@contextmanager
def told() -> Iterator[None]:
    """Whatever is wrong with a journal, as one message."""
    from boxman.journal.row import JournalError

    try:
        yield
    except JournalError as error:
        raise UserError(str(error)) from None


USUAL = "boxman.db"
"""Where `boxman serve` keeps its journal unless told otherwise."""


def found(database: str) -> str:
    """The journal meant: the one named, or the usual one if it is here."""
    if database:
        return database
    if not os.path.exists(USUAL):
        raise UserError(
            "which journal? give --database WHERE, or an exported FILE where one is read"
        )
    return USUAL


@contextmanager
def opened(database: str) -> Iterator[Journal]:
    """A journal for reading only."""
    from boxman.journal.open import open_journal

    with told():
        journal = open_journal(database, read_only=True)
        try:
            yield journal
        finally:
            journal.close()


@contextmanager
def exported(file: str) -> Iterator[Iterator[bytes]]:
    """The lines of an exported file."""
    try:
        if file == "-":
            yield iter(sys.stdin.buffer)
        else:
            with open(file, "rb") as lines:
                yield iter(lines)
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}") from None


@contextmanager
def sources(file: str | None, database: str, table: str) -> Iterator[Iterator[Iterator[bytes]]]:
    """The lines of a file, or of one or every table of a database."""
    from boxman.journal.export import export

    if file is not None:
        with told(), exported(file) as lines:
            yield iter([lines])
        return
    with opened(found(database)) as journal:
        names = [table] if table else journal.tables()
        if not names:
            raise UserError("there are no tables in this journal")
        yield (export(journal, name) for name in names)


@contextmanager
def _written(output: str) -> Iterator[BinaryIO]:
    if output == "-":
        yield sys.stdout.buffer
        return
    try:
        with open(output, "wb") as out:
            yield out
    except OSError as error:
        raise UserError(f"{output} cannot be written: {error.strerror or error}") from None


def export(
    table: Annotated[str, typer.Argument(help="The table.")],
    database: Database = "",
    form: Annotated[
        str, typer.Option("--format", help="jsonl: every byte, for verify; craps: the notation.")
    ] = "jsonl",
    output: Output = "-",
) -> None:
    """Write the journal of a table: JSON lines that verify checks, or a transcript that replays."""
    from boxman.journal.export import export as lines_of
    from boxman.journal.scribe import Scribe

    if form not in ("jsonl", "craps"):
        raise UserError(f"a journal is exported as jsonl or craps, not {form}")
    with opened(found(database)) as journal:
        lines = lines_of(journal, table)
        first = next(lines)
        with _written(output) as out:
            if form == "jsonl":
                out.write(first)
                out.writelines(lines)
                return
            scribe = Scribe()
            for text in scribe.write(journal.rows(table)):
                out.write(text.encode() + b"\n")
    if scribe.unwritten:
        numbers = ", ".join(map(str, scribe.unwritten[:10]))
        typer.echo(f"rows that do not replay by the present rules: {numbers}", err=True)
        raise typer.Exit(1)


def verify(
    file: Annotated[str | None, typer.Argument(help="An exported journal; - reads it.")] = None,
    database: Database = "",
    table: Annotated[str, typer.Option(help="One table of the database; else all.")] = "",
    seals: Annotated[str, typer.Option(help="A file of seals kept outside the house.")] = "",
    key: Annotated[str, typer.Option(help="The file with the house's public key.")] = "",
    json: AsJson = False,
) -> None:
    """Check that no row was changed, dropped, moved, repeated or cut; exit 1 if one was."""
    from boxman.journal.seal import read_public, read_seals
    from boxman.journal.verify import verify as check

    with told():
        if bool(seals) != bool(key):
            raise UserError("seals are checked with --seals FILE and --key FILE together")
        kept = []
        if seals:
            with exported(seals) as lines:
                kept = read_seals(lines, seals)
        public = read_public(key) if key else ""
        with sources(file, database, table) as every:
            found = [check(lines, kept, public) for lines in every]
    for verified in found:
        _tell(verified, bool(seals), json)
    if not all(verified.sound for verified in found):
        raise typer.Exit(1)


def _tell(verified: Verified, sealed: bool, json: bool) -> None:
    from boxman.journal.codec import canonical

    if json:
        typer.echo(canonical(verified).decode())
        return
    for problem in verified.problems:
        typer.echo(f"{verified.table}: {problem.text}")
    parts = [f"{verified.rows} rows"]
    if sealed:
        parts.append(f"{verified.seals} seals")
    if verified.throws:
        parts.append(f"{verified.throws} throws proved")
    state = "sound" if verified.sound else "NOT SOUND"
    typer.echo(f"{verified.table}: {state} ({', '.join(parts)}), head {verified.head.hash}")


def audit(
    file: Annotated[str | None, typer.Argument(help="An exported journal; - reads it.")] = None,
    database: Database = "",
    table: Annotated[str, typer.Option(help="One table of the database; else all.")] = "",
    json: AsJson = False,
) -> None:
    """Rule on every call again with the present rules; exit 1 if a ruling would differ."""
    from boxman.journal.audit import Audit
    from boxman.journal.codec import canonical
    from boxman.journal.export import read_rows

    differs = False
    with sources(file, database, table) as every:
        for lines in every:
            seen, name = Audit(), ""
            for row in read_rows(lines):
                name = row.table
                found = seen.look(row)
                if found is not None and json:
                    typer.echo(canonical(found).decode())
                elif found is not None:
                    typer.echo(
                        f"{name}: row {found.number}: {found.what}: {found.text}\n"
                        f"  then: {found.journal}\n  now:  {found.now}"
                    )
            differs = differs or seen.disagreements > 0
            if json:
                summary = {
                    "table": name,
                    "rows": seen.rows,
                    "ruled_again": seen.ruled,
                    "disagreements": seen.disagreements,
                    "other_editions": seen.editions,
                }
                typer.echo(canonical(summary).decode())
                continue
            for edition, number in seen.editions.items():
                typer.echo(f"{name}: from row {number} ruled by another rulebook ({edition[:12]})")
            typer.echo(
                f"{name}: {seen.ruled} of {seen.rows} rows ruled again, "
                f"{seen.disagreements} disagreements"
            )
    if differs:
        raise typer.Exit(1)


def seal(
    table: Annotated[str | None, typer.Argument(help="The table; else all.")] = None,
    database: Database = "",
    key: Annotated[str, typer.Option(help="The file with the house's private key.")] = "house.key",
    create: Annotated[bool, typer.Option("--create", help="Make the key first.")] = False,
    public: Annotated[bool, typer.Option("--public", help="Write the public key instead.")] = False,
    output: Output = "-",
) -> None:
    """Sign where the chains of the tables stand, for an inspector to keep outside the house."""
    from time import time_ns

    from boxman.journal.seal import HouseKey, write_seal

    with told():
        house = HouseKey.create(key) if create else HouseKey.load(key)
    if public or (create and not database):
        with _written(output) as out:
            out.write(house.public.encode() + b"\n")
        return
    with opened(found(database)) as journal:
        names = journal.tables() if table is None else [table]
        heads = {name: journal.head(name) for name in names}
    for name, head in heads.items():
        if not head.number:
            raise UserError(f"there is no table {name} in this journal")
    with _written(output) as out:
        for name, head in heads.items():
            out.write(write_seal(house.seal(name, head, time_ns() // 1_000_000)))
