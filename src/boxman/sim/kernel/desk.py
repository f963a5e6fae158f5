"""Where a compiled strategy's proposals and questions arrive: functions called by their addresses.

A strategy is compiled alone and knows these addresses only, so that compiling it takes a moment and
the rules stay in code that is compiled once. The usual proposal is dealt with on the spot; what
needs more care is a call away, so that the quick way stays short. Needs Numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boxman.chips import MINOR
from boxman.sim.compiled import need_numba
from boxman.sim.dice_numba import DIGITS, MASK, SHIFT, U32, five_again, five_of, philox
from boxman.sim.kernel import acts, codes, stakes
from boxman.sim.kernel import settle as rolls
from boxman.sim.kernel import words as w
from boxman.sim.kernel.acts import bet
from boxman.sim.kernel.jit import inlined, pointed
from boxman.sim.kernel.memory import (
    bits,
    call_engine,
    load,
    lowest_bit,
    store,
    store_bits,
    store_bytes,
)
from boxman.sim.kernel.stakes import puck_of, quick_fit
from boxman.strategy.spots import INDEX, SPOTS

BLOCK_ROLLS = 20
"""Rolls in a block of dice."""
BLOCKS = 10
"""Blocks drawn at a time: as many rolls as a usual session has."""
WORDS = 4 * BLOCKS
ROOM = BLOCK_ROLLS * BLOCKS // 8 + 1 + 2 * WORDS
"""Room for them in words of eight bytes: one byte a roll, and what drawing them takes."""
ACTS_IN_A_TURN = 1_000
ACTS_HERE = (ACTS_IN_A_TURN - w.STRIDE) // 2
"""Acts that come here. Bets made on the spot do not: at first one for each spot, and then one for
each wager that an act took down; so beyond this there may have been too many."""
LARGEST = 10**12
"""Amounts beyond this, in whole units, are left to the reference."""
LARGEST_MULTIPLE = 10**6
FAILED = -1
"""Given instead of an answer when the session cannot go on here."""

carray: Any = need_numba().carray
U64 = np.uint64
ONE, NONE = U64(1), U64(0)
_BACKED = [(INDEX[odds.replace(".odds", "")], INDEX[odds]) for odds in SPOTS if ".odds" in odds]
assert sorted(_BACKED) == _BACKED
assert _BACKED[-1][0] < 64
FLATS = U64(sum(1 << flat for flat, _ in _BACKED))
"""The spots with odds behind them."""
ODDS_OF = np.full(w.STRIDE, -1, np.int64)
for _flat, _odds in _BACKED:
    ODDS_OF[_flat] = _odds
LINES = tuple(INDEX[spot] for spot in ("pass", "dont_pass"))
AREAS = tuple(INDEX[spot] for spot in ("come", "dont_come"))
_FOUR = "int64(int64, int64, int64, int64)"


@pointed(_FOUR)
def rule(seat: Any, what: Any, spot: Any, amount: Any) -> Any:
    """A proposal with every check; see `acts.rule`."""
    return acts.rule(seat, what, spot, amount)


@pointed(_FOUR)
def fit(seat: Any, what: Any, spot: Any, amount: Any) -> Any:
    """A question about stakes; see `stakes.answer`."""
    return stakes.answer(seat, what, spot, amount)


@pointed(_FOUR)
def settle(seat: Any, kind: Any, puck: Any, nothing: Any) -> Any:
    """A roll with everything that can happen; see `settle.settle_with_care`."""
    rolls.settle_with_care(seat, load(seat, w.HOUSE), kind, puck)
    return 0


@pointed(_FOUR)
def rounded(seat: Any, spot: Any, stake: Any, cell: Any) -> Any:
    """What a win pays that chips cannot pay exactly; see `settle.rounded`."""
    return rolls.rounded(seat, load(seat, w.HOUSE), spot, stake, cell)


@pointed("int64(uint64, uint64, uint64, CPointer(uint64))")
def fill(seed: Any, session: Any, number: Any, room: Any) -> Any:
    """The rolls of BLOCKS blocks from this one on: the dice of `dice_numba`, side by side."""
    place = carray(room, (ROOM,))
    words, fives = place[ROOM - 2 * WORDS : ROOM - WORDS], place[ROOM - WORDS :]
    for block in range(BLOCKS):
        drawn = philox(
            U32(seed & MASK),
            U32(seed >> SHIFT),
            U32(number + U64(block)),
            U32(0),
            U32(session & MASK),
            U32(session >> SHIFT),
        )
        words[block] = drawn[0]
        words[block + BLOCKS] = drawn[1]
        words[block + 2 * BLOCKS] = drawn[2]
        words[block + 3 * BLOCKS] = drawn[3]
    usable = True
    for word in range(WORDS):
        fives[word], good = five_of(U32(words[word]))
        usable &= good
    if not usable:
        for word in range(WORDS):
            if not five_of(U32(words[word]))[1]:
                block = number + U64(word % BLOCKS)
                fives[word] = five_again(seed, session, block, word // BLOCKS)
    # Five rolls are written as eight bytes: the next ones cover what is too much.
    start = np.int64(place.ctypes.data)
    for block in range(BLOCKS):
        for word in range(4):
            store_bytes(start + block * BLOCK_ROLLS + word * DIGITS, fives[block + word * BLOCKS])
    return 0


@inlined
def fails(seat: Any, what: Any) -> Any:
    """The strategy did what it may not: the session is given up here."""
    store(seat, w.ERROR, what)
    return FAILED


@inlined
def counted(seat: Any) -> Any:
    """Count an act; False when a turn may have had too many."""
    rolls = load(seat, w.ROLLS)
    acts = load(seat, w.ACTS) + 1
    if acts >> w.ACTED_AT != rolls:
        acts = (rolls << w.ACTED_AT) + 1
    store(seat, w.ACTS, acts)
    return acts & w.ACTS_SEEN <= ACTS_HERE


@inlined
def ruled(seat: Any, spot: Any, code: Any, what: Any) -> Any:
    """Count a refusal of a proposal; 1 for what was allowed."""
    if code == codes.ALLOWED:
        return 1
    if code != codes.ALREADY_SO:
        counts = load(seat, w.REFUSED)
        at = (((code * w.WAYS + what) * w.PUCKS + puck_of(seat)) * w.STRIDE + spot) * 2
        if load(counts, at) == 0:
            store(counts, at + 1, load(seat, w.SESSION))
        store(counts, at, load(counts, at) + 1)
        if code == codes.RAIL_SHORT:
            store_bits(seat, w.UP + 1, bits(seat, w.UP + 1) | U64(w.SHORT))
    return 0


@inlined
def odds_to(seat: Any, house: Any, flat: Any, stake: Any) -> Any:
    """Odds behind a flat that is up, raised to a stake."""
    odds = ODDS_OF[flat]
    if odds < 0:
        return 0 if flat in AREAS else fails(seat, w.NO_ODDS)
    if flat in LINES and puck_of(seat) == 0:
        return 0
    there = load(seat, w.STAKE + odds)
    more = stake - there
    if more <= 0:
        return 0
    if not counted(seat):
        return fails(seat, w.TOO_MANY)
    what = w.PRESS if there else w.BET
    return ruled(seat, odds, bet(seat, house, odds, more), what)


@inlined
def back(seat: Any, house: Any, what: Any, one: Any, multiple: Any) -> Any:
    """Odds by multiple or to the limit, behind one flat or all."""
    # All flats are in the low word, and in the order in which a player backs them.
    rest = bits(seat, w.UP) & FLATS
    if what == w.ODDS_ON:
        if load(seat, w.STAKE + one) == 0:
            return 0
        if ODDS_OF[one] < 0:
            return 0 if one in AREAS else fails(seat, w.NO_ODDS)
        rest &= ONE << U64(one)
    done = 0
    while rest != NONE:
        flat = lowest_bit(rest)
        rest &= rest - ONE
        wanted = load(seat, w.STAKE + flat) * multiple
        if what == w.ODDS_MAX:
            wanted = call_engine(load(seat, w.FIT), seat, w.MOST_ODDS, ODDS_OF[flat], 0)
        made = odds_to(seat, house, flat, wanted)
        if made < 0:
            return made
        done |= made
    return done


@pointed(_FOUR)
def act(seat: Any, what: Any, spot: Any, amount: Any) -> Any:
    """A proposal, the amount in whole units: 1 if the table allowed it, 0 if not."""
    house = load(seat, w.HOUSE)
    if amount > LARGEST or amount < -LARGEST:
        return fails(seat, w.TOO_LARGE)
    if what >= w.ODDS_BY:
        if amount > LARGEST_MULTIPLE:
            return fails(seat, w.TOO_LARGE)
        return back(seat, house, what, spot, amount)
    if not counted(seat):
        return fails(seat, w.TOO_MANY)
    stake = load(seat, w.STAKE + spot)
    if what == w.BET:
        if stake or amount == 0:
            return 0
        return ruled(seat, spot, bet(seat, house, spot, amount * MINOR), what)
    if stake == 0:
        return 0
    if what == w.PRESS and amount == 0:
        return 0
    if what == w.REGRESS and stake <= amount * MINOR:
        return 0
    call = w.BET if what == w.PRESS else what
    code = call_engine(load(seat, w.RULE), seat, call, spot, amount * MINOR)
    return ruled(seat, spot, code, what)


@pointed(_FOUR)
def ask(seat: Any, what: Any, spot: Any, amount: Any) -> Any:
    """Which stakes a spot takes now, in whole units."""
    if amount > LARGEST or amount < -LARGEST:
        return fails(seat, w.TOO_LARGE)
    if what == w.FITTING:
        found = quick_fit(seat, load(seat, w.HOUSE), spot, amount)
        if found:
            return found
    return call_engine(load(seat, w.FIT), seat, what, spot, amount)


@pointed(_FOUR)
def find(seat: Any, number: Any, nothing: Any, nothing_too: Any) -> Any:
    """The place of a wager of the rulebook's own, or -1."""
    house = load(seat, w.HOUSE)
    for own in range(w.OWN):
        if load(house, w.NUMBERS + own) == number:
            return w.STRIDE - w.OWN + own
    return FAILED


ADDRESSES = np.array(
    [each.address for each in (act, ask, rule, fit, settle, rounded, fill, find)], np.int64
)
"""In the order of `words.DESK`."""
