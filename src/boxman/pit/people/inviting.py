"""Invitations to work here: a link by which somebody makes his own account, once.

The administrator names the person, the table and the stations; whoever opens the link chooses the
password himself. The database has the hash of the code alone, and it counts for three days.
"""

from __future__ import annotations

import asyncio
import secrets

import msgspec

from boxman.journal.store import Change
from boxman.pit.live.stations import ALL_STATIONS, PLAYER, SPECTATOR
from boxman.pit.people import names
from boxman.pit.people.door import (
    INVITED,
    Door,
    DoorError,
    Person,
    Roles,
    check_name,
    code_hash,
)
from boxman.words import phrase

LASTS = 3 * 24 * 60 * 60 * 1000


class Invited(msgspec.Struct, frozen=True, kw_only=True):
    """Who may come by a link, to work where."""

    name: str
    table: str
    stations: tuple[str, ...]
    by: str
    until: int


def invite(door: Door, name: str, table: str, stations: tuple[str, ...], by: str) -> str:
    """A code for somebody who has no account yet."""
    name = check_name(name)
    wrong = [each for each in stations if each not in ALL_STATIONS or each in (PLAYER, SPECTATOR)]
    if wrong or not stations:
        unknown = wrong[0] if wrong else ""
        raise DoorError(
            422, "no-such-station", phrase("pit.people.there-is-no-station", unknown=unknown)
        )
    if door.person(name) is not None:
        raise DoorError(409, "name-taken", phrase("pit.people.there-is-an-account", made=name))
    made = Invited(name=name, table=table, stations=stations, by=by, until=door.clock() + LASTS)
    code = secrets.token_urlsafe(18)
    change = Change(INVITED, code_hash(code), None, msgspec.json.encode(made))
    details = {"table": table, "stations": ", ".join(stations)}
    door.acts.write("invite", by=by, about=name, changes=[change], details=details)
    return code


def invited(door: Door, code: str) -> Invited:
    """What a code is for, as long as it counts, and whoever gave it has not been shut out."""
    kept = door.records.get(INVITED, code_hash(code))
    made = msgspec.json.decode(kept, type=Invited) if kept else None
    by = door.person(made.by) if made is not None else None
    if made is None or made.until <= door.clock() or by is None or by.disabled:
        raise DoorError(404, "not-invited", phrase("pit.people.this-invitation-is-over"))
    return made


async def join(door: Door, code: str, password: str) -> tuple[Person, Invited]:
    """The account, its stations and the end of the invitation, all or nothing."""
    known = await asyncio.to_thread(invited, door, code)
    person = await door.made(known.name, password, works=True)
    roles = Roles(stations={known.table: known.stations})
    kept = door.records.get(INVITED, code_hash(code))
    changes = [
        Change("person", names.key_of(person.name), None, msgspec.json.encode(person)),
        Change("roles", person.name, None, msgspec.json.encode(roles)),
        Change(INVITED, code_hash(code), kept, None),
    ]
    details = {"table": known.table, "stations": ", ".join(known.stations)}
    done = kept is not None and await asyncio.to_thread(
        door.acts.write, "join", by=known.by, about=person.name, changes=changes, details=details
    )
    if not done:
        raise DoorError(404, "not-invited", phrase("pit.people.this-invitation-is-over"))
    return person, known
