"""The template is a whole rulebook: it passes the check, it plays, and a copy of it does too."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boxman.cli import app
from boxman.rules.book import houses, read_book
from boxman.rules.compile import load
from boxman.rules.facts import MONEY
from boxman.table.said.transcript import Transcript

TEMPLATE = Path(__file__).parents[1] / "src" / "boxman" / "rulebooks" / "template.md"

TRANSCRIPTS = sorted((Path(__file__).parent / "rulebooks").glob("*.craps"))


def play(path: Path, house: Path) -> None:
    """Play a transcript at a rulebook somewhere else; its figures are worked out by hand."""
    transcript = Transcript(words=True)
    text = path.read_text(encoding="utf-8")
    for line in text.replace("src/boxman/rulebooks/template.md", f'"{house}"').splitlines():
        result = transcript.play(line)
        assert result.difference is None, f"{line}\n{result.difference}"


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_it_plays(path: Path) -> None:
    play(path, TEMPLATE)


def test_there_are_transcripts() -> None:
    assert [path.stem for path in TRANSCRIPTS] == ["evening", "sign"]


def test_the_check_passes() -> None:
    result = CliRunner().invoke(app, ["book", "check", str(TEMPLATE)])
    assert result.exit_code == 0, result.output
    assert result.stdout == (
        f"{TEMPLATE}: in order. 24 clauses, 2 gaps, 1 terms, 89 facts, 27 spots.\n"
    )


def test_a_copy_elsewhere_is_checked_and_played(tmp_path: Path) -> None:
    folder = tmp_path / "my books"
    folder.mkdir()
    copy = Path(shutil.copy(TEMPLATE, folder / "mycasino.md"))
    result = CliRunner().invoke(app, ["book", "check", str(copy)])
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"{copy}: in order. ")
    for path in TRANSCRIPTS:
        play(path, copy)


def test_a_change_is_seen_at_once(tmp_path: Path) -> None:
    copy = tmp_path / "mycasino.md"
    text = TEMPLATE.read_text(encoding="utf-8")
    copy.write_text(text, encoding="utf-8")
    assert load(str(copy)).spots["eleven"].rows[0][9].win == 15
    copy.write_text(text.replace("15 to 1", "16 to 1"), encoding="utf-8")
    assert load(str(copy)).spots["eleven"].rows[0][9].win == 16


def test_it_is_not_a_house() -> None:
    assert "template" not in houses()
    assert "mycasino" not in houses()


def test_it_shows_every_part_of_the_format() -> None:
    book = read_book(str(TEMPLATE))
    assert (book.title, book.house.id) == ("House of Dice", "mycasino")
    assert {clause.sort for clause in book.clauses.values()} == {"clause", "gap", "term"}
    reasons = {clause.reason.partition(":")[0] for clause in book.clauses.values()}
    assert reasons >= {"physical", "open"}
    # Bonus wagers have a gate and may count; the template offers none.
    assert {stated.kind for stated in book.facts} == set(MONEY) - {"gate", "collect"} | {"may"}
    assert any(stated.fact.when for stated in book.facts)


def test_notes_are_no_part_of_a_clause() -> None:
    for clause in read_book(str(TEMPLATE)).clauses.values():
        assert clause.title
        assert clause.text
        assert ">" not in clause.text
