"""A row of a journal told in sentences, with the text of every clause and term it rests on."""

from __future__ import annotations

from typing import Any

from boxman.dice import Roll
from boxman.journal.row import Row
from boxman.pit.terms import TERMS
from boxman.pit.told import refusal_of, text_of
from boxman.rules.book import Book, read_book
from boxman.rules.layout import Layout
from boxman.table.explain import tell, tell_remark
from boxman.table.remarks import remarks
from boxman.table.state import Rolled, Table


def explained(house: str, layout: Layout, row: Row, before: Table | None) -> dict[str, Any]:
    """What was asked, what followed and why, sentence by sentence."""
    book = read_book(house)
    sentences: list[dict[str, Any]] = []
    for decision in row.ruling.decisions:
        about = {
            name: getattr(decision, name) for name in ("seat", "spot") if hasattr(decision, name)
        }
        sentences.append({"text": tell(layout, decision), "clauses": list(decision.cites), **about})
    for notice in row.ruling.warnings:
        sentences.append({"text": f"{notice.sentence}.", "clauses": list(notice.cites)})
    rolled = next((d for d in row.ruling.decisions if type(d) is Rolled), None)
    if rolled is not None and before is not None:
        for remark in remarks(layout, before, Roll(rolled.first, rolled.second)):
            sentences.append(
                {
                    "text": tell_remark(layout, remark),
                    "clauses": list(remark.cites),
                    "seat": remark.seat,
                    "spot": remark.spot,
                }
            )
    cites = dict.fromkeys(row.cites)
    for sentence in sentences:
        cites.update(dict.fromkeys(sentence["clauses"]))
    return {
        "number": row.number,
        "text": text_of(row),
        "refused": refusal_of(row),
        "sentences": sentences,
        "clauses": [clause_told(book, cite) for cite in cites],
    }


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
