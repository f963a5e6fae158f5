"""`boxman book`, `diff` and `show`: rulebooks, what differs between them, one machine drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from textwrap import indent
from typing import TYPE_CHECKING, Annotated

import typer

from boxman.cli.errors import UserError, read_settings
from boxman.words import phrase

if TYPE_CHECKING:
    from boxman.rules.book import Book, Clause

HouseGiven = Annotated[str, typer.Argument()]
AsJson = Annotated[bool, typer.Option("--json")]
Settings = Annotated[list[str] | None, typer.Option("--set")]


def _print_json(value: object) -> None:
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def book(
    house: HouseGiven,
    clause: Annotated[str | None, typer.Argument()] = None,
    folder: Annotated[str | None, typer.Argument()] = None,
    gaps: Annotated[bool, typer.Option("--gaps")] = False,
    coverage: Annotated[
        bool,
        typer.Option("--coverage"),
    ] = False,
    json: AsJson = False,
) -> None:
    """Show a rulebook, one clause of it, its gaps or its coverage.

    `boxman book new NAME` begins a rulebook of your own, `boxman book check FILE` checks it,
    `boxman book watch FILE` checks it at every save and shows it in the browser, and
    `boxman book coverage FILE FOLDER` says which clauses and facts the cases of a folder prove.
    """
    from boxman.rules.book import read_book

    if house == "coverage":
        _measured(clause, folder, json)
        return
    if folder is not None:
        raise UserError(phrase("check.too-many", word=folder))
    if house == "watch":
        _watch(clause)
        return
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
        facts = clause is not None
        typer.echo("\n\n".join(_clause_text(read, each, facts) for each in chosen))


def _check(path: str | None) -> None:
    """Everything that is wrong with a file, and what may be; exit code 2 if something is."""
    from boxman.workshop.check import check
    from boxman.workshop.watching import check_told

    if path is None:
        raise UserError(phrase("check.which"))
    found = check(path)
    if found.errors:
        raise UserError(check_told(path, found))
    typer.echo(check_told(path, found))


def _watch(path: str | None) -> None:
    """Check a file at every save, and show its felt, prices and machines in the browser."""
    import sys
    import threading
    import time

    from boxman.cli.play import by_id
    from boxman.cli.serve import address, read, run
    from boxman.workshop.watching import LOOK_EVERY, WatchedFile, check_told

    if path is None:
        raise UserError(phrase("check.watch-which"))
    file = WatchedFile(path)
    if not file.saved():
        raise UserError(phrase("check.watch-no-file", path=path))

    def tell() -> bool:
        """Check it and say what was found; whether it can be read at all."""
        found = file.check()
        typer.echo(f"{time.strftime('%H:%M:%S')}  {check_told(path, found)}")
        sys.stdout.flush()
        return found.book is not None

    def follow() -> None:
        while True:
            time.sleep(LOOK_EVERY)
            if file.saved():
                tell()

    while not tell():  # its name is not known before it can be read
        while not file.saved():
            time.sleep(LOOK_EVERY)
    house = by_id(path)
    config = read(None, {"port": 0, "database": "memory:", "log": "warning"})
    there = f"{address(config)}/preview/{house}"

    async def begin(_: object) -> None:
        import webbrowser

        typer.echo(phrase("check.watched", path=path, there=there))
        sys.stdout.flush()
        for work in (lambda: webbrowser.open(there), follow):
            threading.Thread(target=work, daemon=True).start()

    run(config, begin)


def _measured(path: str | None, folder: str | None, json: bool) -> None:
    """What the cases of a folder prove of a file."""
    import sys

    from boxman.report.parts import Column, Grid, Part, Sentence
    from boxman.report.terminal import text
    from boxman.rules.book import read_book
    from boxman.rules.compile import compile_layout
    from boxman.workshop.coverage import CaseError, coverage

    if path is None or folder is None:
        raise UserError(phrase("check.coverage-which"))
    book = read_book(path)
    compile_layout(book)
    stopped: list[bool] = []
    shows = sys.stderr is not None and sys.stderr.isatty()

    def progress(done: int, all: int) -> bool:
        if shows and (done % 10 == 0 or done == all):
            sys.stderr.write("\r" + phrase("check.tried", done=done, all=all))
        return not stopped

    with _interrupting(stopped):
        try:
            found = coverage(book, folder, progress)
        except CaseError as error:
            raise UserError(str(error)) from None
    if shows:
        sys.stderr.write("\r" + " " * 60 + "\r")
    missed = [
        (
            f"{book.path}:{each.stated.line}",
            f"{{{each.stated.clause}}}",
            each.stated.kind,
            each.what,
        )
        for each in found.missed
    ]
    if json:
        _print_json(
            {
                "cases": len(found.cases),
                "proved": found.proved,
                "bare": found.bare,
                "tried": found.tried,
                "whole": found.whole,
                "missed": [
                    {"line": m.stated.line, "clause": m.stated.clause, "fact": m.stated.kind}
                    | {"change": m.what}
                    for m in found.missed
                ],
            }
        )
        return
    clauses = len(found.proved) + len(found.bare)
    counts = {"cases": len(found.cases), "proved": len(found.proved), "clauses": clauses}
    parts: list[Part] = [Sentence(phrase("check.covered", path=path, folder=folder, **counts))]
    if found.bare:
        heads = (Column("clause"), Column("title", width=80))
        rows = [(f"{{{each}}}", book.clauses[each].title) for each in found.bare]
        parts.append(Grid(phrase("check.bare"), heads, {"": rows}))
    if missed:
        columns = (Column("line"), Column("clause"), Column("fact"), Column("change", width=80))
        parts.append(Grid(phrase("check.missed"), columns, {"": missed}))
    key = "check.tried-all" if found.whole else "check.tried-some"
    parts.append(Sentence(phrase(key, tried=found.tried, missed=len(missed))))
    typer.echo(text(parts))


@contextmanager
def _interrupting(stopped: list[bool]) -> Iterator[None]:
    """Ctrl-C ends what is going on with what there is until then."""
    import signal

    before = signal.signal(signal.SIGINT, lambda *_: stopped.append(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


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


def _clause_text(read: Book, clause: Clause, whole: bool) -> str:
    kinds = Counter(stated.kind for stated in read.facts if stated.clause == clause.id)
    facts = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    block = indent(f"\n\n{_block(read, clause)}", "  ") if whole and facts else ""
    return f"{{{clause.id}}} {clause.title}\n{clause.text}\n  [{facts or clause.reason}]{block}"


def _block(read: Book, clause: Clause) -> str:
    """The facts of a clause as the file has them."""
    lines = read.text.splitlines()[clause.line :]
    start, end, *_ = (n for n, line in enumerate(lines) if line.startswith(("```", "~~~")))
    return "\n".join(lines[start + 1 : end])


def _clause_json(read: Book, clause: Clause) -> dict[str, object]:
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
        (
            phrase(f"cli.books.sorts.{sort}"),
            str(counts.total()),
            *(str(counts[how] or "") for how in kinds),
        )
        for sort, counts in sorts.items()
    ]
    typer.echo(
        text(
            [
                grid(
                    "",
                    (
                        "",
                        phrase("cli.books.all"),
                        *(phrase(f"cli.books.kinds.{how}") for how in kinds),
                    ),
                    rows,
                )
            ]
        )
    )


def diff(
    first: HouseGiven,
    second: HouseGiven,
    spot: Annotated[str | None, typer.Option("--spot")] = None,
    settings: Settings = None,
    json: AsJson = False,
) -> None:
    """Show what differs between the rules of two houses."""
    from boxman.rules.book import read_book
    from boxman.rules.cites import braced
    from boxman.rules.diff import as_compared, differences, grouped
    from boxman.rules.ids import family, nearest

    given = read_settings(settings or [])
    books = read_book(first), read_book(second)
    one, two = map(as_compared, books)
    if given:
        one, two = (
            as_compared(book, {k: v for k, v in given.items() if k in rules or k not in theirs})
            for book, rules, theirs in (
                (books[0], one.setting_rules, two.setting_rules),
                (books[1], two.setting_rules, one.setting_rules),
            )
        )
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

    groups = {
        head: [
            (
                row.what,
                f"{row.first}{braced(row.first_cites)}",
                f"{row.second}{braced(row.second_cites)}",
            )
            for row in alike
        ]
        for head, _, alike in grouped(one, two, rows)
    }
    columns = [
        Column(phrase("diff.what"), width=34),
        *(Column(h.house, width=64) for h in (one, two)),
    ]
    parts: list[Part] = [Grid("", columns, groups)] if groups else []
    parts.append(
        Sentence(
            phrase(
                "cli.books.differences-between-and",
                n=sum(map(len, groups.values())),
                house=one.house,
                house_2=two.house,
            )
        )
    )
    typer.echo(text(parts))


def show(
    house: HouseGiven,
    spot: Annotated[str, typer.Argument()],
    settings: Settings = None,
    json: AsJson = False,
) -> None:
    """Show how one wager is decided, with its prices and clauses.

    With `throw` for the spot: where the dice can be, and which calls move them.
    """
    from boxman.rules.cites import braced
    from boxman.rules.compile import load
    from boxman.rules.ids import nearest

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
        from boxman.odds.names import closing

        closed = closing(layout, name)
        meant = "" if closed else nearest(spot, layout.spots)
        raise UserError(
            phrase(
                "cli.books.offers-no-it-offers",
                house=layout.house,
                spot=spot,
                cites="" if meant else braced(closed or layout.listed),
                lstrip=f"{meant} ".lstrip(),
                spots=", ".join(layout.spots),
            )
        )
    from boxman.table.said.machine import machine

    drawn = machine(layout, layout.spots[name])
    if json:
        _print_json({"house": layout.house, "spot": name, **drawn})
        return
    from boxman.report.parts import Column, Facts, Grid, Sentence
    from boxman.report.terminal import text

    rules = [(rule["what"], f"{rule['value']}{braced(rule['clauses'])}") for rule in drawn["rules"]]
    columns = [
        Column(phrase("cli.books.rolls"), width=40),
        Column(phrase("cli.books.what-happens"), width=60),
        Column(phrase("cli.books.clauses"), width=60),
    ]
    cells = {
        phrase("cli.books.with-the-puck", puck=state["puck"]): [
            (cell["rolls"], cell["verdict"], braced(cell["clauses"]).strip())
            for cell in state["cells"]
        ]
        for state in drawn["machine"]
    }
    typer.echo(
        text(
            [
                Sentence(f"{drawn['name']} ({name}){braced(drawn['clauses'])}"),
                Facts([(phrase("cli.books.shape"), drawn["shape"]), *rules]),
                Grid("", columns, cells),
            ]
        )
    )
