"""The document runs, and so does the command."""

from __future__ import annotations

import doctest
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from boxman.cli import app
from boxman.library import house

ROOT = Path(__file__).parents[2]
SMALL = ["rws", "--bankroll", "20", "--stakes", "5,10", "--limits", "5-100"]


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["solve", *words])
    assert result.exit_code == code, result.output
    return result.output


def test_the_document_runs() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / "solve.md"), module_relative=False)
    assert tried >= 6
    assert failed == 0


def test_an_answer_in_words() -> None:
    told = run(*SMALL, "--reach", "40")
    for words in ("is lost", "goal is met", "card", "costs", "certificate", "library"):
        assert words in told


def test_a_house_is_named_once() -> None:
    assert "two houses, rws and nsw" in run("rws", "--house", "nsw", "--reach", "40", code=2)


def test_an_answer_as_json() -> None:
    found: dict[str, Any] = json.loads(run(*SMALL, "--reach", "40", "--json"))
    assert 0.4 < found["value"] < 0.5
    assert found["loses"] == pytest.approx(1 - found["value"])
    assert found["certificate"]["gap"] < 1e-12
    assert found["curve"][-1][1] < 1
    assert {"rows", "example", "value", "cost"} <= set(found["card"])
    hour = json.loads(run(*SMALL, "--hourly", "--at-least", "5", "--json"))
    assert hour["value"] > 0
    assert hour["card"] is None


def test_an_answer_as_files(tmp_path: Path) -> None:
    page, policy = tmp_path / "best.html", tmp_path / "best.policy"
    run(*SMALL, "--reach", "40", "-o", str(page))
    text = page.read_text()
    assert "<script" not in text
    assert "Chance by bankroll" in text
    assert "Cash against situation" in text
    assert "goal is met" in run(*SMALL, "--reach", "40", "-o", str(policy))
    words = ["simulate", str(policy), "--house", "rws", "--bankroll", "20", "--exact", "--json"]
    words += ["--stop-win", "20", "--ever"]
    refused = CliRunner().invoke(app, words)
    assert refused.exit_code == 2
    assert "best: solved for limits 5-100, and this session has limits 5-1000" in refused.output
    result = CliRunner().invoke(app, [*words, "--limits", "5-100"])
    assert result.exit_code == 0, result.output
    won = json.loads(result.stdout)["ends"]["win"]
    answer = house("rws").solve(
        stakes="5,10", bankroll=2000, reach=4000, minimum=500, maximum=10_000
    )
    assert won == pytest.approx(answer.value, abs=1e-12)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--reach", "10"], "reached that already"),
        ([], "say what you want"),
        (["--last", "10"], "--at-least"),
        (["--reach", "40", "--menu", "paas"], "did you mean pass"),
        (["--reach", "40", "--stakes", "x"], "stakes are written"),
        (["--reach", "40", "--stakes", "field=5"], "not on the menu"),
        (["--reach", "40", "--rolls", "99999"], "limit of rolls"),
        (["--reach", "40", "-o", "best.txt"], "best.txt"),
        (["--ahead", "4", "--rolls", "5"], "--ahead does not take it"),
        (["--reach", "40", "--at-least", "5"], "--reach does not take it"),
        (["--reach", "40", "--stakes", "3"], "takes none of these stakes"),
        (["--reach", "40", "--budget", "0"], "1 or more, not 0"),
    ],
)
def test_what_is_wrong_is_said(words: list[str], message: str) -> None:
    base = SMALL[:3] if any("stakes" in word for word in words) else SMALL
    told = run(*base, *words, code=2)
    assert message in told
    assert "Traceback" not in told
