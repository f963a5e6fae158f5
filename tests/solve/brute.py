"""Every legal play, on the reference table itself: nothing reduced, nothing shared with the solver.

Before each roll all acts of the menu are tried in every order until no new table appears; after
each kind of roll the house tells apart the same again. In fractions. Only for a few rolls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from boxman.strategy.session import SEAT, Session, opened
from boxman.table.calls import Bet, Call, CallRoll, CloseBets, Reduce, SetWorking, TakeDown
from boxman.table.floor.throws import needs_close
from boxman.table.markers import works
from boxman.table.ruling import rule
from boxman.table.rulings import Ruling
from boxman.table.signature import signature


class TooLong(Exception):
    """More rulings than somebody waits for."""


Up = Mapping[str, int]
"""Wagers by spot, with their stakes."""


class Brute:
    """All plays of a menu of whole stakes at one table."""

    def __init__(
        self,
        session: Session,
        menu: Mapping[str, tuple[int, ...]],
        acts: tuple[str, ...] = (),
        allowed: Callable[[Up, Up, int], bool] = lambda before, up, puck: True,
    ) -> None:
        self.layout, self.table = opened(session)
        self.menu, self.acts, self.allowed = menu, acts, allowed
        self.least_risk = 0
        self.patience = 10**9
        """Rulings before it is given up."""
        self.close = needs_close(self.layout)
        self.known: dict[Any, Fraction] = {}
        self.acted: dict[Any, list[Any]] = {}
        self.rolled: dict[Any, list[Any]] = {}
        """By table, those that acts lead to, and those that rolls lead to: ruled on once."""

    def reach(self, target: int, rolls: int) -> Fraction:
        """The best chance to have so much on the rail within so many rolls."""
        return self._best(self.table, target, rolls)

    def last(self, risk: int, rolls: int) -> Fraction:
        """The best chance to have so much at risk at every one of so many rolls."""
        self.least_risk = risk
        return self._best(self.table, 0, rolls)

    def _ruled(self, table: Any, call: Call) -> Ruling:
        """The one door to the table, so that all work is counted: acts, take-downs and rolls."""
        self.patience -= 1
        if self.patience < 0:
            raise TooLong
        return rule(self.layout, table, call)

    def _key(self, table: Any) -> Any:
        return signature(table, SEAT), table.seats[SEAT].rail

    def _calls(self, table: Any) -> list[Call]:
        up = table.seats[SEAT].wagers
        found: list[Call] = [TakeDown(seat=SEAT, spot=spot) for spot in up]
        for spot, stakes in self.menu.items():
            have = up[spot].stake if spot in up else 0
            for stake in stakes:
                if not have or (stake > have and "raise" in self.acts):
                    found.append(Bet(seat=SEAT, spot=spot, amount=stake - have))
                elif stake < have and "lower" in self.acts:
                    found.append(Reduce(seat=SEAT, spot=spot, to=stake))
        if "calls" in self.acts:
            found += [
                SetWorking(seat=SEAT, spot=spot, call=call) for spot in up for call in ("on", "off")
            ]
        return found

    def _acted(self, table: Any) -> list[Any]:
        """All tables that acts lead to before the roll."""
        key = self._key(table)
        if key not in self.acted:
            self.acted[key] = self._tried(table)
        return self.acted[key]

    def _tried(self, table: Any) -> list[Any]:
        seen = {self._key(table): table}
        waiting = [table]
        while waiting:
            at = waiting.pop()
            for call in self._calls(at):
                ruling = self._ruled(at, call)
                if ruling.accepted and self._key(ruling.after) not in seen:
                    seen[self._key(ruling.after)] = ruling.after
                    waiting.append(ruling.after)
        before = _up(table)
        return [each for each in seen.values() if self._may_stand(before, each)]

    def _may_stand(self, before: Up, table: Any) -> bool:
        """Whether a table is one that may be rolled at: enough at risk, and as is allowed."""
        wagers = table.seats[SEAT].wagers.values()
        at_risk = sum(
            each.stake for each in wagers if works(self.layout.spots[each.spot], each, table.puck)
        )
        return at_risk >= self.least_risk and self.allowed(before, _up(table), table.puck)

    def _counted(self, table: Any) -> int:
        """The rail once everything that may be taken down is down."""
        for spot in list(table.seats[SEAT].wagers):
            if spot in table.seats[SEAT].wagers:
                table = self._ruled(table, TakeDown(seat=SEAT, spot=spot)).after
        return int(table.seats[SEAT].rail)

    def _best(self, table: Any, target: int, left: int) -> Fraction:
        key = (*self._key(table), left)
        if key not in self.known:
            self.known[key] = self._valued(table, target, left)
        return self.known[key]

    def _valued(self, table: Any, target: int, left: int) -> Fraction:
        if not self.least_risk and self._counted(table) >= target:
            return Fraction(1)
        if not left:
            return Fraction(bool(self.least_risk))
        plays = (self._rolled(each, target, left) for each in self._acted(table))
        return max(plays, default=Fraction(0))

    def _rolled(self, table: Any, target: int, left: int) -> Fraction:
        key = self._key(table)
        if key not in self.rolled:
            self.rolled[key] = self._thrown(table)
        chances = (
            Fraction(kind.ways, 36) * self._best(after, target, left - 1)
            for kind, after in zip(self.layout.rolls.kinds, self.rolled[key], strict=True)
        )
        return sum(chances, Fraction(0))

    def _thrown(self, table: Any) -> list[Any]:
        """By kind of roll, the table after it."""
        if self.close:
            table = self._ruled(table, CloseBets(by="automatic crew")).after
        return [
            self._ruled(table, CallRoll(first=dice.first, second=dice.second)).after
            for dice in self.layout.rolls.rolls
        ]


def _up(table: Any) -> Up:
    return {spot: wager.stake for spot, wager in table.seats[SEAT].wagers.items()}
