"""`boxman report`: the odds of a house as one self-contained page."""

from __future__ import annotations

from typing import Annotated

import typer

from boxman.cli.errors import UserError, read_settings
from boxman.words import phrase


def report(
    house: Annotated[str, typer.Argument()],
    output: Annotated[str, typer.Option("--output", "-o")] = "report.html",
    chip: Annotated[str, typer.Option()] = "1",
    settings: Annotated[list[str] | None, typer.Option("--set")] = None,
) -> None:
    """Write the odds of a house as one page with charts.

    It has the price list, all houses side by side, the length of a hand and every clause cited.
    """
    from boxman.chips import AmountError, parse_amount
    from boxman.odds.chain import NeverDecidedError
    from boxman.odds.page import report_page

    try:
        page = report_page(house, read_settings(settings or []), parse_amount(chip))
    except (AmountError, NeverDecidedError) as error:
        raise UserError(str(error)) from None
    if output == "-":
        typer.echo(page, nl=False)
        return
    try:
        with open(output, "w", encoding="utf-8") as file:
            file.write(page)
    except OSError as error:
        raise UserError(
            phrase("cli.odds.cannot-be-written", output=output, strerror=error.strerror or error)
        ) from None
    typer.echo(phrase("cli.odds.wrote", output=output))
