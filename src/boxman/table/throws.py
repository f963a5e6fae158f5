"""Rules of the throw: who may call it, what voids it, disputed faces, miscalls taken back.

Settlement itself is in settle.py. Powers and causes are facts of the rulebook; the automatic crew
has every power, and its calls cite none.
"""

from __future__ import annotations

import msgspec

from boxman.dice import FACES, Roll
from boxman.rules.duties import RANKS
from boxman.rules.layout import CauseRule, Layout
from boxman.rules.ledger import join
from boxman.rules.nearest import nearest
from boxman.table.calls import (
    Bet,
    CallIt,
    CallNoRoll,
    CallRoll,
    DecideFaces,
    DisputeFaces,
    Overrule,
    VoidRoll,
)
from boxman.table.dice_set import after_seven_out, check_dice
from boxman.table.floor import NEEDS, advised, change, count_idle, lapse, last_dispute
from boxman.table.people import GUEST, QUIET
from boxman.table.powers import AUTOMATIC, check_power, role_cites, station_name
from boxman.table.rulings import Notice, Refused, refuse
from boxman.table.settle import settle
from boxman.table.shooters import after_roll, check_shooter, eligible_cites
from boxman.table.state import (
    AnyDecision,
    Asked,
    Cites,
    Floored,
    NoRolled,
    Phased,
    PuckOff,
    Ranked,
    Returned,
    Reversed,
    Rolled,
    Settled,
    Table,
    Warned,
    apply,
)
from boxman.table.wagers import Followed, left_over, rule_bet, seat_at


def needs_close(layout: Layout) -> bool:
    """Whether this house calls "no more bets" before a throw."""
    return bool(layout.betting["make"].value == "call")


def check_closed(layout: Layout, table: Table) -> None:
    """The dice may not go while bets are open, in a house that calls them closed."""
    if table.phase == "open" and needs_close(layout):
        refuse(
            "bets-open",
            "bets are still open",
            layout.betting["make"].cites,
            "close bets before the throw",
        )


def rule_call_roll(layout: Layout, table: Table, call: CallRoll) -> Followed:
    """The faces are called: the roll is settled, unless something voids it by itself."""
    power = check_power(layout, "call roll", call.by)
    _check_faces(layout, call.first, call.second)
    roll = Roll(call.first, call.second)
    if call.total and call.total != roll.total:
        refuse(
            "miscounted",
            f"{roll} is {roll.total}, not {call.total}",
            join(layout.principles["total"], layout.principles.get("one face", ()), power),
            "call the sum of the faces",
        )
    if table.phase in ("disputed", "call it"):
        refuse("disputed", "the faces are in dispute", _decide_cites(layout), "let staff decide")
    check_closed(layout, table)
    check_dice(layout, table, call.by)
    if check_shooter(layout, table) == "no roll":
        return [NoRolled(join(eligible_cites(layout), layout.principles["no roll"]), "shooter")], []
    extra = power
    if call.cause:
        cause = _cause(layout, call.cause)
        if cause.person and not call.person:
            refuse("name-missing", f"{call.cause} needs the offender named", cause.cites)
        cites = join(cause.cites, layout.principles["no roll"])
        if cause.effect == "must":
            refuse(
                "no-roll-due",
                f"{call.cause}: no total is taken, the throw has to be called no roll",
                cites,
                f"call no roll {call.cause}",
            )
        if cause.effect == "void":
            return [NoRolled(cites, call.cause), *lapse(layout, table)], []
        extra = join(extra, cause.cites)
    if call.cocked:
        extra = join(extra, _leaning(layout, roll, call.resting))
    return settled(layout, table, roll, extra, call.by)


def _leaning(layout: Layout, roll: Roll, resting: int) -> Cites:
    """Whether a leaning die was read as this house reads it; the clause that says how."""
    face = layout.procedure.faces.get("cocked")
    if face is None:
        return ()
    if face.value == "as decided":
        refuse("face-undecided", "a leaning die is not called", face.cites, "let staff decide")
    if face.value == "opposite face":
        if not resting:
            refuse(
                "face-missing",
                "a leaning die is read by the face it rests on",
                face.cites,
                "say on which face it rests: cocked on 3",
            )
        if 7 - resting not in roll[:2]:
            refuse(
                "misread",
                f"a die resting on its {resting} reads {7 - resting}; the call was {roll}",
                face.cites,
                f"call the {7 - resting}",
            )
    return face.cites


def settled(layout: Layout, table: Table, roll: Roll, extra: Cites, by: str) -> Followed:
    """A valid roll: everything it decides, and winners that were to stay up made again."""
    decisions = settle(layout, table, roll, extra)
    if by not in AUTOMATIC:
        decisions = [d for d in decisions if type(d) is not Warned or not advised(layout, d.code)]
    rolled = decisions[0]
    assert type(rolled) is Rolled
    if table.hand.shooter != GUEST:
        decisions += after_roll(layout, table, rolled.event)
    if table.floor != QUIET or table.hand.shooter != GUEST:
        decisions += _floor_after(layout, table, rolled.event)
    again = [
        (decision, wager)
        for decision in decisions
        if type(decision) is Settled
        and decision.paid
        and (wager := table.seats[decision.seat].wagers[decision.spot]).stays
    ]
    if not again:
        return decisions, []
    warnings = [
        Notice(
            "not-up-again",
            f"{won.seat} {won.spot} does not stay up: a voucher is one wager",
            join(
                layout.spots[won.spot].again_cites,
                layout.procedure.rules["voucher", "one wager"].cites,
            ),
        )
        for won, _ in again
        if won.voucher
    ]
    again = [(won, wager) for won, wager in again if not won.voucher]
    after = table
    for decision in decisions:
        after = apply(after, decision)
    for won, wager in again:
        bet = Bet(seat=won.seat, spot=won.spot, amount=wager.stake, split=wager.split)
        cites = layout.spots[won.spot].again_cites
        try:
            made, notices = rule_bet(layout, after, bet)
        except Refused as refused:
            reason = refused.refusal
            sentence = f"{won.seat} {won.spot} does not stay up: {reason.sentence}"
            warnings.append(Notice("not-up-again", sentence, join(cites, reason.cites)))
            continue
        made = [msgspec.structs.replace(placed, cites=join(cites, placed.cites)) for placed in made]
        made.append(Asked(won.seat, won.spot, True, cites))
        decisions += made
        warnings += notices
        for decision in made:
            after = apply(after, decision)
    return decisions, warnings


def _floor_after(layout: Layout, table: Table, event: str) -> list[AnyDecision]:
    """What a roll does to people and dice: unconfirmed wagers lapse, idle rounds count."""
    made: list[AnyDecision] = []
    for step in (lapse, after_seven_out):
        if step is lapse or event == "seven-out":
            made += step(layout, table)
            table = _after(table, made)
    made += count_idle(layout, table, event)
    return made


def _after(table: Table, made: list[AnyDecision]) -> Table:
    floored = [decision for decision in made if isinstance(decision, Floored)]
    return apply(table, floored[-1]) if floored else table


def _check_faces(layout: Layout, first: int, second: int) -> None:
    if first not in FACES or second not in FACES:
        refuse(
            "no-such-face",
            f"{first}-{second} is not a roll of two dice",
            join(layout.principles["total"], layout.principles.get("one face", ())),
            "a die shows 1 to 6",
        )


def _cause(layout: Layout, name: str) -> CauseRule:
    causes = layout.procedure.causes
    if name not in causes:
        refuse(
            "no-such-cause",
            f"{name} is no cause known here",
            join(layout.principles["no roll"], *(c.cites for c in causes.values())),
            nearest(name, causes) or f"the causes are: {', '.join(causes)}",
        )
    return causes[name]


def rule_no_roll(layout: Layout, table: Table, call: CallNoRoll) -> Followed:
    """No roll is called, for a cause that allows it, by somebody who may."""
    if not call.cause:
        if call.by in AUTOMATIC:
            return [NoRolled(layout.principles["no roll"])], []
        refuse(
            "cause-missing",
            "a no roll needs its cause",
            layout.principles["no roll"],
            f"the causes are: {', '.join(layout.procedure.causes)}",
        )
    cause = _cause(layout, call.cause)
    if cause.effect == "never":
        refuse("no-cause", f"{call.cause} is no ground for no roll", cause.cites, "call the roll")
    power: Cites = ()
    if cause.who and call.by not in AUTOMATIC:
        if call.by not in cause.who:
            refuse(
                "not-your-call",
                f"the {station_name(layout, call.by)} may not call no roll for {call.cause}",
                join(cause.cites, role_cites(layout, call.by)),
                f"ask the {' or the '.join(station_name(layout, who) for who in cause.who)}",
            )
        power = role_cites(layout, call.by)
    else:
        power = check_power(layout, "no roll", call.by)
    if cause.person and not call.person:
        refuse("name-missing", f"{call.cause} needs the offender named", cause.cites, "name them")
    late = table.phase == "rest" and cause.effect == "may" and bool(layout.procedure.late)
    cites = join(cause.cites, power, layout.principles["no roll"])
    warnings = []
    if late:
        words = "no roll was called after the dice came to rest"
        warnings.append(Notice("late-call", words, layout.procedure.late))
    return [NoRolled(cites, call.cause, late), *lapse(layout, table)], warnings


def _decide_cites(layout: Layout) -> Cites:
    power = layout.procedure.powers.get(("decide faces", ""))
    return power.cites if power else layout.listed


def rule_dispute_faces(layout: Layout, table: Table, call: DisputeFaces) -> Followed:
    """Settlement waits until the faces are decided."""
    seat_at(layout, table, call.seat)
    cites = _decide_cites(layout)
    if table.phase == "disputed":
        refuse("already-so", "the faces are in dispute already", cites)
    if table.phase not in ("out", "rest"):
        refuse("not-now", "there is no throw to dispute", cites, "dispute a throw before its call")
    return [Phased("disputed", cites)], []


def rule_call_it(layout: Layout, table: Table, call: CallIt) -> Followed:
    """A die cannot be read from where the stick stands: somebody has to confirm the faces."""
    power = layout.procedure.powers.get(("decide faces", "call it"))
    if power is None:
        refuse("no-such-power", "nobody is asked to call the dice here", layout.listed)
    if table.phase not in ("out", "rest"):
        refuse("not-now", "there is no throw to call", power.cites)
    return [Phased("call it", power.cites)], []


def rule_decide_faces(layout: Layout, table: Table, call: DecideFaces) -> Followed:
    """Staff settle the faces, or void the throw where the house lets them."""
    void = not call.first
    reason = "void" if void else "call it" if table.phase == "call it" else ""
    power = check_power(layout, "decide faces", call.by, reason)
    if table.phase not in ("disputed", "call it"):
        refuse("not-now", "no faces are in dispute", _decide_cites(layout))
    if void:
        return [NoRolled(join(power, layout.principles["no roll"]), "faces")], []
    _check_faces(layout, call.first, call.second)
    decisions, warnings = settled(layout, table, Roll(call.first, call.second), power, call.by)
    return [*decisions, Ranked(RANKS.get(call.by, 0), power or _decide_cites(layout))], warnings


def _take_back(
    layout: Layout, table: Table, why: str, cites: Cites, whole_round: bool = False
) -> Reversed:
    """Refuse to take a roll back when somebody no longer has the chips for it."""
    if (table.round_start if whole_round else table.before) is None:
        refuse("no-roll-to-take-back", "there is no settled roll to take back", cites)
    made = Reversed(why, cites, whole_round)
    after = apply(table, made)
    short = [seat.name for seat in after.seats.values() if seat.rail < 0]
    if short:
        refuse(
            "goes-to-dispute",
            f"{', '.join(short)} no longer has the chips to take the roll back",
            cites,
            "open a dispute",
        )
    return made


def rule_overrule(layout: Layout, table: Table, call: Overrule) -> Followed:
    """A miscalled roll is taken back and settled anew; both calls stay on record."""
    cites = check_power(layout, "overrule", call.by)
    judged = _for_dispute(layout, table, call.by)
    if call.first or call.second:
        _check_faces(layout, call.first, call.second)
    rank = RANKS.get(call.by, len(RANKS))
    if rank <= table.rank:
        # Not one clause but all of them together say who stands above whom.
        chain = layout.procedure.powers.get(("overrule", ""))
        refuse(
            "outranked",
            "somebody of the same rank or higher has decided this roll",
            join(cites, chain.cites if chain else ()) or layout.listed,
            "ask somebody above",
        )
    ranked = Ranked(rank, cites or layout.listed)
    if table.no_roll and call.first:
        decisions, warnings = settled(layout, table, Roll(call.first, call.second), cites, call.by)
        return [*decisions, ranked, *judged], warnings
    back = _take_back(layout, table, "overruled", cites or layout.listed)
    if not call.first:
        why = join(cites, layout.principles["no roll"])
        return [back, NoRolled(why, "overruled"), ranked, *judged], []
    restored = apply(table, back)
    decisions, warnings = settled(layout, restored, Roll(call.first, call.second), cites, call.by)
    return [back, *decisions, ranked, *judged], warnings


def _for_dispute(layout: Layout, table: Table, by: str) -> list[AnyDecision]:
    """Where a miscall is corrected only by deciding a dispute: that dispute, decided."""
    power = layout.procedure.powers.get(("overrule", ""))
    if by in AUTOMATIC or power is None or "dispute" not in power.needs:
        return []
    if table.rank:
        refuse(
            "face-final",
            "the face of this roll was decided, and that is final",
            _decide_cites(layout),
            "the dispute stays on record",
        )
    at = last_dispute(table)
    if at < 0:
        refuse(
            "not-met",
            NEEDS["dispute"],
            power.cites,
            "a miscall is corrected here when a player disputes it",
        )
    seat, about, _, _ = table.floor.disputes[at]
    disputes = list(table.floor.disputes)
    disputes[at] = (seat, about, "decide", by)
    words = f"{seat}'s dispute is decided"
    return [change(table, words, power.cites, disputes=tuple(disputes))]


def rule_void_roll(layout: Layout, table: Table, call: VoidRoll) -> Followed:
    """A settled roll is found void: chips and wagers stand as before it, or are handed back."""
    cause = layout.procedure.causes.get(call.reason)
    whole = call.whole_round
    if whole:
        cites = check_power(layout, "void round", call.by, call.reason)
        power = layout.procedure.powers.get(("void round", call.reason))
        if power is not None:
            _check_needs(power.needs, call, power.cites)
        back_rule = layout.procedure.reversals.get(call.reason)
        cites = join(cites, back_rule.cites if back_rule else ())
        wagers = "return"
    elif cause is not None and cause.effect == "must":
        refuse(
            "goes-to-dispute",
            f"{call.reason} had to be called; a roll already settled is not taken back for it",
            cause.cites,
            "open a dispute",
        )
    elif cause is not None and cause.effect == "void":
        cites = join(cause.cites, check_power(layout, "void roll", call.by, "cause"))
        wagers = "restore"
    else:
        cites = check_power(layout, "void roll", call.by, call.reason)
        power = layout.procedure.powers.get(("void roll", call.reason))
        if power is not None:
            _check_needs(power.needs, call, power.cites)
        reversal = layout.procedure.reversals.get(call.reason)
        wagers = str(reversal.value) if reversal else "restore"
        cites = join(cites, reversal.cites if reversal else ())
    cites = cites or layout.listed
    forfeit = check_power(layout, "forfeit", call.by, call.reason) if call.forfeit else ()
    if call.forfeit and not call.person:
        refuse("person-missing", "a forfeit needs the person named", forfeit or cites)
    back = _take_back(layout, table, call.reason, cites, whole)
    made: list[AnyDecision] = [back]
    if wagers == "return":
        restored = apply(table, back)
        for seat in restored.seats.values():
            for wager in seat.wagers.values():
                now = table.seats[seat.name].wagers.get(wager.spot)
                if now is not None and now.stake == wager.stake and not whole:
                    continue
                stake = wager.stake
                if call.forfeit and seat.name == call.person:
                    why = forfeit or cites
                    made.append(Settled(seat.name, wager.spot, "lose", stake, 0, stake, 0, why))
                    continue
                made.append(
                    Returned(
                        *(seat.name, wager.spot, stake, wager.fee, "roll void", cites),
                        voucher=wager.voucher,
                    )
                )
        made += left_over(layout, restored, made[1:])
        made += _without_line(layout, restored, made, cites)
    return made, []


def _without_line(
    layout: Layout, table: Table, made: list[AnyDecision], cites: Cites
) -> list[AnyDecision]:
    """A point nobody has a line wager on any more cannot be played out: the puck goes off."""
    for decision in made[1:]:
        table = apply(table, decision)
    rules = layout.procedure.eligible
    if "lacking" in rules and rules["lacking"].value == "ask":
        return []  # a shooter may still make one
    line = rules["spots"].value if "spots" in rules else ()
    held = any(spot in seat.wagers for seat in table.seats.values() for spot in line)
    return [PuckOff(cites)] if table.puck and line and not held else []


def _check_needs(needs: tuple[str, ...], call: VoidRoll, cites: Cites) -> None:
    for need in needs:
        if not {"person": call.person, "note": call.note}[need]:
            refuse(f"{need}-missing", f"this needs a {need} on record", cites, f"give the {need}")
