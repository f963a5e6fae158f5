"""`boxman play`: a practice table with an automatic crew, in the browser or in the terminal."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boxman.cli.errors import UserError, proposed_limits, read_settings
from boxman.words import phrase

if TYPE_CHECKING:
    from boxman.pit.house import Casino

LONGEST = 60
"""Seconds for a table to open."""


def play(
    house: Annotated[str | None, typer.Argument()] = None,
    chip: Annotated[str, typer.Option("--chip")] = "1",
    limits: Annotated[str, typer.Option("--limits")] = "",
    rail: Annotated[str, typer.Option("--rail")] = "300",
    settings: Annotated[list[str] | None, typer.Option("--set")] = None,
    players: Annotated[int, typer.Option("--players", min=0, max=8)] = 0,
    shooter: Annotated[
        str,
        typer.Option("--shooter"),
    ] = "guest",
    pace: Annotated[float, typer.Option("--pace", min=0.0, max=10.0)] = 0.1,
    port: Annotated[int, typer.Option("--port")] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser")] = True,
    share: Annotated[bool, typer.Option("--share")] = False,
    terminal: Annotated[bool, typer.Option("--terminal")] = False,
) -> None:
    """Sit down at a practice table."""
    house = house or usual_house()
    limits = limits or proposed_limits(house, read_settings(settings or []), chip)
    if terminal:
        from boxman.cli.terminal import terminal as sit_down

        sit_down(house, chip, limits, rail, settings)
        return
    from boxman.cli.serve import address, read, run, shared

    house = by_id(house)
    wanted = table(house, chip, limits, rail, settings)
    wanted.update(players=players, shooter=shooter, pace=pace)
    given: dict[str, object] = {
        "port": port,
        "database": "memory:",
        "log": "warning",
        "idle_seat": 3600,
    }
    if share:
        given.update(shared(None))
    config = read(None, given)
    link = f"{address(config)}/table/{{table}}"
    token = f"?token={config.token}" if config.token else ""

    async def begin(house: Casino) -> None:
        import asyncio
        import threading

        from boxman.pit.people.links import table_token
        from boxman.pit.web.api.tables import open_practice

        try:
            async with asyncio.timeout(LONGEST):
                name = await open_practice(house, wanted)
        except TimeoutError:
            raise UserError(phrase("cli.play.the-table-is-not", longest=LONGEST)) from None
        there = link.format(table=name) + token
        typer.echo(phrase("cli.play.your-table-is-at", there=there))
        if config.token:
            friends = f"{link.format(table=name)}?token={table_token(config.token, name)}"
            typer.echo(phrase("cli.play.friends-on-this-network", friends=friends))
        sys.stdout.flush()
        if browser:
            import webbrowser

            # Some browsers give the hand back only when they are closed: the table goes on.
            threading.Thread(target=webbrowser.open, args=(there,), daemon=True).start()

    run(config, begin)


def usual_house() -> str:
    """The house somebody plays at: asked for once, at a terminal, and remembered."""
    from boxman.rules.book import all_houses, houses, read_book
    from boxman.words import say

    known = all_houses()
    place = Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config").expanduser() / "boxman" / "house"
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if (kept := place.read_text().strip()) in known:
            return kept
    if sys.stdin is None or not sys.stdin.isatty():
        return houses()[0]
    typer.echo(say("cli.which-house"))
    for number, each in enumerate(known, 1):
        book = read_book(each)
        key = "cli.example-line" if book.house.example else "cli.house-line"
        typer.echo(say(key, {"n": number, "house": each, "title": book.title}))
    numbers = range(1, len(known) + 1)
    while (asked := int(typer.prompt("", prompt_suffix="> ", default=1, type=int))) not in numbers:
        typer.echo(say("cli.one-of-these", {"most": len(known)}))
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(known[asked - 1])
        typer.echo(say("cli.remembered"))
    return known[asked - 1]


def by_id(house: str) -> str:
    """A house of a file becomes one of this process, so that every page knows it by its id."""
    from boxman.rules.book import add_houses, all_houses, read_book

    if house in all_houses():
        return house
    return add_houses([read_book(house).path])[0]


def table(
    house: str | None, chip: str, limits: str, rail: str, settings: list[str] | None
) -> dict[str, object]:
    """The table that was asked for, or one message that says what is wrong with it."""
    from boxman.chips import AmountError, parse_amount
    from boxman.rules.book import houses
    from boxman.table.opening import Open, open_table

    low, dash, high = limits.partition("-")
    try:
        smallest, least, most = parse_amount(chip), parse_amount(low), parse_amount(high)
        chips = parse_amount(rail)
    except AmountError as error:
        words = phrase("cli.play.limits-are-a-minimum") if not dash else str(error)
        raise UserError(words) from None
    chosen = read_settings(settings or [])
    name = house or houses()[0]
    call = Open(house=name, chip=smallest, minimum=least, maximum=most, settings=chosen)
    opening = open_table(call)
    if opening.refusal is not None:
        raise UserError(f"{opening.refusal.sentence}; {opening.refusal.remedy}".rstrip("; "))
    if chips % smallest:
        raise UserError(phrase("cli.play.cannot-be-made-with", rail=rail, chip=chip))
    assert opening.layout is not None
    return {
        "house": name,
        "name": opening.layout.title[:60],
        "usual": chips,
        "buy_in": max(10 * chips, 100_000),
        "chip": smallest,
        "minimum": least,
        "maximum": most,
        "settings": chosen,
    }
