"""A strategy's name in words; a played session as parts of a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boxman.chips import format_amount as money
from boxman.report.parts import Column, Grid, Part, Sentence, grid
from boxman.words import phrase, say
from boxman.words.say import has

if TYPE_CHECKING:
    from boxman.strategy.ends import RefusedHere
    from boxman.strategy.reference import Played


def said(name: str) -> str:
    """The name of a strategy as one would say it; a file is called as it was given.

    >>> said("pass-odds(unit=10, odds=2)"), said("your own"), said("./my-own.py")
    ('Pass odds (unit 10, odds 2)', 'Your own', './my-own.py')
    >>> said("doey-dont(unit=10)")
    "Doey-Don't (unit 10)"
    """
    plain, bracket, more = name.partition("(")
    if set(plain) & set("./"):
        return name
    known = has(f"strategy.titles.{plain.strip()}")
    words = say(f"strategy.titles.{plain.strip()}") if known else plain.replace("-", " ").strip()
    rest = f" ({more.replace('=', ' ')}" if bracket else ""
    return f"{words[:1].upper()}{words[1:]}{rest}"


def played_parts(played: Played) -> list[Part]:
    """One session."""
    session = played.session
    parts: list[Part] = [
        Sentence(
            phrase(
                "strategy.played",
                net=played.net,
                rolls=played.rolls,
                end=played.end,
                bankroll=session.bankroll,
                worth=played.worth,
                up=played.felt,
                staked=played.staked,
                outs=played.seven_outs,
                fall=played.drawdown,
            )
        )
    ]
    if played.wagers:
        names = ("wager", "bets", "staked", "won", "lost", "pushed", "fees", "net")
        heads = [phrase(f"strategy.columns.{each}") for each in names]
        rows = [
            (
                *(w.spot, str(w.bets), money(w.staked), str(w.wins), str(w.losses)),
                *(str(w.pushes), money(w.fees), money(w.net)),
            )
            for w in played.wagers.values()
        ]
        parts.append(grid("", heads, rows))
    if played.refusals:
        parts.append(refused("", played.refusals))
    return parts


def refused(title: str, refusals: Sequence[RefusedHere]) -> Grid:
    """What was refused, how often and by which clauses; those not counted only may be."""
    columns = [
        Column(phrase("strategy.columns.refused")),
        Column(phrase("strategy.columns.wager"), width=24),
        Column(phrase("strategy.columns.times"), right=True),
        Column(phrase("strategy.columns.first-said"), width=60),
        Column(phrase("strategy.columns.clauses"), width=40),
    ]
    rows = [
        (
            *(each.code, each.spot, f"{each.count:,}" if each.count else ""),
            *(each.sentence, " ".join(f"{{{cite}}}" for cite in each.cites)),
        )
        for each in refusals
    ]
    return Grid(title, columns, {"": rows})
