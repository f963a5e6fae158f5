"""Opening a table: a house, its settings, the smallest chip, the posted limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import msgspec

from boxman.chips import format_amount as money
from boxman.chips import minor
from boxman.rules.book import Book, read_book
from boxman.rules.compile import compiled
from boxman.rules.favours import all_gone, favouring, favouring_or_even, named, worth_of
from boxman.rules.ids import near
from boxman.rules.layout import Layout, Posted, SettingRule
from boxman.rules.ledger import join
from boxman.rules.settings import OUT_OF_BOUNDS, SettingError
from boxman.table.call import Call, call
from boxman.table.floor.people import GUEST, PLACES_USUAL, QUIET, DiceSet, Floor, Hand
from boxman.table.rulings import Notice, Refusal
from boxman.table.state import (
    Cites,
    Table,
)
from boxman.words.say import Value

BookCompiler = Callable[[Book, Mapping[str, object], int], Layout]
PLAYERS = "players"
"""The dice go round among the players."""
UNIFORM = "uniform prices"
"""The principle that all tables of a casino pay a wager alike."""


@call()
class Open(Call, frozen=True, kw_only=True):
    """The house opens a table."""

    house: str
    chip: int = 100
    minimum: int = 100
    maximum: int = 1_000_000
    unit: int = 0
    classes: tuple[tuple[str, int, int], ...] = ()
    settings: Mapping[str, object] = msgspec.field(default_factory=dict)
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


def open_table(call: Open, book: Book | None = None, compiler: BookCompiler = compiled) -> Opening:
    """Open a table, under the rulebook given or the one its house has now.

    A rulebook that cannot be read or compiled raises BookError.
    """
    book = book or read_book(call.house)
    try:
        layout = compiler(book, call.settings, minor(call.chip))
    except SettingError as error:
        cites = error.cites or compiler(book, {}, call.chip).silence
        refusal = Refusal(OUT_OF_BOUNDS, cites, error.why, values=error.values)
        return Opening(call, refusal=refusal)
    cites = join(layout.limits["minimum"].cites, layout.limits["maximum"].cites)
    crew = layout.procedure.crew.get(call.sides) if call.crew else None
    if crew is not None:
        cites = join(cites, crew.cites)
    posted = Posted(
        minimum=call.minimum, maximum=call.maximum, unit=call.unit, classes=call.classes
    )
    if posted.unit and "unit" in layout.limits:
        cites = join(cites, layout.limits["unit"].cites)
    for rule in _kept_to_some(layout, call):
        if call.by and call.by not in rule.who:
            return Opening(call, refusal=_not_theirs(layout, call, rule))
        cites = join(cites, rule.cites)
    short = _crew_short(layout, call)
    if short is not None:
        return Opening(call, refusal=short)
    if crew is not None:
        cites = join(cites, crew.who_cites)
    problem = units_problem(layout, call.unit) or limits_problem(layout, posted)
    if problem is not None:
        cites = problem.cites or cites
        return Opening(call, refusal=Refusal("bad-limits", cites, problem.why, "", problem.values))
    shooter = "" if call.shooter == PLAYERS else call.shooter
    table = new_table(layout, posted, shooter, call.places, call.sides)
    return Opening(call, layout, table, cites, favours(layout, posted))


def _kept_to_some(layout: Layout, call: Open) -> Iterator[SettingRule]:
    """The settings chosen of which the house says who may choose them."""
    for name in call.settings:
        rule = layout.setting_rules.get(name)
        if rule is not None and rule.who:
            yield rule


def uniform(layout: Layout, others: Callable[[str], Mapping[str, Layout]]) -> Refusal | None:
    """Why a table cannot stand beside the others of its casino, if it cannot: where a clause wants
    prices to be uniform, all tables pay a wager alike. The others are only looked for then."""
    cites = layout.principles.get(UNIFORM)
    if cites is None:
        return None
    for table, other in others(layout.house).items():
        for spot in layout.spots.values():
            rows = other.spots[spot.id].rows if spot.id in other.spots else {}
            for puck in sorted(set(spot.rows) & set(rows)):
                for here, there in zip(spot.rows[puck], rows[puck], strict=False):
                    if here and there and here.win != there.win:
                        values: dict[str, Value] = {"spot": spot.name, "table": table}
                        values |= {"here": spot.odds(here.win), "there": spot.odds(there.win)}
                        return Refusal(OUT_OF_BOUNDS, cites, "uniform", values=values)
    return None


def _crew_short(layout: Layout, call: Open) -> Refusal | None:
    """Why this crew cannot open this table, if it cannot."""
    sizes = layout.procedure.crew
    if not sizes or not (call.crew or call.by_hand):
        return None
    rule = sizes.get(call.sides)
    if rule is None:
        known = tuple(map(str, sorted(sizes)))
        return Refusal(
            "no-such-table",
            join(*(each.cites for each in sizes.values())),
            values={"known": known, "sides": call.sides},
        )
    needed = rule.counts
    if rule.who and call.by not in rule.who:
        names = tuple(_station(layout, station) for station in rule.who)
        values: dict[str, Value] = {"sides": call.sides, "names": names, "by": rule.who[0]}
        return Refusal("not-your-call", rule.who_cites, "opening", values=values)
    if not call.crew:
        return Refusal(
            "crew-not-counted",
            rule.cites,
            values={"count": " ".join(f"{name} {n}" for name, n in needed.items())},
        )
    if any(have < need for have, need in zip(call.crew, needed.values(), strict=True)):
        wanted = tuple(f"{n} {name}" for name, n in needed.items())
        values = {"sides": call.sides, "wanted": wanted}
        return Refusal("crew-short", rule.cites, values=values)
    return None


def _not_theirs(layout: Layout, call: Open, rule: SettingRule) -> Refusal:
    """Somebody else chooses this setting."""
    names = tuple(_station(layout, station) for station in rule.who)
    values: dict[str, Value] = {"setting": rule.name, "names": names, "by": rule.who[0]}
    return Refusal("not-your-call", rule.cites, "setting", values=values)


def _station(layout: Layout, station: str) -> str:
    role = layout.procedure.roles.get(station)
    return role.value if role else station


class LimitsProblem(NamedTuple):
    """What is wrong with limits: which of the sentences of bad-limits, and its values."""

    why: str
    values: dict[str, Value]
    cites: Cites = ()
    """The clauses of that, where they are not those of all limits."""


def units_problem(layout: Layout, unit: int) -> LimitsProblem | None:
    """A unit is wanted where no clause has one: it would bind nothing."""
    if not unit or "unit" in layout.limits:
        return None
    return LimitsProblem("no units", {}, layout.silence)


def limits_problem(layout: Layout, posted: Posted) -> LimitsProblem | None:
    """What is wrong with limits, if anything."""
    rows = [("all", posted.minimum, posted.maximum), *posted.classes]
    for name, low, high in rows:
        known = {*layout.spots, *(spot.family.removesuffix(".*") for spot in layout.spots.values())}
        if any(spot.gate is not None for spot in layout.spots.values()):
            known.add("bonus")
        if name not in {*known, "all", "odds"}:
            meant = near(name, known)
            return LimitsProblem(
                "class, perhaps" if meant else "class", {"name": name, "meant": meant}
            )
        whole = type(low) is type(high) is int
        if whole and high < low:
            return LimitsProblem("crossed", {"low": low, "high": high, "name": name})
        if whole and low <= 0:
            return LimitsProblem("none", {"low": low})
        if not whole or low % layout.chip or high % layout.chip:
            return LimitsProblem("chips", {"low": low, "high": high, "chip": layout.chip})
    if type(posted.unit) is not int or posted.unit % layout.chip:
        return LimitsProblem("unit", {"unit": posted.unit, "chip": layout.chip})
    return None


def dice_in_bowl(layout: Layout) -> int:
    """How many dice of a set are not in play."""
    size = layout.procedure.dice.set
    return size.value - 2 if size else 3


def new_table(
    layout: Layout, posted: Posted, shooter: str = GUEST, places: int = 0, sides: int = 2
) -> Table:
    """An empty table; with one side closed, the places of the other are the first half."""
    if sides == 1:
        places = ((places or PLACES_USUAL) + 1) // 2
    dice = DiceSet(bowl=dice_in_bowl(layout))
    hand, floor = Hand(shooter=shooter), Floor(places=places, sides=sides, dice=dice)
    table = Table(layout.house, posted, 0, "open", {}, 0, 0, 0, {}, frozenset())
    # The one that all share is known by a look.
    return msgspec.structs.replace(table, hand=hand, floor=QUIET if floor == QUIET else floor)


@lru_cache(256)
def favours(layout: Layout, posted: Posted) -> tuple[Notice, ...]:
    """Warnings where rounding pays less than is listed, or where the smallest chip and the minimum
    make wagers that favour the player or leave the house nothing."""
    rounded = layout.round_win
    if rounded.value == "down" and rounded.chosen is not None:
        return (Notice("pays-less", rounded.chosen.cites, values={"chip": layout.chip}),)
    found = []
    for spot in layout.spots.values():
        if spot.windows["make"].value == "never":
            continue
        for puck in layout.points if spot.shape.by_point and spot.is_odds else (0,):
            bounds = layout.bounds(posted, spot, puck)
            stake = -(-max(bounds.minimum, 1) // bounds.step) * bounds.step
            worth = worth_of(layout, spot, puck)
            if worth is not None and worth(stake) > 0:
                found.append(f"{money(stake)} {spot.id}{f' ({puck})' if puck else ''}")
                break
    worst = favouring(layout, posted)
    if not worst and not found:
        return _even(layout, posted)
    cites = layout.round_win.cites
    if not worst:
        return (Notice("favours-player", cites, "odds", {"found": tuple(found)}),)
    gone, smaller = all_gone(worst)
    values: dict[str, Value] = {"found": named(worst), "chip": layout.chip, "gone": gone}
    if not smaller:
        return (Notice("favours-player", cites, values=values),)
    return (Notice("favours-player", cites, "chips", {**values, "smaller": smaller}),)


def _even(layout: Layout, posted: Posted) -> tuple[Notice, ...]:
    """A warning where rounding leaves the house nothing at some stake."""
    even = favouring_or_even(layout, posted)
    if not even:
        return ()
    fees = any(layout.spots[each.spot].fee for each in even)
    cites = layout.round_fee.cites if fees else layout.round_win.cites
    values: dict[str, Value] = {"found": named(even), "chip": layout.chip}
    return (Notice("favours-player", cites, "even", {**values, "gone": all_gone(even)[0]}),)
