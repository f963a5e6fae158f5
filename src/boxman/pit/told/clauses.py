"""A ruling told in sentences, with the text of every clause and term it rests on.

It tells rows of a journal and rulings that were never stored, such as those of a drill, alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NotRequired, TypedDict

from boxman.dice import Roll
from boxman.journal.row import Row
from boxman.pit.live.terms import TERMS
from boxman.pit.told.rows import refusal_of, text_of
from boxman.rules.book import Book
from boxman.rules.layout import Layout
from boxman.table.rulings import Notice
from boxman.table.said.explain import tell, tell_remark
from boxman.table.said.remarks import remarks
from boxman.table.state import AnyDecision, Rolled, Table


class ToldSentence(TypedDict):
    """One thing that was decided or remarked, and on what it rests."""

    text: str
    clauses: list[str]
    seat: NotRequired[str]
    spot: NotRequired[str]


def explained(book: Book, layout: Layout, row: Row, before: Table | None) -> dict[str, object]:
    """What was asked, what followed and why, sentence by sentence."""
    told = sentences(layout, row.ruling.decisions, row.ruling.warnings, before)
    return {
        "number": row.number,
        "text": text_of(row),
        "refused": refusal_of(row),
        "sentences": told,
        "clauses": clauses_told(book, told, row.cites),
    }


def sentences(
    layout: Layout,
    decisions: Iterable[AnyDecision],
    warnings: Iterable[Notice],
    before: Table | None,
) -> list[ToldSentence]:
    """What was decided, what was warned of and, after a roll, why wagers were left alone."""
    made: list[ToldSentence] = []
    rolled = None
    names = before.seats if before is not None else ()
    for decision in decisions:
        told: ToldSentence = {
            "text": tell(layout, decision, names),
            "clauses": list(decision.cites),
        }
        for about in ("seat", "spot"):
            if hasattr(decision, about):
                told[about] = getattr(decision, about)
        made.append(told)
        if type(decision) is Rolled:
            rolled = decision
    for notice in warnings:
        made.append({"text": f"{notice.sentence}.", "clauses": list(notice.cites)})
    if rolled is not None and before is not None:
        for remark in remarks(layout, before, Roll(rolled.first, rolled.second)):
            made.append(
                {
                    "text": tell_remark(layout, remark),
                    "clauses": list(remark.cites),
                    "seat": remark.seat,
                    "spot": remark.spot,
                }
            )
    return made


def clauses_told(
    book: Book, told: list[ToldSentence], first: Iterable[str] = ()
) -> list[dict[str, str]]:
    """The text of every clause these sentences cite, once each, in order."""
    cites = dict.fromkeys(first)
    for sentence in told:
        cites.update(dict.fromkeys(sentence["clauses"]))
    return [clause_told(book, cite) for cite in cites]


def clause_told(book: Book, cite: str) -> dict[str, str]:
    """A clause, gap or term by its id, in its own words."""
    term = TERMS.get(cite)
    if term is not None:
        return {"id": cite, "sort": "term", "title": term.title, "text": term.text}
    clause = book.clauses.get(cite)
    if clause is None:
        return {"id": cite, "sort": "unknown", "title": cite, "text": ""}
    text = " ".join(clause.text.split())
    return {"id": cite, "sort": clause.sort, "title": clause.title, "text": text}
