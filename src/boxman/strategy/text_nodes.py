"""The text form as a tree: what a text says, with the line and column where it says it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """Any part of a text, and its line and column."""

    at: tuple[int, int] = (0, 0)

    @property
    def line(self) -> int:
        return self.at[0]

    @property
    def column(self) -> int:
        return self.at[1]


# -- numbers -----------------------------------------------------------------------------------


class Whole(Node, frozen=True, kw_only=True):
    value: int


class Variable(Node, frozen=True, kw_only=True):
    name: str


class Read(Node, frozen=True, kw_only=True):
    """Something the table shows: `point`, `cash`, `stake on pass`."""

    what: str
    spot: str = ""


class Sum(Node, frozen=True, kw_only=True):
    """Two numbers and a sign: + - * /, the last without remainder."""

    sign: str
    left: AnyNumber
    right: AnyNumber


AnyNumber = Whole | Variable | Read | Sum

# -- conditions --------------------------------------------------------------------------------


class Flag(Node, frozen=True, kw_only=True):
    """Something that is so or not: `come-out`, `pass won`, `have place.6`."""

    what: str
    spot: str = ""


class Compare(Node, frozen=True, kw_only=True):
    """A number against others: `level < 3`, `point is 6 or 8`."""

    sign: str
    left: AnyNumber
    right: tuple[AnyNumber, ...]


class Not(Node, frozen=True, kw_only=True):
    part: AnyCondition


class Joined(Node, frozen=True, kw_only=True):
    """Conditions joined by one word, and or or."""

    word: str
    parts: tuple[AnyCondition, ...]


AnyCondition = Flag | Compare | Not | Joined

# -- statements --------------------------------------------------------------------------------


class Act(Node, frozen=True, kw_only=True):
    """One thing to do."""

    verb: str
    spots: tuple[str, ...] = ()
    amount: AnyNumber | None = None
    name: str = ""
    comment: str = ""


class When(Node, frozen=True, kw_only=True):
    """What to do when a condition holds, and otherwise."""

    condition: AnyCondition
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()
    comment: str = ""
    other_comment: str = ""


class Note(Node, frozen=True, kw_only=True):
    """A comment alone on its line, or an empty line."""

    text: str = ""


Statement = Act | When | Note


class Declared(Node, frozen=True, kw_only=True):
    """A variable with its first value."""

    name: str
    value: int
    comment: str = ""


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """A whole text."""

    parts: tuple[Statement | Declared, ...]

    @property
    def variables(self) -> dict[str, int]:
        return {part.name: part.value for part in self.parts if isinstance(part, Declared)}


def acts(parts: tuple[Statement | Declared, ...]) -> Iterator[Act]:
    """All acts of a text, in order."""
    for part in parts:
        if isinstance(part, Act):
            yield part
        elif isinstance(part, When):
            yield from acts(part.then)
            yield from acts(part.otherwise)
