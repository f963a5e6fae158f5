"""What the fields of calls hold: how each kind is read from a line, written, labelled and tried.

A field is typed by one of the aliases at the end (`seat: SeatName`, `amount: Money`), and the alias
is all that the notation, the forms of the crew and the documents need to know of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, Literal, get_args, get_origin

from boxman.chips import AmountError, parse_amount
from boxman.chips import format_amount as money
from boxman.dice import DiceError, parse_roll
from boxman.rules.duties import STATIONS
from boxman.rules.layout import Layout
from boxman.table.lines.words import Cursor, is_number, wanted, word
from boxman.table.state import Table
from boxman.words import phrase

Made = dict[str, Any]
"""What a line has said of a call so far, by field."""
Form = Literal["", "money", "parts", "player", "employee", "text"]
Telling = Literal["", "spot", "station", "setting", "power", "record", "person", "whom", "reason"]
"""In words of the house: its own name, or the title of the clause that gives a power or a duty."""


class FieldKind:
    """A word as it stands, and what every kind of field has."""

    known: tuple[str, ...] = ()
    """All words that it may be, where they are counted."""

    def __init__(
        self,
        expected: str,
        example: str = "ann",
        label: str = "",
        blank: str = "",
        form: Form = "",
        told: Telling = "",
    ) -> None:
        self.expected, self.example, self.label = expected, example, label
        self.blank = blank
        """What stands for it in a menu, where the person fills it in."""
        self.form = form
        """What is typed in a form, where it is not chosen."""
        self.told_by = told
        """How a form tells its values."""

    def read(self, cursor: Cursor, made: Made) -> object:
        return cursor.take(self.expected).text

    def write(self, value: object, call: object) -> str | None:
        """The word; None where it is left out."""
        return str(value)

    def values(self, layout: Layout, table: Table) -> Iterable[object]:
        """What a menu tries: every value there is, or one that stands for all."""
        return () if not self.blank else (self.blank,)

    def asked(self, layout: Layout, call: Any) -> bool:
        """Whether a form of this house asks for it, for such a call."""
        return True


class SeatedField(FieldKind):
    """A player at the table."""

    def values(self, layout: Layout, table: Table) -> Iterable[object]:
        return table.seats


class OnLayout(FieldKind):
    """A spot of the layout."""

    def values(self, layout: Layout, table: Table) -> Iterable[object]:
        return layout.spots


class AtWork(FieldKind):
    """A station."""

    known = STATIONS

    def values(self, layout: Layout, table: Table) -> Iterable[object]:
        return STATIONS


class Quoted(FieldKind):
    """A word that may have to be quoted."""

    def write(self, value: object, call: object) -> str:
        return word(str(value))


class RemarkField(FieldKind):
    """Words that are always quoted."""

    def write(self, value: object, call: object) -> str:
        return f'"{value}"'


class ChipsField(FieldKind):
    """A sum of money."""

    def read(self, cursor: Cursor, made: Made) -> object:
        return cursor.amount()

    def write(self, value: Any, call: object) -> str | None:
        return money(value)

    def values(self, layout: Layout, table: Table) -> Iterable[object]:
        return (layout.chip,)


class UnitField(ChipsField):
    """The unit of stakes on a sign, where the text has one."""

    def asked(self, layout: Layout, call: Any) -> bool:
        return "unit" in layout.limits


def _amounts(cursor: Cursor, parts: Iterable[str]) -> tuple[int, ...]:
    """Amounts that stand in one word, of which one may be nothing."""
    try:
        return tuple(0 if part == "0" else parse_amount(part) for part in parts)
    except AmountError as error:
        cursor.fail(str(error), 1)


class Parts(FieldKind):
    """The parts of a stake."""

    def read(self, cursor: Cursor, made: Made) -> object:
        parts = cursor.take(self.expected).text.split("/")
        return _amounts(cursor, parts)

    def write(self, value: Any, call: object) -> str:
        return "/".join(map(money, value))

    def asked(self, layout: Layout, call: Any) -> bool:
        share = layout.spots[call.spot].share
        return share is not None and share.named


class Face(FieldKind):
    """The face of a die."""

    def read(self, cursor: Cursor, made: Made) -> object:
        text = cursor.take(self.expected).text
        if text not in ("1", "2", "3", "4", "5", "6"):
            cursor.fail(phrase("lines.a-die-shows-1-to", text=text), 1)
        return int(text)


class Sum(FieldKind):
    """A total as it is called."""

    def read(self, cursor: Cursor, made: Made) -> object:
        text = cursor.take(self.expected).text
        if not is_number(text):
            cursor.fail(phrase("lines.expected-a-total-not", text=f"{text!r}"), 1)
        return int(text)


class Rail(FieldKind):
    """A place at the table, counted from 1."""

    def read(self, cursor: Cursor, made: Made) -> object:
        text = cursor.take(self.expected).text
        if not is_number(text) or not 0 < int(text) < 100:
            cursor.fail(phrase("lines.a-place-is-a-number", text=f"{text!r}"), 1)
        return int(text)

    def values(self, layout: Layout, table: Table) -> Iterable[object]:
        taken = {seat.place for seat in table.seats.values()}
        return [place for place in range(1, (table.floor.places or 8) + 1) if place not in taken]


class TimeOfDay(FieldKind):
    """A time of day on a sign."""

    def read(self, cursor: Cursor, made: Made) -> object:
        text = cursor.take(self.expected).text
        if seconds_of(text) is None:
            cursor.fail(phrase("lines.expected-a-time-not", text=f"{text!r}"), 1)
        return text


WHOLE_DAY = 24 * 3600


def clock_time(seconds: int) -> str:
    """A time of day as people say it."""
    return f"{seconds // 3600 % 24:02d}:{seconds // 60 % 60:02d}"


def seconds_of(text: str) -> int | None:
    """The time of day that people say so, in seconds; None where it is none.

    >>> seconds_of("14:30"), seconds_of("0:05"), seconds_of("24:00"), seconds_of("noon")
    (52200, 300, None, None)
    """
    found = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", text, re.ASCII)
    return (int(found[1]) * 60 + int(found[2])) * 60 if found else None


class Count(FieldKind):
    """How many there are."""

    def read(self, cursor: Cursor, made: Made) -> object:
        text = cursor.take(self.expected).text
        if not is_number(text) or len(text) > 2:
            cursor.fail(phrase("lines.expected-how-many-not", text=f"{text!r}"), 1)
        return int(text)

    def values(self, layout: Layout, table: Table) -> Iterable[object]:
        return (1, 2)


class OneOf(FieldKind):
    """One of a few words; a form says each as the phrase `choices.<tag>.<field>.<value>`."""

    def __init__(self, words: Iterable[object], label: str = "") -> None:
        self.words = tuple(words)
        values = [str(value) for value in self.words]
        super().__init__(" or ".join(values), values[0], label)
        self.known = tuple(value for value in self.words if isinstance(value, str))

    def read(self, cursor: Cursor, made: Made) -> object:
        text = cursor.take(self.expected).text
        if text not in self.words:
            cursor.fail(
                phrase("lines.expected-not", expected=wanted(self.expected), text=f"{text!r}"), 1
            )
        return text

    def values(self, layout: Layout, table: Table) -> Iterable[object]:
        return self.words


class Cloth(OnLayout):
    """A spot, by its id or in quotes by a label on the cloth."""

    def read(self, cursor: Cursor, made: Made) -> object:
        found = cursor.take(self.expected)
        if found.quoted:
            made["area"] = found.text.lower()
        return found.text

    def write(self, value: Any, call: Any) -> str:
        return f'"{call.area}"' if call.area else value or '""'


class FaceValue(ChipsField):
    """How much of a stake is a voucher; all of it if the sum is left out."""

    def read(self, cursor: Cursor, made: Made) -> object:
        return cursor.amount() if cursor.more else made["amount"]

    def write(self, value: Any, call: Any) -> str | None:
        return None if value == call.amount else money(value)


def read_station(cursor: Cursor) -> str:
    """One of the stations."""
    station = cursor.take("a station").text
    if station not in STATIONS:
        cursor.fail(
            phrase(
                "lines.expected-a-station-not", stations=", ".join(STATIONS), station=f"{station!r}"
            ),
            1,
        )
    return station


# -- two fields in one word ------------------------------------------------------------------------


class Pair:
    """Two fields that are said together: as they are read and written."""

    expected = "two faces or no roll"
    example = "4-2"
    blank = "FACES"
    shape: re.Pattern[str] | None = re.compile(r"\d+-\d+")

    def read(self, cursor: Cursor) -> tuple[object, object]:
        text = cursor.take(self.expected).text
        try:
            first, second = parse_roll(text)
        except DiceError as error:
            cursor.fail(str(error), 1)
        return first, second

    def write(self, first: object, second: object) -> str:
        return f"{first}-{second}"


class Limits(Pair):
    """A minimum and a maximum."""

    expected, example, blank, shape = "limits", "10-500", "LIMITS", None

    def read(self, cursor: Cursor) -> tuple[int, int]:
        text = cursor.take(self.expected).text
        low, dash, high = text.partition("-")
        if not dash:
            cursor.fail(phrase("lines.expected-limits-like-10-500", text=f"{text!r}"), 1)
        first, second = _amounts(cursor, (low, high))
        return first, second

    def write(self, first: Any, second: Any) -> str:
        return f"{money(first)}-{money(second)}"


class OwnLimits(Limits):
    """Limits of which one may be left out."""

    example = "100-2000"

    def read(self, cursor: Cursor) -> tuple[int, int]:
        if cursor.accept("from"):
            return cursor.amount(), 0
        return (0, cursor.amount()) if cursor.accept("up", "to") else super().read(cursor)

    def write(self, first: Any, second: Any) -> str:
        if first and not second:
            return f"from {money(first)}"
        return super().write(first, second) if first else f"up to {money(second)}"


class SettingField(Pair):
    """The name of a setting and a value."""

    expected, example, blank, shape = "name=value", "odds_pass=2", "NAME=VALUE", None

    def read(self, cursor: Cursor) -> tuple[str, str]:
        name, equals, value = cursor.take(self.expected).text.partition("=")
        if not equals or not value:
            cursor.fail(phrase("lines.expected-name-value-not", text=f"{name!r}"), 1)
        return name, value

    def write(self, first: object, second: object) -> str:
        return word(f"{first}={second}")


class Half(FieldKind):
    """A field that is said together with another."""

    def __init__(self, pair: Pair, label: str = "", form: Form = "", told: Telling = "") -> None:
        super().__init__(pair.expected, pair.example, label, form=form, told=told)
        self.pair = pair


class Figure(Half, ChipsField):
    """A sum that may be said together with another."""


# -- the kinds -------------------------------------------------------------------------------------


def kind_of(annotation: object) -> FieldKind | None:
    """The kind of field that an annotation names."""
    if get_origin(annotation) is Annotated:
        return next((each for each in get_args(annotation) if isinstance(each, FieldKind)), None)
    return None


LIMITS, OWN_LIMITS, FACES, SETTING = Limits(), OwnLimits(), Pair(), SettingField()

SeatName = Annotated[str, SeatedField("a player", label="player")]
OnePlayer = Annotated[str, SeatedField("a player", label="one-player")]
TheOther = Annotated[str, SeatedField("a player", "bob", label="the-other")]
SpotName = Annotated[str, OnLayout("a spot", "place.6", "spot", told="spot")]
SpotOrAll = Annotated[str, OnLayout("a spot, or all", "place.6", "spot", told="spot")]
SpotOrArea = Annotated[str, Cloth("a spot", "place.6")]
Money = Annotated[int, ChipsField("an amount", "10", "amount", "AMOUNT", "money")]
SplitParts = Annotated[tuple[int, ...], Parts("parts like 1/2", "6/4", "parts", form="parts")]
Voucher = Annotated[int, FaceValue("an amount", "5")]
Minimum = Annotated[int, Figure(LIMITS, "minimum", "money")]
Maximum = Annotated[int, Figure(LIMITS, "maximum", "money")]
OwnMinimum = Annotated[int, Figure(OWN_LIMITS, "minimum", "money")]
OwnMaximum = Annotated[int, Figure(OWN_LIMITS, "maximum", "money")]
HourOnSign = Annotated[str, TimeOfDay("a time", "14:30", "hour", form="text")]
Group = Annotated[str, Quoted("a wager or a kind of wager", "place", "kind-of-wager", form="text")]
Unit = Annotated[int, UnitField("an amount", "5", "unit-of-stakes", form="money")]
FirstFace = Annotated[int, Half(FACES)]
SecondFace = Annotated[int, Half(FACES)]
Total = Annotated[int, Sum("the total", "6")]
RestingFace = Annotated[int, Face("the face it rests on", "3")]
PlaceNumber = Annotated[int, Rail("a place", "3")]
HowMany = Annotated[int, Count("how many", "2", "dealers", blank="N")]
Cause = Annotated[str, Quoted("a cause", "off-table", "cause", told="power")]
Reason = Annotated[str, Quoted("a reason", "delay", "reason", told="power")]
Offence = Annotated[str, Quoted("a reason", "device", "reason", told="reason")]
PersonName = Annotated[str, Quoted("a person", "bob", "person", "somebody", "player", "person")]
Employee = Annotated[str, Quoted("a person", "kim", "person", "somebody", "employee")]
Note = Annotated[str, RemarkField("a note", '"seen twice"', "note", "NOTE", "text")]
Noted = Annotated[str, Quoted("what is noted", "touching", "what", told="record")]
About = Annotated[str, Quoted("what is disputed", "payout", "about", "payout", "text")]
Whom = Annotated[
    str, Quoted("inspector, surveillance or a player", "inspector", "whom", told="whom")
]
StationName = Annotated[str, AtWork("a station", "box", "station", told="station")]
SettingName = Annotated[str, Half(SETTING, told="setting")]
SettingValue = Annotated[str, Half(SETTING)]
