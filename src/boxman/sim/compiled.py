"""Engine kernels compiled by Numba, where Numba is installed.

Only the engine's own functions come here. They are cached on disk in a folder named for Numba's
version and for the source of this whole room, since Numba itself looks at one file only and would
run stale code when another one changes. A user's strategy is never cached.
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

ROOM = Path(__file__).parent


@cache
def have_numba() -> bool:
    """Whether Numba is installed; it is not imported."""
    return find_spec("numba") is not None


@cache
def cache_folder() -> Path:
    """Where compiled kernels of just this source and this Numba are kept."""
    from importlib.metadata import version

    digest = hashlib.sha256(version("numba").encode())
    for path in sorted(ROOM.rglob("*.py")):
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
        raise ImportError("this needs Numba, which is not installed: pip install 'boxman[sim]'")
    return library


@cache
def compiled(function: Callable[..., Any]) -> Any:
    """The function compiled, free of the interpreter's lock and cached; None without Numba."""
    library = numba()
    if library is None:
        return None
    return library.njit(cache=True, nogil=True, error_model="numpy")(function)
