"""What is done to a house besides playing: people, cage, quotas, keys. Each act is a row.

They stand in a chain of their own, numbered, hashed and sealed like those of the tables, under a
name that no table can have. An act names who did it, what, and to whom; what it was about is told
in words, never with a password, a token or a secret.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from boxman.journal.pit_calls import Act
from boxman.journal.row import HOUSE_JOURNAL, Head, JournalError, Row, Ruled, Station, next_row
from boxman.journal.store import Fenced, Journal
from boxman.pit.live.stations import HOUSE
from boxman.words import phrase

TRIES = 20
"""How often an act is written anew because another process wrote one in between."""


def record_act(
    journal: Journal,
    clock: Callable[[], int],
    what: str,
    *,
    person: str,
    about: str = "",
    **details: str | int,
) -> Row:
    """Write down an act, durably; it counts from then on. Call it before the act itself is told.

    `what` is a word such as "issue chips", `person` who does it, `about` whom it concerns.
    """
    for _ in range(TRIES):
        head: Head = journal.head(HOUSE_JOURNAL)
        row = next_row(
            head,
            table=HOUSE_JOURNAL,
            id=f"act+{secrets.token_hex(12)}",
            at=clock(),
            station=Station(HOUSE, person=person),
            call=Act(what=what, about=about, details={k: str(v) for k, v in details.items()}),
            ruling=Ruled(),
            house="",
            edition="",
        )
        try:
            journal.append([row])
        except Fenced:
            continue
        return row
    raise JournalError(phrase("pit.house.the-acts-of-the"))
