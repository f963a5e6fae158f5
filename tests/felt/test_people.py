"""People in the browser: one's own brakes, leaving with wagers up, the journal's door, set-up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.felt.conftest import DESKTOP, PASSWORD, PHONE, House, Visitor, picture
from tests.felt.hands import menu
from tests.felt.test_pages import sound

Visit = Callable[..., Visitor]


def account(house: House, name: str, chips: int = 0) -> None:
    """Somebody with an account, once for all tests."""
    answer = house.boss.post("/api/people", json={"name": name, "password": PASSWORD})
    assert answer.status_code in (201, 409), answer.text
    if chips:
        house.boss.post("/api/cage", json={"person": name, "amount": chips}).raise_for_status()


def place(page: Page, *spots: str) -> None:
    for spot in spots:
        page.locator(f"[data-spot='{spot}']").click()
    page.get_by_role("button", name="Place", exact=True).click()
    expect(page.locator("#panel-bets tbody tr")).to_have_count(len(spots))


def on_both(page: Page, name: str) -> None:
    for size, kind in ((DESKTOP, "desktop"), (PHONE, "phone")):
        page.set_viewport_size(size)
        page.wait_for_timeout(150)
        picture(page, f"{name}-{kind}")
        sound(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"] + 1
    page.set_viewport_size(DESKTOP)


def test_brakes_that_are_no_figures_are_refused_and_what_binds_is_shown(
    visit: Visit, house: House
) -> None:
    account(house, "bray", 20_000)
    house.table("nsw")
    visitor = visit()
    visitor.sign_in("bray")
    page = visitor.page
    page.goto("/me")
    expect(page.locator("#main")).to_contain_text("in play chips")
    form = page.locator("form", has_text="Your own brakes")
    force = page.locator(".in-force")
    expect(force).to_contain_text("Most to lose: no limit")
    form.get_by_label("Most to lose").fill("1oo")
    form.get_by_role("button", name="Save limits").click()
    assert page.evaluate("document.activeElement.matches('input[name=loss]:invalid')")
    expect(page.locator(".toast")).to_have_count(0)
    expect(force).to_contain_text("Most to lose: no limit")
    form.get_by_label("Most to lose").fill("50")
    form.get_by_label("Most minutes").press_sequentially("abc45")  # a number field takes no abc
    form.get_by_role("button", name="Save limits").click()
    expect(force).to_contain_text("50 in a day")
    expect(force).to_contain_text("Most minutes to play: 45 in a day")
    # A raised limit says which, how much and from when.
    form.get_by_label("Most to lose").fill("80")
    form.get_by_role("button", name="Save limits").click()
    expect(force).to_contain_text("80 in a day; until then")
    expect(force.locator("li").last).to_contain_text("From ")
    on_both(page, "me-brakes")


def test_a_time_out_is_confirmed_and_shown_here_and_at_the_table(
    visit: Visit, house: House
) -> None:
    visitor = visit()
    page = visitor.sit(house.table("nsw"), name="tired")
    table = page.url
    page.goto("/me")
    page.get_by_role("button", name="one hour").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("nobody can shorten it")
    dialog.get_by_role("button", name="Close").click()
    expect(page.locator("#main .notice")).to_have_count(0)
    page.get_by_role("button", name="one hour").click()
    page.get_by_role("dialog").get_by_role("button", name="Time-out: one hour").click()
    expect(page.locator("#main .notice")).to_contain_text("Time-out until ")
    page.goto(table)
    expect(page.locator(".banner .notice")).to_contain_text("Time-out until ")
    expect(page.locator(".banner .notice")).to_contain_text("you cannot bet or sit down")
    picture(page, "table-time-out-desktop")


def test_leaving_with_wagers_up_says_what_stays(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("nsw", script="4-2 2-2 3-4", window=600), buy_in=30_000)
    place(page, "pass", "field")
    page.locator(".roll").click()
    expect(page.locator("#bar .state")).to_have_text("roll 1")
    expect(page.locator("#panel-bets tbody tr")).to_have_count(1)
    menu(page, "Leave the table")
    dialog = page.get_by_role("dialog")
    # The amounts are those of now, after the roll.
    expect(dialog).to_contain_text("You take $290 with you. $5 on the layout stays up")
    dialog.get_by_role("button", name="Leave", exact=True).click()
    left = page.locator(".chair .left")
    expect(left).to_contain_text("You have left; $5 stays up until it is decided.")
    expect(page.locator(".dock")).to_be_hidden()
    page.get_by_role("button", name="Table menu").click()
    expect(page.get_by_role("button", name="Leave the table")).to_have_count(0)
    page.keyboard.press("Escape")
    on_both(page, "table-left")
    page.reload()
    expect(left).to_contain_text("You have left; $5 stays up")
    # Whoever comes back is the same person at the same seat.
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".dock")).to_be_visible()
    expect(left).to_be_hidden()
    expect(page.locator("#panel-bets tbody tr")).to_have_count(1)
    menu(page, "Leave the table")
    page.get_by_role("dialog").get_by_role("button", name="Leave", exact=True).click()
    expect(left).to_contain_text("You have left; $5 stays up")
    left.get_by_role("link", name="To the lobby").click()
    expect(page.get_by_role("heading", name="Craps by the book")).to_be_visible()


def test_the_journal_of_a_live_table_is_not_everybodys(visit: Visit, house: House) -> None:
    table = house.table("nsw", practice=False)
    account(house, "patron", 50_000)
    visitor = visit()
    visitor.sign_in("patron")
    page = visitor.page
    page.goto(f"/table/{table}")
    page.locator("craps-felt [data-spot]").first.wait_for()
    page.get_by_role("button", name="Table menu").click()
    page.get_by_role("dialog").get_by_role("link", name="Rulebook", exact=True).wait_for()
    expect(page.locator("a", has_text="Journal")).to_have_count(0)
    boss = visit()
    boss.sign_in("boss")
    boss.page.goto(f"/table/{table}")
    boss.page.locator("craps-felt [data-spot]").first.wait_for()
    boss.page.get_by_role("button", name="Table menu").click()
    expect(boss.page.locator("a", has_text="Journal")).to_have_count(1)


def test_an_address_that_leads_nowhere_shows_the_way_back(visit: Visit) -> None:
    visitor = visit()
    visitor.expected = "Failed to load resource"  # the browser's own word about a 404
    page = visitor.page
    page.goto("/no/such/page")
    expect(page.get_by_role("heading", name="No such page")).to_be_visible()
    on_both(page, "nowhere")
    page.get_by_role("link", name="To the lobby", exact=True).click()
    expect(page.get_by_role("heading", name="Craps by the book")).to_be_visible()


def test_the_link_of_the_terminal_sets_the_house_up(browser: Any) -> None:
    fresh = House(set_up=False)
    try:
        visitor = Visitor(browser, fresh)
        page = visitor.page
        page.goto(f"/setup#{fresh.code}")
        expect(page.get_by_label("Set-up code")).to_have_value(fresh.code)
        assert "#" not in page.url
        picture(page, "setup-first-desktop")
        sound(page)
        page.get_by_label("Set-up code").fill("not-that")
        page.get_by_label("Administrator's name").fill("ruth")
        page.get_by_label("Password").fill("eight-or-more")
        visitor.expected = "Failed to load resource"
        page.get_by_role("button", name="Create the administrator").click()
        expect(page.get_by_role("alert")).to_contain_text("not the code of this set-up")
        page.get_by_label("Set-up code").fill(fresh.code)
        page.get_by_role("button", name="Create the administrator").click()
        page.wait_for_url("**/me")
        expect(page.locator("#main")).to_contain_text("People of the house")
        page.goto("/setup")
        expect(page.locator("#main")).to_contain_text("It is set up already")
        visitor.context.close()
        assert visitor.trouble == []
    finally:
        fresh.boss.close()
        fresh.stop()


@pytest.mark.parametrize("invited", [True, False])
def test_the_lobby_asks_for_a_set_up_only_where_a_page_can_do_it(
    browser: Any, invited: bool
) -> None:
    fresh = House(set_up=False)
    try:
        if not invited:  # as in `boxman play`
            fresh.journal.records.delete("house", "invitation")
        with httpx.Client(base_url=fresh.url, verify=False) as client:
            assert client.get("/api/me").json()["setup"] is invited
        visitor = Visitor(browser, fresh)
        visitor.page.goto("/")
        visitor.page.locator("form.new-table select").first.wait_for()
        asked = visitor.page.get_by_role("link", name="Set it up")
        expect(asked).to_have_count(1 if invited else 0)
        visitor.context.close()
        assert visitor.trouble == []
    finally:
        fresh.boss.close()
        fresh.stop()
