"""One valid roll against every wager on the layout.

All wagers are judged against the table as it stood when the dice came to rest; the decisions are
then applied in order. Money is a pipeline: what of the stake is recognised, the exact win, the
rounding; each step adds the clause that makes it.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec

from boxman.chips import payable
from boxman.dice import Roll
from boxman.rules.layout import Cell, Layout, Spot, fee_amount
from boxman.rules.ledger import join
from boxman.table.markers import works
from boxman.table.state import (
    AnyDecision,
    Cites,
    Collected,
    Latched,
    Marked,
    Moved,
    Rolled,
    Seat,
    Settled,
    Table,
    Wager,
    Warned,
)
from boxman.table.wagers import REMEDY


def settle(layout: Layout, table: Table, roll: Roll, extra: Cites = ()) -> list[AnyDecision]:
    """Everything that follows from a valid roll."""
    puck, kind = table.puck, roll.kind
    move = layout.puck[puck][roll.total - 2]
    assert move is not None
    cites = join(move.cites, extra) if extra else move.cites
    if not table.rolls and "play starts" in layout.principles:
        cites = join(cites, layout.principles["play starts"])
    made: list[AnyDecision] = [Rolled(roll.first, roll.second, move.to, move.event, cites)]
    moved: list[AnyDecision] = []
    kept: list[AnyDecision] = []
    spots = layout.spots
    side = 1 if puck else 0
    turned = bool(move.to) != bool(puck)
    bonus = False
    for seat in table.seats.values():
        for wager in seat.wagers.values():
            spot = spots[wager.spot]
            cell = spot.rows[puck][kind]
            if spot.gate is not None:
                bonus = True
            elif cell is not None:
                if wager.marker == "" and spot.works[side]:
                    if cell.verdict == "move":
                        moved.append(Moved(seat.name, spot.id, cell.to, cell.cites, wager.stake))
                        continue
                    if wager.found in ("", REMEDY):
                        made.append(_plain(layout, table, seat, spot, wager, cell))
                        continue
                    made += _found(layout, table, seat, spot, wager, cell)
                    continue
                if works(spot, wager, puck):
                    cited = join(cell.said, spot.markers["on"].cites)
                    made += _found(layout, table, seat, spot, wager, cell, cited)
                    continue
                if spot.behind is not None and _decided(layout, seat, spot, puck, kind):
                    made.append(_asleep(spot, seat, wager, side))
                    continue
            if wager.marker and _lapses(spot, wager, turned, bool(move.to)):
                kept.append(Marked(seat.name, spot.id, "", spot.markers[wager.marker].cites))
    made += moved
    made += kept
    if bonus:
        made += _bonus(layout, table, roll)
    return made


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


def _asleep(spot: Spot, seat: Seat, wager: Wager, side: int) -> Settled:
    """Odds that sleep while their flat is decided cannot stand alone: they are handed back."""
    assert spot.behind is not None
    why = spot.markers["off"].cites if wager.marker else spot.works_cites[side]
    cites = join(why, spot.behind.asleep_cites or spot.behind.flat_cites)
    stake = wager.stake
    return Settled(seat.name, spot.id, "return", stake, 0, 0, stake, cites)


def _plain(
    layout: Layout, table: Table, seat: Seat, spot: Spot, wager: Wager, cell: Cell
) -> Settled:
    """The common case: the whole stake counts and nobody called anything."""
    stake = wager.stake
    if wager.voucher:
        return _voucher(layout, seat, spot, wager, cell, cell.cites)
    if wager.split:
        return _split(layout, seat, spot, wager, cell, cell.cites)
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
    rule = layout.recognise[wager.found, "later" if seat.warned else "first"]
    cites = join(cites, rule.cites)
    if rule.value == "return":
        stake = wager.stake
        return [Settled(seat.name, spot.id, "return", stake, 0, 0, stake, cites)]
    counts = wager.stake
    if rule.value == "maximum":
        counts = min(counts, layout.bounds(table.posted, spot, table.puck).maximum)
    made: list[AnyDecision] = [_pay(layout, table, seat, spot, wager, cell, counts, cites)]
    later = layout.recognise[wager.found, "later"]
    if later.value == "return" and not seat.warned:
        made.append(Warned(seat.name, wager.found.replace(" ", "-"), later.cites))
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
    """Settle what is recognised of a stake; the rest of it is handed back."""
    if wager.voucher:
        return _voucher(layout, seat, spot, wager, cell, cites)
    if wager.split:
        return _split(layout, seat, spot, wager, cell, cites)
    chip, stake = layout.chip, wager.stake
    exact = counts * Fraction(cell.num, cell.den)
    if exact < 0:
        taken = int(-exact)
        return Settled(seat.name, spot.id, "lose", stake, 0, taken, stake - taken, cites)
    if exact % chip:
        time = "later" if seat.warned else "first"
        multiple = layout.recognise.get(("not a multiple", time))
        if multiple is not None and multiple.value == "lower multiple":
            unit = layout.bounds(table.posted, spot, table.puck).multiple
            if unit and counts % unit and counts > unit:
                counts = counts // unit * unit
                exact = counts * Fraction(cell.num, cell.den)
                cites = join(cites, multiple.cites)
    if exact % chip:
        cites = join(cites, layout.round_win.cites)
    paid = payable(exact, chip, _way(layout))
    if spot.fee is not None and spot.fee.charged == "win" and paid:
        way = layout.round_fee.value if layout.round_fee.value != "exact" else "down"
        fee = fee_amount(spot.fee, spot, counts)
        paid -= payable(fee, chip, way)
        cites = join(cites, spot.fee.cites, spot.fee.charged_cites)
        if fee % chip:
            cites = join(cites, layout.round_fee.cites)
    return Settled(seat.name, spot.id, cell.verdict, stake, paid, 0, stake, cites, cell.part)


def _voucher(
    layout: Layout, seat: Seat, spot: Spot, wager: Wager, cell: Cell, cites: Cites
) -> Settled:
    """A stake that is a voucher, wholly or in part: the voucher is gone either way."""
    rules = layout.procedure.rules
    gone = rules.get(("voucher", "forfeited"))
    cites = join(cites, gone.cites if gone else ())
    chips = wager.stake - wager.voucher
    exact = chips * Fraction(cell.num, cell.den)
    if cell.verdict != "lose":
        # Nothing is deducted in chips for the lost parts of a voucher.
        exact += wager.voucher * cell.win
    if exact <= 0:
        taken = int(-exact) if chips else 0
        return Settled(
            *(seat.name, spot.id, "lose", wager.stake, 0, taken, chips - taken, cites),
            voucher=wager.voucher,
        )
    paid_in = rules.get(("voucher", "paid in chips"))
    cites = join(cites, paid_in.cites if paid_in else ())
    if exact % layout.chip:
        cites = join(cites, layout.round_win.cites)
    paid = payable(exact, layout.chip, _way(layout))
    return Settled(
        *(seat.name, spot.id, "win", wager.stake, paid, 0, chips, cites, cell.part),
        voucher=wager.voucher,
    )


def _way(layout: Layout) -> str:
    """How a win is rounded; a found stake may defeat exact play, then the house rounds down."""
    return layout.round_win.value if layout.round_win.value != "exact" else "down"


def _split(
    layout: Layout, seat: Seat, spot: Spot, wager: Wager, cell: Cell, cites: Cites
) -> Settled:
    """A wager whose parts the player named: each is a wager of its own, netted once."""
    assert spot.share is not None
    stake = wager.stake
    if not cell.part:
        lost = Settled(seat.name, spot.id, "lose", stake, 0, stake, 0, cites)
        return msgspec.structs.replace(lost, split=wager.split)
    index = spot.share.parts.index(cell.part)
    hit = wager.split[index]
    units = spot.share.units
    ratio = cell.win * Fraction(sum(units), units[index])
    exact = hit * ratio - (stake - hit)
    if exact < 0:
        taken = int(-exact)
        return Settled(seat.name, spot.id, "lose", stake, 0, taken, stake - taken, cites, cell.part)
    if exact % layout.chip:
        cites = join(cites, layout.round_win.cites)
    paid = payable(exact, layout.chip, _way(layout))
    verdict = "win" if paid else "push"
    done = Settled(seat.name, spot.id, verdict, stake, paid, 0, stake, cites, cell.part)
    return msgspec.structs.replace(done, split=wager.split)


def _up(layout: Layout, table: Table) -> list[Spot]:
    """The spots on which anybody has chips."""
    names = {name for seat in table.seats.values() for name in seat.wagers}
    return [spot for name, spot in layout.spots.items() if name in names]


def _bonus(layout: Layout, table: Table, roll: Roll) -> list[AnyDecision]:
    """Bonus wagers collect for the whole table; each kind wins or loses at once for everybody."""
    made: list[AnyDecision] = []
    over: set[str] = set()
    latch: dict[str, Cites] = {}
    bonus = [spot for spot in _up(layout, table) if spot.gate is not None]
    for spot in bonus:
        assert spot.gate is not None
        cell = spot.rows[table.puck][roll.kind]
        old = table.collected.get(spot.id, 0)
        mask = old
        if cell is not None and cell.verdict == "collect":
            mask |= spot.bits[roll.total]
        if cell is not None and (cell.verdict == "lose" or mask == spot.complete):
            over.add(spot.id)
            for seat in table.seats.values():
                if (wager := seat.wagers.get(spot.id)) is not None:
                    won = cell if cell.verdict == "lose" else _won(cell)
                    made += _found(layout, table, seat, spot, wager, won)
            if old:
                made.append(Collected(spot.id, 0, cell.cites))
            continue
        if mask != old:
            assert cell is not None
            made.append(Collected(spot.id, mask, cell.cites))
        if spot.gate.until == "roll" or mask:
            latch[spot.gate.group] = spot.gate.cites
    latched = set(table.latched)
    for spot in bonus:
        assert spot.gate is not None
        group = spot.gate.group
        open_still = any(s.gate and s.gate.group == group and s.id not in over for s in bonus)
        if group in latched and not open_still:
            made.append(Latched(group, False, spot.gate.cites))
            latched.discard(group)
        elif open_still and group in latch and group not in latched:
            made.append(Latched(group, True, latch[group]))
            latched.add(group)
    return made


def _won(cell: Cell) -> Cell:
    return Cell(
        verdict="win",
        cites=join(cell.said, cell.cites),
        said=cell.said,
        win=cell.win,
        num=cell.num,
        den=cell.den,
    )
