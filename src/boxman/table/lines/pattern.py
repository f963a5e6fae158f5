"""One line of the notation as a pattern, from which it is read and written.

    {by} gives~back {seat} {spot} [{amount}]

The first word is who speaks; `~` joins words that are taken together or not at all. `{seat}` is a
field, as its kind reads it; `{first}-{second}` are two fields in one word; `{only=only}` is a field
that its word sets, `{whole_round=round|roll}` one of which the word decides. What stands in
brackets may be left out, and is written where its first field is set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from boxman.rules.duties import STATIONS
from boxman.table.lines.fields import FieldKind, Half, Made, Pair
from boxman.table.lines.words import Cursor, Word

Side = Literal["crew", "station", "player", ""]
"""Whose words they are: the crew's (and a player who says them is refused), a station's alone, a
player's, or nobody's."""

_TOKEN = re.compile(r"\[|\]|\{\w+\}[-=]\{\w+\}|\{[^}]*\}|[^\s\[\]]+")


class Words:
    """Words that have to stand there."""

    fields: tuple[str, ...] = ()

    def __init__(self, texts: tuple[str, ...]) -> None:
        self.texts, self.text = texts, " " + " ".join(texts)

    def read(self, cursor: Cursor, made: Made) -> None:
        cursor.want(*self.texts)

    def write(self, call: object) -> str:
        return self.text

    def blank(self, call: object, chosen: tuple[str, ...]) -> str:
        return self.text

    def shown(self) -> str:
        return self.text


class Field:
    """A field of the call."""

    def __init__(self, name: str, kind: FieldKind) -> None:
        self.name, self.kind, self.fields = name, kind, (name,)

    def read(self, cursor: Cursor, made: Made) -> None:
        made[self.name] = self.kind.read(cursor, made)

    def write(self, call: object) -> str:
        text = self.kind.write(getattr(call, self.name), call)
        return "" if text is None else f" {text}"

    def blank(self, call: object, chosen: tuple[str, ...]) -> str:
        return f" {self.kind.blank}" if self.kind.blank else self.write(call)

    def shown(self) -> str:
        return f" {self.kind.example}"


class Both:
    """Two fields in one word."""

    def __init__(self, first: str, second: str, pair: Pair) -> None:
        self.first, self.second, self.pair = first, second, pair
        self.fields = (first, second)

    def read(self, cursor: Cursor, made: Made) -> None:
        made[self.first], made[self.second] = self.pair.read(cursor)

    def write(self, call: object) -> str:
        return f" {self.pair.write(getattr(call, self.first), getattr(call, self.second))}"

    def blank(self, call: object, chosen: tuple[str, ...]) -> str:
        return f" {self.pair.blank}"

    def shown(self) -> str:
        return f" {self.pair.example}"


class Switch:
    """A field that is true if its words stand there; else others have to."""

    def __init__(self, name: str, yes: str, no: str) -> None:
        self.name, self.fields = name, (name,)
        self.yes, self.no = tuple(yes.split()), tuple(no.split())

    def read(self, cursor: Cursor, made: Made) -> None:
        made[self.name] = cursor.accept(*self.yes)
        if not made[self.name]:
            cursor.want(*self.no)

    def write(self, call: object) -> str:
        return f" {' '.join(self.yes if getattr(call, self.name) else self.no)}"

    def blank(self, call: object, chosen: tuple[str, ...]) -> str:
        return self.write(call)

    def shown(self) -> str:
        return f" {' '.join(self.no or self.yes)}"


class MaybeSaid:
    """What may be left out."""

    fields: tuple[str, ...]

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes, opening = nodes, nodes[0]
        self.fields = next(node.fields for node in nodes if node.fields)
        self.opening: tuple[str, ...] = ()
        """The words it begins with, if it does."""
        self.sets = ""
        """The field that these words set."""
        self.until: tuple[str, ...] = ()
        """Where no words begin it: those that begin what comes behind it."""
        if isinstance(opening, Words):
            self.opening = opening.texts
        elif isinstance(opening, Switch):
            self.opening, self.sets = opening.yes, opening.name
        self.rest = nodes[1:] if self.opening else nodes

    def read(self, cursor: Cursor, made: Made) -> None:
        if self.opening:
            if not cursor.accept(*self.opening):
                return
            if self.sets:
                made[self.sets] = True
        elif not cursor.more or cursor.peek() in self.until:
            return
        for node in self.rest:
            node.read(cursor, made)

    def write(self, call: object) -> str:
        if not getattr(call, self.fields[0]):
            return ""
        return "".join([node.write(call) for node in self.nodes])

    def blank(self, call: object, chosen: tuple[str, ...]) -> str:
        """Only what was chosen; the rest is left to the person."""
        for node in self.nodes:
            if set(node.fields) & set(chosen) and node.blank(call, chosen) == node.write(call):
                return self.write(call)
        return ""

    def shown(self) -> str:
        return f" [{''.join(node.shown() for node in self.nodes).strip()}]"


Node = Words | Field | Both | Switch | MaybeSaid


class Line:
    """A pattern, the fields it fixes, and whose words it is."""

    def __init__(self, pattern: str, side: Side | None = None, **fixed: object) -> None:
        self.pattern, self.fixed = pattern, fixed
        tokens = _TOKEN.findall(pattern)
        self.lead = tokens.pop(0)[1:-1] if tokens[0].startswith("{") else ""
        """The field that says who speaks."""
        self.start: str = tokens.pop(0).replace("~", " ")
        self.verb, *head = self.start.split()
        self.head = tuple(head)
        """Words behind the verb without which it is another line."""
        self.tokens = tokens
        self.side: Side = side if side is not None else _SIDES[self.lead]
        self.nodes: list[Node] = []
        self.names: frozenset[str] = frozenset()
        """The fields it says."""
        self.needed: list[Node] = []
        self.maybes: list[MaybeSaid] = []

    def typed(self, kinds: dict[str, FieldKind]) -> None:
        """Give each field its kind."""
        self.nodes = list(_nodes(iter(self.tokens), kinds))
        self.names = frozenset(re.findall(r"{(\w+)", self.pattern))
        self.maybes = [node for node in self.nodes if isinstance(node, MaybeSaid)]
        self.needed = self.nodes[: len(self.nodes) - len(self.maybes)]
        assert [*self.needed, *self.maybes] == self.nodes, "what may be left out comes last"
        for at, node in enumerate(self.maybes, 1):
            node.until = tuple(each.opening[0] for each in self.maybes[at:] if each.opening)

    def read(self, cursor: Cursor, made: Made) -> Made:
        """The fields, from the words behind verb and head."""
        if self.fixed:
            made.update(self.fixed)
        for node in self.needed:
            node.read(cursor, made)
        for maybe in self.maybes:
            if cursor.index == len(cursor.words):
                break
            maybe.read(cursor, made)
        return made

    def fits(self, call: object) -> bool:
        """Whether it says this call."""
        if self.side == "station" and getattr(call, self.lead) not in STATIONS:
            return False
        return all(getattr(call, name) == value for name, value in self.fixed.items())

    def write(self, call: object) -> str:
        """The line behind the speaker's name."""
        text = self.start
        for node in self.nodes:
            text += node.write(call)
        return text

    def blank(self, call: object, chosen: tuple[str, ...]) -> str:
        """The line behind the speaker's name, without what is left to the person to fill in."""
        return self.start + "".join(node.blank(call, chosen) for node in self.nodes)

    def shown(self) -> str:
        """An example of the line behind the speaker's name."""
        return self.start + "".join(node.shown() for node in self.nodes)

    def spoken(self, words: list[Word]) -> bool:
        """Whether these words, the verb apart, can only be this line."""
        at, telling = len(self.head), bool(self.head)
        if tuple(word.text for word in words[:at]) != self.head:
            return False
        for node in self.needed:
            if isinstance(node, Words):
                texts = node.texts
                if tuple(word.text for word in words[at : at + len(texts)]) != texts:
                    return False
                at, telling = at + len(texts), True
                if node is self.nodes[-1]:
                    return len(words) == at
                continue
            if isinstance(node, Both) and node.pair.shape is not None:
                return at < len(words) and node.pair.shape.fullmatch(words[at].text) is not None
            at += 1
        return telling


_SIDES: dict[str, Side] = {"by": "crew", "seat": "player", "": ""}


def _nodes(tokens: Iterator[str], kinds: dict[str, FieldKind]) -> Iterator[Node]:
    """The nodes of a pattern; neighbouring words are wanted together."""
    texts: list[str] = []
    for token in tokens:
        if token[0] not in "[]{":
            texts += token.split("~")
            continue
        if texts:
            yield Words(tuple(texts))
            texts = []
        if token == "]":
            return
        yield MaybeSaid(list(_nodes(tokens, kinds))) if token == "[" else _field(token, kinds)
    if texts:
        yield Words(tuple(texts))


def _field(token: str, kinds: dict[str, FieldKind]) -> Node:
    names = re.findall(r"\{(\w+)\}", token)
    if len(names) == 2:
        half = kinds[names[0]]
        assert isinstance(half, Half), token
        return Both(names[0], names[1], half.pair)
    name, equals, words = token[1:-1].partition("=")
    if equals:
        yes, _, no = words.partition("|")
        return Switch(name, yes, no)
    return Field(name, kinds[name])
