"""The library, and the documents that show it."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from fractions import Fraction
from pathlib import Path

import pytest

import boxman.odds
from boxman.chips import AmountError
from boxman.rules.book import BookError
from boxman.rules.settings import SettingError

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


def test_what_a_programmer_gets_wrong() -> None:
    from boxman.library import house

    with pytest.raises(BookError, match="no house of that name"):
        house("nws")
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
