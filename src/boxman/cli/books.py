"""`boxman book`, `diff` and `show`: rulebooks, what differs between them, one machine drawn."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boxman.cli.errors import UserError, read_settings

if TYPE_CHECKING:
    from boxman.rules.book import Book, Clause
    from boxman.rules.layout import Layout, Spot

House = Annotated[str, typer.Argument(help="A house by name, or the path of a rulebook file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", help="A house setting, name=value; repeatable.")
]


def _print_json(value: Any) -> None:
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def book(
    house: House,
    clause: Annotated[
        str | None, typer.Argument(help="A clause id; or, after `check`, the file to lint.")
    ] = None,
    gaps: Annotated[bool, typer.Option("--gaps", help="Only the gaps and house terms.")] = False,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="How many clauses have facts, and why others not.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Show a rulebook, one clause of it, its gaps or its coverage; `book check FILE` lints one."""
    from boxman.rules.book import read_book

    if house == "check":
        _check(clause)
        return
    read = read_book(house)
    if clause is not None:
        try:
            chosen = [read.clause(clause)]
        except KeyError as error:
            raise UserError(error.args[0]) from None
    elif gaps:
        chosen = [c for c in read.clauses.values() if c.sort != "clause"]
    else:
        chosen = list(read.clauses.values())
    if coverage:
        _coverage(read, json)
    elif json:
        _print_json([_clause_json(read, each) for each in chosen])
    else:
        typer.echo(f"{read.title} ({read.house.id}, {read.house.edition})\n")
        typer.echo("\n\n".join(_clause_text(read, each) for each in chosen))


def _check(path: str | None) -> None:
    """Read and compile a file; errors leave as BookError."""
    from boxman.rules.book import read_book
    from boxman.rules.compile import compile_layout

    if path is None:
        raise UserError("say which file to check: boxman book check FILE")
    read = read_book(path)
    layout = compile_layout(read)
    sorts = Counter(clause.sort for clause in read.clauses.values())
    typer.echo(
        f"{path}: in order. {sorts['clause']} clauses, {sorts['gap']} gaps, {sorts['term']} terms, "
        f"{len(read.facts)} facts, {len(layout.spots)} spots."
    )


def _clause_text(read: Book, clause: Clause) -> str:
    kinds = Counter(stated.kind for stated in read.facts if stated.clause == clause.id)
    facts = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    return f"{{{clause.id}}} {clause.title}\n{clause.text}\n  [{facts or clause.reason}]"


def _clause_json(read: Book, clause: Clause) -> dict[str, Any]:
    import msgspec

    return {
        "clause": clause.id,
        "sort": clause.sort,
        "title": clause.title,
        "text": clause.text,
        "reason": clause.reason,
        "facts": [
            {"kind": stated.kind, **msgspec.to_builtins(stated.fact)}
            for stated in read.facts
            if stated.clause == clause.id
        ],
    }


def _coverage(read: Book, json: bool) -> None:
    sorts: dict[str, Counter[str]] = {}
    for clause in read.clauses.values():
        how = clause.reason.partition(":")[0] if clause.reason else "facts"
        sorts.setdefault(clause.sort, Counter())[how] += 1
    if json:
        _print_json({sort: dict(counts) for sort, counts in sorts.items()})
        return
    for sort, counts in sorts.items():
        words = ", ".join(f"{count} {how}" for how, count in counts.items())
        typer.echo(f"{sum(counts.values())} {sort}s: {words}")


def diff(
    first: House,
    second: House,
    spot: Annotated[str | None, typer.Option("--spot", help="Only this spot or family.")] = None,
    json: AsJson = False,
) -> None:
    """Show what differs between two houses, cell by cell and in words."""
    from boxman.rules.compile import load
    from boxman.rules.diff import differences
    from boxman.rules.nearest import nearest
    from boxman.rules.shapes import family

    one, two = load(first), load(second)
    rows = differences(one, two)
    if spot is not None:
        rows = [row for row in rows if spot in (row.spot, family(row.spot).removesuffix(".*"))]
        if not rows and spot not in {**one.spots, **two.spots}:
            raise UserError(f"no spot is called {spot}; {nearest(spot, one.spots)}".rstrip("; "))
    if json:
        _print_json([row._asdict() for row in rows])
        return
    last = ""
    for row in rows:
        if row.spot != last:
            typer.echo(f"\n{row.spot}")
            last = row.spot
        typer.echo(
            f"  {row.what}: {row.first}{_braces(row.first_cites)} | "
            f"{row.second}{_braces(row.second_cites)}"
        )
    typer.echo(f"\n{len(rows)} differences between {one.house} and {two.house}.")


def _braces(cites: tuple[str, ...]) -> str:
    return "".join(f" {{{cite}}}" for cite in cites)


def show(
    house: House,
    spot: Annotated[str, typer.Argument(help="A spot, like place.6 or dont_pass.")],
    settings: Settings = None,
    json: AsJson = False,
) -> None:
    """Draw one wager's machine with its prices and clauses."""
    from boxman.rules.compile import load
    from boxman.rules.nearest import nearest

    layout = load(house, read_settings(settings or []))
    name = spot if spot in layout.spots else layout.names.get(spot.lower(), spot)
    if name not in layout.spots:
        raise UserError(
            f"{layout.house} offers no {spot}; {f'{nearest(spot, layout.spots)} '.lstrip()}"
            f"it offers: {', '.join(layout.spots)}"
        )
    drawn = machine(layout, layout.spots[name])
    if json:
        _print_json({"house": layout.house, "spot": name, **drawn})
        return
    typer.echo(f"{drawn['name']} ({name}) {_braces(drawn['clauses'])}")
    typer.echo(f"shape: {drawn['shape']}")
    for rule in drawn["rules"]:
        typer.echo(f"{rule['what']}: {rule['value']}{_braces(rule['clauses'])}")
    for state in drawn["machine"]:
        typer.echo(f"\nwith the puck {state['puck']}:")
        for cell in state["cells"]:
            typer.echo(f"  {cell['rolls']:<28} {cell['verdict']}{_braces(cell['clauses'])}")


def machine(layout: Layout, spot: Spot) -> dict[str, Any]:
    """A spot's machine and rules as plain values."""
    rules = [
        {"what": f"{act} with the puck", "value": rule.value, "clauses": rule.cites}
        for act, rule in spot.windows.items()
    ]
    for side, words in enumerate(("off", "on")):
        value = "works" if spot.works[side] else "sleeps"
        rules.append({"what": f"puck {words}", "value": value, "clauses": spot.works_cites[side]})
    if spot.behind is not None:
        for n, limit in spot.behind.limits.items():
            value = f"{limit.measure} up to {limit.lifted} times {spot.behind.flat}"
            rules.append({"what": f"limit on {n}", "value": value, "clauses": limit.cites})
    if spot.fee is not None:
        value = f"{spot.fee.rate * 100}% of the {spot.fee.base} at {spot.fee.charged}"
        rules.append({"what": "fee", "value": value, "clauses": spot.fee.cites})
    if spot.share is not None:
        parts = zip(spot.share.parts, spot.share.units, strict=True)
        value = ", ".join(f"{unit} on {part}" for part, unit in parts)
        rules.append({"what": "shares", "value": value, "clauses": spot.share.cites})
    states = []
    seen: dict[str, dict[str, Any]] = {}
    for puck in (0, *layout.points):
        cells = _cells(spot, puck)
        key = str(cells)
        if key in seen:
            seen[key]["puck"] += f", {puck}"
        elif cells:
            seen[key] = {"puck": str(puck or "off"), "cells": cells}
            states.append(seen[key])
    return {
        "name": spot.name,
        "shape": spot.shape.name,
        "clauses": spot.offer_cites,
        "rules": rules,
        "machine": states,
    }


def _cells(spot: Spot, puck: int) -> list[dict[str, Any]]:
    """The cells of one puck, rolls of the same fate joined."""
    from boxman.dice import KINDS
    from boxman.rules.diff import verdict_words

    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for kind, cell, stay in zip(KINDS, spot.rows[puck], spot.stays[puck], strict=True):
        known = cell or stay
        if known is not None:
            words = "stands" if known.verdict == "stay" else verdict_words(known)
            groups.setdefault((words, known.said), []).append(str(kind))
    return [
        {"rolls": ", ".join(rolls), "verdict": words, "clauses": cites}
        for (words, cites), rolls in groups.items()
    ]
