"""Rules of what a player does with chips: bet, raise, reduce, take down, call on and off.

Each function checks one kind of call against the layout and the table, in the order of precedence
given in docs/refusals.md, and returns the decisions that follow. Refusals leave through `refuse`.
"""

from __future__ import annotations

from boxman.chips import format_amount as money
from boxman.rules.layout import DONE, Bounds, Layout, Spot
from boxman.rules.ledger import join
from boxman.rules.nearest import nearest
from boxman.rules.shapes import FAMILIES, family, number
from boxman.table.calls import Bet, Find, Reduce, TakeDown
from boxman.table.fresh import Fresh
from boxman.table.people import FloorChange
from boxman.table.rulings import Notice, refuse
from boxman.table.stakes import (
    check_stake,
    fee_on,
    flat_stake,
    found_fee,
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
    Placed,
    Returned,
    Seat,
    Table,
    Wager,
    apply,
)

Followed = tuple[list[AnyDecision], list[Notice]]

REMEDY = "remedy"
"""How a line wager is marked that a shooter made after the point, to be allowed to throw."""
_CLOSES = {"call": 1, "throw": 2, "rest": 3}
_PHASE = {phase: rank for rank, phase in enumerate(PHASES)}
_PHASE_WORDS = {
    "closed": "bets are closed",
    "out": "the dice are out",
    "rest": "the dice lie and await the call",
    "disputed": "the faces are in dispute",
    "call it": "the faces are being confirmed",
}


def seat_at(layout: Layout, table: Table, name: str) -> Seat:
    """The seat of that name; somebody who never bought in has no chips to act with."""
    seat = table.seats.get(name)
    if seat is None:
        refuse(
            "not-seated",
            f"{name} has no chips at this table",
            layout.principles["chips"],
            f"{name} buys in first",
        )
    return seat


def spot_on(layout: Layout, name: str, area: str = "") -> Spot:
    """The spot of that id, if this house offers it."""
    spot = layout.spots.get(name)
    if spot is not None:
        return spot
    listed = layout.areas[area].cites if area in layout.areas else layout.listed
    if name in layout.withheld:
        refuse("not-offered", f"{name} is not offered at this table", layout.withheld[name])
    if family(name) in FAMILIES:
        same = [s.number for s in layout.spots.values() if s.family == family(name) and s.number]
        if number(name) and same:
            refuse(
                "not-offered",
                f"there is no {name} here",
                listed,
                f"the numbers are {', '.join(map(str, same))}",
            )
        refuse("not-offered", f"{name} is not offered here", listed, nearest(name, layout.spots))
    if f"{name}.*" in FAMILIES:
        same = [s.number for s in layout.spots.values() if s.family == f"{name}.*"]
        held = [c for s, c in layout.withheld.items() if family(s) == f"{name}.*"]
        if held and not same:
            refuse("not-offered", f"{name} is not offered at this table", join(*held))
        refuse(
            "number-missing" if same else "not-offered",
            f"{name} needs its number" if same else f"{name} is not offered here",
            listed,
            f"say {', '.join(f'{name}.{n}' for n in same)}" if same else "",
        )
    refuse(
        "no-such-spot",
        f"no wager is called {name}",
        layout.principles["area"],
        nearest(name, layout.spots),
    )


def is_closed(layout: Layout, table: Table, act: str) -> bool:
    """Whether the throw has gone too far for this act."""
    return _PHASE[table.phase] >= _CLOSES[layout.betting[act].value]


def check_phase(layout: Layout, table: Table, act: str) -> None:
    """Refuse what comes too late in the throw."""
    if table.phase == "open":
        return
    rule = layout.betting[act]
    if is_closed(layout, table, act):
        refuse(
            "bets-closed",
            f"{_PHASE_WORDS[table.phase]}",
            rule.cites,
            "wait until the roll is settled",
        )


def check_window(spot: Spot, act: str, puck: int) -> None:
    """Refuse what the puck does not allow now."""
    if spot.may(act, puck):
        return
    rule = spot.windows[act]
    remedy = ""
    if rule.value == "never":
        sentence = f"{spot.name} may not be {DONE[act]}"
        if act == "make" and spot.family in ("come.*", "dont_come.*"):
            remedy = f"put it in the {spot.family[:-2].replace('_', ' ')} area"
    elif rule.value == "off":
        sentence = f"{spot.name} may be {DONE[act]} only before a come-out roll"
        remedy = f"the point is {puck}"
    else:
        sentence = f"{spot.name} may be {DONE[act]} only while a point is on"
        remedy = "wait for a point"
    refuse("not-now", sentence, rule.cites, remedy)


def wager_of(layout: Layout, seat: Seat, spot: Spot) -> Wager:
    """The seat's wager on a spot."""
    wager = seat.wagers.get(spot.id)
    if wager is None:
        refuse(
            "no-wager",
            f"{seat.name} has no {spot.name}",
            layout.principles["area"],
            f"{seat.name} has: {', '.join(seat.wagers) or 'nothing up'}",
        )
    return wager


def _check_amount(layout: Layout, amount: int) -> None:
    if type(amount) is not int or amount <= 0:
        refuse("not-an-amount", f"{amount} is not an amount of chips", layout.principles["chips"])


def _check_split(layout: Layout, spot: Spot, call: Bet, old: Wager | None) -> tuple[int, ...]:
    """The parts of a wager whose split the player names; empty where there is nothing to name."""
    share = spot.share
    if share is None or not share.named:
        if call.split:
            refuse(
                "no-split",
                f"{spot.name} has no split to name",
                share.cites if share else spot.offer_cites,
                "leave the split out",
            )
        return ()
    split = call.split
    if not split:
        if call.amount % (len(share.parts) * layout.chip):
            refuse(
                "name-the-split",
                f"{money(call.amount)} on {spot.name} does not divide evenly",
                share.cites,
                f"name the parts: {' / '.join(share.parts)}",
            )
        split = (call.amount // len(share.parts),) * len(share.parts)
    if len(split) != len(share.parts) or sum(split) != call.amount:
        refuse(
            "bad-split",
            f"the parts do not make {money(call.amount)}",
            share.cites,
            f"name {' / '.join(share.parts)}",
        )
    if any(part < (0 if old else layout.chip) or part % layout.chip for part in split):
        refuse(
            "bad-split",
            f"each part of {spot.name} is at least {money(layout.chip)}",
            share.cites,
            "put a chip on each part",
        )
    return split


def _check_flat(layout: Layout, table: Table, seat: Seat, spot: Spot) -> Cites:
    """Odds need the wager they stand behind, on a point."""
    behind = spot.behind
    if behind is None:
        return ()
    flat = layout.spots[behind.flat]
    remedial = behind.flat in seat.wagers and seat.wagers[behind.flat].found == REMEDY
    if behind.flat not in seat.wagers or remedial:
        refuse(
            "no-flat",
            f"{spot.name} needs a {flat.name} with a point",
            behind.flat_cites,
            f"{seat.name} has no {flat.name}",
        )
    return behind.limits[odds_number(spot, table.puck)].made_cites


def _check_gate(layout: Layout, table: Table, spot: Spot) -> Cites:
    """A bonus wager may be joined until it is under way."""
    gate = spot.gate
    if gate is None:
        return ()
    if gate.group in table.latched:
        refuse(
            "under-way",
            f"{spot.name} is under way",
            gate.cites,
            "wait until it is settled",
        )
    return gate.cites


def rule_bet(layout: Layout, table: Table, call: Bet) -> Followed:
    """Chips on a spot."""
    seat = seat_at(layout, table, call.seat)
    spot = spot_on(layout, call.spot, call.area)
    old = seat.wagers.get(spot.id)
    act = "raise" if old else "make"
    if table.phase != "open":
        check_phase(layout, table, act)
    if not spot.may(act, table.puck):
        if spot.behind is not None:
            _check_flat_first(layout, seat, spot)
        check_window(spot, act, table.puck)
    amount = call.amount
    _check_amount(layout, amount)
    cites = spot.make_cites if old is None else spot.windows["raise"].cites
    split: tuple[int, ...] = ()
    if spot.share is not None or call.split:
        split = _check_split(layout, spot, call, old)
    if spot.behind is not None:
        cites = join(cites, _check_flat(layout, table, seat, spot))
    if spot.gate is not None:
        cites = join(cites, _check_gate(layout, table, spot))
    if call.area in layout.areas:
        cites = join(layout.areas[call.area].cites, cites)
    if seat.wagers and "several wagers" in layout.principles:
        cites = join(cites, layout.principles["several wagers"])
    stake = amount + (old.stake if old else 0)
    warnings = check_stake(layout, table, seat, spot, stake)
    fee = 0
    if spot.fee is not None:
        fee = max(0, fee_on(layout, spot, stake) - (old.fee if old else 0))
        cites = join(cites, spot.fee.cites, spot.fee.charged_cites)
    voucher = call.voucher
    if voucher:
        cites = join(cites, check_voucher(layout, table, call))
    if amount - voucher + fee > seat.rail:
        _refuse_short(layout, seat, spot, amount - voucher, fee)
    if spot.behind is not None:
        limit = spot.behind.limits[odds_number(spot, table.puck)]
        if limit.excess:
            flat = flat_stake(layout, table, seat, spot)
            step = layout.step(spot, table.puck)
            if stake > odds_limit(limit, flat, step, layout.chip)[0]:
                cites = join(cites, limit.excess_cites)
    made: list[AnyDecision] = [Placed(seat.name, spot.id, amount, fee, cites, split, "", voucher)]
    if voucher:
        made.append(_hand_over(layout, table, seat.name, voucher))
    return made, warnings


def check_voucher(layout: Layout, table: Table, call: Bet) -> Cites:
    """A voucher is one whole wager of its face value, in a house that has vouchers."""
    rules = layout.procedure.rules
    one = rules.get(("voucher", "one wager"))
    if one is None:
        refuse("no-vouchers", "vouchers are not used here", layout.principles["chips"], "bet chips")
    if call.voucher not in table.floor.vouchers.get(call.seat, ()):
        refuse(
            "no-such-voucher",
            f"{call.seat} has no voucher of {money(call.voucher)}",
            one.cites,
            "a voucher is wagered whole, once",
        )
    if call.voucher > call.amount:
        refuse("no-such-voucher", "a voucher is wagered whole", one.cites, "bet all of it")
    used = [one.cites]
    wanted = ["any area"] + (["with chips"] if call.voucher < call.amount else [])
    for rule in wanted:
        if ("voucher", rule) not in rules:
            refuse("no-such-voucher", f"a voucher is not good for that here: {rule}", one.cites)
        used.append(rules["voucher", rule].cites)
    return join(*used)


def _hand_over(
    layout: Layout, table: Table, name: str, voucher: int, back: bool = False
) -> Floored:
    """A voucher leaves its owner's hands, or comes back to them."""
    held = list(table.floor.vouchers.get(name, ()))
    if back:
        held.append(voucher)
    else:
        held.remove(voucher)
    changes = FloorChange(vouchers={**table.floor.vouchers, name: tuple(held)})
    words = f"{name}'s voucher of {money(voucher)} {'comes back' if back else 'is down'}"
    return Floored(changes, words, layout.procedure.rules["voucher", "one wager"].cites)


def _check_flat_first(layout: Layout, seat: Seat, spot: Spot) -> None:
    """With no point on, odds lack the point and often the flat too: name what is missing."""
    assert spot.behind is not None
    flat = layout.spots[spot.behind.flat]
    window = spot.windows["make"].cites
    refuse(
        "no-point",
        f"{spot.name} needs a {flat.name} with a point",
        join(window, spot.behind.flat_cites),
        "wait for a point",
    )


def _refuse_short(layout: Layout, seat: Seat, spot: Spot, amount: int, fee: int) -> None:
    words = f"{money(amount)} and the fee of {money(fee)}" if fee else money(amount)
    cites = layout.principles["chips"]
    if fee and spot.fee is not None:
        cites = join(spot.fee.cites, spot.fee.charged_cites, cites)
    refuse(
        "rail-short",
        f"{seat.name} has {money(seat.rail)} on the rail, not {words}",
        cites,
        "bet less or buy in",
    )


def rule_find(layout: Layout, table: Table, call: Find) -> Followed:
    """Staff find a stake in play: limits are not checked now, but at the result."""
    seat = seat_at(layout, table, call.seat)
    spot = spot_on(layout, call.spot)
    old = seat.wagers.get(spot.id)
    if table.phase not in ("open", "closed", "out"):
        check_phase(layout, table, "make")
    check_window(spot, "raise" if old else "make", table.puck)
    _check_amount(layout, call.amount)
    _check_flat(layout, table, seat, spot)
    _check_gate(layout, table, spot)
    stake = call.amount + (old.stake if old else 0)
    if call.amount % layout.chip:
        _refuse_chips(layout, call.amount)
    split: tuple[int, ...] = ()
    if spot.share is not None:
        bet = Bet(seat=call.seat, spot=spot.id, amount=call.amount)
        split = _check_split(layout, spot, bet, old)
    bounds = layout.bounds(table.posted, spot, table.puck)
    found = ""
    cites = spot.make_cites
    if stake < bounds.minimum:
        found = "under minimum"
    elif bounds.maximum and stake > bounds.maximum:
        found = "over maximum"
    elif _off_step(bounds, stake) and ("not a multiple", "first") in layout.recognise:
        found = "not a multiple"
    rule = layout.recognise[found or "under minimum", "later" if seat.warned else "first"]
    if found:
        if rule.value == "refuse":
            bound = "minimum" if found == "under minimum" else "maximum"
            refuse(
                found.replace(" ", "-"),
                f"the {bound} for {spot.name} is {money(getattr(bounds, bound))}",
                join(rule.cites, layout.limits[bound].cites),
                "hand it back",
            )
        cites = rule.cites
    if not found and rule.value == "refuse":
        check_stake(
            layout, table, seat, spot, stake
        )  # a house that finds nothing outside its rules
    capped = found == "over maximum" and rule.value == "maximum"
    counts = min(stake, bounds.maximum) if capped else stake
    fee = max(0, found_fee(layout, spot, counts) - (old.fee if old else 0))
    if fee and spot.fee is not None:
        cites = join(cites, spot.fee.cites, spot.fee.charged_cites)
    if call.amount + fee > seat.rail:
        _refuse_short(layout, seat, spot, call.amount, fee)
    return [Placed(seat.name, spot.id, call.amount, fee, cites, split, found)], []


def _refuse_chips(layout: Layout, amount: int) -> None:
    refuse(
        "not-in-chips",
        f"{money(amount)} cannot be made with chips of {money(layout.chip)}",
        layout.principles["chips"],
    )


def _off_step(bounds: Bounds, stake: int) -> bool:
    """Whether a stake misses the posted multiple or unit."""
    if bounds.multiple:
        return bool(stake % bounds.multiple)
    return bool(bounds.unit and (stake - bounds.minimum) % bounds.unit)


def _fee_back(layout: Layout, spot: Spot, wager: Wager, left: int) -> tuple[int, Cites]:
    """The fee given back when a wager is lowered to what is left of it."""
    if spot.fee is None or not wager.fee or not spot.fee.refund:
        return 0, ()
    back = wager.fee - (fee_on(layout, spot, left) if left else 0)
    return max(back, 0), spot.fee.refund_cites


def give_back(
    layout: Layout, seat: Seat, spot: Spot, left: int, why: str, cites: Cites
) -> Returned:
    """Hand chips back from a wager until `left` remains, with the fee that goes with them."""
    wager = seat.wagers[spot.id]
    fee, fee_cites = _fee_back(layout, spot, wager, left)
    cites = join(cites, fee_cites)
    voucher = wager.voucher if not left else 0
    return Returned(seat.name, spot.id, wager.stake - left, fee, why, cites, voucher)


def undone(wager: Wager, new: Fresh, why: str, cites: Cites) -> Returned:
    """Hand back all that is new of a wager, fee and voucher too: what is left is as it was."""
    fee = min(new.fee, wager.fee)
    return Returned(
        *(new.seat, new.spot, new.amount, fee, why, cites, new.voucher, new.split, new.found)
    )


def left_over(layout: Layout, table: Table, made: list[AnyDecision]) -> list[AnyDecision]:
    """What handing chips back leaves to do: vouchers to their owners, empty gates opened."""
    found: list[AnyDecision] = []
    for decision in made:
        table = apply(table, decision)
        if isinstance(decision, Returned) and decision.voucher:
            back = _hand_over(layout, table, decision.seat, decision.voucher, back=True)
            table = apply(table, back)
            found.append(back)
    up = {name for seat in table.seats.values() for name in seat.wagers}
    groups: dict[str, list[Spot]] = {}
    for spot in layout.spots.values():
        if spot.gate is not None:
            groups.setdefault(spot.gate.group, []).append(spot)
    for group, spots in groups.items():
        for spot in spots:
            if spot.id in table.collected and spot.id not in up:
                found.append(Collected(spot.id, 0, spot.offer_cites))
        if group in table.latched and not any(spot.id in up for spot in spots):
            gate = spots[0].gate
            assert gate is not None
            found.append(Latched(group, False, gate.cites))
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
        most, more = odds_limit(limit, left, step, layout.chip)
        stake = seat.wagers[name].stake
        if stake > most and stake != more:
            why = join(limit.cites, limit.excess_cites, odds.behind.flat_cites)
            made.append(give_back(layout, seat, odds, most, "over the limit now", why))
    return made


def rule_take_down(layout: Layout, table: Table, call: TakeDown) -> Followed:
    """A wager comes off, and the odds behind it with it."""
    seat = seat_at(layout, table, call.seat)
    spot = spot_on(layout, call.spot)
    wager_of(layout, seat, spot)
    check_phase(layout, table, "remove")
    check_window(spot, "remove", table.puck)
    made: list[AnyDecision] = [
        give_back(layout, seat, spot, 0, "taken down", spot.windows["remove"].cites)
    ]
    made += odds_too(layout, table, seat, spot, 0)
    return made + left_over(layout, table, made), []


def rule_reduce(layout: Layout, table: Table, call: Reduce) -> Followed:
    """A wager is lowered; odds that are now too large come down in the same step."""
    seat = seat_at(layout, table, call.seat)
    spot = spot_on(layout, call.spot)
    wager = wager_of(layout, seat, spot)
    check_phase(layout, table, "reduce")
    check_window(spot, "reduce", table.puck)
    _check_amount(layout, call.to)
    if call.to >= wager.stake:
        refuse(
            "not-lower",
            f"{spot.name} is {money(wager.stake)}; {money(call.to)} is not lower",
            spot.windows["reduce"].cites,
            "bet to raise it",
        )
    if wager.voucher:
        refuse(
            "voucher-stands",
            f"{spot.name} with a voucher cannot be lowered in part",
            layout.procedure.rules["voucher", "one wager"].cites,
            "take it down",
        )
    if any(part * call.to % (wager.stake * layout.chip) for part in wager.split):
        refuse(
            "split-stands",
            f"{spot.name} cannot be lowered to {money(call.to)} with its split",
            spot.share.cites if spot.share else spot.offer_cites,
            "take it down and make it anew",
        )
    warnings = check_stake(layout, table, seat, spot, call.to)
    cites = spot.windows["reduce"].cites
    made: list[AnyDecision] = [give_back(layout, seat, spot, call.to, "lowered", cites)]
    made += odds_too(layout, table, seat, spot, call.to)
    return made, warnings
