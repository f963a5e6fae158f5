"""Chips in a player's hands: carried, staged, pressed, lowered, repeated, kept up."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.table.stakes import fee_on
from tests.felt.conftest import DESKTOP, PHONE, House
from tests.felt.hands import Visit, bet, drag, menu, middle, place, rolled, spot, throw, turn_to


def chip(page: Page, amount: int) -> Any:
    return page.locator(f".chip-button[data-amount='{amount}']")


def says(page: Page, name: str, words: str) -> None:
    expect(spot(page, name)).to_have_attribute("aria-label", re.compile(words))


def silent(page: Page, name: str, words: str) -> None:
    expect(spot(page, name)).not_to_have_attribute("aria-label", re.compile(words))


def test_chips_are_carried_by_mouse(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("nsw", script="4-2"))
    away = (middle(page.locator(".brand"))[0], 20.0)
    drag(page, chip(page, 2_500), spot(page, "field"))
    says(page, "field", r"\$25 not yet")
    expect(chip(page, 2_500)).to_have_attribute("aria-checked", "true")
    # Carried on to another spot, and off the cloth: they are on the rail again.
    drag(page, spot(page, "field"), spot(page, "hard.6"))
    silent(page, "field", "not yet")
    says(page, "hard.6", r"\$25 not yet")
    # Put back where it was: nothing happened, and no click either.
    x, y = middle(spot(page, "hard.6"))
    drag(page, spot(page, "hard.6"), (x + 14, y + 8))
    says(page, "hard.6", r"\$25 not yet")
    drag(page, spot(page, "hard.6"), away)
    silent(page, "hard.6", "not yet")
    expect(page.locator(".purse")).to_contain_text("$500")
    # A wager comes down when it is carried off; carried to another spot it is staged there.
    chip(page, 500).click()
    bet(page, "hard.6", "pass", "hard.8")
    drag(page, spot(page, "hard.6"), away)
    expect(page.locator("#panel-bets tbody tr")).to_have_count(2)
    drag(page, spot(page, "hard.8"), spot(page, "hard.4"))
    expect(page.locator("#panel-bets tbody tr")).to_have_count(1)
    says(page, "hard.4", r"\$5 not yet")
    throw(page)
    rolled(page, 1)
    # The line is locked with a point on: the house refuses and says why.
    drag(page, spot(page, "pass"), away)
    refusal = page.locator(".toast.bad")
    refusal.get_by_role("button", name="Why?").click()
    expect(page.get_by_role("dialog").locator("[data-clause]").first).to_be_visible()
    says(page, "pass", r"your wager \$5")


def touch(page: Page, *points: tuple[float, float], hold: int = 0) -> None:
    """One finger down at the first point, over the others, and up."""
    session = page.context.new_cdp_session(page)

    def send(kind: str, *where: tuple[float, float]) -> None:
        marks = [{"x": x, "y": y} for x, y in where]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": marks})

    send("touchStart", points[0])
    page.wait_for_timeout(hold)
    for before, after in pairwise(points):
        for part in (0.25, 0.5, 0.75, 1.0):
            step = [a + (b - a) * part for a, b in zip(before, after, strict=True)]
            send("touchMove", (step[0], step[1]))
    send("touchEnd")


def test_chips_are_carried_by_finger(visit: Visit, house: House) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True).sit(house.table("nsw"))
    field, come = middle(spot(page, "place.5")), middle(spot(page, "place.8"))
    touch(page, middle(chip(page, 2_500)), field)
    says(page, "place.5", "not yet")
    # A finger that rests a moment lifts what lies there; one that swipes carries nothing.
    touch(page, field, come, hold=250)
    silent(page, "place.5", "not yet")
    says(page, "place.8", "not yet")
    touch(page, come, (come[0], come[1] - 200))
    says(page, "place.8", "not yet")


def test_staged_totals_hold_the_fees(visit: Visit, house: House) -> None:
    layout = load("nsw")
    fee = fee_on(layout, layout.spots["buy.4"], 2_000)
    assert fee > 0, "the wager of this test has to have a fee"
    # Chips for one wager of 20 with its fee, and for another without.
    page = visit().sit(house.table("nsw"), buy_in=4_000 + fee)
    spot(page, "buy.4").click()
    expect(page.locator(".purse")).to_contain_text("$20")
    expect(page.locator(".purse")).to_contain_text(f"${fee // 100} fees")
    spot(page, "buy.10").click()
    expect(page.get_by_role("dialog")).to_contain_text("Buy 10")
    page.keyboard.press("Escape")
    silent(page, "buy.10", "not yet")
    place(page)
    expect(page.locator("#panel-bets tbody tr")).to_have_count(1)
    expect(page.locator(".purse")).to_contain_text("$20at risk $20")
    # Raised, only the rest of the fee is owed: the menu says so and the house agrees.
    spot(page, "field").click()
    expect(page.locator(".purse")).to_contain_text("$15")


ARROWS = """keys => [...document.querySelectorAll('[data-spot]')].flatMap(start => {
  const name = () => document.activeElement.dataset.spot;
  const press = (key) => document.activeElement.dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  return keys.map(([there, back]) => {
    start.focus();
    press(there);
    const over = name();
    if (over === start.dataset.spot) return null;
    press(back);
    return [start.dataset.spot, there, over, name()];
  }).filter(Boolean);
})"""
KEYS = [
    ["ArrowRight", "ArrowLeft"],
    ["ArrowLeft", "ArrowRight"],
    ["ArrowUp", "ArrowDown"],
    ["ArrowDown", "ArrowUp"],
]


def test_arrows_lead_there_and_back(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("nsw"))
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        page.locator(f"craps-felt svg.{'wide' if size is DESKTOP else 'tall'}").wait_for()
        walked = page.evaluate(ARROWS, KEYS)
        there = set(page.eval_on_selector_all("[data-spot]", "all => all.map(e => e.dataset.spot)"))
        assert {start for start, *_ in walked} == there
        assert [step for step in walked if step[0] != step[3]] == []
        found = {(start, key): over for start, key, over, _ in walked}
        # Every spot is somewhere's neighbour.
        assert set(found.values()) == there
    page.set_viewport_size(DESKTOP)
    page.locator("craps-felt svg.wide").wait_for()
    found = {(start, key): over for start, key, over, _ in page.evaluate(ARROWS, KEYS)}
    assert found["big.8", "ArrowRight"] == "field"
    assert found["field", "ArrowLeft"] == "big.8"
    assert found["big.6", "ArrowRight"] == "big.8"


@pytest.mark.parametrize("name", [h for h in houses() if "c_and_e" in load(h).spots])
def test_what_is_shared_out_is_staged_in_even_parts(visit: Visit, house: House, name: str) -> None:
    page = visit().sit(house.table(name))
    turn_to(page, "c_and_e")
    bet(page, "c_and_e")
    expect(page.locator("#panel-bets tbody tr")).to_have_count(1)
    assert page.locator(".toast.bad").count() == 0


def test_a_wager_is_pressed_and_lowered_at_one_touch(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("nsw", script="5-4"))
    chip(page, 500).click()
    spot(page, "place.6").click()
    bet(page, "place.6", "pass")
    bets = page.locator("#panel-bets")
    expect(bets).to_contain_text("$10")
    name = load("nsw").spots["place.6"].name
    # Half of 10 is 5, not 9.
    spot(page, "place.6").click(button="right")
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("button", name="Lower to $5", exact=True)).to_be_visible()
    expect(sheet.get_by_role("button", name="Lower to $9", exact=True)).to_have_count(0)
    sheet.get_by_label("Lower to").fill("7")
    sheet.get_by_role("button", name="Lower it").click()
    expect(bets).to_contain_text("$7")
    # In the list: one chip more is staged, one less is asked of the house.
    chip(page, 100).click()
    bets.get_by_role("button", name=f"Press {name}", exact=True).click()
    says(page, "place.6", r"\$1 not yet")
    place(page)
    expect(bets).to_contain_text("$8")
    bets.get_by_role("button", name=f"Lower {name} to $7", exact=True).click()
    expect(bets).to_contain_text("$7")
    # Once the point is on, everything of it that may be is called off and on again.
    throw(page)
    rolled(page, 1)
    for word, state in (("All off", "not working"), ("All on", None)):
        page.get_by_role("button", name="More…").click()
        page.get_by_role("button", name=word).click()
        row = bets.locator("tbody tr").filter(has_text=name)
        if state:
            expect(row).to_contain_text(state)
        else:
            expect(row).not_to_contain_text("not working")


def test_repeat_brings_back_what_suits_the_roll(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("nsw", script="4-2 5-2 4-2"))
    bet(page, "pass", "field")
    throw(page)
    rolled(page, 1)
    bet(page, "come", "place.5")
    throw(page)
    rolled(page, 2)
    # Seven out: what was bet before the come-out comes back, and all of it.
    page.get_by_role("button", name="Same again").click()
    says(page, "pass", "not yet")
    says(page, "field", "not yet")
    silent(page, "place.5", "not yet")
    assert page.locator(".toast").count() == 0
    place(page)
    throw(page)
    rolled(page, 3)
    # A point is on again: what was bet with one.
    page.get_by_role("button", name="Same again").click()
    says(page, "come", "not yet")
    says(page, "place.5", "not yet")
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Inside").click()
    for number in (5, 6, 8, 9):
        says(page, f"place.{number}", "not yet")
    silent(page, "place.4", "not yet")


def test_wagers_stay_up_by_habit_and_by_touch(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("nsw", script="4-4 5-1 5-1"))
    name = load("nsw").spots["place.6"].name
    bet(page, "pass")
    throw(page)
    rolled(page, 1)
    # As a habit nobody has to ask for it; the switch is in sight.
    expect(page.get_by_label("Bets stay up")).to_be_checked()
    bet(page, "place.6")
    stays = page.get_by_role("button", name=f"{name} stays up when it wins", exact=True)
    expect(stays).to_have_attribute("aria-pressed", "true")
    throw(page)
    rolled(page, 2)
    says(page, "place.6", r"your wager \$5")
    # Nothing was done since the roll: there is nothing to undo.
    expect(page.locator(".q-undo")).to_be_disabled()
    page.get_by_label("Bets stay up").uncheck()
    bet(page, "place.9")
    nine = page.get_by_role("button", name=re.compile(r"9 stays up when it wins"))
    expect(nine).to_have_attribute("aria-pressed", "false")
    nine.click()
    expect(nine).to_have_attribute("aria-pressed", "true")


def test_settlements_are_shown_chip_by_chip_and_a_come_bet_travels(
    visit: Visit, house: House
) -> None:
    visitor = visit(reduced_motion="no-preference")
    page = visitor.sit(house.table("nsw", script="4-2 5-4 5-4"))
    watched = page.evaluate(
        "() => { window.seen = []; new MutationObserver(all => all.forEach(m => m.addedNodes"
        ".forEach(n => window.seen.push([n.firstChild.getAttribute('class'), n.textContent]))))"
        ".observe(document.querySelector('.flights'), {childList: true}); return true; }"
    )
    assert watched
    bet(page, "pass", "hard.8", "field")
    throw(page)
    rolled(page, 1)
    # The field lost on a six: it says so where it lay.
    page.wait_for_function("() => window.seen.some(([kind, text]) => text === '−$5')")
    bet(page, "come")
    throw(page)
    rolled(page, 2)
    page.wait_for_function("() => window.seen.some(([kind]) => kind.startsWith('chip'))")
    says(page, "come.9", "your wager")
    throw(page)
    rolled(page, 3)
    page.wait_for_function("() => window.seen.some(([kind, text]) => text === '+$5')")
    page.get_by_role("tab", name="Log").click()
    newest = page.locator(".ledger > li").first
    expect(newest).to_contain_text("9 (5-4)")
    expect(newest).to_contain_text("wins $5 on $5")


def test_sounds_are_off_until_asked_for(visit: Visit, house: House) -> None:
    visitor = visit()
    visitor.context.add_init_script(
        "window.made = 0; const Real = window.AudioContext;"
        "window.AudioContext = class extends Real { constructor() { super(); window.made += 1; } };"
    )
    page = visitor.sit(house.table("nsw", script="5-2", patience=0))
    bet(page, "pass")
    throw(page)
    rolled(page, 1)
    assert page.evaluate("window.made") == 0
    mute = page.get_by_role("button", name="Sound", exact=True)
    expect(mute).to_have_attribute("aria-pressed", "false")
    mute.click()
    bet(page, "pass")
    throw(page)
    rolled(page, 2)
    assert page.evaluate("window.made") == 1
    # The wish is kept; nothing sounds, and nothing is complained of, before the first gesture.
    page.reload()
    expect(mute).to_have_attribute("aria-pressed", "true")
    other = visit().sit(page.url.rpartition("/")[2], "bob")
    bet(other, "pass")
    throw(other)
    rolled(page, 3)
    assert page.evaluate("window.made") == 0
    menu(page, "Turn the sound off")
    expect(mute).to_have_attribute("aria-pressed", "false")


def test_chips_never_hide_the_name_of_their_spot(visit: Visit, house: House) -> None:
    """In every box that has chips, its print and the chips lie side by side."""
    page = visit().sit(house.table("nsw", buy_in=1_000_000), buy_in=500_000)
    page.eval_on_selector_all(
        ".spot.may", "all => all.forEach(e => e.dispatchEvent(new MouseEvent('click')))"
    )
    assert page.evaluate(HIDDEN) == []


HIDDEN = """() => {
  const boxes = [...document.querySelectorAll('.chips > .chip .seat-ring')]
    .map(e => e.getBoundingClientRect());
  const found = [];
  for (const spot of document.querySelectorAll('.spot.covered')) {
    for (const line of spot.querySelectorAll('tspan, .drawn-die')) {
      const a = line.getBoundingClientRect();
      if (!a.width) continue;
      // A chip is round: its corners hide nothing.
      if (boxes.some(b => {
        const [mx, my] = [(b.left + b.right) / 2, (b.top + b.bottom) / 2];
        const x = Math.max(a.left, Math.min(mx, a.right)) - mx;
        const y = Math.max(a.top + 3, Math.min(my, a.bottom - 3)) - my;
        return Math.hypot(x, y) < b.width / 2 - 4;
      })) found.push(spot.dataset.spot);
    }
  }
  return [...new Set(found)];
}"""
