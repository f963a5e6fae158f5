"""How a house's table is dressed: the colour of its cloth and the emblem printed on it.

No rule depends on it. A house that is not listed is dressed by its name, always the same.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import resources
from typing import NamedTuple

import msgspec

from boxman.rules.layout import Layout

Crest = list[dict[str, object]]


class Dress(NamedTuple):
    """A cloth, by the name the page has for it, and an emblem as the shapes it is drawn with."""

    cloth: str
    crest: Crest


CLOTHS = ("green", "blue", "teal", "red", "purple", "black")


class _Wardrobe(msgspec.Struct):
    crests: dict[str, Crest]
    houses: dict[str, dict[str, str]]


@cache
def _wardrobe() -> _Wardrobe:
    text = (resources.files("boxman.pit.told") / "dress.toml").read_bytes()
    return msgspec.toml.decode(text, type=_Wardrobe)


@cache
def known() -> dict[str, Dress]:
    """The dresses that are listed, by house."""
    crests, houses = _wardrobe().crests, _wardrobe().houses
    return {house: Dress(worn["cloth"], crests[worn["crest"]]) for house, worn in houses.items()}


def dress_of(layout: Layout) -> Dress:
    """The dress of a house; where the cloth is a setting, the one that is set."""
    if layout.house in known():
        worn = known()[layout.house]
    else:
        first, second = sha256(layout.house.encode()).digest()[:2]
        crests = list(_wardrobe().crests.values())
        worn = Dress(CLOTHS[first % len(CLOTHS)], crests[second % len(crests)])
    chosen = layout.settings.get("cloth")
    return worn._replace(cloth=str(chosen)) if chosen in CLOTHS else worn
