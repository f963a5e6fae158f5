"""Documents that run: README, doctests, the glossary."""

from __future__ import annotations

import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boxman.cli import app
from boxman.table.said.transcript import Transcript

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
        play = Transcript(words=True)
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


def test_the_table_of_rooms_has_a_place_for_every_file_and_names_nothing_else() -> None:
    """A name without its folder stands in that of the name before it, or in the folder above."""
    text = (ROOT / "docs" / "architecture.md").read_text().partition("**The import law.**")[0]
    source = SOURCE / "boxman"
    placed: set[Path] = set()
    for row in re.findall(r"^\| (`.*?) \|", text, re.MULTILINE):
        folder = source
        for name in re.findall(r"`([\w./]+)`", row):
            there = [each / name for each in (source, folder, folder.parent)]
            path = next((each for each in there if each.exists()), None)
            assert path is not None, f"{name} in {row}"
            folder = path if path.is_dir() else path.parent
            placed |= set(path.rglob("*.py")) if path.is_dir() else {path}
    files = {path for path in source.rglob("*.py") if path.name != "__init__.py"}
    assert sorted(str(path.relative_to(source)) for path in files - placed) == []


def test_the_library_page_runs_and_names_every_public_name() -> None:
    import boxman

    page = ROOT / "docs" / "library.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried >= 30
    assert failed == 0
    words = set(re.findall(r"\w+", "".join(re.findall(r"`[^`\n]+`", page.read_text()))))
    assert set(boxman.__all__) <= words


def test_public_names_are_there_and_no_room_hides_them() -> None:
    import boxman

    rooms = {path.name.removesuffix(".py") for path in (SOURCE / "boxman").iterdir()}
    for name in boxman.__all__:
        assert getattr(boxman, name).__name__ == name
        assert name in dir(boxman)
    assert not rooms & set(boxman.__all__), "a room that is imported would take the name"
    with pytest.raises(AttributeError, match="has no attribute 'hose'"):
        boxman.hose  # noqa: B018


def test_importing_boxman_imports_nothing_else() -> None:
    code = "import sys, boxman; print([m for m in sys.modules if m.startswith('boxman.')])"
    code += "; boxman.house; print('numpy' in sys.modules, 'typer' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "False False"]


def test_the_first_page_of_help_tells_every_command_in_full() -> None:
    """On a terminal of 80 columns, in one line each."""
    done = CliRunner(env={"COLUMNS": "80"}).invoke(app, ["--help"]).stdout
    listed = done.partition("Commands:\n")[2].splitlines()
    assert len(listed) == len(app.registered_commands)
    short = "the first sentence of a command's docstring has 62 letters at most"
    assert [line for line in listed if line.endswith("...") or len(line) > 80] == [], short


def test_the_tests_named_for_each_defect_are_there() -> None:
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "docs" / "testing.md").read_text()))
    there = {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text(), re.MULTILINE)
    }
    assert len(named) > 40
    assert named - there == set()
