"""What chips do to a price: the edge at a stake, and the stakes that favour the player."""

from __future__ import annotations

from fractions import Fraction

import pytest

from boxman.library import house
from boxman.odds.pay import StakeError
from boxman.odds.quote import Odds, price_list
from boxman.rules.book import houses, read_book, read_text
from boxman.rules.compile import compile_layout, load
from boxman.rules.layout import Layout
from boxman.table.calls import Bet, BuyIn, CallRoll, CloseBets
from boxman.table.floor.throws import needs_close
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule
from boxman.table.state import Settled
from tests.auditor import Auditor

F = Fraction


def test_rounding_up_by_hand() -> None:
    """Place 6 pays 7 to 6: five ways to win, six to lose."""
    here = house("nsw")
    paid = {1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7, 7: 9, 12: 14, 13: 16, 20: 24}
    for stake, win in paid.items():
        assert here.at_stake("place.6", 100 * stake).edge == F(6 * stake - 5 * win, 11 * stake)
    assert here.odds("place.6").favoured.stakes == tuple(
        100 * stake for stake in (1, 2, 3, 4, 7, 8, 9, 13, 14, 19)
    )


@pytest.mark.parametrize(
    ("name", "settings"),
    [("adelaide", {}), ("newzealand", {}), ("nsw", {}), ("nsw", {"fee_rounding": "down"})],
)
def test_the_list_of_favourable_stakes_is_complete(name: str, settings: dict[str, str]) -> None:
    layout = load(name, settings)
    for odds in price_list(layout).values():
        if odds.edge > 0:
            step = layout.step(odds.spot, odds.puck)
            tried = range(step, 60 * 100 + 1, step)
            below = tuple(stake for stake in tried if odds.at(stake).edge < 0)
            assert below == tuple(s for s in odds.favoured.stakes if s <= 60 * 100), odds.id
            assert not odds.favoured.period


def test_odds_are_favourable_whenever_chips_cannot_pay() -> None:
    odds = house("nsw").odds("pass.odds.6").favoured
    assert (odds.stakes, odds.period) == ((100, 200, 300, 400), 500)
    assert not house("nsw").odds("pass.odds.4").favoured.stakes
    assert not house("nsw", chip=500).odds("pass").favoured.stakes
    # What favours the player without rounding is not on the list.
    assert not house("nsw").odds("dont_come.6").favoured.stakes


@pytest.mark.parametrize("name", ["rws", "perth-crapless"])
def test_a_house_that_pays_exactly_favours_nobody(name: str) -> None:
    layout = load(name)
    assert not any(odds.favoured.stakes for odds in price_list(layout).values())
    with pytest.raises(StakeError, match="steps of 6: try 6 or 12"):
        Odds(layout, "place.6").at(700)
    assert Odds(layout, "place.6").at(600).edge == F(1, 66)


def test_a_house_may_choose_its_rounding() -> None:
    down = house("newzealand", rounding="down").at_stake("place.6", 700)
    assert down.edge == F(6 * 7 - 5 * 8, 77)
    assert house("rws", rounding="up").at_stake("place.6", 700).edge == F(6 * 7 - 5 * 9, 77)
    # Rounded down to nothing, a win is no win.
    nothing = house("newzealand", rounding="down").at_stake("dont_pass.odds.6", 100)
    assert (nothing.win, nothing.push, nothing.lose) == (0, F(6, 11), F(5, 11))


def test_a_commission_is_rounded_by_its_own_rule() -> None:
    here = house("nsw", fee_rounding="down")
    numbers = here.at_stake("buy.4", 3000)  # 5 % is 1.50, charged 1
    assert numbers.edge == F(1, 30)
    assert numbers.edge_with_commission == F(1, 31)
    assert here.at_stake("buy.4", 1000).edge == 0
    # 20 to 39 are charged 1, and so on: never below the true odds, so nothing is favourable.
    assert not here.odds("buy.4").favoured.stakes
    with pytest.raises(StakeError, match=r"buy\.4 cannot take 30"):
        house("nsw").at_stake("buy.4", 3000)


@pytest.mark.parametrize("base", ["4", "5", "6"])
def test_a_commission_charged_on_a_win(base: str) -> None:
    """Published: 1/60, 1/50 and 1/44 for 5 % of the bet on a win (metaincognita, trainer)."""
    text = changed(read_book("nsw").path, 'charged = "placement"', 'charged = "win"')
    odds = Odds(compile_layout(read_text("changed.md", text)), f"buy.{base}")
    assert odds.edge == {"4": F(1, 60), "5": F(1, 50), "6": F(1, 44)}[base]
    assert odds.edge_with_commission == odds.edge
    lay = Odds(compile_layout(read_text("changed.md", text)), f"lay.{base}")
    assert lay.edge == {"4": F(1, 60), "5": F(1, 50), "6": F(1, 44)}[base]


def changed(path: str, old: str, new: str) -> str:
    from importlib import resources

    text = (resources.files("boxman") / "rulebooks" / path).read_text()
    assert old in text
    return text.replace(old, new)


def test_composites_are_netted_before_they_are_rounded() -> None:
    here = house("nsw")
    # Crap-Eleven of 2: 15 to 2 on half wins 7.5 less 1, that is 6.50, paid 7; on 11, 15 as it is.
    numbers = here.at_stake("c_and_e", 200)
    assert numbers.net == {F(15, 2): F(1, 18), F(7, 2): F(1, 9), F(-1): F(5, 6)}


STAKES = (100, 200, 300, 500, 700, 1000, 1100, 1900, 2000, 2500)


@pytest.mark.parametrize("name", houses())
def test_stakes_pay_what_the_reference_table_pays(name: str) -> None:
    """Every stake of every wager made with the puck off: what it nets on each roll."""
    layout = load(name)
    for odds in price_list(layout).values():
        spot = odds.spot
        if odds.puck or not spot.may("make", 0) or spot.is_odds or not spot.works[0]:
            continue
        for stake in STAKES:
            if stake % layout.step(spot, 0):
                with pytest.raises(StakeError):
                    odds.at(stake)
                continue
            nets = set(odds.at(stake).net)
            paid = {net for net in rolled(layout, spot.id, stake) if net is not None}
            assert paid <= nets, (odds.id, stake)


def rolled(layout: Layout, spot: str, stake: int) -> set[F | None]:
    opening = open_table(Open(house=layout.house, minimum=100, maximum=10**9))
    assert opening.table is not None
    table = rule(layout, opening.table, BuyIn(seat="ann", amount=10**9)).after
    ruling = rule(layout, table, Bet(seat="ann", spot=spot, amount=stake))
    if ruling.refusal is not None:
        assert ruling.refusal.code == "name-the-split"
        return set()
    fee = table.seats["ann"].rail - stake - ruling.after.seats["ann"].rail
    table = ruling.after
    if needs_close(layout):
        table = rule(layout, table, CloseBets()).after
    found: set[F | None] = set()
    for first in range(1, 7):
        for second in range(1, 7):
            for decision in rule(layout, table, CallRoll(first=first, second=second)).decisions:
                if isinstance(decision, Settled):
                    found.add(F(decision.net - fee, stake))
    return found


def test_the_auditor_agrees_on_a_rounded_win() -> None:
    auditor = Auditor("nsw", chip=100)
    auditor.bet("ann", "place.6", 700)
    auditor.mark("ann", "place.6", "on")
    outcome = auditor.roll(4, 2)["ann", "place.6"]
    assert F(outcome.paid, 700) in house("nsw").at_stake("place.6", 700).net
