"""What a key of a fact takes, in words, and values as TOML writes them."""

from __future__ import annotations

from typing import Literal, get_args, get_origin

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
}
"""What keys take, by the phrase that says it."""


def _outcomes(hint: object) -> str:
    """The words that a list of rolls may hold beside totals and faces."""
    each = get_args(hint)[0] if get_origin(hint) is list else None
    words = (word for some in get_args(each) for word in get_args(some) if not word[0].isdigit())
    return ", ".join(map(as_toml, words))


def wanted_in(key: str, hint: object) -> str:
    """What a key takes, in words."""
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
    if isinstance(value, list):
        return f"[{', '.join(map(as_toml, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {as_toml(each)}' for key, each in value.items())}}}"
    return str(value)
