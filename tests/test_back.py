"""A throw taken back: nothing of a table is forgotten, and it is settled under its own limits."""

from __future__ import annotations

from boxman.table.back import FLOOR
from boxman.table.floor.people import Floor
from boxman.table.said.transcript import Transcript
from boxman.table.state import Table

CREW = "crew by hand stick 1 dealer 2 box 1 shooter players opened by manager"
OPENING = f"house newzealand chip 1 limits 10-500 {CREW}"
THROWN = (
    *("ann buys in 1000", "dealer inspects the dice", "box inspects the dice"),
    *("ann bets 10 pass", "stick offers dice to ann", "ann takes dice"),
)


def after(*lines: str) -> Table:
    script = Transcript()
    for line in (OPENING, *THROWN, *lines):
        result = script.play(line)
        assert result.ruling is None or result.ruling.refusal is None, (line, result.ruling)
    assert script.table is not None
    return script.table


def test_of_every_field_of_the_floor_it_is_said_what_becomes_of_it() -> None:
    assert sorted(FLOOR) == sorted(Floor.__struct_fields__)


def test_however_often_a_roll_is_settled_again_it_is_under_the_limits_of_its_throw() -> None:
    limits = "supervisor posts limits 10-300"
    once = after("stick calls 4-2", limits, "box overrules to 5-4")
    twice = after("stick calls 4-2", limits, "box overrules to 5-4", "supervisor overrules to 5-5")
    void = after(
        "stick calls 4-2", limits, "box overrules to no roll", "supervisor overrules to 5-5"
    )
    for table in (once, twice, void):
        assert table.before is not None
        assert (table.posted.maximum, table.before.posted.maximum) == (30000, 50000)


def test_what_was_said_and_done_since_stands_and_what_the_roll_did_does_not() -> None:
    then = after()
    table = after(
        *("stick calls 4-2", "bob buys in 50", "ann disputes payout", "ann bets 10 place.6"),
        *("stick reports a die off", "box overrules to no roll"),
    )
    assert table.seats["ann"].wagers == then.seats["ann"].wagers
    assert table.seats["ann"].rail == then.seats["ann"].rail
    assert table.seats["bob"].rail == 5000
    assert len(table.floor.disputes) == 1
    assert (table.puck, table.rolls) == (then.puck, then.rolls)
    assert table.floor.dice.play == 1
