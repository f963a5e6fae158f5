"""A run of sessions, a comparison or an exact answer as one HTML page.

The pictures are drawn here once, for reports and for the page of strategies alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from boxman.chips import MINOR
from boxman.report.charts import Interval, Points, curves, fan, histogram, intervals
from boxman.report.page import Markup, Section, html, page
from boxman.report.parts import Part, Sentence, spread
from boxman.sim.exact import Solved
from boxman.sim.results import Comparison, Result
from boxman.sim.words import comparison, many, shares_of, summary
from boxman.strategy.session import Session, opened
from boxman.strategy.shown import said
from boxman.words import phrase

Fan = Mapping[str, Points]
"""Percentiles of the worth by roll, in currency units, from the lowest to the highest."""


def result_page(result: Result, bankrolls: Fan) -> str:
    """One strategy: histogram, fan of bankrolls, survival, all figures in words."""
    result = replace(result, strategy=said(result.strategy))
    words = phrase(
        "sim.page.nets",
        sessions=many("sim.sessions", result.sessions),
        mean=f"{result.mean / MINOR:,.2f}",
    )
    pictures = [
        nets(phrase("sim.page.results"), words, shares_of(result)),
        fan_drawn(bankrolls),
        survival({result.strategy: survived(result)}),
    ]
    return _page(
        phrase("sim.page.title", names=result.strategy, house=_title(result.session)),
        summary(result),
        pictures,
    )


def comparison_page(compared: Comparison, bankrolls: Mapping[str, Fan]) -> str:
    """Several strategies on the same dice."""
    compared = replace(
        compared,
        results=tuple(replace(each, strategy=said(each.strategy)) for each in compared.results),
        pairs=tuple(
            replace(each, one=said(each.one), other=said(each.other)) for each in compared.pairs
        ),
    )
    bankrolls = {said(name): lines for name, lines in bankrolls.items()}
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
        survival({result.strategy: survived(result) for result in compared.results}),
    ]
    for result in compared.results:
        title = phrase("sim.page.results-of", strategy=result.strategy)
        words = phrase(
            "sim.page.nets-of",
            sessions=many("sim.sessions", result.sessions),
            strategy=result.strategy,
        )
        pictures.append(nets(title, words, shares_of(result)))
        if result.strategy in bankrolls:
            pictures.append(fan_drawn(bankrolls[result.strategy], result.strategy))
    names = ", ".join(result.strategy for result in compared.results)
    return _page(
        phrase("sim.page.title", names=names, house=_title(first.session)),
        comparison(compared),
        pictures,
    )


def exact_page(name: str, session: Session, solved: Solved, parts: Sequence[Part]) -> str:
    """The exact distribution of a session, and the parts of its answer in words."""
    words = phrase("sim.page.exact-nets", mean=f"{solved.mean / MINOR:,.4f}")
    pictures = [
        nets(phrase("sim.page.exact-results"), words, solved.nets),
        survival({said(name): never_broke(solved)}),
    ]
    title = phrase("sim.page.exact-title", names=said(name), house=_title(session))
    return _page(title, parts, pictures)


def _scaled(pair: tuple[float, float]) -> tuple[float, float]:
    return pair[0] / MINOR, pair[1] / MINOR


def _title(session: Session) -> str:
    """The house as it is called."""
    return opened(session)[0].title


def nets(title: str, words: str, shares: Mapping[int, float], currency: str = "") -> Markup:
    """The results of sessions, how often each came."""
    return histogram(title, words, spread(shares, MINOR), _in("sim.page.net", currency))


def fan_drawn(bankrolls: Fan, of: str = "", currency: str = "") -> Markup:
    """The bankrolls of sessions as they go on."""
    middle = phrase("sim.page.median")
    lines = {middle if name == "median" else name: line for name, line in bankrolls.items()}
    names = list(lines)
    words = phrase("sim.page.fan-note", low=names[0], high=names[-1], middle=middle)
    title = phrase("sim.page.fan-of", strategy=of) if of else phrase("sim.page.fan")
    return fan(title, words, lines, phrase("sim.page.rolls"), _in("sim.page.chips", currency))


def survival(lines: Mapping[str, Points]) -> Markup:
    """The share of sessions that are not broke, by roll, for each strategy."""
    return curves(
        phrase("sim.page.survival"),
        phrase("sim.page.survival-each" if len(lines) > 1 else "sim.page.survival-note"),
        lines,
        phrase("sim.page.rolls"),
        phrase("sim.page.not-broke"),
    )


def _in(key: str, currency: str) -> str:
    return f"{phrase(key)}, {currency}" if currency else phrase(key)


def never_broke(solved: Solved) -> Points:
    """The exact chance of not being broke, by roll."""
    return list(enumerate(1 - chance for chance in solved.broke_by))


def survived(result: Result) -> Points:
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
