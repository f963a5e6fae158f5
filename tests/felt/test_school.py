"""Dealer school in a real browser: three drills, timed, scored, each explained by its clause."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from boxman.pit.told.drills import EFFECTS, make
from boxman.words import phrase
from tests.felt.conftest import PHONE, Visitor, picture
from tests.felt.test_pages import sound

Visit = Callable[..., Visitor]


def test_a_payout_is_asked_again_until_it_is_an_amount(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    page.goto("/school?house=nsw&kind=payout&seed=5")
    drill = make("nsw", "payout", 5)
    expect(page.locator(".question")).to_contain_text(drill.question)
    expect(page.locator(".score")).to_have_text("Question 1 · 0 right of 0")
    expect(page.locator(".time")).to_contain_text(re.compile(r"\d+ s"))
    answer = page.get_by_label("Net, with minus for a loss")
    visitor.expected = "Failed to load resource"
    answer.fill("abc")
    page.get_by_role("button", name="Answer").click()
    expect(page.get_by_role("alert")).to_contain_text("“abc” is no amount")
    # That was no answer: it costs nothing, and the clock runs on.
    expect(page.locator(".score")).to_have_text("Question 1 · 0 right of 0")
    expect(answer).to_be_focused()
    answer.fill("0.01")
    page.get_by_role("button", name="Answer").click()
    verdict = page.locator(".verdict")
    right = drill.answer.replace("-", "−$") if drill.answer.startswith("-") else f"+${drill.answer}"
    expect(verdict).to_contain_text(f"You said +$0.01; it is {right}.")
    expect(page.locator(".score")).to_contain_text("Question 1 · 0 right of 1")
    page.get_by_role("button", name=re.compile("^Clause")).first.click()
    expect(page.get_by_role("dialog").locator("[data-clause]").first).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Next question").click()
    expect(page.locator(".score")).to_contain_text("Question 2 · 0 right of 1")
    page.goto("/school?house=nsw&kind=payout&seed=5")
    answer.fill(drill.answer)
    page.keyboard.press("Enter")
    expect(verdict).to_contain_text(f"Right: {right}.")
    expect(page.locator(".score")).to_contain_text("1 right of 1")
    page.get_by_text("The clauses in full").click()
    assert page.locator("article.clause").count()
    sound(page)
    picture(page, "school-answered-desktop")


def test_a_no_roll_has_every_kind_of_answer(visit: Visit) -> None:
    page = visit().page
    page.goto("/school?house=rws&kind=noroll&seed=1")
    answers = page.get_by_role("group", name="Answers").get_by_role("button")
    expect(answers).to_have_count(len(EFFECTS))
    drill = make("rws", "noroll", 1)
    said = [phrase(f"pit.school.effects.{each}") for each in EFFECTS]
    wrong = next(each for each in said if each != drill.answer)
    sound(page)
    picture(page, "school-noroll-desktop")
    page.get_by_role("button", name=wrong, exact=True).click()
    expect(page.locator(".verdict")).to_contain_text(f"You said {wrong}; it is {drill.answer}.")
    assert page.locator(".told [aria-label^='Clause']").count() == len(drill.cites)
    page.set_viewport_size(PHONE)
    page.get_by_role("button", name="Next question").click()
    expect(page.locator(".score")).to_contain_text("Question 2")
    sound(page)
    picture(page, "school-noroll-phone")


def test_a_wager_that_is_locked_stays_up(visit: Visit) -> None:
    page = visit().page
    seed = next(n for n in range(40) if make("adelaide", "down", n).answer == "no")
    drill = make("adelaide", "down", seed)
    page.goto(f"/school?house=adelaide&kind=down&seed={seed}")
    expect(page.locator(".question h2")).to_have_text(drill.question)
    expect(page.locator("craps-felt [data-spot]").first).to_be_visible()
    page.get_by_role("button", name="no", exact=True).click()
    expect(page.locator(".verdict")).to_contain_text("Right: no.")
    assert drill.ruling is not None
    assert drill.ruling.refusal is not None
    expect(page.locator(".told")).to_contain_text(drill.ruling.refusal.sentence)


def test_a_round_against_the_clock_lists_what_went_wrong(visit: Visit) -> None:
    visitor = visit(viewport=PHONE)
    page = visitor.page
    page.add_init_script("Math.random = () => 7 / 2 ** 32")
    page.clock.install()
    page.goto("/school?house=nsw&kind=prop&level=2&seed=7")
    drill = make("nsw", "prop", 7, 2)
    expect(page.locator(".question h2")).to_have_text(drill.question)
    # On a phone the layout, the question and the keypad are in sight together.
    keys = page.get_by_role("group", name="Keypad")
    expect(page.locator("craps-felt [data-spot]").first).to_be_visible()
    keys.scroll_into_view_if_needed()
    felt = page.locator("craps-felt").bounding_box()
    pad = keys.bounding_box()
    assert felt is not None
    assert pad is not None
    assert felt["y"] > -felt["height"] / 2
    assert pad["y"] + pad["height"] <= PHONE["height"]
    sound(page)
    picture(page, "school-prop-phone")
    page.get_by_role("button", name="Round of 60 seconds").click()
    expect(page.locator(".in-round .time").first).to_contain_text("s left")
    # Nothing has to be scrolled while the clock runs.
    for part in ("craps-felt", ".question h2", ".keypad", ".question .time"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= PHONE["height"], part
    sound(page)
    picture(page, "school-round-phone")
    for key in drill.answer:
        keys.get_by_role("button", name=key if key != "." else ".", exact=True).click()
    page.get_by_role("button", name="Answer").click()
    # Right: the next question comes at once. Wrong: it waits until it was read.
    expect(page.locator(".score")).to_contain_text("Question 2 · 1 right of 1")
    page.get_by_label("Net, with minus for a loss").fill(drill.answer)
    page.get_by_role("button", name="Answer").click()
    expect(page.locator(".score")).to_contain_text("2 in a row · best streak: 2")
    expect(page.locator(".score")).to_contain_text("Question 3")  # it is there to be answered
    keys.get_by_role("button", name="1", exact=True).click()
    page.get_by_role("button", name="Answer").click()
    expect(page.locator(".verdict")).to_contain_text("Not quite")
    # What is explained does not push the layout out of sight.
    felt = page.locator("craps-felt").bounding_box()
    assert felt is not None
    assert felt["height"] > 150
    assert drill.table is not None
    for wager in drill.table.seats["ann"].wagers:
        expect(page.locator(f"craps-felt [data-spot='{wager}']")).to_be_visible()
    expect(page.locator(".verdict")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    picture(page, "school-wrong-phone")
    page.clock.fast_forward(61_000)
    page.get_by_role("button", name="Next question").click()
    expect(page.locator(".question h2")).to_have_text("The round is over: 2 right")
    expect(page.locator(".wrong-list li")).to_have_count(1)
    page.set_viewport_size({"width": 1280, "height": 800})
    sound(page)
    picture(page, "school-round-desktop")
    page.locator(".wrong-list").get_by_role("button", name=re.compile("^Clause")).first.click()
    expect(page.get_by_role("dialog").locator("[data-clause]").first).to_be_visible()
