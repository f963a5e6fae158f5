"""An automatic player at a live table proposes what the same strategy does on the reference."""

from __future__ import annotations

from typing import Any

from boxman.pit.live.players import AutoPlayer
from boxman.strategy.api import strategy
from boxman.strategy.proposals import call_for
from boxman.strategy.spots import ALL, PASS, PLACE, SPOTS
from boxman.strategy.view import BET, DOWN, OFF, ON, REDUCE, STAY
from boxman.table.calls import BuyIn, CallRoll
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule
from boxman.table.state import Table


@strategy
def forgetful(t: Any) -> None:
    """Has place bets up, and calls the one wager off that is called as the word for all."""
    t.bet(ALL, 5)
    t.bet(PLACE[6], 12)
    t.turn_off(ALL)


def test_turning_one_wager_off_leaves_the_others_on() -> None:
    opened = open_table(Open(house="perth-crapless", minimum=500, maximum=50_000))
    layout, table = opened.layout, opened.table
    assert layout is not None
    assert table is not None
    player = AutoPlayer("ann", forgetful, layout, 30_000)
    said = []

    def say(table: Table) -> Table:
        for call in player.next_calls(table):
            said.append(call)
            ruling = rule(layout, table, call)
            assert ruling.accepted, (call, ruling.refusal)
            table = ruling.after
        return table

    table = say(say(table))
    ruling = rule(layout, table, CallRoll(first=2, second=2))
    player.see(ruling.decisions)
    table = say(ruling.after)
    wagers = table.seats["ann"].wagers
    assert set(wagers) == {"all", "place.6"}
    assert {wager.marker for wager in wagers.values()} == {""}
    # No house lets that wager be called off: the proposal is refused, and nothing is said.
    assert {type(call) for call in said} == {BuyIn, type(call_for(BET, PASS, 5))}


def test_a_proposal_is_the_same_call_at_every_seat() -> None:
    for spot in range(len(SPOTS)):
        for what in (BET, REDUCE, DOWN, ON, OFF, STAY):
            ann, bob = call_for(what, spot, 500), call_for(what, spot, 500, "bob")
            assert (ann.seat, bob.seat) == ("ann", "bob")
            assert type(ann) is type(bob)
            names = [name for name in ann.__struct_fields__ if name != "seat"]
            assert [getattr(ann, name) for name in names] == [getattr(bob, name) for name in names]
            assert getattr(ann, "spot", "") == SPOTS[spot]
            if what in (ON, OFF):
                assert ann.only == (SPOTS[spot] == "all")  # type: ignore[union-attr]
