"""`boxman export`, `verify`, `audit`, `seal`, `settle`, `backup`, `restore`: journals from outside.

A journal is read from a database (a file or postgresql://...) or from an exported file; nothing
here changes one, but for the last settlement of a table without rules.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from boxman.cli.errors import UserError, on_one_line
from boxman.words import phrase

if TYPE_CHECKING:
    from collections import Counter

    from boxman.journal.audit import Disagreement
    from boxman.journal.store import Journal
    from boxman.journal.verify import Verified
    from boxman.table.differences import DifferenceKind

Database = Annotated[
    str,
    typer.Option(
        envvar="BOXMAN_DATABASE",
        metavar="WHERE",
    ),
]
AsJson = Annotated[bool, typer.Option("--json")]
Output = Annotated[str, typer.Option("--output", "-o")]


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
        raise UserError(phrase("cli.journal.which-journal-give-database"))
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
    """The lines of a file, each read once; no line of ours is as long as `LONGEST`."""
    try:
        if file == "-" and sys.stdin is None:
            raise UserError(phrase("cli.journal.cannot-be-read-standard"))
        if file == "-":
            yield _lines(file, sys.stdin.buffer)
        else:
            with open(file, "rb") as lines:
                yield _lines(file, lines)
    except OSError as error:
        raise UserError(
            phrase("cli.journal.cannot-be-read", file=file, strerror=error.strerror)
        ) from None


LONGEST = 1 << 24
"""Bytes of the longest line that is read."""


def _lines(file: str, stream: BinaryIO) -> Iterator[bytes]:
    number = 0
    while line := stream.readline(LONGEST):
        number += 1
        if len(line) == LONGEST and not line.endswith(b"\n"):
            raise UserError(
                phrase(
                    "cli.journal.the-line-is-longer",
                    file=file,
                    number=number,
                    longest=LONGEST >> 20,
                )
            )
        yield line


@contextmanager
def sources(file: str | None, database: str, table: str) -> Iterator[Iterator[Iterator[bytes]]]:
    """The lines of a file, or of one or every table of a database."""
    from boxman.journal.export import export

    if file is not None:
        with told(), exported(file) as lines:
            yield iter([lines])
        return
    with opened(found(database)) as journal:
        names = [table] if table else tables_of(journal)
        yield (export(journal, name) for name in names)


def tables_of(journal: Journal) -> list[str]:
    """Every table of a journal that has some."""
    names = journal.tables()
    if not names:
        raise UserError(phrase("cli.journal.there-are-no-tables"))
    return names


@contextmanager
def _written(output: str) -> Iterator[BinaryIO]:
    if output == "-":
        yield sys.stdout.buffer
        return
    try:
        with open(output, "wb") as out:
            yield out
    except OSError as error:
        raise UserError(
            phrase("cli.journal.cannot-be-written", output=output, strerror=error.strerror or error)
        ) from None


def export(
    table: Annotated[str, typer.Argument()],
    database: Database = "",
    form: Annotated[
        str,
        typer.Option("--format"),
    ] = "jsonl",
    output: Output = "-",
) -> None:
    """Write the journal of a table to a file.

    As JSON lines, which verify checks, or as a transcript, which replays. The rulebook goes with
    it: in the lines, or beside a transcript if it is not the one that its house has now.
    """
    from boxman.journal.export import export as lines_of
    from boxman.journal.scribe import Scribe, beside

    if form not in ("jsonl", "craps"):
        raise UserError(phrase("cli.journal.a-journal-is-exported", form=form))
    with opened(found(database)) as journal:
        lines = lines_of(journal, table)
        first = next(lines)
        with _written(output) as out:
            if form == "jsonl":
                out.write(first)
                out.writelines(lines)
                return
            scribe = Scribe(journal.edition)
            rulebook = beside(journal, table)
            if rulebook is not None:
                scribe.house = rulebook[0]
                _beside(output, *rulebook)
            for text in scribe.write(journal.rows(table)):
                out.write(text.encode() + b"\n")
    if scribe.unwritten:
        numbers = ", ".join(map(str, scribe.unwritten[:10]))
        typer.echo(phrase("cli.journal.rows-that-do-not", numbers=numbers), err=True)
        raise typer.Exit(1)


def _beside(output: str, name: str, text: str) -> None:
    """Write the rulebook of a transcript into the folder where it is written."""
    if output == "-":
        typer.echo(
            phrase("cli.journal.this-replays-with-the", name=name),
            err=True,
        )
        return
    with _written(os.path.join(os.path.dirname(output), name)) as out:
        out.write(text.encode())


def verify(
    file: Annotated[str | None, typer.Argument()] = None,
    database: Database = "",
    table: Annotated[str, typer.Option()] = "",
    seals: Annotated[str, typer.Option()] = "",
    key: Annotated[str, typer.Option()] = "",
    json: AsJson = False,
) -> None:
    """Check that no row of a journal was changed, lost or moved.

    The exit code is 1 if a row was changed, dropped, moved, repeated or cut.
    """
    from boxman.journal.seal import Seals, keys_of, read_public, read_seals
    from boxman.journal.verify import verify as check
    from boxman.journal.verify import verify_stored

    with told():
        if bool(seals) != bool(key):
            raise UserError(phrase("cli.journal.seals-are-checked-with"))
        kept, public = Seals(), frozenset[str]()
        if seals:
            with exported(seals) as lines:
                kept = read_seals(lines, seals)
            public = keys_of(read_public(key), kept.successions)
        if kept.torn:
            typer.echo(
                phrase("cli.journal.half-lines-are-passed", seals=seals, torn=kept.torn), err=True
            )
        if file is not None:
            with exported(file) as lines:
                verdicts = [check(lines, kept.seals, public)]
        else:
            with opened(found(database)) as journal:
                names = [table] if table else tables_of(journal)
                verdicts = [verify_stored(journal, name, kept.seals, public) for name in names]
    for verified in verdicts:
        _tell(verified, bool(seals), json)
    if not all(verified.sound for verified in verdicts):
        raise typer.Exit(1)


def _tell(verified: Verified, sealed: bool, json: bool) -> None:
    from boxman.journal.codec import canonical

    if json:
        typer.echo(canonical(verified).decode())
        return
    for problem in verified.problems:
        typer.echo(on_one_line(f"{verified.table}: {problem.text}"))
    for text in verified.for_inspector:
        told = phrase("cli.journal.for-the-inspector", table=verified.table, text=text)
        typer.echo(on_one_line(told))
    parts = [phrase("cli.journal.rows", rows=verified.rows)]
    if sealed:
        parts.append(phrase("cli.journal.seals", seals=verified.seals))
    if verified.rolls:
        parts.append(
            phrase(
                "cli.journal.rolls-proved-not",
                proved=verified.proved,
                rolls=verified.rolls - verified.proved,
            )
        )
    state = phrase("cli.journal.sound" if verified.sound else "cli.journal.not-sound")
    typer.echo(
        phrase(
            "cli.journal.head",
            table=on_one_line(verified.table),
            state=state,
            parts=", ".join(parts),
            hash=verified.head.hash,
        )
    )


def audit(
    file: Annotated[str | None, typer.Argument()] = None,
    database: Database = "",
    table: Annotated[str, typer.Option()] = "",
    now: Annotated[bool, typer.Option("--now")] = False,
    house: Annotated[list[str] | None, typer.Option("--house")] = None,
    json: AsJson = False,
) -> None:
    """Rule on every call again and compare the rulings.

    By the edition of the rulebook that the journal keeps. The exit code is 1 if chips, the table
    or the reason of a refusal would differ; clauses alone are told.
    """
    from boxman.journal.audit import Audit
    from boxman.journal.codec import canonical
    from boxman.journal.editions import no_texts
    from boxman.journal.export import read_rows
    from boxman.rules.book import add_houses

    add_houses(house or ())
    differs = False
    with sources(file, database, table) as every:
        for lines in every:
            texts: dict[str, str] = {}
            seen, name = Audit(no_texts if now else texts.get), ""
            for row in read_rows(lines, texts):
                name = on_one_line(row.table)
                found = seen.look(row)
                if found is not None and json:
                    typer.echo(canonical(found).decode())
            differs = differs or seen.grave > 0
            if json:
                summary = {
                    "table": name,
                    "rows": seen.rows,
                    "ruled_again": seen.ruled,
                    "disagreements": dict(seen.disagreements),
                    "other_editions": seen.editions,
                    "found_late": seen.found_late,
                }
                typer.echo(canonical(summary).decode())
                continue
            for alike in seen.groups.values():
                typer.echo(f"{name}: {_alike(alike)}")
            for edition, number in seen.editions.items():
                typer.echo(
                    phrase(
                        "cli.journal.from-row-ruled-by",
                        name=name,
                        number=number,
                        edition=on_one_line(edition[:12]),
                    )
                )
            for number, text in seen.found_late:
                late = on_one_line(text)
                typer.echo(
                    phrase("cli.journal.row-found-after-the", name=name, number=number, text=late)
                )
            typer.echo(
                phrase(
                    "cli.journal.of-rows-ruled-again",
                    name=name,
                    ruled=seen.ruled,
                    rows=seen.rows,
                    disagreements=seen.disagreements.total(),
                    disagreements_2=_counted(seen.disagreements),
                )
            )
    if differs:
        raise typer.Exit(1)


ROWS_NAMED = 12
"""Rows of one group that are named by their numbers."""


def _alike(found: list[Disagreement]) -> str:
    """Differences of one cause: the first of them, and in which rows the others are."""
    first = found[0]
    what, text, then, now = map(on_one_line, (first.what, first.text, first.journal, first.now))
    told = phrase("cli.journal.row", number=first.number, what=what, first=text)
    told += phrase("cli.journal.then-and-now", then=then, now=now)
    others = [str(each.number) for each in found[1 : ROWS_NAMED + 1]]
    if others:
        more = ", ..." if len(found) > len(others) + 1 else ""
        told += phrase(
            "cli.journal.and-so-in-more",
            n=len(found) - 1,
            others=", ".join(others),
            more=more,
        )
    return told


def _counted(kinds: Counter[DifferenceKind]) -> str:
    """How many of each kind, the gravest first."""
    words: dict[DifferenceKind, str] = {
        "table": phrase("cli.journal.money-or-table"),
        "code": phrase("cli.journal.reason"),
        "clauses": phrase("cli.journal.clauses-alone"),
    }
    told = [f"{kinds[kind]} {words[kind]}" for kind in words if kinds[kind]]
    return f" ({', '.join(told)})" if told else ""


def settle(
    table: Annotated[str, typer.Argument()],
    database: Database = "",
) -> None:
    """Give all chips of a table without rules back.

    For a table whose rulebook this Boxman cannot compile: every wager and every rail goes back to
    its owner, and the table is closed.
    """
    from time import time_ns

    from boxman.chips import format_amount as money
    from boxman.journal.open import open_existing
    from boxman.pit.live.settling import settle_up
    from boxman.table.state import CashedOut

    where = found(database)
    with told():
        journal = open_existing(where)
        try:
            row = settle_up(journal, table, time_ns() // 1_000_000)
        finally:
            journal.close()
    for made in row.ruling.decisions:
        if isinstance(made, CashedOut):
            typer.echo(phrase("cli.journal.gets", seat=made.seat, amount=money(made.amount)))
    typer.echo(phrase("cli.journal.is-settled-and-closed", table=table, number=row.number))


def seal(
    table: Annotated[str | None, typer.Argument()] = None,
    database: Database = "",
    key: Annotated[str, typer.Option()] = "house.key",
    create: Annotated[bool, typer.Option("--create")] = False,
    public: Annotated[bool, typer.Option("--public")] = False,
    accept: Annotated[str, typer.Option(metavar="SEALS")] = "",
    rotate: Annotated[str, typer.Option(metavar="SEALS")] = "",
    output: Output = "-",
) -> None:
    """Sign where the chains of the tables stand.

    An inspector keeps the seal outside the house, and verify --seals checks it.
    """
    from time import time_ns

    from boxman.journal.seal import HouseKey, append_line, read_seals, rotated, write_seal

    now = time_ns() // 1_000_000
    with told():
        house = HouseKey.create(key) if create else HouseKey.load(key)
        if rotate:
            typer.echo(rotated(key, rotate, now))
            return
    if public or (create and not database):
        with _written(output) as out:
            out.write(house.public.encode() + b"\n")
        return
    with opened(found(database)) as journal:
        names = journal.tables() if table is None else [table]
        if accept and table is None:
            with told(), exported(accept) as lines:
                names += [each.table for each in read_seals(lines, accept).seals]
        heads = {name: journal.head(name) for name in dict.fromkeys(names)}
    for name, head in heads.items():
        if not head.number and not accept:
            raise UserError(phrase("cli.journal.there-is-no-table", name=name))
    sealed = [write_seal(house.seal(name, head, now)) for name, head in heads.items()]
    if accept:
        with told():
            append_line(accept, b"".join(sealed))
        typer.echo(phrase("cli.journal.tables-are-accepted-as", n=len(sealed), accept=accept))
        return
    with _written(output) as out:
        out.writelines(sealed)


def backup(
    output: Annotated[str, typer.Option("--output", "-o")],
    database: Database = "",
) -> None:
    """Copy a journal whole while tables play."""
    from boxman.journal.open import DATABASES
    from boxman.pit.backroom.backup import back_up

    where = found(database)
    with told():
        back_up(where, output)
    if where.startswith(DATABASES):
        typer.echo(phrase("cli.journal.a-copy-by-pg", output=output))
        return
    rows, sound = _checked(output)
    typer.echo(
        phrase(
            "cli.journal.rows-2",
            output=output,
            rows=rows,
            what=phrase("cli.journal.sound")
            if sound
            else phrase("cli.journal.not-sound-see-boxman"),
        )
    )
    if not sound:
        raise typer.Exit(1)


def _checked(database: str) -> tuple[int, bool]:
    from boxman.journal.verify import verify_stored

    with opened(database) as journal:
        verdicts = [verify_stored(journal, name) for name in journal.tables()]
    return sum(each.rows for each in verdicts), all(each.sound for each in verdicts)


def restore(
    copy: Annotated[str, typer.Argument()],
    database: Annotated[str, typer.Option()],
    seals: Annotated[str, typer.Option()] = "",
    key: Annotated[str, typer.Option()] = "",
) -> None:
    """Put a backup in place and say what it lacks."""
    from boxman.journal.seal import Seal, Seals, genuine, keys_of, read_public, read_seals
    from boxman.journal.verify import verify_stored
    from boxman.pit.backroom.backup import forget_sessions, put_back

    if bool(seals) != bool(key):
        raise UserError(phrase("cli.journal.seals-are-checked-with"))
    with told():
        kept, public = Seals(), frozenset[str]()
        if seals:
            with exported(seals) as lines:
                kept = read_seals(lines, seals)
            public = keys_of(read_public(key), kept.successions)
        sealed: dict[str, list[Seal]] = {}
        for each in kept.seals:
            if genuine(each, public):
                sealed.setdefault(each.table, []).append(each)
        if seals and not sealed:
            raise UserError(phrase("cli.journal.none-of-the-seals", seals=seals, key=key))
        put_back(copy, database)
    wrong = False
    with opened(database) as journal:
        for name in dict.fromkeys([*tables_of(journal), *sealed]):
            head = journal.head(name)
            said = on_one_line(name)
            if head.number:
                verified = verify_stored(journal, name)
                wrong = wrong or not verified.sound
                state = phrase(
                    "cli.journal.sound" if verified.sound else "cli.journal.not-sound-see-boxman"
                )
                typer.echo(phrase("cli.journal.rows-3", name=said, rows=verified.rows, state=state))
            of_this = sealed.get(name, [])
            if of_this and head.number < of_this[-1].number:
                last = of_this[-1].number
                gone = last - head.number
                typer.echo(
                    phrase("cli.journal.rows-are-missing-that", name=said, gone=gone, number=last)
                )
            # The newest seal of a row that is here: others may be of rows that were given up.
            here = [each for each in of_this if 0 < each.number <= head.number]
            if here:
                entry = next(iter(journal.entries(name, here[-1].number - 1, 1)), None)
                if entry is None or entry.hash != here[-1].hash:
                    wrong, number = True, here[-1].number
                    typer.echo(phrase("cli.journal.row-is-not-the", name=said, number=number))
    with told():
        forget_sessions(database)
    typer.echo(phrase("cli.journal.everybody-signs-in-anew"))
    if not seals:
        typer.echo(phrase("cli.journal.whether-rows-are-missing"))
    if wrong:
        raise typer.Exit(1)
