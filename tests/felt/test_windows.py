"""Windows that go from visitor to visitor: each finds them as if they were new."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, Page

from tests.felt.conftest import PHONE, SPOILT, House, Visitor

FOUND = """() => ({
  kept: { ...localStorage },
  size: [innerWidth, innerHeight],
  media: ["(prefers-reduced-motion: reduce)", "(prefers-color-scheme: dark)", "print",
    "(forced-colors: active)"].filter((each) => matchMedia(each).matches),
})"""


def found(visitor: Visitor) -> Any:
    visitor.page.goto("/")
    visitor.page.locator("h1").wait_for()
    signed_in = visitor.context.request.get("/api/me").json()["person"]
    return visitor.page.evaluate(FOUND), signed_in, len(visitor.context.pages)


def test_nothing_is_left_of_a_visit(browser: Browser, house: House) -> None:
    visitor = Visitor(browser, house)
    new = found(visitor)
    visitor.sit(house.table("nsw"), "lee")
    visitor.window().goto("/odds")
    visitor.kept("boxman.theme", '"light"')
    page = visitor.page
    page.set_viewport_size(PHONE)
    page.emulate_media(media="print", color_scheme="dark", reduced_motion="no-preference")
    used = found(visitor)
    assert [mine for mine, was in zip(used, new, strict=True) if mine == was] == []
    visitor.go()
    visitor.come()
    assert found(visitor) == new
    visitor.context.close()
    assert visitor.trouble == []


GIFTS = (
    lambda page: page.add_init_script("window.mine = 1"),
    lambda page: page.context.add_init_script("window.mine = 1"),
    lambda page: page.on("request", lambda _: None),
    lambda page: page.route("**/nothing", lambda route: route.abort()),
    lambda page: page.clock.install(),
    lambda page: page.expose_function("mine", lambda: None),
)


def test_who_gives_a_window_something_for_good_keeps_it(browser: Browser, house: House) -> None:
    visitor = Visitor(browser, house)
    for give in GIFTS:
        assert visitor.context not in SPOILT
        give(visitor.page)
        assert visitor.context in SPOILT
        SPOILT.discard(visitor.context)
    visitor.context.close()


def test_a_window_is_lent_again(visit: Any, windows: list[Visitor]) -> None:
    free = list(windows)
    first: Page = visit().page
    assert not free or first == free[-1].page
    assert visit().page != first
    assert visit(has_touch=True).page not in [each.page for each in free]
