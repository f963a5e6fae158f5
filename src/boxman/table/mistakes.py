"""Rules of a wager put down by mistake: who may hand it back, how much of it, until when.

A wager that is locked once it lies cannot be taken down by its owner. The house may still let the
box hand it back before the dice are thrown again; what was there at the last throw stays.
"""

from __future__ import annotations

from boxman.chips import format_amount as money
from boxman.rules.layout import Layout, Spot
from boxman.rules.ledger import join
from boxman.table.calls import GiveBack
from boxman.table.floor import change
from boxman.table.fresh import Fresh, place_of
from boxman.table.personal import personal
from boxman.table.powers import check_power
from boxman.table.rulings import Notice, refuse
from boxman.table.stakes import check_stake, fee_on
from boxman.table.state import AnyDecision, Cites, Returned, Seat, Table, Wager
from boxman.table.wagers import Followed, left_over, odds_too, seat_at, spot_on, undone, wager_of

MISTAKE = "put down by mistake"


def fresh_of(table: Table, name: str) -> dict[str, int]:
    """What of a seat's chips could be handed back now: spots, and how much lies there since."""
    if table.phase != "open" or name not in table.seats:
        return {}
    up = table.seats[name].wagers
    return {spot: new.amount for spot in up if (new := table.fresh.get(place_of(name, spot)))}


def rule_give_back(layout: Layout, table: Table, call: GiveBack) -> Followed:
    """Chips put down since the last throw go back to their owner, with their fee."""
    power = layout.procedure.powers.get(("give back", ""))
    if power is None:
        refuse("no-such-power", "nobody may give back a wager here", layout.listed)
    cites = join(power.cites, check_power(layout, "give back", call.by))
    seat = seat_at(layout, table, call.seat)
    spot = spot_on(layout, call.spot)
    wager = wager_of(layout, seat, spot)
    if table.phase != "open":
        refuse(
            "bets-closed",
            "it is too late to give anything back",
            join(cites, layout.betting["make"].cites),
            "wait until the roll is settled",
        )
    new = table.fresh.get(place_of(seat.name, spot.id))
    if new is None:
        refuse(
            "not-fresh",
            f"{spot.name} was there at the last throw",
            cites,
            "it stands until it is decided, or comes down as its own rule says",
        )
    amount = call.amount or new.amount
    if type(amount) is not int or amount <= 0:
        refuse("not-an-amount", f"{amount} is not an amount of chips", layout.principles["chips"])
    if amount > new.amount:
        refuse(
            "not-fresh",
            f"only {money(new.amount)} of {spot.name} came down since the last throw",
            cites,
            f"give back {money(new.amount)}",
        )
    back, warnings = undone(wager, new, MISTAKE, cites), list[Notice]()
    if amount < new.amount:
        back, warnings = _some(layout, table, call, seat, spot, wager, new, cites)
    left = wager.stake - amount
    made: list[AnyDecision] = [back, *odds_too(layout, table, seat, spot, left)]
    made += left_over(layout, table, made)
    pair = (seat.name, spot.id)
    if not left and pair in table.floor.placed_for:
        made.append(change(table, "", cites, placed_for=table.floor.placed_for - {pair}))
    return made, warnings


def _some(
    layout: Layout,
    table: Table,
    call: GiveBack,
    seat: Seat,
    spot: Spot,
    wager: Wager,
    new: Fresh,
    cites: Cites,
) -> tuple[Returned, list[Notice]]:
    """A part of what is new goes: what is left has to be a stake the spot takes."""
    if new.voucher:
        refuse(
            "voucher-stands",
            f"{spot.name} with a voucher cannot be given back in part",
            layout.procedure.rules["voucher", "one wager"].cites,
            "give back all of it",
        )
    if wager.split:
        refuse(
            "split-stands",
            f"{spot.name} cannot be given back in part with its split",
            spot.share.cites if spot.share else spot.offer_cites,
            "give back all of it and make it anew",
        )
    left = wager.stake - call.amount
    limits = personal(layout, table, seat.name, call.at)
    warnings = check_stake(layout, limits, seat, spot, left)
    fee = min(new.fee, max(0, wager.fee - fee_on(layout, spot, left)))
    return Returned(seat.name, spot.id, call.amount, fee, MISTAKE, cites), warnings
