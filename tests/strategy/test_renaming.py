"""Variables of one name stay apart, however deep in other strategies and helpers they are used."""

from __future__ import annotations

from keyword import kwlist
from typing import Any

import pytest

from boxman.sim.dice import stream
from boxman.sim.executors import choose
from boxman.strategy.api import Strategy, StrategyError, strategy, together
from boxman.strategy.quick import play_quick
from boxman.strategy.session import session
from boxman.strategy.spots import ANY_SEVEN, FIELD, PASS
from boxman.strategy.text import TextError, read
from boxman.strategy.view import Chair, Turn
from boxman.table.state import Wager


class Notes(Chair):
    """A chair that allows everything and writes it down."""

    def __init__(self) -> None:
        self.said: list[tuple[int, int]] = []

    def wager(self, spot: int) -> Wager | None:
        return None

    def propose(self, what: int, spot: int, amount: int) -> bool:
        self.said.append((spot, amount // 100))
        return True


def bets(chosen: Strategy, turns: int = 4) -> dict[int, list[int]]:
    """What is bet on each spot, turn by turn."""
    chair = Notes()
    turn = Turn(chair, dict(chosen.variables))
    for _ in range(turns):
        chosen(turn)
    found: dict[int, list[int]] = {}
    for spot, amount in chair.said:
        found.setdefault(spot, []).append(amount)
    return found


def bump(t: Any, most: int) -> None:
    t.level = (t.level + 1) % most


@strategy(level=0)
def twos(t: Any) -> None:
    bump(t, 2)
    t.bet(PASS, 10 + t.level)


@strategy(level=0)
def threes(t: Any) -> None:
    bump(t, 3)
    t.bet(FIELD, 10 + t.level)


@strategy(level=0, level_2=0)
def both_names(t: Any) -> None:
    t.level = (t.level + 1) % 3
    t.level_2 = (t.level_2 + 2) % 5
    t.bet(FIELD, 10 * t.level + t.level_2)


@strategy(level=0)
def inner_code(t: Any) -> None:
    t.level = sum(t.level + n for n in range(2)) % 4
    t.bet(FIELD, 10 + t.level)


@strategy
def calls(t: Any) -> None:
    threes(t)


PARTS = (threes,)


@strategy
def calls_some(t: Any) -> None:
    for part in PARTS:
        part(t)


LINE = {PASS: [11, 10, 11, 10]}
THREE = {FIELD: [11, 12, 10, 11]}


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((twos, threes), {**LINE, **THREE}),
        ((twos, calls), {**LINE, **THREE}),
        ((twos, calls_some), {**LINE, **THREE}),
        ((twos, together(threes)), {**LINE, **THREE}),
        ((twos, together(strategy(lambda t: None), calls)), {**LINE, **THREE}),
        ((twos, both_names), {**LINE, FIELD: [12, 24, 1, 13]}),
        ((both_names, twos), {**LINE, FIELD: [12, 24, 1, 13]}),
        ((twos, inner_code), {**LINE, FIELD: [11, 13, 13, 13]}),
    ],
    ids=lambda value: " and ".join(p.name for p in value) if isinstance(value, tuple) else "",
)
def test_each_keeps_its_own(parts: tuple[Strategy, ...], expected: dict[int, list[int]]) -> None:
    for part in parts:
        assert bets(part).items() <= expected.items()
    whole = together(*parts)
    assert bets(whole) == expected
    assert len(whole.variables) == sum(len(part.variables) for part in parts)
    # And once more with itself, in the other order.
    assert bets(together(*reversed(parts), *parts)) == {
        spot: [each for each in amounts for _ in range(2)] for spot, amounts in expected.items()
    }


def test_deep_ones_run_alike_everywhere() -> None:
    """Explored and compiled, a renamed strategy is the same as on the reference."""
    whole = together(twos, together(threes, calls), name="deep")
    assert len(whole.variables) == 3
    played = session("rws", bankroll=100, rolls=40)
    expected = [
        play_quick(whole, played, stream(3, n), chosen.explored.explorer.felts).worth - 10_000
        for chosen in [choose(whole, played, "numpy")[0]]
        for n in range(20)
    ]
    for executor in ("numpy", "kernel"):
        player, _ = choose(whole, played, executor)
        assert player.play(3, 0, 20).in_minor_units().net.tolist() == expected, executor


def test_a_name_that_is_there_already_is_not_taken_twice() -> None:
    with pytest.raises(StrategyError, match="both_names has a variable level_2 already"):
        both_names.renamed(level="level_2")
    with pytest.raises(StrategyError, match="has a variable other already"):
        both_names.renamed(level="other", level_2="other")
    assert both_names.renamed(level="level_2", level_2="level").variables == {
        "level_2": 0,
        "level": 0,
    }

    @strategy(self=1)
    def own(t: Any) -> None:
        t.bet(PASS, t.self)

    assert own.renamed(self="one").variables == {"one": 1}


level = 7


def test_a_name_with_two_meanings_is_refused() -> None:
    @strategy(level=0)
    def muddled(t: Any) -> None:
        t.level = (t.level + level) % 9
        t.bet(ANY_SEVEN, 1)

    with pytest.raises(StrategyError, match="muddled uses level for something else too"):
        together(twos, muddled)

    # A local name is another thing.
    @strategy(level=0)
    def clear(t: Any) -> None:
        level = t.level + 1
        t.level = level % 3
        t.bet(FIELD, 10 + t.level)

    assert bets(together(twos, clear)) == {**LINE, **THREE}


def test_a_text_keeps_its_variables_from_those_it_uses() -> None:
    text = read("variable level = 3\nvariable level_1 = 5\nuse martingale\nbet level_1 field\n")
    assert text.variables == {"level": 3, "level_1": 5, "level_2": 0}


@pytest.mark.parametrize("name", [word for word in kwlist if word.islower()])
def test_words_of_python_name_no_variable_of_a_text(name: str) -> None:
    with pytest.raises(TextError, match=r"line 2, column 10: .*") as told:
        read(f"-- first\nvariable {name} = 0\nadd 1 to {name}\n")
    assert told.value.message


def test_numbers_longer_than_anybody_reads() -> None:
    for text in (f"bet {'9' * 5000} pass", f"variable n = {'9' * 5000}"):
        with pytest.raises(TextError, match=r"line 1, column \d+: 9{20}\.\.\. is too large"):
            read(text)
    assert read(f"variable n = {'0' * 5000}7").variables == {"n": 7}
    with pytest.raises(TextError, match="a variable needs a name"):
        read("variable _n = 0")
