"""A hand that is shared: card and link at the table, and the same cents on another server."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from boxman.rules import book
from tests.felt.conftest import PHONE, House, picture
from tests.felt.hands import Visit, menu, rolled, spot, throw
from tests.felt.test_pages import sound
from tests.pit.serving import served
from tests.pit.test_house_files import TEMPLATE

SCRIPT = "4-2 3-1 5-1 6-5 4-4 6-1"


def test_a_hand_is_shared_and_replays_elsewhere(visit: Visit, house: House) -> None:
    visitor = visit(viewport={"width": 1280, "height": 800})
    # A house where bets are closed before the throw, and another player at the table.
    table = house.table("rws", script=SCRIPT, players=["pass"])
    page = visitor.sit(table, "hal")
    for name in ("pass", "place.5", "field"):
        spot(page, name).click()
    for number in range(1, 7):
        throw(page)
        rolled(page, number)
        if number == 3:
            spot(page, "pass").click()
            spot(page, "buy.4").click()
    menu(page, "Share this hand")
    link = page.get_by_label("Link to this hand").input_value()
    told = visitor.context.request.get(f"/api/tables/{table}/hand").json()
    assert link == f"{house.url}/hand#{told['code']}"
    expect(page.locator("canvas.hand-card")).to_be_visible()
    page.wait_for_timeout(300)
    picture(page, "hand-share-desktop")
    sound(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the picture").click()
    assert saved.value.suggested_filename == "hand.png"
    # All was staked from nothing, so the net is what the rail says.
    seats = house.boss.get(f"/api/tables/{table}").json()["view"]["seats"]
    own = next(seat for seat in seats if seat["name"] == "hal")
    net = own["rail"] + sum(wager["stake"] for wager in own["wagers"]) - 50_000
    assert told["net"] == net
    assert told["dice"] == [[int(a), int(b)] for a, b in re.findall(r"(\d)-(\d)", SCRIPT)]
    with served() as elsewhere:
        page.goto(f"{elsewhere.url}/hand#{told['code']}")
        expect(page.locator("#main")).to_have_attribute("data-net", str(net))
        # Nobody's name, nobody else's chips.
        again = elsewhere.person().post("/api/hands", 200, code=told["code"])
        seats = [seat for row in again["rows"] for seat in row["view"]["seats"]]
        assert {seat["name"] for seat in seats} == {"player"}
        assert again["rows"][-1]["rail"] == own["rail"]
        sound(page)
        picture(page, "hand-desktop")
        page.get_by_role("button", name="Forward").click()
        page.set_viewport_size(PHONE)
        page.wait_for_timeout(200)
        sound(page)
        picture(page, "hand-phone")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        # A link that was cut or changed gets one sentence.
        visitor.expected = "Failed to load resource"
        guest = elsewhere.person()
        for code in (
            "x",
            told["code"][:-9],
            told["code"][:50] + "A" + told["code"][51:],
            "-" * 9000,
        ):
            assert guest.http.post("/api/hands", json={"code": code}).status_code == 422
        page.goto(f"{elsewhere.url}/hand#{told['code'][:-9]}")
        expect(page.get_by_role("alert")).to_contain_text("This link is not whole")


def test_a_hand_of_ones_own_house_brings_its_rulebook(
    visit: Visit, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = visit(viewport=PHONE)
    monkeypatch.setattr(book, "_FILES", [str(TEMPLATE)])
    table = house.table("mycasino", script="4-2 5-1", minimum=500, maximum=50_000)
    page = visitor.sit(table, "hal")
    spot(page, "pass").click()
    for number in (1, 2):
        throw(page)
        rolled(page, number)
    menu(page, "Share this hand")
    expect(page.get_by_role("dialog")).to_contain_text("the rulebook of this house")
    link = page.get_by_label("Link to this hand").input_value()
    page.wait_for_timeout(300)
    sound(page)
    picture(page, "hand-share-own-phone")
    # Another server, which has never heard of the house.
    monkeypatch.setattr(book, "_FILES", [])
    with served() as elsewhere:
        page.goto(f"{elsewhere.url}/hand{link[link.index('#') :]}")
        expect(page.locator("#main")).to_have_attribute("data-net", "500")
        expect(page.locator(".notice")).to_contain_text("came with the link")
        expect(page.get_by_role("link", name="Play at this house")).to_have_count(0)
        sound(page)
        picture(page, "hand-own-phone")
