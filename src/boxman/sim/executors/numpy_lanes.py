"""Sessions on an automaton in plain NumPy: thousands side by side, twenty rolls at a time.

The same tables and the same course as the compiled kernel: a block of rolls on the quick form, and
the lanes for which it may not hold once more on the exact form. This runs at once, without a
compiler.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from boxman.sim import dice
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
    Quick,
    Tables,
)
from boxman.sim.lanes import ROWS, Ints, Lanes
from boxman.strategy.ends import BY_LOSS, BY_ROLLS, BY_SHOOTERS, BY_WIN, GOES_ON

WIDTH = 16_384
"""Sessions side by side: enough to hide what a call of NumPy costs, few enough for the cache."""
STAKES = (1 << SEVEN_BIT) - 1
AHEAD = 5
"""Blocks of dice drawn together: the few words that must be redrawn cost many small calls."""
PAIR_WORDS = 1 << 15
"""Up to this size tables for two rolls at once are looked up from the cache next to the core."""


def stops_in_words(tables: Tables) -> Any:
    """The highest and the lowest net a session goes on with, as the quick form takes them.

    A stop too far away for its words is put nearer, and so is one that is counted on the rail where
    fees come back to it: there the exact form looks for the true one.
    """
    far = 1 << 30
    win, loss = (min(stop or far, far) for stop in (tables.stop_win, tables.stop_loss))
    return np.array([win - 1 - tables.refunds, 1 - loss], np.int32)


def exact_form(tables: Tables) -> tuple[Any, Any, Any]:
    """The exact form, the limits and the start as the kernels take them."""
    exact = tables.exact
    form = (exact.places, exact.bands, exact.felt, exact.down, exact.kind)
    limits = (tables.bankroll, tables.rolls, tables.shooters, tables.stop_win, tables.stop_loss)
    paid = tables.bankroll - tables.cash - int(exact.felt[tables.start])
    return form, limits, (tables.start, tables.cash, tables.staked, paid)


def no_sessions(tables: Tables, count: int) -> Lanes:
    """Sessions that end before their first roll: no wager could be made, or nobody throws."""
    rows = np.zeros((ROWS, count), np.int64)
    rows[0] = tables.cash + tables.start_up - tables.bankroll
    rows[3] = tables.ended
    rows[4] = -rows[0]
    rows[5] = tables.staked
    rows[6] = tables.start_left
    return Lanes.of(rows, unit=tables.unit)


def stopped_lanes(
    rolls: Ints,
    sevens: Ints,
    net: Ints,
    won: Ints,
    most: int,
    shooters: int,
    win: int,
    loss: int,
) -> Ints:
    """`stopped` for sessions side by side: the first check that holds, so the last is put first."""
    ending = np.full(len(net), GOES_ON)
    if loss:
        ending[-net >= loss] = BY_LOSS
    if win:
        ending[won >= win] = BY_WIN
    if shooters:
        ending[sevens >= shooters] = BY_SHOOTERS
    ending[rolls >= most] = BY_ROLLS
    return ending


class Visits:
    """How often each place was rolled in, and each band acted."""

    def __init__(self, tables: Tables) -> None:
        self.places = np.zeros(len(tables.exact.places), np.int64)
        self.bands = np.zeros(len(tables.exact.bands), np.int64)
        self.down = np.zeros(len(tables.exact.down), np.int64)
        """How often enough was won and what may be was taken down, by the felt before it."""
        self.lanes: Lanes | None = None
        """The sessions themselves, once they were played."""

    def count(self, places: Any, bands: Any) -> None:
        self.places += np.bincount(places, minlength=len(self.places))
        self.bands += np.bincount(bands, minlength=len(self.bands))


class _Group:
    """Sessions side by side. Fields of an ended session stay as its end left them."""

    def __init__(self, tables: Tables, first: int, count: int) -> None:
        self.tables = tables
        self.form, self.limits, (row, cash, staked, paid) = exact_form(tables)
        self.kinds = tables.exact.kinds
        self.sessions = np.arange(first, first + count, dtype=np.uint64)
        self.row = np.full(count, row, np.int64)
        self.cash = np.full(count, cash, np.int64)
        self.gap = np.full(count, paid, np.int64)
        self.deepest = np.zeros(count, np.int64)
        self.staked = np.full(count, staked, np.int64)
        self.sevens = np.zeros(count, np.int64)
        self.done = np.zeros(count, np.int64)
        self.out = np.zeros((ROWS, count), np.int64)
        self.first = first
        self.visits: Visits | None = None

    @property
    def fields(self) -> tuple[Ints, ...]:
        return (self.row, self.cash, self.gap, self.deepest, self.staked, self.sevens, self.done)

    def keep(self, alive: Any) -> None:
        """Go on with these lanes only."""
        self.sessions = self.sessions[alive]
        self.row, self.cash, self.gap, self.deepest, self.staked, self.sevens, self.done = (
            field[alive] for field in self.fields
        )

    def exactly(self, lanes: Ints, rolls: Any) -> Any:
        """Play these rolls in these lanes on the exact form; which lanes did not end."""
        places, bands, felt, down, kinds = self.form
        bankroll, *limits = self.limits
        row, cash, gap, deepest, stakes, sevens, done = (field[lanes] for field in self.fields)
        outs = (self.sessions[lanes] - np.uint64(self.first)).astype(np.int64)
        going = np.arange(len(lanes))
        alive = np.ones(len(lanes), bool)
        for number in range(len(rolls)):
            if not len(going):
                break
            at_place = row[going] * self.kinds + kinds[rolls[number][going]]
            place = places[at_place].T
            before = cash[going] + felt[row[going]]
            held = cash[going] + place[PRE]
            stakes[going] += place[AGAIN]
            sevens[going] += place[SEVEN]
            done[going] += 1
            now = held + place[WORTH]
            fallen = np.maximum(gap[going] - (now - before), 0)
            landed, net = place[LANDED], now - bankroll
            won = held + down[landed, GAINED] - bankroll if len(down) else net
            ending = stopped_lanes(done[going], sevens[going], net, won, *limits)
            stopped = ending >= 0
            if len(down):
                enough = ending == BY_WIN
                if self.visits is not None:
                    self.visits.down += np.bincount(landed[enough], minlength=len(down))
                now = np.where(enough, bankroll + won + down[landed, STILL_UP], now)
                landed = np.where(enough, down[landed, LEFT_AT], landed)
            numbers = place[FIRST]
            short = held < bands[numbers, LEAST]
            while short.any():
                numbers = numbers + short
                short = held < bands[numbers, LEAST]
            band = bands[numbers].T
            left = np.where(stopped, landed, band[LEFT])
            after = held + band[ACT]
            worth_after = after + band[UP]
            deepest[going] = np.maximum(deepest[going], fallen)
            stakes[going] += np.where(stopped, 0, band[STAKED])
            gap[going] = np.where(stopped, fallen, fallen + now - worth_after)
            cash[going] = np.where(stopped, held, after)
            row[going] = band[NEXT]
            if self.visits is not None:
                self.visits.count(at_place, numbers[~stopped])
            closing = np.where(stopped, ending, band[END])
            over = closing >= 0
            if over.any():
                ended = going[over]
                deepest[ended] = np.maximum(deepest[ended], gap[ended])
                at = outs[ended]
                self.out[0, at] = np.where(stopped, now, worth_after)[over] - bankroll
                self.out[1, at] = done[ended]
                self.out[2, at] = sevens[ended]
                self.out[3, at] = closing[over]
                self.out[4, at] = deepest[ended]
                self.out[5, at] = stakes[ended]
                self.out[6, at] = left[over]
                alive[ended] = False
                going = going[~over]
        for field, played in zip(
            self.fields, (row, cash, gap, deepest, stakes, sevens, done), strict=True
        ):
            field[lanes] = played
        return alive

    def last(self, lanes: Any, rolls: Any) -> None:
        """The last roll of these lanes, after which nobody bets: they end with their rolls."""
        places, _, felt, _, kinds = self.form
        row = self.row[lanes]
        place = row * self.kinds + kinds[rolls]
        at = (self.sessions[lanes] - np.uint64(self.first)).astype(np.int64)
        change = places[place, PRE] + places[place, WORTH] - felt[row]
        self.out[0, at] = self.cash[lanes] + felt[row] + change - self.limits[0]
        self.out[1, at] = self.limits[1]
        self.out[2, at] = self.sevens[lanes] + places[place, SEVEN]
        self.out[4, at] = np.maximum(self.deepest[lanes], self.gap[lanes] - change)
        self.out[5, at] = self.staked[lanes] + places[place, AGAIN]
        self.out[6, at] = places[place, LANDED]


class _Quick:
    """The lanes of a group in the words of the quick form, from block to block."""

    stride = COLUMNS

    def __init__(self, group: _Group, quick: Quick) -> None:
        self.group, self.quick = group, quick
        count = len(group.row)
        self.row = np.empty(count, np.int32)
        self.cash, self.gap, self.deepest, self.worth = (self.row.copy() for _ in range(4))
        self.staked, self.sevens = group.staked.astype(np.int32), group.sevens.astype(np.int32)
        self.enter(slice(None))
        self.total, self.latch, self.none = (np.zeros(count, np.int32) for _ in range(3))
        self.place = np.empty(count, np.int64)
        self.moved, self.effected, self.change = (self.row.copy() for _ in range(3))

    def enter(self, lanes: Any) -> None:
        """Take these lanes over from the exact form."""
        group, tables = self.group, self.group.tables
        self.row[lanes] = group.row[lanes] * self.stride
        self.cash[lanes] = group.cash[lanes] - self.quick.margin
        self.gap[lanes] = group.gap[lanes]
        self.deepest[lanes] = group.deepest[lanes]
        self.staked[lanes] = group.staked[lanes]
        self.sevens[lanes] = group.sevens[lanes]
        held = group.cash[lanes] + tables.exact.felt[group.row[lanes]]
        self.worth[lanes] = held - tables.bankroll

    def leave(self, lanes: Any, done: int) -> None:
        """Hand these lanes to the exact form."""
        group = self.group
        group.row[lanes] = self.row[lanes] // self.stride
        group.cash[lanes] = self.cash[lanes].astype(np.int64) + self.quick.margin
        group.gap[lanes] = self.gap[lanes]
        group.deepest[lanes] = self.deepest[lanes]
        group.staked[lanes] = self.staked[lanes]
        group.sevens[lanes] = self.sevens[lanes]
        group.done[lanes] = done

    def retire(self, lanes: Any) -> None:
        """Let these lanes rest where nothing happens to them."""
        self.row[lanes] = (len(self.quick.move) // COLUMNS - 1) * self.stride
        self.cash[lanes] = self.worth[lanes] = self.sevens[lanes] = 0

    @property
    def fields(self) -> tuple[Any, ...]:
        return (self.row, self.cash, self.gap, self.deepest, self.worth)

    def step(self, rolls: Any) -> Any:
        """Step all lanes through these rolls; those for which it may not hold stay as they were."""
        tables, quick = self.group.tables, self.quick
        saved = [field.copy() for field in self.fields]
        row, cash, gap, deepest, worth = self.fields
        latch, total, none, place = self.latch, self.total, self.none, self.place
        moved, effected, change = self.moved, self.effected, self.change
        latch[:] = 0
        total[:] = 0
        shift, offsets = np.int32(quick.shift), np.int32((1 << quick.shift) - 1)
        half, low = np.int32(16), np.int32(0xFFFF)
        stops = bool(tables.stop_win or tables.stop_loss)
        highest, lowest = stops_in_words(tables)
        for rolled in rolls:
            np.add(row, rolled, out=place)
            quick.move.take(place, out=moved, mode="wrap")
            quick.effect.take(place, out=effected, mode="wrap")
            np.bitwise_and(moved, offsets, row)
            np.right_shift(moved, shift, moved)
            np.add(cash, moved, cash)
            np.bitwise_or(latch, cash, latch)
            np.right_shift(effected, half, change)
            np.subtract(gap, change, gap)
            np.maximum(gap, none, out=gap)
            np.maximum(deepest, gap, out=deepest)
            np.bitwise_and(effected, low, effected)
            np.add(total, effected, total)
            if stops:
                np.add(worth, change, worth)
                latch |= highest - worth
                latch |= worth - lowest
            if len(quick.fee):
                paid = quick.fee.take(place, mode="wrap")
                gap += paid
                worth -= paid
        doubtful = latch < 0
        if tables.shooters:
            doubtful |= self.sevens + (total >> SEVEN_BIT) >= tables.shooters
        again = np.flatnonzero(doubtful)
        if len(again):
            total[again] = 0
            for field, before in zip(self.fields, saved, strict=True):
                field[again] = before[again]
        self.staked += total & STAKES
        self.sevens += total >> SEVEN_BIT
        return again

    def keep(self, alive: Any) -> None:
        """Go on with these lanes only."""
        for name, field in vars(self).items():
            if isinstance(field, np.ndarray):
                setattr(self, name, field[alive])


class PairedRolls(msgspec.Struct, frozen=True):
    """A small quick form for two rolls at once, by row * 1296 + both rolls."""

    move: Any
    """As in the quick form, rows counted in steps of 1296."""
    changes: Any
    """The change of worth by the first roll above 16 bits, by the second below."""
    effect: Any
    """The lowest change of cash on the way above 16 bits, stakes and seven-outs below."""
    shift: int


def pairs_of(tables: Tables) -> PairedRolls | None:
    """Tables for two rolls at once, where they are small and nothing needs a closer look."""
    quick = tables.quick
    if quick is None or len(quick.fee) or tables.stops:
        return None
    rows = len(quick.move) // COLUMNS
    if rows * COLUMNS * COLUMNS > PAIR_WORDS:
        return None
    offsets = (1 << quick.shift) - 1
    move, effect = quick.move.astype(np.int64), quick.effect.astype(np.int64)
    every = np.arange(rows * COLUMNS)
    second = ((move[every] & offsets)[:, None] + np.arange(COLUMNS)).reshape(rows, -1)
    first = np.repeat(every, COLUMNS).reshape(rows, -1)
    cash = move >> quick.shift
    both = cash[first] + cash[second]
    lowest = np.minimum(cash[first], both)
    shift = int(rows * COLUMNS * COLUMNS).bit_length()
    fits = int(np.abs(both).max()).bit_length() < 31 - shift and int(np.abs(lowest).max()) < 1 << 15
    if not fits:
        return None
    following = (move[second] & offsets) * COLUMNS
    stakes = (effect[first] & 0xFFFF) + (effect[second] & 0xFFFF)
    change = effect >> 16

    def packed(words: Ints) -> Any:
        return (words.ravel() & 0xFFFFFFFF).astype(np.uint32).view(np.int32)

    return PairedRolls(
        move=packed((both << shift) | following),
        changes=packed((change[first] << 16) | (change[second] & 0xFFFF)),
        effect=packed((lowest << 16) | (stakes & 0xFFFF)),
        shift=shift,
    )


class _PairedQuick(_Quick):
    """Two rolls at a time."""

    stride = COLUMNS * COLUMNS

    def __init__(self, group: _Group, quick: Quick, pairs: PairedRolls) -> None:
        super().__init__(group, quick)
        self.pairs = pairs

    def step(self, rolls: Any) -> Any:
        pairs = self.pairs
        saved = [field.copy() for field in self.fields]
        row, cash, gap, deepest, _ = self.fields
        latch, total, none, place = self.latch, self.total, self.none, self.place
        moved, effected, change = self.moved, self.effected, self.change
        latch[:] = 0
        total[:] = 0
        shift, offsets = np.int32(pairs.shift), np.int32((1 << pairs.shift) - 1)
        half, low = np.int32(16), np.int32(0xFFFF)
        for rolled in rolls:
            np.add(row, rolled, out=place)
            pairs.effect.take(place, out=effected, mode="wrap")
            np.right_shift(effected, half, change)
            np.add(change, cash, change)
            np.bitwise_or(latch, change, latch)
            np.bitwise_and(effected, low, effected)
            np.add(total, effected, total)
            pairs.move.take(place, out=moved, mode="wrap")
            np.bitwise_and(moved, offsets, row)
            np.right_shift(moved, shift, moved)
            np.add(cash, moved, cash)
            pairs.changes.take(place, out=effected, mode="wrap")
            np.right_shift(effected, half, change)
            np.subtract(gap, change, gap)
            np.maximum(gap, none, out=gap)
            np.maximum(deepest, gap, out=deepest)
            np.left_shift(effected, half, change)
            np.right_shift(change, half, change)
            np.subtract(gap, change, gap)
            np.maximum(gap, none, out=gap)
            np.maximum(deepest, gap, out=deepest)
        again = np.flatnonzero(latch < 0)
        if len(again):
            total[again] = 0
            for field, before in zip(self.fields, saved, strict=True):
                field[again] = before[again]
        self.staked += total & STAKES
        self.sevens += total >> SEVEN_BIT
        return again


class _Course:
    """A group of sessions from their first block to their last."""

    def __init__(self, tables: Tables, pairs: PairedRolls | None, first: int, count: int) -> None:
        self.tables, self.pairs = tables, pairs
        self.group = _Group(tables, first, count)
        self.alive = np.ones(count, bool)
        self.quick: _Quick | None = None
        if tables.quick is not None:
            self.quick = (
                _Quick(self.group, tables.quick)
                if pairs is None
                else _PairedQuick(self.group, tables.quick, pairs)
            )

    def play(self, seed: int) -> Ints:
        # The last roll is not followed by an act: the exact form plays it, and what goes with it.
        whole = 0 if self.quick is None else (self.tables.rolls - 1) // dice.BLOCK
        block = 0
        while block < whole and self.alive.any():
            self.drop()
            some = min(AHEAD, whole - block)
            paired = self.pairs is not None
            ahead = dice.blocks(seed, self.group.sessions, block, some, paired=paired)
            for rolls in ahead:
                self.quickly(rolls, block * dice.BLOCK)
                block += 1
        self.drop()
        if self.quick is not None:
            self.quick.leave(slice(None), block * dice.BLOCK)
            if self.tables.quick is not None and len(self.group.row):
                block = self.rest(_Quick(self.group, self.tables.quick), seed, block)
        while len(self.group.row):
            rolls = dice.lanes(seed, self.group.sessions, block)
            self.alive = self.group.exactly(np.arange(len(self.group.row)), rolls)
            self.quick = None
            self.drop()
            block += 1
        return self.group.out

    def quickly(self, rolls: Any, done: int) -> None:
        """One whole block; lanes that end rest in a row where nothing happens."""
        quick = self.quick
        assert quick is not None
        again = quick.step(rolls)
        if not len(again):
            return
        quick.leave(again, done)
        mine = rolls[:, again]
        if self.pairs is not None:
            mine = np.stack(np.divmod(mine, COLUMNS), 1).reshape(dice.BLOCK, -1)
        going = self.group.exactly(again, mine)
        quick.enter(again[going])
        quick.retire(again[~going])
        self.alive[again[~going]] = False

    def rest(self, quick: _Quick, seed: int, block: int) -> int:
        """The last rolls, fewer than a block: all but the very last on the quick form."""
        number = self.tables.rolls - 1 - block * dice.BLOCK
        rolls = dice.lanes(seed, self.group.sessions, block)
        self.quick = None
        if number > 0:
            again = quick.step(rolls[:number])
            sure = np.ones(len(self.group.row), bool)
            sure[again] = False
            quick.leave(sure, number + block * dice.BLOCK)
            if len(again):
                self.alive[again] = self.group.exactly(again, rolls[:number, again])
        going = np.flatnonzero(self.alive)
        self.group.last(going, rolls[number, going])
        self.alive[:] = False
        self.drop()
        return block

    def drop(self) -> None:
        """Go on with the living lanes only."""
        if not self.alive.all():
            self.group.keep(self.alive)
            if self.quick is not None:
                self.quick.keep(self.alive)
            self.alive = np.ones(len(self.group.row), bool)


class NumpyAutomaton:
    """Plays sessions on tables, in NumPy."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.pairs = pairs_of(tables)

    def play(self, seed: int, first: int, count: int) -> Lanes:
        """Sessions `first` to `first + count - 1`."""
        tables = self.tables
        if tables.ended >= 0:
            return no_sessions(tables, count)
        groups = [
            _Course(tables, self.pairs, start, min(WIDTH, first + count - start)).play(seed)
            for start in range(first, first + count, WIDTH)
        ]
        rows = np.concatenate(groups, axis=1) if groups else np.zeros((ROWS, 0), np.int64)
        return Lanes.of(rows, unit=tables.unit)

    def visits(self, seed: int, count: int) -> Visits:
        """Where the sessions from 0 on went, in the exact form."""
        seen = Visits(self.tables)
        if self.tables.ended >= 0:
            seen.lanes = no_sessions(self.tables, count)
            return seen
        group = _Group(self.tables, 0, count)
        group.visits = seen
        block = 0
        while len(group.row):
            rolls = dice.lanes(seed, group.sessions, block)
            group.keep(group.exactly(np.arange(len(group.row)), rolls))
            block += 1
        seen.lanes = Lanes.of(group.out, unit=self.tables.unit)
        return seen
