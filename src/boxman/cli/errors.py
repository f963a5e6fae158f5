"""What a user can get wrong on the command line."""

from __future__ import annotations


class UserError(ValueError):
    """One clear message for the user; the command ends with exit code 2."""


def read_settings(pairs: list[str]) -> dict[str, str]:
    """Settings given as name=value."""
    settings = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not value:
            raise UserError(f"a setting is written name=value, not {pair}")
        settings[name] = value
    return settings


def read_numbers(pairs: list[str]) -> dict[str, int]:
    """Parameters of a strategy given as name=number."""
    numbers = {}
    for name, value in read_settings(pairs).items():
        if not value.removeprefix("-").isdecimal() or len(value) > 12:
            raise UserError(f"--with takes a name and a whole number, not {name}={value}")
        numbers[name] = int(value)
    return numbers


def read_limits(limits: str) -> dict[str, str]:
    """The posted limits, given as minimum-maximum."""
    low, dash, high = limits.partition("-")
    if not dash:
        raise UserError(f"limits are written minimum-maximum, like 5-1000, not {limits}")
    return {"minimum": low, "maximum": high}
