"""`boxman strategies`: the library of strategies, page by page, or one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from boxman.cli.errors import UserError

if TYPE_CHECKING:
    from boxman.strategy.library import Entry


def strategies(
    name: Annotated[str, typer.Argument(help="Only this one, with what it needs.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """The well-known strategies that simulate and debug know by name."""
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
        typer.echo("\n".join(_one(entry)))
    else:
        about = {page.title: page.about for page in pages()}
        for title, entries in found.items():
            typer.echo(f"{title}: {about[title]}")
            for each in entries:
                typer.echo(f"  {each.call}\n      {each.summary}")


def _row(page: str, entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "page": page,
        "summary": entry.summary,
        "parameters": entry.parameters,
        "needs": entry.needs,
        "source": entry.source,
    }


def _one(entry: Entry) -> list[str]:
    lines = [entry.call, f"  {entry.summary}"]
    if entry.needs:
        lines.append(f"  where a house lacks {' '.join(entry.needs)} it bets less, or nothing")
    if entry.source:
        lines.append(f"  source: {entry.source}")
    return lines
