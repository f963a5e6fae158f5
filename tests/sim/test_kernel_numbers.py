"""Numbers and names in compiled strategies: as Python has them, or the reference plays."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

from boxman.sim.executors.generic import KernelPlayer
from boxman.sim.executors.reference import ReferencePlayer
from boxman.sim.kernel.check import NotCompiled
from boxman.sim.kernel.run import Kernel
from boxman.strategy.api import Strategy
from boxman.strategy.session import session
from boxman.strategy.spots import FIELD
from tests.sim.test_lanes import same

HERE = session("rws", bankroll=1000, rolls=70)


def written(body: str, **variables: int) -> Strategy:
    """A strategy of these lines; `t.n` grows or mixes, and the field gets what is left of it."""
    source = "def play(t):\n" + "".join(f"    {line}\n" for line in body.split("; "))
    name = f"<{body}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    space: dict[str, Any] = {"FIELD": FIELD}
    exec(compile(source, name, "exec"), space)
    return Strategy(space["play"], variables, "play")


BEYOND = [
    ("t.n = t.n * 3; t.bet(FIELD, 5 + t.n % 7)", 7),
    ("t.n *= -3; t.bet(FIELD, 5 + t.n % 7)", 1),
    ("t.n = t.n + 2 ** 58 - 1; t.bet(FIELD, 5 + t.n % 7)", 0),
    ("t.n -= 2 ** 58 + 3; t.bet(FIELD, 5 + t.n % 7)", 0),
    ("t.n = t.n + 1; t.bet(FIELD, 5 + (3 << t.n) % 7)", 0),
    ("t.bet(FIELD, 5 + (3 ** t.rolls) % 7)", 0),
    ("t.n = (t.n * 1099511628211 + t.last) % 4294967296; t.bet(FIELD, 5 + t.n % 7)", 1),
]


@pytest.mark.parametrize(("body", "first"), BEYOND)
def test_what_64_bits_do_not_hold_is_played_by_the_reference(body: str, first: int) -> None:
    chosen = written(body, n=first)
    assert Kernel(chosen, HERE).run(3, 0, 5).error.all()
    same(KernelPlayer(chosen, HERE).play(3, 0, 5), ReferencePlayer(chosen, HERE).play(3, 0, 5))


WITHIN = [
    "t.n = (t.n * 1103515245 + 12345) % 2147483648; t.bet(FIELD, 5 + t.n % 7)",
    "t.n = t.n + (t.last > 5) - t.coming_out + (t.cash > 990) * 2; t.bet(FIELD, 5 + t.n % 7)",
    "t.bet(FIELD, 7 + (-1) ** t.rolls + 1 ** t.cash + 0 ** t.rolls + 2 ** (t.rolls % 3))",
    "t.bet(FIELD, 5 + int(0.5 * t.last + 1.5 - 0.25 * t.rolls) % 7)",
    "t.bet(FIELD, 5 + (1 << t.rolls % 5) + (0 << t.rolls) - (t.rolls - 100) % 3)",
    "x = 0; for n in range(t.rolls): x = x + n; t.bet(FIELD, 5 + x % 7)",
    "t.n += 2 ** 62 if t.n < 0 else -(2 ** 62); t.bet(FIELD, 5 + t.n % 7)",
]


@pytest.mark.parametrize("body", WITHIN)
def test_what_64_bits_hold_is_compiled(body: str) -> None:
    chosen = written(body, n=1)
    assert not Kernel(chosen, HERE).run(3, 0, 5).error.any()
    same(KernelPlayer(chosen, HERE).play(3, 0, 5), ReferencePlayer(chosen, HERE).play(3, 0, 5))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("if t.rolls > 3: x = 5; t.bet(FIELD, x)", ":3: x may have no value here"),
        ("for n in range(t.rolls): x = n; t.bet(FIELD, 5 + x)", ":3: x may have no value here"),
        ("t.bet(FIELD, 5 if t.cash < 10 ** 19 else 6)", ":2: too large a number"),
    ],
)
def test_what_would_hold_anything_is_not_compiled(body: str, reason: str) -> None:
    with pytest.raises(NotCompiled) as told:
        Kernel(written(body), HERE)
    assert str(told.value).endswith(reason)
