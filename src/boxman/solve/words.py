"""An answer in words and tables, the chance of losing everything first."""

from __future__ import annotations

from collections.abc import Iterable

from boxman.chips import format_amount as money
from boxman.report.parts import Column, Facts, Grid, Part, Sentence
from boxman.rules.favours import words as favours
from boxman.rules.layout import Posted
from boxman.solve.answer import Answer
from boxman.solve.compare import LibraryChance, compared
from boxman.solve.goals import Hourly, Reach

FOLDED = 40
"""Letters after which words are folded in a terminal."""


def points(cost: float) -> str:
    """A difference of chances in percentage points.

    >>> points(0.0015), points(0)
    ('-0.15 points', '0 points')
    """
    if cost < 1e-9:
        return "0 points"
    return f"-{cost * 100:.{2 if cost >= 0.0001 else 5}f} points"


def question(answer: Answer) -> str:
    """What was asked, in one line."""
    session = answer.session
    chips = "" if isinstance(answer.goal, Hourly) else f", with {money(session.bankroll)}"
    return (
        f"{session.house}, limits {money(session.minimum)}-{money(session.maximum)}, chips of "
        f"{money(session.chip)}{chips}: {answer.goal.words()}"
    )


def headline(answer: Answer) -> list[tuple[str, str]]:
    """The answer itself."""
    if isinstance(answer.goal, Hourly):
        hour = ("the least loss an hour", f"{answer.value:,.4f}")
        if answer.value < 0:
            hour = ("won an hour: this table can be beaten", f"{-answer.value:,.4f}")
        lost = [] if answer.value < 0 else [("everything is lost in the end", "with certainty")]
        return [*lost, hour, ("first", answer.first)]
    return [
        ("everything is lost", f"{answer.loses:.4%}"),
        ("the goal is met", f"{answer.value:.4%}"),
        ("first", answer.first),
    ]


def summary(answer: Answer) -> list[Part]:
    """All of it, as parts of a report."""
    return [
        Sentence(question(answer)),
        Sentence(f"menu: {answer.menu}"),
        Facts(headline(answer)),
        *favour_parts(answer),
        *card_parts(answer),
        *cost_parts(answer),
        *library_parts(compared(answer), hourly=isinstance(answer.goal, Hourly)),
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
    told = favours(answer.model.pieces.layout, posted)
    return [Sentence(f"rounding favours the player here: {told}")] if told else []


def card_parts(answer: Answer) -> list[Part]:
    """The card, what it comes to and what it costs."""
    card = answer.card
    if card is None:
        return []
    columns = [Column("with", right=True), Column("bet", width=FOLDED), Column("then", width=60)]
    rows = [
        (
            money(row.rail),
            row.bet,
            "; ".join(f"on {numbers}: {words}" for numbers, words in row.then),
        )
        for row in card.rows
    ]
    cost = f"{card.value:.4%}, {points(card.cost)} against best play"
    return [Sentence(f"A card to carry ({cost}): {card.rule}"), Grid("", columns, {"": rows})]


def cost_parts(answer: Answer) -> list[Part]:
    """What other acts cost."""
    if not answer.mistakes:
        return []
    columns = [Column("when"), Column("instead", width=FOLDED), Column("costs", right=True)]
    rows = [(each.when, each.words, points(each.cost)) for each in answer.mistakes]
    return [Grid("Something else done once, best play before and after", columns, {"": rows})]


def library_parts(found: Iterable[LibraryChance], *, hourly: bool = False) -> list[Part]:
    """The library beside it."""
    value = "{:,.4f}" if hourly else "{:.4%}"
    rows = [
        (each.name, value.format(each.value), ", ".join(each.beyond[:3]) or "-") for each in found
    ]
    if not rows:
        return []
    figure = "loss an hour" if hourly else "chance"
    columns = [Column("strategy"), Column(figure, right=True), Column("beyond the menu")]
    return [Grid("The library's strategies for the same goal", columns, {"": rows})]


def certificate(answer: Answer) -> list[str]:
    """Why it is to be believed, and of what it is the best."""
    model, goal = answer.model, answer.goal
    lines = [
        f"certificate: no single act betters this by more than {answer.gap:.1e}; "
        f"{model.acts:,} acts in {len(model.positions):,} positions, money in steps of "
        f"{money(model.step)}, {answer.agreed:,} rulings on pairs of wagers agree",
        "best of this menu and these stakes; finer stakes or more wagers can only raise it",
    ]
    if isinstance(goal, Reach) and answer.value > answer.session.bankroll / goal.target + 1e-9:
        lines.append(
            "more than the bankroll's share of the goal: rounding favours the player in a wager of "
            "this menu, or the last bet may overshoot the goal"
        )
    return lines
