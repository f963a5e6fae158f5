"""What is wrong with a request or a message, in words of our own: a sentence for every mistake.

It knows the kinds of mistakes that the models in `requests` and the decoder of messages can find,
and nothing of what they mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Context = Mapping[str, Any]

_WHOLE, _NUMBER, _TEXT = "a whole number", "a number", "text"


def _at_least(given: Context) -> str:
    return f"at least {_figure(given.get('ge', given.get('gt')))}"


def _at_most(given: Context) -> str:
    return f"at most {_figure(given.get('le', given.get('lt')))}"


def _figure(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def _count(low: bool, one: str, many: str) -> Callable[[Context], str]:
    def words(given: Context) -> str:
        number = given.get("min_length" if low else "max_length", 0)
        bound = "at least" if low else "at most"
        return f"{bound} {_figure(number)} {one if number == 1 else many}"

    return words


WORDS: dict[str, str | Callable[[Context], str]] = {
    "bool_parsing": "yes or no, as true or false",
    "bool_type": "yes or no, as true or false",
    "dict_type": "names with their values",
    "finite_number": _NUMBER,
    "float_parsing": _NUMBER,
    "float_type": _NUMBER,
    "greater_than": lambda given: f"more than {_figure(given.get('gt'))}",
    "greater_than_equal": _at_least,
    "int_from_float": _WHOLE,
    "int_parsing": _WHOLE,
    "int_parsing_size": "a whole number that is not so long",
    "int_type": _WHOLE,
    "less_than": lambda given: f"less than {_figure(given.get('lt'))}",
    "less_than_equal": _at_most,
    "list_type": "a list",
    "literal_error": lambda given: f"one of {given.get('expected', '')}".replace(" or ", ", "),
    "model_attributes_type": "an object with its fields",
    "model_type": "an object with its fields",
    "string_too_long": _count(False, "character", "characters"),
    "string_too_short": _count(True, "character", "characters"),
    "string_type": _TEXT,
    "string_unicode": "text that can be read",
    "too_long": _count(False, "entry", "entries"),
    "too_short": _count(True, "entry", "entries"),
}
"""For every kind of mistake what is wanted instead."""

WHOLE_SENTENCES = {
    "extra_forbidden": "{} is nothing this request takes",
    "missing": "{} is missing",
    "json_invalid": "the request is no JSON",
}


def first_mistake(errors: Sequence[Mapping[str, Any]]) -> str:
    """The first mistake in a request. Where a field may be of several types, the one that came
    nearest says what is wrong."""
    first = errors[0]
    same = [each for each in errors if field_of(each["loc"]) == field_of(first["loc"])]
    near = [each for each in same if not str(each["type"]).endswith(("_type", "_parsing"))]
    return sentence((near or same)[0])


def sentence(found: Mapping[str, Any]) -> str:
    """One mistake, as one would say it: which field, and what is wanted there."""
    kind, given = str(found["type"]), found.get("ctx") or {}
    name = field_of(found["loc"])
    if kind in WHOLE_SENTENCES:
        return WHOLE_SENTENCES[kind].format(name)
    words = WORDS.get(kind, "something else is wanted here")
    return f"{name}: {words(given) if callable(words) else words}"


def field_of(place: tuple[Any, ...]) -> str:
    """The name of a field, without where in the request it stands."""
    parts = [str(part) for part in place if part not in ("body", "query", "path", "cookie")]
    # Where several types would do, the type that was tried stands last.
    while len(parts) > 1 and parts[-1].startswith(("int", "str", "bool", "float", "list[")):
        parts.pop()
    return ".".join(parts).replace("_", " ") or "the request"


_MISSING = re.compile(r"missing required field `(\w+)`")
_EXPECTED = re.compile(r"Expected `(\w+)[^`]*`, got .*? - at `\$\.?([^`]*)`")
_INVALID = re.compile(r"Invalid value .* - at `\$\.type`")
_TYPES = {"str": _TEXT, "int": _WHOLE, "bool": "true or false", "array": "a list"}


def of_message(error: Exception) -> str:
    """What is wrong with a message of a socket, from what its decoder found."""
    said = str(error)
    if found := _MISSING.search(said):
        return f"{found.group(1)} is missing"
    if found := _EXPECTED.search(said):
        kind, place = found.groups()
        return f"{place}: {_TYPES.get(kind, 'an object with its fields')}"
    if _INVALID.search(said):
        return "there is no call of that type"
    return "a message is one JSON object"
