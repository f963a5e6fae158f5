"""What is said of a change of the floor: a key of the phrase book with its values.

Rows come from disks too: what the book has no phrase for is told by its key and values, so that a
journal from elsewhere can be read. That our own code names only phrases there are is for the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from boxman.chips import format_amount
from boxman.words.say import MissingPhrase, Value, say


class Told(NamedTuple):
    """Something that is said: its key in the phrase book, and its values."""

    key: str
    values: dict[str, Value]


def saying(key: str, **values: Value) -> Told:
    """Something to be said."""
    return Told(key, values)


def said(what: str, values: dict[str, Value], money: Callable[[int], str] = format_amount) -> str:
    """What is said of a change of the floor; nothing where there is no word of it."""
    return say_kept(f"floor.{what}", what, values, money=money) if what else ""


def say_kept(
    key: str,
    code: str,
    values: dict[str, Value],
    language: str = "",
    money: Callable[[int], str] = format_amount,
) -> str:
    """The phrase of a record that may come from a disk."""
    try:
        return say(key, values, language, money)
    except MissingPhrase:
        return " ".join([code, *(f"{name} {value}" for name, value in values.items())])
