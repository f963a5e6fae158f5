"""What cannot be compiled, said with file, line and reason; and what can."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from typing import Any

import pytest

from boxman.sim.kernel.check import NotCompiled, check
from boxman.sim.kernel.run import Kernel
from boxman.strategy.api import Strategy, StrategyError, strategy, together
from boxman.strategy.session import session
from boxman.strategy.spots import COME, FIELD, PASS, PASS_ODDS, PLACE
from boxman.strategy.text import read
from tests.sim.kernel_cases import hold_together

WHERE = session("rws", bankroll=300, rolls=40)
TABLE = {"unit": 10}
NAMES = ("pass", "field")
LADDER = [10, 20, 40]


class Holder:
    unit = 10


HOLDER = Holder()


def uses_dictionary(t: Any) -> None:
    sizes = {4: 10, 6: 12}
    t.bet(PASS, sizes[4])


def uses_outer_dictionary(t: Any) -> None:
    t.bet(PASS, TABLE["unit"])


def uses_object(t: Any) -> None:
    t.bet(PASS, HOLDER.unit)


def uses_list(t: Any) -> None:
    t.bet(PASS, LADDER[0])


def uses_texts(t: Any) -> None:
    if len(NAMES) > 1:
        t.bet(PASS, 10)


def uses_set(t: Any) -> None:
    if t.last in {2, 12}:
        t.bet(FIELD, 10)


def catches(t: Any) -> None:
    try:
        t.bet(PASS, 10)
    except ValueError as error:
        raise RuntimeError from error


def formats(t: Any) -> None:
    print(f"roll {t.rolls}")


def generates(t: Any) -> None:
    t.bet(PASS, sum(x for x in (5, 5)))


def nests(t: Any) -> None:
    def inner(amount: int) -> None:
        t.bet(PASS, amount)

    inner(10)


def spins(t: Any) -> None:
    left = t.cash
    while left > 10:
        left -= 1
    t.bet(PASS, left)


def matches(t: Any) -> None:
    match t.puck:
        case 0:
            t.bet(PASS, 10)


def maps(t: Any) -> None:
    for amount in map(abs, (10, 20)):
        t.bet(PASS, amount)


def helper_with_dictionary(t: Any) -> None:
    uses_dictionary(t)


def half(t: Any) -> None:
    t.bet(PASS, t.cash / 20)


def unknown(t: Any) -> None:
    t.bet(PASS, t.level)


def unknown_act(t: Any) -> None:
    t.bett(PASS, 10)


def names_spot(t: Any) -> None:
    t.bet("pass", 10)


def writes(t: Any) -> None:
    t.cash = 1000


def writes_half(t: Any) -> None:
    t.level = 0.5


def truth(t: Any) -> None:
    t.bet(PASS, True)


def maybe(t: Any) -> None:
    amount = None
    if t.coming_out:
        amount = 10
    t.bet(PASS, amount)


CASES: list[tuple[Callable[[Any], None], int, str]] = [
    (uses_dictionary, 1, "a dictionary is not compiled; use a tuple indexed by a number"),
    (uses_outer_dictionary, 1, "TABLE is a dict"),
    (uses_object, 1, "HOLDER is a Holder"),
    (uses_list, 1, "LADDER is a list"),
    (uses_texts, 1, "NAMES is a tuple of things that are not whole numbers"),
    (uses_set, 1, "a set is not compiled"),
    (catches, 1, "try is not compiled"),
    (formats, 1, "print() is not compiled"),
    (generates, 1, "sum() is not compiled"),
    (nests, 1, "a function within a function is not compiled"),
    (spins, 2, "a while loop without an act could go on for ever"),
    (matches, 1, "match is not compiled; use if and elif"),
    (maps, 1, "map() is not compiled"),
    (half, 1, "; use // to divide"),
    (unknown, 1, "there is no t.level; declare it: @strategy(level=0)"),
    (unknown_act, 1, "there is no t.bett"),
    (names_spot, 1, "a spot is one of the names of boxman.strategy.spots"),
    (writes, 1, "t.cash can be read, not written"),
    (truth, 1, "amounts are whole currency units"),
    (maybe, 4, "amounts are whole currency units"),
]


@pytest.mark.parametrize(
    ("function", "line", "reason"),
    CASES,
    ids=lambda each: getattr(each, "__name__", str(each)[:40]),
)
def test_reason_and_line(function: Any, line: int, reason: str) -> None:
    with pytest.raises(NotCompiled) as caught:
        Kernel(Strategy(function), WHERE)
    message = str(caught.value)
    place = f"{__file__}:{function.__code__.co_firstlineno + line}: "
    assert message.startswith(place), message
    assert reason in message
    assert "\n" not in message
    assert len(message) < len(place) + 200


def test_a_helper_is_named_where_it_stands() -> None:
    with pytest.raises(NotCompiled) as caught:
        Kernel(Strategy(helper_with_dictionary), WHERE)
    line = uses_dictionary.__code__.co_firstlineno + 1
    assert str(caught.value).startswith(f"{__file__}:{line}: a dictionary")


def test_a_variable_is_a_whole_number() -> None:
    with pytest.raises(NotCompiled, match=r"t\.level is a whole number"):
        Kernel(Strategy(writes_half, {"level": 0}), WHERE)


def test_what_no_strategy_may_do_is_no_matter_of_compiling() -> None:
    import random

    def chance(t: Any) -> None:
        if random.random() < 0.5:
            t.bet(PASS, 10)

    with pytest.raises(StrategyError, match="random"):
        Kernel(Strategy(chance), WHERE)


def test_generated_functions_name_their_own_text() -> None:
    scope: dict[str, Any] = {"PASS": PASS}
    exec(compile("def f(t):\n    t.bet(PASS, t.cash / 2)\n", "<text form>", "exec"), scope)
    made = Strategy(scope["f"], {}, "mine", {1: (1, 1), 2: (7, 5)}, "mine.strategy")
    with pytest.raises(NotCompiled) as caught:
        Kernel(made, WHERE)
    assert str(caught.value) == (
        "mine.strategy:7:5: amounts are whole currency units, not float64; use // to divide"
    )


# -- what can be compiled --------------------------------------------------------------------------


class Unit(enum.IntEnum):
    SMALL = 10
    LARGE = 25


STEPS = ((5, 10), (15, 20))


def stake(t: Any, unit: int) -> int:
    """A helper with a branch and a tuple of tuples."""
    return max(unit, STEPS[0][1]) if t.coming_out else STEPS[1][0]


def maker(unit: int) -> Strategy:
    @strategy(level=0, up=0)
    def made(t: Any) -> None:
        """Closures, helpers, enumerations, tuples, keywords, loops, math."""
        t.bet(PASS, amount=stake(t, unit=unit))
        t.up = t.coming_out
        t.bet(COME, 10 * t.up)
        for number in (6, 8):
            t.bet(PLACE[number], Unit.SMALL + 2)
        if t.lost_total > 0:
            t.level += 1
        t.bet(FIELD, 5 * min(t.level, 4) + math.floor(5.5))
        while t.on(COME) < 20 and t.press(COME, 10):
            pass
        if t.level < 0:
            raise ValueError("never")

    return made


def test_what_a_strategy_may_be_made_of() -> None:
    for unit in (10, 15):
        made = maker(unit)
        hold_together(Kernel(made, WHERE), made, unit, range(3))


def test_strategies_together_keep_their_variables_apart() -> None:
    @strategy(level=1)
    def first(t: Any) -> None:
        if t.won(PASS) > 0:
            t.level += 1
        t.bet(PASS, 5 * min(t.level, 5))

    @strategy(level=2)
    def second(t: Any) -> None:
        if t.lost(FIELD) > 0:
            t.level += 1
        t.bet(FIELD, 5 * min(t.level, 5))

    both = together(first, second, strategy(lambda t: t.odds_on(PASS, 2)))
    for played in hold_together(Kernel(both, WHERE), both, 3, range(3)):
        assert {"pass", "field"} <= set(played.wagers)
    assert sorted(both.variables) == ["level", "level_2"]


def test_a_changed_constant_is_seen() -> None:
    """Nothing of a strategy is kept from an earlier compilation."""
    nets = []
    for amount in (10, 20):
        scope: dict[str, Any] = {"PASS": PASS, "PASS_ODDS": PASS_ODDS, "AMOUNT": amount}
        exec("def f(t):\n    t.bet(PASS, AMOUNT)\n", scope)
        kernel = Kernel(Strategy(scope["f"]), session("rws", bankroll=5000, rolls=20))
        nets.append(kernel.run(1, 0, 10).lanes.net)
    assert (nets[1] == 2 * nets[0]).all()
    assert nets[0].any()


def test_what_a_compiler_would_sit_over_for_long_is_not_compiled() -> None:
    """Some thirty milliseconds a line; thousands of lines were minutes."""
    line = "when cash > 5: bet 10 field\n"
    with pytest.raises(NotCompiled, match=r"long.strategy:1:1: too long to be compiled"):
        check(read(line * 1_000, "long"))
    check(read(line * 200, "long"))
