"""A rulebook that somebody is writing: whether it was saved, and what the check says of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from boxman.words import phrase
from boxman.workshop.check import Checked, check

LOOK_EVERY = 1.0
"""Seconds between two looks at the file."""


class WatchedFile:
    """A file, and when it was last written."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.seen: tuple[int, int] | None = None

    def saved(self) -> bool:
        """Whether it was saved since this was last asked; not while it is away."""
        try:
            found = Path(self.path).stat()
        except OSError:
            return False
        now = (found.st_mtime_ns, found.st_size)
        before, self.seen = self.seen, now
        return now != before

    def check(self) -> Checked:
        """What the check says of it now."""
        return check(self.path)


def check_told(path: str, found: Checked) -> str:
    """Every error, or that there is none and what may be one."""
    if found.book is None or found.layout is None or found.errors:
        return "\n".join(map(str, found.errors))
    sorts = Counter(clause.sort for clause in found.book.clauses.values())
    order = phrase(
        "check.order",
        path=path,
        clauses=sorts["clause"],
        gaps=sorts["gap"],
        terms=sorts["term"],
        facts=len(found.book.facts),
        spots=len(found.layout.spots),
    )
    return "\n".join([order, *(phrase("check.remark", remark=each) for each in found.remarks)])
