"""Whole sessions in compiled code: turn after turn, the strategy called by its address.

The rules of a session are those of `strategy.reference`: stop checks, the strategy's acts, broke,
the dice in a hand that may throw, the roll. Needs Numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boxman.sim.kernel import words as w
from boxman.sim.kernel.acts import give_back, is_eligible, open_gates
from boxman.sim.kernel.desk import ACTS_IN_A_TURN, BLOCK, BLOCKS
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
)
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


@inlined
def is_bare(seat: Any) -> Any:
    """Whether nothing of this seat's is up."""
    return bits(seat, w.UP) | bits(seat, w.UP + 1) == NONE


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


@inlined
def wrong_or_broke(seat: Any, said: Any) -> Any:
    """How a turn that had too many acts, or chips too few, ends the session, or -1."""
    if said & w.ACTS > ACTS_IN_A_TURN:
        return BY_ERROR
    return BROKE if said >= w.SHORT and is_bare(seat) else -1


@inlined
def next_shooters(shooters: Any, seen: Any, rolls: Any) -> Any:
    """Seven-outs after a roll, without a branch: nobody foresees one."""
    more = ((shooters & w.SHOOTERS_SEEN) + 1) | rolls << w.SHOOTER_ROLLS_AT
    return more if seen & w.NEW_SHOOTER else shooters


@inlined
def note_worth(seat: Any, peak: Any, lowest: Any, drawdown: Any) -> Any:
    """The peak, the lowest and the deepest fall with the worth as it is now."""
    worth = load(seat, w.WORTH)
    peak = max(peak, worth)
    return peak, min(lowest, worth), max(drawdown, peak - worth)


@inlined
def play_plainly(
    seat: Any, house: Any, turn: Any, most_rolls: Any, seed: Any, session: Any, dice: Any
) -> Any:
    """A session from its start that only its rolls can end, or a rail too short: how it ended."""
    rows, rolls = rows_of(0), 0
    peak = lowest = load(seat, w.WORTH)
    drawdown = shooters = 0
    ended = -1
    while rolls < most_rolls and ended < 0:
        first = rolls
        last = min(most_rolls, rolls + DRAWN)
        call_engine(load(seat, w.FILL), seed, session, rolls // BLOCK, dice)
        while rolls < last:
            store(seat, w.TURN, 0)
            if rarely(call_turn(turn, seat) != 0):
                ended = BY_ERROR
                break
            said = load(seat, w.TURN)
            if rarely(said > ACTS_IN_A_TURN):
                ended = wrong_or_broke(seat, said)
                if ended >= 0:
                    break
            roll = byte(dice, rolls - first)
            rolls += 1
            rows, seen, changed = settle(seat, house, roll, rows, rolls)
            if changed:
                peak, lowest, drawdown = note_worth(seat, peak, lowest, drawdown)
            shooters = next_shooters(shooters, seen, rolls)
            store(seat, w.SHOOTERS, shooters)
    peak, lowest, drawdown = note_worth(seat, peak, lowest, drawdown)
    store(seat, w.PEAK, peak)
    store(seat, w.LOWEST, lowest)
    store(seat, w.DRAWDOWN, drawdown)
    return BY_ROLLS if ended < 0 else ended


@kernel
def play_fully(
    seat: Any, house: Any, turn: Any, options: Any, seed: Any, session: Any, dice: Any
) -> Any:
    """A session with all its options from wherever the seat stands: how it ended."""
    most_rolls = load(options, MOST_ROLLS)
    rolls = load(seat, w.STATE) >> w.ROLLS_AT
    peak, lowest, drawdown = load(seat, w.PEAK), load(seat, w.LOWEST), load(seat, w.DRAWDOWN)
    number = -1
    # A seat that has acted begins with its roll.
    acted = load(seat, w.ACTED) != 0
    while True:
        if not acted:
            peak, lowest, drawdown = note_worth(seat, peak, lowest, drawdown)
            ended = BY_ROLLS if rolls >= most_rolls else stopped(seat, options)
            if ended >= 0:
                break
            store(seat, w.TURN, 0)
            if call_turn(turn, seat):
                ended = BY_ERROR
                break
            ended = wrong_or_broke(seat, load(seat, w.TURN))
            if ended >= 0:
                break
        acted = False
        if load(options, SELF_SHOOTS) and not ready(seat, house):
            ended = NO_SHOOTER
            break
        if number < 0 or rolls - number * BLOCK == DRAWN:
            number = rolls // BLOCK
            call_engine(load(seat, w.FILL), seed, session, number, dice)
        roll = byte(dice, rolls - number * BLOCK)
        rolls += 1
        seen = settle(seat, house, roll, rows_of(puck_of(seat)), rolls)[1]
        store(seat, w.SHOOTERS, next_shooters(load(seat, w.SHOOTERS), seen, rolls))
    peak, lowest, drawdown = note_worth(seat, peak, lowest, drawdown)
    store(seat, w.PEAK, peak)
    store(seat, w.LOWEST, lowest)
    store(seat, w.DRAWDOWN, drawdown)
    return ended


@kernel
def stopped(seat: Any, options: Any) -> Any:
    """What ends a session before the next turn, other than its rolls, or -1."""
    shooters = load(seat, w.SHOOTERS) & w.SHOOTERS_SEEN
    if load(options, MOST_SHOOTERS) and shooters >= load(options, MOST_SHOOTERS):
        return BY_SHOOTERS
    net = load(seat, w.WORTH) - load(seat, w.BANKROLL)
    if load(options, STOP_WIN) and net >= load(options, STOP_WIN):
        return BY_WIN
    if load(options, STOP_LOSS) and net <= -load(options, STOP_LOSS):
        return BY_LOSS
    return -1


@kernel
def run_out(seat: Any, house: Any, options: Any, seed: Any, session: Any, dice: Any) -> None:
    """Throw on, without the strategy, until nothing is up; nothing is made again."""
    rolls = load(seat, w.STATE) >> w.ROLLS_AT
    store(seat, w.STAYS, 0)
    store(seat, w.STAYS + 1, 0)
    number = -1
    for _ in range(load(options, RUN_OUT)):
        if is_bare(seat) or (load(options, SELF_SHOOTS) and not ready(seat, house)):
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
    most_rolls = load(options, MOST_ROLLS)
    special = load(options, MOST_SHOOTERS) | load(options, STOP_WIN) | load(options, STOP_LOSS)
    special |= load(options, SELF_SHOOTS)
    words, own_starts = starts.shape[1], starts.shape[0] > 1
    plainly = special == 0 and not own_starts
    room = np.empty(DRAWN, np.uint8)
    dice = np.int64(room.ctypes.data)
    for number in range(found.shape[1]):
        start = np.int64(starts.ctypes.data) + (8 * words * number if own_starts else 0)
        for word in range(words):
            store(seat, word, load(start, word))
        store(seat, w.HOUSE, rules)
        store(seat, w.REFUSED, np.int64(counts.ctypes.data))
        for place in range(desk.shape[0]):
            store(seat, w.DESK[place], desk[place])
        session = np.int64(sessions[number])
        store(seat, w.SESSION, session)
        if plainly:
            ended = play_plainly(seat, rules, turn, most_rolls, seed, session, dice)
        else:
            ended = play_fully(seat, rules, turn, options, seed, session, dice)
        rolls = load(seat, w.STATE) >> w.ROLLS_AT
        shooters = load(seat, w.SHOOTERS) & w.SHOOTERS_SEEN
        if load(options, RUN_OUT) and ended != BY_ERROR:
            run_out(seat, rules, options, seed, session, dice)
        found[0, number] = load(seat, w.CASH)
        found[1, number] = load(seat, w.WORTH) - load(seat, w.CASH)
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
