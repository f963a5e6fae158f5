"""One valid roll against every wager on the layout.

All wagers are judged against the table as it stood when the dice came to rest; the decisions are
then applied in order. Money is a pipeline: what of the stake is recognised, the exact win, the
rounding; each step adds the clause that makes it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import msgspec

from boxman.chips import payable
from boxman.dice import Roll
from boxman.rules.cell import Cell
from boxman.rules.layout import Layout, Posted, Spot, fee_share
from boxman.rules.ledger import join
from boxman.table.floor.people import QUIET
from boxman.table.floor.personal import granted_cites
from boxman.table.markers import works
from boxman.table.stakes import counted, cut_cites, found_cites, left_now, may_be_cut
from boxman.table.state import (
    AnyDecision,
    Cites,
    Collected,
    Latched,
    Marked,
    Moved,
    Returned,
    Rolled,
    Seat,
    Settled,
    Table,
    Wager,
    Warned,
    apply,
)
from boxman.table.wagers import REMEDY, give_back, hand_over


def settle(layout: Layout, table: Table, roll: Roll, extra: Cites = ()) -> list[AnyDecision]:
    """Everything that follows from a valid roll."""
    puck, kind = table.puck, layout.rolls.of[roll.first - 1][roll.second - 1]
    move = layout.puck[puck][roll.total - 2]
    cites = join(move.cites, extra) if extra else move.cites
    if not table.rolls and "play starts" in layout.principles:
        cites = join(cites, layout.principles["play starts"])
    made: list[AnyDecision] = [Rolled(roll.first, roll.second, move.to, move.event, cites)]
    moved: list[AnyDecision] = []
    kept: list[AnyDecision] = []
    spots = layout.spots
    side = 1 if puck else 0
    turned = bool(move.to) != bool(puck)
    together = False
    if may_be_cut(layout, table):
        table, cut = _cut(layout, table, kind)
        made += cut
    for seat in table.seats.values():
        for wager in seat.wagers.values():
            spot = spots[wager.spot]
            cell = spot.rows[puck][kind]
            if spot.collection is not None:
                together = True
            elif cell is not None:
                if wager.marker == "" and spot.works[side]:
                    if cell.verdict == "move":
                        moved.append(Moved(seat.name, spot.id, cell.to, cell.cites, wager.stake))
                        continue
                    if not wager.found or wager.found == REMEDY:
                        made.append(_plain(layout, table, seat, spot, wager, cell))
                        continue
                    made += _found(layout, table, seat, spot, wager, cell)
                    continue
                if works(spot, wager, puck):
                    cited = join(cell.said, spot.markers["on"].cites)
                    made += _found(layout, table, seat, spot, wager, cell, cited)
                    continue
                if spot.behind is not None and _decided(layout, seat, spot, puck, kind):
                    made += _handed_back(seat, spot, wager, _asleep(spot, wager, side))
                    continue
            if wager.marker and _lapses(spot, wager, turned, bool(move.to)):
                kept.append(Marked(seat.name, spot.id, "", spot.markers[wager.marker].cites))
    made += moved
    made += kept
    if together or layout.hands:
        made += _remembered(layout, table, roll)
    if table.floor is not QUIET and layout.procedure.voucher.one_wager:
        made += _vouchers_back(layout, table, made)
    return made


def _cut(layout: Layout, table: Table, kind: int) -> tuple[Table, list[AnyDecision]]:
    """What lies above the maximum goes back before the rest of a stake is paid or collected."""
    made: list[AnyDecision] = []
    for seat in table.seats.values():
        for wager in seat.wagers.values():
            spot = layout.spots[wager.spot]
            cell = spot.step(table.puck, table.collected.get(spot.id, 0), kind)[1]
            left = left_now(layout, table, seat, spot)
            if cell is None or cell.verdict == "move" or cell.goes_on or left == wager.stake:
                continue
            if left < counted(layout, table, seat, spot) and works(spot, wager, table.puck):
                cites = cut_cites(layout, table, seat, spot)
                made.append(give_back(layout, seat, spot, left, "over the limit now", cites))
    for each in made:
        table = apply(table, each)
    return table, made


def _lapses(spot: Spot, wager: Wager, turned: bool, on: bool) -> bool:
    """Whether a marker ends with this roll."""
    lasts = spot.markers[wager.marker].lasts
    return lasts == "throw" or (turned and (lasts == "puck" or (lasts == "come-out" and on)))


def _decided(layout: Layout, seat: Seat, spot: Spot, puck: int, kind: int) -> bool:
    """Whether the flat under these odds is decided by this roll."""
    assert spot.behind is not None
    flat = layout.spots[spot.behind.flat]
    cell = flat.rows[puck][kind]
    return cell is not None and works(flat, seat.wagers[flat.id], puck)


def _asleep(spot: Spot, wager: Wager, side: int) -> Cites:
    """Why odds that sleep while their flat is decided are handed back: they cannot stand alone."""
    assert spot.behind is not None
    why = spot.markers["off"].cites if wager.marker else spot.works_cites[side]
    return join(why, spot.behind.asleep_cites or spot.behind.flat_cites)


def _handed_back(seat: Seat, spot: Spot, wager: Wager, cites: Cites) -> list[AnyDecision]:
    """A whole stake goes back, undecided: chips as chips with their fee, a voucher as a voucher."""
    stake = wager.stake
    if not wager.voucher and not wager.fee:
        return [Settled(seat.name, spot.id, "return", stake, 0, 0, stake, cites)]
    if wager.fee and spot.fee is not None:
        cites = join(cites, spot.fee.refund_cites)
    return [Returned(seat.name, spot.id, stake, wager.fee, "undecided", cites, wager.voucher)]


def _vouchers_back(layout: Layout, table: Table, made: list[AnyDecision]) -> list[AnyDecision]:
    """Vouchers that come back undecided, to their owners."""
    found: list[AnyDecision] = []
    for each in made:
        if type(each) is Returned and each.voucher:
            back = hand_over(layout, table, each.seat, each.voucher, back=True)
            found.append(back)
            table = apply(table, back)
    return found


def _plain(
    layout: Layout, table: Table, seat: Seat, spot: Spot, wager: Wager, cell: Cell
) -> Settled:
    """The common case: the whole stake counts and nobody called anything."""
    stake = wager.stake
    if wager.voucher:
        return _voucher(layout, seat, spot, wager, cell, cell.cites, stake)
    if wager.split:
        return _split(layout, seat, spot, wager, cell, cell.cites, stake)
    if cell.num < 0:
        if cell.num == -cell.den:
            return Settled(seat.name, spot.id, "lose", stake, 0, stake, 0, cell.cites)
        return _pay(layout, table, seat, spot, wager, cell, stake, cell.cites)
    chips, rest = divmod(stake * cell.num, cell.den * layout.chip)
    fee = spot.fee
    if rest or (fee is not None and fee.charged == "win"):
        return _pay(layout, table, seat, spot, wager, cell, stake, cell.cites)
    paid = chips * layout.chip
    return Settled(seat.name, spot.id, cell.verdict, stake, paid, 0, stake, cell.cites, cell.part)


def _found(
    layout: Layout,
    table: Table,
    seat: Seat,
    spot: Spot,
    wager: Wager,
    cell: Cell,
    cites: Cites = (),
) -> list[AnyDecision]:
    """A wager whose stake may not count in full."""
    cites = cites or cell.cites
    if cell.verdict == "move":
        return [Moved(seat.name, spot.id, cell.to, cites, wager.stake)]
    if wager.found in ("", REMEDY):
        return [_pay(layout, table, seat, spot, wager, cell, wager.stake, cites)]
    counts = counted(layout, table, seat, spot)
    if cell.stays_up and not counts:
        return []  # it goes back when it is over
    measure = found_cites(layout, spot, wager, table.puck, counts)
    measure = join(measure, granted_cites(layout, table, seat.name, wager))
    made: list[AnyDecision]
    if counts:
        made = [_pay(layout, table, seat, spot, wager, cell, counts, join(cites, measure))]
    else:  # whatever the roll is
        made = _handed_back(seat, spot, wager, measure)
    if "under minimum" in wager.found and not seat.warned:
        later = layout.recognise["under minimum", "later"]
        told = layout.procedure.records.get("under-minimum")
        if later.value == "return":
            made.append(Warned(seat.name, "under-minimum", told.cites if told else later.cites))
    return made


def _pay(
    layout: Layout,
    table: Table,
    seat: Seat,
    spot: Spot,
    wager: Wager,
    cell: Cell,
    counts: int,
    cites: Cites,
) -> Settled:
    """Settle what is recognised of a stake; the rest of it is handed back, or stays up."""
    if wager.voucher and not cell.stays_up:
        return _voucher(layout, seat, spot, wager, cell, cites, counts)
    if wager.split:
        return _split(layout, seat, spot, wager, cell, cites, counts)
    if wager.voucher:
        cites = join(cites, layout.procedure.voucher.paid_in_chips)
    chip, stake = layout.chip, wager.stake
    exact = counts * cell.net
    if exact < 0:
        taken = int(-exact)
        return Settled(seat.name, spot.id, "lose", stake, 0, taken, stake - taken, cites)
    if exact % chip:
        counts, why = _on_multiple(layout, table, seat, spot, wager, counts)
        exact, cites = counts * cell.net, join(cites, why)
    if exact % chip:
        cites = join(cites, layout.round_win.cites)
    paid = payable(exact, chip, _way(layout))
    if spot.fee is not None and spot.fee.charged == "win" and paid:
        way = layout.round_fee.value if layout.round_fee.value != "exact" else "down"
        fee = counts * fee_share(spot)
        paid -= payable(fee, chip, way)
        cites = join(cites, spot.fee.cites, spot.fee.charged_cites)
        if fee % chip:
            cites = join(cites, layout.round_fee.cites)
    back = 0 if cell.stays_up else stake
    return Settled(seat.name, spot.id, cell.verdict, stake, paid, 0, back, cites, cell.part)


def _on_multiple(
    layout: Layout, table: Table, seat: Seat, spot: Spot, wager: Wager, counts: int
) -> tuple[int, Cites]:
    """What is paid on of a stake whose win chips cannot make, and the clauses: where the house has
    it so the multiple of the minimum below, by the limits under which the wager was made."""
    rule = layout.recognise.get(("not a multiple", "later" if seat.warned else "first"))
    if rule is None or rule.value != "lower multiple":
        return counts, ()
    cites: Cites = ()
    made = _multiple_in(layout, wager.under or table.posted, spot, table.puck, counts)
    if wager.under and made != _multiple_in(layout, table.posted, spot, table.puck, counts):
        cites = layout.principles["limits when made"]
    return made, join(cites, rule.cites) if made != counts else cites


def _multiple_in(layout: Layout, posted: Posted, spot: Spot, puck: int, stake: int) -> int:
    """The greatest multiple of the minimum in a stake, where the notice asks for multiples."""
    unit = layout.bounds(posted, spot, puck).multiple
    return stake // unit * unit if unit and stake > unit else stake


def _voucher(
    layout: Layout, seat: Seat, spot: Spot, wager: Wager, cell: Cell, cites: Cites, counts: int
) -> Settled:
    """A stake that is a voucher, wholly or in part: the voucher is gone either way."""
    cites = join(cites, layout.procedure.voucher.forfeited)
    chips = wager.stake - wager.voucher
    exact = max(0, counts - wager.voucher) * cell.net
    if cell.verdict != "lose":
        # Nothing is deducted in chips for the lost parts of a voucher.
        exact += wager.voucher * cell.win
    if exact <= 0:
        taken = int(-exact) if chips else 0
        return Settled(
            *(seat.name, spot.id, "lose", wager.stake, 0, taken, chips - taken, cites),
            voucher=wager.voucher,
        )
    cites = join(cites, layout.procedure.voucher.paid_in_chips)
    if exact % layout.chip:
        cites = join(cites, layout.round_win.cites)
    paid = payable(exact, layout.chip, _way(layout))
    return Settled(
        *(seat.name, spot.id, "win", wager.stake, paid, 0, chips, cites, cell.part),
        voucher=wager.voucher,
    )


def _way(layout: Layout) -> str:
    """How a win is rounded; in a house that pays exactly there is nothing to round."""
    return layout.round_win.value if layout.round_win.value != "exact" else "down"


def _split(
    layout: Layout, seat: Seat, spot: Spot, wager: Wager, cell: Cell, cites: Cites, counts: int
) -> Settled:
    """A wager whose parts the player named: each is a wager of its own, netted once."""
    assert spot.share is not None
    stake = wager.stake
    if not cell.part:
        lost = Settled(seat.name, spot.id, "lose", stake, 0, counts, stake - counts, cites)
        return msgspec.structs.replace(lost, split=wager.split)
    index = spot.share.parts.index(cell.part)
    hit = wager.split[index] * counts // stake
    units = spot.share.units
    ratio = cell.win * Fraction(sum(units), units[index])
    exact = hit * ratio - (counts - hit)
    if exact < 0:
        taken = int(-exact)
        return Settled(seat.name, spot.id, "lose", stake, 0, taken, stake - taken, cites, cell.part)
    if exact % layout.chip:
        cites = join(cites, layout.round_win.cites)
    paid = payable(exact, layout.chip, _way(layout))
    verdict = "win" if paid else "push"
    done = Settled(seat.name, spot.id, verdict, stake, paid, 0, stake, cites, cell.part)
    return msgspec.structs.replace(done, split=wager.split)


@lru_cache(64)
def _gated(layout: Layout) -> tuple[Spot, ...]:
    """The spots with a memory; few houses have many."""
    return tuple(spot for spot in layout.spots.values() if spot.gate is not None)


def _remembered(layout: Layout, table: Table, roll: Roll) -> list[AnyDecision]:
    """Wagers with a memory go on for the whole table; each kind is decided for everybody."""
    made: list[AnyDecision] = []
    over: set[str] = set()
    latch: dict[str, Cites] = {}
    kind = layout.rolls.index(roll)
    seats = table.seats.values()
    up = [spot for spot in _gated(layout) if any(spot.id in seat.wagers for seat in seats)]
    for spot in up:
        assert spot.gate is not None
        rolled = spot.rows[table.puck][kind]
        old = table.collected.get(spot.id, 0)
        memory, cell = spot.step(table.puck, old, kind)
        if cell is not None and not cell.goes_on:
            if not cell.stays_up:
                over.add(spot.id)
            for seat in seats:
                if (wager := seat.wagers.get(spot.id)) is not None:
                    made += _found(layout, table, seat, spot, wager, cell)
        if memory != old:
            assert rolled is not None
            made.append(Collected(spot.id, memory, rolled.cites))
        if spot.id not in over and (spot.gate.until == "roll" or memory):
            latch[spot.gate.group] = spot.gate.cites
    return made + _latches(layout, table, roll, up, over, latch)


def _latches(
    layout: Layout,
    table: Table,
    roll: Roll,
    up: list[Spot],
    over: set[str],
    latch: dict[str, Cites],
) -> list[AnyDecision]:
    """Which gates a roll shuts or opens, with the wagers up and those that are over."""
    made: list[AnyDecision] = []
    latched = set(table.latched)
    seven_out = layout.puck[table.puck][roll.total - 2].event == "seven-out"
    for group, gate in layout.hands.items():
        # Whoever has made it or not: it may be made again when the next hand begins.
        opens = roll.total == 7 if gate.value == "seven" else seven_out
        if (group in latched) == opens:
            made.append(Latched(group, not opens, gate.cites))
    for spot in up:
        assert spot.gate is not None
        group = spot.gate.group
        if group in layout.hands:
            continue
        open_still = any(s.gate and s.gate.group == group and s.id not in over for s in up)
        if group in latched and not open_still:
            made.append(Latched(group, False, spot.gate.cites))
            latched.discard(group)
        elif open_still and group in latch and group not in latched:
            made.append(Latched(group, True, latch[group]))
            latched.add(group)
    return made
