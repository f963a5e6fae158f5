"""The line that opens a table: a house, and what is chosen for the evening in any order."""

from __future__ import annotations

from boxman.chips import format_amount as money
from boxman.rules.duties import COUNTED
from boxman.table.floor.people import GUEST
from boxman.table.lines.fields import LIMITS, read_station
from boxman.table.lines.words import Cursor, is_number
from boxman.table.opening import Open
from boxman.words import phrase

OPTIONS = ("chip", "unit", "limits", "set", "places", "crew", "shooter", "opened")


def read_house(cursor: Cursor) -> Open:
    """The opening, from the words behind `house`."""
    house = cursor.take("the name or path of a house").text
    chip, unit = 100, 0
    limits: tuple[int, int] | None = None
    classes: list[tuple[str, int, int]] = []
    settings: dict[str, str] = {}
    by_hand, shooter = False, GUEST
    counts: dict[str, int] = {}
    places, by = 0, ""
    while cursor.more:
        if cursor.accept("chip"):
            chip = cursor.amount()
        elif cursor.accept("unit"):
            unit = cursor.amount()
        elif cursor.accept("limits"):
            low, high = LIMITS.read(cursor)
            name = cursor.peek()
            if name and name not in OPTIONS:
                cursor.take("a class")
                classes.append((name, low, high))
            else:
                limits = (low, high)
        elif cursor.accept("set"):
            name, value = _chosen(cursor)
            settings[name] = value.replace("-to-", " to ")
        elif cursor.accept("places"):
            places = _count(cursor)
        elif cursor.accept("crew"):
            by_hand = cursor.accept("by", "hand")
            if not by_hand:
                cursor.want("automatic")
        elif by_hand and cursor.peek() in (*COUNTED, "sides"):
            name = cursor.take("a station").text
            counts[name] = _count(cursor)
        elif cursor.accept("shooter"):
            shooter = cursor.take("guest, players or a player").text
        elif cursor.accept("opened", "by"):
            by = read_station(cursor)
        else:
            cursor.fail(
                phrase(
                    "lines.expected-one-of-not",
                    options=", ".join(OPTIONS),
                    peek=f"{cursor.peek()!r}",
                )
            )
    low, high = limits or (chip, max(1_000_000, chip))
    return Open(
        by=by,
        house=house,
        chip=chip,
        minimum=low,
        maximum=high,
        unit=unit,
        classes=tuple(classes),
        settings=settings,
        by_hand=by_hand,
        crew=tuple(counts.get(name, 0) for name in COUNTED) if set(COUNTED) & set(counts) else (),
        sides=counts.get("sides", 2),
        places=places,
        shooter=shooter,
    )


def _chosen(cursor: Cursor) -> tuple[str, str]:
    text = cursor.take("name=value").text
    name, equals, value = text.partition("=")
    if not equals or not value:
        cursor.fail(phrase("lines.expected-name-value-not", text=f"{text!r}"), 1)
    return name, value


def _count(cursor: Cursor) -> int:
    word = cursor.take("how many")
    if not is_number(word.text) or len(word.text) > 2:
        cursor.fail(phrase("lines.expected-how-many-not", text=f"{word.text!r}"), 1)
    return int(word.text)


def write_house(call: Open) -> str:
    """The line of an opening."""
    house = f'"{call.house}"' if " " in call.house else call.house
    parts = [f"house {house}", f"chip {money(call.chip)}"]
    parts.append(f"limits {money(call.minimum)}-{money(call.maximum)}")
    parts += [f"limits {money(low)}-{money(high)} {name}" for name, low, high in call.classes]
    if call.unit:
        parts.append(f"unit {money(call.unit)}")
    parts += [
        f"set {name}={str(value).replace(' to ', '-to-')}" for name, value in call.settings.items()
    ]
    if call.by_hand:
        counts = [f"{name} {n}" for name, n in zip(COUNTED, call.crew, strict=False)]
        sides = [f"sides {call.sides}"] if call.sides != 2 else []
        parts.append(" ".join(["crew by hand", *counts, *sides]))
    if call.places:
        parts.append(f"places {call.places}")
    if call.shooter != GUEST:
        parts.append(f"shooter {call.shooter}")
    if call.by:
        parts.append(f"opened by {call.by}")
    return "   ".join(parts)
