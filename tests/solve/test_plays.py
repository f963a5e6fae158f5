"""Every legal play on the raw table for a few rolls, at every house, against the solver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boxman.chips import format_amount
from boxman.rules.book import houses
from boxman.solve import NotSolvable, solve
from boxman.solve.iterate import within
from boxman.solve.menu import MENU_ACTS, PlayMenu, Stakes
from boxman.solve.model import Model
from boxman.solve.pieces import Pieces
from boxman.solve.proof import independent
from boxman.strategy.session import Session, opened, session
from tests.limits import FIVES
from tests.solve.brute import Brute, TooLong
from tests.tools.reliability import record

Stake = dict[str, tuple[int, ...]]


def solved(played: Session, menu: Stake, acts: tuple[str, ...], target: int, rolls: int) -> float:
    """What the solver says of the same menu."""
    spots = {spot: Stakes(stakes) for spot, stakes in menu.items()}
    pieces = Pieces(played, PlayMenu(spots, *(word in acts for word in MENU_ACTS)))
    model = Model(pieces, target - 1, forever=False)
    independent(model)
    return within(model, played.bankroll, target, rolls).at(played.bankroll)


def same(played: Session, menu: Stake, acts: tuple[str, ...], target: int, rolls: int) -> None:
    truth = Brute(played, menu, acts).reach(target, rolls)
    assert solved(played, menu, acts, target, rolls) == pytest.approx(float(truth), abs=1e-12)


LINE: Stake = {"pass": (500, 1000), "pass.odds": (500, 1000)}
DONT: Stake = {"dont_pass": (500, 1000), "dont_pass.odds": (300, 600)}
DONT_COME: Stake = {"dont_come": (500,), "dont_come.odds.4": (1000,), "pass": (500,)}
FEES: Stake = {"lay.4": (4000,), "buy.10": (2000,), "hard.8": (500,)}
ONE_ROLL: Stake = {"any_craps": (100,), "horn_high.12": (500,), "big.6": (500,)}
COME: Stake = {"come": (500,), "come.odds.6": (500,), "pass": (500,)}
CRAPLESS: Stake = {"pass": (500,), "pass.odds": (500,), "place.12": (500,)}
AMERICAN: Stake = {"buy.4": (2000,), "lay.10": (1000,), "hard.8": (500,)}
CASES: list[tuple[str, Stake, tuple[str, ...], int, int, int]] = [
    # house, menu, acts, bankroll, target, rolls
    ("rws", LINE, ("raise",), 1500, 2500, 3),
    ("rws", COME, (), 1500, 2500, 3),
    ("nsw", {**LINE, "field": (500,)}, (), 1500, 2500, 3),
    ("adelaide", DONT, ("lower",), 1500, 2300, 3),
    ("adelaide", {"place.6": (700,), "place.8": (700, 1400)}, ("calls",), 1500, 2400, 3),
    ("newzealand", ONE_ROLL, (), 1000, 2000, 3),
    ("perth-crapless", CRAPLESS, (), 1500, 2500, 3),
    ("american", {**LINE, "hop.61": (500,)}, (), 1500, 2500, 3),
    ("american", AMERICAN, ("calls",), 2500, 3500, 3),
]
LONG: list[tuple[str, Stake, tuple[str, ...], int, int, int]] = [
    ("rws", LINE, ("raise", "calls"), 2000, 3500, 4),
    ("rws", COME, ("raise",), 1500, 2500, 4),
    ("nsw", FEES, ("calls",), 5000, 6500, 3),
    ("newzealand", DONT_COME, (), 1500, 2000, 4),
    ("adelaide", {**FEES, "lose.6": (600,)}, (), 5000, 6500, 3),
    ("perth-crapless", CRAPLESS, ("calls",), 1500, 2500, 4),
    ("perth-crapless", {"come": (500,), "come.odds.2": (500,)}, ("calls",), 1500, 3500, 4),
    ("american", LINE, ("raise", "calls"), 1500, 2500, 4),
    ("american", COME, (), 1500, 2500, 4),
    ("american", {"lose.6": (600,), "hop.55": (500,), **AMERICAN}, (), 2500, 3500, 3),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {' '.join(case[1])}")
def test_no_play_on_the_table_is_better(
    case: tuple[str, Stake, tuple[str, ...], int, int, int],
) -> None:
    house, menu, acts, bankroll, target, rolls = case
    same(session(house, **FIVES, bankroll=bankroll // 100), menu, acts, target, rolls)


@pytest.mark.soak
@pytest.mark.parametrize("case", LONG, ids=lambda case: f"{case[0]} {' '.join(case[1])}")
def test_no_longer_play_is_better(
    case: tuple[str, Stake, tuple[str, ...], int, int, int],
) -> None:
    house, menu, acts, bankroll, target, rolls = case
    same(session(house, **FIVES, bankroll=bankroll // 100), menu, acts, target, rolls)


def doublings(least: int, times: int) -> set[int]:
    """The least stake, so many times that, and so on."""
    return {least * times**n for n in range(8)}


def proposed_acts(before: Mapping[str, int], up: Mapping[str, int], puck: int) -> bool:
    """What the document says of proposed stakes, from fives up, told here once more: all of them
    alone, doublings beside another, eightfold beside two, the least beside more."""
    flats = {spot: stake for spot, stake in up.items() if ".odds" not in spot}
    gone = {spot for spot in before if puck and spot == "dont_pass" and spot not in up}
    count = len(flats) + len(gone)
    for spot, stake in flats.items():
        least = 600 if spot in ("place.6", "place.8") else 500
        among = {0: {stake}, 1: {stake}, 2: doublings(500, 2), 3: doublings(500, 8)}
        wanted = among.get(count, {500})
        if stake not in {-(-each // least) * least for each in wanted}:
            return False
    if count > 2:
        # Of odds all or none: twice as much behind the line where so much is allowed.
        return all(up[spot] == ALL_ODDS.get(puck) for spot in up if ".odds" in spot)
    return True


ALL_ODDS = {4: 1000, 5: 1000, 6: 1000, 8: 1000, 9: 1000, 10: 1000}
"""The most odds behind 5 on the line where twice that is taken."""
LADDER = (500, 1000, 1500, 2000)
PROPOSED: list[tuple[str, str, Stake, int, int]] = [
    # house, menu, stakes that could be meant, bankroll, target
    ("nsw", "pass,odds,field", {"pass": LADDER, "field": LADDER, "pass.odds": LADDER}, 20, 45),
    (
        "newzealand",
        "field,any_craps,big.6",
        dict.fromkeys(("field", "any_craps", "big.6"), LADDER),
        20,
        50,
    ),
    (
        "rws",
        "field,place.6,place.8",
        {"field": LADDER, "place.6": (600, 1200, 1800), "place.8": (600, 1200, 1800)},
        20,
        38,
    ),
    ("nsw", "dont_pass,field", {"dont_pass": LADDER, "field": LADDER}, 20, 40),
]


@pytest.mark.parametrize("case", PROPOSED, ids=lambda case: f"{case[0]} {case[1]}")
def test_proposed_stakes_allow_what_the_document_says(
    case: tuple[str, str, Stake, int, int],
) -> None:
    house, words, menu, bankroll, target = case
    limits: dict[str, Any] = {"minimum": 5, "maximum": 1000, "bankroll": bankroll}
    brute = Brute(session(house, **limits), menu, (), proposed_acts)
    answer = solve(house, words, reach=target, rolls=3, **limits)
    assert answer.value == pytest.approx(float(brute.reach(target * 100, 3)), abs=1e-12)


class Case(NamedTuple):
    """A question of named stakes."""

    house: str
    bankroll: int
    minimum: int
    menu: Stake
    acts: tuple[str, ...]
    goal: str
    amount: int
    rolls: int

    def solved(self) -> float:
        """As people ask it, all of it in words."""
        stakes = " ".join(
            f"{spot}={','.join(format_amount(each) for each in amounts)}"
            for spot, amounts in self.menu.items()
        )
        goals: dict[str, dict[str, Any]] = {
            "reach": {"reach": self.bankroll + self.amount, "rolls": self.rolls},
            "ahead": {"ahead": self.rolls},
            "last": {"last": self.rolls, "at_least": self.amount},
        }
        limits: dict[str, Any] = {"minimum": self.minimum, "maximum": 500}
        words = ",".join((*self.menu, *self.acts))
        goal = goals[self.goal]
        answer = solve(self.house, words, stakes, ACTS, bankroll=self.bankroll, **goal, **limits)
        return float(answer.value)

    def tried(self) -> float:
        """By every legal play."""
        played = session(self.house, bankroll=self.bankroll, minimum=self.minimum, maximum=500)
        brute = Brute(played, self.menu, self.acts)
        brute.patience = RULINGS
        if self.goal == "last":
            return float(brute.last(self.amount * 100, self.rolls))
        more = played.chip if self.goal == "ahead" else self.amount * 100
        return float(brute.reach(played.bankroll + more, self.rolls))


ACTS, RULINGS = 20_000, 20_000
"""Acts of a model, and rulings on all plays of a menu: beyond them it is given up."""


def random_case(data: st.DataObject) -> Case:
    """A small menu of any wagers of any house that are solved: no collector."""
    house = data.draw(st.sampled_from(houses()))
    minimum = data.draw(st.sampled_from((1, 5)))
    bankroll = data.draw(st.sampled_from((12, 20, 60)))
    layout, table = opened(session(house, bankroll=bankroll, minimum=minimum, maximum=500))
    made = [
        name
        for name, spot in layout.spots.items()
        if spot.behind is None and spot.gate is None and spot.windows["make"].value != "never"
    ]
    lines = [name for name in ("pass", "dont_pass", "come", "dont_come") if name in made]
    wagers = st.one_of(st.sampled_from(lines), st.sampled_from(made))
    menu: Stake = {}
    for name in data.draw(st.lists(wagers, min_size=1, max_size=3, unique=True)):
        bounds = layout.bounds(table.posted, layout.spots[name], 0)
        least = max(bounds.step, -(-bounds.minimum // bounds.step) * bounds.step)
        many = 1 if len(menu) > 1 else 2
        times = data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=many, unique=True))
        menu[name] = tuple(sorted(least * each for each in times))
    behind = [
        name
        for name, spot in layout.spots.items()
        if spot.behind and {spot.behind.flat, spot.behind.flat.rpartition(".")[0]} & set(menu)
    ]
    for name in (
        data.draw(st.lists(st.sampled_from(behind), max_size=2, unique=True)) if behind else ()
    ):
        menu[name] = (data.draw(st.sampled_from((200, 300, 500, 600, 1000))),)
    acts: Any = data.draw(st.lists(st.sampled_from(MENU_ACTS), max_size=2, unique=True))
    goal = data.draw(st.sampled_from(("reach", "reach", "ahead", "last")))
    amount = data.draw(st.sampled_from((1, 3, 7, 15)))
    rolls = data.draw(st.integers(2, 4))
    return Case(house, bankroll, minimum, menu, tuple(acts), goal, amount, rolls)


def agrees(data: st.DataObject) -> str:
    """Whether it was solved and tried; then it is what every legal play comes to."""
    case = random_case(data)
    try:
        value = case.solved()
        tried = case.tried()
    except NotSolvable:
        return "refused"
    except TooLong:
        return "too long"
    assert value == pytest.approx(tried, abs=1e-12), case
    return "agrees"


@settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_random_menus(data: st.DataObject) -> None:
    agrees(data)


@pytest.mark.soak
def test_many_random_menus() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def each(data: st.DataObject) -> None:
        seen[agrees(data)] += 1

    each()
    assert seen["agrees"] > seen.total() // 2
    record(
        "Random menus of best play",
        [
            f"{seen.total():,} random menus of all houses, two to four rolls: "
            f"{seen['agrees']:,} solved as every legal play on the table says, none otherwise",
            f"{seen['refused']:,} refused by name; {seen['too long']:,} given up after "
            f"{RULINGS:,} rulings, rolls and take-downs counted",
        ],
    )
