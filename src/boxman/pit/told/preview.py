"""What a call of the crew would do, before it is said: whose chips would move, and in which words.

The rules are asked as for a call that counts, and nothing is written.
"""

from __future__ import annotations

from typing import TypedDict

from boxman.journal.codec import EveryCall
from boxman.journal.pit_calls import AnyPitCall
from boxman.journal.row import Station
from boxman.pit.live.desk import Desk
from boxman.pit.live.stations import spoken
from boxman.pit.told.console import Speaker, sentence
from boxman.table.calls import Sanction
from boxman.table.ruling import rule
from boxman.table.said.explain import as_sentence, tell
from boxman.table.state import NoRolled, Reversed, Seat, Settled, Table


class Move(TypedDict):
    """How many more chips a seat would have, and how many on its rail then."""

    seat: str
    rail: int
    layout: int
    then: int


class Preview(TypedDict):
    """What would follow from a call, the wagers it settles apart, or why it would be refused."""

    grave: bool
    refused: str
    told: list[str]
    wagers: list[str]
    moves: list[Move]


NOTHING: Preview = {"grave": False, "refused": "", "told": [], "wagers": [], "moves": []}


def preview(desk: Desk, speaker: Speaker, call: EveryCall, at: int) -> Preview:
    """What would follow, seat by seat. `grave` is what cannot be said by mistake: a roll that is
    taken back or does not count, somebody sent off, a table that closes."""
    said = spoken(call, speaker.role, "", "", at, speaker.stand_in)
    refusal = desk.trial(Station(speaker.role, person=speaker.person), said)
    if refusal is not None:
        return {**NOTHING, "refused": as_sentence(sentence(refusal), desk.table.seats)}
    if isinstance(said, AnyPitCall):
        return NOTHING
    ruling = rule(desk.layout, desk.table, said)
    before, after = desk.table, ruling.after
    grave = (
        any(isinstance(each, Reversed | NoRolled) for each in ruling.decisions)
        or isinstance(said, Sanction)
        or after.floor.closed != before.floor.closed
    )
    told: dict[str, bool] = {}
    for each in ruling.decisions:
        told.setdefault(tell(desk.layout, each, before.seats), isinstance(each, Settled))
    return {
        "grave": grave,
        "refused": "",
        "told": [words for words, settles in told.items() if words and not settles],
        "wagers": [words for words, settles in told.items() if words and settles],
        "moves": _moves(before, after),
    }


def _moves(before: Table, after: Table) -> list[Move]:
    """The seats whose chips would be others than now, on the rail and on the layout."""
    names = dict.fromkeys((*before.seats, *after.seats))
    rows = [(name, _held(before.seats.get(name)), _held(after.seats.get(name))) for name in names]
    return [
        {"seat": name, "rail": new[0] - old[0], "layout": new[1] - old[1], "then": new[0]}
        for name, old, new in rows
        if new != old
    ]


def _held(seat: Seat | None) -> tuple[int, int]:
    if seat is None:
        return 0, 0
    return seat.rail, sum(wager.stake for wager in seat.wagers.values())
