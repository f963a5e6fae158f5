"""Every page: no violation of accessibility, nothing too small to touch, pictures to look at."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from boxman.pit.web.pages import PAGES
from boxman.rules.book import houses
from tests.felt.conftest import DESKTOP, PHONE, House, Visitor, drawn, picture
from tests.felt.hands import menu

Visit = Callable[..., Visitor]
AXE = {
    "preload": False,
    "resultTypes": ["violations"],
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    },
}
SMALL = """() => [...document.querySelectorAll(
    'button, [role=button], select, summary, input, a.button, nav a, .permalink')]
  .filter(e => e.checkVisibility({checkVisibilityCSS: true}) && !e.classList.contains('hidden'))
  .map(e => [(e.querySelector('rect') || e).getBoundingClientRect(), e.outerHTML.slice(0, 90)])
  .filter(([r]) => r.width && (r.width < 24 || r.height < 23.5))
  .map(([r, h]) => `${h} ${r.width}x${r.height}`)"""

READY = {
    "/": "form.new-table select",
    "/table/{table}": "craps-felt [data-spot]",
    "/rulebook": "article h2",
    "/rulebook/{house}": "article.clause",
    "/odds": "main[data-ready]",
    "/strategy": "form select",
    "/preview/{house}": ".panel table",
    "/school": ".question h2",
    "/solve": "h1",
    "/hand": "h1",
    "/console/{table}": "craps-felt [data-spot]",
    "/inspect/{table}": "tbody tr",
    "/setup": ".page-head",
    "/sign-in": "form",
    "/me": "h1",
}


def violations(page: Page, options: dict[str, Any]) -> list[dict[str, Any]]:
    """What axe finds; a document is given it once."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    with drawn(page):
        found = page.evaluate("how => axe.run(how).then(({ violations }) => violations)", options)
    return list(found)


def sound(page: Page) -> None:
    """axe finds nothing, and nothing is too small to touch."""
    told = [
        f"{v['id']}: {node['html'][:120]} {node['failureSummary'][:160]}"
        for v in violations(page, AXE)
        for node in v["nodes"][:3]
    ]
    assert told == []
    assert page.evaluate(SMALL) == []


def legible(page: Page) -> None:
    """The contrast of all text in the other two themes."""
    rule = {**AXE, "runOnly": {"type": "rule", "values": ["color-contrast"]}}
    for theme in ("light", "clear", "dark"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        if theme != "dark":
            nodes = [node for each in violations(page, rule) for node in each["nodes"]]
            told = [f"{node['html'][:90]} {node['failureSummary'][:160]}" for node in nodes]
            assert told == [], theme


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_accessible_on_desktop_and_phone(
    visit: Visit, house: House, address: str
) -> None:
    table = house.table("nsw", players=0)
    visitor = visit()
    visitor.sign_in("boss")
    page = visitor.page
    path = address.replace("{table}", table).replace("{house}", houses()[0])
    # The gaps stand for all clauses: they are drawn alike, and axe is slow on three hundred.
    page.goto(f"{path}?sort=gap" if "{house}" in address else path)
    page.locator(READY[address]).first.wait_for()
    name = address.strip("/").replace("/", "-").replace("{", "").replace("}", "") or "lobby"
    for size, kind in ((DESKTOP, "desktop"), (PHONE, "phone")):
        page.set_viewport_size(size)
        page.wait_for_timeout(150)
        sound(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"] + 1
        picture(page, f"{name}-{kind}")
    legible(page)


def test_a_table_in_play_and_its_dialogs_are_accessible(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("nsw", script="4-2 3-3"))
    page.locator("[data-spot='pass']").click()
    page.locator("[data-spot='field']").click()
    page.get_by_role("button", name="Place", exact=True).click()
    expect(page.locator("#panel-bets tbody tr")).to_have_count(2)
    page.locator(".roll").click()
    expect(page.locator("#bar .state")).to_have_text("roll 1")
    for tab in ("If it rolls", "Log"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_timeout(200)
        sound(page)
    picture(page, "table-in-play-desktop")
    legible(page)
    # On its own ground the ribbon has its own ink, whatever the theme.
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    assert page.locator(".ribbon li > span").count()
    for word in page.locator(".ribbon li > span:not(.how)").all():
        expect(word).to_have_css("color", "rgb(255, 255, 255)")
    page.locator("[data-spot='place.8']").click(button="right")
    page.get_by_role("dialog").wait_for()
    page.wait_for_timeout(300)
    sound(page)
    picture(page, "spot-desktop")
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Players").click()
    page.set_viewport_size(PHONE)
    page.wait_for_timeout(200)
    sound(page)
    picture(page, "table-in-play-phone")


def test_a_friend_opens_a_table_in_one_form(visit: Visit, house: House) -> None:
    page = visit().page
    page.goto("/")
    page.locator(".new-table").get_by_label("House").select_option("rws")
    page.get_by_label("Your name").fill("zoe")
    page.get_by_label("Buy in").fill("200")
    page.get_by_label("Automatic players").select_option("2")
    page.get_by_role("button", name="Open the table and sit down").click()
    page.wait_for_url(re.compile("/table/"))
    expect(page.locator(".purse")).to_contain_text("200")
    page.get_by_role("tab", name="Players").click()
    expect(page.locator("#panel-players tbody tr")).to_have_count(3)
    menu(page, "Share")
    expect(page.get_by_label("Address of this table")).to_have_value(re.compile("/table/zoe"))
    page.keyboard.press("Escape")
    menu(page, "Leave the table")
    page.get_by_role("dialog").get_by_role("button", name="Leave", exact=True).click()
    expect(page.get_by_role("button", name="Sit down")).to_be_visible()
    # Whoever has left is still told the prices, and nothing to bet now.
    table = page.evaluate("location.pathname").rpartition("/")[2]
    told = page.request.get(f"/api/tables/{table}/eyes").json()
    assert told["spots"]
    assert told["coach"] == []


def test_an_administrator_adds_and_appoints_somebody(visit: Visit, house: House) -> None:
    table = house.table("nsw", crew="by hand", name="Appointed", practice=False)
    visitor = visit()
    visitor.sign_in("boss")
    page = visitor.page
    page.goto("/me")
    people = page.locator("section", has_text="People of the house").last
    people.get_by_label("Name").fill("pat")
    people.get_by_label("Password").fill("eight-or-more")
    people.get_by_role("button", name="Add a person").click()
    expect(page.get_by_role("region", name="People")).to_contain_text("pat")
    crew = page.get_by_role("form", name="Appoint somebody with an account")
    crew.get_by_label("Person").select_option("pat")
    crew.get_by_label("Table").select_option(table)
    crew.get_by_label("stick").check()
    crew.get_by_role("button", name="Appoint").click()
    expect(page.get_by_role("region", name="People")).to_contain_text(f"{table}: stick")
    pat = visit()
    pat.sign_in("pat")
    pat.page.goto(f"/console/{table}")
    expect(pat.page.get_by_role("tab", name="Stickperson")).to_be_visible()
    # At the console of the table: a link for somebody new, who lands there, once.
    page.goto(f"/console/{table}")
    expect(page.locator(".stations")).to_contain_text("You run this house: appoint its crew")
    expect(page.locator(".crew-panel")).to_contain_text("pat: stick")
    invite = page.get_by_role("form", name="Invite somebody new")
    invite.get_by_label("Name").fill("stella")
    invite.get_by_label("box").check()
    invite.get_by_role("button", name="Make the link").click()
    link = page.get_by_label("Link for stella").input_value()
    stella = visit().page
    stella.goto(link)
    stella.get_by_label("Choose a password").fill("eight-or-more")
    stella.get_by_role("button", name="Join the crew").click()
    stella.wait_for_url(f"**/console/{table}")
    expect(stella.get_by_role("tab", name="Boxperson")).to_be_visible()
    late = visit()
    late.expected = "40"
    late.page.goto(link)
    expect(late.page.locator("main")).to_contain_text("this invitation is over: ask for another")
    # Who crews one table comes there by signing in.
    late.page.goto("/sign-in")
    late.page.get_by_label("Name").fill("stella")
    late.page.get_by_label("Password").fill("eight-or-more")
    late.page.get_by_role("button", name="Sign in").click()
    late.page.wait_for_url(f"**/console/{table}")


def test_a_player_sets_his_own_brakes(visit: Visit, house: House) -> None:
    visitor = visit()
    page = visitor.sit(house.table("nsw"), "eve")
    page.goto("/me")
    page.get_by_label("Most to lose in a day").fill("20")
    page.get_by_role("button", name="Save limits").click()
    expect(page.locator(".toast.good")).to_be_visible()
    page.go_back()
    page.locator(".dock:not([hidden])").wait_for()
    for _ in range(3):
        page.locator("[data-spot='any_seven']").click()
    page.locator("[data-amount='2500']").click()
    page.locator("[data-spot='field']").click()
    page.get_by_role("button", name="Place", exact=True).click()
    toast = page.locator(".toast.bad").first
    toast.get_by_role("button", name="Why?").click()
    expect(page.get_by_role("dialog").locator("[data-clause='pit-own-loss-limit']")).to_be_visible()
