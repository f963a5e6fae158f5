"""Words, numbers and signs of the text form, each with its line and column.

It knows how a line is cut and how deep it stands; what the words mean together is reading's.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from boxman.strategy.api import StrategyError
from boxman.words import phrase

COMMENT = "--"
MOST_TOKENS = 100
MOST_BRACKETS = 10
_TOKEN = re.compile(
    r"""(?P<space>[ \t]+)
    |(?P<number>\d+)
    |(?P<word>come-[A-Za-z]+|[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*)
    |(?P<sign><=|>=|!=|[-+*/()<>=:,])
    """,
    re.X,
)


class TextError(StrategyError):
    """What is wrong with a text, with its line and column and what would be right."""

    def __init__(self, line: int, column: int, message: str, remedy: str = "") -> None:
        self.line, self.column, self.message, self.remedy = line, column, message, remedy
        super().__init__(
            phrase("strategy.text.line-column", line=line, column=column, sentence=self.sentence)
        )

    @property
    def sentence(self) -> str:
        return f"{self.message}; {self.remedy}" if self.remedy else self.message


class Token(NamedTuple):
    """A word, a number or a sign; kind "end" stands behind the last of a line."""

    kind: str
    text: str
    line: int
    column: int

    @property
    def at(self) -> tuple[int, int]:
        return self.line, self.column


class TextLine(NamedTuple):
    """A line cut into tokens."""

    number: int
    indent: int
    tokens: tuple[Token, ...]
    text: str
    comment: str
    """The comment behind it, or alone on it."""


def cut(text: str) -> list[TextLine]:
    """All lines of a text; empty ones have no token but the end."""
    return [_line(number, line) for number, line in enumerate(text.splitlines(), 1)]


def _line(number: int, text: str) -> TextLine:
    body, found, comment = text.partition(COMMENT)
    stripped = body.rstrip()
    indent = len(stripped) - len(stripped.lstrip())
    if "\t" in stripped[:indent]:
        raise TextError(
            number,
            1,
            phrase("strategy.text.a-tab-at-the-beginning"),
            phrase("strategy.text.indent-with-spaces"),
        )
    tokens: list[Token] = []
    at = indent
    while at < len(stripped):
        match = _TOKEN.match(stripped, at)
        if match is None:
            raise TextError(
                number, at + 1, phrase("strategy.text.has-no-meaning-here", stripped=stripped[at])
            )
        kind = match.lastgroup or ""
        if kind != "space":
            word = match.group().lower() if kind == "word" else match.group()
            tokens.append(Token(kind, word, number, at + 1))
        at = match.end()
    if len(tokens) > MOST_TOKENS:
        column = tokens[MOST_TOKENS].column
        raise TextError(
            number,
            column,
            phrase("strategy.text.more-than-words-in-one", most_tokens=MOST_TOKENS),
            phrase("strategy.text.split-it"),
        )
    if sum(token.text == "(" for token in tokens) > MOST_BRACKETS:
        raise TextError(
            number,
            1,
            phrase("strategy.text.more-than-brackets-in-one", most_brackets=MOST_BRACKETS),
            phrase("strategy.text.split-it"),
        )
    tokens.append(Token("end", "", number, len(stripped) + 1))
    return TextLine(number, indent, tuple(tokens), stripped, comment.strip() if found else "")
