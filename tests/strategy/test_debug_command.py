"""`boxman debug`: a session told line by line, for people and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from boxman.cli import app

STRATEGY = """
from boxman.strategy.api import strategy
from boxman.strategy.spots import FIELD, PASS, PASS_ODDS

@strategy(level=0)
def mine(t):
    t.level = t.level + 1
    t.bet(PASS, 10)
    t.bet(PASS_ODDS, 7)
    if t.level == 3:
        t.bet(FIELD, 10 // (t.level - 3))
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    path = tmp_path / "mine.py"
    path.write_text(STRATEGY)
    return str(path)


def debug(*words: str) -> Result:
    return CliRunner().invoke(app, ["debug", *words])


def test_it_tells_which_line_bet_what_and_why_not(mine: str) -> None:
    done = debug(mine, "--house", "rws", "--rolls", "2", "--seed", "3")
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert lines[0] == f"  {mine}:8  t.bet(PASS, 10)"
    assert lines[1].startswith("    ann bets 10 pass : ok {")
    assert lines[2] == f"  {mine}:9  t.bet(PASS_ODDS, 7)"
    assert lines[3].startswith("    ann bets 7 pass.odds : refused no-point {")
    assert lines[4] == "    wait for a point"
    assert lines[5] == "  puck off; rail 490; pass 10; level 1"
    assert lines[6].startswith("roll 1: ")
    assert lines[-1].startswith("over (rolls) after 2 rolls and ")


def test_the_dice_are_those_of_the_seed_and_the_session(mine: str) -> None:
    from boxman.dice import ROLLS
    from boxman.sim.dice import rolls

    done = debug(
        *("pass", "--rolls", "5", "--seed", "9", "--session", "4711", "--json"),
        *("--limits", "5-1000"),
    )
    steps = [json.loads(line) for line in done.output.splitlines()]
    thrown = [step["dice"] for step in steps if step["step"] == "thrown"]
    assert thrown == [str(ROLLS[n]) for n in rolls(9, 4711, 0, 5)]
    assert steps[0]["step"] == "proposed"
    assert steps[1]["standing"] == {"puck": 0, "rail": 49000, "wagers": {"pass": 1000}, "off": []}
    assert steps[-1]["step"] == "over"


def test_a_session_is_stopped_as_simulate_stops_it() -> None:
    stops = ("--stop-loss", "50", "--stop-win", "50")
    ends = set()
    for number in range(6):
        done = debug("pass", "--with", "unit=25", *stops, "--session", str(number), "--json")
        steps = [json.loads(line) for line in done.output.splitlines()]
        assert steps[0]["call"] == "ann bets 25 pass"
        # The line pays even money: the net moves by 25 and is caught at 50 either way.
        ends.add((steps[-1]["end"], steps[-1]["net"]))
    assert ends == {("loss", -5000), ("win", 5000)}


def test_an_exception_shows_its_traceback_line_and_roll(mine: str) -> None:
    done = debug(mine, "--house", "rws", "--rolls", "5")
    assert done.exit_code == 2
    assert "roll 2: " in done.output
    assert "    t.bet(FIELD, 10 // (t.level - 3))" in done.output
    last = done.output.strip().splitlines()[-1]
    assert last.startswith(f"{mine}:11: mine, after roll 2: ZeroDivisionError: ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("moly",), "did you mean molly?"),
        (("pass", "--with", "unit=x"), "--with takes a name and a whole number, not unit=x"),
        (("pass", "--limits", "5"), "limits are written minimum-maximum"),
        (("pass", "--bankroll", "x"), "not an amount: x"),
        (("pass", "--shooter", "me"), "the shooter is guest or self, not me"),
        (("pass", "--house", "nowhere"), "there is no house of that name"),
        (("pass", "--bankroll", "7", "--chip", "5"), "cannot be bought in chips of 5"),
        (("pass", "--seed", "-4"), "a seed is a whole number from 0"),
        (("pass", "--session", "-1"), "a session is a whole number from 0"),
        (("pass", "--session", str(2**63)), "a session is a whole number from 0"),
    ],
)
def test_what_is_wrong_is_said_in_one_message(words: tuple[str, ...], message: str) -> None:
    done = debug(*words)
    assert done.exit_code == 2
    assert message in done.output
    assert "Traceback" not in done.output
    assert "puck" not in done.output, "before anything is shown"
