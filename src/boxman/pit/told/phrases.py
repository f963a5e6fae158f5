"""What a person of the crew chooses from, in words: causes, reasons, steps, events.

The ids are the engine's; the words are the house's own where its rulebook has any: the title of
the clause that speaks of it. It knows words only, not whether anything may be done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from boxman.rules.book import Book
from boxman.rules.layout import Layout
from boxman.table.call import Declared
from boxman.table.floor.powers import station_name
from boxman.table.lines.fields import FieldKind, OneOf
from boxman.table.state import Cites
from boxman.words import phrase


def plain(word: str) -> str:
    """An id as words."""
    return word.replace("-", " ")


def titled(layout: Layout, station: str) -> str:
    """What the house calls a station, as the head of something."""
    name = station_name(layout, station)
    return f"{name[0].upper()}{name[1:]}"


def _value(value: object) -> str:
    return (
        phrase("pit.forms.on" if value else "pit.forms.off")
        if isinstance(value, bool)
        else str(value)
    )


class Phrases:
    """The words of one house."""

    def __init__(self, layout: Layout, book: Book) -> None:
        self.layout, self.book = layout, book

    def of(self, declared: Declared, field: str, values: Iterable[object]) -> dict[object, str]:
        """The words of these values of a field of a kind of call."""
        values = list(dict.fromkeys(values))
        kind = declared.fields[field]
        if kind.told_by in ("power", "record"):
            cites = {str(value): self._cites(declared, kind, str(value)) for value in values}
            titles = self._by_clause(cites)
            return {value: titles[str(value)] for value in values}
        if isinstance(kind, OneOf):
            tag = declared.kind.__struct_config__.tag
            return {
                value: phrase(f"choices.{tag}.{field}.{str(value).lower()}") for value in values
            }
        return {value: self._one(kind, str(value)) for value in values}

    def _one(self, kind: FieldKind, value: str) -> str:
        layout = self.layout
        match kind.told_by:
            case "spot":
                return layout.spots[value].name if value in layout.spots else value
            case "setting":
                return self._setting(value)
            case "station":
                return station_name(layout, value)
            case "person":
                if value in ("", "somebody"):
                    return phrase(f"pit.forms.{value or 'nobody'}")
                return value
            case "whom" if value == "inspector":
                return phrase("pit.forms.the", value=station_name(layout, value))
            case "reason":
                return plain(value) or phrase("pit.forms.for-no-special-reason")
        return value

    def _setting(self, name: str) -> str:
        """A setting with its present value and what it could be."""
        rule, value = self.layout.setting_rules.get(name), self.layout.settings[name]
        if rule is None:
            return f"{plain(name)}: {value}"
        values = rule.choices or ((True, False) if rule.type == "flag" else ())
        could = [_value(each) for each in values]
        if rule.most is not None:
            could = [phrase("pit.forms.to", low=rule.least or 0, high=rule.most)]
        words = phrase("pit.forms.could-be", could=", ".join(could)) if could else ""
        return f"{rule.text or plain(name)}: {_value(value)}{words}"

    def _cites(self, declared: Declared, kind: FieldKind, reason: str) -> Cites:
        """Every clause that speaks of a cause, a reason or something to be noted."""
        procedure = self.layout.procedure
        if kind.told_by == "record":
            noted = procedure.records.get(reason)
            return noted.cites if noted is not None else ()
        cause = procedure.causes.get(reason)
        if cause is not None:
            return cause.cites
        given = [
            power.cites
            for power in procedure.granted
            if power.reason == reason and power.call in declared.powers
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
            words[""] = phrase("pit.forms.for-no-special-reason")
        return words
