"""Playing at the table in a browser: chips, dice, settlements, explanations, refusals."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from boxman.pit.told.house import felt_data
from boxman.rules.book import houses
from boxman.rules.compile import load
from tests.felt.conftest import PHONE, House, picture
from tests.felt.hands import Visit, place, rolled, spot, throw

TEMPLATE = Path(__file__).parents[2] / "src" / "boxman" / "rulebooks" / "template.md"
OWN = sorted((Path(__file__).parents[1] / "houses").glob("*.md"))


COUNTED = """async ([cloths, sizes]) => {
  const { plan } = await import('/static/felt/plan.js');
  const over = (a, b) => Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x) > 1
    && Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y) > 1;
  return cloths.map((cloth) => sizes.map(([W, H, touch]) => {
    const seen = new Set(), wrong = [];
    const { views } = plan(cloth, W, H, { touch });
    views.forEach((_, view) => {
      const { zones, park, colW } = plan(cloth, W, H, { touch, view });
      const r = Math.max(12, Math.min(colW * 0.15, 30));
      const puck = park && !view && { x: park.x - r, y: park.y - r, w: 2 * r, h: 2 * r };
      if (puck) wrong.push(...zones.filter((zone) => over(puck, zone))
        .map((zone) => `the puck lies on ${zone.spot} while it is off`));
      zones.forEach((zone, n) => {
        seen.add(zone.spot);
        if (zone.x < -1 || zone.y < -1 || zone.x + zone.w > W + 1 || zone.y + zone.h > H + 1)
          wrong.push(`${zone.spot} is cut`);
        if (touch && Math.min(zone.w, zone.h) < 24) wrong.push(`${zone.spot} is small`);
        if (zones.slice(n + 1).some((other) => over(zone, other)))
          wrong.push(`${zone.spot} is covered`);
      });
    });
    return [[...seen].sort(), wrong];
  }));
}"""
SIZES = [
    (1100, 640, False),
    (900, 504, False),
    (560, 300, False),
    (820, 700, True),
    (640, 380, True),
]
SIZES += [(390, 560, True), (360, 400, True)]
"""Of the cloth alone; the last are phones."""


def test_nothing_that_is_offered_is_missing(visit: Visit, house: House) -> None:
    """Every cloth at every size has each wager, whole, on the page or on one that is a tap away:
    the houses, Perth by each of its layouts, the template, the test houses, and a wager in an area
    that no cloth has."""
    layouts = [load(name) for name in (*houses(), str(TEMPLATE), *map(str, OWN))]
    layouts += [load("perth-crapless", {"layout": str(number)}) for number in (2, 3, 4, 5)]
    cloths = [felt_data(layout) for layout in layouts]
    placed = {spot["id"]: spot for spot in cloths[len(houses())]["spots"]}
    placed["eleven"]["place"] = "an area that no cloth has"
    page = visit().page
    page.goto("/")
    found = page.evaluate(COUNTED, [cloths, SIZES])
    for layout, at_sizes in zip(layouts, found, strict=True):
        for size, (seen, wrong) in zip(SIZES, at_sizes, strict=True):
            assert (seen, wrong) == (sorted(layout.spots), []), (layout.house, size)
    assert {"over_7", "eleven"} <= {
        zone["spot"] for zone in _planned(page, cloths[len(houses())], 1100, 640)["zones"]
    }


CONTRAST = """felt => {
  const light = (hex) => [1, 3, 5].map(n => parseInt(hex.slice(n, n + 2), 16) / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, n) => sum + v * [0.2126, 0.7152, 0.0722][n], 0);
  const found = {};
  for (const cloth of ['green', 'blue', 'teal', 'red', 'purple', 'black']) {
    for (const lettering of ['white', 'yellow', 'gold', 'black']) {
      felt.dataset.cloth = cloth;
      felt.dataset.lettering = lettering;
      const of = (name) => light(getComputedStyle(felt).getPropertyValue(name).trim());
      // Black letters stand on one colour; the others where the lamp shines too.
      const grounds = lettering === 'black' ? ['--cloth'] : ['--cloth', '--cloth-lit'];
      const pairs = grounds.flatMap(g => [['--print', g], ['--gold-print', g]]);
      pairs.push(['--prop-print', '--bed'], ['--gold-print', '--bed']);
      for (const [ink, ground] of pairs) {
        const [high, low] = [of(ink), of(ground)].sort((a, b) => b - a);
        found[`${cloth} ${lettering} ${ink} ${ground}`] = (high + 0.05) / (low + 0.05);
      }
    }
  }
  return found;
}"""


def test_the_print_can_be_read_on_every_cloth(visit: Visit, house: House) -> None:
    """axe does not judge text in pictures, so the contrast is worked out here."""
    page = visit().sit(house.table("perth-crapless"))
    found = page.locator("craps-felt").evaluate(CONTRAST)
    assert len(found) == 6 * (3 * 6 + 4)
    assert {name: ratio for name, ratio in found.items() if ratio < 4.5} == {}


def test_bonus_wagers_have_tracks_of_their_own_or_one_row(visit: Visit, house: House) -> None:
    crapless = "perth-crapless"
    bonus = {"small": 5, "tall": 5, "all": 10}
    page = visit().page
    page.goto("/")
    for layout, tracks in (("1", 3), ("2", 1), ("3", 3), ("4", 1), ("5", 0)):
        lamps = _planned(page, felt_data(load(crapless, {"layout": layout})), 1100, 640)["lamps"]
        drawn = Counter(" ".join(sorted(lamp["of"])) for lamp in lamps)
        shared = {" ".join(sorted(bonus)): 10}
        assert drawn == {3: bonus, 1: shared, 0: {}}[tracks], layout


def _planned(page: Page, cloth: Any, width: int, height: int, view: int = 0) -> Any:
    """Where everything lies on a cloth of this size."""
    return page.evaluate(
        "async ([cloth, W, H, view]) =>"
        " (await import('/static/felt/plan.js')).plan(cloth, W, H, { view })",
        [cloth, width, height, view],
    )


def test_a_hand_is_played_and_every_payment_explained(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("nsw", script="4-2 5-4 3-3"))
    spot(page, "pass").click()
    spot(page, "pass").click()
    expect(page.locator(".purse")).to_contain_text("$490")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".purse")).to_contain_text("$495")
    spot(page, "pass").click()
    place(page)
    expect(page.locator("#panel-bets")).to_contain_text("Win Line")
    throw(page)
    rolled(page, 1)
    expect(page.locator("#stick-call")).to_contain_text("Mark the 6")
    expect(page.locator(".puck.on")).to_have_text("ON")
    # Odds at one touch, up to the house's limit: twice 10.
    page.get_by_role("button", name=re.compile("Stage .20 odds")).click()
    spot(page, "come").click()
    place(page)
    expect(page.locator("#panel-bets tbody tr")).to_have_count(3)
    # Odds at the limit are down: nobody is told that they came back.
    expect(page.locator(".toast")).to_have_count(0)
    throw(page)
    rolled(page, 2)
    # The come bet travelled to the nine.
    expect(spot(page, "come.9")).to_have_attribute("aria-label", re.compile("your wager"))
    throw(page)
    rolled(page, 3)
    # 10 on the line pays 10, 20 odds on the six pay 24: 500 - 5 come + 34.
    expect(page.locator(".purse")).to_contain_text("$529")
    page.get_by_role("tab", name="Log").click()
    settled = page.locator(".ledger > li").first
    expect(settled).to_contain_text("wins $24 on $20")
    settled.get_by_role("button", name=re.compile("^Why")).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("[data-clause='6.1.1.1.2']")).to_be_visible()
    expect(dialog).to_contain_text("wins $10 on $10")
    picture(page, "explanation")
    # Opened anew, the page still knows what happened.
    page.reload()
    page.get_by_role("tab", name="Log").click()
    expect(page.locator(".ledger > li").first).to_contain_text("wins $24 on $20")
    expect(page.locator(".ledger")).to_contain_text("ann puts $10 on Win Line")


def test_a_refusal_opens_its_clause(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("nsw"))
    # The come is closed before there is a point: the sheet opens and one may still ask.
    spot(page, "come").click(force=True)
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("once there is a point")
    sheet.get_by_role("button", name="Ask for it anyway").click()
    toast = page.locator(".toast.bad")
    toast.wait_for()
    toast.get_by_role("button", name="Why?").click()
    clauses = page.get_by_role("dialog").locator("[data-clause]")
    clauses.first.wait_for()
    cited = load("nsw").spots["come"].windows["make"].cites
    assert set(cited) <= {each.get_attribute("data-clause") for each in clauses.all()}


def test_the_sheet_of_a_bonus_says_until_when_it_is_joined_and_what_it_has(
    visit: Visit, house: House
) -> None:
    page = visit().sit(house.table("american", script="4-2"))
    spot(page, "small").click()
    throw(page)
    rolled(page, 1)
    spot(page, "small").click(force=True)
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("Joinedstraight after a seven, and when the game opens")
    expect(sheet).to_contain_text("Has so far6")


def test_wagers_are_pressed_lowered_called_and_taken_down(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("rws", script="3-1"))
    spot(page, "pass").click()
    spot(page, "place.6").click()
    # A chip of 5 cannot be paid 7 to 6 in whole chips: 6 is staged instead.
    expect(spot(page, "place.6")).to_have_attribute("aria-label", re.compile(r"\$6 not yet"))
    # That is said in the band, over nothing that can be touched, and no longer than to the roll.
    said, band = page.locator(".toast"), page.locator(".band").bounding_box()
    expect(said).to_contain_text("S$6 staged")
    box = said.bounding_box()
    assert box
    assert band
    assert box["y"] + box["height"] < band["y"] + band["height"]
    place(page)
    throw(page)
    rolled(page, 1)
    expect(said).to_have_count(0)
    spot(page, "place.6").click(button="right")
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name=re.compile("Press by")).click()
    place(page)
    expect(page.locator("#panel-bets")).to_contain_text("S$12")
    page.get_by_role("button", name="Take down Place 6", exact=True).click()
    expect(page.locator("#panel-bets tbody tr")).to_have_count(1)
    # The line is locked once there is a point: nothing offers to take it down.
    assert not page.get_by_role("button", name="Take down Pass Line").count()


def test_repeat_double_across_and_presets(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("rws", script="1-1 1-1 1-1"))
    spot(page, "field").click()
    place(page)
    throw(page)
    rolled(page, 1)
    page.get_by_role("button", name="Same again").click()
    page.get_by_role("button", name="More…").click()
    page.get_by_role("button", name="Double").click()
    expect(spot(page, "field")).to_have_attribute("aria-label", re.compile(r"S\$10 not yet"))
    page.get_by_role("button", name="More…").click()
    page.get_by_role("button", name="Save these bets…").click()
    page.get_by_label("Name", exact=True).fill("mine")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="More…").click()
    page.get_by_role("button", name="mine", exact=True).click()
    expect(spot(page, "field")).to_have_attribute("aria-label", re.compile(r"S\$10 not yet"))
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Across").click()
    place(page)
    expect(page.locator("#panel-bets tbody tr")).to_have_count(6)


def test_if_it_rolls_gives_the_engines_nets(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("nsw"))
    spot(page, "any_seven").click()
    spot(page, "field").click()
    place(page)
    expect(page.locator("#panel-bets tbody tr")).to_have_count(2)
    page.get_by_role("tab", name="If it rolls").click()
    rows = page.locator(".rolls-table tbody tr")
    expect(rows).to_have_count(15)
    nets = {
        row.locator("th").inner_text(): row.locator("td").last.inner_text() for row in rows.all()
    }
    # Any seven pays 4 to 1, the field 2 to 1 on the two and twelve: both wagers are 5.
    assert nets["7"] == "+$15"
    assert nets["2"] == nets["12"] == "+$5"
    assert nets["3"] == "$0"
    assert nets["5"] == "−$10"


def test_keyboard_alone_from_the_lobby_to_a_settlement(visit: Visit, house: House) -> None:
    table = house.table("nsw", name="Keys", script="6-5")
    visitor = visit()
    visitor.kept("boxman.taught", "true")
    page = visitor.page
    page.goto("/")
    link = page.get_by_role("link", name="Watch: Keys", exact=True)
    link.wait_for()
    _tab_to(page, "a[aria-label='Watch: Keys']")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/table/{table}")
    # The seat is one Enter away: a name and the usual buy-in are there.
    expect(page.get_by_role("button", name="Sit down")).to_be_focused()
    page.keyboard.press("Enter")
    page.locator(".dock:not([hidden])").wait_for()
    _tab_to(page, "craps-felt [data-spot]")
    # The line is the first stop; the other line lies above it.
    focused = "document.activeElement.dataset.spot"
    assert page.evaluate(focused) == "pass"
    page.keyboard.press("ArrowUp")
    assert page.evaluate(focused) == "dont_pass"
    page.keyboard.press("i")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    assert page.evaluate(focused) == "dont_pass"
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused) == "pass"
    page.keyboard.press("Enter")
    page.keyboard.press("p")
    expect(page.locator("#panel-bets")).to_contain_text("Win Line")
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    rolled(page, 1)
    expect(page.locator("#stick-call")).to_contain_text("eleven")
    expect(page.locator(".purse")).to_contain_text("5")


def _tab_to(page: Page, selector: str) -> None:
    for _ in range(250):
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to {selector}")


def test_a_server_that_goes_away_and_comes_back(visit: Visit, house: House) -> None:
    table = house.table("nsw", script="4-2 5-1")
    visitor = visit()
    visitor.expected = "ERR_CONNECTION"
    page = visitor.sit(table)
    spot(page, "pass").click()
    place(page)
    expect(page.locator("#panel-bets")).to_contain_text("Win Line")
    # The throw is asked for and the server is gone before anybody hears of it.
    throw(page)
    house.stop()
    expect(page.locator(".gone")).to_be_visible()
    expect(page.locator("#panel-bets")).to_contain_text("Win Line")
    picture(page, "server-gone")
    house.start()
    expect(page.locator(".gone")).to_be_hidden(timeout=15_000)
    known = house.boss.get(f"/api/tables/{table}").json()["view"]
    if known["rolls"] == 0:
        throw(page)
    rolled(page, 1)
    expect(page.locator(".puck.on")).to_be_visible()


def test_a_phone_can_play(visit: Visit, house: House) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True).sit(
        house.table("nsw", script="5-6")
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    spot(page, "pass").tap()
    place(page)
    page.locator(".roll").tap()
    rolled(page, 1)
    expect(page.locator(".purse")).to_contain_text("$505")


def test_the_guided_hand_teaches_and_ends(visit: Visit, house: House) -> None:
    visitor = visit()
    page = visitor.page
    table = house.table("nsw", script="6-5 4-2 5-3 6-3 4-3")
    visitor.context.request.post("/api/session", data={"name": "new", "guest": True})
    visitor.context.request.post(f"/api/tables/{table}/sit", data={"buy_in": 30_000})
    page.goto(f"/table/{table}")
    coach = page.locator(".coach")
    expect(coach).to_contain_text("7 or 11 wins, 2, 3 or 12 loses, and 4, 5, 6, 8, 9 or 10 becomes")
    spot(page, "pass").click()
    expect(coach).to_contain_text("Roll the dice")
    throw(page)
    # Decided at once: another come-out, until there is a point.
    expect(coach).to_contain_text("11: the line wins on the come-out")
    spot(page, "pass").click()
    throw(page)
    expect(coach).to_contain_text("5 make 6 and 6 make 7")
    picture(page, "guided-hand")
    coach.get_by_role("button", name="Go on").click()
    expect(coach).to_contain_text("6 to 5")
    page.locator(".q-odds").click()
    throw(page)
    expect(coach).to_contain_text("A come bet")
    expect(coach).to_contain_text("7 or 11 wins, 2, 3 or 12 loses, and 4, 5, 6, 8, 9 or 10 becomes")
    spot(page, "come").click()
    expect(coach).to_contain_text("A 7 now is the seven-out")
    throw(page)
    rolled(page, 4)
    throw(page)
    expect(coach).to_contain_text("That was a hand")
    expect(coach).to_contain_text("Seven-out")


def test_a_newcomer_in_the_middle_of_a_hand_waits_for_the_come_out(
    visit: Visit, house: House
) -> None:
    table = house.table("perth-crapless", script="4-2 5-1 1-1 1-2", patience=0)
    ann = visit().sit(table, "ann")
    spot(ann, "pass").click()
    place(ann)
    throw(ann)
    rolled(ann, 1)
    visitor = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    page = visitor.page
    page.goto(f"/table/{table}")
    page.get_by_role("button", name="Sit down").tap()
    coach = page.locator(".coach")
    expect(coach).to_contain_text("1. Wait for the come-out")
    throw(ann)
    expect(coach).to_contain_text("2. Put a chip on the line")
    expect(coach).to_contain_text("7 wins, and no total loses")
    # What is said, and what is meant, are both in sight on a phone.
    picture(page, "guided-hand-phone")
    expect(coach).to_be_in_viewport(ratio=0.9)
    expect(spot(page, "pass")).to_be_in_viewport(ratio=0.9)
    spot(page, "pass").tap()
    expect(coach).to_contain_text("3. Roll the dice")
    throw(page)
    expect(coach).to_contain_text("Of 36 rolls 1 makes 2 and 6 make 7")
    # Where the button of the odds has no room, their spot is shown.
    page.set_viewport_size({"width": 360, "height": 640})
    coach.get_by_role("button", name="Go on").tap()
    expect(page.locator(".spotlit")).to_have_attribute("data-spot", "pass.odds")
    coach.get_by_role("button", name="Go on").tap()
    expect(coach).to_contain_text("on the next roll 7 wins, and any other total becomes its own")


def test_aids_are_absent_at_a_live_table_that_forbids_them(visit: Visit, house: House) -> None:
    forbids = [
        name for name in houses() if (rule := load(name).procedure.advice) and not rule.value
    ]
    assert forbids, "no house forbids advice, so this test shows nothing"
    table = house.table(forbids[0], practice=False, script="4-2")
    visitor = visit()
    visitor.sign_in("boss")
    house.boss.post("/api/cage", json={"person": "boss", "amount": 100_000})
    sat = visitor.context.request.post(f"/api/tables/{table}/sit", data={"buy_in": 50_000})
    assert sat.ok, sat.text()
    page = visitor.page
    page.goto(f"/table/{table}")
    page.locator("craps-felt [data-spot]").first.wait_for()
    spot(page, "pass").click()
    place(page)
    throw(page)
    rolled(page, 1)
    expect(page.locator("#tab-rolls")).to_be_hidden()
    expect(page.get_by_role("button", name="First hand")).to_have_count(0)
    expect(page.locator(".history")).to_be_hidden()
    spot(page, "place.8").click(button="right")
    expect(page.get_by_role("dialog")).to_contain_text("Pays 7 to 6")
    assert not page.locator("text=Exact edge").count()
    refused = visitor.context.request.get(f"/api/tables/{table}/if-it-rolls")
    assert refused.status == 403
