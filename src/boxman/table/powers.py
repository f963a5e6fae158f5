"""Who may make a call. Powers are facts of the rulebook; the automatic crew has them all."""

from __future__ import annotations

from boxman.rules.duties import STATIONS
from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.rules.nearest import nearest
from boxman.table.rulings import refuse
from boxman.table.state import Cites

WORDS = {
    "no roll": "call no roll",
    "call roll": "call the roll",
    "vacate": "ask for the place",
    "give back": "give back a wager",
}
AUTOMATIC = ("", "automatic crew")
"""Stations whose calls need no power and cite none."""


def check_power(layout: Layout, call: str, by: str, reason: str = "") -> Cites:
    """Refuse a call by somebody who may not make it; the clauses that give the power."""
    if by in AUTOMATIC:
        return ()
    procedure = layout.procedure
    power = procedure.powers.get((call, reason))
    if power is None:
        known = [r for c, r in procedure.powers if c == call and r]
        if reason and (known or (call, "") in procedure.powers):
            refuse(
                "no-such-reason",
                f"{reason} is no reason to {call} here",
                join(*(p.cites for (c, _), p in procedure.powers.items() if c == call)),
                nearest(reason, known) or f"the reasons are: {', '.join(known) or 'none'}",
            )
        if known:
            refuse(
                "no-such-reason",
                f"say for which reason to {call}",
                join(*(p.cites for (c, _), p in procedure.powers.items() if c == call)),
                f"the reasons are: {', '.join(known)}",
            )
        refuse("no-such-power", f"nobody may {call} here", layout.listed)
    if by not in power.who:
        names = [station_name(layout, station) for station in power.who]
        refuse(
            "not-your-call",
            f"{speaker(layout, by)} may not {WORDS.get(call, call)}",
            join(power.cites, role_cites(layout, by)),
            f"ask the {' or the '.join(names)}",
        )
    return join(power.who[by], role_cites(layout, by))


def speaker(layout: Layout, by: str) -> str:
    """Who speaks: a station by what the house calls it, anybody else by name."""
    return f"the {station_name(layout, by)}" if by in STATIONS else by


def station_name(layout: Layout, station: str) -> str:
    """What the house calls a station."""
    role = layout.procedure.roles.get(station)
    return str(role.value) if role else station


def role_cites(layout: Layout, station: str) -> Cites:
    role = layout.procedure.roles.get(station)
    return role.cites if role else ()
