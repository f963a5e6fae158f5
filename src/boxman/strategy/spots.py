"""The public vocabulary of spots as integers: a strategy reads alike in Python and compiled.

A spot is its place in `SPOTS`; families are tuples indexed by the number (`PLACE[6]`), with
`NOWHERE` where a family has no such number. The constants (`PASS`, `PLACE`, `COME_ON` ...) are made
from the families of `rules`. Nothing here knows a house: a house may offer fewer. A spot of a
rulebook's own family has the number its id spells, the same in every process: `spot("over_7")`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from boxman.rules.families import FAMILIES
from boxman.words import phrase

NOWHERE = -1
_SPELT = re.compile(r"[a-z][a-z0-9_]+(\.[0-9]+)?")


class _Names(tuple[str, ...]):
    """The ids of spots by their numbers; numbers above the vocabulary spell their id."""

    __slots__ = ()

    def __getitem__(self, number: Any) -> Any:
        try:
            return tuple.__getitem__(self, number)
        except IndexError:
            if number < 0:
                raise
            return spelt(int(number))


class _Numbers(dict[str, int]):
    """The numbers of spots by their ids; it holds the vocabulary and the ids that were learnt."""

    def __missing__(self, id: str) -> int:
        if not _SPELT.fullmatch(id):
            raise KeyError(id)
        return int.from_bytes(id.encode(), "big")


def spelt(number: int) -> str:
    """The id a number above the vocabulary spells; IndexError if it spells none."""
    found = number.to_bytes((number.bit_length() + 7) // 8, "big")
    id = found.decode("ascii", "replace")
    if not _SPELT.fullmatch(id):
        raise IndexError(number)
    return id


_SINGLES = [each for each in FAMILIES.values() if "*" not in each.id]
_NUMBERED = [each for each in FAMILIES.values() if "*" in each.id]

SPOTS: tuple[str, ...] = _Names(spot for family in (*_SINGLES, *_NUMBERED) for spot in family.spots)
"""Every spot of the vocabulary; its index is the number a strategy names it by."""

INDEX: dict[str, int] = _Numbers({spot: index for index, spot in enumerate(SPOTS)})


def spot(id: str) -> int:
    """The number of a spot by its id, for wagers that only one rulebook has.

    >>> spot("field") == INDEX["field"], SPOTS[spot("over_7")]
    (True, 'over_7')
    """
    return INDEX[id]


def is_spot(number: int) -> bool:
    """Whether a number names a spot, of the vocabulary or of a house that was learnt."""
    if 0 <= number < len(SPOTS):
        return True
    try:
        return number > 0 and spelt(number) in INDEX
    except IndexError:
        return False


def learn(ids: Iterable[str]) -> None:
    """Make the spots of a house known: words of the text form, and numbers that are spots."""
    for id in ids:
        INDEX[id] = INDEX[id]


def _of_family(numbered: str) -> tuple[int, ...]:
    stem = numbered.removesuffix("*")
    known = {int(s.removeprefix(stem)): INDEX[s] for s in FAMILIES[numbered].spots}
    return tuple(known.get(number, NOWHERE) for number in range(13))


_CONSTANTS: dict[str, object] = {
    each.name: _of_family(each.id) if "*" in each.id else INDEX[each.id]
    for each in FAMILIES.values()
}
globals().update(_CONSTANTS)


def __getattr__(name: str) -> Any:
    """Declares the constants to a type checker; at run time only a name that is none comes here."""
    raise AttributeError(
        phrase(
            "strategy.wrong.no-wager-is-called-there", name=name, constants=", ".join(_CONSTANTS)
        )
    )
