"""The report of a house as one HTML page: price list, comparison, pictures, clauses.

Every figure stands beside the clauses it rests on, and every clause that is cited is told in our
own words at the end. How a page looks is the business of the report kit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from boxman.odds.compare import Compared, compare, side_by_side
from boxman.odds.felt import family_of, grouped, heading
from boxman.odds.hand import HandLength
from boxman.odds.quote import MOST_ODDS, Odds, WithOdds, price_list
from boxman.odds.text import braces, favoured_text, percent
from boxman.report.charts import Bar, Dots, bars, curves, dots, extent, figure
from boxman.report.page import Markup, Section, code, escape, page, paragraph, table, terms
from boxman.report.parts import Column, Grid, grid
from boxman.rules.book import Book, read_book
from boxman.rules.layout import Layout
from boxman.rules.ledger import Cites
from boxman.words import phrase

CURVE = 60
"""Rolls shown of the length of a hand."""
MILESTONES = (10, 20, 30, 50, 75, 100, 154)
LONG = 12
"""Letters of a fraction that is broken at its stroke."""
SEVERAL = 3
"""Names after the first that are still written out."""
FIGURES = (
    *("win", "push", "edge", "edge-percent", "resolved", "with-commission"),
    *("per-roll", "rolls", "deviation"),
)
MEANINGS = ("edge", "resolved", "with-commission", "rolls", "true", "win")


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
        short_titles(layouts),
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
        titles: Mapping[str, str],
    ) -> str:
        """The whole page; houses are called by their titles."""
        layout = self.layout
        about = phrase(
            "odds.report.about",
            house=layout.house,
            edition=layout.edition,
            chip=layout.chip,
            settings="; ".join(_settings(layout)) or phrase("odds.report.no-settings"),
        )
        proof = phrase("odds.report.proof", digest=layout.digest[:16])
        meanings = [
            (phrase(f"odds.meanings.{each}"), phrase(f"odds.meanings.{each}-is"))
            for each in MEANINGS
        ]
        sections = [
            Section(phrase("odds.report.price-list"), self.price_list(wagers)),
            Section(phrase("odds.report.edges"), self.edges(wagers)),
            Section(phrase("odds.report.with-odds"), self.price_list(together)),
            Section(phrase("odds.report.side-by-side"), self.comparison(compared, titles)),
            Section(phrase("odds.report.hand"), self.hand(hands, titles)),
            Section(phrase("odds.report.sleepers"), self.sleepers(wagers)),
            Section(phrase("odds.report.rounding"), self.rounding(wagers)),
            Section(phrase("odds.report.meanings"), terms(meanings)),
            Section(phrase("odds.report.clauses"), self.clauses()),
        ]
        title = phrase("odds.report.title", title=layout.title)
        return page(title, (about, proof), [each for each in sections if each.body])

    def price_list(self, wagers: Sequence[Odds]) -> str:
        by_name = {odds.id: odds for odds in wagers}
        columns = [Column(phrase(f"odds.columns.{each}")) for each in ("wager", "pays", "true")]
        columns += [Column(phrase(f"odds.columns.{each}"), right=True) for each in FIGURES]
        columns.append(Column(phrase("odds.columns.clauses")))
        rows = {
            group: [self._priced(by_name[name]) for name in names]
            for group, names in grouped(by_name).items()
        }
        return table(Grid("", columns, rows))

    def _priced(self, odds: Odds) -> list[str]:
        return [
            Markup(f'<span id="{_anchor(odds.id)}">{_named(odds)}</span>'),
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
        """The bars of every heading, on one scale."""
        note = paragraph(phrase("odds.report.edges-note"))
        link = {odds.id: f"#{_anchor(odds.id)}" for odds in wagers}
        drawn = "".join(edge_bars(wagers, link).values())
        return f'{note}<div class="many">{drawn}</div>'

    def comparison(self, compared: Sequence[Compared], titles: Mapping[str, str]) -> str:
        by_name = {row.name: row for row in compared}
        first = next(iter(titles))
        rows = {
            group: [
                [
                    _named(by_name[name].odds.get(first) or _any(by_name[name])),
                    *(self._compared(by_name[name], house) for house in titles),
                ]
                for name in names
            ]
            for group, names in grouped(by_name).items()
        }
        note = paragraph(phrase("odds.compared.page-note"))
        columns = [
            Column(phrase("odds.columns.wager")),
            *(Column(title, right=True) for title in titles.values()),
        ]
        drawn = "".join(edges_beside(compared, titles, first).values())
        return f'{note}<div class="many">{drawn}</div>{table(Grid("", columns, rows))}'

    def _compared(self, row: Compared, house: str) -> Markup:
        edge = row.edge(house)
        if edge is None:
            return Markup(f'<span class="none">{phrase("odds.compared.not-offered")}</span>')
        cites = f"<small>{escape(' '.join(braces(row.odds[house].cites)))}</small>"
        text = percent(edge)
        if house in row.best:
            return Markup(f"<b>{phrase('odds.compared.best', edge=text)}</b>{cites}")
        if house in row.worst:
            return Markup(f"<i>{phrase('odds.compared.worst', edge=text)}</i>{cites}")
        return Markup(f"{text}{cites}")

    def hand(self, hands: Mapping[str, HandLength], titles: Mapping[str, str]) -> str:
        own = HandLength(self.layout)
        alike: dict[Fraction, list[str]] = {}
        for house, hand in hands.items():
            alike.setdefault(hand.mean, []).append(house)
        drawn = curves(
            phrase("odds.report.lengths"),
            phrase("odds.report.lengths-note", most=CURVE - 1),
            {
                ", ".join(titles[name] for name in names): [
                    (n, float(hands[names[0]].at_least(n))) for n in range(1, CURVE)
                ]
                for names in alike.values()
            },
            phrase("odds.report.rolls"),
            phrase("odds.report.at-least"),
        )
        words = phrase(
            "odds.report.hand-note",
            mean=own.mean,
            about=f"{float(own.mean):.4f}",
            deviation=f"{own.deviation:.4f}",
            median=own.median,
        )
        facts = f"<p>{escape(words)} {self.cite(own.cites)}</p>"
        rows = [(str(n), percent(own.at_least(n), 8), _one_in(own.at_least(n))) for n in MILESTONES]
        columns = [phrase(f"odds.columns.{each}") for each in ("rolls-or-more", "chance", "one-in")]
        return facts + drawn + table(grid(phrase("odds.report.long-hands"), columns, rows))

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
            rows.append([_named(odds), *moments, back, self.cite(rule.cites[0])])
        if not rows:
            return ""
        columns = [Column(phrase("odds.columns.wager"))]
        for each in ("made-off", "made-on", "called-on"):
            moment = phrase(f"odds.moments.{each}")
            columns += [
                Column(phrase("odds.columns.moment-rolls", moment=moment), right=True),
                Column(phrase("odds.columns.handed-back"), right=True),
            ]
        columns += [Column(phrase("odds.columns.handed-back-on"))]
        columns += [Column(phrase("odds.columns.clauses"))]
        note = paragraph(phrase("odds.report.sleepers-note"))
        return note + table(Grid("", columns, {"": rows}))

    def rounding(self, wagers: Sequence[Odds]) -> str:
        rule = self.layout.round_win
        words = phrase("odds.report.rounding-note", chip=self.layout.chip, way=rule.value)
        note = f"<p>{escape(words)} {self.cite(rule.cites)}</p>"
        rows = [
            (_named(odds), favoured_text(odds.favoured), self.cite(odds.cites))
            for odds in wagers
            if odds.favoured.stakes
        ]
        if not rows:
            return note + paragraph(phrase("odds.report.none-favoured"))
        columns = [
            Column(phrase(f"odds.columns.{each}"))
            for each in ("wager", "favoured-stakes", "clauses")
        ]
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
    return f"{round(1 / chance):,}" if chance else phrase("odds.report.never")


def together(names: Sequence[str]) -> str:
    """Names of wagers of one kind in one: what they have in common once.

    >>> together(["Place Bet to Win 4", "Place Bet to Win 10"]), together(["Two", "Twelve"])
    ('Place Bet to Win 4, 10', 'Two, Twelve')
    >>> together([f"Odds ({number})" for number in (4, 5, 6, 8, 9, 10)])
    'Odds (4–10)'
    """
    words = [name.split() for name in names]
    same = 0
    while same < min(map(len, words)) - 1 and len({each[same] for each in words}) == 1:
        same += 1
    tails = [" ".join(each[same:]) for each in words[1:]]
    if len(tails) > SEVERAL and same:
        return f"{names[0]}–{tails[-1]}".replace(")–(", "–")
    return ", ".join([names[0], *tails])


def short_titles(layouts: Mapping[str, Layout]) -> dict[str, str]:
    """Houses as columns are headed; two that are called alike with the names they are asked by."""
    titles = {name: layout.title.partition(":")[0] for name, layout in layouts.items()}
    alike = list(titles.values())
    return {
        name: f"{title} ({name})" if alike.count(title) > 1 else title
        for name, title in titles.items()
    }


def _any(row: Compared) -> Odds:
    return next(iter(row.odds.values()))


def _named(odds: Odds) -> Markup:
    """A wager as the house calls it, and below how the command line does."""
    return Markup(f"{escape(odds.name)}<small>{code(odds.id)}</small>")


def _settings(layout: Layout) -> list[str]:
    """What the house chose, in words."""
    found = []
    for name, value in layout.settings.items():
        label = layout.setting_rules[name].text.partition(": ")[0]
        if isinstance(value, bool):
            value = phrase("odds.report.yes") if value else phrase("odds.report.no")
        found.append(f"{label}: {value}")
    return found


def edge_bars(wagers: Sequence[Odds], links: Mapping[str, str] | None = None) -> dict[str, Markup]:
    """By heading the edges of its wagers, all on one scale: one bar for wagers of one family that
    cost the same."""
    alike: dict[tuple[str, Fraction], list[Odds]] = {}
    for odds in wagers:
        # A travelled wager is one half way: it cannot be made, so it has no price of its own.
        if odds.spot.windows["make"].value != "never":
            alike.setdefault((family_of(odds.id), odds.edge), []).append(odds)
    groups: dict[str, list[Bar]] = {}
    for (_, edge), same in alike.items():
        bar = Bar(
            together([odds.name for odds in same]),
            float(edge),
            f"{edge} = {percent(edge, 2)}" if edge.denominator < 10**6 else percent(edge, 2),
            f"{same[0].name}: {' '.join(braces(same[0].cites))}",
            (links or {}).get(same[0].id, ""),
        )
        groups.setdefault(heading(same[0]), []).append(bar)
    scale = extent(bar.value for rows in groups.values() for bar in rows)
    per_wager = phrase("odds.report.edge-per-wager")
    return {
        group: figure(
            group, bars(phrase("odds.report.edges-of", group=group), per_wager, rows, scale)
        )
        for group, rows in groups.items()
    }


def edges_beside(
    compared: Sequence[Compared], titles: Mapping[str, str], first: str
) -> dict[str, Markup]:
    """By heading the edges of its wagers in all houses, a mark for each; wagers are called as the
    first house calls them, or else whoever has them. What has no edge anywhere is left out."""
    groups: dict[str, list[Dots]] = {}
    for row in compared:
        edges = [row.edge(house) for house in titles]
        known = [edge for edge in edges if edge is not None]
        called = row.odds.get(first) or _any(row)
        if any(known) and called.spot.windows["make"].value != "never":
            ends = dict.fromkeys(percent(edge, 2) for edge in (min(known), max(known)))
            values = [None if edge is None else round(float(edge) * 100, 4) for edge in edges]
            groups.setdefault(heading(row), []).append(Dots(called.name, values, " – ".join(ends)))
    words = phrase("odds.report.edge-per-wager")
    return {
        group: dots(group, words, list(titles.values()), rows) for group, rows in groups.items()
    }
