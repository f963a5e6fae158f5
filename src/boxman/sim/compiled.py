"""Engine kernels compiled by Numba, where Numba is installed.

Only the engine's own functions come here. They are cached on disk in a folder named for Numba's
version and for the source of everything they are made from, since Numba itself looks at one file
only and would run stale code when another one changes: the numbers of spots, which are written into
the machine code, come from the families of `rules` by way of `strategy`. A user's strategy is never
cached.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from boxman.words import phrase

PACKAGE = Path(__file__).parents[1]
SOURCES = ("chips.py", "dice.py", "rules", "strategy", "sim", "solve")
"""Files and rooms whose numbers can be in compiled code: all that its modules may import."""


@cache
def have_numba() -> bool:
    """Whether Numba is installed; it is not imported."""
    return find_spec("numba") is not None


def source_files() -> list[Path]:
    """Every file that compiled kernels are made from."""
    found = []
    for name in SOURCES:
        path = PACKAGE / name
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return found


@cache
def cache_folder() -> Path:
    """Where compiled kernels of just this source and this Numba are kept."""
    from importlib.metadata import version

    digest = hashlib.sha256(version("numba").encode())
    for path in source_files():
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0")
        digest.update(path.read_bytes())
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "boxman" / digest.hexdigest()[:16]


@cache
def numba() -> Any:
    """Numba, its cache pointed to our folder; None where it is not installed."""
    if not have_numba():
        return None
    library: Any = import_module("numba")

    if "NUMBA_CACHE_DIR" not in os.environ:
        library.config.CACHE_DIR = str(cache_folder())
    return library


def need_numba() -> Any:
    """Numba; an error that says how to get it where it is not installed."""
    library = numba()
    if library is None:
        raise ImportError(phrase("sim.wrong.this-needs-numba-which-is"))
    return library


def part(function: Callable[..., Any], *, inline: bool = False) -> Any:
    """A function that kernels are made of; compiled into them and not kept by itself.

    `inline` writes it out where it is called: to pass many arrays costs more than a short sum.
    """
    how = "always" if inline else "never"
    return need_numba().njit(nogil=True, error_model="numpy", inline=how)(function)


@cache
def compiled(function: Callable[..., Any]) -> Any:
    """The function compiled, free of the interpreter's lock and cached; None without Numba."""
    library = numba()
    if library is None:
        return None
    return library.njit(cache=True, nogil=True, error_model="numpy")(function)
