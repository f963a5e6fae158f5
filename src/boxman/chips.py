"""Integer money and the only rounding.

Money is a whole number of minor units (cents). A ratio is an exact fraction. This module knows how
to read and write amounts and how a house turns an exact win into one that chips can pay; it does
not know wagers, players or houses.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from math import lcm

from boxman.words import phrase
from boxman.words.amounts import MINOR, format_amount

__all__ = [
    "MINOR",
    "WAYS",
    "AmountError",
    "common_step",
    "format_amount",
    "format_flat",
    "format_ratio",
    "format_times",
    "odds_remedy",
    "parse_amount",
    "parse_ratio",
    "payable",
    "payable_step",
]

WAYS = ("up", "exact", "down")

_AMOUNT = re.compile(r"(\d+)(?:\.(\d+))?")
_RATIO = re.compile(r"(\d+(?:\.\d+)?) to (\d+)")


class AmountError(ValueError):
    """A text that is not an amount of money; the message says why."""


def parse_amount(text: str) -> int:
    """Read an amount in currency units into minor units.

    >>> parse_amount("12"), parse_amount("2.50")
    (1200, 250)
    """
    if text.startswith("-"):
        raise AmountError(phrase("amounts.negative", text=text))
    match = _AMOUNT.fullmatch(text.removeprefix("$"))
    if match is None:
        raise AmountError(phrase("amounts.not-an-amount", text=text))
    whole, fraction = match.group(1), match.group(2) or ""
    if len(fraction.rstrip("0")) > 2:
        raise AmountError(phrase("amounts.too-fine", text=text))
    if len(whole) > 15:
        raise AmountError(phrase("amounts.too-much", text=text))
    amount = int(whole) * MINOR + int((fraction + "00")[:2])
    if amount == 0:
        raise AmountError(phrase("amounts.nothing"))
    return amount


@lru_cache(1024)
def parse_ratio(text: str) -> Fraction:
    """Read odds written with "to".

    >>> parse_ratio("7.5 to 1"), parse_ratio("25 to 5")
    (Fraction(15, 2), Fraction(5, 1))
    """
    match = _RATIO.fullmatch(text)
    if match is None or int(match.group(2)) == 0:
        raise ValueError(phrase("amounts.odds", text=text))
    return Fraction(match.group(1)) / int(match.group(2))


def format_ratio(ratio: Fraction) -> str:
    """Write a ratio as odds with "to".

    >>> format_ratio(Fraction(15, 2)), format_ratio(Fraction(9, 5))
    ('7.5 to 1', '9 to 5')
    """
    if ratio.denominator == 2 and ratio > 6:
        return f"{ratio.numerator // 2}.5 to 1"
    return f"{ratio.numerator} to {ratio.denominator}"


def format_times(times: Fraction) -> str:
    """Write how many times something.

    >>> format_times(Fraction(2)), format_times(Fraction(3, 2)), format_times(Fraction(4, 3))
    ('2', '1.5', '4/3')
    """
    tenths = times * 10
    whole, tenth = divmod(tenths.numerator, 10)
    return str(times) if tenths.denominator > 1 else f"{whole}.{tenth}" if tenth else str(whole)


def format_flat(times: Fraction, amount: int = 0) -> str:
    """Write how many times the flat, or which amount if that is more.

    >>> format_flat(Fraction(1)), format_flat(Fraction(3, 2), 5000)
    ('the flat', '50, or 1.5 times the flat if that is more')
    """
    flat = phrase("amounts.flat" if times == 1 else "amounts.flats", times=format_times(times))
    return phrase("amounts.or-flat", amount=amount, flat=flat) if amount else flat


def minor(amount: int) -> int:
    """An amount that a program gives: a whole number of minor units above zero.

    >>> minor(700)
    700
    """
    if type(amount) is not int:
        raise AmountError(phrase("amounts.minor", amount=f"{amount!r}"))
    if amount <= 0:
        raise AmountError(phrase("amounts.not-above-zero", amount=amount))
    return amount


def payable(exact: Fraction, chip: int, way: str) -> int:
    """Turn an exact sum into one that chips of the smallest kind can pay. The only rounding.

    >>> payable(Fraction(583, 1), 100, "up"), payable(Fraction(583, 1), 100, "down")
    (600, 500)
    """
    whole, rest = divmod(exact.numerator, exact.denominator * chip)
    if rest and way not in ("up", "down"):
        raise AssertionError(
            f"{exact} is not payable in chips of {chip} and the house pays exactly"
        )
    return (whole + (rest > 0 and way == "up")) * chip


def payable_step(ratio: Fraction, chip: int) -> int:
    """The least stake, and the step between stakes, whose win at this ratio chips can pay exactly.

    >>> payable_step(Fraction(7, 6), 100), payable_step(Fraction(5, 1), 100)
    (600, 100)
    """
    # stake = k * chip must make k * ratio whole: k is a multiple of the ratio's denominator.
    return chip * ratio.denominator


def common_step(*steps: int) -> int:
    """The least step that is a multiple of all of these."""
    return lcm(*steps)


def odds_remedy(pays: str) -> str:
    """How odds that cannot be read are written; "8 for 1" hands the stake back within the 8.

    >>> odds_remedy("4:1"), odds_remedy("even")
    ('write pays = "4 to 1"', 'write pays = "1 to 1"')
    """
    match = re.fullmatch(r"(\d+)\s*(for|to|[:/-])\s*(\d+)", pays.strip().lower())
    win, stake = (int(match[1]), int(match[3])) if match else (0, 0)
    with_stake = match is not None and match[2] == "for"
    if with_stake and win > stake > 0:
        return phrase("amounts.counts-the-stake", pays=pays, win=win - stake, stake=stake)
    if with_stake or not win or not stake:
        win, stake = (1, 1) if pays.lower().startswith("even") else (9, 5)
    return phrase("amounts.write-odds", win=win, stake=stake)
