"""Compile a kernel in a process of its own and leave it in the cache.

Compiling takes seconds of Python; done in a thread it would fight the running simulation for the
interpreter. A mark in the cache says which variants are there, so that nobody waits for nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from boxman.sim.compiled import cache_folder

_started: dict[str, subprocess.Popen[bytes]] = {}


def mark(name: str) -> Path:
    """The file that says a variant is in the cache."""
    folder = os.environ.get("NUMBA_CACHE_DIR") or cache_folder()
    return Path(folder) / f"{cache_folder().name}-{name}.ready"


def is_ready(name: str) -> bool:
    """Whether a variant can be loaded at once."""
    return mark(name).exists()


def start(name: str) -> subprocess.Popen[bytes]:
    """Begin to compile a variant in another process, if that was not begun before."""
    if name not in _started:
        paths = os.pathsep.join(path for path in sys.path if path)
        _started[name] = subprocess.Popen(
            [sys.executable, "-m", "boxman.sim.executors.warm", name],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths},
        )
    return _started[name]


def keep_in_mind(name: str) -> None:
    """A variant is in the cache now."""
    try:
        mark(name).touch()
    except OSError:
        # No cache can be written here: every process compiles for itself.
        return


if __name__ == "__main__":
    from boxman.sim.executors import load_kernel

    load_kernel(sys.argv[1])
