"""What a throw needs and leaves: bets closed, faces and causes, its phases, people after it.

Settlement itself is in settle.py. It knows no call.
"""

from __future__ import annotations

from boxman.dice import FACES, Roll
from boxman.rules.duties import STATIONS
from boxman.rules.ids import near
from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.rules.procedure import CauseRule
from boxman.table.floor.confirming import lapse
from boxman.table.floor.dice_set import after_seven_out, check_dice, left_table
from boxman.table.floor.people import AUTOMATIC, GUEST, STICK
from boxman.table.floor.shooters import check_shooter, eligible, eligible_cites
from boxman.table.floor.standing import count_idle
from boxman.table.floor.throw import IN_DISPUTE, THROWN, thrown
from boxman.table.rulings import Followed, change, refuse
from boxman.table.state import (
    PHASES,
    AnyDecision,
    Cites,
    Floored,
    NoRolled,
    Phased,
    Table,
    apply,
)
from boxman.table.terms import Terms

OFF_TABLE = "off-table"
"""The cause that takes a die out of play."""
FACES_VOID = "void"
"""The reason of a power to decide that disputed faces are no roll."""
LACKING = "shooter"
"""The ground of a throw that its shooter may not make, where the text lets it go and voids it."""


def needs_close(layout: Layout) -> bool:
    """Whether this house calls "no more bets" before a throw."""
    return bool(layout.betting["make"].value == "call")


def check_closed(layout: Layout, table: Table) -> None:
    """The dice may not go while bets are open, in a house that calls them closed."""
    if table.phase == "open" and needs_close(layout):
        refuse("bets-open", layout.betting["make"].cites)


def release(layout: Layout, table: Table, by: str, own: bool = True) -> str:
    """What a throw needs as the dice leave the hand, and is not asked again: the last roll settled,
    dice in order, a shooter who may throw, where it is its `own` throw; the ground that makes it
    void from the start, if any."""
    if thrown(table):
        return table.floor.ground
    if table.floor.contested:
        why = layout.principles.get("settle before next roll", ())
        refuse("disputed", join(decide_cites(layout), why))
    if by not in AUTOMATIC:
        check_dice(layout, table)
    if table.hand.shooter == GUEST or (table.hand.shooter and not own):
        return ""
    return LACKING if check_shooter(layout, table) == "no roll" else ""


def no_roll(
    layout: Layout,
    table: Table,
    cites: Cites,
    cause: str,
    *,
    late: bool = False,
    counts: bool = True,
    by: str = "",
    under: Terms | None = None,
    reported: bool = False,
) -> list[AnyDecision]:
    """A throw that does not count: what waited for it ends, a die that left the table is out.

    One that is taken back was made `under` limits of its own, and its die may be `reported` since,
    as may that of one of which nothing else was said.
    """
    made: list[AnyDecision] = [
        NoRolled(cites, cause, late, counts, under or table.terms),
        *lapse(layout, table),
    ]
    stated, thrown_off = table.floor.ground, table.floor.dice.thrown_off
    if by not in AUTOMATIC or thrown_off:
        known = reported or stated == OFF_TABLE or thrown_off
        made += left_table(table, cites, cause == OFF_TABLE, known)
    if stated or table.floor.contested:  # the faces of the roll before are disputed no longer
        made.append(change(table, "", cites, ground="", ground_by="", contested=""))
    return made


def had_line(table: Table, cites: Cites) -> Floored:
    """The shooter's line wager lay there at the throw after all, as is seen now; a die that left
    the table has left it all the same."""
    ground = OFF_TABLE if table.floor.dice.thrown_off else ""
    return change(table, "", cites, ground=ground)


def voided(layout: Layout, table: Table, by: str) -> list[AnyDecision]:
    """What a total comes to where a ground for a no roll stands against the throw under way."""
    ground = table.floor.ground
    if not ground or not thrown(table):
        return []
    principle = layout.principles["no roll"]
    if ground == LACKING:
        return no_roll(layout, table, join(lacking_cites(layout, table), principle), ground, by=by)
    cause = known_cause(layout, ground)
    if cause.effect == "must":
        refuse("no-roll-due", due_cites(layout, cause), cause=ground)
    return no_roll(layout, table, join(cause.cites, principle), ground, by=by)


def due_cites(layout: Layout, cause: CauseRule) -> Cites:
    """The clauses by which no total is taken where a ground was stated."""
    return join(cause.cites, layout.principles.get("ground binds", ()))


def lacking_cites(layout: Layout, table: Table) -> Cites:
    """The clauses that make a throw void whose shooter has no line wager."""
    causes = layout.procedure.causes.values()
    found = [cause.cites for cause in causes if cause.whose == "no line"]
    return join(*found) or eligible_cites(layout, table.puck)


def cause_cites(layout: Layout) -> Cites:
    """The clauses that all causes share, as that they are all there are; else what a no roll is."""
    shared = [set(cause.cites) for cause in layout.procedure.causes.values()]
    common = set[str]().union(*shared).intersection(*shared)
    named = next(iter(layout.procedure.causes.values())).cites if shared else ()
    return tuple(cite for cite in named if cite in common) or layout.principles["no roll"]


def check_ground(layout: Layout, table: Table, cause: CauseRule, person: str) -> bool:
    """Refuse a ground the table knows to be false; whether it counts against the shooter."""
    shooter = table.hand.shooter
    if cause.whose == "no line" and shooter not in ("", GUEST):
        seat = table.seats.get(shooter)
        lacks = seat is not None and not eligible(layout, seat)
        if thrown(table):
            lacks = table.floor.ground == LACKING
        if not lacks:
            refuse("false-ground", cause.cites, "line", seat=shooter)
    if cause.whose == "other" and person and person == shooter:
        refuse("false-ground", cause.cites, "shooter", person=person)
    known = person in table.seats or person in table.gone  # they may have gone since the throw
    if cause.whose == "player" and person and not known and shooter != GUEST:
        refuse("false-ground", cause.cites, "player", person=person)
    makes = cause.whose != "other" and "unreadable" not in cause.kind
    return makes and person in ("", shooter) and shooter != STICK


def strangers(cause: CauseRule) -> bool:
    """Whether somebody else than the shooter threw."""
    return cause.whose == "other" and "unreadable" not in cause.kind


def suspect(table: Table, cause: CauseRule | None) -> str:
    """Somebody who might be named for a ground: a player, or else not the shooter for certain."""
    stranger = "somebody"
    other = cause is not None and cause.whose == "other"
    return stranger if other else next(iter(table.seats), stranger)


def leaning(layout: Layout, roll: Roll, resting: int) -> Cites:
    """Whether a leaning die was read as this house reads it; the clause that says how."""
    face = layout.procedure.cocked
    if face is None:
        return ()
    if face.value == "as decided":
        refuse("face-undecided", face.cites)
    if face.value == "opposite face":
        if not resting:
            refuse("face-missing", face.cites)
        if 7 - resting not in roll[:2]:
            refuse(
                "misread",
                face.cites,
                resting=resting,
                reads=7 - resting,
                roll=str(roll),
            )
    return face.cites


def floor_after(layout: Layout, table: Table, event: str) -> list[AnyDecision]:
    """What a roll does to people and dice: unconfirmed wagers lapse, idle rounds count."""
    made: list[AnyDecision] = []
    for step in (lapse, after_seven_out):
        if step is lapse or event == "seven-out":
            made += step(layout, table)
            table = _after(table, made)
    made += count_idle(layout, table, event)
    if table.floor.contested:  # those were the faces of the roll before
        made.append(change(_after(table, made), "", decide_cites(layout), contested=""))
    return made


def _after(table: Table, made: list[AnyDecision]) -> Table:
    floored = [decision for decision in made if isinstance(decision, Floored)]
    return apply(table, floored[-1]) if floored else table


def check_faces(layout: Layout, first: int, second: int) -> None:
    """Refuse what two dice cannot show."""
    if first not in FACES or second not in FACES:
        refuse(
            "no-such-face",
            join(layout.principles["total"], layout.principles.get("one face", ())),
            first=first,
            second=second,
        )


def known_cause(layout: Layout, name: str, no_roll: bool = False) -> CauseRule:
    """Something that may befall a throw, if this house knows it; what is proposed instead for a
    no roll is a ground for one."""
    causes = layout.procedure.causes
    if name not in causes:
        may = grounds(layout) if no_roll else tuple(causes)
        refuse(
            "no-such-cause",
            cause_cites(layout),
            do="did you mean" if near(name, may) else "causes",
            name=name,
            meant=near(name, may),
            causes=may,
        )
    return causes[name]


def grounds(layout: Layout) -> tuple[str, ...]:
    """What may be given as the ground for a no roll."""
    known = layout.procedure.causes.items()
    return tuple(name for name, cause in known if cause.effect != "never")


def check_undisputed(layout: Layout, table: Table) -> None:
    """Refuse what would go round those who decide disputed faces."""
    if table.phase in IN_DISPUTE:
        why = "call it" if table.phase == "call it" else ""
        refuse("disputed", decide_cites(layout, why), why)


def check_left_open(layout: Layout, table: Table, cause: CauseRule, by: str) -> None:
    """Refuse a ground at discretion while faces are in dispute; that they cannot be read is for
    those who decide them, where they may decide them void."""
    void = layout.procedure.power("decide faces", FACES_VOID)
    unread = "unreadable" in cause.kind and void is not None
    if unread and void is not None and by in void.who:
        return
    if cause.effect == "may" or cause.whose == "judged" or unread:
        check_undisputed(layout, table)


def check_uncontested(layout: Layout, table: Table) -> None:
    """Refuse what would leave the faces of the last roll undecided that are in dispute."""
    if table.floor.contested:
        refuse("disputed", decide_cites(layout))


def disputable(layout: Layout, table: Table) -> bool:
    """Whether a player may dispute faces: before they are called, and then until the next throw."""
    if thrown(table):
        return table.phase in THROWN
    asked = table.floor.contested or face_decided(layout, table)
    return table.called and not asked and layout.procedure.power("decide faces") is not None


def face_decided(layout: Layout, table: Table) -> Cites:
    """The clauses by which the faces of the last roll are decided, if they are. Whoever corrects a
    call by deciding a dispute about it does not take the face from those whose word on it is
    final."""
    if not table.rank:
        return ()
    by, powers = STATIONS[table.rank], layout.procedure.powers
    overrules = [power for power in powers["overrule"].values() if by in power.who]
    decides = layout.procedure.power("decide faces")
    if decides is None or by in decides.who or not overrules:
        return decide_cites(layout)
    if any("dispute" in power.needs for power in overrules):
        return ()
    return join(*(power.given[by] for power in overrules))


def decide_cites(layout: Layout, reason: str = "") -> Cites:
    """The clauses that say who decides faces."""
    power = layout.procedure.power("decide faces", reason)
    return power.cites if power else layout.silence


def phase_to(layout: Layout, table: Table, phase: str) -> Followed:
    """The throw goes on to this phase."""
    cites = layout.betting["make"].cites
    if PHASES.index(phase) <= PHASES.index(table.phase):
        refuse("already-so", cites, "phase", phase=table.phase)
    return [Phased(phase, cites)], []
