"""Published values. Sources, as collected in our notes on other craps software:

WoO   wizardofodds.com: craps appendices 1 and 2, bonus-craps, "ask the wizard"
E&H   Ethier and Hoppe, "A world record in Atlantic City and the length of the shooter's hand at
      craps", arXiv 0906.1545
CDW   casinodealerswebsite.com, house summary of craps
meta  cschweda/metaincognita-craps, audit report in exact arithmetic
fest  crapsfest.com, crapless craps
GT    GamingToday 2003, crapless layout
"""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from boxman.chips import parse_ratio
from boxman.library import House, house
from boxman.odds.chain import Chain, End

F = Fraction

STANDARD = ("adelaide", "newzealand", "nsw", "rws")
ALL = (*STANDARD, "perth-crapless")


@pytest.fixture(scope="module")
def houses() -> dict[str, House]:
    return {name: house(name) for name in ALL}


@pytest.mark.parametrize("name", STANDARD)
def test_the_line(houses: dict[str, House], name: str) -> None:
    for spot in ("pass", "come"):
        line = houses[name].odds(spot)
        assert line.win == F(244, 495)  # CDW, meta
        assert line.edge == line.edge_resolved == F(7, 495)  # CDW, meta, WoO
        assert line.rolls == F(557, 165)  # WoO: 3.3758
    for spot in ("dont_pass", "dont_come"):  # bar 12 and, in New South Wales, bar 2
        line = houses[name].odds(spot)
        assert line.edge == F(3, 220)  # CDW, meta
        assert line.edge_resolved == F(27, 1925)  # meta
        assert line.push == F(1, 36)
        assert line.rolls == F(557, 165)
    assert percent(houses[name].odds("pass").edge_per_roll) == 0.4189  # WoO: 0.42
    assert percent(houses[name].odds("dont_pass").edge_per_roll) == 0.4039  # WoO: 0.40
    assert round(houses[name].odds("pass").deviation, 5) == 0.9999  # WoO


def percent(share: F, places: int = 4) -> float:
    return round(float(share * 100), places)


@pytest.mark.parametrize(
    ("times", "published"),
    # CDW has 1 to 3 times, WoO appendix 2 the rest; per unit of all money put down.
    [(1, 0.8485), (2, 0.6061), (3, 0.4714), (5, 0.3263), (10, 0.1845), (20, 0.0987), (100, 0.0209)],
)
def test_pass_with_odds(houses: dict[str, House], times: int, published: float) -> None:
    assert percent(houses["nsw"].with_odds("pass", times).edge) == published


@pytest.mark.parametrize(
    ("times", "published"),
    # WoO appendix 2: laid to win so many times the flat.
    [(1, 0.6818), (2, 0.4545), (5, 0.2273), (10, 0.1240), (20, 0.0649), (100, 0.0135)],
)
def test_dont_pass_with_odds(houses: dict[str, House], times: int, published: float) -> None:
    assert percent(houses["nsw"].with_odds("dont_pass", times).edge) == published


def test_three_four_five_times_odds(houses: dict[str, House]) -> None:
    full = houses["rws"].with_odds("pass")
    assert full.allowed
    assert full.edge == F(7, 1870)  # CDW, WoO: 0.3743
    assert round(full.deviation, 6) == 4.915632  # WoO: per unit of the flat
    assert percent(houses["rws"].with_odds("dont_pass").edge) == 0.2727  # meta: 6 times laid
    assert round(houses["adelaide"].with_odds("pass", 10).deviation, 5) == 10.80917  # WoO


@pytest.mark.parametrize("name", ALL)
def test_numbers(houses: dict[str, House], name: str) -> None:
    place = {4: F(1, 15), 5: F(1, 25), 6: F(1, 66), 8: F(1, 66), 9: F(1, 25), 10: F(1, 15)}  # WoO
    per_roll = {4: 1.6667, 5: 1.1111, 6: 0.4630, 8: 0.4630, 9: 1.1111, 10: 1.6667}  # WoO
    for number, edge in place.items():
        odds = houses[name].odds(f"place.{number}")
        assert odds.edge == edge
        assert percent(odds.edge_per_roll) == per_roll[number]
        buy = houses[name].odds(f"buy.{number}")  # 5 % up front: meta, WoO
        assert buy.edge == F(1, 20)
        assert buy.edge_with_commission == F(1, 21)
    assert round(houses[name].odds("place.6").deviation, 5) == 1.07885  # WoO


@pytest.mark.parametrize("name", ["adelaide", "nsw"])
def test_place_to_lose(houses: dict[str, House], name: str) -> None:
    # Prices of the Colorado rules (1 CCR 207-1-23): 4 to 5, 5 to 8, 5 to 11.
    for number, edge in {4: 3.0303, 5: 2.5, 6: 1.8182, 8: 1.8182, 9: 2.5, 10: 3.0303}.items():
        assert percent(houses[name].odds(f"lose.{number}").edge) == edge


@pytest.mark.parametrize("name", STANDARD)
def test_lay(houses: dict[str, House], name: str) -> None:
    for number, published in {4: 2.4390, 5: 3.2258, 6: 4.0, 8: 4.0, 9: 3.2258, 10: 2.4390}.items():
        odds = houses[name].odds(f"lay.{number}")  # 5 % of the win up front: meta
        assert percent(odds.edge_with_commission) == published
    assert houses[name].odds("lay.4").edge == F(1, 40)


@pytest.mark.parametrize("name", ALL)
def test_odds_are_free(houses: dict[str, House], name: str) -> None:
    here = houses[name]
    free = [wager for wager in here.wagers if ".odds." in wager]
    assert len(free) >= 20
    assert all(here.odds(wager).edge == 0 for wager in free)


ONE_ROLL = {
    # by house: 2 and 12, 3 and 11, any craps, horn, horn high 2 and 12, horn high 3 and 11
    "adelaide": (F(1, 12), F(1, 9), F(1, 9)),  # 32 to 1: meta 8.3333
    "newzealand": (F(5, 36), F(1, 9), F(1, 9)),  # 30 to 1: meta 13.8889
    "nsw": (F(1, 18), F(1, 18), F(1, 18)),  # 33 and 16 to 1: WoO 5.5556
    "rws": (F(5, 36), F(1, 9), F(1, 9)),
    "perth-crapless": (F(5, 36), F(1, 9), F(1, 9)),
}


@pytest.mark.parametrize("name", ALL)
def test_one_roll(houses: dict[str, House], name: str) -> None:
    here = houses[name]
    hard, yo, craps = ONE_ROLL[name]
    assert here.odds("two").edge == here.odds("twelve").edge == hard
    assert here.odds("three").edge == here.odds("eleven").edge == yo
    assert here.odds("any_craps").edge == craps
    assert here.odds("any_seven").edge == F(1, 6)  # meta
    field = here.odds("field")
    assert field.edge == (F(1, 36) if name == "perth-crapless" else F(1, 18))  # meta, WoO
    assert all(here.odds(spot).rolls == 1 for spot in ("two", "field", "any_seven", "horn"))


def test_composites(houses: dict[str, House]) -> None:
    here = houses["newzealand"]
    assert here.odds("horn").edge == F(1, 8)  # meta
    assert percent(here.odds("horn_high.2").edge) == percent(here.odds("horn_high.12").edge)
    assert percent(here.odds("horn_high.12").edge) == 12.7778  # meta
    assert percent(here.odds("horn_high.11").edge) == 12.2222  # meta
    world = here.odds("world")
    assert world.edge == F(2, 15)  # 13.3333: the 7 pushes
    assert world.push == F(1, 6)
    assert here.odds("c_and_e").edge == F(1, 9)  # meta 11.1111


def test_hardways_and_big(houses: dict[str, House]) -> None:
    for name in ("adelaide", "newzealand", "rws", "perth-crapless"):
        for number in (4, 10):
            assert houses[name].odds(f"hard.{number}").edge == F(1, 9)  # meta, WoO
        for number in (6, 8):
            assert houses[name].odds(f"hard.{number}").edge == F(1, 11)  # meta, WoO
        for number in (4, 6, 8, 10):
            assert percent(houses[name].odds(f"hard.{number}").edge_per_roll) == 2.7778  # WoO
    for number in (6, 8):
        assert houses["nsw"].odds(f"big.{number}").edge == F(1, 11)  # meta
    assert round(houses["perth-crapless"].odds("field").deviation, 5) == 1.14227  # WoO


def test_crapless(houses: dict[str, House]) -> None:
    here = houses["perth-crapless"]
    assert here.odds("pass").win == F(6557, 13860)
    assert here.odds("pass").edge == here.odds("come").edge == F(373, 6930)  # fest 5.382
    assert here.odds("pass").rolls == F(9613, 2310)
    # fest: 2.936, (2.081 is its misprint), 1.042
    for times, published in {1: 2.9359, 2: 2.0184, 5: 1.0418}.items():
        assert percent(here.with_odds("pass", times).edge) == published
    for number in (2, 12):  # GT: 5 to 1, true odds 6 to 1
        assert percent(here.odds(f"place.{number}").edge) == 14.2857
        assert here.odds(f"buy.{number}").price.true == 6
        assert here.odds(f"buy.{number}").edge_with_commission == F(1, 21)
    for number in (3, 11):  # GT: 13 to 5, true odds 3 to 1
        assert here.odds(f"place.{number}").edge == F(1, 10)
        assert here.odds(f"buy.{number}").price.true == 3


SMALL, ALL_TEN = F(20049, 760760), F(126538525259, 24067258815600)


@pytest.mark.parametrize(
    ("number", "small", "make_all"),
    # The five lists; WoO prints the edges of 30, 34, 150 and 175 to 1: 18.30, 7.76, 20.61, 7.46.
    [(1, 30, 150), (2, 31, 160), (3, 32, 165), (4, 33, 170), (5, 34, 175)],
)
def test_bonus_bets(number: int, small: int, make_all: int) -> None:
    here = house("perth-crapless", bonus_list=number)
    for spot in ("small", "tall"):
        assert here.odds(spot).win == SMALL  # WoO .026354
        assert here.odds(spot).edge == 1 - SMALL * (small + 1)
    assert here.odds("all").win == ALL_TEN  # WoO .005258
    assert here.odds("all").edge == 1 - ALL_TEN * (make_all + 1)
    published = {1: (18.3029, 20.6087), 5: (7.7613, 7.4644)}
    if number in published:
        assert percent(here.odds("small").edge) == published[number][0]
        assert percent(here.odds("all").edge) == published[number][1]


@pytest.mark.parametrize("name", STANDARD)
def test_the_hand(houses: dict[str, House], name: str) -> None:
    hand = houses[name].hand
    assert hand.mean == F(1671, 196)  # E&H, WoO
    assert hand.variance == F(1768701, 38416)
    assert round(hand.deviation, 6) == 6.785333
    assert hand.median == 6  # crapsanalyst.com
    assert hand.lengths.mass[:4] == (0, F(1, 9), F(227, 1944), F(611, 5832))
    for rolls, chance in {10: 0.3193907, 20: 0.0728540, 50: 8.60982e-4, 100: 5.27582e-7}.items():
        assert float(hand.at_least(rolls)) == pytest.approx(chance, rel=1e-5)
    assert float(hand.at_least(154)) == pytest.approx(1.788824e-10, rel=5e-7)  # E&H
    assert round(1 / hand.at_least(154)) == 5_590_264_072  # E&H: one in 5.59 billion
    assert float(hand.at_least(118)) == pytest.approx(3.67888e-8, rel=1e-5)


def test_the_hand_is_four_geometrics(houses: dict[str, House]) -> None:
    # E&H: P(L >= n) = sum of c e^(n-1); the digits were computed apart from this program.
    roots = (0.862473751659322, 0.741708271459796, 0.709206775794379, 0.186611201086503)
    shares = (1.211844812464519, -0.006375542263785, -0.004042671248652, -0.201426598952082)
    hand = houses["nsw"].hand
    for n in range(1, 100):
        form = sum(c * e ** (n - 1) for c, e in zip(shares, roots, strict=True))
        assert float(hand.at_least(n)) == pytest.approx(form, rel=1e-11)


def test_the_hand_against_its_textbook_chain() -> None:
    # mathproblems.info #204: come-out, 4/10, 5/9, 6/8 with these ways.
    ways = {
        "come-out": {"come-out": 12, "4": 6, "5": 8, "6": 10},
        "4": {"come-out": 3, "4": 27},
        "5": {"come-out": 4, "5": 26},
        "6": {"come-out": 5, "6": 25},
    }

    def follow(state: str) -> list[tuple[str | End, int]]:
        row: list[tuple[str | End, int]] = [*ways[state].items()]
        return row if state == "come-out" else [*row, (End(F(0)), 6)]

    chain = Chain({"come-out": 1}, follow)
    assert chain.outlook().rolls == F(1671, 196)
    assert chain.lengths() == house("nsw").hand.lengths


def test_the_crapless_hand(houses: dict[str, House]) -> None:
    hand = houses["perth-crapless"].hand
    assert hand.mean == F(57678, 7303)
    assert round(hand.deviation, 5) == 6.30723


def test_money_added_on_the_point() -> None:
    # Put without odds: 33.33, 20, 9.0909 per cent. A rulebook of ours says the same of late money.
    here = house("rws")
    for number, edge in {4: F(1, 3), 5: F(1, 5), 6: F(1, 11)}.items():
        assert here.odds(f"pass.{number}").edge == edge
        assert here.odds(f"come.{number}").edge == edge
        assert here.odds(f"dont_pass.{number}").edge == -edge


def test_prices_in_words(houses: dict[str, House]) -> None:
    assert str(houses["nsw"].odds("place.4").price) == "pays 9 to 5, true odds 2 to 1"
    assert str(houses["nsw"].odds("hard.4").price) == "pays 7.5 to 1, true odds 8 to 1"
    assert houses["nsw"].odds("field").price.pays == (
        (parse_ratio("2 to 1"), (2, 12)),
        (parse_ratio("1 to 1"), (3, 4, 9, 10, 11)),
    )


AMERICAN = {
    # WoO, craps appendix 1 ("house edge of all bets"), in percent.
    **{"pass": 1.4141, "dont_pass": 1.3636, "field": 5.5556, "any_seven": 16.6667},
    **{"place.4": 6.6667, "place.5": 4.0, "place.6": 1.5152, "big.6": 9.0909},
    **{"lose.4": 3.0303, "lose.5": 2.5, "lose.6": 1.8182},
    **{"buy.4": 1.6667, "buy.5": 2.0, "buy.6": 2.2727},
    **{"lay.4": 1.6667, "lay.5": 2.0, "lay.6": 2.2727},
    **{"hard.4": 11.1111, "hard.6": 9.0909, "hop.43": 11.1111, "hop.33": 13.8889},
    **{"two": 13.8889, "three": 11.1111, "eleven": 11.1111, "twelve": 13.8889},
    **{"any_craps": 11.1111, "horn": 12.5, "world": 13.3333, "c_and_e": 11.1111},
    **{"horn_high.2": 12.7778, "horn_high.3": 12.2222},
}
BONUS = {"fire": 20.76, "hot_hand": 18.02, "small": 18.3, "tall": 18.3, "all": 20.61}
"""WoO: Fire Bet, Hot Hand, bonus craps at 30 and 150 to 1; two digits are published."""


@pytest.mark.parametrize("spot", AMERICAN)
def test_the_american_house(spot: str) -> None:
    assert percent(house("american").odds(spot).edge) == AMERICAN[spot]


@pytest.mark.parametrize("spot", BONUS)
def test_american_bonus_bets(spot: str) -> None:
    assert percent(house("american").odds(spot).edge, 2) == BONUS[spot]


def test_the_american_house_by_its_settings() -> None:
    """WoO: field 2.78 with 3 to 1, buy and lay with commission at placement, 34 and 175 to 1."""
    assert percent(house("american", field_12="triple").odds("field").edge, 2) == 2.78
    paid = house("american", commission_taken="placement")
    found = [percent(paid.odds(spot).edge_with_commission, 2) for spot in ("buy.4", "buy.6")]
    assert found == [4.76, 4.76]
    laid = [percent(paid.odds(f"lay.{n}").edge_with_commission, 2) for n in (4, 5, 6)]
    assert laid == [2.44, 3.23, 4.0]
    more = house("american", bonus="34-175")
    assert [percent(more.odds(s).edge, 2) for s in ("small", "tall", "all")] == [7.76, 7.76, 7.46]


ROW = re.compile(r"\| `([\w.]+)`( 3-4-5)? \| (?:(\w+)=([\w-]+))? ?\| ([\d.]+) \| .*\S \|")
PAGE = Path(__file__).parents[2] / "docs" / "odds.md"


def test_the_published_table() -> None:
    """Every row of the page, to the last digit that its source prints."""
    _, _, table = PAGE.read_text().partition("## Published edges")
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    assert len(rows) > 20
    for row in rows:
        match = ROW.fullmatch(row)
        assert match is not None, row
        spot, behind, name, value, published = match.groups()
        here = house("american", **({name: value} if name else {}))
        odds = here.odds(spot)
        edge = odds.edge_with_commission if name == "commission_taken" else odds.edge
        if behind:
            # 3, 4 and 5 times behind points that come 6, 8 and 10 times in 36, at no edge.
            edge = odds.edge / (1 + F(6 * 3 + 8 * 4 + 10 * 5, 36))
        places = len(published.partition(".")[2])
        assert f"{float(edge * 100):.{places}f}" == published, row


def test_how_many_points_a_shooter_makes() -> None:
    """Ethier's probabilities, twelve digits, in Catlin's article on the Fire Bet."""
    fire = house("american").odds("fire")
    chances = fire.within(400)  # what is left after them is below 1e-20
    fewer = 0.593939393939 + 0.260750492004 + 0.101275355549 + 0.033434212179
    assert float(chances[F(24)]) == pytest.approx(0.008798178440, abs=5e-13)
    assert float(chances[F(-1)]) == pytest.approx(fewer, abs=2e-12)
