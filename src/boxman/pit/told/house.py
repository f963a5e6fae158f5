"""A compiled house as pages draw it: its name and settings, its cloth spot by spot."""

from __future__ import annotations

from typing import Any

import msgspec

from boxman.pit.told.cloth import FRAME, barred, lies
from boxman.pit.told.dress import dress_of
from boxman.rules.cell import kinds_of
from boxman.rules.favours import proposed
from boxman.rules.layout import PUCK_OFF, Layout, SettingRule, Spot
from boxman.table.floor.signs import price
from boxman.words import phrase

Data = dict[str, Any]


def felt_data(layout: Layout) -> Data:
    """The cloth of a compiled house."""
    return {
        **house_data(layout),
        "chip": layout.chip,
        "points": list(layout.points),
        "spots": [_spot(spot) for spot in layout.spots.values()],
        "frame": FRAME,
        "dress": dress_of(layout)._asdict(),
        "labels": {label: str(rule.value) for label, rule in layout.areas.items()},
    }


def house_data(layout: Layout) -> Data:
    """What a page says of a house, and the settings it may be asked for."""
    advice = layout.procedure.advice
    return {
        "house": layout.house,
        "title": layout.title,
        "edition": layout.edition,
        "digest": layout.digest,
        "currency": layout.currency,
        "example": layout.example,
        "settings": msgspec.to_builtins(layout.settings, str_keys=True),
        "choices": [_setting(rule) for rule in layout.setting_rules.values()],
        "advice": True if advice is None else bool(advice.value),
        "proposed": _proposed(layout),
    }


def _proposed(layout: Layout) -> Data:
    """Limits a form begins with: the least at which rounding favours the player in no wager."""
    posted = proposed(layout)
    return {"minimum": posted.minimum, "maximum": posted.maximum, "chip": layout.chip}


def _setting(rule: SettingRule) -> Data:
    """A setting as a form asks for it: its text is a label, and a hint after the colon."""
    label, _, hint = rule.text.partition(": ")
    return {
        "name": rule.name,
        "label": f"{label[:1].upper()}{label[1:]}",
        "hint": hint,
        "type": rule.type,
        "text": rule.text,
        "default": rule.default,
        "least": rule.least,
        "most": rule.most,
        "choices": list(rule.choices),
        "clauses": list(rule.cites),
    }


def _spot(spot: Spot) -> Data:
    shown = price(spot)
    clauses = dict.fromkeys((*spot.offer_cites, *spot.make_cites, *shown.cites))
    data: Data = {
        "id": spot.id,
        "family": spot.family,
        "number": spot.number,
        "name": spot.name,
        "shape": spot.shape.name,
        "price": shown.text.partition(": ")[2],
        "made": spot.windows["make"].value,
        "removed": spot.windows["remove"].value,
        "clauses": list(clauses),
        "wins": _wins(spot),
        **lies(spot),
    }
    if bar := barred(spot):
        data["bar"] = bar
    if spot.shape.flat:
        data["comes_out"] = _comes_out(spot)
    if spot.behind is not None:
        data["behind"] = spot.behind.flat
    if spot.gate is not None:
        until = phrase(f"diff.gates.{spot.gate.until}")
        data["gate"] = {"group": spot.gate.group, "joined": until}
    if spot.collection is not None:
        data["collects"] = list(spot.collection.items)
    if spot.fee is not None:
        fee = spot.fee
        data["fee"] = phrase(
            "pit.web.of-the-at", rate=fee.rate * 100, base=fee.base, charged=fee.charged
        )
    if spot.share is not None:
        data["parts"] = list(spot.share.parts)
    return data


def _comes_out(spot: Spot) -> dict[str, list[int]]:
    """Totals of a first roll on which a line or travelling wager wins, loses, gets a point."""
    found: dict[str, set[int]] = {"win": set(), "lose": set(), "point": set()}
    for kind, cell in zip(kinds_of(spot.rows[PUCK_OFF]), spot.rows[PUCK_OFF], strict=True):
        verdict = cell.verdict if cell is not None else ""
        if verdict not in ("bar", "push"):
            found[verdict if verdict in found else "point"].add(kind.total)
    return {name: sorted(totals) for name, totals in found.items()}


def _wins(spot: Spot) -> dict[str, str]:
    """What the cloth prints for a wager decided by one roll: each winning total and its price."""
    if not spot.shape.one_roll or spot.shape.composed:
        return {}
    return {
        str(kind.total): f"{cell.win.numerator} to {cell.win.denominator}"
        for kind, cell in zip(kinds_of(spot.rows[0]), spot.rows[0], strict=True)
        if cell is not None and cell.win > 0
    }
