"""A seat at the table: sitting down, mistakes, other players, hand-thrown dice, own rulebooks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Page, expect

import boxman
from boxman.pit.web.api.tables import open_practice
from boxman.rules.compile import load
from tests.felt.conftest import House, Visitor, picture
from tests.felt.hands import Visit, place, rolled, spot, throw


def calls(house: House, table: str, kind: str) -> list[dict[str, Any]]:
    rows = house.boss.get(f"/api/tables/{table}/rows?limit=1000").json()["rows"]
    return [row for row in rows if row["call"]["type"] == kind]


def test_enter_sits_down_with_what_is_filled_in(visit: Visit, house: House) -> None:
    table = house.table("nsw")
    visitor = visit()
    visitor.kept("boxman.taught", "true")
    page = visitor.page
    page.goto(f"/table/{table}")
    chair = page.locator(".chair")
    expect(chair.get_by_label("Your name at the table")).not_to_have_value("")
    buy_in = chair.get_by_label("Buy in").input_value()
    expect(chair.get_by_role("button", name="Sit down")).to_be_focused()
    picture(page, "landing")
    page.keyboard.press("Enter")
    expect(page.locator(".purse")).to_contain_text(f"${buy_in}")
    expect(chair).to_be_hidden()
    # Another guest finds the name taken and another filled in.
    other = visit().page
    other.goto(f"/table/{table}")
    name = other.get_by_label("Your name at the table")
    expect(name).not_to_have_value("")
    taken = house.boss.get(f"/api/tables/{table}").json()["view"]["seats"]
    assert name.input_value() not in [seat["name"] for seat in taken]
    other.get_by_role("button", name="Sit down").click()
    expect(other.locator(".dock")).to_be_visible()


def test_a_mistake_is_given_back_by_the_box_but_no_bonus_wager(visit: Visit, house: House) -> None:
    """Perth 4.5(b) lets nobody take a bonus wager off: nothing offers to undo it."""
    crapless = "perth-crapless"
    locked = load(crapless).spots["small"]
    assert not locked.may("remove", 0), "the wager of this test has to lock when it is placed"
    table = house.table(crapless, script="5-4 3-3")
    page = visit().sit(table)
    spot(page, "small").click()
    spot(page, "pass").click()
    place(page)
    expect(page.locator(".purse")).to_contain_text("490")
    expect(page.get_by_role("button", name="Take down All Small")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo All Small")).to_have_count(0)
    # The rail's Undo and its key ask for what was put down last.
    page.locator(".dock").get_by_role("button", name="Undo").click()
    expect(page.locator(".purse")).to_contain_text("495")
    (row,) = calls(house, table, "giveback")
    assert row["by"] == "box"
    assert row["refused"] is None
    expect(page.locator(".dock").get_by_role("button", name="Undo")).to_be_disabled()
    throw(page)
    rolled(page, 1)
    expect(page.locator("#panel-bets")).to_contain_text("All Small")
    throw(page)
    rolled(page, 2)
    expect(page.locator("#panel-bets")).to_contain_text("All Small has 6")


def test_a_human_box_is_not_gone_round(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("nsw", crew="by hand"))
    spot(page, "hard.6").click()
    place(page)
    expect(page.locator("#panel-bets tbody tr")).to_have_count(1)
    expect(page.get_by_role("button", name=re.compile("^Undo "))).to_have_count(0)


def test_bonus_tracks_show_what_was_collected(visit: Visit, house: House) -> None:
    crapless = "perth-crapless"
    table = house.table(crapless, settings={"layout": "1"}, script="1-2 3-3 6-6")
    page = visit().sit(table)
    for name in ("small", "tall", "all"):
        spot(page, name).click()
    place(page)
    expect(page.locator("#panel-bets tbody tr")).to_have_count(3)
    for number in (1, 2, 3):
        throw(page)
        rolled(page, number)

    def done(track: str) -> list[str]:
        return page.locator(f".collect.done[data-of='{track}']").all_text_contents()

    expect(page.locator(".collect.done[data-of='all']")).to_have_count(3)
    assert done("small") == ["3", "6"]
    assert done("tall") == ["12"]
    assert done("all") == ["3", "6", "12"]
    picture(page, "bonus-tracks")


def test_automatic_players_bet_in_their_own_colours(visit: Visit, house: House) -> None:
    table = house.table("nsw", players=["pass", "dont"])
    page = visit().sit(table)
    expect(page.locator(".chip.other")).not_to_have_count(0)
    view = house.boss.get(f"/api/tables/{table}").json()["view"]
    automatic = [seat for seat in view["seats"] if seat["automatic"]]
    assert len(automatic) == 2
    assert len({seat["colour"] for seat in automatic}) == 2
    for seat in automatic:
        if seat["wagers"]:
            assert page.locator(f".chip.other.seat{seat['colour']}").count()
    page.get_by_role("tab", name="Players").click()
    expect(page.locator("#panel-players")).to_contain_text("automatic")


def test_a_hand_is_thrown_by_hand_to_its_end(visit: Visit, house: House) -> None:
    """Five rolls, each entered by the stick and attested by the box, until the seven-out."""
    table = house.table("rws", crew="by hand", dice="hand")
    crew = visit()
    crew.sign_in("boss")
    given = house.boss.post(
        "/api/people/boss/stations", json={"table": table, "stations": ["stick", "dealer", "box"]}
    )
    assert given.status_code == 200, given.text
    ann = visit().sit(table, "ann")
    spot(ann, "pass").click()
    place(ann)
    expect(ann.locator("#panel-bets")).to_contain_text("Pass Line")
    page = crew.page
    page.goto(f"/console/{table}")
    page.locator(".calls button").first.wait_for()
    for number, (first, second) in enumerate([(4, 2), (5, 4), (2, 2), (6, 3), (3, 4)], 1):
        say(page, "Dealer", "closebets")
        say(page, "Stickperson", "diceout")
        say(page, "Stickperson", "enter", (first, second))
        say(page, "Box", "attest", (first, second))
        rolled(ann, number)
    # The point was 6; seven out: the line is lost and the puck is off.
    expect(ann.locator(".puck-tag")).to_have_text("OFF")
    expect(ann.locator(".purse")).to_contain_text("495")
    expect(ann.locator("#stick-call")).to_contain_text("seven out", ignore_case=True)
    assert [row["text"] for row in calls(house, table, "callroll")][-1].endswith("3-4")
    verified = house.boss.get(f"/api/tables/{table}/verify").json()
    assert verified["sound"], verified


def say(page: Page, station: str, call: str, faces: tuple[int, int] | None = None) -> None:
    page.get_by_role("tab", name=re.compile(station)).click()
    page.locator(f"[data-call='{call}']:visible:not([aria-disabled='true'])").click()
    if faces is not None:
        dialog = page.get_by_role("dialog")
        dialog.get_by_label(f"First die {faces[0]}").check(force=True)
        dialog.get_by_label(f"Second die {faces[1]}").check(force=True)
        dialog.get_by_role("button", name="Confirm").click()


def test_a_rulebook_of_ones_own_is_played(visit: Visit, house: House, tmp_path: Path) -> None:
    """As `boxman play ./corner.md` does: another name and another price than the house's."""
    text = (Path(boxman.__file__).parent / "rulebooks" / "nsw.md").read_text()
    assert text.count('"Win Line"') >= 1
    own = tmp_path / "corner.md"
    own.write_text(text.replace('"Win Line"', '"Corner Line"'))
    wanted = {
        "house": str(own),
        "name": "Corner",
        "chip": 100,
        "minimum": 500,
        "maximum": 50_000,
        "settings": {},
        "pace": 0.0,
    }
    table = house.do(open_practice(house.app.state.house, wanted))
    page = visit().sit(table)
    expect(spot(page, "pass")).to_have_attribute("aria-label", re.compile("Corner Line"))
    expect(spot(page, "pass")).to_contain_text("CORNER LINE")
    spot(page, "pass").click()
    place(page)
    expect(page.locator("#panel-bets")).to_contain_text("Corner Line")
    # Its clauses are read from the file, too.
    spot(page, "pass").click(button="right")
    page.get_by_role("dialog").get_by_role("button", name="Read them all").click()
    expect(page.locator("article.clause").first).to_be_visible()
    # In the lobby too, though the server was given no such house: its picture and its signs.
    page.goto("/")
    card = page.locator(".table-card").filter(
        has=page.get_by_role("heading", name="Corner", exact=True)
    )
    drawn = "image => image.decode().then(() => image.naturalWidth)"
    assert card.locator("img").evaluate(drawn) > 0
    card.locator("summary").click()
    card.locator("button.cite").first.click()
    expect(page.locator("article.clause").first).to_be_visible()
    # And nobody can name a file of this machine over the wire.
    refused = house.boss.post("/api/tables", json={"house": str(own)})
    assert refused.status_code in (404, 422), refused.text


def test_many_chips_go_down_at_the_pace_of_the_server(visit: Visit, browser: Any) -> None:
    """A server that asks for a breath gets every wager in the end, once each."""
    slow = House(command_rate=5)
    try:
        visitor = Visitor(browser, slow)
        page = visitor.sit(slow.table("nsw"), buy_in=100_000)
        may = page.eval_on_selector_all(
            ".spot.may",
            "all => all.map(e => { e.dispatchEvent(new MouseEvent('click', {bubbles: true}));"
            " return e.dataset.spot; })",
        )
        assert len(may) > 20
        place(page)
        expect(page.locator("#panel-bets tbody tr")).to_have_count(len(may), timeout=25_000)
        expect(page.get_by_role("button", name="Place", exact=True)).to_be_disabled()
        visitor.context.close()
        assert visitor.trouble == []
    finally:
        slow.boss.close()
        slow.stop()


def test_the_first_run_makes_an_administrator(browser: Any) -> None:
    fresh = House(set_up=False)
    try:
        visitor = Visitor(browser, fresh)
        page = visitor.page
        page.goto("/")
        page.get_by_role("link", name="Set it up").click()
        page.get_by_label("Set-up code").fill(fresh.code)
        page.get_by_label("Administrator's name").fill("ruth")
        page.get_by_label("Password").fill("eight-or-more")
        page.get_by_role("button", name="Create the administrator").click()
        page.wait_for_url("**/me")
        expect(page.locator("#main")).to_contain_text("People of the house")
        with httpx.Client(base_url=fresh.url, verify=False) as client:
            assert client.get("/api/me").json()["setup"] is False
        visitor.context.close()
        assert visitor.trouble == []
    finally:
        fresh.boss.close()
        fresh.stop()


def test_a_table_that_is_not_there_shows_the_way_out(visit: Visit) -> None:
    for page_name in ("table", "console", "inspect"):
        visitor = visit()
        visitor.expected = "Failed to load resource"
        page = visitor.page
        page.goto(f"/{page_name}/nowhere")
        expect(page.get_by_role("heading", name="No such table")).to_be_visible()
        page.get_by_role("link", name="To the lobby", exact=True).click()
        expect(page.get_by_role("heading", name="Craps by the book")).to_be_visible()
