"""Whether the rulings of a journal are what the present engine would rule: every call again.

The table is folded from the decisions in the journal, so that one disagreement does not make the
rest disagree too. Nothing is changed: what was paid was paid.
"""

from __future__ import annotations

import msgspec

from boxman.journal.fold import after, opened
from boxman.journal.pit_calls import AnyPitCall
from boxman.journal.row import DESK, JournalError, Row, Ruled
from boxman.rules.layout import Layout
from boxman.table.accounts import imbalance
from boxman.table.items import items_of, opening_items, write_items
from boxman.table.notation import write_call
from boxman.table.opening import Open, Opening, open_table
from boxman.table.ruling import rule
from boxman.table.rulings import Ruling
from boxman.table.state import Cites, Table


class Disagreement(msgspec.Struct, frozen=True, kw_only=True):
    """A row that would be ruled differently now, with the clauses of both sides."""

    number: int
    text: str
    """The call, in the notation."""
    what: str
    """What differs: refusal, decisions, warnings, the opening, or the money."""
    journal: str
    """What followed then, in the notation."""
    now: str
    clauses_then: Cites = ()
    clauses_now: Cites = ()


class Audit:
    """Looks at the rows of one table in order and counts what it sees."""

    def __init__(self) -> None:
        self.rows = 0
        self.ruled = 0
        """Calls that were ruled on again."""
        self.desk = 0
        """Rows the desk or the dice wrote, which no rule of the table decides."""
        self.disagreements = 0
        self.editions: dict[str, int] = {}
        """Rulebooks the rows were ruled by that are not the present one, with their first row."""
        self.layout: Layout | None = None
        self.table: Table | None = None

    def look(self, row: Row) -> Disagreement | None:
        """Rule on one row's call again; what differs, if anything does."""
        self.rows += 1
        found = self._opening(row) if self.table is None else self._row(row, self.table)
        assert self.layout is not None
        if row.edition != self.layout.digest:
            self.editions.setdefault(row.edition, row.number)
        if found is not None:
            self.disagreements += 1
        return found

    def _opening(self, row: Row) -> Disagreement | None:
        self.table = opened(row)
        assert isinstance(row.call, Open)
        opening = open_table(row.call)
        if opening.layout is None:
            assert opening.refusal is not None
            raise JournalError(
                f"{row.table} cannot be opened by the present rules ({opening.refusal.sentence}), "
                "so nothing at it can be ruled on again"
            )
        self.layout, self.ruled = opening.layout, self.ruled + 1
        now = Ruled(warnings=opening.warnings, cites=opening.cites, opened=opening.table)
        if now == row.ruling:
            return None
        then = msgspec.structs.replace(
            opening, cites=row.ruling.cites, warnings=row.ruling.warnings
        )
        return Disagreement(
            number=row.number,
            text=write_call(row.call),
            what="the opening",
            journal=write_items(opening_items(then)),
            now=write_items(opening_items(opening)),
            clauses_then=row.cites,
            clauses_now=_opening_cites(opening),
        )

    def _row(self, row: Row, before: Table) -> Disagreement | None:
        assert self.layout is not None
        if isinstance(row.call, AnyPitCall) or DESK in row.notes:
            self.desk += 1
            if row.ruling.decisions:
                return self._differs(row, "decisions", "the table changed", "nothing changes")
            return None
        self.ruled += 1
        self.table = after(before, row.ruling)
        try:
            now = rule(self.layout, before, row.call)
        except KeyError as missing:  # a wager up that the present rulebook does not have
            text = f"this house has no {missing.args[0]} now"
            return self._differs(row, "the rulebook", "it had", text)
        then = Ruling(
            row.call,
            self.table,
            row.ruling.decisions,
            row.ruling.warnings,
            row.ruling.refusal,
        )
        what = ""
        if then.refusal != now.refusal:
            what = "refusal"
        elif then.decisions != now.decisions:
            what = "decisions"
        elif then.warnings != now.warnings:
            what = "warnings"
        if what:
            return self._differs(
                row, what, _items(self.layout, before, then), _items(self.layout, before, now),
                now.cites,
            )  # fmt: skip
        if imbalance(self.table):
            return self._differs(row, "money", f"{imbalance(self.table)} too much", "0")
        return None

    @staticmethod
    def _differs(row: Row, what: str, then: str, now: str, cites: Cites = ()) -> Disagreement:
        return Disagreement(
            number=row.number,
            text=_text(row),
            what=what,
            journal=then,
            now=now,
            clauses_then=row.cites,
            clauses_now=cites,
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
