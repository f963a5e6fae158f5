"""Rows to put into a journal: real rulings of a real table, as many as wanted."""

from __future__ import annotations

import random
from collections.abc import Iterator

from boxman.dice import ROLLS
from boxman.journal.codec import canonical, table_digest
from boxman.journal.fold import KEPT
from boxman.journal.pit_calls import AddEntropy, Commit, Throw, commitment_of, throw_of
from boxman.journal.row import Head, Row, Ruled, Station, head_of, next_row
from boxman.table.calls import Bet, BuyIn, Call, CallRoll, CloseBets, TakeDown
from boxman.table.floor.throws import needs_close
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule
from boxman.table.state import Rolled, Table

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
        if (self.head.number + 1) % 5 == 0:  # a checkpoint may be kept after every fifth row
            notes[KEPT] = table_digest(self.table)
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


def export_of(rows: list[Row]) -> list[bytes]:
    """An export of rows that no store would take."""
    header = f'{{"boxman":"journal","format":1,"table":"one","rows":{len(rows)},'
    header += f'"head":"{rows[-1].hash}"}}\n'
    return [header.encode(), *(canonical(row) + b"\n" for row in rows)]


class Hand:
    """Rows of a table where the house throws from a secret it committed to."""

    def __init__(self) -> None:
        self.rows = Evening().rows(4)
        self.secret = bytes(range(32))

    def add(self, call: Call, **changes: object) -> None:
        row = next_row(
            head_of(self.rows[-1]),
            table="one",
            id=f"x{len(self.rows)}",
            at=START,
            station=Station("stick"),
            call=call,  # type: ignore[arg-type]
            ruling=Ruled(**changes),  # type: ignore[arg-type]
            house="nsw",
            edition="e" * 64,
        )
        self.rows.append(row)

    def play(self, throws: int, words: str = "lucky") -> None:
        """A hand with so many throws; the last one is a seven-out, as far as its row says."""
        self.add(Commit(hand=1, commitment=commitment_of(self.secret)))
        entropy = [("ann", words)]
        self.add(AddEntropy(seat="ann", text=words))
        for index in range(throws):
            first, second = throw_of(self.secret, "one", 1, entropy, index)
            self.add(Throw(hand=1, index=index, first=first, second=second))
            self.call(first, second, "seven-out" if index == throws - 1 else "")

    def call(self, first: int, second: int, event: str = "") -> None:
        """A roll is called and settled."""
        rolled = Rolled(first, second, 0, event, ("1",))
        self.add(CallRoll(first=first, second=second), decisions=(rolled,))
