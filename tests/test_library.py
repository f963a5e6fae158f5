"""Every public name, given what is not meant for it: a sentence of ours, never a traceback."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

import boxman
from boxman.rules.layout import Layout
from boxman.strategy.api import Strategy, strategy, together
from boxman.table.calls import Bet
from boxman.table.state import Table

HOUSE = boxman.house("nsw")
TABLE = boxman.open_table(boxman.Open(house="nsw"))
SESSION = boxman.Session(house="nsw", minimum=500, bankroll=3000, rolls=1)
BAD: tuple[object, ...] = (
    *(5, -1, 0, 2.5, float("nan"), float("inf"), None, True, Fraction(1, 3), 10**30, -(10**30)),
    *(b"", b"x", "", "nonsense", "a\0b", "\ud800", "1/0", "x" * 5000),
    *([], [5], [None], (), ("x",), {}, {"a": 1}, object(), int, len, HOUSE, SESSION),
)


def fields(record: type[msgspec.Struct], **given: object) -> dict[str, Any]:
    """The arguments of a record: what is given, and what it has of itself."""
    return {each.name: each.default for each in msgspec.structs.fields(record)} | given


def solved(**given: Any) -> object:
    return HOUSE.solve("pass", "", bankroll=10_000, reach=20_000, **given)


def lasting(at_least: int) -> object:
    return HOUSE.solve("pass", "", bankroll=10_000, last=3, at_least=at_least)


def settled(**given: Any) -> object:
    return boxman.open_table(boxman.Open(**given))


def spoken(**given: Any) -> object:
    return boxman.rule(TABLE.layout, TABLE.table, Bet(**given))  # type: ignore[arg-type]


ASKED: dict[str, list[tuple[Callable[..., object], dict[str, Any]]]] = {
    "houses": [],  # it takes nothing
    "strategies": [],
    "house": [(boxman.house, {"name": "nsw", "chip": 100, "multiples": True, "nonsense": True})],
    "House": [
        (boxman.House, {"layout": HOUSE.layout, "source": "nsw"}),
        (HOUSE.odds, {"wager": "place.6", "split": (), "collected": ()}),
        (HOUSE.with_odds, {"flat": "pass", "times": 1, "added": 0}),
        (HOUSE.at_stake, {"wager": "place.6", "stake": 700}),
        (HOUSE.solve, {"menu": "pass", "stakes": "", "bankroll": 10_000, "reach": 20_000}),
        (solved, {"minimum": 1000, "maximum": 1000, "unit": 1000, "shooter": "guest", "rolls": 3}),
        (solved, {"rolls_per_hour": 100, "hourly": False, "last": 0, "ahead": 0}),
        (lasting, {"at_least": 10_000}),
    ],
    "Open": [(settled, fields(boxman.Open, house="nsw", settings={}))],
    "open_table": [(boxman.open_table, {"call": TABLE.call})],
    "rule": [
        (
            boxman.rule,
            {
                "layout": TABLE.layout,
                "table": TABLE.table,
                "call": Bet(seat="ann", spot="pass", amount=500),
            },
        ),
        (spoken, fields(Bet, seat="ann", spot="pass", amount=500)),
    ],
    "replay": [(boxman.replay, {"lines": "house nsw"})],
    "find_strategy": [(boxman.find_strategy, {"text": "molly"})],
    "Session": [(boxman.Session, fields(boxman.Session, house="nsw", minimum=500, settings={}))],
    "simulate": [
        (boxman.simulate, {"strategy": "pass", "session": SESSION, "sessions": 4, "seed": 1}),
        (
            boxman.simulate,
            {
                **{"strategy": "pass", "session": SESSION, "sessions": 4, "seed": 1},
                **{"executor": "numpy", "threads": 1, "first": 0},
            },
        ),
    ],
    "compare": [
        (
            boxman.compare,
            {"strategies": ["pass", "dont"], "session": SESSION, "sessions": 4, "seed": 1},
        )
    ],
    "exact": [(boxman.exact, {"strategy": "pass", "session": SESSION, "ever": False})],
    "boxman.strategy.api": [
        (Strategy, {"function": lambda t: None}),
        (lambda function: strategy(function), {"function": lambda t: None}),
        (lambda level: strategy(level=level)(lambda t: None), {"level": 1}),
        (lambda part: together(part), {"part": boxman.find_strategy("pass")}),
    ],
    "boxman.strategy.spots": [],  # numbers
    "boxman.table.calls": [],  # records; `rule` says what is wrong with one
}
"""Every name, with arguments that are right."""
TAKEN: dict[tuple[str, str], tuple[object, ...]] = {
    ("exact", "ever"): (True,),  # right, and it takes long
    ("boxman.strategy.api", "function"): (None,),  # a decorator that waits for its function
    ("replay", "lines"): ([], ()),
    ("simulate", "threads"): (None,),
}
"""Right, though of another kind."""


def test_every_public_name_is_asked() -> None:
    page = Path(__file__).parents[1] / "docs" / "library.md"
    rows = re.findall(r"^\| (.*?) \|", page.read_text(), re.MULTILINE)[2:]
    named = {name for row in rows for name in re.findall(r"`([\w.]+)", row)}
    asked = {name for name in named if name in ASKED} | set(boxman.__all__)
    assert asked == set(ASKED)
    parts = {getattr(each, "__name__", "") for each, _ in ASKED["House"]}
    assert {name.split(".")[-1] for name in named - asked} <= parts | {"price_list", "hand"} | set(
        dir(boxman.House)
    )


@pytest.mark.parametrize("name", ASKED)
def test_what_is_not_meant_is_said_in_a_sentence(name: str) -> None:
    for ask, right in ASKED[name]:
        given = {key: value for key, value in right.items() if key != "nonsense"}
        ask(**given)
        for key in right:
            for bad in BAD:
                if any(
                    type(bad) is type(each) and bad == each for each in TAKEN.get((name, key), ())
                ):
                    continue
                where = f"{name} {key}={type(bad).__name__}"
                try:
                    found = ask(**{**given, key: bad})
                except ValueError as error:
                    said = str(error)
                    assert len(said.partition("\n")[0]) > 10, where
                    assert "object has no" not in said, where
                    assert "Expected `" not in said, where
                except Exception as error:
                    raise AssertionError(f"{where}: {error!r}") from error
                else:
                    if getattr(found, "refusal", None) is not None:
                        continue
                    assert meant(bad, right[key]), f"{where} gave {found!r:.60}"


def meant(bad: object, right: object) -> bool:
    """Whether something that was taken is of the kind that is asked for."""
    if isinstance(bad, bool) or isinstance(right, bool):
        return isinstance(bad, bool) and isinstance(right, bool)
    return isinstance(
        bad, {int: (int, Fraction), tuple: (tuple, list)}.get(type(right), type(right))
    )


def test_the_sentence_says_what_is_asked_for_and_what_was_given() -> None:
    with pytest.raises(ValueError, match=r"^name has to be a text, not 5$"):
        boxman.house(5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^lines has to be a text or a list .*, not b''$"):
        boxman.replay(b"")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^session has to be a Session, not 'nsw'$"):
        boxman.simulate("pass", "nsw")  # type: ignore[arg-type]
    assert isinstance(TABLE.layout, Layout)
    assert isinstance(TABLE.table, Table)
