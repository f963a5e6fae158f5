"""What two people do: who gave which half of it, so that nobody gives both.

A rulebook gives such things to two stations: dice looked over by two, a late wager confirmed by
two, faces entered by one and seen by another, a decision reviewed from above. Somebody appointed to
both stations is still one person. This module keeps no list: a notebook does, by act and person.
"""

from __future__ import annotations

from boxman.journal.codec import EveryCall
from boxman.journal.pit_calls import Attest, Enter
from boxman.journal.row import Station
from boxman.pit.live import terms
from boxman.pit.live.stations import PLAYER
from boxman.table.call import BEFORE_REST
from boxman.table.calls import Confirm, DecideFaces, Find, HandleDice, JudgeDispute
from boxman.table.calls.disputes import dispute_at
from boxman.table.rulings import Refusal
from boxman.table.state import Table
from boxman.words.say import Value

Gave = dict[str, dict[str, str]]
"""By act, the persons who gave a half of it and the stations they gave it from."""

DICE, FACES = "inspected the dice", "entered these faces"


def act_of(table: Table, call: EveryCall) -> str:
    """The act of two people that a call is a half of, as one says what was done; else nothing."""
    match call:
        case HandleDice(event="inspected"):
            return DICE
        case Enter() | Attest() | DecideFaces():
            return FACES
        case Find(seat=seat, spot=spot, before=True) if table.phase not in BEFORE_REST:
            return f"confirmed {seat}'s {spot}"
        case Confirm(seat=seat, spot=spot):
            return f"confirmed {seat}'s {spot}"
        case JudgeDispute(seat=seat, step=step):
            at = dispute_at(table, seat, step)
            return f"judged dispute {at + 1}" if at >= 0 else ""
    return ""


def refusal(
    gave: Gave, people: dict[str, str], table: Table, station: Station, call: EveryCall
) -> Refusal | None:
    """Why this person cannot give this half, if he cannot. `people` are the persons by seat."""
    if station.role == PLAYER:
        return None
    act = act_of(table, call)
    if not act:
        return None
    before = gave.get(act, {}).get(station.person)
    if before is not None and before != station.role:
        values: dict[str, Value] = {"act": act, "before": before, "station": station.role}
        return Refusal("second-person", (terms.PAIR,), "pair", values=values)
    if isinstance(call, (Confirm, Find)) and people.get(call.seat) == station.person:
        return Refusal("second-person", (terms.PAIR,), "own wager")
    return None


def after(gave: Gave, table: Table, now: Table, station: Station, call: EveryCall) -> Gave:
    """Who gave what after an accepted call; an act that is over is forgotten."""
    act = "" if station.role == PLAYER or isinstance(call, Attest) else act_of(table, call)
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
    waits = {f"confirmed {each.seat}'s {each.spot}" for each in now.floor.pending}
    over = {key for key in made if key.startswith("confirmed ") and key not in waits}
    if not now.floor.dice.inspected:
        over.add(DICE)
    opened = now.phase == "open" and table.phase != "open"
    if isinstance(call, Attest) or now.rolls != table.rolls or opened:
        over.add(FACES)
    return over
