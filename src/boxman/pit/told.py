"""A stored row as the people at the table are told of it: one message, the same for everybody."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from boxman.journal.pit_calls import (
    AddEntropy,
    AnyPitCall,
    Attest,
    Commit,
    Enter,
    Propose,
    Reveal,
    Throw,
)
from boxman.journal.row import Row
from boxman.pit.desk import Step
from boxman.pit.notebook import Notebook
from boxman.pit.view import changed
from boxman.rules.layout import Layout
from boxman.table.explain import tell
from boxman.table.items import items_of
from boxman.table.notation import write_call
from boxman.table.rulings import Ruling
from boxman.table.state import Decision, Table

encode = msgspec.json.Encoder().encode


def text_of(row: Row) -> str:
    """A call as a line: in the notation, or in words where the notation has none."""
    call = row.call
    match call:
        case Commit(hand=hand):
            return f"the dice of hand {hand} are fixed"
        case AddEntropy(seat=seat):
            return f"{seat} adds words to the dice"
        case Throw(first=0):
            return "stick throws"
        case Throw(first=first, second=second):
            return f"the dice show {first}-{second}"
        case Reveal(hand=hand):
            return f"the dice of hand {hand} are shown"
        case Enter(first=first, second=second):
            return f"stick enters {first}-{second}"
        case Attest(first=first, second=second):
            return f"box saw {first}-{second}"
        case Propose():
            return f"{row.station.role} proposes; a second person is asked"
    if isinstance(call, AnyPitCall):
        return f"{row.station.role} agrees as second person"
    return write_call(call)


def refusal_of(row: Row) -> dict[str, Any] | None:
    """A refusal as JSON."""
    refusal = row.ruling.refusal
    if refusal is None:
        return None
    return {
        "code": refusal.code,
        "sentence": refusal.sentence,
        "remedy": refusal.remedy,
        "clauses": list(refusal.cites),
    }


def row_message(layout: Layout, was: Notebook, step: Step) -> dict[str, Any]:
    """The message of one row."""
    row, before, after, book = step
    return {
        "is": "row",
        **row_view(layout, row, before, after),
        "view": changed(layout, before, was, after, book),
    }


def row_view(layout: Layout, row: Row, before: Table, after: Table) -> dict[str, Any]:
    """A row as a page shows it, live or from the journal."""
    ruling = row.ruling
    followed: list[str] = []
    if ruling.decisions and not isinstance(row.call, AnyPitCall):
        made = Ruling(row.call, after, ruling.decisions, ruling.warnings)
        followed = [item.words for item in items_of(layout, before, made) if item.written]
    return {
        "number": row.number,
        "at": row.at,
        "by": row.station.role,
        "seat": row.station.seat,
        "id": row.id,
        "text": text_of(row),
        "call": row.call,
        "refused": refusal_of(row),
        "warnings": [
            {"code": n.code, "sentence": n.sentence, "cites": n.cites} for n in ruling.warnings
        ],
        "decided": [_decision(layout, decision, before.seats) for decision in ruling.decisions],
        "followed": followed,
        "clauses": list(row.cites),
    }


def _decision(layout: Layout, decision: Any, names: Collection[str]) -> dict[str, Any]:
    assert isinstance(decision, Decision)
    made: dict[str, Any] = msgspec.to_builtins(decision)
    made["text"] = tell(layout, decision, names)  # type: ignore[arg-type]
    return made
