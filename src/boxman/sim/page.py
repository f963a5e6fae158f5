"""A run of sessions, a comparison or an exact answer as one HTML page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boxman.chips import MINOR
from boxman.report.charts import Interval, Points, curves, fan, histogram, intervals
from boxman.report.page import Markup, Section, html, page
from boxman.report.parts import Part, Sentence, bins
from boxman.sim.exact import Solved
from boxman.sim.results import Comparison, Result
from boxman.sim.words import comparison, shares_of, summary
from boxman.strategy.session import Session

Fan = Mapping[str, Points]
"""Percentiles of the worth by roll, in currency units, from the lowest to the highest."""


def result_page(result: Result, spread: Fan) -> str:
    """One strategy: histogram, fan of bankrolls, survival, all figures in words."""
    pictures = [
        histogram(
            "Results of a session",
            f"The nets of {result.sessions:,} sessions; mean {result.mean / MINOR:,.2f}.",
            bins(shares_of(result), MINOR),
            "net of a session",
        ),
        _fan(spread),
        curves(
            "Still in the game",
            "The share of sessions that are not broke, by roll.",
            {result.strategy: _survival(result)},
            "rolls",
            "not broke",
        ),
    ]
    return _page(f"{result.strategy} at {result.session.house}", summary(result), pictures)


def comparison_page(compared: Comparison, spreads: Mapping[str, Fan]) -> str:
    """Several strategies on the same dice."""
    first = compared.results[0]
    rows = [
        Interval(f"{pair.one} - {pair.other}", pair.mean / MINOR, *_scaled(pair.interval))
        for pair in compared.pairs
    ]
    pictures = [
        intervals(
            "Differences on the same dice",
            "The mean difference of two strategies' nets, with its 95% interval.",
            rows,
            "difference of the net of a session",
        ),
        curves(
            "Still in the game",
            "The share of sessions that are not broke, by roll, for each strategy.",
            {result.strategy: _survival(result) for result in compared.results},
            "rolls",
            "not broke",
        ),
    ]
    for result in compared.results:
        title = f"Results of {result.strategy}"
        words = f"The nets of {result.sessions:,} sessions of {result.strategy}."
        pictures.append(histogram(title, words, bins(shares_of(result), MINOR), "net of a session"))
        if result.strategy in spreads:
            pictures.append(_fan(spreads[result.strategy], result.strategy))
    names = ", ".join(result.strategy for result in compared.results)
    return _page(f"{names} at {first.session.house}", comparison(compared), pictures)


def exact_page(name: str, session: Session, solved: Solved, parts: Sequence[Part]) -> str:
    """The exact distribution of a session, and the parts of its answer in words."""
    pictures = [
        histogram(
            "Results of a session, exactly",
            f"The exact distribution; mean {solved.mean / MINOR:,.4f}.",
            bins(solved.nets, MINOR),
            "net of a session",
        ),
        curves(
            "Still in the game",
            "The exact probability of not being broke, by roll.",
            {name: list(enumerate(1 - chance for chance in solved.broke_by))},
            "rolls",
            "not broke",
        ),
    ]
    return _page(f"{name} at {session.house}, exactly", parts, pictures)


def _scaled(pair: tuple[float, float]) -> tuple[float, float]:
    return pair[0] / MINOR, pair[1] / MINOR


def _fan(spread: Fan, of: str = "") -> Markup:
    names = list(spread)
    words = f"From {names[0]} to {names[-1]} of sessions; the line is {names[len(names) // 2]}."
    title = f"Fan of bankrolls{f' of {of}' if of else ''}"
    return fan(title, words, spread, "rolls", "chips on the rail and the layout")


def _survival(result: Result) -> Points:
    """The share not yet broke by roll: where it falls, and just before."""
    found: list[tuple[float, float]] = []
    for rolls, share in result.survival():
        if found and found[-1][0] < rolls - 1:
            found.append((rolls - 1, found[-1][1]))
        found.append((rolls, share))
    longest = max((rolls for each in result.lengths.values() for rolls, _ in each), default=0)
    return [*found, (max(longest, found[-1][0]), found[-1][1])]


def _page(title: str, parts: Sequence[Part], pictures: Sequence[Markup]) -> str:
    """What it is about, its main figures, the pictures, and all that is left to say."""
    first = next(n for n, part in enumerate(parts) if not isinstance(part, Sentence))
    about = [part.text for part in parts[:first] if isinstance(part, Sentence)]
    details = html(parts[first + 1 :])
    sections = [
        Section("Figures", html(parts[first : first + 1])),
        Section("Pictures", "".join(pictures)),
    ]
    return page(title, about, [*sections, Section("Details", details)] if details else sections)
