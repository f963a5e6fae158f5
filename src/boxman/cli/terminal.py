"""`boxman play --terminal`: it takes lines of the notation and shows every ruling."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING

import typer

from boxman.cli.errors import UserError, read_settings

if TYPE_CHECKING:
    from boxman.rules.layout import Layout
    from boxman.table.menu import Choice
    from boxman.table.state import Table
    from boxman.table.transcript import Result, Transcript

HELP = """\
A line is a call in the notation. Without a name it is yours, so these are the same:
    bets 10 pass            you bets 10 pass
More: takes down place.6 | lowers place.6 to 6 | calls place.6 on | keeps place.6 up
      ann buys in 200       a friend sits down; ann bets 10 field
Words: roll (throw the dice) | roll 4-2 | menu [spot] | table | signs | why | book CLAUSE
       help | quit"""

YOU = "you"
_VERBS = ("bets", "bet", "takes", "lowers", "calls", "keeps", "lets", "buys", "cashes")


def terminal(
    house: str | None, chip: str, limits: str, rail: str, settings: list[str] | None
) -> None:
    """Sit down at a practice table in the terminal."""
    from boxman.rules.book import houses
    from boxman.table.transcript import Transcript
    from boxman.table.words import NotationError

    transcript = Transcript()
    house = house or houses()[0]
    quoted = f'"{house}"' if " " in house else house
    chosen = " ".join(
        f"set {n}={v.replace(' to ', '-to-')}" for n, v in read_settings(settings or []).items()
    )
    for line in (f"house {quoted} chip {chip} limits {limits} {chosen}", f"{YOU} buys in {rail}"):
        try:
            result = transcript.play(line)
        except NotationError as error:
            raise UserError(f"{line}: {error.problem}") from None
        if result.ruling is not None and result.ruling.refusal is not None:
            refusal = result.ruling.refusal
            raise UserError(f"{refusal.sentence}; {refusal.remedy}")
    layout, table = _at(transcript)
    typer.echo(f"{layout.title}. Type help for help, quit to leave.")
    _show_table(layout, table)
    _loop(transcript, house)


def _at(transcript: Transcript) -> tuple[Layout, Table]:
    """The open table."""
    assert transcript.layout is not None
    assert transcript.table is not None
    return transcript.layout, transcript.table


def _loop(transcript: Transcript, house: str) -> None:
    from boxman.rules.book import BookError
    from boxman.table.transcript import write_result
    from boxman.table.words import NotationError

    last: Result | None = None
    while True:
        try:
            line = input("> ") if sys.stdin.isatty() else next(sys.stdin)
        except (EOFError, KeyboardInterrupt, StopIteration):
            break
        except UnicodeDecodeError:
            typer.echo("  that line is not UTF-8 text; type help for help")
            continue
        words = line.split()
        if not words:
            continue
        if words[0] in ("quit", "exit", "q"):
            break
        if _word(transcript, house, words, last):
            continue
        if words[0] == "house":
            typer.echo("  this table is open; quit and play another house")
            continue
        try:
            last = transcript.play(_as_call(words, line))
        except NotationError as error:
            typer.echo(f"  {error.problem} (column {error.column}); type help for help")
            continue
        except BookError as error:
            typer.echo(f"  {error}")
            continue
        typer.echo(f"  {write_result(last)}")
        if last.ruling is not None and last.ruling.refusal is not None:
            typer.echo(f"  {last.ruling.refusal.remedy}")
        _show_table(*_at(transcript))
    typer.echo("Thank you for playing.")


def _as_call(words: list[str], line: str) -> str:
    """The notation for what was typed."""
    if words[0] == "roll":
        dice = " ".join(words[1:]) or f"{_die()}-{_die()}"
        return f"stick calls {dice}"
    if words[0] in _VERBS:
        verb = "bets" if words[0] == "bet" else words[0]
        return f"{YOU} {verb} {line.strip()[len(words[0]) :].strip()}"
    return line


def _die() -> int:
    return secrets.randbelow(6) + 1


def _word(transcript: Transcript, house: str, words: list[str], last: Result | None) -> bool:
    """Answer a word that is not a call; False if it is one."""
    from boxman.rules.book import read_book

    layout, table = _at(transcript)
    if words[0] == "help":
        typer.echo(HELP)
    elif words[0] == "table":
        _show_table(layout, table)
    elif words[0] == "menu":
        _show_menu(layout, table, words[1] if len(words) > 1 else "")
    elif words[0] == "book" and len(words) > 1:
        try:
            clause = read_book(house).clause(" ".join(words[1:]).strip("{}"))
            typer.echo(f"  {{{clause.id}}} {clause.title}\n  {clause.text}")
        except KeyError as error:
            typer.echo(f"  {error.args[0]}")
    elif words[0] == "signs":
        from boxman.table.signs import signs

        for sign in signs(layout, table):
            typer.echo(f"  {sign.text}" + "".join(f" {{{cite}}}" for cite in sign.cites))
    elif words[0] == "why":
        _why(house, layout, last)
    else:
        return False
    return True


def _why(house: str, layout: Layout, last: Result | None) -> None:
    from boxman.rules.book import read_book
    from boxman.table.explain import explain
    from boxman.table.rulings import Ruling

    if last is None or not isinstance(last.ruling, Ruling):
        typer.echo("  nothing has been ruled yet")
        return
    typer.echo(explain(read_book(house), layout, last.ruling))


def _show_table(layout: Layout, table: Table) -> None:
    from boxman.chips import format_amount as money

    puck = f"ON {table.puck}" if table.puck else "OFF"
    typer.echo(f"  puck {puck}")
    for seat in table.seats.values():
        up = ", ".join(
            f"{wager.spot} {money(wager.stake)}{f' ({wager.marker})' if wager.marker else ''}"
            for wager in seat.wagers.values()
        )
        typer.echo(f"  {seat.name}: rail {money(seat.rail)}; {up or 'nothing up'}")


def _show_menu(layout: Layout, table: Table, spot: str) -> None:
    from boxman.table.menu import menu

    if YOU not in table.seats:
        typer.echo(f"  {YOU} has left the table; {YOU} buys in first")
        return
    listed = menu(layout, table, YOU).choices
    chosen = [c for c in listed.values() if not spot or c.spot.startswith(spot)]
    if not chosen:
        typer.echo(f"  nothing to do with {spot or 'any spot'} now")
    for choice in chosen:
        typer.echo(f"  {choice.spot:<18} {choice.name:<34} {_menu_line(choice)}")


def _menu_line(choice: Choice) -> str:
    from boxman.chips import format_amount as money

    parts = []
    if choice.bet:
        ranges = [
            money(low) if low == high else f"{money(low)}-{money(high)} by {money(step)}"
            for low, high, step in choice.bet
        ]
        parts.append(f"bet {' or '.join(ranges)}")
    if choice.take_down:
        parts.append("take down")
    if choice.lower:
        parts.append("lower")
    parts += [f"call {call}" for call in choice.calls]
    if choice.keep is not None:
        parts.append("keep up" if choice.keep else "let go")
    return "; ".join(parts)
