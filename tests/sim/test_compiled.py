"""The cache of compiled kernels: keyed by everything they are made from."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

from boxman.sim.compiled import PACKAGE, SOURCES, source_files

NAME = "from boxman.sim.compiled import cache_folder as f; print(f().name)"
ENGINE = ("compiled", "need_numba", "jit")
"""What a module with compiled functions imports."""


def folder_of(source: Path) -> str:
    """The name of the cache that a copy of the package uses."""
    run = subprocess.run(
        [sys.executable, "-c", NAME],
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        check=True,
        text=True,
    )
    return run.stdout.strip()


def test_an_added_family_is_another_cache(tmp_path: Path) -> None:
    shutil.copytree(
        PACKAGE, tmp_path / "boxman", ignore=shutil.ignore_patterns("static", "__pycache__")
    )
    before = folder_of(tmp_path)
    assert before == folder_of(PACKAGE.parent)
    names = {before}
    for name in ("strategy/spots.py", "rules/families.py", "dice.py", "sim/kernel/words.py"):
        path = tmp_path / "boxman" / name
        path.write_text(path.read_text() + "\n# one line more\n")
        names.add(folder_of(tmp_path))
    assert len(names) == 5


def test_compiled_code_is_made_from_nothing_else() -> None:
    found = 0
    for path in sorted((PACKAGE / "sim").rglob("*.py")):
        modules, names = set(), set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                modules.add(node.module)
                names |= {alias.name for alias in node.names}
        if path.parent.name != "kernel" and not names & set(ENGINE):
            continue
        found += 1
        rooms = {module.split(".")[1] for module in modules if module.startswith("boxman.")}
        # Sentences say why something is not compiled; no code is made from them.
        known = {name.removesuffix(".py") for name in SOURCES} | {"words"}
        assert rooms <= known, f"{path.name} imports {rooms - known}, which the cache ignores"
    assert found > 15
    assert {path.name for path in source_files()} >= {"spots.py", "words.py", "dice.py"}
