"""Wagers made of several, changed under way, or asked about wrongly."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from boxman.library import house
from boxman.odds.names import names, select
from boxman.rules.compile import load

F = Fraction


def test_odds_cost_nothing_but_spread_the_loss() -> None:
    flat = house("nsw").odds("pass")
    both = house("nsw").with_odds("pass", 2)
    loss = flat.edge
    assert both.edge * both.figures.staked == loss
    assert both.figures.staked == 1 + 2 * F(2, 3)  # a point comes two times in three
    assert both.rolls == flat.rolls
    assert both.variance > flat.variance
    assert (both.win, both.lose) == (flat.win, flat.lose)


def test_the_houses_own_limits() -> None:
    assert house("rws").with_odds("pass").id == "pass + most odds"
    assert house("nsw").with_odds("pass", 2).allowed
    assert not house("nsw").with_odds("pass", 3).allowed
    assert house("adelaide", odds_pass=5).with_odds("pass").edge == (
        house("nsw").with_odds("pass", 5).edge
    )
    assert "6.1.5.1" in house("nsw").with_odds("pass", 2).cites
    come = house("rws").with_odds("come")
    assert come.edge == house("rws").with_odds("pass").edge
    assert house("rws").with_odds("dont_come").edge == house("rws").with_odds("dont_pass").edge


def test_money_added_after_the_point() -> None:
    """RWS lets a Pass Line grow on the point: at even money, so it costs."""
    here = house("rws")
    more = here.with_odds("pass", 0, added=1)
    assert more.allowed
    # The flat's own loss, and what the added unit loses on each point.
    on_points = sum(F(w, 36) * e for w, e in ((6, F(1, 3)), (8, F(1, 5)), (10, F(1, 11))))
    assert more.edge * more.figures.staked == F(7, 495) + on_points
    assert more.figures.staked == F(5, 3)
    assert not here.with_odds("dont_pass", 0, added=1).allowed
    assert not house("nsw").with_odds("pass", 0, added=1).allowed
    assert here.with_odds("come", 0, added=1).allowed
    # The limit of odds is measured on the flat as it stands.
    assert here.with_odds("pass", 3, added=1).figures.staked == 1 + F(2, 3) * (1 + 3 * 2)


def test_a_line_wager_made_on_the_point() -> None:
    """Perth asks a shooter without a line bet for one: made on the point, it has no come-out."""
    here = house("perth-crapless")
    for number, ways in {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 12: 1}.items():
        late = here.odds(f"pass.{number}")
        assert late.win == F(ways, ways + 6)
        assert late.edge == F(6 - ways, ways + 6)


def test_horn_high_by_number() -> None:
    here = house("nsw")  # 33 to 1 on 2 and 12, 16 to 1 on 3 and 11
    for number in (2, 3, 11, 12):
        net = here.odds(f"horn_high.{number}").net
        assert max(net) == (2 * 33 - 3 if number in (2, 12) else 33 - 4) * F(1, 5)


@pytest.mark.parametrize(("craps", "eleven"), [(1, 1), (3, 1), (1, 4)])
def test_an_uneven_split(craps: int, eleven: int) -> None:
    odds = house("newzealand").odds("c_and_e", split=(craps, eleven))
    whole = craps + eleven
    # Each part is a wager of its own: 7 to 1 on three totals, 15 to 1 on the eleven.
    expected = F(craps * 4 * 8 + eleven * 2 * 16, 36 * whole) - 1
    assert odds.edge == -expected
    assert odds.net[F(craps * 7 - eleven, whole)] >= F(1, 18)
    assert odds.at(whole * 100).edge == odds.edge


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: house("nsw").odds("place.7"), "place.7 is not offered here"),
        (lambda: house("nsw").odds("plaec.6"), "did you mean place.6?"),
        (lambda: house("nsw").odds("pass.odds"), "quoted by point: pass.odds.4, pass.odds.5"),
        (lambda: house("nsw").odds("pass.odds.7"), "7 is not a point here"),
        (lambda: house("nsw").odds("small"), "not offered here"),
        (lambda: house("perth-crapless", layout=5).odds("all"), "under these settings"),
        (lambda: house("nsw").with_odds("place.6"), "takes no odds; line and come wagers do"),
        (lambda: house("nsw").odds("c_and_e", split=(1, 1)), "no split to name"),
        (lambda: house("newzealand").odds("c_and_e", split=(1, 0)), "each more than zero"),
        (lambda: house("newzealand").odds("c_and_e", split=(1, 1, 1)), "names 2 parts"),
        (lambda: house("newzealand").odds("c_and_e", split=(3, 1)).at(200), "whole chips"),
        (lambda: house("nsw").odds("place.6", collected=(2,)), "collects nothing"),
        (lambda: house("perth-crapless").odds("small", collected=(8,)), "does not collect 8"),
        (lambda: house("perth-crapless").odds("small", collected=(2, 3, 4, 5, 6)), "is won"),
        (lambda: house("nsw").at_stake("place.6", 50), "steps of 1: try 1"),
        (lambda: house("nsw").with_odds("pass", -1), "a multiple like 2"),
        (lambda: house("nsw").with_odds("pass", 1).at(100), "the flat wager and of its odds"),
    ],
)
def test_what_cannot_be_asked(ask: object, message: str) -> None:
    assert callable(ask)
    with pytest.raises(ValueError, match=re.escape(message)):
        ask()


def test_words_for_wagers() -> None:
    layout = load("nsw")
    assert select(layout, ["hard"]) == ["hard.4", "hard.6", "hard.8", "hard.10"]
    assert select(layout, ["place.*"])[0] == "place.4"
    assert select(layout, ["pass.odds"])[1] == "pass.odds.5"
    assert select(layout, ["Win Line"]) == ["pass"]
    assert select(layout, ["field", "pass", "field"]) == ["pass", "field"]
    assert select(layout, ["pass.6"]) == ["pass.6"]
    assert select(layout, names(layout)) == names(layout)
