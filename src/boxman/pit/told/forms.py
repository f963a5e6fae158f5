"""The form of one call: what there is to choose and to type, and which of it the desk would take.

A form is a list of ways to say the call, each tried on the desk: what was chosen for it, the call
as it is sent, and what has to be typed besides. A page shows the choices, finds the way they make,
and needs to know no rule.
"""

from __future__ import annotations

from functools import cache
from math import lcm
from typing import Any

import msgspec

from boxman.journal.codec import EveryCall
from boxman.journal.row import Station
from boxman.pit.live.desk import Desk
from boxman.pit.live.stations import CALL_KINDS, spoken
from boxman.pit.told.console import CONSOLE_ENTRIES, Speaker, Tried, sentence, tried, wire
from boxman.pit.told.phrases import Phrases, titled
from boxman.table.call import DECLARED, Call, ConsoleEntry, Declared
from boxman.table.lines.fields import Figure
from boxman.table.said.menu import Choice, Menu, menu
from boxman.table.said.notation import write_call
from boxman.words import phrase
from boxman.words.amounts import in_money

OWN_LABELS = ("throw", "faces")
"""Faces are two fields, and none of them where a throw does not count."""
NOTHING: dict[str, object] = {"money": 0, "parts": ()}
"""What stands in a field into which nothing was typed, where that is no empty word."""
Range = tuple[int, int, int]


def form(desk: Desk, speaker: Speaker, tag: str, at: int) -> dict[str, object]:
    """Everything a page needs to ask for what a call wants, as things stand now."""
    entry = CONSOLE_ENTRIES[tag]
    every = [
        each
        for each in tried(desk, speaker, tag, at)
        if getattr(each.call, "seat", "somebody")  # whose dispute is chosen, never left open
    ]
    ways: dict[tuple[object, ...], dict[str, object]] = {}
    declared, ranges = DECLARED[CALL_KINDS[tag]], _Ranges(desk, tag)
    for call, refusal in every:
        chosen = {name: _value(call, name) for name in entry.choices}
        key = tuple(chosen.values())
        if refusal is None and key not in ways:
            ways[key] = {**_way(desk, speaker, entry, call, chosen), "ranges": ranges.of(call)}
    return {
        "call": tag,
        "label": phrase(f"calls.{tag}"),
        "name": titled(desk.layout, speaker.role),
        "choices": [_choice(desk, tag, n, every) for n in range(len(entry.choices))],
        "fills": [
            {"name": name, "label": _label(declared, name), "kind": _kind(declared, name)}
            for name in entry.fills
        ],
        "ways": list(ways.values()),
        "hint": _hint(desk, speaker, tag, at),
    }


def _label(declared: Declared, name: str) -> str:
    if name in OWN_LABELS:
        return phrase(f"pit.forms.{name}")
    label = declared.fields[name].label
    return phrase(f"fields.{label}") if label else name


def _form(declared: Declared, name: str) -> str:
    """What is typed into a field, if anything is."""
    return declared.fields[name].form if name in declared.fields else ""


def _kind(declared: Declared, name: str) -> str:
    typed = _form(declared, name)
    if typed in ("player", "employee"):
        return "text"
    return typed or name


def _value(call: Call, name: str) -> object:
    """What was chosen in a call that was tried."""
    if name == "throw":
        return bool(getattr(call, "first", 0))
    return getattr(call, name)


def _choice(desk: Desk, tag: str, place: int, every: list[Tried]) -> dict[str, object]:
    """One thing to choose: every value there is, those that no way has with the reason why not."""
    name = CONSOLE_ENTRIES[tag].choices[place]
    taken = {_value(call, name) for call, refusal in every if refusal is None}
    why: dict[object, str] = {}
    for call, refusal in every:
        value = _value(call, name)
        if refusal is not None and value not in taken:
            reason = (
                phrase("pit.forms.it-holds-until-this") if name == "setting" else sentence(refusal)
            )
            why.setdefault(value, reason)
    values = dict.fromkeys(_value(call, name) for call, _ in every)
    if name == "spot":  # too many to tell of each why not
        values = dict.fromkeys(value for value in values if value in taken)
    declared = DECLARED[CALL_KINDS[tag]]
    words: dict[object, str]
    if name == "throw":
        words = {
            value: phrase("pit.forms.counts" if value else "pit.forms.counts-not")
            for value in values
        }
    elif name == "of":
        words = {each.id: _proposed(each.call) for each in desk.book.waiting}
    else:
        words = Phrases(desk.layout, desk.rulebook).of(declared, name, values)
    return {
        "name": name,
        "label": _label(declared, name),
        "options": [
            {"value": value, "text": words[value], "why": why.get(value, "")} for value in values
        ],
    }


def _proposed(call: dict[str, object]) -> str:
    return write_call(msgspec.convert(call, EveryCall))


@cache
def _required(kind: type[Call]) -> frozenset[str]:
    """The fields without which there is no such call."""
    return frozenset(each.name for each in msgspec.structs.fields(kind) if each.required)


def _way(
    desk: Desk, speaker: Speaker, entry: ConsoleEntry, call: Call, chosen: dict[str, object]
) -> dict[str, object]:
    """One way to say a call: what is sent for it, and what has to or may be typed."""
    declared = DECLARED[type(call)]
    said = declared.line(call).names if declared.lines else frozenset(call.__struct_fields__)
    faces = "faces" in entry.fills and "first" in said
    typed = [name for name in entry.fills if name in said]
    fills = [name for name in typed if declared.fields[name].asked(desk.layout, call)]
    station = Station(speaker.role, person=speaker.person)
    must, given = ["faces"] if faces else [], {}
    needed = _required(type(call))
    for name in fills:
        kind, value = declared.fields[name], getattr(call, name)
        money = kind.form == "money"
        blank = msgspec.structs.replace(call, **{name: NOTHING.get(kind.form, "")})
        # Limits are two figures, and a form asks for both.
        named = name in needed or isinstance(kind, Figure)
        if named or desk.trial(station, blank) is not None:
            must.append(name)
        if value and money and not entry.as_menu:
            given[name] = value
    return {
        "chosen": chosen,
        "call": wire(call, ("first", "second") if faces else tuple(fills)),
        "must": must,
        "may": [name for name in fills if name not in must],
        "given": given,
        "people": _people(desk, station, call) if "person" in fills else [],
        "parts": _parts(desk, call, fills),
    }


def _parts(desk: Desk, call: Any, fills: list[str]) -> list[str]:
    """The names of the parts that may be typed, in their order."""
    spots = desk.layout.spots
    share = spots[call.spot].share if "split" in fills else None
    return [spots[part].name if part in spots else part for part in (share.parts if share else ())]


def _people(desk: Desk, station: Station, call: Call) -> list[str]:
    """Those at the table who may be named: nobody of whom the table knows that it was not he."""
    if _form(DECLARED[type(call)], "person") == "employee":
        return []
    named = {seat: msgspec.structs.replace(call, person=seat) for seat in desk.table.seats}
    return [seat for seat, each in named.items() if desk.trial(station, each) is None]


class _Ranges:
    """The amounts that would be taken, where they are known: a union of low, high and step."""

    def __init__(self, desk: Desk, tag: str) -> None:
        self.desk, self.tag = desk, tag
        self.menus: dict[str, Menu] = {}

    def of(self, call: Any) -> list[Range]:
        layout, table = self.desk.layout, self.desk.table
        if CONSOLE_ENTRIES[self.tag].as_menu:
            if call.seat not in self.menus:
                self.menus[call.seat] = menu(layout, table, call.seat, call.at)
            choice = self.menus[call.seat].choices.get(call.spot)
            return _in_parts(choice, layout.chip) if choice else []
        return []


def _in_parts(choice: Choice, chip: int) -> list[Range]:
    """The amounts of a choice whose parts are equal, for they need not be named."""
    if not choice.parts:
        return list(choice.bet)
    even, found = len(choice.parts) * chip, []
    for low, high, step in choice.bet:
        first = next(
            (n for n in range(low, min(high, low + even * step) + 1, step) if not n % even), 0
        )
        if first:
            wide = lcm(step, even)
            found.append((first, first + (high - first) // wide * wide, wide))
    return found


def _hint(desk: Desk, speaker: Speaker, tag: str, at: int) -> str:
    """What the rules would say to something people often want and may not do at once."""
    posted = desk.table.posted
    station = Station(speaker.role, person=speaker.person)
    for call in CALL_KINDS[tag].wanted(desk.layout, desk.table):
        said = spoken(call, speaker.role, "", "", at, speaker.stand_in)
        refusal = desk.trial(station, said)
        if refusal is not None and refusal.code == "notice-due":
            now = in_money(desk.layout.currency, posted.minimum)
            return phrase("pit.forms.above-a-minimum-of", now=now, refusal=sentence(refusal))
    return ""
