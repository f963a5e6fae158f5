"""Whether a journal is what was written: every row by its hash, the chain, the seals, the dice.

Knows nothing of rules: a row may be genuine and yet wrong, which is for audit.py to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

import msgspec

from boxman.journal.codec import UNREADABLE
from boxman.journal.export import Header, read_header
from boxman.journal.pit_calls import AnyPitCall, DiceCheck, Throw
from boxman.journal.row import (
    GENESIS,
    Head,
    JournalError,
    Row,
    UnreadableRow,
    digest,
    read_row,
    split_line,
)
from boxman.journal.seal import Seal, genuine
from boxman.table.calls import CallRoll

_DICE = frozenset(kind.__struct_config__.tag for kind in get_args(AnyPitCall))
_ROLL = CallRoll.__struct_config__.tag


class _Kind(msgspec.Struct):
    type: str


class _Outcome(msgspec.Struct):
    refusal: object = None


class _Seen(msgspec.Struct):
    """As much of a row as the chain needs: rows of any schema have it."""

    table: str
    number: int
    id: str
    previous: str
    call: _Kind
    ruling: _Outcome


_SEEN: msgspec.json.Decoder[_Seen] = msgspec.json.Decoder(_Seen)


class Problem(msgspec.Struct, frozen=True):
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


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What was found."""

    table: str
    head: Head
    rows: int
    seals: int = 0
    """Seals of this table that are genuine and agree."""
    throws: int = 0
    """Throws of the house's dice that agree with the secret shown afterwards."""
    problems: tuple[Problem, ...] = ()

    @property
    def sound(self) -> bool:
        return not self.problems


class _Chain:
    """Walks the lines of one table."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.head = Head()
        self.count = 0
        self.ids: dict[str, int] = {}
        self.numbers: set[int] = set()
        self.dice = DiceCheck(header.table)
        self.thrown: tuple[int, int] | None = None
        """The last throw of the house's dice, until it is called."""

    def look(self, line: bytes, at: int) -> Iterator[Problem]:
        """Look at one line; `at` is its number in the file."""
        self.count += 1
        place = self.head.number + 1
        if not line.endswith(b"\n"):
            yield Problem(at, place, "the line is cut off")
        try:
            body, hashed = split_line(line.removesuffix(b"\n"))
            row = _SEEN.decode(body)
        except (UnreadableRow, *UNREADABLE) as error:
            yield Problem(at, place, f"this is no row: {error}")
            self.head = Head(place, "")
            return
        if digest(body) != hashed:
            yield Problem(at, row.number, "the row was changed: its hash is not that of its bytes")
        if row.table != self.header.table:
            yield Problem(at, row.number, f"the row is of table {row.table}")
        yield from self._order(row, at)
        first = self.ids.setdefault(row.id, row.number)
        if first != row.number:
            yield Problem(at, row.number, f"call {row.id} is ruled on in row {first} already")
        rolled = row.call.type == _ROLL and self.dice.commitment
        if row.ruling.refusal is None and (rolled or row.call.type in _DICE):
            try:
                for number, problem in self._dice(row.number, read_row(body, hashed)):
                    yield Problem(at, number, f"dice: {problem}")
            except (UnreadableRow, ValueError) as error:
                yield Problem(at, row.number, f"dice: {error}")
        self.numbers.add(row.number)
        self.head = Head(row.number, hashed)

    def _dice(self, number: int, row: Row) -> Iterator[tuple[int, str]]:
        """What is wrong with the house's dice: the throws, and the rolls called from them."""
        call = row.call
        yield from self.dice.look(number, call)
        if isinstance(call, Throw):
            self.thrown = (call.first, call.second)
        elif isinstance(call, CallRoll):
            called = f"{call.first}-{call.second} was called"
            if self.thrown is None:
                yield number, f"{called}, and nobody threw it"
            elif self.thrown != (call.first, call.second):
                yield number, f"{called}, but {self.thrown[0]}-{self.thrown[1]} was thrown"
            self.thrown = None

    def _order(self, row: _Seen, at: int) -> Iterator[Problem]:
        place = self.head.number + 1
        if row.number in self.numbers:
            yield Problem(at, row.number, "the row comes twice, or out of its place")
        elif row.number > place:
            gone = f"row {place}" if row.number == place + 1 else f"rows {place}-{row.number - 1}"
            yield Problem(at, place, f"{gone} is missing: row {row.number} stands here")
        elif row.number < place:
            yield Problem(at, row.number, "the row is out of its place")
        elif self.head.hash and row.previous != self.head.hash:
            before = f"row {self.head.number}" if self.head.number else "the beginning"
            yield Problem(
                at, row.number, f"the row does not follow {before}: one of the two is not genuine"
            )


def verify(
    lines: Iterable[bytes], seals: Sequence[Seal] = (), public: str = "", most: int = 100
) -> Verified:
    """Verify an export, or the same lines from a store; at most so many problems are told.

    Seals of other tables are passed over; those of this one must be signed by `public`.
    """
    every = iter(lines)
    header = read_header(next(every, b""))
    chain = _Chain(header)
    mine = [seal for seal in seals if seal.table == header.table]
    wanted = {seal.number for seal in mine}
    hashes: dict[int, str] = {}
    problems: list[Problem] = []
    line = 1
    for line, text in enumerate(every, 2):
        for found in chain.look(text, line):
            if len(problems) < most:
                problems.append(found)
        if chain.head.number in wanted:
            hashes[chain.head.number] = chain.head.hash
    problems += _ending(chain, line)
    good = 0
    for seal in mine:
        problem = _seal_problem(seal, hashes, chain, public)
        if problem:
            problems.append(Problem(0, seal.number, problem))
        else:
            good += 1
    return Verified(
        table=header.table,
        head=chain.head,
        rows=chain.count,
        seals=good,
        throws=chain.dice.checked,
        problems=tuple(problems),
    )


def _ending(chain: _Chain, line: int) -> Iterator[Problem]:
    header, head = chain.header, chain.head
    if head.number < header.rows:
        gone = header.rows - head.number
        rows = "row is" if gone == 1 else "rows are"
        yield Problem(line, head.number + 1, f"{gone} {rows} missing at the end")
    elif chain.count > header.rows:
        yield Problem(line, head.number, f"{chain.count} rows stand where {header.rows} should")
    elif head.hash != header.head:
        yield Problem(line, head.number, "the last row is not the one the header names")
    if header.rows == 0 or header.head == GENESIS:
        raise JournalError("line 1: the header names no row")


def _seal_problem(seal: Seal, hashes: dict[int, str], chain: _Chain, public: str) -> str:
    if not genuine(seal, public):
        return "its seal is not signed with this key"
    if seal.number not in hashes:
        return f"the row was sealed, and is not here: the file ends at row {chain.head.number}"
    if hashes[seal.number] != seal.hash:
        return "the row is not the one that was sealed: the chain was written anew"
    return ""
