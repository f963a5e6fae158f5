"""The repository tests itself: the import law, purity, sizes, names, documents."""

from __future__ import annotations

import ast
import csv
import re
from collections import Counter
from functools import cache
from pathlib import Path

from boxman.rules.book import FACT_KINDS, houses
from boxman.words.say import book
from tests.tools.faults import FAULTS
from tests.tools.shape import House

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "boxman"
FILES = sorted(SOURCE.rglob("*.py"))
PURE = ("chips", "dice", "words", "rules", "table", "odds")


def _law() -> dict[str, set[str]]:
    """The import law, as it is written in docs/architecture.md."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    block = text.split("**The import law.**")[1].split("```")[1]
    rows = (line.partition(":") for line in block.strip().splitlines())
    return {room: set(behind.split()) for room, _, behind in rows}


MAY_IMPORT = _law()


def room(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def imports(path: Path) -> set[str]:
    """All modules a file imports, wherever the import stands."""
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_the_import_law() -> None:
    offences = []
    rooms_there_are = {room(path) for path in FILES} - {"__init__", "__main__", "cli", "library"}
    assert set(MAY_IMPORT) == rooms_there_are
    for path in FILES:
        here = room(path)
        rooms = {name.split(".")[1] for name in imports(path) if name.startswith("boxman.")}
        for other in sorted(rooms - {here} - MAY_IMPORT.get(here, rooms)):
            offences.append(f"{path.relative_to(SOURCE)} imports {other}")
    assert offences == []


def test_the_kernels_never_import_the_table() -> None:
    """So that a differential test between them and the reference means something."""
    kernels = [path for path in FILES if "kernel" in path.relative_to(SOURCE).parts]
    assert kernels
    for path in kernels:
        rooms = {name.split(".")[1] for name in imports(path) if name.startswith("boxman.")}
        assert "table" not in rooms, path.name


def test_the_core_is_pure_and_depends_on_msgspec_alone() -> None:
    allowed = {"boxman", "msgspec", "__future__", "ast", "collections", "decimal", "difflib"}
    allowed |= {"fractions", "functools", "hashlib", "importlib", "itertools", "math", "operator"}
    allowed |= {"contextlib", "contextvars", "pathlib", "re", "string", "tomllib", "typing"}
    offences = [
        f"{path.relative_to(SOURCE)} imports {root}"
        for path in FILES
        if room(path) in PURE
        for root in sorted({name.split(".")[0] for name in imports(path)} - allowed)
    ]
    assert offences == []


def test_no_floats_where_money_is() -> None:
    offences = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in FILES
        if room(path) in ("chips", "rules", "table")
        for node in ast.walk(tree(path))
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float")
    ]
    assert offences == []


def test_files_are_of_a_size_to_read() -> None:
    for path in FILES:
        lines = path.read_text().splitlines()
        assert len(lines) <= 600, path
        assert lines == [] or lines[0].startswith('"""'), f"{path}: say what the module knows"


def test_folders_are_rooms_and_not_heaps() -> None:
    heaps = {
        str(folder.relative_to(SOURCE)): count
        for folder in {path.parent for path in FILES}
        if (count := len(list(folder.glob("*.py")))) > 20
    }
    assert heaps == {}


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
    # A bare number like 4.1 may be a version or an example: only whole strings count then.
    bare = {clause for clause in telling if re.fullmatch(r"[\d.]+", clause)}
    inside = re.compile("|".join(re.escape(clause) for clause in telling if clause not in bare))
    for path in FILES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value not in bare, f"{path.name}: {node.value}"
                assert not inside.search(node.value), f"{path.name}: {node.value}"


def test_no_shared_folder_is_read() -> None:
    for path in [*FILES, *(ROOT / "tests").rglob("*.py"), *(ROOT / "bench").rglob("*.py")]:
        assert "../" + "shared" not in path.read_text(), path.name


def test_every_kind_of_fact_is_documented() -> None:
    text = (ROOT / "docs" / "rulebook-format.md").read_text()
    for kind, fact in FACT_KINDS.items():
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
    codes = {key.split(".")[1] for key in book("en") if key.startswith(("refusals.", "warnings."))}
    assert len(codes) > 100
    assert [code for code in sorted(codes - {"as told"}) if f"`{code}`" not in text] == []


UNCALLED = {
    "generic_resolve",  # hooks of Numba
    "define_pipelines",
    "solve_in_fractions",  # the judge of the exact session, in tests
    "emit",  # a hook of logging
}
"""Functions that nothing in `src` names besides their own declaration."""


def test_nothing_is_left_that_nobody_uses() -> None:
    words: Counter[str] = Counter()
    for path in (path for path in SOURCE.rglob("*") if path.suffix in (".py", ".js", ".html")):
        words.update(re.findall(r"[A-Za-z_]\w*", path.read_text()))
    dead = []
    for path in FILES:
        for node in ast.walk(tree(path)):
            name = ""
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.decorator_list:
                name = node.name
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                name = node.target.id
            found_by_kind = name.startswith(("__", "_enter_"))
            if name and words[name] == 1 and not found_by_kind and name not in UNCALLED:
                dead.append(f"{path.relative_to(SOURCE)}: {name}")
    assert dead == []


def test_a_public_name_means_one_thing() -> None:
    """`python -m tests.tools.shape` lists the offenders with the rest of the measures."""
    assert House().two_meanings() == {}, "give one of them a name of its own"


def test_every_planted_fault_has_its_place() -> None:
    """One whose line was written otherwise since would change nothing, and prove nothing."""
    assert len(FAULTS) >= 20
    for fault in FAULTS:
        assert (SOURCE / fault.file).read_text().count(fault.right) == 1, fault.what
