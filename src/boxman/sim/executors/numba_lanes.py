"""Sessions on an automaton, compiled: 64 side by side, twenty rolls at a time.

A block of twenty rolls runs on the quick form without asking any question. A lane whose money fell
below the margin in it, or which came to a stop, is put back to the start of the block and plays it
again on the exact form; so does the last roll of every session, after which nothing is bet. Needs
Numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boxman.sim.compiled import compiled, part
from boxman.sim.dice import BLOCK
from boxman.sim.dice_numba import LANES, fill20, fill_lanes
from boxman.sim.executors.numpy_lanes import Visits, exact_form, no_sessions, stops_in_words
from boxman.sim.executors.tables import (
    ACT,
    AGAIN,
    COLUMNS,
    END,
    FIRST,
    GAINED,
    LANDED,
    LEAST,
    LEFT,
    LEFT_AT,
    NEXT,
    PRE,
    SEVEN,
    SEVEN_BIT,
    STAKED,
    STILL_UP,
    UP,
    WORTH,
    Tables,
)
from boxman.sim.executors.vector_step import step as vector_step
from boxman.sim.lanes import ROWS, Lanes
from boxman.strategy import ends

# An intrinsic is called in compiled code without its first argument.
step: Any = vector_step
I32, I64, U64 = np.int32, np.int64, np.uint64
stopped = part(ends.stopped)
BY_WIN = ends.BY_WIN
STAKES = I32((1 << SEVEN_BIT) - 1)
SEVENS = I32(SEVEN_BIT)


@compiled
def play_exactly(form: Any, limits: Any, rolls: Any, stop: Any, lane: Any, seen: Any) -> Any:
    """Play the rolls of a block before `stop` on the exact form; True when the session ended.

    `lane` holds row, cash, gap, drawdown, staked, sevens, rolls, then what `Lanes` wants of an
    ended session: net, ending, landed.
    """
    places, bands, felt, down, kinds = form
    many = len(places) // len(felt)
    bankroll, most, shooters, win, loss = limits
    row, cash, gap, deepest = lane[0], lane[1], lane[2], lane[3]
    staked, sevens, done = lane[4], lane[5], lane[6]
    before = cash + felt[row]
    for number in range(stop):
        place = row * many + kinds[rolls[number]]
        if seen is not None:
            seen[0][place] += 1
        cash += I64(places[place, PRE])
        staked += I64(places[place, AGAIN])
        sevens += I64(places[place, SEVEN])
        done += 1
        now = cash + I64(places[place, WORTH])
        gap = max(gap - (now - before), 0)
        deepest = max(deepest, gap)
        landed = I64(places[place, LANDED])
        won = now - bankroll
        if len(down) > 0:
            won = cash + down[landed, GAINED] - bankroll
        ending = I64(stopped(done, sevens, now - bankroll, won, most, shooters, win, loss))
        if ending == BY_WIN and len(down) > 0:
            if seen is not None:
                seen[2][landed] += 1
            now = bankroll + won + down[landed, STILL_UP]
            landed = down[landed, LEFT_AT]
        if ending < 0:
            band = I64(places[place, FIRST])
            while cash < I64(bands[band, LEAST]):
                band += 1
            if seen is not None:
                seen[1][band] += 1
            cash += I64(bands[band, ACT])
            staked += I64(bands[band, STAKED])
            row = I64(bands[band, NEXT])
            before = cash + I64(bands[band, UP])
            gap += now - before
            now = before
            ending = I64(bands[band, END])
            landed = I64(bands[band, LEFT])
        if ending >= 0:
            lane[3], lane[4], lane[5], lane[6] = max(deepest, gap), staked, sevens, done
            lane[7], lane[8], lane[9] = now - bankroll, ending, landed
            return True
    lane[0], lane[1], lane[2], lane[3] = row, cash, gap, deepest
    lane[4], lane[5], lane[6] = staked, sevens, done
    return False


@compiled
def exact_sessions(
    form: Any, limits: Any, start: Any, seed: Any, first: Any, out: Any, seen: Any
) -> None:
    """Whole sessions on the exact form, one after the other; `seen` counts where they went."""
    rolls = np.empty(BLOCK, np.uint8)
    lane = np.zeros(10, I64)
    for number in range(out.shape[1]):
        begin_lane(start, limits, lane)
        block = 0
        ended = False
        while not ended:
            fill20(U64(seed), U64(first + U64(number)), U64(block), rolls)
            ended = play_exactly(form, limits, rolls, BLOCK, lane, seen)
            block += 1
        end_lane(lane, out, number)


@compiled
def begin_lane(start: Any, limits: Any, lane: Any) -> None:
    """A lane after the strategy's first act."""
    row, cash, staked, paid = start
    lane[:] = 0
    lane[0], lane[1], lane[4] = row, cash, staked
    lane[2] = paid


@compiled
def end_lane(lane: Any, out: Any, number: Any) -> None:
    """Write an ended session, in the order of `Lanes`."""
    out[0, number] = lane[7]
    out[1, number] = lane[6]
    out[2, number] = lane[5]
    out[3, number] = lane[8]
    out[4, number] = lane[3]
    out[5, number] = lane[4]
    out[6, number] = lane[9]


@compiled
def last_roll(
    form: Any, limits: Any, margin: Any, rolls: Any, lanes: Any, alive: Any, out: Any, at: Any
) -> None:
    """The last roll of every living lane, after which nobody bets: it ends with its rolls."""
    places, _, felt, _, kinds = form
    many = len(places) // len(felt)
    for k in range(LANES):
        if alive[k]:
            row = lanes[0, k] // I32(COLUMNS)
            cash = I64(lanes[1, k]) + margin
            place = row * many + kinds[rolls[k]]
            now = cash + places[place, PRE] + places[place, WORTH]
            fallen = lanes[3, k] - (now - cash - felt[row])
            out[0, at + k] = now - limits[0]
            out[1, at + k] = limits[1]
            out[2, at + k] = lanes[8, k] + places[place, SEVEN]
            out[3, at + k] = 0
            out[4, at + k] = max(I64(lanes[4, k]), fallen)
            out[5, at + k] = lanes[7, k] + places[place, AGAIN]
            out[6, at + k] = places[place, LANDED]


@compiled
def replay_block(
    form: Any,
    limits: Any,
    margin: Any,
    rolls: Any,
    quick: Any,
    done: Any,
    k: Any,
    saved: Any,
    lanes: Any,
    lane: Any,
    column: Any,
) -> Any:
    """Play a block again for one lane, from how it was before; True when its session ended."""
    felt = form[2]
    lane[0] = saved[0, k] // COLUMNS
    lane[1] = saved[1, k] + margin
    lane[2] = saved[3, k]
    lane[3] = saved[4, k]
    lane[4] = saved[7, k]
    lane[5] = saved[8, k]
    lane[6] = done
    for i in range(quick):
        column[i] = rolls[i, k]
    lanes[5, k] = 0
    if play_exactly(form, limits, column, quick, lane, None):
        return True
    lanes[0, k] = lane[0] * COLUMNS
    lanes[1, k] = lane[1] - margin
    lanes[3, k] = lane[2]
    lanes[4, k] = lane[3]
    lanes[6, k] = lane[1] + felt[lane[0]] - limits[0]
    lanes[7, k] = lane[4]
    lanes[8, k] = lane[5]
    return False


@compiled
def quick_sessions(
    form: Any,
    limits: Any,
    start: Any,
    move: Any,
    effect: Any,
    fee: Any,
    shift: Any,
    margin: Any,
    stops: Any,
    seed: Any,
    first: Any,
    out: Any,
) -> Any:
    """Whole sessions on the quick form, in 64 lanes; how many blocks were played again."""
    most, shooters = limits[1], limits[2]
    rest = I32(move.shape[0] - COLUMNS)
    words = np.empty((4, LANES), np.uint32)
    rolls = np.empty((BLOCK, LANES), np.uint8)
    column = np.empty(BLOCK, np.uint8)
    # Fields 0 to 6 as `step` has them, then stakes and seven-outs of the blocks before.
    lanes = np.zeros((9, LANES), I32)
    saved = np.zeros((9, LANES), I32)
    alive = np.zeros(LANES, np.bool_)
    lane = np.zeros(10, I64)
    replayed = 0
    for group in range(0, out.shape[1], LANES):
        living = min(LANES, out.shape[1] - group)
        for k in range(LANES):
            alive[k] = k < living
            lanes[0, k] = start[0] * COLUMNS if alive[k] else rest
            lanes[1, k] = start[1] - margin if alive[k] else 0
            lanes[3, k] = start[3]
            lanes[4, k] = 0
            lanes[6, k] = -start[3] if alive[k] else 0
            lanes[7, k] = start[2]
            lanes[8, k] = 0
        done = 0
        block = 0
        while living > 0:
            fill_lanes(U64(seed), U64(first + U64(group)), U64(block), words, rolls)
            block += 1
            quick = min(BLOCK, most - 1 - done)
            if quick > 0:
                lanes[2] = 0
                lanes[5] = 0
                saved[:] = lanes
                step(move, effect, fee, shift, stops, rolls, I64(quick), lanes)
                latched = I32(0)
                for k in range(LANES):
                    latched |= lanes[2, k]
                if shooters > 0:
                    for k in range(LANES):
                        if alive[k] and lanes[8, k] + (lanes[5, k] >> SEVENS) >= shooters:
                            lanes[2, k] = I32(-1)
                            latched = I32(-1)
                if latched < 0:
                    for k in range(LANES):
                        if lanes[2, k] < 0 and alive[k]:
                            replayed += 1
                            if replay_block(
                                form,
                                limits,
                                margin,
                                rolls,
                                quick,
                                done,
                                k,
                                saved,
                                lanes,
                                lane,
                                column,
                            ):
                                end_lane(lane, out, group + k)
                                alive[k] = False
                                living -= 1
                                lanes[0, k] = rest
                                lanes[1, k] = 0
                                lanes[6, k] = 0
                for k in range(LANES):
                    lanes[7, k] += lanes[5, k] & STAKES
                    lanes[8, k] += lanes[5, k] >> SEVENS
                done += quick
            if quick < BLOCK:
                last_roll(form, limits, margin, rolls[quick], lanes, alive, out, group)
                living = 0
    return replayed


class NumbaAutomaton:
    """Plays sessions on tables, compiled."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def play(self, seed: int, first: int, count: int) -> Lanes:
        """Sessions `first` to `first + count - 1`."""
        tables = self.tables
        if tables.ended >= 0:
            return no_sessions(tables, count)
        out = np.empty((ROWS, count), I64)
        form, limits, start = exact_form(tables)
        quick = tables.quick
        if quick is None:
            exact_sessions(form, limits, start, U64(seed), U64(first), out, None)
        else:
            quick_sessions(
                form,
                limits,
                start,
                quick.move,
                quick.effect,
                quick.fee if len(quick.fee) else None,
                quick.shift,
                quick.margin,
                stops_in_words(tables) if tables.stop_win or tables.stop_loss else None,
                U64(seed),
                U64(first),
                out,
            )
        return Lanes.of(out, unit=tables.unit)

    def visits(self, seed: int, count: int) -> Visits:
        """Where the sessions from 0 on went."""
        tables = self.tables
        seen = Visits(tables)
        if tables.ended >= 0:
            seen.lanes = no_sessions(tables, count)
            return seen
        out = np.empty((ROWS, count), I64)
        form, limits, start = exact_form(tables)
        where = (seen.places, seen.bands, seen.down)
        exact_sessions(form, limits, start, U64(seed), U64(0), out, where)
        seen.lanes = Lanes.of(out, unit=tables.unit)
        return seen
