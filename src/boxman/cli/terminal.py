"""`boxman play --terminal`: it takes lines of the notation and shows every ruling."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING

import typer

from boxman.cli.errors import UserError, read_settings
from boxman.words import phrase

if TYPE_CHECKING:
    from boxman.rules.layout import Layout
    from boxman.table.said.menu import Choice
    from boxman.table.said.transcript import PlayedLine, Transcript
    from boxman.table.state import Table

YOU = "you"


def terminal(
    house: str | None, chip: str, limits: str, rail: str, settings: list[str] | None
) -> None:
    """Sit down at a practice table in the terminal."""
    from boxman.rules.book import houses
    from boxman.table.lines.words import NotationError
    from boxman.table.said.transcript import Transcript

    transcript = Transcript()
    house = house or houses()[0]
    quoted = f'"{house}"' if " " in house else house
    chosen = " ".join(
        f"set {n}={v.replace(' to ', '-to-')}" for n, v in read_settings(settings or []).items()
    )
    for line in (
        f"house {quoted} chip {chip} limits {limits} {chosen}",
        f"{YOU} buys in {rail}",
    ):
        try:
            result = transcript.play(line)
        except NotationError as error:
            raise UserError(f"{line}: {error.problem}") from None
        if result.ruling is not None and result.ruling.refusal is not None:
            refusal = result.ruling.refusal
            raise UserError(f"{refusal.sentence}; {refusal.remedy}")
    layout, table = _at(transcript)
    typer.echo(phrase("cli.play.type-help-for-help", title=layout.title))
    _show_table(table)
    _loop(transcript, house)


def _at(transcript: Transcript) -> tuple[Layout, Table]:
    """The open table."""
    assert transcript.layout is not None
    assert transcript.table is not None
    return transcript.layout, transcript.table


def _loop(transcript: Transcript, house: str) -> None:
    from boxman.rules.book import BookError
    from boxman.table.lines.words import NotationError
    from boxman.table.said.transcript import write_result

    last: PlayedLine | None = None
    while True:
        try:
            if sys.stdin is None:
                raise EOFError
            line = input("> ") if sys.stdin.isatty() else next(sys.stdin)
        except (EOFError, KeyboardInterrupt, StopIteration):
            break
        except UnicodeDecodeError:
            typer.echo(phrase("cli.play.that-line-is-not"))
            continue
        words = line.split()
        if not words:
            continue
        if words[0] in ("quit", "exit", "q"):
            break
        if _word(transcript, house, words, last):
            continue
        if words[0] == "house":
            typer.echo(phrase("cli.play.this-table-is-open"))
            continue
        try:
            last = transcript.play(_as_call(words, line))
        except NotationError as error:
            typer.echo(
                phrase("cli.play.column-type-help-for", problem=error.problem, column=error.column)
            )
            continue
        except BookError as error:
            typer.echo(f"  {error}")
            continue
        typer.echo(f"  {write_result(last)}")
        if last.ruling is not None and last.ruling.refusal is not None:
            typer.echo(f"  {last.ruling.refusal.remedy}")
        _show_table(_at(transcript)[1])
    typer.echo(phrase("cli.play.thank-you-for-playing"))


def _as_call(words: list[str], line: str) -> str:
    """The notation for what was typed."""
    from boxman.table.lines.spoken import PLAYER_LINES

    if words[0] == "roll":
        dice = " ".join(words[1:]) or f"{_die()}-{_die()}"
        return f"stick calls {dice}"
    verb = "bets" if words[0] == "bet" else words[0]
    if verb in PLAYER_LINES:
        return f"{YOU} {verb} {line.strip()[len(words[0]) :].strip()}"
    return line


def _die() -> int:
    return secrets.randbelow(6) + 1


def _word(transcript: Transcript, house: str, words: list[str], last: PlayedLine | None) -> bool:
    """Answer a word that is not a call; False if it is one."""
    from boxman.rules.book import read_book

    layout, table = _at(transcript)
    if words[0] == "help":
        typer.echo(phrase("cli.play.help"))
    elif words[0] == "table":
        _show_table(table)
    elif words[0] == "menu":
        _show_menu(layout, table, words[1] if len(words) > 1 else "")
    elif words[0] == "book" and len(words) > 1:
        try:
            for clause in read_book(house).under(" ".join(words[1:]).strip("{}")):
                typer.echo(f"  {{{clause.id}}} {clause.title}\n  {clause.text}")
        except KeyError as error:
            typer.echo(f"  {error.args[0]}")
    elif words[0] == "signs":
        from boxman.table.floor.signs import signs

        for sign in signs(layout, table):
            typer.echo(f"  {sign.text}" + "".join(f" {{{cite}}}" for cite in sign.cites))
    elif words[0] == "why":
        _why(house, layout, last)
    else:
        return False
    return True


def _why(house: str, layout: Layout, last: PlayedLine | None) -> None:
    from boxman.rules.book import read_book
    from boxman.table.rulings import Ruling
    from boxman.table.said.explain import explain

    if last is None or not isinstance(last.ruling, Ruling):
        typer.echo(phrase("cli.play.nothing-has-been-ruled"))
        return
    typer.echo(explain(read_book(house), layout, last.ruling))


def _show_table(table: Table) -> None:
    from boxman.chips import format_amount as money
    from boxman.table.said.sketch import puck_words, wagers_up

    typer.echo(phrase("cli.play.puck", table=puck_words(table)))
    for seat in table.seats.values():
        typer.echo(
            phrase("cli.play.rail", seat=seat.name, rail=money(seat.rail), seat_2=wagers_up(seat))
        )


def _show_menu(layout: Layout, table: Table, spot: str) -> None:
    from boxman.report.parts import Column, Grid
    from boxman.report.terminal import text
    from boxman.table.said.menu import menu

    if YOU not in table.seats:
        typer.echo(phrase("cli.play.has-left-the-table", you=YOU))
        return
    listed = menu(layout, table, YOU).choices
    chosen = [c for c in listed.values() if not spot or c.spot.startswith(spot)]
    if not chosen:
        typer.echo(phrase("cli.play.nothing-to-do-with", spot=spot or phrase("cli.play.any-spot")))
        return
    columns = (
        Column("wager"),
        Column(phrase("cli.play.called-here"), width=34),
        Column(phrase("cli.play.you-may"), width=60),
    )
    rows = [(choice.spot, choice.name, _menu_line(choice)) for choice in chosen]
    typer.echo(text([Grid("", columns, {"": rows})]))


def _menu_line(choice: Choice) -> str:
    from boxman.chips import format_amount as money

    parts = []
    if choice.bet:
        ranges = [
            phrase("cli.play.range", low=money(low), high=money(high), step=money(step))
            if low < high
            else money(low)
            for low, high, step in choice.bet
        ]
        parts.append(phrase("cli.play.bet", ranges=ranges))
    if choice.take_down:
        parts.append(phrase("cli.play.take-down"))
    if choice.lower:
        parts.append(phrase("cli.play.lower"))
    parts += [phrase("cli.play.call", call=call) for call in choice.calls]
    if choice.keep is not None:
        parts.append(phrase("cli.play.keep-up") if choice.keep else phrase("cli.play.let-go"))
    return "; ".join(parts)
