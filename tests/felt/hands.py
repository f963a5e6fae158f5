"""What a player's hands do at the table page, in the words of the tests."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from boxman.journal.row import Station
from boxman.pit.live.desk import Command
from tests.felt.conftest import BOSS, House, Visitor

Visit = Callable[..., Visitor]


def spot(page: Page, name: str) -> Any:
    return page.locator(f"[data-spot='{name}']")


def turn_to(page: Page, name: str) -> None:
    """Open the page of the cloth on which a spot lies, where it is not the first."""
    for view in page.locator(".views button").all():
        if spot(page, name).count():
            return
        view.click()
    expect(spot(page, name)).to_be_visible()


def place(page: Page) -> None:
    page.get_by_role("button", name="Place", exact=True).click()


def bet(page: Page, *names: str) -> None:
    """The chosen chip on each of these spots, placed, and the house has ruled."""
    for name in names:
        spot(page, name).click()
    place(page)
    expect(page.get_by_role("button", name="Place", exact=True)).to_be_disabled()


def menu(page: Page, item: str) -> None:
    """Choose something in the menu of the table."""
    page.get_by_role("button", name="Table menu").click()
    page.get_by_role("dialog").get_by_text(item, exact=True).click()


def throw(page: Page) -> None:
    page.locator(".roll[aria-disabled='false']").click()


def rolled(page: Page, number: int) -> None:
    expect(page.locator("#bar .state")).to_have_text(f"roll {number}")


def drag(page: Page, start: Any, end: Any, *, steps: int = 6) -> None:
    """By mouse from the middle of one thing to the middle of another, or to a point."""
    x, y = middle(start)
    there = end if isinstance(end, tuple) else middle(end)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(*there, steps=steps)
    page.mouse.up()


def middle(thing: Any) -> tuple[float, float]:
    box = thing.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def crew_says(house: House, table: str, role: str, call: Any) -> None:
    """Somebody of the crew says something at the table, and it is not refused."""
    _said(house, table, Station(role, person=BOSS), call)


def player_says(house: House, table: str, call: Any) -> None:
    """The same of a player, who needs no browser for it."""
    _said(house, table, Station("player", call.seat, call.seat), call)


def _said(house: House, table: str, station: Station, call: Any) -> None:
    pit = house.app.state.house.pit
    live = pit.tables[table]

    async def say() -> Any:
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        command = Command(id=f"said/{next(_COUNT)}", station=station, call=call)
        pit.take(live, command, lambda heard, code="", message="": done.set_result(heard))
        return await done

    row = house.do(say()).row
    assert row.ruling.refusal is None, row.ruling.refusal


_COUNT = itertools.count(1)
