"""What the end of a wager is worth, per unit of its stake.

A payer turns the cell that decides a wager into an end. The exact payer takes the price as it is
written; the others answer for a split the player names, or for odds and money added behind a flat
wager. `in_chips` then says what a net becomes for one stake under the house's rounding. All count
the commission as money lost, and none knows a house: prices, fees, rounding are the layout's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from boxman.chips import format_amount as money
from boxman.chips import payable
from boxman.odds.chain import End
from boxman.rules.cell import Cell
from boxman.rules.layout import Layout, Spot, fee_share
from boxman.words import phrase

Pay = Callable[[Spot, int, int, Cell], End]
"""From the spot, the puck, the kind of roll and the cell that decides, to an end."""


class StakeError(ValueError):
    """A stake, or a split of it, that the house would not take; the message says why."""


def charge(spot: Spot, net: Fraction, fee: Fraction) -> Fraction:
    """A net after the commission: owed at placement whatever happens, or on a win only."""
    if spot.fee is None or (spot.fee.charged == "win" and net <= 0):
        return net
    return net - fee


def uncharged(spot: Spot, net: Fraction) -> Fraction:
    """The exact net before the commission was taken off."""
    if spot.fee is None or (spot.fee.charged == "win" and net <= 0):
        return net
    return net + fee_share(spot)


def exact(spot: Spot, puck: int, kind: int, cell: Cell) -> End:
    """The price as the house writes it, after the commission."""
    return End(charge(spot, cell.net, fee_share(spot)))


def paid_before(spot: Spot, end: End, ratios: tuple[Fraction, ...]) -> End:
    """An end of a wager that was paid on the way to it."""
    if not ratios:
        return end
    fee, nothing = fee_share(spot), charge(spot, Fraction(0), fee_share(spot))
    steps = tuple(charge(spot, ratio, fee) - nothing for ratio in ratios)
    return end._replace(net=end.net + sum(steps), steps=steps)


def in_chips(layout: Layout, spot: Spot, puck: int, stake: int) -> Callable[[End], Fraction]:
    """What the exact net of an end becomes for this stake: paid in chips by the house's rounding.

    A composite's parts are netted before they are rounded; what was paid before is paid by itself.
    """
    check_stake(layout, spot, puck, stake)
    owed = payable(stake * fee_share(spot), layout.chip, layout.round_fee.value)
    fee = Fraction(owed, stake)

    def net_of(charged: Fraction) -> Fraction:
        net = uncharged(spot, charged)
        if net <= 0:
            return charge(spot, net, fee)
        paid = payable(stake * net, layout.chip, layout.round_win.value)
        return charge(spot, Fraction(paid, stake), fee)

    def worth(end: End) -> Fraction:
        if not end.steps:
            return net_of(end.net)
        nothing = charge(spot, Fraction(0), fee_share(spot))
        before = sum(net_of(step + nothing) - net_of(nothing) for step in end.steps)
        return net_of(end.net - sum(end.steps)) + before

    return worth


def check_stake(layout: Layout, spot: Spot, puck: int, stake: int) -> None:
    """Refuse a stake that this table's chips cannot make or the house cannot pay."""
    step = layout.step(spot, puck)
    if stake > 0 and stake % step == 0:
        return
    low, high = stake // step * step, (stake // step + 1) * step
    near = tuple(money(each) for each in (low, high) if each > 0)
    values = {"stake": stake, "chip": layout.chip, "step": step, "near": near}
    raise StakeError(phrase("odds.wrong.step", spot=spot.id, **values))


def split_pay(spot: Spot, split: tuple[int, ...]) -> Pay:
    """A payer for a wager whose parts the player names: each part is a wager of its own."""
    share = spot.share
    if share is None or not share.named:
        raise StakeError(phrase("odds.wrong.no-split", spot=spot.id))
    if len(split) != len(share.parts) or any(part <= 0 for part in split):
        raise StakeError(
            phrase("odds.wrong.split", spot=spot.id, n=len(share.parts), parts=share.parts)
        )
    whole, units = sum(split), share.units

    def pay(spot: Spot, puck: int, kind: int, cell: Cell) -> End:
        if not cell.part:
            return End(cell.net)
        index = share.parts.index(cell.part)
        part = Fraction(split[index], whole)
        ratio = cell.win * Fraction(sum(units), units[index])
        return End(part * ratio - (1 - part))

    return pay


def with_odds_pay(
    layout: Layout, times: Mapping[int, Fraction], added: Fraction = Fraction(0)
) -> Pay:
    """A payer for a flat wager of one unit that, once it has its number, is raised by `added` and
    carries odds of `times` its stake on that number."""
    odds_of = {s.behind.flat: s for s in layout.spots.values() if s.behind is not None}

    def pay(spot: Spot, puck: int, kind: int, cell: Cell) -> End:
        number = puck if spot.shape.by_point else spot.number
        if not number:
            return End(cell.net)
        flat = 1 + added
        stake = times.get(number, Fraction(0)) * flat
        net = cell.net * flat
        behind = odds_of.get(spot.id)
        if stake and behind is not None:
            odds = behind.rows[puck][kind]
            net += stake * odds.net if odds is not None else 0
        return End(net, flat + stake)

    return pay
