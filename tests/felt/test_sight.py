"""What a person sees and can touch at the table page: sizes, zoom, titles, the last call."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.felt.conftest import House
from tests.felt.hands import Visit, bet, rolled, throw


def test_a_payment_is_disputed_where_it_is_shown(visit: Visit, house: House) -> None:
    table = house.table("nsw", script="6-5")
    page = visit().sit(table)
    bet(page, "pass")
    throw(page)
    rolled(page, 1)
    page.get_by_role("tab", name="Log").click()
    newest = page.locator(".ledger > li").first
    number = newest.get_attribute("data-number")
    newest.get_by_role("button", name=re.compile("^Dispute")).click()
    page.get_by_role("dialog").get_by_role("button", name="Dispute it").click()
    expect(page.locator(".toast.good")).to_contain_text("The box has been asked")
    rows = house.boss.get(f"/api/tables/{table}/rows?limit=100").json()["rows"]
    (row,) = [row for row in rows if row["call"]["type"] == "opendispute"]
    assert row["refused"] is None
    assert row["call"]["about"] == f"row {number}: Win Line"
