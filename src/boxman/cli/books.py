"""`boxman book`, `diff` and `show`: rulebooks, what differs between them, one machine drawn."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boxman.cli.errors import UserError, read_settings
from boxman.words import phrase

if TYPE_CHECKING:
    from boxman.rules.book import Book, Clause
    from boxman.rules.layout import Layout, Spot

HouseGiven = Annotated[str, typer.Argument()]
AsJson = Annotated[bool, typer.Option("--json")]
Settings = Annotated[list[str] | None, typer.Option("--set")]


def _print_json(value: Any) -> None:
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def book(
    house: HouseGiven,
    clause: Annotated[str | None, typer.Argument()] = None,
    gaps: Annotated[bool, typer.Option("--gaps")] = False,
    coverage: Annotated[
        bool,
        typer.Option("--coverage"),
    ] = False,
    json: AsJson = False,
) -> None:
    """Show a rulebook, one clause of it, its gaps or its coverage.

    `boxman book new NAME` begins a rulebook of your own, `boxman book check FILE` checks it.
    """
    from boxman.rules.book import read_book

    if house in ("check", "new"):
        (_check if house == "check" else _new)(clause)
        return
    read = read_book(house)
    if clause is not None:
        try:
            chosen = read.under(clause)
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
    """Everything that is wrong with a file, and what may be; exit code 2 if something is."""
    from boxman.workshop.check import check

    if path is None:
        raise UserError(phrase("check.which"))
    found = check(path)
    if found.book is None or found.layout is None or found.errors:
        raise UserError("\n".join(map(str, found.errors)))
    sorts = Counter(clause.sort for clause in found.book.clauses.values())
    typer.echo(
        phrase(
            "check.order",
            path=path,
            clauses=sorts["clause"],
            gaps=sorts["gap"],
            terms=sorts["term"],
            facts=len(found.book.facts),
            spots=len(found.layout.spots),
        )
    )
    for remark in found.remarks:
        typer.echo(phrase("check.remark", remark=remark))


def _new(name: str | None) -> None:
    """A file to begin from."""
    import re
    from importlib import resources
    from pathlib import Path

    from boxman.rules.book import houses

    if name is None or not re.fullmatch("[a-z][a-z0-9-]{1,30}", name):
        raise UserError(phrase("check.new-name"))
    if name in houses():
        raise UserError(phrase("check.new-house", name=name))
    path = Path(f"{name}.md")
    text = (resources.files("boxman") / "rulebooks" / "template.md").read_text(encoding="utf-8")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text.replace("mycasino", name))
    except FileExistsError:
        raise UserError(phrase("check.new-there", path=str(path))) from None
    typer.echo(phrase("check.new", path=str(path)))


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
    from boxman.report.parts import grid
    from boxman.report.terminal import text

    kinds = list(dict.fromkeys(how for counts in sorts.values() for how in counts))
    rows = [
        (f"{sort}s", str(counts.total()), *(str(counts[how] or "") for how in kinds))
        for sort, counts in sorts.items()
    ]
    typer.echo(text([grid("", ("", "all", *kinds), rows)]))


def diff(
    first: HouseGiven,
    second: HouseGiven,
    spot: Annotated[str | None, typer.Option("--spot")] = None,
    json: AsJson = False,
) -> None:
    """Show what differs between the rules of two houses."""
    from boxman.rules.compile import load
    from boxman.rules.diff import differences
    from boxman.rules.ids import family
    from boxman.rules.nearest import nearest

    one, two = load(first), load(second)
    rows = differences(one, two)
    if spot is not None:
        rows = [row for row in rows if spot in (row.spot, family(row.spot).removesuffix(".*"))]
        if not rows and spot not in {**one.spots, **two.spots}:
            raise UserError(
                phrase(
                    "cli.books.no-spot-is-called", spot=spot, spots=nearest(spot, one.spots)
                ).rstrip("; ")
            )
    if json:
        _print_json([row._asdict() for row in rows])
        return
    from boxman.report.parts import Column, Grid, Part, Sentence
    from boxman.report.terminal import text

    groups: dict[str, list[tuple[str, str, str]]] = {}
    for row in rows:
        sides = f"{row.first}{_braces(row.first_cites)}", f"{row.second}{_braces(row.second_cites)}"
        groups.setdefault(row.spot, []).append((row.what, *sides))
    columns = [Column("What", width=26), *(Column(h.house, width=64) for h in (one, two))]
    parts: list[Part] = [Grid("", columns, groups)] if groups else []
    parts.append(
        Sentence(
            phrase(
                "cli.books.differences-between-and", n=len(rows), house=one.house, house_2=two.house
            )
        )
    )
    typer.echo(text(parts))


def _braces(cites: tuple[str, ...]) -> str:
    return "".join(f" {{{cite}}}" for cite in cites)


def show(
    house: HouseGiven,
    spot: Annotated[str, typer.Argument()],
    settings: Settings = None,
    json: AsJson = False,
) -> None:
    """Show how one wager is decided, with its prices and clauses.

    With `throw` for the spot: where the dice can be, and which calls move them.
    """
    from boxman.rules.compile import load
    from boxman.rules.nearest import nearest

    layout = load(house, read_settings(settings or []))
    if spot == "throw":
        from boxman.cli.throw import throw_machine, throw_text

        moves = throw_machine(layout)
        if json:
            _print_json({"house": layout.house, "throw": moves})
        else:
            typer.echo(throw_text(layout, moves))
        return
    name = spot if spot in layout.spots else layout.names.get(spot.lower(), spot)
    if name not in layout.spots:
        raise UserError(
            phrase(
                "cli.books.offers-no-it-offers",
                house=layout.house,
                spot=spot,
                lstrip=f"{nearest(spot, layout.spots)} ".lstrip(),
                spots=", ".join(layout.spots),
            )
        )
    drawn = machine(layout, layout.spots[name])
    if json:
        _print_json({"house": layout.house, "spot": name, **drawn})
        return
    from boxman.report.parts import Column, Facts, Grid, Sentence
    from boxman.report.terminal import text

    rules = [
        (rule["what"], f"{rule['value']}{_braces(rule['clauses'])}") for rule in drawn["rules"]
    ]
    columns = [
        Column("rolls", width=40),
        Column(phrase("cli.books.what-happens"), width=60),
        Column("clauses", width=60),
    ]
    cells = {
        phrase("cli.books.with-the-puck", puck=state["puck"]): [
            (cell["rolls"], cell["verdict"], _braces(cell["clauses"]).strip())
            for cell in state["cells"]
        ]
        for state in drawn["machine"]
    }
    typer.echo(
        text(
            [
                Sentence(f"{drawn['name']} ({name}){_braces(drawn['clauses'])}"),
                Facts([("shape", drawn["shape"]), *rules]),
                Grid("", columns, cells),
            ]
        )
    )


def machine(layout: Layout, spot: Spot) -> dict[str, Any]:
    """A spot's machine and rules as plain values."""
    rules = [
        {
            "what": phrase("cli.books.with-the-puck-2", act=act),
            "value": rule.value,
            "clauses": rule.cites,
        }
        for act, rule in spot.windows.items()
    ]
    for side, words in enumerate(("off", "on")):
        value = "works" if spot.works[side] else "sleeps"
        rules.append(
            {
                "what": phrase("cli.books.puck", words=words),
                "value": value,
                "clauses": spot.works_cites[side],
            }
        )
    if spot.behind is not None:
        for n, limit in spot.behind.limits.items():
            value = phrase(
                "cli.books.up-to-times",
                measure=limit.measure,
                lifted=limit.lifted,
                flat=spot.behind.flat,
            )
            rules.append(
                {"what": phrase("cli.books.limit-on", n=n), "value": value, "clauses": limit.cites}
            )
    if spot.fee is not None:
        value = phrase(
            "cli.books.of-the-at",
            rate=spot.fee.rate * 100,
            base=spot.fee.base,
            charged=spot.fee.charged,
        )
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
    from boxman.rules.cell import kinds_of
    from boxman.rules.diff import verdict_words

    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    row = spot.rows[puck]
    for kind, cell, stay in zip(kinds_of(row), row, spot.stays[puck], strict=True):
        known = cell or stay
        if known is not None:
            words = "stands" if known.verdict == "stay" else verdict_words(known)
            groups.setdefault((words, known.said), []).append(str(kind))
    return [
        {"rolls": ", ".join(rolls), "verdict": words, "clauses": cites}
        for (words, cites), rolls in groups.items()
    ]
