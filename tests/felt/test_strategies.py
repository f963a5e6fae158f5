"""The strategy page in a real browser: exact, simulated, compared, cancelled, replayed, shared."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from boxman.pit.backroom import simulations as backroom
from boxman.sim.exact import explored, solve
from boxman.strategy.library import named
from boxman.strategy.session import Session
from tests.felt.conftest import DESKTOP, PHONE, House, Visitor, picture, wait
from tests.felt.test_pages import sound

Visit = Callable[..., Visitor]
LONG = 240_000


def test_a_strategy_is_run_exactly_simulated_compared_and_replayed(visit: Visit) -> None:
    page = visit().page
    page.goto(
        "/strategy?house=nsw&s0=pass&s1=own&t1=when+come-out%3A+bet+5+field%0A&bankroll=100&minimum=5&rolls=30&sessions=40&seed=3"
    )
    page.locator(".results[data-state='done']").wait_for(timeout=LONG)
    # Exact figures of both side by side, and each answer in a sentence.
    exact = page.get_by_role("region", name="Exact figures")
    expect(exact.locator("thead")).to_have_text("FigurePass (unit 10)Your own (2)")
    session = Session(house="nsw", bankroll=10_000, minimum=500, rolls=30)
    solved = solve(explored(named("pass"), session), session)
    mean = f"{'−' if solved.mean < 0 else '+'}${abs(round(solved.mean)) / 100:.2f}"
    expect(exact).to_contain_text(mean)
    expect(page.locator(".exact")).to_contain_text(f"Pass (unit 10): {mean} a session on average")
    simulated = page.locator(".simulated")
    expect(simulated).to_contain_text("40 sessions on the same dice")
    expect(simulated).to_contain_text("Pass (unit 10) against Your own (2) on the same dice")
    # Names, not ids; every figure in sight without scrolling.
    figures = page.get_by_role("region", name="Simulated figures")
    assert figures.evaluate("e => e.scrollWidth <= e.clientWidth")
    expect(figures).to_contain_text("95 of 100 end at or below")
    # Pictures as in the reports: results and a fan of each, one curve of survival for each.
    drawn = page.locator(".pictures figcaption")
    assert drawn.all_inner_texts() == [
        "Results of Pass (unit 10), exactly",
        "Results of Your own (2), exactly",
        "Still in the game",
        "Fan of bankrolls of Pass (unit 10)",
        "Fan of bankrolls of Your own (2)",
    ]
    assert page.locator(".pictures .curve").count() == 2 * 2 + 2
    sound(page)
    picture(page, "strategy-run-desktop")
    page.get_by_role("button", name="Watch the best session of Pass").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("30 rolls, result", timeout=LONG)
    expect(dialog).to_contain_text("it ended because all rolls were thrown")
    expect(dialog.locator("craps-felt [data-spot='pass']")).to_be_visible()
    expect(dialog).to_contain_text("ann puts $10 on Win Line.")
    expect(dialog).to_contain_text("Before roll 1 of 30 · $90 on the rail")
    dialog.get_by_role("button", name="Forward").click()
    expect(dialog).to_contain_text("Roll 1 of 30")
    expect(dialog.locator(".told-step")).to_contain_text("The roll is")
    picture(page, "strategy-replay-desktop")
    sound(page)
    dialog.get_by_role("button", name="Play", exact=True).click()
    expect(dialog.get_by_role("button", name="Pause")).to_be_visible()
    expect(dialog).to_contain_text("Before roll 3 of 30")
    page.keyboard.press("Escape")
    page.set_viewport_size(PHONE)
    page.wait_for_timeout(150)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"] + 1
    assert figures.evaluate("e => e.scrollWidth <= e.clientWidth")
    sound(page)
    picture(page, "strategy-run-phone")


def test_whoever_comes_without_a_question_finds_one_answered(visit: Visit, house: House) -> None:
    page = visit().page
    page.goto("/strategy")
    page.locator(".results[data-state='done']").wait_for(timeout=LONG)
    # What the page asks by itself is what the command line and the library would ask.
    usual = Session(house="")
    asked = parse_qs(urlsplit(page.url).query)
    assert asked["bankroll"] == [f"{usual.bankroll // 100}"]
    assert (asked["rolls"], asked["end"]) == ([str(usual.rolls)], [usual.end])
    # The unit is one that this house takes.
    expect(page.locator(".exact")).to_contain_text("Pass odds (unit 20, odds 2):")
    assert asked["c0"] == ["unit=20"]
    # The answer is in sight on arrival, and the button that asks another one too.
    for part in (".exact table", "button.main"):
        box = page.locator(part).first.bounding_box()
        assert box is not None
        assert box["y"] + 40 < DESKTOP["height"]
    # Refusals with their clauses, which open.
    page.locator(".simulated .cite").first.click()
    expect(page.get_by_role("dialog").locator("[data-clause]").first).to_be_visible()
    # The same question of somebody else is answered at once by the same simulation.
    known = len(backroom.backroom.jobs)
    other = visit(viewport=PHONE).page
    other.goto("/strategy")
    other.locator(".results[data-state='done']").wait_for()
    assert len(backroom.backroom.jobs) == known
    sound(other)
    picture(other, "strategy-arrival-phone")


def test_a_question_has_the_settings_of_its_house(visit: Visit) -> None:
    page = visit().page
    page.goto(
        "/strategy?house=perth-crapless&s0=small&rolls=20&sessions=10&minimum=10&set.layout=2"
    )
    page.locator(".results[data-state='done']").wait_for(timeout=LONG)
    job = next(reversed(backroom.backroom.jobs.values()))
    assert job.question["session"]["settings"] == {"layout": "2"}
    assert parse_qs(urlsplit(page.url).query)["set.layout"] == ["2"]
    # A layout without bonus bets refuses them, and the page says so.
    page.get_by_label("Layout in use").fill("5")
    page.get_by_role("button", name="Run it").click()
    expect(page.locator(".results [role=alert]")).to_contain_text(
        "needs small, which the settings of Crown Perth", timeout=LONG
    )


def test_a_text_is_checked_where_it_is_written(visit: Visit) -> None:
    page = visit().page
    page.goto("/strategy?house=nsw&minimum=10&rolls=5&sessions=5")
    page.locator(".results[data-state='done']").wait_for(timeout=LONG)
    # Whoever comes finds something sensible chosen, and nothing this house cannot play.
    expect(page.get_by_label("Which").first).to_have_value("pass-odds")
    assert page.locator("option[value='small']").count() == 0
    page.get_by_label("Which").first.select_option("own")
    area = page.get_by_label("Your strategy in words").first
    area.fill("when come-out: bet 10 pass\notherwise: odd 2x\n")
    # While it is written: the line, a mark under the column, and what would be right.
    wrong = page.locator(".told-wrong").first
    expect(wrong).to_contain_text("Line 2, column 12: “odd” is not known here")
    expect(wrong).to_contain_text("did you mean odds?")
    expect(area).to_have_attribute("aria-invalid", "true")
    assert wrong.locator("pre").inner_text() == "otherwise: odd 2x\n" + " " * 11 + "▲"
    sound(page)
    picture(page, "strategy-text-desktop")
    # It does not run, and the word that is wrong is selected.
    page.get_by_role("button", name="Run it").click()
    expect(area).to_be_focused()
    known = len(backroom.backroom.jobs)
    chosen = "([a]) => a.value.slice(a.selectionStart, a.selectionEnd)"
    assert page.evaluate(chosen, [area.element_handle()]) == "odd"
    assert len(backroom.backroom.jobs) == known
    area.fill("when come-out: bet 10 pass\notherwise: odds 2x\n")
    expect(wrong).to_be_empty()
    page.get_by_role("spinbutton", name="Sessions").fill("20")
    page.get_by_role("button", name="Run it").click()
    page.locator(".results[data-state='done']").wait_for(timeout=LONG)
    # The address holds the whole question, the text too.
    asked = parse_qs(urlsplit(page.url).query)
    assert asked["t0"] == ["when come-out: bet 10 pass\r\notherwise: odds 2x\r\n"] or asked[
        "t0"
    ] == ["when come-out: bet 10 pass\notherwise: odds 2x\n"]
    assert (asked["house"], asked["sessions"], asked["s0"]) == (["nsw"], ["20"], ["own"])


def test_parameters_are_fields_and_stand_in_the_address(visit: Visit) -> None:
    page = visit().page
    page.goto(
        "/strategy?house=nsw&s0=pass-odds&c0=odds%3D1&sessions=10&rolls=10&stop_win=50&minimum=10"
    )
    page.locator(".results[data-state='done']").wait_for(timeout=LONG)
    expect(page.get_by_label("Odds", exact=True)).to_have_value("1")
    expect(page.get_by_label("Stop when ahead by")).to_have_value("50")
    expect(page.locator(".exact thead")).to_have_text("FigurePass odds (unit 10, odds 1)")
    asked = parse_qs(urlsplit(page.url).query)
    assert asked["c0"] == ["odds=1"]
    assert asked["stop_win"] == ["50"]
    # Another question is another step: Back has the former one with its answer, Forward this one.
    page.get_by_label("Odds", exact=True).fill("2")
    head, known = page.locator(".exact thead"), len(backroom.backroom.jobs)
    page.get_by_role("button", name="Run it").click()
    expect(head).to_have_text("FigurePass odds (unit 10, odds 2)", timeout=LONG)
    page.locator(".results[data-state='done']").wait_for(timeout=LONG)
    for go, odds in ((page.go_back, "1"), (page.go_forward, "2")):
        go()
        expect(head).to_have_text(f"FigurePass odds (unit 10, odds {odds})")
        expect(page.get_by_label("Odds", exact=True)).to_have_value(odds)
        assert ("c0" in parse_qs(urlsplit(page.url).query)) == (odds == "1")
    assert len(backroom.backroom.jobs) == known + 1


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("house=nsw&s0=nosuch", "There is no strategy “nosuch” here."),
        ("house=nsw&s0=small", "“small” needs wagers that this house does not offer."),
        ("house=zz&s0=pass", "There is no house “zz” here."),
    ],
)
def test_a_question_that_makes_no_sense_is_not_run(
    visit: Visit, question: str, answer: str
) -> None:
    page = visit().page
    page.goto(f"/strategy?{question}")
    expect(page.locator(".notice")).to_contain_text(answer)
    page.wait_for_timeout(300)
    assert page.locator("[data-state]").count() == 0


def test_a_long_run_grows_before_ones_eyes_and_is_cancelled(visit: Visit) -> None:
    page = visit().page
    # It reads its bankroll, and its kernel takes long to compile: that there is no exact answer is
    # said at once, and another question ends the first.
    page.goto("/strategy?house=nsw&s0=percent&sessions=1000000&rolls=1000&bankroll=1000")
    expect(page.locator(".results")).to_contain_text("has no exact answer:", timeout=LONG)
    unread = next(reversed(backroom.backroom.jobs.values()))
    page.get_by_label("Which").first.select_option("pass")
    page.get_by_role("button", name="Run it").click()
    progress = page.get_by_role("progressbar")
    page.locator(".simulated table").first.wait_for(timeout=LONG)
    wait(lambda: unread.state == "stopped")
    first = float(progress.get_attribute("value") or "0")
    assert 0 < first < 1
    page.get_by_role("button", name="Cancel").click()
    page.locator(".results[data-state='stopped']").wait_for()
    expect(page.locator(".state-words")).to_contain_text("Stopped. What is shown is partial.")
    expect(page.get_by_role("button", name=re.compile("Watch the worst session"))).to_be_visible()
    job = next(reversed(backroom.backroom.jobs.values()))
    assert job.process is not None
    assert job.process.wait(10) != 0
    # Whoever goes away leaves no work behind.
    page.get_by_role("button", name="Run it").click()
    page.locator(".results[data-state='running']").wait_for(timeout=LONG)
    page.goto("/odds")
    again = next(reversed(backroom.backroom.jobs.values()))
    assert again is not job
    wait(lambda: again.state == "stopped")
