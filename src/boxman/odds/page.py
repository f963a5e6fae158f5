"""The report of a house as one HTML page: price list, comparison, pictures, clauses.

Every figure stands beside the clauses it rests on, and every clause that is cited is told in our
own words at the end. How a page looks is the business of the report kit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from boxman.chips import format_amount as money
from boxman.odds.compare import Compared, compare, side_by_side
from boxman.odds.felt import family_of, grouped
from boxman.odds.hand import HandLength
from boxman.odds.quote import MOST_ODDS, Odds, WithOdds, price_list
from boxman.odds.text import braces, favoured_text, percent
from boxman.report.charts import Bar, bars, curves, extent, figure
from boxman.report.page import Markup, Section, code, escape, page, paragraph, table, terms
from boxman.report.parts import Column, Grid, grid
from boxman.rules.book import Book, read_book
from boxman.rules.layout import Layout
from boxman.rules.ledger import Cites

CURVE = 60
"""Rolls shown of the length of a hand."""
MILESTONES = (10, 20, 30, 50, 75, 100, 154)
LONG = 12
"""Letters of a fraction that is broken at its stroke."""
FIGURES = (
    *("Win", "Push", "Edge", "Edge %", "Resolved %", "With commission %"),
    *("Per roll %", "Rolls", "SD"),
)

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


def report_page(house: str, given: Mapping[str, object], chip: int) -> str:
    """The page of one house, compared with all that come with Boxman."""
    layouts = side_by_side(house, given, chip)
    first, layout = next(iter(layouts.items()))
    lists = {name: price_list(each) for name, each in layouts.items()}
    flats = [spot for spot in layout.spots.values() if spot.shape.flat]
    behind = {spot.behind.flat for spot in layout.spots.values() if spot.behind is not None}
    taking = [spot.id for spot in flats if any(f.startswith(spot.id) for f in behind)]
    return HouseReport(layout, read_book(house)).render(
        list(lists[first].values()),
        [WithOdds(layout, flat, MOST_ODDS) for flat in taking],
        compare(lists),
        {name: HandLength(each) for name, each in layouts.items()},
    )


class HouseReport:
    """One report under construction: remembers the clauses it cites."""

    def __init__(self, layout: Layout, book: Book) -> None:
        self.layout, self.book = layout, book
        self.cited: dict[str, int] = {}

    def cite(self, cites: Cites) -> Markup:
        """Clauses as links to their words at the end of the page."""
        links = []
        for cite in cites:
            number = self.cited.setdefault(cite, len(self.cited) + 1)
            links.append(f'<a href="#c{number}">{{{escape(cite)}}}</a>')
        return Markup(f'<span class="clauses-cited">{" ".join(links)}</span>')

    def render(
        self,
        wagers: Sequence[Odds],
        together: Sequence[Odds],
        compared: Sequence[Compared],
        hands: Mapping[str, HandLength],
    ) -> str:
        """The whole page."""
        layout = self.layout
        settings = ", ".join(f"{name} = {value}" for name, value in layout.settings.items())
        about = (
            f"House {layout.house}, edition {layout.edition}; smallest chip {money(layout.chip)}. "
            f"Settings: {settings or 'none'}."
        )
        proof = (
            "Every figure is worked out in exact fractions from the rulebook "
            f"(SHA-256 {layout.digest[:16]}) that also settles the live table."
        )
        sections = [
            Section("Price list", self.price_list(wagers)),
            Section("House edges", self.edges(wagers)),
            Section("Flat wagers with all the odds the house allows", self.price_list(together)),
            Section("All houses side by side", self.comparison(compared, list(hands))),
            Section("The shooter's hand", self.hand(hands)),
            Section("Wagers that sleep", self.sleepers(wagers)),
            Section("Rounding", self.rounding(wagers)),
            Section("What the figures mean", terms(DEFINITIONS)),
            Section("The clauses cited", self.clauses()),
        ]
        title = f"{layout.title}: exact odds"
        return page(title, (about, proof), [each for each in sections if each.body])

    def price_list(self, wagers: Sequence[Odds]) -> str:
        by_name = {odds.id: odds for odds in wagers}
        columns = [Column("Wager, and its name here"), Column("Pays"), Column("True odds")]
        columns += [Column(heading, right=True) for heading in FIGURES]
        columns.append(Column("Clauses"))
        rows = {
            group: [self._priced(by_name[name]) for name in names]
            for group, names in grouped(by_name).items()
        }
        return table(Grid("", columns, rows))

    def _priced(self, odds: Odds) -> list[str]:
        return [
            Markup(
                f'<code id="{_anchor(odds.id)}">{escape(odds.id)}</code>'
                f"<small>{escape(odds.name)}</small>"
            ),
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

    def edges(self, wagers: Sequence[Odds]) -> str:
        """One bar for wagers of one family that cost the same."""
        alike: dict[tuple[str, Fraction], list[Odds]] = {}
        for odds in wagers:
            # A travelled wager is one half way: it cannot be made, so it has no price of its own.
            if odds.spot.windows["make"].value != "never":
                alike.setdefault((family_of(odds.id), odds.edge), []).append(odds)
        groups: dict[str, list[Bar]] = {}
        for (_, edge), same in alike.items():
            bar = Bar(
                _together([odds.id for odds in same]),
                float(edge),
                f"{edge} = {percent(edge, 2)}" if edge.denominator < 10**6 else percent(edge, 2),
                f"{same[0].name}: {' '.join(braces(same[0].cites))}",
                f"#{_anchor(same[0].id)}",
            )
            groups.setdefault(same[0].heading, []).append(bar)
        scale = extent(bar.value for rows in groups.values() for bar in rows)
        drawn = "".join(
            figure(
                group,
                bars(f"House edges: {group}", "House edge per wager made.", rows, scale),
            )
            for group, rows in groups.items()
        )
        note = paragraph(
            "House edge per wager made, as on the felt, all bars on one scale. Wagers of one kind "
            "that cost the same share a bar; those that only travel to their number have none. "
            "Each bar leads to its line in the price list, where its clauses are."
        )
        return f'{note}<div class="many">{drawn}</div>'

    def comparison(self, compared: Sequence[Compared], houses: Sequence[str]) -> str:
        by_name = {row.name: row for row in compared}
        rows = {
            group: [
                [code(name), *(self._compared(by_name[name], house) for house in houses)]
                for name in names
            ]
            for group, names in grouped(by_name).items()
        }
        note = (
            "<p>House edge per wager made. <b>▲ best</b> and <i>▼ worst</i> price of a wager; no "
            "mark where all are alike. Clauses of other houses are those of their own books.</p>"
        )
        columns = [Column("Wager"), *(Column(house, right=True) for house in houses)]
        return note + table(Grid("", columns, rows))

    def _compared(self, row: Compared, house: str) -> Markup:
        edge = row.edge(house)
        if edge is None:
            return Markup('<span class="none">not offered</span>')
        cites = f"<small>{escape(' '.join(braces(row.odds[house].cites)))}</small>"
        text = percent(edge)
        if house in row.best:
            return Markup(f"<b>▲ best {text}</b>{cites}")
        return Markup(f"<i>▼ worst {text}</i>{cites}" if house in row.worst else f"{text}{cites}")

    def hand(self, hands: Mapping[str, HandLength]) -> str:
        own = HandLength(self.layout)
        alike: dict[Fraction, list[str]] = {}
        for house, hand in hands.items():
            alike.setdefault(hand.mean, []).append(house)
        drawn = curves(
            "Length of a hand",
            f"The chance that a hand lasts at least so many rolls, up to {CURVE - 1}.",
            {
                ", ".join(names): [(n, float(hands[names[0]].at_least(n))) for n in range(1, CURVE)]
                for names in alike.values()
            },
            "rolls",
            "chance of at least so many",
        )
        facts = (
            f"<p>A hand lasts {own.mean} = {float(own.mean):.4f} rolls on average, standard "
            f"deviation {own.deviation:.4f}; half of all hands are over by roll {own.median}. "
            f"{self.cite(own.cites)}</p>"
        )
        rows = [(str(n), percent(own.at_least(n), 8), _one_in(own.at_least(n))) for n in MILESTONES]
        return (
            facts + drawn + table(grid("Long hands", ("Rolls or more", "Chance", "One in"), rows))
        )

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
            rows.append([code(odds.id), *moments, back, self.cite(rule.cites[0])])
        if not rows:
            return ""
        columns = [Column("Wager")]
        for moment in ("Made off", "Made on a new point", "Made off, called on"):
            columns += [Column(f"{moment}: rolls", right=True), Column("handed back", right=True)]
        columns += [Column("Handed back on"), Column("Clauses")]
        note = paragraph(
            "These wagers sleep with the puck off unless called on. Rolls are all rolls at the "
            "table until the wager is over."
        )
        return note + table(Grid("", columns, {"": rows}))

    def rounding(self, wagers: Sequence[Odds]) -> str:
        rule = self.layout.round_win
        note = (
            f"<p>Wins that chips of {money(self.layout.chip)} cannot pay are rounded: "
            f"<b>{escape(rule.value)}</b> {self.cite(rule.cites)}.</p>"
        )
        rows = [
            (code(odds.id), favoured_text(odds.favoured), self.cite(odds.cites))
            for odds in wagers
            if odds.favoured.stakes
        ]
        if not rows:
            return note + paragraph("No stake is turned in the player's favour.")
        heading = "Stakes that rounding turns in the player's favour"
        columns = (Column("Wager"), Column(heading), Column("Clauses"))
        return note + table(Grid("", columns, {"": rows}))

    def clauses(self) -> str:
        items = []
        for cite, number in self.cited.items():
            clause = self.book.clauses.get(cite)
            words = f"{clause.title}. {clause.text}" if clause else ""
            items.append((Markup(f'<span id="c{number}">{{{escape(cite)}}}</span>'), words))
        return terms(items, "clauses")


def _anchor(name: str) -> str:
    return f"wager-{escape(name).replace(' ', '-')}"


def fraction(value: Fraction) -> str:
    """A fraction; a long one may be broken at its stroke."""
    if len(str(value)) < LONG:
        return str(value)
    return Markup(f'<span class="long">{str(value).replace("/", "/<wbr>")}</span>')


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
