"""The figures of `make soak`, kept in docs/reliability.md: one section for each proof."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
HEAD = """# Reliability

What `make soak` did and found; each section with its date, its seeds and its figures.
`make test` does a sample of the same. A run that fails says so and leaves this page as it was.
"""


def record(section: str, lines: Sequence[str], page: Path | None = None) -> None:
    """Put the figures of one proof into the page, in place of its older ones."""
    page = PAGE if page is None else page
    where = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    text = f"## {section}\n\nMeasured {date.today()} ({where}).\n\n"
    text += "\n".join(f"- {line}" for line in lines) + "\n"
    sections = _sections(page.read_text() if page.exists() else "")
    sections[section] = text
    page.write_text("\n".join([HEAD, *(sections[name] for name in sorted(sections))]))


def _sections(text: str) -> dict[str, str]:
    found = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)[1:]
    pairs = zip(found[::2], found[1::2], strict=True)
    return {name: f"## {name}\n{body.rstrip()}\n" for name, body in pairs}
