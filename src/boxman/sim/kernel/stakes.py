"""Which stakes a spot takes, in compiled code: refusals in the table's order, ranges for `t.fit`.

All amounts are minor units. `seat` and `house` are addresses of the words in `words`. Needs Numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boxman.chips import MINOR
from boxman.sim.kernel import codes
from boxman.sim.kernel import words as w
from boxman.sim.kernel.arrays import WITHOUT_END
from boxman.sim.kernel.jit import inlined, kernel
from boxman.sim.kernel.memory import bits, load, lowest_bit

U64 = np.uint64
ONE = U64(1)
WORD = U64(64)
SIX_BITS = U64(63)
SEVEN = 7


@inlined
def puck_of(seat: Any) -> Any:
    """The point, 0 with the puck off."""
    return (load(seat, w.STATE) >> w.PUCK_AT) & w.BYTE


@inlined
def term_of(seat: Any, spot: Any) -> Any:
    """Where the terms of a spot under the present puck stand in the house."""
    return w.TERMS + (puck_of(seat) * w.STRIDE + spot) * w.TERM_WORDS


@inlined
def place_of(spot: Any) -> Any:
    """Where the lasting facts of a spot stand in the house."""
    return w.PLACES + spot * w.PLACE_WORDS


@inlined
def has(address: Any, sets: Any, spot: Any) -> Any:
    """Whether a set of spots at a place holds this one."""
    return (bits(address, sets + (spot >> 6)) >> (U64(spot) & SIX_BITS)) & ONE != U64(0)


@inlined
def divides(house: Any, term: Any, stake: Any) -> Any:
    """Whether the step of these terms divides a stake, without dividing.

    Multiplied by the inverse of the step's odd part and turned right by its twos, just the
    multiples stay at or below the highest quotient.
    """
    product = U64(stake) * bits(house, term + w.INVERSE)
    twos = bits(house, term + w.TWOS)
    turned = (product >> twos) | (product << ((WORD - twos) & SIX_BITS))
    return turned <= bits(house, term + w.QUOTIENT)


@inlined
def odds_most(house: Any, term: Any, flat: Any) -> Any:
    """The most that may be staked as odds behind a flat stake."""
    step = load(house, term + w.STEP)
    most = flat * load(house, term + w.LIFT) // load(house, term + w.PER)
    return max(most, load(house, term + w.AMOUNT)) // step * step


@inlined
def odds_more(house: Any, term: Any, flat: Any, most: Any) -> Any:
    """The one payable stake above the most, where the house allows it, or 0."""
    unit = load(house, term + w.EXCESS_UNIT)
    if unit == 0:
        return 0
    plain = flat * load(house, term + w.TIMES)
    per_unit = load(house, term + w.PER) * unit
    if plain % per_unit == 0:
        return 0
    more = -(-plain // per_unit) * unit
    return more if more > most else 0


@inlined
def is_shut(seat: Any, house: Any, place: Any) -> Any:
    """Whether a wager with a gate may not be joined now."""
    group = load(house, place + w.GROUP)
    if group < 0:
        return False
    until = load(house, place + w.UNTIL)
    state = load(seat, w.STATE)
    if until == w.AT_HAND:
        return state & w.NEW_SHOOTER == 0
    if until == w.AT_SEVEN:
        return state & w.TOTAL != 0 and state & w.TOTAL != SEVEN
    return (load(seat, w.LATCHED) >> group) & 1 != 0


@kernel
def stake_code(seat: Any, house: Any, spot: Any, stake: Any) -> Any:
    """Why a whole stake cannot lie on a spot now; 0 if it can. The rail is not looked at."""
    term = term_of(seat, spot)
    if stake % load(house, term + w.STEP):
        if stake % load(house, w.CHIP):
            return codes.NOT_IN_CHIPS
        share = load(house, term + w.SHARE_STEP)
        if share and stake % share:
            return codes.NOT_DIVISIBLE
        pay = load(house, term + w.PAY_STEP)
        if pay and stake % pay:
            return codes.NOT_PAYABLE
        return codes.FEE_NOT_PAYABLE
    minimum = load(house, term + w.MINIMUM)
    unit = load(house, term + w.UNIT)
    if unit and stake > minimum and (stake - minimum) % unit:
        return codes.NOT_A_UNIT
    multiple = load(house, term + w.MULTIPLE)
    if multiple and stake % multiple:
        return codes.NOT_A_MULTIPLE
    if stake < minimum:
        return codes.UNDER_MINIMUM
    maximum = load(house, term + w.MAXIMUM)
    if maximum and stake > maximum:
        return codes.OVER_MAXIMUM
    flat = load(house, place_of(spot) + w.FLAT)
    if flat >= 0:
        behind = load(seat, w.STAKE + flat)
        most = odds_most(house, term, behind)
        if stake > most and stake != odds_more(house, term, behind, most):
            return codes.OVER_ODDS_LIMIT
    return codes.ALLOWED


@kernel
def fee_of(house: Any, spot: Any, stake: Any, when: Any) -> Any:
    """The fee on a whole stake, where it is charged at this moment (1 placement, 2 win)."""
    place = place_of(spot)
    if load(house, place + w.FEE_AT) != when:
        return 0
    num = stake * load(house, place + w.FEE_NUM)
    chip = load(house, w.CHIP)
    den = load(house, place + w.FEE_DEN) * chip
    if load(house, w.ROUND_FEE) == w.UP_WAY:
        return -(-num // den) * chip
    return num // den * chip


@inlined
def gcd(one: Any, other: Any) -> Any:
    """The largest number that divides both."""
    while other:
        one, other = other, one % other
    return one


@kernel
def ranges(seat: Any, house: Any, spot: Any) -> Any:
    """Lowest, highest, step and the one stake above them (or 0); step 0 where it takes none."""
    term = term_of(seat, spot)
    flags = load(house, term + w.FLAGS)
    may = w.MAY_RAISE if load(seat, w.STAKE + spot) else w.MAY_MAKE
    if not flags & may:
        return 0, -1, 0, 0
    place = place_of(spot)
    flat = load(house, place + w.FLAT)
    if flat >= 0 and (load(seat, w.STAKE + flat) == 0 or not flags & w.HAS_NUMBER):
        return 0, -1, 0, 0
    if is_shut(seat, house, place):
        return 0, -1, 0, 0
    step = load(house, term + w.GRID)
    low = load(house, term + w.LEAST_ON_SIGN)
    minimum = load(house, term + w.MINIMUM)
    maximum = load(house, term + w.MAXIMUM)
    high = low + ((maximum if maximum else WITHOUT_END) - low) // step * step
    parts = load(house, place + w.SPLIT)
    if parts:
        # A strategy names no parts, so only what divides evenly is taken.
        whole = parts * load(house, w.CHIP)
        while low % whole and low <= high:
            low += step
        step = step // gcd(step, whole) * whole
        high = low + (high - low) // step * step
    more = 0
    if flat >= 0:
        behind = load(seat, w.STAKE + flat)
        most = odds_most(house, term, behind)
        more = odds_more(house, term, behind, most)
        high = min(high, low + (most - low) // step * step)
        if more < minimum or (maximum and more > maximum):
            more = 0
    return low, high, step, more


@inlined
def whole_from(low: Any, high: Any, step: Any, wanted: Any) -> Any:
    """The least stake of a range in whole units from here on, or -1."""
    stake = low if wanted <= low else low + -(-(wanted - low) // step) * step
    for _ in range(MINOR):
        if stake % MINOR == 0 or stake > high:
            break
        stake += step
    return stake if stake <= high and stake % MINOR == 0 else -1


@inlined
def whole_highest(low: Any, high: Any, step: Any) -> Any:
    """The highest stake of a range in whole units, or 0."""
    stake = high
    for _ in range(MINOR):
        if stake % MINOR == 0 or stake < low:
            break
        stake -= step
    return stake if stake >= low and stake % MINOR == 0 else 0


@kernel
def highest(seat: Any, house: Any, spot: Any) -> Any:
    """The highest whole unit a spot takes now, 0 if none."""
    low, high, step, more = ranges(seat, house, spot)
    found = 0
    if low <= high:
        found = whole_highest(low, high, step)
    if more and more % MINOR == 0:
        found = max(found, more)
    return found // MINOR


@inlined
def quick_fit(seat: Any, house: Any, spot: Any, amount: Any) -> Any:
    """`fitting` where the terms alone answer, the usual case; 0 where they do not."""
    term = term_of(seat, spot)
    flags = load(house, term + w.FLAGS)
    if not flags & w.QUICK_MAKE or load(seat, w.STAKE + spot) != 0:
        return 0
    step = load(house, term + w.WHOLE_STEP)
    units = max(amount, load(house, term + w.WHOLE_LOW))
    if step != 1:
        units = -(-units // step) * step
    if units > load(house, term + w.WHOLE_HIGH):
        return 0
    if flags & w.PLAIN:
        return units
    flat = load(seat, w.STAKE + load(house, place_of(spot) + w.FLAT))
    if units * MINOR * load(house, term + w.PER) <= flat * load(house, term + w.LIFT):
        return units
    return 0


@kernel
def fitting(seat: Any, house: Any, spot: Any, amount: Any) -> Any:
    """The least whole unit a spot takes now of at least an amount, 0 if none."""
    low, high, step, more = ranges(seat, house, spot)
    found = 0
    if low <= high:
        stake = whole_from(low, high, step, amount * MINOR)
        if stake > 0:
            found = stake
    if more and more % MINOR == 0 and amount * MINOR <= more and (found == 0 or more < found):
        found = more
    return found // MINOR


@kernel
def step_of(seat: Any, house: Any, spot: Any) -> Any:
    """The step between whole units a spot takes now, 0 if it takes none."""
    low, high, step, more = ranges(seat, house, spot)
    if low > high and more == 0:
        return 0
    return step // gcd(step, MINOR)


@kernel
def most_odds(seat: Any, house: Any, spot: Any) -> Any:
    """The highest stake in minor units that odds take now, 0 if none."""
    low, high, _, more = ranges(seat, house, spot)
    found = high if low <= high else 0
    return max(found, more)


@kernel
def total(seat: Any, sign: Any) -> Any:
    """What all spots won (1) or lost (-1) at the last roll, in whole units."""
    found = 0
    if load(seat, w.DECIDED_AT) == load(seat, w.ROLLS):
        for word in range(2):
            rest = bits(seat, w.DECIDED + word)
            while rest != U64(0):
                spot = lowest_bit(rest) + word * 64
                rest &= rest - ONE
                found += max(0, sign * load(seat, w.NET + spot))
    return found // MINOR


@kernel
def answer(seat: Any, what: Any, spot: Any, amount: Any) -> Any:
    """Which stakes a spot takes now; whole units but for MOST_ODDS."""
    house = load(seat, w.HOUSE)
    if what == w.WON_TOTAL or what == w.LOST_TOTAL:
        return total(seat, 1 if what == w.WON_TOTAL else -1)
    if what == w.MOST_ODDS:
        return most_odds(seat, house, spot)
    if what == w.STAKE_STEP:
        return step_of(seat, house, spot)
    if what == w.MOST_STAKE:
        return highest(seat, house, spot)
    found = fitting(seat, house, spot, 1 if what == w.LEAST_STAKE else amount)
    if found == 0 and what == w.FITTING:
        found = highest(seat, house, spot)
    return found
