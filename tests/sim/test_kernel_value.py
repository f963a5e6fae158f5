"""What the kernel leaves up at the end of a session, and what that is worth, to the fraction.

That whole sessions are worth what the reference says is asked in the other tests of the kernel;
here are figures anybody can work out, every kind of wager, and players of many sessions.
"""

from __future__ import annotations

import pickle
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import cloudpickle  # type: ignore[import-untyped]
import numpy as np
import pytest

from boxman.dice import ROLLS
from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.sim.dice import stream
from boxman.sim.executors import choose
from boxman.sim.executors.generic import KernelPlayer
from boxman.sim.executors.player import FIGURES
from boxman.sim.executors.reference import ReferencePlayer
from boxman.sim.executors.still_up import StillUp
from boxman.sim.kernel.left import MARKERS, LeftUp
from boxman.sim.kernel.run import SEATS, Kernel
from boxman.sim.lanes import Lanes
from boxman.sim.run import simulate
from boxman.strategy.api import strategy
from boxman.strategy.ends import ENDS
from boxman.strategy.felt import Felts
from boxman.strategy.library import named
from boxman.strategy.reference import TableChair
from boxman.strategy.session import Session, session
from boxman.strategy.spots import C_AND_E, COME, DONT_PASS, PASS, PLACE, SMALL
from boxman.strategy.view import Turn
from boxman.strategy.worth import value_of_felt, value_of_group, wager_left
from tests.limits import FIVES
from tests.sim.kernel_cases import EVERYWHERE, calling, draw, wild

SEED = 4
PERCENT = named("percent")
POINTS = (4, 5, 6, 8, 9, 10)
WAYS = Counter(roll.total for roll in ROLLS)


def totals(number: int, rolls: int) -> list[int]:
    """The first totals of a session."""
    dice = stream(SEED, number)
    return [ROLLS[next(dice)].total for _ in range(rolls)]


def left_by(chosen: Any, where: Session, sessions: int) -> tuple[Counter[LeftUp], Fraction]:
    """What these sessions leave up, and what it is worth."""
    found = Kernel(chosen, where).run(SEED, 0, sessions)
    return Counter(found.left), KernelPlayer(chosen, where).play(SEED, 0, sessions).value


# -- figures anybody can work out -----------------------------------------------------------------


@strategy
def comes(t: Any) -> None:
    """A come with odds; the line only lets it be made."""
    t.bet(PASS, 10)
    t.bet(COME, 10)
    t.odds(1)


def race(stake: int, win: int, number: int) -> Fraction:
    """What a wager is worth that wins on a number and loses on seven."""
    ways, sevens = WAYS[number], WAYS[7]
    return Fraction(ways * win - sevens * stake, ways + sevens)


def test_comes_that_travelled_with_their_odds() -> None:
    """Odds are paid as the chances are: they change nothing, wherever they stand."""
    where = session("rws", bankroll=1000, rolls=3, end="value")
    left, value = left_by(comes, where, 700)
    expected = Fraction(0)
    for number in range(700):
        puck, travelled = 0, set[int]()
        for total in totals(number, 3):
            waiting = puck != 0
            if total == 7:
                puck = 0
                travelled.clear()
                continue
            travelled.discard(total)
            if waiting and total in POINTS:
                travelled.add(total)
            if puck == 0:
                puck = total if total in POINTS else 0
            elif total == puck:
                puck = 0
        up = [*travelled, *([puck] if puck else [])]
        expected += sum((race(1000, 1000, each) for each in up), Fraction(0))
    assert value == expected
    backed = [each for each in left if each.odds]
    assert {each.spot for each in backed} >= {f"come.{n}" for n in POINTS}


@strategy
def stays(t: Any) -> None:
    """A number that is to stay up."""
    if t.puck != 0:
        t.bet(PLACE[6], 12)
        t.stay_up(PLACE[6])
    if t.rolls == 0:
        t.bet(PASS, 10)


def test_a_winner_that_was_to_stay_up_is_not_made_again() -> None:
    """Place six for 12 pays 7 to 6, once."""
    where = session("nsw", **FIVES, bankroll=1000, rolls=2, end="value")
    left, value = left_by(stays, where, 600)
    expected = Fraction(0)
    for number in range(600):
        first, second = totals(number, 2)
        if first in POINTS and second != 7:
            # It was made again if it won at once, and sleeps or not until the next point.
            expected += race(1200, 1400, 6)
            expected += race(1000, 1000, first) if second != first else 0
    assert value == expected
    assert {each.spot for each in left} == {"pass", "place.6"}


@strategy
def bonus(t: Any) -> None:
    t.bet(SMALL, 5)


def chance_of_all(missing: frozenset[int]) -> Fraction:
    """That these numbers come before a seven: by the first of them or a seven that comes."""
    if not missing:
        return Fraction(1)
    ways = sum(WAYS[each] for each in missing) + WAYS[7]
    return sum(
        (Fraction(WAYS[each], ways) * chance_of_all(missing - {each}) for each in missing),
        Fraction(0),
    )


def test_a_bonus_wager_partly_collected() -> None:
    """Numbers of All Small that came already need not come again."""
    where = session("perth-crapless", bankroll=1000, rolls=4, end="value")
    pays = load("perth-crapless").spots["small"].rows[0][0]
    assert pays is not None
    left, value = left_by(bonus, where, 500)
    expected = Fraction(0)
    for number in range(500):
        missing: frozenset[int] | None = None
        for total in totals(number, 4):
            missing = frozenset(range(2, 7)) if missing is None else missing
            missing = None if total == 7 else missing - {total}
            missing = missing or None
        if missing is not None:
            chance = chance_of_all(missing)
            expected += chance * 500 * pays.win - (1 - chance) * 500
    assert value == expected
    assert len({each.collected for each in left}) > 5


# -- every kind of wager --------------------------------------------------------------------------


KINDS = {
    *("", "on", "off", "odds", "odds on", "odds off", "puck", "no puck"),
    *("travelled with odds", "line with odds", "fee", "parts"),
    *("collected", "nothing collected"),
}


def kinds(house: str, left: LeftUp) -> set[str]:
    """What is special about a wager that is still up."""
    layout = load(house)
    spot = layout.spots[left.spot]
    found = {MARKERS[left.marker], "puck" if left.puck else "no puck"}
    if left.odds:
        found.add(f"odds {MARKERS[left.odds_marker]}".strip())
        found.add("travelled with odds" if spot.number else "line with odds")
    if spot.fee is not None:
        found.add("fee")
    if spot.gate is not None:
        found.add("collected" if left.collected else "nothing collected")
    if spot.share is not None:
        found.add("parts")
    return found


@strategy(x=5)
def stranded(t: Any) -> None:
    """Everything anywhere, but a line only before the first roll."""
    if t.rolls == 0:
        t.bet(PASS, 10)
    for spot in range(EVERYWHERE):
        if spot not in (PASS, DONT_PASS):
            t.bet(spot, t.fit(spot, 8))
            t.x = draw(t.x)
            if t.on(spot) > 0 and (t.x >> 8) % 3 == 0:
                t.turn_on(spot)
    t.odds(1)


def test_every_kind_of_wager_is_worth_what_the_reference_says() -> None:
    """Also those a roll always decides, where nobody throws any more."""
    seen: set[str] = set()
    ends: set[int] = set()
    for house in houses():
        spots: set[str] = set()
        for chosen, count, shooter in (
            (wild, 5, "guest"),
            (calling, 5, "guest"),
            (stranded, 3, "self"),
        ):
            where = session(
                house, bankroll=20_000, rolls=25, end="value", minimum=5, shooter=shooter
            )
            kernel, still_up = Kernel(chosen, where), StillUp(where)
            reference = ReferencePlayer(chosen, where)
            for number in range(count):
                found = kernel.run(SEED, number, 1)
                value = reference.one(SEED, number).value
                assert still_up.value(found.left) == value, (house, chosen.name, number)
                spots |= {each.spot for each in found.left}
                ends.add(int(found.lanes.ending[0]))
                for each in found.left:
                    seen |= kinds(house, each)
        assert len(spots) > 35
    assert ends >= {ENDS.index("rolls"), ENDS.index("no shooter")}
    assert seen == KINDS


@pytest.mark.parametrize("house", houses())
def test_a_wager_whose_parts_might_be_named(house: str) -> None:
    """A strategy cannot name them, so they are equal: half on craps and half on eleven.

    Where parts are named somebody always throws, so no session ends with such a wager up.
    """
    where = session(house, **FIVES, bankroll=500)
    felts, chair = Felts(where), TableChair(where)
    if not Turn(chair, {}).bet(C_AND_E, 20):
        assert "c_and_e" not in felts.layout.spots
        return
    left = wager_left(felts.layout, "c_and_e", 2000)
    assert left == chair.seat.wagers["c_and_e"]
    value = value_of_group(felts, 0, (left,))
    assert value == value_of_felt(felts, felts.of(chair.table)[0])
    prices = {name: felts.layout.spots[name].rows[0] for name in ("any_craps", "eleven")}
    wins = [[cell.win if cell and cell.win else None for cell in row] for row in prices.values()]
    expected = Fraction(0)
    for kind, craps, eleven in zip(felts.layout.rolls.kinds, *wins, strict=True):
        for won in (craps, eleven):
            expected += Fraction(kind.ways, 36) * 1000 * (won if won is not None else -1)
    assert value == expected


# -- players of many sessions ---------------------------------------------------------------------


def same(one: Lanes, other: Lanes) -> None:
    assert one.value == other.value
    for name in FIGURES:
        assert (getattr(one, name) == getattr(other, name)).all(), name


def test_a_strategy_that_reads_its_cash_is_valued_in_the_kernel() -> None:
    where = session("rws", bankroll=300, rolls=60, end="value")
    chosen, reasons = choose(PERCENT, where)
    assert chosen.name == "generic kernel"
    assert len(reasons) == 1
    assert "t.cash" in reasons[0]
    quick, slow = (
        simulate(PERCENT, where, 400, SEED, executor=by) for by in ("kernel", "reference")
    )
    assert quick.executor == "generic kernel"
    assert Fraction(quick.value) == Fraction(slow.value) != 0
    assert quick.digest() == slow.digest()
    assert (quick.mean, quick.edge) == (slow.mean, slow.edge)
    face = simulate(PERCENT, session("rws", bankroll=300, rolls=60, end="face"), 400, SEED)
    assert quick.nets == face.nets
    worth = Fraction(quick.value) / 400
    assert quick.mean == pytest.approx(float(face.mean) + float(worth))


def test_any_cut_and_any_thread_gives_the_same_value() -> None:
    """More sessions than are looked at together, cut anywhere, in threads that share a player."""
    where = session("nsw", **FIVES, bankroll=400, rolls=30, end="value")
    player = KernelPlayer(PERCENT, where)
    count = 2 * SEATS + 100
    whole = player.play(SEED, 0, count)
    cuts = [0, 1, 700, SEATS, SEATS + 1, count]
    pieces = list(zip(cuts, np.diff(cuts).tolist(), strict=False))
    fresh = KernelPlayer(PERCENT, where)
    with ThreadPoolExecutor(3) as pool:
        parts = list(pool.map(lambda piece: fresh.play(SEED, *piece), pieces))
    assert sum((part.value for part in parts), Fraction(0)) == whole.value
    some = np.array([3, 5, SEATS + 7, 2 * SEATS + 9])
    alone = [player.play(SEED, int(number), 1) for number in some]
    assert player.some(SEED, some).value == sum((each.value for each in alone), Fraction(0))
    results = [simulate(PERCENT, where, count, SEED, threads=threads) for threads in (1, 3)]
    assert {each.digest() for each in results} == {results[0].digest()}
    assert Fraction(results[0].value) == whole.value


def test_a_player_sent_elsewhere_values_the_same() -> None:
    where = session("adelaide", **FIVES, bankroll=300, rolls=50, end="value")
    player = KernelPlayer(PERCENT, where)
    here = player.play(SEED, 0, 200)
    assert here.value
    sent = pickle.loads(cloudpickle.dumps(player))
    same(sent.play(SEED, 0, 200), here)


@strategy
def too_large(t: Any) -> None:
    """Asks for more than the kernel has room for, but nothing wrong, in some sessions."""
    t.bet(PASS, 10)
    if t.shooters == 1:
        t.press(PASS, 10**13)


def test_sessions_the_reference_has_to_play_are_valued_there() -> None:
    where = session("rws", bankroll=500, rolls=12, end="value")
    found = Kernel(too_large, where).run(SEED, 0, 60)
    assert found.error.any()
    assert not found.error.all()
    assert sum(found.left.values()) < 60
    same(
        KernelPlayer(too_large, where).play(SEED, 0, 60),
        ReferencePlayer(too_large, where).play(SEED, 0, 60),
    )


@pytest.mark.parametrize("end", ["face", "run-out"])
def test_nothing_is_kept_where_nobody_asks(end: str) -> None:
    where = session("rws", bankroll=500, rolls=30, end=end)
    assert not Kernel(comes, where).run(SEED, 0, 20).left
    assert KernelPlayer(comes, where).play(SEED, 0, 20).value == 0
