"""Shared hands over HTTP: the code of one's own last hand, and any code played again."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, HTTPException, Request, Response
from pydantic import Field

from boxman.journal.fold import first_row, restore
from boxman.pit.backroom import simulations
from boxman.pit.people.door import DoorError
from boxman.pit.told.seen.hands import (
    LONGEST,
    OWN,
    HandError,
    TooLong,
    coded,
    decoded,
    hand_told,
    last_hand,
    played,
    played_again,
)
from boxman.pit.web.api.eyes import advised
from boxman.pit.web.costs import READING, REQUEST, WORKING
from boxman.pit.web.requests import AtTable, Body, ErrorBody, InHouse, Who
from boxman.words import phrase, spoken

hands = APIRouter(prefix="/api", tags=["hands"], responses=ErrorBody)
BACK = 3_000
"""Rows that are read back for the last hand."""


class HandCode(Body):
    """The code of a hand, as a link carries it."""

    code: Annotated[str, Field(max_length=2 * LONGEST)]


@hands.get("/tables/{table}/hand", openapi_extra=READING)
def own_hand(live: AtTable, house: InHouse, session: Who) -> dict[str, object]:
    """One's own hand under way, or the last one, as a code that replays anywhere."""
    seat = advised(live, house, session)
    head = live.desk.shown[2].number
    first = first_row(house.journal, live.name)
    folded = restore(house.journal, live.name, max(1, head - BACK))
    if first is None or folded is None:
        raise DoorError(404, "no-hand", phrase("pit.hand.none"))
    rows = house.journal.rows(live.name, folded.head.number, head - folded.head.number)
    try:
        edition = live.desk.layout.digest
        hand = last_hand(first.opens, edition, rows, folded.table, seat)
        told = hand_told(played(hand, house.journal.edition))
        try:
            return {"code": coded(hand, house.journal.edition), **told}
        except TooLong as error:
            return {"code": "", "why": str(error), **told}
    except HandError as error:
        raise DoorError(409, "no-hand", str(error)) from None


@hands.post("/hands", openapi_extra=WORKING)
def replay_hand(asked: HandCode, house: InHouse) -> dict[str, object]:
    """A shared hand played again, step by step, by a rulebook that this server has."""
    try:
        if asked.code.startswith(OWN):
            raise HandError(phrase("pit.hand.broken"))
        return played_again(asked.code, house.journal.edition)
    except HandError as error:
        raise DoorError(422, "bad-hand", str(error)) from None


@hands.post("/hands/own", openapi_extra=REQUEST)
def replay_own(asked: HandCode, request: Request) -> Response:
    """A shared hand played again by the rulebook that came with it, which is anybody's text: a
    worker with little time and memory reads and plays it, and nothing of it is kept."""
    try:
        decoded(asked.code)  # what is no hand at all is not worth a worker
    except HandError as error:
        raise DoorError(422, "bad-hand", str(error)) from None
    try:
        with simulations.backroom.replaying(*simulations.asker(request)):
            question = {"hand": asked.code, "language": spoken()}
            answer = simulations.one_answer(question, simulations.HAND_SECONDS)
    except HTTPException:
        raise DoorError(429, "too-many", phrase("pit.hand.busy")) from None
    if isinstance(answer, str):
        raise DoorError(422, "bad-hand", answer or phrase("pit.hand.too-slow"))
    return answer
