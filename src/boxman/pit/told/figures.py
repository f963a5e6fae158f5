"""What a strategy comes to, as a page shows it: names in words, figures as text, pictures.

It reads answers of the simulator and of the exact solver and knows neither how they were made nor
who asks. Amounts have their sign and the house's currency.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from boxman.rules.compile import load
from boxman.rules.layout import Layout
from boxman.strategy.session import Session
from boxman.strategy.shown import said
from boxman.words import phrase
from boxman.words.amounts import in_money

if TYPE_CHECKING:
    from boxman.sim.exact import Solved
    from boxman.sim.page import Fan
    from boxman.sim.results import Paired, Result
    from boxman.strategy.ends import RefusedHere

Data = dict[str, object]
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
SURE = 1.96
"""Standard errors on either side that hold 95 of 100 means."""


class _Money:
    """Amounts of a house in words."""

    def __init__(self, layout: Layout) -> None:
        self.currency = layout.currency

    def plain(self, amount: float) -> str:
        return in_money(self.currency, round(amount))

    def signed(self, amount: float) -> str:
        whole = round(amount)
        return f"{'+' if whole > 0 else '−' if whole else ''}{self.plain(abs(whole))}"


def _layout(session: Session) -> Layout:
    return load(session.house, dict(session.settings), session.chip)


def _percent(share: float) -> str:
    return f"{share * 100:.2f} %"


def exact_told(name: str, solved: Solved, session: Session) -> Data:
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
        "words": _headline(money, solved.mean, solved.at_least(1), solved.ends.get("broke", 0.0)),
        "picture": _nets(name, solved.nets, money, "exact"),
    }


def _headline(money: _Money, mean: float, ahead: float, broke: float) -> str:
    """The answer in one sentence."""
    shown = {"mean": money.signed(mean), "ahead": _percent(ahead), "broke": _percent(broke)}
    return phrase("pit.figures.headline", **shown)


def _nets(name: str, shares: Mapping[int, float], money: _Money, kind: str) -> str:
    from boxman.sim.page import nets

    title = phrase(f"pit.figures.nets-{kind}", strategy=said(name))
    return str(nets(title, phrase("pit.figures.nets-words"), shares, money.currency))


def last_told(
    results: Sequence[Result], exact: Mapping[str, Solved], fans: Mapping[str, Fan]
) -> Data:
    """What is drawn when all is known: fans of bankrolls, and who is still in the game."""
    from boxman.sim.page import fan_drawn, never_broke, survival, survived

    currency = _layout(results[0].session).currency
    lines = {
        said(each.strategy): never_broke(exact[each.strategy])
        if each.strategy in exact
        else survived(each)
        for each in results
    }
    return {
        "survival": str(survival(lines)),
        "fans": [str(fan_drawn(fan, said(name), currency)) for name, fan in fans.items()],
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


def result_told(result: Result) -> Data:
    """The figures of one simulated strategy so far."""
    from boxman.sim.words import shares_of

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
        "words": _headline(money, result.mean, result.ahead, result.ruin),
        "picture": _nets(result.strategy, shares_of(result), money, "simulated"),
        "executor": result.executor,
        "refused": [_refused(layout, each) for each in result.refusals[:5]],
        "which": {"worst": result.worst, "median": result.typical, "best": result.luckiest},
    }


def _refused(layout: Layout, each: RefusedHere) -> Data:
    spot = layout.spots[each.spot].name if each.spot in layout.spots else each.spot
    text = phrase("pit.figures.times", sentence=each.sentence, spot=spot, count=f"{each.count:,}")
    return {"text": text, "clauses": list(each.cites)}


def pair_told(pair: Paired, session: Session) -> str:
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
