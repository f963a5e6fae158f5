"""What a player is offered is taken, and what is taken was offered: at every table of some walks
through all parts of procedure, with a crew by hand."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from boxman.rules.book import houses
from boxman.table import calls as c
from boxman.table.call import Call
from boxman.table.floor.people import PLAYER
from boxman.table.ruling import rule
from boxman.table.said.menu import Choice, Menu, menu
from boxman.table.said.notation import write_call
from boxman.table.state import Seat, Table
from tests.evening import around, inside
from tests.laws.laws import Way, follow
from tests.laws.world import TOGETHER, Ghost, World

WALKS, STEPS = 12, 50
SPOTS = ("pass", "dont_pass", "field", "place.6", "pass.odds", "come", "buy.4")


def moves(seat: Seat, shown: Menu) -> Iterator[tuple[Call, bool]]:
    """Calls of procedure, and whether each is offered."""
    name = seat.name
    said: dict[str, Call] = {
        "cashes out": c.CashOut(seat=name, by=PLAYER),
        "leaves": c.Leave(seat=name, by=PLAYER),
        "takes dice": c.TakeDice(seat=name, by=PLAYER),
        "declines dice": c.DeclineDice(seat=name, by=PLAYER),
        "passes dice": c.PassDice(seat=name, by=PLAYER),
        "disputes the faces": c.DisputeFaces(seat=name, by=PLAYER),
        "agrees": c.Agree(seat=name, by=PLAYER),
        "asks for the old die": c.HandleDice(by=name, event="asked"),
        **{f"objects to {w}": c.Object(seat=name, spot=w, by=PLAYER) for w in seat.wagers},
    }
    assert {*shown.moves} <= {*said}
    yield from ((call, move in shown.moves) for move, call in said.items())


def choices(world: World, table: Table, seat: Seat, shown: Menu) -> Iterator[tuple[Call, bool]]:
    """Calls of wagers, and whether each is offered."""
    name, open_ = seat.name, table.phase in ("open", "closed")  # a late bet only waits
    for spot in SPOTS:
        choice = shown.choices.get(spot, Choice(spot=spot, name=""))
        for amount in sorted(around(choice.bet, world.layout, table, seat.rail))[:6] * open_:
            bet = c.Bet(seat=name, spot=spot, amount=amount, by=PLAYER)
            yield bet, inside(choice.bet, amount)
        yield c.TakeDown(seat=name, spot=spot, by=PLAYER), choice.take_down
        for stays in (True, False):
            yield c.StayUp(seat=name, spot=spot, stays=stays, by=PLAYER), choice.keep is stays
        for call in ("on", "off"):
            marks = c.SetWorking(seat=name, spot=spot, call=call, only=True, by=PLAYER)  # type: ignore[arg-type]
            yield marks, call in choice.calls


def walked(world: World, dice: Random, table: Table, ghost: Ghost) -> Way:
    """One call more, of any kind that is taken here."""
    every: dict[str, list[tuple[Call, ...]]] = {}
    for said in world.calls(table):
        every.setdefault(type(said[-1]).__name__, []).append(said)
    while True:
        way = follow(world, table, ghost, dice.choice(every[dice.choice([*every])]))
        if way.done:
            return way


@pytest.mark.parametrize("house", houses())
def test_a_menu_is_what_is_taken(house: str) -> None:
    world = World(house, 3, TOGETHER)
    for seed in range(WALKS):
        dice, table, ghost, said = Random(seed), world.table, Ghost(), list[Call]()
        for _ in range(STEPS):
            way = walked(world, dice, table, ghost)
            table, ghost = way.table, way.ghost
            said += way.said
            for seat in table.seats.values():
                shown = menu(world.layout, table, seat.name)
                every = (*moves(seat, shown), *choices(world, table, seat, shown))
                for call, offered in every:
                    taken = rule(world.layout, table, call).accepted
                    assert taken == offered, "\n".join(map(write_call, (*said, call)))
            if table.floor.closed:
                break
