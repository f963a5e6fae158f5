"""What a strategy comes to, as a page shows it: names in words, figures as text, a histogram.

It reads answers of the simulator and of the exact solver and knows neither how they were made nor
who asks. Amounts have their sign and the house's currency.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boxman.chips import format_amount
from boxman.rules.compile import load
from boxman.rules.layout import Layout
from boxman.strategy.session import Session
from boxman.words import phrase

Data = dict[str, Any]
CELLS = 40
TAIL = 0.0005
"""What stands apart at either end of a histogram: a thousandth in all."""
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
SURE = 1.96
"""Standard errors on either side that hold 95 of 100 means."""


def said(name: str) -> str:
    """The name of a strategy as one would say it.

    >>> said("pass-odds(unit=10, odds=2)"), said("your own")
    ('Pass odds (unit 10, odds 2)', 'Your own')
    """
    plain, bracket, more = name.partition("(")
    words = plain.replace("-", " ").strip()
    rest = f" ({more.replace('=', ' ')}" if bracket else ""
    return f"{words[:1].upper()}{words[1:]}{rest}"


class _Money:
    """Amounts of a house in words."""

    def __init__(self, layout: Layout) -> None:
        self.currency = layout.currency

    def plain(self, amount: float) -> str:
        return f"{self.currency}{format_amount(round(amount))}"

    def signed(self, amount: float) -> str:
        whole = round(amount)
        return f"{'+' if whole > 0 else '−' if whole else ''}{self.plain(abs(whole))}"


def _layout(session: Session) -> Layout:
    return load(session.house, dict(session.settings), session.chip)


def _percent(share: float) -> str:
    return f"{share * 100:.2f} %"


def exact_told(name: str, solved: Any, session: Session) -> Data:
    """The exact answer: figures for a table, and the whole distribution."""
    money = _Money(_layout(session))
    shares = [solved.percentile(share) for share in SHARES]
    return {
        "title": said(name),
        "mean": solved.mean,
        "rows": [
            (phrase("pit.figures.mean"), money.signed(solved.mean)),
            (phrase("pit.figures.standard-deviation"), money.plain(solved.deviation)),
            (phrase("pit.figures.ahead"), _percent(solved.at_least(1))),
            (
                phrase("pit.figures.broke"),
                _percent(solved.ends.get("broke", 0.0)),
            ),
            (phrase("pit.figures.rolls"), f"{solved.rolls:.1f}"),
            *_shares(money, shares),
        ],
        **histogram(solved.nets),
    }


def _shares(money: _Money, nets: list[int]) -> list[tuple[str, str]]:
    low, under, middle, over, high = map(money.signed, nets)
    return [
        (
            phrase("pit.figures.half-of-all-sessions"),
            phrase("pit.figures.to", under=under, over=over),
        ),
        (phrase("pit.figures.of-end-at-or"), low),
        (phrase("pit.figures.median"), middle),
        (phrase("pit.figures.of-end-at-or-below"), high),
    ]


def result_told(result: Any) -> Data:
    """The figures of one simulated strategy so far."""
    layout = _layout(result.session)
    money = _Money(layout)
    return {
        "title": said(result.strategy),
        "sessions": result.sessions,
        "mean": result.mean,
        "error": result.error,
        "rows": [
            (phrase("pit.figures.mean"), money.signed(result.mean)),
            (phrase("pit.figures.give-or-take"), money.plain(result.error * SURE)),
            (phrase("pit.figures.standard-deviation"), money.plain(result.deviation)),
            (phrase("pit.figures.ahead"), _percent(result.ahead)),
            (phrase("pit.figures.broke"), _percent(result.ruin)),
            (
                phrase("pit.figures.rolls"),
                f"{result.rolls / result.sessions:.1f}",
            ),
            (phrase("pit.figures.staked"), money.plain(result.staked / result.sessions)),
            *_shares(money, list(result.percentiles(SHARES))),
        ],
        **histogram(dict(zip(result.nets, result.counts, strict=True))),
        "executor": result.executor,
        "refused": [_refused(layout, each) for each in result.refusals[:5]],
        "which": {"worst": result.worst, "median": result.typical, "best": result.luckiest},
    }


def _refused(layout: Layout, each: Any) -> str:
    spot = layout.spots[each.spot].name if each.spot in layout.spots else each.spot
    return phrase("pit.figures.times", sentence=each.sentence, spot=spot, count=f"{each.count:,}")


def pair_told(pair: Any, session: Session) -> str:
    """Two strategies on the same dice, in one sentence."""
    money = _Money(_layout(session))
    low, high = map(money.signed, pair.interval)
    return phrase(
        "pit.figures.against-on-the-same",
        one=said(pair.one),
        other=said(pair.other),
        mean=money.signed(pair.mean),
        low=low,
        high=high,
        better=_percent(pair.better),
    )


def histogram(amounts: Mapping[int, float]) -> Data:
    """Shares in at most CELLS cells of equal width: from, below, how much; and what is outside.

    The rarest thousandth stands apart, with where it begins: one lucky session in a million would
    leave no room for the others.

    >>> histogram({-100: 1, 0: 2, 100: 1})["cells"]
    [(-100, 0, 0.25), (0, 100, 0.5), (100, 200, 0.25)]
    """
    nets = sorted(amounts)
    total = sum(amounts.values())
    low, high = nets[_within(amounts, nets, total)], nets[-1 - _within(amounts, nets[::-1], total)]
    step = 100
    while (high - low) // step >= CELLS:
        step = step * 2 if str(step)[0] in "15" else step * 5 // 2
    first = low // step * step
    made = [0.0] * ((high - first) // step + 1)
    end = first + len(made) * step
    below = beyond = 0.0
    for net, amount in amounts.items():
        if net < first:
            below += amount / total
        elif net >= end:
            beyond += amount / total
        else:
            made[(net - first) // step] += amount / total
    cells = [(first + n * step, first + (n + 1) * step, each) for n, each in enumerate(made)]
    return {"cells": cells, "below": (first, below), "beyond": (end, beyond)}


def _within(amounts: Mapping[int, float], nets: list[int], total: float) -> int:
    """How many of these results are rarer together than a tail may be."""
    held, count = 0.0, 0
    for net in nets:
        held += amounts[net]
        if held > total * TAIL:
            break
        count += 1
    return min(count, len(nets) - 1)
