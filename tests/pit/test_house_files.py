"""A house of a file is a house: opened, played to a payout, read and priced by its id."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64encode as b64
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from fastapi import HTTPException
from msgspec.structs import replace
from typer.testing import CliRunner

from boxman.cli import app
from boxman.journal.editions import no_texts
from boxman.pit.backroom import simulations
from boxman.pit.told.drills import KINDS, Given, judge, make
from boxman.pit.told.seen.hands import (
    OWN,
    HandError,
    TooLong,
    coded,
    decoded,
    played_again,
)
from boxman.pit.web.api.houses import get_ready, list_houses, what_is_special
from boxman.rules import book
from boxman.rules.book import BookError, add_houses, all_houses, houses, read_book, text_digest
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


def test_what_differs_from_the_edition_of_a_table_is_told(
    served_files: Served, owner: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table goes on under its own edition; the house has the new one, or none in order."""
    file = tmp_path / "river.md"
    text = TEMPLATE.read_text().replace('id = "mycasino"', 'id = "river"')
    file.write_text(text)
    monkeypatch.setattr(book, "_FILES", [*book._FILES])
    add_houses([str(file)])
    table = owner.post("/api/tables", 201, house="river", minimum=500, maximum=50_000)["table"]
    assert owner.get(f"/api/tables/{table}/diff")["count"] == 0
    file.write_text(text.replace('pays = "15 to 1"', 'pays = "14 to 1"'))
    told = owner.get(f"/api/tables/{table}/diff")["groups"]
    rows = {group["head"]: (row["first"], row["second"]) for group in told for row in group["rows"]}
    assert rows["Eleven"] == ("wins 15 to 1", "wins 14 to 1")
    file.write_text("# nothing")
    owner.get(f"/api/tables/{table}/diff", 422)
    assert owner.get(f"/api/tables/{table}/rulebook")["digest"] == text_digest(text)


def test_what_cannot_be_served_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book, "_FILES", [])
    broken = tmp_path / "broken.md"
    broken.write_text(TEMPLATE.read_text().replace('pays = "15 to 1"', 'pays = "15 for 1"'))
    empty = tmp_path / "empty"
    empty.mkdir()
    for path, wrong in ((broken, "odds are written like"), (empty, "no rulebook in this folder")):
        settings = tmp_path / "boxman.toml"
        settings.write_text(f'houses = "{path}"\n')
        told = CliRunner().invoke(app, ["serve", "--config", str(settings)])
        assert told.exit_code == 2, told.output
        assert wrong in told.output


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


def test_a_hand_brings_its_rulebook_to_a_server_that_does_not_know_it(
    served_files: Served, owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    body: dict[str, Any] = {"house": IDS[0], "pace": 0.0, "dice": "scripted"}
    made = owner.post("/api/tables", 201, **body, script=[[4, 2], [5, 1]], minimum=500)
    ann = served_files.person().guest("ann")
    with ann.at(made["table"]) as seat:
        seat.say("buyin", amount=30_000)
        seat.say("bet", spot="pass", amount=1_000)
        for dice in ("4-2", "5-1"):
            seat.send(do="ready", id=dice)
            while dice not in str(seat.next("row")):
                pass
    told = ann.get(f"/api/tables/{made['table']}/hand")
    hand, code = decoded(told["code"]), told["code"]
    assert hand.text == TEMPLATE.read_text()
    # A link has an end: a longer rulebook is not carried, and the picture is still there.
    text = f"{hand.text}\n{Random(1).randbytes(30_000).hex()}\n"
    with pytest.raises(TooLong, match="at most 40000 go"):
        coded(replace(hand, edition=text_digest(text), text=""), lambda digest: text)

    monkeypatch.setattr(book, "_FILES", [])

    def packed(**changes: Any) -> str:
        changed = msgspec.json.encode(replace(hand, **changes))
        return OWN + b64(zlib.compress(changed)).decode().rstrip("=")

    wrong = hand.text.replace("[[offer]]", "[[off]]", 1)
    for bad, why in (
        (code[1:], "not whole"),
        (packed(net=999), "not whole"),
        (packed(edition="0" * 64), "not whole"),
        (packed(text=wrong, edition=text_digest(wrong)), "cannot go by the rulebook"),
        (OWN + b64(zlib.compress(b" " * 10**7)).decode(), "not whole"),
    ):
        with pytest.raises(HandError, match=why):
            played_again(bad, no_texts)
    with served() as elsewhere:
        guest = elsewhere.person().guest("guy")
        again = guest.post("/api/hands/own", 200, code=code)
        assert (again["net"], again["dice"]) == (1_000, [[4, 2], [5, 1]])
        assert again["rows"] == told["rows"]
        assert not again["known"]
        # Nothing of it stays, and it is no house of that server.
        assert elsewhere.house.journal.edition(hand.edition) is None
        assert guest.get("/api/houses")["houses"][-1]["house"] == houses()[-1]
        assert "not whole" in guest.post("/api/hands/own", 422, code=code[:-9])["message"]
        assert "not whole" in guest.post("/api/hands", 422, code=code)["message"]
        monkeypatch.setattr(simulations, "HAND_SECONDS", 0.01)
        assert "too much time" in guest.post("/api/hands/own", 422, code=code)["message"]
