"""The form of one call: what there is to choose and to type, and which of it the desk would take.

A form is a list of ways to say the call, each tried on the desk: what was chosen for it, the call
as it is sent, and what has to be typed besides. A page shows the choices, finds the way they make,
and needs to know no rule.
"""

from __future__ import annotations

from typing import Any

import msgspec

from boxman.chips import format_amount
from boxman.journal.codec import EveryCall
from boxman.journal.row import Station
from boxman.pit.console import ENTRIES, Speaker, Tried, sentence, tried, wire
from boxman.pit.desk import Desk
from boxman.pit.phrases import Phrases, titled
from boxman.rules.book import read_book
from boxman.table.floor_calls import PostLimits
from boxman.table.menu import Menu, menu
from boxman.table.notation import write_call

LABELS = {
    "seat": "Player",
    "first": "One player",
    "second": "The other",
    "spot": "Spot",
    "cause": "Cause",
    "reason": "Reason",
    "what": "What",
    "event": "What happened",
    "step": "Step",
    "whom": "Whom",
    "station": "Station",
    "of": "Which call",
    "agree": "You",
    "keep": "The player",
    "throw": "The throw",
    "whole_round": "Void",
    "forfeit": "What that person had on it",
    "faces": "The faces",
    "amount": "Amount",
    "minimum": "Minimum",
    "maximum": "Maximum",
    "unit": "Unit of stakes",
    "person": "Person",
    "note": "Note",
    "about": "About",
}
MONEY = ("amount", "minimum", "maximum", "unit")
TEXT = ("person", "note", "about")
BOTH = ("shownotice", "postlimits", "grantlimits")
"""Limits are two figures, and a form asks for both."""
Range = tuple[int, int, int]


def form(desk: Desk, speaker: Speaker, tag: str, at: int) -> dict[str, Any]:
    """Everything a page needs to ask for what a call wants, as things stand now."""
    entry = ENTRIES[tag]
    every = [
        each
        for each in tried(desk, speaker, tag, at)
        if getattr(each.call, "seat", "somebody")  # whose dispute is chosen, never left open
    ]
    ways: dict[tuple[Any, ...], dict[str, Any]] = {}
    ranges = _Ranges(desk, tag)
    for call, refusal in every:
        chosen = {name: _value(call, name) for name in entry.choices}
        key = tuple(chosen.values())
        if refusal is None and key not in ways:
            ways[key] = {**_way(desk, speaker, tag, call, chosen), "ranges": ranges.of(call)}
    return {
        "call": tag,
        "label": entry.label,
        "name": titled(desk.layout, speaker.role),
        "choices": [_choice(desk, tag, n, every) for n in range(len(entry.choices))],
        "fills": [
            {"name": name, "label": LABELS[name], "kind": _kind(name)} for name in entry.fills
        ],
        "people": [] if tag == "standin" else list(desk.table.seats),
        "ways": list(ways.values()),
        "hint": _hint(desk, speaker, tag, at),
    }


def _kind(name: str) -> str:
    return "money" if name in MONEY else "text" if name in TEXT else name


def _value(call: EveryCall, name: str) -> Any:
    """What was chosen in a call that was tried."""
    if name == "throw":
        return bool(getattr(call, "first", 0))
    return getattr(call, name)


def _choice(desk: Desk, tag: str, place: int, every: list[Tried]) -> dict[str, Any]:
    """One thing to choose: every value there is, those that no way has with the reason why not."""
    name = ENTRIES[tag].choices[place]
    taken = {_value(call, name) for call, refusal in every if refusal is None}
    why: dict[Any, str] = {}
    for call, refusal in every:
        value = _value(call, name)
        if refusal is not None and value not in taken:
            reason = "it holds until this table closes" if name == "setting" else sentence(refusal)
            why.setdefault(value, reason)
    values = dict.fromkeys(_value(call, name) for call, _ in every)
    if name == "spot":  # too many to tell of each why not
        values = dict.fromkeys(value for value in values if value in taken)
    words = Phrases(desk.layout, read_book(desk.source)).of(tag, name, values)
    if name == "of":
        words = {each.id: _proposed(each.call) for each in desk.book.waiting}
    return {
        "name": name,
        "label": LABELS.get(name, name),
        "options": [
            {"value": value, "text": words[value], "why": why.get(value, "")} for value in values
        ],
    }


def _proposed(call: dict[str, Any]) -> str:
    return write_call(msgspec.convert(call, EveryCall))


def _way(
    desk: Desk, speaker: Speaker, tag: str, call: EveryCall, chosen: dict[str, Any]
) -> dict[str, Any]:
    """One way to say a call: what is sent for it, and what has to or may be typed."""
    fills = [name for name in ENTRIES[tag].fills if name != "faces" or chosen.get("throw", True)]
    if chosen.get("what") == "closing":
        fills = []
    station = Station(speaker.role, person=speaker.person)
    must, given = [], {}
    needed = {each.name for each in msgspec.structs.fields(call) if each.required}
    for name in fills:
        if name == "faces":
            must.append(name)
            continue
        value = getattr(call, name)
        blank = msgspec.structs.replace(call, **{name: 0 if name in MONEY else ""})
        named = name in needed or (tag in BOTH and name in ("minimum", "maximum"))
        if named or desk.trial(station, blank) is not None:
            must.append(name)
        if value and name in MONEY and tag != "placefor":
            given[name] = value
    without = tuple(name for name in fills if name != "faces")
    plain = wire(call, without)
    if "faces" in fills:
        plain = wire(call, ("first", "second"))
    return {
        "chosen": chosen,
        "call": plain,
        "must": must,
        "may": [name for name in fills if name not in must],
        "given": given,
    }


class _Ranges:
    """The amounts that would be taken, where they are known: a union of low, high and step."""

    def __init__(self, desk: Desk, tag: str) -> None:
        self.desk, self.tag = desk, tag
        self.menus: dict[str, Menu] = {}

    def of(self, call: Any) -> list[Range]:
        layout, table = self.desk.layout, self.desk.table
        if self.tag == "placefor":
            if call.seat not in self.menus:
                self.menus[call.seat] = menu(layout, table, call.seat, call.at)
            choice = self.menus[call.seat].choices.get(call.spot)
            return list(choice.bet) if choice else []
        return []


def _hint(desk: Desk, speaker: Speaker, tag: str, at: int) -> str:
    """What the rules would say to something people often want and may not do at once."""
    if tag != "postlimits":
        return ""
    posted, chip = desk.table.posted, desk.layout.chip
    station = Station(speaker.role, person=speaker.person)
    for power, reason in desk.layout.procedure.powers:
        if power != "post limits":
            continue
        higher = PostLimits(
            by=speaker.role,
            at=at,
            stand_in=speaker.stand_in,
            minimum=posted.minimum + chip,
            maximum=posted.maximum,
            unit=posted.unit,
            reason=reason,
        )
        refusal = desk.trial(station, higher)
        if refusal is not None and refusal.code == "notice-due":
            now = f"{desk.layout.currency}{format_amount(posted.minimum)}"
            return f"Above a minimum of {now}: {sentence(refusal)}."
    return ""
