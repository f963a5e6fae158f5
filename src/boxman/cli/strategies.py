"""`boxman strategies`: the library of strategies, page by page, or one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from boxman.cli.errors import UserError
from boxman.words import phrase

if TYPE_CHECKING:
    from boxman.report.parts import Part
    from boxman.strategy.library import CatalogueEntry


def strategies(
    name: Annotated[str, typer.Argument()] = "",
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
    if json:
        import msgspec

        rows = [_row(title, each) for title, entries in found.items() for each in entries]
        typer.echo(msgspec.json.encode(rows[0] if name else rows).decode())
    elif name:
        from boxman.report.terminal import text

        typer.echo(text(_one(entry)))
    else:
        from boxman.report.parts import Column, Grid
        from boxman.report.terminal import text

        about = {page.title: page.about for page in pages()}
        columns = (Column("strategy"), Column(phrase("cli.simulate.what-it-does"), width=100))
        groups = {
            f"{title}: {about[title]}": [(each.call, each.summary) for each in entries]
            for title, entries in found.items()
        }
        typer.echo(text([Grid(title, columns, {"": rows}) for title, rows in groups.items()]))


def _row(page: str, entry: CatalogueEntry) -> dict[str, object]:
    return {
        "name": entry.name,
        "page": page,
        "summary": entry.summary,
        "parameters": entry.parameters,
        "needs": entry.needs,
        "source": entry.source,
    }


def _one(entry: CatalogueEntry) -> list[Part]:
    from boxman.report.parts import Facts, Sentence

    rows = [(phrase("cli.simulate.what-it-does"), entry.summary)]
    if entry.needs:
        rows.append(
            ("needs", phrase("cli.simulate.without-them-it-bets", needs=" ".join(entry.needs)))
        )
    if entry.source:
        rows.append(("source", entry.source))
    return [Sentence(entry.call), Facts(rows)]
