"""Say something: a key and its values become a sentence in the language a person chose.

A language is a folder of TOML files. A file is a section, its keys are phrases:

    [refusals."rail-short"]
    says = "{seat} has {rail:money} on the rail"
    remedy = "take down wagers first"

In braces stands the name of a value, after a colon how it is written: `money`; `or` and the like,
how a list is joined (section `joined`); `many place|places`, the form for that number, or for a
list of that length, by the language's own rule (`joined.forms`); `in SECTION`, the phrase of that
section that has the value's name. This module knows phrases and numbers, no table and no rule.

Whose language it is, is known where somebody is spoken to: a request, a socket, a command line. It
is set there (`speaking`) and holds for everything said below, so that nobody in between carries it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from string import Formatter
from typing import NamedTuple, cast

from boxman.words.amounts import format_amount

ENGLISH = "en"
FIRST = "refusals.toml"
"""A file that every language has."""
PLACES: list[Traversable] = [resources.files("boxman.words")]
"""Where the folders of languages are."""
_SPOKEN: ContextVar[str] = ContextVar("language", default=ENGLISH)

Value = str | int | tuple[str, ...]
Values = Mapping[str, Value]
Money = Callable[[int], str]


class MissingPhrase(Exception):
    """A phrase that the book does not have, or a value that it was not given."""


class PhrasePart(NamedTuple):
    """A piece of a phrase: words, then perhaps a value and how it is written."""

    words: str
    name: str | None
    how: str


Phrase = tuple[PhrasePart, ...]


def parse(text: str) -> Phrase:
    """The pieces of a phrase, in order.

    >>> [part.name for part in parse("{seat} has {rail:money} on the rail")]
    ['seat', 'rail', None]
    """
    return tuple(
        PhrasePart(words, name, how or "") for words, name, how, _ in Formatter().parse(text)
    )


def _flat(tree: Mapping[str, object], above: str = "") -> Iterator[tuple[str, str]]:
    for name, found in tree.items():
        key = f"{above}.{name}" if above else name
        if isinstance(found, str):
            yield key, found
        elif isinstance(found, dict):
            yield from _flat(found, key)
        else:
            raise TypeError(f"{key} is {found!r}; a phrase is a text")


def languages() -> tuple[str, ...]:
    """The languages there are a folder for."""
    return tuple(
        sorted(
            each.name for place in PLACES for each in place.iterdir() if (each / FIRST).is_file()
        )
    )


def spoken() -> str:
    """The language of the person who is spoken to here."""
    return _SPOKEN.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say everything within in this language."""
    before = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def _files(folder: Traversable) -> Iterator[Traversable]:
    for each in sorted(folder.iterdir(), key=lambda file: file.name):
        if each.is_dir():
            yield from _files(each)
        elif each.name.endswith(".toml"):
            yield each


@cache
def texts(language: str) -> dict[str, str]:
    """Every phrase of a language as it is written, by its key: section, name and perhaps part,
    joined by dots."""
    found: dict[str, str] = {}
    folder = next(place / language for place in PLACES if (place / language / FIRST).is_file())
    for file in _files(folder):
        for key, text in _flat(tomllib.loads(file.read_text("utf-8"))):
            if key in found:
                raise ValueError(f"{file.name}: {key} stands twice in the phrase book")
            found[key] = text
    return found


@cache
def book(language: str) -> dict[str, Phrase]:
    """Every phrase of a language by its key, in pieces."""
    return {key: parse(text) for key, text in texts(language).items()}


def has(key: str, language: str = "") -> bool:
    """Whether the book has such a phrase."""
    return key in book(language or spoken())


def under(section: str) -> tuple[str, ...]:
    """The names of the phrases of a section, the same in every language."""
    head = f"{section}."
    return tuple(key.removeprefix(head) for key in texts(ENGLISH) if key.startswith(head))


def phrase(key: str, /, **values: object) -> str:
    """The phrase of a key with values by name, in the language spoken here.

    >>> phrase("refusals.rail-short.says", seat="ann", rail=500)
    'ann has 5 on the rail'
    """
    return say(key, values)


def say(
    key: str,
    values: Mapping[str, object] | None = None,
    language: str = "",
    money: Money = format_amount,
) -> str:
    """The phrase of a key with its values, in the language spoken here or in one asked for.

    >>> say("refusals.rail-short.says", {"seat": "ann", "rail": 500})
    'ann has 5 on the rail'
    """
    language = language or spoken()
    phrases = book(language)
    try:
        return "".join(
            part.words
            if part.name is None
            else part.words + _written(part, values or {}, language, money)
            for part in phrases[key]
        )
    except KeyError as missing:
        raise MissingPhrase(f"{key} ({language}): there is no {missing.args[0]}") from None


def _written(part: PhrasePart, values: Mapping[str, object], language: str, money: Money) -> str:
    value = values[part.name or ""]
    how, _, more = part.how.partition(" ")
    if how == "money" and isinstance(value, int):
        return money(value)
    if how == "many":
        return _form(more.split("|"), value if isinstance(value, int) else _length(value), language)
    if how == "in":
        key = f"{more}.{value}"
        key = key if has(key, language) else f"{key}.says"
        return say(key, values, language, money)
    if type(value) in (tuple, list):  # a record that is a tuple says itself
        joined = say(f"joined.{part.how or 'comma'}", None, language)
        return joined.join(map(str, cast("Sequence[object]", value)))
    return str(value)


def _length(value: object) -> int:
    return len(value) if isinstance(value, tuple | list) else 0


def _form(forms: list[str], number: int, language: str) -> str:
    """Which of several forms a number takes: the first whose pattern fits, else the last."""
    patterns = texts(language)["joined.forms"].split(" ")
    fits = (place for place, each in enumerate(patterns) if re.search(each, str(number)))
    return forms[min(next(fits, len(forms)), len(forms) - 1)]
