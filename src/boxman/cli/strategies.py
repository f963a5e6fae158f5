"""`boxman strategies`: the library of strategies, page by page, or one of them.

With a house it says which of them the house cannot take, and why.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from boxman.cli.errors import UserError, read_settings
from boxman.words import phrase

if TYPE_CHECKING:
    from boxman.report.parts import Part
    from boxman.strategy.library import CatalogueEntry


def strategies(
    name: Annotated[str, typer.Argument()] = "",
    house: Annotated[str, typer.Option()] = "",
    settings: Annotated[list[str] | None, typer.Option("--set")] = None,
    json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """List the strategies of the library, with their parameters."""
    from boxman.strategy.api import StrategyError
    from boxman.strategy.library import ENTRIES, named, pages

    if name:
        try:
            named(name)
        except StrategyError as error:
            raise UserError(str(error)) from None
        entry = ENTRIES[name.partition("(")[0].strip().replace("_", "-").lower()]
        found = {page.title: [entry] for page in pages() if entry in page.entries}
    else:
        found = {page.title: list(page.entries) for page in pages()}
    why = _why_not(house, settings or [])
    if json:
        import msgspec

        rows = [_row(title, each, why) for title, entries in found.items() for each in entries]
        typer.echo(msgspec.json.encode(rows[0] if name else rows).decode())
    elif name:
        from boxman.report.terminal import text

        typer.echo(text(_one(entry, why)))
    else:
        from boxman.report.terminal import text

        about = {page.title: page.about for page in pages()}
        typer.echo(text(_all({f"{title}: {about[title]}": found[title] for title in found}, why)))


def _all(
    found: dict[str, list[CatalogueEntry]], why: Callable[[CatalogueEntry], str]
) -> list[Part]:
    """All strategies under their headings, and those a house cannot take."""
    from boxman.report.parts import Column, Grid

    columns = (
        Column(phrase("sim.columns.strategy")),
        Column(phrase("cli.simulate.what-it-does"), width=100),
    )
    grids: list[Part] = []
    for title, entries in found.items():
        rows = [(each.call, each.summary) for each in entries if not why(each)]
        grids += [Grid(title, columns, {"": rows})] if rows else []
    refused = [(each.name, why(each)) for entries in found.values() for each in entries]
    if any(reason for _, reason in refused):
        heads = (
            Column(phrase("sim.columns.strategy")),
            Column(phrase("cli.simulate.why-not"), width=100),
        )
        title = phrase("cli.simulate.not-taken")
        grids.append(Grid(title, heads, {"": [row for row in refused if row[1]]}))
    return grids


def _why_not(house: str, settings: list[str]) -> Callable[[CatalogueEntry], str]:
    """Why a house cannot take a strategy of the library; where none is named every one can."""
    if not house:
        return lambda entry: ""
    from boxman.rules.compile import load
    from boxman.strategy.library.taking import why_not

    layout = load(house, read_settings(settings))
    return lambda entry: why_not(entry.name, entry.groups, layout)


def _row(
    page: str, entry: CatalogueEntry, why: Callable[[CatalogueEntry], str]
) -> dict[str, object]:
    reason = why(entry)
    return {
        "name": entry.name,
        "page": page,
        "summary": entry.summary,
        "parameters": entry.parameters,
        "needs": entry.needs,
        "source": entry.source,
        **({"why_not": reason} if reason else {}),
    }


def _one(entry: CatalogueEntry, why: Callable[[CatalogueEntry], str]) -> list[Part]:
    from boxman.report.parts import Facts, Sentence

    rows = [(phrase("cli.simulate.what-it-does"), entry.summary)]
    if entry.needs:
        rows.append(
            (
                phrase("cli.simulate.needs"),
                phrase("cli.simulate.without-them-it-bets", needs=" ".join(entry.needs)),
            )
        )
    if reason := why(entry):
        rows.append((phrase("cli.simulate.why-not"), reason))
    if entry.source:
        rows.append((phrase("cli.simulate.source"), entry.source))
    return [Sentence(entry.call), Facts(rows)]
