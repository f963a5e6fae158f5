"""Lines and comes with odds, played out on the raw table: what rounding gives is what is told.

Nothing is shared with the search: every roll is ruled on, every amount and call of odds is tried
before every roll, and what a flat comes to is solved in fractions over the tables that follow.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.rules.favours import favouring
from boxman.rules.layout import Posted
from boxman.strategy.session import SEAT, opened, session
from boxman.strategy.view import open_ranges
from boxman.table.calls import Bet, CallRoll, CloseBets, SetWorking, TakeDown
from boxman.table.floor.throws import needs_close
from boxman.table.ruling import rule

ROUND_UP = [name for name in houses() if load(name, {}, 100).round_win.value == "up"]
LINES = ("pass", "dont_pass")
COMES = ("come", "dont_come")


class Played:
    """One flat with the best odds behind it at every roll, on the table itself."""

    def __init__(self, house: str, minimum: int, chip: str = "1") -> None:
        limits = {"minimum": minimum, "maximum": minimum * 200, "bankroll": 100_000}
        self.layout, self.table = opened(session(house, chip=chip, **limits))
        self.close = needs_close(self.layout)
        self.gains: dict[Any, Fraction] = {}

    def worth(self, flat: str, stake: int) -> Fraction:
        """What a stake wins on average until it is decided."""
        table = self.table
        if flat in COMES:
            table = self.thrown(table)[8]  # on a point of four, with nothing up
            assert table.puck
        bet = rule(self.layout, table, Bet(seat=SEAT, spot=flat, amount=stake))
        assert bet.accepted, bet
        return self._solved(bet.after) - stake

    def thrown(self, table: Any) -> list[Any]:
        """By kind of roll, what follows."""
        if self.close:
            table = rule(self.layout, table, CloseBets(by="automatic crew")).after
        rolls = self.layout.rolls.rolls
        calls = [CallRoll(first=dice.first, second=dice.second) for dice in rolls]
        return [rule(self.layout, table, call).after for call in calls]

    def _solved(self, start: Any) -> Fraction:
        """What is on the rail in the end beyond what is there now, one equation a table."""
        rows: dict[Any, tuple[dict[Any, Fraction], Fraction]] = {}
        first, waiting = _place(start), [start]
        while waiting:
            table = waiting.pop()
            key = _place(table)
            if key in rows:
                continue
            leads, brings = dict[Any, Fraction](), self.gain(table)
            for kind, after in zip(self.layout.rolls.kinds, self.thrown(table), strict=True):
                chance = Fraction(kind.ways, 36)
                brings += chance * (after.seats[SEAT].rail - table.seats[SEAT].rail)
                if key == first and _place(after) == first:
                    # A bar ends a wager as a push: it is taken back.
                    brings += chance * first[1][0][1]
                elif after.seats[SEAT].wagers:
                    waiting.append(after)
                    leads[_place(after)] = leads.get(_place(after), Fraction(0)) + chance
            rows[key] = leads, brings
        for out in [key for key in rows if key != first]:
            leads, brings = rows.pop(out)
            stays = 1 - leads.pop(out, Fraction(0))
            for other, (then, more) in rows.items():
                share = then.pop(out, Fraction(0)) / stays
                for key, chance in leads.items():
                    then[key] = then.get(key, Fraction(0)) + share * chance
                rows[other] = then, more + share * brings
        return rows[first][1]

    def gain(self, table: Any) -> Fraction:
        """What the best odds bring at the next roll; what is left of them is taken down after."""
        ((flat, _),) = _place(table)[1]
        seat = table.seats[SEAT]
        spots = [s.id for s in self.layout.spots.values() if s.behind and s.behind.flat == flat]
        found = [Fraction(0)]
        for spot in spots:
            for low, high, step in open_ranges(self.layout, table, seat, spot):
                # From thirty chips on (5 and 6 divide it) the same remainders come again.
                for amount in range(low, min(high, low + 30 * self.layout.chip) + 1, step):
                    found.append(self._at_most(table, spot, amount))
        return max(found)

    def _at_most(self, table: Any, spot: str, amount: int) -> Fraction:
        """Odds of an amount, as they are or called on."""
        key = (*_place(table)[:1], spot, amount)
        if key not in self.gains:
            bet = rule(self.layout, table, Bet(seat=SEAT, spot=spot, amount=amount))
            assert bet.accepted, bet
            called = rule(self.layout, bet.after, SetWorking(seat=SEAT, spot=spot, call="on"))
            tables = [bet.after, *([called.after] if called.accepted else [])]
            bare = self.thrown(table)
            self.gains[key] = max(self._beside(each, bare, spot) for each in tables)
        return self.gains[key]

    def _beside(self, table: Any, bare: list[Any], spot: str) -> Fraction:
        total = Fraction(0)
        for kind, with_odds, without in zip(
            self.layout.rolls.kinds, self.thrown(table), bare, strict=True
        ):
            for left in [s for s in with_odds.seats[SEAT].wagers if ".odds" in s]:
                down = TakeDown(seat=SEAT, spot=left)
                with_odds = rule(self.layout, with_odds, down).after
            rails = with_odds.seats[SEAT].rail - without.seats[SEAT].rail
            total += Fraction(kind.ways, 36) * rails
        return total


def _place(table: Any) -> Any:
    """The puck and what is up."""
    wagers = table.seats[SEAT].wagers.values()
    return table.puck, tuple((wager.spot, wager.stake) for wager in wagers)


def told(house: str, minimum: int, chip: int = 100, **settings: str) -> dict[str, Any]:
    """What the search says of wagers with odds."""
    layout = load(house, settings, chip)
    found = favouring(layout, Posted(minimum=minimum, maximum=minimum * 200))
    return {each.spot: each for each in found if each.odds}


@pytest.mark.parametrize("house", ROUND_UP)
def test_lines_with_odds_favour_the_player_where_it_is_told(house: str) -> None:
    """At every stake: the best of them, and the last."""
    found, played = told(house, 500), Played(house, 5)
    for flat in LINES:
        each = found[flat]
        worths = {n: played.worth(flat, n) / n for n in range(500, each.gone + 300, 100)}
        assert max(worths.values()) == worths[each.stake] == each.edge, flat
        assert max(n for n, worth in worths.items() if worth > 0) + 100 == each.gone


@pytest.mark.parametrize("house", ROUND_UP)
def test_comes_with_odds_favour_the_player_where_it_is_told(house: str) -> None:
    found, played = told(house, 500), Played(house, 5)
    for flat in COMES:
        each = found[flat]
        last, gone = (played.worth(flat, stake) for stake in (each.gone - 100, each.gone))
        assert played.worth(flat, each.stake) == each.edge * each.stake, flat
        assert gone <= 0 < last


@pytest.mark.parametrize("house", houses())
def test_nothing_is_left_out(house: str) -> None:
    """Lines that are not told of favour nobody, in halves at 5 and in fives at 20."""
    for minimum, chip in ((5, "0.5"), (20, "5")):
        played = Played(house, minimum, chip)
        step = played.layout.chip
        found = told(house, minimum * 100, step)
        for flat in (flat for flat in LINES if flat in played.layout.spots):
            first = range(minimum * 100, minimum * 100 + 6 * step, step)
            worths = [played.worth(flat, stake) for stake in first]
            assert (max(worths) > 0) == (flat in found), (minimum, chip, flat)
