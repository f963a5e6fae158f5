"""A house of a file is a house: opened, played to a payout, read and priced by its id."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import HTTPException

from boxman.pit.told.drills import KINDS, Given, judge, make
from boxman.pit.web.api.houses import get_ready, list_houses, what_is_special
from boxman.rules import book
from boxman.rules.book import BookError, add_houses, all_houses, houses, read_book
from boxman.rules.compile import load
from tests.pit.serving import Person, Served, served, set_up

TESTS = Path(__file__).parents[1]
TEMPLATE = TESTS.parent / "src" / "boxman" / "rulebooks" / "template.md"
FILES = [TEMPLATE, *sorted((TESTS / "houses").glob("*.md"))]
IDS = [read_book(str(path)).house.id for path in FILES]


@pytest.fixture(scope="module")
def known() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(book, "_FILES", [])
        assert add_houses([str(TEMPLATE)]) == IDS[:1]
        assert add_houses([str(TESTS / "houses")]) == IDS[1:]
        yield


@pytest.fixture(scope="module")
def served_files(known: None) -> Iterator[Served]:
    with served() as running:
        yield running


@pytest.fixture(scope="module")
def owner(served_files: Served) -> Person:
    return set_up(served_files)


def test_every_list_has_them_after_those_in_the_box(served_files: Served, owner: Person) -> None:
    assert all_houses() == [*houses(), *IDS]
    listed = [each["house"] for each in owner.get("/api/houses")["houses"]]
    assert listed == all_houses()
    assert set(owner.get("/api/compare")["houses"]) == set(all_houses())


@pytest.mark.parametrize("house", [*houses(), *IDS])
def test_from_the_first_line_to_a_payout(served_files: Served, owner: Person, house: str) -> None:
    body: dict[str, Any] = {"house": house, "pace": 0.0, "dice": "scripted"}
    made = owner.post("/api/tables", 201, **body, script=[[4, 3]], minimum=500, maximum=50_000)
    ann = served_files.person().guest("ann")
    with ann.at(made["table"]) as seat:
        assert seat.say("buyin", amount=30_000)["refused"] is None
        assert seat.say("bet", spot="pass", amount=1_000)["refused"] is None
        seat.send(do="ready", id="now")
        while "pass +10" not in str(seat.next("row")):
            pass
    assert ann.get(f"/api/tables/{made['table']}")["view"]["seats"][0]["rail"] == 31_000


@pytest.mark.parametrize("house", IDS)
def test_every_page_knows_it(owner: Person, house: str) -> None:
    layout = owner.get(f"/api/houses/{house}/felt")
    assert owner.get(f"/api/houses/{house}/rulebook")["house"] == house
    assert set(owner.get(f"/api/houses/{house}/odds")["wagers"])
    assert {spot["id"] for spot in layout["spots"]}
    assert owner.get(f"/api/houses/{house}/diff/{houses()[0]}")["count"]


def test_an_id_that_is_taken_is_refused(known: None, tmp_path: Path) -> None:
    copy = tmp_path / "another.md"
    copy.write_text(TEMPLATE.read_text())
    with pytest.raises(BookError, match="there is a house mycasino already"):
        add_houses([str(copy)])
    assert all_houses() == [*houses(), *IDS]


def test_what_first_pages_ask_for_is_worked_out_before(monkeypatch: pytest.MonkeyPatch) -> None:
    get_ready()
    monkeypatch.setattr("boxman.rules.compile.compile_layout", None)
    monkeypatch.setattr("boxman.rules.favours._favourable", None)
    monkeypatch.setattr("boxman.pit.web.api.houses.price_list", None)
    assert [each["house"] for each in list_houses()["houses"]] == all_houses()
    assert set(what_is_special()["houses"]) == set(all_houses())


@pytest.mark.parametrize("house", IDS)
def test_the_school_asks_about_them(known: None, house: str) -> None:
    """The template names no roles, others give nobody a power: what cannot be asked is said."""
    assert all(make(house, kind, 1).question for kind in KINDS if kind != "authority")
    powers = load(house).procedure.powers
    if not any("" in reasons for reasons in powers.values()):
        with pytest.raises(HTTPException, match="nothing to ask"):
            make(house, "authority", 1)
        return
    asked = [make(house, "authority", seed) for seed in range(12)]
    for seed, drill in enumerate(asked):
        power, station = drill.cause.split("/")
        assert drill.answer == ("yes" if station in powers[power][""].given else "no")
        given = Given(house=house, kind="authority", seed=seed, answer=drill.answer)
        assert judge(given)["right"]
    assert {each.answer for each in asked} == {"yes", "no"}
