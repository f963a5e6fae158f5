"""Wagers that rounding turns in the player's favour, and the least limits at which none is.

A house that rounds wins up gives away less than a chip at a time; against a small stake that can
be more than its edge. Odds are no wager by themselves: they count with the flat they stand behind,
in the amounts that rounding likes best. Everything is computed from the layout, in minor units.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import wraps
from math import lcm
from typing import NamedTuple, TypeVar, TypeVarTuple

import msgspec

from boxman.chips import MINOR, payable, payable_step
from boxman.chips import format_amount as money
from boxman.rules.cell import Cell, kinds_of
from boxman.rules.layout import Layout, OddsLimit, Posted, Spot, fee_share
from boxman.words import say

USUAL = (5, 10, 15, 20, 25, 50, 100, 200, 500)
"""Minima that tables post, in currency units."""
CHIPS = (1, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2500)
"""Smallest chips that tables have, in minor units."""
MOST = 10_000
"""Stakes tried, at most."""
KEPT = 1_000
SHARE = 200
"""A proposed maximum is so many minima."""
T = TypeVar("T")
Asked = TypeVarTuple("Asked")


class FavourableWager(NamedTuple):
    """A wager that favours the player, at the stake where it does most."""

    spot: str
    stake: int
    edge: Fraction
    """What it wins on average, as a share of the stake: above nothing."""
    gone: int
    """The least minimum at which it is gone, with these chips."""
    odds: bool = False
    """Whether it takes odds that are paid rounded."""
    chip: int = 0
    """The largest chips with which it is gone at this minimum; 0 where none are smaller."""


def worth_of(layout: Layout, spot: Spot, puck: int) -> Callable[[int], Fraction] | None:
    """What each stake on a one-roll wager or a race is worth to the player once it is decided;
    none for wagers that move and line wagers before their point, of which nothing is rounded."""
    decided = _decided(spot, puck)
    if not decided or any(cell.verdict == "move" for _, cell in decided):
        return None
    if spot.shape.by_point and not puck:
        return None
    weight = sum(ways for ways, _ in decided)
    wins = [(ways, cell.net) for ways, cell in decided if cell.net > 0]
    rest = sum((ways * cell.net for ways, cell in decided if cell.net <= 0), Fraction(0))
    chip, way = layout.chip, layout.round_win.value
    owed, charge = _commission(spot, decided)

    def worth(stake: int) -> Fraction:
        paid = sum(ways * payable(stake * net, chip, way) for ways, net in wins)
        fee = owed * payable(stake * charge, chip, layout.round_fee.value) if charge else 0
        return (paid + stake * rest - fee) / weight

    return worth


def _decided(spot: Spot, puck: int) -> list[tuple[int, Cell]]:
    """The rolls that end a wager: their ways, and what they do."""
    row = spot.rows[puck]
    cells = zip(kinds_of(row), row, strict=True)
    return [(k.ways, cell) for k, cell in cells if cell and not cell.goes_on]


def _commission(spot: Spot, decided: list[tuple[int, Cell]]) -> tuple[int, Fraction]:
    """In how many of the ways that end a wager commission is paid, and how much of the stake."""
    if spot.fee is None:
        return 0, Fraction(0)
    on_win = spot.fee.charged == "win"
    owed = sum(ways for ways, cell in decided if cell.net > 0 or not on_win)
    return owed, fee_share(spot)


def _kept(work: Callable[[Layout, *Asked], T]) -> Callable[[Layout, *Asked], T]:
    """Work that is done once for all layouts that were compiled alike."""
    known: dict[tuple[object, ...], T] = {}

    @wraps(work)
    def found(layout: Layout, /, *asked: *Asked) -> T:
        key = (layout.house, layout.digest, layout.chip, repr(layout.settings), *asked)
        if key not in known:
            if len(known) > KEPT:
                known.clear()
            known[key] = work(layout, *asked)
        return known[key]

    return found


def favouring(layout: Layout, posted: Posted) -> tuple[FavourableWager, ...]:
    """Every wager that favours the player within these limits, the worst for the house first."""
    return tuple(each for each in favouring_or_even(layout, posted) if each.edge > 0)


@_kept
def favouring_or_even(layout: Layout, posted: Posted) -> tuple[FavourableWager, ...]:
    """Those, and those that rounding leaves without an edge for either."""
    found = [favour for spot in _bet_on(layout) for favour in _favour(layout, posted, spot)]
    return tuple(sorted(found, key=lambda each: -each.edge))


def _bet_on(layout: Layout) -> Iterator[Spot]:
    """Wagers somebody makes by themselves."""
    for spot in layout.spots.values():
        if spot.windows["make"].value != "never" and not spot.is_odds and spot.gate is None:
            yield spot


def _favour(layout: Layout, posted: Posted, spot: Spot) -> Iterator[FavourableWager]:
    worths = _favourable(layout, posted, spot)
    edge, stake = max(worths, key=lambda each: (each[0], -each[1]), default=(Fraction(-1), 0))
    if edge >= 0:
        gone = max(stake for worth, stake in worths if worth > 0 or not edge)
        gone += layout.bounds(posted, spot, 0).step
        chip = _gone_with(layout, posted, spot) if edge else 0
        yield FavourableWager(spot.id, stake, edge, gone, bool(_odds_behind(layout, spot)), chip)


def _favourable(layout: Layout, posted: Posted, spot: Spot) -> list[tuple[Fraction, int]]:
    """The stakes at which a wager does not favour the house, each with what it wins of it."""
    bounds = layout.bounds(posted, spot, 0)
    low = -(-max(bounds.minimum, 1) // bounds.step) * bounds.step
    return [
        (worth / stake, stake)
        for stake, worth in _worths(layout, spot, low, bounds.step)
        if worth >= 0 and (not bounds.maximum or stake <= bounds.maximum)
    ]


def _favours(layout: Layout, posted: Posted, spot: Spot) -> bool:
    return any(edge > 0 for edge, _ in _favourable(layout, posted, spot))


def _gone_with(layout: Layout, posted: Posted, spot: Spot) -> int:
    """The largest chips with which a wager favours nobody at this minimum; 0 where none do."""
    for chip in reversed(CHIPS):
        finer = msgspec.structs.replace(layout, chip=chip, steps={}, bounds_cache={})
        if chip < layout.chip and not _favours(finer, posted, spot):
            return chip
    return 0


def _worths(layout: Layout, spot: Spot, low: int, step: int) -> Iterator[tuple[int, Fraction]]:
    """Stakes from the lowest on with what they are worth, as long as rounding can matter."""
    if layout.round_win.value != "up" and layout.round_fee.value != "down":
        return
    behind = _odds_behind(layout, spot)
    if behind:
        unit, gains = _flat(layout, spot), _gains(layout, spot, behind)
        most, worth = sum((best[-1] for _, _, best in gains), Fraction(0)), _backed(unit, gains)
    else:
        alone = worth_of(layout, spot, 0)
        if alone is None:
            return
        unit, most, worth = _exact(spot), _most(layout, spot), alone
    if unit >= 0:  # the house has no edge here, whatever is rounded
        return
    for stake in range(low, min(low + MOST * step, int(most / -unit) + 1), step):
        yield stake, worth(stake)


def _most(layout: Layout, spot: Spot) -> Fraction:
    """What rounding gives at the most: less than a chip with each win, and with each commission."""
    decided = _decided(spot, 0)
    ways = sum(each for each, cell in decided if cell.net > 0) + _commission(spot, decided)[0]
    return Fraction(ways * layout.chip, sum(each for each, _ in decided))


def _exact(spot: Spot) -> Fraction:
    """What a stake of one is worth with nothing rounded."""
    decided = _decided(spot, 0)
    owed, charge = _commission(spot, decided)
    return _race(spot, 0) - owed * charge / sum(ways for ways, _ in decided)


def _odds_behind(layout: Layout, flat: Spot) -> list[Spot]:
    """The odds that may stand behind a flat, or behind it once it has travelled."""
    names = {flat.id} | {f"{flat.id}.{number}" for number in layout.points}
    return [each for each in layout.spots.values() if each.behind and each.behind.flat in names]


def _numbers(layout: Layout, flat: Spot) -> Iterator[tuple[int, int, Spot]]:
    """Ways to get each number, and the spot that is then decided, of a flat made now."""
    puck = 0 if flat.shape.by_point else layout.points[0]
    for kind, cell in zip(kinds_of(flat.rows[puck]), flat.rows[puck], strict=True):
        if cell is not None and cell.verdict == "move":
            yield kind.ways, kind.total, layout.spots[cell.to]
        elif cell is None and puck == 0 and kind.total in layout.points:
            yield kind.ways, kind.total, flat


def _flat(layout: Layout, flat: Spot) -> Fraction:
    """What a flat of one is worth that is made now, nothing rounded."""
    puck = 0 if flat.shape.by_point else layout.points[0]
    total = Fraction(0)
    for kind, cell in zip(kinds_of(flat.rows[puck]), flat.rows[puck], strict=True):
        if cell is not None and cell.verdict != "move":
            total += kind.ways * cell.net
    for ways, number, spot in _numbers(layout, flat):
        total += ways * _race(spot, number if spot.shape.by_point else 0)
    return total / 36


def _race(spot: Spot, puck: int) -> Fraction:
    decided = _decided(spot, puck)
    total = sum((ways * cell.net for ways, cell in decided), Fraction(0))
    return total / sum(ways for ways, _ in decided)


Gain = tuple[OddsLimit, int, list[Fraction]]
"""The limit of odds behind a flat, their step, and what the best up to each step bring to it."""


def _gains(layout: Layout, flat: Spot, behind: list[Spot]) -> list[Gain]:
    """By number, what the odds that rounding likes best bring on average to a stake on the flat."""
    return [
        (odds.behind.limits[number], *_gain(layout, odds, number, Fraction(ways, 36)))
        for ways, number, spot in _numbers(layout, flat)
        for odds in behind
        if odds.behind and odds.behind.flat == spot.id and number in odds.behind.limits
    ]


def _backed(unit: Fraction, gains: list[Gain]) -> Callable[[int], Fraction]:
    """What each stake on a flat is worth with the odds that rounding likes best behind it."""

    def worth(stake: int) -> Fraction:
        tops = ((limit.most(stake) // step, best) for limit, step, best in gains)
        return unit * stake + sum(best[min(top, len(best) - 1)] for top, best in tops)

    return worth


def _gain(layout: Layout, odds: Spot, number: int, chance: Fraction) -> tuple[int, list[Fraction]]:
    step = layout.step(odds, number)
    period = lcm(step, *(payable_step(ratio, layout.chip) for ratio in odds.ratios(number)))
    best = [Fraction(0)]
    worth = worth_of(layout, odds, number if odds.shape.by_point else 0)
    for stake in range(step, period + 1, step):
        best.append(max(best[-1], chance * worth(stake)) if worth else best[-1])
    return step, best


def _percent(share: Fraction) -> str:
    """
    >>> _percent(Fraction(3, 77))
    '+3.90%'
    """
    hundredths = round(share * 10_000)
    return f"+{hundredths // 100}.{hundredths % 100:02}%"


TOLD = 4
"""Wagers told by name, at most."""


def named(
    found: Sequence[FavourableWager], told: int = TOLD, called: Callable[[str], str] = str
) -> tuple[str, ...]:
    """Wagers with their stakes, as the notation has them or called otherwise, and what they win on
    average, the worst for the house first."""
    listed = [
        f"{money(each.stake)} {called(each.spot)}{' + odds' if each.odds else ''} "
        f"({_percent(each.edge)})"
        for each in found[:told]
    ]
    return (*listed, "…") if len(found) > told else tuple(listed)


def words(layout: Layout, posted: Posted, called: Callable[[str], str] = str) -> str:
    """What favours the player here, at which stake, and the minimum at which nothing does."""
    found = favouring(layout, posted)
    if not found:
        return ""
    told = [
        say(
            f"odds.list.favour{'-chips' if each.chip else ''}",
            {"wager": wager, "gone": each.gone, "smaller": each.chip},
        )
        for each, wager in zip(found, named(found, len(found), called), strict=True)
    ]
    wagers = (*told[:TOLD], "…") if len(told) > TOLD else tuple(told)
    least, smaller = all_gone(found)
    values = {"wagers": wagers, "least": least, "chip": layout.chip, "smaller": smaller}
    return say(f"odds.list.favours{'-chips' if smaller else ''}", values)


def all_gone(found: Sequence[FavourableWager]) -> tuple[int, int]:
    """The minimum from which all of some wagers are gone; the chips with which they are at this
    one, 0 where no smaller chips do."""
    return max(each.gone for each in found), min(each.chip for each in found)


@_kept
def proposed(layout: Layout) -> Posted:
    """The least usual limits at which no wager favours the player, with the table's chips."""
    for units in USUAL:
        minimum = -(-units * MINOR // layout.chip) * layout.chip
        posted = Posted(minimum=minimum, maximum=minimum * SHARE)
        # That one does is enough to know: by how much, and what would end it, takes long.
        if not any(_favours(layout, posted, spot) for spot in _bet_on(layout)):
            return posted
    # Large chips: no usual minimum does.
    minimum = all_gone(favouring(layout, posted))[0]
    return Posted(minimum=minimum, maximum=minimum * SHARE)
