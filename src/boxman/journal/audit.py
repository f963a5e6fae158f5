"""Whether the rulings of a journal are what the present engine would rule: every call again.

It rules by the edition that each row names, where its text was kept, or by what the house says now.
The table is folded from the decisions in the journal, so that one disagreement does not make the
rest disagree too. Nothing is changed: what was paid was paid.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from boxman.journal.codec import table_digest
from boxman.journal.editions import Texts, edition_of, no_texts, settlement
from boxman.journal.fold import after, digests_of, opened, sense
from boxman.journal.pit_calls import AnyPitCall, SettleUp
from boxman.journal.row import DESK, ENGINE, HOUSE_JOURNAL, JournalError, Row
from boxman.rules.book import Book
from boxman.rules.layout import Layout
from boxman.table.accounts import imbalance
from boxman.table.differences import GRAVE, DifferenceKind, difference
from boxman.table.opening import Opening, open_table
from boxman.table.ruling import rule
from boxman.table.rulings import Ruling
from boxman.table.said.items import items_of, opening_items, write_items
from boxman.table.said.notation import write_call
from boxman.table.state import Cites, Table
from boxman.words import phrase


class Disagreement(msgspec.Struct, frozen=True, kw_only=True):
    """A row that would be ruled differently now, with the clauses of both sides."""

    number: int
    text: str
    """The call, in the notation."""
    what: DifferenceKind
    """What differs: the table, the code of a reason, or clauses alone."""
    journal: str
    """What followed then, in the notation."""
    now: str
    clauses_then: Cites = ()
    clauses_now: Cites = ()
    call: str = ""
    """The kind of the call."""
    codes: tuple[str, str] = ("", "")
    """The reasons of a refusal, then and now."""

    @property
    def group(self) -> tuple[object, ...]:
        """What is equal of differences that have one cause."""
        return self.what, self.call, self.codes, self.clauses_then, self.clauses_now


class Audit:
    """Looks at the rows of one table in order and counts what it sees."""

    def __init__(self, texts: Texts = no_texts) -> None:
        self.texts = texts
        """Where rulebooks are found by the digest that rows name."""
        self.rows = 0
        self.ruled = 0
        """Calls that were ruled on again."""
        self.desk = 0
        """Rows the desk or the dice wrote, which no rule of the table decides."""
        self.checkpoints = 0
        """Checkpoints that were held against the fold of the rows."""
        self.disagreements: Counter[DifferenceKind] = Counter()
        self.groups: dict[tuple[object, ...], list[Disagreement]] = {}
        """Those that have one cause together."""
        self.editions: dict[str, int] = {}
        """Rulebooks that rows were ruled by and are not here to rule again by, with the first row
        of each: what the house says now was asked instead."""
        self.edition = ""
        self.opening: Row | None = None
        self.found_late: list[tuple[int, str]] = []
        """Stakes that staff found after the dice had left the hand: rows for an inspector."""
        self.layout: Layout | None = None
        self.table: Table | None = None

    @property
    def grave(self) -> int:
        """Disagreements that are more than another clause."""
        return sum(self.disagreements[kind] for kind in GRAVE)

    def look(self, row: Row) -> Disagreement | None:
        """Rule on one row's call again; what differs, if anything does."""
        self.rows += 1
        if row.table == HOUSE_JOURNAL:
            return None  # acts of the house: proved by verify, and nobody ruled on them
        with sense(row):
            book = self._rules(row) if row.edition != self.edition or self.table is None else None
            found = self._opening(row, book) if self.table is None else self._row(row, self.table)
            found = found or self._checkpoint(row)
        if found is not None:
            self.disagreements[found.what] += 1
            self.groups.setdefault(found.group, []).append(found)
        if any(notice.code == "found-late" for notice in row.ruling.warnings):
            self.found_late.append((row.number, _text(row)))
        return found

    def _rules(self, row: Row) -> Book:
        """From this row on, rule by the edition that it names."""
        if self.opening is None:
            opened(row)
            self.opening = row
        rules = edition_of(self.texts, self.opening, row.edition)
        self.edition, self.layout = row.edition, rules.layout
        if rules.book.digest != row.edition:
            self.editions.setdefault(row.edition, row.number)
        return rules.book

    def _opening(self, row: Row, book: Book | None) -> Disagreement | None:
        self.table = opened(row)
        opening = open_table(row.opens, book)
        if opening.layout is None:
            assert opening.refusal is not None
            raise JournalError(
                phrase(
                    "journal.wrong.cannot-be-opened-by-the",
                    table=row.table,
                    sentence=opening.refusal.sentence,
                )
            )
        self.layout, self.ruled = opening.layout, self.ruled + 1
        then = msgspec.structs.replace(
            opening, table=self.table, cites=row.ruling.cites, warnings=row.ruling.warnings
        )
        what = difference(then, opening)
        if what is None:
            return None
        return Disagreement(
            number=row.number,
            text=write_call(row.call),
            what=what,
            journal=write_items(opening_items(then)),
            now=write_items(opening_items(opening)),
            clauses_then=row.cites,
            clauses_now=_opening_cites(opening),
        )

    def _checkpoint(self, row: Row) -> Disagreement | None:
        """Whether the table that was kept after this row is the fold of the rows up to it."""
        kept, _ = digests_of(row)
        if not kept or row.engine != ENGINE:  # another engine may write the same table otherwise
            return None
        assert self.table is not None
        self.checkpoints += 1
        folded = table_digest(self.table)
        if kept == folded:
            return None
        return self._differs(
            row,
            "table",
            phrase("journal.wrong.checkpoint", kept=kept[:12]),
            phrase("journal.wrong.it-is", folded=folded[:12]),
        )

    def _row(self, row: Row, before: Table) -> Disagreement | None:
        assert self.layout is not None
        if isinstance(row.call, SettleUp):
            self.table = after(before, row)
            if row.ruling.decisions != settlement(before):
                return self._differs(
                    row,
                    "table",
                    phrase("journal.wrong.not-all-chips-went-back"),
                    phrase("journal.wrong.all-go-back"),
                )
            return None
        if isinstance(row.call, AnyPitCall) or DESK in row.notes:
            self.desk += 1
            if row.ruling.decisions:
                return self._differs(
                    row,
                    "table",
                    phrase("journal.wrong.the-table-changed"),
                    phrase("journal.wrong.nothing-changes"),
                )
            return None
        self.ruled += 1
        self.table = after(before, row)
        try:
            now = rule(self.layout, before, row.call)
        except KeyError as missing:  # a wager up that the present rulebook does not have
            text = phrase("journal.wrong.this-house-has-no-now", args=missing.args[0])
            return self._differs(row, "table", phrase("journal.wrong.it-had"), text)
        then = Ruling(
            row.call,
            self.table,
            row.ruling.decisions,
            row.ruling.warnings,
            row.ruling.refusal,
        )
        what = difference(then, now)
        if what is not None:
            return self._differs(
                row, what, _items(self.layout, before, then), _items(self.layout, before, now),
                now,
            )  # fmt: skip
        if imbalance(self.table):
            return self._differs(
                row, "table", phrase("journal.wrong.too-much", table=imbalance(self.table)), "0"
            )
        return None

    @staticmethod
    def _differs(
        row: Row, what: DifferenceKind, then: str, now: str, ruling: Ruling | None = None
    ) -> Disagreement:
        refusal = row.ruling.refusal, ruling.refusal if ruling else None
        return Disagreement(
            number=row.number,
            text=_text(row),
            what=what,
            journal=then,
            now=now,
            clauses_then=row.cites,
            clauses_now=ruling.cites if ruling else (),
            call=str(row.call.__struct_config__.tag),
            codes=(refusal[0].code if refusal[0] else "", refusal[1].code if refusal[1] else ""),
        )


def _text(row: Row) -> str:
    if isinstance(row.call, AnyPitCall):
        return str(row.call.__struct_config__.tag)
    return write_call(row.call)


def _items(layout: Layout, before: Table, ruling: Ruling) -> str:
    if ruling.refusal is None and not ruling.decisions:
        return "nothing"
    return write_items(items_of(layout, before, ruling))


def _opening_cites(opening: Opening) -> Cites:
    found = list(opening.cites)
    for notice in opening.warnings:
        found += notice.cites
    return tuple(dict.fromkeys(found))
