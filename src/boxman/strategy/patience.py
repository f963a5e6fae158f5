"""An end to turns that never end: a strategy caught in a loop is told so, with its line.

One watcher looks now and then at every thread that plays. A thread that has used processor time
for long without finishing its turn gets an exception raised in it, which then comes out of the
very line that loops. Waiting costs nothing: only the thread's own processor time counts.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from boxman.words import phrase

SECONDS = 5.0
"""Processor time one turn may take."""
_LOOK = 0.2


class EndlessTurn(Exception):
    """A turn took longer than anybody waits for."""

    def __str__(self) -> str:
        return phrase("strategy.wrong.this-turn-does-not-end")


class Turning(Protocol):
    """Anything that counts the turns it has begun."""

    turns: int


class _Watched:
    def __init__(self, chair: Turning, seconds: float) -> None:
        self.chair = chair
        self.seconds = seconds
        self.turns = -1
        self.since = 0.0


_watched: dict[int, _Watched] = {}
_lock = threading.Lock()
_watcher: tuple[int, threading.Thread] | None = None


def _used(thread: int) -> float:
    """The processor time a thread has used; where that is not known, time itself."""
    try:
        return time.clock_gettime(time.pthread_getcpuclockid(thread))
    except (AttributeError, OSError):
        return time.monotonic()


def _look() -> None:
    idle = 0
    while idle < 50:
        time.sleep(_LOOK)
        with _lock:
            idle = 0 if _watched else idle + 1
            for thread, watched in _watched.items():
                used = _used(thread)
                if watched.chair.turns != watched.turns:
                    watched.turns, watched.since = watched.chair.turns, used
                elif used - watched.since > watched.seconds:
                    watched.since = used
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(thread), ctypes.py_object(EndlessTurn)
                    )


@contextmanager
def patience(chair: Turning, seconds: float = SECONDS) -> Iterator[None]:
    """Watch the turns that are played in this block by this thread."""
    global _watcher
    thread = threading.get_ident()
    with _lock:
        outer = _watched.get(thread)
        _watched[thread] = _Watched(chair, seconds)
        if _watcher is None or _watcher[0] != os.getpid() or not _watcher[1].is_alive():
            watcher = threading.Thread(target=_look, name="patience", daemon=True)
            watcher.start()
            _watcher = (os.getpid(), watcher)
    try:
        yield
    finally:
        with _lock:
            if outer is None:
                del _watched[thread]
            else:
                _watched[thread] = outer
