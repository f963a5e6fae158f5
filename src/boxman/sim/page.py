"""A run of sessions as one HTML page that holds everything it shows: no script, nothing fetched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boxman.chips import MINOR
from boxman.odds.chart import escape
from boxman.odds.style import STYLE
from boxman.sim.charts import Interval, Line, bins, curves, fan, histogram, intervals
from boxman.sim.exact import Solved
from boxman.sim.results import Comparison, Result
from boxman.sim.words import about, comparison, shares_of, summary
from boxman.strategy.session import Session

MORE = ".fan { fill: var(--felt); fill-opacity: 0.18; stroke: none; } pre { overflow-x: auto; } "
MORE += "figure { overflow-x: auto; } figure svg { min-width: 34rem; } "
MORE += "figcaption { font-weight: 600; margin: 1.2rem 0 0.4rem; }"
Fan = Mapping[str, Line]
"""Percentiles of the worth by roll, in currency units, from the lowest to the highest."""


def result_page(result: Result, spread: Fan) -> str:
    """One strategy: histogram, fan of bankrolls, survival, all figures in words."""
    session = result.session
    sections = [
        _figure(
            histogram(
                "Results of a session",
                f"The nets of {result.sessions:,} sessions; mean {result.mean / MINOR:,.2f}.",
                bins(shares_of(result), MINOR),
                "net of a session",
            )
        ),
        _figure(_fan(spread)),
        _figure(
            curves(
                "Still in the game",
                "The share of sessions that are not broke, by roll.",
                {result.strategy: _survival(result)},
                "rolls",
                "not broke",
            )
        ),
        f"<h2>Figures</h2><pre>{escape(summary(result))}</pre>",
    ]
    return _page(f"{result.strategy} at {session.house}", about(session), sections)


def comparison_page(compared: Comparison, spreads: Mapping[str, Fan]) -> str:
    """Several strategies on the same dice."""
    first = compared.results[0]
    rows = [
        Interval(f"{pair.one} - {pair.other}", pair.mean / MINOR, *_scaled(pair.interval))
        for pair in compared.pairs
    ]
    sections = [
        _figure(
            intervals(
                "Differences on the same dice",
                "The mean difference of two strategies' nets, with its 95% interval.",
                rows,
                "difference of the net of a session",
            )
        ),
        _figure(
            curves(
                "Still in the game",
                "The share of sessions that are not broke, by roll, for each strategy.",
                {result.strategy: _survival(result) for result in compared.results},
                "rolls",
                "not broke",
            )
        ),
    ]
    for result in compared.results:
        title = f"Results of {result.strategy}"
        words = f"The nets of {result.sessions:,} sessions of {result.strategy}."
        picture = histogram(title, words, bins(shares_of(result), MINOR), "net of a session")
        sections.append(f"<h2>{escape(result.strategy)}</h2>{_figure(picture)}")
        if result.strategy in spreads:
            sections.append(_figure(_fan(spreads[result.strategy], result.strategy)))
    sections.append(f"<h2>Figures</h2><pre>{escape(comparison(compared))}</pre>")
    names = ", ".join(result.strategy for result in compared.results)
    return _page(f"{names} at {first.session.house}", about(first.session), sections)


def exact_page(
    name: str, session: Session, solved: Solved, words: str, *, ever: bool = False
) -> str:
    """The exact distribution of a session; `ever`: one without a limit of rolls."""
    sections = [
        _figure(
            histogram(
                "Results of a session, exactly",
                f"The exact distribution; mean {solved.mean / MINOR:,.4f}.",
                bins(solved.nets, MINOR),
                "net of a session",
            )
        ),
        _figure(
            curves(
                "Still in the game",
                "The exact probability of not being broke, by roll.",
                {name: list(enumerate(1 - chance for chance in solved.broke_by))},
                "rolls",
                "not broke",
            )
        ),
        f"<h2>Figures</h2><pre>{escape(words)}</pre>",
    ]
    title = f"{name} at {session.house}, exactly"
    return _page(title, about(session, ever=ever), sections)


def _scaled(pair: tuple[float, float]) -> tuple[float, float]:
    return pair[0] / MINOR, pair[1] / MINOR


def _fan(spread: Fan, of: str = "") -> str:
    names = list(spread)
    words = f"From {names[0]} to {names[-1]} of sessions; the line is {names[len(names) // 2]}."
    title = f"Fan of bankrolls{f' of {of}' if of else ''}"
    return fan(title, words, spread, "rolls", "chips on the rail and the layout")


def _survival(result: Result) -> Line:
    """The share not yet broke by roll: where it falls, and just before."""
    found: list[tuple[float, float]] = []
    for rolls, share in result.survival():
        if found and found[-1][0] < rolls - 1:
            found.append((rolls - 1, found[-1][1]))
        found.append((rolls, share))
    longest = max((rolls for each in result.lengths.values() for rolls, _ in each), default=0)
    return [*found, (max(longest, found[-1][0]), found[-1][1])]


def _figure(picture: str) -> str:
    """A picture under its own title, which is otherwise only read aloud."""
    title = picture.partition("<title")[2].partition(">")[2].partition("</title>")[0]
    return f"<figure><figcaption>{title}</figcaption>{picture}</figure>\n"


def _page(title: str, words: str, sections: Sequence[str]) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}{MORE}</style></head>\n"
        f"<body><main><h1>{escape(title)}</h1>\n<p>{escape(words)}</p>\n"
        f"{''.join(sections)}</main></body></html>\n"
    )
