"""`python -m tests.tools.screens [HOUSE ...]`: every page at five sizes, in build/screens.

For a person to look at after a change; nothing is compared.
"""

from __future__ import annotations

import sys

from playwright.sync_api import Page

from boxman.pit.web.pages import PAGES
from boxman.rules.book import houses
from tests.browser import launched
from tests.felt.conftest import SCREENS, House, Visitor

SIZES = [(1920, 1080, False), (1366, 680, False), (1112, 834, True), (844, 390, True)]
SIZES += [(390, 844, True)]


def shoot(page: Page, name: str) -> None:
    """One picture of what is in sight."""
    page.wait_for_timeout(400)
    page.screenshot(path=SCREENS / f"{name}.png")


def played(page: Page) -> None:
    """A hand with a point and some wagers, the last of them staged."""
    for spots in (("pass", "place.6"), ("pass.odds", "come", "place.5"), ("field", "come")):
        for spot in spots:
            found = page.locator(f"[data-spot='{spot}']")
            if found.count():
                found.dispatch_event("click")
        if "field" not in spots:
            rolls = page.locator("#bar .state").text_content()
            page.locator(".roll[aria-disabled='false']").click()
            page.wait_for_function(
                "t => document.querySelector('#bar .state').textContent !== t", arg=rolls
            )


def main(names: list[str]) -> None:
    """Every page once, the table for every house."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    house = House()
    with launched() as browser:
        for width, height, touch in SIZES:
            size = {"width": width, "height": height}
            for name in names or houses():
                guest = Visitor(browser, house, viewport=size, has_touch=touch, is_mobile=touch)
                page = guest.sit(house.table(name, script="4-4 5-4 3-2"))
                shoot(page, f"table-{name}-empty-{width}x{height}")
                played(page)
                shoot(page, f"table-{name}-{width}x{height}")
                guest.context.close()
            boss = Visitor(browser, house, viewport=size, has_touch=touch, is_mobile=touch)
            boss.sign_in("boss")
            table = house.table(houses()[0])
            for address, module in PAGES.items():
                if module != "table":
                    boss.page.goto(
                        address.replace("{table}", table).replace("{house}", houses()[0])
                    )
                    shoot(boss.page, f"{module}-{width}x{height}")
            boss.context.close()
    house.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
