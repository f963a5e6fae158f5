"""A strategy as a baseline: an episode comes out as the session on the same dice."""

from __future__ import annotations

import gymnasium
import pytest

import boxman.gym  # noqa: F401
from boxman.gym.baseline import Baseline
from boxman.solve import solve
from boxman.strategy.library import find
from boxman.strategy.reference import play
from boxman.strategy.session import session

STAKES = (5, 10, 15, 20)


def test_a_policy_plays_as_on_the_table() -> None:
    answer = solve("rws", "pass,odds", "5,10 odds=10,20", bankroll=20, reach=40)
    best = answer.policy().strategy()
    env = gymnasium.make("boxman/Craps-v0", house="rws", units=STAKES, bankroll=20, rolls=60)
    agent = Baseline(best)
    for seed in range(6):
        env.reset(seed=seed)
        agent.reset()
        total, over, dice = 0.0, False, []
        while not over:
            action = agent(env)
            _, reward, broke, limit, info = env.step(action)
            total += float(reward)
            assert info["refused"] == ""
            table = env.unwrapped
            if action == 0:
                dice.append(table._dice[table._next - 1])  # type: ignore[attr-defined]
            over = broke or limit
        played = play(
            best, session("rws", bankroll=20, rolls=60), iter([*map(int, dice), *[0] * 60])
        )
        assert played.net / 100 == total


def test_a_policy_of_another_table_is_refused() -> None:
    best = solve("rws", "pass", "5", bankroll=20, reach=40).policy().strategy()
    env = gymnasium.make("boxman/Craps-v0", house="nsw", units=STAKES, bankroll=20)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="solved for house rws"):
        Baseline(best)(env)


def test_amounts_the_environment_lacks_are_told() -> None:
    env = gymnasium.make("boxman/Craps-v0", house="rws", units=(25,), bankroll=300)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="no action that bets 10 on pass"):
        Baseline(find("pass(unit=10)"))(env)
