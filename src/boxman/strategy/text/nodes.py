"""The text form as a tree: what a text says, with the line and column where it says it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec


class TextNode(msgspec.Struct, frozen=True, kw_only=True):
    """Any part of a text, and its line and column."""

    at: tuple[int, int] = (0, 0)

    @property
    def line(self) -> int:
        return self.at[0]

    @property
    def column(self) -> int:
        return self.at[1]


# -- numbers -----------------------------------------------------------------------------------


class Whole(TextNode, frozen=True, kw_only=True):
    value: int


class Variable(TextNode, frozen=True, kw_only=True):
    name: str


class TextRead(TextNode, frozen=True, kw_only=True):
    """Something the table shows: `point`, `cash`, `stake on pass`."""

    what: str
    spot: str = ""


class Addition(TextNode, frozen=True, kw_only=True):
    """Two numbers and a sign: + - * /, the last without remainder."""

    sign: str
    left: AnyNumber
    right: AnyNumber


AnyNumber = Whole | Variable | TextRead | Addition

# -- conditions --------------------------------------------------------------------------------


class Flag(TextNode, frozen=True, kw_only=True):
    """Something that is so or not: `come-out`, `pass won`, `have place.6`."""

    what: str
    spot: str = ""


class Compare(TextNode, frozen=True, kw_only=True):
    """A number against others: `level < 3`, `point is 6 or 8`."""

    sign: str
    left: AnyNumber
    right: tuple[AnyNumber, ...]


class Not(TextNode, frozen=True, kw_only=True):
    part: AnyCondition


class Joined(TextNode, frozen=True, kw_only=True):
    """Conditions joined by one word, and or or."""

    word: str
    parts: tuple[AnyCondition, ...]


AnyCondition = Flag | Compare | Not | Joined

# -- statements --------------------------------------------------------------------------------


class TextAct(TextNode, frozen=True, kw_only=True):
    """One thing to do."""

    verb: str
    spots: tuple[str, ...] = ()
    amount: AnyNumber | None = None
    name: str = ""
    comment: str = ""


class When(TextNode, frozen=True, kw_only=True):
    """What to do when a condition holds, and otherwise."""

    condition: AnyCondition
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()
    comment: str = ""
    other_comment: str = ""


class Comment(TextNode, frozen=True, kw_only=True):
    """A comment alone on its line, or an empty line."""

    text: str = ""


Statement = TextAct | When | Comment


class Declaration(TextNode, frozen=True, kw_only=True):
    """A variable with its first value."""

    name: str
    value: int
    comment: str = ""


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """A whole text."""

    parts: tuple[Statement | Declaration, ...]

    @property
    def variables(self) -> dict[str, int]:
        return {part.name: part.value for part in self.parts if isinstance(part, Declaration)}


def acts(parts: tuple[Statement | Declaration, ...]) -> Iterator[TextAct]:
    """All acts of a text, in order."""
    for part in parts:
        if isinstance(part, TextAct):
            yield part
        elif isinstance(part, When):
            yield from acts(part.then)
            yield from acts(part.otherwise)
