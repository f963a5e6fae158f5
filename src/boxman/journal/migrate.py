"""Numbered SQL files bring a database to its present form; each is applied once and remembered.

Rows are never migrated: they are read by later engines as they were written. What changes here is
only how they are stored. A file that was applied may not be changed afterwards: its checksum is
kept and compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from boxman.journal.row import JournalError
from boxman.words import phrase

_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")


class Migration(NamedTuple):
    """One file."""

    number: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        return sha256(self.text.encode()).hexdigest()


def migrations(kind: str) -> list[Migration]:
    """The files for one kind of database, in order."""
    found = []
    for file in (files("boxman.journal") / "migrations" / kind).iterdir():
        match = _NAME.fullmatch(file.name)
        if match:
            found.append(Migration(int(match[1]), file.name, file.read_text(encoding="utf-8")))
    found.sort()
    assert [one.number for one in found] == list(range(1, len(found) + 1)), "a number is missing"
    return found


def missing(wanted: list[Migration], applied: dict[int, str]) -> list[Migration]:
    """What is still to be applied to a database that has had these numbers and checksums."""
    last = wanted[-1].number
    later = [number for number in applied if number > last]
    if later:
        raise JournalError(
            phrase("journal.wrong.this-database-has-had-migration", later=max(later), last=last)
        )
    for one in wanted:
        if one.number in applied and applied[one.number] != one.checksum:
            raise JournalError(phrase("journal.wrong.migration-is-not-the-file", name=one.name))
    return [one for one in wanted if one.number not in applied]


def migrate(kind: str, applied: dict[int, str], run: Callable[[Migration], None]) -> None:
    """Apply what is missing, in order. `run` also remembers number, name and checksum."""
    for one in missing(migrations(kind), applied):
        run(one)
