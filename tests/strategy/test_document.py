"""docs/strategies.md: its examples run, and it leaves nothing out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from boxman.rules.book import houses
from boxman.strategy.library import ENTRIES, PAGES, named
from boxman.strategy.reference import play
from boxman.strategy.session import session
from boxman.strategy.text import format_text, read
from boxman.strategy.view import Turn
from tests.limits import FIVES
from tests.strategy.test_text import rolls

PAGE = Path(__file__).parents[2] / "docs" / "strategies.md"


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE.read_text(), re.S)


def test_every_text_in_the_document_runs_and_is_in_its_usual_form() -> None:
    found = blocks("strategy")
    assert len(found) >= 5
    for text in found:
        assert format_text(text) == text
        made = read(text, "example")
        result = play(made, session(houses()[0], **FIVES, bankroll=5000, rolls=100), rolls(3))
        assert result.staked > 0
        assert not result.refusals, text


def test_every_python_example_in_the_document_runs() -> None:
    found = blocks("python")
    assert len(found) >= 3
    space: dict[str, Any] = {}
    for text in found:
        exec(compile(text, str(PAGE), "exec"), space)


def test_the_document_names_every_word_of_the_turn() -> None:
    text = PAGE.read_text()
    for word in dir(Turn):
        if not word.startswith("_"):
            assert f"`t.{word}" in text, word


def test_the_table_of_the_library_is_that_of_the_code() -> None:
    from tests.tools.strategies import BEGIN, END, library_table

    text = PAGE.read_text()
    written = text[text.index(BEGIN) + len(BEGIN) : text.index(END)]
    assert written == library_table()
    assert all(f"`{entry.call}`" in written for entry in ENTRIES.values())
    assert written.count("**") == 2 * len(PAGES)
    assert named("molly").name in written
