"""The floor of a table: who may play, what a power needs, rounds without a wager.

What each house allows is in its rulebook; this module only asks. Everything it decides is a change
of `Table.floor`, so that it is journalled like money. It knows no call.
"""

from __future__ import annotations

from typing import TypeVar

from boxman.rules.duties import PowerName
from boxman.rules.layout import Layout
from boxman.rules.ledger import Cited, join
from boxman.rules.procedure import Power
from boxman.table.floor.people import GUEST, Announced, Recorded
from boxman.table.rulings import change, refuse
from boxman.table.state import AnyDecision, Cites, Table

Of = TypeVar("Of")


ADVICE = "under-minimum"
"""A note that a player was told something, after which the house treats that player otherwise."""


def advised(layout: Layout, code: str) -> bool:
    """Whether staff have to tell a player this themselves, where the crew works by hand."""
    return code in layout.procedure.records


def last_dispute(table: Table, name: str = "") -> int:
    """The last dispute of this player, or of anybody, that is not decided; -1 if there is none."""
    found = [
        number
        for number, dispute in enumerate(table.floor.disputes)
        if dispute.step == "open" and name in ("", dispute.seat)
    ]
    return found[-1] if found else -1


def check_place(layout: Layout, table: Table, name: str) -> None:
    """Refuse a place at a closed table, and to somebody who was asked to give it up: whose wagers
    are refused may be there, and finishes what is up."""
    floor = table.floor
    if floor.closed:
        rule = layout.procedure.closing
        refuse("table-closed", rule.cites if rule else layout.silence)
    if name in floor.vacating:
        refuse("barred", floor.barred[name], "vacating", name=name)


def check_open(layout: Layout, table: Table, name: str) -> None:
    """Refuse wagers at a closed table and those of somebody barred."""
    check_place(layout, table, name)
    if name in table.floor.barred:
        refuse("barred", table.floor.barred[name], "wagers", name=name)


def check_here(layout: Layout, table: Table, name: str) -> None:
    """Refuse what somebody would have to be at the table for, who has left with wagers up."""
    if name in table.floor.away:
        stands = layout.procedure.conduct.wagers_of_a_leaver_stand
        why = "barred" if table.floor.keeps_out(name) else ""
        refuse("has-left", stands or layout.principles["chips"], why, seat=name)


def told_after(layout: Layout, table: Table, power: PowerName, reason: str = "") -> frozenset[str]:
    """Who still counts as told once this power is used: each use wants them told anew."""
    found = layout.procedure.power(power, reason)
    used = (
        {need.removesuffix(" told") for need in found.needs if need.endswith(" told")}
        if found
        else set()
    )
    return table.floor.told - used


def playing(table: Table) -> list[str]:
    """Who plays at the table: everybody there but those who are excluded from the game."""
    return [seat.name for seat in table.present if seat.name not in table.floor.excluded]


def check_needs(
    layout: Layout, table: Table, power: PowerName, reason: str, given: dict[str, str]
) -> Cites:
    """Refuse what lacks something the rulebook asks for; the clauses that ask for it."""
    found = layout.procedure.power(power, reason)
    if found is None:
        return ()
    floor = table.floor
    notes = floor.records.count(Recorded(reason, given.get("person", "")))
    players = playing(table)
    met = {
        "inspector told": "inspector" in floor.told,
        "surveillance told": "surveillance" in floor.told,
        "no players": not players,
        "all agree": bool(players) and set(players) <= floor.agreed,
        "notice": True,
        "above maximum": bool(given.get("above maximum")),
        "both figures": bool(given.get("both figures")),
        "full table": bool(given.get("full table")),
        "idle": bool(given.get("idle")),
        "person": bool(given.get("person")),
        "player or dealer": bool(given.get("person")),
        "note": bool(given.get("note")),
        "repeated": table.hand.no_rolls >= 2,
        "noted": notes >= 1,
        "noted twice": notes >= 2,
        "dispute": last_dispute(table) >= 0,
        "asked": bool(given.get("asked")),
        "removable": True,  # what is asked is its window, where it is handed back
    }
    for need in found.needs:
        if not met[need]:
            shown = any(sign.what == "limits" for sign in floor.notices)
            do = {
                "no players": "players sit here",
                "all agree": "players agree" if shown else "show, then agree",
                "asked": given.get("ask", ""),
                **dict.fromkeys(("above maximum", "both figures"), need),
            }.get(need, "")
            who = given.get("person", "")
            if need == "all agree":
                players = [name for name in players if name not in floor.agreed]
                do = do if players else ""
            cites = found.needed[need]
            most, named = table.posted.maximum, tuple(players)
            refuse("not-met", cites, do=do, need=need, players=named, seat=who, maximum=most)
    return join(*found.needed.values())


def both_cites(layout: Layout) -> Cites:
    """The clauses by which players may be held together."""
    power = layout.procedure.power("link partners")
    return power.cites if power else layout.silence


def all_but(of: dict[str, Of], name: str) -> dict[str, Of]:
    """What the floor holds of everybody else."""
    return {each: held for each, held in of.items() if each != name}


def is_full(table: Table) -> bool:
    """Whether every place is taken, also by the chips of somebody who has left."""
    return 0 < table.floor.places <= len(table.placed)


def count_idle(layout: Layout, table: Table, event: str) -> list[AnyDecision]:
    """Rounds without a wager, each with every place taken from its beginning to its end, counted
    where the house counts them."""
    rule = layout.procedure.idle
    ends = event in ("made", "seven-out", "no point")
    if rule is None or not ends or table.hand.shooter == GUEST:
        return []
    start = (table.round_start if table.puck else None) or table
    began = {seat.name for seat in start.present if is_full(start) and is_full(table)}
    idle = {
        seat.name: table.floor.idle.get(seat.name, 0) + 1
        if seat.name in began and not seat.wagers and seat.name not in table.floor.wagered
        else 0
        for seat in table.present
    }
    return [change(table, "round over", rule.cites, idle=idle, wagered=frozenset())]


def note_wager(layout: Layout, table: Table, name: str, cites: Cites) -> list[AnyDecision]:
    """Who made a wager is noted: since a notice, and where the house counts idle rounds.

    The wager's own clauses carry it; those of favours and of idle rounds carry what follows.
    """
    floor, favoured = table.floor, layout.procedure.favour.wagering
    rule = layout.procedure.idle
    if favoured and name not in floor.staked and any(s.what == "limits" for s in floor.notices):
        return [change(table, "", cites, staked=floor.staked | {name})]
    if rule is None or table.hand.shooter == GUEST or name in table.floor.wagered:
        return []
    return [change(table, "", cites, wagered=table.floor.wagered | {name})]


def least_posted(table: Table, group: str) -> int:
    """The minimum that binds this kind of wager now."""
    named = [low for name, low, _ in table.posted.classes if name == group]
    return named[-1] if named else 0 if group == "odds" else table.posted.minimum


def notice_due(
    layout: Layout, table: Table, group: str, minimum: int, unit: int, power: Power | None
) -> Cited[int] | None:
    """The notice that these limits want before they bind."""
    notice = layout.procedure.notice
    up = notice.minimum_up if playing(table) else notice.minimum_up_at_an_empty_table
    if up and minimum > least_posted(table, group):
        return up
    if up and not group and unit > max(table.posted.unit, layout.chip):
        return notice.unit_up or up
    return notice.limits if power is not None and "notice" in power.needs else None


def notice_wanted(
    layout: Layout, table: Table, group: str, minimum: int, unit: int
) -> Cited[int] | None:
    """How long a sign with these limits has to hang before they may be posted."""
    power = next((p for p in layout.procedure.powers["post limits"].values() if p.needs), None)
    due = notice_due(layout, table, group, minimum, unit, power)
    return due or layout.procedure.notice.limits


def hangs(layout: Layout, table: Table, notice: Announced) -> Cited[int] | None:
    """How long a sign has to hang before what it says may be done."""
    if notice.what == "closing":
        return layout.procedure.notice.closing
    return notice_wanted(layout, table, notice.group, notice.minimum, notice.unit)
