"""Passwords: how they are hashed, which ones will do, and a second factor by the clock (RFC 6238).

Whoever runs the house or works a table needs a longer one: others' chips depend on it. No secret is
ever logged. It knows no account.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from typing import TYPE_CHECKING
from urllib.parse import quote

from boxman.words import phrase

if TYPE_CHECKING:
    from argon2 import PasswordHasher

LEAST, MOST = 8, 200
LEAST_OF_CREW = 12
DISTINCT = 5
"""Different characters in a password of the crew."""
SECRET = re.compile("[A-Z2-7]{32}")
STEP, DIGITS = 30, 6
"""A code counts for so many seconds, and the ones before and after it too: clocks differ."""


def hasher() -> PasswordHasher:
    """How passwords are hashed: argon2id as its authors recommend."""
    from argon2 import PasswordHasher

    return PasswordHasher()


def problem(password: str) -> str:
    """Why nobody may have this password, if so."""
    if LEAST <= len(password) <= MOST:
        return ""
    return phrase("pit.people.a-password-is-to", least=LEAST, most=MOST)


def problem_for_crew(password: str, name: str) -> str:
    """Why nobody who runs the house or works a table may have this password, if so.

    >>> problem_for_crew("a horse, a battery", "ann")
    ''
    >>> problem_for_crew("ann and a horse", "Ann")
    'the password of somebody who works here does not have the name in it'
    """
    who = phrase("pit.people.the-password-of-somebody")
    if len(password) < LEAST_OF_CREW:
        return phrase("pit.people.has-at-least-characters", who=who, least_of_crew=LEAST_OF_CREW)
    if len(set(password)) < DISTINCT:
        return phrase("pit.people.has-at-least-different", who=who, distinct=DISTINCT)
    if name.casefold() in password.casefold():
        return phrase("pit.people.does-not-have-the", who=who)
    return ""


def new_secret() -> str:
    """A secret for a second factor, as applications read it."""
    return base64.b32encode(secrets.token_bytes(20)).decode()


def code_of(secret: str, step: int) -> str:
    """The code of one step of time.

    >>> secret = base64.b32encode(b"12345678901234567890").decode()
    >>> code_of(secret, 59 // STEP), code_of(secret, 20000000000 // STEP)
    ('287082', '353130')
    """
    digest = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), hashlib.sha1)
    start = digest[-1] & 0x0F
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**DIGITS:0{DIGITS}d}"


def step_of(secret: str, code: str, now: int) -> int:
    """The step of time that a code is of, now or a moment away (milliseconds); 0 if of none."""
    given, present = code.replace(" ", ""), now // 1000 // STEP
    for step in (present, present - 1, present + 1):
        if hmac.compare_digest(given.encode(), code_of(secret, step).encode()):
            return step
    return 0


def address_of(secret: str, name: str) -> str:
    """What an application for second factors reads."""
    return f"otpauth://totp/Boxman:{quote(name)}?secret={secret}&issuer=Boxman"
