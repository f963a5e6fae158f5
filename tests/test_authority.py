"""Who may do what: every power of every house, both ways, at every station."""

from __future__ import annotations

import msgspec
import pytest

from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.rules.duties import STATIONS, PowerName
from boxman.rules.procedure import Power
from boxman.table.calls import HandleDice, StandIn
from boxman.table.floor.powers import check_power
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule
from boxman.table.rulings import Refused

POWERS = [
    (house, power.call, power.reason)
    for house in houses()
    for power in load(house).procedure.granted
]


@pytest.mark.parametrize(("house", "call", "reason"), POWERS)
def test_only_those_who_may(house: str, call: PowerName, reason: str) -> None:
    layout = load(house)
    power = layout.procedure.powers[call][reason]
    assert power.who
    given = {cite for cites in power.given.values() for cite in cites}
    assert given >= set(power.cites)  # and who is one of them
    for station in STATIONS:
        if station in power.who:
            assert power.given[station]
            assert set(power.given[station]) <= set(check_power(layout, call, station, reason))
        else:
            with pytest.raises(Refused) as refused:
                check_power(layout, call, station, reason)
            assert refused.value.refusal.code == "not-your-call"
            assert set(power.cites) <= set(refused.value.refusal.cites)


@pytest.mark.parametrize("house", houses())
def test_nobody_has_a_power_no_clause_gives(house: str) -> None:
    layout = load(house)
    for station in STATIONS:
        with pytest.raises(Refused) as refused:
            check_power(layout, "forge the dice", station)  # type: ignore[arg-type]
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
    cites = ("5.2#1",)
    given = Power(call="stand in", who=("senior",), given={"senior": cites}, cites=cites)
    powers = {**layout.procedure.powers, "stand in": {"": given}}
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
    who = load("newzealand").procedure.powers["overrule"][""].given
    assert {station: cites[0] for station, cites in who.items()} == {
        "box": "6.8",
        "supervisor": "6.9",
        "senior": "6.10#1",
    }
    assert "6.8" not in who["supervisor"]
    # A more senior one is a casino supervisor; the second sentence is for a supervisor's own call.
    assert "6.10#2" not in who["senior"]
