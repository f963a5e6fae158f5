"""Compile a kernel in a process of its own and leave it in the cache.

Compiling takes seconds of Python; done in a thread it would fight the running simulation for the
interpreter. A mark in the cache says which variants are there, so that nobody waits for nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from boxman.dice import KINDS
from boxman.sim.compiled import cache_folder
from boxman.sim.tables import COLUMNS, RECORD, Exact, Quick, Tables

GENERIC = "generic"
"""The kernel that calls a compiled strategy; all others are of the automaton."""
WIDE, FEES, STOPS, PLAIN = "wide", "fees", "stops", "plain"
_started: dict[str, subprocess.Popen[bytes]] = {}


def variant(tables: Tables) -> str:
    """Which of the kernel's variants these tables need."""
    words = []
    if tables.exact.places.dtype != np.int32 or tables.exact.bands.dtype != np.int32:
        words.append(WIDE)
    if tables.quick is None:
        words.append(PLAIN)
    else:
        words += [FEES] if len(tables.quick.fee) else []
        words += [STOPS] if tables.stop_win or tables.stop_loss else []
    return "-".join(["lanes", *words])


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
            [sys.executable, "-m", "boxman.sim.warm", name],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths},
        )
    return _started[name]


def load(tables: Tables) -> None:
    """Have the kernel for these tables ready in this process."""
    from boxman.sim.numba_lanes import NumbaAutomaton

    NumbaAutomaton(tables).play(0, 0, 0)
    keep_in_mind(variant(tables))


def load_generic() -> None:
    """Have the generic kernel ready, with what most strategies call."""
    from boxman.sim.kernel.run import Kernel
    from boxman.strategy.library import named
    from boxman.strategy.session import session

    Kernel(named("percent"), session(rolls=1)).run(0, 0, 1)
    keep_in_mind(GENERIC)


def keep_in_mind(name: str) -> None:
    """A variant is in the cache now."""
    try:
        mark(name).touch()
    except OSError:
        # No cache can be written here: every process compiles for itself.
        return


def smallest(name: str) -> Tables:
    """Tables of a variant with one configuration in which nothing ever happens."""
    words = name.split("-")
    kind = np.int64 if WIDE in words else np.int32
    records = np.zeros((len(KINDS), RECORD), kind)
    rows = np.zeros(2 * COLUMNS, np.int32)
    fee = rows if FEES in words else rows[:0]
    quick = None if PLAIN in words else Quick(rows, rows, fee, 8, 0)
    stop = 1 if STOPS in words else 0
    return Tables(
        unit=1,
        exact=Exact(records, records, np.zeros(1, np.int64)),
        quick=quick,
        bankroll=1,
        rolls=1,
        shooters=0,
        stop_win=stop,
        stop_loss=0,
        start=0,
        cash=1,
        staked=0,
        ended=-1,
        start_band=0,
        start_up=0,
        start_left=-1,
    )


if __name__ == "__main__":
    if sys.argv[1] == GENERIC:
        load_generic()
    else:
        load(smallest(sys.argv[1]))
