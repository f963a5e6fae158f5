"""Links that lead somebody through a page of the house to somewhere else, in a real browser."""

from __future__ import annotations

from playwright.sync_api import Browser, Route

from tests.attack.server import PASSWORD, Server

OUT = ["/%5Cevil.example/x", "//evil.example/x", "/%09/evil.example/x", "https:evil.example"]


def test_signing_in_leads_nowhere_else(house: Server, browser: Browser) -> None:
    house.person("led")
    context = browser.new_context(base_url=f"http://127.0.0.1:{house.port}")
    gone: list[str] = []

    def elsewhere(route: Route) -> None:
        gone.append(route.request.url)
        route.fulfill(body="stolen")

    context.route(lambda url: "evil" in url.split("?")[0], elsewhere)
    page = context.new_page()
    for number, after in enumerate([*OUT, "javascript:document.title='stolen'", "/odds"]):
        page.goto(f"/sign-in?next={after}")
        page.fill("input[name=name]", "led")
        page.fill("input[name=password]", PASSWORD)
        page.click("form.account button")
        page.wait_for_url(lambda url: "/sign-in" not in url)
        assert page.url.startswith(f"http://127.0.0.1:{house.port}/"), after
        assert page.title() != "stolen"
        assert page.url.endswith("/odds") == (number == len(OUT) + 1)
    assert gone == []
    context.close()
