"""Opening a table: a house, its settings, the smallest chip, the posted limits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from boxman.chips import format_amount as money
from boxman.chips import payable
from boxman.dice import KINDS
from boxman.rules.compile import load
from boxman.rules.layout import Layout, Posted, Spot
from boxman.rules.ledger import join
from boxman.rules.nearest import nearest
from boxman.rules.settings import SettingError
from boxman.table.calls import Call
from boxman.table.people import GUEST, DiceSet, Floor, Hand
from boxman.table.rulings import Notice, Refusal
from boxman.table.stakes import fee_on
from boxman.table.state import (
    Cites,
    Table,
)

PLAYERS = "players"
"""The dice go round among the players."""


class Open(Call, frozen=True, kw_only=True):
    """The house opens a table."""

    house: str
    chip: int = 100
    minimum: int = 100
    maximum: int = 1_000_000
    unit: int = 0
    classes: tuple[tuple[str, int, int], ...] = ()
    settings: dict[str, Any] = msgspec.field(default_factory=dict)
    by_hand: bool = False
    """The crew makes every call itself, and its powers are checked."""
    places: int = 0
    """How many places it has, if that is known."""
    crew: tuple[int, ...] = ()
    """How many stickpersons, dealers and boxpersons work it, if the crew is counted."""
    sides: int = 2
    shooter: str = GUEST
    """A guest who is always there, "players" (the dice are offered), or a player's name."""


class Opening(msgspec.Struct, frozen=True):
    """A table that is open, or the reason why it is not."""

    call: Open
    layout: Layout | None = None
    table: Table | None = None
    cites: Cites = ()
    warnings: tuple[Notice, ...] = ()
    refusal: Refusal | None = None


def open_table(call: Open) -> Opening:
    """Open a table. A rulebook that cannot be read or compiled raises BookError."""
    try:
        layout = load(call.house, call.settings, call.chip)
    except SettingError as error:
        cites = error.cites or load(call.house).limits["minimum"].cites
        refusal = Refusal("setting-out-of-bounds", error.sentence, cites, error.remedy)
        return Opening(call, refusal=refusal)
    cites = join(layout.limits["minimum"].cites, layout.limits["maximum"].cites)
    crew = layout.procedure.rules.get(("crew", str(call.sides)))
    if call.crew and crew is not None:
        cites = join(cites, crew.cites)
    posted = Posted(
        minimum=call.minimum, maximum=call.maximum, unit=call.unit, classes=call.classes
    )
    short = _crew_short(layout, call)
    if short is not None:
        return Opening(call, refusal=short)
    if call.crew and (opener := layout.procedure.rules.get(("crew", f"{call.sides} by"))):
        cites = join(cites, opener.cites)
    problem = limits_problem(layout, posted)
    if problem:
        return Opening(call, refusal=Refusal("bad-limits", problem, cites, "post other limits"))
    shooter = "" if call.shooter == PLAYERS else call.shooter
    table = new_table(layout, posted, shooter, call.places, call.sides)
    return Opening(call, layout, table, cites, tuple(favours(layout, posted)))


def _crew_short(layout: Layout, call: Open) -> Refusal | None:
    """Why this crew cannot open this table, if it cannot."""
    rules = layout.procedure.rules
    sizes = {key: rule for (kind, key), rule in rules.items() if kind == "crew" and key.isdigit()}
    if not sizes or not (call.crew or call.by_hand):
        return None
    rule = sizes.get(str(call.sides))
    if rule is None:
        return Refusal(
            "no-such-table",
            f"a table has {' or '.join(sorted(sizes))} sides here, not {call.sides}",
            join(*(each.cites for each in sizes.values())),
            f"open {' or '.join(sorted(sizes))} sides",
        )
    names = ("stick", "dealer", "box")
    opener = rules.get(("crew", f"{call.sides} by"))
    if opener is not None and call.by not in opener.value:
        who = " or the ".join(_station(layout, station) for station in opener.value)
        sentence = f"a table with {call.sides} side is opened by the {who}"
        return Refusal("not-your-call", sentence, opener.cites, f"opened by {opener.value[0]}")
    if not call.crew:
        return Refusal(
            "crew-not-counted",
            "a crew that works by hand has to be counted at the opening",
            rule.cites,
            f"crew by hand {' '.join(f'{n} {k}' for n, k in zip(names, rule.value, strict=True))}",
        )
    wanted = ", ".join(f"{n} {name}" for name, n in zip(names, rule.value, strict=True))
    if any(have < need for have, need in zip(call.crew, rule.value, strict=True)):
        sentence = f"a table with {call.sides} sides needs a crew of {wanted}"
        return Refusal("crew-short", sentence, rule.cites, "fill the crew")
    return None


def _station(layout: Layout, station: str) -> str:
    role = layout.procedure.roles.get(station)
    return str(role.value) if role else station


def limits_problem(layout: Layout, posted: Posted) -> str:
    """What is wrong with limits, if anything."""
    rows = [("all", posted.minimum, posted.maximum), *posted.classes]
    for name, low, high in rows:
        known = {*layout.spots, *(spot.family.removesuffix(".*") for spot in layout.spots.values())}
        if name not in {*known, "all", "odds"}:
            return f"there is no wager or class {name} to limit; {nearest(name, known)}".rstrip(
                "; "
            )
        if high < low:
            return f"the maximum {money(high)} is below the minimum {money(low)} ({name})"
        if low % layout.chip or high % layout.chip:
            return f"limits {money(low)}-{money(high)} are not in chips of {money(layout.chip)}"
    if posted.unit % layout.chip:
        return f"the unit {money(posted.unit)} is not in chips of {money(layout.chip)}"
    return ""


def dice_in_bowl(layout: Layout) -> int:
    """How many dice of a set are not in play."""
    size = layout.procedure.rules.get(("dice", "set"))
    return size.value - 2 if size else 3


def new_table(
    layout: Layout, posted: Posted, shooter: str = GUEST, places: int = 0, sides: int = 2
) -> Table:
    """An empty table; with one side closed, the places of the other are the first half."""
    if sides == 1:
        places = (places + 1) // 2
    dice = DiceSet(bowl=dice_in_bowl(layout))
    hand, floor = Hand(shooter=shooter), Floor(places=places, sides=sides, dice=dice)
    table = Table(layout.house, posted, 0, "open", {}, 0, 0, 0, {}, frozenset())
    return msgspec.structs.replace(table, hand=hand, floor=floor)


def favours(layout: Layout, posted: Posted) -> list[Notice]:
    """A warning where the smallest chip and the minimum make wagers that favour the player."""
    found = []
    for spot in layout.spots.values():
        if spot.windows["make"].value == "never":
            continue
        for puck in layout.points if spot.shape.by_point and spot.is_odds else (0,):
            bounds = layout.bounds(posted, spot, puck)
            stake = -(-max(bounds.minimum, 1) // bounds.step) * bounds.step
            if expectation(layout, spot, puck, stake) > 0:
                found.append(f"{money(stake)} on {spot.id}{f' ({puck})' if puck else ''}")
                break
    if not found:
        return []
    sentence = f"rounding favours the player at the least stakes: {', '.join(found)}"
    return [Notice("favours-player", sentence, layout.round_win.cites)]


def expectation(layout: Layout, spot: Spot, puck: int, stake: int) -> Fraction:
    """What a stake on a one-roll wager or a race is worth to the player once it is decided.

    Rounding does not touch wagers that pay even money, so line, come and bonus wagers are left out.
    """
    row = spot.rows[puck]
    decided = [(k.ways, c) for k, c in zip(KINDS, row, strict=True) if c and c.verdict != "collect"]
    weight = sum(ways for ways, _ in decided)
    if not weight or any(cell.verdict == "move" for _, cell in decided):
        return Fraction(-1)
    if spot.shape.by_point and not puck:
        return Fraction(-1)
    way = layout.round_win.value
    total = Fraction(0)
    for ways, cell in decided:
        net = stake * cell.net
        total += ways * (payable(net, layout.chip, way) if net > 0 else net)
    return total / weight - fee_on(layout, spot, stake)
