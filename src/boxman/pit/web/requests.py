"""What requests bring with them, as models that say what is wrong with a request.

Amounts are in minor units, as everywhere on the wire.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import Depends, Request
from pydantic import BaseModel, ConfigDict, Field

from boxman.pit.around import Live
from boxman.pit.house import Casino
from boxman.pit.people.door import DoorError, Visit
from boxman.pit.web.guard import SESSION
from boxman.words import phrase

COOKIE = SESSION
MONEY = 10**12
Money = Annotated[int, Field(ge=0, le=MONEY)]
Name = Annotated[str, Field(min_length=1, max_length=24)]


class Body(BaseModel):
    """Every body: unknown fields are errors."""

    model_config = ConfigDict(extra="forbid")


class SignIn(Body):
    """A name and a password, and a code where there is a second factor; or a guest's name alone."""

    name: Name
    password: Annotated[str, Field(max_length=200)] = ""
    code: Annotated[str, Field(max_length=20)] = ""
    guest: bool = False


class NewPerson(Body):
    """An account."""

    name: Name
    password: Annotated[str, Field(min_length=8, max_length=200)]
    administrator: bool = False


class FirstPerson(Body):
    """The first administrator, with the code that the house's owner was shown."""

    name: Name
    password: Annotated[str, Field(min_length=8, max_length=200)]
    code: Annotated[str, Field(max_length=100)]


class NewPassword(Body):
    """One's own password, and the one to have from now on."""

    password: Annotated[str, Field(max_length=200)]
    new: Annotated[str, Field(min_length=8, max_length=200)]


class SecondFactor(Body):
    """One's own password, and a code: of the secret given, or to be without one, of the old."""

    password: Annotated[str, Field(max_length=200)]
    secret: Annotated[str, Field(max_length=64)] = ""
    code: Annotated[str, Field(max_length=20)]


class Appointment(Body):
    """Stations of somebody at a table; `*` is every table."""

    table: Annotated[str, Field(max_length=40)] = "*"
    stations: Annotated[list[str], Field(max_length=10)]


class Invitation(Appointment):
    """Somebody who is to come by a link, and work these stations."""

    name: Name


class ReadInvitation(Body):
    """The code of an invitation."""

    code: Annotated[str, Field(max_length=64)]


class Joining(ReadInvitation):
    """The same, and the password that its owner chooses."""

    password: Annotated[str, Field(min_length=8, max_length=200)]


class Previewed(Body):
    """A call of the crew that is not said yet."""

    call: dict[str, object]


class ChangedPerson(Body):
    """Shut out, or let in again."""

    disabled: bool


class CageMove(Body):
    """Chips issued (above nothing) or taken back (below)."""

    person: Annotated[str, Field(max_length=64)]
    amount: Annotated[int, Field(ge=-MONEY, le=MONEY)]


class WantedBrakes(Body):
    """What somebody sets himself; what is left out stays as it is."""

    loss: Annotated[int, Field(strict=True, ge=0, le=MONEY)] = 0
    minutes: Annotated[int, Field(strict=True, ge=0, le=24 * 60)] = 0
    remind: Annotated[int, Field(strict=True, ge=0, le=24 * 60)] = 0
    pause_hours: Annotated[int, Field(strict=True, ge=1, le=24 * 42)] = 1
    exclude_days: Annotated[int, Field(strict=True, ge=1, le=365 * 5)] = 1


class NewTable(Body):
    """A table to be opened."""

    house: Annotated[str, Field(min_length=1, max_length=4096)]
    name: Annotated[str, Field(max_length=60)] = ""
    chip: Annotated[int, Field(ge=1, le=10**7)] = 100
    minimum: Money = 500
    maximum: Money = 50_000
    unit: Money = 0
    settings: dict[str, str | int | bool] = {}
    practice: bool = True
    crew: Literal["automatic", "by hand"] = "automatic"
    automatic: Annotated[list[str], Field(max_length=10)] | None = None
    """The stations that are automatic, where not all or none are."""
    players: int | Annotated[list[str], Field(max_length=8)] = 0
    shooter: Literal["guest", "players"] = "guest"
    places: Annotated[int, Field(ge=0, le=20)] = 0
    dice: Literal["house", "hand", "scripted"] = "house"
    script: Annotated[
        list[Annotated[list[Annotated[int, Field(ge=1, le=6)]], Field(min_length=2, max_length=2)]],
        Field(max_length=10_000),
    ] = []
    window: Annotated[int, Field(ge=0, le=600)] = 0
    """Seconds for bets between two throws; 0: until the players are ready."""
    patience: Annotated[int, Field(ge=0, le=120)] = 4
    """Seconds that others at the table get when somebody wants the dice thrown."""
    pace: Annotated[float, Field(ge=0.0, le=10.0)] = 0.1
    """Seconds between two calls of the automatic crew."""
    second_person: bool = False
    sticks: Annotated[int, Field(ge=0, le=4)] = 1
    dealers: Annotated[int, Field(ge=0, le=4)] = 2
    boxes: Annotated[int, Field(ge=0, le=4)] = 1
    sides: Literal[1, 2] = 2
    usual: Money = 30_000
    """What a page offers first to somebody who buys in."""
    buy_in: Money = 100_000
    """The most somebody buys in for at a time, at a practice table."""


class Sitting(Body):
    """Somebody sits down with chips."""

    name: Annotated[str, Field(max_length=24)] = ""
    buy_in: Annotated[int, Field(gt=0, le=MONEY)] | None = None
    """Left out: what is usual at the table."""
    place: Annotated[int, Field(ge=0, le=20)] = 0


def house_of(request: Request) -> Casino:
    """The house of this process."""
    house: Casino = request.app.state.house
    return house


def session_of(request: Request) -> Visit:
    """Who asks; somebody who is not in the house is sent to the door."""
    found = maybe_session(request)
    if found is None:
        raise DoorError(401, "signed-out", phrase("pit.web.sign-in-or-enter"))
    return found


def maybe_session(request: Request) -> Visit | None:
    """Who asks, if he is in the house."""
    return house_of(request).door.session(request.cookies.get(COOKIE))


def administrator(request: Request) -> Visit:
    """The administrator who asks."""
    found = session_of(request)
    if not found.administrator:
        raise DoorError(403, "not-yours", phrase("pit.web.that-is-for-the"))
    return found


def table_of(request: Request, table: str) -> Live:
    """A table that is run here."""
    house = house_of(request)
    live = house.pit.tables.get(table)
    if live is None:
        raise house.absent(table)
    return live


def through(door: str) -> Callable[[Request, str], Live]:
    """A table that is run here, for somebody who may come through this door to its journal."""

    def journal_of(request: Request, table: str) -> Live:
        live, session = table_of(request, table), maybe_session(request)
        if door in house_of(request).reads(session, live):
            return live
        if session is None:
            raise DoorError(401, "signed-out", phrase("pit.web.this-is-a-live"))
        raise DoorError(
            403,
            "not-yours",
            phrase("pit.web.the-journal-of-a"),
        )

    return journal_of


ErrorBody: dict[int | str, dict[str, object]] = {
    status: {
        "description": words,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
                    "required": ["code", "message"],
                }
            }
        },
    }
    for status, words in {
        400: "not understood",
        401: "nobody is signed in",
        403: "not yours",
        404: "there is no such thing",
        409: "not now",
        410: "the table was put away",
        413: "too large",
        422: "the request is not right",
        429: "too often",
        503: "the journal takes nothing, or the table is run elsewhere",
    }.items()
}

InHouse = Annotated[Casino, Depends(house_of)]
Who = Annotated[Visit, Depends(session_of)]
MaybeVisit = Annotated[Visit | None, Depends(maybe_session)]
Boss = Annotated[Visit, Depends(administrator)]
AtTable = Annotated[Live, Depends(table_of)]
