"""What a user can get wrong on the command line."""

from __future__ import annotations

from typing import TypedDict

from boxman.words import phrase

UNSEEN = (
    *range(9),
    *range(11, 32),
    *range(127, 160),
    *range(0x2028, 0x202F),
    *range(0x2066, 0x206A),
)
"""Characters that move what is on a terminal, or turn it round, and show nothing themselves."""
VISIBLE = {number: repr(chr(number))[1:-1] for number in UNSEEN}


def shown(text: str) -> str:
    """A text that somebody else wrote, with what a terminal would obey written out.

    >>> shown("sound\\r\\x1b[2K")
    'sound\\\\r\\\\x1b[2K'
    """
    return text.translate(VISIBLE)


def on_one_line(text: str) -> str:
    """The same, so that it does not pass for a line of ours either."""
    return shown(text).replace("\n", "\\n")


class UserError(ValueError):
    """One clear message for the user; the command ends with exit code 2."""


def read_settings(pairs: list[str]) -> dict[str, str]:
    """Settings given as name=value."""
    settings = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not value:
            raise UserError(phrase("cli.common.a-setting-is-written", pair=pair))
        settings[name] = value
    return settings


def read_numbers(pairs: list[str]) -> dict[str, int]:
    """Parameters of a strategy given as name=number."""
    numbers = {}
    for name, value in read_settings(pairs).items():
        if not value.removeprefix("-").isdecimal() or len(value) > 12:
            raise UserError(phrase("cli.common.with-takes-a-name", name=name, value=value))
        numbers[name] = int(value)
    return numbers


def no_houses(words: list[str]) -> None:
    """Where strategies are named, a house is not one."""
    from boxman.rules.book import houses

    for word in words:
        if word in houses():
            raise UserError(phrase("cli.common.a-house", house=word))


def proposed_limits(house: str, settings: dict[str, str], chip: str) -> str:
    """The least usual limits of a house at which no wager favours the player."""
    from boxman.chips import AmountError, format_amount, parse_amount
    from boxman.rules.book import houses
    from boxman.rules.compile import load
    from boxman.rules.favours import proposed

    try:
        posted = proposed(load(house or houses()[0], settings, parse_amount(chip)))
    except AmountError as error:
        raise UserError(str(error)) from None
    return f"{format_amount(posted.minimum)}-{format_amount(posted.maximum)}"


class PostedLimits(TypedDict):
    """Posted limits, as they are written."""

    minimum: str
    maximum: str


def read_limits(limits: str) -> PostedLimits:
    """The posted limits, given as minimum-maximum."""
    low, dash, high = limits.partition("-")
    if not dash:
        raise UserError(phrase("cli.common.limits-are-written-minimum", limits=limits))
    return {"minimum": low, "maximum": high}
