"""Clauses as they are cited, alone and with what they say."""

from __future__ import annotations

from functools import lru_cache
from typing import Generic, TypeVar

import msgspec

Cites = tuple[str, ...]
T = TypeVar("T", covariant=True)


class Cited(msgspec.Struct, Generic[T], frozen=True):
    """What the rulebook says to one question, with its clauses."""

    value: T
    cites: Cites


def braced(cites: Cites) -> str:
    """Clauses behind what they say: ` {6.1.5} {6.1.5.1}`."""
    return "".join(f" {{{cite}}}" for cite in cites)


@lru_cache(maxsize=1 << 14)
def join(*cites: Cites) -> Cites:
    """Citations in order, each once. The same few lists meet again and again."""
    return tuple(dict.fromkeys(cite for group in cites for cite in group))
