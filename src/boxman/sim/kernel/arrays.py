"""A compiled layout under posted limits, written into one flat array of integers.

Everything a seat's chips can meet is here: verdicts and prices, windows, steps and limits, odds,
fees, named parts, gates and collectors, markers. The order of the words is in `words`. It reads
`rules` only; what it does not find there it does not know.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import lcm

import msgspec
import numpy as np
from numpy.typing import NDArray

from boxman.chips import MINOR, payable_step
from boxman.dice import BY_TOTAL, KINDS
from boxman.rules.cell import Cell
from boxman.rules.layout import Layout, OddsLimit, Posted, Spot, fee_ratio
from boxman.sim.kernel import words as w
from boxman.sim.kernel.check import NotCompiled, numbers_in
from boxman.strategy.api import Strategy
from boxman.strategy.spots import INDEX, SPOTS
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


class NoRoomError(NotCompiled):
    """A rulebook whose numbers do not fit the arrays; the message says which."""


def house_words(layout: Layout, posted: Posted) -> HouseSource:
    """The house as the kernel reads it."""
    layout = msgspec.structs.replace(layout, spots=_placed(layout))
    house = np.zeros(w.HOUSE_WORDS, np.int64)
    _header(house, layout, posted)
    _rolled(house, layout)
    _terms(house, layout, posted)
    _places(house, layout)
    return house


def _placed(layout: Layout) -> dict[str, Spot]:
    """The spots the kernel has places for: nobody can bet on the others there."""
    return {name: spot for name, spot in layout.spots.items() if has_place(spot)}


def has_place(spot: Spot) -> bool:
    """A spot of the vocabulary, and no collection but of numbers that have to come once."""
    if spot.collection is not None and (not spot.collection.plain or spot.shape.by_point):
        return False
    if spot.gate is not None and spot.gate.until in ("hand", "seven"):
        return False
    return INDEX[spot.id] < len(SPOTS) and not spot.by_faces


def check_places(strategy: Strategy, layout: Layout) -> None:
    """Refuse a strategy that names wagers of the rulebook's own: another executor plays it."""
    unplaced = {INDEX[name]: name for name, spot in layout.spots.items() if not has_place(spot)}
    for named in numbers_in(strategy) & unplaced.keys() if unplaced else ():
        raise NoRoomError(
            phrase("sim.wrong.names-a-wager-of-the", name=strategy.name, unplaced=unplaced[named])
        )


def _put_set(house: HouseSource, at: int, spots: Iterable[int]) -> None:
    """Write a set of spots into two words."""
    mask = sum(1 << spot for spot in set(spots))
    house[at] = _signed(mask & (2**64 - 1))
    house[at + 1] = _signed(mask >> 64)


def _signed(word: int) -> int:
    return word - 2**64 if word >= 2**63 else word


def _header(house: HouseSource, layout: Layout, posted: Posted) -> None:
    spots = [(INDEX[spot.id], spot) for spot in layout.spots.values()]
    house[w.CHIP] = layout.chip
    house[w.ROUND_WIN] = w.UP_WAY if layout.round_win.value == "up" else w.DOWN_WAY
    house[w.ROUND_FEE] = w.UP_WAY if layout.round_fee.value == "up" else w.DOWN_WAY
    house[w.LEAST], house[w.MOST] = posted.minimum, posted.maximum
    multiple = layout.recognise.get(("not a multiple", "first"))
    house[w.LOWER_MULTIPLE] = multiple is not None and multiple.value == "lower multiple"
    procedure = layout.procedure
    rule = procedure.eligible.spots
    if rule is not None:
        _put_set(house, w.ELIGIBLE, (INDEX[spot] for spot in rule.value))
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
        _put_set(house, w.CANCELLED, (INDEX[spot] for spot in returns.value))
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


def _rolled(house: HouseSource, layout: Layout) -> None:
    for puck in (0, *layout.points):
        for kind, rolled in enumerate(KINDS):
            place = layout.rolls.index(BY_TOTAL.rolls[kind])
            move = layout.puck[puck][rolled.total - 2]
            row = puck * w.KINDS + kind
            affected: list[tuple[int, Spot]] = []
            for spot in layout.spots.values():
                cell = spot.rows[puck][place]
                if cell is None:
                    continue
                index = INDEX[spot.id]
                house[w.CELLS + row * w.STRIDE + index] = _packed(spot, cell)
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


def _packed(spot: Spot, cell: Cell) -> int:
    """A cell in one word."""
    verdict, target, ratio = _meaning(spot, cell)
    num, den = ratio.numerator, ratio.denominator
    if abs(num) >= 1 << w.NUM_BITS or den >= 1 << w.DEN_BITS:
        raise NoRoomError(phrase("sim.wrong.pays-which-the-kernel-has", id=spot.id, ratio=ratio))
    return verdict | target << w.TARGET_AT | num << w.NUM_AT | den << w.DEN_AT


def _meaning(spot: Spot, cell: Cell) -> tuple[int, int, Fraction]:
    """Verdict, target and what the stake earns or loses of itself."""
    ratio = cell.net
    if cell.verdict == "move":
        return w.MOVE, INDEX[cell.to], Fraction(0)
    if cell.verdict == "collect":
        return w.COLLECT, 0, ratio
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


def _terms(house: HouseSource, layout: Layout, posted: Posted) -> None:
    for spot in layout.spots.values():
        for puck in (0, *layout.points):
            at = w.TERMS + (puck * w.STRIDE + INDEX[spot.id]) * w.TERM_WORDS
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
    step = lcm(bounds.step, int(term[w.MULTIPLE]) or 1)
    if bounds.unit:
        return  # counted from the minimum: the slow way checks it
    if spot.is_odds and limit is None:
        return
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
    named = share is not None and share.named
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


def _places(house: HouseSource, layout: Layout) -> None:
    families = {name: number for number, name in enumerate(sorted(_families(layout)))}
    groups: dict[str, int] = {}
    collectors = 0
    for index in range(len(SPOTS)):
        at = w.PLACES + index * w.PLACE_WORDS
        house[at + w.FLAT] = house[at + w.BEHIND] = house[at + w.GROUP] = -1
    for spot in layout.spots.values():
        at = w.PLACES + INDEX[spot.id] * w.PLACE_WORDS
        place = house[at : at + w.PLACE_WORDS]
        place[w.FAMILY] = families[spot.family]
        place[w.AGAIN] = w.UNASKED if spot.unasked else bool(spot.again_cites)
        if spot.behind is not None:
            flat = INDEX[spot.behind.flat]
            place[w.FLAT] = flat
            behind = w.PLACES + flat * w.PLACE_WORDS + w.BEHIND
            if house[behind] != -1:
                raise NoRoomError(
                    phrase("sim.wrong.two-kinds-of-odds-stand", flat=spot.behind.flat)
                )
            house[behind] = INDEX[spot.id]
        if spot.fee is not None:
            fee = spot.fee.rate * (fee_ratio(spot) if spot.fee.base == "win" else 1)
            place[w.FEE_NUM], place[w.FEE_DEN] = fee.numerator, fee.denominator
            place[w.FEE_AT] = 1 if spot.fee.charged == "placement" else 2
            place[w.REFUND] = spot.fee.refund
        if spot.share is not None and spot.share.named:
            place[w.SPLIT] = len(spot.share.parts)
        if spot.gate is not None:
            place[w.GROUP] = groups.setdefault(spot.gate.group, len(groups))
            place[w.AT_ROLL] = spot.gate.until == "roll"
            assert spot.collection is not None
            place[w.COLLECTOR], place[w.COMPLETE] = collectors, spot.collection.complete
            for total in spot.collection.items:
                place[w.BITS + total] = spot.collection.memory([total])
            collectors += 1
        for word, call in ((w.MARK_ON, "on"), (w.MARK_OFF, "off")):
            rule = spot.markers[call]
            if rule.allow:
                place[word] = (
                    w.MARK_ALLOWED
                    | _SIDES[rule.puck]
                    | (w.MARK_SIMILAR if rule.scope == "similar" else 0)
                    | (w.MARK_LASTS if rule.lasts == "wager" else 0)
                )
    if collectors > w.COLLECTORS:
        raise NoRoomError(
            phrase(
                "sim.wrong.bonus-wagers-the-kernel-has",
                collectors=collectors,
                collectors_2=w.COLLECTORS,
            )
        )


def _families(layout: Layout) -> set[str]:
    return {spot.family for spot in layout.spots.values()}
