"""A language made from the English, every phrase in brackets; never shipped."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from boxman.words.say import FIRST, PLACES, texts

PSEUDO = "qps"
PLAIN = ("joined.forms",)
"""Patterns of numbers are no sentence."""


def quoted(text: str) -> str:
    """A text as TOML writes it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


@contextmanager
def pseudo_language() -> Iterator[None]:
    """It is spoken within."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / PSEUDO
        folder.mkdir()
        lines = [
            f"{'.'.join(quoted(part) for part in key.split('.'))} = "
            + quoted(text if key.startswith(PLAIN) else f"⟦{text}⟧")
            for key, text in texts("en").items()
        ]
        (folder / FIRST).write_text("\n".join(lines), "utf-8")
        PLACES.append(Path(place))
        try:
            yield
        finally:
            PLACES.pop()
