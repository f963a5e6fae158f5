"""A house on this machine with a real browser in front of it.

The server runs in a thread of the test process over an in-memory journal, so that a test can stop
it and start it again. Every page a test opens is watched: a console error or warning fails it.

``BOXMAN_SCREENS=1``: pictures of what the tests see are written to build/screens; without it only
of a test that fails.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakSet

import httpx
import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, expect

from boxman.journal.memory import MemoryJournal
from boxman.pit.web.app import make_app
from boxman.pit.web.config import Config
from tests.pit.conftest import _cheap_passwords  # noqa: F401  (a fixture of these tests too)

SCREENS = Path(__file__).parents[2] / "build" / "screens"
WANTED = os.environ.get("BOXMAN_SCREENS") == "1"
DESKTOP = {"width": 1366, "height": 900}
PHONE = {"width": 390, "height": 844}
expect.set_options(timeout=15_000)
BOSS, PASSWORD = "boss", "eight-or-more"

UNDRAWN = """{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("html { opacity: 0 }");
  document.adoptedStyleSheets = [sheet];
}"""
"""A page is laid out and worked at, but not drawn: that is a third of a browser's work, and only a
picture needs it."""


class House:
    """A server that can be stopped and started again on the same port."""

    def __init__(self, *, command_rate: float = 0, set_up: bool = True) -> None:
        self.journal = MemoryJournal()
        self.port = 0
        self.command_rate = command_rate
        self.start()
        kept = httpx.Limits(keepalive_expiry=2)  # the server closes what is idle for five
        self.boss = httpx.Client(base_url=self.url, timeout=30, verify=False, limits=kept)
        self.code = self.app.state.house.door.invite()
        if not set_up:
            return
        answer = self.boss.post(
            "/api/setup", json={"name": BOSS, "password": PASSWORD, "code": self.code}
        )
        answer.raise_for_status()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        # All tests of a worker are visitors of one house, from one address.
        quotas = {"request_rate": 0, "sign_in_rate": 0, "tables": 2_000, "tables_each": 200}
        settings = Config(database="memory:", command_rate=self.command_rate, **quotas)
        self.app = make_app(settings, journal=self.journal)
        self.server = uvicorn.Server(
            uvicorn.Config(
                self.app,
                "127.0.0.1",
                self.port,
                log_level="critical",
                ws="websockets-sansio",
                timeout_graceful_shutdown=1,
            )
        )
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        wait(lambda: self.server.started)
        self.port = self.server.servers[0].sockets[0].getsockname()[1]

    def _run(self) -> None:
        async def serve() -> None:
            self.loop = asyncio.get_running_loop()
            await self.server.serve()

        asyncio.run(serve())

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Something done where the server does it."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(30)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(10)
        assert not self.thread.is_alive()

    def table(self, house: str = "nsw", script: str = "", **more: Any) -> str:
        """A practice table; with a script like "4-2 3-4" its dice are known."""
        body: dict[str, Any] = {"house": house, "pace": 0.0, "name": f"{house} table", **more}
        if script:
            body["dice"] = "scripted"
            body["script"] = [[int(face) for face in roll.split("-")] for roll in script.split()]
        answer = self.boss.post("/api/tables", json=body)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["table"])


def wait(ready: Callable[[], Any], seconds: float = 15) -> None:
    """Until it is so."""
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


@pytest.fixture(scope="session")
def house() -> Iterator[House]:
    made = House()
    yield made
    made.boss.close()
    made.stop()


NOWHERE = "/healthz"
"""An address of the house that is no page."""

SPOILT: WeakSet[BrowserContext] = WeakSet()
"""Windows to which a test has given what stays there: nobody else gets them."""


def _spoils(kind: type, name: str) -> None:
    plain = getattr(kind, name)
    do = plain.fget if isinstance(plain, property) else plain

    def spoiling(self: Any, *given: Any, **named: Any) -> Any:
        SPOILT.add(getattr(self, "context", self))
        return do(self, *given, **named)

    setattr(kind, name, property(spoiling) if isinstance(plain, property) else spoiling)


for lasting in ("add_init_script", "clock", "expose_binding", "expose_function", "on", "route"):
    _spoils(Page, lasting)
    _spoils(BrowserContext, lasting)


class Visitor:
    """Somebody with a browser window of his own."""

    def __init__(
        self, browser: Browser, house: House, *, draws: bool = False, **options: Any
    ) -> None:
        options = {"viewport": DESKTOP, "reduced_motion": "reduce", **options}
        self.context = browser.new_context(base_url=house.url, **options)
        self.context.set_default_timeout(10_000)
        if not draws:
            self.context.add_init_script(UNDRAWN)
        self.context.on("console", lambda message: self._said(message.type, message.text))
        self.context.on("weberror", lambda error: self.trouble.append(str(error.error)))
        self.house = house
        self.trouble: list[str] = []
        self.expected = ""
        self.page = self.window()
        self.page.goto(NOWHERE)
        SPOILT.discard(self.context)

    def window(self) -> Page:
        """Another window of the same person."""
        return self.context.new_page()

    def _said(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not (self.expected and self.expected in text):
            self.trouble.append(f"{kind}: {text}")

    def come(self, viewport: Any = DESKTOP, reduced_motion: Any = "reduce") -> None:
        """Somebody else, to whom the window is new."""
        self.expected = ""
        self.page.set_viewport_size(viewport)
        plain: dict[str, Any] = {"media": "null", "color_scheme": "light", "forced_colors": "none"}
        self.page.emulate_media(**plain, contrast="no-preference", reduced_motion=reduced_motion)

    def go(self) -> None:
        """Nothing is left of the visit: no page, no cookie, nothing kept."""
        for page in self.context.pages:
            if page != self.page:
                page.close()
        self.page.goto(NOWHERE)
        self.page.evaluate("localStorage.clear()")
        self.context.clear_cookies()

    def kept(self, name: str, value: str) -> None:
        """What the browser has kept of an earlier visit; said before the first page."""
        self.page.evaluate("([name, value]) => localStorage.setItem(name, value)", [name, value])

    def sign_in(self, name: str, password: str = PASSWORD) -> None:
        answer = self.context.request.post(
            "/api/session", data={"name": name, "password": password}
        )
        assert answer.ok, answer.text()

    def sit(self, table: str, name: str = "ann", buy_in: int = 50_000) -> Page:
        """At the table with chips, without the guided hand."""
        page = self.page
        self.kept("boxman.taught", "true")
        self.context.request.post("/api/session", data={"name": name, "guest": True})
        answer = self.context.request.post(
            f"/api/tables/{table}/sit", data={"name": name, "buy_in": buy_in}
        )
        assert answer.ok, answer.text()
        page.goto(f"/table/{table}")
        page.locator("craps-felt [data-spot]").first.wait_for()
        page.locator(".dock:not([hidden])").wait_for()
        page.wait_for_function("() => document.querySelector('craps-felt').laidOut()")
        return page


@pytest.fixture(scope="session")
def windows() -> list[Visitor]:
    """Those that nobody has now: a new window is a new process, which costs as much as a page."""
    return []


@pytest.fixture
def visit(
    browser: Browser, house: House, windows: list[Visitor], request: pytest.FixtureRequest
) -> Iterator[Callable[..., Visitor]]:
    """Opens browsers; afterwards none of them may have complained."""
    made: list[Visitor] = []
    failed = request.session.testsfailed

    def come(**options: Any) -> Visitor:
        usual = options.keys() <= {"viewport", "reduced_motion"}
        if usual and windows:
            visitor = windows.pop()
            visitor.come(**options)
        else:
            visitor = Visitor(browser, house, **options)
        if not usual:
            SPOILT.add(visitor.context)
        made.append(visitor)
        return visitor

    yield come
    broken = request.session.testsfailed > failed
    for each in made:
        if broken and not each.page.is_closed():
            picture(each.page, f"failed-{request.node.name.partition('[')[0]}", wanted=True)
        if broken or each.page.is_closed() or each.context in SPOILT:
            each.context.close()
        else:
            each.go()
            windows.append(each)
    told = [line for each in made for line in each.trouble]
    for each in made:
        each.trouble.clear()
    assert told == []


@contextmanager
def drawn(page: Page) -> Iterator[None]:
    """While a picture is taken, or contrast is looked at."""
    page.evaluate("document.documentElement.style.opacity = 1")
    yield
    page.evaluate("document.documentElement.style.removeProperty('opacity')")


def picture(page: Page, name: str, *, wanted: bool = WANTED) -> None:
    """For a person to look at."""
    if not wanted:
        return
    SCREENS.mkdir(parents=True, exist_ok=True)
    tall = page.evaluate("document.documentElement.scrollHeight")
    with drawn(page):
        page.screenshot(path=SCREENS / f"{name}.png", full_page=tall < 6000)
