"""A journal in the notation: a transcript that `boxman replay` runs and finds right.

Every line is tried on a table of its own as it is written, so that what is written replays. What
the notation has no words for (the dice of the house, what the desk refused before any rule was
asked, a refused call that nobody could have said) stands in comments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from boxman.journal.codec import plain
from boxman.journal.editions import Texts, edition_of, no_texts
from boxman.journal.fold import after, first_row, opened, sense
from boxman.journal.pit_calls import AnyPitCall
from boxman.journal.row import DESK, JournalError, Row
from boxman.journal.store import Journal
from boxman.rules.book import houses, read_book
from boxman.table.floor.people import AUTOMATIC
from boxman.table.lines.words import NotationError
from boxman.table.opening import Opening, open_table
from boxman.table.rulings import Ruling
from boxman.table.said.items import items_of, opening_items, write_items
from boxman.table.said.notation import write_call
from boxman.table.said.transcript import WIDTH, Transcript
from boxman.table.state import Table
from boxman.words import phrase

DAY = 24 * 3600


def beside(journal: Journal, table: str) -> tuple[str, str] | None:
    """The rulebook a transcript of this table needs beside it, as a file's name and its text; None
    if the house it names has the same one, or nobody has."""
    first = first_row(journal, table)
    text = journal.edition(first.edition) if first is not None else None
    if first is None or text is None:
        return None
    house = first.opens.house
    if house in houses() and read_book(house).digest == first.edition:
        return None
    return f"{first.house}-{first.edition[:12]}.md", text


def told(opening: Row, before: Table, row: Row, texts: Texts = no_texts) -> str:
    """One row by itself, in the notation, with what followed."""
    scribe = Scribe(texts)
    first = scribe.line(opening)
    if row.number == 1:
        return first
    scribe.table = scribe.replay.table = before
    return scribe.line(row)


class Scribe:
    """Writes the rows of one table, in order."""

    def __init__(self, texts: Texts = no_texts) -> None:
        self.replay = Transcript(words=True)
        self.texts = texts
        """Where rulebooks are found by the digest that rows name."""
        self.edition = ""
        self.opening: Row | None = None
        self.house = ""
        """How the transcript calls the house, if not as the table was opened."""
        self.table: Table | None = None
        self.at = 0
        self.unwritten: list[int] = []
        """Accepted rows that could not be written so that they replay."""

    def write(self, rows: Iterable[Row]) -> Iterator[str]:
        """The lines of the transcript."""
        for row in rows:
            yield self.line(row)

    def line(self, row: Row) -> str:
        """One row as a line; the table goes on to stand after it."""
        with sense(row):
            return self._line(row)

    def _line(self, row: Row) -> str:
        before, call = self.table, row.call
        self.table = opened(row) if before is None else after(before, row)
        if self.opening is None or row.edition != self.edition:
            self._rules(row)
        if isinstance(call, AnyPitCall):
            return _comment(_dice(call))
        text = write_call(call)
        if DESK in row.notes:
            refusal = row.ruling.refusal
            why = f": {refusal.sentence}" if refusal else ""
            return _comment(phrase("journal.script.refused", line=text, why=why))
        clock = _clock(call.at) + " " if call.at != self.at else ""
        followed = self._followed(row, before)
        for line in (f"{clock + text:<{WIDTH}} : {followed}", clock + text):
            if self._replays(line, row):
                self.at = call.at
                if before is None and self.house:
                    named = write_call(msgspec.structs.replace(row.opens, house=self.house))
                    return line.replace(text, named, 1)
                return line
        if row.refused:
            return _comment(f"{text} : {followed}")
        self.unwritten.append(row.number)
        if before is None:
            return self._opened(row, clock + text)
        self.replay.table = self.table
        said = f"{text} : {followed}"
        return _comment(phrase("journal.script.does-not-replay", row=row.number, line=said))

    def _rules(self, row: Row) -> None:
        """From this row on, replay by the edition that it names."""
        self.opening = self.opening or row
        rules = edition_of(self.texts, self.opening, row.edition)
        self.edition, self.replay.book = row.edition, rules.book
        if self.replay.layout is not None:
            self.replay.layout = rules.layout

    def _opened(self, row: Row, line: str) -> str:
        """An opening that is ruled differently now: the rest is tried on what it opens now."""
        call = row.opens
        opening = open_table(call, self.replay.book)
        if opening.layout is None:
            assert opening.refusal is not None
            why = opening.refusal.sentence
            raise JournalError(phrase("journal.script.cannot-be-opened", why=why))
        self.replay.layout, self.replay.table = opening.layout, self.table
        self.replay.by_hand, self.at = call.by_hand, call.at
        return line

    def _followed(self, row: Row, before: Table | None) -> str:
        ruling = row.ruling
        if before is None:
            opening = Opening(row.opens, None, self.table, ruling.cites, ruling.warnings)
            return write_items(opening_items(opening))
        assert self.table is not None
        assert self.replay.layout is not None
        told = Ruling(row.call, self.table, ruling.decisions, ruling.warnings, ruling.refusal)
        if not ruling.decisions and not ruling.refusal:
            return "ok"
        try:
            return write_items(items_of(self.replay.layout, before, told))
        except KeyError as missing:
            return "ok    -- " + phrase("journal.wrong.this-house-has-no-now", args=missing.args[0])

    def _replays(self, line: str, row: Row) -> bool:
        """Whether the line, run on the table so far, is this call with this outcome."""
        if len(line.splitlines()) != 1:
            return False  # a note of several lines
        replay = self.replay
        stood = (replay.by_hand, replay.at, replay.layout, replay.table, replay.number)
        try:
            result = replay.play(line)
        except (NotationError, KeyError):
            result = None
        if result is not None and result.difference is None and result.call is not None:
            ruling = result.ruling
            same = _same(result.call, row.call)
            refused = ruling is not None and ruling.refusal is not None
            if isinstance(ruling, Ruling) and not refused:
                same = same and ruling.decisions == _timeless(row, ruling)
            if same and refused == row.refused:
                return True
        replay.by_hand, replay.at, replay.layout, replay.table, replay.number = stood
        return False


def _timeless(row: Row, ruling: Ruling) -> object:
    """The decisions to compare with: a transcript counts time from its own first day."""
    if row.call.at == ruling.call.at:
        return row.ruling.decisions
    return ruling.decisions


def _same(read: object, written: object) -> bool:
    """Whether a line reads back as the call it was written from, but for its id and its clock."""
    one, other = plain(read), plain(written)
    for call in (one, other):
        call["id"], call["at"] = "", 0
        if call["by"] in AUTOMATIC or call["by"] in ("stick", "player"):
            call["by"] = ""
        if call["type"] == "open":
            call["settings"] = {key: str(value) for key, value in call["settings"].items()}
    return bool(one == other)


def _clock(at: int) -> str:
    hours, rest = divmod(at % DAY, 3600)
    return f"{hours:02}:{rest // 60:02}:{rest % 60:02}"


def _comment(text: str) -> str:
    return f"-- {' '.join(text.splitlines())}"


def _dice(call: AnyPitCall) -> str:
    words = [
        f"{name} {value}"
        for name, value in msgspec.to_builtins(call).items()
        if name not in ("type", "id", "by", "at", "stand_in") and value not in ("", 0, {})
    ]
    return " ".join([str(call.__struct_config__.tag), *words])
