"""A compiled layout under posted limits, written into one flat array of integers.

Everything a seat's chips can meet is here: verdicts and prices, windows, steps and limits, odds,
fees, named parts, gates and collectors, markers. The order of the words is in `words`. It reads
`rules` only; what it does not find there it does not know.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from math import lcm

import msgspec
import numpy as np
from numpy.typing import NDArray

from boxman.chips import MINOR, payable_step
from boxman.dice import BY_TOTAL, ROLLS
from boxman.rules.cell import Cell
from boxman.rules.layout import Bounds, Layout, OddsLimit, Posted, Spot, fee_share
from boxman.sim.kernel import words as w
from boxman.sim.kernel.places import NoRoomError, SpotPlaces
from boxman.words import phrase

HouseSource = NDArray[np.int64]

WITHOUT_END = 10**15
"""The highest stake where nothing is posted, in minor units."""
_SIDES = {"any": w.MARK_PUCK_OFF | w.MARK_PUCK_ON, "off": w.MARK_PUCK_OFF, "on": w.MARK_PUCK_ON}
_MAY = {
    "make": w.MAY_MAKE,
    "raise": w.MAY_RAISE,
    "reduce": w.MAY_REDUCE,
    "remove": w.MAY_REMOVE,
}


def house_words(layout: Layout, posted: Posted, places: SpotPlaces) -> HouseSource:
    """The house as the kernel reads it: the wagers that have a place."""
    spots = {name: layout.spots[name] for name in places}
    layout = msgspec.structs.replace(layout, spots=spots)
    house = np.zeros(w.HOUSE_WORDS, np.int64)
    _header(house, layout, posted, places)
    _shooters(house, layout, places)
    _rolled(house, layout, places)
    _terms(house, layout, posted, places)
    ends = _places(house, layout, places)
    for place, number in places.numbers.items():
        house[w.NUMBERS + place - w.STRIDE + w.OWN] = number
    return np.concatenate((house, np.array(ends, np.int64)))


def _put_set(house: HouseSource, at: int, spots: Iterable[int]) -> None:
    """Write a set of spots into two words."""
    mask = sum(1 << spot for spot in set(spots))
    house[at] = _signed(mask & (2**64 - 1))
    house[at + 1] = _signed(mask >> 64)


def _signed(word: int) -> int:
    return word - 2**64 if word >= 2**63 else word


def _header(house: HouseSource, layout: Layout, posted: Posted, places: SpotPlaces) -> None:
    spots = [(places[spot.id], spot) for spot in layout.spots.values()]
    house[w.CHIP] = layout.chip
    house[w.ROUND_WIN] = w.UP_WAY if layout.round_win.value == "up" else w.DOWN_WAY
    house[w.ROUND_FEE] = w.UP_WAY if layout.round_fee.value == "up" else w.DOWN_WAY
    house[w.LEAST], house[w.MOST] = posted.minimum, posted.maximum
    multiple = layout.recognise.get(("not a multiple", "first"))
    house[w.LOWER_MULTIPLE] = multiple is not None and multiple.value == "lower multiple"
    for side in (0, 1):
        _put_set(house, w.WORKS + 2 * side, (i for i, spot in spots if spot.works[side]))
    _put_set(house, w.ODDS, (i for i, spot in spots if spot.is_odds))
    _put_set(house, w.GATED, (i for i, spot in spots if spot.gate is not None))
    for place, call in enumerate(("on", "off")):
        for turned, ends in enumerate(
            (("throw",), ("throw", "puck"), ("throw", "puck", "come-out"))
        ):
            at = w.LAPSE + (place * 3 + turned) * 2
            _put_set(house, at, (i for i, spot in spots if spot.markers[call].lasts in ends))


def _shooters(house: HouseSource, layout: Layout, places: SpotPlaces) -> None:
    """Who may throw, and what happens where nobody may."""
    procedure = layout.procedure
    rule = procedure.eligible.spots
    if rule is not None:
        _put_set(house, w.ELIGIBLE, places.of(rule.value))
    lacking = procedure.eligible.lacking
    house[w.LACKING] = w.ASKED if lacking is not None and lacking.value == "ask" else w.NOT_ASKED
    then = procedure.no_shooter.then
    value = then.value if then is not None else "wait"
    house[w.NOBODY] = w.NOBODYS.index(value)
    lasts = procedure.no_shooter.point_lasts
    if lasts is not None:
        house[w.POINT_LASTS] = w.LASTING.index(lasts.value)
    returns = procedure.no_shooter.returns
    if returns is not None:
        _put_set(house, w.CANCELLED, places.of(returns.value))


def _rolled(house: HouseSource, layout: Layout, places: SpotPlaces) -> None:
    by_faces = any(spot.by_faces for spot in layout.spots.values())
    told = layout.rolls if by_faces else BY_TOTAL
    for number, roll in enumerate(ROLLS):
        house[w.ROW_OF + number] = told.index(roll) * w.ROLLED_WORDS
    for puck in (0, *layout.points):
        for kind, rolled in enumerate(told.kinds):
            place = layout.rolls.index(told.rolls[kind])
            move = layout.puck[puck][rolled.total - 2]
            row = puck * w.KINDS + kind
            affected: list[tuple[int, Spot]] = []
            for spot in layout.spots.values():
                cell = spot.rows[puck][place]
                if cell is None:
                    continue
                index = places[spot.id]
                house[w.CELLS + row * w.STRIDE + index] = _packed(spot, cell, places)
                if spot.gate is None:
                    affected.append((index, spot))
            at = w.ROLLED + row * w.ROLLED_WORDS
            side = 1 if puck else 0
            working = {index for index, spot in affected if spot.works[side]}
            sleeping = {index for index, spot in affected if spot.is_odds} - working
            _put_set(house, at + w.TOUCHES, working | sleeping)
            marks = w.COUNTED | w.WITH_CARE | w.SHOOTS | w.SHORT
            marks |= w.EVER if move.event == "seven-out" else 0
            house[at + w.TOUCHES + 1] |= _signed(marks)
            _put_set(house, at + w.SLEEPS, sleeping)
            assert house[at + w.SLEEPS + 1] == 0, "all odds are in the low word"
            _put_set(house, at + w.AFFECTS, (index for index, _ in affected))
            house[at + w.ITS_CELLS] = w.CELLS + row * w.STRIDE
            house[at + w.SEEN] = (
                rolled.total
                | move.to << w.PUCK_AT
                | (w.ROLLED + move.to * w.KINDS * w.ROLLED_WORDS) << w.ROWS_AT
                | (w.HARD if rolled.hard else 0)
                | (w.NEW_SHOOTER if move.event == "seven-out" else 0)
            )


def _packed(spot: Spot, cell: Cell, places: SpotPlaces) -> int:
    """A cell in one word."""
    return _word(spot, *_meaning(spot, cell, places))


def _word(spot: Spot, verdict: int, target: int, ratio: Fraction) -> int:
    num, den = ratio.numerator, ratio.denominator
    if abs(num) >= 1 << w.NUM_BITS or den >= 1 << w.DEN_BITS:
        raise NoRoomError(phrase("sim.wrong.pays-which-the-kernel-has", id=spot.id, ratio=ratio))
    return verdict | target << w.TARGET_AT | num << w.NUM_AT | den << w.DEN_AT


def _meaning(spot: Spot, cell: Cell, places: SpotPlaces) -> tuple[int, int, Fraction]:
    """Verdict, target and what the stake earns or loses of itself."""
    ratio = cell.net
    if cell.verdict == "move":
        return w.MOVE, places[cell.to], Fraction(0)
    if cell.verdict == "collect":
        assert spot.collection is not None
        return w.COLLECT, cell.item * spot.collection.width, ratio
    if cell.verdict == "clear":
        return w.CLEAR, 0, Fraction(0)
    if spot.share is not None and spot.share.named:
        # A strategy cannot name parts: they are equal.
        if not cell.part:
            return w.PLAIN_CELL, 0, Fraction(-1)
        parts = len(spot.share.parts)
        units = spot.share.units
        hit = cell.win * Fraction(sum(units), units[spot.share.parts.index(cell.part)])
        ratio = (hit - (parts - 1)) / parts
        return (w.PARTLY if ratio < 0 else w.WIN_SLOWLY), 0, ratio
    if ratio == -1:
        return w.PLAIN_CELL, 0, ratio
    if ratio < 0:
        return w.PARTLY, 0, ratio
    if spot.fee is not None and spot.fee.charged == "win":
        return w.WIN_SLOWLY, 0, ratio
    return (w.PLAIN_CELL if ratio.denominator == 1 else w.WIN), 0, ratio


def _terms(house: HouseSource, layout: Layout, posted: Posted, places: SpotPlaces) -> None:
    for spot in layout.spots.values():
        for puck in (0, *layout.points):
            at = w.TERMS + (puck * w.STRIDE + places[spot.id]) * w.TERM_WORDS
            term = house[at : at + w.TERM_WORDS]
            term[w.FLAGS] = w.OFFERED | sum(bit for act, bit in _MAY.items() if spot.may(act, puck))
            _stakes(term, layout, posted, spot, puck)


def _stakes(term: HouseSource, layout: Layout, posted: Posted, spot: Spot, puck: int) -> None:
    """Steps, limits and odds of one spot under one puck."""
    bounds = layout.bounds(posted, spot, puck)
    chip = layout.chip
    term[w.MINIMUM], term[w.MAXIMUM], term[w.STEP] = bounds.minimum, bounds.maximum, bounds.step
    term[w.UNIT], term[w.POSTED_MULTIPLE] = bounds.unit, bounds.multiple
    term[w.LEAST_ON_SIGN], term[w.GRID] = bounds.least, bounds.grid
    refused = bounds.multiple and layout.limits["multiple"].value == "refuse"
    term[w.MULTIPLE] = bounds.multiple if refused else 0
    share = spot.share
    if share is not None and share.divide == "equal":
        term[w.SHARE_STEP] = chip * sum(share.units)
    if layout.round_win.value == "exact":
        steps = [payable_step(ratio, chip) for ratio in spot.ratios(puck)]
        term[w.PAY_STEP] = lcm(*steps) if steps else 0
    limit = None
    if spot.behind is not None:
        limit = spot.behind.limits.get(spot.number or puck)
        if limit is not None:
            term[w.FLAGS] |= w.HAS_NUMBER
            _limit(term, limit, chip)
    # What is counted from the minimum, the slow way checks.
    if not bounds.unit and not (spot.is_odds and limit is None):
        _quick_stakes(term, spot, bounds, puck)


def _quick_stakes(term: HouseSource, spot: Spot, bounds: Bounds, puck: int) -> None:
    """The same limits as the quick way asks them, and whether it may."""
    step = lcm(bounds.step, int(term[w.MULTIPLE]) or 1)
    low = max(step, -(-bounds.minimum // step) * step)
    high = bounds.maximum // step * step if bounds.maximum else WITHOUT_END // step * step
    term[w.LOW], term[w.HIGH] = low, high
    whole = lcm(step, MINOR)
    term[w.WHOLE_STEP] = whole // MINOR
    term[w.WHOLE_LOW] = -(-low // whole) * whole // MINOR
    term[w.WHOLE_HIGH] = high // whole * whole // MINOR
    twos = (step & -step).bit_length() - 1
    odd = step >> twos
    term[w.INVERSE] = _signed(pow(odd, -1, 2**64))
    term[w.TWOS] = twos
    term[w.QUOTIENT] = _signed((2**64 - 1) // step)
    named = spot.share is not None and spot.share.named
    if spot.fee is None and spot.gate is None and not named and not term[w.AMOUNT]:
        term[w.FLAGS] |= w.PLAIN_ODDS if spot.is_odds else w.PLAIN
        # One that sleeps may come under the marker of another like it: the slow way looks.
        joins = spot.markers["on"].scope == "similar" and not spot.works[1 if puck else 0]
        if term[w.FLAGS] & w.MAY_MAKE and not spot.unasked and not joins:
            term[w.FLAGS] |= w.QUICK_MAKE


def _limit(term: HouseSource, limit: OddsLimit, chip: int) -> None:
    per, lift = (1, 1) if limit.measure == "stake" else limit.ratio.as_integer_ratio()
    parts = lcm(limit.lifted.denominator, limit.times.denominator)
    term[w.PER] = per * parts
    term[w.LIFT] = int(limit.lifted * parts) * lift
    term[w.AMOUNT] = limit.amount
    if limit.excess:
        term[w.TIMES] = int(limit.times * parts) * lift
        term[w.EXCESS_UNIT] = payable_step(limit.ratio, chip)


def _places(house: HouseSource, layout: Layout, places: SpotPlaces) -> list[int]:
    """What does not depend on the puck; gives the cells of wagers that are paid when they end."""
    families = {name: number for number, name in enumerate(sorted(_families(layout)))}
    groups: dict[str, int] = {}
    ends: list[int] = []
    for index in range(w.STRIDE):
        at = w.PLACES + index * w.PLACE_WORDS
        house[at + w.FLAT] = house[at + w.BEHIND] = house[at + w.GROUP] = -1
    for spot in layout.spots.values():
        at = w.PLACES + places[spot.id] * w.PLACE_WORDS
        place = house[at : at + w.PLACE_WORDS]
        place[w.FAMILY] = families[spot.family]
        place[w.AGAIN] = w.UNASKED if spot.unasked else bool(spot.again_cites)
        if spot.behind is not None:
            flat = places[spot.behind.flat]
            place[w.FLAT] = flat
            behind = w.PLACES + flat * w.PLACE_WORDS + w.BEHIND
            if house[behind] != -1:
                raise NoRoomError(
                    phrase("sim.wrong.two-kinds-of-odds-stand", flat=spot.behind.flat)
                )
            house[behind] = places[spot.id]
        if spot.fee is not None:
            fee = fee_share(spot)
            place[w.FEE_NUM], place[w.FEE_DEN] = fee.numerator, fee.denominator
            place[w.FEE_AT] = 1 if spot.fee.charged == "placement" else 2
            place[w.REFUND] = spot.fee.refund
        if spot.share is not None and spot.share.named:
            place[w.SPLIT] = len(spot.share.parts)
        if spot.gate is not None:
            place[w.GROUP] = groups.setdefault(spot.gate.group, len(groups))
            place[w.UNTIL] = w.GATES.index(spot.gate.until)
            _collects(place, spot, ends)
        for word, call in ((w.MARK_ON, "on"), (w.MARK_OFF, "off")):
            rule = spot.markers[call]
            if rule.allow:
                place[word] = (
                    w.MARK_ALLOWED
                    | _SIDES[rule.puck]
                    | (w.MARK_SIMILAR if rule.scope == "similar" else 0)
                    | (w.MARK_LASTS if rule.lasts == "wager" else 0)
                )
    return ends


def _collects(place: HouseSource, spot: Spot, ends: list[int]) -> None:
    """What a wager collects; the cells of what it is paid at its end are added to the others'."""
    collection = spot.collection
    assert collection is not None
    place[w.COMPLETE], place[w.ENOUGH] = collection.complete, collection.enough
    place[w.ITEMS], place[w.WIDTH] = len(collection.items), collection.width
    place[w.TOGETHER], place[w.IN_A_ROW] = collection.together, collection.in_a_row
    if collection.ends:
        place[w.ENDS] = w.HOUSE_WORDS + len(ends)
        for far in range(max(*collection.ends, collection.enough) + 1):
            paid = collection.ends.get(far)
            ends.append(_word(spot, w.WIN_SLOWLY, 0, paid[0]) if paid else w.NOTHING)
    by_thing = any(item for item, _ in collection.steps)
    if collection.steps:
        place[w.THING_STEPS if by_thing else w.STEPS] = w.HOUSE_WORDS + len(ends)
        counts = range(1 << collection.width if by_thing else collection.most + 1)
        for key in product(collection.items if by_thing else (0,), counts):
            part = collection.steps.get(key)
            ends.append(_word(spot, w.WIN_SLOWLY, 0, part[0]) if part else w.NOTHING)
    if collection.ladder:
        place[w.LADDER] = w.HOUSE_WORDS + len(ends)
        for steps in collection.ladder:
            ends += [*steps, *[0] * ((1 << collection.width) - len(steps))]


def _families(layout: Layout) -> set[str]:
    return {spot.family for spot in layout.spots.values()}
