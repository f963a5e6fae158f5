"""A played session as HTML for a notebook: the figures, the wagers, what was refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from boxman.chips import format_amount as money

if TYPE_CHECKING:
    from boxman.strategy.reference import Played, RefusedHere


def table_html(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table, everything in it escaped."""
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def played_html(played: Played) -> str:
    """One session as HTML."""
    session = played.session
    title = f"{escape(played.strategy)} at {escape(session.house)}"
    ended = (
        f"{money(played.net)} after {played.rolls} rolls ({escape(played.end)}): "
        f"{money(session.bankroll)} became {money(played.worth)}, {money(played.felt)} of it still "
        f"up; {money(played.staked)} staked, {played.seven_outs} seven-outs, "
        f"deepest fall {money(played.drawdown)}."
    )
    parts = [f"<p><strong>{title}</strong>: {ended}</p>"]
    if played.wagers:
        parts.append(
            table_html(
                ("wager", "bets", "staked", "won", "lost", "pushed", "fees", "net"),
                (
                    (
                        *(w.spot, w.bets, money(w.staked), w.wins, w.losses, w.pushes),
                        *(money(w.fees), money(w.net)),
                    )
                    for w in played.wagers.values()
                ),
            )
        )
    parts.append(refusals_html(played.refusals))
    return "<div>" + "".join(parts) + "</div>"


def refusals_html(refusals: Sequence[RefusedHere]) -> str:
    """What was refused, how often and by which clauses; nothing where nothing was."""
    if not refusals:
        return ""
    return table_html(
        ("refused", "wager", "times", "clauses", "as it was said first"),
        (
            (r.code, r.spot, r.count, " ".join(f"{{{c}}}" for c in r.cites), r.sentence)
            for r in refusals
        ),
    )
