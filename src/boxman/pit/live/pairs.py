"""What two people do: who gave which half of it, so that nobody gives both.

A rulebook gives such things to two stations: dice looked over by two, a late wager confirmed by
two, faces entered by one and seen by another, a decision reviewed from above. Somebody appointed to
both stations is still one person. This module keeps no list: a notebook does, by act and person.
"""

from __future__ import annotations

from boxman.journal.codec import EveryCall
from boxman.journal.pit_calls import Attest
from boxman.journal.row import Station
from boxman.pit.live import terms
from boxman.pit.live.stations import PLAYER
from boxman.table.call import CONFIRMED, ENTERED, INSPECTED, confirmed
from boxman.table.rulings import Refusal
from boxman.table.state import Table
from boxman.words.say import Value

Gave = dict[str, dict[str, str]]
"""By act, the persons who gave a half of it and the stations they gave it from."""


def refusal(
    gave: Gave, people: dict[str, str], table: Table, station: Station, call: EveryCall
) -> Refusal | None:
    """Why this person cannot give this half, if he cannot. `people` are the persons by seat."""
    if station.role == PLAYER:
        return None
    act = call.half_of(table)
    if not act:
        return None
    before = gave.get(act, {}).get(station.person)
    if before is not None and before != station.role:
        values: dict[str, Value] = {"act": act, "before": before, "station": station.role}
        return Refusal("second-person", (terms.PAIR,), "pair", values=values)
    own = act.startswith(CONFIRMED) and people.get(getattr(call, "seat", "")) == station.person
    if own:
        return Refusal("second-person", (terms.PAIR,), "own wager")
    return None


def after(gave: Gave, table: Table, now: Table, station: Station, call: EveryCall) -> Gave:
    """Who gave what after an accepted call; an act that is over is forgotten."""
    act = "" if station.role == PLAYER or isinstance(call, Attest) else call.half_of(table)
    same = table.floor is now.floor and table.phase == now.phase and table.rolls == now.rolls
    if not act and (not gave or (same and not isinstance(call, Attest))):
        return gave
    made = dict(gave)
    if act:
        made[act] = {**made.get(act, {}), station.person: station.role}
    over = _over(made, table, now, call)
    return {key: halves for key, halves in made.items() if key not in over}


def _over(made: Gave, table: Table, now: Table, call: EveryCall) -> set[str]:
    """The acts that are over."""
    waits = {confirmed(each.seat, each.spot) for each in now.floor.pending}
    over = {key for key in made if key.startswith(CONFIRMED) and key not in waits}
    if not now.floor.dice.inspected:
        over.add(INSPECTED)
    opened = now.phase == "open" and table.phase != "open"
    if isinstance(call, Attest) or now.rolls != table.rolls or opened:
        over.add(ENTERED)
    return over
