"""Spot ids as text: a family with `*` for the number, a member, its number."""

from __future__ import annotations

import re


def family(spot: str) -> str:
    """The family a spot id belongs to; the id itself where it has no number.

    >>> family("come.odds.6"), family("pass.odds"), family("come")
    ('come.odds.*', 'pass.odds', 'come')
    """
    return re.sub(r"\.\d+$", ".*", spot)


def number(spot: str) -> int:
    """The number of a spot, or 0.

    >>> number("place.6"), number("pass")
    (6, 0)
    """
    tail = spot.rpartition(".")[2]
    return int(tail) if tail.isdecimal() and len(tail) < 3 else 0


def with_number(pattern: str, n: int) -> str:
    """A member of a family.

    >>> with_number("come.odds.*", 6)
    'come.odds.6'
    """
    return pattern.replace("*", str(n))
