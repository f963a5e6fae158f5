"""Where the dice are, and which calls move them: what is declared against what the rules do."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from boxman.cli import app
from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.table.call import DECLARED
from boxman.table.calls import (
    Bet,
    BuyIn,
    CallRoll,
    CloseBets,
    DiceOut,
    DiceRest,
    DisputeFaces,
    OfferDice,
    TakeDice,
)
from boxman.table.floor.custody import Edge, custody
from boxman.table.floor.throw import UNDECIDED, Whereabouts, where
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule

ALONE = {
    ("DiceRest", "in hand", "at rest"),
    ("TakeDice", "in hand", "in hand"),
    ("OfferDice", "offered", "offered"),
}
"""What only an automatic crew may say, which leaves the release out; and what is done where a line
wager came down, which is no way of the dice: the stickperson takes them from their shooter, or they
are offered to another than who was asked."""
FOUND: dict[str, list[Edge]] = {}


def edges(house: str) -> list[Edge]:
    if house not in FOUND:
        FOUND[house] = custody(load(house))
    return FOUND[house]


def way(edge: Edge) -> tuple[str, str, str]:
    return edge.call.__name__, edge.start, edge.end


@pytest.mark.parametrize("house", houses())
def test_the_dice_go_where_calls_say(house: str) -> None:
    assert [way(edge) for edge in edges(house) if not edge.declared] == []


@pytest.mark.parametrize("house", houses())
def test_every_place_is_reached_and_left(house: str) -> None:
    lawful = [edge for edge in edges(house) if edge.declared]
    places = {"with the stick", "offered", "in hand", "out", "at rest"}
    if house == "perth-crapless":  # 4.1 names the landing
        places |= {"landed"}
    assert {edge.end for edge in lawful} == places
    for place in places & set(UNDECIDED):
        ends = {edge.end for edge in lawful if edge.start == place}
        assert ends & {"in hand", "with the stick"}
    assert all(edge.cites for edge in lawful)


def test_what_is_declared_happens_somewhere() -> None:
    """A move that no house makes is a mistake in the declaration; no table stops at "called"."""
    done = {way(edge) for house in houses() for edge in edges(house)}
    declared = {
        (kind.__name__, start, end)
        for kind, each in DECLARED.items()
        for start, ends in each.moves.items()
        for end in ends
        if start != "called"
    }
    assert declared - done == ALONE


def test_where_the_dice_are() -> None:
    opened = open_table(Open(house="rws", shooter="players"))
    assert opened.layout is not None
    assert opened.table is not None
    layout, table = opened.layout, opened.table
    assert where(table) == Whereabouts("with the stick")
    table = rule(layout, table, BuyIn(seat="ann", amount=100_000)).after
    said = (
        (Bet(seat="ann", spot="pass", amount=10_000), "with the stick", ""),
        (OfferDice(by="stick", seat="ann"), "offered", "ann"),
        (TakeDice(seat="ann"), "in hand", "ann"),
        (CloseBets(by="dealer"), "in hand", "ann"),
        (DiceOut(), "out", "ann"),
        (DiceRest(), "at rest", "ann"),
    )
    for call, place, seat in said:
        ruling = rule(layout, table, call)
        assert ruling.accepted, ruling.refusal
        table = ruling.after
        assert where(table) == Whereabouts(place, seat)  # type: ignore[arg-type]
    disputed = rule(layout, table, DisputeFaces(seat="ann")).after
    assert where(disputed) == Whereabouts("at rest", "ann", "disputed")
    assert where(rule(layout, table, CallRoll(first=2, second=2)).after).place == "in hand"


def test_the_machine_is_shown() -> None:
    shown = CliRunner().invoke(app, ["show", "rws", "throw"])
    assert shown.exit_code == 0
    assert "the dice are in hand" in shown.output
    assert "offers dice to SEAT" in shown.output
    assert "voids the roll for" in shown.output
    assert "round" not in re.sub(r"\{.*", "", shown.output)  # nobody voids a whole round there
    told = CliRunner().invoke(app, ["show", "perth-crapless", "throw"])
    assert "voids the roll|round for" in told.output
    told = json.loads(CliRunner().invoke(app, ["show", "rws", "throw", "--json"]).output)
    assert {"in hand", "out"} <= {move["from"] for move in told["throw"]}
    out = [
        move for move in told["throw"] if (move["call"], move["from"]) == ("dice out", "in hand")
    ]
    assert [move["to"] for move in out] == ["out"]
