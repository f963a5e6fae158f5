"""The set of dice: what may happen to it, what a throw needs of it, what the next shooter gets."""

from __future__ import annotations

from msgspec.structs import replace

from boxman.rules.layout import Layout
from boxman.rules.ledger import Cited, join
from boxman.table.floor.people import AUTOMATIC, GUEST, STICK, DiceSet, Floor
from boxman.table.floor.powers import station_names
from boxman.table.floor.throw import thrown
from boxman.table.opening import dice_in_bowl
from boxman.table.rulings import change, refuse
from boxman.table.state import AnyDecision, Cites, Table

Happened = tuple[DiceSet, str, Cites]
"""The dice after something happened, that in words, and clauses besides those of the power."""


def _cites(layout: Layout, *rules: Cited[object] | None) -> Cites:
    return join(*(rule.cites for rule in rules if rule)) or layout.silence


def inspected(layout: Layout, dice: DiceSet, who: list[str], cites: Cites) -> Happened:
    """Somebody looks the dice over; nobody twice."""
    needed = layout.procedure.dice.inspected
    if any(each in dice.inspected for each in who):
        refuse("already-so", cites or layout.silence, "inspected")
    done = replace(dice, inspected=(*dice.inspected, *who))
    return done, "inspected", needed.cites if needed else ()


def off(layout: Layout, dice: DiceSet, who: list[str], cites: Cites) -> Happened:
    """A die leaves the table."""
    if dice.stated:  # the no roll has taken it out of play
        return replace(dice, stated=dice.stated - 1), "die off", ()
    if not dice.play:
        refuse("no-die", cites or layout.silence, "none in play")
    return replace(dice, play=dice.play - 1, off=dice.off + 1), "die off", ()


def chosen(layout: Layout, dice: DiceSet, who: list[str], cites: Cites) -> Happened:
    """Another die comes from the bowl."""
    if not dice.bowl or dice.play >= 2:
        refuse("no-die", cites or layout.silence, "no choice")
    # The die that was missing is replaced: what is reported off after this is another one.
    stated = max(0, dice.stated - 1)
    made = replace(dice, play=dice.play + 1, bowl=dice.bowl - 1, stated=stated, left=_known(dice))
    made = replace(made, checked=min(dice.checked, made.bowl) if made.play < 2 else 0)
    # Where the choice is between the two, it is made with this one.
    return replace(made, asked=made.asked and may_ask(layout, made)), "die chosen", ()


def may_ask(layout: Layout, dice: DiceSet) -> bool:
    """Whether the original die may be asked for: while it is away, or lies there found and checked
    and none was chosen for it; where it is so, only until another was chosen."""
    original = layout.procedure.dice.original
    if original is None or not dice.off + dice.found + dice.checked:
        return False
    return original.value != "at once" or dice.play < 2


def asked(layout: Layout, dice: DiceSet, who: list[str], cites: Cites) -> Happened:
    """The shooter wants the original die back."""
    original = layout.procedure.dice.original
    if original is None:
        kept = layout.procedure.dice.recovered
        held = kept is not None and kept.value == "held"
        refuse("no-such-power", kept.cites if kept and held else layout.silence, "old die")
    if not may_ask(layout, dice):
        refuse("no-die", original.cites, "replaced" if dice.off + dice.found else "none off")
    if dice.checked:
        more = dice.checked - 1 if dice.play < 1 else 0
        back = replace(dice, play=dice.play + 1, bowl=dice.bowl - 1, checked=more)
        return replace(back, stated=max(0, dice.stated - 1)), "die back", original.cites
    return replace(dice, asked=True), "die asked for", original.cites


def found(layout: Layout, dice: DiceSet, who: list[str], cites: Cites) -> Happened:
    """A die that was off the table waits to be checked."""
    _check_off(layout, dice, cites)
    stated = min(dice.stated, dice.off - 1)
    left = _known(dice)
    back = replace(dice, off=dice.off - 1, found=dice.found + 1, stated=stated, left=left)
    return back, "die found", ()


def _check_off(layout: Layout, dice: DiceSet, cites: Cites) -> None:
    """Refuse what is done about a missing die where none is missing, or no longer."""
    if not dice.off:
        refuse("no-die", cites or layout.silence, "given up" if dice.lost else "none off")


def _known(dice: DiceSet) -> int:
    """A die is handled that was off the table: if it is the last throw's, that it left is known."""
    return 2 if dice.left and dice.play < 2 else dice.left


def checked(layout: Layout, dice: DiceSet, who: list[str], cites: Cites) -> Happened:
    """A checked die goes back to the shooter who asked, to the bowl, or is held."""
    if not dice.found:
        refuse("no-die", cites or layout.silence, "no check")
    rules = layout.procedure.dice
    if dice.asked:  # the one that was chosen for it goes to the bowl
        instead = dice.play >= 2
        back = replace(
            dice,
            found=dice.found - 1,
            play=dice.play + 1 - instead,
            bowl=dice.bowl + instead,
            asked=False,
            stated=max(0, dice.stated - (not instead)),
            checked=dice.checked if dice.play < 1 else 0,
        )
        return back, "die back", _cites(layout, rules.returned or rules.original)
    where = rules.recovered
    more = where.cites if where else ()
    if where is not None and where.value == "held":
        held = replace(dice, found=dice.found - 1, held=dice.held + 1)
        return held, "die held", more
    waits = rules.original is not None and dice.play < 2
    put = replace(dice, found=dice.found - 1, bowl=dice.bowl + 1, checked=dice.checked + waits)
    return put, "die in the bowl", more


def rejected(layout: Layout, dice: DiceSet, who: list[str], cites: Cites) -> Happened:
    """A die that fails its check is lost."""
    if not dice.found:
        refuse("no-die", cites or layout.silence, "no check")
    gone = replace(dice, found=dice.found - 1, off=dice.off + 1)
    made, words, more = lost(layout, gone, who, cites)
    return made, f"rejected, {words}", more


def lost(layout: Layout, dice: DiceSet, who: list[str], cites: Cites) -> Happened:
    """A die is given up, after which a new set may be due."""
    _check_off(layout, dice, cites)
    count = dice.lost + 1
    limit, renew = layout.procedure.dice.lost, layout.procedure.dice.renew
    due = limit is not None and count >= limit.value and not dice.beside
    later = renew is not None and renew.value != "at once"
    made = replace(
        dice,
        off=dice.off - 1,
        stated=min(dice.stated, dice.off - 1),
        asked=dice.asked and dice.off + dice.found > 1,
        lost=count,
        due=due,
        deferred=dice.beside or (due and later),
        left=_known(dice),
    )
    words = "new set due" if due else "die lost"
    return made, words, _cites(layout, limit, renew if due else None)


def old_dice(layout: Layout, dice: DiceSet, who: list[str], cites: Cites) -> Happened:
    """The shooter may go on although a new set is due."""
    if not dice.due:
        refuse("not-now", cites or layout.silence, "new set")
    missing = _thrown(layout) - dice.play - dice.bowl
    if missing > 0:
        refuse("dice-short", cites or layout.silence, do="bring a new set", missing=missing)
    return replace(dice, deferred=True), "old dice", ()


def new_set(layout: Layout, dice: DiceSet, who: list[str], cites: Cites) -> Happened:
    """A whole set: two dice in play, the others in the bowl; beside those that the shooter goes on
    with, if there are any."""
    rules = layout.procedure.dice
    due = (rules.lost, rules.renew) if dice.due else ()
    more = join(*(rule.cites for rule in (rules.set, *due) if rule), _not_there(layout, dice))
    seen = dice.beside or not uninspected(layout, dice)
    if dice.deferred and seen and dice.play + dice.bowl >= _thrown(layout):
        return replace(dice, due=False, beside=True, inspected=()), "new set", more
    return _fresh(layout, dice), "new set", more


def _not_there(layout: Layout, dice: DiceSet) -> Cites:
    """The clauses by which a new set takes the place of one of which a die is missing, also where
    nobody has given it up, once the shooter is out."""
    renew = layout.procedure.dice.renew
    return renew.cites if dice.off and renew is not None and renew.value == "only then" else ()


def _fresh(layout: Layout, dice: DiceSet) -> DiceSet:
    """The set that comes after this one; it may have been looked over beside it."""
    seen = dice.inspected if dice.beside else ()
    return DiceSet(bowl=dice_in_bowl(layout), inspected=seen, left=_known(dice))


def check_old_set(layout: Layout, table: Table) -> None:
    """Refuse a new set while the shooter goes on with what is left of the old one: where the text
    brings it only afterwards, a die that is missing or lost is waited for until then."""
    dice, renew = table.floor.dice, layout.procedure.dice.renew
    waits = dice.deferred or (dice.off and table.hand.shooter not in ("", GUEST))
    if renew and renew.value == "only then" and waits and dice.play + dice.bowl >= 2:
        refuse("not-now", renew.cites, "old set")


def _thrown(layout: Layout) -> int:
    """How many dice are thrown."""
    rule = layout.procedure.dice.throw
    return rule.value if rule else 2


def check_dice(layout: Layout, table: Table) -> None:
    """Refuse a throw with dice that are not in order; an automatic crew keeps them so unasked."""
    dice, rules = table.floor.dice, layout.procedure.dice
    if dice.due and not dice.deferred:
        cites = _cites(layout, rules.lost, rules.renew)
        refuse("new-set-due", cites)
    missing = _thrown(layout) - dice.play
    if missing > 0:
        cites = _cites(layout, rules.throw or rules.set)
        do = "" if dice.bowl else "bring a new set"
        refuse("dice-short", cites, do=do, missing=missing)
    if not dice.beside:  # those that are thrown were looked over before it came
        _check_inspected(layout, dice, ())


def _check_inspected(layout: Layout, dice: DiceSet, also: Cites) -> None:
    """Refuse dice that somebody has still to look over."""
    rule, left = layout.procedure.dice.inspected, uninspected(layout, dice)
    if rule is not None and left:
        names = station_names(layout, left)
        refuse("not-inspected", join(rule.cites, also), names=names)


def uninspected(layout: Layout, dice: DiceSet) -> list[str]:
    """The stations that have still to look the dice over."""
    needed = layout.procedure.dice.inspected
    seen = {*dice.inspected, *(("dealer",) if STICK in dice.inspected else ())}  # a dealer too
    return [who for who in needed.value if who not in seen] if needed is not None else []


def hand_over(layout: Layout, dice: DiceSet) -> DiceSet:
    """The dice after a shooter's hand: what was kept out is back, nobody goes on with them, and
    nobody who has the dice has asked for a die. A new set that lay beside them is in use."""
    if dice.beside:
        return _fresh(layout, dice)
    bowl = dice.bowl + dice.held
    return replace(dice, bowl=bowl, held=0, deferred=False, asked=False, checked=0)


def in_hand_again(layout: Layout, then: Floor, sets: int, now: DiceSet) -> DiceSet:
    """The set with what the end of a hand ended, as its shooter has the dice again; what befell
    the dice since stays, and so does a new set."""
    renew = layout.procedure.dice.renew
    of_right = renew is not None and renew.value != "at once"
    if sets != then.sets:
        in_use = hand_over(layout, now) if now.beside else now  # nobody goes on with those since
        return replace(in_use, deferred=now.due and of_right)
    was = then.dice
    deferred = now.due and (was.deferred or of_right)
    held, asked = min(was.held, now.bowl), was.asked and bool(now.off + now.found)
    return replace(now, asked=asked, deferred=deferred, held=now.held + held, bowl=now.bowl - held)


def after_seven_out(layout: Layout, table: Table, said: Cites = ()) -> list[AnyDecision]:
    """At the end of a shooter's hand, for which this was `said`, held dice come back and a deferred
    new set is due; else it ends in silence what they asked for."""
    dice = table.floor.dice
    if not (dice.held or dice.deferred or dice.asked or dice.checked):
        return []
    changed = hand_over(layout, dice)
    if not dice.held and not dice.deferred:
        why = said or layout.procedure.shooter.passes_on_a_seven_out or layout.silence
        return [change(table, "", why, dice=changed)]
    rules = layout.procedure.dice
    held = rules.recovered if dice.held else None
    cites = _cites(layout, held, rules.renew if dice.deferred else None)
    return [change(table, "set due" if changed.due else "made whole", cites, dice=changed)]


def left_table(
    table: Table, cites: Cites, off: bool = True, reported: bool = False
) -> list[AnyDecision]:
    """After a no roll: a die that left the table is out of play until it is checked or another is
    chosen, unless that was reported before."""
    dice = replace(table.floor.dice, thrown_off=False)
    handled = dice.play >= 2 or dice.play + dice.off < 2
    left = 2 if reported and handled else int(off or reported)
    if not off or reported or not dice.play:
        made = replace(dice, left=left)
        return [change(table, "", cites, dice=made)] if made != table.floor.dice else []
    out = replace(dice, play=dice.play - 1, off=dice.off + 1, stated=dice.stated + 1, left=left)
    return [change(table, "die off", cites, dice=out)]


def as_thrown(table: Table) -> Table:
    """The table before a die was reported off that no throw was called no roll for: it is of a
    throw of which nothing else was said yet."""
    dice, void = table.floor.dice, table.at_no_roll
    known = void is not None and (dice.left == 1 or _lie(dice) == _lie(void.floor.dice))
    out = 2 - dice.play
    if known or thrown(table) or not 0 < out <= dice.off:
        return table
    floor = replace(table.floor, dice=replace(dice, play=2, off=dice.off - out))
    return replace(table, floor=floor)


def _lie(dice: DiceSet) -> tuple[int, ...]:
    """Where the dice of a set are."""
    return dice.play, dice.bowl, dice.off, dice.found, dice.lost


def not_off(dice: DiceSet) -> DiceSet:
    """A throw counts after all: dice that it was no roll for never left the table."""
    back = min(2 - dice.play, dice.off)
    if dice.left != 1 or back <= 0:
        return dice
    stated = max(0, dice.stated - back)
    asked = dice.asked and dice.off + dice.found > back
    return replace(dice, play=dice.play + back, off=dice.off - back, stated=stated, asked=asked)


def two_of(layout: Layout, table: Table, cites: Cites) -> list[AnyDecision]:
    """Whoever takes the dice takes two of those there are, also after one was away."""
    dice = table.floor.dice
    while dice.bowl and dice.play < _thrown(layout):
        dice, _, _ = chosen(layout, dice, [], cites)
    return [change(table, "", cites, dice=dice)] if dice != table.floor.dice else []


def check_set(layout: Layout, table: Table, by: str) -> None:
    """Refuse a set that is not whole or not inspected where the text wants it so, as it is offered
    and as it is taken: in between a die may be lost, or another set come."""
    if by in AUTOMATIC:
        return
    check_whole(layout, table)
    rules = layout.procedure.dice
    if rules.inspected_before is not None:
        _check_inspected(layout, table.floor.dice, rules.inspected_before.cites)


def check_whole(layout: Layout, table: Table) -> None:
    """Refuse a set of which dice are missing, or that another should have taken the place of."""
    dice, rules = table.floor.dice, layout.procedure.dice
    if dice.due and not dice.deferred:
        refuse("new-set-due", _cites(layout, rules.lost, rules.renew))
    whole, later = dice_in_bowl(layout) + 2, bool(table.hand.former)
    rule = rules.offered if later else rules.opening
    if rule is not None and dice.play + dice.bowl < whole:
        cites = join(rule.cites, _cites(layout, rules.set), _not_there(layout, dice))
        missing = whole - dice.play - dice.bowl
        do = "check the die" if dice.found else "" if dice.off else "bring a new set"
        why = "" if later else "opening"
        refuse("set-short", cites, why, do=do, whole=whole, missing=missing)
