"""The one-time code that makes a house's first administrator, and where its owner finds it.

Whoever starts the house is its owner, so the code is shown to him alone: on his terminal, or, where
there is none, in a file beside the database that only he can read. It never goes into a log, and
the database has its hash.
"""

from __future__ import annotations

import os
from pathlib import Path

from boxman.pit.people.door import Door
from boxman.pit.web.config import Config
from boxman.words import phrase


def file_of(config: Config) -> Path | None:
    """The file beside the database, if the database is a file."""
    if config.database == "memory:" or "://" in config.database:
        return None
    return Path(f"{config.database}.setup")


def invite(door: Door, config: Config, page: str, terminal: bool) -> str:
    """Make the code, keep it where the owner finds it, and say in one line where that is.

    `page` is the address of the set-up page.
    """
    forget(config)
    if not door.empty:
        return ""
    code = door.invite(config.setup_code)
    if config.setup_code:
        return phrase("pit.people.the-house-has-no-administrator", page=page)
    if terminal:
        # After the #, a browser keeps it to itself: it is in no request and in no log.
        return phrase("pit.people.the-house-has-no-administrator-set", page=page, code=code)
    file = file_of(config)
    if file is None:
        return phrase("pit.people.the-house-has-no-administrator-start")
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(f"{code}\n")
    return phrase("pit.people.the-house-has-no", page=page, file=file)


def forget(config: Config) -> None:
    """The file is of no use any more."""
    file = file_of(config)
    if file is not None:
        file.unlink(missing_ok=True)
