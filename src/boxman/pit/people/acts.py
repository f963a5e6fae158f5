"""What is done to a house besides playing: people, cage, quotas, keys. Each act is a row.

They stand in a chain of their own, numbered, hashed and sealed like those of the tables, under a
name that no table can have. An act names who did it, what, and to whom; what it was about is told
in words, never with a password, a token or a secret. The row is stored in the same commit as what
it tells of: neither is there without the other.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

from boxman.journal.pit_calls import Act
from boxman.journal.row import (
    HOUSE_JOURNAL,
    Head,
    JournalError,
    Ruled,
    Station,
    head_of,
    next_row,
)
from boxman.journal.store import Change, ChipMoves, Journal, stands
from boxman.pit.live.stations import HOUSE
from boxman.words import phrase

TRIES = 50
"""How often an act is written anew because somebody else wrote one in between."""
MACHINE = "*machine"
"""Who acts by the command line, on the machine itself; no account can have the name."""


class Acts:
    """The book of acts of a house. `clock` gives milliseconds since 1970."""

    def __init__(self, journal: Journal, clock: Callable[[], int]) -> None:
        self.journal, self.clock = journal, clock
        self.seen = Head()
        """The last act that was seen here."""
        self.gone = ""
        """Why nothing is to be trusted any more: acts that were seen here are gone."""

    def last(self) -> Head:
        """The last act as it stands. If those that were seen here are not before it, they were
        taken out, by whomever: from then on none is written."""
        head = self.journal.head(HOUSE_JOURNAL)
        if head != self.seen and not stands(self.journal, HOUSE_JOURNAL, self.seen):
            told = self.seen.number
            words = phrase("pit.house.rows-are-gone", number=head.number, told=told)
            self.gone = phrase("pit.house.acts-are-gone", error=words)
        self.seen = max(head, self.seen, key=lambda each: each.number)
        return head

    def write(
        self,
        what: str,
        *,
        by: str,
        about: str = "",
        changes: Sequence[Change] = (),
        moves: ChipMoves = (),
        details: dict[str, str] | None = None,
    ) -> bool:
        """Do something and write it down, all or nothing, durably; whether the records were as the
        changes say. `what` is a word such as "issue chips", `by` who does it, `about` to whom."""
        for _ in range(TRIES):
            head = self.last()
            if self.gone:
                raise JournalError(self.gone)
            row = next_row(
                head,
                table=HOUSE_JOURNAL,
                id=f"act+{secrets.token_hex(12)}",
                at=self.clock(),
                station=Station(HOUSE, person=by),
                call=Act(what=what, about=about, details=details or {}),
                ruling=Ruled(),
                house="",
                edition="",
            )
            if self.journal.records.change(changes, moves, [row]):
                self.seen = head_of(row)
                return True
            if self.journal.head(HOUSE_JOURNAL) == head:
                return False
        raise JournalError(phrase("pit.house.the-acts-of-the"))
