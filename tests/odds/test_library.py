"""The library, and the documents that show it."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

import boxman.odds
from boxman.chips import AmountError
from boxman.rules.book import BookError
from boxman.rules.settings import SettingError
from boxman.table.calls import (
    Bet,
    BuyIn,
    Call,
    CashOut,
    GrantLimits,
    PlaceFor,
    PostLimits,
    Reduce,
    ShowNotice,
)

ROOT = Path(__file__).parents[2]


def test_the_sentence_of_the_specification() -> None:
    from boxman import house

    assert house("nsw").odds("place.6").edge == Fraction(1, 66)


def test_the_doctests_run() -> None:
    names = [f"boxman.odds.{each.name}" for each in pkgutil.iter_modules(boxman.odds.__path__)]
    tried = 0
    for name in [*names, "boxman.library"]:
        result = doctest.testmod(importlib.import_module(name))
        assert result.failed == 0, name
        tried += result.attempted
    assert tried > 25


def test_the_page_about_odds_runs() -> None:
    result = doctest.testfile(str(ROOT / "docs" / "odds.md"), module_relative=False)
    assert result.failed == 0
    assert result.attempted > 10


def test_no_call_takes_money_that_is_no_whole_number() -> None:
    """Every sum of every call that the house takes as it is."""
    from boxman import Open, houses, open_table, rule

    with pytest.raises(AmountError, match="whole number of minor units"):
        open_table(Open(house="nsw", chip=100.0))  # type: ignore[arg-type]
    tried = set()
    for name in houses():
        for wrong in (500.0, "500"):
            opened = open_table(Open(house=name, minimum=wrong, maximum=50_000))  # type: ignore[arg-type]
            assert opened.refusal is not None
            assert opened.refusal.code == "bad-limits"
        opened = open_table(Open(house=name, minimum=500, maximum=50_000))
        layout, table = opened.layout, opened.table
        assert layout is not None
        assert table is not None
        table = rule(layout, table, BuyIn(seat="ann", amount=100_000)).after
        table = rule(layout, table, Bet(seat="ann", spot="field", amount=1000)).after
        said: list[Call] = [
            BuyIn(seat="ann", amount=1000),
            CashOut(seat="ann", amount=1000),
            Bet(seat="ann", spot="field", amount=500),
            Reduce(seat="ann", spot="field", to=500),
            PostLimits(by="manager", minimum=500, maximum=60_000),
            ShowNotice(by="manager", what="limits", minimum=1000, maximum=60_000),
            GrantLimits(by="senior", seat="ann", minimum=1000, maximum=60_000),
            GrantLimits(by="supervisor", seat="ann", minimum=1000, maximum=60_000),
            PlaceFor(by="dealer", seat="ann", spot="field", amount=500),
        ]
        for call in said:
            if rule(layout, table, call).refusal is not None:
                continue
            for field in {"amount", "to", "minimum", "maximum"} & set(call.__struct_fields__):
                changed = {field: float(getattr(call, field))}
                answer = rule(layout, table, msgspec.structs.replace(call, **changed))
                assert answer.refusal is not None, (name, call, field)
                tried.add(type(call))
    assert {type(call) for call in said} == tried


def test_what_a_programmer_gets_wrong() -> None:
    from boxman import Session, compare
    from boxman.library import house

    with pytest.raises(BookError, match="no house of that name") as unknown:
        house("nws")
    assert isinstance(unknown.value, ValueError)
    wrong_times: tuple[object, ...] = ("lots", "1/0", -1, 1.5)
    for times in wrong_times:
        with pytest.raises(ValueError, match="a multiple like 2"):
            house("nsw").with_odds("pass", times)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="a multiple like 2"):
            house("nsw").with_odds("pass", 1, added=times)  # type: ignore[arg-type]
    with pytest.raises(AmountError, match="whole number of minor units"):
        house("nsw").solve(bankroll=300.5, reach=600)  # type: ignore[typeddict-item]
    with pytest.raises(ValueError, match="at least one strategy"):
        compare([], Session(house="nsw"))
    with pytest.raises(SettingError, match="no setting big"):
        house("nsw", big=True)
    with pytest.raises(AmountError):
        house("nsw", chip=0)
    with pytest.raises(AmountError):
        house("nsw").at_stake("place.6", -700)
    for wrong in (7.5, "7", True):
        with pytest.raises(AmountError, match="whole number of minor units"):
            house("nsw").at_stake("place.6", wrong)  # type: ignore[arg-type]
    assert repr(house("nsw")) == "<House nsw>"
    assert repr(house("nsw").odds("field")) == "<Odds nsw field: edge 1/18>"
    assert house("nsw").title == "New South Wales: craps"
    assert set(house("nsw").price_list()) == set(house("nsw").wagers)
