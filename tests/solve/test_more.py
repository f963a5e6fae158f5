"""More never hurts: wagers, stakes, acts, chips, rolls, a nearer goal; with stakes proposed too."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.solve import Answer, NotSolvable, solve
from boxman.solve.menu import MENU_ACTS, ODDS, menu_of

LIMITS: dict[str, Any] = {"minimum": 5, "maximum": 1000}
SMALL = 1e-12


def rises(values: list[float]) -> bool:
    return all(a <= b + SMALL for a, b in pairwise(values))


def test_more_never_hurts() -> None:
    """In the bankroll, the target, the stakes, the menu and the rolls, all of them named."""

    def best(menu: str, stakes: str, reach: int = 60, **options: Any) -> Answer:
        return solve("nsw", menu, stakes, bankroll=30, reach=reach, **LIMITS, **options)

    small = best("pass,odds", "5,10 odds=10")
    assert rises([chance for _, chance in small.curve()])
    nearer = best("pass,odds", "5,10 odds=10", 55)
    stakes = best("pass,odds", "5,10,15 odds=10,20")
    wagers = best("pass,odds,field", "5,10 odds=10")
    acts = best("pass,odds,field,calls,lower,raise", "5,10 odds=10")
    limited = [best("pass,odds", "5,10 odds=10", rolls=n).value for n in (5, 20, 60)]
    for more in (nearer, stakes, wagers):
        assert rises([small.value, more.value])
    assert rises([wagers.value, acts.value])
    assert rises([*limited, small.value])
    assert limited[0] < limited[-1]


def test_a_wager_that_is_added_takes_no_act_away() -> None:
    """With stakes that are proposed: from a line to many wagers, at every house."""
    for house in houses():
        chain = ["pass", "pass,odds", "pass,odds,field", "pass,odds,field,place.6"]
        values = [solve(house, menu, bankroll=15, reach=30, **LIMITS).value for menu in chain]
        assert rises(values), (house, values)
    chain = ["come", "pass,come", "pass,come,odds"]
    values = [solve("rws", menu, bankroll=10, reach=20, **LIMITS).value for menu in chain]
    assert rises(values), values


def test_proposed_stakes_are_those_of_the_smaller_menu() -> None:
    """Doubling over six wagers is no less likely than over the line with its odds."""
    line = solve("american", "pass,odds", bankroll=40, reach=80)
    more = solve("american", "pass,odds,field,place.6,place.8,any_craps", bankroll=40, reach=80)
    assert rises([line.value, more.value])


def test_a_further_goal_has_no_stake_that_a_nearer_one_lacks() -> None:
    layout = load("rws", None, 100)

    def stakes(target: int) -> dict[int, int]:
        menu = menu_of(layout, "pass,field", minimum=500, most=target).spots["pass"]
        return {each: menu.among.get(each, 99) for each in menu.amounts}

    targets = (5_000, 50_000, 60_400, 60_500, 121_000, 500_000)
    for near, far in pairwise(map(stakes, targets)):
        affordable = {each: min(2, among) for each, among in far.items() if each <= max(near)}
        assert affordable
        assert all(near[each] >= among for each, among in affordable.items())


def test_odds_keep_their_amounts_when_stakes_are_added() -> None:
    few = solve("rws", "pass,odds", "5,20", bankroll=40, reach=80, **LIMITS)
    more = solve("rws", "pass,odds", "5,12,20", bankroll=40, reach=80, **LIMITS)
    assert rises([few.value, more.value])


def chain_of(data: st.DataObject) -> tuple[str, list[str], dict[str, Any]]:
    """A house, menus each of which has one thing more than the one before, and a goal."""
    house = data.draw(st.sampled_from(houses()))
    spots = load(house).spots.values()
    made = [
        spot.id
        for spot in spots
        if not spot.behind and spot.gate is None and spot.windows["make"].value != "never"
    ]
    words = [*made, "pass", "dont_pass" if "dont_pass" in made else "pass", "come"]
    first = data.draw(st.sampled_from(words))
    more = st.sampled_from([*words, ODDS, ODDS, *MENU_ACTS])
    chain = [first]
    for word in data.draw(st.lists(more, min_size=1, max_size=3)):
        chain.append(f"{chain[-1]},{word}")
    bankroll = data.draw(st.sampled_from((10, 15, 21)))
    goal = data.draw(
        st.sampled_from(
            (
                {"reach": bankroll + 5},
                {"reach": 2 * bankroll},
                {"reach": 2 * bankroll, "rolls": 12},
                {"ahead": 6},
                {"last": 6, "at_least": 5},
                {"hourly": True, "at_least": 5},
            )
        )
    )
    return house, chain, {"bankroll": bankroll, **goal}


def never_lower(data: st.DataObject) -> int:
    """How many steps of a chain were compared; menus that are refused say why."""
    house, chain, question = chain_of(data)
    values: list[float] = []
    for menu in chain:
        try:
            answer = solve(house, menu, **question, **LIMITS, budget=20_000)
        except NotSolvable:
            continue
        # Money an hour is known to fewer places than a chance.
        values.append(-round(answer.value, 8) if answer.hour else answer.value)
    assert rises(values), (house, chain, question, values)
    return max(0, len(values) - 1)


@settings(max_examples=2, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_chains_of_menus(data: st.DataObject) -> None:
    never_lower(data)


@pytest.mark.soak
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_many_chains_of_menus(data: st.DataObject) -> None:
    never_lower(data)
