"""Goldens: what a few lines of play say, to the last citation.

The files were read against the clauses when they were made; the arithmetic stands in their
comments. Changing one is a commit of its own, with the reason.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from boxman.rules.book import houses
from boxman.table.said.transcript import Transcript, write_result

FOLDER = Path(__file__).parent / "golden"


@pytest.mark.parametrize("house", houses())
def test_every_word_and_every_citation(house: str) -> None:
    play = Transcript(words=True)
    for line in (FOLDER / f"{house}.craps").read_text().splitlines():
        call, _, rest = line.partition(" : ")
        comment = rest.partition(" -- ")[2]
        result = play.play(f"{call} -- {comment}" if comment else call)
        assert write_result(result) == line


@pytest.mark.parametrize("house", houses())
def test_what_was_written_replays_without_a_difference(house: str) -> None:
    play = Transcript(words=True)
    lines = (FOLDER / f"{house}.craps").read_text().splitlines()
    assert [r.difference for r in map(play.play, lines) if r.difference] == []


@pytest.mark.parametrize("house", sorted(path.stem for path in (FOLDER / "before").iterdir()))
def test_transcripts_from_before_procedure_are_written_byte_for_byte(house: str) -> None:
    """Wagers alone, as they were written before people and dice were enforced.

    Every fourteenth case of that time; docs/adr/0007 says what reads otherwise today, and why.
    """
    play = Transcript(words=True)
    for line in (FOLDER / "before" / f"{house}.craps").read_text().splitlines():
        call, _, rest = line.partition(" : ")
        comment = rest.partition(" -- ")[2]
        if not line.startswith("--"):
            result = play.play(f"{call} -- {comment}" if comment else call)
            assert write_result(result) == line
