"""Catalogue, rulebook and cases side by side: what became of every row, what proves it."""

from __future__ import annotations

import csv
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from boxman.rules.book import read_book
from tests.cases import cases

FOLDER = Path(__file__).parent / "catalogue"


IN_PART: dict[tuple[str, str], str] = {}
"""Rows of which something is not enforced, and what."""


class Row(NamedTuple):
    clause: str
    kind: str
    handling: str
    status: str
    proof: str
    """The cases that prove it, or the reason why none does."""


@lru_cache
def catalogue(house: str) -> tuple[dict[str, str], ...]:
    with (FOLDER / f"{house}.csv").open(newline="") as rows:
        return tuple(csv.DictReader(rows))


def proofs(house: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for case in cases(house):
        for clause in case.clauses:
            found.setdefault(clause, []).append(f"{Path(case.path).name}:{case.line}")
    return found


def rows(house: str) -> list[Row]:
    book, proof = read_book(house), proofs(house)
    found = []
    for row in catalogue(house):
        clause = book.clauses[row["clause"]]
        where = ", ".join(proof.get(clause.id, []))
        if clause.reason:
            reason, _, why = clause.reason.partition(":")
            status = {"display": "shown"}.get(reason, reason)
            found.append(Row(clause.id, row["kind"], row["handling"], status, where or why.strip()))
        else:
            kinds = {stated.kind for stated in book.facts if stated.clause == clause.id}
            status = "setting" if row["handling"] == "config" else "enforced"
            if kinds - {"sign", "advice"} == {"record"}:
                status = "recorded"
            elif kinds <= {"sign", "advice"}:
                status = "shown"
            elif kinds == {"equipment"}:
                status = "shown" if row["handling"] == "display" else "physical"
                where = where or "told by `boxman diff`"
            if missing := IN_PART.get((house, clause.id)):
                status, where = "in part", f"{where}; missing: {missing}"
            found.append(Row(clause.id, row["kind"], row["handling"], status, where))
    return found


def wants_case(row: Row) -> bool:
    """Whether the row must be proved by a case: all that the engine, staff or settings do."""
    return row.handling in ("engine", "staff", "config") and row.status != "open"
