"""The door: who somebody is. Accounts, guests, sessions that can be ended at once, roles by table.

Passwords are kept as argon2 hashes and checked in a thread, two at a time, since one check costs a
fifth of a second and 64 MiB. A session is a random token in a cookie; the database has its hash
alone. Everything is kept in the records beside the journal. No secret is ever logged.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from boxman.journal.store import Journal, Records
from boxman.pit.stations import ALL_STATIONS, PLAYER, SPECTATOR
from boxman.table.notation import RESERVED

if TYPE_CHECKING:
    from argon2 import PasswordHasher

NAME = re.compile(r"[^\W\d][\w-]{0,23}")
PASSWORD_LEAST, PASSWORD_MOST = 8, 200
SESSION_TIME = 30 * 24 * 60 * 60 * 1000
GUEST_TIME = 24 * 60 * 60 * 1000
CACHED = 2_000
"""Milliseconds for which a session is known without asking the database again."""
FORGOTTEN = 60_000
"""Milliseconds after which a session that nobody asks for is not known any more."""
EVERY_TABLE = "*"
CODE_LETTERS = "bcdfghjkmnpqrstvwxyz23456789"
"""Letters and digits that nobody takes for another."""


class DoorError(Exception):
    """Why somebody is not let in, in one sentence."""

    def __init__(self, status: int, code: str, message: str) -> None:
        self.status, self.code, self.message = status, code, message
        super().__init__(message)


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody with an account."""

    name: str
    hashed: str
    administrator: bool = False
    created: int = 0
    disabled: bool = False


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who is in the house: signed in, or a guest for the day."""

    person: str
    guest: bool
    administrator: bool = False
    since: int
    until: int


class Known(msgspec.Struct):
    """A session as it was read: when that was, and when somebody asked for it last."""

    read: int
    asked: int
    session: Session


class Roles(msgspec.Struct, frozen=True, kw_only=True):
    """The stations somebody may work, by table; `*` is every table."""

    stations: dict[str, tuple[str, ...]] = {}


def check_name(name: str) -> str:
    """A name as the notation can write it."""
    name = name.strip()
    if not NAME.fullmatch(name) or name in (*RESERVED, *ALL_STATIONS, "players", "stick"):
        raise DoorError(
            422,
            "bad-name",
            "a name is 1 to 24 letters, digits, _ or -, begins with a letter, and is not a word "
            "of the table such as box or dice",
        )
    return name


def hasher() -> PasswordHasher:
    """How passwords are hashed: argon2id as its authors recommend."""
    from argon2 import PasswordHasher

    return PasswordHasher()


def token_hash(token: str) -> str:
    """What the database has of a token."""
    return hashlib.sha256(b"boxman session\0" + token.encode()).hexdigest()


def code_hash(code: str) -> str:
    """What the database has of the set-up code; spaces, dashes and capitals do not count."""
    plain = re.sub(r"[\s-]", "", code).lower()
    return hashlib.sha256(b"boxman set-up\0" + plain.encode()).hexdigest()


class Door:
    """Accounts, sessions and roles. `clock` gives milliseconds since 1970."""

    def __init__(self, journal: Journal, clock: Callable[[], int]) -> None:
        self.records: Records = journal.records
        self.clock = clock
        self._hashing = asyncio.Semaphore(2)
        self._known: dict[str, Known] = {}

    # -- accounts ------------------------------------------------------------------------------

    @property
    def empty(self) -> bool:
        """Whether nobody has set the house up yet."""
        return self.records.get("house", "set-up") is None

    @property
    def invited(self) -> bool:
        """Whether somebody with the code could set the house up now."""
        return self.records.get("house", "invitation") is not None and self.empty

    def invite(self, code: str = "") -> str:
        """The code that makes the first administrator, chosen or made; the newest one counts."""
        code = code or "-".join(
            "".join(secrets.choice(CODE_LETTERS) for _ in range(4)) for _ in range(3)
        )
        self.records.put("house", "invitation", code_hash(code).encode())
        return code

    async def set_up(self, name: str, password: str, code: str) -> Person:
        """The first run: whoever has the code becomes the administrator, once."""
        if not self.empty:
            raise DoorError(409, "set-up-done", "the house is set up already; sign in")
        kept = self.records.get("house", "invitation")
        if kept is None:
            raise DoorError(403, "not-invited", "this house is not set up by a page")
        if not hmac.compare_digest(kept, code_hash(code).encode()):
            raise DoorError(
                403,
                "wrong-code",
                "that is not the code of this set-up; it stands where the house was started last",
            )
        name = check_name(name)
        hashed = await self._hash(password)
        if not self.records.add("house", "set-up", name.encode()):
            raise DoorError(409, "set-up-done", "the house is set up already; sign in")
        made = self._keep(name, hashed, administrator=True)
        self.records.delete("house", "invitation")
        return made

    async def add(self, name: str, password: str, administrator: bool = False) -> Person:
        """A new account."""
        name = check_name(name)
        return self._keep(name, await self._hash(password), administrator)

    def _keep(self, name: str, hashed: str, administrator: bool) -> Person:
        made = Person(name=name, hashed=hashed, administrator=administrator, created=self.clock())
        if not self.records.add("person", name.lower(), msgspec.json.encode(made)):
            raise DoorError(409, "name-taken", f"there is an account {name} already")
        return made

    def person(self, name: str) -> Person | None:
        """An account by its name."""
        kept = self.records.get("person", name.lower())
        return msgspec.json.decode(kept, type=Person) if kept else None

    def people(self) -> list[Person]:
        """All accounts."""
        return [msgspec.json.decode(value, type=Person) for _, value in self.records.list("person")]

    def disable(self, name: str, disabled: bool) -> None:
        """Shut somebody out, or let him in again; his sessions end at once."""
        found = self.person(name)
        if found is None:
            raise DoorError(404, "no-such-person", f"there is no account {name}")
        changed = msgspec.structs.replace(found, disabled=disabled)
        self.records.put("person", name.lower(), msgspec.json.encode(changed))
        if disabled:
            self.end_all(found.name)

    async def _hash(self, password: str) -> str:
        if not PASSWORD_LEAST <= len(password) <= PASSWORD_MOST:
            raise DoorError(
                422,
                "bad-password",
                f"a password is {PASSWORD_LEAST} to {PASSWORD_MOST} characters",
            )
        async with self._hashing:
            return await asyncio.to_thread(hasher().hash, password)

    async def sign_in(self, name: str, password: str) -> tuple[str, Session]:
        """A session for a name and a password; the same answer whatever is wrong."""
        from argon2.exceptions import InvalidHashError, VerificationError

        found = self.person(name[:64])
        hashed = found.hashed if found is not None else _NOBODY
        async with self._hashing:
            try:
                await asyncio.to_thread(hasher().verify, hashed, password[:PASSWORD_MOST])
                right = found is not None and not found.disabled
            except (VerificationError, InvalidHashError):
                right = False
        if not right or found is None:
            raise DoorError(401, "wrong-password", "that name and password do not go together")
        return self._begin(found.name, SESSION_TIME, guest=False, boss=found.administrator)

    def guest(self, name: str) -> tuple[str, Session]:
        """A session for somebody without an account, at practice tables."""
        name = check_name(name)
        if self.person(name) is not None:
            raise DoorError(409, "name-taken", f"{name} has an account: sign in, or another name")
        return self._begin(f"guest:{secrets.token_hex(4)}:{name}", GUEST_TIME, guest=True)

    def _begin(
        self, person: str, lasts: int, *, guest: bool, boss: bool = False
    ) -> tuple[str, Session]:
        token = secrets.token_urlsafe(32)
        now = self.clock()
        made = Session(person=person, guest=guest, administrator=boss, since=now, until=now + lasts)
        self.records.put("session", token_hash(token), msgspec.json.encode(made))
        return token, made

    # -- sessions ------------------------------------------------------------------------------

    def session(self, token: str | None) -> Session | None:
        """Whose session a token is, if it still is one."""
        if not token or len(token) > 100:
            return None
        hashed, now = token_hash(token), self.clock()
        known = self._known.get(hashed)
        if known is None or now - known.read >= CACHED:
            kept = self.records.get("session", hashed)
            if kept is None:
                self._known.pop(hashed, None)
                return None
            if len(self._known) > 10_000:
                self._known.clear()
            found = msgspec.json.decode(kept, type=Session)
            known = self._known[hashed] = Known(now, now, found)
        known.asked = now
        return known.session if known.session.until > now else None

    def refresh(self) -> None:
        """Sessions that are in use are read again before they are asked for, so that a socket never
        waits for the store; others are forgotten. It belongs in a thread."""
        now = self.clock()
        for hashed, known in tuple(self._known.items()):
            if now - known.asked > FORGOTTEN:
                self._known.pop(hashed, None)
            elif now - known.read >= CACHED // 2:
                kept = self.records.get("session", hashed)
                if kept is None:
                    self._known.pop(hashed, None)
                else:
                    # One that was ended meanwhile is not in the list any more, and stays out.
                    known.session, known.read = msgspec.json.decode(kept, type=Session), now

    def end(self, token: str | None) -> None:
        """A session is over."""
        if token:
            hashed = token_hash(token)
            self._known.pop(hashed, None)
            self.records.delete("session", hashed)

    def end_all(self, person: str) -> None:
        """All sessions of a person are over."""
        for hashed, value in self.records.list("session"):
            if msgspec.json.decode(value, type=Session).person == person:
                self._known.pop(hashed, None)
                self.records.delete("session", hashed)

    # -- roles ---------------------------------------------------------------------------------

    def roles(self, person: str) -> Roles:
        """The stations somebody may work."""
        kept = self.records.get("roles", person)
        return msgspec.json.decode(kept, type=Roles) if kept else Roles()

    def appoint(self, person: str, table: str, stations: tuple[str, ...]) -> Roles:
        """Give somebody stations at a table, in place of those he had there."""
        unknown = [s for s in stations if s not in ALL_STATIONS or s in (PLAYER, SPECTATOR)]
        if unknown:
            raise DoorError(422, "no-such-station", f"there is no station {unknown[0]}")
        held = dict(self.roles(person).stations)
        held[table] = stations
        made = Roles(stations={name: who for name, who in held.items() if who})
        self.records.put("roles", person, msgspec.json.encode(made))
        return made

    def stations(self, session: Session, table: str) -> tuple[str, ...]:
        """The stations of the crew that somebody may speak from at a table."""
        if session.guest:
            return ()
        held = self.roles(session.person).stations
        return tuple(dict.fromkeys((*held.get(EVERY_TABLE, ()), *held.get(table, ()))))


def shown_name(person: str) -> str:
    """What others call a person: a guest's chosen name, or the account's."""
    return person.rsplit(":", 1)[-1]


_NOBODY = (
    "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHRzb21lc2FsdA$"
    "5Qm3l2zJv7y0m4q2cC2cS3q5nV0m3R4cJ1kq8Yw1a0c"
)
"""A hash that no password has, checked for names without an account so that both take as long."""
