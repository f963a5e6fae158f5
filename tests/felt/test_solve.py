"""The page of best play in a real browser: solved, drawn, refused, cancelled, on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from boxman.rules.book import houses
from boxman.rules.compile import load
from tests.felt.conftest import PHONE, House, Visitor, picture
from tests.felt.test_pages import sound

Visit = Callable[..., Visitor]
LONG = 300_000
BOLD = (
    "house=rws&goal=reach&bankroll=10&target=20&menu=pass&stakes=10&minimum=5&maximum=1000&chip=1"
)


def test_a_question_in_the_address_is_answered_on_arrival(visit: Visit) -> None:
    page = visit().page
    page.goto(f"/solve?{BOLD}")
    page.locator(".results[data-state='done']").wait_for(timeout=LONG)
    # All on one bet: 244 of 495, and everything lost in the others, which is said first.
    answer = page.get_by_role("region", name="The answer")
    expect(answer.locator("dd").first).to_have_text("50.7071%")
    expect(answer).to_contain_text("49.2929%")
    expect(answer).to_contain_text("10 Pass Line")
    expect(page.get_by_role("region", name="Why it is to be believed")).to_contain_text(
        "certificate: no single act"
    )
    expect(page.get_by_role("img", name="Chance by bankroll")).to_be_visible()
    expect(page.get_by_role("img", name="Cash against situation")).to_be_visible()
    asked = parse_qs(urlsplit(page.url).query)
    assert (asked["target"], asked["menu"], asked["stakes"]) == (["20"], ["pass"], ["10"])
    sound(page)
    picture(page, "solve-desktop")
    page.set_viewport_size(PHONE)
    page.wait_for_function(f"document.documentElement.scrollWidth <= {PHONE['width']} + 1")
    sound(page)
    picture(page, "solve-phone")


def test_a_question_is_asked_with_limits_that_favour_nobody(visit: Visit) -> None:
    page = visit().page
    page.goto("/solve")
    page.get_by_label("House").select_option("nsw")
    # At 5 with chips of 1 several wagers favour the player there; at 20 none does.
    expect(page.get_by_label("Minimum", exact=True)).to_have_value("20")
    page.get_by_label("What you want").select_option("last")
    expect(page.get_by_label("To have on the rail")).to_have_count(0)
    page.get_by_label("Rolls", exact=True).fill("3")
    page.get_by_label("Bankroll").fill("40")
    page.get_by_label("At risk at every roll, at least").fill("20")
    page.get_by_text("House settings").click()
    page.locator("[name='set.multiples']").select_option("true")
    page.get_by_role("button", name="Solve it").click()
    page.locator(".results[data-state='done']").wait_for(timeout=LONG)
    expect(page.get_by_role("region", name="The answer")).to_contain_text(
        re.compile(r".* \(multiples=true\).* last 3 rolls with at least 20 at risk at each")
    )
    asked = parse_qs(urlsplit(page.url).query)
    assert (asked["goal"], asked["set.multiples"]) == (["last"], ["true"])
    assert "set.fee_refund" not in asked


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("house=zz&goal=reach", "There is no house “zz” here."),
        ("house=rws&goal=reach&bankroll=300&target=200", "the bankroll has reached that already"),
        ("house=perth-crapless&goal=reach&menu=all", "collects numbers over many rolls"),
        ("house=rws&goal=reach&stakes=five", "stakes are written 5,10,25"),
    ],
)
def test_a_question_that_makes_no_sense_is_not_run(
    visit: Visit, question: str, answer: str
) -> None:
    visitor = visit()
    visitor.expected = "422"
    page = visitor.page
    page.goto(f"/solve?{question}")
    expect(page.locator(".notice")).to_contain_text(answer, timeout=LONG)


def test_a_question_that_is_too_large_says_what_would_fit(visit: Visit) -> None:
    page = visit().page
    page.goto(
        "/solve?house=rws&goal=reach&bankroll=300&target=600&minimum=5&maximum=1000&chip=1"
        "&menu=pass,come,odds,field&stakes=5..300:5"
    )
    page.locator(".results[data-state='failed']").wait_for(timeout=LONG)
    expect(page.get_by_role("alert")).to_contain_text("the choices multiply")
    # What fits is a link to the same question with that menu.
    fits = page.get_by_role("link", name="This fits").get_attribute("href") or ""
    asked = parse_qs(urlsplit(fits).query)
    assert (asked["menu"], asked["stakes"]) == (["pass,come,field,odds"], ["5 odds=most"])
    assert asked["target"] == ["600"]


def test_a_question_can_be_cancelled(visit: Visit) -> None:
    page = visit().page
    page.goto(
        "/solve?house=rws&goal=reach&bankroll=1500&target=3000&minimum=5&maximum=1000&chip=1"
        "&menu=pass,odds&stakes=25..1000:25"
    )
    page.get_by_role("button", name="Cancel").click(timeout=LONG)
    page.locator(".results[data-state='stopped']").wait_for(timeout=LONG)
    expect(page.get_by_role("status")).to_contain_text("Stopped")


def test_the_coach_of_a_practice_table(house: House, visit: Visit) -> None:
    """With 20 at a table of 5 to 1000 wanting 40: the best first bet, beside one's own."""
    table = house.table("rws", minimum=500, maximum=100_000)
    page = visit().sit(table, buy_in=2_000)
    coach = page.locator(".best")
    coach.locator("summary").click()
    expect(coach.get_by_label("I want to have")).to_have_value("40")
    coach.get_by_role("button", name="Coach me").click()
    said = coach.locator(".best-words")
    # All of it on the line: 244 of 495.
    expect(said).to_contain_text("Best: 20 Pass Line: 49.29 %", timeout=LONG)
    page.locator(".spot[data-spot='pass']").click()
    expect(said).to_contain_text("Yours, ", timeout=LONG)
    expect(said).to_contain_text(" Pass Line: 4")
    sound(page)
    picture(page, "coach-desktop")
    # Who has no seat has no coach.
    asked = house.boss.post(f"/api/tables/{table}/coach", json={"target": 4_000})
    assert asked.status_code == 409


def test_no_coach_where_hints_are_not_given(house: House, visit: Visit) -> None:
    forbids = next(n for n in houses() if (rule := load(n).procedure.advice) and not rule.value)
    table = house.table(forbids, practice=False)
    asked = house.boss.post(f"/api/tables/{table}/coach", json={"target": 4_000})
    assert asked.status_code == 403
    page = visit().page
    page.goto(f"/table/{table}")
    expect(page.locator("craps-felt .spot").first).to_be_visible()
    expect(page.locator(".best")).to_be_hidden()
