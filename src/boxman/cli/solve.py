"""`boxman solve`: the best way to play a table for a goal, and how good it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from boxman.cli.errors import UserError, proposed_limits, read_limits, read_settings
from boxman.words import phrase

POLICY = ".policy"


def solve(
    where: Annotated[str, typer.Argument(metavar="HOUSE")] = "",
    house: Annotated[str, typer.Option()] = "",
    bankroll: Annotated[str, typer.Option()] = "300",
    reach: Annotated[str, typer.Option()] = "",
    rolls: Annotated[int, typer.Option()] = 0,
    ahead: Annotated[int, typer.Option()] = 0,
    last: Annotated[int, typer.Option()] = 0,
    hourly: Annotated[bool, typer.Option("--hourly")] = False,
    at_least: Annotated[str, typer.Option()] = "",
    rolls_per_hour: Annotated[int, typer.Option()] = 100,
    menu: Annotated[
        str,
        typer.Option(),
    ] = "",
    stakes: Annotated[str, typer.Option()] = "",
    shooter: Annotated[str, typer.Option()] = "guest",
    chip: Annotated[str, typer.Option()] = "1",
    limits: Annotated[str, typer.Option()] = "",
    settings: Annotated[list[str] | None, typer.Option("--set")] = None,
    budget: Annotated[int, typer.Option()] = 1_500_000,
    output: Annotated[str, typer.Option("-o", "--output")] = "",
    json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Find the best way to play a table for a goal, exactly.

    It tells the chance, the first bet and a card to play by, and writes the policy as a strategy.
    """
    from boxman.cli.simulate_asked import told
    from boxman.cli.simulate_shown import HTML, JSON, AnswerFiles

    if where and house and where != house:
        raise UserError(phrase("cli.solve.two-houses", one=where, other=house))
    house = house or where
    shown = AnswerFiles(output, "", json=json, csv=False)
    shown.takes(HTML, JSON, POLICY)
    chosen = read_settings(settings or [])
    posted = read_limits(limits or proposed_limits(house, chosen, chip))
    with told():
        from boxman.solve.page import answer_page
        from boxman.solve.question import solve as solved
        from boxman.solve.words import summary

        with _progress() as tell:
            answer = solved(
                *(house, menu, stakes, budget, tell),
                reach=reach or 0,
                rolls=rolls,
                last=last,
                ahead=ahead,
                at_least=at_least or 0,
                hourly=hourly,
                bankroll=bankroll,
                chip=chip,
                settings=chosen,
                rolls_per_hour=rolls_per_hour,
                shooter=shooter,
                **posted,
            )
        if shown.kind == POLICY:
            answer.policy().write(output)
            shown.output = ""
        shown.show(
            {JSON: lambda: _json(answer.figures()), HTML: lambda: answer_page(answer)},
            lambda: summary(answer),
        )


def _json(figures: dict[str, object]) -> str:
    import msgspec

    return msgspec.json.encode(figures).decode()


@contextmanager
def _progress() -> Iterator[Callable[[str], None] | None]:
    """How far it is, on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status(phrase("cli.simulate.getting-ready")) as status:
        yield status.update
