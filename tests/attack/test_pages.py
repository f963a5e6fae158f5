"""In a real browser: links that lead out of the house, and dice of a house that might cheat."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, Route, WebSocket, expect

from tests.attack.client import Seat
from tests.attack.play import own_table, throws
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


@contextmanager
def _watching(house: Server, browser: Browser) -> Iterator[tuple[Page, Seat, list[str]]]:
    """A page at a table of one's own without the browser's own arithmetic, which it would not have
    on a home network; a socket beside it; and the words that the page has sent for the dice."""
    guest, table = own_table(house)
    words: list[str] = []

    def sent(payload: str | bytes) -> None:
        said = json.loads(payload)
        if said["do"] == "entropy":
            words.append(said["text"])

    def opened(socket: WebSocket) -> None:
        socket.on("framesent", sent)

    context = browser.new_context(base_url=f"http://127.0.0.1:{house.port}")
    context.add_init_script("delete Crypto.prototype.subtle")
    context.add_cookies(
        [
            {"name": n, "value": v, "url": f"http://127.0.0.1:{house.port}"}
            for n, v in guest.cookies.items()
        ]
    )
    page = context.new_page()
    page.on("websocket", opened)
    with guest.at(table) as seat:
        page.goto(f"/table/{table}")
        yield page, seat, words
    context.close()


def _hand_over(seat: Seat) -> None:
    """Throw until the house shows the secret of the hand."""
    while not any(row.get("call", {}).get("type") == "reveal" for row in seat.heard):
        throws(seat, 1)
    seat.heard.clear()


def test_the_page_adds_words_to_the_dice_and_proves_the_last_hand(
    house: Server, browser: Browser
) -> None:
    with _watching(house, browser) as (page, seat, words):
        proof = page.locator(".dice-proof")
        proof.locator("summary").click()
        # Before anything was thrown, what fixes the dice is shown, and words go in by themselves.
        fixed = proof.locator(".fixed")
        expect(fixed.locator("code")).to_have_text(re.compile("^[0-9a-f]{64}$"))
        expect(fixed).to_contain_text(re.compile("1 word"))
        assert re.fullmatch("[0-9a-f]{32}", words[0]), words
        shown = fixed.locator("code").inner_text()
        _hand_over(seat)
        verdict = proof.locator("[role=status] p").first
        expect(verdict).to_have_class("good")
        # Other words for the next hand, unless somebody writes some.
        expect(fixed.locator("code")).not_to_have_text(shown)
        expect(fixed).to_contain_text(words[-1])
        assert (len(words), words[0] == words[1]) == (2, False)
        assert re.fullmatch("[0-9a-f]{32}", words[1])
        line = shlex.split(proof.locator("pre").inner_text())
        assert {shown, f"host={words[0]}"} < set(line)
        # What checks it outside says the same, and notices one face that is another.
        done = house.run(*line[1:])
        assert (done.returncode, b"all as the secret says" in done.stdout) == (0, True), done
        first = next(place for place, word in enumerate(line) if re.fullmatch(r"0:\d-\d", word))
        line[first] = f"{line[first][:-1]}{int(line[first][-1]) % 6 + 1}"
        assert house.run(*line[1:]).returncode == 1
        proof.locator("input").fill("my own")
        proof.locator("form button").click()
        expect(fixed).to_contain_text("my own")
        _hand_over(seat)
        expect(fixed).to_contain_text("1 word")
        assert words[2:] == ["my own", "my own"]
