"""Whether a journal is what was written: every row by its hash, the chain, the seals, the dice.

Knows nothing of rules: a row may be genuine and yet wrong, which is for audit.py to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import get_args

import msgspec

from boxman.journal.codec import UNREADABLE
from boxman.journal.dice_check import CONCERNS, HOUSE_DICE, SOURCES, Cut, DiceCheck, Fallen
from boxman.journal.editions import ENGINE_FILES
from boxman.journal.export import Header, export, is_edition, read_edition, read_header
from boxman.journal.fold import NOTEBOOK, digests_of
from boxman.journal.pit_calls import PROTOCOL, AnyPitCall, Restart
from boxman.journal.row import (
    GENESIS,
    Head,
    JournalError,
    UnreadableRow,
    digest,
    read_row,
    split_line,
)
from boxman.journal.seal import Seal, genuine
from boxman.journal.store import Journal
from boxman.table.calls import CallRoll
from boxman.words import phrase, say

_DICE = frozenset(kind.__struct_config__.tag for kind in get_args(AnyPitCall))
_ROLL = CallRoll.__struct_config__.tag
SETUP = "setup"
"""The note of the first row that says how a table is run."""


class _Kind(msgspec.Struct):
    type: str


class _Outcome(msgspec.Struct):
    decisions: list[_Kind] = []
    refusal: object = None


class _Setup(msgspec.Struct):
    """What the first row of a live table says of its dice."""

    dice: str = HOUSE_DICE


class _Seen(msgspec.Struct):
    """As much of a row as the chain needs: rows of any schema have it."""

    table: str
    number: int
    id: str
    previous: str
    call: _Kind
    ruling: _Outcome
    notes: dict[str, str] = {}
    edition: str = ""


_SEEN: msgspec.json.Decoder[_Seen] = msgspec.json.Decoder(_Seen)


class JournalProblem(msgspec.Struct, frozen=True):
    """One thing that is wrong, and where."""

    line: int
    """Of the file, from 1; 0 if it is about the whole."""
    number: int
    """Of the row, as far as can be told; 0 if it is about none."""
    problem: str

    @property
    def text(self) -> str:
        where = ", ".join(
            [f"line {self.line}"] * bool(self.line) + [f"row {self.number}"] * bool(self.number)
        )
        return f"{where}: {self.problem}" if where else self.problem


class Swapped(msgspec.Struct, frozen=True, kw_only=True):
    """A row from which on a table is ruled by another rulebook than before."""

    row: int
    edition: str

    @property
    def text(self) -> str:
        edition = self.edition[:12]
        return phrase("journal.wrong.row-ruled-by-another", row=self.row, edition=edition)


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What was found."""

    table: str
    head: Head
    rows: int
    seals: int = 0
    """Seals of this table that are genuine and agree."""
    dice: str = ""
    """Whose dice were thrown, as the first row says: the house's, by hand, by a script."""
    throws: int = 0
    """Throws of the house's dice that were held against the secret shown afterwards."""
    rolls: int = 0
    """Rolls that were settled."""
    proved: int = 0
    """Those of them that are throws which the secret gives; the others nobody can prove."""
    fallen: tuple[Fallen, ...] = ()
    """Throws whose call did not stand, for an inspector: no problem in themselves."""
    cut: tuple[Cut, ...] = ()
    """Hands that a start of the server ended, for an inspector too."""
    swapped: tuple[Swapped, ...] = ()
    """Where another rulebook took over: in journals of before a table kept its own."""
    problems: tuple[JournalProblem, ...] = ()

    @property
    def sound(self) -> bool:
        return not self.problems

    @property
    def for_inspector(self) -> list[str]:
        """What is no problem in itself, and may have been done too often."""
        found = [each.text for each in self.fallen] + [each.text for each in self.cut]
        return found + [each.text for each in self.swapped]


class _Chain:
    """Walks the lines of one table."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.head = Head()
        self.count = 0
        self.ids: dict[str, int] = {}
        self.numbers: set[int] = set()
        self.editions: set[str] = set()
        """Rulebooks whose texts are here."""
        self.complete = False
        """Whether the first row promises that all of them are."""
        self.edition = ""
        """The rulebook of the last row."""
        self.own = ""
        """The rulebook that the table was opened with, if it goes by that one for good."""
        self.swapped: list[Swapped] = []
        self.source = ""
        self.dice = DiceCheck(header.table)

    def look(self, line: bytes, at: int) -> Iterator[JournalProblem]:
        """Look at one line; `at` is its number in the file."""
        if is_edition(line):
            try:
                self.editions.add(read_edition(line).digest)
            except JournalError as error:
                yield JournalProblem(at, 0, str(error))
            return
        self.count += 1
        place = self.head.number + 1
        if not line.endswith(b"\n"):
            yield JournalProblem(at, place, phrase("journal.wrong.the-line-is-cut-off"))
        try:
            body, hashed = split_line(line.removesuffix(b"\n"))
            row = _SEEN.decode(body)
        except (UnreadableRow, *UNREADABLE) as error:
            yield JournalProblem(at, place, phrase("journal.wrong.this-is-no-row", error=error))
            self.head = Head(place, "")
            return
        if digest(body) != hashed:
            yield JournalProblem(at, row.number, phrase("journal.wrong.the-row-was-changed-its"))
        if row.table != self.header.table:
            yield JournalProblem(
                at, row.number, phrase("journal.wrong.the-row-is-of-table", table=row.table)
            )
        yield from self._order(row, at)
        self.complete = self.complete or ENGINE_FILES in row.notes
        yield from self._ruled_by(row, at)
        if row.ruling.refusal is not None and row.ruling.decisions:
            # What is refused changes nothing: whoever folds the rows would be paid by this one.
            yield JournalProblem(at, row.number, phrase("journal.wrong.the-row-is-refused-and"))
        first = self.ids.setdefault(row.id, row.number)
        if first != row.number:
            yield JournalProblem(
                at, row.number, phrase("journal.wrong.call-is-ruled-on-in", id=row.id, first=first)
            )
        if row.ruling.refusal is None or self.count == 1 or SETUP in row.notes:
            try:
                for number, problem in self._dice(row, body, hashed):
                    yield JournalProblem(at, number, f"dice: {problem}")
            except (UnreadableRow, *UNREADABLE, ValueError) as error:
                yield JournalProblem(at, row.number, f"dice: {error}")
        self.numbers.add(row.number)
        self.head = Head(row.number, hashed)

    def _ruled_by(self, row: _Seen, at: int) -> Iterator[JournalProblem]:
        """Whether the rulebook that ruled here is the table's own, and at hand."""
        if self.count == 1:
            self.own = row.edition if ENGINE_FILES in row.notes else ""
        elif row.edition != self.edition:
            self.swapped.append(Swapped(row=row.number, edition=row.edition))
        self.edition = row.edition
        short = row.edition[:12]
        if self.own and row.edition != self.own:
            problem = phrase("journal.wrong.ruled-by-another-rulebook", edition=short)
            yield JournalProblem(at, row.number, problem)
        if self.complete and row.edition not in self.editions:
            self.editions.add(row.edition)
            problem = phrase("journal.wrong.the-rulebook-that-ruled-here", edition=short)
            yield JournalProblem(at, row.number, problem)

    def _dice(self, row: _Seen, body: bytes, hashed: str) -> Iterator[tuple[int, str]]:
        """What is wrong with the dice at an accepted row."""
        if self.count == 1:
            yield from self._opening(row, body, hashed)
            return
        if SETUP in row.notes:
            yield row.number, phrase("journal.wrong.the-table-is-set-up-again")
        kind, decided = row.call.type, [each.type for each in row.ruling.decisions]
        if not self.dice.house and kind not in _DICE:
            self.dice.count(kind, decided)
        elif (
            kind in _DICE
            or kind == _ROLL
            or self.dice.waiting is not None
            or not CONCERNS.isdisjoint(decided)
        ):
            read = read_row(body, hashed)
            if isinstance(read.call, Restart) and read.call.head != read.previous:
                yield row.number, phrase("journal.wrong.the-house-opened-again-at")
            yield from self.dice.look(row.number, read.call, read.ruling.decisions, read.station)

    def _opening(self, row: _Seen, body: bytes, hashed: str) -> Iterator[tuple[int, str]]:
        """The first row says whose dice are thrown, and who has them."""
        setup = row.notes.get(SETUP)
        if setup is None and ENGINE_FILES not in row.notes:  # no live table
            return
        protocol = row.notes.get("dice", "1")
        if protocol not in map(str, range(1, PROTOCOL + 1)):
            yield (
                row.number,
                phrase("journal.wrong.protocol-is-not-known-here", protocol=f"{protocol:.20}"),
            )
        # A setup that cannot be read is a problem, and no way out of the counts.
        self.source, self.dice = HOUSE_DICE, DiceCheck(self.header.table, HOUSE_DICE)
        if setup is None:
            yield row.number, phrase("journal.wrong.the-table-says-not-how")
            return
        dice = msgspec.json.decode(setup, type=_Setup).dice
        if dice not in SOURCES:
            yield row.number, phrase("journal.wrong.the-table-says-not-how")
            return
        self.source = dice
        opened = read_row(body, hashed).ruling.opened
        shooter = {"shooter": opened.hand.shooter} if opened is not None else {}
        self.dice = DiceCheck(self.header.table, self.source, **shooter)

    def _order(self, row: _Seen, at: int) -> Iterator[JournalProblem]:
        place = self.head.number + 1
        if row.number in self.numbers:
            yield JournalProblem(at, row.number, phrase("journal.wrong.the-row-comes-twice-or"))
        elif row.number > place:
            key = "row-is-missing" if row.number == place + 1 else "rows-are-missing"
            gone = {"place": place, "last": row.number - 1, "number": row.number}
            yield JournalProblem(at, place, say(f"journal.wrong.{key}", gone))
        elif row.number < place:
            yield JournalProblem(at, row.number, phrase("journal.wrong.the-row-is-out-of"))
        elif self.head.hash and row.previous != self.head.hash:
            before = self.head.number
            yield JournalProblem(
                at,
                row.number,
                phrase("journal.wrong.does-not-follow", before=before)
                if before
                else phrase("journal.wrong.does-not-begin"),
            )


def verify(
    lines: Iterable[bytes],
    seals: Sequence[Seal] = (),
    public: str | frozenset[str] = "",
    most: int = 100,
) -> Verified:
    """Verify an export, or the same lines from a store; at most so many problems are told.

    Seals of other tables are passed over; those of this one must be signed by `public`.
    """
    every = iter(lines)
    header = read_header(next(every, b""))
    chain = _Chain(header)
    # A seal of row 0 says that there was no such table: nothing about the rows there are now.
    mine = [seal for seal in seals if seal.table == header.table and seal.number]
    wanted = {seal.number for seal in mine}
    hashes: dict[int, str] = {}
    problems: list[JournalProblem] = []
    line = 1
    for line, text in enumerate(every, 2):
        for found in chain.look(text, line):
            if len(problems) < most:
                problems.append(found)
        if chain.head.number in wanted:
            hashes[chain.head.number] = chain.head.hash
    problems += (
        JournalProblem(0, number, f"dice: {problem}") for number, problem in chain.dice.end()
    )
    problems += _ending(chain, line)
    good = 0
    for seal in mine:
        problem = _seal_problem(seal, hashes, chain, public)
        if problem:
            problems.append(JournalProblem(0, seal.number, problem))
        else:
            good += 1
    return Verified(
        table=header.table,
        head=chain.head,
        rows=chain.count,
        seals=good,
        dice=chain.source or (HOUSE_DICE if chain.dice.house else ""),
        throws=chain.dice.checked,
        rolls=chain.dice.rolls,
        proved=chain.dice.proved,
        fallen=tuple(chain.dice.fallen),
        cut=tuple(each for each in chain.dice.cut if each.rows),
        swapped=tuple(chain.swapped),
        problems=tuple(problems),
    )


def _ending(chain: _Chain, line: int) -> Iterator[JournalProblem]:
    header, head = chain.header, chain.head
    if head.number < header.rows:
        gone = header.rows - head.number
        problem = phrase("journal.wrong.missing-at-the-end", gone=gone)
        yield JournalProblem(line, head.number + 1, problem)
    elif chain.count > header.rows:
        yield JournalProblem(
            line,
            head.number,
            phrase("journal.wrong.rows-stand-where-should", count=chain.count, rows=header.rows),
        )
    elif head.hash != header.head:
        yield JournalProblem(line, head.number, phrase("journal.wrong.the-last-row-is-not"))
    if header.rows == 0 or header.head == GENESIS:
        raise JournalError(phrase("journal.wrong.line-1-the-header-names"))


def _seal_problem(
    seal: Seal, hashes: dict[int, str], chain: _Chain, public: str | frozenset[str]
) -> str:
    if not genuine(seal, public):
        return phrase("journal.wrong.its-seal-is-not-signed")
    if seal.number not in hashes:
        return phrase("journal.wrong.the-row-was-sealed-and", number=chain.head.number)
    if hashes[seal.number] != seal.hash:
        return phrase("journal.wrong.the-row-is-not-the")
    return ""


def verify_stored(
    journal: Journal,
    table: str,
    seals: Sequence[Seal] = (),
    public: str | frozenset[str] = "",
) -> Verified:
    """Verify a table where it is stored: its rows, and what is kept beside them."""
    found = verify(export(journal, table), seals, public)
    kept = tuple(_kept_beside(journal, table))
    return msgspec.structs.replace(found, problems=(*found.problems, *kept))


def _kept_beside(journal: Journal, table: str) -> Iterator[JournalProblem]:
    """What a server begins from and is not what the rows name.

    What no row names, because an older Boxman wrote it, no server begins from.
    """
    found = journal.checkpoint(table)
    while found is not None:
        hashed, kept, _ = _named(journal, table, found.number)
        if hashed != found.hash:
            yield JournalProblem(
                0, found.number, phrase("journal.wrong.the-checkpoint-kept-here-is")
            )
        elif kept and kept != found.digest:
            yield JournalProblem(
                0, found.number, phrase("journal.wrong.the-checkpoint-kept-here-is-2")
            )
        found = journal.checkpoint(table, found.number - 1) if found.number > 1 else None
    value = journal.records.get(NOTEBOOK, table)
    if value is None:
        return
    try:
        number, _ = msgspec.json.decode(value, type=tuple[int, msgspec.Raw])
        number = min(max(number, 1), 2**62)
    except UNREADABLE:
        yield JournalProblem(0, 0, phrase("journal.wrong.what-the-desk-remembers-cannot"))
        return
    kept = _named(journal, table, number)[2]
    if kept and kept != sha256(value).hexdigest():
        yield JournalProblem(0, number, phrase("journal.wrong.what-the-desk-remembers-is"))


def _named(journal: Journal, table: str, number: int) -> tuple[str, str, str]:
    """The hash of a row, and the digests it names; empty where there is no such row."""
    entry = next(iter(journal.entries(table, number - 1, 1)), None)
    if entry is None:
        return "", "", ""
    try:
        return entry.hash, *digests_of(read_row(entry.body, entry.hash))
    except UnreadableRow:  # said where the rows are looked at
        return entry.hash, "", ""
