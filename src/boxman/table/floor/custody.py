"""What becomes of the dice at a house's table: every call that moves them, tried.

Two players keep a line wager up and never run out of chips; the dice are inspected, and whatever a
call wants beside the dice is there: a dispute of the last throw, a sign about closing, people who
were told, and where nobody has the dice also that all have left. Nothing else of people or money is
looked at, so that few tables are left: they are explored whole, breadth first. What is found is
what the rules do, not what they should; beyond a roll that is taken back, and beyond what a call
does not say of itself, nothing is followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

import boxman.table.calls  # noqa: F401  (declares them)
from boxman.rules.layout import Layout, Posted
from boxman.rules.ledger import join
from boxman.table.call import DECLARED, Call, Declared
from boxman.table.floor.people import PLAYER, Announced, Complaint
from boxman.table.floor.throw import PLACES, UNDECIDED, Place, where
from boxman.table.opening import new_table
from boxman.table.ruling import rule
from boxman.table.rulings import Ruling
from boxman.table.state import (
    Cites,
    Floored,
    Handed,
    NoRolled,
    Phased,
    Ranked,
    Reversed,
    Rolled,
    Seat,
    Table,
    Wager,
)

PLAYERS = ("ann", "bob")
ROLLS = ((2, 2), (3, 4), (1, 2))
"""A roll that makes a point or not, a seven, and one that decides nothing while a point is on."""
RAIL = 10**12
DAY = 24 * 3600


class Taken(NamedTuple):
    """A call that was taken of those that were tried: who said it, and the clauses that let it."""

    by: str
    call: Call
    cites: Cites


class Edge(msgspec.Struct):
    """One call that moves the dice or keeps them: from where to where, by whom, why."""

    start: Place
    call: type[Call]
    end: Place
    stolen: bool
    """Whether a throw that is not decided came to be somebody else's, or nobody's."""
    taken: list[Taken] = []

    @property
    def declared(self) -> bool:
        """Whether the call says that it does this; no call takes a throw from its shooter."""
        return not self.stolen and self.end in DECLARED[self.call].moves.get(self.start, ())


def custody(layout: Layout) -> list[Edge]:
    """Every way the dice can go at this house."""
    first = _seated(layout)
    edges: dict[tuple[Place, type[Call], Place, bool], Edge] = {}
    seen, waiting = {_key(first)}, [first]
    while waiting:
        table = waiting.pop(0)
        start = where(table)
        for by, call in _calls(layout, table):
            tried = (rule(layout, found, call) for found in _found(table))
            ruling = next((each for each in tried if each.accepted), None)
            if ruling is None:
                continue
            end = where(ruling.after)
            stolen = end.place in UNDECIDED and end.seat != start.seat
            way = (start.place, type(call), end.place, stolen)
            edge = edges.setdefault(way, Edge(*way))
            edge.taken.append(Taken(by, call, join(*_grounds(ruling))))
            after = _plain(ruling.after, first)
            back = any(type(decision) is Reversed for decision in ruling.decisions)
            if edge.declared and not back and _key(after) not in seen:
                seen.add(_key(after))
                waiting.append(after)
    return list(edges.values())


def _grounds(ruling: Ruling) -> Iterator[Cites]:
    """The clauses for what becomes of the dice, without those for wagers."""
    for decision in ruling.decisions:
        if isinstance(decision, Handed | Phased | Rolled | NoRolled | Reversed | Ranked | Floored):
            yield decision.cites


def _seated(layout: Layout) -> Table:
    """An open table at which everybody may throw."""
    posted = Posted(minimum=layout.chip, maximum=RAIL)
    table = new_table(layout, posted, shooter="", places=2 * len(PLAYERS))
    line = next(
        spot.id for spot in layout.spots.values() if spot.shape.flat and not spot.shape.travels
    )
    stake = layout.step(layout.spots[line], 0)
    seats = {
        name: Seat(name, RAIL, {line: Wager(line, stake)}, place=place)
        for place, name in enumerate(PLAYERS, 1)
    }
    needed = layout.procedure.dice.inspected
    dice = msgspec.structs.replace(
        table.floor.dice, inspected=needed.value if needed is not None else ()
    )
    told = frozenset(("inspector", "surveillance"))
    closing = Announced("closing", -DAY, posted.minimum, posted.maximum, posted.unit)
    floor = msgspec.structs.replace(table.floor, dice=dice, told=told, notice=closing)
    return msgspec.structs.replace(table, seats=seats, floor=floor)


def _found(table: Table) -> Iterator[Table]:
    """The table as a call may find it: with a dispute that came up after the last throw; then,
    where nobody has the dice, when all have left."""
    past, floor = table.at_no_roll or table.before, table.floor
    disputes = (*(past.floor.disputes if past is not None else ()), Complaint(PLAYERS[0], "it"))
    everybody = [frozenset(table.seats)] if where(table).place == PLACES[0] else []
    for away in (floor.away, *everybody):
        found = msgspec.structs.replace(floor, disputes=disputes, away=away)
        yield msgspec.structs.replace(table, floor=found)


def _plain(table: Table, first: Table) -> Table:
    """The same dice with everything else as it was at first; a wager that is gone is made again."""
    going_on = table.puck and not table.floor.closed
    seats = {
        name: msgspec.structs.replace(
            seat, rail=RAIL, wagers=seat.wagers if going_on else first.seats[name].wagers
        )
        for name, seat in table.seats.items()
    }
    floor = msgspec.structs.replace(first.floor, contested=table.floor.contested)
    return msgspec.structs.replace(
        table, seats=seats, floor=floor, fresh={}, rolls=0, bank=0, cage=0, rank=0
    )


def _key(table: Table) -> tuple[object, ...]:
    """What the way of the dice can depend on."""
    hand = table.hand
    held = (hand.shooter, hand.offered, frozenset(hand.declined), hand.former, hand.at)
    wagers = tuple((name, bool(seat.wagers)) for name, seat in table.seats.items())
    contested = bool(table.floor.contested)
    return (table.phase, bool(table.puck), held, min(hand.no_rolls, 2), wagers, contested)


def _calls(layout: Layout, table: Table) -> Iterator[tuple[str, Call]]:
    """Every call that says it moves the dice, by everybody from whom it may come."""
    for declared in DECLARED.values():
        if declared.moves:
            for station in declared.stations:
                for call in _by(declared, layout, table, station):
                    yield station, call


def _by(declared: Declared, layout: Layout, table: Table, station: str) -> Iterator[Call]:
    for name in tuple(table.seats) if station == PLAYER else (station,):
        for call in declared.kind.tries(layout, table, name):
            faces = getattr(call, "first", 0), getattr(call, "second", 0)
            for first, second in ROLLS if faces[0] and faces[1] else (faces,):
                fields = {"first": first, "second": second} if faces != (0, 0) else {}
                yield msgspec.structs.replace(call, **fields)
