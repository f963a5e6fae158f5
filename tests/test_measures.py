"""The measures that docs/architecture.md shows are those of this source."""

from __future__ import annotations

from tests.tools.shape import BEGIN, DOCUMENT, END, House, table

LOOSE = ("Python under `src`, lines", "Python under `src`, statements")
"""These change with every commit: a twentieth more or less is not a lie."""


def rows(text: str) -> dict[str, str]:
    cells = [line.split("|") for line in text.splitlines() if line.startswith("|")]
    return {what.strip(): figure.strip() for _, what, figure, *_ in cells}


def test_the_committed_measures_are_those_of_the_source() -> None:
    measured = rows(table(House()))
    written = rows(DOCUMENT.read_text().partition(BEGIN)[2].partition(END)[0])
    assert written.keys() - {"measure", "---"} == measured.keys(), "make docs"
    for what, figure in measured.items():
        if what in LOOSE:
            now, then = (int(each.replace(",", "")) for each in (figure, written[what]))
            assert abs(now - then) <= then / 20, f"{what}: {figure}, not {written[what]}; make docs"
        else:
            assert written[what] == figure, f"{what}: {figure}, not {written[what]}; make docs"
