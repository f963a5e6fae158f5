"""Every page: no violation of accessibility, nothing too small to touch, pictures to look at."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from boxman.pit.pages import PAGES
from boxman.rules.book import houses
from tests.felt.conftest import DESKTOP, PHONE, House, Visitor, picture

Visit = Callable[..., Visitor]
AXE = {
    "preload": False,
    "resultTypes": ["violations"],
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    },
}
SMALL = """() => [...document.querySelectorAll('button, [role=button], select, summary, input')]
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
    "/school": ".question h2",
    "/console/{table}": "craps-felt [data-spot]",
    "/inspect/{table}": "tbody tr",
    "/setup": "form",
    "/sign-in": "form",
    "/me": "h1",
}


def sound(page: Page) -> None:
    """axe finds nothing, and nothing is too small to touch."""
    found = Axe().run(page, options=AXE).response["violations"]
    told = [
        f"{v['id']}: {node['html'][:120]} {node['failureSummary'][:160]}"
        for v in found
        for node in v["nodes"][:3]
    ]
    assert told == []
    assert page.evaluate(SMALL) == []


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


def test_a_table_in_play_and_its_dialogs_are_accessible(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("nsw", script="4-2 3-3"))
    page.locator("[data-spot='pass']").click()
    page.locator("[data-spot='hard.6']").click()
    page.get_by_role("button", name="Place", exact=True).click()
    expect(page.locator("#panel-bets tbody tr")).to_have_count(2)
    page.locator(".throw").click()
    expect(page.locator(".stick .state")).to_contain_text("roll 1")
    for tab in ("If it rolls", "Events"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_timeout(200)
        sound(page)
    picture(page, "table-in-play-desktop")
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
    page.get_by_label("House").select_option(houses()[-1])
    page.get_by_label("Your name").fill("zoe")
    page.get_by_label("Buy in").fill("200")
    page.get_by_label("Automatic players").select_option("2")
    page.get_by_role("button", name="Open the table and sit down").click()
    page.wait_for_url(re.compile("/table/"))
    expect(page.locator(".purse")).to_contain_text("200")
    page.get_by_role("tab", name="Players").click()
    expect(page.locator("#panel-players tbody tr")).to_have_count(3)
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_label("Address of this table")).to_have_value(re.compile("/table/zoe"))
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Leave the table").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave", exact=True).click()
    expect(page.get_by_role("button", name="Sit down")).to_be_visible()


def test_the_rulebook_is_read_searched_and_compared(visit: Visit) -> None:
    from boxman.rules.book import read_book

    page = visit().page
    first, second = houses()[2], houses()[-1]
    page.goto(f"/rulebook/{first}")
    expect(page.locator("article.clause")).to_have_count(len(read_book(first).clauses))
    page.get_by_label("Show").select_option("gap")
    gaps = [each for each in read_book(first).clauses.values() if each.sort == "gap"]
    expect(page.locator("article.clause")).to_have_count(len(gaps))
    page.get_by_label("Compare with").select_option(second)
    expect(page.locator("summary")).to_contain_text("differences")
    page.get_by_role("button", name="Clause 6.1.1", exact=True).first.click()
    expect(page.get_by_role("dialog").locator("[data-clause='6.1.1']")).to_be_visible()
    # The address holds the question.
    again = page.url
    page.goto(again)
    expect(page.locator("article.clause")).to_have_count(len(gaps))


def test_the_odds_page_shows_exact_edges(visit: Visit) -> None:
    page = visit().page
    page.goto(f"/odds?house={houses()[2]}&group=Line")
    page.locator("main[data-ready]").wait_for()
    row = page.locator("tbody tr", has_text="Win Line pass").first
    expect(row).to_contain_text("7/495")
    expect(page.get_by_role("img", name=re.compile("House edge,"))).to_be_visible()
    page.get_by_label("Wagers").select_option("Hardways")
    expect(page.get_by_role("region", name=re.compile("Exact edges"))).to_contain_text("1/11")


def test_a_drill_is_answered_and_explained(visit: Visit) -> None:
    from boxman.pit.drills import make

    page = visit().page
    name = houses()[2]
    page.goto(f"/school?house={name}&kind=payout&seed=5")
    drill = make(name, "payout", 5)
    expect(page.locator(".question")).to_contain_text(drill.question)
    page.get_by_label("Net, with minus for a loss").fill("0.01")
    page.get_by_role("button", name="Answer").click()
    expect(page.locator(".verdict")).to_contain_text(f"it is {drill.answer}")
    page.goto(f"/school?house={name}&kind=payout&seed=5")
    page.get_by_label("Net, with minus for a loss").fill(drill.answer)
    page.get_by_role("button", name="Answer").click()
    expect(page.locator(".verdict")).to_contain_text("Right")
    page.locator("summary").click()
    assert page.locator("article.clause").count()
    page.goto(f"/school?house={name}&kind=down&seed=2")
    answer = make(name, "down", 2).answer
    page.get_by_role("button", name=answer, exact=True).click()
    expect(page.locator(".verdict")).to_contain_text("Right")


def test_a_strategy_is_run_exactly_and_simulated_and_replayed(visit: Visit) -> None:
    page = visit().page
    page.goto(
        f"/strategy?house={houses()[2]}&s0=pass&s1=own&t1=when+come-out%3A+bet+5+field%0A&bankroll=100&rolls=30&sessions=40&seed=3"
    )
    results = page.locator(".results[data-state='done']")
    results.wait_for(timeout=60_000)
    assert page.locator(".exact").count() == 2
    expect(page.locator(".simulated")).to_contain_text("40 sessions")
    picture(page, "strategy-run-desktop")
    page.get_by_role("button", name=re.compile("Watch the best session of pass")).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("30 rolls", timeout=30_000)
    expect(dialog.locator("craps-felt [data-spot='pass']")).to_be_visible()
    dialog.get_by_role("button", name="On", exact=True).click()
    expect(dialog).to_contain_text("ann bets 10 pass")
    # What cannot be read is told, not hidden.
    page.keyboard.press("Escape")
    page.get_by_label("Which").first.select_option("own")
    page.get_by_label("Your strategy in words").first.fill("when come-out: bet ten pass")
    page.get_by_role("button", name="Run it").click()
    expect(page.locator(".results [role=alert]")).to_contain_text("line 1", timeout=30_000)


def appointed(house: House, name: str, table: str, *stations: str) -> None:
    """An account with stations at a table."""
    made = house.boss.post("/api/people", json={"name": name, "password": "eight-or-more"})
    assert made.status_code in (201, 409), made.text
    given = house.boss.post(
        f"/api/people/{name}/stations", json={"table": table, "stations": list(stations)}
    )
    assert given.status_code == 200, given.text


def test_a_crew_works_a_table_by_hand(visit: Visit, house: House) -> None:
    table = house.table("rws", crew="by hand", dice="hand")
    appointed(house, "stig", table, "stick")
    appointed(house, "bea", table, "box")
    appointed(house, "dee", table, "dealer")
    ann = visit().sit(table, "ann")
    stick, box, dealer = visit(), visit(), visit()
    stick.sign_in("stig")
    box.sign_in("bea")
    dealer.sign_in("dee")
    for crew in (stick, box, dealer):
        crew.page.goto(f"/console/{table}")
        crew.page.locator(".calls button").first.wait_for()
    ann.locator("[data-spot='pass']").click()
    ann.get_by_role("button", name="Place", exact=True).click()
    expect(ann.locator("#panel-bets")).to_contain_text("Pass Line")
    enter = stick.page.locator("[data-call='enter']")
    # In this house the dealers close the bets; the stick is told why it may not.
    expect(stick.page.locator("[data-call='closebets']")).to_have_attribute("aria-disabled", "true")
    _say(dealer.page, "closebets")
    expect(ann.locator(".stick .state")).to_contain_text("No more bets")
    _say(stick.page, "diceout")
    expect(ann.locator(".stick .state")).to_contain_text("Dice out")
    enter.click()
    _faces(stick.page, 4, 2)
    expect(box.page.locator("section[aria-label='What waits']")).to_contain_text("4-2")
    box.page.locator("[data-call='attest']").click()
    _faces(box.page, 4, 2)
    expect(ann.locator(".puck.on")).to_be_visible()
    picture(stick.page, "console-stick-desktop")
    # The box overrules the miscall: it was a five and a four.
    box.page.locator("[data-call='overrule']").click()
    _faces(box.page, 5, 4)
    expect(ann.locator(".badge.on")).to_have_text("ON 9")
    sound(stick.page)
    picture(box.page, "console-box-desktop")
    # What a role may not do says why.
    disabled = box.page.locator(".call-entry button[aria-disabled='true']").first
    why = disabled.get_attribute("aria-describedby")
    assert box.page.locator(f"[id='{why}']").inner_text()


def _say(page: Page, call: str) -> None:
    page.locator(f"[data-call='{call}']").click()


def _faces(page: Page, first: int, second: int) -> None:
    dialog = page.get_by_role("dialog")
    dialog.get_by_label(f"First die {first}").check(force=True)
    dialog.get_by_label(f"Second die {second}").check(force=True)
    dialog.get_by_role("button", name="Say it").click()


def test_a_supervisor_posts_limits_with_a_running_notice(visit: Visit, house: House) -> None:
    table = house.table("nsw", crew="by hand")
    appointed(house, "sue", table, "supervisor")
    sue = visit()
    sue.sign_in("sue")
    page = sue.page
    page.goto(f"/console/{table}")
    page.locator("[data-call='shownotice']").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("What").select_option("limits")
    dialog.get_by_label("Minimum").fill("10")
    dialog.get_by_label("Maximum").fill("400")
    dialog.get_by_role("button", name="Say it").click()
    waits = page.locator("section[aria-label='What waits']")
    expect(waits).to_contain_text("New limits")
    expect(waits.locator(".clock")).to_contain_text(re.compile(r"\d+:\d\d to go"))
    ann = visit().sit(table, "ann")
    expect(ann.locator(".tools")).to_contain_text("New limits")


def test_an_administrator_adds_and_appoints_somebody(visit: Visit, house: House) -> None:
    table = house.table("nsw", crew="by hand", name="Appointed")
    visitor = visit()
    visitor.sign_in("boss")
    page = visitor.page
    page.goto("/me")
    people = page.locator("section", has_text="People of the house").last
    people.get_by_label("Name").fill("pat")
    people.get_by_label("Password").fill("eight-or-more")
    people.get_by_role("button", name="Add a person").click()
    expect(page.get_by_role("region", name="People")).to_contain_text("pat")
    crew = page.locator("section", has_text="The crew of a table").last
    crew.get_by_label("Person").select_option("pat")
    crew.get_by_label("Table").select_option(table)
    crew.get_by_label("stick").check()
    crew.get_by_role("button", name="Appoint").click()
    expect(page.get_by_role("region", name="People")).to_contain_text(f"{table}: stick")
    pat = visit()
    pat.sign_in("pat")
    pat.page.goto(f"/console/{table}")
    expect(pat.page.get_by_role("tab", name="Stickperson")).to_be_visible()


def test_a_player_sets_his_own_brakes(visit: Visit, house: House) -> None:
    visitor = visit()
    page = visitor.sit(house.table("nsw"), "eve")
    page.goto("/me")
    page.get_by_label("Most to lose in a day").fill("20")
    page.get_by_role("button", name="Set them").click()
    expect(page.locator(".toast.good")).to_be_visible()
    page.go_back()
    page.locator(".rail:not([hidden])").wait_for()
    for _ in range(3):
        page.locator("[data-spot='any_seven']").click()
    page.locator("[data-amount='2500']").click()
    page.locator("[data-spot='field']").click()
    page.get_by_role("button", name="Place", exact=True).click()
    toast = page.locator(".toast.bad").first
    toast.get_by_role("button", name="Why?").click()
    expect(page.get_by_role("dialog").locator("[data-clause='pit-own-loss-limit']")).to_be_visible()


def test_a_dealer_in_training_pays_before_it_is_shown(visit: Visit, house: House) -> None:
    table = house.table("nsw", script="6-5")
    player = visit().sit(table)
    dealer = visit()
    dealer.page.goto(f"/console/{table}")
    dealer.page.get_by_label("Training").check()
    player.locator("[data-spot='eleven']").click()
    player.get_by_role("button", name="Place", exact=True).click()
    expect(player.locator("#panel-bets")).to_contain_text("Eleven")
    player.locator(".throw").click()
    asked = dealer.page.get_by_role("dialog")
    expect(asked).to_contain_text("Pay 6-5")
    asked.get_by_role("textbox").fill("75")
    asked.get_by_role("button", name="Pay").click()
    # This house pays 16 to 1.
    expect(dealer.page.get_by_role("dialog", name="Not quite")).to_contain_text("gets $80")


def test_an_inspector_verifies_replays_and_exports(visit: Visit, house: House) -> None:
    table = house.table("nsw", script="4-2 3-4")
    player = visit().sit(table)
    player.locator("[data-spot='pass']").click()
    player.get_by_role("button", name="Place", exact=True).click()
    expect(player.locator("#panel-bets")).to_contain_text("Win Line")
    player.locator(".throw").click()
    expect(player.locator(".stick .state")).to_contain_text("roll 1")
    page = visit().page
    page.goto(f"/inspect/{table}")
    page.locator("tbody tr").first.wait_for()
    page.get_by_role("button", name="Verify the chain").click()
    expect(page.locator(".good")).to_contain_text("every seal fits")
    # Back to before the roll: the puck is off on the felt, then live again.
    rolled = page.locator("tbody tr", has_text="calls 4-2").locator("th").inner_text()
    page.get_by_role("button", name=f"Show row {int(rolled) - 1} on", exact=False).click()
    expect(page.locator(".where")).to_contain_text("puck off")
    page.get_by_role("button", name=f"Show row {rolled} on").click()
    expect(page.locator(".where")).to_contain_text("puck on 6")
    page.get_by_role("button", name=f"Why: row {rolled}").click()
    expect(page.get_by_role("dialog").locator("[data-clause]").first).to_be_visible()
    page.keyboard.press("Escape")
    with page.expect_download() as loading:
        page.get_by_role("link", name="Export as notation").click()
    text = _text(loading.value)
    assert "ann bets 5 pass" in text
    page.get_by_role("button", name="Now").click()
    player.locator(".throw").click()
    expect(page.locator("tbody")).to_contain_text("calls 3-4")


def _text(download: Any) -> str:
    with open(download.path()) as file:
        return file.read()
