"""Figures by wager where there is no automaton: those of the reference, session for session."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest

from boxman.rules.book import houses
from boxman.sim import felt_samples
from boxman.sim.dice import stream
from boxman.sim.executors.generic import KernelPlayer
from boxman.sim.felt_samples import FeltSample
from boxman.sim.samples import Sample
from boxman.strategy.api import Strategy
from boxman.strategy.library import named
from boxman.strategy.reference import play
from boxman.strategy.session import Session, session
from tests.limits import FIVES
from tests.sim.kernel_cases import leaving, wild

SEED = 8


def counted(sample: Sample) -> tuple[Any, Any]:
    """Wagers and refusals."""
    refused = {(each.code, each.spot, each.cites): each.count for each in sample.refusals}
    return {each.spot: _rounded(each) for each in sample.wagers}, refused


def _rounded(each: Any) -> Any:
    """Values of what is still up, added up in whatever order."""
    return msgspec.structs.replace(each, beyond=round(each.beyond, 6))


def on_the_table(chosen: Strategy, where: Session, sessions: int) -> tuple[Any, Any]:
    """The same from the reference itself."""
    figures: dict[str, Counter[str]] = {}
    refused: Counter[Any] = Counter()
    kind: Any = None
    for number in range(sessions):
        played = play(chosen, where, stream(SEED, number))
        for spot, each in played.wagers.items():
            kind = type(each)
            more = msgspec.structs.asdict(each)
            del more["spot"]
            figures.setdefault(spot, Counter()).update(more)
        for told in played.refusals:
            refused[told.code, told.spot, told.cites] += told.count
    return {spot: _rounded(kind(spot=spot, **more)) for spot, more in figures.items()}, refused


@pytest.mark.parametrize("house", houses())
@pytest.mark.parametrize("end", ["run-out", "value"])
def test_the_same_as_on_the_table(house: str, end: str) -> None:
    """Anything anywhere: fees paid and handed back, wagers made again, bonus wagers, odds."""
    for chosen, count, shooter in ((wild, 4, "guest"), (leaving, 6, "self")):
        where = session(house, bankroll=1500, rolls=60, end=end, shooter=shooter, minimum=5)
        sample = FeltSample(chosen, where, SEED).of(count)
        assert sample.sessions == count
        assert counted(sample) == on_the_table(chosen, where, count)


def test_it_goes_on_where_it_was() -> None:
    where = session("nsw", **FIVES, bankroll=300, rolls=50)
    player = KernelPlayer(named("percent"), where)
    few, more = player.sample(SEED, 5), player.sample(SEED, 40)
    assert (few.sessions, more.sessions) == (5, 40)
    assert counted(more) == on_the_table(named("percent"), where, 40)
    assert player.sample(SEED, 5) == few
    assert player.sample(SEED + 1, 5) != few


def test_how_many_depends_on_nothing_but_the_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    where = session("nsw", **FIVES, bankroll=300, rolls=50)
    percent = named("percent")
    monkeypatch.setattr(felt_samples, "SESSIONS", 30)
    assert FeltSample(percent, where, SEED).of(4096).sessions == 30
    monkeypatch.setattr(felt_samples, "ROLLS", 1_049)
    assert FeltSample(percent, where, SEED).of(4096).sessions == 20
    monkeypatch.setattr(felt_samples, "FELTS", 5)
    few = FeltSample(percent, where, SEED).of(4096)
    assert 0 < few.sessions < 20
    one_by_one = FeltSample(percent, where, SEED)
    for sessions in range(1, 25):
        found = one_by_one.of(sessions)
    assert found == few
    long = session("nsw", **FIVES, bankroll=300, rolls=2_000)
    assert FeltSample(percent, long, SEED).of(10).sessions == 0
