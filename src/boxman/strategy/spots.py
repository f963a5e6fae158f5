"""The public vocabulary of spots as integers: a strategy reads alike in Python and compiled.

A spot is its place in `SPOTS`; families are tuples indexed by the number (`PLACE[6]`), with
`NOWHERE` where a family has no such number. Nothing here knows a house: a house may offer fewer.
"""

from __future__ import annotations

NOWHERE = -1

_NUMBERS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
_INNER = (4, 5, 6, 8, 9, 10)
_FAMILIES = {
    "come": _NUMBERS,
    "come.odds": _NUMBERS,
    "dont_come": _INNER,
    "dont_come.odds": _INNER,
    "place": _NUMBERS,
    "buy": _NUMBERS,
    "lose": _INNER,
    "lay": _INNER,
    "big": (6, 8),
    "hard": (4, 6, 8, 10),
    "horn_high": (2, 3, 11, 12),
}
_SINGLES = (
    *("pass", "pass.odds", "dont_pass", "dont_pass.odds", "come", "dont_come"),
    *("field", "any_hard", "any_seven", "any_craps", "two", "three", "eleven", "twelve"),
    *("horn", "world", "c_and_e", "small", "tall", "all"),
)

SPOTS: tuple[str, ...] = (
    *_SINGLES,
    *(f"{family}.{number}" for family, numbers in _FAMILIES.items() for number in numbers),
)
"""Every spot of the vocabulary; its index is the number a strategy names it by."""

INDEX: dict[str, int] = {spot: index for index, spot in enumerate(SPOTS)}


def _family(family: str) -> tuple[int, ...]:
    return tuple(INDEX.get(f"{family}.{number}", NOWHERE) for number in range(13))


PASS, PASS_ODDS = INDEX["pass"], INDEX["pass.odds"]
DONT_PASS, DONT_PASS_ODDS = INDEX["dont_pass"], INDEX["dont_pass.odds"]
COME, DONT_COME = INDEX["come"], INDEX["dont_come"]
COME_ON, DONT_COME_ON = _family("come"), _family("dont_come")
COME_ODDS, DONT_COME_ODDS = _family("come.odds"), _family("dont_come.odds")
PLACE, LOSE, BUY, LAY = _family("place"), _family("lose"), _family("buy"), _family("lay")
BIG, HARD, HORN_HIGH = _family("big"), _family("hard"), _family("horn_high")
FIELD, ANY_HARD = INDEX["field"], INDEX["any_hard"]
ANY_SEVEN, ANY_CRAPS = INDEX["any_seven"], INDEX["any_craps"]
TWO, THREE, ELEVEN, TWELVE = INDEX["two"], INDEX["three"], INDEX["eleven"], INDEX["twelve"]
HORN, WORLD, C_AND_E = INDEX["horn"], INDEX["world"], INDEX["c_and_e"]
SMALL, TALL, ALL = INDEX["small"], INDEX["tall"], INDEX["all"]
