"""Who may make a call. Powers are facts of the rulebook; the automatic crew has them all."""

from __future__ import annotations

from boxman.rules.duties import STATIONS
from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.rules.nearest import nearest
from boxman.table.rulings import refuse
from boxman.table.state import Cites

WORDS = {
    "close bets": "close bets",
    "call roll": "call the roll",
    "no roll": "call no roll",
    "decide faces": "decide the faces",
    "overrule": "overrule a call",
    "void roll": "void a roll",
    "void round": "void a round",
    "offer dice": "offer the dice",
    "order to pass": "order a shooter to pass",
    "place for player": "bet for a player",
    "exclude": "exclude a player",
    "refuse wagers": "refuse a player's wagers",
    "void wagers": "void a player's wagers",
    "forfeit": "keep a player's wagers",
    "link partners": "hold two players together",
    "post limits": "post limits",
    "grant limits": "grant a player limits",
    "keep limits": "let a player keep the old limits",
    "end kept limits": "end the old limits of a player",
    "close table": "close the table",
    "decide dispute": "decide a dispute",
    "review dispute": "review a dispute",
    "inspect dispute": "inspect a dispute",
    "handle dice": "handle the dice",
    "inspect dice": "inspect the dice",
    "check die": "check a die",
    "allow old dice": "allow the old dice",
    "stand in": "name a stand-in",
    "vacate": "ask for a player's place",
    "give back": "give back a wager",
}
"""Each power as one says what it is to do."""
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
                f"{reason} is no reason to {WORDS.get(call, call)} here",
                join(*(p.cites for (c, _), p in procedure.powers.items() if c == call)),
                nearest(reason, known) or f"the reasons are: {', '.join(known) or 'none'}",
            )
        if known:
            refuse(
                "no-such-reason",
                f"say for which reason to {WORDS.get(call, call)}",
                join(*(p.cites for (c, _), p in procedure.powers.items() if c == call)),
                f"the reasons are: {', '.join(known)}",
            )
        refuse("no-such-power", f"nobody may {WORDS.get(call, call)} here", layout.listed)
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
