"""Boxman runs craps by the book: rulebooks are data, every decision cites its clause."""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Public names, imported when first used."""
    if name in ("house", "House"):
        from boxman import library

        return getattr(library, name)
    raise AttributeError(f"module 'boxman' has no attribute {name!r}")
