"""A session that was played, as steps for the felt: wagers, roll, wagers, roll, in sentences.

It plays the session's transcript again on the reference table and knows no simulation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from boxman.pit.told.aids import felt_view
from boxman.rules.layout import Layout
from boxman.strategy.reference import Played
from boxman.strategy.session import SEAT
from boxman.table.calls import CallRoll
from boxman.table.rulings import Ruling
from boxman.table.said.explain import tell, unsaid
from boxman.table.said.transcript import Transcript
from boxman.table.state import Table
from boxman.words import phrase

Data = dict[str, object]
REPLAYED = 750
"""Rolls of a replay at most."""


def told(played: Played) -> Data:
    """The whole session for a page."""
    return {
        "rows": list(steps(played.transcript().splitlines())),
        "net": played.worth - played.session.bankroll,
        "rolls": played.rolls,
        "shown": min(played.rolls, REPLAYED),
        "end": phrase(f"pit.ended.{played.end}"),
    }


def steps(lines: Iterable[str]) -> Iterator[Data]:
    """What was done before each roll, then the roll."""
    transcript = Transcript()
    said: list[str] = []
    rolls = 0
    for line in lines:
        before = transcript.table
        result = transcript.play(line.partition(" : ")[0])
        layout, ruling, call = transcript.layout, result.ruling, result.call
        if layout is None or not isinstance(ruling, Ruling):
            continue
        sentences = [tell(layout, each) for each in ruling.decisions if not unsaid(each)]
        if not isinstance(call, CallRoll):
            said += sentences
            continue
        if said and before is not None:
            yield _step(layout, before, said, rolls, None)
            said = []
        rolls += 1
        yield _step(layout, ruling.after, sentences, rolls, (call.first, call.second))
        if rolls == REPLAYED:
            return


def _step(
    layout: Layout, table: Table, said: list[str], rolls: int, dice: tuple[int, int] | None
) -> Data:
    view = felt_view(layout, table, SEAT)
    rail = table.seats[SEAT].rail
    return {"text": " ".join(said), "roll": rolls, "dice": dice, "rail": rail, "view": view}
