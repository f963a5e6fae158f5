"""Shared hands over HTTP: the code of one's own last hand, and any code played again."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from boxman.journal.fold import first_row, restore
from boxman.pit.people.door import DoorError
from boxman.pit.told.seen.hands import (
    LONGEST,
    HandError,
    Replayed,
    coded,
    decoded,
    hand_told,
    last_hand,
    played,
)
from boxman.pit.web.api.eyes import advised
from boxman.pit.web.api.houses import felt_data
from boxman.pit.web.costs import READING, WORKING
from boxman.pit.web.requests import AtTable, Body, ErrorBody, InHouse, Who
from boxman.words import phrase

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
        code = coded(hand, house.journal.edition)
        return {"code": code, **_with_cloth(played(hand, house.journal.edition))}
    except HandError as error:
        raise DoorError(409, "no-hand", str(error)) from None


@hands.post("/hands", openapi_extra=WORKING)
def replay_hand(asked: HandCode, house: InHouse) -> dict[str, object]:
    """A shared hand played again, step by step."""
    try:
        hand = decoded(asked.code)
        found = played(hand, house.journal.edition)
        if found.net != hand.net:
            raise HandError(phrase("pit.hand.broken"))
        return _with_cloth(found)
    except HandError as error:
        raise DoorError(422, "bad-hand", str(error)) from None


def _with_cloth(hand: Replayed) -> dict[str, object]:
    """The hand with the cloth it was played on, which may be one this server has no table for."""
    return {**hand_told(hand), "cloth": felt_data(hand.layout)}
