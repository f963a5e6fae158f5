"""How a house's table is dressed: the colour of its cloth and the emblem printed on it.

No rule depends on it. A house that is not listed is dressed by its name, always the same.
"""

from __future__ import annotations

import tomllib
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import NamedTuple


class Dress(NamedTuple):
    """A cloth and an emblem, by the names the page has for them."""

    cloth: str
    crest: str


CLOTHS = ("green", "blue", "teal", "red", "purple", "black")
CRESTS = ("waratah", "vine", "koru", "orchid", "swan", "star")


@cache
def known() -> dict[str, Dress]:
    """The dresses that are listed, by house."""
    text = (resources.files("boxman.pit.told") / "dress.toml").read_text("utf-8")
    return {house: Dress(**worn) for house, worn in tomllib.loads(text).items()}


def dress_of(house: str) -> Dress:
    """The dress of a house."""
    if house in known():
        return known()[house]
    first, second = sha256(house.encode()).digest()[:2]
    return Dress(CLOTHS[first % len(CLOTHS)], CRESTS[second % len(CRESTS)])
