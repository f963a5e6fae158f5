"""Citations compared whole: a ruling cites the clauses that carry it, none too few, none too many.

A file tests/golden/citations/<house>.craps is a transcript. Lines that state something after the
colon are the rulings; the clauses they state, taken together, have to be all that the ruling cites:
one missing and one too many are both told. A line that states nothing prepares, and has to be
taken. The lists are written from the house's document, with its sentence in mind, not from what the
program says.
"""

from __future__ import annotations

from collections.abc import Iterable

from boxman.rules.compile import compiled
from boxman.table.opening import BookCompiler, Opening
from boxman.table.said.transcript import PlayedLine, Transcript


def problems(lines: Iterable[str], compiler: BookCompiler = compiled) -> list[str]:
    """Every line that is not ruled as it states, to the last clause."""
    play = Transcript()
    play.compiler = compiler
    found = (_problem(play.play(line)) for line in lines)
    return [problem for problem in found if problem]


def _problem(result: PlayedLine) -> str:
    ruling = result.ruling
    if ruling is None:
        return ""
    expected = result.line.expected
    if not expected:
        return f"line {result.number}: {ruling.refusal.sentence}" if ruling.refusal else ""
    if result.difference is not None:
        return f"line {result.number}: {result.difference.problem}"
    told = ruling.cites if not isinstance(ruling, Opening) else _opening(ruling)
    said = {cite for item in expected for cite in item.cites}
    surplus, missing = [c for c in told if c not in said], sorted(said - set(told))
    if not surplus and not missing:
        return ""
    return f"line {result.number}: surplus {surplus}, missing {missing}"


def _opening(opening: Opening) -> tuple[str, ...]:
    refused = opening.refusal.cites if opening.refusal else ()
    warned = tuple(cite for notice in opening.warnings for cite in notice.cites)
    return (*refused, *opening.cites, *warned)
