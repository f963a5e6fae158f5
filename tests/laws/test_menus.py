"""What a player is offered is taken, and what is taken was offered: at every table of some walks
through all parts of procedure, with a crew by hand."""

from __future__ import annotations

from random import Random

import pytest

from boxman.rules.book import houses
from boxman.table.call import Call
from boxman.table.said.notation import write_call
from boxman.table.state import Table
from tests.evening import check_menu
from tests.laws.laws import Way, follow
from tests.laws.world import TOGETHER, Ghost, World

WALKS, STEPS = 12, 50
SPOTS = ("pass", "dont_pass", "field", "place.6", "pass.odds", "come", "buy.4")


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
    spots = [spot for spot in SPOTS if spot in world.layout.spots]
    for seed in range(WALKS):
        dice, table, ghost, said = Random(seed), world.table, Ghost(), list[Call]()
        for _ in range(STEPS):
            way = walked(world, dice, table, ghost)
            table, ghost = way.table, way.ghost
            said += way.said
            for name in table.seats:
                try:
                    check_menu(world.layout, table, name, spots=spots)
                except AssertionError as wrong:
                    raise AssertionError("\n".join((*map(write_call, said), str(wrong)))) from None
            if table.floor.closed:
                break
