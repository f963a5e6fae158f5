"""Rules of the dice in hand: to whom they are offered, who may throw, who must give them up.

A table with the guest as shooter runs without any of this.
"""

from __future__ import annotations

import msgspec

from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.calls import (
    Bet,
    CancelPoint,
    DeclineDice,
    OfferDice,
    OrderPass,
    PassDice,
    Sit,
    TakeDice,
)
from boxman.table.dice_set import after_seven_out
from boxman.table.floor import (
    PLAYER,
    check_needs,
    check_open,
    checked_bet,
    late_bet,
    note_wager,
    rule_of,
)
from boxman.table.people import GUEST, QUIET, STICK, Hand
from boxman.table.powers import AUTOMATIC, check_power
from boxman.table.rulings import refuse
from boxman.table.state import (
    AnyDecision,
    Cites,
    Handed,
    Placed,
    PuckOff,
    Seat,
    Seated,
    Table,
)
from boxman.table.wagers import REMEDY, Followed, give_back, left_over, rule_bet, seat_at


def _cites(layout: Layout, *rules: str) -> Cites:
    """The clauses of these rules about shooters; a rulebook without any cites its list."""
    found = join(*(layout.procedure.shooter.get(rule, ()) for rule in rules))
    return found or layout.listed


def _order_cites(layout: Layout, *keys: str) -> Cites:
    order = layout.procedure.order
    return join(*(order[key].cites for key in keys if key in order)) or layout.listed


def eligible(layout: Layout, seat: Seat) -> bool:
    """Whether a player has a wager that lets him throw."""
    rule = layout.procedure.eligible.get("spots")
    return rule is None or any(spot in seat.wagers for spot in rule.value)


def eligible_cites(layout: Layout) -> Cites:
    rules = layout.procedure.eligible
    keys = ("spots", "roll", "lacking")
    return join(*(rules[key].cites for key in keys if key in rules)) or layout.listed


def turn(layout: Layout, table: Table) -> list[Seat]:
    """The players still to be offered the dice, in order."""
    hand = table.hand
    seats = sorted(table.seats.values(), key=lambda seat: seat.place)
    if hand.former:
        start = table.seats[hand.former].place if hand.former in table.seats else 0
        seats = [s for s in seats if s.place > start] + [s for s in seats if s.place <= start]
        if "later" in layout.procedure.order:
            seats = [seat for seat in seats if eligible(layout, seat)]
    elif "first" in layout.procedure.order and layout.procedure.order["first"].value == "stick":
        # The stick stands opposite the box, so its left is the other half of the table.
        half = (max((s.place for s in seats), default=0) + 1) // 2
        seats = [s for s in seats if s.place > half] + [s for s in seats if s.place <= half]
    return [seat for seat in seats if seat.name not in hand.declined]


def rule_sit(layout: Layout, table: Table, call: Sit) -> Followed:
    """A player takes a place."""
    taken = next((s.name for s in table.seats.values() if s.place == call.place), "")
    cites = layout.principles["chips"]
    floor = table.floor
    check_open(layout, table, call.seat)
    if floor.places and call.place > floor.places:
        side = rule_of(layout, "crew", str(floor.sides)) if floor.sides == 1 else None
        refuse(
            "no-such-place",
            f"places 1 to {floor.places} are open",
            side.cites if side else cites,
            "take another",
        )
    if taken and taken != call.seat:
        refuse("place-taken", f"{taken} sits at place {call.place}", cites, "take another")
    return [Seated(call.seat, call.place, cites)], []


def rule_offer(layout: Layout, table: Table, call: OfferDice) -> Followed:
    """The dice go to the player whose turn it is."""
    power = check_power(layout, "offer dice", call.by)
    hand = table.hand
    shooter = table.seats.get(hand.shooter)
    if hand.shooter == GUEST:
        refuse("guest-shoots", "a guest has the dice at this table", _cites(layout))
    if shooter is not None and (eligible(layout, shooter) or (not table.puck and shooter.rail)):
        refuse(
            "has-shooter",
            f"{shooter.name} has the dice",
            _cites(layout, "one at a time", "takes the dice", "keeps the dice"),
            f"{shooter.name} passes the dice first",
        )
    if shooter is not None:
        hand = Hand(shooter="", former=shooter.name)
        table = msgspec.structs.replace(table, hand=hand)
    keys = ("then", "later") if hand.former or hand.declined else ("first",)
    cites = join(power, _order_cites(layout, *keys))
    line = turn(layout, table)
    if not line:
        refuse(
            "nobody-left", "nobody is left to be offered the dice", _nobody_cites(layout), "wait"
        )
    if line[0].name != call.seat:
        refuse("not-next", f"the dice go to {line[0].name} now", cites, f"offer {line[0].name}")
    offered = Hand(shooter="", offered=call.seat, declined=hand.declined, former=hand.former)
    return [Handed(offered, f"{call.seat} is offered the dice", cites)], []


def _nobody_cites(layout: Layout) -> Cites:
    rule = layout.procedure.no_shooter.get("then")
    return rule.cites if rule else layout.listed


def rule_take(layout: Layout, table: Table, call: TakeDice) -> Followed:
    """The one who takes the dice offered is the shooter."""
    hand = table.hand
    if call.seat == STICK:
        return _stick_takes(layout, table)
    seat = seat_at(layout, table, call.seat)
    cites = _cites(layout, "takes the dice")
    willing = not hand.offered and not hand.shooter and not turn(layout, table)
    if hand.offered != seat.name and not willing:
        refuse(
            "not-offered-dice",
            f"the dice are not offered to {seat.name}",
            join(_cites(layout, "one at a time"), _order_cites(layout, "first", "then")),
            f"they are offered to {hand.offered}" if hand.offered else "wait for the offer",
        )
    rules = layout.procedure.eligible
    if "taking" in rules and not eligible(layout, seat):
        refuse(
            "not-eligible",
            f"{seat.name} has no wager that lets a player throw",
            join(rules["taking"].cites, rules["spots"].cites),
            f"bet {' or '.join(rules['spots'].value)} first",
        )
    if hand.former and table.puck:
        cites = join(cites, layout.procedure.shooter.get("next finishes the round", ()))
    return [Handed(Hand(shooter=seat.name), f"{seat.name} is the shooter", cites)], []


def _stick_takes(layout: Layout, table: Table) -> Followed:
    """Where nobody will throw and a wager is undecided, the stickperson may have to."""
    rule = layout.procedure.no_shooter.get("then")
    cites = _nobody_cites(layout)
    if rule is None or rule.value != "stick throws":
        refuse("stick-never-throws", "the stickperson does not throw here", cites, "wait")
    if turn(layout, table) or table.hand.shooter:
        refuse("not-now", "somebody may still take the dice", cites, "offer the dice")
    if not any(seat.wagers for seat in table.seats.values()):
        refuse("not-now", "no wager is undecided", cites, "wait for a shooter")
    hand = Hand(shooter=STICK, former=table.hand.former)
    return [Handed(hand, "the stickperson throws", cites)], []


def rule_decline(layout: Layout, table: Table, call: DeclineDice) -> Followed:
    """A player declines; the dice go on."""
    seat = seat_at(layout, table, call.seat)
    hand = table.hand
    cites = _order_cites(layout, "then")
    if hand.offered != seat.name:
        refuse("not-offered-dice", f"the dice are not offered to {seat.name}", cites)
    gone = Hand("", "", (*hand.declined, seat.name), hand.former)
    return [Handed(gone, f"{seat.name} declines the dice", cites)], []


def rule_pass(layout: Layout, table: Table, call: PassDice) -> Followed:
    """The shooter gives up the dice."""
    seat = seat_at(layout, table, call.seat)
    cites = _cites(layout, "may pass after any roll", "may pass after a round")
    if table.hand.shooter != seat.name:
        refuse("not-shooter", f"{seat.name} does not have the dice", cites)
    if table.puck:
        cites = join(cites, layout.procedure.shooter.get("next finishes the round", ()))
    return _gives_up(layout, table, seat.name, cites), []


def _gives_up(layout: Layout, table: Table, name: str, cites: Cites) -> list[AnyDecision]:
    """The shooter is out, and dice that waited for that are made whole."""
    hand = Hand(shooter="", declined=(name,), former=name)
    words = f"{name} gives up the dice"
    return [Handed(hand, words, cites), *after_seven_out(layout, table)]


def rule_order_pass(layout: Layout, table: Table, call: OrderPass) -> Followed:
    """Staff take the dice from a shooter, for a reason the house names."""
    cites = check_power(layout, "order to pass", call.by, call.reason)
    if table.hand.shooter != call.seat:
        refuse("not-shooter", f"{call.seat} does not have the dice", cites or layout.listed)
    if call.by not in AUTOMATIC:
        check_needs(layout, table, "order to pass", call.reason, {"note": call.note})
    return _gives_up(layout, table, call.seat, cites or layout.listed), []


def rule_cancel_point(layout: Layout, table: Table, call: CancelPoint) -> Followed:
    """Everybody refuses to finish the round: the point is cancelled and its wagers handed back."""
    rules = layout.procedure.no_shooter
    cites = _nobody_cites(layout)
    if "then" not in rules or rules["then"].value != "cancel point":
        refuse("no-such-power", "a point is never cancelled here", cites)
    if not table.puck:
        refuse("not-now", "there is no point to cancel", cites)
    if table.hand.shooter or turn(layout, table):
        refuse("not-now", "somebody may still take the dice", cites, "offer the dice")
    made: list[AnyDecision] = [PuckOff(cites)]
    returns = rules.get("returns")
    for seat in table.seats.values():
        for name in seat.wagers:
            if returns is not None and name in returns.value:
                spot = layout.spots[name]
                made.append(give_back(layout, seat, spot, 0, "point cancelled", returns.cites))
    made += left_over(layout, table, made)
    anew = Hand(shooter="", former=table.hand.former)
    return [*made, Handed(anew, "the dice are offered anew", cites)], []


def check_shooter(layout: Layout, table: Table) -> str:
    """What stands against a throw now: nothing, or "no roll" where the throw would be void."""
    hand = table.hand
    if hand.shooter == STICK and not any(seat.wagers for seat in table.seats.values()):
        refuse("stick-done", "no wager is undecided any more", _nobody_cites(layout), "offer dice")
    if hand.shooter in (GUEST, STICK):
        return ""
    if not hand.shooter:
        refuse(
            "no-shooter",
            "nobody has the dice",
            _cites(layout, "one at a time", "takes the dice"),
            "offer the dice",
        )
    shooter = table.seats.get(hand.shooter)
    if shooter is not None and eligible(layout, shooter):
        return ""
    rules = layout.procedure.eligible
    lacking = rules.get("lacking")
    if lacking is not None and lacking.value == "no roll":
        return "no roll"
    spots = " or ".join(rules["spots"].value)
    remedy = f"{hand.shooter} bets {spots}, or the dice go on"
    if lacking is not None and lacking.value == "ask":
        remedy = f"{hand.shooter} bets {spots} up to the minimum, or the dice go on"
    refuse(
        "not-eligible",
        f"{hand.shooter} has no wager that lets a player throw",
        eligible_cites(layout),
        remedy,
    )


def may_remedy(layout: Layout, table: Table, call: Bet) -> Cites:
    """The clauses that let a shooter without a line wager make one now, up to the minimum."""
    rules = layout.procedure.eligible
    lacking = rules.get("lacking")
    if lacking is None or lacking.value != "ask" or table.hand.shooter != call.seat:
        return ()
    seat = table.seats[call.seat]
    allowed = call.spot in rules["spots"].value and not eligible(layout, seat)
    return lacking.cites if allowed and 0 < call.amount <= table.posted.minimum else ()


def rule_bet_at_hand(layout: Layout, table: Table, call: Bet) -> Followed:
    """A bet; a shooter who lacks the wager to throw with may have a way of his own to make it."""
    if table.floor != QUIET or call.by:
        check_open(layout, table, call.seat)
        waits = late_bet(layout, table, call)
        if waits is not None:
            return waits
        if not table.puck or table.phase != "open" or not may_remedy(layout, table, call):
            made, warnings = checked_bet(layout, table, call)
            return [*_own(layout, call, made), *note_wager(layout, table, call.seat)], warnings
    cites = may_remedy(layout, table, call) if table.puck and table.phase == "open" else ()
    seat = table.seats.get(call.seat)
    if not cites or seat is None or call.amount > seat.rail or call.amount % layout.chip:
        return rule_bet(layout, table, call)
    return [Placed(seat.name, call.spot, call.amount, 0, cites, (), REMEDY)], []


def _own(layout: Layout, call: Bet, made: list[AnyDecision]) -> list[AnyDecision]:
    """A player's own wager is against the house, where a clause says so."""
    rule = rule_of(layout, "conduct", "against the house")
    if rule is None or call.by != PLAYER:
        return made
    first = made[0]
    return [msgspec.structs.replace(first, cites=join(first.cites, rule.cites)), *made[1:]]


def after_roll(layout: Layout, table: Table, event: str) -> list[AnyDecision]:
    """What a roll does to the hand: a seven-out takes the dice away."""
    hand = table.hand
    if event != "seven-out" or hand.shooter == GUEST:
        return []
    cites = _cites(layout, "passes on a seven-out")
    if hand.shooter == STICK:
        stop = Hand(shooter="", former=hand.former)
        return [Handed(stop, "the stickperson stops throwing", _nobody_cites(layout))]
    out = Hand(shooter="", former=hand.shooter)
    return [Handed(out, f"{hand.shooter} gives up the dice", cites)]
