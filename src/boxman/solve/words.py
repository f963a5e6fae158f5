"""An answer in words and tables, the chance of losing everything first."""

from __future__ import annotations

from collections.abc import Iterable

from boxman.chips import format_amount as money
from boxman.report.parts import Column, Facts, Grid, Part, Sentence
from boxman.rules.favours import words as favours
from boxman.rules.layout import Posted
from boxman.solve.answer import Answer
from boxman.solve.card import CardRow
from boxman.solve.compare import LibraryChance
from boxman.solve.goals import Hourly, Reach
from boxman.solve.pieces import called
from boxman.words import phrase, say

FOLDED = 40
"""Letters after which words are folded in a terminal."""


def points(cost: float) -> str:
    """A difference of chances in percentage points.

    >>> points(0.0015), points(0)
    ('-0.15 points', '0 points')
    """
    if cost < 1e-9:
        return phrase("solve.answer.no-points")
    return phrase("solve.answer.points", points=f"{cost * 100:.{2 if cost >= 0.0001 else 5}f}")


def question(answer: Answer, house: str = "") -> str:
    """What was asked, in one line; of a house by its name, or by another."""
    session = answer.session
    key = "hour-question" if answer.hour else "question"
    settings = [f"{name}={value}" for name, value in dict(session.settings).items()]
    told = {
        "house": house or session.house,
        "settings": tuple(settings),
        "minimum": session.minimum,
        "maximum": session.maximum,
        "chip": session.chip,
        "bankroll": session.bankroll,
        "goal": answer.goal.words(),
    }
    return say(f"solve.answer.{key}{'-settings' if settings else ''}", told)


def headline(answer: Answer) -> list[tuple[str, str]]:
    """The answer itself."""
    first = (phrase("solve.answer.first"), answer.first)
    if isinstance(answer.goal, Hourly):
        if answer.value < 0:
            return [(phrase("solve.answer.beaten"), f"{-answer.value:,.4f}"), first]
        return [
            (phrase("solve.answer.lost-in-the-end"), phrase("solve.answer.certainly")),
            (phrase("solve.answer.least-loss"), f"{answer.value:,.4f}"),
            first,
        ]
    return [
        (phrase("solve.answer.lost"), f"{answer.loses:.4%}"),
        (phrase("solve.answer.met"), f"{answer.value:.4%}"),
        first,
    ]


def summary(answer: Answer) -> list[Part]:
    """All of it, as parts of a report."""
    return [
        Sentence(question(answer)),
        Sentence(phrase("solve.answer.menu", menu=answer.menu)),
        Facts(headline(answer)),
        *favour_parts(answer),
        *card_parts(answer),
        *cost_parts(answer),
        *library_parts(answer.library, hourly=isinstance(answer.goal, Hourly)),
        *(Sentence(line) for line in certificate(answer)),
    ]


def favour_parts(answer: Answer) -> list[Part]:
    """Wagers of this table that rounding turns in the player's favour, on the menu or not."""
    session = answer.session
    posted = Posted(
        minimum=session.minimum,
        maximum=session.maximum,
        unit=session.unit,
        classes=session.classes,
    )
    told = favours(answer.model.pieces.layout, posted, called)
    return [Sentence(phrase("solve.answer.favours", favours=told))] if told else []


def card_parts(answer: Answer) -> list[Part]:
    """The card, what it comes to and what it costs."""
    card = answer.card
    if card is None:
        return []
    columns = [
        Column(phrase("solve.card.when")),
        Column(phrase("solve.card.with"), right=True),
        Column(phrase("solve.card.do"), width=60),
    ]
    rows = [(row.when, _amounts(row), row.do) for row in card.rows]
    told = phrase(
        "solve.card.head", value=f"{card.value:.4%}", cost=points(card.cost), example=card.example
    )
    return [Sentence(told), Grid("", columns, {"": rows})]


def _amounts(row: CardRow) -> str:
    if row.high == row.rail:
        return money(row.rail)
    return phrase("solve.card.from-to", low=row.rail, high=row.high)


def cost_parts(answer: Answer) -> list[Part]:
    """What other acts cost."""
    if not answer.mistakes:
        return []
    heads = ("solve.mistakes.when", "solve.mistakes.instead", "solve.mistakes.best")
    columns = [Column(phrase(head), width=FOLDED) for head in heads]
    columns.append(Column(phrase("solve.mistakes.costs"), right=True))
    cost = "{:,.4f}".format if answer.hour else points
    rows = [(each.when, each.words, each.best, cost(each.cost)) for each in answer.mistakes]
    return [Grid(phrase("solve.mistakes.title"), columns, {"": rows})]


def library_parts(found: Iterable[LibraryChance], *, hourly: bool = False) -> list[Part]:
    """The library beside it."""
    value = "{:,.4f}" if hourly else "{:.4%}"
    rows = [
        (each.name, value.format(each.value), ", ".join(map(called, each.beyond[:3])) or "-")
        for each in found
    ]
    if not rows:
        return []
    figure = phrase("solve.library.loss" if hourly else "solve.library.chance")
    columns = [
        Column(phrase("solve.library.strategy")),
        Column(figure, right=True),
        Column(phrase("solve.library.beyond")),
    ]
    return [Grid(phrase("solve.library.title"), columns, {"": rows})]


def certificate(answer: Answer) -> list[str]:
    """Why it is to be believed, and of what it is the best."""
    model, goal = answer.model, answer.goal
    lines = [
        phrase(
            "solve.answer.certificate",
            gap=f"{answer.gap:.1e}",
            acts=f"{model.acts:,}",
            positions=f"{len(model.positions):,}",
            step=int(model.step),
            agreed=f"{answer.agreed:,}",
        ),
        phrase("solve.answer.best-of"),
    ]
    if isinstance(goal, Reach) and answer.value > answer.session.bankroll / goal.target + 1e-9:
        lines.append(phrase("solve.answer.above-its-share"))
    return lines
