"""How an amount of money is written."""

from __future__ import annotations

MINOR = 100
"""Minor units in one unit of the currency."""


def format_amount(amount: int) -> str:
    """Write minor units in currency units.

    >>> format_amount(1200), format_amount(250), format_amount(-5)
    ('12', '2.50', '-0.05')
    """
    sign = "-" if amount < 0 else ""
    whole, fraction = divmod(abs(amount), MINOR)
    return f"{sign}{whole}.{fraction:02d}" if fraction else f"{sign}{whole}"


def in_money(currency: str, amount: int) -> str:
    """Write an amount as people read it, thousands apart.

    >>> in_money("$", 125_000), in_money("S$", -1250)
    ('$1,250', '-S$12.50')
    """
    whole, dot, cents = format_amount(abs(amount)).partition(".")
    return f"{'-' if amount < 0 else ''}{currency}{int(whole):,}{dot}{cents}"
