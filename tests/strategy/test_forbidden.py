"""What no strategy may do: hidden chance, clocks, files, memory of its own, turns without end."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest

from boxman.strategy import patience
from boxman.strategy.api import Strategy, StrategyError, strategy
from boxman.strategy.automaton import explore
from boxman.strategy.check import check
from boxman.strategy.reference import play
from boxman.strategy.session import session
from boxman.strategy.spots import FIELD, PASS

HERE = Path(__file__).name

chance = random.Random(1)
seen: list[int] = []
total = 0


def helper(t: Any) -> int:
    return random.randrange(6) + int(t.puck)


def uses_random(t: Any) -> None:
    t.bet(PASS, random.randrange(6))


def uses_an_instance(t: Any) -> None:
    t.bet(PASS, chance.randrange(6))


def uses_a_helper(t: Any) -> None:
    t.bet(PASS, helper(t))


def uses_a_clock(t: Any) -> None:
    t.bet(PASS, int(time.time()))


def imports(t: Any) -> None:
    import math

    t.bet(PASS, math.gcd(10, 20))


def opens(t: Any) -> None:
    open("x").close()


def changes_a_global(t: Any) -> None:
    global total
    total += 1


def changes_an_item(t: Any) -> None:
    seen[0] = t.puck


def never_ends(t: Any) -> None:
    while True:
        t.bet(PASS, 10)


REFUSED = {
    uses_random: (1, "random has no place in a strategy: dice are thrown by the session"),
    uses_an_instance: (1, "chance has no place in a strategy"),
    uses_a_helper: (None, "random has no place in a strategy"),
    uses_a_clock: (1, "time has no place in a strategy: a strategy has no clock"),
    imports: (1, "import math inside a strategy"),
    opens: (1, "open has no place in a strategy"),
    changes_a_global: (2, r"total is changed outside the strategy.*@strategy\(total=0\)"),
    changes_an_item: (1, "seen is changed outside the strategy"),
    never_ends: (1, "this loop never ends"),
}


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_hidden_chance_clocks_files_and_memory_are_refused_by_name_and_line(function: Any) -> None:
    line, reason = REFUSED[function]
    first = function.__code__.co_firstlineno
    if line is None:
        first, line = helper.__code__.co_firstlineno, 1
    with pytest.raises(StrategyError, match=rf"{HERE}:{first + line}: .*{reason}"):
        check(Strategy(function))
    with pytest.raises(StrategyError, match=reason):
        play(Strategy(function), session("rws"), [0] * 300)


def test_memory_kept_in_a_list_is_seen_when_it_changes() -> None:
    @strategy
    def remembers(t: Any) -> None:
        seen.append(t.puck)
        t.bet(PASS, 10)

    with pytest.raises(StrategyError, match="seen is changed outside the strategy"):
        explore(remembers, session("rws"))
    seen.clear()


def test_a_loop_of_acts_has_an_end() -> None:
    @strategy
    def loops(t: Any) -> None:
        while not t.bet(PASS, 3):
            pass

    line = loops.line + 2
    with pytest.raises(StrategyError, match=rf"{HERE}:{line}: loops, after roll 0: more than 1,0"):
        play(loops, session("rws"), [0])


def test_a_loop_without_acts_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience.patience.__wrapped__, "__defaults__", (0.1,))

    @strategy
    def spins(t: Any) -> None:
        number = 0
        while number >= 0:
            number += 1

    for run in (lambda: play(spins, session("rws"), [0]), lambda: explore(spins, session("rws"))):
        message = rf"{HERE}:\d+: spins, .*: this turn does not end"
        with pytest.raises(StrategyError, match=message) as caught:
            run()
        assert caught.value.fatal


def test_an_exception_names_file_line_and_roll_and_keeps_the_traceback() -> None:
    @strategy
    def fails(t: Any) -> None:
        t.bet(PASS, 10)
        if t.rolls == 3:
            t.bet(FIELD, 10 // (t.rolls - 3))

    message = rf"{HERE}:{fails.line + 4}: fails, after roll 3: ZeroDivisionError: integer"
    with pytest.raises(StrategyError, match=message) as caught:
        play(fails, session("rws"), [0] * 9)
    assert "t.bet(FIELD, 10 // (t.rolls - 3))" in caught.value.trace
    assert "ZeroDivisionError" in caught.value.trace
