"""The Gymnasium environment: its checker, its rules, and the vector over arrays."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import boxman.gym
from boxman.chips import MINOR
from boxman.gym.env import NO_MORE_ACTS, CrapsEnv
from boxman.gym.vector import CrapsVectorEnv
from boxman.rules.book import houses
from boxman.strategy.session import SEAT
from boxman.table.ruling import rule


def craps(house: str, **options: Any) -> CrapsEnv:
    made = gymnasium.make(boxman.gym.NAME, house=house, **options).unwrapped
    assert isinstance(made, CrapsEnv)
    return made


def number(env: CrapsEnv | CrapsVectorEnv, verb: str, spot: str = "") -> int:
    return next(n for n, a in enumerate(env.actions) if (a.verb, a.spot) == (verb, spot))


@pytest.mark.parametrize("house", houses())
def test_the_checker_of_gymnasium_is_content(house: str) -> None:
    check_env(craps(house, render_mode="ansi"))


def test_it_can_be_made_without_importing_anything_first() -> None:
    """Gymnasium imports the module before the colon; it has had no plugins since 1.0."""
    script = (
        "import gymnasium, sys\n"
        "env = gymnasium.make('boxman.gym:boxman/Craps-v0', house='nsw')\n"
        "print(env.reset(seed=7)[1]['action_mask'].sum() > 0, env.spec.id)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == f"True {boxman.gym.NAME}\n", done.stderr


def test_it_is_registered_with_both_entries() -> None:
    spec = gymnasium.spec(boxman.gym.NAME)
    assert spec.entry_point == "boxman.gym.env:CrapsEnv"
    assert spec.vector_entry_point == "boxman.gym.vector:CrapsVectorEnv"


@pytest.mark.parametrize("house", houses())
def test_the_mask_is_what_the_table_allows(house: str) -> None:
    env = craps(house, bankroll=60, units=(5, 20), calls=True, acts=5, rolls=1000)
    source = np.random.default_rng(3)
    _, info = env.reset(seed=11)
    for _ in range(60):
        mask = info["action_mask"]
        assert mask[0] == 1
        for action in range(1, len(env.actions)):
            ruling = rule(env.layout, env.table, env._call(env.actions[action]))
            allowed = ruling.refusal is None and env.left > 0
            assert mask[action] == allowed, env.actions[action]
        _, _, over, _, info = env.step(np.int64(source.choice(np.flatnonzero(mask))))
        if over:
            _, info = env.reset()


def test_bets_rolls_and_rewards() -> None:
    env = craps("rws", spots=["pass", "pass.odds", "place.6"], bankroll=100)
    assert [(a.verb, a.spot) for a in env.actions] == [
        ("roll", ""),
        ("bet", "pass"),
        ("bet", "pass.odds"),
        ("take down", "pass.odds"),
        ("bet", "place.6"),
        ("take down", "place.6"),
    ]
    observation, info = env.reset(seed=1)
    assert list(info["action_mask"]) == [1, 1, 0, 0, 1, 0]
    observation, reward, over, late, info = env.step(np.int64(1))
    assert observation["rail"][0] == 90 * MINOR
    assert observation["stakes"][env.shape.spots.index("pass")] == 10 * MINOR
    assert (reward, over, late, info["refused"]) == (0.0, False, False, "")
    assert info["clauses"]
    # 10 is wished for on the six; where 7 to 6 is paid exactly that makes 12.
    observation, *_ = env.step(np.int64(4))
    assert observation["rail"][0] == 78 * MINOR
    # Odds before there is a point: refused, with the clauses, and nothing changed.
    before = env.table
    _, reward, _, _, info = env.step(np.int64(2))
    assert env.table is before
    assert (reward, info["refused"]) == (0.0, "no-point")
    assert info["clauses"]
    worth = env._worth()
    _, reward, _, _, info = env.step(np.int64(0))
    assert reward == (env._worth() - worth) / MINOR
    assert info["clauses"]
    assert env.left == env.shape.acts


def test_so_many_acts_then_the_dice() -> None:
    env = craps("rws", spots=["field"], acts=2)
    env.reset(seed=1)
    for _ in range(2):
        *_, info = env.step(np.int64(1))
    assert list(info["action_mask"]) == [1, 0, 0]
    *_, info = env.step(np.int64(1))
    assert info["refused"] == NO_MORE_ACTS
    assert env.table.seats[SEAT].wagers["field"].stake == 20 * MINOR


def test_an_episode_ends_broke_or_at_its_rolls() -> None:
    env = craps("rws", spots=["any_seven"], bankroll=10, rolls=500)
    env.reset(seed=2)
    over = late = False
    steps = 0
    while not over and not late and steps < 2000:
        mask = env.action_mask()
        _, _, over, late, _ = env.step(np.int64(1 if mask[1] and not steps % 2 else 0))
        steps += 1
    assert over
    assert not late
    assert env.table.seats[SEAT].rail < env.shape.least
    env = craps("rws", rolls=3)
    env.reset(seed=2)
    assert [env.step(np.int64(0))[2:4] for _ in range(3)] == [(False, False)] * 2 + [(False, True)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "name a house"),
        ({"house": "rws", "spots": ["pas"]}, r"has no pas; did you mean pass\?"),
        ({"house": "rws", "units": ()}, "units are whole amounts of the currency"),
        ({"house": "rws", "acts": 0}, "at least 1 act before a roll"),
        ({"house": "rws", "shooter": "self"}, "an environment has no option shooter; choose one"),
        ({"house": "rws", "stop_win": 50}, "an environment has no option stop_win"),
        ({"house": "rws", "bankrol": 50}, r"did you mean bankroll\?"),
    ],
)
def test_what_cannot_be_made_is_explained(options: dict[str, Any], message: str) -> None:
    for made in (CrapsEnv, partial(CrapsVectorEnv, 2)):
        with pytest.raises(ValueError, match=message):
            made(**options)


def test_no_such_action() -> None:
    env = craps("rws", spots=["field"])
    env.reset(seed=1)
    with pytest.raises(ValueError, match="there is no action 99; actions are numbered 0 to 2"):
        env.step(np.int64(99))


def test_it_can_be_rendered() -> None:
    env = craps("rws", spots=["pass"], render_mode="ansi")
    env.reset(seed=1)
    env.step(np.int64(1))
    assert env.render() == "roll 0, last none, puck off, rail 490, up: pass 10"


# -- the vector --------------------------------------------------------------------------------


@pytest.mark.parametrize("house", houses())
def test_every_table_of_the_vector_runs_as_it_would_alone(house: str) -> None:
    options = {"calls": True, "rolls": 12, "bankroll": 120, "acts": 5, "units": (10, 35)}
    count = 3
    alone = [craps(house, **options) for _ in range(count)]
    # So few felts are remembered that forgetting is part of the test.
    tables = gymnasium.make_vec(boxman.gym.NAME, num_envs=count, house=house, felts=60, **options)
    assert isinstance(tables, CrapsVectorEnv)
    seen, infos = tables.reset(seed=7)
    each = [env.reset(seed=7 + n) for n, env in enumerate(alone)]
    source = np.random.default_rng(1)
    done = [False] * count
    refusals = ends = 0
    for _ in range(100):
        masks = infos["action_mask"]
        assert seen in tables.observation_space
        for n in range(count):
            assert np.array_equal(masks[n], each[n][1]["action_mask"])
            for key, value in each[n][0].items():
                assert np.array_equal(seen[key][n], value), key
        chosen = np.array([_choose(source, mask) for mask in masks])
        seen, rewards, over, late, infos = tables.step(chosen)
        for n, env in enumerate(alone):
            if done[n]:
                each[n] = env.reset()
                assert (rewards[n], over[n], late[n]) == (0, False, False)
                done[n] = False
                ends += 1
                continue
            observation, reward, broke, at_end, info = env.step(chosen[n])
            each[n] = observation, info
            assert (rewards[n], over[n], late[n]) == (reward, broke, at_end)
            assert infos["refused"][n] == info["refused"]
            if info["refused"]:
                refusals += 1
                assert infos["clauses"][n] == info["clauses"]
            done[n] = broke or at_end
    assert refusals > 5
    assert ends >= 1


def _choose(source: np.random.Generator, mask: Any) -> int:
    """Mostly something allowed, often the roll, now and then anything."""
    luck = source.random()
    if luck < 0.4:
        return 0
    return int(source.choice(np.flatnonzero(mask)) if luck < 0.9 else source.integers(len(mask)))


def test_seeds_of_a_vector() -> None:
    tables = CrapsVectorEnv(2, "rws", spots=["pass"])
    tables.reset(seed=[5, 5])
    for _ in range(30):
        seen, *_ = tables.step(np.array([0, 0]))
        assert seen["last"][0] == seen["last"][1]
    with pytest.raises(ValueError, match="3 seeds were given for 2 tables"):
        tables.reset(seed=[1, 2, 3])
    for wrong in ([0, 2], [0, -1], [0], [0.0, 0.5]):
        with pytest.raises(ValueError, match="give one action for each table, from 0 to 1"):
            tables.step(np.array(wrong))
    # A number of NumPy is a number.
    seeds: tuple[Any, ...] = (7, np.int64(7), [7, 8])
    seen = [
        [tables.reset(seed=seed) and tables.step(np.array([0, 0]))[0]["last"].tolist()]
        for seed in seeds
    ]
    assert seen[0] == seen[1] == seen[2]


def test_a_vector_has_tables_and_a_beginning() -> None:
    with pytest.raises(ValueError, match="at least 1 table is needed, not 0"):
        CrapsVectorEnv(0, "rws")
    with pytest.raises(ResetNeeded, match="reset the tables"):
        CrapsVectorEnv(2, "rws", spots=["pass"]).step(np.array([0, 0]))


def test_the_line_costs_what_it_costs() -> None:
    # 3,000 come-outs of 10 over 200 tables: 7/495 of the line, within four standard errors.
    tables = CrapsVectorEnv(200, "rws", spots=["pass"], rolls=10**6, bankroll=10**6)
    _, infos = tables.reset(seed=3)
    bet, total, bets = number(tables, "bet", "pass"), 0.0, 0
    stakes = tables.shape.spots.index("pass")
    for _ in range(300):
        mask = infos["action_mask"]
        seen_puck = tables.known.puck[tables.row]
        none = tables.known.stakes[tables.row, stakes] == 0
        action = np.where((mask[:, bet] == 1) & none & (seen_puck == 0), bet, 0)
        bets += int((action == bet).sum())
        _, rewards, _, _, infos = tables.step(action)
        total += float(rewards.sum())
    error = 10 / bets**0.5
    assert bets > 3000
    assert abs(total / bets + 10 * 7 / 495) < 4 * error
