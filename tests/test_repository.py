"""The repository tests itself: the import law, purity, sizes, names, documents."""

from __future__ import annotations

import ast
import csv
import re
from pathlib import Path

import pytest

from boxman.rules.book import KINDS, houses

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "boxman"
FILES = sorted(SOURCE.rglob("*.py"))
PURE = ("chips", "dice", "rules", "table", "odds")

MAY_IMPORT: dict[str, set[str]] = {
    "chips": set(),
    "dice": set(),
    "rules": {"chips", "dice"},
    "table": {"chips", "dice", "rules"},
    "odds": {"chips", "dice", "rules"},
    "journal": {"chips", "dice", "rules", "table"},
    "strategy": {"chips", "dice", "rules", "table", "odds"},
    "gym": {"chips", "dice", "rules", "table", "strategy", "sim"},
    "sim": {"chips", "dice", "rules", "table", "odds", "strategy"},
    "pit": {"chips", "dice", "rules", "table", "odds", "journal", "strategy", "sim"},
}


def room(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """All modules a file imports, wherever the import stands."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_the_import_law(path: Path) -> None:
    here = room(path)
    if here not in MAY_IMPORT:
        return
    rooms = {
        name.split(".")[1]
        for name in imports(path)
        if name.startswith("boxman.") and name.split(".")[1] != here
    }
    assert rooms <= MAY_IMPORT[here]


def test_the_kernels_never_import_the_table() -> None:
    """So that a differential test between them and the reference means something."""
    kernels = [path for path in FILES if "kernel" in path.relative_to(SOURCE).parts]
    assert kernels
    for path in kernels:
        rooms = {name.split(".")[1] for name in imports(path) if name.startswith("boxman.")}
        assert "table" not in rooms, path.name


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_the_core_is_pure_and_depends_on_msgspec_alone(path: Path) -> None:
    if room(path) not in PURE:
        return
    roots = {name.split(".")[0] for name in imports(path)}
    allowed = {"boxman", "msgspec", "__future__", "ast", "collections", "decimal", "difflib"}
    allowed |= {"fractions", "functools", "hashlib", "importlib", "itertools", "math", "operator"}
    allowed |= {"pathlib", "re", "tomllib", "typing"}
    assert roots <= allowed


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_no_floats_where_money_is(path: Path) -> None:
    if room(path) not in ("chips", "rules", "table"):
        return
    for node in ast.walk(ast.parse(path.read_text())):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), node.lineno
        assert not (isinstance(node, ast.Name) and node.id == "float"), node.lineno


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_files_are_of_a_size_to_read(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert len(lines) <= 600
    assert lines == [] or lines[0].startswith('"""'), "a module opens by saying what it knows"


def test_no_house_is_named_in_code() -> None:
    for path in FILES:
        text = path.read_text()
        for house in houses():
            assert not re.search(rf"\b{re.escape(house)}\b", text), f"{path.name} names {house}"


def test_no_clause_is_named_in_code() -> None:
    ids = set()
    for path in (ROOT / "tests" / "catalogue").glob("*.csv"):
        with path.open(newline="") as rows:
            ids |= {row["clause"] for row in csv.DictReader(rows)}
    telling = [clause for clause in ids if re.search(r"\d[.(\[]|App\.", clause)]
    assert len(telling) > 1000
    for path in FILES:
        strings = [
            node.value
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        everything, whole = "\0".join(strings), set(strings)
        for clause in telling:
            # A bare number like 4.1 may be a version or an example: only whole strings count then.
            bare = re.fullmatch(r"[\d.]+", clause)
            assert clause not in (whole if bare else everything), f"{path.name}: {clause}"


def test_no_shared_folder_is_read() -> None:
    for path in [*FILES, *(ROOT / "tests").rglob("*.py"), *(ROOT / "bench").rglob("*.py")]:
        assert "../" + "shared" not in path.read_text(), path.name


def test_every_kind_of_fact_is_documented() -> None:
    text = (ROOT / "docs" / "rulebook-format.md").read_text()
    for kind, fact in KINDS.items():
        assert f"| `{kind}` |" in text, kind
        for key in fact.__struct_fields__:
            assert f"`{key}" in text or f"{key} =" in text or f" {key}" in text, f"{kind}.{key}"


def test_every_command_is_documented() -> None:
    from boxman.cli import app

    text = (ROOT / "README.md").read_text()
    for command in app.registered_commands:
        assert command.callback is not None
        assert f"boxman {command.callback.__name__}" in text


def test_every_refusal_code_is_documented() -> None:
    text = (ROOT / "docs" / "refusals.md").read_text()
    codes = set()
    for path in (SOURCE / "table").glob("*.py"):
        codes |= set(re.findall(r'(?:refuse|Refusal)\(\s*"([a-z-]+)"', path.read_text()))
    assert len(codes) > 20
    assert [code for code in sorted(codes) if f"`{code}`" not in text] == []
