"""What a person of the crew chooses from, in words: causes, reasons, steps, events.

The ids are the engine's; the words are the house's own where its rulebook has any: the title of
the clause that speaks of it. It knows words only, not whether anything may be done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from boxman.rules.book import Book
from boxman.rules.layout import Layout
from boxman.table.powers import station_name
from boxman.table.state import Cites

EVENTS = {
    "inspected": "the dice are inspected",
    "off": "a die went off the table",
    "chosen": "another die is chosen from the bowl",
    "found": "the die is found",
    "checked": "the die is checked and in order",
    "rejected": "the die is checked and not in order",
    "lost": "the die is given up as lost",
    "new set": "a new set comes to the table",
    "old dice": "the shooter goes on with the old dice",
}
STEPS = {"decide": "decide it", "review": "review it", "inspect": "inspect it", "close": "close it"}
SANCTIONS = {
    "exclude": "exclude from the game",
    "refuse wagers": "refuse further wagers",
    "void wagers": "void the wagers that are up",
    "vacate": "ask to give up the place",
}
POWERS = {
    "callnoroll": ("no roll",),
    "voidroll": ("void roll", "void round"),
    "orderpass": ("order to pass",),
    "postlimits": ("post limits",),
    "closetable": ("close table",),
}
"""Calls whose reasons have clauses of their own, and the powers that these clauses give."""
NOBODY = {"": "nobody in particular", "somebody": "somebody who does not play here"}
NOTICES = {"limits": "new limits", "closing": "closing"}
SWITCHES = {
    "whole_round": {False: "the last roll", True: "the whole round since the come-out"},
    "forfeit": {False: "goes back or stands as before", True: "is kept by the house"},
    "keep": {True: "keeps the old minimum", False: "keeps it no longer"},
    "agree": {True: "agree", False: "do not agree"},
    "throw": {True: "the dice showed these faces", False: "no roll: the throw does not count"},
}


def plain(word: str) -> str:
    """An id as words."""
    return word.replace("-", " ")


def titled(layout: Layout, station: str) -> str:
    """What the house calls a station, as the head of something."""
    name = station_name(layout, station)
    return f"{name[0].upper()}{name[1:]}"


def _value(value: Any) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


class Phrases:
    """The words of one house."""

    def __init__(self, layout: Layout, book: Book) -> None:
        self.layout, self.book = layout, book

    def of(self, tag: str, field: str, values: Iterable[Any]) -> dict[Any, str]:
        """The words of these values of a field of a kind of call."""
        values = list(dict.fromkeys(values))
        if field in SWITCHES:
            return {value: SWITCHES[field][value] for value in values}
        if (tag in POWERS and field in ("reason", "cause")) or (tag, field) == ("record", "what"):
            return self._by_clause({value: self._cites(tag, value) for value in values})
        return {value: self._one(tag, field, value) for value in values}

    def _one(self, tag: str, field: str, value: str) -> str:
        layout = self.layout
        match (tag, field):
            case (_, "spot"):
                return layout.spots[value].name if value in layout.spots else value
            case (_, "event"):
                return EVENTS[value]
            case (_, "step"):
                return STEPS[value]
            case ("sanction", "what"):
                return SANCTIONS[value]
            case ("shownotice", "what"):
                return NOTICES[value]
            case (_, "setting"):
                return self._setting(value)
            case (_, "station"):
                return station_name(layout, value)
            case (_, "person") if value in NOBODY:
                return NOBODY[value]
            case (_, "whom") if value == "inspector":
                return f"the {station_name(layout, value)}"
            case (_, "reason"):
                return plain(value) or "for no special reason"
        return value

    def _setting(self, name: str) -> str:
        """A setting with its present value and what it could be."""
        rule, value = self.layout.setting_rules.get(name), self.layout.settings[name]
        if rule is None:
            return f"{plain(name)}: {value}"
        values = rule.choices or ((True, False) if rule.type == "flag" else ())
        could = [_value(each) for each in values]
        if rule.most is not None:
            could = [f"{rule.least or 0} to {rule.most}"]
        words = f" (could be {', '.join(could)})" if could else ""
        return f"{rule.text or plain(name)}: {_value(value)}{words}"

    def _cites(self, tag: str, reason: str) -> Cites:
        """Every clause that speaks of a cause, a reason or something to be noted."""
        procedure = self.layout.procedure
        if tag == "record":
            return procedure.rules["record", reason].cites
        cause = procedure.causes.get(reason)
        if cause is not None:
            return cause.cites
        given = [
            power.cites
            for (name, known), power in procedure.powers.items()
            if known == reason and name in POWERS[tag]
        ]
        return tuple(dict.fromkeys(cite for cites in given for cite in cites))

    def _by_clause(self, cites: dict[str, Cites]) -> dict[str, str]:
        """Each by the title of the clause that is most its own, told apart where two share it."""
        used = Counter(cite for each in cites.values() for cite in each)
        titles = {}
        for value, each in cites.items():
            clauses = [cite for cite in each if self.book.clauses[cite].sort == "clause"] or each
            own = min(clauses, key=lambda cite: used[cite], default="")
            titles[value] = self.book.clauses[own].title if own else plain(value)
        shared = Counter(titles.values())
        words = {}
        for value, title in titles.items():
            again = not value or plain(value).lower() == title.lower() or shared[title] == 1
            words[value] = title if again else f"{title} ({plain(value)})"
        if "" in words:
            words[""] = "for no special reason"
        return words
