"""The lobby: tables with their signs, one form for everything, a first hand, a friend's link."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
import segno
from playwright.sync_api import expect

from boxman.pit.told.gallery import boxes
from boxman.rules.book import houses
from boxman.rules.compile import load
from tests.felt.conftest import PHONE, House, Visitor, picture, wait
from tests.felt.hands import menu
from tests.felt.test_pages import sound

Visit = Callable[..., Visitor]


def test_everything_about_a_table_is_in_one_form(visit: Visit, house: House) -> None:
    page = visit().page
    page.goto("/")
    form = page.get_by_role("form", name="New practice table")
    form.locator("[name='house']").select_option("perth-crapless")
    form.get_by_label("Minimum").fill("10")
    form.get_by_label("Maximum").fill("1000")
    form.get_by_label("Your name").fill("zara")
    form.get_by_label("Buy in").fill("400")
    form.get_by_label("Automatic players").select_option("2")
    # Only what this house can be played with: it has no don't side, but bonus bets.
    form.get_by_label("They play").select_option("small")
    assert form.get_by_label("They play").locator("option[value='dont']").count() == 0
    form.get_by_text("Crew, shooter and pace").click()
    form.get_by_label("Dice are thrown by").select_option("players")
    form.get_by_label("Seconds between calls").fill("0.2")
    form.get_by_label("Seconds for bets").fill("45")
    form.get_by_label("Seconds for the others").fill("12")
    form.get_by_text("House settings").click()
    # Settings are asked for in words, never by their names in the rulebook.
    labels = form.locator(".field-label").all_inner_texts()
    raw = {rule.name for rule in load("perth-crapless").setting_rules.values()}
    assert not raw & {label.strip().lower().replace(" ", "_") for label in labels} - {"layout"}
    form.get_by_label("Layout in use").fill("3")
    sound(page)
    picture(page, "lobby-form-desktop")
    page.set_viewport_size(PHONE)
    page.wait_for_timeout(100)
    sound(page)
    picture(page, "lobby-form-phone")
    form.get_by_role("button", name="Open the table and sit down").click()
    page.wait_for_url(re.compile("/table/zara"))
    setup = house.app.state.house.pit.tables[page.url.rsplit("/", 1)[1]].desk.book.setup
    assert setup.players == ("small", "small")
    assert (setup.step, setup.window, setup.patience) == (200, 45_000, 12_000)
    live = house.app.state.house.pit.tables[page.url.rsplit("/", 1)[1]]
    assert str(live.desk.layout.settings["layout"]) == "3"
    assert (live.desk.table.posted.minimum, live.desk.table.posted.maximum) == (1_000, 100_000)
    assert live.desk.table.hand.shooter != "guest"


@pytest.mark.parametrize("name", houses())
def test_settings_and_strategies_of_every_house_are_told_in_words(house: House, name: str) -> None:
    told = house.boss.get(f"/api/houses/{name}").json()
    for choice in told["choices"]:
        assert choice["label"][0].isupper()
        assert "_" not in choice["label"]
        assert f"{choice['label']} {choice['hint']}".replace(" ", "").lower() in (
            choice["text"].replace(": ", " ").replace(" ", "").lower(),
            choice["text"].replace(" ", "").lower(),
        )
    spots = set(load(name).spots)
    offered = house.boss.get(f"/api/strategies?house={name}").json()["strategies"]
    assert offered
    for each in offered:
        assert set(each["needs"]) <= spots
        assert each["title"][0].isupper()
        # A title, not the name it is called by: "Doey-Don't" is one, "doey-dont" is not.
        assert each["title"] != each["name"]
        assert not re.search("-[a-z0-9]", each["title"])
    everything = house.boss.get("/api/strategies").json()["strategies"]
    left = {each["name"] for each in everything} - {each["name"] for each in offered}
    assert left == {each["name"] for each in everything if set(each["needs"]) - spots}


@pytest.mark.parametrize("name", houses())
def test_automatic_players_of_a_mixture_bet_at_every_house(house: House, name: str) -> None:
    # Slow enough that tables nobody watches leave the machine to the other tests.
    table = house.table(name, players=4, minimum=1_000, name=f"mixture {name}", pace=1.5)
    live = house.app.state.house.pit.tables[table]

    def betting() -> bool:
        seats = live.desk.table.seats.values()
        # They buy in for what the limits ask, and each has had something on the layout.
        return len(seats) == 4 and all(
            seat.bought >= 20 * 1_000 and (seat.wagers or seat.rail != seat.bought)
            for seat in seats
        )

    wait(betting)


def test_tables_are_sat_at_watched_left_and_shared(visit: Visit, house: House) -> None:
    table = house.table("nsw", name="corner table", players=1, pace=1.5)
    page = visit().page
    page.goto("/")
    card = page.locator(".table-card", has_text="corner table")
    expect(card).to_contain_text("$5 to $500")
    card.get_by_text("Signs of this table").click()
    expect(card.locator("li").first).to_be_visible()
    assert card.locator("li").count() == len(
        house.boss.get(f"/api/tables/{table}/signs").json()["signs"]
    )
    card.get_by_role("button", name=re.compile("^Clause")).first.click()
    expect(page.get_by_role("dialog").locator("[data-clause]").first).to_be_visible()
    page.keyboard.press("Escape")
    card.get_by_role("button", name="Link for a friend").click()
    link = page.get_by_label("Address of this table")
    expect(link).to_have_value(f"{house.url}/table/{table}")
    page.keyboard.press("Escape")
    card.get_by_role("link", name="Watch").click()
    page.wait_for_url(re.compile(f"/table/{table}$"))
    expect(page.get_by_role("button", name="Sit down")).to_be_visible()
    page.goto("/")
    page.get_by_label("Your name").fill("wanda")
    card.get_by_role("button", name="Sit down").click()
    page.wait_for_url(re.compile(f"/table/{table}$"))
    expect(page.locator(".purse")).to_contain_text("300")
    page.goto("/")
    expect(card).to_contain_text("you sit here as wanda")
    picture(page, "lobby-seated-desktop")
    card.get_by_role("link", name="Back to your seat").wait_for()
    card.get_by_role("button", name="Leave").click()
    expect(page.locator(".toast.good")).to_contain_text("You have left with $300")
    expect(card.get_by_role("button", name="Sit down")).to_be_visible()
    assert "wanda" not in house.app.state.house.pit.tables[table].desk.table.seats


def test_somebody_new_is_led_to_a_first_hand(visit: Visit) -> None:
    page = visit().page
    page.goto("/")
    page.get_by_role("button", name="Take a first hand").click()
    page.wait_for_url(re.compile("/table/"))
    lesson = page.get_by_role("region", name="Guided first hand")
    expect(lesson).to_contain_text("Put a chip on the line")


def test_a_live_table_asks_guests_to_sign_in(visit: Visit, house: House) -> None:
    house.table("nsw", practice=False, name="real thing", players=0)
    page = visit().page
    page.goto("/")
    card = page.locator(".table-card", has_text="real thing")
    expect(card.get_by_role("link", name="Sign in to play")).to_be_visible()
    assert card.get_by_role("button", name="Sit down").count() == 0


def test_houses_are_small_felts_and_each_says_what_is_special(visit: Visit, house: House) -> None:
    page = visit().page
    page.goto("/")
    cards = page.locator(".felts button")
    expect(cards).to_have_count(len(houses()))
    # Every house has its name and something of its own; what is said follows from the rulebooks.
    expect(cards.filter(has_text="New South Wales")).to_contain_text(
        "The don't side bars the 2.", timeout=120_000
    )
    crapless = cards.filter(has_text="Crown Perth")
    expect(crapless).to_contain_text("10 numbers can be the point. There is no don't side.")
    for name, odds in (("Sentosa", "3-4-5x"), ("Adelaide", "10x"), ("New Zealand", "1x")):
        expect(cards.filter(has_text=name)).to_contain_text(f"Odds up to {odds} the line.")
    told = house.boss.get("/api/houses/special").json()["houses"]
    assert set(told) == set(houses())
    assert all(sentences for sentences in told.values())
    page.wait_for_function(
        "[...document.querySelectorAll('.felts img')].every(i => i.naturalWidth)"
    )
    # A touch chooses the house in the form.
    crapless.click()
    expect(crapless).to_have_attribute("aria-pressed", "true")
    expect(page.locator("form.new-table [name='house']")).to_have_value("perth-crapless")
    sound(page)
    picture(page, "lobby-felts-desktop")
    # So does an address, like that of a shared hand; one that no house has is said.
    page.goto("/?house=rws")
    expect(page.locator("form.new-table [name='house']")).to_have_value("rws")
    page.goto("/?house=nowhere")
    expect(page.locator(".toast")).to_contain_text("There is no house “nowhere” here.")
    expect(page.locator("form.new-table [name='house']")).to_have_value(houses()[0])
    page.set_viewport_size(PHONE)
    page.wait_for_timeout(150)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    sound(page)
    picture(page, "lobby-felts-phone")


@pytest.mark.parametrize("name", houses())
def test_a_small_felt_has_the_numbers_and_the_lines_of_its_house(house: House, name: str) -> None:
    layout = load(name)
    answer = house.boss.get(f"/api/houses/{name}/felt.svg?puck={layout.points[0]}")
    assert answer.headers["content-type"] == "image/svg+xml"
    shown = re.findall(r"<text[^>]*>([^<]+)</text>", answer.text)
    assert [each for each in shown if each.isdigit()] == [str(n) for n in layout.points]
    assert unescape(" ".join(shown)).count(layout.spots["pass"].name.upper())
    assert "ON" in shown
    # Nothing lies outside the picture or over something else.
    found = list(boxes(layout))
    for n, one in enumerate(found):
        assert one.x >= 8
        assert one.y >= 8
        assert one.x + one.w <= 352.1
        assert one.y + one.h <= 202.1
        for other in found[:n]:
            apart = (
                one.x + one.w <= other.x + 0.1
                or other.x + other.w <= one.x + 0.1
                or one.y + one.h <= other.y + 0.1
                or other.y + other.h <= one.y + 0.1
            )
            assert apart, (one, other)


def test_a_link_has_a_code_that_holds_it(house: House, visit: Visit) -> None:
    table = house.table("nsw")
    link = house.boss.get(f"/api/tables/{table}").json()["link"]
    answer = house.boss.get(f"/api/tables/{table}/link.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    # The same modules as a code of this address made here, with the quiet zone of four.
    made = segno.make(link, micro=False)
    side = made.symbol_size(border=4)[0]
    assert f'viewBox="0 0 {side} {side}"' in answer.text
    dark = sum(sum(row) for row in made.matrix)
    assert sum(int(n) for n in re.findall(r"h(\d+)", answer.text.split("stroke=")[1])) == dark
    assert house.boss.get("/api/tables/nowhere/link.svg").status_code == 404
    page = visit().sit(table)
    menu(page, "Share")
    code = page.get_by_role("img", name="The address as a code for a camera")
    expect(code).to_be_visible()
    page.wait_for_function("document.querySelector('.link-code').naturalWidth > 0")
    sound(page)
    picture(page, "share-desktop")
