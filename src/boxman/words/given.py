"""What a program gives: of the kind that is asked for, or a sentence that says what would be."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from boxman.words import phrase


class GivenError(ValueError):
    """Something of another kind than is asked for; the message says which would do."""


def expect(name: str, value: object, *kinds: Any) -> None:
    """Nothing, where the value is of one of the kinds.

    >>> expect("chip", 100, int)
    >>> expect("chip", "1", int)
    Traceback (most recent call last):
        ...
    boxman.words.given.GivenError: chip has to be a whole number, not '1'
    """
    if not any(_fits(value, kind) for kind in kinds):
        said = tuple(each for kind in kinds for each in _said(kind))
        raise GivenError(phrase("given.wrong", name=name, kinds=said, given=f"{value!r:.60}"))


def expect_fields(record: msgspec.Struct) -> None:
    """The same for every field of a record, by the type it is declared with."""
    for name, kind in _declared(type(record)):
        value = getattr(record, name)
        if type(value) is not kind:
            expect(name, value, kind)


def _fits(value: object, kind: Any) -> bool:
    held = get_origin(kind) or kind
    if isinstance(held, type):
        if not isinstance(value, held) or (held is int and isinstance(value, bool)):
            return False
        if held is kind:
            return True
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


@lru_cache
def _declared(record: type[msgspec.Struct]) -> tuple[tuple[str, Any], ...]:
    """Fields by name, with their types without what else is noted of them."""
    return tuple(get_type_hints(record).items())


def _said(kind: Any) -> tuple[str, ...]:
    """A kind in words: by its name in the book, or what may be written for it."""
    if get_origin(kind) is Literal:
        return tuple(map(repr, get_args(kind)))
    return (phrase(f"given.kinds.{(get_origin(kind) or kind).__name__}"),)
