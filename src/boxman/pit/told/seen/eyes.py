"""What a wager costs, told at the table: its price, its exact edge, what a payable stake wins, and
which of those that may be bet now costs least.

Figures are those of `odds`, choices those of the menu; nothing here knows a rule. Whether a table
may show them is the desk's business.
"""

from __future__ import annotations

from fractions import Fraction

from boxman.odds.measures import ratio_text
from boxman.odds.pay import StakeError
from boxman.odds.quote import Odds
from boxman.rules.layout import Layout, Spot
from boxman.table.said.menu import Menu
from boxman.table.stakes import Range
from boxman.table.state import Table
from boxman.words import phrase, spoken
from boxman.words.amounts import in_money

Data = dict[str, object]
TRIES = 60
"""Stakes that are looked at for one whose payment is not rounded."""
_KNOWN: dict[tuple[int, str, int], tuple[Layout, Odds]] = {}
"""Wagers worked out before; each with its layout, so that the id stays its own."""
_TOLD: dict[tuple[object, ...], Data] = {}
"""What was told of them before, in a language."""
MOST_KNOWN = 4_000


def quoted(layout: Layout, spot: Spot, puck: int, memory: int = 0) -> Odds:
    """The wager that chips put on a spot now would be."""
    name = spot.id
    if spot.shape.by_point and (puck or spot.is_odds):
        name = f"{spot.id}.{puck or layout.points[0]}"
    key = (id(layout), name, memory)
    if key not in _KNOWN:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
            _TOLD.clear()
        _KNOWN[key] = (layout, Odds(layout, name, memory=memory))
    return _KNOWN[key][1]


def eyes(layout: Layout, table: Table, own: Menu | None) -> Data:
    """Every spot of the cloth with its figures, and those that may be bet now, cheapest first."""
    choices = own.choices if own is not None else {}
    spots: dict[str, Data] = {}
    ranked: list[tuple[Fraction, Fraction, str]] = []
    for spot in layout.spots.values():
        choice = choices.get(spot.id)
        ranges = choice.bet if choice is not None else ()
        # What takes no chips now is told as it is made: a line bet at a come-out.
        puck = table.puck if ranges or spot.is_odds else 0
        odds = quoted(layout, spot, puck, table.collected.get(spot.id, 0))
        spots[spot.id] = _told(layout, table, odds, ranges)
        if ranges:
            ranked.append((odds.edge, odds.edge_per_roll, spot.id))
    return {"spots": spots, "coach": [spot for *_, spot in sorted(ranked)]}


def _told(layout: Layout, table: Table, odds: Odds, ranges: tuple[Range, ...]) -> Data:
    key = (id(odds), table.posted, ranges, spoken())
    if key not in _TOLD:
        if len(_TOLD) >= MOST_KNOWN:
            _TOLD.clear()
        _TOLD[key] = _work_out(layout, table, odds, ranges)
    return _TOLD[key]


def _work_out(layout: Layout, table: Table, odds: Odds, ranges: tuple[Range, ...]) -> Data:
    bounds = layout.bounds(table.posted, odds.spot, odds.puck)
    least = min((low for low, _, _ in ranges), default=0)
    example, stake = _example(layout, table, odds, ranges)
    return {
        "name": odds.name,
        "made": odds.spot.windows["make"].value != "never",
        "edge": str(odds.edge),
        "percent": round(float(odds.edge) * 100, 6),
        "per_roll": round(float(odds.edge_per_roll) * 100, 6),
        "win": str(odds.win),
        "wins": round(float(odds.win) * 100, 1),
        "rolls": round(float(odds.rolls), 1),
        "example": example,
        "stake": stake,
        "limits": _limits(layout, bounds.minimum, bounds.maximum),
        "cost": phrase(
            "pit.eyes.cost",
            cost=_money(layout, odds.edge * least, 4),
            stake=_money(layout, Fraction(least)),
        )
        if least
        else "",
        "why": _why(odds),
        "clauses": list(odds.cites),
    }


def _limits(layout: Layout, minimum: int, maximum: int) -> str:
    """The posted limits of a wager; odds have those of the wager they stand behind."""
    if not minimum and not maximum:
        return ""
    low, high = (_money(layout, Fraction(each)) for each in (minimum, maximum))
    return phrase("pit.eyes.limits" if maximum else "pit.eyes.from", low=low, high=high)


def _why(odds: Odds) -> str:
    """What makes it dear or cheap: its price beside the fair one."""
    pays, edge = odds.price.pays, odds.edge
    if edge < 0:
        return phrase("pit.eyes.favours")
    if not edge:
        return phrase("pit.eyes.fair", pays=odds.price.pays_text)
    if (fee := odds.spot.fee) is not None:
        return phrase("pit.eyes.fee", pays=odds.price.pays_text, rate=f"{float(fee.rate) * 100:g}")
    if len(pays) == 1 and odds.price.true is not None and not odds.price.on_the_way:
        return phrase("pit.eyes.short", pays=odds.price.pays_text, true=ratio_text(odds.price.true))
    return phrase("pit.eyes.pays", pays=odds.price.pays_text)


def _example(
    layout: Layout, table: Table, odds: Odds, ranges: tuple[Range, ...]
) -> tuple[str, int]:
    """A stake that may be bet, with what it wins: the least that is paid without rounding."""
    spot = odds.spot
    step = layout.step(spot, odds.puck)
    first = layout.bounds(table.posted, spot, odds.puck).minimum or step
    tried = ranges or ((-(-first // step) * step, 10**12, step),)
    nearest = ("", 0)
    for low, high, by in tried:
        for stake in range(low, min(high, low + TRIES * by) + 1, by):
            try:
                figures = odds.at(stake)
            except StakeError:
                continue
            won = sorted({stake * net for net in figures.net if net > 0})
            if not won:
                return "", 0
            said = phrase(
                "pit.eyes.example",
                stake=_money(layout, Fraction(stake)),
                wins=[_money(layout, each) for each in won],
            )
            if figures.edge == odds.edge:
                return said, stake
            nearest = nearest if nearest[0] else (said, stake)
    return nearest


def _money(layout: Layout, amount: Fraction, places: int = 2) -> str:
    """An amount in words; fractions of a cent are shown where there are any."""
    if amount.denominator == 1:
        return in_money(layout.currency, int(amount))
    return f"{layout.currency}{float(amount) / 100:.{places}f}"
