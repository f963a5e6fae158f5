"""What a key of a fact takes, in words, and values as TOML writes them."""

from __future__ import annotations

import re
import tomllib
from typing import Literal, get_args, get_origin

import msgspec

from boxman.rules.facts import Outcome, Spots, Wins
from boxman.words import phrase, say

_WANTED: dict[object, str] = {
    str: "text",
    int: "whole",
    bool: "flag",
    list[int]: "wholes",
    list[str]: "texts",
    tuple[str, ...]: "texts",
    Spots: "spots",
    list[Outcome]: "outcomes",
    list[Wins]: "outcomes",
    dict[str, list[object]]: "settings",
    int | str: "whole or setting",
    int | None: "whole",
    int | str | None: "whole or setting",
}
"""What keys take, by the phrase that says it."""


def _outcomes(hint: object) -> str:
    """The words that a list of rolls may hold beside totals and faces."""
    each = get_args(hint)[0] if get_origin(hint) is list else None
    words = (word for some in get_args(each) for word in get_args(some) if not word[0].isdigit())
    return ", ".join(map(as_toml, words))


def rather(hint: object, value: object) -> str:
    """What to write in the place of a list where one value stands, and the other way round."""
    if isinstance(value, list):
        if not value or not all(_fits(each, hint) for each in value):
            return ""
        one = phrase("books.write-it-so", value=as_toml(value[0]))
        return one if len(value) == 1 else phrase("books.one-in-each-fact")
    each = value.items() if isinstance(value, dict) else ()
    lists = {name: some if isinstance(some, list) else [some] for name, some in each} or [value]
    return phrase("books.write-it-so", value=as_toml(lists)) if _fits(lists, hint) else ""


def _fits(value: object, hint: object) -> bool:
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError:
        return False
    return True


def wanted_in(key: str, hint: object) -> str:
    """What a key takes, in words."""
    if key == "pays":
        return phrase("books.odds-like")
    if key == "spot" and hint is str:
        return phrase("books.a-spot-like-pass-or")
    if get_origin(hint) is Literal:
        return phrase(
            "books.one-of", hint=", ".join(as_toml(word) for word in get_args(hint) if word != "")
        )
    if get_origin(hint) in (list, tuple) and hint not in _WANTED:
        return phrase(
            "books.a-list-of-some-of", as_toml=", ".join(map(as_toml, get_args(get_args(hint)[0])))
        )
    return say(f"books.wanted.{_WANTED.get(hint, 'text')}", {"outcomes": _outcomes(hint)})


def as_toml(value: object) -> str:
    """A value as it is written in TOML, near enough to be known again."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(as_toml, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {as_toml(each)}' for key, each in value.items())}}}"
    return str(value)


UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
"""Characters that nobody sees: controls, line ends no editor counts, marks that turn text round."""
_ONE_WORD = re.compile(r"\w[\w-]{0,39}")
_LONGEST_TEXT = 1_000
LARGEST_NUMBER = 1_000_000
"""No table counts, multiplies or waits by more."""
_LONGEST = {"name": 80, "aliases": 80, "label": 80, "heading": 80, "currency": 8, "edition": 80}
"""How many characters a text may have, by its key."""


def value_wrong(key: str, value: object) -> tuple[str, str] | None:
    """What is wrong with a number, or a text that people are shown, and what to do; None if
    nothing is."""
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        shown = {"key": key, "value": f"{value:.0e}" if abs(value) < 10**300 else "..."}
        return (
            phrase("books.number-too-large", **shown),
            phrase("books.number-may-be", most=LARGEST_NUMBER),
        )
    if not isinstance(value, str):
        return None
    unseen = UNSEEN.search(value) or re.search(r"[\n\r\t]", value)
    if unseen is not None:
        return nobody_sees(unseen.group())
    most = _LONGEST.get(key, _LONGEST_TEXT)
    if not value.strip() or len(value) > most:
        return (
            phrase("books.text-has-length", key=key, n=len(value.strip())),
            phrase("books.text-may-have", most=most),
        )
    return None


_NOT_TOML = {
    "[\u2018-\u201f\u00ab\u00bb]": "curly-quotes",
    "[\u00a0\u2000-\u200a\u202f\u3000]": "odd-blank",
}
"""Characters that editors put in the place of plain ones, and what then is wrong."""
_TOML_SAYS = {
    "Illegal character '\\n'": "not-closed",
    "Unterminated string": "not-closed",
    "Cannot overwrite": "given-twice",
    "integer string conversion": "without-end",
    "Invalid value": "no-value",
    "Expected newline": "no-value",
    "Unclosed array": "no-value",
}
"""What Python says of TOML that is none."""


DOTS = 200
"""Dots in a line of TOML, at most: with a name of a hundred thousand parts it takes an hour."""


def read_toml(text: str) -> dict[str, object]:
    """What a text of TOML says; RecursionError where it goes too deep, ValueError where it is none,
    whatever somebody wrote."""
    if any(line.count(".") > DOTS for line in text.splitlines()):
        raise RecursionError
    return tomllib.loads(text)


def toml_wrong(said: str, line: str) -> tuple[str, str]:
    """What is wrong with a line that is not TOML, and what to do, in an author's words."""
    marks = [key for some, key in _NOT_TOML.items() if re.search(some, line.partition("#")[0])]
    words = [key for part, key in _TOML_SAYS.items() if part in said]
    key = [*marks, *words, "other"][0]
    said = re.sub(r" \(at .*\)", "", said)
    return say(f"books.toml.{key}.says", {"said": said}), say(f"books.toml.{key}.do", {})


def house_id_wrong(id: str) -> tuple[str, str] | None:
    """Why a text cannot be the id of a house, and what to do."""
    if _ONE_WORD.fullmatch(id):
        return None
    return phrase("books.no-id-of-a-house", id=id), phrase("books.one-word")


def nobody_sees(character: str) -> tuple[str, str]:
    """That a character stands where nobody sees it, and what to do."""
    code = f"U+{ord(character):04X}"
    return phrase("books.a-character-nobody-sees", code=code), phrase("books.delete-it")
