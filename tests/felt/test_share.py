"""A friend on the same network: plain http, no secure context, one table."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from boxman.cli.serve import address
from boxman.pit.web.config import Config
from tests.felt.conftest import picture
from tests.felt.hands import menu
from tests.pit.serving import served

TOKEN = "the-word"


def watched(browser: Browser, trouble: list[str]) -> Page:
    """A browser of somebody's own; what its console says is kept."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(10_000)
    context.add_init_script("localStorage.setItem('boxman.taught', 'true')")
    page = context.new_page()
    kinds = ("error", "warning")
    page.on("console", lambda said: trouble.append(said.text) if said.type in kinds else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    return page


def test_a_friend_plays_at_the_one_table_of_his_link(browser: Browser) -> None:
    # This machine's own address on the network; with none, the loopback serves for the test.
    host = address(Config(host="0.0.0.0")).removeprefix("http://").rpartition(":")[0]
    trouble: list[str] = []
    with served(token=TOKEN, host=host) as server:
        owner = server.person()
        owner.http.get(f"/?token={TOKEN}")
        one, two = (
            owner.post("/api/tables", 201, house="nsw", name=name, pace=0.0)["table"]
            for name in ("one", "two")
        )
        own = watched(browser, trouble)
        # The link of the terminal in a shared house: the code stays behind the #.
        code = server.house.door.invite()
        own.goto(f"{server.url}/setup?token={TOKEN}#{code}")
        expect(own.get_by_label("Set-up code")).to_have_value(code)
        assert own.url == f"{server.url}/setup"
        own.goto(f"{server.url}/table/{one}?token={TOKEN}")
        own.locator("craps-felt [data-spot]").first.wait_for()
        menu(own, "Share")
        link = own.get_by_label("Address of this table").input_value()
        assert link == owner.get(f"/api/tables/{one}")["link"]
        own.get_by_role("dialog").get_by_role("button", name="Copy").click()
        expect(own.locator(".toast").first).to_be_visible()

        friend = watched(browser, trouble)
        friend.goto(link)
        assert friend.url == f"{server.url}/table/{one}"
        loopback = host.startswith("127.")
        assert friend.evaluate("isSecureContext") is loopback
        friend.get_by_label("Your name at the table").fill("fred")
        friend.get_by_role("button", name="Sit down").click()
        friend.locator(".dock:not([hidden])").wait_for()
        friend.locator("[data-spot='pass']").click()
        friend.get_by_role("button", name="Place", exact=True).click()
        expect(friend.locator("#panel-bets tbody tr")).to_have_count(1)
        friend.locator(".roll").click()
        expect(friend.locator("#bar .state")).to_have_text("roll 1")
        expect(own.locator("#bar .state")).to_have_text("roll 1")
        friend.reload()  # the cookies came back over plain http
        friend.locator(".dock:not([hidden])").wait_for()
        picture(friend, "shared-table-desktop")
        # The lobby has that table alone.
        friend.goto(server.url)
        expect(friend.locator("#main")).to_contain_text("one")
        expect(friend.get_by_role("link", name="two")).to_have_count(0)
        assert trouble == []

        for page, path in ((friend, f"/table/{two}"), (watched(browser, trouble), f"/table/{one}")):
            page.goto(f"{server.url}{path}")
            expect(page.get_by_role("heading", name="Not let in")).to_be_visible()
            assert page.title() == "Not let in · Boxman"
        for page in (own, friend):
            page.context.close()
