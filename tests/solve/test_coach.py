"""The coach looks up what the answer says, whatever is up or staged."""

from __future__ import annotations

from pathlib import Path

import pytest

from boxman.solve import solve
from boxman.solve.coach import TableCoach, coach_book


def test_the_coach_says_what_acts_are_worth(tmp_path: Path) -> None:
    answer = solve("rws", "pass,odds", "5..60:5", bankroll=60, reach=120)
    coach_book(answer).write(tmp_path / "book")
    coach = TableCoach(tmp_path / "book")
    worth = dict(answer.choices(60_00))
    # 20 on the line of 60: placed, then staged only.
    for told in (
        coach.advice(0, {"pass": 20_00}, 40_00),
        coach.advice(0, {"pass": 20_00}, 60_00, staged=20_00),
    ):
        assert told is not None
        first = answer.first.replace("pass", "Pass Line")
        assert (told.best, told.yours) == (first, "20 Pass Line")
        assert told.chance == pytest.approx(answer.value, abs=1e-12)
        assert told.your_chance == pytest.approx(worth["20 pass"], abs=1e-12)
    # On a point of 6 the line is stuck; without the odds it is worth less than with the best.
    position = coach.index[6, (("pass", 20_00),)]
    acts = dict(answer.choices(40_00, position))
    told = coach.advice(6, {"pass": 20_00, "pass.odds": 40_00}, 0)
    assert told is not None
    assert told.your_chance == pytest.approx(acts["40 pass.odds"], abs=1e-12)
    assert told.chance == pytest.approx(max(acts.values()), abs=1e-12)
    # What it was not solved for it does not price; where it knows nothing it says nothing.
    told = coach.advice(0, {"field": 5_00}, 55_00)
    assert told is not None
    assert told.your_chance is None
    assert coach.advice(4, {"pass": 7_00}, 50_00, held=["pass"]) is None
