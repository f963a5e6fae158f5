"""The dice: `boxman show HOUSE throw`, where they can be, which calls move them, by whom and why;
`boxman dice`, one hand of a house's dice worked out again from what a page shows after it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from boxman.cli.errors import UserError
from boxman.words import phrase

if TYPE_CHECKING:
    from boxman.rules.layout import Layout
    from boxman.table.call import Call
    from boxman.table.floor.custody import Edge, Taken

THROW = re.compile(r"(?:(\d{1,6}):)?([1-6])-([1-6])")
SECRET = re.compile(r"[0-9a-f]{64}")


ThrowMove = TypedDict(
    "ThrowMove",
    {
        "from": str,
        "call": str,
        "by": list[str],
        "to": str,
        "stolen": bool,
        "declared": bool,
        "clauses": tuple[str, ...],
    },
)
"""One way the dice can go, as it is shown."""


def throw_machine(layout: Layout) -> list[ThrowMove]:
    """Every way the dice can go at this house, in the order of a throw."""
    from boxman.table.floor.custody import custody
    from boxman.table.floor.people import PLAYER
    from boxman.table.floor.powers import speaker
    from boxman.table.floor.throw import PLACES

    edges = sorted(custody(layout), key=lambda edge: PLACES.index(edge.start))
    known = {PLAYER, *layout.procedure.roles}  # who is anybody at this house
    return [
        {
            "from": edge.start,
            "call": _words(edge.call, said, reasons),
            "by": [
                phrase("cli.books.the", by=by) if by == PLAYER else speaker(layout, by)
                for by in sorted(people)
            ],
            "to": edge.end,
            "stolen": edge.stolen,
            "declared": edge.declared,
            "clauses": cites,
        }
        for edge in edges
        for people, reasons, said, cites in _rows(edge, known)
    ]


Row = tuple[frozenset[str], list[str], "list[Call]", tuple[str, ...]]


def _rows(edge: Edge, known: set[str]) -> Iterator[Row]:
    """Who may say it, for which reasons where others may not for each of them: one row for all who
    say it by the same clauses, and for all reasons that are the same people's."""
    from boxman.rules.ledger import join

    anybody = {each.by for each in edge.taken} & known
    by_reason: dict[str, dict[str, list[Taken]]] = {}
    for each in edge.taken:
        if each.by in anybody or not anybody:
            reason = getattr(each.call, "reason", "") or getattr(each.call, "cause", "")
            by_reason.setdefault(reason, {}).setdefault(each.by, []).append(each)
    rows: dict[frozenset[str], tuple[list[str], list[Taken]]] = {}
    for reason, sayers in by_reason.items():
        alike: dict[frozenset[str], set[str]] = {}
        for by, taken in sayers.items():
            alike.setdefault(frozenset(c for each in taken for c in each.cites), set()).add(by)
        for them in alike.values():
            reasons, same = rows.setdefault(frozenset(them), ([], []))
            reasons.append(reason)
            same += (each for by in them for each in sayers[by])
    for people, (reasons, same) in rows.items():
        told = reasons if len(rows) > 1 and len(by_reason) > 1 else []
        yield people, told, [each.call for each in same], join(*(each.cites for each in same))


def throw_text(layout: Layout, moves: list[ThrowMove]) -> str:
    """The machine as a table, a group for each place."""
    from boxman.report.parts import Column, Grid, Part, Sentence
    from boxman.report.terminal import text

    groups: dict[str, list[tuple[str, ...]]] = {}
    for move in moves:
        mark = "" if move["declared"] else " *"
        clauses = "".join(f" {{{cite}}}" for cite in move["clauses"]).strip()
        start, end = (phrase(f"cli.places.{place}") for place in (move["from"], move["to"]))
        if move["stolen"]:
            end = phrase("cli.books.anothers", where=end)
        row = (", ".join(move["by"]), move["call"], f"{end}{mark}", clauses)
        groups.setdefault(phrase("cli.books.the-dice-are", where=start), []).append(row)
    columns = [
        Column(phrase("cli.books.who"), width=30),
        Column(phrase("cli.books.says"), width=30),
        Column(phrase("cli.books.then-they-are"), width=20),
        Column(phrase("cli.books.clauses"), width=60, spare=True),
    ]
    parts: list[Part] = [
        Sentence(phrase("cli.books.a-throw-at", title=layout.title)),
        Grid("", columns, groups),
    ]
    if not all(move["declared"] for move in moves):
        parts.append(Sentence(phrase("cli.books.the-rules-let-this")))
    return text(parts)


def _words(kind: type[Call], taken: list[Call], reasons: list[str]) -> str:
    """What is said, without who says it and what may be left out; of two words for a thing, those
    of the calls that were taken; with the reasons for which it is, where they matter."""
    from boxman.table.call import DECLARED

    pattern = DECLARED[kind].lines[-1].pattern.replace("~", " ")
    if reasons:
        named = ", ".join(reason or phrase("cli.books.no-reason") for reason in reasons)
        pattern = re.sub(r"\[?(for )?\{(reason|cause)\}\]?", f"for {named}", pattern)
    while "[" in pattern:
        pattern = re.sub(r" *\[[^\[\]]*\]", "", pattern)

    def either(words: re.Match[str]) -> str:
        said = [words[2] if getattr(call, words[1]) else words[3] for call in taken]
        return "|".join(sorted(set(said)))

    pattern = re.sub(r"\{(\w+)=([^}|]*)\|([^}]*)\}", either, pattern)
    said = re.sub(r"\{\w+=([^}]*)\}", r"\1", pattern)
    return re.sub(r"\{(\w+)\}", lambda field: field[1].upper(), re.sub(r"^\{\w+\} ", "", said))


def dice(
    table: Annotated[str, typer.Argument()],
    hand: Annotated[int, typer.Argument(min=1, max=2**53)],
    commitment: Annotated[str, typer.Argument()],
    secret: Annotated[str, typer.Argument()],
    throws: Annotated[list[str] | None, typer.Argument()] = None,
    words: Annotated[list[str] | None, typer.Option()] = None,
) -> None:
    from itertools import islice

    from boxman.journal.pit_calls import commitment_of, faces

    if not SECRET.fullmatch(secret) or not SECRET.fullmatch(commitment):
        raise UserError(phrase("dice.no-secret"))
    entropy = []
    for each in words or []:
        seat, mark, text = each.partition("=")
        if not mark:
            raise UserError(phrase("dice.no-words", words=each))
        entropy.append((seat, text))
    seen: dict[int, tuple[int, int]] = {}
    for each in throws or []:
        found = THROW.fullmatch(each)
        if found is None:
            raise UserError(phrase("dice.no-throw", throw=each))
        index = int(found[1]) if found[1] else max(seen, default=-1) + 1
        seen[index] = (int(found[2]), int(found[3]))
    fixed = commitment_of(bytes.fromhex(secret)) == commitment
    typer.echo(phrase("dice.fixed", hand=hand) if fixed else phrase("dice.not-fixed", hand=hand))
    count = 2 * (max(seen, default=-1) + 1)
    made = list(islice(faces(bytes.fromhex(secret), table, hand, entropy), count))
    right = True
    for index, pair in sorted(seen.items()):
        said = (made[2 * index], made[2 * index + 1])
        right = right and said == pair
        if said != pair:
            values = {"throw": index + 1, "seen": "-".join(map(str, pair))}
            typer.echo(phrase("dice.other", **values, said="-".join(map(str, said))))
    if right and seen:
        typer.echo(phrase("dice.all", count=len(seen)))
    if not (fixed and right):
        raise typer.Exit(1)
