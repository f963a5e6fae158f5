"""Documents that run: README, doctests, the glossary."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

from boxman.table.transcript import Transcript

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
MODULES = [
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((SOURCE / "boxman").rglob("*.py"))
    if path.name != "__main__.py"
]


def test_the_readme_examples_run() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried >= 5
    assert failed == 0


@pytest.mark.parametrize("page", ["README.md", "docs/notation.md"])
def test_transcripts_in_documents_run(page: str) -> None:
    found = re.findall(r"```\n(house .*?)```", (ROOT / page).read_text(), re.S)
    assert found
    for text in found:
        play = Transcript()
        results = [play.play(line) for line in text.splitlines()]
        assert [r.difference for r in results if r.difference] == []


def test_the_doctests_pass() -> None:
    tried = 0
    for name in MODULES:
        result = doctest.testmod(importlib.import_module(name))
        assert result.failed == 0, name
        tried += result.attempted
    assert tried > 10


def test_the_glossary_names_what_exists() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text()
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| ")][1:]
    for _, _, names, files, _ in rows:
        source = ""
        for file in re.findall(r"`([^`]+)`", files):
            path = SOURCE / "boxman" / file
            assert path.exists(), file
            source += path.read_text()
        for name in re.findall(r"`([A-Za-z_.]+)`", names):
            last = name.split(".")[-1]
            assert re.search(rf"\b{last}\b", source), f"{name} is not in {files}"
