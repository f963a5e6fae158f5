"""Whole sessions in compiled code: turn after turn, the strategy called by its address.

The rules of a session are those of `strategy.course`: stop checks, the strategy's acts, broke, the
dice in a hand that may throw, the roll. Needs Numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boxman.sim.kernel import words as w
from boxman.sim.kernel.acts import (
    LAPSED,
    SPOTS_ONLY,
    give_back,
    is_bare,
    is_eligible,
    lapses,
    open_gates,
)
from boxman.sim.kernel.desk import BLOCK_ROLLS, BLOCKS, ROOM
from boxman.sim.kernel.jit import entry, inlined, kernel
from boxman.sim.kernel.memory import (
    bits,
    byte,
    call_engine,
    call_turn,
    load,
    lowest_bit,
    rarely,
    store,
    store_bits,
)
from boxman.sim.kernel.settle import rows_of, settle, settle_by_call
from boxman.sim.kernel.stakes import place_of, puck_of, term_of
from boxman.strategy import ends
from boxman.strategy.ends import BROKE, BY_ROLLS, BY_WIN, NO_SHOOTER

U64 = np.uint64
ONE = U64(1)
NONE = U64(0)
SHORT, SHOOTS = U64(w.SHORT), U64(w.SHOOTS)
HEEDED_AT = U64(w.HEEDED_AT)
DRAWN = BLOCK_ROLLS * BLOCKS
"""Rolls drawn at a time."""

MOST_ROLLS, MOST_SHOOTERS, STOP_WIN, STOP_LOSS, TAKES_DOWN, SELF_SHOOTS, RUN_OUT = range(7)
OPTIONS = 7
"""What a session asks for, one word each."""
BY_ERROR = len(ends.ENDS)
"""How a session ends that went wrong in compiled code."""
stopped_by = kernel(ends.stopped)
STICK_THROWS, CANCEL_POINT = w.NOBODYS.index("stick throws"), w.NOBODYS.index("cancel point")


@kernel
def ready(seat: Any, house: Any) -> Any:
    """The dice are in a hand that may throw them; False if nobody will throw."""
    if is_eligible(seat, house):
        store(seat, w.SHOOTING, 1)
        return True
    store(seat, w.SHOOTING, 0)
    nobody = load(house, w.NOBODY)
    if nobody == STICK_THROWS:
        return not is_bare(seat)
    if nobody == CANCEL_POINT and puck_of(seat):
        store(seat, w.STATE, load(seat, w.STATE) & ~(w.BYTE << w.PUCK_AT))
        for word in range(2):
            rest = bits(seat, w.UP + word) & bits(house, w.CANCELLED + word)
            while rest != NONE:
                spot = lowest_bit(rest) + word * 64
                rest &= rest - ONE
                give_back(seat, house, spot, 0)
        open_gates(seat, house)
    return False


@kernel
def attend(seat: Any, house: Any, at: Any, hit0: Any, hit1: Any) -> Any:
    """A roll that has a mark, or on which odds sleep: how the session ends before it, or -1.

    Where a point lapses with the wagers the session is left to the reference.
    """
    if load(seat, w.ERROR):
        return BY_ERROR
    if hit1 & SHORT != NONE:
        store_bits(seat, w.UP + 1, bits(seat, w.UP + 1) & ~SHORT)
        if is_bare(seat):
            return BROKE
    if hit1 & SHOOTS != NONE and not ready(seat, house):
        return NO_SHOOTER
    if hit0 | (hit1 & ~(SHORT | SHOOTS)) != NONE:
        settle_by_call(seat, at)
    else:
        store(seat, w.DECIDED, 0)
        store(seat, w.DECIDED + 1, 0)
    if hit1 & SHOOTS != NONE:
        puck = (load(house, at + w.SEEN) >> w.PUCK_AT) & w.BYTE
        if lapses(seat, house, puck):
            store(seat, w.ERROR, LAPSED)
            return BY_ERROR
    return -1


@kernel
def removed(seat: Any, house: Any, taking: Any) -> Any:
    """What the rail gains when everything that may be taken down is; `taking` does it."""
    gained = 0
    for word in range(2):
        rest = bits(seat, w.UP + word) & SPOTS_ONLY[word]
        while rest != NONE:
            spot = lowest_bit(rest) + word * 64
            rest &= rest - ONE
            place = place_of(spot)
            flat = load(house, place + w.FLAT)
            alone = load(house, term_of(seat, spot) + w.FLAGS) & w.MAY_REMOVE
            # Odds come down with their flat.
            if alone or (flat >= 0 and load(house, term_of(seat, flat) + w.FLAGS) & w.MAY_REMOVE):
                gained += load(seat, w.STAKE + spot)
                if load(house, place + w.REFUND) and load(house, place + w.FEE_AT):
                    gained += load(seat, w.FEE + spot)
                if taking:
                    give_back(seat, house, spot, 0)
    if taking:
        open_gates(seat, house)
    return gained


@kernel
def stopped(seat: Any, house: Any, options: Any, rolls: Any) -> Any:
    """What ends a session before the next turn."""
    net = load(seat, w.WORTH) - load(seat, w.BANKROLL)
    won = net
    if load(options, TAKES_DOWN):
        won = load(seat, w.CASH) + removed(seat, house, False) - load(seat, w.BANKROLL)
    return stopped_by(
        rolls,
        load(seat, w.SHOOTERS),
        net,
        won,
        load(options, MOST_ROLLS),
        load(options, MOST_SHOOTERS),
        load(options, STOP_WIN),
        load(options, STOP_LOSS),
    )


@inlined
def play(
    seat: Any,
    house: Any,
    turn: Any,
    options: Any,
    stops: Any,
    seed: Any,
    session: Any,
    dice: Any,
) -> Any:
    """A session from its start: how it ended.

    Most rolls decide nothing and change nothing but the puck. Whatever else there is to look at
    waits for a roll that does, or for one with a mark: nothing else costs every roll its time.
    """
    most_rolls = load(options, MOST_ROLLS)
    rows, rolls = rows_of(0), 0
    peak = load(seat, w.WORTH)
    drawdown = 0
    ended = -1
    while rolls < most_rolls and ended < 0:
        drawn = dice - rolls
        last = min(most_rolls, rolls + DRAWN)
        call_engine(load(seat, w.FILL), seed, session, rolls // BLOCK_ROLLS, dice)
        while rolls < last:
            # Looked up before the turn, so that what the roll does is known at once after it.
            at = rows + load(house, w.ROW_OF + byte(drawn, rolls))
            touched0, touched1 = bits(house, at), bits(house, at + 1)
            seen = load(house, at + w.SEEN)
            if rarely(call_turn(turn, seat) != 0):
                ended = BY_ERROR
                break
            hit0 = bits(seat, w.UP) & touched0
            hit1 = bits(seat, w.UP + 1) & touched1
            rolls += 1
            if rarely(hit0 | hit1 != NONE):
                if rarely((hit0 & bits(house, at + w.SLEEPS)) | (hit1 >> HEEDED_AT) != NONE):
                    ended = attend(seat, house, at, hit0, hit1)
                    if ended >= 0:
                        break
                else:
                    settle(seat, house, at, hit0, hit1)
                store(seat, w.DECIDED_AT, rolls)
                worth = load(seat, w.WORTH)
                peak = max(peak, worth)
                drawdown = max(drawdown, peak - worth)
                # Without a branch: nobody foresees a seven-out.
                new_shooter = (seen >> w.NEW_SHOOTER_AT) & 1
                store(seat, w.SHOOTERS, load(seat, w.SHOOTERS) + new_shooter)
                store(seat, w.THROWN + new_shooter, rolls)
                if rarely(stops != 0):
                    store(seat, w.STATE, seen)
                    ended = stopped(seat, house, options, rolls)
                    last = rolls if ended >= 0 else last
            store(seat, w.STATE, seen)
            store(seat, w.ROLLS, rolls)
            rows = seen >> w.ROWS_AT
    if ended == BY_WIN and load(options, TAKES_DOWN):
        removed(seat, house, True)
    worth = load(seat, w.WORTH)
    peak = max(peak, worth)
    store(seat, w.DRAWDOWN, max(drawdown, peak - worth))
    return BY_ROLLS if ended < 0 else ended


@kernel
def run_out(seat: Any, house: Any, options: Any, seed: Any, session: Any, dice: Any) -> None:
    """Throw on, without the strategy, until nothing is up; nothing is made again."""
    rolls = load(seat, w.ROLLS)
    store(seat, w.STAYS, 0)
    store(seat, w.STAYS + 1, 0)
    number = -1
    for _ in range(load(options, RUN_OUT)):
        if is_bare(seat) or (load(options, SELF_SHOOTS) and not ready(seat, house)):
            break
        if number < 0 or rolls - number * BLOCK_ROLLS == DRAWN:
            number = rolls // BLOCK_ROLLS
            call_engine(load(seat, w.FILL), seed, session, number, dice)
        roll = byte(dice, rolls - number * BLOCK_ROLLS)
        settle_by_call(seat, rows_of(puck_of(seat)) + load(house, w.ROW_OF + roll))
        rolls += 1


@entry
def run_sessions(
    seats: Any,
    house: Any,
    counts: Any,
    start: Any,
    turn: Any,
    desk: Any,
    chosen: Any,
    seed: Any,
    sessions: Any,
    found: Any,
    left: Any,
) -> None:
    """Sessions by their numbers, all from one start: figures for each, and if there is room for
    it, the seat as it was left."""
    seat = np.int64(seats.ctypes.data)
    rules = np.int64(house.ctypes.data)
    options = np.int64(chosen.ctypes.data)
    stops = load(options, MOST_SHOOTERS) | load(options, STOP_WIN) | load(options, STOP_LOSS)
    begin = np.int64(start.ctypes.data)
    room = np.empty(ROOM, np.uint64)
    dice = np.int64(room.ctypes.data)
    for number in range(found.shape[1]):
        # Stakes and what is before them, and the variables; the rest is written before it is read.
        for word in range(w.COLLECTED):
            store(seat, word, load(begin, word))
        for word in range(w.VARIABLES, start.shape[0]):
            store(seat, word, load(begin, word))
        store(seat, w.HOUSE, rules)
        store(seat, w.REFUSED, np.int64(counts.ctypes.data))
        for place in range(desk.shape[0]):
            store(seat, w.DESK[place], desk[place])
        session = np.int64(sessions[number])
        store(seat, w.SESSION, session)
        ended = play(seat, rules, turn, options, stops, seed, session, dice)
        rolls = load(seat, w.ROLLS)
        shooters = load(seat, w.SHOOTERS)
        if load(options, RUN_OUT) and ended != BY_ERROR:
            run_out(seat, rules, options, seed, session, dice)
        found[0, number] = load(seat, w.WORTH) - load(seat, w.BANKROLL)
        found[1, number] = rolls
        found[2, number] = shooters
        found[3, number] = ended
        found[4, number] = load(seat, w.DRAWDOWN)
        found[5, number] = load(seat, w.STAKED)
        found[6, number] = load(seat, w.WORTH) - load(seat, w.CASH)
        found[7, number] = 0
        if ended == BY_ERROR:
            found[7, number] = max(1, load(seat, w.ERROR))
        if left.shape[0]:
            for word in range(left.shape[1]):
                left[number, word] = load(seat, word)
