"""`boxman people`: accounts from the machine itself, for whoever may read its database anyway.

A way back in where a password is lost or nobody is an administrator any more. A database file must
not be served meanwhile.
"""

from __future__ import annotations

import asyncio
import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from boxman.cli.errors import UserError
from boxman.words import phrase

if TYPE_CHECKING:
    from boxman.pit.people.door import Door

WHAT = ("list", "add", "password", "appoint", "unlock", "sessions", "end", "erase")


def people(
    what: Annotated[str, typer.Argument()],
    name: Annotated[str, typer.Argument()] = "",
    words: Annotated[
        list[str] | None,
        typer.Argument(),
    ] = None,
    database: Annotated[str, typer.Option()] = "boxman.db",
) -> None:
    """Accounts of a house, on its own machine."""
    from boxman.journal.open import open_existing, open_journal
    from boxman.journal.row import JournalError
    from boxman.pit.people.door import Door, DoorError

    if what not in WHAT:
        raise UserError(phrase("cli.people.say-what-to-do", what=WHAT))
    if what != "list" and not name:
        raise UserError(phrase("cli.people.say-whose-account-boxman", what=what))
    try:
        journal = (open_journal if what == "add" else open_existing)(database)
    except JournalError as error:
        raise UserError(str(error)) from None
    try:
        door = Door(journal, lambda: time.time_ns() // 1_000_000)
        typer.echo(_done(door, what, name, words or []))
    except (DoorError, JournalError) as error:
        raise UserError(str(error)) from None
    finally:
        journal.close()


def _done(door: Door, what: str, name: str, words: list[str]) -> str:
    """Do it, and say in a line what was done."""
    match what:
        case "list":
            return "\n".join(_line(door, each.name) for each in door.people())
        case "add":
            asyncio.run(door.add(name, _password()))
            return _line(door, name)
        case "password":
            asyncio.run(door.set_password(name, _password()))
            door.set_second(name, "")
            return phrase("cli.people.has-a-new-password", name=name)
        case "unlock":
            door.disable(name, False)
            return _line(door, name)
        case "sessions":
            return phrase(
                "cli.people.is-signed-in-times",
                name=name,
                n=len(door.sessions(door.known(name).name)),
            )
        case "end":
            door.end_all(door.known(name).name)
            return phrase("cli.people.all-sessions-of-are", name=name)
        case "erase":
            door.forget(name)
            return phrase("cli.people.is-erased", name=name)
    if words == ["administrator"]:
        door.appoint_administrator(name)
    elif words:
        door.appoint(door.known(name).name, words[0], tuple(words[1:]))
    else:
        raise UserError(phrase("cli.people.say-as-what-administrator"))
    return _line(door, name)


def _line(door: Door, name: str) -> str:
    person = door.known(name)
    held = [f"{table}: {', '.join(at)}" for table, at in door.roles(person.name).stations.items()]
    words = [
        person.name,
        *(["administrator"] if person.administrator else []),
        *([phrase("cli.people.shut-out")] if person.disabled else []),
        *([phrase("cli.people.second-factor")] if person.second else []),
        *held,
    ]
    return "  ".join(words)


def _password() -> str:
    """A new password: asked for twice at a terminal, else the first line that is given."""
    if sys.stdin is None:
        return ""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    import getpass

    first = getpass.getpass(phrase("cli.people.new-password"))
    if getpass.getpass(phrase("cli.people.once-more")) != first:
        raise UserError(phrase("cli.people.these-were-two-different"))
    return first
