"""The statistics of a visit: what was rolled and what it did to one seat, from the journal's rows.

A roll that was taken back is taken back here too. The fan is exact: for every roll the engine says
what each of the 36 would have done to the wagers as they lay, and these are added up. Figures of a
visit can be worked out again from the journal by anybody.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import accumulate
from typing import Any

import msgspec

from boxman.dice import ROLLS
from boxman.journal.fold import after
from boxman.journal.row import Row
from boxman.odds.hand import HandLength
from boxman.pit.told.aids import thrown, worth
from boxman.pit.told.seen.eyes import quoted
from boxman.pit.told.seen.fair import WAYS_OF, fair_chance
from boxman.rules.layout import Layout
from boxman.table.automatic import rolled
from boxman.table.state import Placed, Returned, Reversed, Rolled, Settled, Table
from boxman.words import phrase

Data = dict[str, Any]
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
POINTS = 240
"""At most so many points of a line."""
LEAST = 1e-12
"""Chances below it are left out of the fan."""
RARE = 0.01
"""Below it dice are called unusual."""


class _Noted(msgspec.Struct):
    """One roll: the faces, what they decided for the seat, and what could have come."""

    faces: tuple[int, int]
    event: str
    come_out: bool
    settled: tuple[Settled, ...]
    paid: Counter[str]
    """Fees paid since the roll before, by spot; below nothing when handed back."""
    fees: Counter[str]
    """Fees paid with the roll itself, for wagers that stay up."""
    net: int
    could: dict[int, int]
    """Net by ways of 36."""

    @property
    def shift(self) -> int:
        """What changed since the roll before, whatever the dice."""
        return -sum(self.paid.values())


class Stay:
    """One seat's visit to a table, folded row by row."""

    def __init__(self, layout: Layout, seat: str) -> None:
        self.layout, self.seat = layout, seat
        self.table: Table | None = None
        self.number = 0
        self._known: dict[object, dict[int, int]] = {}
        self._begin()

    def _begin(self) -> None:
        self.rolls: list[_Noted] = []
        self.between: Counter[str] = Counter()
        """Fees paid since the last roll."""
        self._fan: list[list[int]] = []
        self._chances: dict[int, float] = {0: 1.0}

    def hear(self, row: Row) -> None:
        """One row more."""
        before = self.table
        self.table = row.ruling.opened if before is None else after(before, row)
        assert self.table is not None
        self.number = row.number
        if before is None or self.seat not in self.table.seats:
            return
        if self.seat not in before.seats:
            self._begin()
        decided = row.ruling.decisions
        for decision in decided:
            if isinstance(decision, Reversed):
                before = self._take_back(decision, before)
        rolled = next((each for each in decided if isinstance(each, Rolled)), None)
        fees = Counter[str]()
        for each in decided:
            if isinstance(each, Placed) and each.seat == self.seat:
                fees[each.spot] += each.fee
            elif isinstance(each, Returned) and each.seat == self.seat:
                fees[each.spot] -= each.fee
        if rolled is None or self.seat not in before.seats:
            self.between.update(fees)
            return
        paid, self.between = self.between, Counter()
        self.rolls.append(
            _Noted(
                faces=(rolled.first, rolled.second),
                event=rolled.event,
                come_out=not before.puck,
                settled=tuple(
                    each for each in decided if isinstance(each, Settled) and each.seat == self.seat
                ),
                paid=paid,
                fees=fees,
                net=worth(self.table.seats[self.seat]) - worth(before.seats[self.seat]),
                could=self._could(before),
            )
        )

    def _take_back(self, back: Reversed, now: Table) -> Table:
        """The last roll, or all since the come-out, did not happen."""
        old = back.past(now)
        while self.rolls and not back.no_roll:
            gone = self.rolls.pop()
            self.between = gone.paid
            if gone.come_out or not back.whole_round:
                break
        self._fan, self._chances = [], {0: 1.0}
        return old if old is not None else now

    def _could(self, before: Table) -> dict[int, int]:
        """What every roll would have done to the seat's wagers as they lay."""
        seat = before.seats[self.seat]
        if not seat.wagers:
            return {0: len(ROLLS)}
        key = (
            before.puck,
            tuple(seat.wagers.values()),
            tuple(before.collected.items()),
            before.latched,
        )
        if key not in self._known:
            alone = msgspec.structs.replace(before, seats={self.seat: seat})
            ready = thrown(self.layout, alone)
            held = worth(ready.seats[self.seat])
            found: Counter[int] = Counter()
            rolls = zip(self.layout.rolls.kinds, self.layout.rolls.rolls, strict=True)
            for kind, roll in rolls:
                left = rolled(self.layout, ready, roll).after.seats[self.seat]
                found[worth(left) - held] += kind.ways
            self._known[key] = dict(found)
        return self._known[key]

    # -- what is told ----------------------------------------------------------------------------

    def fan(self) -> list[list[int]]:
        """After every roll the nets that 5, 25, 50, 75 and 95 of 100 such visits do not exceed."""
        for noted in self.rolls[len(self._fan) :]:
            made: dict[int, float] = {}
            for net, chance in self._chances.items():
                for gain, ways in noted.could.items():
                    sum_ = net + gain + noted.shift
                    made[sum_] = made.get(sum_, 0.0) + chance * ways / len(ROLLS)
            self._chances = {net: chance for net, chance in made.items() if chance > LEAST}
            nets = sorted(self._chances)
            mass = list(accumulate(self._chances[net] for net in nets))
            last = len(nets) - 1
            self._fan.append(
                [nets[min(last, bisect_left(mass, share * mass[-1]))] for share in SHARES]
            )
        return self._fan

    def told(self) -> Data:
        """Everything, as a page shows it; amounts in minor units."""
        count = len(self.rolls)
        seen = Counter(sum(each.faces) for each in self.rolls)
        fan, line = self.fan(), list(accumulate(each.shift + each.net for each in self.rolls))
        step = -(-count // POINTS) or 1
        points = range((count - 1) % step, count, step)
        return {
            "seat": self.seat,
            "rolls": count,
            "net": (line[-1] if line else 0) - sum(self.between.values()),
            "totals": [
                {"total": total, "seen": seen[total], "expected": count * ways / 36}
                for total, ways in WAYS_OF.items()
            ],
            "dice": self._dice(),
            "wagers": self._wagers(),
            "line": [[n + 1, line[n]] for n in points],
            "fan": [[n + 1, *fan[n]] for n in points],
            "hand": self._hand(),
        }

    def _dice(self) -> Data:
        chance = fair_chance(each.faces for each in self.rolls)
        if chance is None:
            return {"chance": None, "words": phrase("pit.stay.too-few")}
        word = "unusual" if chance < RARE else "usual"
        return {
            "chance": chance,
            "words": phrase(f"pit.stay.{word}", chance=f"{chance * 100:.2g}"),
        }

    def _wagers(self) -> list[Data]:
        """By wager, travelled ones with those they came from: won, lost, net, both edges."""
        spots = self.layout.spots
        came = {
            cell.to: spot.id
            for spot in spots.values()
            for row in spot.rows.values()
            for cell in row
            if cell is not None and cell.to
        }
        found: dict[str, Data] = {}

        def of(spot: str) -> Data:
            name = came.get(spot, spot)
            return found.setdefault(
                name, {"spot": name, "won": 0, "lost": 0, "even": 0, "staked": 0, "net": 0}
            )

        for noted in self.rolls:
            for each in noted.settled:
                row = of(each.spot)
                row["won" if each.net > 0 else "lost" if each.net < 0 else "even"] += 1
                row["staked"] += each.stake - each.up
                row["net"] += each.net
        for fees in (self.between, *(f for each in self.rolls for f in (each.paid, each.fees))):
            for spot, fee in fees.items():
                if fee:
                    of(spot)["net"] -= fee
        for name, row in found.items():
            odds = quoted(self.layout, spots[name], 0)
            row["name"] = spots[name].name
            row["edge"] = str(odds.edge_resolved)
            row["percent"] = float(odds.edge_resolved) * 100
            row["realised"] = -100 * row["net"] / row["staked"] if row["staked"] else None
            row["expected"] = -float(odds.edge_resolved) * row["staked"]
        return sorted(found.values(), key=lambda row: -row["staked"])

    def _hand(self) -> Data:
        """The longest hand so far, and how rare one of that length is."""
        longest = now = 0
        for noted in self.rolls:
            now += 1
            longest = max(longest, now)
            if noted.event == "seven-out":
                now = 0
        chance = HandLength(self.layout).at_least(longest) if longest else 1
        return {
            "longest": longest,
            "now": now,
            "words": phrase("pit.stay.hand", n=longest, chance=f"{float(chance) * 100:.2g}"),
        }
