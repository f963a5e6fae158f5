"""What stands between a player and a wager: seats, spots, windows, splits, flats, gates, vouchers.

Each check refuses one thing; the calls make them in the order of precedence that docs/refusals.md
gives. And what handing chips back brings with it: fees, vouchers, odds, empty gates.
"""

from __future__ import annotations

import re
from operator import sub
from typing import NoReturn

import msgspec

from boxman.rules.duties import STATIONS
from boxman.rules.ids import family, near, number
from boxman.rules.layout import Layout, Spot
from boxman.rules.ledger import join
from boxman.table.floor.powers import station_name
from boxman.table.floor.throw import AT_REST
from boxman.table.fresh import IN_FULL, Fresh, Stood
from boxman.table.rulings import change, refuse
from boxman.table.said.saying import saying
from boxman.table.stakes import (
    fee_on,
    flat_stake,
    odds_limit,
    odds_number,
)
from boxman.table.state import (
    PHASES,
    AnyDecision,
    Cites,
    Collected,
    Floored,
    Latched,
    Returned,
    Seat,
    Table,
    Wager,
    apply,
)

REMEDY = "remedy"
"""How a line wager is marked that a shooter made after the point, to be allowed to throw."""
_CLOSES = {"call": 1, "throw": 2, "rest": 3}
_PHASE = {phase: rank for rank, phase in enumerate(PHASES)}


def seat_at(layout: Layout, table: Table, name: str) -> Seat:
    """The seat of that name; somebody who never bought in has no chips to act with."""
    seat = table.seats.get(name)
    if seat is None:
        chips = layout.principles["chips"]
        if name in STATIONS:
            refuse("not-seated", chips, "station", station=station_name(layout, name))
        barred = "barred" if table.floor.keeps_out(name) else ""
        refuse("not-seated", chips, barred, name=name)
    return seat


def spot_on(layout: Layout, name: str, area: str = "") -> Spot:
    """The spot of that id, if this house offers it."""
    spot = layout.spots.get(name)
    if spot is not None:
        return spot
    refuse_spot(layout, name, area)


def refuse_spot(layout: Layout, name: str, area: str = "") -> NoReturn:
    """There is no such spot here: withheld, of a number that is not offered, or unknown."""
    listed = layout.areas[area].cites if area in layout.areas else layout.listed
    if name in layout.withheld:
        refuse("not-offered", layout.withheld[name], "withheld", name=name)
    if family(name) in layout.families:
        same = [s.number for s in layout.spots.values() if s.family == family(name) and s.number]
        cites = layout.not_offered(name, listed)
        if number(name) and same:
            refuse("not-offered", cites, "number", name=name, numbers=tuple(map(str, same)))
        refuse("not-offered", cites, name=name)  # a wager of other houses, and no other is meant
    if f"{name}.*" in layout.families:
        _refuse_number(layout, name, listed, area in layout.areas)
    meant = near(name, layout.spots)
    if not meant and re.fullmatch(r"\w+\.\d[\d-]*", name):  # a wager by its number
        refuse("not-offered", listed, name=name)
    do = "did you mean" if meant else ""
    refuse("no-such-spot", layout.principles["area"], do=do, name=name, meant=meant)


def is_closed(layout: Layout, table: Table, act: str) -> bool:
    """Whether the throw has gone too far for this act."""
    return _PHASE[table.phase] >= _CLOSES[layout.betting[act].value]


def in_time(layout: Layout, table: Table) -> bool:
    """Whether bets are open and the dice in the hand, whatever was said of "no more bets"."""
    return table.phase in ("open", "closed") and not is_closed(layout, table, "make")


def comes_down(layout: Layout, table: Table, spot: Spot) -> bool:
    """Whether a wager there may be taken down now."""
    return spot.may("remove", table.puck) and not is_closed(layout, table, "remove")


def check_phase(layout: Layout, table: Table, act: str) -> None:
    """Refuse what comes too late in the throw."""
    if table.phase == "open":
        return
    rule = layout.betting[act]
    if is_closed(layout, table, act):
        rest = layout.resting.get(act, ()) if table.phase in AT_REST else ()
        lies = act != "make" and table.phase in AT_REST
        conduct = layout.procedure.conduct
        hands_off = conduct.hands_off_until_settled or conduct.hands_off_losing_wagers
        cites = join(rule.cites, rest, hands_off if lies else ())
        why = "up" if act in ("reduce", "remove") else ""
        refuse("bets-closed", cites, why, phase=table.phase)


def check_window(spot: Spot, act: str, puck: int) -> None:
    """Refuse what the puck does not allow now."""
    if spot.may(act, puck):
        return
    rule = spot.windows[act]
    do = ""
    if rule.value == "never" and act == "make" and spot.family in ("come.*", "dont_come.*"):
        do = f"{spot.family[:-2]} area"
    locked = rule.value == "off" and act in ("reduce", "remove")
    why = "locked" if locked else f"window {rule.value}"
    bars = spot.bars.get(act, ())
    cites = bars if locked and bars else join(rule.cites, bars)  # what locks it does so alone
    refuse("not-now", cites, why, do=do, wager=spot.name, act=act, puck=puck)


def wager_of(layout: Layout, seat: Seat, spot: Spot) -> Wager:
    """The seat's wager on a spot."""
    wager = seat.wagers.get(spot.id)
    if wager is None:
        refuse(
            "no-wager",
            layout.principles["area"],
            do="wagers up" if seat.wagers else "nothing up",
            seat=seat.name,
            wager=spot.name,
            up=tuple(seat.wagers),
        )
    return wager


def check_amount(layout: Layout, amount: int) -> None:
    if type(amount) is not int or amount <= 0:
        refuse("not-an-amount", layout.principles["chips"], amount=amount)


def _refuse_number(layout: Layout, name: str, listed: Cites, by_area: bool) -> NoReturn:
    """A family was named without one of its numbers: the wager's own clause asks for it, or the
    area's by which it was named."""
    same = [s.number for s in layout.spots.values() if s.family == f"{name}.*"]
    held = [c for s, c in layout.withheld.items() if family(s) == f"{name}.*"]
    if held and not same:
        refuse("not-offered", join(*held), "withheld", name=name)
    if same:
        named = tuple(f"{name}.{n}" for n in same)
        first = layout.spots[named[0]]
        own = first.share.cites if first.share is not None else first.offer_cites
        refuse("number-missing", listed if by_area else own, name=name, named=named)
    refuse("not-offered", listed, name=name)


def check_split(
    layout: Layout,
    spot: Spot,
    amount: int,
    split: tuple[int, ...],
    old: Wager | None,
    minimum: int = 0,
) -> tuple[int, ...]:
    """The parts of a wager whose split the player names; empty where there is nothing to name, or
    where the minimum is told before that."""
    share = spot.share
    if share is None or not share.named:
        if split:
            refuse("no-split", share.cites if share else spot.offer_cites, wager=spot.name)
        return ()
    if not split and amount % layout.chip:
        return ()  # no stake at all, as any other that chips cannot make
    if not split:
        least = len(share.parts) * layout.chip
        if amount < least and not old and amount < minimum:
            return ()
        if amount < least and not old:
            refuse(
                *("name-the-split", share.cites, "least"),
                do="bet or more",
                wager=spot.name,
                amount=least,
            )
        if amount % least:
            refuse(
                "name-the-split",
                share.cites,
                amount=amount,
                wager=spot.name,
                parts=tuple(share.parts),
            )
        split = (amount // len(share.parts),) * len(share.parts)
    if len(split) != len(share.parts) or sum(split) != amount:
        refuse("bad-split", share.cites, "sum", amount=amount, parts=tuple(share.parts))
    if any(part < (0 if old else layout.chip) or part % layout.chip for part in split):
        refuse("bad-split", share.cites, wager=spot.name, chip=layout.chip)
    return split


def check_flat(layout: Layout, table: Table, seat: Seat, spot: Spot) -> Cites:
    """Odds need the wager they stand behind, on a point."""
    behind = spot.behind
    if behind is None:
        return ()
    flat = layout.spots[behind.flat]
    remedial = behind.flat in seat.wagers and seat.wagers[behind.flat].found == REMEDY
    if remedial:
        lacking = layout.procedure.eligible.lacking
        cites = join(behind.flat_cites, lacking.cites if lacking else ())
        refuse("no-flat", cites, "remedial", wager=spot.name, flat=flat.name)
    if behind.flat not in seat.wagers:
        when = "" if flat.may("make", table.puck) else "late"
        refuse("no-flat", behind.flat_cites, when, wager=spot.name, flat=flat.name, seat=seat.name)
    return behind.limits[odds_number(spot, table.puck)].made_cites


def check_gate(layout: Layout, table: Table, spot: Spot) -> Cites:
    """A bonus wager may be joined until it is under way."""
    gate = spot.gate
    if gate is None:
        return ()
    if gate.group in table.latched:
        alike = [s for s in layout.spots.values() if s.gate and s.gate.group == gate.group]
        going = [s.name for s in alike if any(s.id in seat.wagers for seat in table.seats.values())]
        if not going and gate.group in layout.hands:  # nobody has one: the hand has begun
            refuse("under-way", gate.cites, gate.until, wager=spot.name)
        refuse("under-way", gate.cites, under=tuple(going) or (spot.name,))
    return gate.cites


def excess_cites(layout: Layout, table: Table, seat: Seat, spot: Spot, stake: int) -> Cites:
    """The clauses that let odds go above their limit, where this stake does."""
    assert spot.behind is not None
    limit = spot.behind.limits[odds_number(spot, table.puck)]
    if not limit.excess:
        return ()
    flat = flat_stake(layout, table, seat, spot)
    most = odds_limit(limit, flat, layout.step(spot, table.puck), layout.chip)[0]
    return limit.excess_cites if stake > most else ()


def chips_only(layout: Layout) -> Cites:
    """The clauses by which wagers are made of chips, and of nothing else or in no other way."""
    return layout.principles.get("chips only") or layout.principles["chips"]


def check_voucher(
    layout: Layout, table: Table, seat: Seat, spot: Spot, amount: int, voucher: int
) -> Cites:
    """A voucher is one whole wager of its face value, in a house that has vouchers."""
    rules, name = layout.procedure.voucher, seat.name
    one = rules.one_wager
    if not one:
        refuse("no-vouchers", chips_only(layout), "bet")
    if spot.id in seat.wagers and seat.wagers[spot.id].voucher:
        refuse("no-such-voucher", one, "second", wager=spot.name)
    if voucher not in table.floor.vouchers.get(name, ()):
        refuse("no-such-voucher", one, seat=name, voucher=voucher)
    if voucher > amount:
        refuse("no-such-voucher", join(one, rules.whole), "whole")
    wanted = {"any area": rules.any_area}
    if voucher < amount:
        wanted["with chips"] = rules.with_chips
    for rule, cites in wanted.items():
        if not cites:
            refuse("no-such-voucher", one, "rule", rule=rule)
    return join(one, *wanted.values())


def hand_over(layout: Layout, table: Table, name: str, voucher: int, back: bool = False) -> Floored:
    """A voucher leaves its owner's hands, or comes back to them."""
    held = list(table.floor.vouchers.get(name, ()))
    if back:
        held.append(voucher)
    else:
        held.remove(voucher)
    vouchers = {**table.floor.vouchers, name: tuple(held)}
    words = saying("voucher back" if back else "voucher down", seat=name, amount=voucher)
    rules = layout.procedure.voucher
    cites = (rules.comes_back if back else ()) or rules.one_wager
    return change(table, words, cites, vouchers=vouchers)


def check_flat_first(layout: Layout, spot: Spot) -> None:
    """With no point on, odds lack the point and often the flat too: name what is missing."""
    if spot.behind is None:
        return
    flat = layout.spots[spot.behind.flat]
    window = spot.windows["make"].cites
    refuse("no-point", join(window, spot.behind.flat_cites), wager=spot.name, flat=flat.name)


def refuse_short(layout: Layout, seat: Seat, spot: Spot, amount: int, fee: int) -> None:
    cites = layout.principles["chips"]
    if fee and spot.fee is not None:
        cites = join(spot.fee.cites, spot.fee.charged_cites, cites)
    why = "bet" if not fee else "bet and fee" if amount else "fee"
    refuse("rail-short", cites, why, seat=seat.name, rail=seat.rail, amount=amount, fee=fee)


def refuse_chips(layout: Layout, amount: int) -> None:
    refuse("not-in-chips", layout.principles["chips"], amount=amount, chip=layout.chip)


def _fee_back(layout: Layout, spot: Spot, wager: Wager, left: int) -> tuple[int, Cites]:
    """The fee given back when a wager is lowered to what is left of it."""
    if spot.fee is None or not wager.fee or not spot.fee.refund:
        return 0, ()
    return too_much_fee(layout, spot, wager, left), spot.fee.refund_cites


def too_much_fee(layout: Layout, spot: Spot, wager: Wager, left: int) -> int:
    """How much more was paid than what counts of what is left owes."""
    return max(0, wager.fee - fee_on(layout, spot, counted_of(wager, left)))


def counted_of(wager: Wager, left: int) -> int:
    """How much counts of what is left: what was cut when it was found stays cut and goes first."""
    return left if wager.counts == IN_FULL else min(left, wager.counts)


def give_back(
    layout: Layout,
    seat: Seat,
    spot: Spot,
    left: int,
    why: str,
    cites: Cites,
    *,
    ended: bool = False,
) -> Returned:
    """Hand chips back from a wager until `left` remains, with the fee that goes with them: all of
    it where the house has `ended` the wager, which its player did not take down.

    Chips go first; where they are not enough, a voucher goes back whole, and never as chips.
    """
    wager = seat.wagers[spot.id]
    voucher = wager.voucher if left < wager.voucher else 0
    if voucher:
        left = min(left, wager.stake - voucher)
        rules = layout.procedure.voucher
        cites = join(cites, rules.whole or rules.one_wager) if left else cites
    fee, fee_cites = _fee_back(layout, spot, wager, left)
    cites = join(cites, fee_cites)
    fee = wager.fee if ended else fee
    back = Returned(seat.name, spot.id, wager.stake - left, fee, why, cites, voucher)
    return still_cut(back, wager, left)


def still_cut(back: Returned, wager: Wager, left: int) -> Returned:
    """What is left of a wager is marked as found as long as not all of it counts."""
    counts = counted_of(wager, left)
    if counts == left:
        return back
    return msgspec.structs.replace(back, found=wager.found, counts=counts)


def undone(
    wager: Wager, new: Fresh, why: str, cites: Cites, stood: Stood | None = None
) -> Returned:
    """Hand back all that is new of a wager, or that was put on it when it lay so, fee and voucher
    too: what is left is as it was."""
    amount, fee, voucher, split = new.amount, min(new.fee, wager.fee), new.voucher, new.split
    if stood is not None:
        amount, fee, voucher = amount - stood.amount, fee - stood.fee, voucher - stood.voucher
        split = tuple(map(sub, split, stood.split))
    was, fee = stood or new, max(0, fee)
    counts = min(was.counts, wager.stake - amount)
    return Returned(new.seat, new.spot, amount, fee, why, cites, voucher, split, was.found, counts)


def left_over(layout: Layout, table: Table, made: list[AnyDecision]) -> list[AnyDecision]:
    """What handing chips back leaves to do: vouchers to their owners, empty gates opened."""
    found: list[AnyDecision] = []
    why: dict[str, Cites] = {}
    for decision in made:
        table = apply(table, decision)
        if isinstance(decision, Returned):
            why[decision.spot] = decision.cites
            if decision.voucher:
                back = hand_over(layout, table, decision.seat, decision.voucher, back=True)
                table = apply(table, back)
                found.append(back)
    if not table.collected and not table.latched:
        return found
    up = {name for seat in table.seats.values() for name in seat.wagers}
    groups: dict[str, list[Spot]] = {}
    for spot in layout.spots.values():
        if spot.gate is not None:
            groups.setdefault(spot.gate.group, []).append(spot)
    for group, spots in groups.items():
        for spot in spots:
            if spot.id in table.collected and spot.id not in up:
                found.append(Collected(spot.id, 0, why.get(spot.id, spot.offer_cites)))
        empty = group not in layout.hands and not any(spot.id in up for spot in spots)
        if group in table.latched and empty:
            gate = spots[0].gate
            assert gate is not None
            cites = join(*(why[spot.id] for spot in spots if spot.id in why)) or gate.cites
            found.append(Latched(group, False, cites))
    return found


def odds_too(layout: Layout, table: Table, seat: Seat, flat: Spot, left: int) -> list[AnyDecision]:
    """The odds that come back when this much is left of their flat: all, or what is too much."""
    made: list[AnyDecision] = []
    for name in seat.wagers:
        odds = layout.spots[name]
        if odds.behind is None or odds.behind.flat != flat.id:
            continue
        if not left:
            made.append(give_back(layout, seat, odds, 0, "flat taken down", odds.behind.flat_cites))
            continue
        limit = odds.behind.limits[odds_number(odds, table.puck)]
        step = layout.step(odds, table.puck)
        runs = counted_of(seat.wagers[flat.id], left)
        most, more = odds_limit(limit, runs, step, layout.chip)
        stake = seat.wagers[name].stake
        if more and stake >= more:
            most = more
        if stake > most:
            why = join(limit.cites, limit.excess_cites, odds.behind.flat_cites)
            made.append(give_back(layout, seat, odds, most, "over the limit now", why))
    return made
