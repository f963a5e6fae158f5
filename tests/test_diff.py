"""What differs between two houses: told in words, alike from both sides, with nothing lost."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from boxman.pit.told.book import difference_groups
from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.rules.diff import HouseDifference, differences, listed

PAIRS = list(combinations(houses(), 2))


def rows(first: str, second: str, spot: str = "") -> list[HouseDifference]:
    found = differences(load(first), load(second))
    return [row for row in found if not spot or row.spot == spot]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_differences_are_the_same_from_either_side(first: str, second: str) -> None:
    there = {(row.spot, row.what, row.first, row.second) for row in rows(first, second)}
    back = {(row.spot, row.what, row.second, row.first) for row in rows(second, first)}
    assert there == back
    assert all(one != other for *_, one, other in there)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_differences_are_told_in_words(first: str, second: str) -> None:
    for row in rows(first, second):
        for text in (row.what, row.first, row.second):
            assert not re.search(r"puck \d|\(puck|^-$|\bcome\.\d", text), row


def test_a_point_that_one_house_lacks_changes_nothing_else() -> None:
    # Crapless or not, a come bet on the 4 wins on a 4 and loses to a 7.
    assert [row.what for row in rows("adelaide", "perth-crapless", "come.4")] == []
    line = {row.what: (row.first, row.second) for row in rows("adelaide", "perth-crapless", "pass")}
    assert line["on 2, 3 and 12 at the come-out"] == ("loses", "stands")
    assert line["on 7 with the point 2, 3, 11 and 12"] == ("there is no such point", "loses")


def test_limits_and_totals_that_differ_alike_are_one_row() -> None:
    odds = {row.what: (row.first, row.second) for row in rows("nsw", "rws", "pass.odds")}
    # Resorts World takes 3, 4 and 5 times the flat, New South Wales twice.
    assert odds["limit on 4 and 10"][1] == "stake up to 3 times the flat"
    assert odds["limit on 5 and 9"][1] == "stake up to 4 times the flat"
    assert odds["limit on 6 and 8"][1] == "stake up to 5 times the flat"
    assert listed([4]) == "4"
    assert listed([4, 5, 6]) == "4, 5 and 6"


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_groups_lose_no_difference(first: str, second: str) -> None:
    one, two = load(first), load(second)
    found = differences(one, two)
    groups = difference_groups(one, two, found)
    spots = [spot for group in groups for spot in group["spots"]]
    assert sorted(spots) == sorted({row.spot for row in found})
    assert sum(len(group["rows"]) * len(group["spots"]) for group in groups) == len(found)
    assert all(group["head"] and "_" not in group["head"] for group in groups)
