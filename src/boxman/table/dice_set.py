"""Rules of the set of dice: inspection, dice off the table, lost dice, a new set."""

from __future__ import annotations

import msgspec

from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.floor import change, rule_of
from boxman.table.floor_calls import HandleDice
from boxman.table.opening import dice_in_bowl
from boxman.table.people import DiceSet
from boxman.table.powers import AUTOMATIC, check_power, station_name
from boxman.table.rulings import refuse
from boxman.table.state import (
    AnyDecision,
    Cites,
    Table,
)
from boxman.table.wagers import Followed

POWERS = {
    "off": "handle dice",
    "chosen": "handle dice",
    "asked": "",
    "found": "handle dice",
    "lost": "handle dice",
    "new set": "handle dice",
    "checked": "check die",
    "rejected": "check die",
    "old dice": "allow old dice",
    "inspected": "inspect dice",
}


def _cites(layout: Layout, *keys: str) -> Cites:
    return join(*(r.cites for key in keys if (r := rule_of(layout, "dice", key)))) or layout.listed


def rule_handle_dice(layout: Layout, table: Table, call: HandleDice) -> Followed:
    """One thing happens to the dice, by the one who may do it."""
    power = POWERS[call.event]
    reason = call.event if (power, call.event) in layout.procedure.powers else ""
    cites = check_power(layout, power, call.by, reason) if power else ()
    dice = table.floor.dice
    made, words, more = _event(layout, dice, call, cites)
    return [change(table, words, join(cites, more) or layout.listed, dice=made)], []


def fresh_dice(layout: Layout) -> DiceSet:
    """A whole set: two dice in play, the others in the bowl."""
    return DiceSet(bowl=dice_in_bowl(layout))


def _event(
    layout: Layout, dice: DiceSet, call: HandleDice, cites: Cites
) -> tuple[DiceSet, str, Cites]:
    replace = msgspec.structs.replace
    match call.event:
        case "inspected":
            needed = rule_of(layout, "dice", "inspected")
            speaks = [who for who in (call.by, call.stand_in) if who]
            if any(who in dice.inspected for who in speaks):
                refuse("already-so", "the same person cannot inspect twice", cites or layout.listed)
            done = (*dice.inspected, *speaks)
            return replace(dice, inspected=done), "inspected", needed.cites if needed else ()
        case "off":
            if not dice.play:
                refuse("no-die", "no die is in play", cites or layout.listed)
            return replace(dice, play=dice.play - 1, off=dice.off + 1), "a die is off the table", ()
        case "chosen":
            if not dice.bowl or dice.play >= 2:
                refuse("no-die", "there is no die to choose", cites or layout.listed)
            return replace(dice, play=dice.play + 1, bowl=dice.bowl - 1), "a die is chosen", ()
        case "asked":
            if rule_of(layout, "dice", "original") is None:
                refuse("no-such-power", "the old die does not come back here", layout.listed)
            if not dice.off + dice.found:
                refuse("no-die", "no die is off the table", _cites(layout, "original"))
            return (
                replace(dice, asked=True),
                "the original die is asked for",
                _cites(layout, "original"),
            )
        case "found":
            if not dice.off:
                refuse("no-die", "no die is off the table", cites or layout.listed)
            return replace(dice, off=dice.off - 1, found=dice.found + 1), "the die is found", ()
        case "checked":
            return _checked(layout, dice, cites)
        case "rejected":
            if not dice.found:
                refuse("no-die", "no die waits for a check", cites or layout.listed)
            gone = replace(dice, found=dice.found - 1, off=dice.off + 1)
            made, words, more = _lost(layout, gone, cites)
            return made, f"the die is rejected; {words}", more
        case "lost":
            return _lost(layout, dice, cites)
        case "old dice":
            if not dice.due:
                refuse("not-now", "no new set is due", cites or layout.listed)
            return replace(dice, deferred=True), "the shooter goes on with the old dice", ()
        case _:
            fresh = fresh_dice(layout)
            return fresh, "a new set is at the table", _cites(layout, "set", "renew")


def _checked(layout: Layout, dice: DiceSet, cites: Cites) -> tuple[DiceSet, str, Cites]:
    """A checked die goes back to the shooter who asked, to the bowl, or is held."""
    if not dice.found:
        refuse("no-die", "no die waits for a check", cites or layout.listed)
    replace = msgspec.structs.replace
    if dice.asked and dice.play < 2:
        back = replace(dice, found=dice.found - 1, play=dice.play + 1, asked=False)
        return back, "the die is back with the shooter", _cites(layout, "original")
    where = rule_of(layout, "dice", "recovered")
    if where is not None and where.value == "held":
        return (
            replace(dice, found=dice.found - 1, held=dice.held + 1),
            "the die is held",
            where.cites,
        )
    more = where.cites if where else ()
    return replace(dice, found=dice.found - 1, bowl=dice.bowl + 1), "the die is in the bowl", more


def _lost(layout: Layout, dice: DiceSet, cites: Cites) -> tuple[DiceSet, str, Cites]:
    if not dice.off:
        refuse("no-die", "no die is off the table", cites or layout.listed)
    lost = dice.lost + 1
    limit = rule_of(layout, "dice", "lost")
    renew = rule_of(layout, "dice", "renew")
    due = limit is not None and lost >= limit.value
    later = renew is not None and renew.value == "when the shooter ends"
    changed = msgspec.structs.replace(
        dice, off=dice.off - 1, lost=lost, due=due, deferred=due and later
    )
    words = "a new set is due" if due else "the die is lost"
    return changed, words, _cites(layout, "lost", *(("renew",) if due else ()))


def check_dice(layout: Layout, table: Table, by: str) -> None:
    """Refuse a throw with dice that are not in order; an automatic crew keeps them so."""
    if by in AUTOMATIC:
        return
    dice = table.floor.dice
    if dice.due and not dice.deferred:
        refuse("new-set-due", "a new set of dice is due", _cites(layout, "lost", "renew"))
    thrown = rule_of(layout, "dice", "throw")
    if dice.play < (thrown.value if thrown else 2):
        cites = _cites(layout, "throw" if thrown else "set")
        refuse("dice-short", "two dice are thrown, and one is missing", cites)
    needed = rule_of(layout, "dice", "inspected")
    if needed is not None and not set(needed.value) <= set(dice.inspected):
        left = [station_name(layout, who) for who in needed.value if who not in dice.inspected]
        refuse(
            "not-inspected",
            f"the {' and the '.join(left)} {'have' if left[1:] else 'has'} not inspected the dice",
            needed.cites,
            "inspect them",
        )


def after_seven_out(layout: Layout, table: Table) -> list[AnyDecision]:
    """At the end of a shooter's hand held dice come back and a deferred new set is due."""
    dice = table.floor.dice
    if not dice.held and not dice.deferred:
        return []
    changed = msgspec.structs.replace(dice, bowl=dice.bowl + dice.held, held=0, deferred=False)
    cites = _cites(layout, "recovered", "renew")
    return [change(table, "the dice are made whole for the next shooter", cites, dice=changed)]
