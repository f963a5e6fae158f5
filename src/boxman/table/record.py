"""A line that was run, as JSON: one object per call, amounts as numbers in currency units."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec

from boxman.chips import MINOR
from boxman.rules.layout import Layout
from boxman.table.calls import Call
from boxman.table.notation import write_call
from boxman.table.opening import Opening
from boxman.table.people import GUEST, QUIET, Floor
from boxman.table.rulings import Ruling
from boxman.table.state import Settled, Table
from boxman.table.transcript import Result

_ENCODER = msgspec.json.Encoder(decimal_format="number", order="deterministic")


def number(amount: int) -> int | Decimal:
    """An amount as a JSON number in currency units."""
    whole, rest = divmod(amount, MINOR)
    return Decimal(amount) / MINOR if rest else whole


def as_json(layout: Layout | None, table: Table | None, result: Result) -> list[bytes]:
    """One object per call that this line made, the crew's first."""
    rows = []
    for ruling in (*result.crew, result.ruling):
        if ruling is not None:
            rows.append(_ENCODER.encode(_object(layout, table, result, ruling)))
    return rows


def _object(
    layout: Layout | None, table: Table | None, result: Result, ruling: Ruling | Opening
) -> dict[str, Any]:
    after = ruling.after if isinstance(ruling, Ruling) else table
    row: dict[str, Any] = {
        "line": result.number,
        "call": _call_json(ruling.call),
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
        rule = layout.procedure.rules.get(("advice", "allowed"))
        row["advice"] = rule is None or bool(rule.value)
    if after is not None:
        row["puck"] = after.puck or "off"
        row["phase"] = after.phase
        row["rails"] = {seat.name: number(seat.rail) for seat in after.seats.values()}
        row["wagers"] = {
            seat.name: {
                wager.spot: {"stake": number(wager.stake)}
                | ({"fee": number(wager.fee)} if wager.fee else {})
                | ({"marker": wager.marker} if wager.marker else {})
                | ({"stays_up": True} if wager.stays else {})
                for wager in seat.wagers.values()
            }
            for seat in after.seats.values()
        }
        row["bank"] = number(after.bank)
        row["limits"] = {
            "minimum": number(after.posted.minimum),
            "maximum": number(after.posted.maximum),
        } | ({"unit": number(after.posted.unit)} if after.posted.unit else {})
        if after.floor != QUIET:
            row["floor"] = _floor(after.floor)
        if after.hand.shooter != GUEST:
            row["shooter"] = after.hand.shooter or None
            row["dice_offered_to"] = after.hand.offered or None
            if after.hand.no_rolls:
                row["no_rolls"] = after.hand.no_rolls
    if result.difference is not None and ruling is result.ruling:
        row["difference"] = result.difference.problem
    return row


def _floor(floor: Floor) -> dict[str, Any]:
    """What is new on the floor, amounts in minor units as in the records themselves."""
    plain: dict[str, Any] = {}
    for field in floor.__struct_fields__:
        value = getattr(floor, field)
        if value != getattr(QUIET, field):
            plain[field] = sorted(value) if isinstance(value, frozenset) else value
    return dict(msgspec.to_builtins(plain))


_MONEY_FIELDS = ("amount", "to", "chip", "minimum", "maximum", "unit")


def _call_json(call: Call) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(call)
    for field in _MONEY_FIELDS:
        if isinstance(plain.get(field), int):
            plain[field] = number(plain[field])
    if "split" in plain:
        plain["split"] = [number(part) for part in plain["split"]]
    return {key: value for key, value in plain.items() if value not in ("", 0, (), [], {})}


def _settled_json(layout: Layout | None, settled: Settled) -> dict[str, Any]:
    return {
        "player": settled.seat,
        "spot": settled.spot,
        "verdict": settled.verdict,
        "stake": number(settled.stake),
        "paid": number(settled.paid),
        "taken": number(settled.taken),
        "returned": number(settled.returned),
        "net": number(settled.net),
        "parts": _parts(layout, settled),
        "clauses": settled.cites,
    }


def _parts(layout: Layout | None, settled: Settled) -> list[dict[str, Any]]:
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


def _exact(amount: Fraction) -> int | Decimal | str:
    return number(int(amount)) if amount.denominator == 1 else str(amount / MINOR)
