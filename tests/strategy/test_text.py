"""The text form: what it means, and what it says of mistakes."""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxman.rules.book import houses
from boxman.strategy.api import Strategy, StrategyError, strategy
from boxman.strategy.automaton import explore
from boxman.strategy.library import find
from boxman.strategy.reference import play
from boxman.strategy.session import session
from boxman.strategy.spots import COME, FIELD, PASS, PLACE, SPOTS
from boxman.strategy.text import TextError, read
from tests.limits import FIVES


def rolls(seed: int) -> Iterator[int]:
    source = random.Random(seed)
    while True:
        yield source.randrange(36)


def same(one: Strategy, other: Strategy, house: str) -> None:
    """Two strategies explore to the same automaton and read the same variables."""
    first, second = (explore(each, session(house, **FIVES, bankroll=1000)) for each in (one, other))
    for field in ("least", "next", "act", "end", "staked"):
        for edge in (f"edge_{field}", f"start_{field}"):
            assert np.array_equal(getattr(first, edge), getattr(second, edge)), edge
    for field in ("pre", "pre_staked", "landed", "felt"):
        assert np.array_equal(getattr(first, field), getattr(second, field)), field
    assert first.edge_refusals == second.edge_refusals


# -- what it means -----------------------------------------------------------------------------

MOLLY = """
-- three numbers, with odds
when come-out: bet 10 pass
otherwise when count of come < 2: bet 10 come
odds 2x
"""


def test_a_text_is_the_same_as_a_function() -> None:
    @strategy
    def molly(t: Any) -> None:
        if t.coming_out:
            t.bet(PASS, 10)
        elif t.count(COME) < 2:
            t.bet(COME, 10)
        t.odds(2)

    made = read(MOLLY, "molly")
    assert made.doc == "three numbers, with odds"
    for house in houses()[:2]:
        same(made, molly, house)


def test_variables_count_and_conditions_join() -> None:
    @strategy(level=0)
    def mine(t: Any) -> None:
        if t.lost(PASS) > 0:
            t.level += 1
        elif t.won(PASS) > 0:
            t.level = 0
        if t.level > 3:
            t.level = 0
        if t.coming_out:
            t.bet(PASS, 10 * (t.level + 1))
        if (t.puck == 6 or t.puck == 8) and not t.new_shooter:
            t.bet(PLACE[t.puck], 12)
        if t.on(FIELD) == 0 and (t.last == 7 or t.last_hard):
            t.bet(FIELD, t.fit(FIELD, 3))

    text = """
variable level = 0
when pass lost: add 1 to level
otherwise when pass won: set level to 0
when level > 3: set level to 0
when come-out: bet 10 * (level + 1) pass
when point is 6 and not new shooter: bet 12 place.6
when point is 8 and not new shooter: bet 12 place.8
when stake on field is 0 and (last roll is 7 or last roll is hard): bet about 3 field
"""
    for house in houses():
        same(read(text, "mine"), mine, house)


class Heard:
    """A turn that answers every read with what a test wants, and keeps what is proposed."""

    def __init__(self, **answers: Any) -> None:
        self.__dict__["answers"] = answers
        self.__dict__["said"] = []

    def __getattr__(self, name: str) -> Any:
        if name in self.answers:
            return self.answers[name]
        return lambda *given: self.said.append((name, *given)) or True

    def __setattr__(self, name: str, value: int) -> None:
        self.answers[name] = value


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("bet 10 pass", [("bet", 0, 10)]),
        ("press place.6 by 6 + 6", [("press", 56, 12)]),
        ("regress place.6 and place.8 to 6", [("regress", 56, 6), ("regress", 57, 6)]),
        ("take down place.6", [("down", 56)]),
        ("odds 2x", [("odds", 2)]),
        ("odds max", [("odds_max",)]),
        ("odds 2 + 1 x on come.6", [("odds_on", SPOTS.index("come.6"), 3)]),
        ("turn on place.6", [("turn_on", 56)]),
        ("turn off place.6", [("turn_off", 56)]),
        ("keep up place.6", [("stay_up", 56)]),
        ("always: bet 7 / 2 field", [("bet", 6, 3)]),
        ("done\nbet 10 pass", []),
        ("bet -(3 - 2 - 6) field", [("bet", 6, 5)]),
        ("bet 2 + 3 * 4 field", [("bet", 6, 14)]),
        ("bet (2 + 3) * 4 field", [("bet", 6, 20)]),
    ],
)
def test_every_act_is_what_it_says(line: str, said: list[tuple[Any, ...]]) -> None:
    heard = Heard()
    read(line).function(heard)
    assert heard.said == said


@pytest.mark.parametrize(
    ("condition", "yes", "no"),
    [
        ("come-out", {"coming_out": True}, {"coming_out": False}),
        ("point on", {"puck": 6}, {"puck": 0}),
        ("point is 6 or 8", {"puck": 8}, {"puck": 5}),
        ("point is not 6 or 8", {"puck": 5}, {"puck": 8}),
        ("new shooter", {"new_shooter": True}, {"new_shooter": False}),
        ("last roll is 7, 11", {"last": 11}, {"last": 10}),
        ("last roll is hard", {"last_hard": True}, {"last_hard": False}),
        ("last roll is not hard", {"last_hard": False}, {"last_hard": True}),
        ("pass won", {"won": lambda s: s == PASS}, {"won": lambda s: s != PASS}),
        ("pass lost", {"lost": lambda s: s == PASS}, {"lost": lambda s: s != PASS}),
        ("place.6 working", {"working": lambda s: True}, {"working": lambda s: False}),
        ("have pass", {"count": lambda s: 1}, {"count": lambda s: 0}),
        ("no pass", {"count": lambda s: 0}, {"count": lambda s: 1}),
        ("house offers small", {"offers": lambda s: True}, {"offers": lambda s: False}),
        ("cash at least 100", {"cash": 100}, {"cash": 99}),
        ("net under 0", {"net": -1}, {"net": 0}),
        ("rolls over 5", {"rolls": 6}, {"rolls": 5}),
        ("shooters at most 2", {"shooters": 2}, {"shooters": 3}),
        ("shooter rolls != 3", {"shooter_rolls": 4}, {"shooter_rolls": 3}),
        ("total won > 0", {"won_total": 1}, {"won_total": 0}),
        ("total lost = 0", {"lost_total": 0}, {"lost_total": 1}),
        ("minimum <= 5", {"minimum": 5}, {"minimum": 6}),
        ("maximum >= 500", {"maximum": 500}, {"maximum": 499}),
        ("stake on pass is 10", {"on": lambda s: 10}, {"on": lambda s: 9}),
        ("won on pass > 5", {"won": lambda s: 6}, {"won": lambda s: 5}),
        ("lost on pass > 5", {"lost": lambda s: 6}, {"lost": lambda s: 5}),
        ("count of come < 2", {"count": lambda s: 1}, {"count": lambda s: 2}),
        ("least on pass is 5", {"low": lambda s: 5}, {"low": lambda s: 6}),
        ("most on pass is 5", {"high": lambda s: 5}, {"high": lambda s: 6}),
        ("unit on place.6 is 6", {"unit": lambda s: 6}, {"unit": lambda s: 1}),
        ("come-out or point is 6", {"coming_out": False, "puck": 6}, {"coming_out": 0, "puck": 5}),
        (
            "not (come-out or point is 6)",
            {"coming_out": 0, "puck": 5},
            {"coming_out": 1, "puck": 0},
        ),
        (
            "come-out and rolls > 1 or cash > 5",
            {"coming_out": False, "rolls": 0, "cash": 6},
            {"coming_out": True, "rolls": 1, "cash": 5},
        ),
    ],
)
def test_every_condition_is_what_it_says(
    condition: str, yes: dict[str, Any], no: dict[str, Any]
) -> None:
    made = read(f"when {condition}: bet 1 field\notherwise: bet 2 field")
    for answers, amount in ((yes, 1), (no, 2)):
        heard = Heard(**answers)
        made.function(heard)
        assert heard.said == [("bet", FIELD, amount)]


def test_a_text_may_use_the_library() -> None:
    text = "variable level = 3\nuse martingale(unit=5)\nuse field-parlay\nuse martingale(unit=5)\n"
    made = read(text, "both")
    assert made.variables["level"] == 3
    assert len(made.variables) == 4  # its own level, martingale's, run and riding
    played = session(houses()[0], **FIVES, bankroll=1000, rolls=50)
    assert play(made, played, rolls(1)).staked > 0


def test_places_are_those_of_the_text() -> None:
    text = (
        "\nwhen come-out:\n    bet 10 pass\notherwise:\n  bet 5 field\n  bet 1 hard.4 and hard.6\n"
    )
    made = read(text, "mine", "mine.strategy")
    lines = inspect.getsource(made.function).splitlines()
    found = {line.strip(): made.place(number) for number, line in enumerate(lines, 1)}
    assert found["t.bet(0, 10)"] == "mine.strategy:3:5"
    assert found["t.bet(6, 5)"] == "mine.strategy:5:3"
    assert found["t.bet(86, 1)"] == found["t.bet(87, 1)"] == "mine.strategy:6:3"


def test_a_mistake_at_play_names_the_line_of_the_text() -> None:
    made = read("variable none = 0\nwhen come-out: bet 10 / none pass\n", "mine", "mine.strategy")
    with pytest.raises(StrategyError, match=r"mine\.strategy:2:16") as error:
        play(made, session(houses()[0], **FIVES), rolls(1))
    assert "ZeroDivisionError" in error.value.trace


# -- mistakes ----------------------------------------------------------------------------------

WRONG = [
    ("when come-ot: bet 10 pass", 1, 6, "come-ot is not a condition; did you mean come-out?"),
    (
        "when come-out bet 10 pass",
        1,
        15,
        ": belongs here, not bet; write: when come-out: bet 10 pass",
    ),
    ("bet 10 pas", 1, 8, "no wager is called pas; did you mean pass?"),
    ("bet 10", 1, 7, "the wager is missing; write one, like pass or place.6"),
    ("bet x pass", 1, 5, "x is not a number"),
    ("bet pass 10", 1, 5, "pass is not a number; write: stake on pass"),
    (
        "when pass: bet 10 come",
        1,
        10,
        "what about pass?; write: pass won, pass lost, or have pass",
    ),
    ("when pas won: done", 1, 6, "pas is not a condition; did you mean pass?"),
    ("bet 10 hard", 1, 8, "hard needs its number; one of: hard.4, hard.6, hard.8, hard.10"),
    (
        "\n  bet 10 pass",
        2,
        3,
        "this line is indented but stands under nothing; begin at the margin",
    ),
    ("when come-out:", 1, 15, "nothing to do here; write an act behind the colon"),
    ("when come-out:\n-- only this\n", 1, 15, "nothing to do here; write an act behind the colon"),
    ("use moly", 1, 1, "no strategy is called moly; did you mean molly?"),
    ("use molly(uint=5)", 1, 1, "molly has no parameter uint; did you mean unit?"),
    ("use 5", 1, 5, "use needs the name of a strategy; write: use molly(unit=25)"),
    ("variable pass = 1", 1, 10, "pass means something already; choose another name"),
    ("variable puck = 1", 1, 1, "puck means something already; choose another name"),
    ("variable a = 1\nvariable a = 2", 2, 10, "a is declared twice"),
    ("variable 5 = 1", 1, 10, "a variable needs a name; write: variable level = 0"),
    ("variable a = b", 1, 14, "the first value of a variable is a whole number"),
    ("variable a 5", 1, 12, "= belongs here, not 5; write: variable a = 0"),
    (
        "when level > 1: done",
        1,
        6,
        "level is not a condition; declare it at the top: variable level = 0",
    ),
    (
        "set level to 1",
        1,
        5,
        "there is no variable level; declare it at the top: variable level = 0",
    ),
    ("variable level = 0\nadd 1 to levl", 2, 10, "there is no variable levl; did you mean level?"),
    ("odds 2", 1, 7, "odds are a number of times the flat; write: odds 2x, or odds max"),
    (
        "odds 2x on come",
        1,
        12,
        "there are no odds behind come; "
        "odds stand behind pass, dont_pass, come.6, dont_come.6 and the like",
    ),
    ("turn place.6 on", 1, 6, "a wager is turned on or off; write: turn on place.6"),
    ("bet 10 pass 5", 1, 13, "5 is more than the line can say; begin a new line"),
    ("bet 10 pass, bet 5 field", 1, 12, "one act a line here; begin a new line"),
    (
        "bet 10 pass\notherwise: done",
        2,
        1,
        "otherwise has no when above it at the same depth; put it right under a when",
    ),
    ("when ((come-out: done", 1, 16, ") belongs here, not :; close the bracket"),
    ("bet 10 / 0 pass", 1, 8, "a number cannot be divided by 0"),
    (
        "when come-out:\n  bet 10 pass\n    bet 5 field",
        3,
        5,
        "this line is indented by 4, its neighbours by 2; put them under each other",
    ),
    ("when come-out:\n\tbet 10 pass", 2, 1, "a tab at the beginning of a line; indent with spaces"),
    ("bet @ pass", 1, 5, "@ has no meaning here"),
    ("when point is: done", 1, 14, "a number is missing before :"),
    (
        "bet 10 pass\nvariable a = 0",
        2,
        1,
        "variables are declared before the first rule; move it up",
    ),
    (
        "when come-out:\n    variable a = 0",
        2,
        5,
        "variables are declared at the top, outside any rule; move it up",
    ),
    ("press place.6 5", 1, 15, "the word by belongs here, not 5"),
    (
        "when come-out: when point on: done",
        1,
        16,
        "a when stands on its own line; put it on the next line, indented",
    ),
    ("wen come-out: done", 1, 1, "“wen” is not known here; did you mean when?"),
    ("when last > 5: done", 1, 6, "last alone says nothing; write: last roll"),
    (
        "when cash: done",
        1,
        10,
        "this number is compared with nothing; write is, is not, <, >, <=, >=, at least or at most",
    ),
    ("when cash at 5: done", 1, 14, "after “at” comes “least” or “most”"),
    ("bet 9999999999999 pass", 1, 5, "9999999999999 is too large; at most 1000000000000"),
    ("when " + "(" * 11 + "come-out" + ")" * 11 + ": done", 1, 1, "more than 10 brackets in one"),
    (
        "when " + "not " * 100 + "come-out: done",
        1,
        402,
        "more than 100 words in one line; split it",
    ),
    (
        "".join("    " * n + "when come-out:\n" for n in range(13)) + "    " * 13 + "done",
        13,
        63,
        "more than 12 rules inside each other; say it more simply",
    ),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), WRONG, ids=range(len(WRONG)))
def test_mistakes_are_named_with_line_and_column(
    text: str, line: int, column: int, message: str
) -> None:
    with pytest.raises(TextError) as error:
        read(text)
    assert error.value.sentence.startswith(message)
    assert (error.value.line, error.value.column) == (line, column)
    assert str(error.value).startswith(f"line {line}, column {column}: ")


def test_a_long_chain_is_refused_and_no_crash() -> None:
    text = "when come-out: done\n" + "otherwise when point on: done\n" * 3000
    with pytest.raises(TextError, match="nested too deeply"):
        read(text)


def test_a_file_names_itself(tmp_path: Path) -> None:
    path = tmp_path / "mine.strategy"
    path.write_text("bet 10 pas\n")
    with pytest.raises(StrategyError) as error:
        find(str(path))
    assert str(error.value) == f"{path}:1:8: no wager is called pas; did you mean pass?"
    path.write_text(MOLLY)
    assert find(str(path)).name == "mine"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(StrategyError, match="not a text in UTF-8"):
        find(str(path))


def wrong_with(text: str) -> TextError | None:
    try:
        read(text)
    except TextError as error:
        return error
    return None


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([*"()+-*/<>=:,", "\n", "\n    ", "when", "otherwise", "bet", "10",
    "pass", "come-out", "place.6", "and", "or", "not", "is", "odds", "x", "2x", "level", "use",
    "molly", "variable", "=", "0", "set", "to", "point", "last", "roll", "have", "--", "done"]),
    max_size=25))  # fmt: skip
def test_no_text_does_anything_but_read_or_say_where_it_is_wrong(words: list[str]) -> None:
    text = " ".join(words)
    problem = wrong_with(text)
    if problem is not None:
        lines = text.splitlines() or [""]
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
