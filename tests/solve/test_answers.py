"""Answers as a whole: more never hurts, no library strategy is better, cards and mistakes cost."""

from __future__ import annotations

import re
from itertools import product

import pytest

from boxman.report.terminal import text
from boxman.rules.book import houses
from boxman.rules.layout import Spot
from boxman.sim.followed import followed
from boxman.solve import NotSolvable, solve
from boxman.solve.budget import TooManyActs, counted
from boxman.solve.compare import chance_of
from boxman.solve.goals import Reach
from boxman.solve.menu import MenuError
from boxman.solve.model import _choices
from boxman.solve.proof import ALONE, LINKS
from boxman.solve.words import cost_parts, summary
from boxman.strategy.library import ENTRIES, find
from boxman.strategy.session import session

KNOWN = {"nsw": 0.495249, "rws": 0.496974, "adelaide": 0.498367, "newzealand": 0.493177}
"""300 to 600 on the line with odds, all in fives, as an independent prototype found them."""


@pytest.mark.parametrize(
    "house",
    [name if name == "rws" else pytest.param(name, marks=pytest.mark.soak) for name in KNOWN],
)
def test_the_known_figures(house: str) -> None:
    answer = solve(house, bankroll=300, reach=600, minimum=5, maximum=1000)
    assert round(answer.value, 6) == KNOWN[house]
    if house == "rws":  # what its coach says: best 45, 49.70 %; 100, 49.57 %
        worth = dict(answer.choices(300_00))
        assert (answer.first, round(worth["45 pass"], 4)) == ("45 pass", 0.4970)
        assert round(worth["100 pass"], 4) == 0.4957
    assert answer.gap < 1e-15
    assert answer.loses == pytest.approx(1 - answer.value, abs=1e-12)


def test_no_library_strategy_on_the_menu_is_better() -> None:
    """With the stakes a strategy makes among those of the menu, whatever the goal."""
    menu = ("rws", "pass,odds", "10..200:10")
    answer = solve(*menu, bankroll=100, reach=200, minimum=10)
    found = [each for each in answer.library if not each.beyond]
    assert len(found) >= 5
    assert 0.4 < max(each.value for each in found) <= answer.value + 1e-9
    limited = solve(*menu, bankroll=100, reach=200, rolls=30, minimum=10)
    found = [each for each in limited.library if not each.beyond]
    assert 0.1 < max(each.value for each in found) <= limited.value + 1e-9
    line = solve("rws", "pass", "10", bankroll=30, reach=60, minimum=10)
    beyond = {each.name.partition("(")[0]: each.beyond for each in line.library}
    assert (beyond["pass"], beyond["pass-odds"]) == ((), ("pass.odds",))
    lasting = solve("rws", "pass", "10", bankroll=60, last=40, at_least=10, minimum=10)
    found = [each for each in lasting.library if not each.beyond]
    line = next(each for each in found if each.name == "pass(unit=10)")
    assert line.value == pytest.approx(lasting.value, abs=1e-12)
    assert max(each.value for each in found) <= lasting.value + 1e-9
    hour = solve("rws", "pass", "25", bankroll=300, hourly=True, at_least=25, minimum=10)
    found = [each for each in hour.library if not each.beyond]
    line = next(each for each in found if each.name == "pass(unit=25)")
    assert line.value == pytest.approx(hour.value, abs=1e-6)
    assert min(each.value for each in found) >= hour.value - 1e-6


def test_a_strategy_is_counted_on_the_rail() -> None:
    """A come on its number is no chip on the rail: face is more than that."""
    from boxman.sim.exact import explored
    from boxman.sim.exact import solve as solved

    def exactly(name: str, count: str) -> float:
        played = session("rws", bankroll=50, stop_win=30, count=count)
        return solved(explored(find(name), played), played, ever=True).ends["win"]

    molly, played = "molly(unit=10, odds=0, comes=1)", session("rws", bankroll=50)
    honest, _ = chance_of(find(molly), played, Reach(8000), 5_000, 10**9)
    assert honest < exactly(molly, "face") - 0.001
    assert honest == pytest.approx(exactly(molly, "rail"), abs=1e-9)
    for name in ("pass(unit=10)", "dont-lay(unit=10)"):
        same, _ = chance_of(find(name), played, Reach(8000))
        assert same == pytest.approx(exactly(name, "face"), abs=1e-9)


CARDS: list[tuple[str, str, str, dict[str, int], float]] = [
    # house, menu, stakes, question, and what the card may cost
    ("rws", "pass,odds", "5..100:5", {"bankroll": 50, "reach": 100}, 0.003),
    ("rws", "pass,odds,place.6,place.8,field", "", {"bankroll": 50, "reach": 100}, 0.004),
    ("rws", "pass,dont_pass,odds", "5,10,20,45", {"bankroll": 50, "reach": 100}, 0.003),
    ("rws", "place.6,place.8", "6,12,24,48", {"bankroll": 48, "reach": 96}, 0.008),
    ("rws", "pass,come,odds", "5 odds=most", {"bankroll": 20, "reach": 40}, 0.003),
    ("perth-crapless", "pass,odds", "", {"bankroll": 50, "reach": 100, "rolls": 20}, 0.003),
    ("nsw", "dont_pass,odds", "", {"bankroll": 60, "last": 20, "at_least": 20}, 0.001),
]


@pytest.mark.parametrize("case", CARDS, ids=lambda case: f"{case[0]} {case[1]}")
def test_a_card_is_short_and_costs_what_it_says(
    case: tuple[str, str, str, dict[str, int], float],
) -> None:
    """Played on the table's own felts it comes to its value, at twelve digits."""
    house, menu, stakes, question, most = case
    answer = solve(house, menu, stakes, **question)
    card, values, goal = answer.card, answer.values, answer.goal
    assert card is not None
    assert values is not None
    assert 1 <= len(card.rows) <= 12
    assert card.cost == pytest.approx(answer.value - card.value, abs=1e-15)
    assert 0 <= card.cost < most
    # The same acts with any number of rolls left.
    values.best, values.layers = card.acts, [card.acts] * values.rolls
    rolls = {"rolls": values.rolls} if values.rolls else {}
    asked = answer.session
    limits = {"minimum": asked.minimum // 100, "maximum": asked.maximum // 100}
    played = session(house, bankroll=question["bankroll"], **limits, **rolls)
    found = followed(answer.policy("card").strategy(), played, ever=not rolls)
    reached = isinstance(goal, Reach)
    got = found.at_least(goal.target - asked.bankroll) if reached else found.ends["rolls"]
    assert got == pytest.approx(card.value, abs=1e-12)


def test_mistakes_cost() -> None:
    answer = solve("rws", "pass,odds", "5..100:5", bankroll=50, reach=100)
    assert answer.mistakes
    assert all(each.cost >= -1e-12 for each in answer.mistakes)
    best = answer.choices(answer.session.bankroll)[0][1]
    assert best == pytest.approx(answer.value, abs=1e-12)
    told = text(summary(answer))
    assert told.index("is lost") < told.index("goal is met") < told.index("A card")


def test_a_mistake_after_the_first_bet_costs_what_arithmetic_says() -> None:
    """5 of 10 on the line, 16 wanted: without odds of 5 a point brings 15 and another bet.

    One roll after the point (2 in all): the odds win or nothing does. Two: going without them
    once, the point brings 15, from which a 7 or 11 brings 20; or the odds come a roll later.
    Behind 5 and 9 the house takes no odds of 5: 3 to 2 of it is no chip.
    """
    ways = {4: 3, 6: 5, 8: 5, 10: 3}
    for rolls in (2, 3):
        options = {"reach": 16, "rolls": rolls, "minimum": 5, "maximum": 100}
        answer = solve("rws", "pass,odds", "5 odds=5", bankroll=10, **options)
        costs = {
            int(puck): each.cost
            for each in answer.mistakes
            if each.when.startswith("point") and each.words == "nothing more"
            for puck in each.when.removeprefix("point ").split(", ")
        }
        lost = 1 - (8 / 36 if rolls == 3 else 0)
        assert costs == pytest.approx({puck: n / 36 * lost for puck, n in ways.items()})


def test_every_link_between_spots_is_known() -> None:
    """A spot with a new field could be linked to others: whoever adds one has to say."""
    assert {*LINKS, *ALONE} == set(Spot.__struct_fields__)


def test_a_goal_is_one_goal() -> None:
    for wrong in ({}, {"reach": 600, "ahead": 20}, {"last": 20}, {"hourly": True}):
        with pytest.raises(NotSolvable, match="--"):
            solve("rws", bankroll=300, **wrong)
    with pytest.raises(NotSolvable, match="reached that already"):
        solve("rws", bankroll=300, reach=300)


def test_menus_that_cannot_be() -> None:
    bonus = next(h for h in houses() if "small" in ENTRIES and _has(h, "small"))
    with pytest.raises(MenuError, match="small collects"):
        solve(bonus, "small", bankroll=300, reach=600)
    with pytest.raises(MenuError, match="did you mean"):
        solve("rws", "place.66", bankroll=300, reach=600)
    with pytest.raises(MenuError, match="a wager moves there"):
        solve("rws", "come.6", bankroll=300, reach=600)
    with pytest.raises(
        NotSolvable, match=r"multiply .* This fits: --menu pass,place,field --stakes"
    ):
        solve("rws", "pass,place,field", "5..300:5", bankroll=300, reach=600, budget=50_000)
    with pytest.raises(NotSolvable, match="at risk on the come-out"):
        solve("rws", "place.6", "30", bankroll=300, last=20, at_least=25)


@pytest.mark.parametrize(
    ("house", "menu", "stakes", "question", "budget"),
    [
        ("rws", "pass,place,field", "5..300:5", {"reach": 600}, 20_000),
        pytest.param(
            "nsw", "pass,come,odds", "20,40,60", {"reach": 600}, 20_000, marks=pytest.mark.soak
        ),
        pytest.param(
            "american",
            "pass,odds,place,hard",
            "5..100:5",
            {"ahead": 20},
            20_000,
            marks=pytest.mark.soak,
        ),
        ("adelaide", "dont_pass,dont_come,odds", "", {"last": 20, "at_least": 25}, 3_000),
        ("perth-crapless", "pass,odds,buy", "", {"hourly": True, "at_least": 25}, 3_000),
        # Odds by name, and a first wager that takes none.
        ("perth-crapless", "hard.10,come,come.odds.10", "5,10", {"reach": 330}, 400),
    ],
)
def test_a_menu_that_is_said_to_fit_fits(
    house: str, menu: str, stakes: str, question: dict[str, int], budget: int
) -> None:
    """A question too large names what multiplies and a menu; asked with that, it is answered."""
    with pytest.raises(TooManyActs, match=r"multiply|positions") as refused:
        solve(house, menu, stakes, budget, bankroll=300, **question)
    fits = re.search(r'--menu (\S+) --stakes "([^"]+)" \(([\d,]+) acts\)', str(refused.value))
    assert fits, str(refused.value)
    # Stakes as people bet them: 1, 2, 5, 10 times the least.
    for amounts in re.findall(r"[\d,]+\d", fits[2].partition(" odds")[0].replace("=", " ")):
        least, *more = map(int, amounts.split(","))
        assert all(str(each / least).rstrip("0.") in "125" for each in more), amounts
    answer = solve(house, fits[1], fits[2], budget, bankroll=300, **question)
    assert answer.model.acts == int(fits[3].replace(",", "")) <= budget
    assert answer.value > 0


def test_acts_are_counted_as_they_are_made() -> None:
    """Before equal ones become one; so a menu is refused before it is made."""
    for house, menu, stakes in (
        ("rws", "pass,field,place.6", ""),
        ("nsw", "dont_pass,odds", "5,10,15"),
        ("rws", "pass,come,odds", "5 odds=most"),
    ):
        model = solve(house, menu, stakes, bankroll=20, reach=40, minimum=5, maximum=100).model
        made = 0
        for number in range(len(model.positions)):
            groups = model._groups_of(number)
            options = [range(len(group.cash)) for group in groups]
            for chosen in product(*options):
                picked = list(zip(groups, chosen, strict=True))
                up = sum(bool(group.up[n]) for group, n in picked)
                spent = -sum(int(group.cash[n]) for group, n in picked)
                among = min((int(group.among[n]) for group, n in picked), default=99)
                made += spent <= model.rails[number] and up <= among
        places = range(len(model.positions))
        rows = [(_choices(model._groups_of(n)), model.rails[n]) for n in places]
        assert model.acts <= sum(counted(*row) for row in rows) == made


@pytest.mark.parametrize(
    "question",
    [
        {"reach": 60},
        {"reach": 60, "rolls": 20},
        {"ahead": 12},
        {"last": 12, "at_least": 5},
        {"hourly": True, "at_least": 5},
    ],
    ids=lambda question: " ".join(question),
)
def test_every_goal_has_mistakes_with_their_cost(question: dict[str, int]) -> None:
    """At first and on points; what is best costs nothing, and is named beside each."""
    answer = solve("rws", "pass,odds", "5,10 odds=5,10", bankroll=30, **question)
    told = answer.mistakes
    assert any(each.when == "at first" for each in told)
    assert any(each.when.startswith("point") for each in told)
    assert all(each.cost > -1e-12 and each.best != each.words for each in told)
    assert max(each.cost for each in told) > 1e-6
    assert "Something else done once" in text(cost_parts(answer))


def _has(house: str, spot: str) -> bool:
    from boxman.library import house as found

    return spot in found(house).layout.spots
