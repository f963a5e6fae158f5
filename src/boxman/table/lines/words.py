"""The words of a line, and a cursor that walks them and says what it expected."""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from boxman.chips import AmountError, parse_amount
from boxman.words import phrase
from boxman.words.say import has


class NotationError(ValueError):
    """A line that cannot be read: where, and what was expected there."""

    def __init__(self, column: int, problem: str) -> None:
        self.column, self.problem = column, problem
        super().__init__(phrase("lines.column", column=column, problem=problem))


class Word(NamedTuple):
    """A word of a line and the column it begins in (from 1)."""

    text: str
    column: int
    quoted: bool = False


def is_number(text: str) -> bool:
    """Whether a word is a number of a few plain digits: others Python calls digits and cannot read,
    such as a raised 2, or can read for ever.

    >>> is_number("12"), is_number("\u00b2"), is_number("9" * 5000), is_number("")
    (True, False, False, False)
    """
    return text.isascii() and text.isdigit() and len(text) < 10


def wanted(expected: str) -> str:
    """What a field is, in words; lists of a call's own words stay as the notation has them."""
    known = has(f"lines.wanted.{expected}")
    return phrase(f"lines.wanted.{expected}") if known else expected


class Cursor:
    """Walks the words of a call."""

    def __init__(self, words: list[Word], text_end: int) -> None:
        self.words, self.index, self.end = words, 0, text_end

    def fail(self, problem: str, back: int = 0) -> NoReturn:
        index = self.index - back
        column = self.words[index].column if index < len(self.words) else self.end
        raise NotationError(column, problem)

    @property
    def more(self) -> bool:
        return self.index < len(self.words)

    def peek(self) -> str:
        return self.words[self.index].text if self.more else ""

    def take(self, expected: str) -> Word:
        index = self.index
        if index >= len(self.words):
            self.fail(phrase("lines.expected-but-the-line-ends", expected=wanted(expected)))
        self.index = index + 1
        return self.words[index]

    def accept(self, *texts: str) -> bool:
        """Take these words if they come next."""
        index, words = self.index, self.words
        for text in texts:
            if index >= len(words) or words[index].text != text:
                return False
            index += 1
        self.index = index
        return True

    def want(self, *texts: str) -> None:
        if not self.accept(*texts):
            found = self.peek() or phrase("lines.the-end-of-the-line")
            self.fail(
                phrase("lines.expected-not-2", texts=f"{' '.join(texts)!r}", found=f"{found!r}")
            )

    def amount(self) -> int:
        word = self.take("an amount")
        try:
            return parse_amount(word.text)
        except AmountError as error:
            self.fail(str(error), 1)

    def finish(self) -> None:
        if self.index < len(self.words):
            self.fail(phrase("lines.nothing-more-was-expected-but", peek=f"{self.peek()!r}"))


def word(text: str) -> str:
    """A word as it is written: in quotes if it would fall apart."""
    return text if re.fullmatch(r"[^\s\":{}]+", text) else f'"{text}"'
