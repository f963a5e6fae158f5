"""The page of soak figures: one section for each proof, the newest of each."""

from __future__ import annotations

from pathlib import Path

from tests.tools.reliability import HEAD, record


def test_sections_are_replaced_and_kept_in_order(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    record("Kills", ["1 kill"], page)
    record("Cuts", ["2 cuts", "seed 7"], page)
    record("Kills", ["3 kills"], page)
    text = page.read_text()
    assert text.startswith(HEAD)
    assert text.index("## Cuts") < text.index("## Kills")
    assert "1 kill\n" not in text
    assert "- 2 cuts\n- seed 7\n" in text
    assert "- 3 kills\n" in text
    before = text
    record("Kills", ["3 kills"], page)
    assert page.read_text() == before
