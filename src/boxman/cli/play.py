"""`boxman play`: a practice table with an automatic crew, in the browser or in the terminal."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from boxman.cli.errors import UserError, read_settings

LONGEST = 60
"""Seconds for a table to open."""


def play(
    house: Annotated[
        str | None, typer.Argument(help="A house by name, or the path of a rulebook file.")
    ] = None,
    chip: Annotated[str, typer.Option("--chip", help="The smallest chip.")] = "1",
    limits: Annotated[str, typer.Option("--limits", help="Minimum-maximum.")] = "5-500",
    rail: Annotated[str, typer.Option("--rail", help="Your chips to begin with.")] = "300",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="A house setting, name=value; repeatable.")
    ] = None,
    players: Annotated[
        int, typer.Option("--players", min=0, max=8, help="Automatic players at the table.")
    ] = 0,
    shooter: Annotated[
        str, typer.Option("--shooter", help="guest (always there) or players (in turn).")
    ] = "guest",
    pace: Annotated[
        float, typer.Option("--pace", min=0.0, max=10.0, help="Seconds between the crew's calls.")
    ] = 0.6,
    port: Annotated[int, typer.Option("--port", help="The port; 0 takes a free one.")] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the table in the browser.")
    ] = True,
    share: Annotated[
        bool, typer.Option("--share", help="Let friends in over the network, with a link.")
    ] = False,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Play in the terminal, in the notation.")
    ] = False,
) -> None:
    """Sit down at a practice table."""
    if terminal:
        from boxman.cli.terminal import terminal as sit_down

        sit_down(house, chip, limits, rail, settings)
        return
    from boxman.cli.serve import address, read, run, shared

    wanted = table(house, chip, limits, rail, settings)
    wanted.update(players=players, shooter=shooter, pace=pace)
    given: dict[str, Any] = {
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

    async def begin(house: Any) -> None:
        import asyncio
        import threading

        from boxman.pit.links import table_token
        from boxman.pit.tables_api import open_practice

        try:
            async with asyncio.timeout(LONGEST):
                name = await open_practice(house, wanted)
        except TimeoutError:
            raise UserError(
                f"the table is not open after {LONGEST} seconds; is the machine very busy?"
            ) from None
        there = link.format(table=name) + token
        typer.echo(f"your table is at {there}  (Ctrl-C ends the evening)")
        if config.token:
            friends = f"{link.format(table=name)}?token={table_token(config.token, name)}"
            typer.echo(f"friends on this network come to it by {friends}")
        sys.stdout.flush()
        if browser:
            import webbrowser

            # Some browsers give the hand back only when they are closed: the table goes on.
            threading.Thread(target=webbrowser.open, args=(there,), daemon=True).start()

    run(config, begin)


def table(
    house: str | None, chip: str, limits: str, rail: str, settings: list[str] | None
) -> dict[str, Any]:
    """The table that was asked for, or one message that says what is wrong with it."""
    from boxman.chips import AmountError, parse_amount
    from boxman.rules.book import houses
    from boxman.table.opening import Open, open_table

    low, dash, high = limits.partition("-")
    try:
        smallest, least, most = parse_amount(chip), parse_amount(low), parse_amount(high)
        chips = parse_amount(rail)
    except AmountError as error:
        words = "limits are a minimum and a maximum, such as 5-500" if not dash else str(error)
        raise UserError(words) from None
    chosen = read_settings(settings or [])
    name = house or houses()[0]
    call = Open(house=name, chip=smallest, minimum=least, maximum=most, settings=chosen)
    opening = open_table(call)
    if opening.refusal is not None:
        raise UserError(f"{opening.refusal.sentence}; {opening.refusal.remedy}".rstrip("; "))
    if chips % smallest:
        raise UserError(f"{rail} cannot be made with chips of {chip}; begin with a multiple of it")
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
