"""The order and the headings of a price list: as wagers lie on the felt."""

from __future__ import annotations

from collections.abc import Iterable

from boxman.rules.shapes import FAMILIES, family, number

GROUPS: dict[str, tuple[str, ...]] = {
    "Line": ("pass", "pass.odds", "dont_pass", "dont_pass.odds"),
    "Come": ("come", "come.*", "come.odds.*"),
    "Don't come": ("dont_come", "dont_come.*", "dont_come.odds.*"),
    "Place": ("place.*", "lose.*"),
    "Buy and lay": ("buy.*", "lay.*"),
    "Field, Big 6 and 8": ("big.*", "field"),
    "Hardways": ("hard.*", "any_hard"),
    "One roll": ("any_seven", "any_craps", "two", "three", "eleven", "twelve"),
    "Several at once": ("horn", "horn_high.*", "world", "c_and_e"),
    "Bonus": ("small", "tall", "all"),
}
_GROUP = {member: group for group, members in GROUPS.items() for member in members}
_ORDER = {member: place for place, member in enumerate(FAMILIES)}


def family_of(name: str) -> str:
    """The family of a wager, whether its number is the spot's own or a point.

    >>> family_of("place.6"), family_of("pass.odds.6"), family_of("come + 2x odds")
    ('place.*', 'pass.odds', 'come')
    """
    name = name.partition(" ")[0]
    found = family(name)
    return found if found in FAMILIES else found.removesuffix(".*")


def group_of(name: str) -> str:
    """The heading a wager stands under."""
    return _GROUP.get(family_of(name), "Other")


def place_of(name: str) -> tuple[int, int]:
    """Where a wager lies on the felt, for sorting the lists of several houses into one."""
    return _ORDER.get(family_of(name), len(_ORDER)), number(name.partition(" ")[0])


def grouped(names: Iterable[str]) -> dict[str, list[str]]:
    """Names under their headings, in the order given."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(group_of(name), []).append(name)
    return groups
