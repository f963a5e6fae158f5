"""How a house's table is dressed: the colour of its cloth and the emblem printed on it.

No rule depends on it. A house that is not listed is dressed by its name, always the same.
"""

from __future__ import annotations

import tomllib
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import NamedTuple

from boxman.rules.layout import Layout


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


def dress_of(layout: Layout) -> Dress:
    """The dress of a house; where the cloth is a setting, the one that is set."""
    if layout.house in known():
        worn = known()[layout.house]
    else:
        first, second = sha256(layout.house.encode()).digest()[:2]
        worn = Dress(CLOTHS[first % len(CLOTHS)], CRESTS[second % len(CRESTS)])
    chosen = layout.settings.get("cloth")
    return worn._replace(cloth=str(chosen)) if chosen in CLOTHS else worn
