"""Best play as its page shows it: the answer of `solve` as words, rows and pictures."""

from __future__ import annotations

from collections.abc import Sequence

from boxman.report.parts import Grid, Part, Sentence
from boxman.solve.answer import Answer
from boxman.solve.page import pictures
from boxman.solve.words import (
    card_parts,
    certificate,
    cost_parts,
    favour_parts,
    headline,
    library_parts,
    question,
)

Data = dict[str, object]


def answer_told(answer: Answer) -> Data:
    """Everything the page shows."""
    parts = {
        "favours": favour_parts(answer),
        "card": card_parts(answer),
        "mistakes": cost_parts(answer),
        "library": library_parts(answer.library, hourly=answer.hour is not None),
    }
    return {
        "question": question(answer),
        "menu": answer.menu,
        "headline": headline(answer),
        **{name: _told(found) for name, found in parts.items()},
        "certificate": certificate(answer),
        "pictures": [str(each) for each in pictures(answer)],
    }


def _told(parts: Sequence[Part]) -> Data | None:
    """A sentence, and a table with its heads, where there is one."""
    if not parts:
        return None
    grid = next((part for part in parts if isinstance(part, Grid)), None)
    words = next((part.text for part in parts if isinstance(part, Sentence)), "")
    rows = [row for group in grid.groups.values() for row in group] if grid else []
    return {
        "words": words or (grid.title if grid else ""),
        "heads": [column.heading for column in grid.columns] if grid else [],
        "rows": rows,
    }
