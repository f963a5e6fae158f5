"""Several people at one table, several windows of one person, and a connection that breaks."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import WebSocketRoute, expect

from boxman.rules.compile import load
from boxman.table.calls import GrantLimits, Sanction
from tests.felt.conftest import PHONE, House, Visitor, picture
from tests.felt.hands import Visit, bet, crew_says, menu, place, rolled, spot, throw
from tests.felt.test_pages import sound


def test_who_wants_to_throw_gives_the_others_some_seconds(visit: Visit, house: House) -> None:
    table = house.table("nsw", script="4-2 6-4 5-2", patience=60)
    amy, bob = visit().sit(table, "amy"), visit().sit(table, "bob")
    bet(amy, "pass")
    throw(amy)
    expect(bob.locator(".roll")).to_have_text(re.compile(r"^READYamy wants to roll · \d+ s$"))
    expect(amy.locator(".roll")).to_have_text(re.compile(r"^ROLLWaiting for bob · \d+ s$"))
    expect(bob.locator("#stick-call")).to_have_text("amy wants to roll.")
    expect(amy.locator(".roll")).to_have_attribute("aria-disabled", "true")
    picture(bob, "amy-wants-to-throw")
    # Bets are still open: bob bets and says that he is ready.
    bet(bob, "field")
    assert house.boss.get(f"/api/tables/{table}").json()["view"]["rolls"] == 0
    throw(bob)
    rolled(amy, 1)
    rolled(bob, 1)
    expect(bob.locator(".roll")).to_contain_text("The point is 6")
    # Who has gone away is not waited for.
    bob.close()
    throw(amy)
    rolled(amy, 2)


def test_the_countdown_ends_by_itself_and_staged_chips_stay(visit: Visit, house: House) -> None:
    table = house.table("nsw", script="4-2", patience=1)
    amy, bob = visit().sit(table, "amy"), visit().sit(table, "bob")
    # Bob has chips out, but has not placed them: on the line, and on the field.
    spot(bob, "pass").click()
    spot(bob, "field").click()
    bet(amy, "pass")
    throw(amy)
    rolled(bob, 1)
    # The field may still be bet; the line with a point on may not, and the page says so.
    expect(spot(bob, "field")).to_have_attribute("aria-label", re.compile("not yet"))
    expect(spot(bob, "pass")).not_to_have_attribute("aria-label", re.compile("not yet"))
    expect(bob.locator(".toast")).to_contain_text("Back on your rail")
    expect(bob.locator(".toast")).to_contain_text("$5 Win Line")
    expect(bob.locator(".purse")).to_contain_text("$495")
    place(bob)
    expect(bob.locator("#panel-bets tbody tr")).to_have_count(1)


def test_two_browsers_see_each_other_and_two_windows_agree(visit: Visit, house: House) -> None:
    table = house.table("nsw", script="4-2", patience=0)
    ann, bob = visit(), visit()
    first, second = ann.sit(table, "ann"), bob.sit(table, "bob")
    again = ann.window()
    again.goto(f"/table/{table}")
    again.locator(".dock:not([hidden])").wait_for()
    bet(first, "field")
    expect(second.locator(".chip.other")).to_have_count(1)
    expect(again.locator("#panel-bets")).to_contain_text("Field")
    bet(second, "pass")
    # One window of ann's says so, the other knows.
    throw(again)
    for page in (first, second, again):
        rolled(page, 1)
    for page in (first, again):
        expect(page.locator(".purse")).to_contain_text("$495")


def test_friends_have_seats_turns_and_a_few_words(visit: Visit, house: House) -> None:
    table = house.table("nsw", script="4-2 5-2", patience=0, shooter="players")
    ann = visit().sit(table, "ann")
    expect(ann.locator(".friends")).to_have_count(0)
    bob = visit(viewport=PHONE, has_touch=True, is_mobile=True).sit(table, "bob")
    eve = visit(viewport={"width": 844, "height": 390}).sit(table, "eve")
    bet(ann, "pass")
    turn, big = ".friends .turn", ".roll strong"
    expect(ann.locator(turn)).to_have_text("The dice are offered to you: take or decline them.")
    expect(bob.locator(turn)).to_have_text("The dice are offered to ann.")
    expect(bob.locator(".roll .will")).to_have_text("ann is offered the dice")
    expect(ann.locator(big)).to_have_text("TAKE DICE")
    throw(ann)
    expect(ann.locator(turn)).to_have_text("You shoot: come-out roll.")
    expect(bob.locator(turn)).to_have_text("ann shoots: come-out roll.")
    expect(bob.locator(".seats .has")).to_contain_text("anndice")
    bet(bob, "pass")
    expect(ann.locator(big)).to_have_text("ROLL")
    throw(ann)
    for page in (ann, bob):
        rolled(page, 1)
    expect(ann.locator(turn)).to_have_text("You shoot for the 6.")
    # A few words, heard by all, by none of them twice, and braked.
    bob.get_by_role("button", name="Say…").click()
    bob.get_by_role("button", name="Good luck!").click()
    for page in (ann, bob, eve):
        expect(page.locator(".hail")).to_have_text("bob: Good luck!")
    for page in (ann, bob, eve):
        sound(page)
    for _ in range(3):
        menu(eve, "Say…")
        eve.get_by_role("button", name="Nice roll!").click()
    menu(eve, "Say…")
    eve.get_by_role("button", name="Nice roll!").click()
    expect(eve.locator(".toast")).to_contain_text("Wait a moment")
    # One friend's chips alone, with their amounts.
    expect(ann.locator(".chip.other")).to_have_count(1)
    ann.locator(".seats button", has_text="eve").click()
    expect(ann.locator(".chip.other")).to_have_count(0)
    ann.locator(".seats button", has_text="bob").click()
    expect(ann.locator(".chip.other .pill")).to_have_text("5")
    picture(ann, "friends")
    picture(bob, "friends-phone")
    rows = house.boss.get(f"/api/tables/{table}/rows?limit=1000").json()["rows"]
    assert "luck" not in str(rows)


class Wire:
    """The connection of a page, with a hand on the plug."""

    def __init__(self, visitor: Visitor) -> None:
        self.cut = False
        self.open: list[Any] = []
        visitor.page.route_web_socket(re.compile(r".*/ws/tables/.*"), self._connect)

    def _connect(self, route: WebSocketRoute) -> None:
        if self.cut:
            route.close(code=1013)
            return
        self.open.append((route, route.connect_to_server()))

    def unplug(self) -> None:
        self.cut = True
        for route, server in self.open:
            server.close()
            route.close(code=1013)
        self.open.clear()


def test_chips_placed_while_the_server_is_away(visit: Visit, house: House) -> None:
    table = house.table("nsw", script="6-4 4-2 5-4", patience=0)
    visitor = visit()
    wire = Wire(visitor)
    page = visitor.sit(table, "ann")
    bob = visit().sit(table, "bob")
    bet(page, "pass")
    # Away, and back before the next roll: what was meant is done.
    wire.unplug()
    expect(page.locator(".gone")).to_be_visible()
    spot(page, "field").click()
    place(page)
    expect(page.locator(".toast")).to_contain_text("will be placed when it is back")
    wire.cut = False
    expect(page.locator(".gone")).to_be_hidden(timeout=15_000)
    expect(page.locator("#panel-bets tbody tr")).to_have_count(2)
    throw(bob)
    rolled(page, 1)
    # Away again, and a roll comes between: the chips are staged and nothing is placed.
    wire.unplug()
    expect(page.locator(".gone")).to_be_visible()
    spot(page, "hard.6").click()
    place(page)
    throw(bob)
    rolled(bob, 2)
    wire.cut = False
    expect(page.locator(".gone")).to_be_hidden(timeout=15_000)
    expect(page.locator(".toast.bad")).to_contain_text("A roll came while the server was away")
    rolled(page, 2)
    expect(spot(page, "hard.6")).to_have_attribute("aria-label", re.compile("not yet"))
    rows = house.boss.get(f"/api/tables/{table}/rows?limit=1000").json()["rows"]
    assert not [row for row in rows if row["call"].get("spot") == "hard.6"]
    # Nothing was lost of what happened meanwhile.
    page.get_by_role("tab", name="Log").click()
    expect(page.locator(".ledger")).to_contain_text("6 (4-2)")


def test_a_connection_that_breaks_while_the_dice_fly(visit: Visit, house: House) -> None:
    table = house.table("nsw", script="4-2 5-1", pace=0.4)
    visitor = visit(reduced_motion="no-preference")
    wire = Wire(visitor)
    page = visitor.sit(table)
    bet(page, "pass")
    throw(page)
    # Bets are closed and the dice are not called yet.
    expect(page.locator(".roll")).to_contain_text("The dice are out")
    wire.unplug()
    expect(page.locator(".gone")).to_be_visible()
    wire.cut = False
    expect(page.locator(".gone")).to_be_hidden(timeout=15_000)
    rolled(page, 1)
    expect(page.locator("#stick-call")).to_contain_text("Mark the 6")
    expect(page.locator(".puck.on")).to_be_visible()
    # Opened anew in the middle of a hand, the page still knows the last call.
    page.reload()
    expect(page.locator("#stick-call")).to_contain_text("Mark the 6")
    throw(page)
    rolled(page, 2)
    expect(page.locator(".purse")).to_contain_text("$505")


def test_no_more_bets_is_said_and_the_player_is_told_of_what_is_done_to_him(
    visit: Visit, house: House
) -> None:
    table = house.table("nsw", script="4-2", pace=8.0, patience=0)
    page = visit().sit(table)
    crew_says(house, table, "supervisor", GrantLimits(seat="ann", minimum=500, maximum=100_000))
    expect(page.locator("#stick-call")).to_contain_text(re.compile(r"ann may bet .*1,?000"))
    (why, *_) = load("nsw").procedure.powers["exclude"]
    crew_says(house, table, "supervisor", Sanction(what="exclude", seat="ann", reason=why))
    expect(page.locator("#stick-call")).to_contain_text("ann")
    expect(page.locator(".bar-sign")).to_contain_text("you may not bet here")
    page = visit().sit(table, "bea")
    bet(page, "pass")
    throw(page)
    expect(page.locator(".roll")).to_contain_text("The dice are out")
    spot(page, "field").click(force=True)
    expect(page.locator(".toast")).to_contain_text("No more bets")
    expect(page.get_by_role("button", name="Place", exact=True)).to_be_disabled()
