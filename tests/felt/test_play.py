"""`boxman play` as somebody types it: a table at once, or one sentence that says why not."""

from __future__ import annotations

import re
import signal
import subprocess
import sys

from playwright.sync_api import Browser, expect

from tests.felt.conftest import DESKTOP
from tests.felt.hands import place, rolled, spot, throw


def test_from_the_command_to_the_first_roll(browser: Browser) -> None:
    command = [sys.executable, "-m", "boxman", "play", "nsw", "--no-browser", "--rail", "250"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            found = re.search(r"your table is at (\S+)", process.stdout.readline())
            assert found
            page = browser.new_page(viewport=DESKTOP, reduced_motion="reduce")
            trouble: list[str] = []
            page.on("pageerror", lambda error: trouble.append(str(error)))
            page.goto(found[1])
            # Everything is filled in: Enter sits down with the chips that were asked for.
            expect(page.get_by_role("button", name="Sit down")).to_be_focused()
            page.keyboard.press("Enter")
            expect(page.locator(".purse")).to_contain_text("$250")
            spot(page, "pass").click()
            place(page)
            throw(page)
            rolled(page, 1)
            assert trouble == []
            page.close()
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0


STUCK = """
import asyncio
import boxman.cli.play as play
import boxman.pit.web.api.tables as tables
async def stuck(*_):
    await asyncio.sleep(600)
play.LONGEST = 1
tables.open_practice = stuck
import sys
sys.argv = ["boxman", "play", "nsw", "--no-browser"]
from boxman.cli import main
main()
"""


def test_a_table_that_does_not_open_is_said_and_ends_the_program() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", STUCK], capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.returncode == 2
    assert "the table is not open after 1 seconds" in ran.stderr
    assert "Traceback" not in ran.stderr
