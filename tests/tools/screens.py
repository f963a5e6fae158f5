"""`python -m tests.tools.screens [--theme THEME] [--only WORD] [HOUSE ...]`: every page at five
sizes, in build/screens, and one sheet of each page with all its sizes.

For a person to look at after a change; nothing is compared.
"""

from __future__ import annotations

import argparse
from base64 import b64encode
from collections.abc import Callable, Iterator

from playwright.sync_api import Browser, Page

from boxman.pit.web.pages import PAGES
from boxman.rules.book import houses
from tests.browser import launched
from tests.felt.conftest import SCREENS, House, Visitor
from tests.felt.test_pages import READY

MOUSE = [(1920, 1080), (1366, 680)]
TOUCH = [(1112, 834), (844, 390), (390, 844)]
LAID = "margin:4px;display:flex;flex-wrap:wrap;gap:8px;align-items:start"
WIDE = 1900
"""How wide a sheet is."""


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


class Shooting:
    """A browser in one theme, and what is photographed with it."""

    def __init__(self, browser: Browser, house: House, theme: str) -> None:
        self.browser, self.house, self.theme = browser, house, theme

    def visitor(self) -> Visitor:
        """Somebody whose pages have the theme."""
        forced = "active" if self.theme == "forced" else "none"
        made = Visitor(self.browser, self.house, draws=True, forced_colors=forced)
        theme = self.theme if self.theme in ("light", "clear") else "dark"
        made.context.add_init_script(f"localStorage.setItem('boxman.theme', '\"{theme}\"')")
        return made

    def shoot(self, visitor: Visitor, name: str) -> None:
        """What is in sight at every size, and the sheet of them."""
        page, taken = visitor.page, []
        pointer = visitor.context.new_cdp_session(page)
        for touch, sizes in ((False, MOUSE), (True, TOUCH)):
            pointer.send("Emulation.setTouchEmulationEnabled", {"enabled": touch})
            for width, height in sizes:
                page.set_viewport_size({"width": width, "height": height})
                page.wait_for_timeout(350)
                path = SCREENS / f"{self.theme}-{name}-{width}x{height}.png"
                taken.append((width, page.screenshot(path=path, timeout=60_000)))
        pointer.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
        pointer.detach()
        self._sheet(name, taken)

    def _sheet(self, name: str, taken: list[tuple[int, bytes]]) -> None:
        page = self.browser.new_page(viewport={"width": WIDE, "height": 800})
        shown = "".join(
            f'<img width="{min(width, WIDE // 2 - 20)}" src="data:image/png;base64,'
            f'{b64encode(picture).decode()}">'
            for width, picture in taken
        )
        page.set_content(f"<body style='{LAID}'>{shown}")
        page.screenshot(path=SCREENS / f"sheet-{self.theme}-{name}.png", full_page=True)
        page.close()


def screens(shooting: Shooting, names: list[str]) -> Iterator[tuple[str, Callable[[], None]]]:
    """Every picture by its name: the table of every house, empty and in play, then all pages."""
    house = shooting.house
    for name in names:

        def table(name: str = name) -> None:
            guest = shooting.visitor()
            page = guest.sit(house.table(name, script="4-4 5-4 3-2"))
            shooting.shoot(guest, f"table-{name}-empty")
            played(page)
            shooting.shoot(guest, f"table-{name}")
            guest.context.close()

        yield f"table-{name}", table
    for address, module in PAGES.items():

        def one(address: str = address, module: str = module) -> None:
            boss = shooting.visitor()
            boss.sign_in("boss")
            where = address.replace("{table}", house.table(names[0])).replace("{house}", names[0])
            boss.page.goto(where)
            boss.page.locator(READY[address]).first.wait_for()
            boss.page.wait_for_timeout(1500)  # what is asked of the server first
            boss.page.locator("progress").wait_for(state="detached", timeout=90_000)
            shooting.shoot(boss, module + ("-one" if "{house}" in address else ""))
            boss.context.close()

        if module != "table":
            yield module, one


def main() -> None:
    """Those that are wanted."""
    asked = argparse.ArgumentParser()
    asked.add_argument("houses", nargs="*")
    asked.add_argument("--theme", choices=("dark", "light", "clear", "forced"), default="dark")
    asked.add_argument("--only", default="")
    given = asked.parse_args()
    SCREENS.mkdir(parents=True, exist_ok=True)
    house = House()
    with launched() as browser:
        shooting = Shooting(browser, house, given.theme)
        for name, take in screens(shooting, given.houses or list(houses())):
            if given.only in name:
                take()
    house.stop()


if __name__ == "__main__":
    main()
