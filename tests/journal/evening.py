"""Rows to put into a journal: real rulings of a real table, as many as wanted."""

from __future__ import annotations

import random
from collections.abc import Iterator

from boxman.dice import ROLLS
from boxman.journal.row import Head, Row, Ruled, Station, head_of, next_row
from boxman.table.calls import Bet, BuyIn, CallRoll, CloseBets, TakeDown
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule
from boxman.table.state import Table
from boxman.table.throws import needs_close

START = 1_700_000_000_000
SPOTS = ("pass", "field", "place.6", "place.8", "come", "hard.8", "any_craps", "pass.odds")
SEATS = ("ann", "bob", "cleo")


class Evening:
    """A table that is played at random from a seed, a row for each ruling, refusals too."""

    def __init__(self, name: str = "one", house: str = "nsw", seed: int = 1) -> None:
        self.name = name
        self.random = random.Random(seed)
        self.opening = open_table(Open(house=house, minimum=500, maximum=50_000))
        assert self.opening.layout is not None
        assert self.opening.table is not None
        self.layout = self.opening.layout
        self.table: Table = self.opening.table
        self.head = Head()
        self.tables: list[Table] = []
        """The table after each row."""

    def _row(self, ruling: object, role: str, seat: str = "", **notes: str) -> Row:
        row = next_row(
            self.head,
            table=self.name,
            id=f"{self.name}-{self.head.number + 1}",
            at=START + 250 * self.head.number,
            station=Station(role, seat),
            ruling=ruling,  # type: ignore[arg-type]
            house=self.layout.house,
            edition=self.layout.digest,
            notes=notes,
        )
        self.head = head_of(row)
        self.tables.append(self.table)
        return row

    def _call(self, call: object, role: str, seat: str = "") -> Row:
        ruling = rule(self.layout, self.table, call)  # type: ignore[arg-type]
        self.table = ruling.after
        return self._row(ruling, role, seat)

    def play(self) -> Iterator[Row]:
        """Rows without end: the opening, the buying in, then bets and rolls."""
        yield self._row(self.opening, "supervisor")
        for seat in SEATS:
            yield self._call(BuyIn(seat=seat, amount=10_000_000), "player", seat)
        while True:
            choice = self.random.random()
            seat = self.random.choice(SEATS)
            if choice < 0.25:
                if needs_close(self.layout):
                    yield self._call(CloseBets(by="automatic crew"), "stick")
                roll = self.random.choice(ROLLS)
                yield self._call(CallRoll(first=roll.first, second=roll.second), "stick")
            elif choice < 0.3:
                spot = self.random.choice(SPOTS)
                yield self._call(TakeDown(seat=seat, spot=spot), "player", seat)
            else:
                amount = self.random.choice((500, 1000, 1200, 3000, 7, 6_000_000))
                spot = self.random.choice(SPOTS)
                yield self._call(Bet(seat=seat, spot=spot, amount=amount), "player", seat)

    def rows(self, count: int) -> list[Row]:
        """The next rows."""
        if not hasattr(self, "_play"):
            self._play = self.play()
        return [next(self._play) for _ in range(count)]


def plain_row(head: Head, name: str = "one", id: str = "") -> Row:
    """A row with next to nothing in it."""
    return next_row(
        head,
        table=name,
        id=id or f"{name}-{head.number + 1}",
        at=START,
        station=Station("stick"),
        call=CloseBets(),
        ruling=Ruled(),
        house="nsw",
        edition="0" * 64,
    )
