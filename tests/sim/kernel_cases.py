"""What the tests of the kernel share: a strategy that tries everything, and the comparison."""

from __future__ import annotations

from collections import Counter
from typing import Any

from boxman.sim.dice import stream
from boxman.sim.executors.still_up import StillUp
from boxman.sim.kernel.acts import LAPSED
from boxman.sim.kernel.left import LeftUp
from boxman.sim.kernel.run import Kernel, Run
from boxman.sim.results import Result
from boxman.strategy.api import Strategy, strategy
from boxman.strategy.ends import ENDS
from boxman.strategy.reference import Played, play
from boxman.strategy.session import VALUE, opened
from boxman.strategy.spots import (
    C_AND_E,
    COME,
    COME_ODDS,
    DONT_COME,
    DONT_PASS,
    FIELD,
    INDEX,
    PASS,
    SPOTS,
)

EVERYWHERE = len(SPOTS)


def draw(x: int) -> int:
    """The next of a row of numbers that look like chance; small enough for 64 bits."""
    return (x * 1103515245 + 12345) & 0x7FFFFFFF


def flats(t: Any) -> None:
    """Something on every line and in every area, so that odds and travellers come about."""
    for spot in (PASS, DONT_PASS, COME, DONT_COME):
        t.bet(spot, t.fit(spot, 10))


def everything_up(t: Any, what: int) -> None:
    """The same done to whatever lies there."""
    for spot in range(EVERYWHERE):
        if t.on(spot) > 0:
            if what == 0:
                t.turn_on(spot)
            elif what == 1:
                t.turn_off(spot)
            elif what == 2:
                t.stay_up(spot)
            elif what == 3:
                t.regress(spot, t.on(spot) - 1)
            else:
                t.press(spot, t.fit(spot, t.on(spot) + 1) - t.on(spot))


def all_reads(t: Any, spot: int) -> int:
    """A number that changes with everything a strategy can read."""
    seen = t.on(spot) + 3 * t.won(spot) + 5 * t.lost(spot) + 7 * t.won_total + 11 * t.lost_total
    seen += 13 * t.count(spot) + 17 * t.count(COME) + 19 * t.count(DONT_COME) + 23 * t.cash
    seen += 29 * t.net + 31 * t.rolls + 37 * t.shooters + 41 * t.shooter_rolls + 43 * t.puck
    seen += 47 * t.last + 53 * t.minimum + 59 * t.maximum + 61 * t.low(spot) + 67 * t.unit(spot)
    seen += 71 * (t.high(spot) % 1000)
    if t.last_hard:
        seen += 1
    if t.new_shooter:
        seen += 2
    if t.working(spot):
        seen += 4
    if t.offers(spot):
        seen += 8
    if t.coming_out:
        seen += 16
    return seen


@strategy(x=12345, always=0)
def wild(t: Any) -> None:
    """Anything anywhere, by numbers drawn from its own variable."""
    if t.always == 1 or (t.x >> 9) % 4 != 0:
        flats(t)
    for _ in range(1 + (t.x >> 8) % 6):
        t.x = draw(t.x)
        spot = (t.x >> 8) % EVERYWHERE
        t.x = draw(t.x)
        what = (t.x >> 8) % 26
        t.x = draw(t.x)
        r = t.x >> 8
        if what < 7:
            t.bet(spot, t.fit(spot, r % 40))
            if r % 3 == 0:
                t.regress(spot, t.on(spot) - 1)
        elif what < 11:
            t.bet(spot, r % 60 - 1)
        elif what == 11:
            t.press(spot, t.unit(spot) * (r % 4))
        elif what == 12:
            t.press(spot, r % 20)
        elif what == 13:
            t.regress(spot, t.low(spot))
        elif what == 14:
            t.regress(spot, r % 30 - 1)
        elif what == 15:
            t.down(spot)
        elif what == 16:
            t.turn_on(spot)
        elif what == 17:
            t.turn_off(spot)
        elif what == 18:
            t.stay_up(spot)
        elif what == 19:
            t.odds(r % 5)
        elif what == 20:
            t.odds_max()
        elif what == 21:
            t.odds_on(PASS, r % 12)
        elif what == 22:
            t.bet(spot, t.high(spot) % 300 if r % 2 == 0 else t.high(spot) + t.unit(spot))
            t.bet(C_AND_E, 8)
            t.regress(C_AND_E, 3)
        elif what == 23:
            everything_up(t, r % 5)
        else:
            t.x = (t.x + all_reads(t, spot)) & 0x7FFFFFFF


CALLED = tuple(
    INDEX[spot]
    for spot in SPOTS
    if spot.partition(".")[0] in ("place", "buy", "lay", "hard", "big") or spot == "any_hard"
)


@strategy(x=99)
def calling(t: Any) -> None:
    """Wagers that may be called on and off, and calls all the time."""
    flats(t)
    t.odds(1)
    for spot in CALLED:
        t.x = draw(t.x)
        r = t.x >> 8
        if r % 3 == 0:
            t.bet(spot, t.fit(spot, 10))
        elif r % 9 == 1:
            t.turn_on(spot)
        elif r % 9 == 2:
            t.turn_off(spot)
    for number in range(13):
        if COME_ODDS[number] >= 0:
            t.x = draw(t.x)
            r = t.x >> 8
            if r % 4 == 0:
                t.turn_on(COME_ODDS[number])
            elif r % 4 == 1:
                t.turn_off(COME_ODDS[number])


@strategy(x=7)
def leaving(t: Any) -> None:
    """A shooter who now and then has no line wager while a point is on."""
    t.x = draw(t.x)
    r = t.x >> 8
    if t.coming_out:
        t.bet(PASS, 10)
    elif r % 9 == 0:
        t.down(PASS)
        t.bet(COME, 10)
        if r % 4 > 0 and t.puck != 9:
            t.bet(PASS, 6)
            t.bet(PASS, 1 + r % 6)
            t.odds(1)
            t.press(PASS, 5)
    else:
        t.bet(COME, 10)
        t.odds(1)
    t.bet(FIELD, 5)


def with_variables(chosen: Strategy, **variables: int) -> Strategy:
    """The same strategy, its variables beginning with other numbers."""
    return Strategy(chosen.function, {**chosen.variables, **variables}, chosen.name)


steady = with_variables(wild, always=1)
"""The same with a line wager at every come-out, so that its player goes on shooting."""


def figures(played: Played) -> tuple[Any, ...]:
    """What the reference says of a session."""
    return (
        *(played.felt, played.rolls, played.seven_outs, played.end),
        *(played.drawdown, played.staked, played.net),
    )


def lane(run: Run, place: int) -> tuple[Any, ...]:
    """What a kernel says of a session."""
    lanes = run.lanes
    return (
        *(run.felt[place], lanes.rolls[place], lanes.sevens[place]),
        (*ENDS, "error")[lanes.ending[place]],
        *(lanes.drawdown[place], lanes.staked[place], lanes.net[place]),
    )


def refusals(played: Played | Result) -> dict[tuple[str, str], int]:
    """Refusals by code and spot."""
    found: dict[tuple[str, str], int] = {}
    for each in played.refusals:
        found[each.code, each.spot] = found.get((each.code, each.spot), 0) + each.count
    return found


def counted(run: Run) -> dict[tuple[str, str], int]:
    """The same of the kernel, wherever the puck was."""
    found: dict[tuple[str, str], int] = {}
    for (code, spot, _), (count, _) in (run.lanes.refused or {}).items():
        found[code, spot] = found.get((code, spot), 0) + count
    return found


def hold_together(
    kernel: Kernel, chosen: Strategy, seed: int, sessions: range, still_up: StillUp | None = None
) -> list[Played]:
    """Play these sessions on the reference and in the kernel; every figure must be the same.

    `still_up` knows already what some wagers of such sessions are worth."""
    found = []
    still_up = still_up or StillUp(kernel.session)
    valued = kernel.session.end == VALUE
    for number in sessions:
        run = kernel.run(seed, number, 1)
        played = play(chosen, kernel.session, stream(seed, number))
        place = f"{kernel.session} seed {seed} session {number}"
        if run.error[0] == LAPSED:
            # A point that lapses is left to the reference, by whoever uses the kernel.
            lasts = opened(kernel.session)[0].procedure.no_shooter.point_lasts
            assert kernel.session.shooter == "self", place
            assert lasts is not None, place
            found.append(played)
            continue
        assert lane(run, 0) == figures(played), place
        assert counted(run) == refusals(played), place
        assert not run.error[0]
        assert (still_up.value(run.left) if valued else None) == played.value, place
        found.append(played)
    # Nothing is left lying about from the session before.
    more = range(sessions.start, sessions.stop + 6)
    together = kernel.run(seed, more.start, len(more))
    left: Counter[LeftUp] = Counter()
    for place, number in enumerate(more):
        alone = kernel.run(seed, number, 1)
        left.update(alone.left)
        assert lane(together, place) == lane(alone, 0), (seed, number)
    assert together.left == left
    return found
