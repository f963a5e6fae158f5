"""What a person sees and can touch at the table page: sizes, zoom, titles, the last call."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from boxman.rules.book import houses
from boxman.rules.compile import load
from tests.felt.conftest import DESKTOP, PHONE, House
from tests.felt.hands import Visit, bet, rolled, spot, throw

SMALL = """() => [...document.querySelectorAll('a, button, input, select, summary, [role=tab]')]
  .map(e => [e, e.getBoundingClientRect()])
  .filter(([e, box]) => box.width && !e.closest('.skip, p, li > span'))
  .filter(([e]) => getComputedStyle(e).clipPath === 'none')
  .filter(([, box]) => Math.min(box.width, box.height) < 24)
  .map(([e, box]) => [e.outerHTML.slice(0, 80), box.width, box.height])"""


def test_everything_that_can_be_touched_is_large_enough(visit: Visit, house: House) -> None:
    for size in (DESKTOP, PHONE):
        page = visit(viewport=size).sit(house.table("nsw", script="4-2 5-4"))
        bet(page, "pass", "field", "hard.8")
        throw(page)
        rolled(page, 1)
        if size is PHONE:
            page.get_by_role("button", name="Table", exact=True).click()
            expect(page.get_by_role("button", name="Leave the table")).to_be_visible()
        for tab in ("Bets", "If it rolls", "Events", "Players"):
            page.get_by_role("tab", name=tab).click()
            assert page.evaluate(SMALL) == []
        spot(page, "hard.8").click(button="right")
        page.get_by_role("dialog").wait_for()
        assert page.evaluate(SMALL) == []
        page.keyboard.press("Escape")
        page.get_by_role("button", name="More…").click()
        page.get_by_role("dialog").wait_for()
        assert page.evaluate(SMALL) == []


def test_at_double_zoom_the_cloth_stays_in_sight(visit: Visit, house: House) -> None:
    page = visit(viewport={"width": 700, "height": 450}).sit(house.table("nsw"))
    seen = page.evaluate(
        "() => { document.querySelector('craps-felt').scrollIntoView();"
        " let n = 0; for (let y = 5; y < innerHeight; y += 10)"
        " if (document.elementFromPoint(350, y)?.closest('craps-felt')) n += 1;"
        " return n * 10 / innerHeight; }"
    )
    assert seen > 0.9
    # On a phone the rail stays under the thumb.
    page.set_viewport_size(PHONE)
    box = page.locator(".rail").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= PHONE["height"] + 1


CUT = """() => [...document.querySelectorAll('.table-name > *, .tool-row .played')]
  .filter(e => e.offsetWidth && e.scrollWidth > e.clientWidth + 1)
  .map(e => [e.textContent, getComputedStyle(e).textOverflow])"""


def test_name_and_limits_of_the_table_are_not_cut(visit: Visit, house: House) -> None:
    # The two with the longest names stand for all.
    for name in sorted(houses(), key=lambda each: len(load(each).title))[-2:]:
        table = house.table(name, name="Evening table of the north", script="4-2")
        page = visit(viewport={"width": 1400, "height": 900}).sit(table)
        bet(page, "pass")
        throw(page)
        rolled(page, 1)
        expect(page.locator(".played")).to_contain_text("here")
        assert page.evaluate(CUT) == []
        limits = page.locator(".table-name").get_by_text("practice")
        inside = limits.evaluate(
            "e => { const a = e.getBoundingClientRect();"
            " const b = e.closest('#bar').getBoundingClientRect();"
            " return a.bottom <= b.bottom && a.height > 0; }"
        )
        assert inside
    # With text of double size the name of the table has its place still.
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    box = page.locator(".table-name h1").bounding_box()
    assert box is not None
    assert box["width"] > 250
    page.evaluate("document.documentElement.style.fontSize = ''")
    # What has no room on a phone ends in dots.
    page.set_viewport_size(PHONE)
    assert {how for _, how in page.evaluate(CUT)} <= {"ellipsis"}
    # And opened anew, the stick's last call still stands.
    page.reload()
    expect(page.locator("#stick-call")).to_contain_text(re.compile(r"^Six, easy"))


def test_a_payment_is_disputed_where_it_is_shown(visit: Visit, house: House) -> None:
    table = house.table("nsw", script="6-5")
    page = visit().sit(table)
    bet(page, "pass")
    throw(page)
    rolled(page, 1)
    page.get_by_role("tab", name="Events").click()
    newest = page.locator(".ledger > li").first
    number = newest.get_attribute("data-number")
    newest.get_by_role("button", name=re.compile("^Dispute")).click()
    page.get_by_role("dialog").get_by_role("button", name="Dispute it").click()
    expect(page.locator(".toast.good")).to_contain_text("The box has been asked")
    rows = house.boss.get(f"/api/tables/{table}/rows?limit=100").json()["rows"]
    (row,) = [row for row in rows if row["call"]["type"] == "opendispute"]
    assert row["refused"] is None
    assert row["call"]["about"] == f"row {number}: Win Line"
