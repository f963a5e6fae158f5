"""Rolling: one press places and rolls, out of chips, auto-roll, what a roll brought, overrules."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from boxman.table.calls import Overrule
from tests.felt.conftest import House
from tests.felt.hands import Visit, bet, crew_says, rolled, spot, throw


def test_one_press_places_what_is_staged_and_rolls(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("nsw", script="4-2 5-4 3-3"))
    roll = page.locator(".roll")
    expect(roll).to_have_text("ROLLCome-out roll")
    # Space rolls where no spot or button has the focus: what was clicked last has it not.
    page.get_by_role("radio", name="Chip of $5", exact=True).click()
    spot(page, "pass").click()
    expect(roll).to_have_text("ROLLPlace $5 and roll")
    page.keyboard.press(" ")
    rolled(page, 1)
    expect(roll).to_have_text("ROLLThe point is 6")
    expect(page.locator("#panel-bets tbody tr")).to_have_count(1)
    # Odds that fill the limit are placed without a word of their coming back.
    page.keyboard.press("o")
    expect(roll).to_have_text("ROLLPlace $10 and roll")
    throw(page)
    rolled(page, 2)
    expect(page.locator("#panel-bets tbody tr")).to_have_count(2)
    throw(page)
    rolled(page, 3)
    assert page.locator(".toast").count() == 0
    # 5 at evens and 10 at 6 to 5: the ribbon and the screen reader have the arithmetic.
    for where in (".ribbon", "#stick-call"):
        told = page.locator(where)
        expect(told).to_contain_text("Six, the hard way, winner!")
        expect(told).to_contain_text("$10 at 6 to 5 pays $12")
        expect(told).to_contain_text("+$17")


def test_a_bet_placed_and_rolled_in_one_press_stays_up_when_it_wins(
    visit: Visit, house: House
) -> None:
    page = visit().sit(house.table("nsw", script="4-4 4-2"))
    bet(page, "pass")
    throw(page)
    rolled(page, 1)
    # The last of several, so that the dice are asked for as soon as it is down.
    for name in ("come", "hard.4", "hard.8", "place.4", "place.5", "place.9", "place.6"):
        spot(page, name).click()
    throw(page)
    rolled(page, 2)
    expect(page.locator(".ribbon")).to_contain_text("Place Bet to Win 6")
    expect(spot(page, "place.6")).to_have_attribute("aria-label", re.compile("your wager"))
    assert page.locator(".toast.bad").count() == 0


def test_roll_pressed_while_the_dice_fly_lands_them(visit: Visit, house: House) -> None:
    page = visit(reduced_motion="no-preference").sit(house.table("nsw", script="4-2"))
    bet(page, "pass")
    # Dice that would fly for hours.
    page.evaluate(
        "() => { const real = Element.prototype.animate;"
        " Element.prototype.animate = function (...how) {"
        " const run = real.apply(this, how); run.playbackRate = 1e-5; return run; }; }"
    )
    throw(page)
    page.wait_for_function("() => document.querySelector('.cloth-die').getAnimations().length")
    expect(page.locator("#bar .state")).to_have_text("roll 0")
    page.locator(".roll").dispatch_event("click")
    rolled(page, 1)
    expect(page.locator(".puck.on")).to_be_visible()


def test_what_the_next_roll_would_bring_is_not_asked_while_the_dice_fly(
    visit: Visit, house: House
) -> None:
    """The server knows already what they show: the bars of the roll after would give it away."""
    page = visit(reduced_motion="no-preference").sit(house.table("nsw", script="4-2 3-4"))
    bet(page, "pass")
    throw(page)
    rolled(page, 1)
    expect(page.locator(".next-head")).to_contain_text("mean")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate(
        "() => { window.told = new Promise((done) => new MutationObserver(done)"
        ".observe(document.querySelector('#stick-call'), { childList: true })); }"
    )
    throw(page)
    page.evaluate("() => window.told")
    assert [url for url in asked if "if-it-rolls" in url] == []


def test_a_wager_that_slept_is_named_after_the_roll(visit: Visit, house: House) -> None:
    """A hard four on the come-out, where hardways do not work: nothing is paid, and it is said."""
    page = visit().sit(house.table("nsw", script="2-2 2-2"))
    bet(page, "hard.4")
    throw(page)
    rolled(page, 1)
    expect(page.locator(".ribbon li")).to_have_text("Hard 4not working on this roll")
    expect(page.locator("#stick-call")).to_have_text(
        "Four, the hard way. Mark the 4. Hard 4 not working on this roll."
    )
    throw(page)
    rolled(page, 2)
    expect(page.locator(".ribbon li b")).to_contain_text("+$")


def test_letters_put_chips_on_the_line_the_come_odds_and_press(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("nsw", script="4-4"))
    page.evaluate("document.activeElement.blur()")
    roll = page.locator(".roll .will")
    page.keyboard.press("l")
    expect(spot(page, "pass")).to_have_attribute("aria-label", re.compile(r"\$5 not yet placed"))
    page.keyboard.press(" ")
    rolled(page, 1)
    for key, name in (("k", "come"), ("o", "pass.odds")):
        page.keyboard.press(key)
        label = spot(page, name).get_attribute("aria-label") or ""
        assert "not yet placed" in label, key
    staged = roll.text_content() or ""
    bet(page, "place.6")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("e")
    expect(spot(page, "place.6")).to_have_attribute("aria-label", re.compile("not yet placed"))
    assert staged.startswith("Place $")


def test_what_the_house_refuses_is_not_rolled_over(visit: Visit, house: House) -> None:
    table = house.table("nsw", script="4-2 5-4")
    page = visit().sit(table)
    bet(page, "pass")
    throw(page)
    rolled(page, 1)
    spot(page, "hard.8").click()
    # The limits change between the chip and the press: the house refuses the wager.
    page.evaluate(
        "() => { const real = WebSocket.prototype.send;"
        " WebSocket.prototype.send = function (text) {"
        " real.call(this, text.replace('\"amount\":500', '\"amount\":7')); }; }"
    )
    throw(page)
    expect(page.locator(".toast.bad")).to_be_visible()
    assert house.boss.get(f"/api/tables/{table}").json()["view"]["rolls"] == 1


def test_out_of_chips_one_buys_in_again_at_the_table(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("nsw", script="1-1"), buy_in=500)
    spot(page, "any_seven").click()
    throw(page)
    rolled(page, 1)
    roll = page.locator(".roll")
    expect(roll).to_have_text("BUY INYou are out of chips")
    roll.click()
    page.get_by_label(re.compile("^Amount")).fill("250")
    page.get_by_role("button", name="Buy in", exact=True).click()
    expect(page.locator(".purse")).to_contain_text("$250")
    expect(roll).to_have_text("ROLLCome-out roll")


def test_auto_roll_is_one_request_and_stops_by_itself(visit: Visit, house: House) -> None:
    # The hard eight loses on the third roll: nothing is up then.
    table = house.table("nsw", script="4-2 5-4 4-3 1-1 1-1")
    visitor = visit()
    page = visitor.sit(table)
    said = page.evaluate(
        "() => { window.said = []; const real = WebSocket.prototype.send;"
        " WebSocket.prototype.send = function (text) {"
        " window.said.push(JSON.parse(text).do); real.call(this, text); }; return true; }"
    )
    assert said
    spot(page, "hard.8").click()
    page.get_by_role("button", name="Auto-roll", exact=True).click()
    page.get_by_label("Speed").select_option("100")
    page.get_by_role("button", name="Start", exact=True).click()
    rolled(page, 3)
    expect(page.locator(".roll")).to_have_text(re.compile("^ROLL"))
    asked = page.evaluate("window.said")
    assert asked.count("auto") == 1
    assert "ready" not in asked
    assert house.boss.get(f"/api/tables/{table}").json()["view"]["rolls"] == 3


@pytest.mark.parametrize(("odds", "presses"), [("full", [2, 2, 2, 1, 1]), ("", [2, 3, 3, 2, 1])])
def test_three_point_molly_in_two_presses_or_three(
    visit: Visit, house: House, odds: str, presses: list[int]
) -> None:
    """A roll that adds a line or come bet takes two presses with automatic odds and three without;
    one that adds nothing takes one. The last come bet's own odds are a press of their own."""
    visitor = visit()
    visitor.kept("boxman.odds", f'"{odds}"')
    page = visitor.sit(house.table("nsw", script="4-2 5-4 3-2 1-2 1-1"))
    quick, counted = page.get_by_role("button", name="Odds", exact=True), []
    for number, name in enumerate(("pass", "come", "come", "", ""), 1):
        before = page.locator("#panel-bets tbody tr").count()
        pressed = [quick] if not odds and number > 1 and quick.is_enabled() else []
        pressed += [spot(page, name)] if name else []
        for each in (*pressed, page.locator(".roll[aria-disabled='false']")):
            each.click()
        rolled(page, number)
        # What automatic odds put behind it comes with the next picture.
        if odds and number < 4:
            expect(page.locator("#panel-bets tbody tr")).to_have_count(before + 2)
        counted.append(len(pressed) + 1)
    assert counted == presses
    for name in ("pass.odds", "come.odds.9", "come.odds.5"):
        expect(spot(page, name)).to_have_attribute("aria-label", re.compile(r"your wager \$"))


def test_an_overruled_roll_says_that_it_is_one(visit: Visit, house: House) -> None:
    table = house.table("nsw", script="4-2 4-2", automatic=["stick", "dealer"])
    page = visit().sit(table)
    bet(page, "pass", "field")
    throw(page)
    rolled(page, 1)
    page.get_by_role("tab", name="Log").click()
    page.get_by_role("button", name=re.compile("^Dispute")).first.click()
    page.get_by_role("button", name="Dispute it", exact=True).click()
    expect(page.locator(".toast.good")).to_be_visible()
    crew_says(house, table, "box", Overrule(first=5, second=4))
    expect(page.locator("#stick-call")).to_contain_text("Overruled: the last call is taken back.")
    expect(page.locator(".ledger .taken-back")).to_contain_text("6 (4-2)")
