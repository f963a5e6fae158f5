"""Rulebooks to read and compare, and the odds of every house, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import pytest
from playwright.sync_api import Route, expect

from boxman.rules.book import read_book
from tests.felt.conftest import PHONE, House, Visitor, picture
from tests.felt.test_pages import sound

LONG = 240_000
Visit = Callable[..., Visitor]
FIRST_PAINT = """() => performance.getEntriesByName('first-contentful-paint').length > 0"""


def test_the_rulebook_is_read_searched_and_compared(visit: Visit) -> None:
    page = visit().page
    book = read_book("nsw")
    page.goto("/rulebook/nsw")
    expect(page.locator("article.clause")).to_have_count(len(book.clauses))
    # Contents by chapter, in the document's order, with how many clauses each has.
    contents = page.get_by_role("navigation", name="Contents")
    chapters: dict[str, int] = {}
    for clause in book.clauses.values():
        chapters[clause.chapter] = chapters.get(clause.chapter, 0) + 1
    told = [f"{name} {count}" for name, count in chapters.items()]
    assert [each.strip() for each in contents.locator("li").all_inner_texts()] == told
    contents.get_by_role("link", name="Invalid throws").click()
    expect(page.get_by_role("heading", name="Invalid throws")).to_be_in_viewport()
    # Each clause shows the facts the table runs on, or why it has none.
    article = page.locator("[data-clause='6.1.1.1.1']")
    expect(article.locator(".facts")).to_contain_text(
        "result spot Win Line · puck off · win 7 and 11"
    )
    expect(page.locator("[data-clause='1.1[Act]']")).to_contain_text(
        "For readers only: the statute"
    )
    shown = page.locator("article.clause .facts li").count()
    assert shown == len(book.facts)
    page.get_by_label("Show").select_option("gap")
    gaps = [each for each in book.clauses.values() if each.sort == "gap"]
    expect(page.locator("article.clause")).to_have_count(len(gaps))
    page.get_by_label("Compare with").select_option("rws")
    expect(page.locator("#difference summary")).to_contain_text("differences between")
    page.get_by_role("button", name="Clause 6.1.1", exact=True).first.click()
    expect(page.get_by_role("dialog").locator("[data-clause='6.1.1']")).to_be_visible()
    # The address holds the question.
    page.keyboard.press("Escape")
    page.reload()
    expect(page.locator("article.clause")).to_have_count(len(gaps))
    expect(page.locator("#difference summary")).to_contain_text("differences between")


def test_a_link_leads_to_its_clause(visit: Visit) -> None:
    page = visit().page
    page.goto("/rulebook/adelaide")
    odd = "6(c)[Taking Odds; Pass Bet 4 & 10]"
    link = page.get_by_role("link", name=f"Link to clause {odd}")
    address = link.get_attribute("href")
    page.goto(f"/rulebook/adelaide{address}")
    article = page.locator(f"[data-clause='{odd}']")
    expect(article).to_be_in_viewport()
    assert page.evaluate("document.querySelector(':target').dataset.clause") == odd
    assert page.url.endswith(str(address))
    page.goto("/rulebook/adelaide#clause-99")
    page.reload()
    expect(page.locator(".toast.bad")).to_contain_text("There is no clause 99 here")
    visitor_of_nowhere = visit()
    visitor_of_nowhere.expected = "Failed to load resource"
    visitor_of_nowhere.page.goto("/rulebook/nowhere")
    expect(visitor_of_nowhere.page.locator(".notice")).to_contain_text("there is no house nowhere")
    expect(visitor_of_nowhere.page.get_by_role("link", name="All rulebooks")).to_be_visible()


def test_the_comparison_is_told_in_words(visit: Visit) -> None:
    page = visit().page
    page.goto("/rulebook/nsw?with=rws&sort=term")
    table = page.locator("table.difference")
    table.wait_for()
    heads = table.locator("tr.group").all_inner_texts()
    # What both houses call the wagers; numbers that differ alike share one head.
    assert "Win Line / Pass Line" in heads
    assert "Come on 4, 5, 6, 8, 9 and 10" in heads
    words = table.inner_text()
    assert "on 2 at the come-out" in words
    assert "limit on 4 and 10" in words
    assert not re.search(r"puck 0|\bdont_|_pass|come\.\d|\| -", words)
    sound(page)
    picture(page, "rulebook-compared-desktop")
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"] + 1
    picture(page, "rulebook-compared-phone")


def test_the_odds_page_shows_exact_edges_by_the_houses_names(visit: Visit, house: House) -> None:
    page = visit().page
    page.goto("/odds?house=nsw&group=Line")
    page.locator("main[data-ready]").wait_for(timeout=LONG)
    row = page.locator(".prices").get_by_role("row", name=re.compile("^Win Line "))
    # 7/495 is 1.414 per cent; the line wins 244 of 495 times, 49.3 per cent.
    expect(row).to_contain_text("1.414 % 7/495")
    expect(row).to_contain_text("49.3 % 244/495")
    # One bar for wagers of a kind that cost the same, and the exact fraction at its end.
    bars = page.get_by_role("img", name=re.compile("^House edges: Line"))
    expect(bars).to_contain_text("Win Line7/495 = 1.41%")
    expect(bars).to_contain_text("Behind the Win Line (4–10)0 = 0.00%")
    # All houses on one line: a mark for each, told apart by its shape.
    marks = page.get_by_role("img", name=re.compile("^Line. House edge")).locator("g, svg.mark")
    assert page.locator(".drawn .key li").count() == len(
        house.boss.get("/api/houses").json()["houses"]
    )
    expect(marks.first).to_be_attached()
    beside = page.get_by_role("region", name=re.compile("^Line: edge of each wager"))
    expect(beside).to_contain_text("Win Line")
    # Crapless, 4/495 more is lost than elsewhere: 373/6930 is 5.38 per cent.
    assert Fraction(373, 6930) > Fraction(7, 495)
    expect(beside).to_contain_text("5.38 % 373/6930 worst")
    assert not re.search(r"pass\.odds|dont_", page.locator("main").inner_text())
    page.locator("[name=group]").select_option("Hardways")
    expect(page.get_by_role("region", name=re.compile("^Hardways: edge"))).to_contain_text("1/11")
    # All kinds at once, and the address holds it.
    kinds = page.locator("[name=group]").locator("option").all_inner_texts()
    compared = house.boss.get("/api/compare").json()["wagers"].values()
    assert set(kinds) - {"all kinds"} == {row["group"] for row in compared}
    page.locator("[name=group]").select_option("all")
    expect(page.get_by_role("region", name=re.compile("^Bonus: edge"))).to_be_visible()
    page.reload()
    expect(page.get_by_role("region", name=re.compile("^Bonus: edge"))).to_be_visible()
    count = page.locator(".prices tbody tr").count()
    assert count == len(house.boss.get("/api/houses/nsw/odds").json()["wagers"])


def test_the_odds_page_answers_under_settings_and_within_the_width_of_a_phone(
    visit: Visit, house: House
) -> None:
    page = visit(viewport=PHONE).page
    page.goto("/odds?house=perth-crapless&group=Bonus&set.layout=2")
    page.locator("main[data-ready]").wait_for(timeout=LONG)
    # Everything is in sight across: no part of the page scrolls sideways.
    wide = """() => [...document.querySelectorAll("main *")].filter(e =>
      e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === "auto").length"""
    assert page.evaluate(wide) == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    figures = page.locator(".prices td").first.bounding_box()
    assert figures is not None
    assert figures["x"] + figures["width"] <= PHONE["width"]
    sound(page)
    picture(page, "odds-phone-answered")
    two = house.boss.get("/api/houses/perth-crapless/odds?set=layout=2").json()["wagers"]["all"]
    expect(page.locator(".prices")).to_contain_text(two["edge"])
    # Layout 5 has no bonus bets: the page answers at once, and the address holds it.
    page.get_by_label("Layout in use").fill("5")
    page.get_by_label("Layout in use").press("Tab")
    expect(page.locator(".prices")).to_contain_text("offers none of these")
    expect(page).to_have_url(re.compile("set.layout=5"))
    # Each question is a step of its own.
    page.go_back()
    expect(page.locator(".prices")).to_contain_text(two["edge"])
    expect(page.get_by_label("Layout in use")).to_have_value("2")
    page.go_forward()
    expect(page.locator(".prices")).to_contain_text("offers none of these")
    expect(page).to_have_url(re.compile("set.layout=5"))


def test_a_house_that_is_not_there_is_said(visit: Visit) -> None:
    page = visit().page
    for address in ("/odds?house=zz", "/school?house=zz", "/strategy?house=zz&s0=pass"):
        page.goto(address)
        expect(page.locator(".notice")).to_contain_text("There is no house “zz” here")
    assert page.locator(".results[data-state]").count() == 0
    page.goto("/odds?house=nsw&group=zz")
    expect(page.locator(".notice")).to_contain_text("asks for “zz” as group. There are: Line,")
    page.get_by_role("link", name="Begin again").click()
    page.locator("main[data-ready]").wait_for(timeout=LONG)


@pytest.mark.parametrize("address", ["/", "/odds", "/strategy", "/school", "/rulebook/nsw"])
def test_something_is_painted_before_anything_is_worked_out(visit: Visit, address: str) -> None:
    """The first paint waits for no answer of the server but the list of houses."""
    visitor = visit(draws=True)
    page = visitor.page
    held: list[Route] = []
    slow = r"/api/(compare|strategies|drills|tables|me|houses/[^/]+/(odds|diff|rulebook))"
    page.route(re.compile(slow), lambda route: held.append(route))
    page.goto(address)
    expect(page.locator("h1")).to_be_visible()
    page.wait_for_function(FIRST_PAINT)
    assert held
