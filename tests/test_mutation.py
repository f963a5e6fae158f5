"""Every fact matters: change one, and the compiler or the clause's own case says so."""

from __future__ import annotations

import random

import pytest

from boxman.rules.book import houses
from tests.mutation import mutants, survives

SAMPLE = 60


@pytest.mark.parametrize("house", houses())
def test_a_sample_of_mutants_is_caught(house: str) -> None:
    chosen = random.Random(house).sample(list(mutants(house)), SAMPLE)
    assert [mutant.name for mutant in chosen if survives(mutant)] == []


@pytest.mark.soak
@pytest.mark.parametrize("house", houses())
def test_every_mutant_is_caught(house: str) -> None:
    assert [mutant.name for mutant in mutants(house) if survives(mutant)] == []
