"""The table fits, always: every house at fourteen sizes, empty and full of chips."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

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


def test_on_a_phone_every_wager_is_at_most_two_taps_away(visit: Visit, house: House) -> None:
    page = visit(has_touch=True, is_mobile=True, viewport={"width": 360, "height": 640}).sit(
        house.table("nsw", script="4-2")
    )
    first = _spots(page)
    kinds = ("pass", "come", "field", *(f"place.{n}" for n in (4, 5, 6, 8, 9, 10)))
    assert first.issuperset(kinds)
    found = set(first)
    views = page.locator(".views button")
    for view in views.all():
        view.tap()
        found |= _spots(page)
    assert found == set(load("nsw").spots)
    # One tap to the page, one on the wager: the chip lies there.
    views.filter(has_text="Hardways").tap()
    spot(page, "hard.8").tap()
    label = spot(page, "hard.8").get_attribute("aria-label") or ""
    assert "not yet placed" in label


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
