"""The browser's figures: first paint, a chip shown after its ruling, frames while the dice fly.

A real Chromium in front of a serving process on the same machine, the window as a laptop has it.
Without a Chromium there are no rows.
"""

from __future__ import annotations

import gzip
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import pit

STATIC = Path(__file__).parents[1] / "src" / "boxman" / "pit" / "static"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
BEST_OF = 5
PAGES = ("/", "/rulebook/{house}", "/odds", "/strategy", "/school")

# Notes when the felt is drawn, when the ruling on one's own wager comes over the wire, and when its
# chip shows; and how many stacks were under way at once. Times are the page's own.
WATCH = """
localStorage.setItem('boxman.taught', 'true');
window.noted = {};
const note = (what) => { window.noted[what] ??= performance.now(); };
const Plain = window.WebSocket;
window.WebSocket = class extends Plain {
  constructor(...given) {
    super(...given);
    super.addEventListener('message', (event) => {
      const rows = [JSON.parse(event.data)].flat();
      for (const row of rows) window.me = row.view?.me?.seat || window.me;
      const own = (each) => each.type === 'placed' && each.seat === window.me;
      if (rows.some((row) => row.decided?.some(own))) note('ruling');
    });
  }
};
new MutationObserver(() => {
  if (!window.noted.felt && document.querySelector('craps-felt [data-spot]')) {
    requestAnimationFrame(() => note('felt'));
  }
  if (window.noted.ruling && !window.noted.chip && document.querySelector('craps-felt .chip.own')) {
    requestAnimationFrame(() => note('chip'));
  }
}).observe(document, { childList: true, subtree: true });
"""

FRAMES = """() => new Promise((done) => {
  const times = [];
  let moved = 0;
  const step = (now) => {
    times.push(now);
    moved = Math.max(moved, document.querySelectorAll('.flights .chip').length);
    if (now - times[0] < 1200) requestAnimationFrame(step);
    else done({ gaps: times.slice(1).map((each, n) => each - times[n]), moved });
  };
  requestAnimationFrame(step);
})"""

READY = "document.querySelector('.roll').ariaDisabled === 'false'"
EIGHT = 8
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser, or None where there is none."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        yield None
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


def fresh(browser: Any, address: str) -> Any:
    """A window that has never been here."""
    context = browser.new_context(
        base_url=f"http://{address}", viewport={"width": 1366, "height": 900}
    )
    context.add_init_script(WATCH)
    return context.new_page()


def opened(page: Any) -> str:
    """A practice table with seven automatic players and somebody at it: its name."""
    made = page.request.post(
        "/api/tables",
        data={"house": pit.HOUSE, "name": "bench", "crew": "automatic", "pace": 0, "players": 7},
    )
    table = str(made.json()["table"])
    sat = page.request.post(f"/api/tables/{table}/sit", data={"name": "ann", "buy_in": 50_000})
    assert sat.ok, sat.text()
    return table


def until(page: Any, expression: str, seconds: float = 20) -> float:
    """What it comes to, once it comes to something. (The pages allow nothing to be evaluated in
    them; asking again and again from outside is allowed.)"""
    end = time.monotonic() + seconds
    while not (found := page.evaluate(expression)):
        assert time.monotonic() < end, f"never seen: {expression}"
        time.sleep(0.01)
    return float(found)


def noted(page: Any, what: str) -> float:
    return until(page, f"window.noted[{what!r}]")


def first_paint(browser: Any, address: str, path: str) -> float:
    page = fresh(browser, address)
    page.goto(path)
    found = until(page, PAINT)
    page.context.close()
    return found


def at_the_table(browser: Any, address: str) -> dict[str, float]:
    """One visit: when the felt stands, how soon a chip shows, how the dice fly."""
    page = fresh(browser, address)
    table = opened(page)
    page.goto(f"/table/{table}")
    found = {"felt": noted(page, "felt"), "paint": until(page, PAINT)}
    page.locator("[data-spot='pass']").click()
    page.get_by_role("button", name="Place", exact=True).click()
    found["chip"] = noted(page, "chip") - noted(page, "ruling")
    # Rolls until one moves a stack for each of eight players: a seven or a point made.
    for _ in range(40):
        until(page, READY)
        if page.locator("[data-spot='pass'].may:not(.mine)").count():
            page.locator("[data-spot='pass']").click()
        page.locator(".roll").click()
        until(page, "document.getAnimations().length")
        seen = page.evaluate(FRAMES)
        if seen["moved"] >= EIGHT:
            break
    gaps = sorted(seen["gaps"])
    found["moved"] = seen["moved"]
    found["frame"] = median(gaps)
    found["slow"] = gaps[int(len(gaps) * 0.95)]
    page.context.close()
    return found


def rolls_a_minute(browser: Any, address: str, auto: bool) -> float:
    """Rolls a minute at the default pace: by hand, a chip on the line where none lies and ROLL,
    which places it (the mouse goes where they are: neither ever moves); or by auto-roll, from the
    first roll that is shown to the 91st of a hundred: the dice of the last fly to their end."""
    page = fresh(browser, address)
    made = page.request.post("/api/tables", data={"house": pit.HOUSE, "name": "pace"})
    table = str(made.json()["table"])
    page.request.post(f"/api/tables/{table}/sit", data={"name": "ann", "buy_in": 50_000})
    page.goto(f"/table/{table}")
    noted(page, "felt")
    rolled = "Number(document.querySelector('#bar .state').textContent.match(/\\d+/)[0])"
    if auto:
        wanted = 91
        page.get_by_role("button", name="Auto-roll", exact=True).click()
        for name, value in (("rolls", "100"), ("every", "100"), ("until", "thrown")):
            page.locator(f"select[name={name}]").select_option(value)
        page.get_by_role("button", name="Start", exact=True).click()
        shown = until(page, rolled)
        start = time.monotonic()
        until(page, f"{rolled} >= {wanted}", 120)
    else:
        wanted, shown = 20, 0.0
        boxes = [page.locator(each).bounding_box() for each in ("[data-spot='pass']", ".roll")]
        line, roll = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
        bare = "Boolean(document.querySelector('[data-spot=\"pass\"].may:not(.mine)'))"
        start = time.monotonic()
        for number in range(wanted):
            until(page, f"{rolled} >= {number} && {READY}")
            if page.evaluate(bare):
                page.mouse.click(*line)
            page.mouse.click(*roll)
        until(page, f"{rolled} >= {wanted}")
    found = (wanted - shown) * 60 / (time.monotonic() - start)
    page.context.close()
    return found


def best(one: Callable[[], float]) -> float:
    return min(one() for _ in range(BEST_OF))


def own_bytes() -> int:
    return sum(
        len(gzip.compress(each.read_bytes()))
        for each in STATIC.rglob("*")
        if each.suffix in (".js", ".css")
    )


def rows() -> list[tuple[str, str, str]]:
    """What, measured, wanted; absolute figures are the best of five."""
    found = [("own JavaScript and CSS, compressed", f"{own_bytes() / 1000:.0f} kB", "under 150 kB")]
    with (
        tempfile.TemporaryDirectory() as folder,
        pit.serving(f"{folder}/felt.db") as (address, _),
        chromium() as browser,
    ):
        if browser is None:
            return [*found, ("the felt in a browser", "no Chromium here", "`make system`")]
        visits = [at_the_table(browser, address) for _ in range(BEST_OF)]
        least = {key: min(visit[key] for visit in visits) for key in visits[0]}
        smooth = min(visits, key=lambda visit: visit["slow"])
        found += [
            ("first paint of the table", f"{least['paint']:.0f} ms", "within 0.5 s"),
            ("the felt drawn with every spot", f"{least['felt']:.0f} ms", "within 1 s"),
            ("a chip shown after its ruling came", f"{least['chip']:.0f} ms", "within 50 ms"),
            (
                "frames while the dice fly and eight players' chips move",
                f"{1000 / smooth['frame']:.0f} a second (95 of 100 within {smooth['slow']:.1f} ms,"
                f" {smooth['moved']:.0f} stacks at once)",
                "60 a second",
            ),
        ]
        for auto, what, wanted in ((False, "by hand", "60"), (True, "by auto-roll", "600")):
            pace = max(rolls_a_minute(browser, address, auto) for _ in range(2))
            found.append((f"rolls a minute {what}", f"{pace:.0f}", wanted))
        for path in PAGES:
            path = path.format(house=pit.HOUSE)
            paint = best(lambda path=path: first_paint(browser, address, path))  # type: ignore[misc]
            found.append((f"first paint of {path}", f"{paint:.0f} ms", "within 1 s"))
    return found


if __name__ == "__main__":
    for row in rows():
        print(" | ".join(row))
