"""An automatic player: a strategy that proposes calls at a live table like anybody else.

The strategy is asked when bets are open; what it proposes is tried on a copy of the table and then
said at the desk. Nothing here knows a clock or a socket.
"""

from __future__ import annotations

from boxman.dice import Roll
from boxman.journal.codec import EveryCall
from boxman.rules.layout import Layout
from boxman.strategy.api import Strategy, StrategyError
from boxman.strategy.proposals import call_for
from boxman.strategy.spots import INDEX, SPOTS, learn
from boxman.strategy.view import Chair, Turn, open_ranges
from boxman.table.calls import (
    Bet,
    BuyIn,
    DeclineDice,
    TakeDice,
)
from boxman.table.floor.shooters import eligible
from boxman.table.ruling import rule
from boxman.table.stakes import Range
from boxman.table.state import AnyDecision, Rolled, Seat, Settled, Table, Wager


class AutoPlayer(Chair):
    """One automatic player: what it remembers, and what it would say now."""

    def __init__(self, seat: str, strategy: Strategy, layout: Layout, bankroll: int) -> None:
        self.seat, self.strategy, self.layout, self.bankroll = seat, strategy, layout, bankroll
        self.variables = dict(strategy.variables)
        learn(layout.spots)
        self.rolled = self.seven_outs = self.shooter_rolls = 0
        self.acted = -1
        """The roll before which it acted last."""
        self.table: Table | None = None
        self.calls: list[EveryCall] = []
        self.problem = ""

    def see(self, decisions: tuple[AnyDecision, ...]) -> None:
        """What a row decided."""
        for decision in decisions:
            if type(decision) is Rolled:
                roll = Roll(decision.first, decision.second)
                self.last, self.last_hard = roll.total, roll.hard
                self.won, self.lost = {}, {}
                self.rolled += 1
                self.shooter_rolls += 1
                self.new_shooter = decision.event == "seven-out"
                if self.new_shooter:
                    self.seven_outs += 1
                    self.shooter_rolls = 0
            elif type(decision) is Settled and decision.seat == self.seat:
                spot = INDEX[decision.spot]
                self.won[spot] = self.won.get(spot, 0) + decision.paid
                self.lost[spot] = self.lost.get(spot, 0) + decision.taken

    def next_calls(self, table: Table) -> list[EveryCall]:
        """What this player says now, in order; nothing if it has acted before this roll."""
        own = table.seats.get(self.seat)
        if table.floor.closed or self.problem:
            return []
        if own is None:
            return [BuyIn(seat=self.seat, amount=self.bankroll)]
        if table.phase != "open":
            return self._dice(table, own, []) if table.hand.offered == self.seat else []
        if not own.wagers and own.rail < table.posted.minimum:
            return [BuyIn(seat=self.seat, amount=self.bankroll)]
        said: list[EveryCall] = []
        if self.acted != self.rolled:
            self.acted = self.rolled
            said = self._act(table)
        if table.hand.offered == self.seat:
            said += self._dice(table, own, said)
        return said

    def _dice(self, table: Table, own: Seat, said: list[EveryCall]) -> list[EveryCall]:
        """The dice are offered: taken with a wager that lets a player throw, else declined."""
        rule = self.layout.procedure.eligible.spots
        line = rule.value if rule is not None else ()
        ready = eligible(self.layout, own) or any(
            isinstance(call, Bet) and call.spot in line for call in said
        )
        return [TakeDice(seat=self.seat) if ready else DeclineDice(seat=self.seat)]

    def _act(self, table: Table) -> list[EveryCall]:
        self.table, self.calls, self.acts, self.puck = table, [], 0, table.puck
        try:
            self.strategy.function(Turn(self, self.variables))
        except StrategyError as error:
            self.problem = str(error)
        return self.calls

    # -- the chair -----------------------------------------------------------------------------

    @property
    def own(self) -> Seat:
        assert self.table is not None
        return self.table.seats[self.seat]

    def wager(self, spot: int) -> Wager | None:
        return self.own.wagers.get(SPOTS[spot])

    def ranges(self, spot: int) -> tuple[Range, ...]:
        assert self.table is not None
        return open_ranges(self.layout, self.table, self.own, SPOTS[spot])

    def propose(self, what: int, spot: int, amount: int) -> bool:
        assert self.table is not None
        call = call_for(what, spot, amount, self.seat)
        ruling = rule(self.layout, self.table, call)
        if ruling.refusal is not None:
            return False
        self.table = ruling.after
        self.calls.append(call)
        return True

    def limits(self) -> tuple[int, int]:
        assert self.table is not None
        return self.table.posted.minimum, self.table.posted.maximum

    def tally(self, name: str) -> int:
        felt = sum(wager.stake for wager in self.own.wagers.values())
        return {
            "cash": self.own.rail,
            "net": self.own.rail + felt - self.own.bought,
            "rolls": self.rolled,
            "shooters": self.seven_outs,
            "shooter_rolls": self.shooter_rolls,
        }[name]
