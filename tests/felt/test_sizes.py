"""The table fits, always: every house at fourteen sizes, empty and full of chips."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from boxman.pit.web.api.tables import open_practice
from boxman.rules.book import houses
from boxman.rules.compile import load
from tests.felt.conftest import House, Visitor
from tests.felt.hands import Visit, rolled, spot, throw

TEMPLATE = str(Path(__file__).parents[2] / "src" / "boxman" / "rulebooks" / "template.md")
MOUSE = [(2560, 1440), (1920, 1080), (1440, 900), (1366, 680), (1280, 720), (1101, 700)]
MOUSE += [(720, 450), (640, 360)]
"""The last two are 1440x900 and 1280x720 at 200 %."""
TOUCH = [(1180, 820), (1112, 834), (820, 1180), (844, 390), (390, 844), (360, 640)]

TOUCHED = """() => [...document.querySelectorAll('craps-felt [data-spot]')].map((each) => {
  const { x, y, width, height } = each.querySelector('.hit').getBoundingClientRect();
  const under = document.elementFromPoint(x + width / 2, y + height / 2);
  return [each.dataset.spot, document.querySelector('craps-felt').at(under)];
})"""
WALK = (Path(__file__).parent / "walk.js").read_text()


@pytest.fixture(scope="module")
def walker(browser: Browser, house: House) -> Iterator[Visitor]:
    """One window for all houses: it is resized, and touched or pointed at, as a size wants it."""
    made = Visitor(browser, house)
    yield made
    made.context.close()
    assert made.trouble == []


@pytest.mark.parametrize("name", [*houses(), TEMPLATE], ids=lambda name: Path(name).stem)
def test_nothing_is_cut_small_or_over_another_at_any_size(
    walker: Visitor, house: House, name: str
) -> None:
    offered = set(load(name).spots)
    page = walker.sit(_table(house, name))
    pointer = walker.context.new_cdp_session(page)
    for staged in (False, True):
        for touch, sizes in ((False, MOUSE), (True, TOUCH)):
            pointer.send("Emulation.setTouchEmulationEnabled", {"enabled": touch})
            for width, height in sizes:
                page.set_viewport_size({"width": width, "height": height})
                told: list[dict[str, Any]] = page.evaluate(WALK, [width, height, touch])
                wrong = [each["wrong"] for each in told]
                assert wrong == [[] for _ in told], (width, height, staged)
                seen = {spot for each in told for spot in each["spots"]}
                assert seen == offered, (name, width, height, staged)
        if not staged:
            pointer.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
            page.set_viewport_size({"width": 1440, "height": 900})
            _stage_everything(page)
    pointer.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    pointer.detach()


def _table(house: House, name: str) -> str:
    if name in houses():
        return house.table(name)
    body = {"house": name, "pace": 0.0, "name": "own", "minimum": 1000, "maximum": 50_000}
    return str(house.do(open_practice(house.app.state.house, body)))


def _stage_everything(page: Page) -> None:
    page.eval_on_selector_all(
        ".spot.may", "all => all.forEach(e => e.dispatchEvent(new MouseEvent('click')))"
    )


@pytest.mark.parametrize("name", [*houses(), TEMPLATE], ids=lambda name: Path(name).stem)
def test_on_a_phone_every_wager_is_at_most_two_taps_away(
    visit: Visit, house: House, name: str
) -> None:
    page = visit(has_touch=True, is_mobile=True, viewport={"width": 360, "height": 640}).sit(
        _table(house, name)
    )
    first = _spots(page)
    points = [n for n in (4, 5, 6, 8, 9, 10) if f"place.{n}" in load(name).spots]
    usual = {"pass", "come", "field", *(f"place.{n}" for n in points)}
    assert first.issuperset(usual & set(load(name).spots))
    found = set(first)
    views = page.locator(".views button")
    for number, view in enumerate(views.all()):
        # One tap to the page; a finger in the middle of any wager there touches that one.
        view.tap()
        expect(views.nth(number)).to_have_attribute("aria-pressed", "true")
        touched = page.evaluate(TOUCHED)
        assert [spot for spot, under in touched if spot != under] == []
        found |= {spot for spot, _ in touched}
        # One on the wager: the chip lies there, or the sheet says why it cannot.
        may = page.locator("craps-felt .spot.may")
        if may.count():
            may.last.tap()
            label = may.last.get_attribute("aria-label") or ""
            assert "not yet placed" in label
        else:
            page.locator("craps-felt .spot").last.tap(force=True)
            page.get_by_role("dialog").get_by_role("button", name="Close").tap()
    assert found == set(load(name).spots)


def test_smaller_than_a_phone_it_scrolls_one_way_with_roll_in_sight(
    visit: Visit, house: House
) -> None:
    page = visit(has_touch=True, is_mobile=True).sit(house.table("rws"))
    for width, height in ((320, 480), (300, 400), (568, 320)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("() => document.querySelector('craps-felt').laidOut()")
        spot(page, "field").tap()
        spot(page, "pass").tap()
        for part in (".roll", "#bar" if height > width else ".purse"):
            page.evaluate("scrollTo(0, 0)")
            expect(page.locator(part)).to_be_in_viewport(ratio=0.99)
        page.evaluate("scrollTo(0, 9999)")
        expect(page.locator(".roll")).to_be_in_viewport(ratio=0.99)
        assert page.evaluate("document.documentElement.scrollWidth") == width
    expect(page.locator(".roll")).to_have_text("ROLLPlace S$30 and roll")


def _spots(page: Page) -> set[str]:
    return set(page.eval_on_selector_all("[data-spot]", "all => all.map(e => e.dataset.spot)"))


def test_roll_never_moves(visit: Visit, house: House) -> None:
    page = visit().sit(house.table("nsw", script="4-2 5-4 3-4"))
    where = page.locator(".roll").bounding_box()
    for number in (1, 2, 3):
        if not page.locator(".puck.on").count():
            spot(page, "pass").click()
        assert page.locator(".roll").bounding_box() == where
        throw(page)
        rolled(page, number)
        assert page.locator(".roll").bounding_box() == where
