"""The fee a menu shows for an amount is the fee the table takes, however a house rounds it."""

from __future__ import annotations

import msgspec
import pytest

from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.rules.layout import Layout
from boxman.rules.settings import SettingError
from boxman.table.calls import Bet, BuyIn, GiveBack, Reduce
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule
from boxman.table.said.menu import menu
from boxman.table.state import Table
from tests.evening import charged
from tests.remedies import followed


@pytest.mark.parametrize("rounding", ["exact", "up", "down"])
def test_the_menu_brings_every_fee(rounding: str) -> None:
    tried = 0
    for house in houses():
        settings = {"fee_rounding": rounding}
        try:
            layout = load(house, settings, 100)
        except SettingError:
            continue  # a house that charges nothing beyond its fee does not round it up
        opened = open_table(Open(house=house, minimum=100, maximum=9000, settings=settings))
        assert opened.table is not None
        table = rule(layout, opened.table, BuyIn(seat="ann", amount=20000)).after
        for spot in layout.spots.values():
            if spot.fee is not None and spot.fee.charged == "placement":
                tried += _made_raised_and_overpaid(layout, table, spot.id)
    assert tried > 100


def _made_raised_and_overpaid(layout: Layout, table: Table, spot: str) -> int:
    tried = _compared(layout, table, spot)
    least = menu(layout, table, "ann").choices[spot].bet[0][0]
    table = rule(layout, table, Bet(seat="ann", spot=spot, amount=least)).after
    tried += _compared(layout, table, spot)
    # Somebody who has paid more than is owed pays nothing until it is used up.
    wager = table.seats["ann"].wagers[spot]
    rich = msgspec.structs.replace(wager, fee=wager.fee + 300)
    seat = msgspec.structs.replace(table.seats["ann"], wagers={spot: rich})
    return tried + _compared(layout, msgspec.structs.replace(table, seats={"ann": seat}), spot)


def _compared(layout: Layout, table: Table, spot: str) -> int:
    """Every amount of the menu against the table."""
    choice = menu(layout, table, "ann").choices[spot]
    amounts = [n for low, high, step in choice.bet for n in range(low, high + 1, step)]
    for amount in amounts:
        ruling = rule(layout, table, Bet(seat="ann", spot=spot, amount=amount))
        assert ruling.accepted, (spot, amount, ruling.refusal)
        took = table.seats["ann"].rail - ruling.after.seats["ann"].rail
        assert took == amount + charged(choice.fees, amount), (spot, amount)
    return len(amounts)


@pytest.mark.parametrize(
    ("up", "left", "remedy"),
    [
        (4000, 3000, "leave 20 up"),
        (6000, 3000, "leave 20 or 40 up"),
        (4000, 500, "leave 20 up"),
        (2000, 1500, ""),
    ],
)
def test_who_may_not_lower_a_stake_so_is_told_what_may_be_left_of_it(
    up: int, left: int, remedy: str
) -> None:
    opened = open_table(Open(house="adelaide", minimum=1000, maximum=50000))
    assert opened.table is not None
    assert opened.layout is not None
    table = rule(opened.layout, opened.table, BuyIn(seat="ann", amount=20000)).after
    table = rule(opened.layout, table, Bet(seat="ann", spot="buy.4", amount=up)).after
    for call in (
        Reduce(seat="ann", spot="buy.4", to=left),
        GiveBack(by="box", seat="ann", spot="buy.4", amount=up - left),
    ):
        refusal = rule(opened.layout, table, call).refusal
        assert refusal is not None
        assert refusal.remedy == remedy, refusal
        assert followed(opened.layout, table, call, refusal)
