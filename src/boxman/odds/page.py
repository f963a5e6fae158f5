"""The report of a house as one HTML page: price list, comparison, pictures, clauses.

The page holds everything it shows: its style and its pictures are in it, it runs no script and
fetches nothing. Every figure stands beside the clauses it rests on, and every clause that is cited
is told in our own words at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from boxman.chips import format_amount as money
from boxman.odds.chart import Bar, Curve, bars, curves, escape
from boxman.odds.compare import Compared
from boxman.odds.felt import family_of, grouped
from boxman.odds.hand import Hand
from boxman.odds.quote import Odds
from boxman.odds.style import STYLE
from boxman.odds.text import braces, favoured_text, percent
from boxman.rules.book import Book
from boxman.rules.layout import Layout
from boxman.rules.ledger import Cites

CURVE = 60
"""Rolls shown of the length of a hand."""
MILESTONES = (10, 20, 30, 50, 75, 100, 154)

DEFINITIONS = (
    (
        "Edge",
        "what the wager loses on average, commission included, per unit of stake; above zero "
        "it favours the house. A bar ends the wager as a push.",
    ),
    ("Resolved", "the same for a wager that is left up through every bar until it is decided."),
    ("With commission", "the same loss per unit of stake and commission together."),
    (
        "Rolls",
        "the expected number of rolls on which the wager works until it is decided. Wagers "
        "that sleep are quoted as always working; what the house does by itself has its own table.",
    ),
    ("True odds", "chances to lose for each chance to win; a price below them is the edge."),
    ("Win, push", "by the sign of the net of the whole wager."),
)


class Page:
    """One report under construction: remembers the clauses it cites."""

    def __init__(self, layout: Layout, book: Book) -> None:
        self.layout, self.book = layout, book
        self.cited: dict[str, int] = {}

    def cite(self, cites: Cites) -> str:
        """Clauses as links to their words at the end of the page."""
        links = []
        for cite in cites:
            number = self.cited.setdefault(cite, len(self.cited) + 1)
            links.append(f'<a href="#c{number}">{{{escape(cite)}}}</a>')
        return " ".join(links)

    def render(
        self,
        wagers: Sequence[Odds],
        together: Sequence[Odds],
        compared: Sequence[Compared],
        hands: Mapping[str, Hand],
    ) -> str:
        """The whole page."""
        layout = self.layout
        sections = [
            self.head(),
            self.price_list("Price list", wagers),
            self.edges(wagers),
            self.price_list("Flat wagers with all the odds the house allows", together),
            self.comparison(compared, list(hands)),
            self.hand(hands),
            self.sleepers(wagers),
            self.rounding(wagers),
            self.definitions(),
            self.clauses(),
        ]
        title = f"{escape(layout.title)}: exact odds"
        return (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{title}</title><style>{STYLE}</style></head>\n"
            f"<body><main><h1>{title}</h1>\n{''.join(sections)}</main></body></html>\n"
        )

    def head(self) -> str:
        layout = self.layout
        settings = ", ".join(f"{name} = {value}" for name, value in layout.settings.items())
        return (
            f"<p>House <code>{escape(layout.house)}</code>, edition {escape(layout.edition)}; "
            f"smallest chip {money(layout.chip)}. Settings: {escape(settings) or 'none'}.</p>"
            f"<p>Every figure is worked out in exact fractions from the rulebook "
            f"(SHA-256 <code>{layout.digest[:16]}</code>) that also settles the live table.</p>\n"
        )

    def price_list(self, title: str, wagers: Sequence[Odds]) -> str:
        by_name = {odds.id: odds for odds in wagers}
        headings = (
            "Wager",
            "Called here",
            "Pays",
            "True odds",
            "Win",
            "Push",
            "Edge",
            "Edge %",
            "Resolved %",
            "With commission %",
            "Per roll %",
            "Rolls",
            "SD",
            "Clauses",
        )
        rows = []
        for group, names in grouped(by_name).items():
            rows.append(f'<tr class="group"><th colspan="{len(headings)}">{group}</th></tr>')
            for odds in (by_name[name] for name in names):
                cells = [
                    escape(odds.name),
                    odds.price.pays_text,
                    odds.price.true_text,
                    fraction(odds.win),
                    fraction(odds.push),
                    fraction(odds.edge),
                    percent(odds.edge),
                    percent(odds.edge_resolved),
                    percent(odds.edge_with_commission),
                    percent(odds.edge_per_roll),
                    f"{float(odds.rolls):.3f}",
                    f"{odds.deviation:.3f}",
                    self.cite(odds.cites),
                ]
                name = f'<code id="{_anchor(odds.id)}">{escape(odds.id)}</code>'
                rows.append(_row(name, cells))
        return _section(title, _table(title, headings, rows))

    def edges(self, wagers: Sequence[Odds]) -> str:
        """One bar for wagers of one family that cost the same."""
        alike: dict[tuple[str, Fraction], list[Odds]] = {}
        for odds in wagers:
            # A travelled wager is one half way: it cannot be made, so it has no price of its own.
            if odds.spot.windows["make"].value != "never":
                alike.setdefault((family_of(odds.id), odds.edge), []).append(odds)
        rows = [
            Bar(
                _together([odds.id for odds in same]),
                float(edge),
                f"{edge} = {percent(edge, 2)}" if edge.denominator < 10**6 else percent(edge, 2),
                f"{same[0].name}: {' '.join(braces(same[0].cites))}",
                f"#{_anchor(same[0].id)}",
            )
            for (_, edge), same in alike.items()
        ]
        words = "House edge per wager made, as on the felt; the figures are in the price list."
        note = (
            "<p>Wagers of one kind that cost the same share a bar; those that only travel to "
            "their number have none. Each bar leads to its line in the price list, where its "
            "clauses are.</p>"
        )
        return _section("Edges", f"<figure>{bars('House edges', words, rows)}</figure>{note}")

    def comparison(self, compared: Sequence[Compared], houses: Sequence[str]) -> str:
        rows = []
        by_name = {row.name: row for row in compared}
        for group, names in grouped(by_name).items():
            rows.append(f'<tr class="group"><th colspan="{len(houses) + 1}">{group}</th></tr>')
            for row in (by_name[name] for name in names):
                cells = [self._compared(row, house) for house in houses]
                rows.append(_row(f"<code>{escape(row.name)}</code>", cells))
        note = (
            "<p>House edge per wager made. <b>▲ best</b> and <i>▼ worst</i> price of a wager; no "
            "mark where all are alike. Clauses of other houses are those of their own books.</p>"
        )
        table = _table("House edges of all houses", ("Wager", *map(escape, houses)), rows)
        return _section("All houses side by side", note + table)

    def _compared(self, row: Compared, house: str) -> str:
        edge = row.edge(house)
        if edge is None:
            return '<span class="none">not offered</span>'
        cites = f"<small>{escape(' '.join(braces(row.odds[house].cites)))}</small>"
        text = percent(edge)
        if house in row.best:
            return f"<b>{text} ▲ best</b>{cites}"
        return f"<i>{text} ▼ worst</i>{cites}" if house in row.worst else f"{text}{cites}"

    def hand(self, hands: Mapping[str, Hand]) -> str:
        own = Hand(self.layout)
        alike: dict[Fraction, list[str]] = {}
        for house, hand in hands.items():
            alike.setdefault(hand.mean, []).append(house)
        lines = [
            Curve(", ".join(names), [float(hands[names[0]].at_least(n)) for n in range(1, CURVE)])
            for names in alike.values()
        ]
        picture = curves(
            "Length of a hand",
            f"The chance that a hand lasts at least so many rolls, up to {CURVE - 1}.",
            lines,
            "rolls",
            "chance of at least so many",
        )
        facts = (
            f"<p>A hand lasts {own.mean} = {float(own.mean):.4f} rolls on average, standard "
            f"deviation {own.deviation:.4f}; half of all hands are over by roll {own.median}. "
            f"{self.cite(own.cites)}</p>"
        )
        rows = [
            _row(str(n), [percent(own.at_least(n), 8), _one_in(own.at_least(n))])
            for n in MILESTONES
        ]
        table = _table("Long hands", ("Rolls or more", "Chance", "One in"), rows)
        return _section("The shooter's hand", f"{facts}<figure>{picture}</figure>{table}")

    def sleepers(self, wagers: Sequence[Odds]) -> str:
        rows = []
        for odds in wagers:
            rule = odds.by_default
            if all(rule.works):
                continue
            moments = []
            for numbers in (rule.made_off, rule.made_on, rule.called_on):
                if numbers is None:
                    moments += ["", ""]
                    continue
                moments += [f"{float(numbers.rolls_at_table):.3f}", percent(numbers.returned, 2)]
            back = ", ".join(map(str, rule.returned_on))
            cells = [*moments, back, self.cite(rule.cites[0])]
            rows.append(_row(f"<code>{escape(odds.id)}</code>", cells))
        if not rows:
            return ""
        headings = (
            "Wager",
            "Made off: rolls",
            "handed back",
            "Made on a new point: rolls",
            "handed back",
            "Made off, called on: rolls",
            "handed back",
            "Handed back on",
            "Clauses",
        )
        note = (
            "<p>These wagers sleep with the puck off unless called on. Rolls are all rolls at the "
            "table until the wager is over.</p>"
        )
        return _section("Wagers that sleep", note + _table("Sleeping", headings, rows))

    def rounding(self, wagers: Sequence[Odds]) -> str:
        rule = self.layout.round_win
        chip = money(self.layout.chip)
        note = (
            f"<p>Wins that chips of {chip} cannot pay are rounded: <b>{escape(rule.value)}</b> "
            f"{self.cite(rule.cites)}.</p>"
        )
        rows = [
            _row(
                f"<code>{escape(odds.id)}</code>",
                [favoured_text(odds.favoured), self.cite(odds.cites)],
            )
            for odds in wagers
            if odds.favoured.stakes
        ]
        if not rows:
            return _section("Rounding", note + "<p>No stake is turned in the player's favour.</p>")
        headings = ("Wager", "Stakes that rounding turns in the player's favour", "Clauses")
        return _section("Rounding", note + _table("Rounding", headings, rows))

    def definitions(self) -> str:
        items = "".join(f"<dt>{term}</dt><dd>{words}</dd>" for term, words in DEFINITIONS)
        return _section("What the figures mean", f"<dl>{items}</dl>")

    def clauses(self) -> str:
        items = []
        for cite, number in self.cited.items():
            clause = self.book.clauses.get(cite)
            words = f"{escape(clause.title)}. {escape(clause.text)}" if clause else ""
            items.append(f'<dt id="c{number}">{{{escape(cite)}}}</dt><dd>{words}</dd>')
        return _section("The clauses cited", f'<dl class="clauses">{"".join(items)}</dl>')


def _anchor(name: str) -> str:
    return f"wager-{escape(name).replace(' ', '-')}"


def fraction(value: Fraction) -> str:
    """A fraction that may be broken at its stroke."""
    return str(value).replace("/", "/<wbr>")


def _one_in(chance: Fraction) -> str:
    return f"{round(1 / chance):,}" if chance else "never"


def _together(names: Sequence[str]) -> str:
    """
    >>> _together(["place.4", "place.10"])
    'place 4, 10'
    """
    if len(names) == 1:
        return names[0]
    stem = names[0].rpartition(".")[0]
    return f"{stem} {', '.join(name.rpartition('.')[2] for name in names)}"


def _row(head: str, cells: Sequence[str]) -> str:
    return f'<tr><th scope="row">{head}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def _table(title: str, headings: Sequence[str], rows: Sequence[str]) -> str:
    head = "".join(f'<th scope="col">{heading}</th>' for heading in headings)
    return (
        f'<div class="wide"><table><caption>{escape(title)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _section(title: str, body: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{body}</section>\n"
