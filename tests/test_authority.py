"""Who may do what: every power of every house, both ways, at every station."""

from __future__ import annotations

import pytest

from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.rules.duties import STATIONS
from boxman.table.menu import powers
from boxman.table.powers import check_power
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
