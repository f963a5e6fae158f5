"""Whole sessions in compiled code: turn after turn, the strategy called by its address.

The rules of a session are those of `strategy.reference`: stop checks, the strategy's acts, broke,
the dice in a hand that may throw, the roll. Needs Numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boxman.sim.kernel import words as w
from boxman.sim.kernel.acts import give_back, is_eligible, open_gates
from boxman.sim.kernel.desk import BLOCK, BLOCKS
from boxman.sim.kernel.jit import entry, inlined, kernel
from boxman.sim.kernel.memory import bits, byte, call_engine, call_turn, load, lowest_bit, store
from boxman.sim.kernel.settle import rows_of, settle
from boxman.sim.kernel.stakes import puck_of

U64 = np.uint64
ONE = U64(1)
NONE = U64(0)
DRAWN = BLOCK * BLOCKS
"""Rolls drawn at a time."""

MOST_ROLLS, MOST_SHOOTERS, STOP_WIN, STOP_LOSS, SELF_SHOOTS, RUN_OUT, OPTIONS = range(7)
"""What a session asks for, one word each."""
BY_ROLLS, BY_SHOOTERS, BY_WIN, BY_LOSS, BROKE, NO_SHOOTER, BY_ERROR = range(7)
"""How a session ends; the first six are those of `strategy.session.ENDS`."""
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
        return load(seat, w.FELT) != 0
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


@inlined
def play(seat: Any, house: Any, turn: Any, options: Any, seed: Any, session: Any, dice: Any) -> Any:
    """One session from where the seat stands; how it ended."""
    most_rolls = load(options, MOST_ROLLS)
    limits = load(options, MOST_SHOOTERS) | load(options, STOP_WIN) | load(options, STOP_LOSS)
    self_shoots = load(options, SELF_SHOOTS) != 0
    rolls, rows = load(seat, w.STATE) >> w.ROLLS_AT, rows_of(puck_of(seat))
    peak, lowest, drawdown = load(seat, w.PEAK), load(seat, w.LOWEST), load(seat, w.DRAWDOWN)
    shooters = load(seat, w.SHOOTERS)
    at = DRAWN
    if rolls % BLOCK:
        at = rolls % BLOCK
        call_engine(load(seat, w.FILL), seed, session, rolls // BLOCK, dice)
    # A seat that has acted begins with its roll: its first turn is an idle one.
    acted = load(seat, w.ACTED) != 0
    changed = not acted
    stops = 0 if acted else limits
    next_turn = load(seat, w.IDLE) if acted else turn
    while True:
        if changed:
            worth = load(seat, w.CASH) + load(seat, w.FELT)
            peak = max(peak, worth)
            lowest = min(lowest, worth)
            drawdown = max(drawdown, peak - worth)
        if rolls >= most_rolls:
            ended = BY_ROLLS
            break
        if stops:
            ended = stopped(seat, options)
            if ended != BY_ROLLS:
                break
        store(seat, w.TURN, 0)
        if call_turn(next_turn, seat):
            ended = BY_ERROR
            break
        next_turn, stops = turn, limits
        if load(seat, w.TURN) >= w.SHORT and load(seat, w.FELT) == 0:
            ended = BROKE
            break
        if self_shoots and not ready(seat, house):
            ended = NO_SHOOTER
            break
        if at == DRAWN:
            call_engine(load(seat, w.FILL), seed, session, rolls // BLOCK, dice)
            at = 0
        rolls += 1
        rows, seen, changed = settle(seat, house, byte(dice, at), rows, rolls)
        at += 1
        # Without a branch: nobody foresees a seven-out.
        next_shooter = ((shooters & w.SHOOTERS_SEEN) + 1) | rolls << w.SHOOTER_ROLLS_AT
        shooters = next_shooter if seen & w.NEW_SHOOTER else shooters
        store(seat, w.SHOOTERS, shooters)
    worth = load(seat, w.CASH) + load(seat, w.FELT)
    peak = max(peak, worth)
    store(seat, w.PEAK, peak)
    store(seat, w.LOWEST, min(lowest, worth))
    store(seat, w.DRAWDOWN, max(drawdown, peak - worth))
    return ended


@kernel
def stopped(seat: Any, options: Any) -> Any:
    """What ends a session before the next turn, other than its rolls."""
    shooters = load(seat, w.SHOOTERS) & w.SHOOTERS_SEEN
    if load(options, MOST_SHOOTERS) and shooters >= load(options, MOST_SHOOTERS):
        return BY_SHOOTERS
    net = load(seat, w.CASH) + load(seat, w.FELT) - load(seat, w.BANKROLL)
    if load(options, STOP_WIN) and net >= load(options, STOP_WIN):
        return BY_WIN
    if load(options, STOP_LOSS) and net <= -load(options, STOP_LOSS):
        return BY_LOSS
    return BY_ROLLS


@kernel
def run_out(seat: Any, house: Any, options: Any, seed: Any, session: Any, dice: Any) -> None:
    """Throw on, without the strategy, until nothing is up; nothing is made again."""
    rolls = load(seat, w.STATE) >> w.ROLLS_AT
    store(seat, w.STAYS, 0)
    store(seat, w.STAYS + 1, 0)
    number = -1
    for _ in range(load(options, RUN_OUT)):
        if load(seat, w.FELT) == 0 or (load(options, SELF_SHOOTS) and not ready(seat, house)):
            break
        if number < 0 or rolls - number * BLOCK == DRAWN:
            number = rolls // BLOCK
            call_engine(load(seat, w.FILL), seed, session, number, dice)
        roll = byte(dice, rolls - number * BLOCK)
        settle(seat, house, roll, rows_of(puck_of(seat)), rolls + 1)
        rolls += 1


@entry
def run_sessions(
    seats: Any,
    house: Any,
    counts: Any,
    starts: Any,
    turn: Any,
    desk: Any,
    chosen: Any,
    seed: Any,
    sessions: Any,
    found: Any,
) -> None:
    """Sessions by their numbers, all from one start or each from its own; figures for each."""
    seat = np.int64(seats.ctypes.data)
    rules = np.int64(house.ctypes.data)
    options = np.int64(chosen.ctypes.data)
    room = np.empty(DRAWN, np.uint8)
    dice = np.int64(room.ctypes.data)
    for number in range(found.shape[1]):
        seats[:] = starts[number if starts.shape[0] > 1 else 0]
        store(seat, w.HOUSE, rules)
        store(seat, w.REFUSED, np.int64(counts.ctypes.data))
        for place in range(desk.shape[0]):
            store(seat, w.DESK[place], desk[place])
        session = np.int64(sessions[number])
        store(seat, w.SESSION, session)
        ended = play(seat, rules, turn, options, seed, session, dice)
        rolls = load(seat, w.STATE) >> w.ROLLS_AT
        shooters = load(seat, w.SHOOTERS) & w.SHOOTERS_SEEN
        if load(options, RUN_OUT) and ended != BY_ERROR:
            run_out(seat, rules, options, seed, session, dice)
        found[0, number] = load(seat, w.CASH)
        found[1, number] = load(seat, w.FELT)
        found[2, number] = rolls
        found[3, number] = shooters
        found[4, number] = ended
        found[5, number] = load(seat, w.DRAWDOWN)
        found[6, number] = load(seat, w.STAKED)
        found[7, number] = load(seat, w.LOWEST)
        found[8, number] = load(seat, w.PEAK)
        found[9, number] = 0
        if ended == BY_ERROR:
            found[9, number] = max(1, load(seat, w.TURN) >> w.ERROR_AT)
