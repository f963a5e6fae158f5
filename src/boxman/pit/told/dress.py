"""How a house's table is dressed: the colour of its cloth and the emblem printed on it.

No rule depends on it. A house that is not listed is dressed by its name, always the same.
"""

from __future__ import annotations

import tomllib
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Any, NamedTuple

from boxman.rules.layout import Layout


class Dress(NamedTuple):
    """A cloth, by the name the page has for it, and an emblem as the shapes it is drawn with."""

    cloth: str
    crest: list[dict[str, object]]


CLOTHS = ("green", "blue", "teal", "red", "purple", "black")


@cache
def _listed() -> dict[str, dict[str, Any]]:
    text = (resources.files("boxman.pit.told") / "dress.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def known() -> dict[str, Dress]:
    """The dresses that are listed, by house."""
    crests = _listed()["crests"]
    return {
        house: Dress(worn["cloth"], crests[worn["crest"]])
        for house, worn in _listed()["houses"].items()
    }


def dress_of(layout: Layout) -> Dress:
    """The dress of a house; where the cloth is a setting, the one that is set."""
    if layout.house in known():
        worn = known()[layout.house]
    else:
        first, second = sha256(layout.house.encode()).digest()[:2]
        crests = list(_listed()["crests"].values())
        worn = Dress(CLOTHS[first % len(CLOTHS)], crests[second % len(crests)])
    chosen = layout.settings.get("cloth")
    return worn._replace(cloth=str(chosen)) if chosen in CLOTHS else worn
