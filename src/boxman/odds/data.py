"""Price lists as plain data for JSON and CSV: fractions as strings, nothing lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from boxman.chips import format_amount as money
from boxman.odds.chain import Lengths
from boxman.odds.compare import Compared
from boxman.odds.default import ByDefault
from boxman.odds.hand import HandLength
from boxman.odds.measures import Figures
from boxman.odds.pay import StakeError
from boxman.odds.quote import Odds
from boxman.rules.layout import Layout

Data = dict[str, Any]


def house_data(
    layout: Layout, wagers: Iterable[Odds], stake: int = 0, lengths: bool = False
) -> Data:
    """A price list."""
    return {
        "house": layout.house,
        "title": layout.title,
        "edition": layout.edition,
        "settings": layout.settings,
        "chip": layout.chip,
        "wagers": {odds.id: odds_data(odds, stake, lengths) for odds in wagers},
        "hand": hand_data(HandLength(layout), lengths),
    }


def odds_data(odds: Odds, stake: int = 0, lengths: bool = False) -> Data:
    """One wager."""
    numbers = odds.figures
    data: Data = {
        "name": odds.name,
        "group": odds.heading,
        "win": str(odds.win),
        "lose": str(odds.lose),
        "push": str(odds.push),
        "edge": str(odds.edge),
        "edge_resolved": str(odds.edge_resolved),
        "edge_with_commission": str(odds.edge_with_commission),
        "edge_per_roll": str(odds.edge_per_roll),
        "rolls": str(odds.rolls),
        "rolls_resolved": str(odds.resolved.rolls),
        "variance": str(odds.variance),
        "deviation": odds.deviation,
        "staked": str(numbers.staked),
        "allowed": odds.allowed,
        "net": {str(net): str(chance) for net, chance in numbers.net.items()},
        "pays": {str(ratio): list(totals) for ratio, totals in odds.price.pays},
        "true_odds": str(odds.price.true) if odds.price.true is not None else None,
        "price": str(odds.price),
        "by_default": default_data(odds.by_default),
        "clauses": list(odds.cites),
    }
    if stake:
        data["at_stake"] = stake_data(odds, stake)
        data["favours_player"] = {
            "stakes": list(odds.favoured.stakes),
            "repeats_every": odds.favoured.period or None,
        }
    if lengths:
        data["length"] = lengths_data(odds.lengths())
    return data


def stake_data(odds: Odds, stake: int) -> Data:
    """The same wager at one stake; where the house cannot take it, why."""
    try:
        numbers = odds.at(stake)
    except StakeError as error:
        return {"stake": stake, "refused": str(error)}
    return {"stake": stake, **figures_data(numbers)}


def figures_data(numbers: Figures) -> Data:
    """The figures of one start or one stake."""
    return {
        "win": str(numbers.win),
        "lose": str(numbers.lose),
        "push": str(numbers.push),
        "returned": str(numbers.returned),
        "edge": str(numbers.edge),
        "edge_with_commission": str(numbers.edge_with_commission),
        "rolls": str(numbers.rolls),
        "rolls_at_table": str(numbers.rolls_at_table),
        "variance": str(numbers.variance),
        "net": {str(net): str(chance) for net, chance in numbers.net.items()},
    }


def default_data(rule: ByDefault) -> Data:
    """The house's rule by puck."""
    data: Data = {
        side: {"works": works, "clauses": list(cites)}
        for side, works, cites in zip(("off", "on"), rule.works, rule.cites, strict=True)
    }
    data["off"]["returned_on"] = list(rule.returned_on)
    for name in ("made_off", "made_on", "called_on"):
        numbers: Figures | None = getattr(rule, name)
        if numbers is not None:
            data[name] = figures_data(numbers)
    return data


def lengths_data(lengths: Lengths) -> Data:
    """P(L = n) by n, and the tail."""
    return {
        "mass": {str(n): str(mass) for n, mass in enumerate(lengths.mass, 1)},
        "tail": str(lengths.tail),
    }


def hand_data(hand: HandLength, lengths: bool = False) -> Data:
    """The shooter's hand."""
    data: Data = {
        "mean": str(hand.mean),
        "variance": str(hand.variance),
        "deviation": hand.deviation,
        "median": hand.median,
        "clauses": list(hand.cites),
    }
    if lengths:
        data["length"] = lengths_data(hand.lengths)
    return data


def compared_data(layouts: Mapping[str, Layout], rows: Iterable[Compared]) -> Data:
    """Houses side by side."""
    return {
        "houses": {house: {"settings": layout.settings} for house, layout in layouts.items()},
        "wagers": {
            row.name: {
                "edges": {house: str(odds.edge) for house, odds in row.odds.items()},
                "prices": {house: str(odds.price) for house, odds in row.odds.items()},
                "best": list(row.best),
                "worst": list(row.worst),
            }
            for row in rows
        },
    }


PRICE_COLUMNS = (
    *("name", "win", "lose", "push", "edge", "edge_resolved", "edge_with_commission"),
    *("edge_per_roll", "rolls", "rolls_resolved", "variance", "deviation", "price"),
)


def csv_rows(wagers: Iterable[Odds], stake: int = 0) -> list[list[str]]:
    """A price list as a table, the heading first."""
    more = ["stake", "edge_at_stake", "favours_player"] if stake else []
    rows = [["wager", *PRICE_COLUMNS, "edge_percent", *more, "clauses"]]
    for odds in wagers:
        data = odds_data(odds, stake)
        row = [
            odds.id,
            *(str(data[column]) for column in PRICE_COLUMNS),
            f"{float(odds.edge) * 100:.4f}",
        ]
        if stake:
            row += [money(stake), data["at_stake"].get("edge", "")]
            row.append(" ".join(map(money, data["favours_player"]["stakes"])))
        rows.append([*row, " ".join(f"{{{cite}}}" for cite in odds.cites)])
    return rows


def compared_rows(houses: Iterable[str], rows: Iterable[Compared]) -> list[list[str]]:
    """The comparison as a table, the heading first."""
    columns = list(houses)
    table = [["wager", *columns, "best", "worst"]]
    for row in rows:
        edges = [str(row.odds[house].edge) if house in row.odds else "" for house in columns]
        table.append([row.name, *edges, " ".join(row.best), " ".join(row.worst)])
    return table
