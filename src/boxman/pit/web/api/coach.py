"""The coach of a table over HTTP: the best act for a goal beside what lies on the felt."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, HTTPException, Request
from pydantic import Field

from boxman.pit.backroom.coaching import Coaches
from boxman.pit.backroom.simulations import MOST_MONEY, Job, asker, backroom
from boxman.pit.people.door import DoorError
from boxman.pit.told.view import advises
from boxman.pit.web.costs import READING
from boxman.pit.web.requests import AtTable, Body, ErrorBody, InHouse, Who
from boxman.table.said.menu import fresh_of
from boxman.words import phrase

coach = APIRouter(prefix="/api/tables", tags=["tables"], responses=ErrorBody)
coaches = Coaches(backroom)
Stake = Annotated[int, Field(gt=0, le=MOST_MONEY)]


class CoachQuestion(Body):
    """What a player wants to have on the rail, and what is staged but not placed."""

    target: Stake
    staged: Annotated[dict[str, Stake], Field(max_length=40)] = {}


@coach.post("/{table}/coach", openapi_extra=READING)
def advice(
    asked: CoachQuestion, live: AtTable, house: InHouse, session: Who, request: Request
) -> dict[str, object]:
    """Where hints are given: best play from here, and what the wagers up and staged are worth."""
    if not advises(live.desk.layout, live.desk.book.setup):
        raise DoorError(403, "no-advice", phrase("pit.web.this-house-gives-no"))
    name = house.seat(live, session.person)
    table = live.desk.shown[0]
    if not name or name not in table.seats:
        raise DoorError(409, "not-seated", phrase("pit.web.you-have-no-seat"))
    seat = table.seats[name]
    up = {spot: wager.stake for spot, wager in seat.wagers.items()}
    held = seat.rail + sum(wager.stake + wager.fee for wager in seat.wagers.values())
    if asked.target <= held:
        return {"state": "reached"}
    try:
        found = coaches.ask(
            live.desk.rulebook, live.desk.layout, table.posted, asked.target, asker(request)
        )
    except HTTPException as busy:
        raise DoorError(busy.status_code, "busy", str(busy.detail)) from None
    if isinstance(found, Job):
        failed = found.state not in ("waiting", "running")
        told = found.known.get("error") or found.known["why"] if failed else found.known.get("told")
        return {"state": "failed" if failed else "working", "told": told or ""}
    for spot, stake in asked.staged.items():
        up[spot] = up.get(spot, 0) + stake
    fresh, spots = fresh_of(live.desk.layout, table, name), live.desk.layout.spots
    said = found.advice(
        *(table.puck, up, seat.rail),
        fees=sum(wager.fee for wager in seat.wagers.values()),
        staged=sum(asked.staged.values()),
        held=[
            spot
            for spot in seat.wagers
            if not fresh.get(spot) and not spots[spot].may("remove", table.puck)
        ],
    )
    return {"state": "none"} if said is None else {"state": "ready", **said._asdict()}
