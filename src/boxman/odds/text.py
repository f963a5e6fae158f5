"""Price lists as text: plain tables that any terminal, pipe or printer can take."""

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
from boxman.rules.layout import Layout
from boxman.rules.ledger import Cites

NARROW, ROOM_FOR_NAMES = 72, 110
BEST, WORST = "+", "-"


def percent(share: Fraction, places: int = 3) -> str:
    """
    >>> percent(Fraction(1, 66)), percent(Fraction(-1, 8), 1)
    ('1.515%', '-12.5%')
    """
    return f"{float(share * 100):.{places}f}%"


def braces(cites: Cites) -> list[str]:
    """Clauses as they are cited everywhere, one word each."""
    return [f"{{{cite}}}" for cite in cites]


class Column:
    """A column of a text table."""

    def __init__(self, heading: str, most: int = 40, right: bool = False) -> None:
        self.heading, self.most, self.right = heading, most, right


def table(columns: Sequence[Column], rows: Sequence[Sequence[str | list[str]]]) -> list[str]:
    """Lines of a table; a cell is text, or words that may be folded at the column's width."""
    folded = [
        [_fold(cell, column.most) for cell, column in zip(row, columns, strict=True)]
        for row in rows
    ]
    widths = [
        max([len(column.heading), *(len(line) for row in folded for line in row[n])])
        for n, column in enumerate(columns)
    ]
    lines = [
        _line([column.heading for column in columns], widths, columns),
        _line(["-" * width for width in widths], widths, columns),
    ]
    for row in folded:
        for depth in range(max(len(cell) for cell in row)):
            parts = [cell[depth] if depth < len(cell) else "" for cell in row]
            lines.append(_line(parts, widths, columns))
    return lines


def _fold(cell: str | list[str], most: int) -> list[str]:
    if isinstance(cell, str):
        return [cell]
    lines = [""]
    for word in cell:
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) <= most or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _line(parts: Sequence[str], widths: Sequence[int], columns: Sequence[Column]) -> str:
    padded = [
        part.rjust(width) if column.right else part.ljust(width)
        for part, width, column in zip(parts, widths, columns, strict=True)
    ]
    return "  ".join(padded).rstrip()


def price_list_text(
    layout: Layout, wagers: Sequence[Odds], stake: int = 0, width: int = 120
) -> str:
    """A price list as on the felt, with fractions, percentages and clauses."""
    by_name = {odds.id: odds for odds in wagers}
    named = width >= ROOM_FOR_NAMES
    columns = [Column("Wager", 24)]
    columns += [Column("Called here", 22)] if named else []
    columns += [Column("Pays", 18), Column("True odds"), Column("Win"), Column("Edge")]
    columns += [Column("%", right=True), Column("Rolls", right=True)]
    if stake:
        columns += [Column(f"Edge at {money(stake)}", right=True), Column("For the player", 20)]
    columns.append(Column("Clauses", max(24, width - (NARROW + 48 if named else NARROW))))
    lines = [f"{layout.title} ({layout.house}, {layout.edition})"]
    if layout.settings:
        lines.append(", ".join(f"{name} = {value}" for name, value in layout.settings.items()))
    for group, names in grouped(by_name).items():
        rows = []
        for odds in (by_name[name] for name in names):
            row: list[str | list[str]] = [odds.id.split(" ")]
            row += [odds.name.split(" ")] if named else []
            row += [
                odds.price.pays_text.split(" "),
                odds.price.true_text,
                str(odds.win),
                str(odds.edge),
                percent(odds.edge),
                f"{float(odds.rolls):.2f}",
            ]
            if stake:
                row += [_edge_at(odds, stake), favoured_text(odds.favoured, "").split(" ")]
            refused = [] if odds.allowed else ["not", "taken", "here:"]
            rows.append([*row, refused + braces(odds.cites)])
        lines += ["", group, *table(columns, rows)]
    return "\n".join(lines)


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


def full_text(odds: Odds) -> str:
    """Everything about one wager."""
    numbers, lengths = odds.figures, odds.lengths()
    half, most = lengths.quantile(Fraction(1, 2)), lengths.quantile(Fraction(99, 100))
    lines = [
        f"{odds.id}: {odds.name}, {odds.price}",
        f"  win {odds.win}, lose {odds.lose}, push {odds.push}",
        f"  edge per wager made      {_both(odds.edge)}",
        f"  edge per wager resolved  {_both(odds.edge_resolved)}",
    ]
    if odds.spot.fee is not None:
        lines.append(f"  edge with commission     {_both(odds.edge_with_commission)}")
    lines += [
        f"  edge per roll            {_both(odds.edge_per_roll)}",
        f"  rolls to decision        {_number(odds.rolls)}; "
        f"half are over by {half}, 99 in 100 by {most or 'more than 200'}",
        f"  variance                 {_number(odds.variance)}, "
        f"standard deviation {odds.deviation:.5f}",
        "  net                      "
        + ", ".join(f"{net} ({percent(chance, 2)})" for net, chance in numbers.net.items()),
    ]
    if isinstance(odds, WithOdds):
        over = "" if odds.allowed else "; this house would not take it"
        lines.append(f"  put down in all          {_number(numbers.staked)} units{over}")
    lines += _default_lines(odds.by_default)
    if odds.favoured.stakes:
        lines.append(f"  rounding favours         {favoured_text(odds.favoured)}")
    lines.append(f"  clauses                  {' '.join(braces(odds.cites))}")
    return "\n".join(lines)


def _default_lines(rule: ByDefault) -> list[str]:
    if all(rule.works):
        return []
    sides = [
        f"{'works' if works else 'sleeps'} with the puck {side} {' '.join(braces(cites))}".rstrip()
        for side, works, cites in zip(("off", "on"), rule.works, rule.cites, strict=True)
    ]
    lines = [f"  by the house's rule      {'; '.join(sides)}"]
    if rule.returned_on:
        lines.append(f"{'':27}handed back on {', '.join(map(str, rule.returned_on))} meanwhile")
    moments = {
        "made with the puck off": rule.made_off,
        "made on a new point": rule.made_on,
        "made off and called on": rule.called_on,
    }
    for words, numbers in moments.items():
        if numbers is not None:
            lines.append(f"{'':27}{words}: {_moment(numbers)}")
    return lines


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


def compared_text(layouts: Mapping[str, Layout], rows: Iterable[Compared]) -> str:
    """Houses side by side; the best price of each wager is marked, and the worst."""
    by_name = {row.name: row for row in rows}
    columns = [Column("Wager", 24), *(Column(house, right=True) for house in layouts)]
    lines = [
        "House edge per wager made. "
        f"{BEST} the best price of a wager, {WORST} the worst; no mark where all are alike."
    ]
    for house, layout in layouts.items():
        if layout.settings:
            chosen = ", ".join(f"{name} = {value}" for name, value in layout.settings.items())
            lines.append(f"{house}: {chosen}")
    for group, names in grouped(by_name).items():
        cells = []
        for row in (by_name[name] for name in names):
            line = [row.name]
            for house in layouts:
                edge = row.edge(house)
                mark = BEST if house in row.best else WORST if house in row.worst else " "
                line.append("" if edge is None else f"{edge} {percent(edge)} {mark}")
            cells.append(line)
        lines += ["", group, *table(columns, cells)]
    return "\n".join(lines)
