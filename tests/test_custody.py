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
    assert all(edge.taken and all(each.cites for each in edge.taken) for edge in lawful)


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


def shown(house: str, place: str, call: str) -> dict[str, tuple[set[str], set[str]]]:
    """Who may say it where the dice are there, by what is said: the people, the clauses."""
    told = json.loads(CliRunner().invoke(app, ["show", house, "throw", "--json"]).output)
    return {
        f"{', '.join(move['by'])}: {move['call']}": (set(move["by"]), set(move["clauses"]))
        for move in told["throw"]
        if move["from"] == place and move["call"].startswith(call)
    }


def test_each_power_and_reason_has_the_people_who_have_it() -> None:
    """RWS 3.9 has the stickperson call No Roll, 3.10(ii) is the boxperson's too; Perth 6.13 names
    nobody, 6.14 two, 7.1(f) one; Adelaide 14(a) is the house's, 11(a) found later the boxman's."""
    rws = shown("rws", "out", "calls no roll")
    stick = next(says for says in rws if says.startswith("the Stickperson"))
    assert "off-table" in stick
    assert "no-attempt" not in stick
    both = rws["the Boxperson, the Stickperson: calls no roll for no-attempt"]
    assert both[1] == {"3.10(ii)", "1 No Roll", "3.9 #2", "gap-17"}
    perth = shown("perth-crapless", "out", "calls no roll")
    for people, clauses in perth.values():
        assert ("6.14" in clauses) == (people == {"the Boxperson", "the Stickperson"})
        assert ("7.1(f)" in clauses) == (people == {"the Boxperson"})
        assert ("6.13(a)" in clauses) == ("the Baseperson" in people)
    adelaide = shown("adelaide", "in hand", "voids the roll")
    for people, clauses in adelaide.values():
        assert ("14(a)(i)" in clauses) == (people == {"the Casino Manager"})
        assert ("11(a)(i)" in clauses) == (people == {"the Boxman"})
    # One reason, or the same people for all of them: no reasons are told.
    assert list(shown("nsw", "out", "calls no roll")) == [
        "the Boxperson, the Stickperson: calls no roll"
    ]
    # 6.8, 6.9 and 6.10 give three people each a power of their own.
    assert len(shown("newzealand", "in hand", "overrules")) == 3


@pytest.mark.parametrize(
    ("house", "place", "call", "people", "clause"),
    [
        # A dispute first (9.11, 9.7), a sign of twenty minutes (9.8), the inspector told (14(i)).
        ("nsw", "in hand", "overrules", {"the Boxperson", "the Casino Supervisor"}, "9.11#1"),
        ("nsw", "in hand", "closes the table", {"the Casino Supervisor"}, "9.8"),
        ("perth-crapless", "in hand", "overrules", {"the Table Games Management"}, "9.7 #1"),
        ("adelaide", "in hand", "closes the table", {"the Casino Manager"}, "14(i)"),
        # With nobody left who might throw.
        ("adelaide", "with the stick", "cancels the point", {"the Boxman"}, "gap-45"),
        ("rws", "with the stick", "cancels the point", {"the Boxperson"}, "gap-18"),
    ],
)
def test_what_wants_more_than_dice_is_shown_too(
    house: str, place: str, call: str, people: set[str], clause: str
) -> None:
    told = shown(house, place, call)
    assert told
    for who, clauses in told.values():
        assert people <= who
        assert clause in clauses
    # Where the stickperson throws for want of a shooter (3.9), nobody cancels a point.
    assert not shown("nsw", "with the stick", "cancels the point")
