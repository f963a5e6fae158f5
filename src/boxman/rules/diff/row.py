"""One difference between two houses, and two sets of rules compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from boxman.rules.diff.told import listed, word
from boxman.rules.ledger import Cited, Cites, show
from boxman.words import phrase

K = TypeVar("K")


class HouseDifference(NamedTuple):
    """One thing that two houses see differently, with the clauses on both sides."""

    spot: str
    what: str
    first: str
    second: str
    first_cites: Cites
    second_cites: Cites


def compare(
    where: str,
    what: Callable[[K], str],
    ones: Mapping[K, Cited[object]],
    twos: Mapping[K, Cited[object]],
    absent: str = "diff.silent",
) -> list[HouseDifference]:
    """Two sets of rules question by question; a rule one of them lacks is `absent`."""
    found = []
    for key in dict.fromkeys([*ones, *twos]):
        a, b = ones.get(key), twos.get(key)
        said = [show(rule.value) if rule else phrase(absent) for rule in (a, b)]
        if said[0] != said[1]:
            cites = [rule.cites if rule else () for rule in (a, b)]
            found.append(HouseDifference(where, what(key), said[0], said[1], cites[0], cites[1]))
    return found


def together(
    where: str,
    what: Callable[[str, str], str],
    ones: Mapping[tuple[str, str], Cited[object]],
    twos: Mapping[tuple[str, str], Cited[object]],
    absent: str = "diff.silent",
) -> list[HouseDifference]:
    """The same of topics with their cases: cases that differ alike are one row."""
    alike: dict[tuple[str, HouseDifference], list[str]] = {}
    for row in compare(where, "\n".join, ones, twos, absent):
        topic, _, case = row.what.partition("\n")
        words = [word("reasons", case)] if case else []
        alike.setdefault((topic, row._replace(what="")), []).extend(words)
    return [
        row._replace(what=what(topic, listed(sorted(cases))))
        for (topic, row), cases in alike.items()
    ]
