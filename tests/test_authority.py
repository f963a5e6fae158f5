"""Who may do what: every power of every house, both ways, at every station."""

from __future__ import annotations

import msgspec
import pytest

from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.rules.duties import STATIONS
from boxman.rules.layout import Power
from boxman.table.floor_calls import HandleDice, StandIn
from boxman.table.menu import powers
from boxman.table.opening import Open, open_table
from boxman.table.powers import check_power
from boxman.table.ruling import rule
from boxman.table.rulings import Refused

POWERS = [
    (house, call, reason) for house in houses() for call, reason in load(house).procedure.powers
]


@pytest.mark.parametrize(("house", "call", "reason"), POWERS)
def test_only_those_who_may(house: str, call: str, reason: str) -> None:
    layout = load(house)
    power = layout.procedure.powers[call, reason]
    assert power.who
    assert {cite for cites in power.who.values() for cite in cites} == set(power.cites)
    for station in STATIONS:
        if station in power.who:
            assert power.who[station]
            assert set(power.who[station]) <= set(check_power(layout, call, station, reason))
            assert (call, reason) in powers(layout, station)
        else:
            with pytest.raises(Refused) as refused:
                check_power(layout, call, station, reason)
            assert refused.value.refusal.code == "not-your-call"
            assert set(power.cites) <= set(refused.value.refusal.cites)
            assert (call, reason) not in powers(layout, station)


@pytest.mark.parametrize("house", houses())
def test_nobody_has_a_power_no_clause_gives(house: str) -> None:
    layout = load(house)
    for station in STATIONS:
        with pytest.raises(Refused) as refused:
            check_power(layout, "forge the dice", station)
        assert refused.value.refusal.code == "no-such-power"


@pytest.mark.parametrize("house", houses())
def test_the_automatic_crew_needs_no_power(house: str) -> None:
    assert check_power(load(house), "call roll", "") == ()


def test_one_person_at_two_stations_is_one_inspection() -> None:
    """New Zealand wants two people; nobody stands in there, so a house is made where one may."""
    opened = open_table(Open(house="newzealand"))
    assert opened.layout is not None
    assert opened.table is not None
    layout, table = opened.layout, opened.table
    given = Power(who={"senior": ("5.2#1",)}, needs=(), cites=("5.2#1",))
    powers = {**layout.procedure.powers, ("stand in", ""): given}
    procedure = msgspec.structs.replace(layout.procedure, powers=powers)
    layout = msgspec.structs.replace(layout, procedure=procedure)

    def looks(station: str, person: str = "") -> HandleDice:
        return HandleDice(by=station, stand_in=person, event="inspected")

    for station in ("dealer", "box"):
        table = rule(layout, table, StandIn(by="senior", person="kim", station=station)).after
        if station == "dealer":
            table = rule(layout, table, looks("dealer", "kim")).after
    again = rule(layout, table, looks("box", "kim"))
    assert again.refusal is not None
    assert again.refusal.code == "already-so"
    assert rule(layout, table, looks("box")).accepted


def test_a_power_given_by_several_clauses_cites_the_one_that_names_the_station() -> None:
    """6.8 of New Zealand names the game supervisor, 6.9 and 6.10 those above."""
    who = load("newzealand").procedure.powers["overrule", ""].who
    assert {station: cites[0] for station, cites in who.items()} == {
        "box": "6.8",
        "supervisor": "6.9",
        "senior": "6.10#2",
    }
    assert "6.8" not in who["supervisor"]
    assert "6.10#1" not in who["senior"]
