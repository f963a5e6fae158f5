"""The dice in hand: whose turn it is, who may throw, what a roll does to the hand.

A table with the guest as shooter runs without any of this.
"""

from __future__ import annotations

from typing import NoReturn

from boxman.rules.layout import Layout
from boxman.rules.ledger import Cited, join
from boxman.table.floor.dice_set import after_seven_out
from boxman.table.floor.people import GUEST, PLACES_USUAL, STICK, Hand
from boxman.table.floor.personal import personal
from boxman.table.rulings import refuse
from boxman.table.state import AnyDecision, Cites, Handed, Seat, Table


def order_cites(layout: Layout, *rules: Cited[object] | None) -> Cites:
    """The clauses of these rules of the order; a rulebook without any cites its list."""
    return join(*(rule.cites for rule in rules if rule)) or layout.silence


def places_cites(layout: Layout) -> Cites:
    """The clauses by which players have places: how these are counted, or else from where the dice
    go round."""
    order = layout.procedure.order
    return order_cites(layout, order.numbered or order.first)


def full_cites(layout: Layout, table: Table) -> Cites:
    """The clauses by which there are no more places: of a crew of one side, or of places at all."""
    side = layout.procedure.one_side if table.floor.sides == 1 else None
    return side.cites if side else places_cites(layout)


def eligible(layout: Layout, seat: Seat) -> bool:
    """Whether a player has a wager that lets them throw: one that counts, should it be found."""
    rule = layout.procedure.eligible.spots
    if rule is None:
        return True
    wagers = seat.wagers
    return any(spot in wagers and wagers[spot].counts != 0 for spot in rule.value)


def going_round(layout: Layout, table: Table) -> Cites:
    """The clauses for whose turn it is: as the game opens, or after a shooter."""
    order, hand = layout.procedure.order, table.hand
    rules: list[Cited[object] | None] = [order.then if hand.declined or hand.at else order.first]
    if hand.former and order.onward is None:
        rules = [order.then, order.later]
    elif hand.former:
        others = hand.shooter != STICK and (hand.at or set(hand.declined) - {hand.former})
        rules = [order.onward if others else order.later]
        if hand.former == STICK:
            return join(order_cites(layout, *rules, order.numbered), shooter_too(layout))
    return order_cites(layout, *rules, order.numbered)


def shooter_too(layout: Layout) -> Cites:
    """The clauses by which the stick, throwing, is a shooter."""
    return layout.procedure.shooter.the_stick_too


def takes(layout: Layout, table: Table) -> Cites:
    """The clauses by which whoever accepts the dice is the shooter."""
    shooter = layout.procedure.shooter
    next_one = shooter.next_takes_the_dice if table.hand.former else ()
    return next_one or shooter.takes_the_dice or layout.silence


def may_pass(layout: Layout, puck: int) -> Cites:
    """The clauses by which a shooter may give up the dice or go on, in a round or between two."""
    shooter = layout.procedure.shooter
    any_roll, a_round = shooter.may_pass_after_any_roll, shooter.may_pass_after_a_round
    return (any_roll if puck else a_round) or any_roll or a_round


def keeps(layout: Layout, puck: int) -> Cites:
    """The clauses by which the dice stay with the shooter who has them."""
    shooter = layout.procedure.shooter
    stays = join(shooter.keeps_the_dice, may_pass(layout, puck)) or shooter.one_at_a_time
    return stays or shooter.takes_the_dice or layout.silence


def eligible_cites(layout: Layout, puck: int) -> Cites:
    """The clauses that say with which wagers a player may throw."""
    eligible = layout.procedure.eligible
    if puck and eligible.kept:
        return eligible.kept
    spots, lacking = eligible.spots, eligible.lacking
    found = (spots.cites if spots else (), eligible.roll, lacking.cites if lacking else ())
    return join(*found) or layout.silence


def may_be_asked(layout: Layout, table: Table) -> list[Seat]:
    """Everybody the text lets be asked, in the order in which the dice go round: the former
    shooter last, also from another place."""
    hand, floor = table.hand, table.floor
    start = place_before_the_first(layout, table)
    seats = sorted(
        table.present, key=lambda seat: (seat.name == hand.former, seat.place <= start, seat.place)
    )
    later = layout.procedure.order.later
    line = hand.former and later is not None and (later.value == "line" or table.puck)
    if line or floor.barred:
        lines = {seat.name for seat in seats if eligible(layout, seat)}
        seats = [s for s in seats if s.name in lines or not (line or s.name in floor.barred)]
        seats = [seat for seat in seats if seat.name not in floor.excluded]
    return seats


def place_before_the_first(layout: Layout, table: Table) -> int:
    """The place after which the dice begin to go round."""
    hand, floor, first = table.hand, table.floor, layout.procedure.order.first
    asked = table.seats.get(last_asked(hand))
    if hand.at or asked is not None:
        return hand.at or (asked.place if asked is not None else 0)
    if hand.former:
        former = table.seats.get(hand.former)
        return hand.left or (former.place if former is not None else 0)
    if first is not None and first.value == "stick":
        # The stick stands opposite the box, at the middle of the long side.
        return (floor.places or PLACES_USUAL) // 2 if floor.sides == 2 else floor.places
    return 0


def last_asked(hand: Hand) -> str:
    """Who was asked last and did not accept; whoever passed the dice was not asked."""
    return hand.declined[-1] if hand.declined not in ((), (hand.former,)) else ""


def turn(layout: Layout, table: Table) -> list[Seat]:
    """The players still to be offered the dice, in order."""
    declined = table.hand.declined
    return [seat for seat in may_be_asked(layout, table) if seat.name not in declined]


def remedy(layout: Layout) -> Cites:
    """The clauses that ask a shooter without a line wager for one, also on a point."""
    lacking = layout.procedure.eligible.lacking
    return lacking.cites if lacking is not None and lacking.value == "ask" else ()


def may_throw_on(layout: Layout, table: Table, shooter: Seat) -> bool:
    """Whether a shooter has the line wager, or what it takes to make it still; else the dice go on.

    Asked for one on a point, any chips will do.
    """
    line = layout.procedure.eligible.spots
    if eligible(layout, shooter) or line is None:
        return True
    if shooter.name in table.floor.barred or (table.puck and not remedy(layout)):
        return False
    own = personal(layout, table, shooter.name, 0).posted
    least = min(layout.bounds(own, layout.spots[spot], 0).least for spot in line.value)
    held = shooter.rail + max(table.floor.vouchers.get(shooter.name, ()), default=0)
    return held >= (1 if table.puck else least)


def may_take(layout: Layout, table: Table, seat: Seat) -> bool:
    """Whether somebody who is offered the dice may take them: the wager may be needed by then."""
    if eligible(layout, seat):
        return True
    asked = any(each.name == seat.name for each in may_be_asked(layout, table))
    return asked and not layout.procedure.eligible.taking


def gives_up(
    layout: Layout, table: Table, name: str, cites: Cites, left: int = 0, *, declined: bool = False
) -> list[AnyDecision]:
    """The shooter is out, and dice that waited for that are made whole; whoever passes the dice
    unasked has declined them, and anybody else is asked last."""
    hand = Hand(shooter="", declined=(name,) if declined else (), former=name, left=left)
    over = after_seven_out(layout, table, cites)
    return [Handed(hand, "gives up", cites, {"seat": name}), *over]


def let_by(table: Table, what: str, cites: Cites) -> Handed:
    """Whoever is offered the dice has not accepted them: the next is asked."""
    hand = table.hand
    declined = (*(name for name in hand.declined if name != hand.offered), hand.offered)
    gone = Hand("", "", declined, hand.former, 0, hand.left, hand.at)
    return Handed(gone, what, cites, {"seat": hand.offered})


def offer_ends(table: Table, cites: Cites, place: int) -> Handed:
    """Whoever was offered the dice can take them no more, and has declined nothing: they go on
    from that place."""
    hand = table.hand
    gone = Hand("", "", hand.declined, hand.former, 0, hand.left, hand.at or place)
    return Handed(gone, "offer ends", cites, {"seat": hand.offered})


def nobody_cites(layout: Layout) -> Cites:
    """The clauses that say what follows when nobody will throw."""
    rule = layout.procedure.no_shooter.then
    return rule.cites if rule else layout.silence


def nobody_will(layout: Layout, table: Table) -> bool:
    """Whether a point may be cancelled for want of a shooter: when all have declined, or, in a
    house that waits for the willing, when nobody is at the table who may be asked."""
    rules = layout.procedure.no_shooter
    if rules.returns is None or not table.puck or turn(layout, table):
        return False
    waits = rules.then is not None and rules.then.value == "wait"
    return not waits or not may_be_asked(layout, table)


def stick_throws(layout: Layout) -> bool:
    """Whether the stickperson throws where nobody can or will."""
    rule = layout.procedure.no_shooter.then
    return rule is not None and rule.value == "stick throws"


def stick_stops(layout: Layout, table: Table) -> Handed:
    """The stickperson has thrown for what there was to throw for: the dice go round again."""
    hand = table.hand
    stop = Hand(shooter="", former=hand.former or STICK, left=hand.left)
    return Handed(stop, "stick stops", nobody_cites(layout))


def without_a_shooter(layout: Layout, table: Table) -> str:
    """What there is to do while nobody may be asked to throw, as a remedy is named."""
    if stick_throws(layout) and any(seat.wagers for seat in table.seats.values()):
        return "stick throws on" if table.hand.shooter == STICK else "stick takes"
    return "cancel the point" if nobody_will(layout, table) else ""


def refuse_has_shooter(table: Table, cites: Cites) -> NoReturn:
    """Somebody has the dice, who passes them first, or throws on; a guest keeps them."""
    if table.hand.shooter == GUEST:
        refuse("has-shooter", cites, "guest")
    do = "stick throws on" if table.hand.shooter == STICK else ""
    if table.phase not in ("open", "closed"):
        do = "decide the throw"
    refuse("has-shooter", cites, do=do, shooter=table.hand.shooter)


def refuse_no_shooter(layout: Layout, table: Table, cites: Cites = ()) -> NoReturn:
    """Nobody has the dice: who might get them, or what the house does when nobody will."""
    rules, do, values = layout.procedure.shooter, "", {}
    if table.hand.offered:
        do, values = "answer the offer", {"seat": table.hand.offered}
    elif not may_be_asked(layout, table):
        do = without_a_shooter(layout, table) or "nobody to ask"
    refuse(
        "no-shooter",
        join(cites, rules.one_at_a_time or rules.takes_the_dice) or layout.silence,
        do=do,
        **values,
    )


def lacks_line(layout: Layout, table: Table) -> bool:
    """Whether the player who has the dice has no wager to throw with."""
    shooter = table.seats.get(table.hand.shooter)
    return shooter is None or not eligible(layout, shooter)


def void_for_lacking(layout: Layout, table: Table) -> bool:
    """Whether the text makes a throw of whoever has the dice a no roll, for want of a wager."""
    lacking, name = layout.procedure.eligible.lacking, table.hand.shooter
    void = lacking is not None and lacking.value == "no roll"
    return void and name not in ("", GUEST, STICK) and lacks_line(layout, table)


def check_shooter(layout: Layout, table: Table) -> str:
    """What stands against a throw now: nothing, or "no roll" where the throw would be void."""
    hand = table.hand
    if hand.shooter == STICK and turn(layout, table):  # somebody can throw who was not asked
        refuse("not-now", nobody_cites(layout), "taker")
    if hand.shooter in (GUEST, STICK):
        return ""
    if not hand.shooter:
        refuse_no_shooter(layout, table)
    if not lacks_line(layout, table):
        return ""
    if void_for_lacking(layout, table):
        return "no roll"
    line = layout.procedure.eligible.spots
    do, spots = "bet a little", line.value if line else ()
    if hand.shooter in table.floor.barred:
        spots, do = (), "pass"
    elif not remedy(layout):
        spots = tuple(spot for spot in spots if layout.spots[spot].may("make", table.puck))
        do = "bet or pass" if spots else "pass"
    refuse(
        *("not-eligible", eligible_cites(layout, table.puck)),
        do=do,
        seat=hand.shooter,
        spots=spots,
    )


def may_remedy(layout: Layout, table: Table, name: str, spot: str) -> Cites:
    """The clauses that let a shooter without a line wager make one now, up to the minimum."""
    lacking, line = layout.procedure.eligible.lacking, layout.procedure.eligible.spots
    if lacking is None or line is None or lacking.value != "ask" or table.hand.shooter != name:
        return ()
    seat = table.seats.get(name)
    if seat is None:
        return ()
    allowed = spot in line.value and not eligible(layout, seat)
    return lacking.cites if allowed else ()


def after_roll(layout: Layout, table: Table, event: str) -> list[AnyDecision]:
    """What a roll does to the hand: a seven-out takes the dice away."""
    hand = table.hand
    if event != "seven-out" or hand.shooter == GUEST:
        return []
    cites = layout.procedure.shooter.passes_on_a_seven_out or layout.silence
    if hand.shooter == STICK:
        return [stick_stops(layout, table)]
    out = Hand(shooter="", former=hand.shooter)
    return [Handed(out, "gives up", cites, {"seat": hand.shooter})]
