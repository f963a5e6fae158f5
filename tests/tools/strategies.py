"""`python -m tests.tools.strategies`: write the table of the library into docs/strategies.md."""

from __future__ import annotations

from pathlib import Path

from boxman.strategy.library import pages

PAGE = Path(__file__).parents[2] / "docs" / "strategies.md"
BEGIN = "<!-- library: written by python -m tests.tools.strategies -->\n"
END = "<!-- end of library -->\n"


def library_table() -> str:
    """Every strategy with its parameters, page by page."""
    lines = ["", "| strategy | what it does | needs | source |", "|---|---|---|---|"]
    for page in pages():
        lines.append(f"| **{page.title}** | {page.about} | | |")
        for entry in page.entries:
            needs = " ".join(f"`{spot}`" for spot in entry.needs)
            lines.append(f"| `{entry.call}` | {entry.summary} | {needs} | {entry.source} |")
    return "\n".join([*lines, "", ""])


def written(text: str) -> str:
    """The page with its table made anew."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    return before + BEGIN + library_table() + END + after


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
