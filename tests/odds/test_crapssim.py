"""The American house and crapssim 0.4.1 on the same dice, wager by wager.

Each wager has a player of its own at both tables, who makes it whenever that is allowed; after
every roll both must have the same money. Left out, because crapssim rules otherwise than American
tables do:

- hardways are never off there, so the house is opened with `hard_works`;
- a lay bet sleeps at the come-out there, so it is told to work;
- winning buy, lay, big and hardway bets come down there while winning place bets stay up, so the
  former are let go here;
- a barred don't bet comes down there and stays here, so it is made again there;
- commission is rounded to the nearest dollar there, so stakes are taken whose commission is whole;
- a put bet sleeps at the come-out there, against the usual rule that a flat bet on a number is
  always on: put bets are compared until the puck goes off, and then made anew.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from boxman.dice import ROLLS
from boxman.table.calls import Bet, BuyIn, CallRoll, StayUp
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule

crapssim = pytest.importorskip("crapssim")
from crapssim import bet as theirs  # noqa: E402
from crapssim.strategy.tools import NullStrategy  # noqa: E402
from crapssim.table import Table, TableUpdate  # noqa: E402

SAMPLE = 1_500
DEEP = 10_000_000


class Wager(NamedTuple):
    """A wager on both sides; odds go behind it as soon as it has a number."""

    spot: str
    make: Callable[[], Any]
    stake: int
    odds: Callable[[int], tuple[Any, int]] | None = None


def _odds(base: Any, laid: bool) -> Callable[[int], tuple[Any, int]]:
    times = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}

    def behind(number: int) -> tuple[Any, int]:
        amount = 60 if laid else 10 * times[number]
        return theirs.Odds(base, number, amount), amount

    return behind


IN = (4, 5, 6, 8, 9, 10)
PAIRS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
LAID = {4: 40, 5: 30, 6: 24, 8: 24, 9: 30, 10: 40}
WAGERS = [
    Wager("pass", lambda: theirs.PassLine(10), 10, _odds(theirs.PassLine, False)),
    Wager("dont_pass", lambda: theirs.DontPass(10), 10, _odds(theirs.DontPass, True)),
    Wager("come", lambda: theirs.Come(10), 10, _odds(theirs.Come, False)),
    Wager("dont_come", lambda: theirs.DontCome(10), 10, _odds(theirs.DontCome, True)),
    *(Wager(f"place.{n}", lambda n=n: theirs.Place(n, 60), 60) for n in IN),
    *(Wager(f"buy.{n}", lambda n=n: theirs.Buy(n, 20), 20) for n in IN),
    *(
        Wager(f"lay.{n}", lambda n=n: theirs.Lay(n, LAID[n], always_working=True), LAID[n])
        for n in IN
    ),
    Wager("big.6", lambda: theirs.Big6(10), 10),
    Wager("big.8", lambda: theirs.Big8(10), 10),
    Wager("field", lambda: theirs.Field(10), 10),
    *(Wager(f"hard.{n}", lambda n=n: theirs.HardWay(n, 10), 10) for n in (4, 6, 8, 10)),
    *(
        Wager(f"hop.{a}{b}", lambda a=a, b=b: theirs.Hop((a, b), 10), 10)
        for a, b in PAIRS
    ),
    Wager("two", lambda: theirs.Two(10), 10),
    Wager("three", lambda: theirs.Three(10), 10),
    Wager("eleven", lambda: theirs.Yo(10), 10),
    Wager("twelve", lambda: theirs.Boxcars(10), 10),
    Wager("any_seven", lambda: theirs.Any7(10), 10),
    Wager("any_craps", lambda: theirs.AnyCraps(10), 10),
    Wager("horn", lambda: theirs.Horn(20), 20),
    Wager("world", lambda: theirs.World(20), 20),
    Wager("c_and_e", lambda: theirs.CAndE(20), 20),
    Wager("fire", lambda: theirs.Fire(10), 10),
    Wager("small", lambda: theirs.Small(10), 10),
    Wager("tall", lambda: theirs.Tall(10), 10),
    Wager("all", lambda: theirs.All(10), 10),
]  # fmt: skip


class Both:
    """Both tables, and a player of each wager at each."""

    def __init__(self) -> None:
        call = Open(
            house="american",
            minimum=500,
            maximum=500_000,
            settings={"hard_works": "on"},
        )
        opened = open_table(call)
        assert opened.layout is not None
        assert opened.table is not None
        self.layout, self.ours = opened.layout, opened.table
        self.table = Table()
        self.table.settings["vig_paid_on_win"] = True
        self.players = {}
        for wager in WAGERS:
            self.say(BuyIn(seat=wager.spot, amount=DEEP * 100))
            self.players[wager.spot] = self.table.add_player(DEEP, NullStrategy(), wager.spot)

    def say(self, call: Any) -> bool:
        ruling = rule(self.layout, self.ours, call)
        self.ours = ruling.after
        return ruling.refusal is None

    def make(self, wager: Wager) -> None:
        """The wager, or odds behind it, on both sides or on neither."""
        player, seat = self.players[wager.spot], self.ours.seats[wager.spot]
        if seat.wagers and not player.bets:
            player.add_bet(wager.make())
        elif not seat.wagers and not player.bets:
            player.add_bet(wager.make())
            made = self.say(Bet(seat=wager.spot, spot=wager.spot, amount=wager.stake * 100))
            if self.layout.spots[wager.spot].unasked and not wager.spot.startswith("place"):
                self.say(StayUp(seat=wager.spot, spot=wager.spot, stays=False))
            allowed = bool(player.bets)
            late = wager.spot == "pass" and self.ours.puck  # put behind the point: not there
            if made and late:
                self.take_back(wager)
            else:
                assert made == allowed, (wager.spot, self.ours.puck)
        elif wager.odds is not None and len(seat.wagers) == len(player.bets) == 1:
            [up] = seat.wagers
            number = self.layout.spots[up].number or self.ours.puck
            if number and (up != wager.spot or "pass" in wager.spot):
                odds, amount = wager.odds(number)
                head, _, tail = up.rpartition(".")
                spot = f"{head}.odds.{tail}" if head else f"{up}.odds"
                player.add_bet(odds)
                assert self.say(Bet(seat=wager.spot, spot=spot, amount=amount * 100)), spot
                assert len(player.bets) == 2, spot

    def take_back(self, wager: Wager) -> None:
        """A pass bet put behind a point, which crapssim has as another kind of bet."""
        seat = self.ours.seats[wager.spot]
        self.ours = self.before
        assert not self.ours.seats[wager.spot].wagers
        assert seat.wagers

    def roll(self, first: int, second: int) -> None:
        for wager in WAGERS:
            self.before = self.ours
            self.make(wager)
        assert self.say(CallRoll(first=first, second=second))
        TableUpdate().run(self.table, (first, second))
        for name, player in self.players.items():
            seat = self.ours.seats[name]
            money = seat.rail + sum(each.stake for each in seat.wagers.values())
            assert money == round(player.total_player_cash * 100), (name, first, second)


def play(rolls: int, seed: int) -> dict[str, int]:
    """So many rolls at both tables; how often each wager's player was paid."""
    both, dice = Both(), random.Random(seed)
    won = dict.fromkeys(both.players, 0)
    for _ in range(rolls):
        before = {name: player.bankroll for name, player in both.players.items()}
        roll = dice.choice(ROLLS)
        both.roll(roll.first, roll.second)
        for name, player in both.players.items():
            won[name] += player.bankroll > before[name]
    return won


def test_the_same_dice_pay_the_same_money() -> None:
    won = play(SAMPLE, 11)
    rare = {"fire", "small", "tall", "all"}
    assert [name for name, times in won.items() if not times and name not in rare] == []


@pytest.mark.soak
def test_a_million_rolls_pay_the_same_money(tmp_path: Path) -> None:
    """In pieces, as `python -m tests.tools.crapssim` makes them; every wager wins somewhere."""
    from tests.tools.crapssim import run

    assert run(tmp_path / "pieces.jsonl") == []


def test_put_bets_until_the_puck_goes_off() -> None:
    """A flat bet put on each number, with odds, from every point."""
    for point in IN:
        for number in IN:
            for total in (number, 7):
                if number == point and total == number:
                    continue  # a number that is the point is the line's
                table = Table()
                player = table.add_player(DEEP, NullStrategy())
                faces = next(r for r in ROLLS if r.total == point)
                TableUpdate().run(table, tuple(faces))
                player.add_bet(theirs.Put(number, 10))
                opened = open_table(Open(house="american", minimum=500, maximum=50_000))
                assert opened.layout is not None
                assert opened.table is not None
                calls = [
                    BuyIn(seat="ann", amount=DEEP * 100),
                    CallRoll(first=faces.first, second=faces.second),
                    Bet(seat="ann", spot=f"come.{number}", amount=1_000),
                ]
                now = opened.table
                last = next(r for r in ROLLS if r.total == total)
                for call in [*calls, CallRoll(first=last.first, second=last.second)]:
                    ruling = rule(opened.layout, now, call)
                    assert ruling.refusal is None
                    now = ruling.after
                TableUpdate().run(table, tuple(last))
                assert now.seats["ann"].rail == player.bankroll * 100
