"""`python -m tests.tools.film`: a hand at the table as a short film, docs/hand.webp.

The real page at a table with known dice, photographed step by step: its animations are held and
moved on by hand, so that the film is the same on a slow machine. Chromium makes each picture a
still WebP of what changed; they are put into one animated file here.
"""

from __future__ import annotations

import struct
from base64 import b64decode, b64encode
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page

from tests.browser import launched
from tests.felt.conftest import House, Visitor
from tests.felt.hands import spot

FILM = Path(__file__).parents[2] / "docs" / "hand.webp"
WINDOW = {"width": 1200, "height": 750}
WIDE, HIGH = 900, 562
STEP = 90
"""Milliseconds between two pictures while something moves."""
DICE = "4-2 5-3 5-1"

HOLD = """
const plain = Element.prototype.animate;
window.runs = new Set();
Element.prototype.animate = function (...given) {
  const run = plain.apply(this, given);
  const over = () => window.runs.delete(run);
  run.pause();
  window.runs.add(run);
  run.finished.then(over, over);
  return run;
};
window.moveOn = (ms) => {
  for (const run of window.runs) {
    const at = (run.currentTime || 0) + ms;
    if (at < run.effect.getComputedTiming().endTime) run.currentTime = at;
    else run.finish();
  }
};
"""
CHANGED = """async ([wide, high, picture]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(wide, high);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.imageSmoothingQuality = "high";
  pen.drawImage(image, 0, 0, wide, high);
  const now = new Uint32Array(pen.getImageData(0, 0, wide, high).data.buffer);
  let [left, top, right, bottom] = [wide, high, -1, -1];
  now.forEach((colour, n) => {
    if (window.before && window.before[n] === colour) return;
    const [x, y] = [n % wide, Math.floor(n / wide)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
  });
  window.before = now;
  if (right < 0) return null;
  [left, top] = [left - left % 2, top - top % 2];
  const part = new OffscreenCanvas(right - left + 1, bottom - top + 1);
  part.getContext("2d", { alpha: false }).drawImage(canvas, -left, -top);
  const blob = await part.convertToBlob({ type: "image/webp", quality: 0.72 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const text = Array.from(bytes, (each) => String.fromCharCode(each)).join("");
  return [left, top, part.width, part.height, btoa(text)];
}"""


class Shot(NamedTuple):
    """A picture, and how long it stands."""

    picture: bytes
    stands: int


class Still(NamedTuple):
    """The part of a picture that changed, as a still WebP, and how long it stands."""

    x: int
    y: int
    wide: int
    high: int
    webp: bytes
    stands: int


def stills(page: Page, shots: list[Shot]) -> list[Still]:
    """What each picture changes of the one before; one that changes nothing lengthens it."""
    made: list[Still] = []
    for shot in shots:
        found = page.evaluate(CHANGED, [WIDE, HIGH, b64encode(shot.picture).decode()])
        if found is None:
            made[-1] = made[-1]._replace(stands=made[-1].stands + shot.stands)
        else:
            *box, webp = found
            made.append(Still(*box, b64decode(webp), shot.stands))
    return made


def picture_of(webp: bytes) -> bytes:
    """The picture itself out of a still's file, one of several parts that name their size."""
    at = 12
    while not webp.startswith((b"VP8 ", b"VP8L"), at):
        (length,) = struct.unpack_from("<I", webp, at + 4)
        at += 8 + length + length % 2
    (length,) = struct.unpack_from("<I", webp, at + 4)
    return webp[at : at + 8 + length + length % 2]


def animated(frames: list[Still]) -> bytes:
    """One file of them all: RFC 9649, section 2.7."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)

    def three(number: int) -> bytes:
        return struct.pack("<I", number)[:3]

    size = three(WIDE - 1) + three(HIGH - 1)
    body = chunk(b"VP8X", b"\x02\0\0\0" + size) + chunk(b"ANIM", b"\0\0\0\xff\0\0")
    for each in frames:
        box = (each.x // 2, each.y // 2, each.wide - 1, each.high - 1, each.stands)
        # What was there before stays, and is not blended.
        body += chunk(b"ANMF", b"".join(map(three, box)) + b"\x02" + picture_of(each.webp))
    return chunk(b"RIFF", b"WEBP" + body)


def play(page: Page) -> list[Shot]:
    """A point is set, a place bet wins, the point is made."""
    shots: list[Shot] = []

    def shoot(stands: int) -> None:
        shots.append(Shot(page.screenshot(), stands))

    def bets(*names: str) -> None:
        for name in names:
            spot(page, name).dispatch_event("click")
            page.wait_for_timeout(250)
            shoot(450)

    def roll(number: int) -> None:
        page.locator(".roll[aria-disabled='false']").click()
        still = 0
        while still < 4:
            page.wait_for_timeout(60)
            moving = page.evaluate("() => window.runs.size")
            there = page.locator("#bar .state").text_content() == f"roll {number}"
            still = 0 if moving or not there else still + 1
            page.evaluate("ms => window.moveOn(ms)", STEP)
            if moving:
                shoot(STEP)
        page.wait_for_timeout(500)
        shoot(1700)

    page.wait_for_timeout(1000)  # until the rail is counted
    shoot(700)
    bets("pass")
    roll(1)
    page.keyboard.press("o")
    bets("place.8")
    roll(2)
    roll(3)
    shoot(1500)
    return shots


def main() -> None:
    """Play it, photograph it, write it."""
    house = House()
    with launched() as browser:
        guest = Visitor(browser, house, draws=True, viewport=WINDOW, reduced_motion="no-preference")
        guest.context.add_init_script(HOLD)
        page = guest.sit(house.table("nsw", script=DICE, name="Friday night"), "ann")
        shots = play(page)
        film = animated(stills(browser.new_page(), shots))
    house.stop()
    FILM.write_bytes(film)
    print(f"{FILM.name}: {len(shots)} pictures, {len(film):,} bytes")


if __name__ == "__main__":
    main()
