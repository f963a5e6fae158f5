"""A line that was run, as JSON: one object per call, with the table after it in minor units."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from boxman.rules.layout import Layout
from boxman.table.calls import Call
from boxman.table.json import table_json
from boxman.table.opening import Opening
from boxman.table.rulings import Ruling
from boxman.table.said.notation import write_call
from boxman.table.said.transcript import PlayedLine
from boxman.table.state import Settled, Table

_ENCODER = msgspec.json.Encoder(order="deterministic")


def as_json(layout: Layout | None, table: Table | None, result: PlayedLine) -> list[bytes]:
    """One object per call that this line made, the crew's first."""
    rows = []
    for ruling in (*result.crew, result.ruling):
        if ruling is not None:
            rows.append(_ENCODER.encode(_object(layout, table, result, ruling)))
    return rows


def _object(
    layout: Layout | None, table: Table | None, result: PlayedLine, ruling: Ruling | Opening
) -> dict[str, object]:
    after = ruling.after if isinstance(ruling, Ruling) else table
    row: dict[str, object] = {
        "line": result.number,
        "call": _plain(ruling.call),
        "text": write_call(ruling.call),
        "accepted": ruling.refusal is None,
    }
    if ruling.refusal is not None:
        refusal = ruling.refusal
        row["refusal"] = {
            "code": refusal.code,
            "sentence": refusal.sentence,
            "remedy": refusal.remedy,
            "clauses": refusal.cites,
        }
    row["warnings"] = [
        {"code": n.code, "sentence": n.sentence, "clauses": n.cites} for n in ruling.warnings
    ]
    row["clauses"] = ruling.cites
    decisions = ruling.decisions if isinstance(ruling, Ruling) else ()
    row["decided"] = [
        _settled_json(layout, decision) for decision in decisions if isinstance(decision, Settled)
    ]
    if ruling is result.ruling:
        row["followed"] = [{"what": item.words, "clauses": item.cites} for item in result.items]
    if layout is not None:
        rule = layout.procedure.advice
        row["advice"] = rule is None or rule.value
    if layout is not None and after is not None:
        row["table"] = table_json(layout, after)
    if result.difference is not None and ruling is result.ruling:
        row["difference"] = result.difference.problem
    return row


def _plain(call: Call) -> dict[str, object]:
    plain: dict[str, object] = msgspec.to_builtins(call)
    return {key: value for key, value in plain.items() if value not in ("", 0, (), [], {})}


def _settled_json(layout: Layout | None, settled: Settled) -> dict[str, object]:
    return {
        "player": settled.seat,
        "spot": settled.spot,
        "verdict": settled.verdict,
        "stake": settled.stake,
        "paid": settled.paid,
        "taken": settled.taken,
        "returned": settled.returned,
        "net": settled.net,
        "parts": _parts(layout, settled),
        "clauses": settled.cites,
    }


def _parts(layout: Layout | None, settled: Settled) -> list[dict[str, object]]:
    """The parts of a composite wager with an even split."""
    share = layout.spots[settled.spot].share if layout else None
    if share is None:
        return []
    whole = sum(share.units)
    stakes = [Fraction(stake) for stake in settled.split]
    stakes = stakes or [Fraction(settled.stake * unit, whole) for unit in share.units]
    return [
        {"spot": part, "stake": _exact(stake), "won": part == settled.part}
        for part, stake in zip(share.parts, stakes, strict=True)
    ]


def _exact(amount: Fraction) -> int | str:
    return int(amount) if amount.denominator == 1 else str(amount)
