"""The word somebody probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(word: str, words: Iterable[str]) -> str:
    """A question that names the nearest known word, or nothing.

    >>> nearest("plcae.6", ["place.6", "field"])
    'did you mean place.6?'
    """
    known = list(words)
    near = [each for each in known if word and each.startswith(word)]
    near = near or difflib.get_close_matches(word, known, 1)
    return f"did you mean {near[0]}?" if near else ""
