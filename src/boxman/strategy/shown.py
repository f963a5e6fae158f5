"""A played session as parts of a report: how it ended, its wagers, what was refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boxman.chips import format_amount as money
from boxman.report.parts import Column, Grid, Part, Sentence, grid
from boxman.words import phrase

if TYPE_CHECKING:
    from boxman.strategy.ends import RefusedHere
    from boxman.strategy.reference import Played


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
