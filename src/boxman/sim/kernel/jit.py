"""How the engine's functions are compiled: parts of a kernel, and the kernels that are cached.

Parts that are called are compiled into the entry that uses them and are not kept by themselves;
those that are written out are kept, since every compiled strategy is made of them. Needs Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boxman.sim.compiled import compiled, need_numba
from boxman.sim.compiled import part as kernel

__all__ = ["entry", "inlined", "kernel", "pointed"]
_numba = need_numba()


def inlined(function: Callable[..., Any]) -> Any:
    """A part that is written out where it is used; kept on disk."""
    return _numba.njit(error_model="numpy", nogil=True, forceinline=True, cache=True)(function)


def entry(function: Callable[..., Any]) -> Any:
    """A kernel that Python calls; kept on disk."""
    return compiled(function)


def pointed(signature: str) -> Callable[[Callable[..., Any]], Any]:
    """A function that compiled strategies call by its address; kept on disk."""

    def made(function: Callable[..., Any]) -> Any:
        return _numba.cfunc(signature, error_model="numpy", cache=True)(function)

    return made
