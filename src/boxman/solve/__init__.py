"""Best play: the exact answer to "how should I play this table?"

`solve(house, bankroll=300, reach=600)` gives an `Answer`; docs/solve.md says what is in it.
"""

from __future__ import annotations

__all__ = ["Answer", "NotSolvable", "solve"]


def __getattr__(name: str) -> object:
    """Public names, imported when first used: they need NumPy."""
    if name == "Answer":
        from boxman.solve.answer import Answer

        return Answer
    if name == "NotSolvable":
        from boxman.solve.goals import NotSolvable

        return NotSolvable
    if name == "solve":
        from boxman.solve.question import solve

        return solve
    raise AttributeError(f"module 'boxman.solve' has no attribute {name!r}")
