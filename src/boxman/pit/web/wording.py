"""What is wrong with a request or a message, in words of our own: a sentence for every mistake.

It knows the kinds of mistakes that the models in `requests` and the decoder of messages can find,
and nothing of what they mean.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NotRequired, TypedDict

from boxman.words.say import has, phrase, say


class RequestMistake(TypedDict):
    """A mistake as the models tell it."""

    type: str
    loc: tuple[str | int, ...]
    ctx: NotRequired[dict[str, object]]


def first_mistake(errors: Sequence[RequestMistake]) -> str:
    """The first mistake in a request. Where a field may be of several types, the one that came
    nearest says what is wrong."""
    first = errors[0]
    same = [each for each in errors if field_of(each["loc"]) == field_of(first["loc"])]
    near = [each for each in same if not each["type"].endswith(("_type", "_parsing"))]
    return sentence((near or same)[0])


def sentence(found: RequestMistake) -> str:
    """One mistake, as one would say it: which field, and what is wanted there."""
    kind, given = found["type"], found.get("ctx", {})
    name = field_of(found["loc"])
    if has(f"mistakes.whole.{kind}"):
        return phrase(f"mistakes.whole.{kind}", name=name)
    values = {key: _figure(value) for key, value in given.items()}
    number = given.get("min_length", given.get("max_length", 0))
    kind = kind if has(f"mistakes.{kind}") else "else"
    return f"{name}: {say(f'mistakes.{kind}', {**values, 'number': number})}"


def _figure(value: object) -> str:
    return f"{value:,}" if isinstance(value, int | float) else str(value).replace(" or ", ", ")


def field_of(place: tuple[object, ...]) -> str:
    """The name of a field, without where in the request it stands."""
    parts = [str(part) for part in place if part not in ("body", "query", "path", "cookie")]
    # Where several types would do, the type that was tried stands last.
    while len(parts) > 1 and parts[-1].startswith(("int", "str", "bool", "float", "list[")):
        parts.pop()
    return ".".join(parts).replace("_", " ") or phrase("pit.web.the-request")


_MISSING = re.compile(r"missing required field `(\w+)`")
_EXPECTED = re.compile(r"Expected `(\w+)[^`]*`, got .*? - at `\$\.?([^`]*)`")
_INVALID = re.compile(r"Invalid value .* - at `\$\.type`")
_TYPES = {
    "str": "mistakes.string_type",
    "int": "mistakes.int_type",
    "bool": "mistakes.bool",
    "array": "mistakes.list_type",
}


def of_message(error: Exception) -> str:
    """What is wrong with a message of a socket, from what its decoder found."""
    said = str(error)
    if found := _MISSING.search(said):
        return phrase("pit.web.is-missing", group=found.group(1))
    if found := _EXPECTED.search(said):
        kind, place = found.groups()
        return f"{place}: {phrase(_TYPES.get(kind, 'mistakes.model_type'))}"
    if _INVALID.search(said):
        return phrase("pit.web.there-is-no-call")
    return phrase("pit.web.a-message-is-one")
