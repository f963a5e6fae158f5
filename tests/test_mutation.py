"""Every fact matters: change one, and the compiler or the clause's own case says so."""

from __future__ import annotations

import random

import pytest

from boxman.rules.book import houses
from tests.mutation import Mutant, excused, mutants, survives
from tests.tools.docs import DOCS

SAMPLE = 25


def unknown(chosen: list[Mutant]) -> list[str]:
    """Survivors that docs/survivors.md does not explain."""
    listed = (DOCS / "survivors.md").read_text()
    fresh = [mutant for mutant in chosen if f"`{mutant.name}`" not in listed]
    return [mutant.name for mutant in fresh if survives(mutant)]


@pytest.mark.parametrize("house", houses())
def test_a_sample_of_mutants_is_caught(house: str) -> None:
    caught = [mutant for mutant in mutants(house) if not excused(mutant)]
    chosen = random.Random(house).sample(caught, SAMPLE)
    assert unknown(chosen) == []


@pytest.mark.soak
@pytest.mark.parametrize("house", houses())
def test_every_mutant_is_caught(house: str) -> None:
    caught = [mutant for mutant in mutants(house) if not excused(mutant)]
    assert unknown(caught) == []
