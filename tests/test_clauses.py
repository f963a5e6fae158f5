"""Every clause case of every house passes."""

from __future__ import annotations

import pytest

from boxman.rules.book import houses
from tests.cases import Case, cases, run

ALL = [case for house in houses() for case in cases(house)]


@pytest.mark.parametrize("case", ALL, ids=lambda case: f"{case.house} {case.name}")
def test_case(case: Case) -> None:
    assert run(case) == ""
