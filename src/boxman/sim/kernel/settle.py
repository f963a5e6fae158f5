"""One roll against all wagers of a seat, in compiled code.

All wagers are judged as they lay when the dice came to rest: what works is settled, odds that sleep
while their flat is decided come back, comes travel, markers lapse, bonus wagers collect, winners
that are to stay up are made again. Needs Numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boxman.sim.kernel import codes
from boxman.sim.kernel import words as w
from boxman.sim.kernel.acts import SPOTS_ONLY, add_to, bet_with_care, take_from
from boxman.sim.kernel.jit import inlined, kernel
from boxman.sim.kernel.memory import bits, call_engine, load, lowest_bit, store, store_bits
from boxman.sim.kernel.stakes import fee_of, has, place_of, term_of

U64 = np.uint64
ONE = U64(1)
NONE = U64(0)
WITH_CARE = U64(w.WITH_CARE)
DEN_MASK = (1 << w.DEN_BITS) - 1


@inlined
def _num(cell: Any) -> Any:
    return cell >> w.NUM_AT


@inlined
def _den(cell: Any) -> Any:
    return (cell >> w.DEN_AT) & DEN_MASK


@kernel
def rounded(seat: Any, house: Any, spot: Any, stake: Any, cell: Any) -> Any:
    """What a win pays where chips cannot pay it exactly, or a fee comes off it."""
    chip = load(house, w.CHIP)
    verdict = cell & w.BYTE
    counts = stake
    den = _den(cell) * chip
    plain = load(house, place_of(spot) + w.SPLIT) == 0
    if plain and (counts * _num(cell)) % den and load(house, w.LOWER_MULTIPLE):
        unit = load(house, term_of(seat, spot) + w.POSTED_MULTIPLE)
        if unit and counts % unit and counts > unit:
            counts = counts // unit * unit
    exact = counts * _num(cell)
    up = load(house, w.ROUND_WIN) == w.UP_WAY
    paid = (-(-exact // den) if up else exact // den) * chip
    if verdict == w.WIN_SLOWLY and plain and paid:
        paid -= fee_of(house, spot, counts, 2)
    return paid


@inlined
def divided(seat: Any, house: Any, spot: Any, stake: Any, cell: Any) -> Any:
    """What comes of a wager that wins or loses no whole multiple of its stake."""
    if cell & w.BYTE == w.PARTLY:
        return -(stake * -_num(cell) // _den(cell))
    # Unsigned: the processor divides faster, and nothing here is negative.
    paid = U64(stake * _num(cell))
    per_chip = U64(_den(cell)) * bits(house, w.CHIP)
    chips = paid // per_chip
    if chips * per_chip != paid or cell & w.BYTE != w.WIN:
        return call_engine(load(seat, w.ROUND), seat, spot, stake, cell)
    return np.int64(chips * bits(house, w.CHIP))


@inlined
def settle_word(seat: Any, house: Any, cells: Any, decided: Any, word: Any) -> Any:
    """Settle the wagers of one word of a set: their stakes, what came of them, what travels."""
    stakes = net = 0
    moving = NONE
    while decided != NONE:
        bit = decided & (~decided + ONE)
        spot = lowest_bit(decided) + word * 64
        decided ^= bit
        cell = load(house, cells + spot)
        verdict = cell & w.BYTE
        stake = load(seat, w.STAKE + spot)
        # Won or lost without a branch: nothing is harder to foresee.
        came = stake * _num(cell)
        if verdict != w.PLAIN_CELL:
            if verdict == w.MOVE:
                moving |= bit
                continue
            came = divided(seat, house, spot, stake, cell)
        store(seat, w.STAKE + spot, 0)
        store(seat, w.NET + spot, came)
        stakes += stake
        net += came
    return stakes, net, moving


@kernel
def hand_back(seat: Any, house: Any, asleep: Any, word: Any, first: Any, second: Any) -> None:
    """Odds that sleep while their flat, one of these two words, is decided come back."""
    while asleep != NONE:
        spot = lowest_bit(asleep) + word * 64
        asleep &= asleep - ONE
        flat = load(house, place_of(spot) + w.FLAT)
        group = first if flat < 64 else second
        if (group >> (U64(flat) & U64(63))) & ONE != NONE:
            stake = load(seat, w.STAKE + spot)
            store(seat, w.CASH, load(seat, w.CASH) + stake)
            store(seat, w.STAKE + spot, 0)
            store(seat, w.NET + spot, 0)
            take_from(seat, w.UP, spot)
            add_to(seat, w.DECIDED, spot)


@inlined
def move(seat: Any, spot: Any, to: Any) -> None:
    """Chips go to another spot."""
    store(seat, w.STAKE + to, load(seat, w.STAKE + spot))
    store(seat, w.FEE + to, load(seat, w.FEE + spot))
    store(seat, w.STAKE + spot, 0)
    take_from(seat, w.UP, spot)
    add_to(seat, w.UP, to)


@kernel
def travel(seat: Any, house: Any, cells: Any, moving: Any) -> None:
    """Comes go to their numbers, with whatever was said of them."""
    while moving != NONE:
        spot = lowest_bit(moving)
        moving &= moving - ONE
        to = (load(house, cells + spot) >> w.TARGET_AT) & w.BYTE
        move(seat, spot, to)
        for sets in (w.ON, w.OFF, w.STAYS):
            if has(seat, sets, spot):
                take_from(seat, sets, spot)
                add_to(seat, sets, to)


@kernel
def lapse(seat: Any, house: Any, turned: Any, moving: Any) -> None:
    """Markers go with decided wagers, or end with the roll; a travelling one keeps its own."""
    for word in range(2):
        up = bits(seat, w.UP + word)
        spared = moving if word == 0 else NONE
        for place in range(2):
            sets = (w.ON if place == 0 else w.OFF) + word
            ends = bits(house, w.LAPSE + (place * 3 + turned) * 2 + word) & ~spared
            store_bits(seat, sets, bits(seat, sets) & up & ~ends)


@inlined
def marked(house: Any, place: Any, memory: Any, shift: Any) -> Any:
    """The memory once a thing has come; one that has come often enough counts no more."""
    mask = ((1 << load(house, place + w.WIDTH)) - 1) << shift
    if load(house, place + w.IN_A_ROW):
        memory &= mask
    more = memory & mask < load(house, place + w.COMPLETE) & mask
    return memory + (1 << shift) if more else memory


@inlined
def size_of(house: Any, place: Any, memory: Any) -> Any:
    """How much a wager has: things that came often enough, or how often anything came."""
    if load(house, place + w.TOGETHER):
        return memory
    width, complete = load(house, place + w.WIDTH), load(house, place + w.COMPLETE)
    size = 0
    for item in range(load(house, place + w.ITEMS)):
        if ((memory ^ complete) >> item * width) & ((1 << width) - 1) == 0:
            size += 1
    return size


@inlined
def end_of(house: Any, place: Any, memory: Any) -> Any:
    """The cell that pays a wager when it is ended, by how far it is; 0 where there is none."""
    ends, ladder = load(house, place + w.ENDS), load(house, place + w.LADDER)
    if ends == 0:
        return 0
    if ladder == 0:
        return load(house, ends + size_of(house, place, memory))
    far = 0
    width = load(house, place + w.WIDTH)
    for item in range(load(house, place + w.ITEMS)):
        count = (memory >> item * width) & ((1 << width) - 1)
        far = max(far, load(house, ladder + (item << width) + count))
    return load(house, ends + far)


@inlined
def step_of(house: Any, place: Any, before: Any, memory: Any, shift: Any) -> Any:
    """The cell that pays a wager on the way, when a thing has just come; 0 where there is none."""
    if before == memory:
        return 0
    steps, things = load(house, place + w.STEPS), load(house, place + w.THING_STEPS)
    if steps:
        size = size_of(house, place, memory)
        return load(house, steps + size) if size != size_of(house, place, before) else 0
    if things:
        width = load(house, place + w.WIDTH)
        count = (memory >> shift) & ((1 << width) - 1)
        return load(house, things + (shift // width << width) + count)
    return 0


@kernel
def collect(seat: Any, house: Any, cells: Any) -> None:
    """Bonus wagers collect; each wins or loses at once; gates shut and open."""
    over = 0  # groups are few: bits of groups with a wager still open, and of those to shut
    latch = 0
    open_still = 0
    for word in range(2):
        rest = bits(seat, w.UP + word) & bits(house, w.GATED + word)
        while rest != NONE:
            bit = rest & (~rest + ONE)
            spot = lowest_bit(rest) + word * 64
            rest ^= bit
            place = place_of(spot)
            at = w.COLLECTED + spot
            group = 1 << load(house, place + w.GROUP)
            cell = load(house, cells + spot)
            verdict = cell & w.BYTE
            memory = load(seat, at)
            part = w.NOTHING
            over_now = verdict != w.NOTHING and verdict != w.CLEAR
            if verdict == w.CLEAR:
                memory = 0
            elif verdict == w.COLLECT:
                before, shift = memory, (cell >> w.TARGET_AT) & w.BYTE
                memory = marked(house, place, memory, shift)
                part = step_of(house, place, before, memory, shift)
                over_now = size_of(house, place, memory) == load(house, place + w.ENOUGH)
                end = end_of(house, place, memory)
                cell = end if over_now and end != w.NOTHING else cell
            elif over_now and _num(cell) < 0:
                cell = end_of(house, place, memory)
            if over_now:
                over |= group
                stake = load(seat, w.STAKE + spot)
                net = -stake
                if cell != w.NOTHING:
                    net = rounded(seat, house, spot, stake, (cell & ~w.BYTE) | w.WIN_SLOWLY)
                store(seat, w.CASH, load(seat, w.CASH) + stake + net)
                store(seat, w.WORTH, load(seat, w.WORTH) + net)
                store(seat, w.NET + spot, net)
                store(seat, w.STAKE + spot, 0)
                take_from(seat, w.UP, spot)
                take_from(seat, w.ON, spot)
                take_from(seat, w.OFF, spot)
                add_to(seat, w.DECIDED, spot)
            else:
                if part != w.NOTHING:
                    net = rounded(seat, house, spot, load(seat, w.STAKE + spot), part)
                    store(seat, w.CASH, load(seat, w.CASH) + net)
                    store(seat, w.WORTH, load(seat, w.WORTH) + net)
                    store(seat, w.NET + spot, net)
                    add_to(seat, w.DECIDED, spot)
                open_still |= group
                store(seat, at, memory)
                if load(house, place + w.UNTIL) == w.AT_ROLL or memory:
                    latch |= group
    shut = load(seat, w.LATCHED)
    store(seat, w.LATCHED, (shut & ~(over & ~open_still)) | (latch & open_still))


@kernel
def remember(seat: Any, again: Any, word: Any) -> None:
    """What lies on wagers that are to stay up, before the roll decides them."""
    while again != NONE:
        spot = lowest_bit(again) + word * 64
        again &= again - ONE
        store(seat, w.BEFORE + spot, load(seat, w.STAKE + spot))


@kernel
def make_again(seat: Any, house: Any, again: Any, word: Any) -> None:
    """Winners that were to stay up are made again, if the table allows it now."""
    while again != NONE:
        bit = again & (~again + ONE)
        spot = lowest_bit(again) + word * 64
        again ^= bit
        store_bits(seat, w.STAYS + word, bits(seat, w.STAYS + word) & ~bit)
        if load(seat, w.NET + spot) <= 0:
            continue
        if bet_with_care(seat, house, spot, load(seat, w.BEFORE + spot)) == codes.ALLOWED:
            store_bits(seat, w.STAYS + word, bits(seat, w.STAYS + word) | bit)


@inlined
def decide(seat: Any, house: Any, cells: Any, decided0: Any, decided1: Any) -> Any:
    """Settle these wagers; gives what travels."""
    stakes, net, moving = settle_word(seat, house, cells, decided0, 0)
    gone0 = decided0 & ~moving
    store_bits(seat, w.UP, bits(seat, w.UP) & ~gone0)
    if decided1 != NONE:
        stakes1, net1, _ = settle_word(seat, house, cells, decided1, 1)
        stakes += stakes1
        net += net1
        store_bits(seat, w.UP + 1, bits(seat, w.UP + 1) & ~decided1)
    store(seat, w.CASH, load(seat, w.CASH) + stakes + net)
    store(seat, w.WORTH, load(seat, w.WORTH) + net)
    store_bits(seat, w.DECIDED, gone0)
    store_bits(seat, w.DECIDED + 1, decided1)
    return moving


@kernel
def settle_with_care(seat: Any, house: Any, kind: Any, puck: Any) -> None:
    """A roll where odds sleep, or something was called, collects or is to stay up."""
    row = puck * w.KINDS + kind
    at = w.ROLLED + row * w.ROLLED_WORDS
    cells = w.CELLS + row * w.STRIDE
    up0, up1 = bits(seat, w.UP), bits(seat, w.UP + 1)
    hit0, hit1 = up0 & bits(house, at + w.AFFECTS), up1 & bits(house, at + w.AFFECTS + 1)
    stays0, stays1 = bits(seat, w.STAYS), bits(seat, w.STAYS + 1)
    remember(seat, stays0, 0)
    remember(seat, stays1, 1)
    side = w.WORKS + (2 if puck else 0)
    works0 = (bits(house, side) & ~bits(seat, w.OFF)) | bits(seat, w.ON)
    works1 = (bits(house, side + 1) & ~bits(seat, w.OFF + 1)) | bits(seat, w.ON + 1)
    decided0, decided1 = hit0 & works0, hit1 & works1
    moving = decide(seat, house, cells, decided0, decided1)
    hand_back(seat, house, hit0 & ~works0 & bits(house, w.ODDS), 0, decided0, decided1)
    hand_back(seat, house, hit1 & ~works1 & bits(house, w.ODDS + 1), 1, decided0, decided1)
    seen = load(house, at + w.SEEN)
    to = (seen >> w.PUCK_AT) & w.BYTE
    turned = 0
    if (to == 0) != (puck == 0):
        turned = 2 if to else 1
    lapse(seat, house, turned, moving)
    travel(seat, house, cells, moving)
    collect(seat, house, cells)
    store(seat, w.STATE, seen)
    store_bits(seat, w.REMEDIED, bits(seat, w.REMEDIED) & bits(seat, w.UP))
    make_again(seat, house, stays0 & bits(seat, w.DECIDED) & ~bits(seat, w.UP), 0)
    make_again(seat, house, stays1 & bits(seat, w.DECIDED + 1) & ~bits(seat, w.UP + 1), 1)
    unusual = bits(seat, w.REMEDIED)
    for word in range(2):
        unusual |= bits(seat, w.ON + word) | bits(seat, w.OFF + word) | bits(seat, w.STAYS + word)
        unusual |= bits(seat, w.UP + word) & bits(house, w.GATED + word)
    care = NONE if unusual == NONE else WITH_CARE
    store_bits(seat, w.UP + 1, (bits(seat, w.UP + 1) & ~WITH_CARE) | care)


@inlined
def settle(seat: Any, house: Any, at: Any, hit0: Any, hit1: Any) -> None:
    """These spots are decided by the roll whose row is at a place."""
    cells = load(house, at + w.ITS_CELLS)
    moving = decide(seat, house, cells, hit0, hit1 & SPOTS_ONLY[1])
    while moving != NONE:
        spot = lowest_bit(moving)
        moving &= moving - ONE
        move(seat, spot, (load(house, cells + spot) >> w.TARGET_AT) & w.BYTE)


@inlined
def settle_by_call(seat: Any, at: Any) -> None:
    """A roll whose row is at a place, with care."""
    row = (at - w.ROLLED) // w.ROLLED_WORDS
    call_engine(load(seat, w.SETTLE), seat, row % w.KINDS, row // w.KINDS, 0)


@inlined
def rows_of(puck: Any) -> Any:
    """Where the rows of a puck begin in the house."""
    return w.ROLLED + puck * w.KINDS * w.ROLLED_WORDS
