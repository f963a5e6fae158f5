"""A stored row as the people at the table are told of it: one message, the same for everybody."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from boxman.dice import Roll
from boxman.journal.pit_calls import (
    AddEntropy,
    AnyPitCall,
    Attest,
    Commit,
    Enter,
    Propose,
    Restart,
    Reveal,
    Throw,
)
from boxman.journal.row import Row
from boxman.pit.live.desk import DeskStep
from boxman.pit.live.notebook import Notebook
from boxman.pit.told.stick import call_of, paid_of
from boxman.pit.told.view import changed
from boxman.rules.layout import Layout
from boxman.table.rulings import Ruling
from boxman.table.said.explain import tell, unsaid
from boxman.table.said.items import items_of
from boxman.table.said.notation import write_call
from boxman.table.said.remarks import remarks
from boxman.table.state import AnyDecision, Rolled, Settled, Table
from boxman.words import phrase

encode = msgspec.json.Encoder().encode


def text_of(row: Row) -> str:
    """A call as a line: in the notation, or in words where the notation has none."""
    call = row.call
    match call:
        case Commit(hand=hand):
            return phrase("pit.view.the-dice-of-hand", hand=hand)
        case AddEntropy(seat=seat):
            return phrase("pit.view.adds-words-to-the", seat=seat)
        case Throw(first=0):
            return phrase("pit.view.stick-throws")
        case Throw(first=first, second=second):
            return phrase("pit.view.the-dice-show", first=first, second=second)
        case Reveal(hand=hand):
            return phrase("pit.view.the-dice-of-hand-are", hand=hand)
        case Restart():
            return phrase("pit.view.the-house-opens-again")
        case Enter(first=first, second=second):
            return phrase("pit.view.stick-enters", first=first, second=second)
        case Attest(first=first, second=second):
            return phrase("pit.view.box-saw", first=first, second=second)
        case Propose():
            return phrase("pit.view.proposes-a-second-person", role=row.station.role)
    if isinstance(call, AnyPitCall):
        return phrase("pit.view.agrees-as-second-person", role=row.station.role)
    return write_call(call)


def refusal_of(row: Row) -> dict[str, object] | None:
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


def row_message(layout: Layout, was: Notebook, step: DeskStep) -> dict[str, object]:
    """The message of one row."""
    row, before, after, book = step
    return {
        "is": "row",
        **row_view(layout, row, before, after),
        "view": changed(layout, before, was, after, book),
    }


def row_view(layout: Layout, row: Row, before: Table, after: Table) -> dict[str, object]:
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
        "decided": _decisions(layout, before, ruling.decisions),
        "followed": followed,
        "clauses": list(row.cites),
    }


def _decisions(
    layout: Layout, before: Table, decisions: Sequence[AnyDecision]
) -> list[dict[str, object]]:
    """Decisions with their sentences; a roll with its call, a payment with its arithmetic."""
    rolled = next((each for each in decisions if isinstance(each, Rolled)), None)
    told = []
    for decision in decisions:
        made: dict[str, object] = msgspec.to_builtins(decision)
        made["text"] = "" if unsaid(decision) else tell(layout, decision, before.seats)
        if isinstance(decision, Rolled):
            made["call"] = call_of(layout, before, decision)
            # What the roll would have decided, had it worked.
            made["slept"] = [
                {"seat": each.seat, "spot": each.spot}
                for each in remarks(layout, before, Roll(decision.first, decision.second))
                if each.what == "sleeps"
            ]
        elif isinstance(decision, Settled):
            made["how"] = paid_of(layout, before, rolled, decision)
        told.append(made)
    return told
