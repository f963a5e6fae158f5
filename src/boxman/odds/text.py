"""Price lists, one wager in full and houses side by side, as parts of a report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from boxman.chips import format_amount as money
from boxman.odds.chain import LISTED
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
from boxman.words import phrase, say

BEST, WORST = "▲", "▼"


LONGEST_LISTED = 30
"""Characters of the longest fraction in a list; the whole of it stands with the wager."""


def percent(share: Fraction, places: int = 3) -> str:
    """
    >>> percent(Fraction(1, 66)), percent(Fraction(-1, 8), 1)
    ('1.515%', '-12.5%')
    """
    return f"{float(share * 100):.{places}f}%"


def listed(share: Fraction) -> str:
    """A fraction for a list: one that would push the other columns off the page is rounded.

    >>> listed(Fraction(1, 66)), listed(Fraction(10**20, 10**20 + 1))
    ('1/66', '≈ 1.000000')
    """
    return text if len(text := str(share)) <= LONGEST_LISTED else f"≈ {float(share):.6f}"


def braces(cites: Cites) -> list[str]:
    """Clauses as they are cited everywhere, one word each."""
    return [f"{{{cite}}}" for cite in cites]


def price_list_parts(layout: Layout, wagers: Sequence[Odds], stake: int = 0) -> list[Part]:
    """A price list as on the felt, with fractions, percentages and clauses."""
    by_name = {odds.id: odds for odds in wagers}
    columns = [
        Column(phrase("odds.columns.wager")),
        Column(phrase("odds.columns.called"), width=22, spare=True),
    ]
    columns += [
        Column(phrase("odds.columns.pays"), width=18),
        Column(phrase("odds.columns.true"), spare=True),
    ]
    columns += [Column(phrase("odds.columns.win"), spare=True), Column(phrase("odds.columns.edge"))]
    columns += [
        Column(phrase("odds.columns.percent"), right=True),
        Column(phrase("odds.columns.rolls"), right=True),
    ]
    if stake:
        columns += [Column(phrase("odds.columns.edge-at", stake=stake), right=True)]
        columns += [Column(phrase("odds.columns.favours"), width=20)]
    columns.append(Column(phrase("odds.columns.clauses"), width=60))
    about = {"title": layout.title, "house": layout.house, "edition": layout.edition}
    parts: list[Part] = [Sentence(phrase("odds.list.house", **about))]
    if layout.settings:
        parts.append(Sentence(_settings(layout)))
    rows = {
        group: [_priced(by_name[name], stake) for name in names]
        for group, names in grouped(by_name).items()
    }
    told = favours(layout, Posted(minimum=layout.chip, maximum=0))
    if told:
        parts.append(Sentence(phrase("odds.list.rounding", favours=told)))
    return [*parts, Grid("", columns, rows)]


def _settings(layout: Layout) -> str:
    return ", ".join(f"{name} = {value}" for name, value in layout.settings.items())


def _priced(odds: Odds, stake: int) -> list[str]:
    row = [odds.id, odds.name, odds.price.pays_text, odds.price.true_text]
    row += [listed(odds.win), listed(odds.edge), percent(odds.edge), f"{float(odds.rolls):.2f}"]
    if stake:
        row += [_edge_at(odds, stake), favoured_text(odds.favoured)]
    refused = () if odds.allowed else (phrase("odds.list.not-taken-here"),)
    return [*row, " ".join((*refused, *braces(odds.cites)))]


def _edge_at(odds: Odds, stake: int) -> str:
    try:
        return percent(odds.at(stake).edge)
    except StakeError:
        return phrase("odds.list.not-taken")


def favoured_text(favoured: Favoured) -> str:
    """Stakes that rounding turns in the player's favour, in words; nothing where there are none."""
    text = ", ".join(money(stake) for stake in favoured.stakes)
    if not favoured.period:
        return text
    return phrase("odds.list.and-so-on", stakes=text, period=favoured.period)


def full_parts(odds: Odds) -> list[Part]:
    """Everything about one wager."""
    numbers, lengths = odds.figures, odds.lengths()
    half = lengths.quantile(Fraction(1, 2))
    most = lengths.quantile(Fraction(99, 100)) or phrase("odds.full.more-than", rolls=LISTED)
    spread = {"variance": _number(odds.variance), "deviation": f"{odds.deviation:.5f}"}
    rows = [
        (
            phrase("odds.full.chances"),
            phrase("odds.full.chances-are", win=odds.win, lose=odds.lose, push=odds.push),
        ),
        (phrase("odds.full.edge"), _both(odds.edge)),
        (phrase("odds.full.resolved"), _both(odds.edge_resolved)),
    ]
    if odds.spot.fee is not None:
        rows.append((phrase("odds.full.with-commission"), _both(odds.edge_with_commission)))
    nets = ", ".join(f"{net} ({percent(chance, 2)})" for net, chance in numbers.net.items())
    rows += [
        (phrase("odds.full.per-roll"), _both(odds.edge_per_roll)),
        (
            phrase("odds.full.rolls"),
            phrase("odds.full.rolls-are", rolls=_number(odds.rolls), half=half, most=most),
        ),
        (phrase("odds.full.variance"), phrase("odds.full.variance-is", **spread)),
        (phrase("odds.full.net"), nets),
    ]
    if isinstance(odds, WithOdds):
        key = "odds.full.units" if odds.allowed else "odds.full.units-not-taken"
        rows.append((phrase("odds.full.put-down"), say(key, {"units": _number(numbers.staked)})))
    rows += _by_default(odds.by_default)
    if odds.favoured.stakes:
        rows.append((phrase("odds.full.rounding"), favoured_text(odds.favoured)))
    rows.append((phrase("odds.full.clauses"), " ".join(braces(odds.cites))))
    return [
        Sentence(phrase("odds.full.whole", id=odds.id, name=odds.name, price=odds.price)),
        Facts(rows),
    ]


def _by_default(rule: ByDefault) -> list[tuple[str, str]]:
    if all(rule.works):
        return []
    sides = [
        phrase(
            f"odds.sleeps.{'works' if works else 'sleeps'}.{side}", cites=" ".join(braces(cites))
        ).rstrip()
        for side, works, cites in zip(("off", "on"), rule.works, rule.cites, strict=True)
    ]
    rows = [(phrase("odds.sleeps.rule"), "; ".join(sides))]
    if rule.returned_on:
        rows.append(("", phrase("odds.sleeps.handed-back-on", totals=rule.returned_on)))
    moments = {
        "made-off": rule.made_off,
        "made-on": rule.made_on,
        "called-on": rule.called_on,
    }
    rows += [
        ("", phrase(f"odds.sleeps.{moment}", figures=_moment(numbers)))
        for moment, numbers in moments.items()
        if numbers is not None
    ]
    return rows


def _moment(numbers: Figures) -> str:
    key = "odds.sleeps.moment-returned" if numbers.returned else "odds.sleeps.moment"
    figures = {
        "win": percent(numbers.win, 2),
        "returned": percent(numbers.returned, 2),
        "risk": f"{float(numbers.rolls):.3f}",
        "table": f"{float(numbers.rolls_at_table):.3f}",
    }
    return say(key, figures)


def _both(share: Fraction) -> str:
    return f"{share} = {percent(share, 4)}"


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} = {float(value):.5f}"


def compared_parts(layouts: Mapping[str, Layout], rows: Iterable[Compared]) -> list[Part]:
    """Houses side by side; the best price of each wager is marked, and the worst."""
    by_name = {row.name: row for row in rows}
    parts: list[Part] = [Sentence(phrase("odds.compared.note", best=BEST, worst=WORST))]
    parts += [
        Sentence(phrase("odds.compared.settings", house=house, settings=_settings(layout)))
        for house, layout in layouts.items()
        if layout.settings
    ]
    columns = [
        Column(phrase("odds.columns.wager")),
        *(Column(house, right=True) for house in layouts),
    ]
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
