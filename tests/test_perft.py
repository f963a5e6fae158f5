"""Perft: all 36^3 sequences of three rolls from a dozen table lines per house, exactly.

tests/perft/<house>.perft holds the lines and the numbers. A line is a title, the calls that set the
table up (in the notation of docs/notation.md, separated by `;`), and what follows from all three
rolls that could come next: after how many sequences no wager is up any more, and what the players
won less lost in all of them together, in the currency; then the same by the first total. Anybody
can check these with another engine. Here the table and the auditor both must give the same numbers.

The files are written by the auditor alone: python -m tests.test_perft (with PYTHONPATH=src:.).
bonus.perft is of the bonus wagers of a test house, in tests/houses, and its auditor is of its own.
"""

from __future__ import annotations

import copy
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from boxman.chips import format_amount, parse_amount
from boxman.dice import ROLLS, Roll
from boxman.rules.book import houses
from boxman.rules.layout import Layout
from boxman.table.calls import CallRoll, CloseBets
from boxman.table.floor.throws import needs_close
from boxman.table.ruling import rule
from boxman.table.rulings import Ruling
from boxman.table.said.transcript import Transcript
from boxman.table.state import Asked, Table
from tests.test_auditor import OWN, AnyAuditor, auditor_of, follow

FOLDER = Path(__file__).parent / "perft"
DEPTH = 3
TOTALS = range(2, 13)
HOUSES = [*houses(), *OWN]


def kind_rolls(layout: Layout) -> list[tuple[Roll, int]]:
    """A roll of each kind that a house tells apart, and how many of the 36 are of that kind."""
    return [
        (next(roll for roll in ROLLS if layout.rolls.index(roll) == index), kind.ways)
        for index, kind in enumerate(layout.rolls.kinds)
    ]


EVERY_ROLL = [(roll, 1) for roll in ROLLS]

Kept = frozenset[tuple[str, str]]


class Sums(NamedTuple):
    """What follows from a number of sequences: how many decide everything, and the net of all."""

    sequences: int
    decided: int
    net: int

    def __str__(self) -> str:
        return f"sequences {self.sequences}  decided {self.decided}  net {format_amount(self.net)}"


class Line(NamedTuple):
    """A table line of a file: how the table is set up, and what is expected, by first total."""

    title: str
    calls: tuple[str, ...]
    expected: dict[int, Sums]
    whole: Sums


# -- the files ---------------------------------------------------------------------------------

_SUMS = r"sequences (\d+)  decided (\d+)  net (-?[\d.]+)"


def _sums(match: re.Match[str], group: int) -> Sums:
    sequences, decided, net = match.group(group, group + 1, group + 2)
    sign = -1 if net.startswith("-") else 1
    amount = 0 if net == "0" else sign * parse_amount(net.lstrip("-"))
    return Sums(int(sequences), int(decided), amount)


def read(path: Path) -> Iterator[Line]:
    """The lines of a perft file; text before the first title is a preface."""
    title, calls = "", ""
    whole: Sums | None = None
    expected: dict[int, Sums] = {}
    for number, text in enumerate([*path.read_text().splitlines(), "line   end"], 1):
        if text.startswith("line "):
            if title:
                done = whole or Sums(0, 0, 0)
                yield Line(title, tuple(map(str.strip, calls.split(";"))), expected, done)
            title, calls, whole, expected = text[5:].strip(), "", None, {}
        elif text.startswith("calls "):
            calls = text[6:]
        elif match := re.fullmatch(rf"depth  {DEPTH}  {_SUMS}", text):
            whole = _sums(match, 1)
        elif match := re.fullmatch(rf"first +(\d+)  {_SUMS}", text):
            expected[int(match.group(1))] = _sums(match, 2)
        elif text and not text.startswith("--"):
            raise AssertionError(f"{path}:{number}: {text}")


def write(path: Path) -> None:
    """Fill in the numbers of a file, as the auditor gives them."""
    preface = [line for line in path.read_text().split("\nline ")[0].splitlines() if line]
    parts = ["\n".join(preface), ""]
    for line in read(path):
        play = set_up(line)
        found = by_first_total(play.audited(kind_rolls(play.layout), DEPTH))
        parts.append(f"line   {line.title}")
        parts.append(f"calls  {'; '.join(line.calls)}")
        parts.append(f"depth  {DEPTH}  {total(found)}")
        parts += [f"first {first:>2}  {sums}" for first, sums in found.items()]
        parts.append("")
    path.write_text("\n".join(parts))


# -- both models at the start of a line ----------------------------------------------------------


class Play:
    """A table line set up in both models."""

    def __init__(self, layout: Layout, table: Table, auditor: AnyAuditor, kept: Kept) -> None:
        self.layout, self.table, self.auditor, self.kept = layout, table, auditor, kept
        self.closes = needs_close(layout)
        self.known_table: dict[object, Sums] = {}
        self.known_audit: dict[object, Sums] = {}

    # Rails are deep, so what follows depends on what is up and not on what was won before. Equal
    # tables are walked once: the same sequences, counted with their number.

    def ruled(self, rolls: list[tuple[Roll, int]], depth: int) -> dict[Roll, Sums]:
        """All sequences by their first roll, as the table rules them."""
        self.known_table.clear()
        return {roll: self._ruled(self.table, roll, ways, rolls, depth) for roll, ways in rolls}

    def _ruled(
        self, table: Table, roll: Roll, ways: int, rolls: list[tuple[Roll, int]], depth: int
    ) -> Sums:
        if self.closes:
            table = rule(self.layout, table, CloseBets()).after
        ruling = rule(self.layout, table, CallRoll(first=roll.first, second=roll.second))
        assert ruling.accepted
        after = ruling.after
        # What the bank has less, the players have more.
        net = table.bank - after.bank
        key = (depth, _table_key(after)) if len(rolls) < len(ROLLS) else None
        below = self.known_table.get(key) if key else None
        if below is None:
            if depth == 1:
                up = any(seat.wagers for seat in after.seats.values())
                below = Sums(1, 0 if up else 1, 0)
            else:
                below = add(self._ruled(after, r, w, rolls, depth - 1) for r, w in rolls)
            if key:
                self.known_table[key] = below
        return _weighted(below, ways, net)

    def audited(self, rolls: list[tuple[Roll, int]], depth: int) -> dict[Roll, Sums]:
        """The same by the auditor."""
        self.known_audit.clear()
        return {roll: self._audited(self.auditor, roll, ways, rolls, depth) for roll, ways in rolls}

    def _audited(
        self, before: AnyAuditor, roll: Roll, ways: int, rolls: list[tuple[Roll, int]], depth: int
    ) -> Sums:
        auditor = clone(before)
        net = 0
        for (seat, spot), outcome in auditor.roll(*roll).items():
            net += outcome.paid - outcome.taken
            if outcome.verdict == "win" and (seat, spot) in self.kept:
                stake = before.wagers[seat, spot].stake
                auditor.bet(seat, spot, stake)
                net -= auditor.fee(spot, stake)
        key = (depth, _audit_key(auditor)) if len(rolls) < len(ROLLS) else None
        below = self.known_audit.get(key) if key else None
        if below is None:
            if depth == 1:
                below = Sums(1, 0 if auditor.wagers else 1, 0)
            else:
                below = add(self._audited(auditor, r, w, rolls, depth - 1) for r, w in rolls)
            if key:
                self.known_audit[key] = below
        return _weighted(below, ways, net)


def _weighted(below: Sums, ways: int, net: int) -> Sums:
    """Sums of what follows a roll, with the net of the roll itself, for all rolls of its kind."""
    whole = below.net + net * below.sequences
    return Sums(ways * below.sequences, ways * below.decided, ways * whole)


def _table_key(table: Table) -> object:
    wagers = frozenset(
        (seat.name, wager) for seat in table.seats.values() for wager in seat.wagers.values()
    )
    warned = frozenset(seat.name for seat in table.seats.values() if seat.warned)
    return table.puck, wagers, warned, frozenset(table.collected.items()), table.latched


def _audit_key(auditor: AnyAuditor) -> object:
    wagers = frozenset(
        (key, w.stake, w.call, w.found, w.split) for key, w in auditor.wagers.items()
    )
    collected = tuple((name, frozenset(got)) for name, got in auditor.collected.items())
    come = tuple(sorted((name, tuple(got)) for name, got in auditor.come.items()))
    return auditor.puck, wagers, frozenset(auditor.warned), collected, come


def clone(auditor: AnyAuditor) -> AnyAuditor:
    other = copy.copy(auditor)
    other.wagers = {key: copy.copy(wager) for key, wager in auditor.wagers.items()}
    other.warned = set(auditor.warned)
    other.collected = {name: set(got) for name, got in auditor.collected.items()}
    other.come = {name: list(got) for name, got in auditor.come.items()}  # type: ignore[misc]
    return other


def add(many: Iterator[Sums]) -> Sums:
    sequences = decided = net = 0
    for sums in many:
        sequences += sums.sequences
        decided += sums.decided
        net += sums.net
    return Sums(sequences, decided, net)


def by_first_total(found: dict[Roll, Sums]) -> dict[int, Sums]:
    return {
        first: add(sums for roll, sums in found.items() if roll.total == first) for first in TOTALS
    }


def total(found: dict[int, Sums]) -> Sums:
    return add(iter(found.values()))


def set_up(line: Line) -> Play:
    """Make the calls of a line on the table, and tell the auditor; all must be accepted."""
    transcript = Transcript()
    transcript.folder = str(FOLDER)
    auditor: AnyAuditor | None = None
    kept: set[tuple[str, str]] = set()
    for text in line.calls:
        result = transcript.play(text)
        ruling = result.ruling
        assert ruling is not None
        assert ruling.refusal is None, f"{line.title}: {text}: {ruling.refusal}"
        layout, table = transcript.layout, transcript.table
        assert layout is not None
        assert table is not None
        if not isinstance(ruling, Ruling):
            posted = table.posted
            auditor = auditor_of(
                layout.house,
                chip=layout.chip,
                settings={name: layout.settings[name] for name in ruling.call.settings},
                minimum=posted.minimum,
                maximum=posted.maximum,
            )
            continue
        assert auditor is not None
        if isinstance(ruling.call, CallRoll):
            auditor.roll(ruling.call.first, ruling.call.second)
        follow(auditor, ruling)
        for decision in ruling.decisions:
            if isinstance(decision, Asked):
                change = kept.add if decision.stays else kept.discard
                change((decision.seat, decision.spot))
    assert auditor is not None
    assert transcript.layout is not None
    assert transcript.table is not None
    return Play(transcript.layout, transcript.table, auditor, frozenset(kept))


# -- the tests ---------------------------------------------------------------------------------

LINES = [(house, line) for house in HOUSES for line in read(FOLDER / f"{house}.perft")]


@pytest.mark.parametrize(
    ("house", "line"), LINES, ids=[f"{house}: {line.title}" for house, line in LINES]
)
def test_all_sequences_of_three_rolls(house: str, line: Line) -> None:
    """Table, auditor and file agree, weighing the kinds of roll by their ways."""
    named = f"../houses/{house}.md" if house in OWN else house
    assert line.calls[0].startswith(f"house {named} ")
    play = set_up(line)
    ruled = by_first_total(play.ruled(kind_rolls(play.layout), DEPTH))
    audited = by_first_total(play.audited(kind_rolls(play.layout), DEPTH))
    assert ruled == audited
    assert ruled == line.expected
    assert total(ruled) == line.whole
    assert line.whole.sequences == 36**DEPTH


def test_a_dozen_lines_per_house() -> None:
    for house in HOUSES:
        titles = [line.title for of, line in LINES if of == house]
        assert len(titles) >= 12, house
        assert len(set(titles)) == len(titles), house


@pytest.mark.parametrize("house", HOUSES)
def test_every_family_of_the_house_is_in_a_line(house: str) -> None:
    """Between them the lines have a wager of every family up at some time."""
    seen: set[str] = set()
    layout: Layout | None = None
    for of, line in LINES:
        if of == house:
            play = set_up(line)
            layout = layout or play.layout
            for seat in play.table.seats.values():
                seen |= {play.layout.spots[name].family for name in seat.wagers}
    assert layout is not None
    assert {spot.family for spot in layout.spots.values()} - seen == set()


def test_kinds_weigh_what_the_rolls_do() -> None:
    """One line with all 46,656 sequences one by one, in both models: no kinds, nothing shared."""
    line = max((line for house, line in LINES if house == "nsw"), key=lambda line: len(line.calls))
    play = set_up(line)
    ruled = by_first_total(play.ruled(EVERY_ROLL, DEPTH))
    assert ruled == line.expected
    assert by_first_total(play.audited(EVERY_ROLL, DEPTH)) == line.expected


if __name__ == "__main__":
    for name in sys.argv[1:] or HOUSES:
        write(FOLDER / f"{name}.perft")
