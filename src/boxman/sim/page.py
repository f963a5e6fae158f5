"""A run of sessions, a comparison or an exact answer as one HTML page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boxman.chips import MINOR
from boxman.report.charts import Interval, Points, curves, fan, histogram, intervals
from boxman.report.page import Markup, Section, html, page
from boxman.report.parts import Part, Sentence, bins
from boxman.sim.exact import Solved
from boxman.sim.results import Comparison, Result
from boxman.sim.words import comparison, many, shares_of, summary
from boxman.strategy.session import Session
from boxman.words import phrase

Fan = Mapping[str, Points]
"""Percentiles of the worth by roll, in currency units, from the lowest to the highest."""


def result_page(result: Result, spread: Fan) -> str:
    """One strategy: histogram, fan of bankrolls, survival, all figures in words."""
    pictures = [
        histogram(
            phrase("sim.page.results"),
            phrase(
                "sim.page.nets",
                sessions=many("sim.sessions", result.sessions),
                mean=f"{result.mean / MINOR:,.2f}",
            ),
            bins(shares_of(result), MINOR),
            phrase("sim.page.net"),
        ),
        _fan(spread),
        curves(
            phrase("sim.page.survival"),
            phrase("sim.page.survival-note"),
            {result.strategy: _survival(result)},
            phrase("sim.page.rolls"),
            phrase("sim.page.not-broke"),
        ),
    ]
    return _page(
        phrase("sim.page.title", names=result.strategy, house=result.session.house),
        summary(result),
        pictures,
    )


def comparison_page(compared: Comparison, spreads: Mapping[str, Fan]) -> str:
    """Several strategies on the same dice."""
    first = compared.results[0]
    rows = [
        Interval(f"{pair.one} - {pair.other}", pair.mean / MINOR, *_scaled(pair.interval))
        for pair in compared.pairs
    ]
    pictures = [
        intervals(
            phrase("sim.page.differences"),
            phrase("sim.page.differences-note"),
            rows,
            phrase("sim.page.difference"),
        ),
        curves(
            phrase("sim.page.survival"),
            phrase("sim.page.survival-each"),
            {result.strategy: _survival(result) for result in compared.results},
            phrase("sim.page.rolls"),
            phrase("sim.page.not-broke"),
        ),
    ]
    for result in compared.results:
        title = phrase("sim.page.results-of", strategy=result.strategy)
        words = phrase(
            "sim.page.nets-of",
            sessions=many("sim.sessions", result.sessions),
            strategy=result.strategy,
        )
        pictures.append(
            histogram(title, words, bins(shares_of(result), MINOR), phrase("sim.page.net"))
        )
        if result.strategy in spreads:
            pictures.append(_fan(spreads[result.strategy], result.strategy))
    names = ", ".join(result.strategy for result in compared.results)
    return _page(
        phrase("sim.page.title", names=names, house=first.session.house),
        comparison(compared),
        pictures,
    )


def exact_page(name: str, session: Session, solved: Solved, parts: Sequence[Part]) -> str:
    """The exact distribution of a session, and the parts of its answer in words."""
    pictures = [
        histogram(
            phrase("sim.page.exact-results"),
            phrase("sim.page.exact-nets", mean=f"{solved.mean / MINOR:,.4f}"),
            bins(solved.nets, MINOR),
            phrase("sim.page.net"),
        ),
        curves(
            phrase("sim.page.survival"),
            phrase("sim.page.exact-survival"),
            {name: list(enumerate(1 - chance for chance in solved.broke_by))},
            phrase("sim.page.rolls"),
            phrase("sim.page.not-broke"),
        ),
    ]
    return _page(phrase("sim.page.exact-title", names=name, house=session.house), parts, pictures)


def _scaled(pair: tuple[float, float]) -> tuple[float, float]:
    return pair[0] / MINOR, pair[1] / MINOR


def _fan(spread: Fan, of: str = "") -> Markup:
    middle = phrase("sim.page.median")
    spread = {middle if name == "median" else name: line for name, line in spread.items()}
    names = list(spread)
    middle = names[len(names) // 2]
    words = phrase("sim.page.fan-note", low=names[0], high=names[-1], middle=middle)
    title = phrase("sim.page.fan-of", strategy=of) if of else phrase("sim.page.fan")
    return fan(title, words, spread, phrase("sim.page.rolls"), phrase("sim.page.chips"))


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
        Section(phrase("sim.page.figures"), html(parts[first : first + 1])),
        Section(phrase("sim.page.pictures"), "".join(pictures)),
    ]
    return page(
        title,
        about,
        [*sections, Section(phrase("sim.page.details"), details)] if details else sections,
    )
