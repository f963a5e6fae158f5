"""Which stakes a spot can take: chips, shares, exact wins, fees, limits, odds.

`check_stake` refuses a stake in a fixed order of precedence; `stake_ranges` lists all stakes that
would pass, as (low, high, step). A property test holds the two together.
"""

from __future__ import annotations

from fractions import Fraction

from boxman.chips import format_amount as money
from boxman.chips import format_ratio, payable, payable_step
from boxman.rules.layout import Bounds, FeeRule, Layout, OddsLimit, Spot, fee_amount
from boxman.rules.ledger import join
from boxman.table.rulings import Notice, refuse
from boxman.table.state import Seat, Table

Range = tuple[int, int, int]
"""Lowest, highest and step, in minor units; both ends are allowed."""


def odds_number(spot: Spot, puck: int) -> int:
    """The number odds would stand on now."""
    return spot.number or puck


def flat_stake(layout: Layout, table: Table, seat: Seat, odds: Spot) -> int:
    """What counts of the flat that odds stand behind: a found one may not count in full."""
    assert odds.behind is not None
    wager = seat.wagers[odds.behind.flat]
    if wager.found == "over maximum":
        rule = layout.recognise[wager.found, "later" if seat.warned else "first"]
        if rule.value == "maximum":
            flat = layout.spots[odds.behind.flat]
            return layout.bounds(table.posted, flat, table.puck).maximum
    return wager.stake


def fee_on(layout: Layout, spot: Spot, stake: int) -> int:
    """The fee owed at placement on a whole stake."""
    if spot.fee is None or spot.fee.charged != "placement":
        return 0
    return payable(fee_amount(spot.fee, spot, stake), layout.chip, layout.round_fee.value)


def found_fee(layout: Layout, spot: Spot, stake: int) -> int:
    """The fee on a stake found in play, which nobody refused because its fee is not payable."""
    if spot.fee is None or spot.fee.charged != "placement":
        return 0
    way = "down" if layout.round_fee.value == "exact" else layout.round_fee.value
    return payable(fee_amount(spot.fee, spot, stake), layout.chip, way)


def nearest(stake: int, step: int, least: int) -> str:
    """The allowed stakes around one that is not, in words."""
    low = stake // step * step
    high = low + step
    return f"{money(low)} or {money(high)}" if low >= max(least, step) else money(max(high, step))


def check_stake(layout: Layout, table: Table, seat: Seat, spot: Spot, stake: int) -> list[Notice]:
    """Refuse a whole stake that this spot cannot take now; return the warnings of one it can."""
    bounds = layout.bounds(table.posted, spot, table.puck)
    if stake % bounds.step:
        _refuse_step(layout, spot, stake, bounds, table.puck)
    warnings: list[Notice] = []
    if bounds.unit and (stake - bounds.minimum) % bounds.unit and stake > bounds.minimum:
        rule = layout.limits["unit"]
        refuse(
            "not-a-unit",
            f"{spot.name} goes up in units of {money(bounds.unit)} here",
            rule.cites,
            f"bet {nearest(stake - bounds.minimum, bounds.unit, 0)} above the minimum",
        )
    if bounds.multiple and stake % bounds.multiple:
        rule = layout.limits["multiple"]
        sentence = f"wagers here are multiples of {money(bounds.multiple)}"
        if rule.value == "refuse":
            refuse(
                "not-a-multiple",
                sentence,
                rule.cites,
                f"bet {nearest(stake, bounds.multiple, bounds.minimum)}",
            )
        warnings.append(Notice("not-a-multiple", sentence, rule.cites))
    if stake < bounds.minimum:
        refuse(
            "under-minimum",
            f"the minimum for {spot.name} is {money(bounds.minimum)}",
            layout.limits["minimum"].cites,
            f"bet {money(-(-bounds.minimum // bounds.step) * bounds.step)} or more",
        )
    if bounds.maximum and stake > bounds.maximum:
        refuse(
            "over-maximum",
            f"the maximum for {spot.name} is {money(bounds.maximum)}",
            layout.limits["maximum"].cites,
            f"bet {money(bounds.maximum // bounds.step * bounds.step)} or less",
        )
    if spot.behind is not None:
        flat = flat_stake(layout, table, seat, spot)
        limit = spot.behind.limits[odds_number(spot, table.puck)]
        most, more = odds_limit(limit, flat, bounds.step, layout.chip)
        if stake > most and stake != more:
            best = max(most, more)
            behind = layout.spots[spot.behind.flat].name
            refuse(
                "over-odds-limit",
                f"at most {money(best)} behind a {money(flat)} {behind}",
                join(limit.cites, limit.excess_cites),
                f"bet {money(most)} or less" if most else "",
            )
    return warnings


def _refuse_step(layout: Layout, spot: Spot, stake: int, bounds: Bounds, puck: int) -> None:
    """Say which of the reasons for a step this stake offends."""
    chip = layout.chip
    remedy = f"bet {nearest(stake, bounds.step, bounds.minimum)}"
    if stake % chip:
        refuse(
            "not-in-chips",
            f"{money(stake)} cannot be made with chips of {money(chip)}",
            layout.principles["chips"],
            remedy,
        )
    share = spot.share
    if share is not None and share.divide == "equal" and stake % (chip * sum(share.units)):
        refuse(
            "not-divisible",
            f"{spot.name} divides into {sum(share.units)} equal parts; "
            f"{money(stake)} does not in chips of {money(chip)}",
            share.cites,
            remedy,
        )
    if layout.round_win.value == "exact":
        for ratio in sorted(spot.ratios(puck)):
            if stake % payable_step(ratio, chip):
                refuse(
                    "not-payable",
                    f"{money(stake)} on {spot.name} cannot be paid exactly at "
                    f"{format_ratio(ratio)} in chips of {money(chip)}",
                    layout.round_win.cites,
                    remedy,
                )
    fee = spot.fee
    assert fee is not None, f"no reason for the step {bounds.step} of {spot.id}"
    refuse(
        "fee-not-payable",
        f"the {_percent(fee)} fee on {money(stake)} {spot.name} cannot be paid in chips of "
        f"{money(chip)}",
        join(fee.cites, layout.round_fee.cites),
        remedy,
    )


def _percent(fee: FeeRule) -> str:
    return f"{fee.rate * 100}%"


def odds_limit(limit: OddsLimit, flat: int, step: int, chip: int) -> tuple[int, int]:
    """The most that may be staked as odds, and the one payable amount above it (or 0)."""
    num, den = (1, 1) if limit.measure == "stake" else limit.ratio.as_integer_ratio()
    floor = limit.lifted * flat * den // num // step * step
    if not limit.excess:
        return floor, 0
    per_flat = Fraction(den, num)
    plain = limit.times * flat * per_flat
    unit = payable_step(limit.ratio, chip)
    if plain % unit == 0:
        return floor, 0
    more = -(-plain // unit) * unit
    return floor, int(more) if more > floor else 0


def stake_ranges(layout: Layout, table: Table, seat: Seat, spot: Spot) -> list[Range]:
    """All whole stakes this spot could take now, if the rail were deep enough."""
    bounds = layout.bounds(table.posted, spot, table.puck)
    step = bounds.step
    low = max(step, -(-bounds.minimum // step) * step)
    high = bounds.maximum // step * step if bounds.maximum else 10**15 // step * step
    more = 0
    if bounds.unit:
        step, low = bounds.unit, bounds.minimum
        high = low + (high - low) // step * step
    if bounds.multiple and layout.limits["multiple"].value == "refuse":
        step = low = bounds.multiple
        high = high // step * step
    if spot.behind is not None:
        flat = flat_stake(layout, table, seat, spot)
        limit = spot.behind.limits[odds_number(spot, table.puck)]
        most, more = odds_limit(limit, flat, bounds.step, layout.chip)
        high = min(high, most // step * step)
    ranges = [(low, high, step)] if low <= high else []
    within = not bounds.maximum or more <= bounds.maximum
    if more and more >= bounds.minimum and within:
        ranges.append((more, more, step))
    return ranges
