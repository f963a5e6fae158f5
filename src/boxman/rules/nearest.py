"""The word somebody probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from functools import lru_cache

from boxman.words import phrase

LONGEST = 60
"""No word that is known here is longer, so a longer one is near to none."""


def near(word: str, words: Iterable[str]) -> str:
    """The nearest known word, or nothing.

    >>> near("plcae.6", ["place.6", "field"])
    'place.6'
    """
    return _near(word, tuple(words)) if len(word) <= LONGEST else ""


@lru_cache(maxsize=1024)
def _near(word: str, known: tuple[str, ...]) -> str:
    found = [each for each in known if word and each.startswith(word)]
    found = found or difflib.get_close_matches(word, known, 1)
    return found[0] if found else ""


def nearest(word: str, words: Iterable[str]) -> str:
    """A question that names the nearest known word, or nothing.

    >>> nearest("plcae.6", ["place.6", "field"])
    'did you mean place.6?'
    """
    found = near(word, words)
    return phrase("books.did-you-mean", found=found) if found else ""
