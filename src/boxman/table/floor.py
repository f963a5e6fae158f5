"""Rules of people at the table: confirmations, staff bets, records, sanctions, disputes.

What each house allows is in its rulebook; this module only asks. Everything it decides is a change
of `Table.floor`, so that it is journalled like money.
"""

from __future__ import annotations

from typing import Any

import msgspec

from boxman.chips import format_amount as money
from boxman.rules.duties import RANKS
from boxman.rules.layout import Layout, Rule
from boxman.rules.ledger import join
from boxman.rules.nearest import nearest
from boxman.table.calls import Bet, SetWorking
from boxman.table.floor_calls import (
    Confirm,
    GiveVoucher,
    JudgeDispute,
    LinkPartners,
    Object,
    OpenDispute,
    PlaceFor,
    Record,
    Sanction,
    Say,
    StandIn,
    Tell,
)
from boxman.table.fresh import place_of
from boxman.table.markers import rule_set_working
from boxman.table.people import GUEST, FloorChange, Pending
from boxman.table.personal import personal
from boxman.table.powers import AUTOMATIC, check_power, role_cites, station_name
from boxman.table.rulings import refuse
from boxman.table.state import (
    AnyDecision,
    Cites,
    Floored,
    Table,
    Warned,
)
from boxman.table.wagers import (
    Followed,
    give_back,
    left_over,
    odds_too,
    rule_bet,
    seat_at,
    spot_on,
    undone,
    wager_of,
)

PLAYER = "player"
"""Who a player's call is by, where the crew works by hand."""


def rule_of(layout: Layout, kind: str, key: str) -> Rule | None:
    """A duty of the house, if it has it."""
    return layout.procedure.rules.get((kind, key))


def change(table: Table, what: str, cites: Cites, **changes: Any) -> Floored:
    """A decision that changes some of the floor."""
    return Floored(FloorChange(**changes), what, cites)


def advised(layout: Layout, code: str) -> bool:
    """Whether staff have to tell a player this themselves, where the crew works by hand."""
    return ("record", code) in layout.procedure.rules


def last_dispute(table: Table, name: str = "") -> int:
    """The last dispute of this player, or of anybody, that is not decided; -1 if there is none."""
    found = [
        number
        for number, (seat, _, step, _) in enumerate(table.floor.disputes)
        if step == "open" and name in ("", seat)
    ]
    return found[-1] if found else -1


def check_open(layout: Layout, table: Table, name: str) -> None:
    """Refuse wagers at a closed table and those of somebody barred."""
    floor = table.floor
    if floor.closed:
        rule = rule_of(layout, "closing", "wagers")
        refuse("table-closed", "the table is closed", rule.cites if rule else layout.listed)
    if name in floor.barred:
        refuse("barred", f"{name}'s wagers are refused", floor.barred[name], "ask the house")


# -- what waits for confirmation -----------------------------------------------------------------


def late_bet(layout: Layout, table: Table, call: Bet) -> Followed | None:
    """A bet while the dice are out waits for confirmation, where the house takes late bets."""
    rule = rule_of(layout, "confirm", "late")
    if table.phase != "out" or rule is None or call.by != PLAYER:
        return None
    waits = Pending("late", call.seat, call.spot, call.amount, call.voucher)
    return _pend(layout, table, waits, rule)


def rule_say(layout: Layout, table: Table, call: Say) -> Followed:
    """A spoken wager waits for confirmation; without chips it is nothing."""
    rule = rule_of(layout, "confirm", "spoken")
    late = rule_of(layout, "confirm", "late") if table.phase == "out" else None
    if rule is None and late is None:
        refuse("nothing-spoken", "spoken wagers are not taken here", layout.principles["chips"])
    rule = rule or late
    assert rule is not None
    seat = seat_at(layout, table, call.seat)
    if seat.rail < call.amount:
        refuse(
            "rail-short",
            f"{seat.name} has {money(seat.rail)} on the rail, not {money(call.amount)}",
            join(rule.cites, layout.principles["chips"]),
            "a spoken wager needs chips",
        )
    if table.phase == "out" and late is None:
        refuse("bets-closed", "the dice are out", layout.betting["make"].cites, "wait")
    return _pend(layout, table, Pending("spoken", call.seat, call.spot, call.amount), rule)


def hand_call(layout: Layout, table: Table, call: SetWorking) -> Followed | None:
    """A call on that a crew by hand has to confirm before it counts."""
    rule = rule_of(layout, "confirm", "on")
    if rule is None or call.by != PLAYER or call.call != "on":
        return None
    if call.spot == "all":
        return None
    rule_set_working(layout, table, call)
    return _pend(layout, table, Pending("on", call.seat, call.spot, only=call.only), rule)


def _pend(layout: Layout, table: Table, pending: Pending, rule: Rule) -> Followed:
    spot_on(layout, pending.spot)
    if pending.amount:
        opened = msgspec.structs.replace(table, phase="open")
        bet = Bet(
            seat=pending.seat,
            spot=pending.spot,
            amount=pending.amount,
            voucher=pending.voucher,
        )
        checked_bet(layout, opened, bet)  # what could never stand is refused at once
    words = f"{pending.seat} {pending.spot} waits"
    return [change(table, words, rule.cites, pending=(*table.floor.pending, pending))], []


def rule_confirm(layout: Layout, table: Table, call: Confirm) -> Followed:
    """Staff confirm; when all have who must, the wager or the marker goes on."""
    waits = next(
        (p for p in table.floor.pending if (p.seat, p.spot) == (call.seat, call.spot)), None
    )
    if waits is None:
        refuse(
            "nothing-waits", f"{call.seat} {call.spot} waits for nothing", layout.principles["area"]
        )
    what = "late" if waits.what == "spoken" and table.phase == "out" else waits.what
    kinds = (what, waits.what, "late")  # spoken while the dice were out, it was a late one
    rule = next((found for kind in kinds if (found := rule_of(layout, "confirm", kind))), None)
    assert rule is not None
    who, need = rule.value
    if call.by not in AUTOMATIC and call.by not in who:
        refuse(
            "not-your-call",
            f"the {station_name(layout, call.by)} may not confirm this",
            join(rule.cites, role_cites(layout, call.by)),
            f"ask the {' or the '.join(station_name(layout, w) for w in who)}",
        )
    until = rule_of(layout, "confirm", f"{what} until")
    resting = table.phase in ("rest", "disputed", "call it")
    thrown = until is not None and until.value == "throw" and table.phase == "out"
    if resting or thrown:
        late = join(rule.cites, until.cites if until else ())
        words = "the dice have come to rest" if resting else "the dice are out"
        refuse("too-late", words, late, "it is not a wager")
    cites = join(rule.cites, role_cites(layout, call.by))
    given = tuple(dict.fromkeys((*waits.by, call.by)))
    rest = tuple(p for p in table.floor.pending if p is not waits)
    if need == "all" and set(given) < set(who) and call.by not in AUTOMATIC:
        waiting = (*rest, msgspec.structs.replace(waits, by=given))
        left = [station_name(layout, w) for w in who if w not in given]
        return [
            change(table, f"the {' and '.join(left)} must confirm too", cites, pending=waiting)
        ], []
    made: list[AnyDecision] = [change(table, "confirmed", cites, pending=rest)]
    if waits.what == "on":
        marked = SetWorking(seat=waits.seat, spot=waits.spot, call="on", only=waits.only)
        more, warnings = rule_set_working(layout, table, marked)
    else:
        opened = msgspec.structs.replace(table, phase="open")
        bet = Bet(
            seat=waits.seat,
            spot=waits.spot,
            amount=waits.amount,
            voucher=waits.voucher,
            at=call.at,
        )
        more, warnings = checked_bet(layout, opened, bet)
    return [*made, *more], warnings


def checked_bet(layout: Layout, table: Table, call: Bet) -> Followed:
    """A bet by whatever way it came: who may bet, with whom together, within which limits."""
    check_open(layout, table, call.seat)
    if table.floor.partners and call.spot in layout.spots:
        check_partners(layout, table, call)
    return rule_bet(layout, personal(layout, table, call.seat, call.at), call)


def lapse(layout: Layout, table: Table) -> list[AnyDecision]:
    """What still waits when the roll is called was never a wager; staff bets now stand."""
    floor = table.floor
    if not floor.pending and not floor.placed_for:
        return []
    cites = layout.principles["chips"]
    rule = rule_of(layout, "conduct", "player answers for placing")
    words, why = ("staff bets stand", rule.cites) if rule else ("staff bets stand", cites)
    if floor.pending:
        late = rule_of(layout, "confirm", floor.pending[0].what)
        words, why = "what was not confirmed is no wager", late.cites if late else cites
    return [change(table, words, why, pending=(), placed_for=frozenset())]


# -- staff bets ------------------------------------------------------------------------------------


def rule_place_for(layout: Layout, table: Table, call: PlaceFor) -> Followed:
    """Staff put a player's chips down; he answers for it, and may object until the throw."""
    centre = rule_of(layout, "centre", "spots")
    inside = centre is not None and call.spot in centre.value
    power = check_power(layout, "place for player", call.by, "centre" if inside else "")
    if inside and centre is not None and power:
        power = join(power, centre.cites)
    bet = Bet(seat=call.seat, spot=call.spot, amount=call.amount, at=call.at)
    made, warnings = checked_bet(layout, table, bet)
    rule = rule_of(layout, "conduct", "player answers for placing")
    cites = join(power, rule.cites if rule else ()) or layout.listed
    placed = table.floor.placed_for | {(call.seat, call.spot)}
    words = f"placed by the {station_name(layout, call.by or 'dealer')} for {call.seat}"
    return [*made, change(table, words, cites, placed_for=placed)], warnings


def rule_object(layout: Layout, table: Table, call: Object) -> Followed:
    """A player objects to what staff placed for him; it comes back."""
    seat = seat_at(layout, table, call.seat)
    spot = spot_on(layout, call.spot)
    wager = wager_of(layout, seat, spot)
    rule = rule_of(layout, "conduct", "player answers for placing")
    cites = rule.cites if rule else layout.listed
    new = table.fresh.get(place_of(seat.name, spot.id))
    if new is None or (seat.name, spot.id) not in table.floor.placed_for:
        refuse("own-wager", f"nobody placed {spot.name} for {seat.name}", cites, "take it down")
    if table.phase != "open":
        refuse("too-late", "the dice are out: it stands as it lies", cites)
    # What was there at the last throw is his own and stays.
    made: list[AnyDecision] = [undone(wager, new, "objected", cites)]
    made += odds_too(layout, table, seat, spot, wager.stake - new.amount)
    made += left_over(layout, table, made)
    left = table.floor.placed_for - {(seat.name, spot.id)}
    return [*made, change(table, "objection upheld", cites, placed_for=left)], []


# -- records and sanctions -------------------------------------------------------------------------


def rule_record(layout: Layout, table: Table, call: Record) -> Followed:
    """Staff note something the rulebook lets them note."""
    rule = rule_of(layout, "record", call.what)
    if rule is None:
        known = [key for kind, key in layout.procedure.rules if kind == "record"]
        refuse(
            "no-such-record",
            f"{call.what} is nothing staff note here",
            join(*(r.cites for (k, _), r in layout.procedure.rules.items() if k == "record"))
            or layout.listed,
            nearest(call.what, known) or f"they note: {', '.join(known)}",
        )
    who, person = rule.value
    if call.by not in AUTOMATIC and call.by not in who:
        refuse(
            "not-your-call",
            f"the {station_name(layout, call.by)} may not note {call.what}",
            join(rule.cites, role_cites(layout, call.by)),
            f"ask the {' or the '.join(station_name(layout, w) for w in who)}",
        )
    if person and not call.person:
        refuse("person-missing", f"{call.what} needs the person named", rule.cites, "name them")
    cites = join(rule.cites, role_cites(layout, call.by))
    noted = (*table.floor.records, (call.what, call.person))
    about = f" by {call.person}" if call.person else ""
    made: list[AnyDecision] = [change(table, f"noted: {call.what}{about}", cites, records=noted)]
    if call.what in _ADVICE:
        seat = seat_at(layout, table, call.person)
        if seat.warned:
            refuse("already-so", f"{seat.name} has been told", cites)
        made.append(Warned(seat.name, call.what, cites))
    return made, []


_ADVICE = ("under-minimum",)
"""Notes that a player was told something, after which the house treats him otherwise."""


def rule_tell(layout: Layout, table: Table, call: Tell) -> Followed:
    """Somebody outside the table is told, or a complainant of what he may ask for."""
    if call.whom in table.seats:
        return _tell_complainant(layout, table, call)
    cites = join(
        *(p.cites for p in layout.procedure.powers.values() if f"{call.whom} told" in p.needs)
    )
    if not cites:
        refuse("nobody-to-tell", f"nothing here needs the {call.whom} told", layout.listed)
    if call.whom in table.floor.told:
        refuse("already-so", f"the {call.whom} is told already", cites)
    told = table.floor.told | {call.whom}
    return [change(table, f"the {call.whom} is told", cites, told=told)], []


def _tell_complainant(layout: Layout, table: Table, call: Tell) -> Followed:
    """He is told that an inspector is there and may be consulted."""
    rule = rule_of(layout, "dispute", "told of the inspector")
    if rule is None:
        refuse("nobody-to-tell", f"nothing here needs {call.whom} told", layout.listed)
    if not any(each[0] == call.whom for each in table.floor.disputes):
        refuse("no-dispute", f"{call.whom} has no dispute on record", rule.cites)
    if call.whom in table.floor.told:
        refuse("already-so", f"{call.whom} is told already", rule.cites)
    told = table.floor.told | {call.whom}
    words = f"{call.whom} is told of the inspector"
    return [change(table, words, rule.cites, told=told)], []


def told_after(layout: Layout, table: Table, power: str, reason: str = "") -> frozenset[str]:
    """Who still counts as told once this power is used: each use wants them told anew."""
    found = layout.procedure.powers.get((power, reason))
    used = (
        {need.removesuffix(" told") for need in found.needs if need.endswith(" told")}
        if found
        else set()
    )
    return table.floor.told - used


def check_needs(
    layout: Layout, table: Table, power: str, reason: str, given: dict[str, str]
) -> None:
    """Refuse what lacks something the rulebook asks for."""
    found = layout.procedure.powers.get((power, reason))
    if found is None:
        return
    floor = table.floor
    players = [seat.name for seat in table.seats.values()]
    met = {
        "inspector told": "inspector" in floor.told,
        "surveillance told": "surveillance" in floor.told,
        "no players": not players,
        "all agree": bool(players) and set(players) <= floor.agreed,
        "notice": True,
        "both figures": bool(given.get("both figures")),
        "full table": bool(given.get("full table")),
        "idle": bool(given.get("idle")),
        "person": bool(given.get("person")),
        "note": bool(given.get("note")),
        "repeated": table.hand.no_rolls >= 2,
        "noted twice": floor.records.count((reason, given.get("person", ""))) >= 2,
        "dispute": last_dispute(table) >= 0,
    }
    for need in found.needs:
        if not met[need]:
            refuse(
                "not-met",
                NEEDS[need],
                found.cites,
                f"{', '.join(players)} sit here" if need == "no players" else "",
            )


NEEDS = {
    "inspector told": "the inspector has to be told first",
    "surveillance told": "surveillance has to be told first",
    "no players": "nobody may sit at the table",
    "all agree": "every player has to agree to the limits that are shown",
    "both figures": "both figures have to be named, a minimum and a maximum",
    "full table": "every place of the table has to be taken",
    "idle": "the player has to have gone the rounds without a wager",
    "person": "the person has to be named",
    "note": "a note has to say why",
    "repeated": "two throws of this shooter have to have been no roll",
    "noted twice": "it has to be noted twice against the player",
    "dispute": "a player has to dispute the call",
}
"""What is missing, as one says it."""


SANCTIONS = {
    "exclude": "excluded",
    "refuse wagers": "refused wagers",
    "void wagers": "voided",
    "vacate": "asked to give up the place",
}


def rule_sanction(layout: Layout, table: Table, call: Sanction) -> Followed:
    """Staff act against somebody who breaks the rules."""
    seat = seat_at(layout, table, call.seat)
    cites = check_power(layout, call.what, call.by, call.reason) or layout.listed
    idle = rule_of(layout, "idle", "rounds")
    rounds = table.floor.idle.get(seat.name, 0)
    places = table.floor.places
    full = "yes" if places and len(table.seats) >= places else ""
    given = {"idle": "yes" if idle and rounds >= idle.value else "", "full table": full}
    given["person"] = seat.name
    if call.by not in AUTOMATIC:
        check_needs(layout, table, call.what, call.reason, given)
    words = f"{seat.name} is {SANCTIONS[call.what]}"
    if call.what == "void wagers":
        made: list[AnyDecision] = [
            give_back(layout, seat, layout.spots[name], 0, "void", cites) for name in seat.wagers
        ]
        return [*made, *left_over(layout, table, made), change(table, words, cites)], []
    if idle:
        cites = join(cites, idle.cites) if call.what == "vacate" else cites
    barred = {**table.floor.barred, seat.name: cites}
    if call.what == "vacate":
        leaving = table.floor.vacating | {seat.name}
        return [change(table, words, cites, barred=barred, vacating=leaving)], []
    return [change(table, words, cites, barred=barred)], []


def rule_link(layout: Layout, table: Table, call: LinkPartners) -> Followed:
    """Two players held to act together share one maximum."""
    cites = check_power(layout, "link partners", call.by) or layout.listed
    seat_at(layout, table, call.first)
    seat_at(layout, table, call.second)
    if call.first == call.second:
        refuse("one-player", "it takes two players to act together", cites, "name another")
    pairs = (*table.floor.partners, (call.first, call.second))
    return [
        change(table, f"{call.first} and {call.second} are partners", cites, partners=pairs)
    ], []


def check_partners(layout: Layout, table: Table, call: Bet) -> None:
    """Refuse what takes partners together over the maximum."""
    for pair in table.floor.partners:
        if call.seat not in pair:
            continue
        spot = layout.spots[call.spot]
        most = layout.bounds(table.posted, spot, table.puck).maximum
        stakes = [
            table.seats[name].wagers[spot.id].stake
            for name in pair
            if name in table.seats and spot.id in table.seats[name].wagers
        ]
        if most and sum(stakes) + call.amount > most:
            power = layout.procedure.powers.get(("link partners", ""))
            refuse(
                "partners-over-maximum",
                f"{' and '.join(pair)} together may have {money(most)} on {spot.name}",
                power.cites if power else layout.listed,
            )


# -- disputes, stand-ins, vouchers -----------------------------------------------------------------

STEPS = {
    "decide": "decide dispute",
    "review": "review dispute",
    "inspect": "inspect dispute",
    "close": "decide dispute",
}
DUE = {
    "decide": ("open",),
    "review": ("decide",),
    "inspect": ("decide", "review"),
    "close": ("decide", "review", "inspect"),
}
"""How far a dispute has to have come for each step."""
COME = {
    "open": "is open and has to be decided first",
    "decide": "is decided",
    "review": "is reviewed",
    "inspect": "is inspected",
    "close": "is closed",
}


def rule_open_dispute(layout: Layout, table: Table, call: OpenDispute) -> Followed:
    """A dispute goes on record; the complainant is told what he may ask for."""
    seat_at(layout, table, call.seat)
    keys = ("told of the inspector", "kept on record")
    rules = [r for key in keys if (r := rule_of(layout, "dispute", key))]
    power = layout.procedure.powers.get(("decide dispute", call.about))
    power = power or layout.procedure.powers.get(("decide dispute", ""))
    cites = join(*(r.cites for r in rules), power.cites if power else ()) or layout.listed
    disputes = (*table.floor.disputes, (call.seat, call.about, "open", ""))
    told = rule_of(layout, "dispute", "told of the inspector")
    words = f"{call.seat}'s dispute is on record"
    if told:
        words += "; an inspector may be consulted"
    return [change(table, words, cites, disputes=disputes)], []


def dispute_at(table: Table, name: str, step: str) -> int:
    """Which dispute of this player, or of anybody, a step is taken on; -1 if there is none.

    A player may have several: it is the last that the step is due for, else the last of all.
    """
    mine = [n for n, each in enumerate(table.floor.disputes) if name in ("", each[0])]
    due = [n for n in mine if table.floor.disputes[n][2] in DUE[step]]
    return (due or mine or [-1])[-1]


def rule_judge(layout: Layout, table: Table, call: JudgeDispute) -> Followed:
    """A step of the dispute's route, by the one who may take it."""
    disputes = list(table.floor.disputes)
    at = dispute_at(table, call.seat, call.step)
    reason = disputes[at][1] if at >= 0 else ""
    power = STEPS[call.step]
    if (power, reason) not in layout.procedure.powers:
        reason = ""
    cites = check_power(layout, power, call.by, reason) or layout.listed
    if at < 0:
        refuse("no-dispute", "no such dispute is on record", cites)
    seat, about, step, judge = disputes[at]
    if step not in DUE[call.step]:
        refuse("not-now", f"the dispute of {seat} {COME[step]}", cites)
    if call.step == "review" and RANKS.get(call.by, 99) <= RANKS.get(judge, -1):
        refuse("outranked", "a review is by somebody above the one who decided", cites)
    told = rule_of(layout, "dispute", "told of the inspector")
    if call.step == "close" and told is not None:
        cites = join(cites, told.cites)
        if seat not in table.floor.told:
            refuse(
                "not-told",
                f"{seat} has not been told of the inspector",
                cites,
                f"tell {seat}, then close it",
            )
    disputes[at] = (seat, about, call.step, call.by)
    return [change(table, f"dispute: {call.step}", cites, disputes=tuple(disputes))], []


def rule_stand_in(layout: Layout, table: Table, call: StandIn) -> Followed:
    """Somebody else does a station's work, on record."""
    cites = check_power(layout, "stand in", call.by) or layout.listed
    if call.person in table.seats:
        refuse("not-qualified", f"{call.person} plays at this table", cites, "name an employee")
    if call.station == "inspector" or call.station not in layout.procedure.roles:
        refuse("no-such-station", f"nobody stands in for the {call.station} here", cites)
    names = {**table.floor.stand_ins, call.person: call.station}
    return [
        change(table, f"{call.person} stands in for the {call.station}", cites, stand_ins=names)
    ], []


def rule_give_voucher(layout: Layout, table: Table, call: GiveVoucher) -> Followed:
    """The house gives a voucher, where it has them."""
    rule = rule_of(layout, "voucher", "one wager")
    if rule is None:
        refuse("no-vouchers", "vouchers are not used here", layout.principles["chips"])
    seat_at(layout, table, call.seat)
    if type(call.amount) is not int or call.amount <= 0:
        refuse("not-an-amount", "a voucher has a value above 0", rule.cites, "name its value")
    held = {**table.floor.vouchers}
    held[call.seat] = (*held.get(call.seat, ()), call.amount)
    words = f"{call.seat} has a voucher of {money(call.amount)}"
    return [change(table, words, rule.cites, vouchers=held)], []


def count_idle(layout: Layout, table: Table, event: str) -> list[AnyDecision]:
    """Rounds without a wager, counted at the end of each round where the house counts them."""
    rule = rule_of(layout, "idle", "rounds")
    ends = event in ("made", "seven-out", "no point")
    if rule is None or not ends or table.hand.shooter == GUEST:
        return []
    busy = table.floor.wagered
    idle = {
        name: 0 if seat.wagers or name in busy else table.floor.idle.get(name, 0) + 1
        for name, seat in table.seats.items()
    }
    return [change(table, "a round is over", rule.cites, idle=idle, wagered=frozenset())]


def note_wager(layout: Layout, table: Table, name: str) -> list[AnyDecision]:
    """Who made a wager in this round is noted where the house counts idle rounds."""
    rule = rule_of(layout, "idle", "rounds")
    if rule is None or table.hand.shooter == GUEST or name in table.floor.wagered:
        return []
    return [change(table, "", rule.cites, wagered=table.floor.wagered | {name})]
