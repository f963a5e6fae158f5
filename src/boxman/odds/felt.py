"""The order and the headings of a price list: as wagers lie on the felt.

Both come with a wager's family, so this module lists no wager; lists of several houses are sorted
into one, families of one house alone last.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from boxman.rules.families import FAMILIES
from boxman.rules.ids import family, number
from boxman.words import phrase
from boxman.words.say import has

_ORDER = {member: place for place, member in enumerate(FAMILIES)}


def family_of(name: str) -> str:
    """The family of a wager, whether its number is the spot's own or a point.

    >>> family_of("place.6"), family_of("pass.odds.6"), family_of("come + 2x odds")
    ('place.*', 'pass.odds', 'come')
    """
    name = name.partition(" ")[0]
    found = family(name)
    stem = found.removesuffix(".*")
    return stem if found not in FAMILIES and stem in FAMILIES else found


def place_of(name: str) -> tuple[int, str, int]:
    """Where a wager lies on the felt, for sorting the lists of several houses into one."""
    own = family_of(name)
    place = _ORDER.get(own)
    if place is None:
        return len(_ORDER), own, number(name.partition(" ")[0])
    return place, "", number(name.partition(" ")[0])


class Headed(Protocol):
    """Something of a price list that knows its heading."""

    @property
    def heading(self) -> str: ...


def heading(wager: Headed) -> str:
    """The heading a wager stands under, in words: a rulebook's own stays as it is written there."""
    own = wager.heading
    return phrase(f"headings.{own}") if has(f"headings.{own}") else own


def grouped(wagers: Mapping[str, Headed]) -> dict[str, list[str]]:
    """Names of wagers under their headings, in the order given."""
    groups: dict[str, list[str]] = {}
    for name, wager in wagers.items():
        groups.setdefault(heading(wager), []).append(name)
    return groups
