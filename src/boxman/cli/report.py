"""`boxman report`: the odds of a house as one self-contained page."""

from __future__ import annotations

from typing import Annotated

import typer

from boxman.cli.errors import UserError, read_settings


def report(
    house: Annotated[str, typer.Argument(help="A house by name, or the path of a rulebook file.")],
    output: Annotated[
        str, typer.Option("--output", "-o", help="The file to write; - for standard output.")
    ] = "report.html",
    chip: Annotated[str, typer.Option(help="The smallest chip of the table.")] = "1",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="A house setting, name=value; repeatable.")
    ] = None,
) -> None:
    """Write a page with the price list, the comparison, the charts and the clauses of a house."""
    from boxman.chips import AmountError, parse_amount
    from boxman.odds.chain import NeverDecidedError
    from boxman.odds.report import report_page

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
        raise UserError(f"{output} cannot be written: {error.strerror or error}") from None
    typer.echo(f"wrote {output}")
