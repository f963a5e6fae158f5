"""What an author is told of a rulebook of his own."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from boxman.cli import app
from boxman.rules.book import houses
from boxman.workshop.check import check

ROOT = Path(__file__).parents[1]
TEMPLATE = (ROOT / "src" / "boxman" / "rulebooks" / "template.md").read_text()
TOTALS = "win = [2, 3, 4, 9, 10, 11, 12]"


def written(tmp_path: Path, *swaps: tuple[str, str]) -> str:
    text = TEMPLATE
    for old, new in swaps:
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / "mine.md"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("house", houses())
def test_every_choice_of_a_house_in_the_box_is_in_order(house: str) -> None:
    found = check(house)
    assert found.errors == ()
    assert not [remark for remark in found.remarks if "favours" in remark or "one name" in remark]


def test_all_wrong_facts_in_one_run(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        ('pays = "7 to 6"', 'pays = "7:6"'),
        ('times = "odds"', 'times = "odd"'),
        ('way = "down"', 'way = "sideways"'),
    )
    found = [error.problem for error in check(path).errors]
    assert len(found) == 3
    result = CliRunner().invoke(app, ["book", "check", path])
    assert result.exit_code == 2
    assert result.stderr.count("to do:") == 3


def test_all_clauses_that_cannot_be_read_in_one_run(tmp_path: Path) -> None:
    path = written(tmp_path, ("[[puck]]", "[[pukc]]"), ('way = "down"', "way = down"))
    first, second = check(path).errors
    assert first.problem == "there is no kind of fact called pukc"
    assert second.problem.startswith("the block is not TOML")


def test_every_choice_of_a_setting_is_compiled(tmp_path: Path) -> None:
    path = written(tmp_path, ('\npays = "3 to 1"\nwhen = {field_12 = ["triple"]}', "\nWRONG"))
    text = Path(path).read_text()
    start = text.index("[[price]]", text.index('["double"]}'))
    Path(path).write_text(text[:start] + text[text.index("WRONG") + 5 :])
    [error] = check(path).errors
    assert error.problem == "nothing says what field pays on 12 (with field_12 = triple)"


def test_what_looks_like_a_mistake(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        ('pays = "15 to 1"', 'pays = "18 to 1"'),
        ('name = "Hard {n}"\naliases = ["Hardway {n}"]', 'name = "Hard"'),
        ('[[may]]\ncall = "no roll"\nwho = ["stick"]\n\n', ""),
        ('place = "one roll"      # where it lies on the cloth\n', ""),
    )
    found = check(path)
    assert found.errors == ()
    assert [remark.partition(":")[0] for remark in found.remarks] == [
        "no clause says who may no roll",
        "hard.4, hard.6, hard.8, hard.10 have one name, Hard",
        "these lie under “More wagers” on the cloth; give their family a place",
        "eleven favours the player (-5.556%)",
    ]


def test_a_house_is_begun_checked_and_its_cases_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["book", "new", "river"]).exit_code == 0
    for name in ("river", "nsw", "My Casino"):  # there already, in the box, no id
        assert CliRunner().invoke(app, ["book", "new", name]).exit_code == 2
    checked = CliRunner().invoke(app, ["book", "check", "river.md"])
    assert checked.stdout.count("\n") == 1
    cases = tmp_path / "cases"
    cases.mkdir()
    (tmp_path / "cases" / "river.md").write_text((tmp_path / "river.md").read_text())
    (cases / "one.craps").write_text(
        "house river.md chip 1 limits 5-500\nann buys in 100\nann bets 5 field\n"
        "stick calls 1-1 : ann field +10 {3.9}\n"
    )
    ran = CliRunner().invoke(app, ["replay", "--all", "cases"])
    assert (ran.exit_code, ran.stdout) == (0, "1 transcript, all as written\n")
    (cases / "two.craps").write_text(
        "house river.md chip 1 limits 5-500\nann buys in 100\nann bets 5 field\n"
        "stick calls 1-1 : ann field +5\n"
    )
    (cases / "three.craps").write_text("house nowhere.md\n")
    ran = CliRunner().invoke(app, ["replay", "--all", "cases"])
    assert ran.exit_code == 1
    assert "three.craps:1: " in ran.stderr
    assert "two.craps:4: " in ran.stderr
    assert ran.stderr.endswith("2 of 3 transcripts not as written\n")
