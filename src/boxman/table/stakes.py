"""Which stakes a spot can take: chips, shares, exact wins, fees, limits, odds.

`check_stake` refuses a stake in a fixed order of precedence; `stake_ranges` lists all stakes that
would pass, as (low, high, step). A property test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import lcm
from typing import NamedTuple, NoReturn

from boxman.chips import payable, payable_step
from boxman.rules.layout import (
    Bounds,
    FeeRule,
    Layout,
    OddsLimit,
    Spot,
    fee_at_placement,
    fee_share,
)
from boxman.rules.ledger import join
from boxman.table.floor.personal import personal, together
from boxman.table.floor.standing import both_cites
from boxman.table.fresh import IN_FULL
from boxman.table.rulings import Notice, refuse
from boxman.table.state import Cites, Seat, Table, Wager
from boxman.words.say import Value

Range = tuple[int, int, int]
"""Lowest, highest and step, in minor units; both ends are allowed."""
PARTNERS = "together with partners"
"""What is wrong with a found stake besides, where those held together leave less of the maximum."""


def odds_number(spot: Spot, puck: int) -> int:
    """The number odds would stand on now."""
    return spot.number or puck


def flat_stake(layout: Layout, table: Table, seat: Seat, odds: Spot) -> int:
    """What counts of the flat that odds stand behind: a found one may not count in full."""
    assert odds.behind is not None
    wager = seat.wagers[odds.behind.flat]
    if may_be_cut(layout, table):
        return left_now(layout, table, seat, layout.spots[wager.spot])
    if not wager.found and wager.counts == IN_FULL:
        return wager.stake
    return counted(layout, table, seat, layout.spots[wager.spot])


def counted(layout: Layout, table: Table, seat: Seat, spot: Spot) -> int:
    """How much of a wager counts."""
    wager = seat.wagers[spot.id]
    if wager.counts != IN_FULL or not wager.found:
        return wager.stake if wager.counts == IN_FULL else wager.counts
    # Found by an engine that did not write down how much counts.
    rule = layout.recognise.get((wager.found, "later" if seat.warned else "first"))
    if rule is not None and rule.value == "return":
        return 0
    most = layout.bounds(table.posted, spot, table.puck).maximum
    return min(wager.stake, most) if rule is not None and rule.value == "maximum" else wager.stake


def may_be_cut(layout: Layout, table: Table) -> bool:
    """Whether stakes that are up may lie above the maximum that binds now, where that one counts:
    limits were changed, a player has other ones, or two are held together."""
    if "maximum when settled" not in layout.principles:
        return False
    floor = table.floor
    return bool(floor.old or floor.grants or floor.partners or table.posted.classes)


def left_now(layout: Layout, table: Table, seat: Seat, spot: Spot) -> int:
    """What the maximum of now leaves of a stake that is up, in a house that pays by that one."""
    stake, (most, step, _) = (
        counted(layout, table, seat, spot),
        _most_now(layout, table, seat, spot),
    )
    return stake if stake <= most else most - most % step


def cut_cites(layout: Layout, table: Table, seat: Seat, spot: Spot) -> Cites:
    """The clauses by which the maximum of now leaves only a part of a stake that is up."""
    most, step, cites = _most_now(layout, table, seat, spot)
    return join(cites, _step_fault(layout, spot, most, table.puck)[1] if most % step else ())


def _most_now(layout: Layout, table: Table, seat: Seat, spot: Spot) -> tuple[int, int, Cites]:
    """How much may count of a stake that is up, in which steps it is paid, and the clauses of it:
    of a maximum of the player's own, of partners, or of the part of the flat that counts."""
    limits = personal(layout, table, seat.name, 0)
    bounds = layout.bounds(limits.posted, spot, table.puck)
    most = _room_together(layout, table, seat.name, spot, bounds.maximum)
    link = layout.procedure.power("link partners") if most < bounds.maximum else None
    if not bounds.maximum:
        most = counted(layout, table, seat, spot)
    own = limits.posted.maximum != table.posted.maximum
    grant = layout.procedure.power("grant limits") if own else None
    over = layout.recognise["over maximum", "first"].cites
    settled = layout.principles["maximum when settled"]
    cites = join(over, *(power.cites for power in (link, grant) if power is not None), settled)
    if spot.behind is not None:
        flat = layout.spots[spot.behind.flat]
        if (left := left_now(layout, table, seat, flat)) < seat.wagers[flat.id].stake:
            limit = spot.behind.limits[odds_number(spot, table.puck)]
            room = odds_limit(limit, left, layout.chip, layout.chip)[0]
            if room < most:
                most, cites = room, join(limit.cites, cut_cites(layout, table, seat, flat))
    return most, bounds.step, cites


def _count(layout: Layout, table: Table, names: Iterable[str], spot: Spot) -> int:
    """What counts of the stakes of these players on a spot."""
    now = left_now if "maximum when settled" in layout.principles else counted
    held = (table.seats[name] for name in names if name in table.seats)
    return sum(now(layout, table, seat, spot) for seat in held if spot.id in seat.wagers)


def _room_together(layout: Layout, table: Table, name: str, spot: Spot, own: int) -> int:
    """What those who are held together with a player and were named before leave of the player's
    own maximum. Limits of one's own are had beside a partner: what lies there within a higher
    maximum takes no room from a lower one, as where the higher was staked last."""
    group = together(table, name)
    before = [
        (
            layout.bounds(personal(layout, table, each, 0).posted, spot, table.puck).maximum,
            _count(layout, table, (each,), spot),
        )
        for each in group[: group.index(name)]
    ]
    tops = {own, *(most for most, _ in before if most > own)}
    return min(
        max(0, top - sum(stake for most, stake in before if most and most <= top)) for top in tops
    )


def partners_stake(layout: Layout, table: Table, name: str, spot: Spot) -> int:
    """What counts there of all who are held together with a player. The table is as it is posted:
    each of them has limits of their own."""
    return _count(layout, table, set(together(table, name)) - {name}, spot)


def check_partners(layout: Layout, table: Table, own: Table, bet: tuple[str, str, int]) -> None:
    """Refuse what takes partners together over the maximum, which is the one of who bets."""
    name, spot_id, amount = bet
    spot, who = layout.spots[spot_id], tuple(sorted(together(table, name)))
    most = layout.bounds(own.posted, spot, table.puck).maximum
    up = table.seats[name].wagers.get(spot_id) if name in table.seats else None
    stake = amount + (up.stake if up else 0)
    if len(who) > 1 and most and partners_stake(layout, table, name, spot) + stake > most:
        refuse("partners-over-maximum", both_cites(layout), pair=who, most=most, wager=spot.name)


def over_together(layout: Layout, table: Table, name: str) -> Iterator[str]:
    """The wagers on which a player and those held with that player have more than one maximum."""
    group = together(table, name)
    up = dict.fromkeys(w for each in group if each in table.seats for w in table.seats[each].wagers)
    for spot in (layout.spots[each] for each in up):
        most = layout.bounds(table.posted, spot, table.puck).maximum
        if most and _count(layout, table, group, spot) > most:
            yield spot.name


def cut(layout: Layout, table: Table, before: Table) -> list[Notice]:
    """What is told of stakes that are up when a change leaves only a part of them to count."""
    told: list[Notice] = []
    if not may_be_cut(layout, table):
        return told
    for seat in table.seats.values():
        for wager in seat.wagers.values():
            spot = layout.spots[wager.spot]
            counts = left_now(layout, table, seat, spot)
            if counts < left_now(layout, before, before.seats[seat.name], spot):
                cites = cut_cites(layout, table, seat, spot)
                since = "next throw" if table.terms is not None else ""
                told.append(in_part(spot, wager.stake, counts, "over maximum", cites, since))
    return told


def in_part(spot: Spot, stake: int, counts: int, why: str, cites: Cites, since: str = "") -> Notice:
    """What is told of a stake that does not count in full."""
    values: dict[str, Value] = {"wager": spot.name, "stake": stake, "counts": counts}
    return Notice("counts-in-part", cites, since, values | {"back": stake - counts, "why": why})


def fee_on(layout: Layout, spot: Spot, stake: int) -> int:
    """The fee owed at placement on a whole stake."""
    if spot.fee is None or spot.fee.charged != "placement":
        return 0
    return payable(stake * fee_share(spot), layout.chip, layout.round_fee.value)


def fee_cites(layout: Layout, spot: Spot, stake: int) -> Cites:
    """The clauses of the fee on a whole stake, and of rounding where chips cannot pay it."""
    if spot.fee is None:
        return ()
    owed = stake * fee_at_placement(spot)
    by = layout.round_fee.cites if owed % layout.chip else ()
    return join(spot.fee.cites, spot.fee.charged_cites, by)


def lying(layout: Layout, table: Table, seat: Seat) -> int:
    """Chips that lie on the layout, as staff have found, and wait for a second person, with their
    fees: they are on nobody's rail, though they are not yet counted as a wager."""
    mine = [p for p in table.floor.pending if p.what == "found" and p.seat == seat.name]
    # A stake counts as far as its fee can be paid.
    way = layout.round_fee.value if layout.round_fee.value != "exact" else "down"
    owed = ((p.amount, fee_at_placement(layout.spots[p.spot])) for p in mine)
    return sum(amount + payable(amount * share, layout.chip, way) for amount, share in owed)


def around(stake: int, bounds: Bounds, most: int = 0, up: int = 0) -> dict[str, int]:
    """What may be bet instead of one that is not taken: the nearest below and above.

    Chips that are up already count; where only one of the two is left it is called high.
    """
    least, grid = bounds.least, bounds.grid
    low = least + ((min(stake, most) if most else stake) - least) // grid * grid
    found = [low - up] if low >= least and low > up else []
    high = max(low + grid, least)
    if not most or high <= most:
        found.append(high - up)
    names = ("low", "high")[2 - len(found) :]
    return dict(zip(names, found, strict=True))


def _do(verb: str, allowed: dict[str, int]) -> str:
    return f"{verb} either" if "low" in allowed else verb if allowed else ""


def faults(
    layout: Layout, table: Table, seat: Seat, spot: Spot, stake: int, bounds: Bounds
) -> list[str]:
    """Everything that keeps a whole stake from this spot, in the order of precedence.

    The one measure of a stake: at the door the first of these refuses it, and of a stake that staff
    find they say how much counts.
    """
    found: list[str] = []
    if stake % bounds.step:
        found.append("not payable")
    if bounds.unit and stake > bounds.base and (stake - bounds.base) % bounds.unit:
        found.append("not a unit")
    if bounds.multiple and stake % bounds.multiple:
        found.append("not a multiple")
    if stake < bounds.minimum:
        found.append("under minimum")
    if bounds.maximum and stake > bounds.maximum:
        found.append("over maximum")
    if spot.behind is not None:
        most, more = _odds_room(layout, table, seat, spot, bounds)
        if stake > most and stake != more:
            found.append("over odds limit")
    return found


def _odds_room(
    layout: Layout, table: Table, seat: Seat, spot: Spot, bounds: Bounds
) -> tuple[int, int]:
    """The most that may lie behind the flat, and the one payable amount above it (or 0)."""
    assert spot.behind is not None
    limit = spot.behind.limits[spot.number or table.puck]
    return odds_limit(limit, flat_stake(layout, table, seat, spot), bounds.step, layout.chip)


def check_stake(layout: Layout, table: Table, seat: Seat, spot: Spot, stake: int) -> list[Notice]:
    """Refuse a whole stake that this spot cannot take now; return the warnings of one it can.

    A stake that is lowered is not asked about a maximum, nor odds about their limit: it lay above
    it before, and was let or counts in part; the right to lower it is no smaller for that. It is
    asked about the limits it was made under, in a house where these go on judging it.
    """
    up, posted, lowered = seat.wagers.get(spot.id), table.posted, False
    if up is not None and stake < up.stake:
        posted, lowered = up.under or posted, True
    bounds = layout.bounds(posted, spot, table.puck)
    warnings: list[Notice] = []
    plain = not (bounds.unit or bounds.multiple or spot.behind is not None or stake % bounds.step)
    within = plain and bounds.minimum <= stake <= (bounds.maximum or stake)  # as nearly always
    for fault in () if within else faults(layout, table, seat, spot, stake, bounds):
        if lowered and fault in ("over maximum", "over odds limit"):
            continue
        if fault == "not a multiple" and layout.limits["multiple"].value != "refuse":
            values: dict[str, Value] = {"multiple": bounds.multiple}
            warnings.append(Notice("not-a-multiple", layout.limits["multiple"].cites, "", values))
        else:
            _refuse_stake(layout, table, seat, spot, stake, bounds, fault)
    if bounds.free:
        values = {
            "wager": spot.name,
            "step": bounds.step,
            "posted": posted.unit or bounds.minimum,
        }
        why = "unit" if posted.unit else ""
        cites = layout.principles.get("payable before posted", layout.limits["minimum"].cites)
        warnings.append(Notice("sign-cannot-bind", cites, why, values))
    return warnings


def made_cites(
    layout: Layout, table: Table, seat: Seat, spot: Spot, wager: Wager, left: int
) -> Cites:
    """The clauses by which a wager may be lowered to what the limits of now would not take."""
    if wager.under is None:
        return ()
    bounds = layout.bounds(table.posted, spot, table.puck)
    now = {*faults(layout, table, seat, spot, left, bounds)} - {"over maximum", "over odds limit"}
    return layout.principles["limits when made"] if now else ()


def _refuse_stake(
    layout: Layout, table: Table, seat: Seat, spot: Spot, stake: int, bounds: Bounds, fault: str
) -> NoReturn:
    """Say why a spot does not take a stake, and what it would take; chips that are up count.

    Of a stake that is lowered it is said how much of it may be left.
    """
    values: dict[str, Value]
    up = seat.wagers[spot.id].stake if spot.id in seat.wagers else 0
    verb, below = "bet", 0
    most = _most_left(layout, table, seat, spot, stake, bounds)
    if stake < up:
        verb, below, up = "leave", up, 0
    if fault in ("not payable", "not a unit", "not a multiple"):
        allowed = around(stake, bounds, most, up)
        do = _do(verb, allowed)
        if fault == "not payable":
            _refuse_step(layout, spot, stake, do, allowed, table.puck)
        if fault == "not a unit":
            cites, values = layout.limits["unit"].cites, {"wager": spot.name, "unit": bounds.unit}
            refuse("not-a-unit", cites, do=do, **values, **allowed)
        cites = layout.limits["multiple"].cites
        refuse("not-a-multiple", cites, do=do, multiple=bounds.multiple, **allowed)
    if fault == "under minimum":
        least = bounds.least
        may = least < below if below else up < least and (not most or least <= most)
        down = "take it down" if below and spot.may("remove", table.puck) else ""
        cites, do = layout.limits["minimum"].cites, f"{verb} or more" if may else down
        values = {"minimum": bounds.minimum, "amount": least - up, "up": up}
        refuse("under-minimum", cites, do=do, wager=spot.name, **values)
    if fault == "over maximum":
        most = bounds.least + (bounds.maximum - bounds.least) // bounds.grid * bounds.grid - up
        cites, do = layout.limits["maximum"].cites, "bet that or less" if most > 0 else ""
        values = {"maximum": bounds.maximum, "amount": most, "up": up}
        refuse("over-maximum", cites, do=do, wager=spot.name, **values)
    _refuse_odds(layout, table, seat, spot, stake, bounds, verb, up)


def _most_left(
    layout: Layout, table: Table, seat: Seat, spot: Spot, stake: int, bounds: Bounds
) -> int:
    """The most that a whole stake may be when another one is named instead; 0 for no maximum."""
    up = seat.wagers[spot.id].stake if spot.id in seat.wagers else 0
    most = bounds.maximum
    if stake < up:  # it is lowered
        return up - 1
    if most:
        most = max(1, most - partners_stake(layout, table, seat.name, spot))
    if spot.behind is not None:
        room = max(_odds_room(layout, table, seat, spot, bounds))
        most = min(most, room) if most else room or 1
    return most


def _refuse_odds(
    layout: Layout,
    table: Table,
    seat: Seat,
    spot: Spot,
    stake: int,
    bounds: Bounds,
    verb: str,
    up: int,
) -> NoReturn:
    """Say how much may lie behind the flat."""
    assert spot.behind is not None
    limit = spot.behind.limits[odds_number(spot, table.puck)]
    most, more = _odds_room(layout, table, seat, spot, bounds)
    room = max((each for each in (most, more) if each <= stake), default=most)
    refuse(
        "over-odds-limit",
        join(limit.cites, limit.excess_cites),
        "win" if limit.measure == "win" else "",
        do=f"{verb} or less" if most > up else "",
        best=max(most, more),
        flat=flat_stake(layout, table, seat, spot),
        behind=layout.spots[spot.behind.flat].name,
        most=room - up,
    )


class Measured(NamedTuple):
    """What of a stake that was found counts, and why not all of it."""

    counts: int
    why: str
    """The reasons, joined by "and"; empty where nothing is amiss."""


def measured(
    layout: Layout, limits: Table, seat: Seat, spot: Spot, stake: int, partners: int = 0
) -> Measured:
    """Measure a stake that staff find by all that would have measured it at the door.

    `limits` is the table as its limits bind this player, `partners` what those lay there who are
    held together with the player. Refused, where the house has no treatment for such a stake.
    """
    bounds = layout.bounds(limits.posted, spot, limits.puck)
    found = _faults_found(layout, limits, seat, spot, stake, bounds, partners)
    was = counted(layout, limits, seat, spot) if spot.id in seat.wagers else 0
    counts = stake
    time = "later" if seat.warned else "first"
    for fault in found:
        rule = layout.recognise.get((fault, time))
        treat = rule.value if rule is not None else ""
        if treat == "return":
            counts = min(counts, was)
        if treat == "maximum":
            alone, counts = counts, max(0, min(counts, bounds.maximum - partners))
            if counts < min(alone, bounds.maximum):
                found = [*found, PARTNERS]
        if fault == "over odds limit":
            most, more = _odds_room(layout, limits, seat, spot, bounds)
            room = more if more and stake >= more else most
            if counts < stake and counts <= room:  # another maximum decides
                found = [each for each in found if each != fault]
            counts = min(counts, room)
        if fault == "not a unit" and not layout.recognise.get(("not a multiple", time)):
            counts = _on_sign(counts, bounds)
    step = bounds.step
    if spot.share is not None and spot.share.named and counts < stake:
        step = lcm(step, layout.chip * len(spot.share.parts))
    if counts != was and counts % step:
        counts -= counts % step
        found = [*dict.fromkeys((*found, "not payable"))]
    return Measured(counts, " and ".join(found))


def _faults_found(
    layout: Layout,
    limits: Table,
    seat: Seat,
    spot: Spot,
    stake: int,
    bounds: Bounds,
    partners: int,
) -> list[str]:
    """What is wrong with a stake that staff find: one below the minimum is nothing worse, and what
    partners lay there counts towards the maximum. Refused, where the house has no treatment."""
    found = faults(layout, limits, seat, spot, stake, bounds)
    if "under minimum" in found:
        found = [fault for fault in found if fault not in ("not a unit", "not a multiple")]
    together = bounds.maximum and partners and stake + partners > bounds.maximum
    if together and "over maximum" not in found:
        found.append("over maximum")
    time = "later" if seat.warned else "first"
    closed = layout.recognise["over maximum", time].value == "refuse"
    for fault in found:
        rule = layout.recognise.get((fault, time))
        if fault == "over odds limit" and closed:
            _refuse_stake(layout, limits, seat, spot, stake, bounds, fault)
        if rule is not None and rule.value == "refuse":
            _refuse_found(layout, spot, bounds, fault, rule.cites)
    return found


def _on_sign(stake: int, bounds: Bounds) -> int:
    """The greatest part of a stake that is on the posted unit, and payable where one is."""
    if stake >= bounds.least:
        return stake - (stake - bounds.least) % bounds.grid
    return stake - max(0, stake - bounds.base) % bounds.unit


def _refuse_found(layout: Layout, spot: Spot, bounds: Bounds, fault: str, cites: Cites) -> NoReturn:
    """Refuse a stake that was found outside the limits, where the house does not take it."""
    low = fault == "under minimum"
    bound = layout.limits["minimum" if low else "maximum"].cites
    limit = bounds.minimum if low else bounds.maximum
    code = fault.replace(" ", "-")
    refuse(code, join(cites, bound), "found", wager=spot.name, limit=limit)


def found_cites(layout: Layout, spot: Spot, wager: Wager, puck: int, counts: int) -> Cites:
    """The clauses by which a stake that was found counts as far as it does."""
    cites: list[Cites] = []
    faults = wager.found.split(" and ")
    if not counts and "not payable" in faults and wager.stake < layout.step(spot, puck):
        return step_cites(layout, spot, wager, puck)
    for fault in faults:
        time = "later" if counts == 0 else "first"
        rule = layout.recognise.get((fault, time))
        if rule is not None:
            cites.append(rule.cites)
        elif fault == PARTNERS:
            cites.append(both_cites(layout))
        elif fault == "not payable":
            cites.append(step_cites(layout, spot, wager, puck))
        elif fault == "not a unit":
            both = layout.recognise.get(("not a multiple", time)) or layout.limits["unit"]
            cites.append(both.cites)
        elif fault == "over odds limit" and spot.behind is not None:
            limit = spot.behind.limits[odds_number(spot, puck)]
            cites.append(join(limit.cites, limit.excess_cites))
        elif fault == "not a multiple":
            cites.append(layout.limits["multiple"].cites)
    return join(*cites)


def _step_fault(layout: Layout, spot: Spot, stake: int, puck: int) -> tuple[str, Cites, str]:
    """Which of the reasons for a step a stake offends, its clauses, and the price or rate."""
    chip, share, fee = layout.chip, spot.share, spot.fee
    if stake % chip:
        return "not-in-chips", layout.principles["chips"], ""
    if share is not None and share.divide == "equal" and stake % (chip * sum(share.units)):
        return "not-divisible", share.cites, ""
    if layout.round_win.value == "exact":
        for ratio in sorted(spot.ratios(puck)):
            if stake % payable_step(ratio, chip):
                return "not-payable", layout.round_win.cites, spot.odds(ratio)
    assert fee is not None, f"no reason for the step of {spot.id}"
    return "fee-not-payable", join(fee.cites, layout.round_fee.cites), _percent(fee)


def step_cites(layout: Layout, spot: Spot, wager: Wager, puck: int) -> Cites:
    """The clauses by which only stakes on the step count: one part more would be off it."""
    off = wager.stake if wager.stake % layout.step(spot, puck) else wager.counts + layout.chip
    return _step_fault(layout, spot, off, puck)[1]


def _refuse_step(
    layout: Layout, spot: Spot, stake: int, do: str, allowed: dict[str, int], puck: int
) -> NoReturn:
    """Say which of the reasons for a step this stake offends."""
    values: dict[str, Value] = {"wager": spot.name, "amount": stake, "chip": layout.chip, **allowed}
    code, cites, price = _step_fault(layout, spot, stake, puck)
    if code == "not-divisible" and spot.share is not None:
        values["parts"] = sum(spot.share.units)
    if price:
        values["rate" if code == "fee-not-payable" else "price"] = price
    refuse(code, cites, do=do, **values)


def _percent(fee: FeeRule) -> str:
    return f"{fee.rate * 100}%"


def odds_limit(limit: OddsLimit, flat: int, step: int, chip: int) -> tuple[int, int]:
    """The most that may be staked as odds, and the one payable amount above it (or 0)."""
    floor = limit.most(flat) // step * step
    if not limit.excess:
        return floor, 0
    plain = limit.times * flat / (1 if limit.measure == "stake" else limit.ratio)
    unit = payable_step(limit.ratio, chip)
    if plain % unit == 0:
        return floor, 0
    more = -(-plain // unit) * unit
    return floor, int(more) if more > floor else 0


def stake_ranges(
    layout: Layout, table: Table, seat: Seat, spot: Spot, lowered: Wager | None = None
) -> list[Range]:
    """All whole stakes this spot could take now, if the rail were deep enough; or that one which
    is `lowered` could be left at, whatever the maximum is."""
    posted = (lowered.under if lowered is not None else None) or table.posted
    bounds = layout.bounds(posted, spot, table.puck)
    maximum = lowered.stake if lowered is not None else bounds.maximum
    low, step, more = bounds.least, bounds.grid, 0
    high = low + ((maximum or 10**15) - low) // step * step
    if spot.behind is not None and lowered is None:
        flat = flat_stake(layout, table, seat, spot)
        limit = spot.behind.limits[odds_number(spot, table.puck)]
        most, more = odds_limit(limit, flat, bounds.step, layout.chip)
        high = min(high, low + (most - low) // step * step)
    ranges = [(low, high, step)] if low <= high else []
    within = not maximum or more <= maximum
    if more and more >= bounds.minimum and within:
        ranges.append((more, more, step))
    return ranges
