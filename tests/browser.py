"""The browser of the tests: which one, and how it is started."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

# The shell draws the same pages without a window of its own to draw: a third less work.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def path() -> str | None:
    """The first of them that is installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser, or a skip that says how to get one."""
    where = path()
    if where is None:
        pytest.skip("Chromium is not installed; `make system` installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=where, args=ARGUMENTS)
        yield browser
        browser.close()
