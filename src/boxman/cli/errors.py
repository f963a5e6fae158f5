"""What a user can get wrong on the command line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class UserError(ValueError):
    """One clear message for the user; the command ends with exit code 2."""


def nearest(word: str, words: Iterable[str]) -> str:
    """A hint that names the nearest known word, or nothing."""
    near = difflib.get_close_matches(word, list(words), 1, 0.4)
    return f"; did you mean {near[0]}?" if near else ""


def read_settings(pairs: list[str]) -> dict[str, str]:
    """Settings given as name=value."""
    settings = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not value:
            raise UserError(f"a setting is written name=value, not {pair}")
        settings[name] = value
    return settings
