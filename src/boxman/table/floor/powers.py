"""Who may make a call. Powers are facts of the rulebook; the automatic crew has them all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from boxman.rules.duties import STATIONS, PowerName
from boxman.rules.ids import near
from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.rules.procedure import Power
from boxman.table.floor.people import AUTOMATIC, STICK
from boxman.table.rulings import refuse
from boxman.table.state import Cites

USUAL: dict[PowerName, str] = dict.fromkeys(
    ("call roll", "no roll", "close bets", "offer dice", "handle dice"), STICK
)
"""Who does what no table can do without, where a rulebook gives it to nobody."""
LIKE: dict[PowerName, PowerName] = {"cancel point": "offer dice"}
"""What is for whoever has another power, where a rulebook gives it to nobody: a point is cancelled
by those whose offers were declined."""
CAUSE = "cause"
"""The reason of a power to void a roll for any of the causes that make a throw no roll."""


def reasons(layout: Layout, call: PowerName) -> list[str]:
    """The reasons for which a call may be made, and the causes that one of them stands for."""
    known = [each for each in layout.procedure.powers.get(call, {}) if each]
    if call == "void roll" and CAUSE in known:
        return [*undoing(layout), *(each for each in known if each != CAUSE)]
    return known


def undoing(layout: Layout) -> tuple[str, ...]:
    """The causes that undo a settled roll when they come to light: facts that the table does not
    know itself."""
    known = layout.procedure.causes.items()
    later = ("", "other", "player")
    return tuple(name for name, of in known if of.effect == "void" and of.whose in later)


def check_power(layout: Layout, call: PowerName, by: str, reason: str = "") -> Cites:
    """Refuse a call by somebody who may not make it; the clauses that give the power."""
    if by in AUTOMATIC:
        return ()
    given = layout.procedure.powers
    powers = given.get(call) or given.get(LIKE.get(call, call), {})
    if not powers and by == USUAL.get(LIKE.get(call, call)):
        return ()
    power = powers.get(reason)
    if power is None:
        known = reasons(layout, call)
        if powers and not any(by in each.who for each in powers.values()):
            _refuse_by(layout, call, by, *powers.values())
        if reason and powers:
            refuse(
                "no-such-reason",
                join(*(each.cites for each in powers.values())),
                do="did you mean" if near(reason, known) else "reasons" if known else "no reasons",
                reason=reason,
                power=call,
                meant=near(reason, known),
                known=tuple(known),
            )
        if known:
            refuse(
                "no-such-reason",
                join(*(each.cites for each in powers.values())),
                "missing",
                do="reasons",
                power=call,
                known=tuple(known),
            )
        refuse("no-such-power", layout.silence, power=call)
    if by not in power.who:
        _refuse_by(layout, call, by, power)
    return power.given[by]


def _refuse_by(layout: Layout, call: PowerName, by: str, *powers: Power) -> NoReturn:
    """It is somebody else's call, for whatever reason it may be made: what all of these share."""
    who = dict.fromkeys(station for power in powers for station in power.who)
    shared = tuple(c for c in powers[0].cites if all(c in power.cites for power in powers))
    refuse(
        "not-your-call",
        join(shared or join(*(power.cites for power in powers)), role_cites(layout, by)),
        "station" if by in STATIONS else "",
        who=station_name(layout, by) if by in STATIONS else by,
        power=call,
        names=station_names(layout, who),
    )


def given_with(power: Cites, said: Cites) -> Cites:
    """The clauses of an act: those that say how, and who may, where none of them says both."""
    return said if set(power) & set(said) else join(power, said)


def speaker(layout: Layout, by: str) -> str:
    """Who speaks: a station by what the house calls it, anybody else by name."""
    return f"the {station_name(layout, by)}" if by in STATIONS else by


def refuse_station(
    layout: Layout, cites: Cites, why: str, by: str, who: Iterable[str], **values: str
) -> NoReturn:
    """What this station has no part in is for these to say."""
    refuse(
        "not-your-call",
        join(cites, role_cites(layout, by)),
        why,
        station=station_name(layout, by),
        **values,
        names=station_names(layout, who),
    )


def station_names(layout: Layout, stations: Iterable[str]) -> tuple[str, ...]:
    """What the house calls several stations."""
    return tuple(station_name(layout, station) for station in stations)


def station_name(layout: Layout, station: str) -> str:
    """What the house calls a station."""
    role = layout.procedure.roles.get(station)
    return role.value if role else station


def role_cites(layout: Layout, station: str) -> Cites:
    """The clauses that say who this is: they carry a refusal of what is somebody else's."""
    role = layout.procedure.roles.get(station)
    return role.cites if role else ()
