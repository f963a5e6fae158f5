"""A whole pit under one seed: nothing lost, nothing doubled, everybody sees the same."""

from __future__ import annotations

import os
import random
import traceback
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from boxman.rules.book import houses
from tests.pit.storm import storm
from tests.tools.reliability import record

HOUSES = houses()


@pytest.mark.parametrize(("house", "seed"), [(h, 100 + n) for n, h in enumerate(HOUSES)])
def test_a_pit_in_a_storm(house: str, seed: int) -> None:
    told = storm(seed, house, commands=1_200, faults=20)
    assert told["commands"] >= 1_200
    assert told["faults"] >= 20
    assert told["rolls"] > 0


def test_the_same_seed_is_the_same_storm() -> None:
    first = storm(7, HOUSES[0], commands=300, faults=10)
    assert storm(7, HOUSES[0], commands=300, faults=10) == first


STORM, FAULTS = 20_000, 25


def _one(seed: int) -> tuple[dict[str, int], str]:
    """A long storm; with a failing seed, what went wrong."""
    try:
        told = storm(seed, HOUSES[seed % len(HOUSES)], STORM, FAULTS)
    except BaseException:
        return {}, f"seed {seed}: {traceback.format_exc()}"
    return {key: told[key] for key in ("commands", "faults", "rows", "rolls")}, ""


@pytest.mark.soak
def test_a_million_commands_in_a_storm() -> None:
    seed = int(os.environ.get("BOXMAN_SEED", "0")) or random.SystemRandom().randrange(10**6)
    seeds = range(seed, seed + 1_000_000 // STORM)
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as processes:
        found = list(processes.map(_one, seeds))
    assert [problem for _, problem in found if problem] == []
    commands, faults, rows, rolls = (
        sum(told[key] for told, _ in found) for key in ("commands", "faults", "rows", "rolls")
    )
    assert commands >= 1_000_000
    assert faults >= 1_000
    record(
        "A pit in a storm",
        [
            f"{commands:,} commands of 20 players and a full crew, {rows:,} rows, {rolls:,} rolls",
            f"{faults:,} faults: lines cut, processes dead before and after storing, full disks, "
            "slow readers; commands said twice, at once and long after",
            f"seeds {seeds[0]} to {seeds[-1]}; every acknowledged command stored once, every view "
            "the same, every row ruled the same again, money conserved at every row",
        ],
    )
