"""Boxman runs craps by the book: rulebooks are data, every decision cites its clause.

What is named here is what a program may rely on (docs/library.md); everything else may move. Each
name is imported when it is first used, and with it what it needs.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as `typing` has it, without importing that for every command
if TYPE_CHECKING:
    from typing import Any

    from boxman.library import House as House
    from boxman.library import compare as compare
    from boxman.library import exact as exact
    from boxman.library import find_strategy as find_strategy
    from boxman.library import house as house
    from boxman.library import open_table as open_table
    from boxman.library import replay as replay
    from boxman.library import rule as rule
    from boxman.library import simulate as simulate
    from boxman.library import strategies as strategies
    from boxman.rules.book import houses as houses
    from boxman.strategy.session import Session as Session
    from boxman.table.opening import Open as Open

__version__ = "0.5.0"

_PUBLIC = {
    "boxman.library": (
        "House compare exact find_strategy house open_table replay rule simulate strategies"
    ),
    "boxman.rules.book": "houses",
    "boxman.table.opening": "Open",
    "boxman.strategy.session": "Session",
}
_WHERE = {name: module for module, names in _PUBLIC.items() for name in names.split()}
__all__ = sorted(_WHERE)


def __getattr__(name: str) -> Any:
    """Public names, imported when first used."""
    if name not in _WHERE:
        raise AttributeError(f"module 'boxman' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
