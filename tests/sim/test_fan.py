"""The fan of bankrolls: what it shows, and that long sessions do not make it endless."""

from __future__ import annotations

from typing import Any

import pytest

from boxman.sim import fan as fans
from boxman.sim.executors import choose
from boxman.sim.executors.automaton import ENGINES
from boxman.sim.executors.generic import KernelPlayer
from boxman.sim.executors.player import Pace
from boxman.sim.executors.reference import ReferencePlayer
from boxman.sim.fan import SHARES, fan
from boxman.strategy.library import find
from boxman.strategy.session import session

PACES = [*(pace for _, pace in ENGINES.values()), KernelPlayer.pace, ReferencePlayer.pace]


def test_a_fan_begins_at_the_bankroll_and_opens() -> None:
    player, _ = choose(find("pass"), session("rws", bankroll=300, rolls=100))
    lines = fan(player, 7)
    assert list(lines) == list(SHARES)
    ends = [line[-1] for line in lines.values()]
    assert all(line[0] == (0, 300) for line in lines.values())
    assert [rolls for rolls, _ in ends] == [100] * len(SHARES)
    worths = [worth for _, worth in ends]
    assert worths == sorted(worths)
    # The line moves by 10; after 100 rolls its deviation is about 54 and its mean 296.5.
    assert worths[2] == pytest.approx(296, abs=10)
    assert worths[4] - worths[0] == pytest.approx(2 * 1.645 * 54, rel=0.15)


@pytest.mark.parametrize("rolls", [1, 7, 200, 10_000, 1_000_000])
@pytest.mark.parametrize("pace", PACES)
def test_the_effort_is_bounded_however_long_a_session_is(pace: Pace, rolls: int) -> None:
    points, sessions = fans._cut_down(pace, rolls)
    assert fans.FEWEST_POINTS <= points <= pace.points
    assert fans.FEWEST_SESSIONS <= sessions <= pace.fan_sessions
    least = fans.FEWEST_POINTS * fans.FEWEST_SESSIONS * rolls
    assert points * sessions * rolls <= max(2 * pace.fan_rolls, least)
    assert points * rolls <= max(2 * pace.steps, fans.FEWEST_POINTS * rolls)


def test_the_reference_has_a_fan_too(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[int, int]] = []
    true = ReferencePlayer.play

    def noted(self: ReferencePlayer, seed: int, first: int, count: int) -> Any:
        played.append((self.session.rolls, count))
        return true(self, seed, first, count)

    monkeypatch.setattr(ReferencePlayer, "play", noted)
    lines = fan(ReferencePlayer(find("pass"), session("rws", rolls=16)), 7)
    assert played == [(rolls, 60) for rolls in range(2, 17, 2)]
    assert [rolls for rolls, _ in lines["median"]] == list(range(0, 17, 2))
