"""The notation: calls and results as lines of text a dealer can read and a program can run.

This module takes single lines apart and reads and writes the calls in them; transcript.py runs
them. How each call is said is declared with it; docs/notation.md lists them all.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from boxman.table.call import Call
from boxman.table.lines.house import read_house, write_house
from boxman.table.lines.spoken import read_spoken, write_spoken
from boxman.table.lines.words import Cursor, NotationError, Word
from boxman.table.opening import Open
from boxman.words import phrase


class Expected(NamedTuple):
    """One thing a line says must follow: its words, clauses and sentence."""

    words: str
    cites: tuple[str, ...]
    sentence: str
    column: int


class LineParts(NamedTuple):
    """A line taken apart: words of the call, what is expected (None: nothing stated), comment."""

    words: list[Word]
    expected: list[Expected] | None
    comment: str


def split_line(text: str) -> LineParts:
    """Take a line apart at its colon and its comment, minding quotes and braces."""
    colon, end = _parts(text)
    expected = None if colon < 0 else _expected(text[colon + 1 : end], colon + 2)
    words = _words(text[: end if colon < 0 else colon], 1)
    return LineParts(words, expected, text[end:].removeprefix("--").strip())


def _parts(text: str) -> tuple[int, int]:
    """Where the colon stands, or -1, and where the comment begins or the line ends."""
    colon, end = -1, len(text)
    depth, quoted = 0, False
    for index, char in enumerate(text):
        if char == '"' and depth == 0:
            quoted = not quoted
        elif not quoted and char == "{":
            depth += 1
        elif not quoted and char == "}":
            depth -= 1
        elif quoted or depth:
            continue
        elif text.startswith("--", index) and (index == 0 or text[index - 1].isspace()):
            end = index
            break
        elif char == ":" and colon < 0 and (index == 0 or text[index - 1].isspace()):
            colon = index
    if quoted:
        raise NotationError(text.rindex('"') + 1, phrase("lines.a-quotation-is-never-closed"))
    if depth:
        raise NotationError(
            max(text.rfind("{"), text.rfind("}")) + 1, phrase("lines.braces-do-not-match")
        )
    return colon, end


def _words(text: str, column: int) -> list[Word]:
    words = []
    for match in re.finditer(r'"((?:[^"\\]|\\.)*)"|\S+', text):
        quoted = match.group(1) is not None
        word = match.group(1) if quoted else match.group()
        words.append(Word(word, column + match.start(), quoted))
    return words


def _expected(text: str, column: int) -> list[Expected]:
    items: list[Expected] = []
    start = 0
    depth, quoted = 0, False
    for index, char in enumerate(text + ","):
        if char == '"':
            quoted = not quoted
        elif char in "{}" and not quoted:
            depth += 1 if char == "{" else -1
        if char == "," and not quoted and not depth:
            part = text[start:index]
            if part.strip():
                items.append(_item(part, column + start))
            start = index + 1
    return items


def _item(text: str, column: int) -> Expected:
    cites = tuple(re.findall(r"\{([^{}]*)\}", text))
    rest = re.sub(r"\{[^{}]*\}", " ", text)
    sentence = re.search(r'"((?:[^"\\]|\\.)*)"', rest)
    words = re.sub(r'"(?:[^"\\]|\\.)*"', " ", rest)
    indent = len(text) - len(text.lstrip())
    return Expected(
        " ".join(words.split()), cites, sentence.group(1) if sentence else "", column + indent
    )


def read_call(words: list[Word], end: int) -> Call:
    """Read one call."""
    cursor = Cursor(words, end)
    return read_house(cursor) if cursor.accept("house") else read_spoken(cursor)


def write_call(call: Call) -> str:
    """Write one call; reading it back gives the same call."""
    return write_house(call) if isinstance(call, Open) else write_spoken(call)
