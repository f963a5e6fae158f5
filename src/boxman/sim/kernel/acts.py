"""What a seat may do with chips, in compiled code: bet, lower, take down, call on and off.

Each function rules on one proposal in the order of precedence of docs/refusals.md, changes the
seat if the table allows it, and gives the number of the refusal otherwise. Needs Numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boxman.chips import MINOR
from boxman.sim.kernel import codes
from boxman.sim.kernel import words as w
from boxman.sim.kernel.jit import inlined, kernel
from boxman.sim.kernel.memory import bits, call_engine, load, lowest_bit, store, store_bits
from boxman.sim.kernel.stakes import (
    divides,
    fee_of,
    has,
    is_shut,
    odds_more,
    odds_most,
    place_of,
    puck_of,
    stake_code,
    term_of,
)

U64 = np.uint64
ONE = U64(1)
NONE = U64(0)
SIX_BITS = U64(63)
WITH_A_LINE = w.LASTING.index("line")
LAPSED = 99
"""A session that is left to the reference: a point lapsed."""
SPOTS_ONLY = (~NONE, (ONE << U64(w.MARKS_AT)) - ONE)
"""The words of UP without their marks."""


@inlined
def add_to(address: Any, sets: Any, spot: Any) -> None:
    """Put a spot into a set."""
    at = sets + (spot >> 6)
    store_bits(address, at, bits(address, at) | (ONE << (U64(spot) & SIX_BITS)))


@inlined
def take_from(address: Any, sets: Any, spot: Any) -> None:
    """Take a spot out of a set."""
    at = sets + (spot >> 6)
    store_bits(address, at, bits(address, at) & ~(ONE << (U64(spot) & SIX_BITS)))


@inlined
def with_care(seat: Any) -> None:
    """The next roll is to be settled with care."""
    store_bits(seat, w.UP + 1, bits(seat, w.UP + 1) | U64(w.WITH_CARE))


@inlined
def put_up(seat: Any, spot: Any, amount: Any, fee: Any) -> None:
    """Chips from the rail to a spot, and the fee to the bank."""
    store(seat, w.CASH, load(seat, w.CASH) - amount - fee)
    store(seat, w.STAKED, load(seat, w.STAKED) + amount)
    store(seat, w.STAKE + spot, load(seat, w.STAKE + spot) + amount)
    if fee:
        store(seat, w.WORTH, load(seat, w.WORTH) - fee)
    add_to(seat, w.UP, spot)


@inlined
def quick_bet(seat: Any, house: Any, spot: Any, amount: Any) -> Any:
    """A new wager where the terms alone say yes, the usual case; False where they do not."""
    term = term_of(seat, spot)
    flags = load(house, term + w.FLAGS)
    usual = flags & w.QUICK_MAKE and load(seat, w.STAKE + spot) == 0
    within = load(house, term + w.LOW) <= amount <= load(house, term + w.HIGH)
    if not usual or not within or not divides(house, term, amount):
        return False
    return _quick_put(seat, house, spot, amount, term, flags)


@inlined
def quick_bet_units(seat: Any, house: Any, spot: Any, units: Any) -> Any:
    """The same for an amount in whole units, in the words that `quick_fit` uses too."""
    term = term_of(seat, spot)
    flags = load(house, term + w.FLAGS)
    usual = flags & w.QUICK_MAKE and load(seat, w.STAKE + spot) == 0
    within = load(house, term + w.WHOLE_LOW) <= units <= load(house, term + w.WHOLE_HIGH)
    if not usual or not within:
        return False
    amount = units * MINOR
    if load(house, term + w.WHOLE_STEP) != 1 and not divides(house, term, amount):
        return False
    return _quick_put(seat, house, spot, amount, term, flags)


@inlined
def _quick_put(seat: Any, house: Any, spot: Any, amount: Any, term: Any, flags: Any) -> Any:
    """A stake within the terms goes up, if the rail and a flat behind it allow."""
    if amount > load(seat, w.CASH):
        return False
    if flags & w.PLAIN_ODDS:
        flat = load(house, place_of(spot) + w.FLAT)
        room = load(seat, w.STAKE + flat) * load(house, term + w.LIFT)
        if amount * load(house, term + w.PER) > room or load(seat, w.REMEDIED) != 0:
            return False
    store(seat, w.CASH, load(seat, w.CASH) - amount)
    store(seat, w.STAKED, load(seat, w.STAKED) + amount)
    store(seat, w.STAKE + spot, amount)
    add_to(seat, w.UP, spot)
    return True


@inlined
def bet(seat: Any, house: Any, spot: Any, amount: Any) -> Any:
    """A new wager, or more on one that is up: quickly, or with care."""
    if quick_bet(seat, house, spot, amount):
        return codes.ALLOWED
    return call_engine(load(seat, w.RULE), seat, w.BET, spot, amount)


@kernel
def bet_code(seat: Any, house: Any, spot: Any, amount: Any) -> Any:
    """Why a wager cannot be made, or more put on it, but for the chips it wants."""
    flags = load(house, term_of(seat, spot) + w.FLAGS)
    if not flags & w.OFFERED:
        return codes.NOT_OFFERED
    place = place_of(spot)
    old = load(seat, w.STAKE + spot)
    flat = load(house, place + w.FLAT)
    if not flags & (w.MAY_RAISE if old else w.MAY_MAKE):
        return codes.NO_POINT if flat >= 0 else codes.NOT_NOW
    if amount <= 0:
        return codes.NOT_AN_AMOUNT
    parts = load(house, place + w.SPLIT)
    if parts and amount % (parts * load(house, w.CHIP)):
        return codes.NAME_THE_SPLIT
    if flat >= 0 and (load(seat, w.STAKE + flat) == 0 or is_remedy(seat, flat)):
        return codes.NO_FLAT
    if is_shut(seat, house, place):
        return codes.UNDER_WAY
    return stake_code(seat, house, spot, old + amount)


@kernel
def bet_with_care(seat: Any, house: Any, spot: Any, amount: Any) -> Any:
    """Every check in its order."""
    if amount > 0 and may_remedy(seat, house, spot):
        if amount > load(house, w.LEAST):
            return codes.OVER_REMEDY
        if amount <= load(seat, w.CASH) and amount % load(house, w.CHIP) == 0:
            put_up(seat, spot, amount, 0)
            store(seat, w.FEE + spot, 0)
            store_bits(seat, w.REMEDIED, bits(seat, w.REMEDIED) | (ONE << U64(spot)))
            with_care(seat)
            return codes.ALLOWED
    code = bet_code(seat, house, spot, amount)
    if code:
        return code
    place = place_of(spot)
    old = load(seat, w.STAKE + spot)
    paid = load(seat, w.FEE + spot) if old else 0
    fee = max(0, fee_of(house, spot, old + amount, 1) - paid)
    if amount + fee > load(seat, w.CASH):
        return codes.RAIL_SHORT
    put_up(seat, spot, amount, fee)
    store(seat, w.FEE + spot, paid + fee)
    if old == 0 and load(house, place + w.AGAIN) == w.UNASKED:
        add_to(seat, w.STAYS, spot)
        with_care(seat)
    gated = load(house, place + w.GROUP) >= 0
    if gated and old == 0:
        store(seat, w.COLLECTED + spot, 0)
    if gated or fee:
        with_care(seat)
    if is_remedy(seat, spot):
        store_bits(seat, w.REMEDIED, bits(seat, w.REMEDIED) & ~(ONE << U64(spot)))
    if old == 0 and bits(seat, w.ON) | bits(seat, w.ON + 1) != NONE:
        join(seat, house, spot)
    return codes.ALLOWED


@kernel
def join(seat: Any, house: Any, spot: Any) -> None:
    """A new wager that sleeps comes under a marker on one like it, where one speaks for all."""
    rule = load(house, place_of(spot) + w.MARK_ON)
    wanted = w.MARK_ALLOWED | w.MARK_SIMILAR
    now = w.MARK_PUCK_ON if puck_of(seat) else w.MARK_PUCK_OFF
    if rule & wanted != wanted or not rule & now or works(seat, house, spot):
        return
    family = load(house, place_of(spot) + w.FAMILY)
    for word in range(2):
        rest = bits(seat, w.ON + word)
        while rest != NONE:
            other = lowest_bit(rest) + word * 64
            rest &= rest - ONE
            if load(house, place_of(other) + w.FAMILY) == family:
                add_to(seat, w.ON, spot)
                with_care(seat)
                return


@inlined
def is_remedy(seat: Any, spot: Any) -> Any:
    """Whether a line wager was made after the point only to be allowed to throw."""
    return spot < 64 and (bits(seat, w.REMEDIED) >> (U64(spot) & SIX_BITS)) & ONE != NONE


@inlined
def is_eligible(seat: Any, house: Any) -> Any:
    """Whether a wager is up that lets the player throw; with no such rule, always."""
    first, second = bits(house, w.ELIGIBLE), bits(house, w.ELIGIBLE + 1)
    if first | second == NONE:
        return True
    return (bits(seat, w.UP) & first) | (bits(seat, w.UP + 1) & second) != NONE


@inlined
def is_bare(seat: Any) -> Any:
    """Whether nothing of this seat's is up."""
    return bits(seat, w.UP) | (bits(seat, w.UP + 1) & SPOTS_ONLY[1]) == NONE


@inlined
def lapses(seat: Any, house: Any, puck: Any) -> Any:
    """Whether a point of a player who shoots ends because nothing that it lasts for is up."""
    lasts = load(house, w.POINT_LASTS)
    if lasts == 0 or puck == 0:
        return False
    return not is_eligible(seat, house) if lasts == WITH_A_LINE else is_bare(seat)


@inlined
def may_remedy(seat: Any, house: Any, spot: Any) -> Any:
    """Whether a shooter without a line wager may make one now, up to the minimum."""
    return (
        load(seat, w.SHOOTING) != 0
        and load(house, w.LACKING) == w.ASKED
        and puck_of(seat) != 0
        and has(house, w.ELIGIBLE, spot)
        and not is_eligible(seat, house)
    )


@kernel
def give_back(seat: Any, house: Any, spot: Any, left: Any) -> None:
    """Hand chips back from a wager until so much remains, with the fee that goes with them."""
    stake, paid = load(seat, w.STAKE + spot), load(seat, w.FEE + spot)
    back = 0
    if paid and load(house, place_of(spot) + w.REFUND) and load(house, place_of(spot) + w.FEE_AT):
        back = max(0, paid - (fee_of(house, spot, left, 1) if left else 0))
    store(seat, w.CASH, load(seat, w.CASH) + stake - left + back)
    store(seat, w.STAKE + spot, left)
    store(seat, w.FEE + spot, paid - back)
    if back:
        store(seat, w.WORTH, load(seat, w.WORTH) + back)
        with_care(seat)
    if is_remedy(seat, spot):
        store_bits(seat, w.REMEDIED, bits(seat, w.REMEDIED) & ~(ONE << U64(spot)))
    if left == 0:
        store(seat, w.FEE + spot, 0)
        take_from(seat, w.UP, spot)
        take_from(seat, w.ON, spot)
        take_from(seat, w.OFF, spot)
        take_from(seat, w.STAYS, spot)
        if bits(seat, w.UP + 1) & U64(w.SHOOTS) != NONE and lapses(seat, house, puck_of(seat)):
            store(seat, w.ERROR, LAPSED)


@kernel
def open_gates(seat: Any, house: Any) -> None:
    """Gates nobody stands behind any more open."""
    shut = load(seat, w.LATCHED)
    busy = 0
    for word in range(2):
        rest = bits(house, w.GATED + word)
        while rest != NONE:
            spot = lowest_bit(rest) + word * 64
            rest &= rest - ONE
            if load(seat, w.STAKE + spot):
                busy |= 1 << load(house, place_of(spot) + w.GROUP)
    store(seat, w.LATCHED, shut & busy)


@kernel
def take_down(seat: Any, house: Any, spot: Any) -> Any:
    """A wager comes off, and the odds behind it with it."""
    if not load(house, term_of(seat, spot) + w.FLAGS) & w.MAY_REMOVE:
        return codes.NOT_NOW
    give_back(seat, house, spot, 0)
    odds = load(house, place_of(spot) + w.BEHIND)
    if odds >= 0 and load(seat, w.STAKE + odds):
        give_back(seat, house, odds, 0)
    open_gates(seat, house)
    return codes.ALLOWED


@kernel
def lower(seat: Any, house: Any, spot: Any, to: Any) -> Any:
    """A wager is lowered; odds that are now too large come down in the same step."""
    if not load(house, term_of(seat, spot) + w.FLAGS) & w.MAY_REDUCE:
        return codes.NOT_NOW
    if to <= 0:
        return codes.NOT_AN_AMOUNT
    if to >= load(seat, w.STAKE + spot):
        return codes.NOT_LOWER
    parts = load(house, place_of(spot) + w.SPLIT)
    if parts and to % (parts * load(house, w.CHIP)):
        return codes.SPLIT_STANDS
    code = stake_code(seat, house, spot, to)
    if code and code != codes.OVER_ODDS_LIMIT:  # above it some may lie, and less of it may
        return code
    give_back(seat, house, spot, to)
    odds = load(house, place_of(spot) + w.BEHIND)
    if odds >= 0 and load(seat, w.STAKE + odds):
        term = term_of(seat, odds)
        most = odds_most(house, term, to)
        stake = load(seat, w.STAKE + odds)
        more = odds_more(house, term, to, most)
        if more and stake >= more:
            most = more
        if stake > most:
            give_back(seat, house, odds, most)
    return codes.ALLOWED


@inlined
def works(seat: Any, house: Any, spot: Any) -> Any:
    """Whether a wager takes part in the next roll."""
    if has(seat, w.ON, spot):
        return True
    if has(seat, w.OFF, spot):
        return False
    return has(house, w.WORKS + (2 if puck_of(seat) else 0), spot)


@inlined
def changes(seat: Any, house: Any, spot: Any, on: Any) -> Any:
    """Whether a call does anything: it changes what works, or holds longer than the roll."""
    if works(seat, house, spot) != on:
        return True
    marked = has(seat, w.ON, spot) or has(seat, w.OFF, spot)
    return not on and not marked and load(house, place_of(spot) + w.MARK_OFF) & w.MARK_LASTS != 0


@inlined
def mark(seat: Any, house: Any, spot: Any, on: Any) -> None:
    """The marker goes on; it comes off where that alone makes the wager as called."""
    default = has(house, w.WORKS + (2 if puck_of(seat) else 0), spot) == on
    lifted = default and (has(seat, w.ON, spot) or has(seat, w.OFF, spot))
    take_from(seat, w.ON, spot)
    take_from(seat, w.OFF, spot)
    if not lifted:
        add_to(seat, w.ON if on else w.OFF, spot)
        with_care(seat)


@kernel
def call(seat: Any, house: Any, spot: Any, on: Any) -> Any:
    """A wager that is up is called on or off, and those the call counts for with it."""
    rule = load(house, place_of(spot) + (w.MARK_ON if on else w.MARK_OFF))
    if not rule & w.MARK_ALLOWED:
        return codes.NOT_SWITCHABLE
    if not rule & (w.MARK_PUCK_ON if puck_of(seat) else w.MARK_PUCK_OFF):
        return codes.NOT_NOW
    if not changes(seat, house, spot, on):
        return codes.ALREADY_SO
    mark(seat, house, spot, on)
    if rule & w.MARK_SIMILAR:
        family = load(house, place_of(spot) + w.FAMILY)
        # Of a wager that was called off by its name the player has said otherwise.
        named = on and not load(house, place_of(spot) + w.MARK_OFF) & w.MARK_SIMILAR
        for word in range(2):
            rest = bits(seat, w.UP + word) & SPOTS_ONLY[word]
            while rest != NONE:
                other = lowest_bit(rest) + word * 64
                rest &= rest - ONE
                similar = load(house, place_of(other) + w.FAMILY) == family
                told = other != spot and similar and not (named and has(seat, w.OFF, other))
                if told and changes(seat, house, other, on):
                    mark(seat, house, other, on)
    return codes.ALLOWED


@kernel
def stay_up(seat: Any, house: Any, spot: Any) -> Any:
    """A wager that is up is to be made again at once when it wins."""
    if not load(house, place_of(spot) + w.AGAIN):
        return codes.NEVER_STAYS
    if has(seat, w.STAYS, spot):
        return codes.ALREADY_SO
    add_to(seat, w.STAYS, spot)
    with_care(seat)
    return codes.ALLOWED


@kernel
def rule(seat: Any, what: Any, spot: Any, amount: Any) -> Any:
    """Any proposal with every check; an amount in minor units. Gives the number of the refusal."""
    house = load(seat, w.HOUSE)
    if what == w.BET:
        return bet_with_care(seat, house, spot, amount)
    if what == w.REGRESS:
        return lower(seat, house, spot, amount)
    if what == w.DOWN:
        return take_down(seat, house, spot)
    if what == w.STAY_UP:
        return stay_up(seat, house, spot)
    return call(seat, house, spot, what == w.TURN_ON)
