"""Eyes that see, in a real browser: card, heat map, bars, coach and the figures of a visit, all
held against the journal; and nothing of it where a house forbids hints."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

from playwright.sync_api import expect

from boxman.rules.book import houses
from boxman.rules.compile import load
from tests.felt.conftest import PHONE, House, picture
from tests.felt.hands import Visit, bet, rolled, spot, throw
from tests.felt.test_pages import sound

SCRIPT = "4-2 3-1 5-1 6-5 1-1 2-2 6-1 5-5"
SIZE = {"width": 1280, "height": 800}


def recounted(rows: list[dict[str, Any]], seat: str) -> dict[str, Any]:
    """The figures of a visit from the journal's rows, the plain way."""
    totals: Counter[int] = Counter()
    wagers: dict[str, Counter[str]] = {}
    for row in rows:
        for each in row["decided"]:
            if each["type"] == "rolled":
                totals[each["first"] + each["second"]] += 1
            if each.get("seat") != seat:
                continue
            own = wagers.setdefault(each.get("spot", ""), Counter())
            if each["type"] == "settled":
                net = each["paid"] - each["taken"]
                own["won" if net > 0 else "lost"] += 1
                own["staked"] += each["stake"]
                own["net"] += net
            elif each["type"] == "placed":
                own["net"] -= each["fee"]
            elif each["type"] == "returned":
                own["net"] += each["fee"]
    return {
        "totals": totals,
        "wagers": {name: own for name, own in wagers.items() if own["staked"]},
    }


HIDDEN = """() => [...document.querySelectorAll('.heat-tag')].filter((tag) => {
  const a = tag.getBoundingClientRect();
  return [...document.querySelectorAll('craps-felt :is(tspan, text:not(:has(tspan)), .drawn-die)')]
    .some((print) => {
      const b = print.getBoundingClientRect();
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      // Capitals fill the middle of their line.
      const air = b.height / 5;
      const high = Math.min(a.bottom, b.bottom - air) - Math.max(a.top, b.top + air);
      return !tag.contains(print) && b.width && wide > 2 && high > 2;
    });
}).map((tag) => tag.closest('[data-spot]').dataset.spot)"""


def test_eyes_at_the_table(visit: Visit, house: House) -> None:
    visitor = visit(viewport=SIZE)
    table = house.table("nsw", script=SCRIPT)
    page = visitor.sit(table)
    for name in ("pass", "place.8", "hard.4"):
        spot(page, name).click()
    for number in range(1, 9):
        throw(page)
        rolled(page, number)
        if number == 4:
            spot(page, "pass").click()
            spot(page, "buy.4").click()
    bet(page, "place.9", "place.5")
    # The card over a spot.
    spot(page, "place.6").hover()
    card = page.locator(".spot-card")
    expect(card).to_contain_text("$6 wins $7")
    expect(card).to_contain_text("1.52 % (1/66)")
    expect(card).to_contain_text("$5 to $500")
    picture(page, "eyes-card-desktop")
    # Over the numbers: a bar for each total.
    expect(page.locator(".next .slot")).to_have_count(11)
    # The coach, and the heat map.
    page.get_by_role("tab", name="Edges").click()
    listed = page.locator("[data-coach]")
    expect(listed.first).to_be_visible()
    eyes = visitor.context.request.get(f"/api/tables/{table}/eyes").json()
    assert [each.get_attribute("data-coach") for each in listed.all()] == eyes["coach"]
    page.get_by_role("button", name="Heat map of edges").click()
    expect(spot(page, "any_seven")).to_have_attribute("data-heat", "5")
    expect(spot(page, "any_seven").locator(".heat-tag")).to_have_text("16.7")
    page.mouse.move(5, 5)
    # No figure lies over what is printed.
    assert page.evaluate(HIDDEN) == []
    picture(page, "eyes-heat-desktop")
    sound(page)
    page.get_by_role("button", name="Heat map of edges").click()
    expect(page.locator(".heat-tag")).to_have_count(0)
    # The visit equals the journal.
    page.get_by_role("tab", name="Stats").click()
    expect(page.locator(".visit-wagers tbody tr").first).to_be_visible()
    picture(page, "eyes-visit-desktop")
    sound(page)
    told = visitor.context.request.get(f"/api/tables/{table}/visit").json()
    rows = house.boss.get(f"/api/tables/{table}/rows?limit=1000").json()["rows"]
    found = recounted(rows, "ann")
    assert {each["total"]: each["seen"] for each in told["totals"] if each["seen"]} == found[
        "totals"
    ]
    assert {each["spot"] for each in told["wagers"]} == set(found["wagers"])
    for each in told["wagers"]:
        own = found["wagers"][each["spot"]]
        assert {key: each[key] for key in ("won", "lost", "staked", "net")} == {
            key: own[key] for key in ("won", "lost", "staked", "net")
        }
    seat = next(s for s in house.boss.get(f"/api/tables/{table}").json()["view"]["seats"])
    held = seat["rail"] + sum(wager["stake"] for wager in seat["wagers"])
    assert told["net"] == held - 50_000
    assert told["line"][-1][1] == told["net"]
    assert told["hand"]["longest"] == 7
    assert told["dice"]["chance"] is None
    # The fan after two rolls, over all 36 x 36: 5 on the line, 5 placed on 8 (7 to 6, rounded up to
    # 6 by 6.7) and 5 on hard 4 (7.5 to 1, to 38); at the come-out the line alone works; point 6.
    nets: Counter[int] = Counter()
    faces = list(product(range(1, 7), repeat=2))
    assert told["fan"][0][0] == 1
    first = [come_out(*pair) for pair in faces]
    second = [point_six(*pair) for pair in faces]
    for one, other in product(first, second):
        nets[one + other] += 1
    assert told["fan"][1][1:] == shares(nets)
    # A phone has all of it in the sheet.
    page.set_viewport_size(PHONE)
    page.get_by_role("button", name="Panel").click()
    expect(page.locator(".visit-wagers")).to_be_visible()
    page.wait_for_timeout(300)
    picture(page, "eyes-visit-phone")
    sound(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def come_out(a: int, b: int) -> int:
    return {7: 500, 11: 500, 2: -500, 3: -500, 12: -500}.get(a + b, 0)


def point_six(a: int, b: int) -> int:
    hard = {4: 3800 if a == b else -500, 7: -500}.get(a + b, 0)
    return {6: 500, 7: -1000, 8: 600}.get(a + b, 0) + hard


def shares(nets: Counter[int]) -> list[int]:
    found = []
    for share in (5, 25, 50, 75, 95):
        mass = 0
        for net in sorted(nets):
            mass += nets[net]
            if mass * 100 >= share * nets.total():
                found.append(net)
                break
    return found


def test_no_eyes_where_a_house_forbids_hints(visit: Visit, house: House) -> None:
    """Which houses forbid them at live tables is what their rulebooks say."""
    forbids = {
        name for name in houses() if (said := load(name).procedure.advice) and not said.value
    }
    assert forbids
    visitor = visit(viewport=SIZE)
    house.boss.post("/api/people", json={"name": "nell", "password": "eight-or-more"})
    house.boss.post("/api/cage", json={"person": "nell", "amount": 1_000_000})
    visitor.sign_in("nell")
    request, page = visitor.context.request, visitor.page
    for name in houses():
        table = house.table(name, practice=False)
        assert request.post(f"/api/tables/{table}/sit", data={"buy_in": 20_000}).ok
        answers = [
            request.get(f"/api/tables/{table}/{path}").status
            for path in ("eyes", "visit", "if-it-rolls", "hand")
        ]
        coach = request.post(f"/api/tables/{table}/coach", data={"target": 1_000})
        answers.append(coach.status)
        # Nothing was thrown yet: elsewhere there is no hand to share, and all else is told.
        assert answers == ([403] * 5 if name in forbids else [200, 200, 200, 409, 200]), name
        if name not in forbids:
            continue
        page.goto(f"/table/{table}")
        spot(page, "pass").hover()
        page.wait_for_timeout(600)
        for tab in ("Edges", "Stats", "If it rolls"):
            expect(page.get_by_role("tab", name=tab)).to_have_count(0)
        expect(page.locator(".spot-card, .next .slot, .rolls-past li")).to_have_count(0)
        page.get_by_role("button", name="Table menu").click()
        expect(page.get_by_role("dialog").get_by_text("Share", exact=True)).to_be_visible()
        expect(page.get_by_role("dialog").get_by_text("Share this hand")).to_have_count(0)
        page.keyboard.press("Escape")
