"""People over HTTP: sign-in, set-up, accounts, roles, the cage, one's own brakes."""

from __future__ import annotations

import asyncio
import time

import msgspec
from fastapi import APIRouter, Request, Response

from boxman.pit.house import Casino
from boxman.pit.people import inviting, passwords
from boxman.pit.people.brakes import BrakeError, Brakes
from boxman.pit.people.bucket import Bucket
from boxman.pit.people.cage import CageError
from boxman.pit.people.door import (
    SESSION_TIME,
    SHORT_HASH,
    DoorError,
    Person,
    Visit,
    shown_name,
    token_hash,
)
from boxman.pit.people.invitation import forget
from boxman.pit.people.quotas import address_of
from boxman.pit.people.readers import reads_acts
from boxman.pit.web.costs import REQUEST, SET_UP, SIGN_IN
from boxman.pit.web.requests import (
    COOKIE,
    Appointment,
    Boss,
    CageMove,
    ChangedPerson,
    ErrorBody,
    FirstPerson,
    InHouse,
    Invitation,
    Joining,
    MaybeVisit,
    NewPassword,
    NewPerson,
    ReadInvitation,
    SecondFactor,
    SignIn,
    WantedBrakes,
    Who,
)
from boxman.rules.duties import STATIONS
from boxman.words import phrase

KNOWN = "boxman_known"
people = APIRouter(prefix="/api", tags=["people"], responses=ErrorBody)


def give_cookie(request: Request, response: Response, token: str) -> None:
    """The session's token, where scripts and other sites cannot read it."""
    config = request.app.state.house.config
    response.set_cookie(
        COOKIE,
        token,
        max_age=SESSION_TIME // 1000,
        httponly=True,
        samesite="lax",
        secure=config.secure_cookies,
        path="/",
    )


def remember(request: Request, response: Response, house: Casino, session: Visit) -> None:
    """This browser was let in: others' wrong tries do not hold it up."""
    person = house.door.person(session.person)
    if person is not None:
        response.set_cookie(
            KNOWN,
            house.door.known_word(person),
            max_age=180 * 24 * 3600,
            httponly=True,
            samesite="strict",
            secure=house.config.secure_cookies,
            path="/api/session",
        )


def told(session: Visit) -> dict[str, object]:
    """A session as its owner sees it."""
    return {
        "person": session.person,
        "name": shown_name(session.person),
        "guest": session.guest,
        "administrator": session.administrator,
        "since": session.since,
        "until": session.until,
    }


@people.post("/session", openapi_extra=SIGN_IN)
async def sign_in(
    body: SignIn, request: Request, response: Response, house: InHouse
) -> dict[str, object]:
    """Sign in with a password, or enter as a guest."""
    if body.guest:
        house.quotas.may_enter(address_of(request.client))
        token, session = await asyncio.to_thread(house.door.guest, body.name)
    else:
        known = request.cookies.get(KNOWN, "")[:64]
        token, session = await house.door.sign_in(body.name, body.password, body.code, known)
        remember(request, response, house, session)
    give_cookie(request, response, token)
    return told(session)


@people.delete("/session", openapi_extra=REQUEST, status_code=204)
async def sign_out(request: Request, response: Response, house: InHouse) -> None:
    """End this session, at once and everywhere."""
    await asyncio.to_thread(house.door.end, request.cookies.get(COOKIE))
    response.delete_cookie(COOKIE, path="/")


@people.get("/setup", openapi_extra=REQUEST)
def set_up_yet(house: InHouse) -> dict[str, bool]:
    """Whether the house has its administrator, and if not, whether a page can make one."""
    return {
        "done": not house.door.empty,
        "open": house.door.invited,
        "guests_open_tables": house.config.guests_open_tables,
    }


@people.post("/setup", openapi_extra=SET_UP, status_code=201)
async def set_up(
    body: FirstPerson, request: Request, response: Response, house: InHouse
) -> dict[str, object]:
    """The first run: make the administrator of the house."""
    person = await house.door.set_up(body.name, body.password, body.code)
    await asyncio.to_thread(forget, house.config)
    token, session = await house.door.sign_in(person.name, body.password)
    remember(request, response, house, session)
    give_cookie(request, response, token)
    return told(session)


@people.get("/me", openapi_extra=REQUEST)
def me(house: InHouse, session: MaybeVisit) -> dict[str, object]:
    """Who I am, what I hold, what I have set myself."""
    if session is None:
        return {"person": None, "setup": house.door.invited}
    person = session.person
    brakes = house.brakes.of(person)
    played = house.brakes.played(person)
    stations = {} if session.guest else house.door.roles(person).stations
    return {
        **told(session),
        "setup": house.door.invited,
        "stations": stations,
        "acts": reads_acts(session, stations),
        "cage": None if session.guest else house.cage.balance(person),
        "brakes": brakes_told(house, brakes),
        "played_today": house.brakes.time(person),
        "since": played.since,
        "result_today": house.result(person),
        "currency": house.currency,
        "tables": [
            {"table": live.name, "seat": house.seat(live, person)}
            for live in tuple(house.pit.tables.values())
            if house.seat(live, person)
        ],
    }


@people.post("/me/password", openapi_extra=REQUEST, status_code=204)
async def my_password(
    body: NewPassword, request: Request, response: Response, house: InHouse, session: Who
) -> None:
    """Change my own password: my other sessions end."""
    person, tries = await _myself(house, session, body.password)
    tries.give_back()
    keep, still = token_hash(request.cookies.get(COOKIE, "")), house.door.still(person)
    await house.door.set_password(session.person, body.new, keep, session.person, still)
    remember(request, response, house, session)


async def _myself(house: Casino, session: Visit, password: str) -> tuple[Person, Bucket]:
    """The account of somebody who has just said its password once more, and the tries of which one
    is given back when nothing else has to be right."""
    person = None if session.guest else await asyncio.to_thread(house.door.person, session.person)
    if person is None:
        raise DoorError(403, "not-yours", phrase("pit.web.a-guest-has-no"))
    tries = house.door.tries.of(f"{session.person} within")
    if not tries.take(time.monotonic()):
        raise DoorError(429, "too-fast", phrase("pit.web.too-many-tries-wait"))
    if not await house.door.right(person, password):
        raise DoorError(403, "wrong-password", phrase("pit.web.that-is-not-your"))
    return person, tries


@people.get("/me/second-factor", openapi_extra=REQUEST)
def second_factor(house: InHouse, session: Who) -> dict[str, object]:
    """Whether I have a second factor; and a secret for one, which nothing keeps yet."""
    person = None if session.guest else house.door.person(session.person)
    if person is None:
        raise DoorError(403, "not-yours", phrase("pit.web.a-guest-has-no-account"))
    secret = passwords.new_secret()
    address = passwords.address_of(secret, person.name)
    return {"on": bool(person.second), "secret": secret, "address": address}


@people.post("/me/second-factor", openapi_extra=REQUEST)
async def set_second_factor(body: SecondFactor, house: InHouse, session: Who) -> dict[str, bool]:
    """Have a second factor from now on, or none: the code proves that I hold it."""
    if body.secret and not passwords.SECRET.fullmatch(body.secret):
        raise DoorError(422, "wrong-code", phrase("pit.web.a-secret-is-one"))
    person, tries = await _myself(house, session, body.password)
    if person.second and body.secret:
        # Else whoever has the password alone would put a factor of their own in its place.
        raise DoorError(409, "has-one", phrase("pit.web.you-have-a-second"))
    used = 0
    if person.second:
        await asyncio.to_thread(house.door.use_code, person, body.code)
    else:
        used = passwords.step_of(body.secret or "A" * 32, body.code, house.clock())
        if not used:
            raise DoorError(409, "wrong-code", phrase("pit.web.that-is-not-its"))
    tries.give_back()
    still, by = house.door.still(person), session.person
    await asyncio.to_thread(house.door.set_second, person.name, body.secret, by, used, still)
    return {"on": bool(body.secret)}


@people.get("/me/sessions", openapi_extra=REQUEST)
def my_sessions(request: Request, house: InHouse, session: Who) -> dict[str, object]:
    """Where I am signed in."""
    own = token_hash(request.cookies.get(COOKIE, ""))
    return {
        "sessions": [
            {
                "id": hashed[:SHORT_HASH],
                "since": one.since,
                "until": one.until,
                "this": hashed == own,
            }
            for hashed, one in house.door.sessions(session.person)
        ]
    }


@people.delete("/me/sessions/{number}", openapi_extra=REQUEST, status_code=204)
async def end_session(number: str, house: InHouse, session: Who) -> None:
    """End one of my sessions, at once and everywhere."""
    await asyncio.to_thread(house.door.end_one, session.person, number[:SHORT_HASH])


@people.get("/me/brakes", openapi_extra=REQUEST)
def my_brakes(house: InHouse, session: Who) -> dict[str, object]:
    """What I have set myself."""
    return brakes_told(house, house.brakes.of(session.person))


def brakes_told(house: Casino, brakes: Brakes) -> dict[str, object]:
    """What is in force, and since limits are told with their times, what time it is here."""
    made: dict[str, object] = msgspec.to_builtins(brakes)
    return {**made, "now": house.clock()}


@people.post("/me/brakes", openapi_extra=REQUEST)
async def set_brakes(body: WantedBrakes, house: InHouse, session: Who) -> dict[str, object]:
    """Set my own limits: lower binds at once, higher in a day."""
    wanted = body.model_dump(exclude_unset=True)
    if not wanted:
        raise DoorError(
            422,
            "brakes",
            phrase("pit.web.say-what-to-set", model_fields=", ".join(WantedBrakes.model_fields)),
        )
    try:
        brakes = await asyncio.to_thread(house.brakes.change, session.person, wanted)
    except BrakeError as error:
        raise DoorError(422, "brakes", str(error)) from None
    return brakes_told(house, brakes)


@people.get("/people", openapi_extra=REQUEST)
def everybody(house: InHouse, boss: Boss) -> dict[str, object]:
    """All accounts, with their stations and chips, and the stations there are."""
    return {
        "stations": STATIONS,
        "people": [
            {
                "name": person.name,
                "administrator": person.administrator,
                "disabled": person.disabled,
                "stations": house.door.roles(person.name).stations,
                "cage": house.cage.balance(person.name),
            }
            for person in house.door.people()
        ],
    }


@people.post("/people", openapi_extra=REQUEST, status_code=201)
async def new_person(body: NewPerson, house: InHouse, boss: Boss) -> dict[str, object]:
    """A new account."""
    person = await house.door.add(body.name, body.password, body.administrator, boss.person)
    return {"name": person.name, "administrator": person.administrator}


@people.post("/people/{name}", openapi_extra=REQUEST)
async def change_person(
    name: str, body: ChangedPerson, house: InHouse, boss: Boss
) -> dict[str, object]:
    """Shut somebody out, or let him in again."""
    person = await asyncio.to_thread(house.door.disable, name[:64], body.disabled, by=boss.person)
    if person.disabled:
        house.send_off(person.name)
    return {"name": person.name, "disabled": person.disabled}


@people.post("/people/{name}/stations", openapi_extra=REQUEST)
async def appoint(name: str, body: Appointment, house: InHouse, boss: Boss) -> dict[str, object]:
    """Appoint somebody to stations at a table, in place of those he had there."""
    person = await asyncio.to_thread(house.door.person, name[:64])
    if person is None:
        raise DoorError(404, "no-such-person", phrase("pit.web.there-is-no-such-account"))
    roles = await asyncio.to_thread(
        house.door.appoint, person.name, body.table, tuple(body.stations), by=boss.person
    )
    house.stations_changed(person.name)
    return {"name": person.name, "stations": roles.stations}


@people.post("/invitations", openapi_extra=REQUEST, status_code=201)
async def invite(body: Invitation, house: InHouse, boss: Boss) -> dict[str, str]:
    """A link by which somebody makes his own account, and works these stations from then on."""
    code = await asyncio.to_thread(
        inviting.invite, house.door, body.name, body.table, tuple(body.stations), boss.person
    )
    # After the #, a browser keeps it to itself: it is in no request and in no log.
    return {"path": f"/sign-in#invited={code}"}


@people.post("/invitations/read", openapi_extra=REQUEST)
async def read_invitation(body: ReadInvitation, house: InHouse) -> dict[str, str]:
    """Whom an invitation is for."""
    found = await asyncio.to_thread(inviting.invited, house.door, body.code)
    return {"name": found.name, "by": found.by}


@people.post("/invitations/accept", openapi_extra=SIGN_IN, status_code=201)
async def accept(
    body: Joining, request: Request, response: Response, house: InHouse
) -> dict[str, object]:
    """Come by an invitation: the account is made, and signed in."""
    person, found = await inviting.join(house.door, body.code, body.password)
    token, session = await house.door.sign_in(person.name, body.password)
    remember(request, response, house, session)
    give_cookie(request, response, token)
    return {**told(session), "table": found.table}


@people.get("/cage", openapi_extra=REQUEST)
def my_cage(house: InHouse, session: Who) -> dict[str, object]:
    """What the cage has issued me, and the last movements."""
    account = house.cage.account(session.person)
    return {
        "balance": house.cage.balance(session.person),
        "movements": [
            {"at": at, "amount": amount, "by": by} for at, amount, by in account.movements
        ],
    }


@people.post("/cage", openapi_extra=REQUEST)
async def move_chips(body: CageMove, house: InHouse, boss: Boss) -> dict[str, object]:
    """Issue play chips to somebody, or take them back."""
    person = await asyncio.to_thread(house.door.person, body.person)
    if person is None:
        raise DoorError(404, "no-such-person", phrase("pit.web.there-is-no-such-account"))
    try:
        left = await asyncio.to_thread(house.cage.move, person.name, body.amount, boss.person)
    except CageError as error:
        raise DoorError(409, "cage", str(error)) from None
    return {"person": person.name, "balance": left}
