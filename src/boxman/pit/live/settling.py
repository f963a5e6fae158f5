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
from boxman.words import phrase


def settle_up(journal: Journal, name: str, now: int) -> Row:
    """Give all chips of a table back and close it, where nothing can be ruled on any more."""
    if not journal.claim(name):
        raise JournalError(phrase("journal.settle.running", name=name))
    try:
        read = read_table(journal, name)
        if read is None:
            raise JournalError(phrase("cli.journal.there-is-no-table", name=name))
        if read.settled:
            raise JournalError(phrase("journal.settle.settled", name=name, number=read.head.number))
        try:
            read.rules(journal)
        except NoRules:
            pass
        else:
            raise JournalError(phrase("journal.settle.has-rulebook", name=name))
        row = next_row(
            read.head,
            table=name,
            id=f"settle+{read.head.number}",
            at=now,
            station=Station(HOUSE),
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
