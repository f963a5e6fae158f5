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
