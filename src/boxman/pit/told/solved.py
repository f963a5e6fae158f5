"""Best play as its page shows it: the answer of `solve` as words, rows and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from boxman.report.parts import Grid, Part, Sentence
from boxman.solve.answer import Answer
from boxman.solve.page import pictures
from boxman.solve.pieces import house_names
from boxman.solve.words import (
    card_parts,
    certificate,
    cost_parts,
    favour_parts,
    headline,
    library_parts,
    question,
)
from boxman.words import phrase

Data = dict[str, object]


def answer_told(answer: Answer) -> Iterator[Data]:
    """Everything the page shows, part by part, as soon as there is something of it; what is worked
    on next is told with it."""
    layout = answer.model.pieces.layout
    later: dict[str, Callable[[], list[Part]]] = {
        "card": lambda: card_parts(answer),
        "mistakes": lambda: cost_parts(answer),
        "library": lambda: library_parts(answer.library, hourly=answer.hour is not None),
    }
    with house_names(layout):
        known: Data = {
            "question": question(answer, layout.title),
            "menu": answer.model.pieces.menu.words({s.id: s.name for s in layout.spots.values()}),
            "headline": headline(answer),
            "favours": _told(favour_parts(answer)),
            "certificate": certificate(answer),
            "pictures": [str(each) for each in pictures(answer)],
        }
    for name, parts in later.items():
        yield {"answer": known, "told": phrase(f"solve.progress.{name}")}
        with house_names(layout):
            known = {**known, name: _told(parts())}
    yield {"answer": known, "told": ""}


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
