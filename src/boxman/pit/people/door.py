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
import time
from collections.abc import Callable

import msgspec

from boxman.chips import format_amount as money
from boxman.journal.store import Change, Journal, Records
from boxman.pit.live.stations import ALL_STATIONS, PLAYER, SPECTATOR
from boxman.pit.people import names, passwords
from boxman.pit.people.acts import MACHINE, Acts
from boxman.pit.people.bucket import Buckets
from boxman.words import phrase

SESSION_TIME = 30 * 24 * 60 * 60 * 1000
GUEST_TIME = 24 * 60 * 60 * 1000
CACHED = 2_000
"""Milliseconds for which a session is known without asking the database again."""
FORGOTTEN = 60_000
"""Milliseconds after which a session that nobody asks for is not known any more."""
EVERY_TABLE = "*"
SHORT_HASH = 16
"""Letters of a session's hash by which its owner names it."""
CODE_LETTERS = "bcdfghjkmnpqrstvwxyz23456789"
"""Letters and digits that nobody takes for another."""


TRIES, TRIES_AGAIN = 10.0, 1 / 60
"""Wrong passwords for one account at once, and a second, by those who were never let in to it."""
OWNED = ("roles", "brakes", "cage")
"""Records that somebody has by the name of the account, besides the account itself."""
INVITED = "worker"
"""Records of invitations to work here: they name somebody, and who gave them."""
ENDED = "ended"
"""The record that changes whenever a session ends before its time."""


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
    weak: bool = False
    """The password is too short for somebody who works a table."""
    second: str = ""
    """The secret of a second factor, if there is one."""
    used: int = 0
    """The last step of time whose code was used: none counts twice."""


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who is in the house: signed in, or a guest for the day."""

    person: str
    guest: bool
    administrator: bool = False
    since: int
    until: int


class KnownVisit(msgspec.Struct):
    """A session as it was read: when that was, and when somebody asked for it last."""

    read: int
    asked: int
    session: Visit


class Roles(msgspec.Struct, frozen=True, kw_only=True):
    """The stations somebody may work, by table; `*` is every table."""

    stations: dict[str, tuple[str, ...]] = {}


def check_name(name: str) -> str:
    """A name as the notation can write it, in the form in which it is kept."""
    name = names.normal(name)
    if why := names.problem(name):
        raise DoorError(422, "bad-name", why)
    return name


hasher = passwords.hasher


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
        self.clock, self.acts = clock, Acts(journal, clock)
        self._hashing = asyncio.Semaphore(2)
        self._known: dict[str, KnownVisit] = {}
        self._ended: bytes | None = None
        self.tries = Buckets(TRIES_AGAIN, TRIES)
        self._rekey()

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
            raise DoorError(409, "set-up-done", phrase("pit.people.the-house-is-set"))
        kept = self.records.get("house", "invitation")
        if kept is None:
            raise DoorError(403, "not-invited", phrase("pit.people.this-house-is-not"))
        if not hmac.compare_digest(kept, code_hash(code).encode()):
            raise DoorError(
                403,
                "wrong-code",
                phrase("pit.people.that-is-not-the"),
            )
        made = await self.made(name, password, administrator=True)
        changes = [
            Change("house", "set-up", None, made.name.encode()),
            Change("person", names.key_of(made.name), None, msgspec.json.encode(made)),
            Change("house", "invitation", kept, None),
        ]
        if not self.acts.write("set up", by=made.name, about=made.name, changes=changes):
            raise DoorError(409, "set-up-done", phrase("pit.people.the-house-is-set"))
        return made

    async def add(
        self, name: str, password: str, administrator: bool = False, by: str = MACHINE
    ) -> Person:
        """A new account."""
        made = await self.made(name, password, administrator)
        what = "add administrator" if administrator else "add account"
        change = Change("person", names.key_of(made.name), None, msgspec.json.encode(made))
        done = await asyncio.to_thread(
            self.acts.write, what, by=by, about=made.name, changes=[change]
        )
        if not done:
            raise DoorError(
                409, "name-taken", phrase("pit.people.there-is-an-account", made=made.name)
            )
        return made

    async def made(
        self, name: str, password: str, administrator: bool = False, works: bool = False
    ) -> Person:
        """An account that nothing keeps yet."""
        name = check_name(name)
        hashed = await self._hash(password, name, administrator or works)
        weak = bool(passwords.problem_for_crew(password, name))
        return Person(
            name=name,
            hashed=hashed,
            administrator=administrator,
            created=self.clock(),
            weak=weak,
        )

    def person(self, name: str) -> Person | None:
        """An account by its name."""
        key = names.key_of(name)
        kept = self.records.get("person", key) if key else None
        return msgspec.json.decode(kept, type=Person) if kept else None

    def known(self, name: str) -> Person:
        """An account by its name; DoorError if there is none."""
        found = self.person(name)
        if found is None:
            raise DoorError(404, "no-such-person", phrase("pit.people.there-is-no-such-account"))
        return found

    def _rekey(self) -> None:
        """Accounts of a Boxman that told fewer names alike are found by their names again."""
        for key, value in self.records.list("person"):
            new = names.key_of(msgspec.json.decode(value, type=Person).name)
            if new != key:  # where two are alike now, the second stays as it is
                moved = [Change("person", key, value, None), Change("person", new, None, value)]
                self.records.change(moved)

    def people(self) -> list[Person]:
        """All accounts."""
        return [msgspec.json.decode(value, type=Person) for _, value in self.records.list("person")]

    def _change(
        self,
        name: str,
        what: str = "",
        by: str = MACHINE,
        check: Callable[[Person], None] | None = None,
        **changes: object,
    ) -> Person:
        """Change an account; nobody else's change is lost. `what` makes it an act of the house;
        `check` may refuse it for what the account is at that moment."""
        for _ in range(10):
            key = names.key_of(name)
            kept = self.records.get("person", key) if key else None
            if kept is None:
                raise DoorError(
                    404, "no-such-person", phrase("pit.people.there-is-no-such-account")
                )
            found = msgspec.json.decode(kept, type=Person)
            if check is not None:
                check(found)
            made = msgspec.structs.replace(found, **changes)
            change = Change("person", key, kept, msgspec.json.encode(made))
            if what:
                done = self.acts.write(what, by=by, about=made.name, changes=[change])
            else:
                done = self.records.change([change])
            if done:
                return made
        raise DoorError(409, "busy", phrase("pit.people.the-account-is-being"))

    def disable(self, name: str, disabled: bool, by: str = MACHINE) -> Person:
        """Shut somebody out, or let him in again; his sessions end at once."""
        found = self.known(name)
        if disabled and names.key_of(by) == names.key_of(found.name):
            raise DoorError(409, "yourself", phrase("pit.people.nobody-shuts-himself-out"))
        what = "shut out" if disabled else "let in again"
        changed = self._change(name, what, by, disabled=disabled)
        if disabled:
            self.end_all(found.name)
        return changed

    async def set_password(
        self,
        name: str,
        password: str,
        keep: str = "",
        by: str = MACHINE,
        check: Callable[[Person], None] | None = None,
    ) -> Person:
        """Somebody's new password; his sessions end, save the one that he changes it by."""
        found = self.known(name)
        hashed = await self._hash(password, found.name, self.works(found))
        weak = bool(passwords.problem_for_crew(password, found.name))
        changed = self._change(name, "new password", by, check, hashed=hashed, weak=weak)
        self.tries.forget(names.key_of(name))
        self.end_all(found.name, keep)
        return changed

    def appoint_administrator(self, name: str) -> Person:
        """Let somebody run the house."""
        if self.known(name).weak:
            raise self._weak(name)
        what = "appoint administrator"
        return self._change(name, what, MACHINE, administrator=True, disabled=False)

    def forget(self, name: str, by: str = MACHINE) -> None:
        """Erase somebody: all that is kept beside the rows. Chips are taken back first; rows name
        the account for good, and the act that it was erased names it once more."""
        found = self.known(name)
        if held := self.acts.journal.chips.held(found.name):
            words = phrase("pit.people.holds-chips", name=found.name, held=money(held))
            raise DoorError(409, "holds-chips", words)
        own = names.key_of(found.name)
        keys = [("person", own), *((kind, found.name) for kind in OWNED)]
        kept = [(kind, key, self.records.get(kind, key)) for kind, key in keys]
        for key, value in self.records.list(INVITED):
            invited = msgspec.json.decode(value)
            if own in (names.key_of(invited["name"]), names.key_of(invited["by"])):
                kept.append((INVITED, key, value))
        changes = [Change(kind, key, value, None) for kind, key, value in kept if value is not None]
        if not self.acts.write("erase", by=by, about=found.name, changes=changes):
            raise DoorError(409, "busy", phrase("pit.people.the-account-is-being"))
        self.end_all(found.name)

    def set_second(
        self,
        name: str,
        secret: str,
        by: str = MACHINE,
        used: int = 0,
        check: Callable[[Person], None] | None = None,
    ) -> Person:
        """Somebody's second factor, or none; `used` is the step of the code that proved it."""
        what = "second factor" if secret else "no second factor"
        return self._change(name, what, by, check, second=secret, used=used)

    @staticmethod
    def still(person: Person) -> Callable[[Person], None]:
        """Refuses a change by somebody whose password, or second factor, was another one when it
        was looked at: of two who know the same password the first one changes it."""

        def same(kept: Person) -> None:
            if (kept.hashed, kept.second) != (person.hashed, person.second) or kept.disabled:
                raise DoorError(409, "busy", phrase("pit.people.the-account-is-being"))

        return same

    def use_code(self, person: Person, code: str) -> None:
        """Take a code of somebody's second factor; each counts once, wherever it is said."""
        step = passwords.step_of(person.second, code, self.clock()) if code else 0

        def new(kept: Person) -> None:
            if step <= kept.used:
                raise DoorError(401, "code-wanted", phrase("pit.people.say-the-code-of"))

        self._change(person.name, check=new, used=step)

    @staticmethod
    def _weak(name: str) -> DoorError:
        words = phrase(
            "pit.people.needs-a-password-of", name=name, least_of_crew=passwords.LEAST_OF_CREW
        )
        return DoorError(409, "weak-password", words)

    def works(self, person: Person) -> bool:
        """Whether somebody runs the house or works a table: his password is others' business."""
        return person.administrator or any(self.roles(person.name).stations.values())

    async def _hash(self, password: str, name: str, works: bool) -> str:
        why = passwords.problem(password)
        if works and not why:
            why = passwords.problem_for_crew(password, name)
        if why:
            raise DoorError(422, "bad-password", why)
        async with self._hashing:
            return await asyncio.to_thread(hasher().hash, password)

    async def right(self, person: Person | None, password: str) -> bool:
        """Whether this is somebody's password; of nobody's it takes as long to say no."""
        from argon2.exceptions import InvalidHashError, VerificationError

        hashed = person.hashed if person is not None else _NOBODY
        async with self._hashing:
            try:
                await asyncio.to_thread(hasher().verify, hashed, password[: passwords.MOST])
            except (VerificationError, InvalidHashError):
                return False
        return person is not None and not person.disabled

    def known_word(self, person: Person) -> str:
        """What a browser keeps that was let in to an account: it is not held up by others' wrong
        tries. It counts until the password is changed."""
        key = self.records.get("house", "door-key")
        if key is None:
            self.records.add("house", "door-key", secrets.token_bytes(32))
            key = self.records.get("house", "door-key")
        assert key is not None
        said = f"{names.key_of(person.name)}\0{person.hashed}".encode()
        return hmac.digest(key, said, "sha256").hex()

    async def sign_in(
        self, name: str, password: str, code: str = "", known: str = ""
    ) -> tuple[str, Visit]:
        """A session for a name and a password; the same answer whatever is wrong."""
        found = self.person(name)
        own = found is not None and hmac.compare_digest(
            known.encode(), self.known_word(found).encode()
        )
        # Who was let in before has tries of his own: others cannot use them up.
        tries = self.tries.of(f"{names.key_of(name)}{' known' if own else ''}")
        # Counted before it is known to be wrong: many at the same moment are many.
        if not tries.take(time.monotonic()):
            raise DoorError(429, "too-fast", phrase("pit.people.too-many-wrong-tries"))
        right = await self.right(found, password)
        if not right or found is None:
            raise DoorError(401, "wrong-password", phrase("pit.people.that-name-and-password"))
        if found.second:
            self.use_code(found, code)
        begun = self._begin_as(found)
        tries.give_back()
        return begun

    def guest(self, name: str) -> tuple[str, Visit]:
        """A session for somebody without an account, at practice tables. The name may be that of an
        account: else anybody could ask who has one. Whoever has one is marked at the table."""
        name = check_name(name)
        token, made = self._visit(f"guest:{secrets.token_hex(4)}:{name}", GUEST_TIME)
        self.records.put("session", token_hash(token), msgspec.json.encode(made))
        return token, made

    def _begin_as(self, person: Person) -> tuple[str, Visit]:
        """A session of an account, begun in the commit that finds it as it was when its password
        was looked at: who was shut out meanwhile, or has another password, is not let in."""
        key, (token, made) = names.key_of(person.name), self._visit(person.name, SESSION_TIME)
        for _ in range(10):
            kept = self.records.get("person", key)
            now = msgspec.json.decode(kept, type=Person) if kept else None
            if now is None or now.disabled or now.hashed != person.hashed:
                break
            made = msgspec.structs.replace(made, guest=False, administrator=now.administrator)
            changes = [
                Change("person", key, kept, kept),
                Change("session", token_hash(token), None, msgspec.json.encode(made)),
            ]
            if self.records.change(changes):
                return token, made
        raise DoorError(401, "wrong-password", phrase("pit.people.that-name-and-password"))

    def _visit(self, person: str, lasts: int) -> tuple[str, Visit]:
        """A token, and the session of a guest that it will be."""
        now = self.clock()
        made = Visit(person=person, guest=True, since=now, until=now + lasts)
        return secrets.token_urlsafe(32), made

    # -- sessions ------------------------------------------------------------------------------

    def session(self, token: str | None) -> Visit | None:
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
            found = msgspec.json.decode(kept, type=Visit)
            known = self._known[hashed] = KnownVisit(now, now, found)
        known.asked = now
        return known.session if known.session.until > now else None

    def refresh(self) -> None:
        """What was ended elsewhere is over here too. Sessions that are in use stay known, so that a
        socket never waits for the store; others are forgotten. It belongs in a thread."""
        now = self.clock()
        ended = self.records.get("house", ENDED)
        over, self._ended = ended != self._ended, ended
        for hashed, known in tuple(self._known.items()):
            if now - known.asked > FORGOTTEN or (
                over and self.records.get("session", hashed) is None
            ):
                self._known.pop(hashed, None)
            else:
                # One that was ended meanwhile is not in the list any more, and stays out.
                known.read = now

    def end(self, token: str | None) -> None:
        """A session is over."""
        if token:
            self._end(token_hash(token))

    def _end(self, hashed: str) -> None:
        self._known.pop(hashed, None)
        self.records.delete("session", hashed)
        self.records.put("house", ENDED, secrets.token_bytes(8))

    def sessions(self, person: str) -> list[tuple[str, Visit]]:
        """The sessions of a person that are not over, by their hashes."""
        now = self.clock()
        found = [
            (hashed, msgspec.json.decode(value, type=Visit))
            for hashed, value in self.records.list("session")
        ]
        return [(hashed, one) for hashed, one in found if one.person == person and one.until > now]

    def end_one(self, person: str, short: str) -> None:
        """End one session of a person, named by the beginning of its hash."""
        for hashed, _ in self.sessions(person):
            if hashed[:SHORT_HASH] == short:
                self._end(hashed)
                return
        raise DoorError(404, "no-such-session", phrase("pit.people.there-is-no-such"))

    def end_all(self, person: str, keep: str = "") -> None:
        """All sessions of a person are over, save one that is named by its hash."""
        for hashed, _ in self.sessions(person):
            if hashed != keep:
                self._end(hashed)

    def purge(self) -> int:
        """Forget sessions and invitations that are over; how many there were. It belongs in a
        thread."""
        now, count = self.clock(), 0
        for kind in ("session", INVITED):
            for key, value in self.records.list(kind):
                if msgspec.json.decode(value)["until"] <= now:
                    count += self.records.delete(kind, key)
        return count

    # -- roles ---------------------------------------------------------------------------------

    def roles(self, person: str) -> Roles:
        """The stations somebody may work."""
        kept = self.records.get("roles", person)
        return msgspec.json.decode(kept, type=Roles) if kept else Roles()

    def appoint(
        self, person: str, table: str, stations: tuple[str, ...], by: str = MACHINE
    ) -> Roles:
        """Give somebody stations at a table, in place of those he had there."""
        unknown = [s for s in stations if s not in ALL_STATIONS or s in (PLAYER, SPECTATOR)]
        if unknown:
            raise DoorError(
                422, "no-such-station", phrase("pit.people.there-is-no-station", unknown=unknown[0])
            )
        found = self.person(person)
        if stations and found is not None and found.weak:
            raise self._weak(person)
        details = {"table": table, "stations": ", ".join(stations)}
        for _ in range(10):
            kept = self.records.get("roles", person)
            held = dict(self.roles(person).stations)
            held[table] = stations
            made = Roles(stations={name: who for name, who in held.items() if who})
            change = Change("roles", person, kept, msgspec.json.encode(made))
            if self.acts.write("appoint", by=by, about=person, changes=[change], details=details):
                return made
        raise DoorError(409, "busy", phrase("pit.people.the-account-is-being"))

    def stations(self, session: Visit, table: str) -> tuple[str, ...]:
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
