"""What a player may do now, so that a screen needs to know no rules.

Amounts are a union of (low, high, step) because payable amounts are not an interval. The menu is
worked out without asking `rule`; a property test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

import msgspec

from boxman.chips import payable
from boxman.rules.layout import Layout, Spot, fee_at_placement
from boxman.table.floor.dice_set import check_whole, may_ask
from boxman.table.floor.people import GUEST
from boxman.table.floor.personal import personal, together
from boxman.table.floor.shooters import may_remedy, may_take, remedy
from boxman.table.floor.throw import thrown
from boxman.table.floor.throws import disputable
from boxman.table.fresh import place_of
from boxman.table.markers import callable_now, wakes
from boxman.table.rulings import Refused
from boxman.table.stakes import Range, fee_on, lying, odds_number, partners_stake, stake_ranges
from boxman.table.state import Seat, Table, Wager
from boxman.table.terms import binding
from boxman.table.wagers import comes_down, in_time, is_closed


class Charge(NamedTuple):
    """What is charged on top of amounts from `low` to `high` by `step`: `fee`, and `more` a step.

    A wager that is raised owes what its whole stake owes, less what was paid for it before.
    """

    low: int
    high: int
    step: int
    fee: int
    more: int


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What may be done with one spot: amounts that may be added, stakes it may be lowered to."""

    spot: str
    name: str
    bet: tuple[Range, ...] = ()
    lower: tuple[Range, ...] = ()
    take_down: bool = False
    calls: tuple[str, ...] = ()
    """on, off: what it may be called now."""
    keep: bool | None = None
    """Whether it may be asked to stay up (True) or let go (False)."""
    parts: tuple[str, ...] = ()
    """The parts a player may name in a split."""
    fees: tuple[Charge, ...] = ()
    """What is charged on top of the amounts that may be bet; nothing where none is charged."""


class Menu(msgspec.Struct, frozen=True, kw_only=True):
    """Everything one seat may do now."""

    seat: str
    rail: int
    choices: dict[str, Choice]
    moves: tuple[str, ...] = ()
    """What else the player may say now, as the notation says it: the dice, objections, consent."""
    advice: bool = True
    """Whether a live table of this house may show hints and statistics to players."""


class KnownMenus:
    """What was worked out before for one house, kept by somebody who asks often.

    `choices` are for a deep rail: each with the rail from which on it is the same for any rail, and
    the fee on one unit of stake where it is paid at placement. `bare` are whole menus of a seat
    with nothing up and a deep rail, with the spots that ask for the deepest rails first: a seat
    differs from it only where it has a wager, odds on one, or too short a rail.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.choices: dict[object, tuple[Choice, int, Fraction]] = {}
        self.bare: dict[object, tuple[dict[str, Choice], list[tuple[int, str]]]] = {}
        self.odds: dict[str, list[str]] = {}
        for spot in layout.spots.values():
            if spot.behind is not None:
                self.odds.setdefault(spot.behind.flat, []).append(spot.id)

    def __len__(self) -> int:
        return len(self.choices)

    def clear(self) -> None:
        """Forget everything; it changes nothing but the time."""
        self.choices.clear()
        self.bare.clear()


def menu(
    layout: Layout, table: Table, name: str, at: int = 0, known: KnownMenus | None = None
) -> Menu:
    """What this seat may do at this time; only spots with something to do are listed.

    Somebody who asks often for the same house keeps `known`; it changes nothing but the time.
    """
    seat, posted = table.seats[name], (table := binding(table))
    table = personal(layout, table, name, at)
    floor = table.floor
    if floor.closed or floor.barred or floor.partners or floor.pending or floor.away:
        known = None  # then choices rest on more than the wagers of this seat
    if table.hand.shooter == name and table.puck and remedy(layout):
        known = None
    if name in table.floor.excluded:
        choices = {}  # there is nothing left to do but to cash out
    elif known is None:
        every = (_choice(layout, table, seat, spot, posted) for spot in layout.spots.values())
        choices = {choice.spot: choice for choice in every if _something(choice)}
    else:
        choices = _known_choices(layout, table, seat, known)
    rule = layout.procedure.advice
    advice = True if rule is None else rule.value
    moves = tuple(_moves(layout, table, seat))
    return Menu(seat=name, rail=seat.rail, choices=choices, moves=moves, advice=advice)


def _moves(layout: Layout, table: Table, seat: Seat) -> list[str]:
    """Calls of procedure open to this seat now."""
    hand, floor = table.hand, table.floor
    found = ["cashes out"] if seat.rail > lying(layout, table, seat) else []
    if floor.closed:
        return [*found, "leaves"]
    if seat.name in floor.away:
        stays = seat.wagers or lying(layout, table, seat)
        return found if stays else [*found, "leaves"]
    leaves = [] if hand.shooter == seat.name and thrown(table) else ["leaves"]
    if disputable(layout, table):
        found.append("disputes the faces")
    if seat.name in floor.excluded:
        return found + leaves
    found += _dice_moves(layout, table, seat)
    found += [f"objects to {spot}" for spot in _not_asked_for(layout, table, seat)]
    asked = any("all agree" in power.needs for power in layout.procedure.granted)
    if asked and any(sign.what == "limits" for sign in floor.notices):
        found.append("agrees")
    if hand.shooter in (GUEST, seat.name) and may_ask(layout, floor.dice):
        found.append("asks for the old die")
    return found + leaves


def _not_asked_for(layout: Layout, table: Table, seat: Seat) -> Iterator[str]:
    """Where staff have put chips down since the last roll: a player may say they were not asked."""
    if in_time(layout, table) and layout.procedure.conduct.player_answers_for_placing:
        theirs = {each.spot for each in table.floor.placed_for if each.seat == seat.name}
        yield from (spot for spot in sorted(theirs) if place_of(seat.name, spot) in table.fresh)


def _dice_moves(layout: Layout, table: Table, seat: Seat) -> Iterator[str]:
    """Take the dice, decline them, pass them."""
    if table.hand.offered == seat.name:
        yield "declines dice"
        if may_take(layout, table, seat) and _whole(layout, table):
            yield "takes dice"
    if table.hand.shooter == seat.name and table.phase in ("open", "closed"):
        yield "passes dice"


def _whole(layout: Layout, table: Table) -> bool:
    """Whether the set that is offered is one that may be taken."""
    try:
        check_whole(layout, table)
    except Refused:
        return False
    return True


def fresh_of(layout: Layout, table: Table, name: str) -> dict[str, int]:
    """What of a seat's chips could be handed back now: spots, and how much lies there since."""
    if not in_time(layout, table) or name not in table.seats:
        return {}
    power = layout.procedure.power("give back")
    stuck = power is not None and "removable" in power.needs
    return {
        spot: new.amount
        for spot in table.seats[name].wagers
        if (new := table.fresh.get(place_of(name, spot)))
        and (not stuck or layout.spots[spot].may("remove", table.puck))
    }


_DEEP = 10**16
"""More than any stake."""


def _something(choice: Choice) -> bool:
    """Whether anything may be done there."""
    return bool(
        choice.bet or choice.lower or choice.take_down or choice.calls or choice.keep is not None
    )


def _known_choices(
    layout: Layout, table: Table, seat: Seat, known: KnownMenus
) -> dict[str, Choice]:
    """The bare menu, and anew what this seat has different."""
    key = (table.puck, table.phase, table.posted, seat.warned, table.latched)
    found = known.bare.get(key)
    if found is None:
        nobody = msgspec.structs.replace(seat, rail=_DEEP, wagers={})
        choices = {}
        rails = []
        for spot in layout.spots.values():
            choice = _known_choice(layout, table, nobody, spot, known)
            if _something(choice):
                choices[spot.id] = choice
                rails.append((_least(table, nobody, spot, known), spot.id))
        found = known.bare[key] = (choices, sorted(rails, reverse=True))
    bare, rails = found
    own = set(seat.wagers)
    for flat in seat.wagers:
        own.update(known.odds.get(flat, ()))
    for least, spot_id in rails:
        if least <= seat.rail:
            break
        own.add(spot_id)
    choices = dict(bare)
    for spot_id in own:
        choice = _known_choice(layout, table, seat, layout.spots[spot_id], known)
        if _something(choice):
            choices[spot_id] = choice
        else:
            choices.pop(spot_id, None)
    return choices


def _key(table: Table, seat: Seat, spot: Spot) -> tuple[object, ...]:
    """What a choice rests on, the rail apart."""
    wager = seat.wagers.get(spot.id)
    flat = seat.wagers.get(spot.behind.flat) if spot.behind is not None else None
    shut = spot.gate is not None and spot.gate.group in table.latched
    return (spot.id, table.puck, table.phase, table.posted, wager, flat, seat.warned, shut)


def _least(table: Table, seat: Seat, spot: Spot, known: KnownMenus) -> int:
    """The rail from which on a choice worked out before is the same for any rail."""
    return known.choices[_key(table, seat, spot)][1]


def _known_choice(
    layout: Layout, table: Table, seat: Seat, spot: Spot, known: KnownMenus
) -> Choice:
    """A choice as worked out before for the same wagers, if the rail does not cut it short."""
    wager = seat.wagers.get(spot.id)
    key = _key(table, seat, spot)
    found = known.choices.get(key)
    if found is None:
        deep = msgspec.structs.replace(seat, rail=_DEEP)
        choice = _choice(layout, table, deep, spot, table)
        old, paid = (wager.stake, wager.fee) if wager else (0, 0)
        most = max((high for _, high, _ in choice.bet), default=0)
        fee = max(0, fee_on(layout, spot, old + most) - paid) if most else 0
        found = known.choices[key] = (choice, most + fee, fee_at_placement(spot))
    choice, least, share = found
    if seat.rail >= least:
        return choice
    old, paid = (wager.stake, wager.fee) if wager else (0, 0)
    bets = []
    for low, high, step in choice.bet:
        stakes = (low + old, high + old, step)
        last = _affordable(layout, stakes, seat.rail + old, paid, share) - old
        if low <= last:
            bets.append((low, last, step))
    fees = _charges(layout, spot, bets, wager)
    return msgspec.structs.replace(choice, bet=tuple(bets), fees=fees)


def _choice(layout: Layout, table: Table, seat: Seat, spot: Spot, posted: Table) -> Choice:
    wager = seat.wagers.get(spot.id)
    share = spot.share
    here = seat.name not in table.floor.away
    again = here and seat.name not in table.floor.barred  # a wager that is made again is made
    bets = _bets(layout, table, seat, spot, posted)
    return Choice(
        spot=spot.id,
        name=spot.name,
        bet=tuple(bets),
        lower=tuple(_lower(layout, table, seat, spot, wager)) if wager and here else (),
        take_down=wager is not None and here and comes_down(layout, table, spot),
        calls=_calls(layout, table, seat, spot, wager) if wager and here else (),
        keep=(not wager.stays) if wager and spot.again_cites and (again or wager.stays) else None,
        parts=share.parts if share is not None and share.named else (),
        fees=_charges(layout, spot, bets, wager) if spot.fee is not None else (),
    )


def _calls(layout: Layout, table: Table, seat: Seat, spot: Spot, wager: Wager) -> tuple[str, ...]:
    """What a wager may be called now; a call on that waits for its word may be taken back."""
    if is_closed(layout, table, "mark"):
        return ()
    found = callable_now(spot, wager, table.puck)
    mine = [each for each in table.floor.pending if (each.what, each.seat) == ("on", seat.name)]
    waits = any(
        each.spot == spot.id or (not wager.marker and wakes(layout, each, spot.id)) for each in mine
    )
    return (*found, "off") if waits and "off" not in found else found


def _charges(
    layout: Layout, spot: Spot, bets: Sequence[Range], wager: Wager | None
) -> tuple[Charge, ...]:
    """The engine's fee on every amount that may be added.

    Over a period of stakes the fee rises by whole chips; so amounts a period apart have fees in
    equal steps, whatever way they are rounded.
    """
    share = fee_at_placement(spot)
    if not share or not bets:
        return ()
    old, paid = (wager.stake, wager.fee) if wager else (0, 0)
    period = (share / layout.chip).denominator
    found = []
    for low, high, step in bets:
        wide = lcm(period, step)
        more = int(wide * share)
        for first in range(low, min(low + wide, high + 1), step):
            last = high - (high - first) % wide
            fee = fee_on(layout, spot, old + first) - paid
            free = min(-(fee // more), (last - first) // wide + 1) if fee < 0 else 0
            if free:  # what was paid before is more than is owed
                found.append(Charge(first, first + (free - 1) * wide, wide, 0, 0))
            if first + free * wide <= last:
                found.append(Charge(first + free * wide, last, wide, fee + free * more, more))
    return tuple(found)


def _bets(layout: Layout, table: Table, seat: Seat, spot: Spot, posted: Table) -> list[Range]:
    """Amounts that may be added, at a table as it is posted and by this player's own limits."""
    if table.floor.closed or seat.name in table.floor.barred:
        return []
    if table.puck and in_time(layout, table) and may_remedy(layout, table, seat.name, spot.id):
        return _remedies(layout, table, seat, spot, posted)
    if not _takes_more(layout, table, seat, spot):
        return []
    wager = seat.wagers.get(spot.id)
    old, paid = (wager.stake, wager.fee) if wager else (0, 0)
    least = old + 1
    if wager is None and spot.share is not None and spot.share.named:
        least = layout.chip * len(spot.share.parts)
    found, share = [], fee_at_placement(spot)
    room = _partners_room(layout, table, seat, spot, posted)
    for low, high, step in stake_ranges(layout, table, seat, spot):
        if room is not None:
            high = min(high, low + (old + room - low) // step * step)
        first = max(low, low + -(-(least - low) // step) * step)
        last = _affordable(layout, (first, high, step), seat.rail + old, paid, share)
        if first <= last:
            found.append((first - old, last - old, step))
    return found


def _remedies(layout: Layout, table: Table, seat: Seat, spot: Spot, posted: Table) -> list[Range]:
    """What a shooter may put on a line late, who threw on a point without it: any chips, up to the
    minimum as it is posted."""
    most = min(posted.posted.minimum, seat.rail, table.posted.maximum or seat.rail)
    room = _partners_room(layout, table, seat, spot, posted)
    if room is not None:
        most = min(most, max(0, room))
    most = most // layout.chip * layout.chip
    return [(layout.chip, most, layout.chip)] if most else []


def _takes_more(layout: Layout, table: Table, seat: Seat, spot: Spot) -> bool:
    """Whether a wager may be made or raised there now, whatever its stake: the bets are open, odds
    have the wager they lie behind, and nothing that was made before keeps it shut."""
    act = "raise" if spot.id in seat.wagers else "make"
    if is_closed(layout, table, act) or not spot.may(act, table.puck):
        return False
    if spot.behind is not None and (
        spot.behind.flat not in seat.wagers or not odds_number(spot, table.puck)
    ):
        return False
    return spot.gate is None or spot.gate.group not in table.latched


def _partners_room(
    layout: Layout, table: Table, seat: Seat, spot: Spot, posted: Table
) -> int | None:
    """How much a player held to act with another may still add within the maximum, if he is."""
    if not posted.floor.partners:
        return None
    most = layout.bounds(table.posted, spot, table.puck).maximum
    if not most or len(together(posted, seat.name)) == 1:
        return None
    own = seat.wagers.get(spot.id)
    return most - partners_stake(layout, posted, seat.name, spot) - (own.stake if own else 0)


def _affordable(layout: Layout, stakes: Range, money: int, paid: int, share: Fraction) -> int:
    """The highest stake of a range that this money covers, with its fee; below low if none."""
    low, high, step = stakes
    few, many = -1, (min(high, money) - low) // step
    if not share:
        return low + max(few, many) * step
    way = layout.round_fee.value
    while few < many:
        middle = (few + many + 1) // 2
        stake = low + middle * step
        if stake + max(0, payable(stake * share, layout.chip, way) - paid) <= money:
            few = middle
        else:
            many = middle - 1
    return low + few * step


def _lower(layout: Layout, table: Table, seat: Seat, spot: Spot, wager: Wager) -> list[Range]:
    """Stakes a wager may be lowered to."""
    if is_closed(layout, table, "reduce") or not spot.may("reduce", table.puck):
        return []
    found = []
    for low, high, step in stake_ranges(layout, table, seat, spot, wager):
        if wager.split:
            # Each part is lowered in proportion and stays in chips.
            unit = wager.stake // gcd(*(part // layout.chip for part in wager.split))
            step = lcm(step, unit)
            low = -(-low // step) * step
        low += -(-max(0, wager.voucher - low) // step) * step  # a voucher stays whole
        last = min(high, low + (wager.stake - 1 - low) // step * step)
        if low <= last:
            found.append((low, last, step))
    return found
