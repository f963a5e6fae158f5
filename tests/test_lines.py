"""Every call has its line, its rule and something to try; and spoilt lines say what is wrong."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from boxman.journal.codec import read_call as from_json
from boxman.rules.book import houses
from boxman.rules.duties import STATIONS
from boxman.table.call import DECLARED, Call, Declared
from boxman.table.calls import BuyIn, Say, Sit
from boxman.table.floor.people import PLAYER
from boxman.table.lines.words import NotationError
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule
from boxman.table.said.notation import read_call, split_line, write_call
from boxman.table.state import PHASES
from tests.tools.docs import DOCS, with_calls

SAID = [each for each in DECLARED.values() if each.lines]
SPOILT = Path(__file__).parent / "golden" / "spoilt_lines.txt"


def read(text: str) -> Call:
    return read_call(split_line(text).words, len(text) + 1)


def speaker(declared: Declared, side: str) -> str:
    """Somebody who says a line."""
    if side == "player":
        return "ann"
    return declared.speaks or next(each for each in declared.stations if each in STATIONS)


@pytest.mark.parametrize("declared", SAID, ids=lambda each: each.tag)
def test_each_call_has_lines_that_are_read_and_written(declared: Declared) -> None:
    """As it is shown, with all that may be left out and without."""
    for line in declared.lines:
        first = f"{speaker(declared, line.side)} " if line.lead else ""
        shown = line.shown()
        short = shown.partition(" [")[0]
        for text in (first + shown.replace("[", "").replace("]", ""), first + short):
            call = read(text)
            assert type(call) is declared.kind
            assert write_call(call) == text
            assert read(write_call(call)) == call
            assert from_json(msgspec.json.encode(call)) == call


@pytest.mark.parametrize("said", ["5-1000", "up to 1000", "from 5"])
def test_a_figure_that_a_grant_leaves_out_is_written_and_read(said: str) -> None:
    call = read(f"manager grants ann {said}")
    assert write_call(call) == f"manager grants ann {said}"


@pytest.mark.parametrize("house", houses())
def test_figures_that_no_line_can_say_are_refused_at_every_door(house: str) -> None:
    """A client sends calls without a line: a place before the first, nothing said aloud."""
    assert open_table(Open(house=house, minimum=-100)).refusal is not None
    opened = open_table(Open(house=house))
    assert opened.table is not None
    table = rule(opened.layout, opened.table, BuyIn(seat="ann", amount=10_000)).after
    for place, code in ((-1, "no-such-place"), (0, "no-such-place"), (1, "")):
        refusal = rule(opened.layout, table, Sit(seat="ann", place=place)).refusal
        assert (refusal.code if refusal else "") == code
    refusal = rule(opened.layout, table, Say(seat="ann", spot="field", amount=0)).refusal
    assert refusal is not None
    assert refusal.code in ("not-an-amount", "nothing-spoken")


@pytest.mark.parametrize("declared", SAID, ids=lambda each: each.tag)
def test_each_call_has_a_rule_and_is_declared_whole(declared: Declared) -> None:
    assert declared.kind.rule is not Call.rule
    assert declared.kind.__doc__
    assert set(declared.stations) <= {PLAYER, *STATIONS}
    assert declared.stations
    assert set(declared.phases) <= set(PHASES)
    if declared.console is not None:
        own = {"throw", "faces"}
        assert {*declared.console.choices, *declared.console.fills} <= own | set(declared.fields)
    crew = set(declared.stations) - {PLAYER}
    assert bool(crew) == (declared.console is not None) or declared.tag == "callroll"


def test_no_two_calls_begin_alike() -> None:
    """Of the lines with one verb on one side, at most one is not told by more words."""
    plain = [
        (side, line.verb)
        for each in SAID
        for line in each.lines
        for side in (("crew", "station") if line.side in ("crew", "station") else (line.side,))
        if not line.head
    ]
    assert sorted(set(plain)) == sorted(plain)


@pytest.mark.parametrize("row", SPOILT.read_text().splitlines(), ids=lambda row: row.split("\t")[0])
def test_spoilt_lines(row: str) -> None:
    """What is wrong and where: each message of the reader once from the crew and from a player."""
    text, column, problem = row.split("\t")
    with pytest.raises(NotationError) as found:
        read(text)
    assert (found.value.column, found.value.problem) == (int(column), problem)


def test_the_document_lists_every_call() -> None:
    page = DOCS / "notation.md"
    assert with_calls(page.read_text()) == page.read_text(), "`make docs`"
