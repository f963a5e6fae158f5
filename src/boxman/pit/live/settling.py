"""The last settlement of a table whose rulebook this engine cannot compile."""

from __future__ import annotations

from boxman.journal.editions import NoRules, settlement
from boxman.journal.fold import after
from boxman.journal.pit_calls import SettleUp
from boxman.journal.row import JournalError, Row, Ruled, Station, next_row
from boxman.journal.store import Journal
from boxman.pit.live.loading import read_table
from boxman.pit.live.notebook import chips_moved, note
from boxman.pit.live.stations import HOUSE


def settle_up(journal: Journal, name: str, now: int, person: str = "") -> Row:
    """Give all chips of a table back and close it, where nothing can be ruled on any more."""
    if not journal.claim(name):
        raise JournalError(f"{name} is run by another process: stop it first")
    try:
        read = read_table(journal, name)
        if read is None:
            raise JournalError(f"there is no table {name} in this journal")
        if read.settled:
            raise JournalError(f"{name} was settled already, by row {read.head.number}")
        try:
            read.rules(journal)
        except NoRules:
            pass
        else:
            raise JournalError(f"{name} has its rulebook: it is closed at the table, by its rules")
        row = next_row(
            read.head,
            table=name,
            id=f"settle+{read.head.number}",
            at=now,
            station=Station(HOUSE, person=person),
            call=SettleUp(at=read.book.seconds(now)),
            ruling=Ruled(decisions=settlement(read.table)),
            house=read.opening.house,
            edition=read.edition,
        )
        book = note(read.book, row, read.table, after(read.table, row))
        journal.submit([row], chips_moved(read.book, book)).result()
        return row
    finally:
        journal.release(name)
