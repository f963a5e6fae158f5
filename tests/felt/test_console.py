"""The crew at its consoles and the inspector at the journal, each through the main job, in a real
browser: a throw by hand, disputes to their end, limits and closing, training, replay and export."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from boxman.rules.book import houses
from boxman.rules.duties import STATIONS
from boxman.table.calls import Bet, BuyIn, Confirm, Say
from tests.felt.conftest import House, picture
from tests.felt.hands import Visit, bet, crew_says, player_says, rolled, throw
from tests.felt.test_pages import sound

PUCK_BOX = "[data-number='6'] .frame"


def appointed(house: House, name: str, table: str, *stations: str) -> None:
    """An account with stations at a table."""
    made = house.boss.post("/api/people", json={"name": name, "password": "eight-or-more"})
    assert made.status_code in (201, 409), made.text
    given = house.boss.post(
        f"/api/people/{name}/stations", json={"table": table, "stations": list(stations)}
    )
    assert given.status_code == 200, given.text


def at_console(visit: Visit, house: House, table: str, name: str, *stations: str) -> Page:
    """The console of somebody who works these stations."""
    appointed(house, name, table, *stations)
    crew = visit()
    crew.sign_in(name)
    crew.page.goto(f"/console/{table}")
    crew.page.locator(".call-entry").first.wait_for()
    return crew.page


def waits(page: Page) -> Locator:
    return page.locator("section[aria-label='What waits']")


def say(page: Page, call: str, **values: str) -> None:
    """A call from the station that is open; what its form asks for is filled in."""
    page.locator(f"[role=tabpanel]:not([hidden]) [data-call='{call}'][aria-disabled=false]").click()
    if values:
        dialog = page.get_by_role("dialog")
        for label, value in values.items():
            control = dialog.get_by_label(label.replace("_", " "), exact=False)
            if control.evaluate("each => each.tagName") == "SELECT":
                control.select_option(label=value)
            else:
                control.fill(value)
        dialog.get_by_role("button", name="Confirm").click()


def faces(page: Page, first: int, second: int) -> None:
    dialog = page.get_by_role("dialog")
    dialog.get_by_label(f"First die {first}").check(force=True)
    dialog.get_by_label(f"Second die {second}").check(force=True)
    dialog.get_by_role("button", name="Confirm").click()


def keyed(page: Page, first: int, second: int) -> None:
    """The faces by keys alone."""
    page.keyboard.press(str(first))
    page.keyboard.press(str(second))
    expect(page.get_by_role("dialog").get_by_label(f"Second die {second}")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)


def confirmed(page: Page, *words: str) -> None:
    """What a grave call would do is shown first; then it is said."""
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("This is what it would do")
    for each in words:
        expect(dialog).to_contain_text(each)
    dialog.get_by_role("button", name="Go ahead").click()


def by_hand(page: Page) -> None:
    """The dice thrown by somebody who works every station: inspected, bets closed, out, thrown."""
    for name in ("dealer", "box"):
        page.locator(f"#tab-{name}").click()
        inspected = waits(page).get_by_role("button", name="Inspected")
        if inspected.count():
            before = inspected.count()
            inspected.first.click()
            expect(inspected).to_have_count(before - 1)
    page.locator("#tab-stick").click()
    throw_them = page.locator("#panel-stick [data-call=throw][aria-disabled=false]")
    if not throw_them.count():
        page.locator("#tab-dealer").click()
        say(page, "closebets")
        page.locator("#tab-stick").click()
    throw_them.click()


def test_a_crew_works_a_table_by_hand(visit: Visit, house: House) -> None:
    table = house.table("rws", crew="by hand", dice="hand")
    ann = visit().sit(table, "ann")
    stick = at_console(visit, house, table, "stig", "stick")
    box = at_console(visit, house, table, "basil", "box")
    dealer = at_console(visit, house, table, "dee", "dealer")
    bet(ann, "pass")
    # In this house the dealers close the bets; the stick is told why it may not.
    closing = stick.locator("[data-call='closebets']")
    expect(closing).to_have_attribute("aria-disabled", "true")
    stick.locator("summary").click()
    why = stick.locator("#why-stick-closebets")
    expect(why).to_have_text("The Stickperson may not close bets: ask the Dealer.")
    expect(stick.locator("#why-stick-diceout")).to_contain_text("Bets are still open")
    say(dealer, "closebets")
    expect(ann.locator(".roll")).to_contain_text("No more bets")
    say(stick, "diceout")
    expect(ann.locator(".roll")).to_contain_text("No more bets")
    where = stick.locator("[data-call=enter]").bounding_box()
    keyed(stick, 4, 2)
    # The box saw something else: nothing counts, and both are told what to do.
    expect(waits(box)).to_contain_text("The Stickperson entered 4-2: the Boxperson confirms.")
    expect(waits(box)).to_have_class(re.compile("urgent"))
    # Buttons stay where they are, whatever may be said now.
    assert stick.locator("[data-call=enter]").bounding_box() == where
    waits(box).get_by_role("button", name="Saw other faces").click()
    faces(box, 4, 3)
    expect(waits(stick)).to_contain_text("The Boxperson saw 4-3, the Stickperson entered 4-2")
    picture(stick, "console-stick-desktop")
    waits(stick).get_by_role("button", name="Enter the faces").click()
    faces(stick, 4, 2)
    expect(waits(box)).to_contain_text("The Stickperson entered 4-2: the Boxperson confirms.")
    # Before it is confirmed the player disputes the faces; the box decides.
    ann.get_by_role("button", name="Dispute the faces").click()
    expect(waits(box)).to_contain_text("The faces are in dispute (4-2 was entered)")
    sound(box)
    picture(box, "console-box-desktop")
    waits(box).get_by_role("button", name="It was 4-2").click()
    expect(ann.locator(".puck.on")).to_be_visible()
    expect(waits(box)).not_to_contain_text("dispute")
    # The box overrules what was called before it, not what it decided itself.
    overrule = box.locator("[data-call='overrule']")
    expect(overrule).to_have_attribute("aria-disabled", "true")
    overrule.click(force=True)
    expect(box.get_by_role("dialog").locator("[data-clause]").first).to_be_visible()
    box.keyboard.press("Escape")
    sound(stick)


def test_one_person_at_many_stations_on_a_phone(visit: Visit, house: House) -> None:
    table = house.table("perth-crapless", crew="by hand", dice="hand")
    visit().sit(table, "ann")
    appointed(house, "solo", table, *STATIONS)
    crew = visit(viewport={"width": 390, "height": 844})
    crew.sign_in("solo")
    page = crew.page
    page.goto(f"/console/{table}")
    # Only stations the house has, by its names; the row of them wraps and nothing is cut off.
    tabs = page.locator(".stations [role=tab]")
    above = ("Table Games Management", "Gaming and Wagering Commission")
    expect(tabs).to_have_text(
        ["Stickperson", "Baseperson", "Boxperson", *above],
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.locator(".stations")).to_contain_text("This house has no supervisor and no senior.")
    # Dice wait to be looked over from the start, and until then they do not go out.
    expect(waits(page)).to_contain_text("The dice wait to be inspected by the Boxperson.")
    expect(page.locator("#why-stick-enter")).to_contain_text("has not inspected the dice")
    sound(page)
    picture(page, "console-many-phone")
    waits(page).get_by_role("button", name="Inspected (Boxperson)").click()
    expect(waits(page)).not_to_contain_text("inspected")


@pytest.mark.parametrize(
    "name",
    [
        # The chains of all houses are walked without a browser in tests/pit/test_console.py.
        pytest.param(name, marks=[pytest.mark.soak] if name in houses()[:2] else [])
        for name in houses()
    ],
)
def test_a_dispute_is_opened_by_a_player_and_worked_to_its_end(
    visit: Visit, house: House, name: str
) -> None:
    table = house.table(name, script="6-5 4-2", crew="by hand")
    player = visit().sit(table, f"pia-{name}")
    page = at_console(visit, house, table, f"all-{name}", *STATIONS)
    bet(player, "field")
    by_hand(page)
    rolled(player, 1)
    player.get_by_role("tab", name="Log").click()
    row = player.locator(".ledger li", has_text="11 (6-5)").first
    row.get_by_role("button", name=re.compile("Dispute")).click()
    player.get_by_role("dialog").get_by_role("button", name="Dispute it").click()
    item = waits(page).locator("li[data-what=dispute]")
    expect(item).to_contain_text("it waits to be decided")
    picture(page, f"console-dispute-{name}-desktop")
    # The row in question is one touch away.
    item.get_by_role("button", name=re.compile("Show row")).click()
    expect(page.get_by_role("dialog")).to_contain_text(re.compile(r"wins S?\$"))
    page.keyboard.press("Escape")
    # Every step the house has, by whoever may take it; closing comes last.
    for _ in range(8):
        told = str(item.evaluate("each => each.firstChild.textContent")).strip()
        labels = item.get_by_role("button").all_inner_texts()
        steps = [text for text in labels if not text.startswith(("Show row", "Close"))]
        closing = [text for text in labels if text.startswith("Close")]
        chosen = (steps or closing)[0]
        item.get_by_role("button", name=chosen, exact=True).click()
        if chosen in closing:
            break
        if chosen.startswith("Tell"):
            expect(item.get_by_role("button", name=chosen, exact=True)).to_have_count(0)
        else:
            expect(item.filter(has_text=told)).to_have_count(0)
    expect(waits(page)).not_to_contain_text("disputes")


def test_the_box_opens_a_dispute_for_a_player_and_the_miscall_is_overruled(
    visit: Visit, house: House
) -> None:
    """At this house a settled call is corrected only when a player disputes it."""
    table = house.table("nsw", script="4-2", crew="by hand")
    player = visit().sit(table, "gil")
    box = at_console(visit, house, table, "otto", "stick", "box")
    bet(player, "pass")
    say(box, "throw")
    rolled(player, 1)
    box.get_by_role("tab", name="Boxperson").click()
    expect(box.locator("#why-box-overrule")).to_contain_text("A player has to dispute the call")
    say(box, "opendispute", About="the call of row 9")
    expect(waits(box)).to_contain_text("gil disputes “the call of row 9”; it waits to be decided.")
    # Nothing is chosen by itself: a hasty Confirm voids no roll.
    say(box, "overrule")
    dialog = box.get_by_role("dialog")
    expect(dialog.get_by_label("The throw")).to_have_value("")
    dialog.get_by_role("button", name="Confirm").click()
    expect(dialog.get_by_label("The throw")).to_be_visible()
    box.keyboard.press("Escape")
    say(box, "overrule", The_throw="the dice showed these faces")
    faces(box, 5, 4)
    # 4-2 had set the point 6; with 5-4 it is 9. The line stays up: no chips move.
    confirmed(box, "9", "No chips would move.")
    expect(player.locator(".puck-tag.on")).to_have_text("ON 9")
    expect(waits(box)).to_contain_text("it is decided by the Boxperson")
    # Names are written as their owners write them, and money with its currency.
    say(box, "givevoucher", Amount="25")
    expect(box.locator("#stick-call")).to_have_text("gil has a voucher of $25.")
    say(box, "givevoucher")
    dialog = box.get_by_role("dialog")
    amount = dialog.get_by_label("Amount")
    amount.fill("0")
    dialog.get_by_role("button", name="Confirm").click()
    expect(dialog).to_be_visible()
    assert amount.evaluate("each => each.validationMessage") == "More than nothing."
    box.keyboard.press("Escape")


def test_a_supervisor_grants_shows_posts_excludes_and_closes(visit: Visit, house: House) -> None:
    table = house.table("nsw", crew="by hand")
    page = at_console(visit, house, table, "sue", "supervisor")
    ann = visit().sit(table, "ann")
    # Another setting: what there is, as it is now, and why it holds.
    page.locator("[data-call='choose']").click(force=True)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("until this table closes")
    expect(dialog.locator("li").first).to_contain_text("could be")
    page.keyboard.press("Escape")
    say(page, "grantlimits", Minimum="1", Maximum="900")
    expect(page.locator("#stick-call")).to_have_text("ann may bet $1 to $900.")
    say(page, "shownotice", What="new limits", Minimum="10", Maximum="400")
    item = waits(page).locator("li[data-what=notice]")
    expect(item).to_contain_text("New limits: $10 to $400.")
    expect(item.locator(".clock")).to_contain_text(re.compile(r"(19:\d\d|20:00) to go"))
    expect(ann.get_by_text("New limits: $10 to $400.")).to_be_visible()
    # On a small phone it stands in the bar whole, beside everything else.
    ann.set_viewport_size({"width": 360, "height": 640})
    for part in (".table-name", ".bar-sign", ".tool-more"):
        expect(ann.locator(part)).to_be_in_viewport(ratio=1)
    expect(item.get_by_role("button")).to_have_count(0)
    picture(page, "console-supervisor-desktop")
    expect(page.locator("#why-supervisor-closetable")).to_contain_text("20 minutes")
    say(page, "sanction", What="exclude from the game", Reason="house ban")
    confirmed(page, "ann is excluded")
    expect(page.locator("#stick-call")).to_have_text("ann is excluded.")
    say(page, "shownotice", What="closing")
    item = item.filter(has_text="The table will close.")
    expect(item).to_be_visible()
    # Twenty minutes later by the house's clock, the page finds out by itself.
    pit = house.app.state.house.pit
    clock = pit.clock
    late = 20 * 60_000 + 1000
    live = pit.tables[table]
    live.desk.clock = pit.clock = lambda: clock() + late
    try:
        page.evaluate(f"(now => {{ Date.now = () => now() + {late}; }})(Date.now.bind(Date))")
        page.reload()
        item.get_by_role("button", name="Close the table").click()
        confirmed(page)
        expect(page.locator("#stick-call")).to_contain_text("The table is closed.")
    finally:
        pit.clock = live.desk.clock = clock
    expect(page.locator("#why-supervisor-closebets")).to_contain_text("The table is closed")
    # Nobody is asked for bets any more, at the console or at the table.
    for each in (page, ann):
        expect(each.locator(".next")).to_have_text("This table is closed.")
    expect(ann.locator(".q-auto")).to_be_disabled()


def test_a_queue_stays_in_its_places_and_leaves_the_layout_its_room(
    visit: Visit, house: House
) -> None:
    """Many requests at once: all at hand, none under a finger that was meant for another."""
    table = house.table("newzealand", crew="by hand")
    players = ("ann", "bob", "cat", "dan", "eve", "fay")
    for name in players:
        player_says(house, table, BuyIn(seat=name, amount=50_000))
    page = at_console(visit, house, table, "quick", "stick", "dealer")
    page.set_viewport_size({"width": 1280, "height": 800})
    waits(page).get_by_role("button", name="Inspected").click()
    page.mouse.move(640, 600)
    for name in players:
        player_says(house, table, Say(seat=name, spot="hard.6", amount=1000))
        player_says(house, table, Bet(seat=name, spot="pass", amount=1000))
    # One answer each, from the open station, the oldest first; the layout stays in sight.
    rows = waits(page).locator("li.mine[data-what=confirm]")
    expect(rows).to_have_count(6)
    expect(rows.get_by_role("button")).to_have_text(["Confirm"] * 6)
    for each in (rows.nth(3), page.locator("[data-spot=pass]"), page.locator(".below tbody tr")):
        expect(each.first).to_be_in_viewport(ratio=0.9)
    # Somebody else is quicker: what was done leaves a gap, so that the next press is not another's.
    rows.nth(1).hover()
    crew_says(house, table, "box", Confirm(seat="ann", spot="hard.6"))
    expect(rows).to_have_count(5)
    expect(rows.first).to_contain_text("bob calls out $10 on Hard 6.")
    expect(waits(page).locator("li.done")).to_have_count(1)
    page.mouse.move(640, 600)
    expect(waits(page).locator("li.done")).to_have_count(0)
    rows.first.get_by_role("button").click()
    expect(page.locator(".ledger")).to_contain_text("eve's Hard 6 waits to be confirmed.")
    expect(rows).to_have_count(4)


def test_rolls_that_come_together_are_told_in_their_order(visit: Visit, house: House) -> None:
    """With dice in the air on the console, no roll is lost and none overtakes another."""
    table = house.table("nsw", script="4-2 5-4 1-2 4-4")
    ann = visit().sit(table, "ann")
    appointed(house, "quin", table, "box")
    crew = visit(reduced_motion="no-preference")
    crew.sign_in("quin")
    crew.page.goto(f"/console/{table}")
    crew.page.locator(".call-entry").first.wait_for()
    bet(ann, "pass")
    for number in range(1, 5):
        throw(ann)
        rolled(ann, number)
    told = crew.page.locator(".ledger [data-rolled] .row > span")
    expect(told).to_have_text(["8 (4-4)", "3 (1-2)", "9 (5-4)", "6 (4-2)"])
    expect(crew.page.locator(".ribbon-total")).to_have_text("8")


def test_a_dealer_confirms_what_was_said_and_bets_for_a_player(visit: Visit, house: House) -> None:
    table = house.table("newzealand", crew="by hand")
    ann = visit().sit(table, "ann")
    dealer = at_console(visit, house, table, "deb", "dealer")
    expect(waits(dealer)).to_contain_text("by the dealer and the game supervisor")
    # Whatever waits, all of it and the whole layout are in sight.
    dealer.set_viewport_size({"width": 1280, "height": 720})
    for each in (waits(dealer).get_by_role("button").last, dealer.locator("[data-spot=pass]")):
        expect(each).to_be_in_viewport(ratio=0.99)
    waits(dealer).get_by_role("button", name="Inspected").click()
    expect(waits(dealer)).to_contain_text("by the game supervisor.")
    say(dealer, "placefor", Spot="Field Bet", Amount="10")
    expect(ann.locator("#panel-bets")).to_contain_text("Field")
    # An amount that would be refused never leaves the form.
    say(dealer, "placefor")
    dialog = dealer.get_by_role("dialog")
    dialog.get_by_label("Amount").fill("1")
    dialog.get_by_role("button", name="Confirm").click()
    words = dialog.get_by_label("Amount").evaluate("each => each.validationMessage")
    assert words.startswith("It may be $5 to ")
    dealer.keyboard.press("Escape")
    # A wager in parts goes down as they are typed, and they make the amount.
    say(dealer, "placefor")
    expect(dialog.get_by_label("Parts")).to_be_hidden()
    dialog.get_by_label("Spot").select_option(label="C & E")
    dialog.get_by_label("Parts").fill("3/4/5")
    dialog.get_by_role("button", name="Confirm").click()
    words = dialog.get_by_label("Parts").evaluate("each => each.validationMessage")
    assert words.startswith("Any Craps / 11 in 1 Roll, in this order")
    dialog.get_by_label("Parts").fill("3/4")
    expect(dialog.get_by_label("Amount")).to_have_value("7")
    dialog.get_by_role("button", name="Confirm").click()
    expect(dialog).to_have_count(0)
    expect(ann.locator("#panel-bets")).to_contain_text("C & E")
    expect(ann.locator("#panel-bets")).to_contain_text("$7")


def test_a_dealer_in_training_pays_before_it_is_shown(visit: Visit, house: House) -> None:
    table = house.table("nsw", script="6-5 6-5")
    player = visit().sit(table)
    dealer = visit(reduced_motion="no-preference")  # the dice fly over a console's cloth too
    page = dealer.page
    page.goto(f"/console/{table}")
    page.get_by_label("Training").check()
    bet(player, "eleven")
    throw(player)
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text("Pay 6-5")
    expect(page.locator(".ledger")).not_to_contain_text("wins")
    asked.get_by_role("textbox").fill("75")
    asked.get_by_role("button", name="Pay").click()
    # This house pays 16 to 1; the table paid it whatever the dealer said.
    wrong = page.get_by_role("dialog", name="Not quite")
    expect(wrong).to_contain_text("gets $80, not $75.")
    expect(wrong.locator("[data-clause]").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".ledger")).to_contain_text("wins $80")
    expect(player.locator(".dock")).to_contain_text("$580")
    bet(player, "eleven")
    throw(player)
    asked.get_by_role("textbox").fill("80")
    asked.get_by_role("button", name="Pay").click()
    right = page.locator(".toast.good")
    expect(right).to_contain_text("Paid right.")
    right.get_by_role("button", name="Why?").click()
    expect(page.get_by_role("dialog").locator("[data-clause]").first).to_be_visible()


def test_an_inspector_verifies_replays_and_exports(visit: Visit, house: House) -> None:
    table = house.table("nsw", script="4-2 3-4")
    player = visit().sit(table)
    bet(player, "pass")
    throw(player)
    rolled(player, 1)
    page = visit().page
    page.goto(f"/inspect/{table}")
    page.locator("tbody tr").first.wait_for()
    page.get_by_role("button", name="Verify the chain").click()
    expect(page.locator(".good")).to_contain_text("each follows the one before it")
    # Back to before the roll: the puck is off on the felt, then live again.
    number = page.locator("tbody tr", has_text="calls 4-2").locator("th").inner_text()
    page.get_by_role("button", name=f"Show row {int(number) - 1} on", exact=False).click()
    expect(page.locator(".where")).to_contain_text("puck off")
    page.get_by_role("button", name=f"Show row {number} on").click()
    expect(page.locator(".where")).to_contain_text("puck on 6")
    # The puck lies on its number, and its word within its rim.
    boxes = [page.locator(each).bounding_box() for each in (".puck text", ".puck-line", PUCK_BOX)]
    (word, rim, six) = (box for box in boxes if box)
    assert six["x"] < rim["x"] < six["x"] + six["width"]
    assert six["y"] < rim["y"] + rim["height"] / 2 < six["y"] + six["height"]
    assert word["width"] < rim["width"]
    page.get_by_role("button", name=f"Why: row {number}").click()
    expect(page.get_by_role("dialog").locator("[data-clause]").first).to_be_visible()
    page.keyboard.press("Escape")
    with page.expect_download() as loading:
        page.get_by_role("link", name="Export as notation").click()
    text = _text(loading.value)
    assert "ann bets 5 pass" in text
    page.get_by_role("button", name="Now").click()
    throw(player)
    expect(page.locator("tbody")).to_contain_text("calls 3-4")
    # From roll to roll, on the felt.
    page.get_by_role("button", name="Roll before").click()
    expect(page.locator(".where")).to_contain_text("puck on 6")
    page.get_by_role("button", name="Next roll").click()
    expect(page.locator(".where")).to_contain_text("2 rolls")


def test_a_live_journal_is_for_those_who_may_read_it(visit: Visit, house: House) -> None:
    table = house.table("adelaide", practice=False, crew="by hand")
    appointed(house, "ines", table, "inspector")
    guest = visit()
    guest.page.goto(f"/inspect/{table}")
    expect(guest.page.locator("main")).to_contain_text(
        "The journal of a live table is for its crew"
    )
    expect(guest.page.get_by_role("button", name="Verify the chain")).to_have_count(0)
    inspector = visit()
    inspector.sign_in("ines")
    page = inspector.page
    page.goto(f"/inspect/{table}")
    page.get_by_role("button", name="Verify the chain").click()
    expect(page.locator(".good")).to_contain_text("each follows the one before it")
    page.goto(f"/console/{table}")
    expect(page.get_by_role("tab", name="Government Casino Inspectorate")).to_be_visible()
    expect(page.locator("#why-inspector-judgedispute")).to_contain_text("No such dispute")


def _text(download: Any) -> str:
    with open(download.path()) as file:
        return file.read()
