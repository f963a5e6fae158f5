"""Price lists, one wager in full and houses side by side, as parts of a report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from boxman.chips import format_amount as money
from boxman.odds.compare import Compared
from boxman.odds.default import ByDefault
from boxman.odds.felt import grouped
from boxman.odds.measures import Figures
from boxman.odds.pay import StakeError
from boxman.odds.quote import Odds, WithOdds
from boxman.odds.rounding import Favoured
from boxman.report.parts import Column, Facts, Grid, Part, Sentence
from boxman.rules.favours import words as favours
from boxman.rules.layout import Layout, Posted
from boxman.rules.ledger import Cites

BEST, WORST = "▲", "▼"


def percent(share: Fraction, places: int = 3) -> str:
    """
    >>> percent(Fraction(1, 66)), percent(Fraction(-1, 8), 1)
    ('1.515%', '-12.5%')
    """
    return f"{float(share * 100):.{places}f}%"


def braces(cites: Cites) -> list[str]:
    """Clauses as they are cited everywhere, one word each."""
    return [f"{{{cite}}}" for cite in cites]


def price_list_parts(layout: Layout, wagers: Sequence[Odds], stake: int = 0) -> list[Part]:
    """A price list as on the felt, with fractions, percentages and clauses."""
    by_name = {odds.id: odds for odds in wagers}
    columns = [Column("Wager"), Column("Called here", width=22, spare=True)]
    columns += [Column("Pays", width=18), Column("True odds", spare=True)]
    columns += [Column("Win", spare=True), Column("Edge")]
    columns += [Column("%", right=True), Column("Rolls", right=True)]
    if stake:
        columns += [Column(f"Edge at {money(stake)}", right=True)]
        columns += [Column("For the player", width=20)]
    columns.append(Column("Clauses", width=60))
    parts: list[Part] = [Sentence(f"{layout.title} ({layout.house}, {layout.edition})")]
    if layout.settings:
        parts.append(Sentence(_settings(layout)))
    rows = {
        group: [_priced(by_name[name], stake) for name in names]
        for group, names in grouped(by_name).items()
    }
    told = favours(layout, Posted(minimum=layout.chip, maximum=0))
    if told:
        parts.append(Sentence(f"rounding favours the player: {told}"))
    return [*parts, Grid("", columns, rows)]


def _settings(layout: Layout) -> str:
    return ", ".join(f"{name} = {value}" for name, value in layout.settings.items())


def _priced(odds: Odds, stake: int) -> list[str]:
    row = [odds.id, odds.name, odds.price.pays_text, odds.price.true_text]
    row += [str(odds.win), str(odds.edge), percent(odds.edge), f"{float(odds.rolls):.2f}"]
    if stake:
        row += [_edge_at(odds, stake), favoured_text(odds.favoured, "")]
    refused = () if odds.allowed else ("not taken here:",)
    return [*row, " ".join((*refused, *braces(odds.cites)))]


def _edge_at(odds: Odds, stake: int) -> str:
    try:
        return percent(odds.at(stake).edge)
    except StakeError:
        return "not taken"


def favoured_text(favoured: Favoured, nothing: str = "no stake") -> str:
    """Stakes that rounding turns in the player's favour, in words."""
    if not favoured.stakes:
        return nothing
    text = ", ".join(money(stake) for stake in favoured.stakes)
    return f"{text}; and so on every {money(favoured.period)}" if favoured.period else text


def full_parts(odds: Odds) -> list[Part]:
    """Everything about one wager."""
    numbers, lengths = odds.figures, odds.lengths()
    half, most = lengths.quantile(Fraction(1, 2)), lengths.quantile(Fraction(99, 100))
    rows = [
        ("chances", f"win {odds.win}, lose {odds.lose}, push {odds.push}"),
        ("edge per wager made", _both(odds.edge)),
        ("edge per wager resolved", _both(odds.edge_resolved)),
    ]
    if odds.spot.fee is not None:
        rows.append(("edge with commission", _both(odds.edge_with_commission)))
    over = f"half are over by {half}, 99 in 100 by {most or 'more than 200'}"
    nets = ", ".join(f"{net} ({percent(chance, 2)})" for net, chance in numbers.net.items())
    rows += [
        ("edge per roll", _both(odds.edge_per_roll)),
        ("rolls to decision", f"{_number(odds.rolls)}; {over}"),
        ("variance", f"{_number(odds.variance)}, standard deviation {odds.deviation:.5f}"),
        ("net", nets),
    ]
    if isinstance(odds, WithOdds):
        allowed = "" if odds.allowed else "; this house would not take it"
        rows.append(("put down in all", f"{_number(numbers.staked)} units{allowed}"))
    rows += _by_default(odds.by_default)
    if odds.favoured.stakes:
        rows.append(("rounding favours", favoured_text(odds.favoured)))
    rows.append(("clauses", " ".join(braces(odds.cites))))
    return [Sentence(f"{odds.id}: {odds.name}, {odds.price}"), Facts(rows)]


def _by_default(rule: ByDefault) -> list[tuple[str, str]]:
    if all(rule.works):
        return []
    sides = [
        f"{'works' if works else 'sleeps'} with the puck {side} {' '.join(braces(cites))}".rstrip()
        for side, works, cites in zip(("off", "on"), rule.works, rule.cites, strict=True)
    ]
    rows = [("by the house's rule", "; ".join(sides))]
    if rule.returned_on:
        rows.append(("", f"handed back on {', '.join(map(str, rule.returned_on))} meanwhile"))
    moments = {
        "made with the puck off": rule.made_off,
        "made on a new point": rule.made_on,
        "made off and called on": rule.called_on,
    }
    rows += [
        ("", f"{words}: {_moment(numbers)}")
        for words, numbers in moments.items()
        if numbers is not None
    ]
    return rows


def _moment(numbers: Figures) -> str:
    back = f", handed back {percent(numbers.returned, 2)}" if numbers.returned else ""
    return (
        f"win {percent(numbers.win, 2)}{back}, {float(numbers.rolls):.3f} rolls at risk, "
        f"{float(numbers.rolls_at_table):.3f} at the table"
    )


def _both(share: Fraction) -> str:
    return f"{share} = {percent(share, 4)}"


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} = {float(value):.5f}"


def compared_parts(layouts: Mapping[str, Layout], rows: Iterable[Compared]) -> list[Part]:
    """Houses side by side; the best price of each wager is marked, and the worst."""
    by_name = {row.name: row for row in rows}
    parts: list[Part] = [
        Sentence(
            "House edge per wager made. "
            f"{BEST} the best price of a wager, {WORST} the worst; no mark where all are alike."
        )
    ]
    parts += [
        Sentence(f"{house}: {_settings(layout)}")
        for house, layout in layouts.items()
        if layout.settings
    ]
    columns = [Column("Wager"), *(Column(house, right=True) for house in layouts)]
    cells = {
        group: [[name, *(_compared(by_name[name], house) for house in layouts)] for name in names]
        for group, names in grouped(by_name).items()
    }
    return [*parts, Grid("", columns, cells)]


def _compared(row: Compared, house: str) -> str:
    edge = row.edge(house)
    if edge is None:
        return ""
    mark = f"{BEST} " if house in row.best else f"{WORST} " if house in row.worst else ""
    return f"{mark}{edge} {percent(edge)}"
