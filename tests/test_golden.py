"""Goldens: what a few lines of play say, to the last citation.

The files were read against the clauses when they were made; the arithmetic stands in their
comments. Changing one is a commit of its own, with the reason.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from boxman.rules.book import houses
from boxman.table.said.transcript import Transcript, write_result
from tests.citations import problems

FOLDER = Path(__file__).parent / "golden"
CITATIONS = FOLDER / "citations"


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


@pytest.mark.parametrize("house", sorted(path.stem for path in CITATIONS.iterdir()))
def test_a_ruling_cites_what_carries_it_and_nothing_else(house: str) -> None:
    lines = (CITATIONS / f"{house}.craps").read_text().splitlines()
    assert problems(lines) == []
    assert sum(" : " in line for line in lines) >= 12, "rulings of procedure for each house"


def test_a_surplus_and_a_missing_citation_are_both_told() -> None:
    opened = ["house nsw chip 1 limits 10-500", "ann buys in 100"]
    said = "ann bets 10 pass : ok {6.1.1}"
    assert problems([*opened, said]) == []
    assert problems([*opened, said.replace("{6.1.1}", "{6.1.1} {6.1.2}")])
    assert problems([*opened, "stick calls 4-2 : puck 6 {1.1[come out point]}"])
    assert problems([*opened, "ann bets 5 pass"]), "a line of preparation has to be taken"
